"""`kskak retention`: what is kept, and until when, by tournament. Changes nothing.

The daily duty removes what has expired; not for removing anything by hand.
"""

import argparse
import asyncio

from server.cli.alone import alone
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.clock import SystemClock
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.store.engine.store import Store
from server.usecases.desks.retention import Kept, overview_now


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: the list; 2: a server runs, or the database can't be read."""
    settings = settings_of(args)
    try:
        with alone(settings, "retention"):
            found = asyncio.run(_overview(settings))
    except StoreError as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document({"tournaments": [_document(one) for one in found]})
        return 0
    for one in found:
        until = "runs" if one.until is None else f"until {one.until.isoformat()}"
        print(f"{one.tournament}: contact data, mails and cards {until}; games stay")
    return 0


def _document(one: Kept) -> dict[str, object]:
    ended = None if one.ended is None else one.ended.isoformat()
    until = None if one.until is None else one.until.isoformat()
    return {"tournament": one.tournament, "ended": ended, "until": until, "over": one.is_over}


async def _overview(settings: Settings) -> tuple[Kept, ...]:
    store = await Store.open(settings.database.url)
    try:
        return await overview_now(store, settings.clock.zone, SystemClock())
    finally:
        await store.close()
