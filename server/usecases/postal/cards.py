"""Cards of a postal game, entered by a player, his opponent or the leader (§ 6.2.1, § 6.3.2).

One transaction: the event, the card with its picture, and the letters to those who did not enter
it. Whoever enters a card states facts; the opponent is told at once and may object to the leader.
Not for what the dates cost (kskak) nor for forms (web, API).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import Connection

from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import Event, MoveSent
from kskak.play.decide_command import decide, turn_of_card
from kskak.play.events_in_force import correct_entry, find_arrival_day, in_force, time_back
from kskak.play.evolve_game import NeedsHistory, replay
from kskak.play.game_state import AccountCharge, AccountLine, GameState
from kskak.regulation.days import local_day, may_object
from kskak.regulation.editions import Channel, MoveFault, Regulation, Side
from kskak.statement.account import Account, account
from mail.grammar.keyword_lines import ParsedText, ParseProblem, ProblemKind, Word
from mail.text.letter_facts import MoveText, move_texts
from server.store.cases import papers as paper_rows
from server.store.cases import publications as publication_rows
from server.store.cases.papers import CardRow
from server.store.engine.rows import from_us
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.requests import IdempotencyKey, StoredResponse
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import LockedGame, Origin, PlainUnit, Writes
from server.usecases.games.outbox_letters import Poster
from server.usecases.games.writer import write_all
from server.usecases.play.game_requests import (
    GameRequestOutcome,
    NotYours,
    Respond,
    TextProblem,
    carry_out,
    parse_player_text,
    stored_response,
    writes_of,
)
from server.usecases.play.game_views import GameView, game_view
from server.usecases.postal.scans import Scan, letters_of_card, letters_of_correction
from server.usecases.reflection.silence_and_outages import held_back
from server.usecases.rights import Rights, desk_groups, rights


class CardKind(StrEnum):
    """What a card contains."""

    MOVE = "move"
    ILLEGAL = "illegal"
    ILLEGIBLE = "illegible"
    DAMAGED = "damaged"
    RESIGNS = "resigns"
    DRAW = "draw"
    NOTHING = "nothing"
    """What was entered is void, and nothing takes its place: only when correcting."""


_FAULTS = {
    CardKind.ILLEGAL: MoveFault.ILLEGAL,
    CardKind.ILLEGIBLE: MoveFault.ILLEGIBLE,
    CardKind.DAMAGED: MoveFault.DAMAGED_IN_POST,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInput:
    """A card as somebody enters it. ``by``: who sent it; ``text``: what is written on it.

    ``received``: when the sender states that the move being answered was received;
    ``find_arrival_day``: when the card came. ``postmark`` None: illegible.
    """

    kind: CardKind
    by: Side
    ply: int
    text: str = ""
    postmark: date | None = None
    receipt: date | None = None
    stated: date | None = None
    received: date | None = None
    arrived: date | None = None
    offers_draw: bool = False
    note: str = ""
    scan: Scan | None = field(default=None, repr=False)

    @property
    def is_legible(self) -> bool:
        """Whether the card and its postmark can be read."""
        if self.kind in (CardKind.ILLEGIBLE, CardKind.DAMAGED):
            return False
        return self.kind is not CardKind.MOVE or self.postmark is not None


Built = cmd.PostalCommand | Refusal | TextProblem


def command_of(
    entry: CardInput, state: GameState, author: Side | None, lang: str, on: date
) -> Built:
    """The command for an entered card, or why there is none. ``author`` None: an official."""
    match entry.kind:
        case CardKind.NOTHING:
            return Refusal(Reason.CARD_UNKNOWN)  # it takes the place of nothing
        case CardKind.MOVE:
            return _move(entry, state, author, lang, on)
        case CardKind.RESIGNS | CardKind.DRAW:
            day = entry.stated or entry.postmark or on
            return cmd.RecordEnd(entry.by, entry.kind is CardKind.RESIGNS, day)
    if author is entry.by:
        # Only its recipient sees what was wrong with a card, never its sender.
        return Refusal(Reason.NOT_YOUR_TURN)
    fault = _FAULTS[entry.kind]
    if fault is MoveFault.ILLEGAL and entry.by is state.to_move:
        reading = parse_player_text(state, entry.by, entry.text, lang=lang, today=on)
        if _can_be_played(reading):
            return Refusal(Reason.CARD_LAWFUL)
    return cmd.RecordFaultyCard(entry.by, entry.ply, fault, entry.arrived or on)


def _can_be_played(reading: ParsedText) -> bool:
    """Whether a card has a possible move, even if its number or its repetition is wrong.

    Neither makes a move impossible or illegible (§ 6.3.5.1).
    """
    problem = reading.problem
    if problem is None:
        return bool(reading.moves)
    return bool(problem.candidates) or problem.kind is ProblemKind.WRONG_REPETITION


def _move(entry: CardInput, state: GameState, author: Side | None, lang: str, on: date) -> Built:
    """A card's moves, all of them understood: nothing written on it may be dropped."""
    if state.to_move is None:
        return Refusal(Reason.AT_REST if state.awaits_decision else Reason.GAME_OVER)
    wrong = turn_of_card(state, entry.by, entry.ply, is_own=author is entry.by)
    if wrong is not None:
        return wrong
    reading = parse_player_text(state, entry.by, entry.text, lang=lang, today=on)
    if reading.problem is not None:
        return TextProblem(reading.problem, reading)
    others = [word for word in Word if word is not Word.DRAW_OFFER and reading.asks(word)]
    if reading.rest or others or not reading.moves:
        left = reading.rest[0] if reading.rest else entry.text
        return TextProblem(ParseProblem(ProblemKind.NOT_UNDERSTOOD, left.strip()[:60]), reading)
    return cmd.RecordCard(
        by=entry.by,
        ply=entry.ply,
        plies=reading.moves,
        card=ev.CardDates(entry.postmark, entry.receipt, entry.stated),
        received=entry.received,
        arrived=entry.arrived,
        proposes=reading.proposes,
        offers_draw=entry.offers_draw or reading.asks(Word.DRAW_OFFER),
        is_own=author is entry.by,
    )


