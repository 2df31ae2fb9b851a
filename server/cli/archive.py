"""The commands about the archive: `import`, `pgn`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO

from mail.text.catalogue import Words
from server import cli
from server.cli import DRY_RUN, JSON, OUT, InputError, command, language, lazily, option, say
from server.cli.config import CONFIG, hold_database, on_core, settings_of

with lazily():
    from server import settings
    from server.store.archive import writing as archive_rows
    from server.usecases import context
    from server.usecases.archive import archive_import as importing
    from server.usecases.archive import archive_views, table_import
    from server.usecases.register import csv_columns


# `kskak import PATH...`: import past tournaments into the archive, with the rights that follow.

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

Columns of a table, in any order:
  """


@command(
    "import",
    option("paths", metavar="PATH", nargs="+", type=Path),
    DRY_RUN,
    option("--again", action="store_true", help="read finished files again"),
    language("the report"),
    CONFIG,
    JSON,
    epilog=lambda: FORMATS + csv_columns.names_of(csv_columns.PAST_RESULTS),
    formatter_class=argparse.RawDescriptionHelpFormatter,
)
def run_import(args: argparse.Namespace) -> int:
    """Exit 0: everything was imported; 1: some could not be used; 2: a path can't be read, or a
    server works on the database.
    """
    words = Words.load(args.lang)
    try:
        found, settings = importing.sources(args.paths), settings_of(args, makes=True)
        with nullcontext() if args.dry_run else hold_database(settings, "import"):
            report, games = on_core(
                settings, lambda core: _import_games(core, args, found, words), makes=True
            )
    except table_import.BadPath as bad:
        raise InputError(f"{bad.path}: {importing.write_problem(bad.problem, words)}") from bad
    lines = importing.closing_lines(report, games, words)
    say(args, importing.document(report, games, words), lines)
    return 1 if report.refused else 0


async def _import_games(
    core: context.Core,
    args: argparse.Namespace,
    found: tuple[importing.ImportFile, ...],
    words: Words,
) -> tuple[table_import.ArchiveImportReport, int]:
    teller = _Teller(words, is_quiet=args.json)
    watch = table_import.Watch(teller.step, teller.note)
    report = await importing.import_past(core, found, watch, dry_run=args.dry_run, again=args.again)
    teller.finish(report)
    return report, await core.store.query(archive_rows.game_count)


class _Teller:
    """Reports the outcome for games on stdout, and progress on stderr."""

    def __init__(self, words: Words, *, is_quiet: bool) -> None:
        self._words, self._is_quiet = words, is_quiet
        self._known: Counter[str] = Counter()
        self._told_s = time.monotonic()

    def note(self, note: table_import.ArchiveImportNote) -> None:
        """Report a game that is left out, or is there already."""
        if (
            note.outcome is not table_import.ArchiveImportOutcome.REFUSED
            and note.problem.code != "other_result"
        ):
            self._known[note.file] += 1
            if self._known[note.file] > MOST_KNOWN:
                return
        if not self._is_quiet:
            print(importing.note_text(note, self._words))

    def step(self, step: table_import.ArchiveImportProgress) -> None:
        """Report a file's progress."""
        if time.monotonic() - self._told_s >= cli.EVERY_S:
            self._told_s = time.monotonic()
            print(importing.step_text(step, self._words), file=sys.stderr, flush=True)

    def finish(self, report: table_import.ArchiveImportReport) -> None:
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
            print(importing.file_text(file, self._words))


# `kskak pgn`: finished games as PGN, the server's own and the archive's (§ 6.2.9).

NOTHING = "0 games: no finished game is called so; write its name as the pages show it"


def _add_choice(parser: argparse.ArgumentParser) -> None:
    """Which games: one of these."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--group", metavar="NAME", help="a group, or a tournament in the archive")
    which.add_argument("--game", metavar="ID", help="a game's name or number; archive/N")
    which.add_argument("--player", metavar="NAME", help="an address, or part of a name")
    which.add_argument("--all", action="store_true", help="every finished game")


@command(
    "pgn",
    _add_choice,
    option("--numbers", action="store_true", help="include the archive's member numbers"),
    OUT,
    CONFIG,
    JSON,
)
def run_pgn(args: argparse.Namespace) -> int:
    """Exit 0: written; 1: no such finished game; 2: the file can't be written."""
    out: Path | None = args.out
    if args.json and out is None:
        raise InputError("--json tells of a file: say which with --out FILE")
    choice = archive_views.ExportSelection(
        args.group or "", args.game or "", args.player or "", args.all, args.numbers
    )
    if not (
        choice.is_all or any(text.strip() for text in (args.group, args.game, args.player) if text)
    ):
        raise InputError("an empty name names no game")
    if out is None:
        count = _write_games(settings_of(args), choice, sys.stdout)
    else:
        count = _to_file(settings_of(args), choice, out)
    if args.json:
        say(args, {"file": str(out), "games": count}, ())
    else:
        print(f"{count} games" if count else NOTHING, file=sys.stderr)
    return 0 if count else 1


def _to_file(settings: settings.Settings, choice: archive_views.ExportSelection, out: Path) -> int:
    """The file gets its name only when it is complete; without a game, none is written."""
    if out.exists():
        raise InputError(f"--out: {out} is there already: name a new file")
    part = out.with_name(out.name + ".part")
    file = part.open("x", encoding="utf-8", newline="\n")
    try:
        with file:
            count = _write_games(settings, choice, file)
            file.flush()
            os.fsync(file.fileno())
        if count:
            part.rename(out)
    finally:
        part.unlink(missing_ok=True)
    return count


def _write_games(
    settings: settings.Settings, choice: archive_views.ExportSelection, file: TextIO
) -> int:
    counted = archive_views.ExportCounts()

    async def write(core: context.Core) -> int:
        async for text in archive_views.export(core, choice, counted):
            file.write(("\n" if counted.games > 1 else "") + text)
        return counted.games

    return on_core(settings, write)
