"""`kskak access FILE`: which classes of the EMT a player may enter, and why (§ 6.5.3.2, § 6.6.2).

Not for: the entry itself; the answer comes from the file, not from the server's records.
"""

import argparse

from kskak.entries.access import access
from kskak.entries.access_file import access_json, read_access
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.cli.documents import add_output_options, parse_document, print_document, read_document
from server.cli.problems import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a kskak-access/1 file, or - for stdin")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the explanation"
    )
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: there is an answer for each class; 2: the file can't be read."""
    try:
        file = read_access(parse_document(read_document(args.file)))
    except ValueError as error:
        raise InputError(str(error)) from error
    answers = access(file.player, file.record)
    if args.json:
        print_document(access_json(answers))
        return 0
    from mail.text.access import access_lines
    from mail.text.words import Words

    print("\n".join(access_lines(file, answers, Words.load(args.lang))))
    return 0
