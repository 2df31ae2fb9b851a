"""`kskak rating FILE`: new ratings for a finished group, every step shown (§ 4.5).

Not for: the server's own rating lists.
"""

import argparse

from kskak.rating.calculation import Calculation, rate
from kskak.rating.file_in import read_group
from kskak.rating.file_out import rated_json
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.cli.documents import Document, add_output_options, answer_documents
from server.cli.problems import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a kskak-rating/1 file, or - for stdin"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the explanation"
    )
    parser.add_argument("--steps", action="store_true", help="include every step in the JSON")
    add_output_options(parser, lines=True)


def run(args: argparse.Namespace) -> int:
    """Exit 0: everybody has a rating; 2: the file can't be read."""
    what = ("FILE", "kskak rating group.json", "groups")
    document = answer_documents(args, args.file, what, lambda one: _answer(one, args.steps))
    if document is None:
        return 0
    rows = _rate(document)
    from mail.text.rating import rating_lines
    from mail.text.words import Words

    print("\n".join(rating_lines(rows, Words.load(args.lang))))
    return 0


def _answer(document: Document, steps: bool) -> Document:
    return rated_json(_rate(document), steps)


def _rate(document: Document) -> tuple[Calculation, ...]:
    try:
        return rate(read_group(document))
    except ValueError as error:
        raise InputError(str(error)) from error
