"""A player's request to a game: one transaction from the command to its letters.

The entry point for the web, the API and, through its own unit, mail. The command is built inside
the transaction from the locked state, decided, and its events, letters and due work are
written together. Not for reading text (below) nor for pages (game_views.py).
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

import chess

from kskak.board.notation import MoveRead, read_move
from kskak.board.shapes import NotationLanguage
from kskak.game.game_commands import Command, Reason, Refusal, SendMoves
from kskak.game.game_events import Event, GamePaused
from kskak.play.decide_command import decide_and_reach, let_lapsed_claim_go
from kskak.play.evolve_game import NeedsHistory, advance
from kskak.play.game_state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.editions import Channel, PauseReason, Side
from mail.grammar.keyword_lines import (
    ParsedText,
    ParseProblem,
    PlayedPly,
    ProblemKind,
    Word,
    WriterPosition,
)
from mail.grammar.read_text import read_text
from mail.grammar.spoken_moves import takes_nothing
from mail.text.catalogue import FACTS, spoken
from server.store.engine.rows import from_us, to_us
from server.store.mail.due_work import Due
from server.store.play.games import GameRow, SeenPosition
from server.store.play.notes_and_messages import MessageRow
from server.store.play.requests import IdempotencyKey, StoredResponse
from server.usecases.context import Core, poster_of
from server.usecases.game_letters import NO_NOTES, MailNotes, letters_of
from server.usecases.games.case_closing import list_broken
from server.usecases.games.case_opening import list_claims, list_ended_claims
from server.usecases.games.game_units import (
    NOTHING_WRITTEN,
    AlreadyDone,
    CaseCause,
    Later,
    LockedGame,
    Origin,
    PlainUnit,
    UsedConfirmation,
    Writes,
    due_of,
    due_work,
    near_of,
)
from server.usecases.games.outbox_letters import Poster

# From a player's words to a command, for mail, web and API alike: the grammar on a game's state.

_OWN_LETTERS: dict[str, frozenset[NotationLanguage]] = {
    code: frozenset(map(NotationLanguage, facts.reads)) for code, facts in FACTS.items()
}


_LONE_MOVE = re.compile(r"[A-Za-z1-8][A-Za-z1-8-]{1,6}(=[A-Z]|\([1-4]\))?[+#]?|0{2,3}")
"""What may be one move and nothing else; whether it is one is for the notation to say."""


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A text that yields no command; ``reading`` says what was understood.

    ``head`` and ``rest``: the beginning that is a dispatch, and what follows that is not;
    ``series``: the whole as it would propose a series, where that is legal (§ 6.2.5).
    """

    problem: ParseProblem
    reading: ParsedText
    head: str = ""
    rest: str = ""
    series: str = ""


def build_writer_position(state: GameState, side: Side) -> WriterPosition:
    """The game's position as seen by a writer of this colour."""
    previous = tuple(
        PlayedPly(ply.number, ply.by is Side.WHITE, ply.move, ply.san) for ply in state.recent
    )
    mine = state.to_move is side
    proposal = state.proposal if mine else ()
    return WriterPosition(state.board, mine, previous, proposal, state.position.ply)


def parse_player_text(
    state: GameState, side: Side, text: str, *, lang: str, today: date
) -> ParsedText:
    """Read a player's words in his own language's piece letters first, then in all of them.

    What is ambiguous in his own letters (§ 6.8.4) is asked about, not read in others: a Danish
    player's «Bc4» may be a pawn move. A move is invalid only if it is so in all letters (§ 6.8.6).
    """
    if state.to_move is side and (lone := bare_move(state, text, lang)) is not None:
        is_empty = takes_nothing(state.board, lone, text)
        return ParsedText(moves=(lone,), empty_take=text if is_empty else "")
    position = build_writer_position(state, side)
    first = read_text(text, position, _OWN_LETTERS[spoken(lang)], today=today)
    if first.moves and first.rest and not (first.proposes or first.unmarked):
        wider = read_text(text, position, today=today)
        return wider if wider.unmarked and wider.moves == first.moves else first
    if first.problem is None or first.problem.kind is ProblemKind.AMBIGUOUS:
        return first
    anywhere = read_text(text, position, today=today)
    if anywhere.moves or _is_clearer(anywhere.problem, first.problem):
        return anywhere
    return _with_guess(first, anywhere.problem)


