"""A case as a page or the API shows it: everything an official needs, at a glance (§ 6.4.1).

Parties, question, each game's account with the disputed rows marked, ledger, mails and letters,
papers, decisions of every instance, deadlines, and what the viewer may do. Read-only.
"""

from dataclasses import dataclass
from datetime import date

from kskak.cases.decisions import Instance
from kskak.cases.deposits import keeps_deposits
from kskak.cases.events import BoardVoted, CaseEvent, PaperKind
from kskak.cases.state import ENDS, CaseStage, CaseState, next_ref
from kskak.cases.stored_events import load_case_event
from kskak.cases.verdicts import may_act
from kskak.cases.votes import lacks_votes
from kskak.game.events import Card, MoveSent
from kskak.play.standing_events import in_force
from kskak.statement.account import Account
from server.store.cases import cards as card_rows
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases import sanctions as sanction_rows
from server.store.cases.cases_and_events import CaseEventRow, CaseRow
from server.store.cases.papers import PaperRow
from server.store.cases.sanctions import SanctionRow
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.mail import game_mail
from server.store.mail.game_mail import LetterOut, MailIn
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.access import Access, access
from server.usecases.cases.evidence import CaseCard, Disputed, case_cards, disputed_dispatches
from server.usecases.core.context import Core
from server.usecases.core.union_values import deposit_due
from server.usecases.play.game_views import GameView, game_view


@dataclass(frozen=True, slots=True)
class Can:
    """What the viewer may do now; a button for each. The domain has the last word."""

    speak: bool
    enclose: bool
    lead: bool
    widen: bool
    ask: bool
    close_hearing: bool
    decide: bool
    decide_early: bool
    """Before the hearing is over: with a reason, and asked once."""
    suspend: bool
    lift: bool
    settle: bool
    withdraw: bool
    appeal: bool
    take_back: bool
    lodge: bool
    try_facts: bool
    vote: bool
    keep_deposits: bool


@dataclass(frozen=True, slots=True)
class CaseGame:
    """A game of the case: its view, the plies in dispute, its mails, letters and post cards.

    ``may_see_scans``: whether the viewer may see the pictures of the cards. ``evidence``: the
    dispatches in dispute, with what proves their dates.
    """

    view: GameView
    disputed: frozenset[int]
    mails: tuple[MailIn, ...]
    letters: tuple[LetterOut, ...]
    cards: tuple[CaseCard, ...] = ()
    may_see_scans: bool = False
    evidence: tuple[Disputed, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One event of the case with its row: for the history and the chain."""

    row: CaseEventRow
    event: CaseEvent


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case with all that belongs to it. Mails and letters of its games are for officials only."""

    case: CaseRow
    state: CaseState
    group: GroupRow
    viewer: Access
    can: Can
    people: dict[int, PersonRow]
    steps: tuple[CaseStep, ...]
    papers: tuple[PaperRow, ...]
    games: tuple[CaseGame, ...]
    sanctions: tuple[SanctionRow, ...]
    next_ref: str
    appeal_until: date | None
    today: date
    deposit: int
    """For an appeal to the Board, in øre; 0: the treasurer knows (§ 6.4.3)."""

    @property
    def statements(self) -> tuple[PaperRow, ...]:
        """What each side says, in order: statements and mails."""
        spoken = (PaperKind.STATEMENT, PaperKind.MAIL)
        return tuple(paper for paper in self.papers if paper.kind in spoken)


async def case_view(core: Core, person: PersonRow, case_id: int) -> CaseView:
    """A case for one viewer. Raises UnknownCase if they may not see it."""
    found = await access(core, person, case_id)
    case, state = found.case, found.state
    async with core.store.read() as conn:
        group = await group_rows.find(conn, case.group_id)
        rows = await case_rows.events_of(conn, case_id)
        papers = await paper_rows.of_case(conn, case_id)
        sanctions = await sanction_rows.of_case(conn, case_id)
        people = await _people(conn, state, rows, papers, case.tl_id)
    games = [await _game(core, game, found) for game in state.opened.games]
    assert group is not None
    return CaseView(
        case=case,
        state=state,
        group=group,
        viewer=found,
        can=can(found, core.today(case.zone)),
        people=people,
        steps=_steps(found, rows),
        papers=tuple(paper for paper in papers if may_read(found, paper)),
        games=tuple(game for game in games if game is not None),
        sanctions=sanctions,
        next_ref=next_ref(case.number, state),
        appeal_until=state.appeal_until(person.id),
        today=core.today(case.zone),
        deposit=await deposit_due(core),
    )


def sees_votes(found: Access) -> bool:
    """True if the viewer may see the Board's votes before its decision: its members only."""
    return found.rights.is_board and found.is_official


def _steps(found: Access, rows: tuple[CaseEventRow, ...]) -> tuple[CaseStep, ...]:
    """The history, without votes that the viewer may not see."""
    steps = (CaseStep(row, load_case_event(row.body)) for row in rows)
    is_told = sees_votes(found)
    return tuple(step for step in steps if is_told or not isinstance(step.event, BoardVoted))


def may_read(found: Access, paper: PaperRow) -> bool:
    """True if the viewer may read a paper of the case; notes are for officials only."""
    return found.is_official or paper.kind != PaperKind.NOTE


async def _people(
    conn: AsyncConnection,
    state: CaseState,
    rows: tuple[CaseEventRow, ...],
    papers: tuple[PaperRow, ...],
    tl_id: int,
) -> dict[int, PersonRow]:
    ids = {tl_id, *state.may_appeal} | {vote.member for vote in state.votes}
    ids |= {row.actor_id for row in rows if row.actor_id is not None}
    ids |= {paper.person_id for paper in papers if paper.person_id is not None}
    return await person_rows.by_ids(conn, ids)


async def _game(core: Core, game_id: int, found: Access) -> CaseGame | None:
    view = await game_view(core, game_id)
    if view is None:
        return None
    mails: tuple[MailIn, ...] = ()
    letters: tuple[LetterOut, ...] = ()
    async with core.store.read() as conn:
        cards = await card_rows.seen_of_game(conn, game_id)
        if found.is_official:
            mails = await game_mail.mails_of(conn, [game_id])
            letters = await game_mail.letters_of(conn, [game_id])
    is_player = view.side_of(found.person.id) is not None
    may_see_scans = is_player or found.rights.may_watch(game_id, view.group.id)
    shown, plies = case_cards(view, cards), disputed_plies(view)
    evidence = await disputed_dispatches(core, view, plies, shown, found)
    return CaseGame(view, plies, mails, letters, shown, may_see_scans, evidence)


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
        if isinstance(event.sent, Card)
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


def can(found: Access, today: date) -> Can:
    """What a viewer may do today, as far as the stage determines it."""
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
    is_last = state.latest is not None and state.latest.instance is Instance.BOARD
    return Can(
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
        vote=leads and ripe and state.instance is Instance.BOARD,
        keep_deposits=keeps_deposits(state, found.actor) and bool(state.deposits),
    )


def _may_lodge(found: Access) -> bool:
    """True if the viewer may enter an appeal that an office received in writing (§ 6.4.3)."""
    latest = found.state.latest
    is_last = latest is None or latest.instance.above is None
    is_told = found.state.stage not in (CaseStage.OPENED, CaseStage.HEARD)
    is_free = bool(found.actor.offices) and not found.actor.is_barred
    return is_free and is_told and not is_last
