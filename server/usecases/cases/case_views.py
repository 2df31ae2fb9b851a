"""A case as a page or the API shows it: everything an official needs, at a glance (§ 6.4.1).

Parties, question, each game's account with the disputed rows marked, ledger, mails and letters,
papers, decisions of every instance, deadlines, and what the viewer may do. Read-only.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import SimpleNamespace

from kskak.cases import case_events, what_if
from kskak.cases.board import lacks_votes
from kskak.cases.case import ENDS, CaseStage, CaseState, next_ref
from kskak.cases.decide_case import may_act
from kskak.cases.evolve_case import keeps_deposits
from kskak.cases.readings import Precedent
from kskak.game.game_commands import unlawful_day
from kskak.game.game_events import CardDates, MoveSent
from kskak.ledger.ledger_files import JsonObject, JsonValue
from kskak.play.events_in_force import in_force
from kskak.play.game_state import Misfit
from kskak.statement.account import Account
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseEventRow, CaseRow
from server.store.cases.papers import PaperRow
from server.store.engine.connection import AsyncConnection, UnknownGame
from server.store.engine.rows import from_us
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import GameMailRow
from server.store.mail.outbox import GameLetterRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases import evidence as case_evidence
from server.usecases.context import Core
from server.usecases.games import case_opening
from server.usecases.play.game_views import GameView, game_view
from server.usecases.rights import desk_groups, rights_in, team_of, union_values

# Lists of cases: a person's own, and those on their desk. Each from its row alone.


async def case_list(
    core: Core, person: PersonRow, *, desk: bool = False, is_open: bool | None = None
) -> tuple[CaseRow, ...]:
    """The viewer's own cases and their players', or those of their desk; what is due first."""
    async with core.store.read() as conn:
        held = await rights_in(conn, person, core.now_us)
        everywhere = held.is_kc or held.is_admin or held.is_board or held.leads_all
        office = await desk_groups(conn, held, is_everywhere=everywhere)
        groups = office if desk else held.plays | held.captain
        rows = await case_rows.list_cases(conn, group_ids=groups, is_open=is_open)
        teams = {group: await team_of(conn, person, held, group) for group in held.captain}
    own = {row.id for row in rows if {person.id, *teams.get(row.group_id, ())} & row.standing}
    if not desk:
        return tuple(row for row in rows if row.id in own)
    return tuple(row for row in rows if row.id not in own and held.reads_case(row))


# A case with an event that can't be read: what its officials are shown of it.


@dataclass(frozen=True, slots=True)
class UnreadCaseFile:
    """A case, its events as they are kept, and the numbers of those that can't be read."""

    case: CaseRow
    entries: tuple[CaseEventRow, ...]
    unread: tuple[int, ...]

    def as_json(self) -> JsonObject:
        """What the API answers in the case's place."""
        entries: list[JsonValue] = [
            {"seq": row.seq, "at": from_us(row.at_us).isoformat(), "text": row.body}
            for row in self.entries
        ]
        case = self.case
        answer: JsonObject = {"id": case.id, "number": case.number, "unread": list(self.unread)}
        return answer | {"group": case.group, "game": case.game, "entries": entries}


async def unread_case(
    core: Core, person: PersonRow | None, case_id: int
) -> tuple[bool, UnreadCaseFile | None]:
    """Whether a person may know of the case; and the case as it is kept, for its officials."""
    if person is None:
        return False, None
    async with core.store.read() as conn:
        case = await case_rows.load(conn, case_id)
        if case is None:
            return False, None
        held = await rights_in(conn, person, core.now_us)
        team = await team_of(conn, person, held, case.group_id)
        rows = await case_rows.list_events(conn, case_id)
    if held.reads_case(case):
        return True, UnreadCaseFile(case, rows, tuple(r.seq for r in rows if _is_unread(r)))
    return bool(case.standing & {person.id, *team}), None


