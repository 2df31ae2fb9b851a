"""`kskak user add NAME EMAIL`: register a person who may sign in.

Not needed for the players of a group: the group file registers them.
"""

import argparse
import asyncio

from mail.incoming.address import normal_address
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreConflict, StoreError
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Role


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    add = actions.add_parser("add", help="register a person")
    add.add_argument("name", metavar="NAME")
    add.add_argument("email", metavar="EMAIL")
    add.add_argument("--role", choices=[role.value for role in Role], default=Role.PLAYER.value)
    add.add_argument("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE)
    add_config_option(add)


def run(args: argparse.Namespace) -> int:
    """Exit 0: registered; 2: the address is invalid, or registered already."""
    email = normal_address(args.email)
    if email is None:
        raise InputError(f"{args.email}: write one e-mail address, as navn@example.org")
    if not args.name.strip() or not args.name.isprintable():
        raise InputError("NAME: write a name on one line")
    try:
        asyncio.run(_add(settings_of(args), args, email))
    except StoreConflict as error:
        raise InputError(f"{email} is registered already") from error
    except StoreError as error:
        raise InputError(str(error)) from error
    print(f"{args.name} <{email}> is registered as {args.role}")
    return 0


async def _add(settings: Settings, args: argparse.Namespace, email: str) -> None:
    async with opened(settings) as core:
        new = NewPerson(
            name=args.name, email=email, created_us=core.now_us, role=args.role, lang=args.lang
        )
        async with core.store.write() as conn:
            await person_rows.add(conn, new)