@dataclass(frozen=True, slots=True)
class Recording:
    """A request: who enters which card, by which channel, answered once under a key."""

    game_id: int
    person: PersonRow
    entry: CardInput
    channel: str = Channel.WEB.value
    idempotency: IdempotencyKey | None = None
    respond: Respond | None = None
    corrects: int | None = None
    """The number of the entry whose place this takes."""
    right_game: GameRow | None = None
    """Where the card belongs, if it was entered in another game."""


@dataclass(frozen=True, slots=True)
class CardUnit(PlainUnit):
    """An entered card as the writer runs it on its locked game."""

    asked: Recording
    is_official: bool
    poster: Poster
    at: datetime
    today: date
    wrong: CardRow | None = None
    is_final: bool = False

    @property
    def game_id(self) -> int:
        """The game it is about."""
        return self.asked.game_id

    @property
    def idempotency(self) -> IdempotencyKey | None:
        """The key that makes a repeat harmless."""
        return self.asked.idempotency

    def run(self, locked: LockedGame) -> tuple[Writes, GameRequestOutcome]:
        """Read, decide, apply. Raises NotYours for anyone neither a player nor an official."""
        row, person = locked.row, self.asked.person
        author = row.side_of(person.id)
        if author is None and not self.is_official:
            raise NotYours
        if self.wrong is not None:
            return self._correct(locked, self.wrong, author)
        command = command_of(self.asked.entry, locked.state, author, person.lang, self.today)
        if isinstance(command, cmd.RecordFaultyCard) and _is_known(locked, command):
            command = Refusal(Reason.CARD_KNOWN)
        answer = carry_out(locked, command, self._origin)
        letters = letters_of_card(self.poster, answer, author, person)
        writes = self._writes(locked, answer, letters)
        if not answer.events:
            return writes, answer
        due = held_back(writes.deadlines or (), answer.state, row, self.today)
        return replace(writes, deadlines=due), answer

    def _correct(
        self, locked: LockedGame, wrong: CardRow, author: Side | None
    ) -> tuple[Writes, GameRequestOutcome]:
        """The wrong card is void; what is entered takes its place, if anything does (§ 6.2.4)."""
        if locked.events is None:
            raise NeedsHistory
        if not self.is_official and wrong.entered_by != self.asked.person.id:
            raise NotYours
        asks = None if self.is_official else author
        back = correct_entry(locked.state, locked.events, wrong.seq, asks, is_final=self.is_final)
        if isinstance(back, Refusal):
            answer = carry_out(locked, back, self._origin)
            return self._writes(locked, answer, ()), answer
        base = set_back(locked, back)
        done = self._instead(base, add_arrival(self.asked.entry, locked.events, wrong.seq), wrong)
        if not done.events:
            answer = replace(done, game=locked.row, before=locked.state, state=locked.state)
            answer = replace(answer, seq=locked.row.seq)
            return self._writes(locked, answer, ()), answer
        answer = replace(done, game=locked.row, events=(back, *done.events))
        letters = letters_of_correction(self.poster, answer, wrong.seq, self.asked.person)
        return self._writes(locked, answer, letters), answer

    def _instead(self, base: LockedGame, entry: CardInput, wrong: CardRow) -> GameRequestOutcome:
        """What takes the wrong card's place in the game without it."""
        row, person = base.row, self.asked.person
        if entry.kind is CardKind.NOTHING:
            paused = time_back(local_day(from_us(wrong.at_us), row.zone), self.today)
            assert base.events is not None
            after = replay(row.terms, (*base.events, paused))
            return GameRequestOutcome(row, base.state, after, (paused,), row.seq + 1)
        author = row.side_of(person.id)
        command = command_of(entry, base.state, author, person.lang, self.today)
        return carry_out(base, command, self._origin)

    @property
    def _origin(self) -> Origin:
        return Origin(self.at, self.asked.person.id, self.asked.channel)

    def _writes(
        self, locked: LockedGame, answer: GameRequestOutcome, letters: tuple[NewOutbox, ...]
    ) -> Writes:
        asked = self.asked
        kept = stored_response(asked.respond, asked.idempotency, answer, self.at)
        besides = Writes(outbox=letters, idempotent=kept)
        if not answer.events:
            return besides
        done = (answer.events, answer.state)
        return writes_of(locked, done, self._origin, self.poster, besides)