def _is_unread(row: CaseEventRow) -> bool:
    try:
        case_opening.events_in([row])
    except case_opening.UnreadCase:
        return True
    return False


# What if: an official of a case tries other facts on a stored game; nothing is saved.


async def try_facts(
    core: Core,
    person: PersonRow,
    game_id: int,
    supposed: Sequence[what_if.Supposition],
    on: date | None = None,
) -> tuple[date, what_if.Comparison, what_if.WhatIfOrders] | what_if.Impossible:
    """Try facts on a game as of a day (today): the accounts compared, and the orders for it.

    For officials of the group, and the Board in its cases; read-only. Decisions under appeal to
    the person's own instance are left out from the start (§ 6.4.3). Raises UnknownGame for a
    non-official.
    """
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        if game is None:
            raise UnknownGame(game_id)
        held = await rights_in(conn, person, core.now_us)
        if not held.may_watch(game_id, game.group_id):
            raise UnknownGame(game_id)
        events = game_rows.read_events(await game_rows.history(conn, game_id))
        appealed = await _appealed_to(conn, held.instances(game.group_id), game_id)
    today = core.today(game.zone)
    day = on or today
    if unlawful_day(day, game.terms.start, today) is not None:
        return what_if.Impossible(f"on: {day} is outside the game", Misfit.DAY_OUTSIDE)
    supposed = (*(what_if.RulingOut(ref) for ref in appealed), *supposed)
    tried = what_if.what_if(game.terms, events, supposed, day)
    if isinstance(tried, what_if.Impossible):
        return tried
    return day, tried, what_if.effects_from(game.terms, events, supposed, tried, day)


async def _appealed_to(
    conn: AsyncConnection, instances: Collection[case_events.Instance], game_id: int
) -> tuple[str, ...]:
    """The decisions about a game that are under appeal to one of these instances."""
    refs: list[str] = []
    stage, to = CaseStage.APPEALED.value, [one.value for one in instances]
    for case in await case_rows.list_game_cases(conn, game_id, state=stage, instance=to):
        state = case_opening.readable(await case_rows.list_events(conn, case.id))
        refs += () if state is None else state.in_question
    return tuple(refs)


# A case as a page or the API shows it: everything an official needs, at a glance (§ 6.4.1).

_SPOKEN = (case_events.PaperKind.STATEMENT, case_events.PaperKind.MAIL)
_ABOUT_MOVES = (case_events.CaseKind.OTHER, case_events.CaseKind.TAKEOVER)
"""The kinds of case that may be about a wrong move; the others are about days or a person."""


