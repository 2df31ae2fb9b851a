"""The commands that only calculate.

`access`, `clock`, `compose`, `move`, `rating`, `schedule`, `standings`.

Their answers come from the file or the arguments, never from the server's records.
"""

import argparse
import sys
from collections.abc import Iterator

from kskak.board.notation import answer_move
from kskak.entries.access import access, access_json, read_access
from kskak.groups.crosstables import placing_json, read_standings, rows_of
from kskak.groups.placing import Division, Table
from kskak.groups.schedule import Schedule, round_robin, schedule_json
from kskak.league.composition import compose, compose_json, read_teams
from kskak.ledger.ledger_files import clock_json, read_ledger
from kskak.rating.calculation import Calculation, rate, rated_json, read_group
from kskak.statement.account import Account, account, iccf_table
from mail.grammar.read_text import read_lone_move
from mail.text.catalogue import Words
from mail.text.explanations import (
    access_lines,
    compose_lines,
    explain,
    rating_lines,
    write_standings,
)
from server.cli import (
    JSON,
    LINES,
    Document,
    InputError,
    answer_documents,
    answer_lines,
    command,
    day_of,
    language,
    option,
    parse_document,
    read_document,
    say,
    wrong_input,
)

# `kskak access FILE`: which classes of the EMT a player may enter, and why (§ 6.5.3.2, § 6.6.2).


@command(
    "access",
    option("file", metavar="FILE", help="a kskak-access/1 file, or - for stdin"),
    language("the explanation"),
    JSON,
)
def run_access(args: argparse.Namespace) -> int:
    """Exit 0: there is an answer for each class; 2: the file can't be read."""
    with wrong_input():
        file = read_access(parse_document(read_document(args.file)))
    answers = access(file.player, file.record)
    return say(args, access_json(answers), access_lines(file, answers, Words.load(args.lang)))


# `kskak clock LEDGER`: the reflection-time account of a game (§ 6.3, § 6.8).


@command(
    "clock",
    option("file", metavar="LEDGER", nargs="?", help="a kskak-ledger/1 file, or - for stdin"),
    option("--on", metavar="DATE", help="show the account as of this day, e.g. 2026-08-29"),
    option("--table", action="store_true", help="print only the ICCF table of § 6.8.2"),
    language("the explanation"),
    JSON,
    LINES,
)
def run_clock(args: argparse.Namespace) -> int:
    """Exit 0: the account was made; 2: the ledger can't be read, or can't have happened."""
    what = ("LEDGER", "kskak clock game.json", "ledgers")

    def lines(found: Account, words: Words) -> Iterator[str]:
        yield iccf_table(found).rstrip("\n")
        if not args.table:
            yield from ("", *explain(found, words))

    return answer_documents(args, what, lambda one: _account(one, args.on), clock_json, lines)


def _account(document: Document, on: str | None) -> Account:
    """A document may also be {"ledger": …, "on": …}, with its own day."""
    ledger: object = document
    if "ledger" in document and "format" not in document:
        ledger = document["ledger"]
        own = document.get("on")
        if own is not None and not isinstance(own, str):
            raise InputError('"on": a date is wanted, as 2026-08-29')
        on = own if own is not None else on
    with wrong_input():
        read = read_ledger(ledger)
        return account(read.terms, read.events, day_of("--on", on))


# `kskak compose FILE`: next season's divisions of the league, each team with its reason (§ 6.7.5).


@command(
    "compose",
    option("file", metavar="FILE", help="a kskak-compose/1 file, or - for stdin"),
    language("the reasons"),
    JSON,
)
def run_compose(args: argparse.Namespace) -> int:
    """Exit 0: the divisions were made; 2: the file can't be read."""
    with wrong_input():
        made = compose(read_teams(parse_document(read_document(args.file))))
    return say(args, compose_json(made), compose_lines(made, Words.load(args.lang)))


# `kskak move FEN TEXT`: what a written move means in a position (§ 6.2.2).

LABELS = {
    "numeric": "numbers",
    "danish": "Danish",
    "san": "English",
    "long": "long",
    "uci": "UCI",
    "fen": "position",
}


