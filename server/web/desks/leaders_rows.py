"""What the leader's desk lets him do to several rows at once: rulings on silences, prizes, cards.

§ 6.2.8, § 6.3.4, § 6.3.5, § 6.4.5. The deeds themselves are those of the row's own page. Not for
the desk (overview.py).
"""

from collections.abc import Iterable

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow
from server.usecases.cases import withdrawals
from server.usecases.cases.silence import drafted_reasons, silent_among
from server.usecases.cases.views import case_view
from server.usecases.cases.withdrawals import WithdrawalRuling
from server.usecases.core.case_opening import OF_PLAYER, UNDECIDED
from server.usecases.core.offices import Rights, rights
from server.usecases.office.rehearsal import Refused
from server.usecases.play.ask import NotYours
from server.usecases.postal import damaged_cards
from server.usecases.results import publishing
from server.usecases.results.publishing import Duty, DutyKind
from server.web.cases.words import CaseWords, case_words
from server.web.desks.bulk import Row
from server.web.frame.context import core, signed_in, words
from server.web.frame.forms import Form


async def _rights(request: web.Request) -> Rights:
    return await rights(core(request), signed_in(request))


def silences(cases: Iterable[CaseRow], held: Rights, d: CaseWords) -> list[Row]:
    """The undecided cases about a silent or absent player that the viewer leads."""
    mine = (
        case
        for case in cases
        if case.kind in OF_PLAYER and case.state in UNDECIDED and held.leads(case.group_id)
    )
    return [
        Row(str(case.id), f"{case.number}, {case.group}: {d.asked(case)}", f"{case.seq}")
        for case in mine
    ]


async def silences_now(request: web.Request) -> list[Row]:
    """The same, as they are now."""
    held = await _rights(request)
    mine = None if held.leads_all else held.led
    async with core(request).store.read() as conn:
        cases = await case_rows.listed(conn, group_ids=mine, is_open=True)
    return silences(cases, held, case_words(request))


async def _ruling(request: web.Request, row: Row) -> WithdrawalRuling:
    """The ruling drafted for a silence. Raises Refused when he has answered since."""
    d = case_words(request)
    view = await case_view(core(request), signed_in(request), int(row.key))
    silent = silent_among((one.view for one in view.games), view.case.person_id or 0)
    reasons = drafted_reasons(silent.values(), view.case.person or "", d.words)
    if not reasons:
        raise Refused(d.words("bulk.not_silent"))
    unheard = "" if view.state.is_heard(view.today) else d("decide.unheard_why")
    return WithdrawalRuling(has_reason=False, reasons=reasons, unheard=unheard)


async def rule(request: web.Request, row: Row, _: Form) -> None:
    """He counts as having left, for the drafted reasons (§ 6.2.8)."""
    ruling, person = await _ruling(request, row), signed_in(request)
    done = await withdrawals.rule(core(request), person, int(row.key), ruling)
    if isinstance(done, CaseRefusal):
        raise Refused(case_words(request).refusal(done))


async def becomes(request: web.Request, row: Row) -> str:
    """What the half rule makes of his games."""
    d = case_words(request)
    try:
        ruling = await _ruling(request, row)
    except Refused:
        return ""
    person = signed_in(request)
    outcome = (await withdrawals.plan(core(request), person, int(row.key), ruling)).outcome
    counted = d("leaving.counted", finished=outcome.finished, games=outcome.games)
    return f"{counted} {d('leaving.loses_all' if outcome.loses_all else 'leaving.keeps')}"


def _key(duty: Duty) -> str:
    return str(duty.publication or f"{duty.game_id}.{duty.card}")


def of_kind(kind: DutyKind, duties: Iterable[Duty], held: Rights, d: CaseWords) -> list[Row]:
    """The duties of a kind that an official ticks off; nothing for who only reads."""
    if not (held.is_kc or held.led or held.leads_all):
        return []
    found = [duty for duty in duties if duty.kind is kind]
    return [
        Row(_key(one), f"{one.game or one.group}: {_due(one, d)}", one.due.isoformat())
        for one in found
    ]


def _due(duty: Duty, d: CaseWords) -> str:
    return d(f"duty.{duty.kind.value}", day=d.words.day(duty.due))


async def _duties(request: web.Request, kind: DutyKind) -> list[Row]:
    held = await _rights(request)
    duties = await publishing.duties_for(core(request), held)
    return of_kind(kind, duties, held, case_words(request))


async def prizes_now(request: web.Request) -> list[Row]:
    """The groups whose prizes are to be sent (§ 6.4.5)."""
    return await _duties(request, DutyKind.PRIZES)


async def send_prizes(request: web.Request, row: Row, _: Form) -> None:
    """The group's prizes are sent, and booked as its table gives them."""
    try:
        if not await publishing.prizes_sent(core(request), signed_in(request), int(row.key)):
            raise Refused(words(request).words("bulk.stale"))
    except NotYours:
        raise Refused(words(request).words("bulk.not_yours")) from None


async def cards_now(request: web.Request) -> list[Row]:
    """The damaged cards that are on their way to the leader (§ 6.3.5)."""
    return await _duties(request, DutyKind.DAMAGED_CARD)


async def have_card(request: web.Request, row: Row, _: Form) -> None:
    """The leader has the card."""
    game, _dot, seq = row.key.partition(".")
    person = signed_in(request)
    try:
        if not await damaged_cards.leader_has(core(request), person, int(game), int(seq)):
            raise Refused(words(request).words("bulk.stale"))
    except NotYours:
        raise Refused(words(request).words("bulk.not_yours")) from None
