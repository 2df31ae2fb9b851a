"""Which letters a change causes, as outbox rows in the change's own transaction.

A row says which letter, to whom and about which event; the words are composed when it is
sent, from the ledger up to that event. Its Message-ID is derived from the same facts, so that
a repeat is recognised. Not for text (mail.compose) nor for sending (the outbox job).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b

from kskak.game import game_events as ev
from kskak.play.due_days import last_reminder
from kskak.play.game_state import GameState
from kskak.regulation.editions import Channel, Regulation, Side
from server.store.engine.rows import dump_json
from server.store.mail.outbox import NewOutbox
from server.store.play.games import GameRow
from server.usecases.games.reply_keys import ReplyPosition, make_key


class LetterKind(StrEnum):
    """Every letter the server writes."""

    START = "start"
    FIRST_MOVE = "first_move"
    POSITION = "position"
    ANNULLED = "annulled"
    CONFIRMATION = "confirmation"
    RELAY = "relay"
    NOT_MADE = "not_made"
    ASK_BACK = "ask_back"
    HELD = "held"
    LATE_ASK = "late_ask"
    GAMES = "games"
    GAME_OVER = "game_over"
    DRAW = "draw"
    LEAVE_CONFIRMED = "leave_confirmed"
    LEAVE_REFUSED = "leave_refused"
    LEAVE_NOTICE = "leave_notice"
    OVERSTEP = "overstep"
    CLAIM = "claim"
    REMINDER = "reminder"
    SILENCE_COPY = "silence_copy"
    SILENCE_TOLD = "silence_told"
    SILENCE = "silence"
    THINK_WARNING = "think_warning"
    LONG_THINK = "long_think"
    CONTROL_WARNING = "control_warning"
    OFFLINE = "offline"
    LEAVE_SHORTER = "leave_shorter"
    LEAVE_TOLD = "leave_told"
    TROUBLE = "trouble"
    SIGN_IN = "sign_in"
    CASE = "case"
    DECISION = "decision"
    START_ANNULLED = "start_annulled"
    TO_ALL = "to_all"
    CARD = "card"
    CARD_FAULTY = "card_faulty"
    CARD_CORRECTED = "card_corrected"
    DAMAGED_DUE = "damaged_due"
    EMAIL_WORD = "email_word"
    ADDRESS = "address"
    READDRESSED = "readdressed"
    OFFICE = "office"
    RESULT_ASKED = "result_asked"
    PUBLISHED = "published"
    PRIZES_DUE = "prizes_due"
    BULLETIN = "bulletin"
    BULLETIN_DUE = "bulletin_due"
    ENTRY = "entry"
    TAKEOVER = "takeover"
    OBJECTION_LATE = "objection_late"
    YEAR_STEP = "year_step"
    CUP_ROUND = "cup_round"
    LEAGUE = "league"
    LEAGUE_SCHEDULE = "league_schedule"
    TEAM_ENTRY = "team_entry"
    JOIN = "join"
    ACCOUNT = "account"
    THREAD = "thread"
    NOT_SENT = "not_sent"
    ALARM = "alarm"
    OUTAGE = "outage"
    DIGEST = "digest"


def _short(said: str) -> str:
    """What distinguishes letters in their Message-IDs: 20 characters."""
    return blake2b(said.encode(), digest_size=10).hexdigest()


@dataclass(frozen=True, slots=True)
class Poster:
    """Makes outbox rows. ``domain`` is ours, ``secret`` signs the reply keys.

    ``dated``: how the Message-IDs of its letters about games begin.
    """

    secret: bytes
    domain: str
    now_us: int
    dated: str = ""

    def about(self, at_us: int) -> "Poster":
        """The same for the letters of an event of that instant.

        Their Message-IDs begin with it: a batch then adds to one place of the index that knows
        them, not to a page for each, which were two thirds of all pages that a move wrote.
        """
        return Poster(self.secret, self.domain, self.now_us, f"{at_us // 1000:x}.")

    def about_game(
        self,
        kind: LetterKind,
        game: GameRow,
        to: Side | None,
        at: tuple[int, int],
        params: dict[str, object] | None = None,
        unique: str = "",
    ) -> NewOutbox:
        """A letter about a game to a player, or to the leader (None).

        ``at`` is the event's number and the plies then played. A player's letter carries the
        key in its Message-ID too, for mail programs that drop the address's tag.
        """
        seq, ply = at
        if to is None:
            reader, key = game.tl_id, "tl"
        else:
            reader = game.person_of(to)
            key = make_key(self.secret, ReplyPosition(game.id, ply, to))
        told = _short(f"{kind.value}.{game.id}.{seq}.{reader}.{unique}")
        named = f"{self.dated}{key}.{told}"
        return self._row(kind, named, reader, params, game_id=game.id, seq=seq)

    def to_person(
        self, kind: LetterKind, person_id: int, unique: str, params: dict[str, object]
    ) -> NewOutbox:
        """A letter about no single game. ``unique`` distinguishes it from others of its kind."""
        told = _short(f"{kind.value}.{person_id}.{unique}")
        return self._row(kind, f"{kind.value}.{told}", person_id, params)

    def _row(
        self,
        kind: LetterKind,
        named: str,
        reader: int,
        params: dict[str, object] | None,
        game_id: int | None = None,
        seq: int | None = None,
    ) -> NewOutbox:
        return NewOutbox(
            message_id=f"<{named}@{self.domain}>",
            kind=kind.value,
            to_addr="",
            created_us=self.now_us,
            due_us=self.now_us,
            person_id=reader,
            game_id=game_id,
            seq=seq,
            params=dump_json(params) if params else "{}",
        )


def addressless(
    poster: Poster, kind: LetterKind, unique: str, params: dict[str, object]
) -> NewOutbox:
    """A letter to somebody not registered yet; the recipient is found through ``params``."""
    return replace(poster.to_person(kind, 0, unique, params), person_id=None)


def make_unique(letter: NewOutbox, unique: str) -> NewOutbox:
    """The letter with a Message-ID that depends on ``unique``, not on the game's progress."""
    local, _, domain = letter.message_id.strip("<>").rpartition("@")
    key = local.split(".")[-2]
    named = f"once.{letter.kind}.{letter.game_id}.{letter.person_id}.{unique}"
    told = _short(named)
    return replace(letter, message_id=f"<{key}.{told}@{domain}>")


