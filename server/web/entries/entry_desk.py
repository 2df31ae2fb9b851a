"""The entry desk: pending entries, waiting lists, one entry, its fee, a player's record."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from aiohttp import web

from kskak.entries.emt import EmtClass
from kskak.entries.entry import (
    EntryRefusal,
    EntryState,
    EntryWait,
    closed_by,
    discretion_for,
    select_refusing_faults,
)
from kskak.entries.rights import CupRightRound, IccfTournament
from kskak.ledger.ledger_files import HIGHEST_RATING
from kskak.regulation.days import is_birth
from kskak.regulation.editions import Regulation
from mail.office_letters.entry_letters import (
    fault_text,
    missing_text,
    refusal_lines,
    write_payment_line,
)
from mail.text.catalogue import Words
from server.store import entries as entry_rows
from server.store.entries import EntryRow, PastResult
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.archive.table_import import read_halves
from server.usecases.cases.sanctions import own_quarantines
from server.usecases.context import Core
from server.usecases.desks.desk_overview import DeskFilter
from server.usecases.entries import entry_actions, entry_judging, player_entering
from server.usecases.entries import entry_judging as judging
from server.usecases.entries.entry_actions import Theme, start_theme
from server.usecases.entries.entry_judging import (
    EntryStatement,
    EntryView,
    ListView,
    Participation,
    read_wish,
)
from server.usecases.entries.player_entering import (
    EVENTS,
    LONGEST_PAY,
    EntryListRequest,
    EntryRequest,
    ListFault,
    ResultFault,
    change_list,
    correct_list,
    enter,
    open_list,
)
from server.usecases.letter_facts import leader
from server.usecases.postal import scans
from server.usecases.register.csv_table import BadCell
from server.usecases.rights import NoSuch, NotAllowed, Rights
from server.usecases.season.season_views import enters_for_clubs
from server.web.cases.case_texts import load_case_words, record_lines
from server.web.desks.bulk_actions import BulkItem, check_day, day_of, entry_action
from server.web.desks.desk_pages import read_filter, require_rights
from server.web.frame.context import PageRoutes, core, get_words, read_only_page, signed_in, viewer
from server.web.frame.forms import Form, FormFault, FormRefusal, form_of, stands_on
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import new_key, page

# The player's entry page: open classes and why, the form as typed, and their texts.

routes = PageRoutes()

# Texts of the entry pages: classes, reasons, states (§ 6.4.4, § 6.5.3.2).

_KEYS = {"DM": "dm", "M": "m", "K": "k", "Å": "open"}
_NAMED = frozenset({"dm", "m", "k", "open", "preliminary", "semi", "final", "league", "theme"})


def iccf_name(tournament: IccfTournament, words: Words) -> str:
    """An ICCF tournament's name in the reader's language (§ 6.5.3.2 c)."""
    return words(f"entries.iccf.{tournament.name.lower()}")


class EntryWords(SubjectWords):
    """One language for the entry pages."""

    subject = "entries"

    def wish(self, wish: str) -> str:
        """A class's or round's name; ICCF tournaments keep their own."""
        key = _KEYS.get(wish, wish)
        return self(f"wish.{key}") if key in _NAMED else wish

    def event(self, one: Participation) -> str:
        """The event that a result belongs to."""
        event = one.result.event
        if isinstance(event, EmtClass):
            return f"{self('result.emt')}, {self.wish(event.value)}"
        if isinstance(event, CupRightRound):
            return self.wish(event.stage.value)
        return f"{self('result.iccf')}, {iccf_name(event, self.words)}"

    def choice(self, event: str, wish: str) -> str:
        """A tournament in a form's list: «ICCF: VM-finale»."""
        name = iccf_name(IccfTournament(wish), self.words) if event == "iccf" else self.wish(wish)
        return f"{self(f'result.{event}')}: {name}"

    def rule(self, side: str, paragraph: str) -> str:
        """Which rule opens a class (``by``) or closes it (``against``)."""
        return self.words(f"access.{side}.{paragraph.replace('.', '_').replace(' ', '_')}")

    def rests(self, numbers: tuple[int, ...], record: tuple[Participation, ...]) -> str:
        """The names of the results that a rule is based on; "" for a rating."""
        names = [one.name for one in record if one.result.number in numbers]
        return self("classes.rests", results=", ".join(names)) if names else ""

    def faults(self, view: EntryView, *, for_official: bool = False) -> tuple[str, ...]:
        """What an entry still lacks, with paragraphs; for the player also what to do about it."""
        answer = None if view.judged is None else view.judged.answer
        closed = closed_by(read_wish(view.row.event, view.row.wish), answer)
        say = missing_text if for_official else fault_text
        return tuple(say(fault, closed, self.words) for fault in view.faults)

    def refused(self, refusal: EntryRefusal) -> tuple[str, ...]:
        """Each reason for a refusal."""
        return refusal_lines(refusal, self.words)

    def waits(self, view: EntryView) -> str:
        """What an entry waits for, in words."""
        waits = [self(f"wait.{wait.value}") for wait in view.waits]
        if select_refusing_faults(view.faults):
            waits.append(self("wait.nothing"))
        return ", ".join(waits)

    def pays(self, view: EntryView, of: ListView) -> tuple[str, ...]:
        """The fee that an entry waits for, and how it is paid; empty if it waits for none."""
        if EntryWait.FEE not in view.waits or not of.row.fee:
            return ()
        how = write_payment_line(of.row.how_to_pay, leader(of.leader), self.words)
        return self("fee", fee=self.money(of.row.fee)), how


