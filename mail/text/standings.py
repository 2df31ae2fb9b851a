"""Placed tables and crosstables as lines of text (§ 6.5.4.1, § 6.7.4.5).

NOT for the order and the figures (``kskak.groups.standings``, ``kskak.groups.crosstable``).
"""

from kskak.groups.crosstable import Cell, CrossRow, Crosstable, board_tables, crosstable
from kskak.groups.ladder import Step
from kskak.groups.ladder_individual import RuleSet, Table
from kskak.groups.ladder_teams import Division
from mail.text.figures import columns, decimal, halves
from mail.text.words import Words


def standings_lines(table: Table | Division, words: Words) -> tuple[str, ...]:
    """The crosstable in order of place, the boards of a division, and the rules applied."""
    is_league = isinstance(table, Division)
    lines = crosstable_lines(crosstable(table), words, is_league=is_league)
    rules = RuleSet.LEAGUE if isinstance(table, Division) else table.rules
    lines += ["", words(f"placing.rules.{rules.value}")]
    if isinstance(table, Division):
        for board, cross in enumerate(board_tables(table), 1):
            lines += ["", words("placing.board", board=board)]
            lines += crosstable_lines(cross, words, is_league=False, is_placed=False)
    return tuple(lines)


def crosstable_lines(
    cross: Crosstable, words: Words, *, is_league: bool, is_placed: bool = True
) -> list[str]:
    """A header and one line per row; a club's cells show total points, a player's each game.

    ``is_placed`` False: the places mean nothing, so what decided them is left out.
    """
    numbers = [str(number) for number in range(1, len(cross.rows) + 1)]
    head = [
        words("placing.column_place"),
        words("placing.column_club" if is_league else "placing.column_name"),
        *numbers,
        words("placing.column_points"),
        *([] if is_league else [words("placing.column_sums")]),
        words("placing.column_percent"),
        words("placing.column_decided") if is_placed else "",
    ]
    body: list[list[str]] = []
    above: CrossRow | None = None
    for row in cross.rows:
        note = decided(row, above, words) if is_placed else ""
        body.append([*_figures(row, words, is_league), note])
        above = row
    return columns([head, *body])


def decided(row: CrossRow, above: CrossRow | None, words: Words) -> str:
    """What separated a row from the one above, with both figures; nothing for plain points."""
    if row.decided_by is None:
        return ""
    if above is not None and above.place == row.place:
        return words(f"placing.level.{row.decided_by.value}")
    if row.decided_by is Step.POINTS:
        return ""
    step = words(f"placing.decided.{row.decided_by.value}")
    if row.margin is None:
        return step
    if row.among:
        names = ", ".join(name for name, _ in row.among)
        figures = "–".join(decimal(figure, words) for _, figure in row.among)
        return words("placing.margin_among", step=step, names=names, figures=figures)
    ahead, own = (decimal(figure, words) for figure in row.margin)
    return words("placing.margin", step=step, ahead=ahead, own=own)


def _figures(row: CrossRow, words: Words, is_league: bool) -> list[str]:
    sums = row.sonneborn_berger
    return [
        f"{row.place}.",
        row.name,
        *(_cell(cell, words, is_league) for cell in row.cells),
        halves(row.points),
        *([] if is_league else ["" if sums is None else decimal(sums, words)]),
        "" if row.percent is None else decimal(row.percent, words, 1),
    ]


def _cell(cell: Cell, words: Words, is_league: bool) -> str:
    if cell.is_own:
        return words("placing.own")
    if cell.total is None:
        return words("placing.open")
    return halves(cell.total) if is_league else " ".join(halves(point) for point in cell.points)