def letters_of(
    poster: Poster,
    game: GameRow,
    events: tuple[ev.Event, ...],
    first_seq: int,
    states: tuple[GameState, GameState],
    unread: tuple[str, ...] = (),
    is_told: bool = False,
) -> tuple[NewOutbox, ...]:
    """The letters that a game's new events cause; ``states`` are before and after.

    ``is_told``: all were told of the overstep when the time ran out.
    """
    before, after = states
    ply = after.position.ply
    over = before.result is None and after.result is not None
    out: list[NewOutbox] = []
    for offset, event in enumerate(events):
        at = (first_seq + offset, ply)
        out += _of_event(poster, game, event, at, over, unread)
        out += _build_leave_letter(poster, game, event, after)
        if isinstance(event, ev.MoveSent) and not over and last_reminder(before) is not None:
            # The answer to a reminder goes to the leader too (§ 6.8.3).
            why: dict[str, object] = {"why": "answered"}
            out.append(poster.about_game(LetterKind.SILENCE_COPY, game, None, at, why))
    if _needs_position(events, states):
        at = (first_seq + len(events) - 1, ply)
        out.append(poster.about_game(LetterKind.POSITION, game, after.mover, at))
    if before.overstep is None and after.overstep is not None and not (over or is_told):
        at = (first_seq + len(events) - 1, ply)
        out += [poster.about_game(LetterKind.OVERSTEP, game, s, at) for s in (*Side, None)]
    if over:
        at = (first_seq + len(events) - 1, ply)
        out += [poster.about_game(LetterKind.GAME_OVER, game, s, at) for s in (*Side, None)]
    return tuple(out)


def _needs_position(events: tuple[ev.Event, ...], states: tuple[GameState, GameState]) -> bool:
    """Whether who moves by e-mail has no letter to answer: a ruling or a correction changed the
    position, and an answer to an older letter is not about this one (FIDE 7.5).
    """
    before, after = states
    is_by_mail = after.terms.regulation is Regulation.EMAIL or after.means.is_agreed
    if after.to_move is None or after.rests or not is_by_mail:
        return False
    effects = (event.effect if isinstance(event, ev.RulingApplied) else event for event in events)
    is_turned = any(isinstance(one, ev.GameSetBack | ev.RulingAnnulled) for one in effects)
    return is_turned and (before.board.fen() != after.board.fen() or after.position.ply == 0)


