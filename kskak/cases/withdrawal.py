"""What becomes of a player's games when they leave their group (§ 6.2.8).

Not for adjudicating the unfinished ones, which is up to the leader, nor for whether the player
had a valid reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.cases.decisions import GameOrder
from kskak.game.events import ResultRuled
from kskak.regulation.editions import DISPUTES
from kskak.regulation.quantities import Result, Side


@dataclass(frozen=True, slots=True)
class GroupGame:
    """A game of the group; ``result`` None while it is played."""

    game: int
    white: int
    black: int
    result: Result | None

    def side_of(self, player: int) -> Side | None:
        """The player's side, None when he is not in the game."""
        if player == self.white:
            return Side.WHITE
        return Side.BLACK if player == self.black else None


@dataclass(frozen=True, slots=True)
class GameFate:
    """What becomes of one of his games; ``result`` None: it goes to adjudication."""

    game: int
    before: Result | None
    result: Result | None

    @property
    def is_adjudicated(self) -> bool:
        """Whether the leader has to judge the position."""
        return self.result is None

    @property
    def is_changed(self) -> bool:
        """Whether the result is new or differs from the one before."""
        return self.result is not None and self.result is not self.before


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The consequences of a withdrawal under § 6.2.8.

    Without a valid reason the right to a prize is lost and a quarantine is possible (§ 6.4.2).
    """

    player: int
    finished: int
    games: int
    loses_all: bool
    without_reason: bool
    fates: tuple[GameFate, ...]

    @property
    def loses_prize(self) -> bool:
        """Whether his right to a prize is lost (§ 6.2.8)."""
        return self.without_reason

    @property
    def may_be_quarantined(self) -> bool:
        """Whether the official may impose a quarantine (§ 6.2.8)."""
        return self.without_reason


def loses_all(finished: int, games: int) -> bool:
    """Whether he loses every game: at most half of them are finished (§ 6.2.8)."""
    return finished * DISPUTES.withdrawal_parts <= games


def withdraw(
    player: int, group: Sequence[GroupGame], *, has_reason: bool, is_silent: bool = False
) -> Withdrawal:
    """What becomes of a player's games when he leaves the group (§ 6.2.8).

    A silent player counts as withdrawn without a valid reason. Reading: a game already lost by
    both (§ 6.3.3.4) stays so. ValueError for a player without a game.
    """
    own = [(row, side) for row in group if (side := row.side_of(player)) is not None]
    if not own:
        raise ValueError("the player has no game in the group")
    finished = sum(row.result is not None for row, _ in own)
    is_all_lost = loses_all(finished, len(own))
    fates = tuple(
        GameFate(row.game, row.result, _lost(row, side) if is_all_lost else row.result)
        for row, side in own
    )
    return Withdrawal(player, finished, len(own), is_all_lost, is_silent or not has_reason, fates)


def _lost(row: GroupGame, side: Side) -> Result:
    return row.result if row.result is Result.BOTH_LOSE else Result.won_by(side.other)


def withdrawal_orders(withdrawal: Withdrawal, on: date) -> tuple[GameOrder, ...]:
    """The results for a decision on the withdrawal to rule; the rest is to be adjudicated."""
    return tuple(
        GameOrder(fate.game, ResultRuled(fate.result, on, "", ""))
        for fate in withdrawal.fates
        if fate.is_changed and fate.result is not None
    )
