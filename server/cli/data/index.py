"""`kskak index`: index the archive's openings and positions, in a database that lacks the index.

The server does the same in the background, more slowly. If stopped, it continues where it was.
Not for importing games (`kskak import`, which ends with this).
"""

import argparse
import asyncio
import sys
import time

from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.usecases.archive import indexing

EVERY_S = 5.0
"""Between two progress lines."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: every game can be found by opening and position; 2: the database can't be used."""
    try:
        count = asyncio.run(_indexed(settings_of(args)))
    except (OSError, StoreError) as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document({"games": count})
    else:
        print(f"{count} games indexed")
    return 0


async def _indexed(settings: Settings) -> int:
    told_s = time.monotonic()

    def step(done: int, total: int) -> None:
        nonlocal told_s
        if time.monotonic() - told_s >= EVERY_S:
            told_s = time.monotonic()
            print(f"{done} of {total} games", file=sys.stderr, flush=True)

    async with opened(settings) as core:
        return await indexing.everything(core, step)
