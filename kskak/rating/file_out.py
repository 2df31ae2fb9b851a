"""kskak-rated/1 out, with every step of each row if wanted (CONTRACTS).

Not for the calculation (calculation.py) nor for its words (the mail room).
"""

from fractions import Fraction

from kskak.groups.played import number
from kskak.rating.calculation import Calculation

FORMAT = "kskak-rated/1"


def rated_json(rows: tuple[Calculation, ...], steps: bool = False) -> dict[str, object]:
    """The answer of ``kskak rating --json``; with ``steps`` every step of each row."""
    return {
        "format": FORMAT,
        "rows": [rated_row(row, steps=steps) for row in rows],
    }


def rated_row(row: Calculation, *, steps: bool = False) -> dict[str, object]:
    """One player's row; with ``steps`` how it was reached."""
    return _row(row) | ({"steps": _steps(row)} if steps else {})


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
    """A figure that may not terminate, to two decimals."""
    return number(Fraction(round(value * 100), 100))
