"""A rating calculation as lines of text: the table, then every step of every player (§ 4.5.2).

NOT for the calculation (``kskak.rating.calculation``).
"""

from collections.abc import Sequence

from kskak.rating.calculation import Calculation
from kskak.rating.expected import Method
from kskak.rating.numbers import FLOOR
from mail.text.figures import columns, decimal, halves, hundredths, signed
from mail.text.words import Words

_COLUMNS = ("name", "before", "games", "score", "expected", "bonus", "k", "rating")


def rating_lines(rows: Sequence[Calculation], words: Words) -> tuple[str, ...]:
    """The table, the steps of each player, and a note on what is a reading."""
    head = [words(f"rating.column.{name}") for name in _COLUMNS]
    lines = columns([head, *(_row(row, words) for row in rows)])
    for row in rows:
        lines += ["", *step_lines(row, words)]
    return (*lines, "", words("rating.reading"))


def step_lines(row: Calculation, words: Words) -> tuple[str, ...]:
    """One player's steps, from his rating before to the new one (§ 4.5.2)."""
    lines = [words("rating.new", name=row.name, before=row.before, rating=row.rating)]
    if not row.games:
        return (*lines, "  " + words("rating.none"))
    figures = {
        "score": halves(row.score),
        "expected": hundredths(row.expected.score, words),
        "bonus": decimal(row.bonus, words),
    }
    lines.append("  " + _expected(row, words))
    if row.method is Method.AVERAGE and row.expected.cycles > 1:
        lines.append("  " + words("rating.cycles", n=decimal(row.expected.cycles, words)))
    bonus = "rating.bonus" if row.bonus else "rating.no_bonus"
    lines.append("  " + words(bonus, threshold=halves(row.threshold), **figures))
    lines += ["  " + line for line in _gain(row, words, figures)]
    return tuple(lines)


def _gain(row: Calculation, words: Words, figures: dict[str, str]) -> list[str]:
    if row.is_held:
        lines = [words("rating.held")]
    else:
        lines = [words("rating.gain", k=row.k, gain=signed(row.gain, words), **figures)]
    if row.crossed is not None:
        lines.append(
            words(
                "rating.crossed",
                limit=row.crossed.limit,
                beyond=decimal(row.crossed.beyond, words),
                factor=row.crossed.factor,
                after=decimal(row.crossed.after, words),
            )
        )
    if row.is_raised:
        lines.append(words("rating.raised", floor=FLOOR))
    return lines


def _expected(row: Calculation, words: Words) -> str:
    expected = row.expected
    raw, rounded = hundredths(expected.raw, words), hundredths(expected.score, words)
    if expected.method is Method.DIFFERENCE:
        chances = ", ".join(
            f"{chance.opponent} {_difference(chance.difference)}: {hundredths(chance.score, words)}"
            for chance in expected.chances
        )
        return words("rating.difference", chances=chances, raw=raw, expected=rounded)
    (chance,) = expected.chances
    formula = f"{expected.field} × {hundredths(chance.score, words)} − ½"
    if expected.cycles != 1:
        formula = f"{decimal(expected.cycles, words)} × ({formula})"
    return words(
        "rating.average",
        mean=decimal(chance.against, words),
        difference=_difference(chance.difference),
        chance=hundredths(chance.score, words),
        formula=formula,
        raw=raw,
        expected=rounded,
    )


def _difference(value: int) -> str:
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def _row(row: Calculation, words: Words) -> list[str]:
    return [
        row.name,
        str(row.before),
        str(row.games),
        halves(row.score),
        hundredths(row.expected.score, words),
        decimal(row.bonus, words),
        str(row.k),
        str(row.rating),
    ]
