"""`make bench`: throughput and cost of moves beside the ceilings of disk and libraries.

Works in its own folder beside the database and leaves nothing behind. Not for a running server.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sqlalchemy.engine import URL

from server.cli import JSON, InputError, Parser, run_parsed, say
from server.cli.config import CONFIG, settings_of
from server.store.engine import sqlite
from server.store.engine.connection import StoreError
from server.store.engine.store import parse_url
from tools.bench.report import as_document, as_text
from tools.bench.run import QUICK, Plan, measure


def main(argv: Sequence[str]) -> int:
    """Measure as asked and return the exit code; a wrong call is refused in one line."""
    return run_parsed(_parser, argv)


def _parser(_: Sequence[str]) -> Parser:
    parser = Parser(prog="python -m tools.bench", description=__doc__)
    configure(parser)
    parser.set_defaults(run=run)
    return parser


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    plan = Plan()
    parser.add_argument(
        "--rounds", type=_rounds, default=plan.rounds, help="rounds per measurement"
    )
    parser.add_argument(
        "--seconds", type=_seconds, default=plan.seconds, help="seconds per throughput measurement"
    )
    parser.add_argument("--dir", type=Path, help="a folder on the disk to be measured")
    parser.add_argument(
        "--million", action="store_true", help="duties and pages also with a million games"
    )
    parser.add_argument(
        "--profile", action="store_true", help="a move's and a letter's CPU by layer too"
    )
    parser.add_argument(
        "--postgres",
        type=_server,
        metavar="URL",
        help="moves on PostgreSQL too: postgresql+asyncpg://USER@HOST/NAME, whose user may create"
        " a database (one of its own is made there, and dropped afterwards)",
    )
    parser.add_argument("--quick", action="store_true", help="only check that everything runs")
    CONFIG(parser)
    JSON(parser)


def run(args: argparse.Namespace) -> int:
    """Exit 0, however fast; 1 if the counts of acknowledged moves and the ledger's differ."""
    plan = QUICK if args.quick else replace(Plan(), rounds=args.rounds, seconds=args.seconds)
    plan = replace(plan, profile=args.profile)
    if args.million:
        plan = replace(plan, ended=(*plan.ended, 1_000_000))
    try:
        report = measure(_folder(args), replace(plan, postgres=args.postgres))
    except (OSError, StoreError) as error:
        raise InputError(str(error)) from error
    say(args, as_document(report), [as_text(report)])
    return 0 if report.is_sound else 1


def _folder(args: argparse.Namespace) -> Path:
    """Where to measure: as asked, otherwise beside the database, otherwise here."""
    folder: Path | None = args.dir
    if folder is None:
        url = parse_url(settings_of(args).database.url)
        folder = (
            sqlite.read_sqlite_path(url).parent if url.get_backend_name() == "sqlite" else Path()
        )
    if not folder.is_dir():
        raise InputError(f"--dir: {folder} is no folder")
    return folder.resolve()


def _server(text: str) -> URL:
    with suppress(StoreError):
        url = parse_url(text)
        if url.get_backend_name() == "postgresql" and url.password is None:
            return url
    raise argparse.ArgumentTypeError(
        "postgresql+asyncpg://USER@HOST/NAME, and a password in PGPASSWORD or ~/.pgpass"
    )


def _rounds(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 50:
        raise argparse.ArgumentTypeError("1 to 50")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.1 <= value <= 60:
        raise argparse.ArgumentTypeError("0.1 to 60")
    return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
