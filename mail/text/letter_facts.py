"""What letters are about: people, a game, the moves of a dispatch. Facts, no text.

Everything about time is in the game's account (``kskak.statement.account``), which a letter carries
whole. NOT for texts (``mail.text.catalogue``) nor for layout (``mail.compose``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import chess

from kskak.board.positions import Position
from kskak.board.shapes import MoveNotation, numeric, write_for_reader
from kskak.game.game_events import DrawClaimFailed, DrawDeclined, Event, MoveSent
from kskak.play.game_state import AccountLine
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import Account


@dataclass(frozen=True, slots=True)
class Person:
    """A player as his opponents may see him (§ 6.5.2.1, § 6.8.2).

    ``email``: his own address; None: it is not told.
    """

    name: str
    email: str | None = None


@dataclass(frozen=True, slots=True)
class OfficialContact:
    """Who is responsible and how to reach him: the tournament leader, or the operator.

    ``is_arbiter``: nobody leads the friendly game, he hears a dispute.
    """

    name: str
    email: str
    is_arbiter: bool = False


class LetterTopic(Protocol):
    """What somebody leads, by whose calendar."""

    @property
    def leader(self) -> OfficialContact:
        """Who."""

    @property
    def zone(self) -> str:
        """Where."""


@dataclass(frozen=True, slots=True)
class LetterGame:
    """A game as every letter names it. ``name`` is the group's name and the game's number."""

    name: str
    group: str
    tournament: str
    white: Person
    black: Person
    leader: OfficialContact
    zone: str = "Europe/Copenhagen"
    url: str | None = None
    """The game's page on the web."""

    def player(self, side: Side) -> Person:
        """Who plays this colour."""
        return self.white if side is Side.WHITE else self.black


@dataclass(frozen=True, slots=True)
class MoveText:
    """One ply in every notation a letter shows; ``number`` is the full-move number."""

    number: int
    by: Side
    numeric: str
    san: str

    def written(self, writing: MoveNotation, lang: str) -> str:
        """The move in the notation and language of a reader."""
        return write_for_reader(self.san, self.numeric, writing, lang)


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One dispatch as the letters tell it (§ 6.2.1, § 6.2.5).

    ``plies`` are the moves it added, first and last the sender's; ``bound`` the answer made
    at once by the opponent's series; ``proposes`` the series it proposes. ``first_ply`` counts
    from 1. ``stated`` is a sending date the player wrote, if it differs from the day counted.
    """

    by: Side
    first_ply: int
    plies: tuple[MoveText, ...]
    bound: MoveText | None = None
    proposes: tuple[MoveText, ...] = ()
    offers_draw: bool = False
    declines_draw: bool = False
    stated: date | None = None


def move_texts(board: chess.Board, moves: tuple[chess.Move, ...]) -> tuple[MoveText, ...]:
    """Legal moves, played one after the other from a position, in every notation."""
    board = board.copy(stack=False)
    texts = []
    for move in moves:
        by = Side.WHITE if board.turn else Side.BLACK
        texts.append(MoveText(board.fullmove_number, by, numeric(move), board.san(move)))
        board.push(move)
    return tuple(texts)


def dispatch_of(before: Position, event: MoveSent, bound: chess.Move | None = None) -> Dispatch:
    """The dispatch of an event, given the position it was sent from.

    ``bound`` is the answer of the opponent's series that was played at once, if any.
    """
    moves = event.plies if bound is None else (*event.plies, bound)
    texts = move_texts(before.board, moves)
    after = before.board.copy(stack=False)
    for move in moves:
        after.push(move)
    return Dispatch(
        by=event.by,
        first_ply=before.ply + 1,
        plies=texts[: len(event.plies)],
        bound=texts[-1] if bound is not None else None,
        proposes=move_texts(after, event.proposes),
        offers_draw=event.offers_draw,
    )


def row_text(row: AccountLine) -> MoveText:
    """A ply of an account in every notation."""
    return MoveText(row.number, row.by, numeric(row.move), row.san)


def find_last_dispatch(account: Account, event: MoveSent) -> Dispatch:
    """The last dispatch of an account, whose event is known."""
    # It ends with a move of its sender's; one after that is the series' answer to it.
    is_bound = account.rows[-1].by is not event.by
    rows = account.rows[-len(event.plies) - is_bound :]
    texts = tuple(row_text(row) for row in rows)
    return Dispatch(
        by=event.by,
        first_ply=rows[0].ply,
        plies=texts[: len(event.plies)],
        bound=texts[-1] if is_bound else None,
        proposes=move_texts(account.state.board, event.proposes),
        offers_draw=event.offers_draw,
        declines_draw=is_offer_passed(account.events),
    )


def is_offer_passed(events: Sequence[Event]) -> bool:
    """Whether the last move declined an offer of the other player (FIDE 9.1)."""
    said = [one for one in events if isinstance(one, MoveSent | DrawDeclined | DrawClaimFailed)]
    before, last = (None, None, *said)[-2:]
    if not isinstance(last, MoveSent) or before is None or before.by is last.by:
        return False
    return isinstance(before, DrawClaimFailed) or getattr(before, "offers_draw", False)


def last_move(account: Account) -> chess.Move | None:
    """The last move on the board, None before the first."""
    return account.rows[-1].move if account.rows else None


@dataclass(frozen=True, slots=True)
class EntrantFacts:
    """A player of a group as the start letter lists him (§ 6.5.2.1)."""

    number: int
    person: Person
    club: str | None = None
    rating: int | None = None
    postal_address: str | None = None


@dataclass(frozen=True, slots=True)
class PairingFacts:
    """One game of the reader's in the group: his colour, his opponent's number."""

    game: str
    side: Side
    opponent: int


@dataclass(frozen=True, slots=True)
class LedGroup:
    """A group as its letters name it: who leads it, by whose calendar, and its page."""

    name: str
    tournament: str
    leader: OfficialContact
    zone: str
    url: str


@dataclass(frozen=True, slots=True)
class GroupFacts(LedGroup):
    """A group as its start letter tells of it, and the rules of its games; ``url`` may be ""."""

    class_title: str
    regulation: Regulation
    laws: int
    edition: str
    start: date
    fen: str | None = None
    regulation_url: str | None = None
    paper_url: str | None = None
    """The regulation to print, for groups by post (§ 6.5.2.1)."""
    server_files_claims: bool = False
    """Tournament setting: the server itself claims an overstep."""
    seed: str | None = None
    """The seed of the lots; None: the numbers were drawn elsewhere (§ 6.5.2.1)."""
    cup_round: str | None = None
    """Which round of its cup the group is (§ 6.6.1.1)."""


@dataclass(frozen=True, slots=True)
class RelayedDispatch:
    """A dispatch being passed on; ``account`` is the game's account at that point."""

    dispatch: Dispatch
    account: Account
    message: str | None


@dataclass(frozen=True, slots=True)
class OwnGameFacts:
    """A game of the reader's as it stands now, with the address to send a move to.

    ``reply_to`` is None while it is not the reader's turn; ``passed``: what his daily letter is to
    tell of it.
    """

    game: LetterGame
    side: Side
    account: Account
    reply_to: str | None
    passed: tuple[RelayedDispatch, ...] = ()
