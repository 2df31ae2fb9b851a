"""The leader's, the controller's and the Board's desks; appointments; outages and their pauses."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from functools import partial
from itertools import groupby
from math import ceil
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from aiohttp import web
from markupsafe import Markup, escape

from kskak.cases.case_events import CaseKind
from kskak.regulation.days import local_day
from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store.engine.rows import from_us
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow
from server.store.mail.outages import DECLINED, GRANTED, MAIL, PauseRow
from server.store.mail.outbox import OutboxRow
from server.store.play.people import Office, PersonRow
from server.usecases import rights as offices
from server.usecases.desks import desk_overview as overview
from server.usecases.desks.desk_overview import load_controller_overview
from server.usecases.desks.readiness import ClockWatch
from server.usecases.mail.mail_desk import MOST as MOST_SHOWN
from server.usecases.mail.mail_desk import act, mail_desk
from server.usecases.mail.release import MailListRequest, ReleaseRefusal, Show
from server.usecases.mail.sort_mail import Act, outcome_text, read_note, reason_text
from server.usecases.office import ActionRefusedError
from server.usecases.reflection import silence_and_outages
from server.usecases.reflection.silence_and_outages import MOST_DAYS, SERVER
from server.usecases.results.publishing import DutyKind
from server.usecases.rights import NoSuch, NotAllowed, Rights, rights
from server.web.cases.case_texts import load_case_words
from server.web.desks import bulk_actions as bulk
from server.web.desks.books import KcWords
from server.web.desks.bulk_actions import BulkAction, BulkItem
from server.web.frame.context import (
    PageRoutes,
    core,
    get_words,
    is_here,
    read_only_page,
    signed_in,
    viewer,
)
from server.web.frame.forms import Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import PageWords
from server.web.frame.pages import page

routes = PageRoutes()

# Outages on the desks: proposed pauses, granted or declined; one entered by hand (§ 6.8.5).

PAGE = "/desk/outages"
MOST_WORD = 500


@dataclass(frozen=True, slots=True)
class OutageLines:
    """An outage with the pauses that wait; ``own``: those on which the viewer may decide."""

    id: int
    reason: str
    first: datetime
    last: datetime
    rows: tuple[PauseRow, ...]
    own: tuple[PauseRow, ...]

    @property
    def times(self) -> tuple[str, str]:
        """When it began and ended, beside the days."""
        return f"{self.first:%H.%M}", f"{self.last:%H.%M}"


def lines_of(found: Iterable[PauseRow], held: Rights, zone: str) -> tuple[OutageLines, ...]:
    """What waits, by outage, newest first, its instants in ``zone``."""
    here, out = ZoneInfo(zone), []
    waiting = [row for row in found if row.decision is None]
    for number, some in groupby(waiting, attrgetter("outage_id")):
        rows = tuple(some)
        one, own = rows[0], tuple(row for row in rows if held.speaks_for(row.group_id))
        first, last = (from_us(at).astimezone(here) for at in (one.from_us, one.to_us))
        reason = MAIL if one.is_mail else SERVER
        out.append(OutageLines(number, reason, first, last, rows, own))
    return tuple(out)


async def waiting_on(request: web.Request, held: Rights) -> tuple[OutageLines, ...]:
    """The proposals that a desk shows."""
    found = await silence_and_outages.proposals(core(request), held)
    return lines_of(found, held, core(request).settings.clock.zone)


async def _held(request: web.Request) -> Rights:
    _, held = await require_rights(request)
    if not silence_and_outages.has_part(held):
        raise web.HTTPNotFound
    return held


@routes.get(PAGE)
@read_only_page
async def show(request: web.Request) -> web.Response:
    """What waits, what was decided lately, and the form for one entered by hand."""
    held, zone = await _held(request), core(request).settings.clock.zone
    found = await silence_and_outages.proposals(core(request), held, decided=True)
    lines = lines_of(found, held, zone)
    decided = [row for row in found if row.decision is not None]
    return desk_page(request, "desks/outages.html", held, lines=lines, decided=decided)


@routes.post(rf"{PAGE}/{{outage:\d{{1,18}}}}")
@stands_on(show)
async def decide_outage(request: web.Request) -> web.Response:
    """Grant or decline, in a group or in all that are the viewer's."""
    await _held(request)
    form = await form_of(request)
    decision, word, group = (form.text(n, MOST_WORD) for n in ("decision", "word", "group"))
    if decision not in (GRANTED, DECLINED):
        raise web.HTTPBadRequest
    if decision == DECLINED and not word:
        raise FormFault("word", get_words(request).words("outages.fault.word"))
    chosen = (group,) if group else None
    outage, by = int(request.match_info["outage"]), signed_in(request)
    await silence_and_outages.decide_pauses(core(request), by, outage, decision, word, chosen)
    raise web.HTTPSeeOther(PAGE)