def _with_guess(reading: ParsedText, wider: ParseProblem | None) -> ParsedText:
    """A number that is off, with the move he may mean as all letters read it.

    In his own letters a move that is written in others is skipped, and a worse one guessed.
    """
    problem = reading.problem
    is_off = problem is not None and problem.kind is ProblemKind.WRONG_NUMBER
    if problem is None or not is_off or wider is None or not wider.candidates:
        return reading
    return replace(reading, problem=replace(problem, candidates=wider.candidates))


def _is_clearer(one: ParseProblem | None, other: ParseProblem) -> bool:
    """Whether the reading in all letters at least found a move's shape, or costs no days."""
    if one is None or one.kind is ProblemKind.NOT_UNDERSTOOD:
        return False
    is_free = other.is_invalid and not one.is_invalid
    return is_free or other.kind is ProblemKind.NOT_UNDERSTOOD


def send_moves(
    reading: ParsedText, side: Side, ply: int, *, offers_draw: bool, received: date | None = None
) -> SendMoves:
    """The dispatch that a reading with moves asks for; ``received``: a day of receipt that counts
    in place of the usual one (§ 6.8.2)."""
    return SendMoves(
        by=side,
        ply=ply,
        plies=reading.moves,
        proposes=reading.proposes,
        offers_draw=offers_draw or reading.asks(Word.DRAW_OFFER),
        received=received,
    )


def bare_move(state: GameState, text: str, lang: str) -> chess.Move | None:
    """A legal move that stands alone: what the grammar would find, without its work on lines.

    None for everything else: numbers, several moves, a standing series, what is not understood.
    """
    if state.proposal or _LONE_MOVE.fullmatch(text) is None:
        return None
    read = read_move(state.board, text, languages_of(lang))
    return read.move if isinstance(read, MoveRead) else None


def languages_of(lang: str) -> Collection[NotationLanguage]:
    """The piece letters that a player of this language writes."""
    return _OWN_LETTERS[spoken(lang)]


_UNREAD = (ProblemKind.NOT_UNDERSTOOD, ProblemKind.UNSURE, ProblemKind.DRAW_UNCLEAR)

LONGEST = 60
"""Characters of what is quoted back."""
MOST_PARSED_WORDS = 24
"""How many words of a text are searched for the end of a dispatch."""


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Reads the words for a move at the moment of decision, in the locked state: web, API, Xfcc.

    The grammar of a mail, but here everything must be understood, since a refusal costs nobody a
    day and nothing may be dropped that was not shown. ``ply`` is the position the caller saw; a
    stale one is refused when it is decided.
    """

    text: str
    ply: int
    offers_draw: bool
    today: date
    reads: str
    """The language whose letters come first (problems.py)."""
    takes_offer: bool = False
    """Whether a draw offer may stand in the words: a page has a tick for it."""

    def __call__(self, state: GameState, side: Side) -> SendMoves | TextProblem:
        """The dispatch, or what is not understood."""
        if self.ply != state.position.ply:
            # Against another position the text would mean something else: let the guard refuse it.
            return SendMoves(side, self.ply, (chess.Move.null(),))
        reading = parse_player_text(state, side, self.text, lang=self.reads, today=self.today)
        problem = reading.problem
        if problem is None and self._is_whole(reading):
            return send_moves(reading, side, self.ply, offers_draw=self.offers_draw)
        if problem is None:
            left = reading.rest[0] if reading.rest else self.text.strip()
            problem = ParseProblem(ProblemKind.NOT_UNDERSTOOD, left[:LONGEST])
        found = TextProblem(problem, reading)
        return self._apart(state, side, found) if problem.kind in _UNREAD else found

    def _is_whole(self, reading: ParsedText) -> bool:
        """Whether a reading is a dispatch and nothing else."""
        known = {Word.DRAW_OFFER} if self.takes_offer else set[Word]()
        is_more = any(keyword.word not in known for keyword in reading.keywords)
        return bool(reading.moves) and not (reading.problem or reading.rest or is_more)

    def _apart(self, state: GameState, side: Side, found: TextProblem) -> TextProblem:
        """If the beginning is a dispatch, only the rest is what is not understood."""
        words = self.text.split()
        if found.problem.token.startswith("0") and found.reading.moves:
            return found  # a series that was marked as one
        for count in range(min(len(words) - 1, MOST_PARSED_WORDS), 0, -1):
            head, rest = " ".join(words[:count]), " ".join(words[count:])
            if self._is_clean(state, side, head):
                series = f"{head} 0{rest}"
                if not self._is_clean(state, side, series, proposes=True):
                    series = ""
                problem = replace(found.problem, token=rest[:LONGEST])
                return TextProblem(problem, found.reading, head[:LONGEST], rest[:LONGEST], series)
        whole = " ".join(words)[:LONGEST]
        return replace(found, problem=replace(found.problem, token=whole))

    def _is_clean(self, state: GameState, side: Side, text: str, *, proposes: bool = False) -> bool:
        """Whether a text is a dispatch and nothing else, with a series if there is to be one."""
        reading = parse_player_text(state, side, text, lang=self.reads, today=self.today)
        return self._is_whole(reading) and bool(reading.proposes) == proposes


# A player's request to a game: one transaction from the command to its letters.

Build = Callable[[GameState, Side], Command | Refusal | TextProblem]


class NotYours(Exception):
    """The person plays neither side in the game, and so may not ask."""


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A person's request. ``at`` is the instant that counts; None: when it is submitted.

    ``respond`` makes the response that is stored under ``idempotency``, in the same transaction;
    ``used`` is the question that it answers. ``seen``: where its sender saw the game, whose words
    are not read in another position.
    """

    game_id: int
    person_id: int
    channel: str
    build: Build
    message: str = ""
    at: datetime | None = None
    idempotency: IdempotencyKey | None = None
    respond: "Respond | None" = None
    used: UsedConfirmation | None = None
    seen: SeenPosition | None = None


