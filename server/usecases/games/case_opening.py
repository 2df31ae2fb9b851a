"""A case's events and its row, and how a case begins and is closed by the server (§ 6.4.1).

It begins by a claim on any channel, a finding of the server, an objection. A claimed overstep opens
its case in the claim's own transaction (§ 6.3.3.5, § 6.8.7); one that the server found opens it
before anybody claims (§ 6.3.3), and so does a silence that the leader is told of (§ 6.3.4). Not
for deciding (kskak.cases.decide_case) nor for what follows (cases/case_transaction.py).
"""

import json
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Protocol

from sqlalchemy import Connection

from kskak.cases.board import VACANT
from kskak.cases.case import (
    ENDS,
    REPORTED,
    SERVER,
    Actor,
    CaseCommand,
    CaseRefusal,
    CaseStage,
    CaseState,
    FilePaper,
    OpenCase,
    WidenCase,
)
from kskak.cases.case_events import (
    CaseEvent,
    CaseKind,
    GameClaimed,
    GamesSuspended,
    Instance,
    PaperFiled,
    PaperKind,
)
from kskak.cases.decide_case import apply_case_events, decide_case
from kskak.cases.evolve_case import load_case_event, proven_case_text
from kskak.game.game_events import (
    ClaimStands,
    Event,
    GamePaused,
    LeaderTold,
    LeaveBooked,
    OverstepClaimed,
    OverstepFound,
    RulingAnnulled,
    RulingApplied,
)
from kskak.ledger.ledger_files import JsonObject, clock_json
from kskak.ledger.stored_events import CodecError
from kskak.play.game_state import GameState
from kskak.reflection import open_pause
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.editions import LeaveType, PauseReason, Regulation, Side, rules_of
from kskak.statement.account import account
from mail.office_letters.case_letters import CaseDecision, CaseNotice, CaseWord
from server.store import divisions as division_rows
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseEventRow, CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.rows import to_us
from server.store.mail import batch as batch_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.usecases.games.case_hearers import (
    list_administrators,
    officials_in,
    panel_of,
    who_may_hear,
)
from server.usecases.games.game_units import (
    CaseCause,
    CaseRaised,
    ClaimEnded,
    NewClaim,
    start_of_day,
)
from server.usecases.games.outbox_letters import Poster

_log = logging.getLogger(__name__)


def dumps(value: JsonObject) -> bytes:
    """A JSON paper's body."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


class UnreadCase(ValueError):
    """An event of a case can't be read; ``seq``: its number."""

    def __init__(self, case_id: int, seq: int) -> None:
        super().__init__(f"case {case_id}: event {seq} can't be read")
        self.case_id, self.seq = case_id, seq


def events_in(rows: Iterable[CaseEventRow]) -> tuple[CaseEvent, ...]:
    """What happened in a case, or cases. Raises UnreadCase."""
    return tuple(map(_event_in, rows))


def _event_in(row: CaseEventRow) -> CaseEvent:
    try:
        return load_case_event(row.body)
    except (CodecError, RecursionError):
        raise UnreadCase(row.case_id, row.seq) from None


def state_of(events: Iterable[CaseEventRow]) -> CaseState:
    """A case's state from its events, which are few enough to be read every time.

    Raises UnreadCase.
    """
    return apply_case_events(None, events_in(events))


class KeptText(Protocol):
    """A row with an event's text."""

    @property
    def body(self) -> str:
        """The text."""
        ...


def readable_events(rows: Iterable[KeptText]) -> list[CaseEvent]:
    """The events that can be read, for what is about many cases and goes on with the others."""
    found = list[CaseEvent]()
    for row in rows:
        try:
            found.append(load_case_event(row.body))
        except (CodecError, RecursionError):
            _log.error("left out, can't be read: %s", row)
    return found


def readable(events: Iterable[CaseEventRow]) -> CaseState | None:
    """The same; None for a case that can't be read: what is about many goes on without it."""
    try:
        return state_of(events)
    except UnreadCase as unread:
        _log.error("left out: %s", unread)
        return None


