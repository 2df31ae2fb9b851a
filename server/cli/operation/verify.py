"""`kskak verify`: check that every hash chain is whole, that what repeats a ledger matches it, that
papers are those filed, and that every rating matches a recalculation of all groups.

Changes nothing, and reads in short transactions. SECURITY.md says what it does not cover. Not for
mending: an entry that can't be read is for `kskak repair`, a broken chain for people to look at.
"""

import argparse
import asyncio
import sys
from dataclasses import replace
from time import monotonic

from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.store.engine.store import Store
from server.usecases.desks.database_care import Finding, Report, verify
from server.usecases.rating.proving import Proof, prove

SECONDS = 600
STEP = 50
"""Games or groups between two progress messages."""


def configure(parser: argparse.ArgumentParser) -> None:
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


def run(args: argparse.Namespace) -> int:
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


def _print_json(report: Report, proof: Proof) -> None:
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


async def _verify(settings: Settings, seconds: int) -> tuple[Report, Proof]:
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
    rated = (Finding(f"ratings of {of}", None, what) for of, what in proof.findings)
    return replace(report, findings=(*report.findings, *rated)), proof


def _progress(what: str, done: int, of: int) -> None:
    """Show progress, if stderr is a terminal."""
    if sys.stderr.isatty() and (done % STEP == 0 or done == of):
        print(f"{what}: {done} of {of}", end="\n" if done == of else "\r", file=sys.stderr)
