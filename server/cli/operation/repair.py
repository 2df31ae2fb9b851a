"""`kskak repair GAME SEQ …`: annul an entry of a game that can't be read (`kskak verify` names it).

Its bytes are kept; an event that annuls it is chained on, and `kskak verify` is sound again. To be
run while no server runs on the database. Not for anything a leader or a ruling can correct.
"""

import argparse
import asyncio

from server.app import opened
from server.cli.alone import alone
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.usecases.desks.repair import NoRepair, repair


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.description = (
        "Annul an entry of a game that can't be read. Its bytes are kept and an annulment is "
        "chained on: the game stands as if the entry had never been made. Entries that rest on "
        "it go with it and are named too; the command says which. Stop the server meanwhile."
    )
    parser.add_argument("game", metavar="GAME", help="the game's name, as `kskak verify` says it")
    parser.add_argument(
        "seq", metavar="SEQ", type=int, nargs="+", help="the entry's number, from 1"
    )
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: annulled; 2: not possible, and nothing was changed."""
    settings = settings_of(args)
    try:
        with alone(settings, "repair"):
            asyncio.run(_repair(settings, args.game, args.seq))
    except (NoRepair, StoreError) as error:
        raise InputError(f"{args.game}: {error}") from error
    if args.json:
        print_document({"game": args.game, "annulled": args.seq})
    else:
        told = ", ".join(map(str, args.seq))
        print(f"{args.game}: annulled: {told}; what they said is kept")
    return 0


async def _repair(settings: Settings, game: str, seqs: list[int]) -> None:
    async with opened(settings) as core:
        await repair(core, game, seqs)
