"""`kskak words`: which texts a language lacks; its texts as a PO file, and back.

Not for the texts themselves, which are in mail/words.
"""

import argparse
import sys
from importlib.resources import files
from pathlib import Path

from mail.text.languages import FACTS, LANGUAGES
from mail.text.translating import BadWords, missing, parsed, printed, write_texts
from mail.text.words import texts_of
from server.cli.problems import InputError

FOLDER = Path(str(files("mail"))) / "words"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.set_defaults(does=_list)
    actions = parser.add_subparsers(metavar="ACTION")
    out = actions.add_parser("export", help="print a language's texts as a PO file")
    out.add_argument("lang", choices=LANGUAGES)
    out.set_defaults(does=_export)
    take = actions.add_parser("import", help="put a PO file's texts into the language's folder")
    take.add_argument("lang", choices=LANGUAGES)
    take.add_argument("file", type=Path, metavar="FILE", help="a PO file in UTF-8")
    take.set_defaults(does=_import)


def run(args: argparse.Namespace) -> int:
    """Exit 0; 1: a text can't be taken, each is named and nothing is changed; 2: no such file."""
    code: int = args.does(args)
    return code


def _list(_: argparse.Namespace) -> int:
    for lang, facts in FACTS.items():
        lacking = missing(lang)
        print(f"{lang} {facts.name}: {len(lacking)} missing of {len(texts_of(LANGUAGES[0]))}")
        print("".join(f"  {key}\n" for key in lacking), end="")
    return 0


def _export(args: argparse.Namespace) -> int:
    print(printed(texts_of(args.lang), args.lang).decode(), end="")
    return 0


def _import(args: argparse.Namespace) -> int:
    try:
        taken = parsed(args.file.read_bytes())
        changed = write_texts(FOLDER, args.lang, taken)
    except BadWords as error:
        print("\n".join(error.lines), file=sys.stderr)
        return 1
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror or error}") from error
    print(f"{changed} texts changed")
    return 0
