"""`kskak compose FILE`: next season's divisions of the league, each team with its reason (§ 6.7.5).

Not for: entries, lots or schedule; the leader may overrule the result.
"""

import argparse

from kskak.league.composition import compose
from kskak.league.composition_file import compose_json, read_teams
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.cli.documents import add_output_options, parse_document, print_document, read_document
from server.cli.problems import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a kskak-compose/1 file, or - for stdin")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the reasons"
    )
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: the divisions were made; 2: the file can't be read."""
    try:
        composition = compose(read_teams(parse_document(read_document(args.file))))
    except ValueError as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document(compose_json(composition))
        return 0
    from mail.text.composition import compose_lines
    from mail.text.words import Words

    print("\n".join(compose_lines(composition, Words.load(args.lang))))
    return 0
