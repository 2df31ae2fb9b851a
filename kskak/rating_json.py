"""kskak-rating/1 in, kskak-rated/1 out (CONTRACTS).

Beyond the contract a file may list ``unrated`` games: of the group, but not rated (§ 4.5.4.2).
Not for the calculation (rating.py).
"""

from fractions import Fraction

from kskak.fields import FieldError, Fields
from kskak.played import number, read_names, read_played
from kskak.rating import Calculation, Group, rate

FORMAT = "kskak-rating/1"
RATED = "kskak-rated/1"
HIGHEST = 4000
"""Above any rating there can be; a slip of the pen lies there."""


def read_group(document: object) -> Group:
    """A group from parsed JSON. Raises FieldError naming the place and the remedy."""
    head = Fields("rating file", document)
    if head.text("format") != FORMAT:
        raise head.fail("format", f'"{FORMAT}"')
    listed = head.items("players", "a list of players")
    if not listed:
        raise head.fail("players", "at least one player")
    players = [Fields(f"player {place}", value) for place, value in enumerate(listed, 1)]
    names = read_names("player", [player.named("name") for player in players])
    ratings = dict(zip(names, map(_rating, players), strict=True))
    games = head.items("games", "a list of games")
    unrated = head.items("unrated", "a list of games") if head.is_set("unrated") else []
    return Group(
        ratings,
        tuple(read_played(f"game {i}", value, ratings) for i, value in enumerate(games, 1)),
        tuple(
            read_played(f"unrated game {i}", value, ratings) for i, value in enumerate(unrated, 1)
        ),
    )


def _rating(player: Fields) -> int:
    rating = player.whole("rating")
    if not 0 <= rating <= HIGHEST:
        raise player.fail("rating", f"a whole number from 0 to {HIGHEST}")
    return rating


def rated_json(rows: tuple[Calculation, ...], steps: bool = False) -> dict[str, object]:
    """The answer of ``kskak rating --json``; with ``steps`` every step beside each row."""
    return {
        "format": RATED,
        "rows": [_row(row) | ({"steps": _steps(row)} if steps else {}) for row in rows],
    }


def _row(row: Calculation) -> dict[str, object]:
    return {
        "name": row.name,
        "games": row.games,
        "score": number(row.score),
        "expected": number(row.expected.score),
        "method": row.method.value,
        "bonus": number(row.bonus),
        "k": row.k,
        "rating": row.rating,
    }


def _steps(row: Calculation) -> dict[str, object]:
    crossed = row.crossed
    return {
        "before": row.before,
        "chances": [
            {
                "opponent": chance.opponent,
                "against": _figure(chance.against),
                "difference": chance.difference,
                "score": number(chance.score),
            }
            for chance in row.expected.chances
        ],
        "field": row.expected.field,
        "cycles": number(row.expected.cycles),
        "unrounded": number(row.expected.raw),
        "threshold": number(row.threshold),
        "gain": number(row.gain),
        "held": row.is_held,
        "crossing": None
        if crossed is None
        else {
            "limit": crossed.limit,
            "beyond": _figure(crossed.beyond),
            "factor": f"{crossed.factor.numerator}/{crossed.factor.denominator}",
            "after": _figure(crossed.after),
        },
        "raised": row.is_raised,
    }


def _figure(value: Fraction) -> int | float:
    """A figure that may not end, to two decimals."""
    return number(Fraction(round(value * 100), 100))


def answer_rating(document: object, steps: bool = False) -> dict[str, object]:
    """kskak-rated/1 for a parsed kskak-rating/1. Raises FieldError."""
    return rated_json(rate(read_group(document)), steps)


__all__ = ["FieldError", "answer_rating", "rated_json", "read_group"]
