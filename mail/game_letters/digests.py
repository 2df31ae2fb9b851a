"""The daily letter: what happened in a player's games since the last one (§ 6.2.1, § 6.8.2).

Facts only, as in ``mail.game_letters.facts``. NOT for text or layout.
"""

from dataclasses import dataclass

from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.text.facts import Dispatch, Game, Official, Person


@dataclass(frozen=True, slots=True)
class Passed:
    """A dispatch that is passed on; ``account`` is that of the game as it then stood."""

    dispatch: Dispatch
    account: Account
    message: str | None


@dataclass(frozen=True, slots=True)
class DigestGame:
    """A game in which something happened, as it stands now.

    ``reply_to`` is the address a move is sent to; None while it is not the reader's to move.
    """

    game: Game
    side: Side
    account: Account
    passed: tuple[Passed, ...]
    reply_to: str | None


@dataclass(frozen=True, slots=True)
class Digest:
    """To a player who wishes for one letter a day. ``settings`` is the page where he chose it."""

    reader: Person
    games: tuple[DigestGame, ...]
    settings: str
    official: Official

    @property
    def open(self) -> tuple[DigestGame, ...]:
        """The games that wait for the reader."""
        return tuple(one for one in self.games if one.reply_to is not None)

    @property
    def reply_to(self) -> str | None:
        """Where a plain answer goes: the only game that waits, else None, for it could be any."""
        return self.open[0].reply_to if len(self.open) == 1 else None