# The fields of an entry's form, on the player's page and on the desk (§ 6.4.4.1).


def read_entry(request: web.Request, form: Form) -> EntryRequest:
    """The entry that a form asks for. Raises FormFault, TooLong."""
    e, born = load_entry_words(request), form.day("born")
    today = core(request).today(core(request).settings.clock.zone)
    ratings = {name: form.number(name) for name in ("otb_rating", "k_rating")}
    checks = (
        ("list", "bad_list", form.number("list") is not None),
        *((n, "bad_date", not form.typed(n) or form.day(n)) for n in ("born", "fee")),
        ("born", "bad_born", born is None or is_birth(born, today)),
        *(
            (n, "bad_rating", not form.typed(n) or (r is not None and r <= HIGHEST_RATING))
            for n, r in ratings.items()
        ),
    )
    for name, why, is_good in checks:
        if not is_good:
            raise FormFault(name, e(f"enter.{why}"))
    member, club, proof = form.text("member", 40), form.text("club", 120), form.text("proof", 4000)
    for name, text in (("member", member), ("club", club)):
        if not text.isprintable():
            raise FormFault(name, e("enter.bad_line"))
    return EntryRequest(
        form.number("list") or 0,
        EntryStatement(member or None, club or None, born, **ratings, proof=proof),
        asks=form.is_ticked("asks"),
        is_second=form.is_ticked("second"),
        key=form.typed("key")[:80] or None,
        address=form.typed("address"),
    )


async def take_entry(request: web.Request, asked: EntryRequest) -> EntryRow:
    """Enter what a form asks for. Raises FormFault, and FormRefusal with every reason."""
    try:
        done = await enter(core(request), signed_in(request), asked)
    except NoSuch:
        raise FormFault("list", load_entry_words(request)("enter.bad_list")) from None
    return unless_refused(request, done)


Done = TypeVar("Done")


def unless_refused(request: web.Request, done: Done | EntryRefusal) -> Done:
    """What was done. Raises FormRefusal with each reason and its paragraph."""
    if isinstance(done, EntryRefusal):
        raise FormRefusal(load_entry_words(request).refused(done))
    return done


# The player's entry page: open classes and why, his entries, the form (§ 6.4.4, § 6.5.3.2).

_ENTRY_NOTICES = {"taken": "enter.taken", "back": "enter.back"}


def load_entry_words(request: web.Request) -> EntryWords:
    """The entry texts in the reader's language."""
    return EntryWords(get_words(request).words)


@routes.get("/enter")
@read_only_page
async def show_entry_page(request: web.Request) -> web.Response:
    """Everything; without sign-in, the open lists and how to enter."""
    e, person = load_entry_words(request), viewer(request)
    lists = await entry_judging.lists_view(core(request))
    if person is None:
        return page(request, "entries/index.html", e=e, lists=lists)
    view = await entry_judging.classes_view(core(request), person, person.id)
    own = await entry_judging.entries_of(core(request), person.id)
    on = {one.row.list_id for one in own}
    entered = await entry_judging.lists_view(core(request), only_open=False, ids=on)
    key = _ENTRY_NOTICES.get(request.query.get("done", ""))
    return page(
        request,
        "entries/entry.html",
        e=e,
        view=view,
        lists=lists,
        own=own,
        lists_of={one.row.id: one for one in entered},
        has_club=await enters_for_clubs(core(request), person),
        address=await scans.own(core(request), person),
        notice=e(key) if key else "",
        barred=record_lines(await own_quarantines(core(request), person.id), e.words),
        chosen=request.query.get("list", ""),
        new_key=new_key,
    )


