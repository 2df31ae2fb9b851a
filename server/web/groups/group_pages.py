"""A group's page: its crosstable by place or by number, and its start letter as a PDF.

§ 6.4.5.1, § 6.5.2.1. Not for the order (kskak.groups.crosstables) or objections
(published.py).
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Protocol
from urllib.parse import quote

from aiohttp import web

from kskak.cases.case import CaseRefusal
from kskak.cup import TieProblem, TieRefusal
from kskak.groups.crosstables import GroupCrosstable
from kskak.groups.placing import Title
from kskak.regulation.days import local_day
from mail.office_letters.bulletins import (
    FinalStanding,
    list_marks_used,
    outcome_blocks,
    separations,
)
from mail.office_letters.service_letters import LONGEST, MOST_LINES
from mail.outgoing.papers import draw_paper
from mail.text.catalogue import Words, decimal, halves
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.cases import cases as case_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.group_results import Tally
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.store.play.game_lists import Brief
from server.store.play.people import PersonRow
from server.usecases.cases import case_decisions, expulsion
from server.usecases.cases.case_decisions import HasBegun
from server.usecases.cases.expulsion import LongGameView
from server.usecases.cup.cup_views import cup_list
from server.usecases.cup.seat_swap import NOT_SWAPPED, SwapRequest, list_swaps, swap_player
from server.usecases.groups import leader_letter as group_leading
from server.usecases.groups.group_file import GroupClass
from server.usecases.groups.group_tables import TableView, read_final_standing, table_in
from server.usecases.groups.leader_letter import (
    LeaderLetterDraft,
    LeaderLetterPreview,
    following_of,
    let_programs,
    switch,
)
from server.usecases.letters import start_letter
from server.usecases.office import ActionRefusedError
from server.usecases.people import group_games
from server.usecases.play.game_views import end_day, may_see
from server.usecases.results.titles import (
    OldTitle,
    TieView,
    TitleFault,
    all_titles,
    enter_title,
    home_of,
    playoff_of_in,
    remove_title,
    share_title,
    start_playoff,
    tie_view,
)
from server.usecases.rights import NoSuch, NotAllowed, Rights, require_free, rights
from server.web.cases.case_texts import load_case_words
from server.web.cup import load_cup_words
from server.web.desks.bulk_actions import BulkAction, BulkItem
from server.web.desks.desk_pages import require_rights
from server.web.entries.entry_desk import load_entry_words
from server.web.frame.context import (
    PageRoutes,
    core,
    get_words,
    or_404,
    read_only_page,
    signed_in,
    speak_of,
    viewer,
)
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import FULL, SubjectWords, name_blocks
from server.web.frame.pages import new_key, page, pdf_response

routes = PageRoutes()

# Texts about progress and scores on the public pages of groups, players and clubs.


class PublicWords(SubjectWords):
    """One language for these pages."""

    subject = "public"

    def score(self, tally: Tally) -> str:
        """«4½ af 6»: points from finished games; not «1/2», which would look like a half."""
        points = halves(Fraction(tally.halves, 2))
        return self.words("entries.classes.score", points=points, games=tally.finished)

    def number(self, value: Fraction) -> str:
        """A rating as an integer without a thousands separator, as in lists."""
        return self.words.number(value, "0")

    def figure(self, value: Fraction, most: int = 2) -> str:
        """A number with at most so many decimals."""
        return decimal(value, self.words, most)

    def ended_on(self, game: Brief) -> date | None:
        """The day a game ended, in its own zone."""
        return end_day(game)


# A group's progress: finished games per round and in all, for bars and sentences.


class ProgressGame(Protocol):
    """A game of the group."""

    @property
    def round(self) -> int: ...
    @property
    def result(self) -> str | None: ...
    @property
    def ended_us(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """The games of a round, or all games. ``number`` is the round's, 0 for all."""

    number: int
    finished: int
    games: int

    @property
    def percent(self) -> int:
        """The percentage finished; 100 only when all are."""
        return self.finished * FULL // self.games if self.games else 0


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """A group's progress. ``last``: the day of the newest result; None before the first."""

    whole: RoundProgress
    rounds: tuple[RoundProgress, ...]
    last: date | None


