"""Short writing for tests of placing: ``AB1`` A beats B, ``AB=`` a draw, ``AB0`` B wins,
``AB-`` both have lost; the first named is White."""

from __future__ import annotations

from kskak.groups.placing import RankingRules, ScoredGame, Table, placing
from kskak.regulation.editions import Result

RESULTS = {"1": Result.WHITE_WINS, "0": Result.BLACK_WINS, "=": Result.DRAW, "-": Result.BOTH_LOSE}


def games(text: str) -> tuple[ScoredGame, ...]:
    """The games of a text, one a word."""
    return tuple(ScoredGame(item[0], item[1], RESULTS[item[2]]) for item in text.split())


def order(
    rules: RankingRules, players: str, text: str, **more
) -> list[tuple[int, str, str | None]]:
    """Place, name and what decided, of players with one letter each."""
    rows = placing(Table(rules, tuple(players), games(text), **more))
    return [(row.place, row.name, row.decided_by) for row in rows]
