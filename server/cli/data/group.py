"""`kskak group start FILE` and `kskak group import DIR`: start a group here, or take one over.

Works alongside a running server, which then sends the letters (§ 6.5.2.1, § 4.9.11). Not for the
groups of waiting lists, which entries start (server/usecases/entries/next_group.py).
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.usecases.core.context import Core
from server.usecases.groups.group_file import GroupFile, GroupFileError, read_group_file
from server.usecases.starts.start_group import StartedGroup, late_start, start_judged
from server.usecases.starts.takeover import Takeover, import_group
from server.usecases.starts.takeover_files import TakeoverError
from server.usecases.starts.takeover_report import report_json, report_lines

FORMATS = """\
DIR holds group.toml, the file of `kskak group start` with the players in the order of their
numbers and draw = false (or the seed of the lots), and one file for every game of the schedule:

a ledger, *.json
  kskak-ledger/1, as `kskak clock` reads it

or a short file, *.toml
  white = "A. Spiller"          names as in group.toml
  black = "B. Spiller"
  moves = "1. e4 e5 2. 7163"    PGN moves in numbers or letters, all of them
  sent = 2026-10-01             when the last move was sent
  received = 2026-10-03         when who is to move had it, if known
  totals = { white = 12, black = 9 }       days used up to and including the last move
  leave_used = { white = 7, black = 0 }    days of leave in this tournament year, dates unknown
  [[leave]]                     leave with its dates, not counted in leave_used
  by = "white"
  from = 2026-10-05
  to = 2026-10-11
  notified = 2026-09-20         type = "special" needs none
of a game that is over: result = "1-0", ended = 2026-10-09, and ruling = "why" if it was ruled
of a game in which nobody has moved: white, black and not_started = true

A division of the league (class = "league") has its teams in the order of their numbers. Who has
taken a board over stands below his team; the games that he carries on bear his name:
  [[teams.reserves]]
  board = 2
  name = "R. Reserve"
  email = "r@example.org"
  k_rating = 1850
  since = 2026-10-01

All or nothing is imported. --dry-run shows what would be made and every overstep found.
"""
T = TypeVar("T")
_TOLD_EVERY = 25
"""Games played through between two progress messages."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    start = actions.add_parser(
        "start", help="start a group from a TOML file (waiting lists start theirs themselves)"
    )
    start.add_argument("file", metavar="FILE", type=Path, help="the group file")
    taken = actions.add_parser(
        "import",
        help="take over a running group from paper or private mail",
        epilog=FORMATS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    taken.add_argument("folder", metavar="DIR", type=Path, help="the group file and the games")
    taken.add_argument(
        "--dry-run", action="store_true", help="show what would happen, and change nothing"
    )
    for action, does in ((start, _start), (taken, _import)):
        add_config_option(action)
        add_output_options(action, lines=False)
        action.set_defaults(does=does)


def run(args: argparse.Namespace) -> int:
    """Exit 0: done; 2: the input can't be used, and nothing was changed."""
    does: Callable[[argparse.Namespace], int] = args.does
    return does(args)


def _start(args: argparse.Namespace) -> int:
    try:
        file = read_group_file(args.file.read_text(encoding="utf-8"))
        started = asyncio.run(_with_core(settings_of(args), _starting(file)))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{args.file}: {error}") from error
    except (GroupFileError, StoreError) as error:
        raise InputError(f"{args.file}: {error}") from error
    for note in started.notes:
        print(note, file=sys.stderr)
    if args.json:
        print_document(
            {
                "group": started.name,
                "seed": started.seed,
                "players": list(started.players),
                "games": started.games,
            }
        )
    else:
        _tell(started)
    return 0


def _starting(file: GroupFile) -> Callable[[Core], Awaitable[StartedGroup]]:
    async def work(core: Core) -> StartedGroup:
        late = late_start(file, core.today(file.zone))
        started = await start_judged(core, file)
        return started if late is None else replace(started, notes=(*started.notes, late))

    return work


async def _with_core(settings: Settings, work: Callable[[Core], Awaitable[T]]) -> T:
    async with opened(settings) as core:
        return await work(core)


def _tell(started: StartedGroup) -> None:
    drawn = f"lots drawn with seed {started.seed}" if started.seed else "in the order given"
    print(f"{started.name}: {started.games} games, numbers {drawn}")
    for number, name in enumerate(started.players, 1):
        print(f"{number:3}. {name}")


def _import(args: argparse.Namespace) -> int:
    folder: Path = args.folder

    def work(core: Core) -> Awaitable[Takeover]:
        return import_group(core, files, _progress, dry_run=args.dry_run)

    try:
        if not folder.is_dir():
            raise InputError(f"{folder}: is no folder; name the one with the group's files")
        files = {
            path.name: path.read_bytes()
            for path in sorted(folder.iterdir())
            if path.is_file() and not path.name.startswith(".")
        }
        done = asyncio.run(_with_core(settings_of(args), work))
    except OSError as error:
        raise InputError(f"{folder}: {error}") from error
    except (TakeoverError, StoreError) as error:
        raise InputError(f"{folder}: {error}") from error
    if args.json:
        print_document(report_json(done))
    else:
        print("\n".join(report_lines(done)))
    return 0


def _progress(done: int, of: int) -> None:
    """Report progress on stderr, if there are many games."""
    if of > _TOLD_EVERY and (done % _TOLD_EVERY == 0 or done == of):
        print(f"kskak: {done} of {of} games played through", file=sys.stderr)