@dataclass(frozen=True, slots=True)
class GameRequestOutcome:
    """The outcome: events and the state after them, or why not. ``seq`` counts all events."""

    game: GameRow
    before: GameState
    state: GameState
    events: tuple[Event, ...]
    seq: int
    refusal: Refusal | None = None
    problem: TextProblem | None = None


Respond = Callable[[GameRequestOutcome], tuple[int, str]]
"""Status and body of the response to an outcome."""


def not_before(locked: LockedGame, at: datetime, *, is_now: bool) -> datetime:
    """When a request counts as made: in a game, dates never run backwards (§ 6.8.6).

    The machine's clock may have been set back; a request made now then counts as made with the
    newest event. ``is_now`` False: the instant may well be earlier, as for a mail that we had
    deferred; but no answer is dated before the move that it answers.
    """
    sent, last = locked.state.turn.opponent_sent, locked.row.last_us
    if last is None:
        return at
    if is_now or (sent is not None and local_day(at, locked.row.zone) < sent):
        return max(at, from_us(last))
    return at


Done = tuple[tuple[Event, ...], GameState]
"""Events, and the state after them."""


def run_command(locked: LockedGame, command: Command, origin: Origin) -> Refusal | Done:
    """Decide a command and apply its events. Raises NeedsHistory when the ledger must be loaded.

    An overstep by days of an outage that nobody has settled is not found: the pause that it asks
    for then stands in this game, ahead of what was asked (reading of § 6.8.5). A claim is refused,
    and nothing is kept of it: what still stands once it is settled the server finds itself.
    """
    done = _decided(locked, command, origin, ())
    if isinstance(done, Refusal) or locked.state.overstep or not done[1].overstep:
        return done
    days = locked.unsettled(to_us(origin.at))
    pauses = tuple(GamePaused(*both, PauseReason.OUTAGE) for both in days)
    booked = [one.booked for one in locked.state.bookings]
    fresh = tuple(pause for pause in pauses if pause not in booked)
    if not fresh:
        return done
    again = _decided(locked, command, origin, fresh)
    if isinstance(again, Refusal) and again.reason is Reason.NO_OVERSTEP:
        return Refusal(Reason.OUTAGE_UNSETTLED)
    return again