@routes.post(PAGE)
@stands_on(show)
async def enter(request: web.Request) -> web.Response:
    """Record an outage that the server did not notice, and propose its pause."""
    await _held(request)
    form, words = await form_of(request), get_words(request).words
    first, last = _instant(request, form, "first"), _instant(request, form, "last")
    group = form.text("group", 200)
    reason = MAIL if form.text("what", 10) == MAIL else SERVER
    if why := silence_and_outages.find_outage_fault(first, last, core(request).clock.now()):
        at = "first" if why == "too_long" else "last"
        raise FormFault(at, words(f"outages.fault.{why}", most=MOST_DAYS))
    try:
        count = await silence_and_outages.record_manual_outage(
            core(request), signed_in(request), first, last, reason, (group,) if group else None
        )
    except (NoSuch, NotAllowed):
        raise FormFault("group", words("outages.fault.no_group", group=group)) from None
    if not count:
        raise FormFault("last", words("outages.fault.no_day"))
    raise web.HTTPSeeOther(PAGE)


def _instant(request: web.Request, form: Form, name: str) -> datetime:
    """A field's instant in the server's zone. Raises Fault."""
    here = ZoneInfo(core(request).settings.clock.zone)
    now = core(request).clock.now().astimezone(here)
    try:
        found = datetime.fromisoformat(form.text(name, 40))
    except ValueError:
        example = (now - timedelta(days=1)).strftime("%Y-%m-%d %H:%M")
        why = get_words(request).words("outages.fault.instant", example=example)
        raise FormFault(name, why) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=here)


# The leader's, the controller's and the Board's desks; appointments and dismissals.


async def require_rights(request: web.Request) -> tuple[PersonRow, Rights]:
    """The signed-in person and his rights."""
    person = signed_in(request)
    return person, await offices.rights(core(request), person)


def desk_page(request: web.Request, template: str, held: Rights, **values: Any) -> web.Response:
    """A desk's page, with what all of them have."""
    d, at = load_case_words(request), core(request)
    zone = at.settings.clock.zone
    return page(request, template, d=d, rights=held, zone=zone, now=at.now_us, **values)


def read_filter(request: web.Request) -> overview.DeskFilter:
    """What alone is asked for of a desk, by the form that narrows it down."""
    wanted = (request.query.get(name, "")[:100] for name in ("kind", "group", "player"))
    return overview.DeskFilter(*wanted)


@routes.get("/desk")
@read_only_page
async def leader(request: web.Request) -> web.Response:
    """The leader's desk; other officials are redirected to theirs (§ 6.1.1)."""
    person, rights = await require_rights(request)
    if not (rights.is_leader or rights.is_admin):
        if rights.is_kc:
            raise web.HTTPSeeOther("/desk/kc")
        if rights.is_board:
            raise web.HTTPSeeOther("/desk/board")
        if rights.captain:
            teams = await core(request).store.look(
                lambda c: division_rows.list_teams_of_captain(c, person.id)
            )
            raise web.HTTPSeeOther("/captain" if teams else "/")
        raise web.HTTPNotFound
    found = await overview.leader_desk(
        core(request), rights, everything="all" in request.query, shown=read_filter(request)
    )
    d, of_kind = load_case_words(request), bulk.list_duty_items
    return desk_page(
        request,
        "desks/overview.html",
        rights,
        desk=found,
        silences=SILENCES.ticks(bulk.silences(found.cases["cases"], rights, d)),
        kinds={kind.value: d.words(f"cases.kind.{kind.value}") for kind in CaseKind},
        prizes=PRIZES.ticks(of_kind(DutyKind.PRIZES, found.duties, rights, d)),
        damaged=CARDS.ticks(of_kind(DutyKind.DAMAGED_CARD, found.duties, rights, d)),
        outages=await waiting_on(request, rights),
        unheard=await overview.list_unheard(core(request)) if rights.is_admin else (),
    )


