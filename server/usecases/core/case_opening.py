"""How a case begins: by a claim on any channel, a finding of the server, an objection (§ 6.4.1).

A claimed overstep opens its case in the claim's own transaction (§ 6.3.3.5, § 6.8.7); one that
the server found opens it before anybody claims (§ 6.3.3), and so does a silence that the leader
is told of (§ 6.3.4). Not for what follows (cases/transaction.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from kskak.cases.commands import SERVER, Actor, FilePaper, OpenCase, WidenCase
from kskak.cases.decide import after, decide_case
from kskak.cases.decisions import Instance
from kskak.cases.events import (
    CaseEvent,
    CaseKind,
    GameClaimed,
    GamesSuspended,
    PaperFiled,
    PaperKind,
)
from kskak.cases.refusals import CaseRefusal
from kskak.cases.state import CaseStage, CaseState
from kskak.game.events import Paused
from kskak.ledger.ledger_out import clock_json
from kskak.reflection.leave import open_pause
from kskak.regulation.days import local_day
from kskak.regulation.quantities import PauseReason, Regulation, Side
from kskak.statement.account import account
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as case_papers
from server.store.cases.cases_and_events import CaseRow, NewCase
from server.store.cases.papers import NewPaper
from server.store.engine.types import to_us
from server.store.mail import batch as ledger
from server.store.play.games import GameRow
from server.usecases.core.case_record import (
    CaseWord,
    Notice,
    append_to,
    dumps,
    games_of,
    head_of,
    new_events,
    notices,
    state_of,
)
from server.usecases.core.due_work import start_of_day
from server.usecases.core.game_work import NewClaim
from server.usecases.core.team_captains import captains_in

JSON = "application/json"
ACCOUNT = "@account"
"""The title of the account as evidence, a key of the catalogues."""
_SILENCE = {Regulation.POSTAL: ("6.3.4", "6.2.8"), Regulation.EMAIL: ("6.8.3", "6.2.8")}
OF_PLAYER = (CaseKind.SILENCE, CaseKind.OFFLINE)
"""Cases about one player in all his games of a group (§ 6.3.4, § 6.8.1)."""
UNDECIDED = (CaseStage.OPENED, CaseStage.HEARD)
_CLAIM = {Regulation.POSTAL: ("6.3.3.1", "6.3.3.5"), Regulation.EMAIL: ("6.3.3.1", "6.8.7")}


@dataclass(frozen=True, slots=True)
class Opening:
    """A case to open. ``games``: those it may rule on; ``about``: the person it concerns, if one.

    ``question``: a text, or ``@key`` for one in the catalogues (``cases.question``).
    """

    kind: CaseKind
    group_id: int
    zone: str
    parties: tuple[int, ...]
    question: str
    paragraphs: tuple[str, ...]
    games: tuple[int, ...] = ()
    concerned: tuple[int, ...] = ()
    about: int | None = None
    instance: Instance = Instance.LEADER

    @property
    def command(self) -> OpenCase:
        """The domain's command."""
        return OpenCase(
            self.kind,
            self.parties,
            self.question,
            self.paragraphs,
            self.concerned,
            self.games,
            self.instance,
        )


def open_in(
    conn: Connection,
    opening: Opening,
    at: datetime,
    actor: Actor,
    papers: Iterable[NewPaper] = (),
) -> tuple[CaseRow, CaseState] | CaseRefusal:
    """Open a case with its first papers, within a transaction; or say why not."""
    today, kept = local_day(at, opening.zone), tuple(papers)
    events = decide_case(None, opening.command, today, actor)
    if isinstance(events, CaseRefusal):
        return events
    events = (
        *events,
        *(PaperFiled(today, p.person_id, PaperKind(p.kind), p.digest.hex()) for p in kept),
    )
    state, now_us = after(None, events), to_us(at)
    game = opening.games[0] if len(opening.games) == 1 else None
    new = NewCase(opening.kind.value, opening.group_id, game, opening.about, now_us)
    head = head_of(state, opening.zone, now_us)
    case = case_rows.create(conn, new, today.year, head, new_events(events, now_us, actor.person))
    for paper in kept:
        case_papers.add(conn, case.id, paper)
    return case, state


def evidence(conn: Connection, game: GameRow, at: datetime, by: int | None) -> NewPaper:
    """The game's account as it stands, as kskak-clock/1: what a claim rests on (§ 6.3.3.5)."""
    events = ledger.histories(conn, [game.id])[game.id]
    value = clock_json(account(game.terms, events, local_day(at, game.zone)))
    return NewPaper(
        kind=PaperKind.EVIDENCE.value,
        title=f"{ACCOUNT} {game.name}",
        body=dumps(value),
        at_us=to_us(at),
        person_id=by,
        media_type=JSON,
    )


