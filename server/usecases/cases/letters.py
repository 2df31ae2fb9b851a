"""Turns an outbox row into a letter of a case, with its facts (§ 6.4.1-6.4.3).

Composed when it is sent. Not for words (mail.office_letters.cases) nor for which letters are due
(core/case_record.py).
"""

from dataclasses import replace
from datetime import date

from kskak.cases.decisions import Instance
from kskak.cases.events import CaseKind
from kskak.cases.state import CaseState
from kskak.regulation.editions import DISPUTES
from mail.incoming.address import question_address
from mail.office_letters import cases as cl
from server.store.cases import cases_and_events as case_rows
from server.store.cases import game_cases
from server.store.cases import papers as paper_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.case_record import state_of
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, leader, person
from server.usecases.core.letter_params import Params, params_of, text
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.reply_keys import bounce_token
from server.usecases.core.team_captains import captains_in, clubs_of
from server.usecases.core.union_values import ORE, union_values


def _number(params: Params, name: str) -> int:
    value = params.get(name)
    if not isinstance(value, int):
        raise NoLetter(name)
    return value


async def case_letter(core: Core, letter: OutboxRow, reader: PersonRow) -> cl.CaseLetter:
    """The letter a row stands for. Raises NoLetter."""
    params = params_of(letter)
    case, state, facts = await _case(core, _number(params, "case"))
    is_party = reader.id in state.may_appeal
    if letter.kind == Kind.DECISION:
        return await _decision(core, params, reader, facts, state)
    by, until = params.get("by"), params.get("until")
    word = cl.CaseWord(text(params, "word"))
    if word is cl.CaseWord.APPEAL_ASKED:  # an address of its own: a «ja» is to that question
        mail, token = core.settings.mail, bounce_token(core.secret, letter.id)
        facts = replace(facts, reply_to=question_address(mail.local, token, mail.domain))
    async with core.store.read() as conn:
        who = await person_rows.find(conn, by) if isinstance(by, int) else None
        told = sorted(state.may_appeal)
        captains = await conn.run_sync(captains_in, case.group_id, told, core.now_us)
    return cl.CaseNotice(
        reader=person(reader),
        case=facts,
        word=word,
        is_official=not is_party,
        is_captain=not is_party and reader.id in captains,
        by=None if who is None else who.name,
        text=text(params, "text"),
        until=date.fromisoformat(until) if isinstance(until, str) else None,
    )


async def _case(core: Core, case_id: int) -> tuple[CaseRow, CaseState, cl.CaseFacts]:
    async with core.store.read() as conn:
        case = await case_rows.load(conn, case_id)
        if case is None:
            raise NoLetter("no such case")
        state = state_of(await case_rows.events_of(conn, case_id))
        opened = state.opened
        games = await game_rows.load_many(conn, opened.games)
        people = await person_rows.by_ids(conn, (*opened.parties, case.tl_id))
        clubs = await conn.run_sync(clubs_of, case.group_id, opened.parties)
    facts = cl.CaseFacts(
        number=case.number,
        group=case.group,
        leader=leader(people[case.tl_id]),
        question=opened.question,
        paragraphs=opened.paragraphs,
        parties=tuple(
            f"{people[party].name} ({clubs[party]})" if party in clubs else people[party].name
            for party in opened.parties
        ),
        games=tuple(game.name for game in games),
        zone=case.zone,
        url=core.url(f"/desk/cases/{case.number}"),
        reply_to=core.command_address,
    )
    return case, state, facts


async def _decision(
    core: Core, params: Params, reader: PersonRow, facts: cl.CaseFacts, state: CaseState
) -> cl.CaseDecision:
    async with core.store.read() as conn:
        paper = await paper_rows.find(conn, _number(params, "paper"))
        deposit = (await union_values(core, conn)).deposit * ORE
    ref = text(params, "ref")
    decision = state.decisions.get(ref)
    if decision is None or paper is None or paper.text is None:
        raise NoLetter("no such decision")
    to = decision.instance.above
    fee = deposit if to is Instance.BOARD else None
    may_appeal = reader.id in state.may_appeal
    days = DISPUTES.appeal_days
    instance = decision.instance
    return cl.CaseDecision(
        person(reader), facts, ref, instance, paper.text, may_appeal, to, days, fee
    )


async def overstep_case(core: Core, game_id: int) -> str | None:
    """The number of the case that the last claim in a game opened."""
    async with core.store.read() as conn:
        known = await game_cases.of_game(conn, game_id)
    numbers = [case.number for case in known if case.kind == CaseKind.OVERSTEP]
    return numbers[-1] if numbers else None


async def start_annulled(core: Core, letter: OutboxRow, reader: PersonRow) -> cl.StartAnnulled:
    """The letter saying that a group's start was annulled. Raises NoLetter."""
    params = params_of(letter)
    async with core.store.read() as conn:
        tl = await person_rows.find(conn, _number(params, "tl"))
    if tl is None:
        raise NoLetter("no leader")
    zone = core.settings.clock.zone
    group, reason = text(params, "group"), text(params, "reason")
    return cl.StartAnnulled(person(reader), group, leader(tl), zone, reason)
