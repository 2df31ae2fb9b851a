"""What `kskak members`, `kskak clubs` and `kskak ratings` share: import and export of CSV.

Not a command itself. What a file may hold is described in docs/formats.md.
"""

import argparse
import asyncio
import sys
from datetime import date
from pathlib import Path

from kskak.regulation.days import local_day
from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES, Words, columns
from server.app import open_core
from server.cli import InputError
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, day_of, print_document
from server.settings import Settings
from server.store.engine.connection import StoreError
from server.usecases.rating.computing import CalculatedGroups, compute
from server.usecases.rating.rating_views import RatingListView, rating_list
from server.usecases.register import register_import
from server.usecases.register.csv_table import (
    BY_WHAT,
    MOST_BYTES,
    Progress,
    RegisterEditor,
    RegisterImportReport,
    RegisterKind,
    RegisterLine,
    RegisterLineOutcome,
    Rules,
)
from server.usecases.register.register_import import import_file
from server.usecases.register.register_views import export

MANY = 1000
"""With more lines than this, progress is shown."""


def configure_registers(
    parser: argparse.ArgumentParser, what: RegisterKind
) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    """Add `import FILE` and `export`; returns where a command can add its own actions."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    columns = ", ".join(names[0] for names in BY_WHAT[what].values())
    take = actions.add_parser(
        "import",
        help="import a CSV file, all of it or nothing",
        description="Import a CSV file, all or nothing. An empty cell keeps, `-` clears.",
        epilog=f"Columns, in any order: {columns}.",
    )
    take.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="CSV in UTF-8, separated by `;` or `,`, with a header line",
    )
    take.add_argument(
        "--dry-run", action="store_true", help="show what would change, and change nothing"
    )
    take.add_argument(
        "--skip-bad", action="store_true", help="skip lines that can't be used and import the rest"
    )
    if what is RegisterKind.MEMBERS:
        take.add_argument(
            "--take-emails",
            action="store_true",
            help="also change addresses that players have set themselves",
        )
    take.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the report"
    )
    take.set_defaults(does=_import, what=what)
    add_config_option(take)
    add_output_options(take, lines=False)
    _configure_export(actions, what)
    return actions


def _configure_export(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", what: RegisterKind
) -> None:
    give = actions.add_parser("export", help="write a CSV file that `import` can read")
    give.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the file to write; must not exist (default: stdout)",
    )
    give.set_defaults(does=_export, what=what)
    add_config_option(give)


def run_registers(args: argparse.Namespace) -> int:
    """Exit 0: done, or a dry run with no bad lines; 1: bad lines; 2: the file can't be read."""
    code: int = args.does(args)
    return code