def progress_of(games: Iterable[ProgressGame], zone: str) -> GroupProgress:
    """The progress of a group's games, in the tournament's zone."""
    finished, counted, last = Counter[int](), Counter[int](), 0
    for game in games:
        counted[game.round] += 1
        if game.result is not None:
            finished[game.round] += 1
            last = max(last, game.ended_us or 0)
    rounds = tuple(
        RoundProgress(number, finished[number], counted[number]) for number in sorted(counted)
    )
    whole = RoundProgress(0, finished.total(), counted.total())
    return GroupProgress(whole, rounds, local_day(from_us(last), zone) if last else None)


@dataclass(frozen=True, slots=True)
class GroupProgressView:
    """``clubs``: the ids of clubs' pages by name; clubs without a page are missing."""

    p: PublicWords
    progress: GroupProgress
    clubs: dict[str, int]


async def build_progress_view(
    conn: AsyncConnection,
    games: Iterable[ProgressGame],
    zone: str,
    clubs: Iterable[str | None],
    words: Words,
) -> GroupProgressView:
    """Progress and club pages for a group's games and its clubs' names."""
    ids = await member_rows.ids_of(conn, [name for name in clubs if name])
    return GroupProgressView(PublicWords(words), progress_of(games, zone), ids)


# A group's page: its crosstable by place or by number, and its start letter as a PDF.

PLACE, NUMBER = "place", "number"


def _order(request: web.Request, table: GroupCrosstable) -> str:
    """By place once any game is finished, unless the reader asks otherwise."""
    asked = request.query.get("by", "")
    if asked in (PLACE, NUMBER):
        return asked
    return PLACE if table.has_begun else NUMBER


@dataclass(frozen=True, slots=True)
class Beginning:
    """A group's first day, and whether it has come."""

    day: date
    has_come: bool


def beginning(request: web.Request, group: GroupRow) -> Beginning:
    """When a group begins or began, as of today in its zone."""
    day = date.fromisoformat(group.start)
    return Beginning(day, day <= core(request).today(group.zone))


@dataclass(frozen=True, slots=True)
class GroupPageView:
    """What is stored about a group. ``live`` holds its id if anybody may follow its games."""

    group: GroupRow
    tl: PersonRow
    view: TableView
    standing: FinalStanding | None
    tie: TieView | None
    playoff_of: str | None
    beside: GroupProgressView
    live: frozenset[int]


async def find_group(request: web.Request) -> GroupRow:
    """The group in the address; 404 if there is none."""
    name = request.match_info["name"]
    found = or_404(await core(request).store.query(group_rows.by_name, name))
    speak_of(request, found.class_)
    return found


async def _page_view(request: web.Request) -> GroupPageView:
    """The group in the address; a division of the league redirects to its own page."""
    group = await find_group(request)
    if group.class_ == "league":
        raise web.HTTPSeeOther(f"/league/{quote(group.name)}")
    async with core(request).store.read() as conn:
        view = await table_in(conn, group)
        standing = await read_final_standing(conn, group, view)
        tl = await person_rows.find_person(conn, group.tl_id)
        clubs = [seat.club for seat in view.seats]
        beside = await build_progress_view(
            conn, view.games, group.zone, clubs, get_words(request).words
        )
        tie, playoff_of = await tie_view(conn, group, view), await playoff_of_in(conn, group)
        live = await group_rows.find_public_groups(conn, (group.id,))
    assert tl is not None
    return GroupPageView(group, tl, view, standing, tie, playoff_of, beside, live)


