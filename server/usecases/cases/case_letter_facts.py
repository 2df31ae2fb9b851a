"""Turns an outbox row into a letter of a case, with its facts (§ 6.4.1-6.4.3).

Composed when it is sent. Not for words (mail.office_letters.case_letters) nor for which letters are
due (games/case_opening.py).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import takewhile

from sqlalchemy import Connection

from kskak.cases import case_events
from kskak.cases.case import ENDS, REPORTS, SERVER, CaseStage, CaseState, HeldDeposit, SettleCase
from kskak.cases.decide_case import apply_case_events
from kskak.game import game_events as ev
from kskak.game.game_events import MoveSent
from kskak.ledger.stored_events import UnreadEntry
from kskak.office.books import ORE
from kskak.play.events_in_force import in_force, list_events_in_force
from kskak.reflection import open_pause
from kskak.regulation.editions import DISPUTES, PauseReason, Regulation, rules_of
from mail.game_letters import time_letters
from mail.game_letters.move_letters import SilenceReport
from mail.incoming.parse_mail import parse, question_address
from mail.office_letters.case_letters import CaseDecision, CaseFacts, CaseNotice, CaseWord
from mail.office_letters.service_letters import StartAnnulled
from mail.text.catalogue import Words
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.rows import DAY_US
from server.store.mail.outbox import NewOutbox, OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.case_transaction import CaseOutcome, filing, run_transaction
from server.usecases.context import Core, poster_of
from server.usecases.games import case_opening
from server.usecases.games.case_closing import RETURNED, is_still_open, notify_of_return
from server.usecases.games.outbox_letters import bounce_token
from server.usecases.letter_facts import NoLetter, Params, leader, loads, number, text
from server.usecases.play.game_views import GameView, game_view
from server.usecases.rights import union_values


@loads(CaseNotice)
async def _case_notice(core: Core, reader: PersonRow, params: Params) -> CaseNotice:
    case, state, facts = await _case(core, number(params, "case"))
    facts, is_party = _to(reader, case, facts), reader.id in state.may_appeal
    by, until, word = params.get("by"), params.get("until"), CaseWord(text(params, "word"))
    if word is CaseWord.APPEAL_ASKED:  # an address of its own: a «ja» is to that question
        mail, token = core.settings.mail, bounce_token(core.secret, params.row.id)
        facts = replace(facts, reply_to=question_address(mail.local, token, mail.domain))
    async with core.store.read() as conn:
        who = await person_rows.find_person(conn, by) if isinstance(by, int) else None
        people = sorted(state.may_appeal)
        captains = await conn.run_sync(case_opening.captains_in, case.group_id, people, core.now_us)
    return CaseNotice(
        reader=reader.name,
        case=facts,
        word=word,
        is_official=not is_party,
        is_captain=not is_party and reader.id in captains,
        by=None if who is None else who.name,
        text=text(params, "text") or await _list_reports(core, case, state, word),
        until=date.fromisoformat(until) if isinstance(until, str) else None,
        deposits=_find_withdrawn_deposit(state, reader, word, by),
        is_at_rest=word in (CaseWord.APPEALED, CaseWord.APPEAL_HEARING) and bool(state.suspended),
        has_decided=state.stage is CaseStage.APPEALED and reader.id in state.deciders,
    )


async def _list_reports(core: Core, case: CaseRow, state: CaseState, word: CaseWord) -> str:
    """What both wrote of the end of a game, where they are asked because it differs (§ 6.2.6)."""
    if word not in (CaseWord.OPENED, CaseWord.HEARING) or state.question != REPORTS:
        return ""
    async with core.store.read() as conn:
        papers = await paper_rows.list_case_papers(conn, case.id)
        said = {one.person_id: one.text for one in papers if one.person_id and one.text}
        people = await person_rows.by_ids(conn, [one for one in said if one is not None])
    return "\n\n".join(f"{people[one].name}: {text}" for one, text in said.items() if one in people)


def _find_withdrawn_deposit(
    state: CaseState, reader: PersonRow, word: CaseWord, by: object
) -> tuple[HeldDeposit, ...]:
    """The deposit of who took his appeal back, for himself (§ 6.4.3)."""
    if word is not CaseWord.APPEAL_WITHDRAWN or by != reader.id:
        return ()
    return tuple(held for held in state.deposits if held.person == reader.id)[-1:]


async def _case(core: Core, case_id: int) -> tuple[CaseRow, CaseState, CaseFacts]:
    async with core.store.read() as conn:
        case = await case_rows.load(conn, case_id)
        if case is None:
            raise NoLetter("no such case")
        state = case_opening.state_of(await case_rows.list_events(conn, case_id))
        opened = state.opened
        games = await game_rows.load_many(conn, opened.games)
        people = await person_rows.by_ids(conn, (*opened.parties, case.tl_id))
        clubs = await conn.run_sync(case_opening.clubs_of, case.group_id, opened.parties)
        group = await group_rows.find(conn, case.group_id)
    assert group is not None
    facts = CaseFacts(
        number=case.number,
        group=case.group,
        leader=leader(people[case.tl_id], group.class_),
        question=state.question,
        paragraphs=opened.paragraphs,
        parties=tuple(
            f"{people[party].name} ({clubs[party]})" if party in clubs else people[party].name
            for party in opened.parties
        ),
        games=tuple(game.name for game in games),
        zone=case.zone,
        url=core.url(f"/desk/cases/{case.number}"),
        reply_to=core.command_address,
        about=case.person,
        kinds=case.kinds,
        claims=len(state.claims),
        until=state.due if state.stage in case_opening.UNDECIDED else None,
        is_suspended=bool(state.suspended),
        is_over=state.stage in ENDS,
        rules=rules_of(Regulation(group.regulation)),
    )
    return case, state, facts


def _to(reader: PersonRow, case: CaseRow, facts: CaseFacts) -> CaseFacts:
    """The case as its letters name it to the person whom it concerns, or to another."""
    return replace(facts, about="") if reader.id == case.person_id else facts


@loads(CaseDecision)
async def _decision(core: Core, reader: PersonRow, params: Params) -> CaseDecision:
    case, state, facts = await _case(core, number(params, "case"))
    facts = _to(reader, case, facts)
    async with core.store.read() as conn:
        paper = await paper_rows.find_paper(conn, number(params, "paper"))
        union = await union_values(core, conn)
        happened = case_opening.events_in(await case_rows.list_events(conn, case.id))
    ref, today = text(params, "ref"), core.today(case.zone)
    decision = state.decisions.get(ref)
    if decision is None or paper is None or paper.text is None:
        raise NoLetter("no such decision")
    to = decision.instance.above
    needs = to is case_events.Instance.BOARD and state.needs_deposit
    fee, last = union.deposit_on(today), today + timedelta(days=DISPUTES.appeal_days)
    later = next((one for one in union.fees if today < one.since <= last), None)
    settled = settled_with(happened, ref)
    people = await core.store.query(person_rows.by_ids, [one.person for one in settled])
    return CaseDecision(
        reader=reader.name,
        case=facts,
        ref=ref,
        instance=decision.instance,
        text=paper.text,
        may_appeal=reader.id in state.may_appeal,
        appeal_to=to,
        days=DISPUTES.appeal_days,
        last=last,
        fee=(fee or 0) if needs else None,
        next_fee=(later.since, later.kroner * ORE) if later is not None and needs else None,
        deposits=tuple((people[one.person].name, one) for one in settled),
        is_copy=params.get("is_copy") is True,
        ends_games=any(isinstance(one.effect, ev.ResultRuled) for one in decision.games),
    )


def settled_with(events: Sequence[case_events.CaseEvent], ref: str) -> tuple[HeldDeposit, ...]:
    """The deposits that a decision settled, as it left them (§ 6.4.3)."""
    begins = [
        i
        for i, e in enumerate(events)
        if isinstance(e, case_events.CaseDecided) and e.decision.ref == ref
    ]
    if not begins:
        return ()
    after = takewhile(
        lambda event: isinstance(event, case_events.DepositSettled), events[begins[0] + 1 :]
    )
    persons = [event.person for event in after if isinstance(event, case_events.DepositSettled)]
    state = apply_case_events(None, tuple(events[: begins[0] + 1 + len(persons)]))
    newest = {held.person: held for held in state.deposits}
    return tuple(newest[person] for person in persons if person in newest)


@loads(StartAnnulled)
async def _start_annulled(core: Core, reader: PersonRow, params: Params) -> StartAnnulled:
    tl = await core.store.query(person_rows.find_person, number(params, "tl"))
    if tl is None:
        raise NoLetter("no leader")
    led = (reader.name, leader(tl), core.settings.clock.zone)
    swap = (text(params, "out"), text(params, "new")) if "out" in params else None
    return StartAnnulled(*led, text(params, "group"), text(params, "reason"), swap)


# A silence or absence in its case: its drafted reasons, its letters filed (§ 6.3.4, § 6.8.1).


@dataclass(frozen=True, slots=True)
class SilentGame:
    """A game in which a player is silent: against whom, and the days of what has been done.

    ``since``: the other's last move, None where he has yet to begin a game that ``start``ed;
    ``away``: since when he has been out of reach (§ 6.8.1).
    """

    game: str
    other: str
    start: date
    since: date | None
    reminded: date | None
    told: date | None
    away: date | None


def silent_in(view: GameView, person_id: int) -> SilentGame | None:
    """How a player is silent or absent in a game; None if the leader was not told that he is."""
    side, state = view.side_of(person_id), view.account.state
    if side is None or state.result is not None or state.mover is not side:
        return None
    events = [one.event for one in list_events_in_force(view.events)]
    reports = [e.on for e in events if isinstance(e, ev.LeaderTold) and e.by is not side]
    pause = open_pause(state.bookings, PauseReason.BOUNCE)
    is_silent = bool(state.turn.said.leader_told)
    if not is_silent and pause is None:
        return None
    # None for a card whose dates are illegible (§ 6.3.2).
    cards = [e.sent for e in events if isinstance(e, ev.MoveSent)]
    moves = [one if isinstance(one, date) else one.postmark or one.stated for one in cards]
    reminders = [e.on for e in events if isinstance(e, ev.OpponentReminded)]
    return SilentGame(
        game=view.game.name,
        other=view.player(side.other).name,
        start=date.fromisoformat(view.game.start),
        since=moves[-1] if moves else None,
        reminded=reminders[-1] if is_silent and reminders else None,
        told=reports[-1] if is_silent and reports else None,
        away=None if pause is None else pause.booked.first,
    )


def silent_among(views: Iterable[GameView], person_id: int) -> dict[int, SilentGame]:
    """The games in which a player is silent or absent, by id."""
    found = {view.game.id: silent_in(view, person_id) for view in views}
    return {game: silent for game, silent in found.items() if silent is not None}


def drafted_reasons(games: Iterable[SilentGame], name: str, words: Words) -> str:
    """Why a silent or absent player counts as having left, a line for each game; "" without one.

    The letter itself says what the half rule makes of it (§ 6.2.8).
    """
    found = sorted(games, key=lambda one: (len(one.game), one.game))
    if not found:
        return ""
    lines = [" ".join((f"{one.game}:", *_facts(one, name, words))) for one in found]
    kind = "absent" if all(one.away for one in found) else "reasons"
    return "\n".join((*lines, words(f"desk.silent.{kind}", name=name)))


def _facts(one: SilentGame, name: str, words: Words) -> Iterator[str]:
    """A sentence per day: the last move, the reminder, the report to the leader."""
    first = {"moved": one.since} if one.since else {"began": one.start}
    days = first | {"reminded": one.reminded, "told": one.told, "away": one.away}
    for key, day in days.items():
        if day is not None:
            yield words(f"desk.silent.{key}", day=words.day(day), name=name, other=one.other)


FILED = frozenset(
    {
        time_letters.ThinkWarning.kind,
        time_letters.ControlWarning.kind,
        time_letters.Reminder.kind,
        time_letters.SilenceCopy.kind,
        time_letters.SilenceTold.kind,
        SilenceReport.kind,
        time_letters.OfflineReport.kind,
    }
)
"""The letters that are filed."""
_LOOKED_BACK_US = 40 * DAY_US
_KEY = re.compile(r"(?<=[/+])[a-z2-7]{20,}")
"""A key in a link or an address: whoever has it may move or give notice."""


async def file_sent(core: Core, sent: Iterable[OutboxRow]) -> None:
    """File the letters of silence that have just gone, where there is a case to file them in."""
    games = {row.game_id for row in sent if row.kind in FILED and row.game_id is not None}
    for game in sorted(games):
        await file_letters(core, game)


async def file_recent(core: Core) -> None:
    """The daily check for letters that a crash left unfiled."""
    async with core.store.read() as conn:
        since = core.now_us - _LOOKED_BACK_US
        rows = await case_rows.opened_since(conn, case_opening.ABOUT_PLAYER, since)
    for game in dict.fromkeys(
        g for row in rows if case_opening.OF_PLAYER & set(row.kinds) for g in row.games
    ):
        # The other duties of the day do not wait for what can't be read; `kskak verify` names it.
        with suppress(case_opening.UnreadCase, UnreadEntry):
            await file_letters(core, game)


async def file_letters(core: Core, game_id: int) -> int:
    """File what was sent about a game's latest silence or absence; returns how many papers."""
    about = await core.store.query(case_rows.list_game_cases, game_id)
    known = [case for case in about if case_opening.OF_PLAYER & set(case.kinds)]
    view = await game_view(core, game_id) if known else None
    if view is None:
        return 0
    case = known[-1]
    async with core.store.read() as conn:
        since = _silent_since(view, case)
        letters = await paper_rows.list_unfiled_letters(conn, case, game_id, FILED, since)
    papers = [_paper(core, row, view.game.name) for row in letters]
    if not papers:
        return 0
    steps = [filing(paper, SERVER) for paper in papers]
    await run_transaction(core, case.id, steps, None, papers)
    return len(papers)


