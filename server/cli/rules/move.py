"""`kskak move FEN TEXT`: what a written move means in a position (§ 6.2.2).

Not for: playing it; nothing is changed.
"""

import argparse
import sys

from kskak.board.move_answer import answer_move
from server.cli.documents import Document, add_output_options, answer_lines, print_document
from server.cli.problems import InputError

LABELS = {
    "numeric": "numbers",
    "danish": "Danish",
    "san": "English",
    "long": "long",
    "uci": "UCI",
    "fen": "position",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("fen", metavar="FEN", nargs="?", help="the position, or `start`")
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the move in any notation")
    parser.add_argument("--lang", help="da, sv, en or numeric (default: try them all)")
    add_output_options(parser, lines=True)


def run(args: argparse.Namespace) -> int:
    """Exit 0: one legal move; 1: none, or several; 2: the call is wrong."""
    if args.lines:
        if args.fen is not None:
            raise InputError("--lines reads FEN and TEXT from stdin: leave them out of the call")
        return answer_lines(_answer, sys.stdin.buffer)
    if args.fen is None or args.text is None:
        raise InputError("FEN and TEXT are wanted: kskak move start 5254")
    answer = _answer({"fen": args.fen, "text": args.text, "lang": args.lang})
    if args.json:
        print_document(answer)
    elif "error" in answer:
        print(f"kskak: {_explain(args.text, answer)}", file=sys.stderr)
    else:
        for field, label in LABELS.items():
            print(f"{label:9} {answer[field]}")
    return 1 if "error" in answer else 0


def _answer(document: Document) -> Document:
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
