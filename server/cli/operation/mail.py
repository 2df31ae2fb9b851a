"""`kskak mail list|show|release|replay|resend|import`: the mail desk for whoever runs the server.

The same use cases as `/desk/mail`, while the server runs or stands still; letters leave when it
runs. Not for sending new mail.
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable

from mail.incoming.headers import decode_raw, split_headers
from mail.incoming.inbound import parse
from mail.text.words import Words
from server.app import opened
from server.cli.config import add_config_option, settings_of
from server.cli.documents import Document, add_output_options, print_document, safe
from server.cli.operation import mail_import
from server.cli.problems import InputError
from server.store.engine.errors import StoreError
from server.store.engine.types import DAY_US, from_us
from server.store.mail import inbox as inbox_rows
from server.store.mail import mail_lists
from server.store.mail.inbox import InboxRow, InboxState
from server.store.mail.mail_lists import Which
from server.store.mail.outbox import OutboxState
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.core.context import Core
from server.usecases.mail.deed_notes import read_note
from server.usecases.mail.letter_readers import addressed
from server.usecases.mail.mail_desk import resend
from server.usecases.mail.mail_texts import outcome_text, reason_text
from server.usecases.mail.release import Declined, release, replay
from server.usecases.mail.sift_mail import Line, listed

WORDS = Words.load("en")
MOST = 10_000
LONGEST_TEXT = 1500
"""Characters of a mail's text to show."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    one = actions.add_parser("list", help="list incoming mails, or dead letters, newest first")
    kind = one.add_mutually_exclusive_group()
    kind.add_argument("--held", action="store_true", help="only mails held for an official")
    kind.add_argument("--dead", action="store_true", help="letters that were given up instead")
    one.add_argument("--address", help="only from this address (of letters: to it)")
    one.add_argument("--game", metavar="GAME", help="only about this game, by its name or id")
    one.add_argument("--days", type=int, default=30, help="how far back (default: 30)")
    show = actions.add_parser("show", help="show a mail: its headers, its outcome and the reason")
    show.add_argument("id", metavar="N", type=_number, help="the mail's number in the list")
    for name, said in (
        ("release", "handle a held mail as its owner's, dated by its arrival"),
        ("replay", "handle a mail again that was held, failed or not understood"),
    ):
        act = actions.add_parser(name, help=said, description=_DESCRIBED[name])
        act.add_argument("id", metavar="N", type=_number, help="the mail's number in the list")
        if name == "release":
            act.add_argument("--as", dest="owner", metavar="EMAIL", help="whose, if two may be")
    again = actions.add_parser(
        "resend", help="send a dead or sent letter again", description=_DESCRIBED["resend"]
    )
    again.add_argument("id", metavar="N", type=_number, help="the letter's number in `list --dead`")
    mail_import.configure(
        actions.add_parser(
            "import", help="take in mail from a mailbox", description=mail_import.DESCRIPTION
        )
    )
    for action in actions.choices.values():
        add_config_option(action)
        add_output_options(action, lines=False)


_DESCRIBED = {
    "release": "Handle a held mail as its owner's: the owner of the reply address it was sent to, "
    "else its sender, else a player of the game that its subject names. Releasing it again does "
    "nothing and exits 1.",
    "replay": "Handle a mail again as if it came now; its day of arrival still counts. A mail that "
    "has had effect is not applied twice: nothing is done, exit 1. Answers already sent are not "
    "sent again.",
    "resend": "Put a dead or sent letter back in the queue, with five days to arrive. The running "
    "server sends it, under the same Message-ID. A letter that waits is left alone, exit 1.",
}


def _number(text: str) -> int:
    """A row's number. ValueError for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(text)
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Exit 0: done; 1: it was not done, and why; 2: no such mail, game or address."""

    async def work() -> int:
        async with opened(settings_of(args)) as core:
            return await _ACTIONS[args.action](core, args)

    try:
        return asyncio.run(work())
    except StoreError as error:
        raise InputError(str(error)) from error


async def _list(core: Core, args: argparse.Namespace) -> int:
    if args.days < 0:
        raise InputError("--days: a number of days is wanted")
    game_id = None if args.game is None else await _game(core, args.game)
    since_us = max(core.now_us - args.days * DAY_US, 0)
    if args.dead:
        found = await _dead(core, since_us, args.address, game_id)
    else:
        states = (InboxState.HELD,) if args.held else ()
        lines = await listed(core, Which(states, since_us), args.address, game_id)
        found = [_mail(line) for line in lines]
    if args.json:
        print_document({"letters" if args.dead else "mails": found})
        return 0
    for one in found:
        print("  ".join(safe(str(one[name])) for name in one if one[name] not in ("", None)))
    return 0