@routes.post("/enter")
@stands_on(show_entry_page)
async def enter_by_form(request: web.Request) -> web.Response:
    """Enter, or give every reason for refusal with its paragraph, storing nothing."""
    signed_in(request)
    await take_entry(request, read_entry(request, await form_of(request)))
    raise web.HTTPSeeOther("/enter?done=taken")


@routes.post(r"/enter/{entry:\d{1,18}}/withdraw")
@stands_on(show_entry_page)
async def withdraw(request: web.Request) -> web.Response:
    """Withdraw an entry before it becomes a place."""
    person = signed_in(request)
    entry_id = int(request.match_info["entry"])
    try:
        done = await entry_actions.withdraw(core(request), person, entry_id)
    except (NoSuch, NotAllowed):
        raise web.HTTPNotFound from None
    unless_refused(request, done)
    raise web.HTTPSeeOther("/enter?done=back")


# Fees received for several entries in one go, from the entry desk (§ 6.4.4.1).


def unpaid(rows: Iterable[EntryRow], person_id: int) -> list[BulkItem]:
    """The waiting entries whose fee is missing; nobody handles his own."""
    return [
        BulkItem(str(row.id), f"{row.player}, {row.list_name}", f"{row.state} {row.entered_day}")
        for row in rows
        if row.state == EntryState.WAITING and not row.fee_day and row.person_id != person_id
    ]


async def _waiting_now(request: web.Request) -> tuple[int, Iterable[EntryRow]]:
    """The viewer, and the waiting entries he handles; none for who only reads the desk."""
    person, rights = await require_rights(request)
    if not (rights.is_kc or rights.lists):
        return person.id, ()
    mine, state = None if rights.is_kc else rights.lists, [EntryState.WAITING.value]
    return person.id, await core(request).store.query(entry_rows.on_lists, mine, state)


async def unpaid_now(request: web.Request) -> list[BulkItem]:
    """The same for the viewer, as it is now."""
    me, rows = await _waiting_now(request)
    return unpaid(rows, me)


MOST_REMINDED = 500
"""Reminders sent by one press, each in a transaction of its own."""


# The entry desk: pending entries, waiting lists, entering a player (§ 6.4.4, § 6.1.2).

ORE = 100
_BESIDE = {
    ListFault.NAME_TAKEN: "name",
    ListFault.PREFIX_TAKEN: "prefix",
    ListFault.FEE: "fee_kr",
    ListFault.NO_PAY: "how_to_pay",
}
"""Faults whose field has a different name."""
_NOTICES = {"done": "desk.done", "started": "desk.started"}
CLASS_CHOICES = (
    *(f"emt {name}" for name in ("DM", "M", "K", "Å")),
    *("cup preliminary", "cup semi", "league league", "theme theme"),
)
"""What a list may be for, as named in the form."""


async def official(request: web.Request) -> tuple[PersonRow, Rights]:
    """The official and his rights; 404 for everybody else."""
    person, rights = await require_rights(request)
    if not (rights.is_kc or rights.is_leader or rights.is_admin):
        raise web.HTTPNotFound
    return person, rights


def list_fault(request: web.Request, fault: ListFault, row: str = "") -> FormFault:
    """What is wrong with a list, beside its field; ``row``: what its names end in."""
    text = load_entry_words(request)(f"list_fault.{fault.value}")
    return FormFault(f"{_BESIDE.get(fault, fault.value)}{row}", text)


def read_list(
    request: web.Request, form: Form, event: str, wish: str, row: str = ""
) -> EntryListRequest:
    """A list as a form asks for it. Raises FormFault, TooLong, and HTTPBadRequest."""
    try:
        regulation = Regulation(form.text(f"regulation{row}", 8))
    except ValueError:
        raise web.HTTPBadRequest from None
    return EntryListRequest(
        name=form.text(f"name{row}", 200),
        event=event,
        wish=wish,
        tournament=form.text(f"tournament{row}", 200),
        regulation=regulation,
        prefix=form.text(f"prefix{row}", 80),
        leader=form.text(f"leader{row}", 200),
        fee=read_fee(request, form, row),
        how_to_pay=form.text(f"how_to_pay{row}", LONGEST_PAY),
    )