def head_of(
    state: CaseState, zone: str, now_us: int, closed_us: int | None = None
) -> dict[str, Any]:
    """The row's columns that repeat the state; due when the last day of a time limit is over."""
    opened = state.opened
    # What only some cases have is left out of others'; the games come last (store/cases/cases.py).
    summary = {
        "question": state.question,
        "parties": list(opened.parties),
        "concerned": list(opened.concerned),
        **({"claimant": opened.claimant} if opened.claimant is not None else {}),
        **({"kinds": list(state.kinds)} if state.joined else {}),
        **({"claims": [claim.game for claim in state.claims]} if state.claims else {}),
        "games": list(opened.games),
    }
    due = None if state.due is None else to_us(start_of_day(state.due + ONE_DAY, zone))
    return {
        "state": state.stage.value,
        "instance": state.instance.value,
        "snapshot": json.dumps(summary, ensure_ascii=False, separators=(",", ":")),
        "is_suspended": bool(state.suspended),
        "due_us": due,
        "closed_us": (closed_us or now_us) if state.stage in ENDS else None,
    }


def bodies_of(events: Iterable[CaseEvent]) -> tuple[str, ...]:
    """The events' texts to be kept, each proven to read back."""
    return tuple(map(proven_case_text, events))


def append_to(
    conn: Connection,
    case: CaseRow,
    state: CaseState,
    events: Iterable[CaseEvent],
    at: tuple[int, int | None],
) -> None:
    """Append new events to a locked case; ``at``: the instant and the actor."""
    head = head_of(state, case.zone, at[0], case.closed_us)
    case_rows.append(conn, case, head, bodies_of(events), at)


@dataclass(frozen=True, slots=True)
class CaseNews:
    """What happened, for the others in the case. ``by`` None: the server."""

    word: CaseWord
    by: int | None
    text: str = ""
    until: date | None = None


def notices(
    poster: Poster, case: CaseRow, notice: CaseNews, readers: Iterable[int]
) -> tuple[NewOutbox, ...]:
    """One letter to each person named, even if named twice."""
    params: dict[str, object] = {
        "case": case.id,
        "word": notice.word.value,
        "by": notice.by,
        "text": notice.text,
        "until": None if notice.until is None else notice.until.isoformat(),
    }
    unique = f"{case.id}.{case.seq}.{notice.word.value}"
    return tuple(
        poster.to_person(CaseNotice, person, unique, params) for person in dict.fromkeys(readers)
    )


def decision_letter(
    poster: Poster, case: CaseRow, ref: str, person_id: int, paper_id: int, *, is_copy: bool = False
) -> NewOutbox:
    """The letter of a decision; its Message-ID follows from case, ref and person (§ 6.4.3)."""
    params: dict[str, object] = {"case": case.id, "ref": ref, "paper": paper_id}
    params |= {"is_copy": True} if is_copy else {}
    return poster.to_person(CaseDecision, person_id, f"{case.id}.{ref}", params)


def warn_of_no_hearers(
    conn: Connection, case: CaseRow, state: CaseState, poster: Poster
) -> tuple[NewOutbox, ...]:
    """Letters to the administrators where nobody may hear the case, once for each state of it."""
    if who_may_hear(conn, case, state, poster.now_us) is not None:
        return ()
    notice = CaseNews(CaseWord(f"unheard_{state.instance.value}"), None)
    return notices(poster, case, notice, list_administrators(conn, poster.now_us))


def call_in_substitutes(
    conn: Connection, case: CaseRow, state: CaseState, poster: Poster
) -> tuple[NewOutbox, ...]:
    """Letters to who now sits in a case for a member that left the Board, once each (§ 1.3.9)."""
    if state.instance is not Instance.BOARD or state.stage is not CaseStage.APPEALED:
        return ()
    seated = panel_of(conn, case, state, poster.now_us)
    new = [one.member for one in seated if one.reason == VACANT]
    return notices(poster, replace(case, seq=0), CaseNews(CaseWord.SEATED, None), new)


# Which captains are told of a case, and which teams its players are in (§ 6.7.2.2, § 6.7.6.1).


def same_club(one: str | None, other: str | None) -> bool:
    """True if two clubs are the same, ignoring surrounding blanks and case."""
    first, second = ((name or "").strip().casefold() for name in (one, other))
    return bool(first) and first == second


def clubs_of(conn: Connection, group_id: int, players: Collection[int]) -> dict[int, str]:
    """The teams of players in a division, by player; empty for a group that is not one.

    A club's other team is in another division (§ 6.7.3.3), so club and group identify a team.
    """
    teams = {team.id: team.club for team in division_rows.teams(conn, group_id)}
    boards = division_rows.boards(conn, teams) if teams else ()
    return {row.person_id: teams[row.team_id] for row in boards if row.person_id in players}


