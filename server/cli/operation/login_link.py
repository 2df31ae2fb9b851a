"""`kskak login-link EMAIL`: print a one-time sign-in link, once.

Not for mailing it: the sign-in page does that.
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
    add_config_option(parser)


def run(args: argparse.Namespace) -> int:
    """Exit 0: the link; 2: nobody has this address."""
    print(for_person(settings_of(args), args.email, _link))
    return 0


async def _link(core: Core, person: PersonRow) -> str:
    return await signin.make_link(core, person.id)
