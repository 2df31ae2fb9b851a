"""What `kskak members`, `kskak clubs` and `kskak ratings` share: import and export of CSV.

Not a command itself. What a file may hold is described in docs/formats.md.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from mail.text.words import Words
from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.usecases.register import wording
from server.usecases.register.columns import BY_WHAT
from server.usecases.register.csv_table import MOST_BYTES
from server.usecases.register.export import export
from server.usecases.register.importing import import_file
from server.usecases.register.report import Doer, Fate, Line, Progress, Report, Rules, What

MANY = 1000
"""With more lines than this, progress is shown."""


def configure(
    parser: argparse.ArgumentParser, what: What
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
    if what is What.MEMBERS:
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
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", what: What
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


def run(args: argparse.Namespace) -> int:
    """Exit 0: done, or a dry run with no bad lines; 1: bad lines; 2: the file can't be read."""
    code: int = args.does(args)
    return code


def _import(args: argparse.Namespace) -> int:
    path: Path = args.file
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: larger than {MOST_BYTES // 1024**2} MB, split it")
        report = asyncio.run(_imported(settings_of(args), args, path.read_bytes()))
    except (OSError, StoreError) as error:
        raise InputError(f"{path}: {error}") from error
    words = Words.load(args.lang)
    if report.fault is not None:
        raise InputError(f"{path}: {wording.slip_text(report.fault, words)}")
    if args.json:
        print_document(wording.document(report, words))
    else:
        _tell(report, words, dry_run=args.dry_run)
    return 0 if report.is_clean or report.is_done else 1


async def _imported(settings: Settings, args: argparse.Namespace, raw: bytes) -> Report:
    rules = Rules(args.dry_run, args.skip_bad, getattr(args, "take_emails", False))
    reason = f"import: {args.file.name}"
    doer = Doer(None, "command", reason, may_readdress=True)
    async with opened(settings) as core:
        return await import_file(core, args.what, raw, doer, rules, _progress(args, raw))


def _progress(args: argparse.Namespace, raw: bytes) -> Progress:
    """Show counts on stderr while a large file is processed."""
    words, is_shown = Words.load(args.lang), raw.count(b"\n") > MANY

    def show(step: str, done: int, total: int) -> None:
        if is_shown:
            end = "\n" if done == total or not sys.stderr.isatty() else "\r"
            print(f"{words(f'register.step.{step}')} {done}/{total}", end=end, file=sys.stderr)

    return show


def _tell(report: Report, words: Words, *, dry_run: bool) -> None:
    for column in report.unused:
        print(wording.unused_text(column, words))
    for line in report.lines:
        if line.fate is not Fate.UNCHANGED or line.notes:
            _tell_line(line, words, dry_run=dry_run)
    print(wording.summary_text(report, words))
    print(wording.outcome_text(report, words, dry_run=dry_run))


def _tell_line(line: Line, words: Words, *, dry_run: bool) -> None:
    """A line: what is wrong with it and what it changes; for a new one, what was understood."""
    head = words("register.line", n=line.number)
    print(f"{head}: {line.name}: {words(f'register.fate.{line.fate.value}')}")
    for slip in (*line.slips, *line.notes):
        print(f"    ! {wording.slip_text(slip, words)}")
    changes = [wording.change_text(change, words) for change in line.changes]
    if line.fate is Fate.CHANGED:
        print("".join(f"    {change}\n" for change in changes), end="")
    elif dry_run and changes:
        print(f"    {', '.join(changes)}")


def _export(args: argparse.Namespace) -> int:
    out: Path | None = args.out
    if out is not None and out.exists():
        raise InputError(f"--out: {out} is there already: name a new file")
    try:
        raw = asyncio.run(_exported(settings_of(args), args.what))
        if out is not None:
            out.write_bytes(raw)
    except (OSError, StoreError) as error:
        raise InputError(str(error)) from error
    if out is None:
        sys.stdout.write(raw.decode("utf-8-sig").replace("\r\n", "\n"))
    return 0


async def _exported(settings: Settings, what: What) -> bytes:
    async with opened(settings) as core:
        return await export(core, what)
