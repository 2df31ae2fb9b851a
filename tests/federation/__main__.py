"""`python -m tests.federation`: simulate years of a federation from a seed, checking every rule.

The server's own code decides everything; nothing is stored and nothing is sent. Not for speed
(`make bench`) nor for looking at pages (`kskak demo`).
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import date

from server.cli import JSON, Parser, run_parsed, say
from tests.federation.life import Plan, simulate
from tests.federation.report import report_json, report_lines
from tests.federation.trouble import Violation


def main(argv: Sequence[str]) -> int:
    """Simulate as asked and return the exit code; a wrong call is refused in one line."""
    return run_parsed(_parser, argv)


def _parser(_: Sequence[str]) -> Parser:
    parser = Parser(prog="python -m tests.federation", description=__doc__)
    configure(parser)
    parser.set_defaults(run=run)
    return parser


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    plan = Plan()
    parser.add_argument(
        "--seed", type=int, default=plan.seed, help="the same seed gives the same years"
    )
    parser.add_argument("--years", type=_from(1, 20), default=plan.years)
    parser.add_argument("--players", type=_from(20, 5000), default=plan.players)
    parser.add_argument("--clubs", type=_from(1, 500), default=plan.clubs)
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    JSON(parser)


def run(args: argparse.Namespace) -> int:
    """Exit 0: everything held; 1: something did not, reported with seed, day and place."""
    plan = Plan(args.seed, args.years, args.players, args.clubs)
    try:
        report = simulate(plan, None if args.quiet else _tell)
    except Violation as found:
        print(f"kskak: {found}", file=sys.stderr)
        place = {"seed": found.seed, "day": found.day.isoformat(), "place": found.place}
        say(args, place | {"violation": found.what}, ())
        return 1
    return say(args, report_json(report), report_lines(report))


def _tell(day: date, running: int, over: int) -> None:
    print(f"{day:%Y-%m}  {running:5} games run, {over:6} are over", file=sys.stderr, flush=True)


class _from:  # noqa: N801  reads as a type in the parser's call
    """Whole numbers between two bounds."""

    def __init__(self, lowest: int, highest: int) -> None:
        self._lowest, self._highest = lowest, highest

    def __call__(self, text: str) -> int:
        wanted = f"a whole number, {self._lowest} to {self._highest}"
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(wanted) from None
        if not self._lowest <= value <= self._highest:
            raise argparse.ArgumentTypeError(wanted)
        return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