@read_only_page
async def show(request: web.Request) -> web.Response:
    """A group: crosstable, tie-breaks, leader, dates. Public (CONTRACTS).

    A division of the league has its own page with matches and boards (§ 6.7.4.5).
    """
    found = await _page_view(request)
    group, view, standing = found.group, found.view, found.standing
    person = viewer(request)
    held = None if person is None else await rights(core(request), person)
    seen = frozenset(game.id for game in view.games if may_see(held, game, found.live))
    order, words = _order(request, view.table), get_words(request).words
    return page(
        request,
        "groups/group.html",
        group=group,
        kind=GroupClass(group.class_).name.lower(),
        tl=found.tl,
        rows=view.table.lines if order == PLACE else view.table.by_number,
        people={seat.number: seat.person_id for seat in view.seats},
        seen=seen,
        order=order,
        beside=found.beside,
        table=view.table,
        say=words,
        separations=separations(view.table, words),
        legend=list_marks_used(view.table, words),
        standing=standing,
        comes_to=[] if standing is None else name_blocks(outcome_blocks(standing, words)),
        beginning=beginning(request, group),
        is_live=bool(found.live) and not view.table.is_finished,
        round=view.kind.round,
        tie=found.tie,
        playoff_of=found.playoff_of,
        has_letter=held is not None and may_have_letter(held, group.id),
        may_lead=held is not None and held.speaks_for(group.id),
    )


def may_have_letter(held: Rights, group_id: int) -> bool:
    """Only players and their officials: the letter has everybody's address (§ 6.5.2.1)."""
    return group_id in held.plays or held.oversees(group_id)


@routes.get("/groups/{name:.+}/start.pdf")
async def start_pdf(request: web.Request) -> web.Response:
    """The start letter as a PDF; 403 for those with no right to the addresses."""
    person, group = signed_in(request), await find_group(request)
    if not may_have_letter(await rights(core(request), person), group.id):
        raise web.HTTPForbidden
    words = get_words(request).words
    letter = await start_letter(core(request), person, group.name)
    written, dated = letter.on_paper(words), letter.group.start
    about = (written, words.lang, written.subject, dated)
    data = await asyncio.to_thread(draw_paper, "letter", *about)
    return pdf_response(data, f"startbrev-{group.name}")


# A tournament's home: its groups and who leads them, entry, rules, terms, bulletins, feeds.


@routes.get("/tournaments/{name:.+}")
@read_only_page
async def show_tournament(request: web.Request) -> web.Response:
    """The tournament in the address; 404 if nothing is played or open under that name."""
    name = request.match_info["name"]
    home = or_404(await home_of(core(request), name))
    if home.is_cup:
        for cup in await cup_list(core(request)):
            if cup.row.name == name:
                raise web.HTTPSeeOther(f"/cup/{cup.row.edition}")
    return page(
        request, "groups/tournament.html", home=home, day_of=date.fromisoformat, points=halves
    )


# The games that have lasted 18 months: called in by ticks, a case for each (§ 6.2.7).


