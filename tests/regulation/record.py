"""A game for the rule tests: written dispatch by dispatch, its dates counted in days.

Not a test. The moves are pawns one step at a time, then knights there and back, so that a game
runs as long as a test needs; 2009's laws, which know no draw without a claim, unless told.
"""

from datetime import date, timedelta

import chess

from kskak.game.game_events import CardDates, Event, MoveSent
from kskak.play.evolve_game import replay
from kskak.play.game_state import GameState, Terms
from kskak.regulation.editions import Channel, Regulation, Side
from kskak.statement.account import Account, account

POSTAL, EMAIL = Regulation.POSTAL, Regulation.EMAIL
WHITE, BLACK = Side.WHITE, Side.BLACK
QUIET_DAY = date(2010, 5, 3)
"""A Monday, and no obligatory holiday for 231 days."""

_FILES = "abcdefgh"
_LINE = [
    uci
    for white, black in (("23", "76"), ("34", "65"))
    for f in _FILES
    for uci in (f"{f}{white[0]}{f}{white[1]}", f"{f}{black[0]}{f}{black[1]}")
]
_SHUFFLE = ["b1a3", "b8a6", "a3b1", "a6b8"]


def after(day: date, days: int) -> date:
    """The date so many days later."""
    return day + timedelta(days)


def line(ply: int) -> chess.Move:
    """The move that stands at a ply (from 0) of the long game."""
    return chess.Move.from_uci(_LINE[ply] if ply < len(_LINE) else _SHUFFLE[ply % 4])


class Record:
    """A game's terms and events; ``day`` is the last sending."""

    def __init__(
        self, regulation: Regulation, start: date = QUIET_DAY, *, fen: str | None = None, laws=2009
    ):
        self.terms = Terms("test", regulation, start, "Hvid", "Sort", fen, laws)
        self.events: list[Event] = []
        self.day = start
        self.ply = 0
        self._known: tuple[list[Event], GameState] | None = None

    @property
    def mover(self) -> Side:
        return self.state.mover

    @property
    def state(self) -> GameState:
        if self._known is None or self._known[0] != self.events:
            self._known = [*self.events], replay(self.terms, self.events)
        return self._known[1]

    def account(self, on: date | None = None) -> Account:
        return account(self.terms, self.events, on)

    def add(self, *events: Event) -> "Record":
        self.events += events
        return self

    def dispatch(
        self,
        received: date | None,
        sent: date | CardDates,
        channel: Channel = Channel.EMAIL,
        plies: int = 1,
        proposes: int = 0,
    ) -> "Record":
        """A dispatch of the next plies, proposing the next after them, on these dates."""
        moves = tuple(line(self.ply + i) for i in range(plies))
        series = tuple(line(self.ply + plies + i) for i in range(proposes))
        self.events.append(MoveSent(self.mover, moves, sent, received, channel, series))
        self.ply = self.state.position.ply
        self.day = self.state.settled
        return self

    def think(self, days: int, plies: int = 1, proposes: int = 0) -> "Record":
        """A dispatch received on the day of the last one and sent so many days later."""
        return self.dispatch(
            self.day, after(self.day, days), Channel.EMAIL, plies=plies, proposes=proposes
        )

    def rounds(self, moves: int, white: int = 0, black: int = 0) -> "Record":
        """So many moves by each, the first of each after these days, the others at once."""
        for number in range(moves):
            self.think(0 if number else white)
            self.think(0 if number else black)
        return self

    def days(self) -> int:
        """Days that the last dispatch cost."""
        return self.account().rows[-1].dates.days

    def used(self, side: Side) -> int:
        """A player's total."""
        return self.state.clock(side).total


def uci(*moves: str) -> tuple[chess.Move, ...]:
    """Moves from their squares."""
    return tuple(chess.Move.from_uci(move) for move in moves)