def set_back(locked: LockedGame, back: ev.GameSetBack) -> LockedGame:
    """The locked game as it is once an entry is void."""
    assert locked.events is not None
    events = (*locked.events, back)
    row = replace(locked.row, seq=locked.row.seq + 1)
    return LockedGame(row, replay(row.terms, events), events)


def add_arrival(entry: CardInput, events: Sequence[ev.Event], seq: int) -> CardInput:
    """The right card with the day on which its reader said that it came, unless told anew."""
    wrong = events[seq - 1]
    if entry.kind is not CardKind.MOVE or getattr(wrong, "by", None) is not entry.by:
        return entry
    return replace(entry, arrived=entry.arrived or find_arrival_day(events, seq - 1))


def _is_known(locked: LockedGame, command: cmd.RecordFaultyCard) -> bool:
    """Whether the same faulty card was entered before: it costs its days once (§ 6.3.5.1)."""
    if locked.events is None:
        raise NeedsHistory
    same = ev.FaultySent(command.by, command.arrived, command.fault)
    for _, event in reversed(in_force(locked.events)):
        if isinstance(event, ev.MoveSent):
            return False
        if event == same:
            return True
    return False


class _NotTaken(Exception):
    """Carries an answer out of a transaction, which is rolled back."""

    def __init__(self, answer: GameRequestOutcome) -> None:
        self.answer = answer


async def is_final(core: Core, game: GameRow) -> bool:
    """Whether nobody may object to a game's result any more: published 14 days ago (§ 6.4.5)."""
    if game.result is None:
        return False
    until = await core.store.query(publication_rows.objections_until, game.group_id, [game.id])
    return until is not None and not may_object(date.fromisoformat(until), core.today(game.zone))


async def record_card(
    core: Core, asked: Recording, game: GameRow
) -> GameRequestOutcome | StoredResponse:
    """Enter a card, or put one right; everything is written or nothing.

    Raises NotYours, UnknownGame, KeyReused.
    """
    wrong = None
    if asked.corrects is not None:
        wrong = await core.store.query(paper_rows.find_card, game.id, asked.corrects)
        if wrong is None:
            state, refusal = game.state(), Refusal(Reason.CARD_UNKNOWN)
            return GameRequestOutcome(game, state, state, (), game.seq, refusal=refusal)
    units, now_us = await _units(core, asked, game, wrong), core.now_us
    entered: Counter[str] = Counter()

    def work(conn: Connection) -> object:
        first, *others = units
        answer = _enter(conn, first, now_us, entered)
        if isinstance(answer, GameRequestOutcome) and answer.events:
            for unit in others:
                moved = _enter(conn, unit, now_us, entered)
                if isinstance(moved, GameRequestOutcome) and not moved.events:
                    raise _NotTaken(moved)
        return answer

    try:
        answer = await core.writer.transact(work, entered)
    except _NotTaken as error:
        return error.answer
    assert isinstance(answer, GameRequestOutcome | StoredResponse), "no mail stands behind this"
    return answer


