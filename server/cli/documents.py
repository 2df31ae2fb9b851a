"""JSON in and out of the command line, `--json` and `--lines`; foreign text on a terminal.

Not for: what a document means; each command says that.
"""

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path

from kskak.ledger.ledger_files import LedgerError, LedgerFields
from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES
from server.cli import InputError, Option, option

# JSON in and out of the command line, `--json` and `--lines`; foreign text on a terminal.

Document = Mapping[str, object]


JSON = option("--json", action="store_true", help="print a single JSON document")
OUT = option(
    "--out", type=Path, metavar="FILE", help="the file to write; must not exist (default: stdout)"
)
LINES = option(
    "--lines", action="store_true", help="read JSON Lines from stdin and answer each with one line"
)


def language(of: str) -> Option:
    """`--lang`, of something that is printed."""
    told = f"language of {of}"
    return option("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help=told)


def day_of(option: str, text: str | None) -> date | None:
    """The day that an option names, None without one. Raises InputError if it is not a date."""
    try:
        return None if text is None else LedgerFields(option, {"on": text}).day("on")
    except LedgerError as error:
        raise InputError(str(error)) from error


def print_document(document: Document) -> None:
    """Print the single JSON document of a `--json` call."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def safe(text: str) -> str:
    """Foreign text for a terminal: what is not printable is escaped, whatever it would do there."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def answer_documents(
    args: argparse.Namespace,
    name: str | None,
    what: tuple[str, str, str],
    answer: Callable[[Document], Document],
) -> Document | None:
    """Answer `--lines` and `--json`; otherwise return the document ``name``, to print for people.

    ``what``: the argument's name, an example call, and the plural of what is read. None when
    everything has been printed.
    """
    place, call, many = what
    if args.lines:
        if name is not None:
            raise InputError(f"--lines reads {many} from stdin: leave {place} out of the call")
        answer_lines(answer, sys.stdin.buffer)
        return None
    if name is None:
        raise InputError(f"{place} is wanted: {call}")
    document = parse_document(read_document(name))
    if args.json:
        print_document(answer(document))
        return None
    return document


def answer_lines(answer: Callable[[Document], Document], lines: Iterable[bytes]) -> int:
    """Answer each line of JSON with a line of JSON, a bad one with `{"error": …}`; returns 0."""
    for line in lines:
        sys.stdout.write(json.dumps(_answer_line(answer, line), ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return 0


def _answer_line(answer: Callable[[Document], Document], line: bytes) -> Document:
    try:
        document = parse_document(line)
        return answer(document)
    except InputError as error:
        return {"error": str(error)}
    except Exception as error:
        # A bug of ours in one line must not cost the caller the other lines.
        traceback.print_exc()
        return {"error": f"the program failed on this line: {type(error).__name__}"}


def read_document(name: str) -> bytes:
    """The bytes of a file, or of stdin for `-`; `InputError` if it can't be read."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a file's name"
        raise InputError(f"{name}: {why}") from error


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