def read_fee(request: web.Request, form: Form, row: str = "") -> int | None:
    """The fee in øre, from whole kroner; None where nothing is written. Raises FormFault."""
    fee = form.number(f"fee_kr{row}")
    if form.text(f"fee_kr{row}", 10) and fee is None:
        raise list_fault(request, ListFault.FEE, row)
    return None if fee is None else fee * ORE


@routes.get("/desk/entries")
@read_only_page
async def show_desk(request: web.Request) -> web.Response:
    """The desk."""
    person, rights = await official(request)
    key = _NOTICES.get(request.query.get("done", ""))
    e, shown = load_entry_words(request), read_filter(request)
    desk = await judging.entry_desk(core(request), rights)
    desk = replace(desk, waiting=_narrow(desk.waiting, shown), valid=_narrow(desk.valid, shown))
    waiting = [one.row for one in desk.waiting] if rights.is_kc or rights.lists else []
    shut = {str(one.row.id) for one in desk.waiting if EntryWait.DECISION in one.waits}
    undecided = await undecided_now(request) if shut else []
    return page(
        request,
        "entries/desk.html",
        d=load_case_words(request),
        e=e,
        rights=rights,
        desk=desk,
        shown=shown,
        kinds={one: e(f"wait.{one}") for one in (*EntryWait, _HOPELESS)}
        | {_VALID: e("state.valid")},
        fees=FEES.ticks(unpaid(waiting, person.id)),
        unpaid=UNPAID.ticks(unpaid(waiting, person.id)),
        let_in=LET_IN.ticks(one for one in undecided if one.key in shut),
        today=core(request).today(core(request).settings.clock.zone),
        notice=e(key) if key else "",
        wishes=CLASS_CHOICES,
        regulations=[one.value for one in Regulation],
        told=EntryStatement(),
        key=new_key(),
    )


_HOPELESS, _VALID = "nothing", EntryState.VALID.value


def _narrow(found: Iterable[EntryView], shown: DeskFilter) -> tuple[EntryView, ...]:
    """The entries of a list, of a player, that wait for something, or are valid."""

    def kinds(one: EntryView) -> set[str]:
        own = {*map(str, one.waits)} if one.judged else {_VALID}
        return own | {_HOPELESS} if select_refusing_faults(one.faults) else own

    return tuple(
        one for one in found if shown.shows(one.row.list_name, one.row.player, kinds=kinds(one))
    )


async def undecided_now(request: web.Request) -> list[BulkItem]:
    """The waiting entries to classes that officials may open (§ 6.5.2.2 f, § 6.5.3.2 e)."""
    me, rows = await _waiting_now(request)
    return [
        BulkItem(str(row.id), f"{row.player}, {row.list_name}", f"{row.state} {row.since_day}")
        for row in rows
        if discretion_for(read_wish(row.event, row.wish)) and row.person_id != me
    ]


async def _let_in(asked: Core, person: PersonRow, entry: int, form: Form) -> object:
    reason, both = form.text("reason", LONGEST), form.is_ticked("both")
    return await entry_actions.let_in(asked, person, entry, reason, for_both=both, if_shut=True)


def _check_reason(request: web.Request, form: Form) -> None:
    if not form.text("reason", LONGEST):
        raise FormFault("reason", load_entry_words(request)("one.no_reason"))


_DESK = ("/desk/entries#waiting", show_desk)
FEES = entry_action(
    "fees", *_DESK, unpaid_now,
    lambda asked, by, entry, form: entry_actions.record_fee(asked, by, entry, day_of(form)),
    unless_refused, check=check_day, fields=("on",),
)  # fmt: skip
UNPAID = entry_action(
    "unpaid", *_DESK, unpaid_now,
    lambda asked, by, entry, _: entry_actions.remind(asked, by, entry), unless_refused,
    most=MOST_REMINDED,
)  # fmt: skip
LET_IN = entry_action(
    "let_in", *_DESK, undecided_now, _let_in, unless_refused,
    check=_check_reason, fields=("reason", "both"),
)  # fmt: skip


@routes.post("/desk/entries")
@stands_on(show_desk)
async def enter_player(request: web.Request) -> web.Response:
    """Enter a player who wrote or paid (§ 6.4.4.1)."""
    await official(request)
    form = await form_of(request)
    asked = read_entry(request, form)
    player = await core(request).store.query(person_rows.by_email, form.typed("email"))
    if player is None:
        raise FormFault("email", load_entry_words(request)("desk.no_person"))
    asked = replace(asked, player=player.id, fee=form.day("fee"))
    done = await take_entry(request, asked)
    raise web.HTTPSeeOther(f"/desk/entries/{done.id}?done=done")