async def _units(
    core: Core, asked: Recording, game: GameRow, wrong: CardRow | None
) -> tuple[CardUnit, ...]:
    """What is done in the game, and in the one where the card belongs."""
    held, elsewhere = await rights(core, asked.person), asked.right_game
    unit = CardUnit(
        asked=asked,
        is_official=held.speaks_for(game.group_id),
        poster=poster_of(core),
        at=core.clock.now(),
        today=core.today(game.zone),
        wrong=wrong,
        is_final=await is_final(core, game),
    )
    if elsewhere is None or wrong is None:
        return (unit,)
    entry = replace(asked.entry, scan=asked.entry.scan or scan_of(wrong))
    moved = replace(asked, game_id=elsewhere.id, entry=entry, idempotency=None)
    is_official = held.speaks_for(elsewhere.group_id)
    there = replace(unit, asked=moved, is_official=is_official, wrong=None)
    taken_out = replace(asked, entry=replace(asked.entry, kind=CardKind.NOTHING))
    return replace(unit, asked=taken_out), there


def _enter(conn: Connection, unit: CardUnit, now_us: int, entered: Counter[str]) -> object:
    """Run one unit in the transaction. Raises what it failed with."""
    (answer,) = write_all(conn, [unit], entered)
    if isinstance(answer, GameRequestOutcome) and answer.events:
        _keep_card(conn, unit, answer, now_us)
    return answer


def scan_of(card: CardRow) -> Scan | None:
    """The picture of a card that was entered."""
    if card.scan is None or card.scan_type is None:
        return None
    return Scan(card.scan_type, card.scan)


def _keep_card(conn: Connection, unit: CardUnit, answer: GameRequestOutcome, now_us: int) -> None:
    """Store the card at the number of its first event; it has the wrong one's picture if none."""
    entry, wrong = unit.asked.entry, unit.wrong
    if entry.kind is CardKind.NOTHING:
        return
    scan = entry.scan or (None if wrong is None else scan_of(wrong))
    card = CardRow(
        game_id=unit.game_id,
        seq=answer.game.seq + (1 if wrong is None else 2),
        entered_by=unit.asked.person.id,
        is_legible=entry.is_legible,
        note=entry.note if entry.kind is CardKind.MOVE else entry.text or entry.note,
        scan=None if scan is None else scan.data,
        scan_type=None if scan is None else scan.media_type,
        scan_digest=None if scan is None else scan.digest,
        at_us=now_us,
    )
    paper_rows.add_card(conn, card)


# What entering a card would do: shown before it is written. Nothing is stored.


@dataclass(frozen=True, slots=True)
class CardPreview:
    """The moves on a card, its dated row, any charges besides; the events, and the account then."""

    moves: tuple[MoveText, ...]
    row: AccountLine | None
    charges: tuple[AccountCharge, ...]
    events: tuple[Event, ...]
    account: Account

    @property
    def after(self) -> GameState:
        """The state after it."""
        return self.account.state


def corrected_view(
    view: GameView, seq: int, author: Side | None, *, is_final: bool
) -> GameView | Refusal:
    """The game as it is once an entry is void; ``author`` None: an official asks (§ 6.2.4)."""
    back = correct_entry(view.account.state, view.events, seq, author, is_final=is_final)
    if isinstance(back, Refusal):
        return back
    return replace(view, account=account(view.game.terms, (*view.events, back), view.today))


def preview_card(
    view: GameView, entry: CardInput, author: Side | None, lang: str
) -> CardPreview | Refusal | TextProblem:
    """The card as it would be counted today, or why it can't be entered."""
    state, today = view.account.state, view.today
    if entry.kind is CardKind.NOTHING:
        return CardPreview((), None, (), (), view.account)
    command = command_of(entry, state, author, lang, today)
    if isinstance(command, Refusal | TextProblem):
        return command
    events = decide(state, command, today)
    if isinstance(events, Refusal):
        return events
    after = account(view.game.terms, (*view.events, *events))
    made = after.rows[len(view.account.rows) :]
    moves = tuple(row.move for row in made)
    is_move = any(isinstance(event, MoveSent) for event in events)
    own = next((row for row in reversed(made) if row.by is entry.by), None)
    return CardPreview(
        moves=move_texts(state.board, moves) if is_move else (),
        row=own,
        charges=after.charges[len(view.account.charges) :],
        events=tuple(events),
        account=after,
    )