@dataclass(frozen=True, slots=True)
class CaseGameView:
    """A game of the case: its view, the plies in dispute, its mails, letters and post cards.

    ``may_see_scans``: whether the viewer may see the pictures of the cards. ``evidence``: the
    dispatches in dispute, with what proves their dates.
    """

    view: GameView
    disputed: frozenset[int]
    mails: tuple[GameMailRow, ...]
    letters: tuple[GameLetterRow, ...]
    cards: tuple[case_evidence.CaseCard, ...] = ()
    may_see_scans: bool = False
    evidence: tuple[case_evidence.DispatchEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One event of the case with its row: for the history and the chain."""

    row: CaseEventRow
    event: case_events.CaseEvent


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case with all that belongs to it. Mails and letters of its games are for officials only."""

    case: CaseRow
    state: CaseState
    viewer: case_evidence.Access
    can: SimpleNamespace
    people: dict[int, PersonRow]
    steps: tuple[CaseStep, ...]
    papers: tuple[PaperRow, ...]
    games: tuple[CaseGameView, ...]
    next_ref: str
    appeal_until: date | None
    today: date
    deposit: int | None
    """For an appeal of today to the Board, in øre; None: not known yet (§ 6.4.3)."""

    @property
    def statements(self) -> tuple[PaperRow, ...]:
        """What each side says, in order: statements and mails."""
        return tuple(paper for paper in self.papers if paper.kind in _SPOKEN)


async def case_view(core: Core, person: PersonRow, case_id: int) -> CaseView:
    """A case for one viewer. Raises UnknownCase if they may not see it."""
    found = await case_evidence.access(core, person, case_id)
    case, state = found.case, found.state
    async with core.store.read() as conn:
        union = await union_values(core, conn)
        due = (replace(one, fee=one.fee or union.deposit_on(one.on)) for one in state.deposits)
        state = replace(state, deposits=tuple(due))
        rows = await case_rows.list_events(conn, case_id)
        papers = await paper_rows.list_case_papers(conn, case_id)
        people: set[int | None] = {
            case.tl_id,
            *state.may_appeal,
            *(vote.member for vote in state.votes),
            *(one for seat in found.panel for one in (seat.member, seat.instead_of)),
        }
        people |= {row.actor_id for row in rows} | {paper.person_id for paper in papers}
        known = await person_rows.by_ids(conn, [one for one in people if one is not None])
    statements = [paper.text or "" for paper in papers if paper.kind in _SPOKEN]
    games = [await _game(core, game, found, statements) for game in state.opened.games]
    may_see_votes, steps = sees_votes(found), map(CaseStep, rows, case_opening.events_in(rows))
    return CaseView(
        case=case,
        state=state,
        viewer=found,
        can=can(found, core.today(case.zone)),
        people=known,
        steps=tuple(
            s for s in steps if may_see_votes or not isinstance(s.event, case_events.BoardVoted)
        ),
        papers=tuple(paper for paper in papers if may_read(found, paper)),
        games=tuple(game for game in games if game is not None),
        next_ref=next_ref(case.number, state),
        appeal_until=state.appeal_until(person.id),
        today=core.today(case.zone),
        deposit=union.deposit_on(core.today(case.zone)),
    )


async def published_rulings(core: Core) -> tuple[Precedent, ...]:
    """What the Board has published, by the kind of its case (§ 1.3.9)."""
    rows = await core.store.query(case_rows.list_published)
    events = ((case, event) for case, row in rows for event in case_opening.readable_events([row]))
    return tuple(
        Precedent(
            event.ref,
            event.on.year,
            frozenset({case.kind}),
            facts=event.facts,
            decided=event.decided,
        )
        for case, event in events
        if isinstance(event, case_events.DecisionPublished)
    )


def sees_votes(found: case_evidence.Access) -> bool:
    """True if the viewer may see the Board's votes before its decision: its members only."""
    return found.rights.is_board and found.is_official


def may_read(found: case_evidence.Access, paper: PaperRow) -> bool:
    """True if the viewer may read a paper of the case; notes are for officials only.

    What a player who leaves told his leader is not for his opponents (§ 6.2.8).
    """
    if found.is_official or paper.person_id == found.person.id:
        return True
    is_private = case_opening.PRIVATE in found.case.kinds and paper.kind in _SPOKEN
    return paper.kind != case_events.PaperKind.NOTE and not (
        is_private and paper.person_id is not None
    )


async def _game(
    core: Core, game_id: int, found: case_evidence.Access, statements: Sequence[str]
) -> CaseGameView | None:
    view = await game_view(core, game_id)
    if view is None:
        return None
    mails: tuple[GameMailRow, ...] = ()
    letters: tuple[GameLetterRow, ...] = ()
    async with core.store.read() as conn:
        cards = await paper_rows.list_game_cards(conn, game_id, has_pictures=False)
        if found.is_official:
            mails = await inbox_rows.mails_of(conn, [game_id])
            letters = await inbox_rows.letters_of(conn, [game_id])
    is_player = view.side_of(found.person.id) is not None
    may_see_scans = is_player or found.rights.may_watch(game_id, view.group.id)
    shown, plies = case_evidence.case_cards(view, cards), disputed_plies(view)
    if found.case.kind in _ABOUT_MOVES:
        plies |= case_evidence.named_plies(view, shown, statements)
    evidence = await case_evidence.disputed_dispatches(core, view, plies, shown, found)
    return CaseGameView(view, plies, mails, letters, shown, may_see_scans, evidence)


def disputed_plies(view: GameView) -> frozenset[int]:
    """The rows of the account that the dispute turns on (§ 6.3.2, § 6.3.3.1).

    Reading: dates that a ruling found, cards without a legible postmark or whose sender states
    another day, and the dispatch with which the limit was passed.
    """
    account = view.account
    found = {row.ply for row in account.rows if row.ruling is not None}
    sent = [event for _, event in in_force(view.events) if isinstance(event, MoveSent)]
    doubtful = {
        event.plies[0]
        for event in sent
        if isinstance(event.sent, CardDates)
        and (event.sent.postmark is None or event.sent.stated not in (None, event.sent.postmark))
    }
    dated = [row for row in account.rows if row.dates.sent is not None]
    found |= {row.ply for row in dated if row.move in doubtful}
    return frozenset(found | _over_limit(account))


def _over_limit(account: Account) -> set[int]:
    overstep = account.overstep
    if overstep is None:
        return set()
    late = [row for row in account.rows if row.by is overstep.by]
    over = [row for row in late if row.total > overstep.limit]
    # If time ran out before the move was sent: the row of the move it was to answer.
    return {row.ply for row in (over[:1] or account.rows[-1:])}


def can(found: case_evidence.Access, today: date) -> SimpleNamespace:
    """What a viewer may do today, as far as the stage determines it: a button for each name.

    The domain has the last word.
    """
    state, person = found.state, found.person.id
    is_open = state.stage not in ENDS
    speaks = found.is_party or found.is_captain or bool(found.actor.offices)
    leads = may_act(state, found.actor) is None
    before = state.stage in (CaseStage.OPENED, CaseStage.HEARD)
    is_heard = state.is_heard(today)
    ripe = is_heard and (before or state.stage is CaseStage.APPEALED)
    claimant = state.opened.claimant
    if person in {claim.by for claim in state.claims}:
        claimant = person
    appeals = {lodged.by for lodged in state.appeals}
    is_told = state.stage in (CaseStage.DECIDED, CaseStage.APPEALED)
    is_last = state.latest is not None and state.latest.instance is case_events.Instance.BOARD
    return SimpleNamespace(
        speak=speaks,
        enclose=speaks and is_open,
        lead=leads and is_open,
        widen=leads and (before or state.stage is CaseStage.APPEALED),
        ask=leads and (before or state.stage is CaseStage.APPEALED),
        close_hearing=leads and is_open and not is_heard,
        decide=leads and (ripe or state.stage is CaseStage.DECIDED) and not lacks_votes(state),
        decide_early=leads and is_open and not is_heard and not lacks_votes(state),
        suspend=leads and is_open and bool(set(state.opened.games) - set(state.suspended)),
        lift=leads and bool(state.suspended) and not state.claims,
        settle=leads and before,
        withdraw=before and (person == claimant if claimant is not None else leads),
        appeal=found.is_party and is_told and not is_last and person not in appeals,
        take_back=person in appeals,
        lodge=_may_lodge(found),
        try_facts=found.is_official,
        vote=leads and ripe and state.instance is case_events.Instance.BOARD,
        excuse=leads and is_open and state.instance is case_events.Instance.BOARD,
        publish=is_last and found.actor.seat is not None and state.published is None,
        keep_deposits=keeps_deposits(state, found.actor) and bool(state.deposits),
    )


def _may_lodge(found: case_evidence.Access) -> bool:
    """True if the viewer may enter an appeal that an office received in writing (§ 6.4.3)."""
    latest = found.state.latest
    is_last = latest is None or latest.instance.above is None
    is_told = found.state.stage not in (CaseStage.OPENED, CaseStage.HEARD)
    is_free = bool(found.actor.offices) and not found.actor.is_barred
    return is_free and is_told and not is_last
