"""Leave on the web: booking, shortening, the year, and the calendar feed (§ 6.3.6, § 6.8.8).

Not for the effects of leave or for special leave, granted by an official (below).
"""

from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from aiohttp import web
from babel.dates import get_month_names

from kskak.game.game_commands import NotifyLongThink, Reason, Refusal, is_near
from kskak.play.game_state import GameState
from kskak.regulation.editions import Channel, Regulation, Side, rules_of
from server.store.account import sign_in as access
from server.store.play import people
from server.store.play.people import PersonRow
from server.usecases.account.own_data import calendar_of_key, create_feed
from server.usecases.games.outbox_letters import ReplyPosition, read_think_key
from server.usecases.play.game_requests import GameRequest, GameRequestOutcome
from server.usecases.play.game_requests import ask as ask_ask
from server.usecases.play.game_views import GameView, game_view
from server.usecases.reflection.leave import (
    Leave,
    LeaveBookingOutcome,
    NotBooked,
    NotTheirs,
    book,
    foresee,
    grant,
    leads_anybody,
    shorten,
    wards,
)
from server.usecases.reflection.leave_year import (
    GameLeave,
    LeaveYear,
    StoppageOwner,
    TimeStoppage,
    leave_year,
)
from server.usecases.rights import rights
from server.web.cases.case_texts import load_case_words
from server.web.frame.context import (
    SHOWS_SECRET,
    PageRoutes,
    core,
    get_words,
    read_only_page,
    signed_in,
)
from server.web.frame.forms import Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import PageWords
from server.web.frame.pages import page
from server.web.reflection.day_calendar import weekdays

routes = PageRoutes()


def _whose_day(
    stills: tuple[TimeStoppage, ...], day: date, said: PageWords
) -> tuple[StoppageOwner | None, str]:
    """Who makes time stand still on a day, and why, «Bo Berg: ferie (§ 6.3.6)», all named."""
    here = [still for still in stills if still.first <= day <= still.last]
    here.sort(key=lambda still: list(StoppageOwner).index(still.whose))
    why = ", ".join(dict.fromkeys(said.why(still.cause, still.name) for still in here))
    return (here[0].whose if here else None), why


def months_of(
    found: LeaveYear, said: PageWords
) -> Iterator[tuple[str, int, list[tuple[StoppageOwner | None, str]]]]:
    """The year's twelve rows: a month's name, its first day's column (Monday 1), and its days."""
    names = get_month_names("wide", "stand-alone", said.words.locale)
    for month in range(1, 13):
        column, length = monthrange(found.year, month)
        days = (date(found.year, month, number) for number in range(1, length + 1))
        yield str(names[month]), column + 1, [_whose_day(found.stills, day, said) for day in days]


MOST_YEARS_AWAY = 3
"""How many years before and after this one can be shown."""
_NOTHING_TYPED = {"first": "", "last": "", "tournament": ""}


@routes.get("/leave")
@read_only_page
async def show(request: web.Request) -> web.Response:
    """The forms, the list and the year."""
    return await _leave_page(request, signed_in(request))


@routes.post("/leave")
@stands_on(show)
async def ask(request: web.Request) -> web.Response:
    """Step 1, ``act`` look: preview the leave; step 2: book it, per tournament in all its running
    games or in none; ``act`` change: back to the form, with the days as typed.
    """
    person, form = signed_in(request), await form_of(request)
    act = form.typed("act")
    if act == "change":
        typed = {name: form.typed(name) for name in ("first", "last", "tournament")}
        return await _leave_page(request, person, typed=typed)
    first, last = _days(request, form)
    now = core(request).clock.now()
    wished = form.text("tournament", 200) or None
    asked = Leave(person.id, first, last, Channel.WEB.value, now, wished)
    if act == "look":
        return await _preview(request, asked)
    outcome = await book(core(request), asked)
    if isinstance(outcome, LeaveBookingOutcome):
        raise web.HTTPSeeOther("/leave?booked=" + ("2" if outcome.refused else "1"))
    raise build_booking_fault(request, first, outcome.refusal)


def _days(request: web.Request, form: Form) -> tuple[date, date]:
    """The first and last day of the leave in a form. Raises FormFault where one is missing."""
    first, last = form.day("first"), form.day("last")
    if first is None or last is None:
        raise FormFault("first" if first is None else "last", get_words(request).t("leave.dates"))
    return first, last


