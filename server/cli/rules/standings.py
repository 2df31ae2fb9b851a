"""`kskak standings FILE`: places by points and the ladder of the rules (§ 6.5.4.1, § 6.7.4.5).

Not for: groups that the server keeps; their tables are on their pages.
"""

import argparse

from kskak.groups.ladder_individual import Table
from kskak.groups.ladder_teams import Division
from kskak.groups.standings import placing_json, rows_of
from kskak.groups.standings_in import read_standings
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.cli.documents import Document, add_output_options, answer_documents
from server.cli.problems import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a kskak-standings/1 file, or - for stdin"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the table"
    )
    add_output_options(parser, lines=True)


def run(args: argparse.Namespace) -> int:
    """Exit 0: everybody has a place; 2: the file can't be read."""
    what = ("FILE", "kskak standings group.json", "tables")
    document = answer_documents(args, args.file, what, _answer)
    if document is None:
        return 0
    table = _table(document)
    from mail.text.standings import standings_lines
    from mail.text.words import Words

    print("\n".join(standings_lines(table, Words.load(args.lang))))
    return 0


def _answer(document: Document) -> Document:
    return placing_json(rows_of(_table(document)))


def _table(document: Document) -> Table | Division:
    try:
        return read_standings(document)
    except ValueError as error:
        raise InputError(str(error)) from error
