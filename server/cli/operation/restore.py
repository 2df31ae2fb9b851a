"""`kskak restore FILE`: put a copy back, after checking that it is sound.

It refuses while a server works on the database, with --force too. Not for an upgrade: `kskak
serve` migrates by itself.
"""

import argparse
import asyncio
from pathlib import Path

from server.cli.alone import alone
from server.cli.config import add_config_option, settings_of
from server.cli.problems import InputError
from server.store.engine.errors import StoreError
from server.usecases.desks import database_care


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a copy made by `kskak backup`")
    parser.add_argument(
        "--force", action="store_true", help="replace a database even if it holds games"
    )
    add_config_option(parser)


def run(args: argparse.Namespace) -> int:
    """Exit 0: restored; 2: a server runs, a bad copy, or a database with games; nothing changed."""
    settings = settings_of(args)
    try:
        with alone(settings, "restore"):
            asyncio.run(database_care.restore(args.file, settings.database.url, force=args.force))
    except StoreError as error:
        raise InputError(str(error)) from error
    print(f"{args.file}: proved and restored; start the server again")
    return 0
