"""`kskak accounts EMAIL`: export the tournaments' accounts to a file, or import one (§ 6.1.2).

Done as the person EMAIL: the controller, or an administrator, who may only read. Not for single
entries: they are made on the page and through the API.
"""

import argparse
from contextlib import nullcontext
from pathlib import Path

from kskak.office.books_csv import amount_text
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from mail.text.words import Words
from server.cli.alone import alone
from server.cli.config import add_config_option, settings_of
from server.cli.data.people import for_person
from server.cli.documents import add_output_options, print_document, read_document
from server.cli.problems import InputError
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed
from server.usecases.office import books, books_files
from server.usecases.office.books import Books
from server.usecases.office.books_files import Imported


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "email", metavar="EMAIL", help="the controller's or administrator's address"
    )
    parser.add_argument("--tournament", help="with --out: only this tournament")
    parser.add_argument("--year", type=int, help="with --out: only this year")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--out", metavar="FILE", help="write the lines as CSV to a new file")
    way.add_argument("--take", metavar="FILE", help="enter the lines of a CSV file, all or none")
    parser.add_argument("--dry-run", action="store_true", help="with --take: change nothing")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the report"
    )
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: done; 1: faults in the file, nothing imported; 2: no permission, no such file,
    or, for --take, a server works on the database.
    """
    if args.dry_run and args.take is None:
        raise InputError("--dry-run goes with --take FILE")
    found: list[Imported] = []

    async def work(core: Core, person: PersonRow) -> str:
        try:
            if args.take is not None:
                found.append(await _take(core, person, args.take, args.dry_run))
                return ""
            return _shown(await books.books_for(core, person), args)
        except NotAllowed:
            raise InputError(f"{args.email} has no right to that: the controller has") from None

    settings = settings_of(args)
    changes = args.take is not None and not args.dry_run
    with alone(settings, "accounts --take") if changes else nullcontext():
        text = for_person(settings, args.email, work)
    if found:
        return _say(found[0], args)
    if text:
        print(text)
    return 0


async def _take(core: Core, person: PersonRow, name: str, is_dry: bool) -> Imported:
    raw = read_document(name)
    if len(raw) > books_files.MOST_BYTES:
        raise InputError(f"{name} is larger than {books_files.MOST_BYTES} bytes")
    text = books_files.text_of(raw)
    return await books_files.import_text(core, person, text, is_dry=is_dry)


def _shown(found: Books, args: argparse.Namespace) -> str:
    if args.out is not None:
        try:
            with Path(args.out).open("xb") as file:
                file.write(books_files.file_of(found.of(args.tournament, args.year)))
        except OSError as error:
            raise InputError(f"{args.out}: {error.strerror}") from error
        return ""
    if args.json:
        rows = [
            {"tournament": one.tournament, "year": one.year, "balance": one.after}
            for one in found.balances
        ]
        print_document({"balances": rows})
        return ""
    lines = [f"{one.tournament} {one.year}: {amount_text(one.after)}" for one in found.balances]
    return "\n".join(lines)


def _say(found: Imported, args: argparse.Namespace) -> int:
    words = Words.load(args.lang)
    counts = {"new": len(found.new), "known": found.known, "bad": len(found.bad)}
    rows = [(row.line, words(f"economy.fault.{row.fault.value}")) for row in found.bad]
    if args.json:
        errors = [{"line": line, "detail": text} for line, text in rows]
        print_document({"is_done": found.is_done, **counts, "errors": errors})
    else:
        print(words("economy.import_done" if found.is_done else "economy.import_found", **counts))
        for line, text in rows:
            print(words("economy.row", line=line, text=text))
    return 1 if found.bad else 0
