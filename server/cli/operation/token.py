"""`kskak token EMAIL`: create an API token and print it once; only its digest is kept.

Not for revoking tokens.
"""

import argparse

from server.cli.config import add_config_option, settings_of
from server.cli.data.people import for_person
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.core.context import Core


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("email", metavar="EMAIL", help="a registered person's address")
    parser.add_argument("--name", default="kskak token", help="what the token is for")
    add_config_option(parser)


def run(args: argparse.Namespace) -> int:
    """Exit 0: the token; 2: nobody has this address."""

    async def make(core: Core, person: PersonRow) -> str:
        return await signin.make_token(core, person.id, args.name)

    print(for_person(settings_of(args), args.email, make))
    return 0
