"""One deed for the ticked rows of a list: what it will do and who gets which letter, then done.

The preview is a rehearsal (usecases/office.py), so it can't tell anything else than what
happens. A tick carries a mark of the row as it was shown: one that has changed since, or that
somebody else has dealt with, is skipped and said to be. Not for what a deed does: each list has
its own ``BulkAction``, beside its page.
"""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from hashlib import sha256
from typing import Any

from aiohttp import web

from kskak.cases.case import CaseRefusal
from kskak.cases.case_events import CaseKind
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases import case_decisions
from server.usecases.cases.case_decisions import WithdrawalRuling
from server.usecases.cases.case_letter_facts import drafted_reasons, silent_among
from server.usecases.cases.case_views import case_view
from server.usecases.context import Core
from server.usecases.games.case_opening import OF_PLAYER, UNDECIDED
from server.usecases.office import MOST, ActionRefusedError, preview_actions, run_actions
from server.usecases.play.game_requests import NotYours
from server.usecases.postal import scans
from server.usecases.results import publishing
from server.usecases.results.publishing import DutyKind, OfficialDuty
from server.usecases.rights import NoSuch, NotAllowed, Rights, rights
from server.web.cases.case_texts import CaseWords, load_case_words
from server.web.frame.context import PageRoutes, core, get_words, signed_in
from server.web.frame.forms import Form, FormFault, FormRefusal, Handler, form_of, stands_on
from server.web.frame.pages import page

TICK = "row-"


