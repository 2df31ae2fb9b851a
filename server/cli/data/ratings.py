"""`kskak ratings`: the register's ratings as CSV, rating lists, pending calculations (§ 4.5).

Not for one group in a file (rules/rating.py).
"""

import argparse
import asyncio
from datetime import date

from kskak.regulation.days import local_day
from mail.text.figures import columns
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from mail.text.words import Words
from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.data import registers
from server.cli.documents import add_output_options, day_of, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.usecases.rating.computing import Done, compute
from server.usecases.rating.lists import RatingList, rating_list
from server.usecases.register.report import What

__all__ = ["configure", "run"]
_COLUMNS = ("rank", "name", "club", "rating", "status", "change", "games")


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = registers.configure(parser, What.RATINGS)
    make = actions.add_parser(
        "compute",
        help="calculate the published groups that wait and what depends on them",
        description="Calculate the groups that wait and what depends on them (§ 4.5.4.1).",
    )
    make.add_argument(
        "--all",
        action="store_true",
        help="recalculate every group from its games; keep what is right",
    )
    make.set_defaults(does=_compute)
    look = actions.add_parser(
        "list",
        help="list the K-ratings of a day, highest first",
        description="List the K-ratings of a day, highest first (§ 4.5.5.1).",
    )
    look.add_argument("--on", metavar="DATE", help="the list of this day (default: today)")
    look.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the heading"
    )
    look.set_defaults(does=_list)
    for action in (make, look):
        add_config_option(action)
        add_output_options(action, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: done, or a dry run without a bad line; 1: bad lines; 2: the input is wrong."""
    return registers.run(args)


def _compute(args: argparse.Namespace) -> int:
    try:
        done = asyncio.run(_computed(settings_of(args), args.all))
    except StoreError as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document({"groups": list(done.groups)})
    else:
        print("\n".join([*done.groups, f"{len(done.groups)} calculated"]))
    return 0


async def _computed(settings: Settings, everything: bool) -> Done:
    async with opened(settings) as core:
        return await compute(core, everything=everything)


def _list(args: argparse.Namespace) -> int:
    try:
        found = asyncio.run(_listed(settings_of(args), day_of("--on", args.on)))
    except StoreError as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document(_document(found))
    else:
        print("\n".join(_lines(found, Words.load(args.lang))))
    return 0


async def _listed(settings: Settings, on: date | None) -> RatingList:
    async with opened(settings) as core:
        today = local_day(core.clock.now(), settings.clock.zone)
        if on is not None and on > today:
            raise InputError(f"--on: {on} is to come, name a day until {today}")
        return await rating_list(core, on or today)


def _document(found: RatingList) -> dict[str, object]:
    return {
        "on": found.on.isoformat(),
        "since": found.previous.isoformat(),
        "players": [
            {
                "rank": line.rank,
                "name": line.name,
                "club": line.club,
                "rating": line.rating,
                "provisional": line.is_provisional,
                "change": line.change,
                "games": line.games,
            }
            for line in found.lines
        ],
    }


def _change(value: int) -> str:
    return f"{value:+d}" if value else "0"


def _lines(found: RatingList, words: Words) -> list[str]:
    head = [words(f"ratings.column.{name}") for name in _COLUMNS]
    rows = [
        [
            str(line.rank),
            line.name,
            line.club or "",
            str(line.rating),
            words("ratings.provisional" if line.is_provisional else "ratings.final"),
            words("ratings.fresh") if line.change is None else _change(line.change),
            str(line.games),
        ]
        for line in found.lines
    ]
    return [words("ratings.lede", day=words.day(found.on)), "", *columns([head, *rows])]