async def _preview(
    request: web.Request, asked: Leave, official: PersonRow | None = None
) -> web.Response:
    """The page showing what would be booked, or granted by the official; raises Fault if nothing
    would be, NotTheirs.
    """
    found, ward = await foresee(core(request), asked, official), None
    if found.refusal is not None or not found.fields:
        raise build_booking_fault(request, asked.first, found.refusal)
    if official is not None:
        ward = await core(request).store.query(people.find_person, asked.person_id)
    return page(request, "reflection/leave_preview.html", asked=asked, found=found, ward=ward)


def build_booking_fault(request: web.Request, first: date, refusal: Refusal | None) -> FormFault:
    """Why leave as of a day was not booked, beside the field of the day that it is about."""
    today = core(request).today(core(request).settings.clock.zone)
    is_first = refusal is not None and (
        refusal.reason is Reason.LEAVE_TOO_SOON or refusal.given == first
    )
    at = "first" if is_first or not is_near(first, today) else "last"
    return FormFault(at, why_not(request, refusal))


def why_not(request: web.Request, refusal: Refusal | None) -> str:
    """Why leave was not booked, in the reader's language."""
    said = get_words(request)
    return said.t("leave.no_groups") if refusal is None else said.refusal(refusal)


@routes.post("/leave/shorten")
@stands_on(show)
async def make_shorter(request: web.Request) -> web.Response:
    """Shorten a booked leave; the opponents keep the announced stop."""
    person, form = signed_in(request), await form_of(request)
    first, last, until = form.day("first"), form.day("last"), form.day("until")
    if first is None or last is None or until is None:
        raise FormFault("until", get_words(request).t("leave.until_date"))
    now, days = core(request).clock.now(), (first, last)
    outcome = await shorten(core(request), person.id, until, Channel.WEB.value, now, days)
    if isinstance(outcome, NotBooked):
        raise FormFault("until", why_not(request, outcome.refusal))
    raise web.HTTPSeeOther("/leave?booked=3")


@routes.post("/leave/feed")
async def change_feed(request: web.Request) -> web.Response:
    """Create the calendar feed's address, which is shown once, or revoke it."""
    person, form = signed_in(request), await form_of(request)
    if form.text("act", 10) == "end":
        await core(request).store.change(access.revoke_key, access.CALENDAR, person.id)
        raise web.HTTPSeeOther("/leave")
    key = await create_feed(core(request), person.id)
    request[SHOWS_SECRET] = True
    return await _leave_page(request, person, link=core(request).url(f"/calendar/{key}.ics"))


def _year(request: web.Request, today: date) -> int:
    """The year in the address; this year for anything else."""
    asked = request.query.get("year", "")
    year = int(asked) if asked.isascii() and asked.isdigit() and len(asked) == 4 else today.year
    return year if abs(year - today.year) <= MOST_YEARS_AWAY else today.year


async def _leave_page(
    request: web.Request,
    person: PersonRow,
    link: str = "",
    typed: Mapping[str, str] = _NOTHING_TYPED,
) -> web.Response:
    today = core(request).today(core(request).settings.clock.zone)
    year = _year(request, today)
    found = await leave_year(core(request), person.id, year)
    booked = request.query.get("booked", "")
    return page(
        request,
        "reflection/leave.html",
        has_games=bool(found.quotas),
        rules=rules_of(Regulation.EMAIL),
        found=found,
        months=months_of(found, get_words(request)),
        weekdays=weekdays(get_words(request).lang),
        years=(year - 1, year, year + 1),
        today=today,
        zone=core(request).settings.clock.zone,
        booked=booked if booked in ("1", "2", "3") else "",
        link=link,
        typed=typed,
        has_feed=bool(link) or await core(request).store.query(access.has_key, person.id),
        may_grant=await leads_anybody(core(request), person),
    )


_HEADERS = {"Cache-Control": "private, max-age=900", "X-Content-Type-Options": "nosniff"}


@routes.get("/calendar/{key:[A-Za-z0-9_-]{1,80}}.ics")
async def calendar(request: web.Request) -> web.Response:
    """The feed; 404 for an unknown or revoked key."""
    text = await calendar_of_key(core(request), request.match_info["key"])
    if text is None:
        return web.Response(status=404, text="404\n")
    return web.Response(body=text, content_type="text/calendar", charset="utf-8", headers=_HEADERS)


