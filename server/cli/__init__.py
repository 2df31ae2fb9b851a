"""The command line: which commands there are, and the conventions they share.

Exit 0: done. 1: the answer is no. 2: the input is wrong, reported in one line on stderr, and
nothing was changed. With `--json`, stdout holds one JSON document and nothing else.

A command is a function of one of the modules below, with its arguments declared above it:
`@command("NAME", option(…), …)`. The module is imported only when the command is called, so that
`kskak move` does not wait for a web server.
Not for: anything that another channel (mail, web, API) does too; that is a use case.
"""

import argparse
import gc
import importlib
import importlib.util
import io
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from errno import ENOSPC
from importlib import metadata
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from mail.text.catalogue import Words

COMMANDS = {
    "demo": ("serve", "run a sample federation on a throw-away database"),
    "serve": ("serve", "run the server: web, API, mail and daily duties in one process"),
    "clock": ("rules", "show the reflection-time account of a game"),
    "move": ("rules", "read one move in any notation"),
    "schedule": ("rules", "print a round-robin schedule by the handbook's rule (§ 4.9.11)"),
    "standings": (
        "rules",
        "rank players or teams by the rules a file names (§ 6.5.4.1, § 6.6.1, § 6.7.4.5)",
    ),
    "rating": ("rules", "calculate new ratings for a finished group (§ 4.5)"),
    "access": ("rules", "list the championship classes a player may enter, and why (§ 6.5.3.2)"),
    "compose": (
        "rules",
        "compose next season's league divisions, with the reason for each team (§ 6.7.5)",
    ),
    "group": ("groups", "start a group, or take over a running one"),
    "user": ("groups", "register a person"),
    "members": ("registers", "import members from a CSV file, or export them"),
    "clubs": ("registers", "import clubs and main districts from a CSV file, or export them"),
    "ratings": ("registers", "list and calculate ratings (§ 4.5), import or export them as CSV"),
    "import": ("archive", "import past tournaments into the archive from PGN, ledgers and tables"),
    "pgn": ("archive", "export finished games as PGN, from the server and the archive"),
    "letters": ("mail", "show every kind of letter by example, in each language"),
    "words": ("mail", "list the texts that a language lacks; write and read them as PO files"),
    "mail": (
        "mail",
        "list mails, show, release, handle again, send a letter again, import a mailbox",
    ),
    "dkim": ("mail", "make the key that letters are signed with, and print its DNS record"),
    "login-link": ("groups", "print a one-time sign-in link"),
    "token": ("groups", "create an API token and print it once"),
    "accounts": ("groups", "export or import the tournaments' accounts (§ 6.1.2)"),
    "backup": ("database", "copy the database while the server runs"),
    "restore": ("database", "restore the database from a copy"),
    "copy": ("database", "copy a database into an empty one, from SQLite to PostgreSQL or back"),
    "verify": ("database", "check every hash chain and every snapshot"),
    "doctor": ("database", "say what an operator should mend: DNS, mail, TLS, copies, disk"),
    "repair": ("database", "annul an entry of a game that can't be read; its bytes are kept"),
    "case": ("groups", "write out the case file of a game or a case"),
    "retention": ("database", "show what is kept, and until when"),
}
"""Each with its module, which calculates or works on the same things, and what it does."""


class InputError(Exception):
    """The input is wrong: the message says what, where, and how to fix it. Exit 2."""


class Parser(argparse.ArgumentParser):
    """argparse, but a wrong call is reported in one line."""

    def format_help(self) -> str:
        """The help; what follows it may be asked for only now."""
        epilog: Any = self.epilog
        self.epilog = epilog() if callable(epilog) else epilog
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Refuse the call: exit 2."""
        raise InputError(f"{message}; `{self.prog} --help` shows the call")


Option = Callable[[argparse.ArgumentParser], object]
Run = Callable[[argparse.Namespace], int]
_DECLARED: dict[str, tuple[Run, tuple[Option, ...], dict[str, Any]]] = {}


def option(*names: str, **how: Any) -> Option:
    """An argument of a command, as argparse takes it."""
    return lambda parser: parser.add_argument(*names, **how)


class _LaterFinder(MetaPathFinder):
    """Finds modules whose code runs when something of theirs is first used."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = importlib.util.LazyLoader(spec.loader)
            _LATER.append(name)
        return spec