SILENCES = BulkAction(
    "silences",
    "/desk/silences",
    "/desk#cases",
    leader,
    bulk.silences_now,
    bulk.rule,
    says=bulk.becomes,
    most=8,
)
_DUTIES = ("/desk#duties", leader)
PRIZES = bulk.build_duty_action(DutyKind.PRIZES, "prizes", "/desk/prizes", *_DUTIES)
CARDS = bulk.build_duty_action(DutyKind.DAMAGED_CARD, "damaged", "/desk/damaged", *_DUTIES)


@routes.get("/desk/server")
async def show_server(request: web.Request) -> web.Response:
    """What an operator should mend, as `kskak doctor` says it, but for the copy's restoring."""
    from server.usecases.desks import doctor  # 4 MB, for a page that is seldom opened

    _, held = await require_rights(request)
    if not held.is_admin:
        raise web.HTTPNotFound
    words, found = get_words(request).words, await doctor.examine(core(request))
    rows = [(one.state.value, *doctor.describe_check(one, words)) for one in found]
    return desk_page(request, "desks/server.html", held, rows=rows)


WORK = "/desk/work"


@routes.get(WORK)
@read_only_page
async def show_work(request: web.Request) -> web.Response:
    """What the official decided this week, what of it may be appealed, and what comes."""
    person, held = await require_rights(request)
    week = await overview.week_of_work(core(request), person)
    return desk_page(request, "desks/work.html", held, desk=week)


@routes.post(WORK)
@stands_on(show_work)
async def choose_letter(request: web.Request) -> web.Response:
    """Have it as a letter on Fridays, or no longer."""
    wanted = (await form_of(request)).is_ticked("wanted")
    await overview.choose_letter(core(request), signed_in(request), wanted=wanted)
    raise web.HTTPSeeOther(f"{WORK}#letter")


@routes.get("/desk/kc")
@read_only_page
async def controller(request: web.Request) -> web.Response:
    """The controller's desk (§ 6.1.2)."""
    _, rights = await require_rights(request)
    if not (rights.is_kc or rights.is_admin):
        raise web.HTTPNotFound
    return desk_page(
        request,
        "desks/controller.html",
        rights,
        desk=await overview.controller_desk(core(request), rights),
        k=KcWords(get_words(request).words),
        beside=await load_controller_overview(core(request)),
        outages=await waiting_on(request, rights),
        unheard=await overview.list_unheard(core(request)) if rights.is_admin else (),
        offices=[office.value for office in offices.appointable(rights)],
        may_end=offices.may_end,
    )


@routes.get("/desk/board")
@read_only_page
async def board(request: web.Request) -> web.Response:
    """The Board's cases (§ 6.4.3)."""
    _, rights = await require_rights(request)
    if not (rights.is_board or rights.is_admin):
        raise web.HTTPNotFound
    cases = await overview.board_desk(core(request), rights)
    return desk_page(request, "desks/board.html", rights, cases=cases)


@routes.post("/desk/kc/offices")
@stands_on(controller)
async def appoint(request: web.Request) -> web.Response:
    """Appoint somebody to an office, in a group or everywhere (§ 6.1.1)."""
    person, rights = await require_rights(request)
    form = await form_of(request)
    name = form.text("office", 10)
    if name not in {office.value for office in offices.appointable(rights)}:
        raise web.HTTPForbidden
    group_name, addresses = form.text("group", 200), form.text("email", 2000)
    async with core(request).store.deciding() as conn:
        group = await group_rows.by_name(conn, group_name) if group_name else None
        if group_name and group is None:
            raise FormFault("group", load_case_words(request)("appoint.no_group"))
        chosen = await offices.find_or_add_officials(core(request), conn, addresses)
    if chosen is None:
        raise FormFault("email", load_case_words(request)("appoint.no_person"))
    where = None if group is None else group.id
    try:
        for one in chosen:
            await offices.appoint(core(request), person, one.id, Office(name), where)
    except NoSuch as no:
        faults = {"seat": ("office", "full"), "barred": ("email", "barred")}
        field, key = faults.get(str(no), ("group", "wrong_group"))
        raise FormFault(field, load_case_words(request)(f"appoint.{key}")) from None
    raise web.HTTPSeeOther("/desk/kc#offices")