@routes.get("/desk/long")
async def show_long_games(request: web.Request) -> web.Response:
    """The games that may be called in, the longest first."""
    person, rights = await require_rights(request)
    try:
        games = await expulsion.long_running(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    ticks = CALL_IN.ticks(_rows(games, rights))
    d = load_case_words(request)
    return page(request, "groups/desk_long.html", d=d, rights=rights, games=games, ticks=ticks)


def _rows(games: Iterable[LongGameView], rights: Rights) -> list[BulkItem]:
    """Those that the viewer may call in; not those that have been."""
    free = (one.game for one in games if one.case is None and rights.leads(one.game.group_id))
    return [BulkItem(str(g.id), f"{g.name} {g.white} – {g.black}", f"{g.seq}") for g in free]


async def _rows_now(request: web.Request) -> list[BulkItem]:
    person, rights = await require_rights(request)
    try:
        return _rows(await expulsion.long_running(core(request), person), rights)
    except NotAllowed:
        raise web.HTTPNotFound from None


async def _call_in(request: web.Request, row: BulkItem, _: Form) -> None:
    person, _rights = await require_rights(request)
    for case in await expulsion.call_in(core(request), person, [int(row.key)]):
        if isinstance(case, CaseRefusal):
            raise ActionRefusedError(load_case_words(request).refusal(case))


CALL_IN = BulkAction("long", "/desk/long/call", "/desk/long", show_long_games, _rows_now, _call_in)


# A tie for first place in the DM, on its group's desk: play-off or agreement (§ 6.5.2).

LONGEST_AGREEMENT = 2000


async def tie_of(request: web.Request, group: GroupRow) -> TieView | None:
    """A DM's first place as shown on the desk; None for other groups."""
    if group.class_ != "DM":
        return None
    async with core(request).store.read() as conn:
        return await tie_view(conn, group, await table_in(conn, group))


_BESIDE = {TieProblem.NO_REASON: "reason", TieProblem.START: "start"}
"""Refusals that concern a field."""


def _after(request: web.Request, group: GroupRow, refusal: TieRefusal | None) -> web.Response:
    """Back to the desk, which shows any refusal."""
    if refusal is None:
        raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}#tie")
    if refusal.problem in _BESIDE:
        raise FormFault(_BESIDE[refusal.problem], load_cup_words(request).tie_refused(refusal))
    raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}?tie={refusal.problem.value}#tie")


async def playoff(request: web.Request) -> web.Response:
    """Start the play-off of two games."""
    group, person = await find_group(request), signed_in(request)
    form = await form_of(request)
    if form.typed("start") and form.day("start") is None:
        raise FormFault("start", load_cup_words(request)("fault.day"))
    try:
        done = await start_playoff(core(request), person, group.id, form.day("start"))
    except NotAllowed:
        raise web.HTTPNotFound from None
    return _after(request, group, done if isinstance(done, TieRefusal) else None)


async def share(request: web.Request) -> web.Response:
    """Record that those tied agree to share."""
    group, person = await find_group(request), signed_in(request)
    form = await form_of(request)
    try:
        refusal = await share_title(
            core(request), person, group.id, form.text("reason", LONGEST_AGREEMENT)
        )
    except NotAllowed:
        raise web.HTTPNotFound from None
    return _after(request, group, refusal)


def tie_problem(request: web.Request) -> str:
    """Why the last action was refused, from the address; "" if it was not."""
    c, name = load_cup_words(request), request.query.get("tie", "")
    known = {one.value: one for one in TieProblem}
    return c.tie_refused(TieRefusal(known[name])) if name in known else ""


# A group for its leader: the running games, a letter to all, withdrawal, start, following.

LONGEST_LETTER = 20_000


async def _led(request: web.Request) -> tuple[PersonRow, GroupRow]:
    """The group in the address, for those who may act in it; 404 for everybody else."""
    person, rights = await require_rights(request)
    group = await find_group(request)
    if not rights.speaks_for(group.id):
        require_free(rights, group.id)
        raise web.HTTPNotFound
    return person, group


@routes.get("/desk/groups/{name:.+}")
async def show_desk(request: web.Request) -> web.Response:
    """The forms."""
    _, group = await _led(request)
    return await _group_page(request, group)