def captains_in(
    conn: Connection, group_id: int, players: Collection[int], now_us: int
) -> tuple[int, ...]:
    """The captains of some players of a group, for a writer's own transaction."""
    captains = person_rows.captains_of(conn, group_id, now_us)
    if not captains:
        return ()
    if division_rows.division(conn, group_id) is not None:
        own = (division_rows.players_of_captain(conn, group_id, captain) for captain in captains)
        named = zip(captains, own, strict=True)
        return tuple(captain for captain, team in named if not team.isdisjoint(players))
    known = person_rows.with_ids(conn, [*players, *captains])
    clubs = [known[player].club for player in players]
    return tuple(one for one in captains if any(same_club(known[one].club, of) for of in clubs))


# Which of a game's new events open a case, or close one (§ 6.3.3.5, § 6.3.4, § 6.8.7).

States = tuple[GameState, GameState]
"""A game before and after its new events."""


def list_claims(cause: CaseCause, events: Sequence[Event], states: States) -> tuple[NewClaim, ...]:
    """The cases that events open (§ 6.3.3.5, § 6.3.4, § 6.8.7)."""
    game, by, at, poster = cause.game, cause.by, cause.at, cause.poster
    out: list[NewClaim] = []
    for event in events:
        match event:
            case OverstepClaimed():
                claim = NewClaim(game, by, at, poster, event.by.other)
                rests = any(isinstance(one, GamePaused) for one in events)
                out.append(replace(claim, is_claimed=event.awaits_decision, rests=rests))
            case OverstepFound():
                out.append(NewClaim(game, None, at, poster, event.by))
            case LeaderTold():
                out.append(NewClaim(game, None, at, poster, event.by.other, CaseKind.SILENCE))
    # A card or a charge may reveal an overstep that the server could not find on its day, not
    # knowing what the card says (§ 6.3.3.5). A ruling's effects belong to the ruling's own case.
    before, late = states[0].overstep, states[1].overstep
    own = OverstepClaimed | OverstepFound | RulingApplied | RulingAnnulled
    if before is None and late is not None and not any(isinstance(one, own) for one in events):
        out.append(NewClaim(game, None, at, poster, late.by))
    return tuple(out)


def list_ended_claims(
    cause: CaseCause, events: Sequence[Event], states: States
) -> tuple[ClaimEnded, ...]:
    """The late player's admission that the claim is right (§ 6.3.3.5), or the special leave by
    which nobody is late any more (§ 6.3.6.4); empty without either.
    """
    ended = ClaimEnded(cause.game, cause.by, cause.at, cause.poster)
    if any(isinstance(event, ClaimStands) for event in events):
        return (ended,)
    granted = (one for one in events if isinstance(one, LeaveBooked))
    if not any(one.leave_type is LeaveType.SPECIAL for one in granted):
        return ()
    today = local_day(cause.at, cause.game.zone)
    was_late, is_late = (state.is_time_up(today) for state in states)
    return (replace(ended, is_leave=True),) if was_late and not is_late else ()


# How a case begins: by a claim on any channel, a finding of the server, an objection (§ 6.4.1).

JSON = "application/json"
ACCOUNT = "@account"
"""The title of the account as evidence, a key of the catalogues."""
OF_PLAYER = frozenset({CaseKind.SILENCE, CaseKind.OFFLINE})
"""What makes a player count as having left, in all his games of a group (§ 6.3.4, § 6.8.1)."""
ABOUT_PLAYER = frozenset({*OF_PLAYER, CaseKind.OVERSTEP, CaseKind.WITHDRAWAL})
"""What is one case for one player of a group, whatever comes first (§ 6.4.1)."""
PRIVATE = CaseKind.WITHDRAWAL
"""A matter in which what a player says stays with him and the officials (§ 6.2.8)."""
DEATH = "@death"
"""The question of a dead player's case, a key of the catalogues."""
UNDECIDED = (CaseStage.OPENED, CaseStage.HEARD)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOpening(OpenCase):
    """A case to open in a group; ``about``: the person it concerns, if one.

    ``question``: a text, or ``@key`` for one in the catalogues (``cases.question``).
    """

    group_id: int
    zone: str
    about: int | None = None