@routes.post(r"/desk/kc/offices/{office:\d{1,18}}")
async def dismiss(request: web.Request) -> web.Response:
    """End an appointment."""
    person, _ = await require_rights(request)
    with suppress(NoSuch):  # another official has just ended it: the list says so
        await offices.dismiss(core(request), person, int(request.match_info["office"]))
    raise web.HTTPSeeOther("/desk/kc#offices")


SILENCES.add_to(routes)
PRIZES.add_to(routes)
CARDS.add_to(routes)


# The built-in mailbox: every stored mail, on a server that sends none out (CONTRACTS).

MOST = 200
LISTED_HEADERS = ("From", "To", "Reply-To", "Date", "Subject")


async def _only_here(request: web.Request) -> None:
    """404 unless no mail leaves the machine and the viewer sits at it or administers it.

    The letters contain keys and sign-in links, which a proxy in front must not expose.
    """
    if core(request).settings.mail.out.host:
        raise web.HTTPNotFound
    person = viewer(request)
    if person is not None and (await rights(core(request), person)).is_admin:
        return
    if not is_here(request):
        raise web.HTTPNotFound


def _read(row: OutboxRow) -> EmailMessage | None:
    if row.raw is None:
        return None
    return BytesParser(EmailMessage, policy=policy.default).parsebytes(row.raw)


def link_addresses(text: str, public_url: str) -> Markup:
    """A mail's text, with addresses on this site turned into local links."""
    pattern = re.compile(re.escape(public_url) + r"(/[A-Za-z0-9/_?=&.%-]*)")
    parts = pattern.split(text)
    out = [
        Markup('<a href="{0}">{1}{0}</a>').format(part, public_url) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    ]
    return Markup().join(out)


@routes.get("/mailbox")
async def show_mailbox(request: web.Request) -> web.Response:
    """The newest mails."""
    await _only_here(request)
    rows = await core(request).store.query(outbox_rows.newest, MOST)
    mails = [(row, _read(row)) for row in rows]
    return page(request, "desks/mailbox.html", mails=mails, day_of=_day_of(request))


def _day_of(request: web.Request) -> Callable[[int], date]:
    """The server's day of an instant (µs)."""
    zone = core(request).settings.clock.zone
    return lambda us: local_day(from_us(us), zone)


async def _mail(request: web.Request) -> tuple[OutboxRow, EmailMessage]:
    await _only_here(request)
    row = await core(request).store.query(outbox_rows.find, int(request.match_info["mail"]))
    mail = _read(row) if row is not None else None
    if row is None or mail is None:
        raise web.HTTPNotFound
    return row, mail


@routes.get(r"/mailbox/{mail:\d{1,18}}")
async def read(request: web.Request) -> web.Response:
    """One mail: its headers and text."""
    row, mail = await _mail(request)
    body = mail.get_body(preferencelist=("plain",))
    text = body.get_content() if body is not None else ""
    return page(
        request,
        "desks/mail.html",
        id=row.id,
        subject=str(mail["Subject"]),
        headers=[(name, str(mail[name])) for name in LISTED_HEADERS if mail[name]],
        linked=link_addresses(str(text), core(request).settings.web.site),
    )


@routes.get(r"/mailbox/{mail:\d{1,18}}/raw")
async def raw(request: web.Request) -> web.Response:
    """The raw mail, as a download."""
    row, _ = await _mail(request)
    headers = {"Content-Disposition": f'attachment; filename="mail-{row.id}.eml"'}
    return web.Response(body=row.raw, content_type="message/rfc822", headers=headers)


# The desk for held mails, shunted mails and letters that did not arrive.

HOUR = timedelta(hours=1)
LONGEST_TEXT = 1500
"""Characters of a mail to show."""
LONGEST_SEARCH = 100


def _decided(zone: ZoneInfo, texts: PageWords, names: dict[int, str], row: InboxRow) -> str:
    """What somebody decided about a mail, and when; "" if nobody has."""
    noted = read_note(row.note)
    if noted.act is None:
        return ""
    at = from_us(noted.at_us).astimezone(zone)
    name = texts.t("maildesk.operator") if noted.by is None else names.get(noted.by, "?")
    when = {"day": texts.day(at.date()), "time": texts.words.time(at)}
    return texts.t(f"maildesk.decided.{noted.act.value}", name=name, **when)