_LATER: list[str] = []


@contextmanager
def lazily() -> Iterator[None]:
    """Import modules for the work of commands, which help and wrong calls do not wait for.

    Name them alone, not what is in them, and use none while a command is declared.
    """
    finder = _LaterFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def _load_later() -> None:
    """Load them all at once, before the work begins: no thread finds one half loaded."""
    gc.disable()  # a third of a command's CPU is else spent looking through what stays
    for name in _LATER:
        _ = sys.modules[name].__spec__
    _LATER.clear()
    if not gc.get_freeze_count():
        gc.freeze()
    gc.enable()


DRY_RUN = option(
    "--dry-run", action="store_true", help="show what would happen, and change nothing"
)


def command(name: str, *options: Option, **texts: Any) -> Callable[[Run], Run]:
    """Declare a command, or an action of one («mail list»); its function gives the exit code.

    ``texts``: what argparse's parser is told besides, as ``help``, ``description``, ``epilog``.
    """

    def declared(run: Run) -> Run:
        _DECLARED[name] = run, options, texts
        return run

    return declared


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
        _load_later()
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except InputError as error:
        return _refuse(str(error), as_json="--json" in argv)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        hush()
        return 1
    except OSError as error:
        if error.errno == ENOSPC:
            hush()
        return _refuse(explain(error), as_json="--json" in argv)


def explain(error: BaseException) -> str:
    """An error of ours as it is; the system's with its file, and what helps if the disk is full."""
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    what = f"{error.filename}: " if error.filename else ""
    return f"{what}{error.strerror}{': make room' if error.errno == ENOSPC else ''}"


def hush() -> None:
    """Who reads (`| head`) or the room is gone; nothing may be flushed there at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Version(argparse.Action):
    """Says the version, and what runs it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> NoReturn:
        """Print it and end."""
        python = ".".join(map(str, sys.version_info[:3]))
        print(f"kskak {metadata.version('kskak')} (Python {python})")
        parser.exit()


def _parser(argv: Sequence[str]) -> Parser:
    asked = next((word for word in argv if not word.startswith("-")), None)
    return parser_with([] if asked is None else [asked])


