"""The commands about people, groups and their tournaments: `user`, `login-link`, `token`, `group`,
`case`, `accounts`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES, Words
from server.cli import (
    DRY_RUN,
    JSON,
    InputError,
    command,
    language,
    lazily,
    option,
    read_document,
    say,
    telling,
)
from server.cli.config import CONFIG, hold_database, on_core, settings_of

with lazily():
    from kskak.office import books
    from mail.incoming import parse_mail
    from server import settings
    from server.store.account import sign_in
    from server.store.engine import connection
    from server.store.play import people as person_rows
    from server.usecases import context, office, rights
    from server.usecases.account import signin
    from server.usecases.cases import case_file
    from server.usecases.groups import group_file
    from server.usecases.starts import start_group, takeover, takeover_games


# What the commands about people share: finding one person by address.

ROLES = ("player", "tl", "kc", "admin")
SCOPES = ("read", "play", "lead", "decide")
"""The roles and what tokens open, in words: help does not wait for the tables."""
EMAIL = option("email", metavar="EMAIL", help="a registered person's address")


def for_person(
    settings: settings.Settings,
    email: str,
    make: Callable[[context.Core, person_rows.PersonRow], Awaitable[str]],
) -> str:
    """What ``make`` returns for the person with this address. InputError if there is none."""

    async def work(core: context.Core) -> str:
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
    option(
        "--role",
        choices=ROLES,
        default=ROLES[0],
    ),
    option("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE),
    CONFIG,
    help="register a person",
)
def run_user_add(args: argparse.Namespace) -> int:
    """Exit 0: registered; 2: the address is invalid, or registered already."""
    email = parse_mail.normal_address(args.email)
    if email is None:
        raise InputError(f"{args.email}: write one e-mail address, as navn@example.org")
    if not args.name.strip() or not args.name.isprintable():
        raise InputError("NAME: write a name on one line")

    async def add(core: context.Core) -> None:
        new = person_rows.NewPerson(
            name=args.name, email=email, created_us=core.now_us, role=args.role, lang=args.lang
        )
        try:
            await core.store.change(person_rows.add_person, new)
        except connection.StoreConflict as error:
            raise InputError(f"{email} is registered already") from error

    on_core(settings_of(args, makes=True), add, makes=True)
    print(f"{args.name} <{email}> is registered as {args.role}")
    return 0


@command(
    "user lost-passkey",
    EMAIL,
    CONFIG,
    help="remove a person's passkeys, whose last one is lost",
    description=(
        "Remove all passkeys of a person who has lost the last one, and end his sessions, tokens "
        "and keys. He signs in by a mailed link and makes another; he and all officials get a "
        "letter. Be sure first, by telephone or face to face, that it is he who asks."
    ),
)
def run_lost_passkey(args: argparse.Namespace) -> int:
    """Exit 0: removed; 1: there were none, and nothing was changed; 2: nobody has this address."""

    async def forget(core: context.Core, person: person_rows.PersonRow) -> str:
        lost = await signin.forget_passkeys(core, person)
        return f"{args.email}: {lost} removed; officials are told" if lost else ""

    said = for_person(settings_of(args), args.email, forget)
    print(said or f"{args.email} has no passkeys: nothing was changed")
    return 0 if said else 1


@command("login-link", EMAIL, CONFIG)
def run_login_link(args: argparse.Namespace) -> int:
    """Print a one-time sign-in link, once. Exit 0: the link; 2: nobody has this address."""
    made = for_person(settings_of(args), args.email, lambda core, p: signin.make_link(core, p.id))
    print(made)
    return 0


@command(
    "token",
    EMAIL,
    option("--name", default="kskak token", help="what the token is for"),
    option(
        "--scope",
        action="append",
        choices=SCOPES,
        help="what it opens besides reading",
    ),
    option("--days", type=int, default=0, help="for so many days; else without an end"),
    CONFIG,
)
def run_token(args: argparse.Namespace) -> int:
    """Create an API token and print it once; only its digest is kept.

    It opens everything that its owner may do, unless --scope says what. Exit 0: the token; 2:
    nobody has this address.
    """

    async def make(core: context.Core, person: person_rows.PersonRow) -> str:
        terms = signin.terms_for(core, args.scope or [*sign_in.TokenScope], max(args.days, 0))
        return await signin.make_token(core, person.id, args.name, terms)

    print(for_person(settings_of(args), args.email, make))
    return 0


# `kskak group start FILE` and `kskak group import DIR`: start a group here, or take one over.

FORMATS = """\
DIR holds group.toml, the file of `kskak group start` with the players in the order of their
numbers and draw = false (or the seed of the lots), and one file for every game of the schedule:

a ledger, *.json
  kskak-ledger/1, as `kskak clock` reads it

or a short file, *.toml
  white = "A. Spiller"          names as in group.toml
  black = "B. Spiller"
  moves = "1. e4 e5 2. 7163"    PGN moves in numbers or letters, all of them
  sent = 2026-10-01             when the last move was sent
  received = 2026-10-03         when who is to move had it, if known
  totals = { white = 12, black = 9 }       days used up to and including the last move
  leave_used = { white = 7, black = 0 }    days of leave in this tournament year, dates unknown
  [[leave]]                     leave with its dates, not counted in leave_used
  by = "white"
  from = 2026-10-05
  to = 2026-10-11
  notified = 2026-09-20         type = "special" needs none
of a game that is over: result = "1-0", ended = 2026-10-09, and ruling = "why" if it was ruled
of a game in which nobody has moved: white, black and not_started = true

A division of the league (class = "league") has its teams in the order of their numbers. Who has
taken a board over stands below his team; the games that he carries on bear his name:
  [[teams.reserves]]
  board = 2
  name = "R. Reserve"
  email = "r@example.org"
  k_rating = 1850
  since = 2026-10-01

All or nothing is imported. --dry-run shows what would be made and every overstep found.
"""


@command(
    "group start",
    option("file", metavar="FILE", type=Path, help="the group file"),
    CONFIG,
    JSON,
    help="start a group from a TOML file (waiting lists start theirs themselves)",
)
def run_group_start(args: argparse.Namespace) -> int:
    """Exit 0: done; 2: the input can't be used, and nothing was changed."""

    async def start(core: context.Core) -> group_file.StartedGroup:
        late = start_group.late_start(file, core.today(file.zone))
        started = await start_group.start_judged(core, file)
        return started if late is None else replace(started, notes=(*started.notes, late))

    try:
        file = group_file.read_group_file(args.file.read_text(encoding="utf-8"))
        started = on_core(settings_of(args), start, args.file)
    except (UnicodeDecodeError, group_file.GroupFileError) as error:
        raise InputError(f"{args.file}: {error}") from error
    for note in started.notes:
        print(note, file=sys.stderr)
    drawn = f"lots drawn with seed {started.seed}" if started.seed else "in the order given"
    lines = [f"{started.name}: {started.games} games, numbers {drawn}"]
    lines += [f"{number:3}. {name}" for number, name in enumerate(started.players, 1)]
    made = {"group": started.name, "seed": started.seed, "players": list(started.players)}
    return say(args, made | {"games": started.games}, lines)


@command(
    "group import",
    option("folder", metavar="DIR", type=Path, help="the group file and the games"),
    DRY_RUN,
    CONFIG,
    JSON,
    help="take over a running group from paper or private mail",
    epilog=FORMATS,
    formatter_class=argparse.RawDescriptionHelpFormatter,
)
def run_group_import(args: argparse.Namespace) -> int:
    """Exit 0: done; 2: the input can't be used, and nothing was changed."""
    folder: Path = args.folder
    tell = partial(telling(), "games played through")
    try:
        if not folder.is_dir():
            raise InputError(f"{folder}: is no folder; name the one with the group's files")
        files = {
            path.name: path.read_bytes()
            for path in sorted(folder.iterdir())
            if path.is_file() and not path.name.startswith(".")
        }
        done = on_core(
            settings_of(args),
            lambda core: takeover.import_group(core, files, tell, dry_run=args.dry_run),
            str(folder),
        )
    except takeover_games.TakeoverError as error:
        raise InputError(f"{folder}: {error}") from error
    return say(args, takeover.report_json(done), takeover.report_lines(done))


# `kskak case N --out FOLDER|FILE.zip`: the case file of a game or a case (§ 6.2.3).


