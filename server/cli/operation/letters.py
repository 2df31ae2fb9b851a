"""`kskak letters`: every kind of letter the server writes, by example, in each language.

Of one short game between two invented players; nothing is sent. Not for letters that were written
(`kskak mail`).
"""

import argparse
from email.message import EmailMessage
from pathlib import Path

from mail.compose import compose
from mail.samples.cast import ENVELOPE
from mail.samples.every import GAME_LETTERS, NOTICES
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from mail.text.words import Words
from server.cli.problems import InputError

_ALL = GAME_LETTERS | NOTICES


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("kind", nargs="?", help="the letter to print; none: list all with subjects")
    parser.add_argument("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="its language")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="write all of them, in every language, as .eml"
    )


def run(args: argparse.Namespace) -> int:
    """Exit 0; 2: no such kind, or the folder can't be written."""
    if args.kind is not None and args.kind not in _ALL:
        raise InputError(f"no letter is called {args.kind!r}; `kskak letters` lists them")
    if args.to is not None:
        return _write(args.to, [args.kind] if args.kind else list(_ALL))
    if args.kind is not None:
        _show(_letter(args.kind, args.lang))
        return 0
    width = max(map(len, _ALL))
    for kind in _ALL:
        print(f"{kind:{width}}  {_letter(kind, args.lang)['Subject']}")
    return 0


def _letter(kind: str, lang: str) -> EmailMessage:
    return compose(_ALL[kind], Words.load(lang), ENVELOPE)


def _show(mail: EmailMessage) -> None:
    """The header a reader sees and the text part, which is complete in itself."""
    for field in ("From", "To", "Subject"):
        print(f"{field}: {mail[field]}")
    body = mail.get_body(("plain",))
    print(f"\n{body.get_content() if body else ''}".rstrip())


def _write(folder: Path, kinds: list[str]) -> int:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for lang in LANGUAGES:
            for kind in kinds:
                (folder / f"{kind}.{lang}.eml").write_bytes(bytes(_letter(kind, lang)))
    except OSError as error:
        raise InputError(f"{folder} can't be written: {error.strerror or error}") from error
    print(f"{len(kinds) * len(LANGUAGES)} letters in {folder}")
    return 0
