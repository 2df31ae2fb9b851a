"""The commands about one person: `user`, `login-link`, `token`."""

import argparse
from collections.abc import Awaitable, Callable

from mail.incoming.parse_mail import normal_address
from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES
from server.cli import InputError, command, option
from server.cli.config import CONFIG, on_core, settings_of
from server.settings import Settings
from server.store.engine.connection import StoreConflict
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, PersonRow, Role
from server.usecases.account import signin
from server.usecases.context import Core

# What the commands about people share: finding one person by address.

EMAIL = option("email", metavar="EMAIL", help="a registered person's address")


def for_person(
    settings: Settings, email: str, make: Callable[[Core, PersonRow], Awaitable[str]]
) -> str:
    """What ``make`` returns for the person with this address. InputError if there is none."""

    async def work(core: Core) -> str:
        found = await core.store.query(person_rows.by_email, email)
        if found is None:
            raise InputError(f"{email} is not registered: kskak user add NAME EMAIL")
        return await make(core, found)

    return on_core(settings, work)


# `kskak user add NAME EMAIL`: register a person who may sign in.


@command(
    "user add",
    option("name", metavar="NAME"),
    option("email", metavar="EMAIL"),
    option("--role", choices=[role.value for role in Role], default=Role.PLAYER.value),
    option("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE),
    CONFIG,
    help="register a person",
)
def run_user_add(args: argparse.Namespace) -> int:
    """Exit 0: registered; 2: the address is invalid, or registered already."""
    email = normal_address(args.email)
    if email is None:
        raise InputError(f"{args.email}: write one e-mail address, as navn@example.org")
    if not args.name.strip() or not args.name.isprintable():
        raise InputError("NAME: write a name on one line")

    async def add(core: Core) -> None:
        new = NewPerson(
            name=args.name, email=email, created_us=core.now_us, role=args.role, lang=args.lang
        )
        try:
            await core.store.change(person_rows.add_person, new)
        except StoreConflict as error:
            raise InputError(f"{email} is registered already") from error

    on_core(settings_of(args), add)
    print(f"{args.name} <{email}> is registered as {args.role}")
    return 0


@command("login-link", EMAIL, CONFIG)
def run_login_link(args: argparse.Namespace) -> int:
    """Print a one-time sign-in link, once. Exit 0: the link; 2: nobody has this address."""
    made = for_person(settings_of(args), args.email, lambda core, p: signin.make_link(core, p.id))
    print(made)
    return 0


@command(
    "token", EMAIL, option("--name", default="kskak token", help="what the token is for"), CONFIG
)
def run_token(args: argparse.Namespace) -> int:
    """Create an API token and print it once; only its digest is kept.

    Exit 0: the token; 2: nobody has this address.
    """
    name = args.name
    made = for_person(
        settings_of(args), args.email, lambda core, person: signin.make_token(core, person.id, name)
    )
    print(made)
    return 0