@routes.post("/desk/entries/lists")
@stands_on(show_desk)
async def add_list(request: web.Request) -> web.Response:
    """Open a list; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form = await form_of(request)
    event, _, wish = form.text("wish", 30).partition(" ")
    done = await open_list(core(request), person, read_list(request, form, event, wish))
    if isinstance(done, ListFault):
        raise list_fault(request, done)
    raise web.HTTPSeeOther("/desk/entries#lists")


@routes.post(r"/desk/entries/lists/{list:\d{1,18}}/correct")
@stands_on(show_desk)
async def correct(request: web.Request) -> web.Response:
    """Correct a list's name, tournament and fee; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form = await form_of(request)
    fee = read_fee(request, form)
    new = {"name": form.text("name", 200), "tournament": form.text("tournament", 200)}
    done = await correct_list(
        core(request), person, int(request.match_info["list"]), **new, fee=fee
    )
    if isinstance(done, ListFault):
        raise list_fault(request, done)
    raise web.HTTPSeeOther(f"/desk/entries#list-{done.id}")


@routes.post(r"/desk/entries/lists/{list:\d{1,18}}")
@stands_on(show_desk)
async def change(request: web.Request) -> web.Response:
    """Start a list's next group; close or open it, appoint its leader, set how fees are paid."""
    person, _ = await official(request)
    form = await form_of(request)
    list_id, act = int(request.match_info["list"]), form.text("act", 10)
    if act == "start":  # the next group (§ 6.5.1.1)
        started = await entry_actions.start_by_leader(core(request), person, list_id)
        unless_refused(request, started)
    if act == "theme":  # a theme group, with its position (§ 1.1.22)
        theme = Theme(form.text("fen", 120), is_double=form.is_ticked("double"))
        unless_refused(request, await start_theme(core(request), person, list_id, theme))
    if act in ("start", "theme"):
        raise web.HTTPSeeOther("/desk/entries?done=started")
    is_open = {"close": False, "open": True}.get(act)
    leader = form.text("leader", 200) if act == "leader" else ""
    pay = form.text("how_to_pay", LONGEST_PAY) if act == "pay" else None
    if is_open is None and not leader and pay is None:
        if act != "leader":
            raise web.HTTPBadRequest
        raise list_fault(request, ListFault.LEADER)
    done = await change_list(
        core(request), person, list_id, is_open=is_open, leader=leader, how_to_pay=pay
    )
    if isinstance(done, ListFault):
        raise list_fault(request, done)
    raise web.HTTPSeeOther("/desk/entries#lists")


# One entry on the desk: its contents and faults; fee, proof, discretion, refusal (§ 6.4.4).

LONGEST, LONGEST_NUMBER = 4000, 40


@routes.get(r"/desk/entries/{entry:\d{1,18}}")
async def show(request: web.Request) -> web.Response:
    """The entry."""
    person, rights = await official(request)
    found = await judging.entry_page(core(request), person, int(request.match_info["entry"]))
    row, e = found.view.row, load_entry_words(request)
    return page(
        request,
        "entries/entry_desk.html",
        d=load_case_words(request),
        e=e,
        rights=rights,
        found=found,
        row=row,
        discretion=discretion_for(read_wish(row.event, row.wish), found.view.faults),
        today=core(request).today(core(request).settings.clock.zone),
        notice=e("desk.done") if request.query.get("done") else "",
    )


def _check(request: web.Request, form: Form) -> None:
    """Raise Fault for what the action needs and the form lacks."""
    e, action = load_entry_words(request), request.match_info["deed"]
    if action == "fee" and form.day("on") is None:
        raise FormFault("on", e("enter.bad_date"))
    number = form.typed("number")
    if action == "number" and not (0 < len(number) <= LONGEST_NUMBER and number.isprintable()):
        raise FormFault("number", e("one.bad_number"))
    if action in ("discretion", "refuse") and not form.text("reason", LONGEST):
        raise FormFault("reason", e("one.no_reason"))
    if action == "refuse" and not _paragraph(form):
        raise FormFault("paragraph", e("one.no_paragraph"))


def _paragraph(form: Form) -> str:
    return form.text("paragraph", 20).removeprefix("§").strip()


