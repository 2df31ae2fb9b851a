"""The commands about one person: `user`, `login-link`, `token`."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable

from mail.incoming.parse_mail import normal_address
from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES
from server.app import open_core
from server.cli import InputError
from server.cli.config import add_config_option, settings_of
from server.settings import Settings
from server.store.engine.connection import StoreConflict, StoreError
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, PersonRow, Role
from server.usecases.account import signin
from server.usecases.context import Core

# What the commands about people share: finding one person by address.


def for_person(
    settings: Settings, email: str, make: Callable[[Core, PersonRow], Awaitable[str]]
) -> str:
    """What ``make`` returns for the person with this address. InputError if there is none."""

    async def work() -> str:
        async with open_core(settings) as core:
            found = await core.store.query(person_rows.by_email, email)
            if found is None:
                raise InputError(f"{email} is not registered: kskak user add NAME EMAIL")
            return await make(core, found)

    try:
        return asyncio.run(work())
    except StoreError as error:
        raise InputError(str(error)) from error


# `kskak user add NAME EMAIL`: register a person who may sign in.


def configure_user(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    add = actions.add_parser("add", help="register a person")
    add.add_argument("name", metavar="NAME")
    add.add_argument("email", metavar="EMAIL")
    add.add_argument("--role", choices=[role.value for role in Role], default=Role.PLAYER.value)
    add.add_argument("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE)
    add_config_option(add)


def run_user(args: argparse.Namespace) -> int:
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
    async with open_core(settings) as core:
        new = NewPerson(
            name=args.name, email=email, created_us=core.now_us, role=args.role, lang=args.lang
        )
        await core.store.change(person_rows.add_person, new)


# `kskak login-link EMAIL`: print a one-time sign-in link, once.


def configure_login_link(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("email", metavar="EMAIL", help="a registered person's address")
    add_config_option(parser)


def run_login_link(args: argparse.Namespace) -> int:
    """Exit 0: the link; 2: nobody has this address."""
    print(for_person(settings_of(args), args.email, _link))
    return 0


async def _link(core: Core, person: PersonRow) -> str:
    return await signin.make_link(core, person.id)


# `kskak token EMAIL`: create an API token and print it once; only its digest is kept.


def configure_token(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("email", metavar="EMAIL", help="a registered person's address")
    parser.add_argument("--name", default="kskak token", help="what the token is for")
    add_config_option(parser)


def run_token(args: argparse.Namespace) -> int:
    """Exit 0: the token; 2: nobody has this address."""

    async def make(core: Core, person: PersonRow) -> str:
        return await signin.make_token(core, person.id, args.name)

    print(for_person(settings_of(args), args.email, make))
    return 0
