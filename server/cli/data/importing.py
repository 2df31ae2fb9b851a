"""`kskak import PATH...`: import past tournaments into the archive, with the rights that follow.

Continues where it was interrupted, and reads nothing twice (§ 6.5.3.2). Not for running groups
(`kskak group import`) nor for ratings (`kskak ratings import`).
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from mail.text.words import Words
from server.app import opened
from server.cli.alone import alone
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.memory import collect_seldom
from server.settings import Settings
from server.store.archive import writing
from server.store.engine.errors import StoreError
from server.usecases.archive import wording
from server.usecases.archive.columns import COLUMNS
from server.usecases.archive.files import Source, sources
from server.usecases.archive.importing import import_past
from server.usecases.archive.report import BadPath, Fate, Note, Report, Step, Watch

EVERY_S = 5.0
"""Between two progress lines when stderr is not a terminal."""
MOST_KNOWN = 20
"""Most games of a file reported one by one as being there already; the others are counted."""
FORMATS = """\
PATH is a file, or a folder to be read with everything in it:
  *.pgn   finished games in UTF-8 or Latin-1, moves in English or Danish letters or in numbers;
          [WhiteTeam "…"] gives the club, [WhiteMember "…"] the member's number
  *.json  the account of a finished game, kskak-ledger/1, as `kskak clock` reads it
  *.csv   final tables, one line a player, as a spreadsheet writes them (UTF-8, `;` or `,`)

A game or line that can't be used is reported and skipped; the others are imported. Games that
are already there, with the same players, moves and day, are left alone. If the command is
interrupted, run it again: it continues where it stopped.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    columns = ", ".join(names[0] for names in COLUMNS.values())
    parser.epilog = f"{FORMATS}\nColumns of a table, in any order:\n  {columns}"
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path)
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would happen, and change nothing"
    )
    parser.add_argument("--again", action="store_true", help="read finished files again")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the report"
    )
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: everything was imported; 1: some could not be used; 2: a path can't be read, or a
    server works on the database.
    """
    words = Words.load(args.lang)
    try:
        found, settings = sources(args.paths), settings_of(args)
        with nullcontext() if args.dry_run else alone(settings, "import"):
            report, games = asyncio.run(_imported(settings, args, found, words))
    except BadPath as bad:
        raise InputError(f"{bad.path}: {wording.slip_text(bad.slip, words)}") from bad
    except (OSError, StoreError) as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document(wording.document(report, games, words))
    else:
        for line in wording.closing_lines(report, games, words):
            print(line)
    return 1 if report.refused else 0


async def _imported(
    settings: Settings, args: argparse.Namespace, found: tuple[Source, ...], words: Words
) -> tuple[Report, int]:
    teller = _Teller(words, is_quiet=args.json)
    collect_seldom()
    async with opened(settings) as core:
        watch = Watch(teller.step, teller.note)
        report = await import_past(core, found, watch, dry_run=args.dry_run, again=args.again)
        teller.finish(report)
        async with core.store.read() as conn:
            return report, await writing.game_count(conn)


class _Teller:
    """Reports the outcome for games on stdout, and progress on stderr."""

    def __init__(self, words: Words, *, is_quiet: bool) -> None:
        self._words, self._is_quiet = words, is_quiet
        self._is_terminal = sys.stderr.isatty()
        self._known: Counter[str] = Counter()
        self._first: Step | None = None
        self._begun_s = self._told_s = time.monotonic()

    def note(self, note: Note) -> None:
        """Report a game that is left out, or is there already."""
        if note.fate is not Fate.REFUSED and note.slip.code != "other_result":
            self._known[note.file] += 1
            if self._known[note.file] > MOST_KNOWN:
                return
        if not self._is_quiet:
            self._clear()
            print(wording.note_text(note, self._words))

    def step(self, step: Step) -> None:
        """Report a file's progress; the rate and the time left are those of this run."""
        now = time.monotonic()
        if self._first is None or self._first.file != step.file:
            self._first, self._begun_s = step, now
        is_over = step.done >= step.total
        if now - self._told_s < (0.2 if self._is_terminal else EVERY_S) and not is_over:
            return
        self._told_s = now
        text = wording.step_text(step, now - self._begun_s, self._first, self._words)
        if self._is_terminal:
            print(f"\r\033[K{text}", end="\n" if is_over else "", file=sys.stderr, flush=True)
        elif now - self._begun_s >= EVERY_S:
            print(text, file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def finish(self, report: Report) -> None:
        """Report the outcome for each file; ledgers are reported together."""
        if self._is_quiet:
            return
        for name, count in self._known.items():
            if count > MOST_KNOWN:
                more = self._words("history.more", n=count - MOST_KNOWN)
                print(f"{name}: {more}")
        for file in report.files:
            if file.resumed and not file.is_known:
                print(self._words("history.file.resumed", file=file.name, n=file.resumed))
            print(wording.file_text(file, self._words))
