"""`kskak case N --out FOLDER|FILE.zip`: the case file of a game or a case (§ 6.2.3).

N is a game's id or name, or a case's number. The file holds everything, since it is the operator
who runs this. Not for parties: they get theirs on the game's page.
"""

import argparse
import asyncio
from pathlib import Path

from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.documents import add_output_options, print_document
from server.cli.problems import InputError
from server.settings import Settings
from server.store.engine.errors import StoreError
from server.usecases.cases.file import NoCase, as_zip, file_of, write_folder
from server.usecases.cases.file_mails import Part, Reader


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("name", metavar="N", help="a game's id or name, or a case's number")
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder or .zip file to write; must not exist"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of its texts"
    )
    add_config_option(parser)
    add_output_options(parser, lines=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0: written; 2: no such game or case, or the output exists already."""
    out: Path = args.out
    if out.exists():
        raise InputError(f"--out: {out} is there already: name a new one")
    try:
        parts = asyncio.run(_file(settings_of(args), args.name, args.lang))
        if out.suffix == ".zip":
            out.write_bytes(as_zip(parts))
        else:
            write_folder(parts, out)
    except NoCase:
        raise InputError(f"N: there is no game or case {args.name}") from None
    except (StoreError, OSError) as error:
        raise InputError(str(error)) from error
    if args.json:
        print_document({"out": str(out), "files": [path for path, _ in parts]})
    else:
        print(f"{out}: {len(parts)} files")
    return 0


async def _file(settings: Settings, name: str, lang: str) -> tuple[Part, ...]:
    async with opened(settings) as core:
        return await file_of(core, name, Reader(None, is_official=True, lang=lang))
