"""Cards of a postal game, entered by a player, his opponent or the leader (§ 6.2.1, § 6.3.2).

One transaction: the event, the card with its picture, and the letters to those who did not enter
it. Whoever enters a card states facts; the opponent is told at once and may object to the leader.
Not for what the dates cost (kskak) nor for forms (web, API).
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from sqlalchemy import Connection

from kskak.game import commands as cmd
from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.play.evolve import NeedsHistory
from kskak.play.state import GameState
from kskak.regulation.quantities import Channel, Fault, Side
from mail.grammar.keywords import Word
from mail.grammar.understood import Problem, ProblemKind, Reading
from server.store.cases import cards as card_rows
from server.store.cases.cards import CardRow
from server.store.engine.types import to_us
from server.store.play.games import GameRow
from server.store.play.idempotency import IdempotencyKey, StoredResponse
from server.store.play.people import PersonRow
from server.usecases.core.batch import process
from server.usecases.core.batching import Failed
from server.usecases.core.context import Core, poster_of
from server.usecases.core.game_work import LockedGame, PlainUnit, Replayed, Writes
from server.usecases.core.offices import rights
from server.usecases.core.outbox_letters import Poster
from server.usecases.play.ask import Answer, Extra, NotYours, Origin, carry_out, writes_of
from server.usecases.play.reading import TextProblem, read_words
from server.usecases.postal.letters import letters_of_card
from server.usecases.postal.scans import Scan
from server.usecases.reflection.late_cards import held_back


class CardKind(StrEnum):
    """What a card contains."""

    MOVE = "move"
    ILLEGAL = "illegal"
    ILLEGIBLE = "illegible"
    DAMAGED = "damaged"
    RESIGNS = "resigns"
    DRAW = "draw"


_FAULTS = {
    CardKind.ILLEGAL: Fault.ILLEGAL,
    CardKind.ILLEGIBLE: Fault.ILLEGIBLE,
    CardKind.DAMAGED: Fault.DAMAGED_IN_POST,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A card as somebody enters it. ``by``: who sent it; ``text``: what is written on it.

    ``received``: when the sender states that the move being answered was received; ``arrived``:
    when the card came. ``postmark`` None: illegible.
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
_Respond = Callable[[Answer], tuple[int, str]]


def command_of(entry: Entry, state: GameState, author: Side | None, lang: str, on: date) -> Built:
    """The command for an entered card, or why there is none. ``author`` None: an official."""
    match entry.kind:
        case CardKind.MOVE:
            return _move(entry, state, author, lang, on)
        case CardKind.RESIGNS | CardKind.DRAW:
            day = entry.stated or entry.postmark or on
            return cmd.RecordEnd(entry.by, entry.kind is CardKind.RESIGNS, day)
    if author is entry.by:
        # Only its recipient sees what was wrong with a card, never its sender.
        return Refusal(Reason.NOT_YOUR_TURN)
    fault = _FAULTS[entry.kind]
    if fault is Fault.ILLEGAL and entry.by is state.to_move:
        reading = read_words(state, entry.by, entry.text, lang=lang, today=on)
        if _can_be_played(reading):
            return Refusal(Reason.CARD_LAWFUL)
    return cmd.RecordFaultyCard(entry.by, entry.ply, fault, entry.arrived or on)


def _can_be_played(reading: Reading) -> bool:
    """Whether a card has a possible move, even if its number or its repetition is wrong.

    Neither makes a move impossible or illegible (§ 6.3.5.1).
    """
    problem = reading.problem
    if problem is None:
        return bool(reading.moves)
    return bool(problem.candidates) or problem.kind is ProblemKind.WRONG_REPETITION


def _move(entry: Entry, state: GameState, author: Side | None, lang: str, on: date) -> Built:
    """A card's moves, all of them understood: nothing written on it may be dropped."""
    if entry.ply != state.position.ply or entry.by is not state.to_move:
        return Refusal(Reason.STALE if entry.by is state.to_move else Reason.NOT_YOUR_TURN)
    reading = read_words(state, entry.by, entry.text, lang=lang, today=on)
    if reading.problem is not None:
        return TextProblem(reading.problem, reading)
    others = [word for word in Word if word is not Word.DRAW_OFFER and reading.asks(word)]
    if reading.rest or others or not reading.moves:
        left = reading.rest[0] if reading.rest else entry.text
        return TextProblem(Problem(ProblemKind.NOT_UNDERSTOOD, left.strip()[:60]), reading)
    return cmd.RecordCard(
        by=entry.by,
        ply=entry.ply,
        plies=reading.moves,
        card=ev.Card(entry.postmark, entry.receipt, entry.stated),
        received=entry.received,
        arrived=entry.arrived,
        proposes=reading.proposes,
        offers_draw=entry.offers_draw or reading.asks(Word.DRAW_OFFER),
        is_own=author is entry.by,
    )