# Both players' leave as a picture of twelve months, and in words for screen readers.

ROOM = 9
"""The width of a month's letter in the picture, in days."""


def list_month_letters(year: GameLeave, said: PageWords) -> list[tuple[int, str]]:
    """After how many days of the year each month begins, with its letter, where there is room."""
    names = get_month_names("narrow", "stand-alone", said.words.locale)
    days = ((n, year.first + timedelta(days=n)) for n in range(year.length - ROOM + 1))
    return [(n, str(names[day.month])) for n, day in days if day.day == 1]


# The desk where an official grants special leave (§ 6.3.6.4, § 6.8.8).


@routes.get("/desk/leave")
async def show_special_leave(request: web.Request) -> web.Response:
    """The form; 404 for those who lead nobody."""
    official = signed_in(request)
    if not await leads_anybody(core(request), official):
        raise web.HTTPNotFound
    return page(
        request,
        "reflection/special_leave.html",
        d=load_case_words(request),
        rights=await rights(core(request), official),
        wards=await wards(core(request), official),
        granted=request.query.get("granted") == "1",
    )


@routes.post("/desk/leave")
@stands_on(show_special_leave)
async def do(request: web.Request) -> web.Response:
    """Show what the leave would do (``act`` look), then grant it, or show why not; 404 for a player
    whom the official does not lead.
    """
    official, form = signed_in(request), await form_of(request)
    player, _, tournament = form.text("player", 240).partition(" ")
    if not (player.isascii() and player.isdigit() and len(player) < 19):
        raise web.HTTPBadRequest
    first, last = _days(request, form)
    now, channel, why = core(request).clock.now(), Channel.WEB.value, form.text("reason", 1000)
    leave = Leave(int(player), first, last, channel, now, tournament, why)
    if not why:
        raise FormFault("reason", get_words(request).t("grant.no_reason"))
    try:
        if form.typed("act") == "look":
            return await _preview(request, leave, official)
        outcome = await grant(core(request), official, leave)
    except NotTheirs:
        raise web.HTTPNotFound from None
    if isinstance(outcome, LeaveBookingOutcome):
        raise web.HTTPSeeOther("/desk/leave?granted=1")
    raise build_booking_fault(request, first, outcome.refusal)


# Giving notice of a long think by the link in a letter: GET shows a page, its button gives it.

LINK_EXPIRED = 410


async def _find_link_game(request: web.Request) -> tuple[GameView, ReplyPosition] | None:
    """The link's game and position; None if it is invalid or the game has moved on."""
    position = read_think_key(core(request).secret, request.match_info["key"])
    view = None if position is None else await game_view(core(request), position.game_id)
    if view is None or position is None:
        return None
    state = view.account.state
    is_now = state.position.ply == position.ply and state.to_move is position.side
    return (view, position) if is_now else None


@routes.get("/think/{key:[a-z2-7]{1,80}}")
async def question(request: web.Request) -> web.Response:
    """The question; viewing it changes nothing."""
    asked = await _find_link_game(request)
    if asked is None:
        return page(request, "play/confirm_dead.html", status=LINK_EXPIRED)
    view, position = asked
    opponent = view.player(position.side.other)
    return page(request, "reflection/long_think.html", view=view, opponent=opponent)


@routes.post("/think/{key:[a-z2-7]{1,80}}")
async def give_notice(request: web.Request) -> web.Response:
    """Give notice now; repeating it is harmless."""
    asked = await _find_link_game(request)
    if asked is None:
        return page(request, "play/confirm_dead.html", status=LINK_EXPIRED)
    view, position = asked

    def build(state: GameState, side: Side) -> NotifyLongThink | Refusal:
        if state.position.ply != position.ply:
            return Refusal(Reason.STALE)
        return NotifyLongThink(side)

    person_id = view.game.person_of(position.side)
    answer = await ask_ask(
        core(request), GameRequest(view.game.id, person_id, Channel.WEB.value, build)
    )
    assert isinstance(answer, GameRequestOutcome)
    problem = "" if answer.refusal is None else get_words(request).refusal(answer.refusal)
    return page(request, "play/confirmed.html", problem=problem, nothing=False, raise_case=None)