def take_claim(conn: Connection, claim: NewClaim) -> None:
    """Turn a claim or a finding of the server into a case, or add it to the open one."""
    game, at = claim.game, claim.at
    paper = evidence(conn, game, at, claim.by)
    if claim.kind is CaseKind.OFFLINE and _is_known_absence(conn, game, claim.late):
        return
    known = _known(conn, claim)
    if known is not None and known.state in UNDECIDED:
        _join(conn, claim, case_rows.lock(conn, known.id), paper)
        return
    opened = open_in(conn, _opening(claim), at, Actor(claim.by), [paper])
    if not isinstance(opened, CaseRefusal):
        case, state = opened
        if events := _rest(claim, state):
            state = after(state, events)
            append_to(conn, case_rows.lock(conn, case.id), state, events, (to_us(at), claim.by))
        _tell_captains(conn, claim, case, state)


def _known(conn: Connection, claim: NewClaim) -> CaseRow | None:
    """The open case that a claim belongs to: a player's silence or absence has one in the group."""
    game = claim.game
    if claim.kind not in OF_PLAYER:
        return case_rows.open_of_game(conn, game.id, claim.kind.value)
    person = game.person_of(claim.late)
    return case_rows.open_about_in(conn, game.group_id, person, claim.kind.value)


def _join(conn: Connection, claim: NewClaim, case: CaseRow, paper: NewPaper) -> None:
    """Add a claim, its account, and its game and players to the open case."""
    game, at = claim.game, claim.at
    before = state = state_of(case_rows.history(conn, case.id))
    events: tuple[CaseEvent, ...] = ()
    filing = FilePaper(PaperKind.EVIDENCE, paper.digest.hex())
    steps = (
        (WidenCase((game.id,), (game.white_id, game.black_id), ()), SERVER),
        (filing, Actor(claim.by)),
    )
    for command, actor in steps:
        found = decide_case(state, command, local_day(at, game.zone), actor)
        if isinstance(found, CaseRefusal):
            return
        state, events = after(state, found) if found else state, (*events, *found)
    rest = _rest(claim, before)
    append_to(conn, case, after(state, rest), (*events, *rest), (to_us(at), claim.by))
    case_papers.add(conn, case.id, paper)
    _tell_captains(conn, claim, case, state, before.opened.parties)


def _rest(claim: NewClaim, state: CaseState) -> tuple[CaseEvent, ...]:
    """The case's events of a claim: the claim, and the game's stop until it is decided (§ 6.4.1).

    The game's own ledger already has both.
    """
    game = claim.game
    if not claim.is_claimed or game.id in {one.game for one in state.claims}:
        return ()
    today = local_day(claim.at, game.zone)
    claimed = GameClaimed(today, game.id, claim.late, claim.by)
    if not claim.rests or game.id in state.suspended:
        return (claimed,)
    return (claimed, GamesSuspended(today, (game.id,), "6.4.1"))


def _tell_captains(
    conn: Connection,
    claim: NewClaim,
    case: CaseRow,
    state: CaseState,
    known: tuple[int, ...] = (),
) -> None:
    """Tell the players' captains of the case; players and leader get the claim's own letters.

    § 6.7.6.1: copies in complaints against the team's players. ``known``: the parties before,
    whose captains were told when the case was opened.
    """
    parties, now_us = state.opened.parties, to_us(claim.at)
    captains = captains_in(conn, case.group_id, parties, now_us)
    before = captains_in(conn, case.group_id, known, now_us) if known else ()
    told = [captain for captain in captains if captain not in {*parties, *before}]
    notice = Notice(CaseWord.OPENED, claim.by)
    ledger.write_outbox(conn, notices(claim.poster, case, notice, told))


def _is_known_absence(conn: Connection, game: GameRow, late: Side) -> bool:
    """True if this very absence has already had a case, closed or not (§ 6.8.1)."""
    standing = open_pause(game.state().bookings, PauseReason.BOUNCE)
    if standing is None or not isinstance(standing.booked, Paused):
        return False
    since = to_us(start_of_day(standing.booked.first, game.zone))
    person, kind = game.person_of(late), CaseKind.OFFLINE.value
    known = case_rows.open_about_in(conn, game.group_id, person, kind)
    if known is not None and known.state in UNDECIDED:
        return game.id in games_of(known)
    return case_rows.was_opened(conn, game.group_id, person, kind, since)


def _opening(claim: NewClaim) -> Opening:
    """The case that a claim, a silence or an absence opens (§ 6.3.3.5, § 6.3.4, § 6.8.1)."""
    game, regulation = claim.game, Regulation(claim.game.regulation)
    match claim.kind:
        case CaseKind.SILENCE:
            question, about = "@silence", _SILENCE[regulation]
        case CaseKind.OFFLINE:
            question, about = "@offline", ("6.8.1", "6.2.8")
        case _:
            question, about = f"@overstep_{claim.late.value}", _CLAIM[regulation]
    return Opening(
        kind=claim.kind,
        group_id=game.group_id,
        zone=game.zone,
        parties=(game.white_id, game.black_id),
        question=question,
        paragraphs=about,
        games=(game.id,),
        about=game.person_of(claim.late),
    )