_BY, _OTHER, _LEADER, _WHITE, _BLACK = range(5)
"""To whom: the event's player, the other one, the leader; a colour, whoever did it."""
_ALL = (_WHITE, _BLACK, _LEADER)
_LETTERS: dict[
    type[ev.Event], tuple[tuple[LetterKind, tuple[int, ...], dict[str, object]], ...]
] = {
    ev.EmailAnswered: ((LetterKind.EMAIL_WORD, (_OTHER,), {}),),
    ev.DrawDeclined: ((LetterKind.DRAW, (_OTHER,), {"word": "declined"}),),
    ev.DrawClaimFailed: ((LetterKind.DRAW, (_OTHER,), {"word": "claimed"}),),
    ev.LeaveBooked: ((LetterKind.LEAVE_NOTICE, (_OTHER,), {}),),
    ev.LeaveShortened: ((LetterKind.LEAVE_SHORTER, (_OTHER,), {}),),
    ev.OverstepFound: ((LetterKind.OVERSTEP, _ALL, {}),),
    ev.OverstepClaimed: ((LetterKind.CLAIM, _ALL, {}),),
    # Notice, reminder and report (§ 6.3.4, § 6.8.3).
    ev.LongThinkNotified: ((LetterKind.LONG_THINK, (_OTHER,), {}),),
    ev.OpponentReminded: (
        (LetterKind.REMINDER, (_OTHER,), {}),
        (LetterKind.SILENCE_COPY, (_LEADER,), {"why": "reminded"}),
        (LetterKind.SILENCE_TOLD, (_BY,), {"step": "reminded"}),
    ),
    ev.LeaderTold: (
        (LetterKind.SILENCE, (_LEADER,), {}),
        (LetterKind.SILENCE_TOLD, (_BY,), {"step": "leader_told"}),
    ),
}
"""The letters of each kind of event but a move; the result has letters of its own."""


def _of_event(
    poster: Poster,
    game: GameRow,
    event: ev.Event,
    at: tuple[int, int],
    over: bool,
    unread: tuple[str, ...],
) -> list[NewOutbox]:
    """The letters of one event."""
    if isinstance(event, ev.MoveSent):
        if event.channel is Channel.POST:
            # Whom to tell depends on who entered the card (postal/postal_letter_facts.py).
            return []
        told: dict[str, object] = {"unread": list(unread)} if unread else {}
        sent = [poster.about_game(LetterKind.CONFIRMATION, game, event.by, at, told)]
        if not over:
            sent.append(poster.about_game(LetterKind.RELAY, game, event.by.other, at))
        return sent
    if type(event) not in _LETTERS:
        return []
    by: Side = getattr(event, "by")  # noqa: B009 - each of the table has one
    readers = (by, by.other, None, *Side)
    return [
        poster.about_game(kind, game, readers[to], at, params)
        for kind, whom, params in _LETTERS[type(event)]
        for to in whom
    ]


def _build_leave_letter(
    poster: Poster, game: GameRow, event: ev.Event, after: GameState
) -> list[NewOutbox]:
    """The leader's letter about a leave: the same for each of its games, so kept once (§ 6.3.6)."""
    if not isinstance(event, ev.LeaveBooked | ev.LeaveShortened):
        return []
    same = [
        one.booked
        for one in after.bookings
        if isinstance(one.booked, ev.LeaveBooked)
        and (one.booked.by, one.booked.first, one.booked.last)
        == (event.by, event.first, event.last)
    ]
    player, kind = game.person_of(event.by), same[-1].leave_type.value
    days: dict[str, object] = {"first": event.first.isoformat(), "last": event.last.isoformat()}
    if isinstance(event, ev.LeaveShortened):
        days["until"] = event.until.isoformat()
    # A leave given up and booked again is another leave, and reported again.
    unique = ".".join(map(str, (player, kind, len(same), *days.values())))
    params = {"player": player, "type": kind, **days}
    return [poster.to_person(LetterKind.LEAVE_TOLD, game.tl_id, unique, params)]