def _mail(line: Line) -> Document:
    head = line.head
    return {
        "id": head.id,
        "received": _time(head.received_us),
        "from": line.sender,
        "subject": line.subject,
        "outcome": outcome_text(head.state, head.outcome, WORDS),
        "reason": reason_text(head.state, head.note, WORDS),
    }


async def _dead(
    core: Core, since_us: int, address: str | None, game_id: int | None
) -> list[Document]:
    async with core.store.read() as conn:
        letters = await mail_lists.dead(conn, since_us, MOST)
        known = await addressed(conn, letters)
    return [
        {
            "id": one.letter.id,
            "given_up": _time(one.letter.due_us),
            "to": one.address,
            "kind": one.letter.kind,
            "error": one.letter.last_error or "",
        }
        for one in known
        if not one.is_gone
        and (address is None or one.address == person_rows.normal(address))
        and (game_id is None or one.letter.game_id == game_id)
    ]


async def _show(core: Core, args: argparse.Namespace) -> int:
    async with core.store.read() as conn:
        row = await inbox_rows.find(conn, args.id)
    if row is None:
        raise InputError(f"N: there is no mail {args.id}")
    found = _whole(row)
    if args.json:
        print_document(found)
        return 0
    for name, value in found.items():
        if isinstance(value, list):
            print("\n" + "\n".join(safe(line) for line in value))
        elif value not in ("", None):
            print(f"{name}: {safe(str(value))}")
    return 0


def _whole(row: InboxRow) -> Document:
    noted, headers, mail = read_note(row.note), split_headers(row.raw), parse(row.raw)
    by = "the operator" if noted.by is None else f"person {noted.by}"
    decided = "" if noted.act is None else f"{noted.act.value} by {by}, {_time(noted.at_us)}"
    return {
        "id": row.id,
        "received": _time(row.received_us),
        "peer": row.peer,
        "envelope_from": row.mail_from,
        "envelope_to": row.rcpt_to,
        "state": row.state,
        "outcome": outcome_text(row.state, row.outcome, WORDS),
        "reason": reason_text(row.state, row.note, WORDS),
        "decided": decided,
        "headers": [f"{name}: {decode_raw(value)}" for name, value in headers.fields],
        "text": mail.text[:LONGEST_TEXT].splitlines(),
    }


async def _release(core: Core, args: argparse.Namespace) -> int:
    owner_id = None
    if args.owner is not None:
        async with core.store.read() as conn:
            owner = await person_rows.by_email(conn, args.owner)
        if owner is None:
            raise InputError(f"--as: {args.owner} is not registered")
        owner_id = owner.id
    done = await release(core, None, args.id, owner_id)
    if done is Declined.CHOOSE:
        hint = "either player's" if owner_id is None else "not that person's"
        raise InputError(f"--as: the mail is {hint}; name one of the game's players by address")
    return _told(args, "mail", done)


async def _replay(core: Core, args: argparse.Namespace) -> int:
    return _told(args, "mail", await replay(core, None, args.id))


async def _resend(core: Core, args: argparse.Namespace) -> int:
    states = (OutboxState.DEAD, OutboxState.SENT)
    return _told(args, "letter", await resend(core, args.id, states))


def _told(args: argparse.Namespace, what: str, done: str | Declined) -> int:
    """Print what came of a deed; its exit code."""
    if done is Declined.UNKNOWN:
        raise InputError(f"N: there is no {what} {args.id}")
    if isinstance(done, Declined):
        print(f"kskak: {WORDS(f'web.maildesk.declined.{done.value}')}", file=sys.stderr)
        if args.json:
            print_document({what: args.id, "refused": done.value})
        return 1
    if args.json:
        print_document({what: args.id, "outcome": done})
    else:
        is_letter = what == "letter"
        said = "queued" if is_letter else outcome_text(InboxState.DONE, done, WORDS)
        print(f"{what} {args.id}: {safe(said)}")
    return 0


def _time(at_us: int) -> str:
    return from_us(at_us).strftime("%Y-%m-%dT%H:%M:%SZ")


async def _game(core: Core, name: str) -> int:
    async with core.store.read() as conn:
        row = await game_rows.by_name(conn, name)
        if row is None and name.isascii() and name.isdigit() and len(name) <= 18:
            row = await game_rows.load(conn, int(name))
    if row is None:
        raise InputError(f"--game: there is no game {name}")
    return row.id


_ACTIONS: dict[str, Callable[[Core, argparse.Namespace], Awaitable[int]]] = {
    "list": _list,
    "show": _show,
    "release": _release,
    "replay": _replay,
    "resend": _resend,
    "import": mail_import.import_mails,
}