async def _group_page(
    request: web.Request,
    group: GroupRow,
    problem: str = "",
    letter: tuple[LeaderLetterDraft, LeaderLetterPreview] | None = None,
) -> web.Response:
    async with core(request).store.read() as conn:
        seats = await group_rows.seats_of(conn, group.id)
        cases = await case_rows.list_cases(conn, group_ids=[group.id])
        games = await group_games(conn, core(request), group.id, cases)
        live = await following_of(conn, group.id)
        has_begun = not await conn.run_sync(result_rows.is_untouched, group.id)
        swaps = await list_swaps(core(request), conn, group, seats)
    _, rights = await require_rights(request)
    return page(
        request,
        "groups/desk.html",
        status=PROBLEM_STATUS if problem else 200,
        d=load_case_words(request),
        rights=rights,
        group=group,
        seats=seats,
        cases=cases,
        games=games,
        letter=letter,
        done=request.query.get("done", ""),
        has_begun=has_begun,
        e=load_entry_words(request),
        swaps=swaps,
        live=live,
        may_switch=live.may_switch(rights),
        c=load_cup_words(request),
        tie=await tie_of(request, group),
        tie_problem=tie_problem(request),
        now=core(request).now_us,
        problem=problem,
    )


@routes.post("/desk/groups/{name:.+}/letter")
@stands_on(show_desk)
async def write_to_all(request: web.Request) -> web.Response:
    """Show the letter to everybody in the group, or send the one that was shown."""
    person, group = await _led(request)
    form = await form_of(request)
    draft = _draft(request, form)
    if form.text("step", 10) != "send":
        shown = await group_leading.preview(core(request), person, group, draft)
        return await _group_page(request, group, letter=(draft, shown))
    await group_leading.send(core(request), person, group, draft)
    raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}?done=letter")


def _draft(request: web.Request, form: Form) -> LeaderLetterDraft:
    """What was typed. Raises Fault for what the letter cannot say, TooLong."""
    d, subject, text = (
        load_case_words(request),
        form.text("subject", 100),
        form.text("text", LONGEST),
    )
    key = form.text("key", 64) if form.text("step", 10) == "send" else new_key()
    lines = text.count("\n") + 1
    if not subject or not key:
        stale = get_words(request).words("forms.stale")
        raise FormFault("subject", stale if subject else d("to_all.no_subject"))
    if not text or lines > MOST_LINES:
        why = d("to_all.lines", n=lines, most=MOST_LINES) if text else d("to_all.no_text")
        raise FormFault("text", why)
    return LeaderLetterDraft(subject, text, key)


@routes.post("/desk/groups/{name:.+}/withdraw")
@stands_on(show_desk)
async def withdraw(request: web.Request) -> web.Response:
    """Open a case for a withdrawal; its page shows the consequences (§ 6.2.8)."""
    person, group = await _led(request)
    form = await form_of(request)
    d, player, text = (
        load_case_words(request),
        form.number("player"),
        form.text("text", LONGEST_LETTER),
    )
    if player is None or not text:
        raise FormFault(
            *(("text", d("missing.text")) if player else ("player", d("missing.player")))
        )
    known = await case_decisions.find_undecided_case(core(request), group.id, player)
    if known is not None:
        raise FormFault("player", d("group.leaves_already", number=known.number))
    try:
        case = await case_decisions.announce(core(request), person, group.id, player, text)
    except NoSuch:
        raise web.HTTPBadRequest from None
    if isinstance(case, CaseRefusal):
        return await _group_page(request, group, d.refusal(case))
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")


@routes.post("/desk/groups/{name:.+}/annul")
@stands_on(show_desk)
async def annul(request: web.Request) -> web.Response:
    """Undo the start before the first move (§ 6.1.1)."""
    person, group = await _led(request)
    form = await form_of(request)
    d, text = load_case_words(request), form.text("text", LONGEST_LETTER)
    if not text:
        raise FormFault("text", d("missing.text"))
    try:
        await case_decisions.annul_start(core(request), person, group.id, text)
    except HasBegun:
        raise FormFault("text", d("group.begun")) from None
    raise web.HTTPSeeOther("/desk")


_OF_SWAP = {"out": "number", "reason": "reason", "case": "number"}
"""Words whose field has another name than the address of who comes in."""