# Several cards in one go: what the account makes of each, one on top of the other (§ 6.3.2).

NEAR_DAYS = 5
"""Days left from which it is said that they are few."""
MOST_NAMED = 500
"""Games whose names the page offers."""


class CardDoubt(StrEnum):
    """What to look at again before a card counts."""

    ILLEGIBLE = "illegible"
    """No postmark: the sender's own date counts."""
    DIFFERS = "differs"
    """The sender writes another day than the postmark (Kendelse 38)."""
    NOT_RECEIVED = "not_received"
    """It is not told when the sender had the card that it answers."""
    OVER = "over"
    """The limit is passed: all are told, and a case is opened."""
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class CardCheck:
    """A card as it would count. ``view``: the game before it, the cards above it counted.

    ``made`` None: it can't be entered, ``problem`` says why; None too: no such game.
    """

    view: GameView | None
    by: Side | None = None
    entry: CardInput | None = None
    made: CardPreview | None = None
    problem: Refusal | TextProblem | None = None
    doubts: tuple[CardDoubt, ...] = ()

    @property
    def used(self) -> tuple[int, int]:
        """Days used, of how many, by its sender: at the control where they are passed."""
        assert self.made is not None and self.by is not None
        after = self.made.after
        over = after.overstep
        if over is not None and over.by is self.by:
            return over.used, over.limit
        return after.clock(self.by).total, after.limit_of(self.by)

    @property
    def left(self) -> int:
        """Days left; below 0 when the limit is passed."""
        used, limit = self.used
        return limit - used


async def postal_games(core: Core, held: Rights) -> tuple[GameRow, ...]:
    """The running postal games that an official may enter cards for, by name."""
    async with core.store.read() as conn:
        mine = await desk_groups(conn, held, is_everywhere=held.leads_all or held.is_kc)
        return await paper_rows.running_postal(conn, mine, MOST_NAMED)


async def try_all(
    core: Core, person: PersonRow, asked: Sequence[tuple[str, CardInput]]
) -> list[CardCheck]:
    """What each card would come to, by the name of its game; the later ones after the earlier."""
    held, views, found = await rights(core, person), dict[str, GameView | None](), list[CardCheck]()
    for name, entry in asked:
        if name not in views:
            views[name] = await _view(core, held, name)
        one = _tried(views[name], entry, person.lang)
        if one.view is not None and one.made is not None:
            views[name] = replace(one.view, account=one.made.account)
        found.append(one)
    return found


async def _view(core: Core, held: Rights, name: str) -> GameView | None:
    row = await core.store.query(game_rows.by_name, name)
    if row is None or row.terms.regulation is not Regulation.POSTAL:
        return None
    return await game_view(core, row.id) if held.speaks_for(row.group_id) else None


def _tried(view: GameView | None, entry: CardInput, lang: str) -> CardCheck:
    """The card of the side to move, as of the position that the cards above it lead to."""
    if view is None:
        return CardCheck(None)
    state = view.account.state
    by = state.to_move or state.mover
    card = replace(entry, by=by, ply=state.position.ply)
    made = preview_card(view, card, None, lang)
    if not isinstance(made, CardPreview):
        return CardCheck(view, by, card, problem=made)
    one = CardCheck(view, by, card, made)
    return replace(one, doubts=tuple(_doubts(one, card)))


def _doubts(one: CardCheck, card: CardInput) -> Iterator[CardDoubt]:
    assert one.view is not None and one.made is not None
    if card.kind is CardKind.MOVE:
        if card.postmark is None:
            yield CardDoubt.ILLEGIBLE
        elif card.stated not in (None, card.postmark):
            yield CardDoubt.DIFFERS
        if card.received is None and card.ply and one.view.account.state.receipt is None:
            yield CardDoubt.NOT_RECEIVED
    if one.left < 0:
        yield CardDoubt.OVER
    elif one.left <= NEAR_DAYS:
        yield CardDoubt.NEAR
