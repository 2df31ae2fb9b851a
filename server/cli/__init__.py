"""The command line: which commands there are, and the conventions they share.

Exit 0: done. 1: the answer is no. 2: the input is wrong, reported in one line on stderr, and
nothing was changed. With `--json`, stdout holds one JSON document and nothing else.

A command is two functions of one of the modules below, `configure_NAME(parser)` and
`run_NAME(args) -> int`. The module is imported only when the command is called, so that
`kskak move` does not wait for a web server.
Not for: anything that another channel (mail, web, API) does too; that is a use case.
"""

import argparse
import gc
import importlib
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

COMMANDS = {
    "demo": "run a sample federation on a throw-away database",
    "serve": "run the server: web, API, mail and daily duties in one process",
    "clock": "show the reflection-time account of a game",
    "move": "read one move in any notation",
    "schedule": "print a round-robin schedule by the handbook's rule (§ 4.9.11)",
    "standings": "rank players or teams by the rules a file names (§ 6.5.4.1, § 6.6.1, § 6.7.4.5)",
    "rating": "calculate new ratings for a finished group (§ 4.5)",
    "access": "list the championship classes a player may enter, and why (§ 6.5.3.2)",
    "compose": "compose next season's league divisions, with the reason for each team (§ 6.7.5)",
    "group": "start a group, or take over a running one",
    "user": "register a person",
    "members": "import members from a CSV file, or export them",
    "clubs": "import clubs and main districts from a CSV file, or export them",
    "ratings": "list and calculate ratings (§ 4.5), import or export them as CSV",
    "import": "import past tournaments into the archive from PGN, ledgers and tables",
    "index": "index openings and positions in an archive older than the index",
    "pgn": "export finished games as PGN, from the server and the archive",
    "letters": "show every kind of letter by example, in each language",
    "words": "list the texts that a language lacks; write and read them as PO files",
    "mail": "list mails, show, release, handle again, send a letter again, import a mailbox",
    "dkim": "make the key that letters are signed with, and print its DNS record",
    "login-link": "print a one-time sign-in link",
    "token": "create an API token and print it once",
    "accounts": "export or import the tournaments' accounts (§ 6.1.2)",
    "backup": "copy the database while the server runs",
    "restore": "restore the database from a copy",
    "verify": "check every hash chain and every snapshot",
    "repair": "annul an entry of a game that can't be read; its bytes are kept",
    "case": "write out the case file of a game or a case",
    "retention": "show what is kept, and until when",
}


MODULES = {
    "access clock compose move rating schedule standings": "rules",
    "import index pgn": "archive",
    "members clubs ratings": "registers",
    "group case accounts": "groups",
    "user login-link token": "people",
    "serve demo": "serve",
    "backup restore repair retention verify": "database",
    "mail letters words dkim": "mail",
}
"""In which module a command is: the one that calculates, or works on the same things."""


class InputError(Exception):
    """The input is wrong: the message says what, where, and how to fix it. Exit 2."""


class Parser(argparse.ArgumentParser):
    """argparse, but a wrong call is reported in one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the call: exit 2."""
        raise InputError(f"{message}; `{self.prog} --help` shows the call")


def run(argv: Sequence[str]) -> int:
    """Run the command that `argv` names and return its exit code."""
    return run_parsed(_parser, argv)


def run_parsed(parser_of: Callable[[Sequence[str]], Parser], argv: Sequence[str]) -> int:
    """Run what a parser finds in `argv`, by the conventions above; return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Half a surrogate pair, which JSON can escape, is written as an escape again.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        args = parser_of(argv).parse_args(argv)
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except InputError as error:
        return _refuse(str(error), as_json="--json" in argv)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader (`| head`) is gone; nothing may be flushed to it at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser(argv: Sequence[str]) -> Parser:
    parser = Parser(
        prog="kskak", description="A correspondence chess server for the Danish K-skak regulation."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = next((word for word in argv if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        sentence = f"{summary[0].upper()}{summary[1:]}."
        command = commands.add_parser(name, help=summary, description=sentence)
        if name == asked:
            gc.disable()  # a third of a command's CPU is else spent looking through what stays
            module = importlib.import_module(_module_of(name))
            if not gc.get_freeze_count():
                gc.freeze()
            gc.enable()
            called = name.replace("-", "_")
            getattr(module, f"configure_{called}")(command)
            command.set_defaults(run=getattr(module, f"run_{called}"))
    return parser


def _module_of(command: str) -> str:
    return next(
        f"server.cli.{module}" for names, module in MODULES.items() if command in names.split()
    )


def _refuse(message: str, *, as_json: bool) -> int:
    line = " ".join(message.split())
    print(f"kskak: {line}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": line}, ensure_ascii=False))
    return 2
