"""`kskak pgn`: finished games as PGN, the server's own and the archive's (§ 6.2.9).

In a form that `kskak import` reads. Not for running games: the group's page has them, for those
who may see them.
"""

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import TextIO

from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.usecases.archive.export import PAST, Choice, Counted, export

NOTHING = "0 games: no finished game is called so; write its name as the pages show it"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--group", metavar="NAME", help="a group, or a tournament in the archive")
    which.add_argument("--game", metavar="ID", help=f"a game's name or number; {PAST}N")
    which.add_argument("--player", metavar="NAME", help="an address, or part of a name")
    which.add_argument("--all", action="store_true", help="every finished game")
    parser.add_argument(
        "--numbers", action="store_true", help="include the archive's member numbers"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the file to write; must not exist (default: stdout)",
    )
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: written; 1: no such finished game; 2: the file can't be written."""
    out: Path | None = args.out
    if args.json and out is None:
        raise InputError("--json tells of a file: say which with --out FILE")
    choice = Choice(args.group or "", args.game or "", args.player or "", args.all, args.numbers)
    if not (
        choice.is_all or any(text.strip() for text in (args.group, args.game, args.player) if text)
    ):
        raise InputError("an empty name names no game")
    try:
        if out is None:
            count = asyncio.run(_written(settings_of(args), choice, sys.stdout))
        else:
            count = _to_file(settings_of(args), choice, out)
    except (OSError, StoreError) as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document({"file": str(out), "games": count})
    else:
        print(f"{count} games" if count else NOTHING, file=sys.stderr)
    return 0 if count else 1


def _to_file(settings: Settings, choice: Choice, out: Path) -> int:
    """The file gets its name only when it is complete; without a game, none is written."""
    if out.exists():
        raise InputError(f"--out: {out} is there already: name a new file")
    part = out.with_name(out.name + ".part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as file:
            count = asyncio.run(_written(settings, choice, file))
            file.flush()
            os.fsync(file.fileno())
        if count:
            part.rename(out)
    except FileExistsError:
        raise InputError(f"{part} is there already: remove it") from None
    finally:
        part.unlink(missing_ok=True)
    return count


async def _written(settings: Settings, choice: Choice, file: TextIO) -> int:
    counted = Counted()
    async with opened(settings) as core:
        async for text in export(core, choice, counted):
            file.write(("\n" if counted.games > 1 else "") + text)
    return counted.games