def _silent_since(view: GameView, case: CaseRow) -> int:
    """The instant of the move that was unanswered when the game came into the case."""
    known = [(view.rows[place].at_us, event) for place, event in in_force(view.events)]
    reports = [at_us for at_us, event in known if isinstance(event, ev.LeaderTold)]
    came = max([case.opened_us, *reports[-1:]])
    moves = [at_us for at_us, event in known if isinstance(event, MoveSent)]
    return max((at for at in moves if at <= came), default=0)


def _paper(core: Core, row: OutboxRow, game: str) -> NewPaper:
    return NewPaper(
        kind=case_events.PaperKind.LETTER.value,
        title=f"@{row.kind} {game}",
        body=_KEY.sub("…", parse(bytes(row.raw or b"")).text).encode(),
        at_us=row.sent_us or core.now_us,
        outbox_id=row.id,
    )


async def heard_from(core: Core, person_id: int) -> int:
    """Close the open cases about a person's absence; returns how many. Safe to repeat.

    A case whose game the leader has suspended is in the leader's hands and stays open.
    """
    async with core.store.read() as conn:
        rows = await case_rows.everything(conn, person_id=person_id, closed_us=None)
        ripe = []
        for row in rows:
            if case_events.CaseKind.OFFLINE in row.kinds and not row.is_suspended:
                state = case_opening.readable(await case_rows.list_events(conn, row.id))
                back, today = case_events.CaseKind.OFFLINE, core.today(row.zone)
                if state is not None and not await conn.run_sync(
                    is_still_open, row, state, today, back
                ):
                    ripe.append(row)
    return sum([await _close(core, row) for row in ripe])


async def _close(core: Core, row: CaseRow) -> bool:
    def then(conn: Connection, done: CaseOutcome) -> Iterable[NewOutbox]:
        if done.events:
            notify_of_return(conn, poster_of(core), done.case, done.state)
        return ()

    try:
        steps = [(SettleCase(RETURNED), SERVER)]
        done = await run_transaction(core, row.id, steps, None, then=then)
    except case_opening.UnreadCase:
        return False
    return isinstance(done, CaseOutcome)