def parser_with(wanted: Collection[str]) -> Parser:
    """A parser that knows every command's name, and the arguments of those that are wanted."""
    parser = Parser(
        prog="kskak", description="A correspondence chess server for the Danish K-skak regulation."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        sentence = f"{summary[0].upper()}{summary[1:]}."
        command = commands.add_parser(name, help=summary, description=sentence)
        if name in wanted:
            importlib.import_module(f"server.cli.{module}")
            _configure(command, name)
    return parser


def _configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Give a command its arguments, or its actions with theirs."""
    actions = {one.partition(" ")[2]: one for one in _DECLARED if one.startswith(f"{name} ")}
    own = [(parser, name)] if name in _DECLARED else []
    if actions:
        made = parser.add_subparsers(metavar="ACTION", required=not own)
        for action, whole in actions.items():
            own.append((made.add_parser(action, **_DECLARED[whole][2]), whole))
    for one, whole in own:
        run, options, texts = _DECLARED[whole]
        vars(one).update(texts)
        one.set_defaults(run=run)
        for add in options:
            add(one)


def _refuse(message: str, *, as_json: bool) -> int:
    line = " ".join(message.split())
    print(f"kskak: {line}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": line}, ensure_ascii=False))
    return 2


# JSON in and out, `--json` and `--lines`; foreign text on a terminal.

Document = Mapping[str, object]
T = TypeVar("T")

JSON = option("--json", action="store_true", help="print a single JSON document")
OUT = option(
    "--out", type=Path, metavar="FILE", help="the file to write; must not exist (default: stdout)"
)
LINES = option(
    "--lines", action="store_true", help="read JSON Lines from stdin and answer each with one line"
)


def language(of: str) -> Option:
    """`--lang`, of something that is printed."""
    from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES

    about = f"language of {of}"
    return option("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help=about)


def day_of(option: str, text: str | None) -> date | None:
    """The day that an option names, None without one. Raises InputError if it is not a date."""
    from kskak.ledger.ledger_files import LedgerFields  # and chess, which help needs not

    with wrong_input():
        return None if text is None else LedgerFields(option, {"on": text}).day("on")


def safe(text: str) -> str:
    """Foreign text for a terminal: what is not printable is escaped, whatever it would do there."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def say(args: argparse.Namespace, document: Document, lines: Iterable[str]) -> int:
    """Print the single JSON document of a `--json` call, else the lines for people; returns 0."""
    if args.json:
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        print("".join(f"{line}\n" for line in lines), end="")
    return 0


EVERY_S = 2.0
"""Seconds between two lines that say how far a command is."""


def telling() -> Callable[[str, int, int | None], None]:
    """Says on stderr how far it is ("25/36 games"), now and then, and the end of what is long."""
    told_s = begun_s = time.monotonic()

    def tell(what: str, done: int, of: int | None) -> None:
        nonlocal told_s
        now_s = time.monotonic()
        if now_s - told_s >= EVERY_S or (done == of and told_s > begun_s):
            told_s = now_s
            print(f"{done}{'' if of is None else f'/{of}'} {what}", file=sys.stderr, flush=True)

    return tell


@contextmanager
def wrong_input() -> Iterator[None]:
    """What a reader refuses with a ValueError is the caller's to put right."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error)) from error


def answer_documents(
    args: argparse.Namespace,
    what: tuple[str, str, str],
    read: Callable[[Document], T],
    document: Callable[[T], Document],
    lines: Callable[[T, "Words"], Iterable[str]],
) -> int:
    """Answer `--lines` from stdin, or the document ``args.file`` for people or as JSON; returns 0.

    ``what``: the argument's name, an example call, and the plural of what is read.
    """
    place, call, many = what
    if args.lines:
        if args.file is not None:
            raise InputError(f"--lines reads {many} from stdin: leave {place} out of the call")
        return answer_lines(lambda one: document(read(one)), sys.stdin.buffer)
    if args.file is None:
        raise InputError(f"{place} is wanted: {call}")
    found = read(parse_document(read_document(args.file)))
    if args.json:
        return say(args, document(found), ())
    from mail.text.catalogue import Words

    return say(args, {}, lines(found, Words.load(args.lang)))


def answer_lines(answer: Callable[[Document], Document], lines: Iterable[bytes]) -> int:
    """Answer each line of JSON with a line of JSON, a bad one with `{"error": …}`; returns 0."""
    for line in lines:
        sys.stdout.write(json.dumps(_answer_line(answer, line), ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return 0


def _answer_line(answer: Callable[[Document], Document], line: bytes) -> Document:
    try:
        return answer(parse_document(line))
    except InputError as error:
        return {"error": str(error)}
    except Exception as error:
        # A bug of ours in one line must not cost the caller the other lines.
        traceback.print_exc()
        return {"error": f"the program failed on this line: {type(error).__name__}"}


def read_document(name: str) -> bytes:
    """The bytes of a file, or of stdin for `-`."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except ValueError as error:
        raise InputError(f"{name}: not a file's name") from error


def parse_document(raw: bytes) -> dict[str, object]:
    """One JSON object from UTF-8 bytes; anything else is an `InputError` that says where."""
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1}") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"not JSON: {error.msg} at {place}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON that can be read: {error}") from error
    if not isinstance(value, dict):
        raise InputError(f"a JSON object is wanted, not {type(value).__name__}")
    return value