@command(
    "move",
    option("fen", metavar="FEN", nargs="?", help="the position, or `start`"),
    option("text", metavar="TEXT", nargs="?", help="the move in any notation"),
    option("--lang", help="da, sv, en or numeric (default: try them all)"),
    JSON,
    LINES,
)
def run_move(args: argparse.Namespace) -> int:
    """Exit 0: one legal move; 1: none, or several; 2: the call is wrong."""
    if args.lines:
        if args.fen is not None:
            raise InputError("--lines reads FEN and TEXT from stdin: leave them out of the call")
        return answer_lines(_answer_move, sys.stdin.buffer)
    if args.fen is None or args.text is None:
        raise InputError("FEN and TEXT are wanted: kskak move start 5254")
    answer = _answer_move({"fen": args.fen, "text": args.text, "lang": args.lang})
    if "error" in answer and not args.json:
        print(f"kskak: {_explain(args.text, answer)}", file=sys.stderr)
    else:
        say(args, answer, (f"{label:9} {answer[field]}" for field, label in LABELS.items()))
    return 1 if "error" in answer else 0


def _answer_move(document: Document) -> Document:
    fen, text, lang = document.get("fen"), document.get("text"), document.get("lang")
    if not isinstance(fen, str):
        raise InputError('"fen": a text is wanted, a FEN or "start"')
    if not isinstance(text, str):
        raise InputError('"text": a text is wanted, one written move')
    if not isinstance(lang, str | None):
        raise InputError('"lang": da, sv, en or numeric is wanted, or nothing')
    with wrong_input():
        return answer_move(fen, text, lang, read=read_lone_move)


def _explain(text: str, answer: Document) -> str:
    candidates = answer["candidates"]
    assert isinstance(candidates, list)
    could_be = f"; it could be {' or '.join(candidates)}" if candidates else ""
    shown = " ".join(text.split())[:40]
    return f"{shown!r}: {str(answer['error']).replace('_', ' ')}{could_be}"


# `kskak rating FILE`: new ratings for a finished group, every step shown (§ 4.5).


@command(
    "rating",
    option("file", metavar="FILE", nargs="?", help="a kskak-rating/1 file, or - for stdin"),
    language("the explanation"),
    option("--steps", action="store_true", help="include every step in the JSON"),
    JSON,
    LINES,
)
def run_rating(args: argparse.Namespace) -> int:
    """Exit 0: everybody has a rating; 2: the file can't be read."""
    what = ("FILE", "kskak rating group.json", "groups")
    return answer_documents(
        args, what, _rate, lambda rows: rated_json(rows, args.steps), rating_lines
    )


def _rate(document: Document) -> tuple[Calculation, ...]:
    with wrong_input():
        return rate(read_group(document))


# `kskak schedule N`: who meets whom, and with which colour (§ 4.9.11).

# Far more than any tournament has; the number of games grows with the square.
MOST_PLAYERS = 1000


def _players(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 2 <= int(text[:9]) <= MOST_PLAYERS):
        raise InputError(f"N: a whole number from 2 to {MOST_PLAYERS} is wanted, not {text[:20]!r}")
    return int(text)


@command(
    "schedule",
    option("players", metavar="N", type=_players, help="number of players, 2 or more"),
    option("--double", action="store_true", help="add a second cycle with colours reversed"),
    JSON,
)
def run_schedule(args: argparse.Namespace) -> int:
    """Print the schedule; always 0."""
    schedule = round_robin(args.players, args.double)
    return say(args, schedule_json(schedule), _rounds(schedule))


def _rounds(schedule: Schedule) -> Iterator[str]:
    """One round per line, White first."""
    width = len(str(len(schedule.rounds)))
    for number, (games, bye) in enumerate(zip(schedule.rounds, schedule.byes, strict=True), 1):
        row = "  ".join(f"{game.white}-{game.black}" for game in games)
        sits_out = f"  ({bye} sits out)" if bye else ""
        yield f"{number:{width}}: {row}{sits_out}"


# `kskak standings FILE`: places by points and the ladder of the rules (§ 6.5.4.1, § 6.7.4.5).


@command(
    "standings",
    option("file", metavar="FILE", nargs="?", help="a kskak-standings/1 file, or - for stdin"),
    language("the table"),
    JSON,
    LINES,
)
def run_standings(args: argparse.Namespace) -> int:
    """Exit 0: everybody has a place; 2: the file can't be read."""
    what = ("FILE", "kskak standings group.json", "tables")
    return answer_documents(
        args, what, _table, lambda table: placing_json(rows_of(table)), write_standings
    )


def _table(document: Document) -> Table | Division:
    with wrong_input():
        return read_standings(document)