@routes.post("/desk/groups/{name:.+}/swap")
@stands_on(show_desk)
async def swap(request: web.Request) -> web.Response:
    """Put another in a player's place before the first move (§ 6.6.1.3)."""
    person, group = await _led(request)
    form, d = await form_of(request), load_case_words(request)
    reason = form.text("reason", LONGEST_LETTER)
    who = form.text("email", 254) or form.text("who", 254)
    asked = SwapRequest(form.number("number") or 0, who, reason)
    try:
        await swap_player(core(request), person, group.id, asked)
    except HasBegun:
        raise FormFault("reason", d("group.swap_late")) from None
    except NoSuch as error:
        if str(error) not in NOT_SWAPPED:
            raise
        field = _OF_SWAP.get(str(error), "email")
        raise FormFault(field, d(f"group.no_swap.{error}")) from None
    raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}?done=swap")


@routes.post("/desk/groups/{name:.+}/live")
@stands_on(show_desk)
async def follow(request: web.Request) -> web.Response:
    """Switch public following of the running games on or off (CONTRACTS), or programs that move."""
    person, group = await _led(request)
    form = await form_of(request)
    live, programs = form.text("live", 3), form.text("programs", 3)
    if (live or programs) not in ("on", "off"):
        raise web.HTTPBadRequest
    if live:
        await switch(core(request), person, group.id, is_on=live == "on")
    else:
        await let_programs(core(request), person, group.id, may=programs == "on")
    raise web.HTTPSeeOther(f"/desk/groups/{quote(group.name)}#live")


# Titles and their holders, and the controller's form for earlier ones (§ 6.5.2).

_FIELDS = ("title", "edition", "email", "name", "source")
LONGEST_SOURCE = 1000


@routes.get("/titles")
@read_only_page
async def show_titles(request: web.Request) -> web.Response:
    """Every title with its holders, the newest year first."""
    return await _page(request)


async def _page(request: web.Request, problem: str = "", typed: Form | None = None) -> web.Response:
    person = viewer(request)
    held = None if person is None else await rights(core(request), person)
    sent = typed or Form({})
    return page(
        request,
        "groups/titles.html",
        status=PROBLEM_STATUS if problem else 200,
        c=load_cup_words(request),
        found=await all_titles(core(request)),
        may_enter=held is not None and held.is_kc,
        titles=[one.value for one in Title],
        problem=problem,
        typed={name: sent.typed(name) for name in _FIELDS},
        is_shared=sent.is_ticked("shared"),
    )


@routes.post("/titles")
@stands_on(show_titles)
async def enter(request: web.Request) -> web.Response:
    """Enter a title from before the server, with its source."""
    by, form, c = signed_in(request), await form_of(request), load_cup_words(request)
    email = form.text("email", 254)
    person = await core(request).store.query(person_rows.by_email, email) if email else None
    if email and person is None:
        raise FormFault("email", c("title_fault.name"))
    try:
        entered = OldTitle(
            Title(form.text("title", 20)),
            form.number("edition") or 0,
            form.text("source", LONGEST_SOURCE),
            None if person is None else person.id,
            form.text("name", 200),
            is_shared=form.is_ticked("shared"),
        )
        done = await enter_title(core(request), by, entered)
    except ValueError:
        raise web.HTTPBadRequest from None
    if isinstance(done, TitleFault):
        raise FormFault(
            done.value if done.value in _FIELDS else "title", c(f"title_fault.{done.value}")
        )
    raise web.HTTPSeeOther("/titles")


@routes.post(r"/titles/{title:\d{1,18}}/remove")
async def remove(request: web.Request) -> web.Response:
    """Remove an entered title; it stays on record."""
    await remove_title(core(request), signed_in(request), int(request.match_info["title"]))
    raise web.HTTPSeeOther("/titles")


CALL_IN.add_to(routes)
routes.post("/desk/groups/{name:.+}/playoff")(stands_on(show_desk)(playoff))
routes.post("/desk/groups/{name:.+}/shared-title")(stands_on(show_desk)(share))
routes.get("/groups/{name:.+}")(show)  # last, as a group's name takes whatever is left