@dataclass(frozen=True, slots=True)
class CardUnit(PlainUnit):
    """An entered card as the writer runs it on its locked game."""

    game_id: int
    person: PersonRow
    is_official: bool
    entry: Entry
    poster: Poster
    origin: Origin
    today: date
    idempotency: IdempotencyKey | None = None
    respond: _Respond | None = None

    def run(self, locked: LockedGame) -> tuple[Writes, Answer]:
        """Read, decide, apply. Raises NotYours for anyone neither a player nor an official."""
        row, state, entry = locked.row, locked.state, self.entry
        author = row.side_of(self.person.id)
        if author is None and not self.is_official:
            raise NotYours
        command = command_of(entry, state, author, self.person.lang, self.today)
        if isinstance(command, cmd.RecordFaultyCard) and _is_known(locked, command):
            command = Refusal(Reason.CARD_KNOWN)
        if isinstance(command, TextProblem):
            return self._nothing(Answer(row, state, state, (), row.seq, problem=command))
        done = command if isinstance(command, Refusal) else carry_out(locked, command, self.origin)
        if isinstance(done, Refusal):
            return self._nothing(Answer(row, state, state, (), row.seq, refusal=done))
        events, after = done
        answer = Answer(row, state, after, events, row.seq + len(events))
        letters = letters_of_card(self.poster, answer, author, self.person)
        extra = Extra(outbox=letters, idempotent=self._kept(answer))
        writes = writes_of(locked, events, after, self.origin, self.poster, extra)
        due = held_back(writes.deadlines or (), after, row, self.today)
        return replace(writes, deadlines=due), answer

    def _kept(self, answer: Answer) -> StoredResponse | None:
        if self.idempotency is None or self.respond is None:
            return None
        status, body = self.respond(answer)
        return StoredResponse(status, body, to_us(self.origin.at))

    def _nothing(self, answer: Answer) -> tuple[Writes, Answer]:
        return Writes(idempotent=self._kept(answer)), answer


def _is_known(locked: LockedGame, command: cmd.RecordFaultyCard) -> bool:
    """Whether the same faulty card was entered before: it costs its days once (§ 6.3.5.1)."""
    if locked.events is None:
        raise NeedsHistory
    same = ev.FaultySent(command.by, command.arrived, command.fault)
    for event in reversed(locked.events):
        if isinstance(event, ev.MoveSent):
            return False
        if event == same:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Recording:
    """A request: who enters which card, by which channel, answered once under a key."""

    game_id: int
    person: PersonRow
    entry: Entry
    channel: str = Channel.WEB.value
    idempotency: IdempotencyKey | None = None
    respond: _Respond | None = None


async def record_card(core: Core, asked: Recording, game: GameRow) -> Answer | Replayed:
    """Enter a card; everything is written or nothing.

    Raises NotYours, UnknownGame, KeyReused.
    """
    held = await rights(core, asked.person)
    unit = CardUnit(
        game_id=asked.game_id,
        person=asked.person,
        is_official=held.speaks_for(game.group_id),
        entry=asked.entry,
        poster=poster_of(core),
        origin=Origin(core.clock.now(), asked.person.id, asked.channel),
        today=core.today(game.zone),
        idempotency=asked.idempotency,
        respond=asked.respond,
    )
    now_us = core.now_us
    entered: Counter[str] = Counter()

    def work(conn: Connection) -> object:
        (answer,) = process(conn, [unit], entered)
        if isinstance(answer, Answer) and answer.events:
            card_rows.add(conn, _kept_card(asked, answer, now_us))
        return answer

    answer = await core.writer.transact(work, entered)
    if isinstance(answer, Failed):
        raise answer.error
    assert isinstance(answer, Answer | Replayed), "no mail stands behind this"
    return answer


def _kept_card(asked: Recording, answer: Answer, now_us: int) -> CardRow:
    """The card's row, at the number of its first event."""
    entry, scan = asked.entry, asked.entry.scan
    return CardRow(
        game_id=asked.game_id,
        seq=answer.game.seq + 1,
        entered_by=asked.person.id,
        is_legible=entry.is_legible,
        note=entry.note if entry.kind is CardKind.MOVE else entry.text or entry.note,
        scan=None if scan is None else scan.data,
        scan_type=None if scan is None else scan.media_type,
        scan_digest=None if scan is None else scan.digest,
        at_us=now_us,
    )
