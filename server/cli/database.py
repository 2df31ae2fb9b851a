"""The commands about the database: `backup`, `restore`, `repair`, `retention`, `verify`."""

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic

from server.app import open_core
from server.cli import InputError
from server.cli.config import add_config_option, hold_database, settings_of
from server.cli.documents import add_output_options, print_document
from server.clock import SystemClock
from server.settings import Settings
from server.store.engine.connection import StoreError
from server.store.engine.store import Store
from server.usecases.desks import database_care
from server.usecases.desks.database_care import (
    DatabaseFinding,
    DatabaseReport,
    NoRepair,
    repair,
    verify,
)
from server.usecases.desks.readiness import RetentionLine, overview_now
from server.usecases.rating.computing import Proof, prove

# `kskak backup FILE`: make a checked copy of the database; the server may be running.


def configure_backup(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the copy to write; must not exist")
    add_config_option(parser)


def run_backup(args: argparse.Namespace) -> int:
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


# `kskak restore FILE`: put a copy back, after checking that it is sound.


def configure_restore(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a copy made by `kskak backup`")
    parser.add_argument(
        "--force", action="store_true", help="replace a database even if it holds games"
    )
    add_config_option(parser)


def run_restore(args: argparse.Namespace) -> int:
    """Exit 0: restored; 2: a server runs, a bad copy, or a database with games; nothing changed."""
    settings = settings_of(args)
    try:
        with hold_database(settings, "restore"):
            asyncio.run(database_care.restore(args.file, settings.database.url, force=args.force))
    except StoreError as error:
        raise InputError(str(error)) from error
    print(f"{args.file}: proved and restored; start the server again")
    return 0


# `kskak repair GAME SEQ …`: annul an entry of a game that can't be read (`kskak verify` names it).


def configure_repair(parser: argparse.ArgumentParser) -> None:
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


def run_repair(args: argparse.Namespace) -> int:
    """Exit 0: annulled; 2: not possible, and nothing was changed."""
    settings = settings_of(args)
    try:
        with hold_database(settings, "repair"):
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
    async with open_core(settings) as core:
        await repair(core, game, seqs)


# `kskak retention`: what is kept, and until when, by tournament. Changes nothing.


def configure_retention(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run_retention(args: argparse.Namespace) -> int:
    """Exit 0: the list; 2: a server runs, or the database can't be read."""
    settings = settings_of(args)
    try:
        with hold_database(settings, "retention"):
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


def _document(one: RetentionLine) -> dict[str, object]:
    ended = None if one.ended is None else one.ended.isoformat()
    until = None if one.until is None else one.until.isoformat()
    return {"tournament": one.tournament, "ended": ended, "until": until, "over": one.is_over}


async def _overview(settings: Settings) -> tuple[RetentionLine, ...]:
    store = await Store.open(settings.database.url)
    try:
        return await overview_now(store, settings.clock.zone, SystemClock())
    finally:
        await store.close()


# `kskak verify`: check that every hash chain is whole, that what repeats a ledger matches it, that
# papers are those filed, and that every rating matches a recalculation of all groups.

SECONDS = 600
STEP = 50
"""Games or groups between two progress messages."""


def configure_verify(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_config_option(parser)
    add_output_options(parser, lines=False)
    parser.add_argument(
        "--seconds",
        type=int,
        default=SECONDS,
        metavar="N",
        help=f"most seconds to spend rereading games for the ratings (default: {SECONDS})",
    )


def run_verify(args: argparse.Namespace) -> int:
    """Exit 0: everything checks out; 1: something does not; 2: the database can't be read."""
    try:
        report, proof = asyncio.run(_verify(settings_of(args), args.seconds))
    except StoreError as error:
        raise InputError(str(error)) from error
    if args.json:
        _print_json(report, proof)
    else:
        said = f"{report.games} games, {report.cases} cases, {report.events} events"
        said += f", {proof.groups} groups rated"
        if proof.unread:
            print(f"{proof.unread} groups not read: give --seconds more", file=sys.stderr)
        print(f"{said}, {len(report.findings)} findings")
        for found in report.findings:
            at = "" if found.seq is None else f", event {found.seq}"
            print(f"{found.game or 'database'}{at}: {found.what}", file=sys.stderr)
    return 0 if report.is_sound else 1


def _print_json(report: DatabaseReport, proof: Proof) -> None:
    found = [{"game": f.game, "event": f.seq, "what": f.what} for f in report.findings]
    print_document(
        {
            "games": report.games,
            "cases": report.cases,
            "events": report.events,
            "rated_groups": proof.groups,
            "unread_groups": proof.unread,
            "findings": found,
        }
    )


async def _verify(settings: Settings, seconds: int) -> tuple[DatabaseReport, Proof]:
    store, until = await Store.open(settings.database.url), monotonic() + seconds
    try:
        report = await verify(store, lambda done, of: _progress("games", done, of))
        proof = await prove(
            store,
            lambda: monotonic() > until,
            lambda done, of: _progress("ratings: groups", done, of),
        )
    finally:
        await store.close()
    rated = (DatabaseFinding(f"ratings of {of}", None, what) for of, what in proof.findings)
    return replace(report, findings=(*report.findings, *rated)), proof


def _progress(what: str, done: int, of: int) -> None:
    """Show progress, if stderr is a terminal."""
    if sys.stderr.isatty() and (done % STEP == 0 or done == of):
        print(f"{what}: {done} of {of}", end="\n" if done == of else "\r", file=sys.stderr)
