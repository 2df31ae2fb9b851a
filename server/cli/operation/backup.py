"""`kskak backup FILE`: make a checked copy of the database; the server may be running.

Not for putting it back: `kskak restore`.
"""

import argparse
import asyncio
from pathlib import Path

from server.cli.config import add_config_option, settings_of
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.store.engine.store import Store
from server.usecases.desks import database_care


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the copy to write; must not exist")
    add_config_option(parser)


def run(args: argparse.Namespace) -> int:
    """Exit 0: the copy was made and is sound; 2: it can't be made, and nothing was written."""
    try:
        asyncio.run(_backup(settings_of(args), args.file))
    except StoreError as error:
        raise InputError(str(error)) from error
    print(f"{args.file}: copied and checked")
    return 0


async def _backup(settings: Settings, file: Path) -> None:
    store = await Store.open(settings.database.url)
    try:
        await database_care.backup(store, file)
    finally:
        await store.close()