@dataclass(frozen=True, slots=True)
class BulkItem:
    """A row that the deed can be done to. ``facts``: what it was when it was shown, as text."""

    key: str
    name: str
    facts: str

    @property
    def mark(self) -> str:
        """A digest of the facts."""
        return sha256(self.facts.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class BulkAction:
    """A deed of a list. ``at`` is its own address below its list's, which is ``home``.

    ``rows``: what it can be done to now, by the viewer, asked for again before each row is dealt
    with, so it costs little; ``do`` raises Refused when it is not done.
    ``check`` raises Fault for a field that is missing; ``says``: what becomes of a row besides
    the letters, where that differs from row to row.
    """

    name: str
    at: str
    home: str
    show: Handler
    rows: Callable[[web.Request], Awaitable[Sequence[BulkItem]]]
    do: Callable[[web.Request, BulkItem, Form], Awaitable[None]]
    check: Callable[[web.Request, Form], None] = lambda _, __: None
    fields: tuple[str, ...] = ()
    says: Callable[[web.Request, BulkItem], Awaitable[str]] | None = None
    most: int = MOST
    """Rows at once; fewer where a row takes long."""
    has_all: bool = True
    """Whether all rows may be chosen by one press; not where each is to be looked at."""

    def ticks(self, rows: Iterable[BulkItem]) -> "Ticks":
        """The list's rows, to be ticked on its page."""
        return Ticks(self, {row.key: row for row in rows})

    def add_to(self, routes: PageRoutes) -> None:
        """Declare the address of the form."""
        routes.post(self.at)(stands_on(self.show)(partial(_show_bulk, self)))


@dataclass(frozen=True, slots=True)
class Ticks:
    """A deed with the rows that it can be done to, by key."""

    deed: BulkAction
    rows: Mapping[str, BulkItem]


@dataclass(frozen=True, slots=True)
class BulkItemOutcome:
    """A ticked row, and the letters that the deed sends for it: who gets which."""

    row: BulkItem
    says: str = ""
    letters: tuple[tuple[str, str], ...] = ()
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class _Sorted:
    """The ticked rows as they are now: those to do, the stale ones, and how many are left over."""

    fresh: list[BulkItem] = field(default_factory=list)
    stale: list[BulkItemOutcome] = field(default_factory=list)
    left: int = 0


async def _show_bulk(action: BulkAction, request: web.Request) -> web.Response:
    form, words = await form_of(request), get_words(request).words
    step, rows = form.text("step", 10), await action.rows(request)
    ticks = _ticks(form)
    if step in ("all", "now") and action.has_all:
        # All that the page shows: a desk that is narrowed down shows fewer than there are.
        shown = form.typed("shown").split()
        ticks = {row.key: (row.mark, row.name) for row in rows if not shown or row.key in shown}
    if not ticks:
        raise FormFault(action.name, words("bulk.none"))
    action.check(request, form)
    found = _sorted(ticks, {row.key: row for row in rows}, words("bulk.stale"), action.most)
    says = [await action.says(request, row) if action.says else "" for row in found.fresh]
    is_done = step in ("do", "now")  # a reminder is sent by one press
    steps = [partial(_step, action, request, row, form, is_done) for row in found.fresh]
    carried = await (run_actions if is_done else preview_actions)(core(request), steps)
    names = await _names(request, [letter for one in carried for letter in one.letters])
    outcomes = [
        BulkItemOutcome(row, what, _letters(request, it.letters, names), it.refusal)
        for row, what, it in zip(found.fresh, says, carried, strict=True)
    ]
    return page(
        request,
        "desks/bulk.html",
        deed=action,
        is_done=is_done,
        told=[one for one in outcomes if not one.refusal],
        skipped=[*found.stale, *(one for one in outcomes if one.refusal)],
        left=found.left,
        letters=sum(len(one.letters) for one in carried),
        fields={name: form.typed(name) for name in action.fields},
        tick=TICK,
    )


def _ticks(form: Form) -> dict[str, tuple[str, str]]:
    """The ticked keys, each with the mark and the name that its row had."""
    found = {}
    for name, value in form.fields.items():
        if name.startswith(TICK):
            mark, _, shown = value.partition(" ")
            found[name.removeprefix(TICK)] = (mark, shown[:200])
    return found


def _sorted(
    ticks: Mapping[str, tuple[str, str]], rows: Mapping[str, BulkItem], why: str, most: int
) -> _Sorted:
    """Ticks whose row is still as it was, up to as many as go at once, and the others."""
    found = _Sorted()
    for key, (mark, name) in ticks.items():
        row = rows.get(key)
        if row is None or row.mark != mark:
            found.stale.append(BulkItemOutcome(row or BulkItem(key, name, ""), refusal=why))
        else:
            found.fresh.append(row)
    return _Sorted(found.fresh[:most], found.stale, max(0, len(found.fresh) - most))


async def _step(
    action: BulkAction, request: web.Request, row: BulkItem, form: Form, is_done: bool
) -> None:
    """Do it; in earnest only if the row is as it was shown, within the deed's own transaction."""
    words = get_words(request).words
    if is_done:
        now = {one.key: one.mark for one in await action.rows(request)}
        if now.get(row.key) != row.mark:
            raise ActionRefusedError(words("bulk.stale"))
    try:
        await action.do(request, row, form)
    except (NotAllowed, NoSuch):
        raise ActionRefusedError(words("bulk.not_yours")) from None


async def _names(request: web.Request, letters: Sequence[NewOutbox]) -> dict[int, str]:
    ids = {letter.person_id for letter in letters if letter.person_id is not None}
    async with core(request).store.read() as conn:
        return {key: one.name for key, one in (await person_rows.by_ids(conn, ids)).items()}


def _letters(
    request: web.Request, letters: Sequence[NewOutbox], names: Mapping[int, str]
) -> tuple[tuple[str, str], ...]:
    """Each recipient with the letters he gets, those of a kind counted."""
    texts, found = get_words(request), defaultdict[str, Counter[str]](Counter)
    for one in letters:
        found[names.get(one.person_id or 0, one.to_addr)][texts.letter_kind(one.kind)] += 1
    return tuple(
        (name, ", ".join(f"{kind} ({n})" if n > 1 else kind for kind, n in kinds.items()))
        for name, kinds in found.items()
    )


Record = Callable[[Core, PersonRow, int, Form], Awaitable[object]]
"""What is done to an entry, by its number, from a desk's form."""


def entry_action(
    name: str, desk: str, show: Handler, rows: Callable[[web.Request], Awaitable[list[BulkItem]]],
    record: Record, refused: Callable[[web.Request, Any], object], **more: Any,
) -> BulkAction:  # fmt: skip
    """A deed on several entries of a desk, each as on the entry's own page.

    ``refused`` raises FormRefusal for what ``record`` refuses.
    """

    async def receive(request: web.Request, row: BulkItem, form: Form) -> None:
        try:
            done = await record(core(request), signed_in(request), int(row.key), form)
            refused(request, done)
        except FormRefusal as refusal:
            raise ActionRefusedError(" ".join(refusal.lines)) from None

    address, _, _ = desk.partition("#")
    return BulkAction(
        name, f"{address}/{name.removeprefix('team_')}", desk, show, rows, receive, **more
    )


def day_of(form: Form) -> date:
    """The day that ``check_day`` has seen."""
    return form.day("on") or date.max


def check_day(request: web.Request, form: Form) -> None:
    """Raise Fault unless the day on which the fees came can be read, and is not to come."""
    on = form.day("on")
    if on is None or on > core(request).today(core(request).settings.clock.zone):
        raise FormFault("on", get_words(request).words("bulk.bad_day"))


# What the leader's desk lets him do to several rows at once: rulings on silences, prizes, cards.


async def _rights(request: web.Request) -> Rights:
    return await rights(core(request), signed_in(request))


def silences(cases: Iterable[CaseRow], held: Rights, d: CaseWords) -> list[BulkItem]:
    """The undecided cases about a silent or absent player that the viewer leads."""
    mine = (
        case
        for case in cases
        if OF_PLAYER & set(case.kinds)
        and not case.claims
        and CaseKind.WITHDRAWAL not in case.kinds
        and case.state in UNDECIDED
        and held.leads(case.group_id)
    )
    return [
        BulkItem(str(case.id), f"{case.number}, {case.group}: {d.asked(case)}", f"{case.seq}")
        for case in mine
    ]


async def silences_now(request: web.Request) -> list[BulkItem]:
    """The same, as they are now."""
    held = await _rights(request)
    mine = None if held.leads_all else held.led
    cases = await core(request).store.query(case_rows.list_cases, group_ids=mine, is_open=True)
    return silences(cases, held, load_case_words(request))


async def _ruling(request: web.Request, row: BulkItem) -> WithdrawalRuling:
    """The ruling drafted for a silence. Raises Refused when he has answered since."""
    d = load_case_words(request)
    view = await case_view(core(request), signed_in(request), int(row.key))
    silent = silent_among((one.view for one in view.games), view.case.person_id or 0)
    reasons = drafted_reasons(silent.values(), view.case.person or "", d.words)
    if not reasons:
        raise ActionRefusedError(d.words("bulk.not_silent"))
    unheard = "" if view.state.is_heard(view.today) else d("decide.unheard_why")
    return WithdrawalRuling(has_reason=False, reasons=reasons, unheard=unheard)


async def rule(request: web.Request, row: BulkItem, _: Form) -> None:
    """He counts as having left, for the drafted reasons (§ 6.2.8)."""
    ruling, person = await _ruling(request, row), signed_in(request)
    done = await case_decisions.rule(core(request), person, int(row.key), ruling)
    if isinstance(done, CaseRefusal):
        raise ActionRefusedError(load_case_words(request).refusal(done))


async def becomes(request: web.Request, row: BulkItem) -> str:
    """What the half rule makes of his games."""
    d = load_case_words(request)
    try:
        ruling = await _ruling(request, row)
    except ActionRefusedError:
        return ""
    person = signed_in(request)
    planned, _ = await case_decisions.plan(core(request), person, int(row.key), ruling)
    outcome = planned.outcome
    counted = d("leaving.counted", finished=outcome.finished, games=outcome.games)
    return f"{counted} {d('leaving.loses_all' if outcome.loses_all else 'leaving.keeps')}"


def list_duty_items(
    kind: DutyKind, duties: Iterable[OfficialDuty], held: Rights, d: CaseWords
) -> list[BulkItem]:
    """The duties of a kind that an official ticks off; nothing for who only reads."""
    if not (held.is_kc or held.led or held.leads_all):
        return []
    items = []
    for one in (duty for duty in duties if duty.kind is kind):
        due = d(f"duty.{kind.value}", day=d.words.day(one.due))
        key = str(one.publication or f"{one.game_id}.{one.card}")
        items.append(BulkItem(key, f"{one.game or one.group}: {due}", one.due.isoformat()))
    return items


_DEALT_WITH: dict[DutyKind, Callable[..., Awaitable[bool]]] = {
    DutyKind.PRIZES: publishing.prizes_sent,
    DutyKind.DAMAGED_CARD: scans.leader_has,
}
"""Ticks it off: the group's prizes are sent, and booked as its table gives them (§ 6.4.5); the
leader has the damaged card (§ 6.3.5)."""


async def list_duties(kind: DutyKind, request: web.Request) -> list[BulkItem]:
    """The viewer's duties of a kind, as they are now."""
    held = await _rights(request)
    duties = await publishing.duties_for(core(request), held)
    return list_duty_items(kind, duties, held, load_case_words(request))


async def _deal_with(kind: DutyKind, request: web.Request, row: BulkItem, _: Form) -> None:
    numbers, words = map(int, row.key.split(".")), get_words(request).words
    try:
        if not await _DEALT_WITH[kind](core(request), signed_in(request), *numbers):
            raise ActionRefusedError(words("bulk.stale"))
    except NotYours:
        raise ActionRefusedError(words("bulk.not_yours")) from None


def build_duty_action(kind: DutyKind, name: str, at: str, home: str, show: Handler) -> BulkAction:
    """The deed of a list of duties of a kind."""
    rows, do = partial(list_duties, kind), partial(_deal_with, kind)
    return BulkAction(name, at, home, show, rows, do)
