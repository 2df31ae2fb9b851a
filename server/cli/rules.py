"""The commands that only calculate.

`access`, `clock`, `compose`, `move`, `rating`, `schedule`, `standings`.

Their answers come from the file or the arguments, never from the server's records.
"""

import argparse
import sys

from kskak.board.notation import answer_move
from kskak.entries.access import access, access_json, read_access
from kskak.groups.placing import Division, Table
from kskak.groups.schedule import Schedule, round_robin, schedule_json
from kskak.groups.standings import placing_json, read_standings, rows_of
from kskak.league.composition import compose, compose_json, read_teams
from kskak.ledger.ledger_files import clock_json, read_ledger
from kskak.rating.calculation import Calculation, rate, rated_json, read_group
from kskak.statement.account import Account, account, iccf_table
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
    print_document,
    read_document,
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
    try:
        file = read_access(parse_document(read_document(args.file)))
    except ValueError as error:
        raise InputError(str(error)) from error
    answers = access(file.player, file.record)
    if args.json:
        print_document(access_json(answers))
        return 0
    from mail.text.catalogue import Words
    from mail.text.explanations import access_lines

    print("\n".join(access_lines(file, answers, Words.load(args.lang))))
    return 0


# `kskak clock LEDGER`: the reflection-time account of a game (§ 6.3, § 6.8).


@command(
    "clock",
    option("ledger", metavar="LEDGER", nargs="?", help="a kskak-ledger/1 file, or - for stdin"),
    option("--on", metavar="DATE", help="show the account as of this day, e.g. 2026-08-29"),
    option("--table", action="store_true", help="print only the ICCF table of § 6.8.2"),
    language("the explanation"),
    JSON,
    LINES,
)
def run_clock(args: argparse.Namespace) -> int:
    """Exit 0: the account was made; 2: the ledger can't be read, or can't have happened."""
    what = ("LEDGER", "kskak clock game.json", "ledgers")
    document = answer_documents(
        args, args.ledger, what, lambda one: clock_json(_account(one, args.on))
    )
    if document is None:
        return 0
    found = _account(document, args.on)
    print(iccf_table(found).rstrip("\n"))
    if not args.table:
        from mail.text.catalogue import Words
        from mail.text.explanations import explain

        print("\n" + "\n".join(explain(found, Words.load(args.lang))))
    return 0


def _account(document: Document, on: str | None) -> Account:
    """A document may also be {"ledger": …, "on": …}, with its own day."""
    ledger: object = document
    if "ledger" in document and "format" not in document:
        ledger = document["ledger"]
        own = document.get("on")
        if own is not None and not isinstance(own, str):
            raise InputError('"on": a date is wanted, as 2026-08-29')
        on = own if own is not None else on
    try:
        read = read_ledger(ledger)
        return account(read.terms, read.events, day_of("--on", on))
    except ValueError as error:
        raise InputError(str(error)) from error


# `kskak compose FILE`: next season's divisions of the league, each team with its reason (§ 6.7.5).


@command(
    "compose",
    option("file", metavar="FILE", help="a kskak-compose/1 file, or - for stdin"),
    language("the reasons"),
    JSON,
)
def run_compose(args: argparse.Namespace) -> int:
    """Exit 0: the divisions were made; 2: the file can't be read."""
    try:
        composition = compose(read_teams(parse_document(read_document(args.file))))
    except ValueError as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document(compose_json(composition))
        return 0
    from mail.text.catalogue import Words
    from mail.text.explanations import compose_lines

    print("\n".join(compose_lines(composition, Words.load(args.lang))))
    return 0


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
    if args.json:
        print_document(answer)
    elif "error" in answer:
        print(f"kskak: {_explain(args.text, answer)}", file=sys.stderr)
    else:
        for field, label in LABELS.items():
            print(f"{label:9} {answer[field]}")
    return 1 if "error" in answer else 0


def _answer_move(document: Document) -> Document:
    fen, text, lang = document.get("fen"), document.get("text"), document.get("lang")
    if not isinstance(fen, str):
        raise InputError('"fen": a text is wanted, a FEN or "start"')
    if not isinstance(text, str):
        raise InputError('"text": a text is wanted, one written move')
    if not isinstance(lang, str | None):
        raise InputError('"lang": da, sv, en or numeric is wanted, or nothing')
    try:
        return answer_move(fen, text, lang)
    except ValueError as error:
        raise InputError(str(error)) from error


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
    document = answer_documents(
        args, args.file, what, lambda one: rated_json(_rate(one), args.steps)
    )
    if document is None:
        return 0
    rows = _rate(document)
    from mail.text.catalogue import Words
    from mail.text.explanations import rating_lines

    print("\n".join(rating_lines(rows, Words.load(args.lang))))
    return 0


def _rate(document: Document) -> tuple[Calculation, ...]:
    try:
        return rate(read_group(document))
    except ValueError as error:
        raise InputError(str(error)) from error


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
    if args.json:
        print_document(schedule_json(schedule))
    else:
        _print_rounds(schedule)
    return 0


def _print_rounds(schedule: Schedule) -> None:
    """One round per line, White first."""
    width = len(str(len(schedule.rounds)))
    for number, (games, bye) in enumerate(zip(schedule.rounds, schedule.byes, strict=True), 1):
        row = "  ".join(f"{game.white}-{game.black}" for game in games)
        sits_out = f"  ({bye} sits out)" if bye else ""
        print(f"{number:{width}}: {row}{sits_out}")


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
    document = answer_documents(
        args, args.file, what, lambda one: placing_json(rows_of(_table(one)))
    )
    if document is None:
        return 0
    table = _table(document)
    from mail.text.catalogue import Words
    from mail.text.explanations import write_standings as standings_lines

    print("\n".join(standings_lines(table, Words.load(args.lang))))
    return 0


def _table(document: Document) -> Table | Division:
    try:
        return read_standings(document)
    except ValueError as error:
        raise InputError(str(error)) from error