@routes.post(r"/desk/entries/{entry:\d{1,18}}/{deed}")
@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Perform an action; a refusal is shown on the page with its paragraph."""
    person, _ = await official(request)
    form, asked = await form_of(request), core(request)
    entry_id, action = int(request.match_info["entry"]), request.match_info["deed"]
    _check(request, form)
    reason = form.text("reason", LONGEST)
    match action:
        case "fee":
            on = form.day("on")
            assert on is not None
            done = await entry_actions.record_fee(asked, person, entry_id, on)
        case "proof":
            done = await entry_actions.see_proof(asked, person, entry_id)
        case "number":
            done = await entry_actions.confirm_number(asked, person, entry_id, form.typed("number"))
        case "discretion":
            both = form.is_ticked("both")
            done = await entry_actions.let_in(asked, person, entry_id, reason, for_both=both)
        case "refuse":
            done = await entry_actions.refuse(asked, person, entry_id, _paragraph(form), reason)
        case "withdraw":
            done = await entry_actions.withdraw(asked, person, entry_id)
        case _:
            raise web.HTTPNotFound
    unless_refused(request, done)
    raise web.HTTPSeeOther(f"/desk/entries/{entry_id}?done=done")


# A player's classes and results, as seen and maintained by officials (§ 6.5.3.2, § 6.6.2).

_RECORD_PARTS = {ResultFault.SCORE: "points", ResultFault.TWICE: "name"}
"""Faults whose field has a different name."""


@routes.get("/desk/players")
async def find_player(request: web.Request) -> web.Response:
    """Redirect from an e-mail address to the player's page."""
    await official(request)
    address = request.query.get("email", "")[:200]
    found = await core(request).store.query(person_rows.by_email, address)
    if found is None:
        raise web.HTTPNotFound
    raise web.HTTPSeeOther(f"/desk/players/{found.id}")


@routes.get(r"/desk/players/{person:\d{1,18}}")
async def show_player_record(request: web.Request) -> web.Response:
    """The player's classes, what they are based on, and the form for a result."""
    person, rights = await official(request)
    number, e = int(request.match_info["person"]), load_entry_words(request)
    return page(
        request,
        "entries/player_record.html",
        d=load_case_words(request),
        e=e,
        rights=rights,
        view=await judging.classes_view(core(request), person, number),
        may_enter=rights.keeps_records and number != person.id,
        choices=[(event, wish) for event, wishes in EVENTS.items() for wish in wishes],
        notice=e("result.kept") if request.query.get("done") else "",
    )


@routes.post(r"/desk/players/{person:\d{1,18}}")
@stands_on(show_player_record)
async def add(request: web.Request) -> web.Response:
    """Store a result, or say what is wrong with it."""
    person, _ = await official(request)
    number, entered = int(request.match_info["person"]), _entered(await form_of(request))
    done: PastResult | ResultFault | int = entered
    if not isinstance(entered, ResultFault):
        done = await player_entering.add_result(core(request), person, number, entered)
    if isinstance(done, ResultFault):
        text = load_entry_words(request)(f"result_fault.{done.value}")
        raise FormFault(_RECORD_PARTS.get(done, done.value), text)
    raise web.HTTPSeeOther(f"/desk/players/{number}?done=1")


def _entered(form: Form) -> PastResult | ResultFault:
    event, _, wish = form.text("event", 40).partition(" ")
    games = form.number("games")
    unfinished = form.number("unfinished") if form.typed("unfinished") else 0
    try:
        halves = read_halves(form.typed("points"))
    except BadCell:
        return ResultFault.SCORE
    if games is None or unfinished is None:
        return ResultFault.SCORE
    for name, fault in (("place", ResultFault.PLACE), ("entries", ResultFault.ENTRIES)):
        if form.typed(name) and form.number(name) is None:
            return fault
    finished = form.day("finished")
    if form.typed("finished") and finished is None:
        return ResultFault.FINISHED
    return PastResult(
        event=event,
        wish=wish,
        name=form.text("name", 200),
        finished=finished,
        halves=halves,
        games=games,
        source=form.text("source", 2000),
        unfinished=unfinished,
        place=form.number("place"),
        entries=form.number("entries") or 0,
        semi_held=form.is_ticked("semi_held"),
    )


@routes.post(r"/desk/players/{person:\d{1,18}}/remove")
async def remove(request: web.Request) -> web.Response:
    """Remove a wrong result."""
    person, _ = await official(request)
    form = await form_of(request)
    number, result = int(request.match_info["person"]), form.number("result")
    if result is None:
        raise web.HTTPBadRequest
    await player_entering.remove_result(core(request), person, number, result)
    raise web.HTTPSeeOther(f"/desk/players/{number}#record")


for one in (FEES, UNPAID, LET_IN):
    one.add_to(routes)
