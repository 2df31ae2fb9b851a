"""`kskak verify`: every hash chain is whole, every snapshot is what its ledger gives.

Changes nothing. Not for mending: a broken chain is for people to look at.
"""

import argparse
import asyncio
import sys

from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine import Store
from server.store.errors import StoreError
from server.usecases.upkeep import Report, verify


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: all of it holds; 1: something does not; 2: the database can't be read."""
    try:
        report = asyncio.run(_verify(settings_of(args)))
    except StoreError as error:
        raise InputError(str(error)) from error
    if args.json:
        _print_json(report)
    else:
        said = f"{report.games} games, {report.cases} cases, {report.events} events"
        print(f"{said}, {len(report.findings)} findings")
        for found in report.findings:
            at = "" if found.seq is None else f", event {found.seq}"
            print(f"{found.game or 'database'}{at}: {found.what}", file=sys.stderr)
    return 0 if report.is_sound else 1


def _print_json(report: Report) -> None:
    found = [{"game": f.game, "event": f.seq, "what": f.what} for f in report.findings]
    print_document(
        {
            "games": report.games,
            "cases": report.cases,
            "events": report.events,
            "findings": found,
        }
    )


async def _verify(settings: Settings) -> Report:
    store = await Store.open(settings.database.url)
    try:
        return await verify(store)
    finally:
        await store.close()
