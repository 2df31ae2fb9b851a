"""`kskak rating FILE`: new ratings of a finished group, every step shown (§ 4.5).

Not for: the server's own rating lists.
"""

import argparse
import sys

from kskak.rating import Calculation, rate
from kskak.rating_in import read_group
from kskak.rating_out import rated_json
from server.cli.documents import (
    Document,
    add_output_options,
    answer_lines,
    parse_document,
    print_document,
    read_document,
)
from server.cli.problems import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="a kskak-rating/1 file, or -")
    parser.add_argument("--lang", choices=["da", "en"], default="da", help="of the explanation")
    parser.add_argument("--steps", action="store_true", help="every step in the JSON, too")
    add_output_options(parser, lines=True)


def run(args: argparse.Namespace) -> int:
    """Exit 0: everybody has a rating; 2: the file can't be read."""
    if args.lines:
        if args.file is not None:
            raise InputError("--lines reads groups from stdin: leave FILE out of the call")
        return answer_lines(lambda document: _answer(document, args.steps), sys.stdin.buffer)
    if args.file is None:
        raise InputError("FILE is wanted: kskak rating group.json")
    document = parse_document(read_document(args.file))
    if args.json:
        print_document(_answer(document, args.steps))
        return 0
    rows = _rate(document)
    from mail.rating_text import rating_lines
    from mail.words import Words

    print("\n".join(rating_lines(rows, Words.load(args.lang))))
    return 0


def _answer(document: Document, steps: bool) -> Document:
    return rated_json(_rate(document), steps)


def _rate(document: Document) -> tuple[Calculation, ...]:
    try:
        return rate(read_group(document))
    except ValueError as error:
        raise InputError(str(error)) from error