def open_in(
    conn: Connection,
    opening: CaseOpening,
    at: datetime,
    actor: Actor,
    papers: Iterable[NewPaper] = (),
) -> tuple[CaseRow, CaseState] | CaseRefusal:
    """Open a case with its first papers, within a transaction; or say why not."""
    today, kept = local_day(at, opening.zone), tuple(papers)
    events = decide_case(None, opening, today, actor)
    if isinstance(events, CaseRefusal):
        return events
    events = (
        *events,
        *(
            PaperFiled(
                today,
                p.person_id,
                PaperKind(p.kind),
                p.digest.hex(),
                p.claimed_dates,
                p.claimed_result if opening.question == REPORTED else None,
            )
            for p in kept
        ),
    )
    state, now_us = apply_case_events(None, events), to_us(at)
    game = opening.games[0] if len(opening.games) == 1 else None
    values = head_of(state, opening.zone, now_us) | {
        "kind": opening.kind.value,
        "group_id": opening.group_id,
        "game_id": game,
        "person_id": opening.about,
        "opened_us": now_us,
    }
    at_by = (now_us, actor.person)
    case = case_rows.create(conn, today.year, values, bodies_of(events), at_by)
    for paper in kept:
        paper_rows.add_paper(conn, case.id, paper)
    return case, state


def evidence(conn: Connection, game: GameRow, at: datetime, by: int | None) -> NewPaper:
    """The game's account as it stands, as kskak-clock/1: what a claim rests on (§ 6.3.3.5)."""
    events = batch_rows.histories(conn, [game.id])[game.id]
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
    known = find_player_case(conn, game, game.person_of(claim.late))
    if known is not None:
        _join(conn, claim, case_rows.lock(conn, known.id), paper)
        return
    opened = open_in(conn, _opening(claim), at, Actor(claim.by), [paper])
    if not isinstance(opened, CaseRefusal):
        case, state = opened
        if events := _rest(claim, state):
            state = apply_case_events(state, events)
            append_to(conn, case_rows.lock(conn, case.id), state, events, (to_us(at), claim.by))
        _notify_captains(conn, claim, case, state)
        batch_rows.write_outbox(conn, warn_of_no_hearers(conn, case, state, claim.poster))


def find_player_case(conn: Connection, game: GameRow, person: int) -> CaseRow | None:
    """The undecided case about a player of the game's group: one in which the game is, if any.

    Else one about the time in the game that does not name whom it concerns.
    """
    about: dict[str, Any] = {"group_id": game.group_id, "person_id": person}
    about |= {"kind": ABOUT_PLAYER, "state": UNDECIDED}
    unnamed: dict[str, Any] = {"game_id": game.id, "kind": "overstep", "state": UNDECIDED}
    return (
        case_rows.open_case(conn, game.id, **about)
        or case_rows.open_case(conn, **about)
        or case_rows.open_case(conn, **unnamed)
    )


def _join(conn: Connection, claim: NewClaim, case: CaseRow, paper: NewPaper) -> None:
    """Add a claim, its account, and its game and players to the open case."""
    game, at = claim.game, claim.at
    before = state = state_of(case_rows.history(conn, case.id))
    events: tuple[CaseEvent, ...] = ()
    players = (game.white_id, game.black_id)
    new = players if claim.is_claimed else [p for p in players if p not in state.may_appeal]
    steps: tuple[tuple[CaseCommand, Actor], ...] = (
        (WidenCase((game.id,), tuple(new), (), (claim.kind,)), SERVER),
        (FilePaper(PaperKind.EVIDENCE, paper.digest.hex()), Actor(claim.by)),
    )
    for command, actor in steps:
        found = decide_case(state, command, local_day(at, game.zone), actor)
        if isinstance(found, CaseRefusal):
            return
        state, events = apply_case_events(state, found) if found else state, (*events, *found)
    rest = _rest(claim, before)
    append_to(conn, case, apply_case_events(state, rest), (*events, *rest), (to_us(at), claim.by))
    paper_rows.add_paper(conn, case.id, paper)
    _notify_captains(conn, claim, case, state, before.opened.parties)


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


def _notify_captains(
    conn: Connection, claim: NewClaim, case: CaseRow, state: CaseState, known: tuple[int, ...] = ()
) -> None:
    """Tell the players' captains of the case; players and leader get the claim's own letters.

    § 6.7.6.1: copies in complaints against the team's players. ``known``: the parties before,
    whose captains were told when the case was opened.
    """
    parties, now_us = state.opened.parties, to_us(claim.at)
    captains = captains_in(conn, case.group_id, parties, now_us)
    before = captains_in(conn, case.group_id, known, now_us) if known else ()
    told = [captain for captain in captains if captain not in {*parties, *before}]
    notice = CaseNews(CaseWord.OPENED, claim.by)
    batch_rows.write_outbox(conn, notices(claim.poster, case, notice, told))


