"""A placed table: every place given once, or shared with a reason, and every step explained.

§ 6.5.2, § 6.5.4.1, § 6.6.1.4 and § 6.7.4.5, stated a second time: blocks of level players are
split by one figure after the other, beginning with points. Not for titles.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction

from kskak.groups.placing import BoardGame, RankingPlace, RankingStep, ScoredGame
from tests.federation.trouble import expect

_WHITE = {"1-0": Fraction(1), "1/2-1/2": Fraction(1, 2), "1/2-0": Fraction(1, 2)}
_BLACK = {"0-1": Fraction(1), "1/2-1/2": Fraction(1, 2), "0-1/2": Fraction(1, 2)}
_ZERO = Fraction(0)
_BOARDS = 4
_NOT_DECIDED = (RankingStep.SHARED, RankingStep.PLAYOFF, RankingStep.LOTS)

Figures = Mapping[str, Fraction]
Cut = tuple[RankingStep, Callable[[Collection[str]], Figures]]


def won(names: Iterable[str], games: Iterable[tuple[ScoredGame, int]]) -> dict[str, Fraction]:
    """The points of these names in the games, each counted as many times as given."""
    points = dict.fromkeys(names, _ZERO)
    for game, times in games:
        if game.white in points:
            points[game.white] += times * _WHITE.get(game.result, _ZERO)
        if game.black in points:
            points[game.black] += times * _BLACK.get(game.result, _ZERO)
    return points


def beaten(names: Collection[str], games: Sequence[ScoredGame]) -> dict[str, Fraction]:
    """Sonneborn-Berger: points of opponents beaten, half those of opponents drawn (§ 6.5.4.1)."""
    points = won(names, [(game, 1) for game in games])
    sums = dict.fromkeys(names, _ZERO)
    for game in games:
        sums[game.white] += _WHITE.get(game.result, _ZERO) * points[game.black]
        sums[game.black] += _BLACK.get(game.result, _ZERO) * points[game.white]
    return sums


def check_table(
    name: str, rows: Sequence[RankingPlace], games: Sequence[ScoredGame], day: date
) -> None:
    """A group of individuals; play-off games are not the group's games (§ 6.5.2)."""
    names = _once(name, rows, day)
    points = won(names, [(game, 1) for game in games])
    sums = beaten(names, games)
    own: Cut = (RankingStep.OWN_GAME, lambda level: won(level, _inside(level, games)))
    # Players whom their own games leave level are compared again by the games among them.
    again = [own] * len(names)
    cuts: list[Cut] = [
        (RankingStep.POINTS, lambda level: points),
        (RankingStep.SONNEBORN_BERGER, lambda level: sums),
        *again,
    ]
    _check(name, rows, cuts, day)


def check_division(
    name: str, rows: Sequence[RankingPlace], games: Sequence[BoardGame], day: date
) -> None:
    """A division's teams (§ 6.7.4.5); lots separate those whom nothing else does."""
    names = _once(name, rows, day)
    plain = [(game.played, 1) for game in games]
    weighted = [(game.played, _BOARDS + 1 - game.board) for game in games]
    points, weights = won(names, plain), won(names, weighted)
    cuts: list[Cut] = [
        (RankingStep.POINTS, lambda level: points),
        (RankingStep.OWN_GAME, lambda level: won(level, _among(level, plain))),
        (RankingStep.BOARD_WEIGHT, lambda level: weights),
        (RankingStep.OWN_BOARD_WEIGHT, lambda level: won(level, _among(level, weighted))),
    ]
    _check(name, rows, cuts, day)


def _once(name: str, rows: Sequence[RankingPlace], day: date) -> list[str]:
    """The names in table order, each exactly once."""
    names = [row.name for row in rows]
    expect(len(set(names)) == len(names), day, name, "somebody has two places")
    return names


def _inside(level: Collection[str], games: Iterable[ScoredGame]) -> list[tuple[ScoredGame, int]]:
    return _among(level, ((game, 1) for game in games))


def _among(
    level: Collection[str], games: Iterable[tuple[ScoredGame, int]]
) -> list[tuple[ScoredGame, int]]:
    return [pair for pair in games if pair[0].white in level and pair[0].black in level]


def _check(name: str, rows: Sequence[RankingPlace], cuts: Sequence[Cut], day: date) -> None:
    names = [row.name for row in rows]
    blocks, reasons = _blocks(names, cuts)
    seat = {one: number for number, block in enumerate(blocks) for one in block}
    expect([seat[one] for one in names] == sorted(seat.values()), day, name, "the order is wrong")
    for index, row in enumerate(rows):
        if index == 0:
            expect(row.place == 1, day, name, f"{row.name} has place {row.place}, first of all")
            continue
        above = rows[index - 1]
        expects_new = seat[above.name] != seat[row.name]
        is_new = row.place == index + 1
        expect(is_new or row.place == above.place, day, name, f"{row.name}: place {row.place}")
        if expects_new:
            why = reasons[seat[row.name]]
            is_told = is_new and row.decided_by is why
            expect(is_told, day, name, f"{row.name} stands below by {why}, not {row.decided_by}")
        else:
            # Level in everything: shared, or separated by play-off or lots.
            expect(row.decided_by in _NOT_DECIDED, day, name, f"{row.name}: {row.decided_by}")


def _blocks(
    names: Sequence[str], cuts: Sequence[Cut]
) -> tuple[list[list[str]], list[RankingStep | None]]:
    """The blocks of level names, from the top, and the step that put each below the one above."""
    blocks: list[list[str]] = [list(names)]
    reasons: list[RankingStep | None] = [None]
    for step, measure in cuts:
        cut: list[list[str]] = []
        why: list[RankingStep | None] = []
        for block, reason in zip(blocks, reasons, strict=True):
            figures = measure(block)
            parts = sorted({figures[one] for one in block}, reverse=True)
            cut += [[one for one in block if figures[one] == figure] for figure in parts]
            why += [reason, *[step] * (len(parts) - 1)]
        blocks, reasons = cut, why
    return blocks, reasons
