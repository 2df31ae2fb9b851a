"""The commands about registers: `members`, `clubs`, `ratings`, each with import and export of CSV.

What a file may hold is described in docs/formats.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from mail.text.catalogue import Words, columns
from server import cli
from server.cli import JSON, OUT, InputError, command, day_of, language, lazily, option, say
from server.cli.config import CONFIG, on_core, settings_of

with lazily():
    from server.usecases import context
    from server.usecases.rating import computing, rating_views
    from server.usecases.register import csv_columns, csv_table, register_desk


def _declare(what: str) -> None:
    """`kskak members|clubs|ratings import FILE`, and `export` (§ 6.4.4, § 6.7.3, § 4.5)."""

    def epilog() -> str:
        return f"Columns, in any order: {csv_columns.names_of(csv_columns.BY_WHAT[what])}."

    readdresses = option(
        "--take-emails",
        action="store_true",
        help="also change addresses that players have set themselves",
    )
    command(
        f"{what} import",
        option(
            "file",
            metavar="FILE",
            type=Path,
            help="CSV in UTF-8, separated by `;` or `,`, with a header line",
        ),
        option("--dry-run", action="store_true", help="show what would change, and change nothing"),
        option(
            "--skip-bad",
            action="store_true",
            help="skip lines that can't be used and import the rest",
        ),
        *([readdresses] if what == "members" else []),
        language("the report"),
        CONFIG,
        JSON,
        help="import a CSV file, all of it or nothing",
        description="Import a CSV file, all or nothing. An empty cell keeps, `-` clears.",
        epilog=epilog,
    )(partial(_import, what))
    told = "write a CSV file that `import` can read"
    command(f"{what} export", OUT, CONFIG, help=told)(partial(_export, what))


def _import(named: str, args: argparse.Namespace) -> int:
    """Exit 0: done, or a dry run with no bad lines; 1: bad lines; 2: the file can't be read."""
    path, what = Path(args.file), csv_table.RegisterKind(named)
    words, tell = Words.load(args.lang), cli.telling()
    rules = csv_table.Rules(args.dry_run, args.skip_bad, getattr(args, "take_emails", False))
    editor = csv_table.RegisterEditor(None, "command", f"import: {path.name}", may_readdress=True)
    if path.stat().st_size > csv_table.MOST_BYTES:
        raise InputError(f"{path}: larger than {csv_table.MOST_BYTES // 1024**2} MB, split it")
    raw = path.read_bytes()

    def show(step: str, done: int, of: int) -> None:
        tell(words(f"register.step.{step}"), done, of)

    report = on_core(
        settings_of(args, makes=True),
        lambda core: register_desk.import_file(core, what, raw, editor, rules, show),
        str(path),
        makes=True,
    )
    if report.fault is not None:
        raise InputError(f"{path}: {register_desk.write_problem(report.fault, words)}")
    lines = _report_lines(report, words, dry_run=args.dry_run)
    say(args, register_desk.document(report, words), lines)
    return 0 if report.is_clean or report.is_done else 1


def _report_lines(
    report: csv_table.RegisterImportReport, words: Words, *, dry_run: bool
) -> Iterator[str]:
    for column in report.unused:
        yield register_desk.unused_text(column, words)
    for line in report.lines:
        if line.outcome is not csv_table.RegisterLineOutcome.UNCHANGED or line.notes:
            yield from _line_texts(line, words, dry_run=dry_run)
    yield register_desk.summary_text(report, words)
    yield register_desk.outcome_text(report, words, dry_run=dry_run)


def _line_texts(line: csv_table.RegisterLine, words: Words, *, dry_run: bool) -> Iterator[str]:
    """A line: what is wrong with it and what it changes; for a new one, what was understood."""
    head = words("register.line", n=line.number)
    yield f"{head}: {line.name}: {words(f'register.fate.{line.outcome.value}')}"
    for problem in (*line.problems, *line.notes):
        yield f"    ! {register_desk.write_problem(problem, words)}"
    changes = [register_desk.change_text(change, words) for change in line.changes]
    if line.outcome is csv_table.RegisterLineOutcome.CHANGED:
        yield from (f"    {change}" for change in changes)
    elif dry_run and changes:
        yield f"    {', '.join(changes)}"


def _export(named: str, args: argparse.Namespace) -> int:
    """Exit 0: done; 2: the file is there already, or can't be written."""
    out: Path | None = args.out
    if out is not None and out.exists():
        raise InputError(f"--out: {out} is there already: name a new file")
    what = csv_table.RegisterKind(named)
    raw = on_core(settings_of(args), lambda core: register_desk.export(core, what))
    if out is None:
        sys.stdout.write(raw.decode("utf-8-sig").replace("\r\n", "\n"))
    else:
        out.write_bytes(raw)
    return 0


for _what in ("members", "clubs", "ratings"):
    _declare(_what)


# `kskak ratings`: the register's ratings as CSV, rating lists, pending calculations (§ 4.5).

_COLUMNS = ("rank", "name", "club", "rating", "status", "change", "games")


@command(
    "ratings compute",
    option(
        "--all",
        action="store_true",
        help="recalculate every group from its games; keep what is right",
    ),
    CONFIG,
    JSON,
    help="calculate the published groups that wait and what depends on them",
    description="Calculate the groups that wait and what depends on them (§ 4.5.4.1).",
)
def run_ratings_compute(args: argparse.Namespace) -> int:
    """Exit 0: done; 2: the database can't be used."""
    done = on_core(settings_of(args), lambda core: computing.compute(core, everything=args.all))
    return say(args, {"groups": list(done)}, [*done, f"{len(done)} calculated"])


@command(
    "ratings list",
    option("--on", metavar="DATE", help="the list of this day (default: today)"),
    language("the heading"),
    CONFIG,
    JSON,
    help="list the K-ratings of a day, highest first",
    description="List the K-ratings of a day, highest first (§ 4.5.5.1).",
)
def run_ratings_list(args: argparse.Namespace) -> int:
    """Exit 0: the list; 2: the day is none, or is to come."""
    on = day_of("--on", args.on)

    async def load(core: context.Core) -> rating_views.RatingListView:
        today = context.today_of(core)
        if on is not None and on > today:
            raise InputError(f"--on: {on} is to come, name a day until {today}")
        return await rating_views.rating_list(core, on or today)

    found = on_core(settings_of(args), load)
    return say(args, _document(found), _lines(found, Words.load(args.lang)))


def _document(found: rating_views.RatingListView) -> dict[str, object]:
    return {
        "on": found.on.isoformat(),
        "since": found.previous.isoformat(),
        "players": [
            {
                "rank": line.rank,
                "name": line.name,
                "club": line.club,
                "rating": line.rating,
                "provisional": line.is_provisional,
                "change": line.change,
                "games": line.games,
            }
            for line in found.lines
        ],
    }


def _lines(found: rating_views.RatingListView, words: Words) -> list[str]:
    head = [words(f"ratings.column.{name}") for name in _COLUMNS]
    rows = [
        [
            str(line.rank),
            line.name,
            line.club or "",
            str(line.rating),
            words("ratings.provisional" if line.is_provisional else "ratings.final"),
            words("ratings.fresh")
            if line.change is None
            else f"{line.change:+d}"
            if line.change
            else "0",
            str(line.games),
        ]
        for line in found.lines
    ]
    return [words("ratings.lede", day=words.day(found.on)), "", *columns([head, *rows])]
