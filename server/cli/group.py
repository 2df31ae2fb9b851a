"""`kskak group start FILE`: people, lots, round robin, start letters (§ 6.5.2.1, § 4.9.11).

Works beside a running server, which then sends the letters. Not for the groups of waiting lists,
which entries start (server/usecases/placing.py).
"""

import argparse
import asyncio
import sys
from pathlib import Path

from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.errors import StoreError
from server.usecases.group_file import GroupFile, GroupFileError, read_group_file
from server.usecases.start_group import StartedGroup, start_group


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    start = actions.add_parser(
        "start", help="start a group from a TOML file; a waiting list starts its own"
    )
    start.add_argument("file", metavar="FILE", type=Path, help="the group file")
    add_config_option(start)
    add_output_options(start, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: started; 2: the file can't be used, and nothing was changed."""
    try:
        file = read_group_file(args.file.read_text(encoding="utf-8"))
        started = asyncio.run(_start(settings_of(args), file))
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


async def _start(settings: Settings, file: GroupFile) -> StartedGroup:
    async with opened(settings) as core:
        return await start_group(core, file)


def _tell(started: StartedGroup) -> None:
    drawn = f"lots drawn with seed {started.seed}" if started.seed else "in the order given"
    print(f"{started.name}: {started.games} games, numbers {drawn}")
    for number, name in enumerate(started.players, 1):
        print(f"{number:3}. {name}")