@command(
    "case",
    option("name", metavar="N", help="a game's id or name, or a case's number"),
    option(
        "--out", type=Path, required=True, help="the folder or .zip file to write; must not exist"
    ),
    language("its texts"),
    CONFIG,
    JSON,
)
def run_case(args: argparse.Namespace) -> int:
    """Exit 0: written; 2: no such game or case, or the output exists already."""
    out: Path = args.out
    if out.exists():
        raise InputError(f"--out: {out} is there already: name a new one")
    reader = case_file.Reader(None, is_official=True, lang=args.lang)
    try:
        parts = on_core(
            settings_of(args), lambda core: case_file.build_file(core, args.name, reader)
        )
        if out.suffix == ".zip":
            out.write_bytes(case_file.as_zip(parts))
        else:
            case_file.write_folder(parts, out)
    except case_file.NoCase:
        raise InputError(f"N: there is no game or case {args.name}") from None
    made = {"out": str(out), "files": [path for path, _ in parts]}
    return say(args, made, [f"{out}: {len(parts)} files"])


# `kskak accounts EMAIL`: export the tournaments' accounts to a file, or import one (§ 6.1.2).


def _add_ways(parser: argparse.ArgumentParser) -> None:
    """To a file or from one."""
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--out", metavar="FILE", help="write the lines as CSV to a new file")
    way.add_argument("--take", metavar="FILE", help="enter the lines of a CSV file, all or none")


@command(
    "accounts",
    option("email", metavar="EMAIL", help="the controller's or administrator's address"),
    option("--tournament", help="with --out: only this tournament"),
    option("--year", type=int, help="with --out: only this year"),
    _add_ways,
    option("--dry-run", action="store_true", help="with --take: change nothing"),
    language("the report"),
    CONFIG,
    JSON,
)
def run_accounts(args: argparse.Namespace) -> int:
    """Exit 0: done; 1: faults in the file, nothing imported; 2: no permission, no such file,
    or, for --take, a server works on the database.
    """
    if args.dry_run and args.take is None:
        raise InputError("--dry-run goes with --take FILE")
    found: list[office.BookImportReport] = []

    async def work(core: context.Core, person: person_rows.PersonRow) -> str:
        try:
            if args.take is not None:
                found.append(await _take(core, person, args.take, args.dry_run))
                return ""
            return _write_books(await office.books_for(core, person), args)
        except rights.NotAllowed:
            raise InputError(f"{args.email} has no right to that: the controller has") from None

    settings = settings_of(args)
    changes = args.take is not None and not args.dry_run
    with hold_database(settings, "accounts --take") if changes else nullcontext():
        text = for_person(settings, args.email, work)
    if found:
        return _say_import(found[0], args)
    if text:
        print(text)
    return 0


async def _take(
    core: context.Core, person: person_rows.PersonRow, name: str, is_dry: bool
) -> office.BookImportReport:
    raw = read_document(name)
    if len(raw) > office.MOST_BYTES:
        raise InputError(f"{name} is larger than {office.MOST_BYTES} bytes")
    text = office.decode_file(raw)
    return await office.import_text(core, person, text, is_dry=is_dry)


def _write_books(found: office.Books, args: argparse.Namespace) -> str:
    if args.out is not None:
        with Path(args.out).open("xb") as file:
            file.write(office.write_file(found.of(args.tournament, args.year)))
        return ""
    if args.json:
        rows = [
            {"tournament": one.tournament, "year": one.year, "balance": one.after}
            for one in found.balances
        ]
        return json.dumps({"balances": rows}, ensure_ascii=False, indent=2)
    lines = [
        f"{one.tournament} {one.year}: {books.amount_text(one.after)}" for one in found.balances
    ]
    return "\n".join(lines)


def _say_import(found: office.BookImportReport, args: argparse.Namespace) -> int:
    words = Words.load(args.lang)
    counts = {"new": len(found.new), "known": found.known, "bad": len(found.bad)}
    rows = [(row.line, words(f"economy.fault.{row.fault.value}")) for row in found.bad]
    errors = [{"line": line, "detail": text} for line, text in rows]
    lines = [words("economy.import_done" if found.is_done else "economy.import_found", **counts)]
    lines += [words("economy.row", line=line, text=text) for line, text in rows]
    say(args, {"is_done": found.is_done, **counts, "errors": errors}, lines)
    return 1 if found.bad else 0