async def _official(request: web.Request) -> Rights:
    """Officials and operators (REGULATION, "Authentication": held for an official)."""
    found = await rights(core(request), signed_in(request))
    if not found.sorts_mail:
        raise web.HTTPNotFound
    return found


def _read_request(request: web.Request) -> MailListRequest:
    """The filter, search and page in the address; what is unknown there is left out."""
    query, spoken = request.query, get_words(request).words
    show = query.get("show", "")
    number = query.get("page", "1")
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 7 else 1
    known = Show(show) if show in {one.value for one in Show} else Show.ALL
    return MailListRequest(spoken, known, query.get("q", "")[:LONGEST_SEARCH].strip(), wanted)


@routes.get("/desk/mail")
async def show_mail_desk(request: web.Request) -> web.Response:
    """The mails asked for, and all that waits."""
    held, asked, texts = await _official(request), _read_request(request), get_words(request)
    zone = ZoneInfo(core(request).settings.clock.zone)
    found = await mail_desk(core(request), held, asked)
    behind = await ClockWatch().behind_by(core(request)) if held.is_admin else None
    return page(
        request,
        "desks/mail_desk.html",
        d=load_case_words(request),
        rights=held,
        behind=None if behind is None else ceil(behind / HOUR),
        asked=asked,
        shows=list(Show),
        found=found,
        told=await _read_outcome(request),
        ticks=PUT_AWAY.ticks(await _undecided(request)),
        longest=LONGEST_TEXT,
        local=lambda us: from_us(us).astimezone(zone),
        outcome=lambda row: outcome_text(row.state, row.outcome, texts.words),
        why=lambda row: reason_text(row.state, row.note, texts.words),
        decided=partial(_decided, zone, texts, found.names),
        day_of=_day_of(request),
    )


async def _undecided(request: web.Request) -> list[BulkItem]:
    """The mails that can be put away now."""
    await _official(request)
    found = await core(request).store.query(inbox_rows.list_undecided_mails, MOST_SHOWN)
    return [
        BulkItem(str(number), f"{number}: {sender or '–'}", state)
        for number, sender, state in found
    ]


async def _put_away(request: web.Request, row: BulkItem, _: Form) -> None:
    done = await act(core(request), await _official(request), int(row.key), Act.PUT_AWAY)
    if isinstance(done, ReleaseRefusal):
        raise ActionRefusedError(get_words(request).t(f"maildesk.declined.{done.value}"))


PUT_AWAY = BulkAction(
    "mails", "/desk/mail/away", "/desk/mail", show_mail_desk, _undecided, _put_away, has_all=False
)


async def _read_outcome(request: web.Request) -> str:
    """What the press before this page did: read from the row itself, not from the address."""
    query, texts = request.query, get_words(request)
    number, letter = query.get("did", ""), query.get("letter", "")
    if query.get("not") in {one.value for one in ReleaseRefusal}:
        return texts.t(f"maildesk.declined.{query['not']}")
    async with core(request).store.read() as conn:
        if _is_id(number):
            row = await inbox_rows.find(conn, int(number))
            if row is not None:
                became = outcome_text(row.state, row.outcome, texts.words)
                return texts.t("maildesk.became", n=row.id, outcome=became)
        if _is_id(letter):
            sent = await outbox_rows.find(conn, int(letter))
            if sent is not None:
                return texts.t(f"maildesk.letter_is.{sent.state}", n=sent.id)
    return ""


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


@routes.post(r"/desk/mail/{row:\d{1,18}}")
async def do_mail_action(request: web.Request) -> web.Response:
    """Release, retry, put away or resend one row, and tell what came of it."""
    held = await _official(request)
    form = await form_of(request)
    try:
        what = Act(form.text("act", 20))
    except ValueError:
        raise web.HTTPBadRequest from None
    row_id = int(request.match_info["row"])
    done = await act(core(request), held, row_id, what, form.number("owner"))
    if done is ReleaseRefusal.UNKNOWN:
        raise web.HTTPNotFound
    back = {name: form.typed(name)[:LONGEST_SEARCH] for name in ("show", "q", "page")}
    back = {name: value for name, value in back.items() if value}
    back["letter" if what is Act.SEND else "did"] = str(row_id)
    if isinstance(done, ReleaseRefusal) and done is not ReleaseRefusal.FIRST:
        back["not"] = done.value
    raise web.HTTPSeeOther(f"/desk/mail?{urlencode(back)}#told")


PUT_AWAY.add_to(routes)