def _decided(
    locked: LockedGame, command: Command, origin: Origin, pauses: tuple[Event, ...]
) -> Refusal | Done:
    """The same in the game as it is after ``pauses``, which stand only with what follows."""
    state, seq = locked.state, locked.row.seq
    if pauses:
        state = advance(state, pauses, seq, lambda: _history(locked))
    today = local_day(origin.at, locked.row.zone)
    reached = decide_and_reach(state, command, today)
    if isinstance(reached, Refusal):
        return reached
    events, after = reached
    if not events:
        return (), locked.state
    if after is None:
        before = (*pauses, *events)
        after = advance(locked.state, before, seq, lambda: _history(locked))
    if ends := let_lapsed_claim_go(locked.state, after, today):
        so_far = (*pauses, *events)
        after = advance(after, ends, seq + len(so_far), lambda: (*_history(locked), *so_far))
        events = (*events, *ends)
    return (*pauses, *events), after


def _history(locked: LockedGame) -> Sequence[Event]:
    if locked.events is None:
        raise NeedsHistory
    return locked.events


def carry_out(
    locked: LockedGame, command: Command | Refusal | TextProblem, origin: Origin
) -> GameRequestOutcome:
    """What came of a command that was built, or of what there is in its place."""
    row, state = locked.row, locked.state
    if isinstance(command, TextProblem):
        return GameRequestOutcome(row, state, state, (), row.seq, problem=command)
    done = command if isinstance(command, Refusal) else run_command(locked, command, origin)
    if isinstance(done, Refusal):
        return GameRequestOutcome(row, state, state, (), row.seq, refusal=done)
    events, after = done
    return GameRequestOutcome(row, state, after, events, row.seq + len(events))


def stored_response(
    respond: Respond | None, key: IdempotencyKey | None, answer: GameRequestOutcome, now: datetime
) -> StoredResponse | None:
    """The response to be repeated for the same key."""
    if key is None or respond is None:
        return None
    status, body = respond(answer)
    return StoredResponse(status, body, to_us(now), key.request)


def writes_of(
    locked: LockedGame,
    done: Done,
    origin: Origin,
    poster: Poster,
    more: Writes = NOTHING_WRITTEN,
    message: str = "",
    notes: MailNotes = NO_NOTES,
) -> Writes:
    """Events, letters and due work of one unit, and what it writes ``more``, together.

    ``message``: to the opponent, with the first event; ``notes``: what the mail says besides.
    """
    events, after = done
    first_seq = locked.row.seq + 1
    at_us = to_us(origin.at)
    states = (locked.state, after)
    is_warned = locked.state.turn.warned is not None
    letters = letters_of(
        poster.about(at_us), locked.row, events, first_seq, states, notes, is_warned
    )
    cause = CaseCause(locked.row, origin.actor_id, origin.at, poster)
    messages: tuple[MessageRow, ...] = ()
    if message and events and origin.actor_id is not None:
        messages = (MessageRow(locked.row.id, first_seq, origin.actor_id, message),)
    return Writes(
        events=events,
        origin=origin,
        state=after if events else None,
        outbox=(*letters, *more.outbox),
        deadlines=_changed_due(states, locked.row),
        messages=messages,
        confirmations=more.confirmations,
        confirmations_used=more.confirmations_used,
        inbox_mark=more.inbox_mark,
        idempotent=more.idempotent,
        claims=list_claims(cause, events, states),
        ended_claims=list_ended_claims(cause, events, states),
        broken=list_broken(cause, events, states),
    )


def _changed_due(states: tuple[GameState, GameState], row: GameRow) -> Due | None:
    """The due work after a change; None when unchanged: work already done is not set again."""
    before, after = states
    if before.position.ply == after.position.ply:
        near = near_of(row, before)
        was, now = (due_work(state, row.post_days, near) for state in states)
        if was == now:
            return None
    return due_of(row, after)


@dataclass(frozen=True, slots=True)
class AskUnit(PlainUnit):
    """One person's request as the writer runs it."""

    asked: GameRequest
    poster: Poster
    now: datetime

    @property
    def game_id(self) -> int:
        """The game it is about."""
        return self.asked.game_id

    @property
    def idempotency(self) -> IdempotencyKey | None:
        """The key that makes a repeat harmless."""
        return self.asked.idempotency

    def run(self, locked: LockedGame) -> tuple[Writes | Later, GameRequestOutcome]:
        """Build, decide, apply. Raises NotYours; NeedsHistory for an event about the past."""
        asked, row = self.asked, locked.row
        side = row.side_of(asked.person_id)
        if side is None:
            raise NotYours
        missed = None if asked.seen is None else _find_position_mismatch(locked, side, asked.seen)
        command = asked.build(locked.state, side) if missed is None else Refusal(missed)
        at = not_before(locked, asked.at or self.now, is_now=asked.at is None)
        origin = Origin(at, asked.person_id, asked.channel)
        answer = carry_out(locked, command, origin)
        more = Writes(
            idempotent=stored_response(asked.respond, asked.idempotency, answer, self.now),
            confirmations_used=() if asked.used is None else (asked.used,),
        )
        if not answer.events:
            return more, answer
        done, poster = (answer.events, answer.state), self.poster
        return partial(writes_of, locked, done, origin, poster, more, asked.message), answer


