"""`kskak schedule N`: who meets whom, and with which colour (§ 4.9.11).

Not for: drawing the numbers, or dates.
"""

import argparse

from kskak.groups.schedule import Schedule, round_robin, schedule_json
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError

# Far more than any tournament has; the number of games grows with the square.
MOST_PLAYERS = 1000


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("players", metavar="N", type=_players, help="number of players, 2 or more")
    parser.add_argument(
        "--double", action="store_true", help="add a second cycle with colours reversed"
    )
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Print the schedule; always 0."""
    schedule = round_robin(args.players, args.double)
    if args.json:
        print_document(schedule_json(schedule))
    else:
        _print_rounds(schedule)
    return 0


def _players(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 2 <= int(text[:9]) <= MOST_PLAYERS):
        raise InputError(f"N: a whole number from 2 to {MOST_PLAYERS} is wanted, not {text[:20]!r}")
    return int(text)


def _print_rounds(schedule: Schedule) -> None:
    """One round per line, White first."""
    width = len(str(len(schedule.rounds)))
    for number, (games, bye) in enumerate(zip(schedule.rounds, schedule.byes, strict=True), 1):
        row = "  ".join(f"{game.white}-{game.black}" for game in games)
        sits_out = f"  ({bye} sits out)" if bye else ""
        print(f"{number:{width}}: {row}{sits_out}")