def _is_known_absence(conn: Connection, game: GameRow, late: Side) -> bool:
    """True if this very absence has already had a case, closed or not (§ 6.8.1)."""
    standing = open_pause(game.state().bookings, PauseReason.BOUNCE)
    if standing is None or not isinstance(standing.booked, GamePaused):
        return False
    since = to_us(start_of_day(standing.booked.first, game.zone))
    person, group, kind = game.person_of(late), game.group_id, CaseKind.OFFLINE
    known = find_player_case(conn, game, person)
    if known is not None and kind in known.kinds:
        return game.id in known.games
    return case_rows.was_case_opened(conn, group, person, kind.value, since)


def _opening(claim: NewClaim) -> CaseOpening:
    """The case that a claim, a silence or an absence opens (§ 6.3.3.5, § 6.3.4, § 6.8.1)."""
    named = rules_of(Regulation(claim.game.regulation)).paragraphs
    match claim.kind:
        case CaseKind.SILENCE:
            return _about_player(claim, claim.kind, "@silence", (named.silence, "6.2.8"))
        case CaseKind.OFFLINE:
            return _about_player(claim, claim.kind, "@offline", ("6.8.1", "6.2.8"))
    question, cited = f"@overstep_{claim.late.value}", (named.control, named.claim)
    return _about_player(claim, claim.kind, question, cited)


def _about_player(
    cause: NewClaim | CaseRaised, kind: CaseKind, question: str, paragraphs: tuple[str, ...]
) -> CaseOpening:
    game = cause.game
    return CaseOpening(
        kind=kind,
        group_id=game.group_id,
        zone=game.zone,
        parties=(game.white_id, game.black_id),
        question=question,
        paragraphs=paragraphs,
        games=(game.id,),
        about=game.person_of(cause.late),
    )


# A case that a player raises by mail about an overstep the account does not show (§ 6.4.1).


def raise_case(conn: Connection, raised: CaseRaised) -> None:
    """Open the case, or file the player's words in the open one; everybody in it is told."""
    game, actor, at_us = raised.game, Actor(raised.by), to_us(raised.at)
    paper = NewPaper(
        kind=PaperKind.STATEMENT.value,
        title="",
        body=raised.text.strip().encode(),
        at_us=at_us,
        person_id=raised.by,
    )
    among = case_rows.open_cases(conn, game.id, state=UNDECIDED)
    known = next((one for one in among if CaseKind.OVERSTEP in one.kinds), None)
    word = CaseWord.OPENED if known is None else CaseWord.SAID
    if known is None:
        account = evidence(conn, game, raised.at, None)
        opened = open_in(conn, build_claim_case(raised), raised.at, actor, [account, paper])
        if isinstance(opened, CaseRefusal):
            return
        case, state = opened
    else:
        case = case_rows.lock(conn, known.id)
        state = state_of(case_rows.history(conn, case.id))
        dates = paper.claimed_dates
        filing = FilePaper(PaperKind.STATEMENT, paper.digest.hex(), claimed=dates)
        filed = decide_case(state, filing, local_day(raised.at, game.zone), actor)
        if isinstance(filed, CaseRefusal):
            return
        state = apply_case_events(state, filed)
        append_to(conn, case, state, filed, (at_us, raised.by))
        paper_rows.add_paper(conn, case.id, paper)
        case = case_rows.lock(conn, case.id)
    now_us, parties = raised.poster.now_us, state.opened.parties
    captains = captains_in(conn, case.group_id, parties, now_us)
    told = [*parties, *officials_in(conn, case, state, now_us), *captains]
    notice = CaseNews(word, raised.by, text=raised.text.strip())
    unheard = warn_of_no_hearers(conn, case, state, raised.poster)
    batch_rows.write_outbox(conn, (*notices(raised.poster, case, notice, told), *unheard))


def build_claim_case(raised: CaseRaised) -> CaseOpening:
    """The case about an overstep that one player alleges (§ 6.3.3.5)."""
    paragraphs = rules_of(Regulation(raised.game.regulation)).paragraphs.overstep
    return _about_player(raised, CaseKind.OVERSTEP, f"@overstep_{raised.late.value}", paragraphs)
