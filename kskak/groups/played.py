"""A finished game as standings and ratings see it: the players and the result.

Read from ``[White, Black, result]``. FIDE's points: 1, ½, 0; a game that both lost (§ 6.3.3.4)
gives no points. Not for games in progress, nor for moves.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kskak.regulation.quantities import Result
from kskak.values.json_fields import FieldError

WIN, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)
_POINTS = {
    Result.WHITE_WINS: (WIN, NOTHING),
    Result.BLACK_WINS: (NOTHING, WIN),
    Result.DRAW: (HALF, HALF),
    Result.BOTH_LOSE: (NOTHING, NOTHING),
}
_WANTED = "a game as [White, Black, result]"


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game."""

    white: str
    black: str
    result: Result

    @property
    def scores(self) -> tuple[Fraction, Fraction]:
        """The points of White and of Black."""
        return _POINTS[self.result]

    @property
    def sides(self) -> Iterator[tuple[str, str, Fraction]]:
        """Each player with opponent and points."""
        white, black = self.scores
        yield self.white, self.black, white
        yield self.black, self.white, black


def points_of(names: Iterable[str], games: Iterable[Played]) -> dict[str, Fraction]:
    """The points of each of these players; 0 for those who have played nothing."""
    points = dict.fromkeys(names, NOTHING)
    for game in games:
        for name, _, score in game.sides:
            if name in points:
                points[name] += score
    return points


def games_of(names: Iterable[str], games: Iterable[Played]) -> dict[str, int]:
    """The number of finished games of each of these players."""
    count = dict.fromkeys(names, 0)
    for game in games:
        for name, _, _ in game.sides:
            if name in count:
                count[name] += 1
    return count


def among(names: Collection[str], games: Iterable[Played]) -> tuple[Played, ...]:
    """The games that these have played against each other (indbyrdes partier)."""
    return tuple(game for game in games if game.white in names and game.black in names)


def percentage(points: Fraction, games: int) -> Fraction | None:
    """Points in percent of the games finished, unrounded; None before the first.

    Adjudicated games count as finished, and so do those that § 6.2.8 makes losses.
    """
    return points * 100 / games if games else None


def number(value: Fraction) -> int | float:
    """A figure for JSON: an int where it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def read_names(where: str, values: Sequence[object]) -> tuple[str, ...]:
    """Names, each once. Raises FieldError naming one that is not a name, or occurs twice."""
    names: dict[str, None] = {}
    for index, value in enumerate(values, 1):
        if not isinstance(value, str) or not value.strip() or len(value.splitlines()) > 1:
            raise FieldError(f"{where} {index}: write a name, on one line")
        if value in names:
            raise FieldError(
                f"{where} {index}: {value!r} stands there already; write each name once,"
                " with something that tells two people apart"
            )
        names[value] = None
    return tuple(names)


def read_played(where: str, value: object, names: Collection[str]) -> Played:
    """A game from ``[White, Black, result]``. Raises FieldError naming what is wrong in it."""
    if not isinstance(value, list) or len(value) != 3:
        raise FieldError(f"{where}: write {_WANTED}")
    white = _known(where, "White", value[0], names)
    black = _known(where, "Black", value[1], names)
    if white == black:
        raise FieldError(f"{where}: {white!r} can't play himself, write two different names")
    return Played(white, black, read_result(where, value[2]))


def read_result(where: str, value: object) -> Result:
    """A result. Raises FieldError for a running game, too: leave it out of the list."""
    if isinstance(value, str) and value in set(Result):
        return Result(value)
    allowed = ", ".join(Result)
    raise FieldError(
        f"{where}: result is wrong, write one of {allowed}; leave a game out until it is finished"
    )


def _known(where: str, side: str, value: object, names: Collection[str]) -> str:
    if not isinstance(value, str):
        raise FieldError(f"{where}: {side} is wrong, write a name")
    if value not in names:
        raise FieldError(f"{where}: {side} {value!r} is not in the list, write a name from there")
    return value
