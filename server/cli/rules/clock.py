"""`kskak clock LEDGER`: the reflection-time account of a game (§ 6.3, § 6.8).

Not for: games that the server keeps; their account is on their page and in the API.
"""

import argparse

from kskak.ledger.ledger_in import read_ledger
from kskak.ledger.ledger_out import clock_json
from kskak.statement.account import Account, account
from kskak.statement.iccf_table import iccf_table
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.cli.documents import Document, add_output_options, answer_documents, day_of
from server.cli.problems import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "ledger", metavar="LEDGER", nargs="?", help="a kskak-ledger/1 file, or - for stdin"
    )
    parser.add_argument(
        "--on", metavar="DATE", help="show the account as of this day, e.g. 2026-08-29"
    )
    parser.add_argument("--table", action="store_true", help="print only the ICCF table of § 6.8.2")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the explanation"
    )
    add_output_options(parser, lines=True)


def run(args: argparse.Namespace) -> int:
    """Exit 0: the account was made; 2: the ledger can't be read, or can't have happened."""
    what = ("LEDGER", "kskak clock game.json", "ledgers")
    document = answer_documents(args, args.ledger, what, lambda one: _answer(one, args.on))
    if document is None:
        return 0
    found = _account(document, args.on)
    print(iccf_table(found).rstrip("\n"))
    if not args.table:
        from mail.text.explain import explain
        from mail.text.words import Words

        print("\n" + "\n".join(explain(found, Words.load(args.lang))))
    return 0


def _answer(document: Document, on: str | None) -> Document:
    return clock_json(_account(document, on))


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