def _find_position_mismatch(locked: LockedGame, side: Side, seen: SeenPosition) -> Reason | None:
    """Why the text is not even parsed: in another position it would mean something else."""
    state = locked.state
    if state.result is not None:
        return Reason.GAME_OVER
    if state.rests:
        return Reason.AT_REST
    if seen.ply not in (None, state.position.ply) or seen.is_gone(locked.set_backs):
        return Reason.STALE
    return None if state.to_move is side else Reason.NOT_YOUR_TURN


async def ask(core: Core, asked: GameRequest) -> GameRequestOutcome | StoredResponse:
    """Put a request to a game; ``StoredResponse`` when the idempotency key was seen before.

    Raises NotYours, UnknownGame, KeyReused; everything is written or nothing.
    """
    answer = await core.writer.submit(AskUnit(asked, poster_of(core), core.clock.now()))
    if isinstance(answer, AlreadyDone):
        raise TypeError("no mail stands behind this")
    return answer


# What the server itself observes about a game: time, deliveries, outages.

Observe = Callable[[GameState, Side | None], Command | None]


@dataclass(frozen=True, slots=True)
class ObserveUnit(PlainUnit):
    """An observation as the writer runs it; ``build`` returns None when there is nothing to do."""

    game_id: int
    build: Observe
    at: datetime
    poster: Poster
    by: int | None = None
    channel: str = "server"

    def run(self, locked: LockedGame) -> tuple[Writes, bool]:
        """Whether something happened."""
        command = self.build(locked.state, locked.state.to_move)
        if command is None:
            return Writes(), False
        origin = Origin(self.at, self.by, self.channel)
        done = run_command(locked, command, origin)
        if isinstance(done, Refusal) or not done[0]:
            return Writes(), False
        return writes_of(locked, done, origin, self.poster), True


async def submit_observation(
    core: Core,
    game_id: int,
    build: Observe,
    at: datetime,
    by: int | None = None,
    channel: str = Channel.WEB.value,
) -> bool:
    """Tell a game what was observed; whether it changed anything.

    ``by``: the official who did, through a ``channel``; None: the server itself.
    """
    said = (None, "server") if by is None else (by, channel)
    done = await core.writer.submit(ObserveUnit(game_id, build, at, poster_of(core), *said))
    return done is True


# A button on a page as a request: its form's key, and the answer kept for a second click.

SENT = 303
REFUSED = 409


def build_form_key(person_id: int, path: str, key: str) -> IdempotencyKey:
    """The key that identifies a form; ``path`` is where it is posted."""
    return IdempotencyKey.of(person_id, f"web-{key}", "POST", path, b"")


def build_form_request(
    game_id: int, kept: IdempotencyKey, build: Build, message: str = "", at: datetime | None = None
) -> GameRequest:
    """The request to a game; ``at`` is the instant that counts, None: now."""
    return GameRequest(
        game_id=game_id,
        person_id=kept.person_id,
        channel=Channel.WEB.value,
        build=build,
        message=message,
        at=at,
        idempotency=kept,
        respond=build_stored_answer,
    )


def build_stored_answer(answer: GameRequestOutcome) -> tuple[int, str]:
    """What is stored under the form's key, so that a second click gets the same."""
    if answer.refusal is not None:
        return REFUSED, answer.refusal.reason.value
    return (SENT if answer.problem is None else REFUSED), ""


def read_request_outcome(
    outcome: GameRequestOutcome | StoredResponse,
) -> GameRequestOutcome | Refusal | None:
    """The outcome; None when the form had already been submitted and carried out."""
    if isinstance(outcome, GameRequestOutcome):
        return outcome
    return None if outcome.status == SENT else Refusal(Reason(outcome.body or Reason.STALE))