def _import(args: argparse.Namespace) -> int:
    path: Path = args.file
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: larger than {MOST_BYTES // 1024**2} MB, split it")
        report = asyncio.run(_import_register(settings_of(args), args, path.read_bytes()))
    except (OSError, StoreError) as error:
        raise InputError(f"{path}: {error}") from error
    words = Words.load(args.lang)
    if report.fault is not None:
        raise InputError(f"{path}: {register_import.write_problem(report.fault, words)}")
    if args.json:
        print_document(register_import.document(report, words))
    else:
        _print_report(report, words, dry_run=args.dry_run)
    return 0 if report.is_clean or report.is_done else 1


async def _import_register(
    settings: Settings, args: argparse.Namespace, raw: bytes
) -> RegisterImportReport:
    rules = Rules(args.dry_run, args.skip_bad, getattr(args, "take_emails", False))
    reason = f"import: {args.file.name}"
    doer = RegisterEditor(None, "command", reason, may_readdress=True)
    async with open_core(settings) as core:
        return await import_file(core, args.what, raw, doer, rules, _progress(args, raw))


def _progress(args: argparse.Namespace, raw: bytes) -> Progress:
    """Show counts on stderr while a large file is processed."""
    words, is_shown = Words.load(args.lang), raw.count(b"\n") > MANY

    def show(step: str, done: int, total: int) -> None:
        if is_shown:
            end = "\n" if done == total or not sys.stderr.isatty() else "\r"
            print(f"{words(f'register.step.{step}')} {done}/{total}", end=end, file=sys.stderr)

    return show


def _print_report(report: RegisterImportReport, words: Words, *, dry_run: bool) -> None:
    for column in report.unused:
        print(register_import.unused_text(column, words))
    for line in report.lines:
        if line.fate is not RegisterLineOutcome.UNCHANGED or line.notes:
            _print_report_line(line, words, dry_run=dry_run)
    print(register_import.summary_text(report, words))
    print(register_import.outcome_text(report, words, dry_run=dry_run))


def _print_report_line(line: RegisterLine, words: Words, *, dry_run: bool) -> None:
    """A line: what is wrong with it and what it changes; for a new one, what was understood."""
    head = words("register.line", n=line.number)
    print(f"{head}: {line.name}: {words(f'register.fate.{line.fate.value}')}")
    for slip in (*line.slips, *line.notes):
        print(f"    ! {register_import.write_problem(slip, words)}")
    changes = [register_import.change_text(change, words) for change in line.changes]
    if line.fate is RegisterLineOutcome.CHANGED:
        print("".join(f"    {change}\n" for change in changes), end="")
    elif dry_run and changes:
        print(f"    {', '.join(changes)}")


def _export(args: argparse.Namespace) -> int:
    out: Path | None = args.out
    if out is not None and out.exists():
        raise InputError(f"--out: {out} is there already: name a new file")
    try:
        raw = asyncio.run(_export_register(settings_of(args), args.what))
        if out is not None:
            out.write_bytes(raw)
    except (OSError, StoreError) as error:
        raise InputError(str(error)) from error
    if out is None:
        sys.stdout.write(raw.decode("utf-8-sig").replace("\r\n", "\n"))
    return 0


async def _export_register(settings: Settings, what: RegisterKind) -> bytes:
    async with open_core(settings) as core:
        return await export(core, what)


# `kskak members import FILE`, `kskak members export`: members as CSV (§ 6.4.4).


def configure_members(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    configure_registers(parser, RegisterKind.MEMBERS)


# `kskak clubs import FILE`, `kskak clubs export`: clubs and their main districts as CSV (§ 6.7.3).


def configure_clubs(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    configure_registers(parser, RegisterKind.CLUBS)


# `kskak ratings`: the register's ratings as CSV, rating lists, pending calculations (§ 4.5).

_COLUMNS = ("rank", "name", "club", "rating", "status", "change", "games")


def configure_ratings(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = configure_registers(parser, RegisterKind.RATINGS)
    make = actions.add_parser(
        "compute",
        help="calculate the published groups that wait and what depends on them",
        description="Calculate the groups that wait and what depends on them (§ 4.5.4.1).",
    )
    make.add_argument(
        "--all",
        action="store_true",
        help="recalculate every group from its games; keep what is right",
    )
    make.set_defaults(does=_compute)
    look = actions.add_parser(
        "list",
        help="list the K-ratings of a day, highest first",
        description="List the K-ratings of a day, highest first (§ 4.5.5.1).",
    )
    look.add_argument("--on", metavar="DATE", help="the list of this day (default: today)")
    look.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the heading"
    )
    look.set_defaults(does=_list)
    for action in (make, look):
        add_config_option(action)
        add_output_options(action, lines=False)


def run_ratings(args: argparse.Namespace) -> int:
    """Exit 0: done, or a dry run without a bad line; 1: bad lines; 2: the input is wrong."""
    return run_registers(args)


def _compute(args: argparse.Namespace) -> int:
    try:
        done = asyncio.run(_compute_ratings(settings_of(args), args.all))
    except StoreError as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document({"groups": list(done.groups)})
    else:
        print("\n".join([*done.groups, f"{len(done.groups)} calculated"]))
    return 0


async def _compute_ratings(settings: Settings, everything: bool) -> CalculatedGroups:
    async with open_core(settings) as core:
        return await compute(core, everything=everything)


def _list(args: argparse.Namespace) -> int:
    try:
        found = asyncio.run(_load_rating_list(settings_of(args), day_of("--on", args.on)))
    except StoreError as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document(_document(found))
    else:
        print("\n".join(_lines(found, Words.load(args.lang))))
    return 0


async def _load_rating_list(settings: Settings, on: date | None) -> RatingListView:
    async with open_core(settings) as core:
        today = local_day(core.clock.now(), settings.clock.zone)
        if on is not None and on > today:
            raise InputError(f"--on: {on} is to come, name a day until {today}")
        return await rating_list(core, on or today)


def _document(found: RatingListView) -> dict[str, object]:
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


def _change(value: int) -> str:
    return f"{value:+d}" if value else "0"


def _lines(found: RatingListView, words: Words) -> list[str]:
    head = [words(f"ratings.column.{name}") for name in _COLUMNS]
    rows = [
        [
            str(line.rank),
            line.name,
            line.club or "",
            str(line.rating),
            words("ratings.provisional" if line.is_provisional else "ratings.final"),
            words("ratings.fresh") if line.change is None else _change(line.change),
            str(line.games),
        ]
        for line in found.lines
    ]
    return [words("ratings.lede", day=words.day(found.on)), "", *columns([head, *rows])]


run_members = run_clubs = run_registers
