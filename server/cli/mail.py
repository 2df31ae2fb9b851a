"""The commands about mail and letters: `mail`, `letters`, `words`, `dkim`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from datetime import time as hour
from email.message import EmailMessage
from functools import cache
from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo

from mail.text.catalogue import (
    DEFAULT_LANGUAGE,
    FACTS,
    LANGUAGES,
    BadWords,
    Words,
    missing,
    read_catalogue,
    read_texts,
    write_catalogue,
    write_texts,
)
from server.cli import (
    JSON,
    Document,
    InputError,
    Option,
    command,
    day_of,
    lazily,
    option,
    safe,
    say,
    telling,
)
from server.cli.config import CONFIG, on_core, settings_of

with lazily():
    from mail import compose, samples
    from mail.game_letters import cast, letter_parts
    from mail.incoming import mailboxes, mime, parse_mail
    from mail.outgoing import dkim_signing
    from server.store.engine import rows
    from server.store.mail import inbox as inbox_rows
    from server.store.mail import outbox as outbox_rows
    from server.store.play import games as game_rows
    from server.store.play import people as person_rows
    from server.usecases import context
    from server.usecases.mail import bounces, mail_desk, mailbox, release, sort_mail


# `kskak mail list|show|release|replay|resend|test|import`: the mail desk for an operator.

MailWork = Callable[["context.Core", argparse.Namespace], Awaitable[int]]
MOST = 10_000
LONGEST_TEXT = 1500
"""Characters of a mail's text to show."""


def mail_action(name: str, *options: Option, **texts: str) -> Callable[[MailWork], MailWork]:
    """An action on the database; its work gives the exit code.

    Exit 0: done; 1: it was not done, and why; 2: no such mail, game or address.
    """

    def declared(work: MailWork) -> MailWork:
        def run(args: argparse.Namespace) -> int:
            return on_core(settings_of(args), lambda core: work(core, args))

        command(name, *options, CONFIG, JSON, **texts)(run)
        return work

    return declared


@cache
def _words() -> Words:
    return Words.load("en")


def _number(text: str) -> int:
    """A row's number. ValueError for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(text)
    return int(text)


NUMBER = option("id", metavar="N", type=_number, help="the mail's number in the list")


def _add_kind(parser: argparse.ArgumentParser) -> None:
    """Which mails, or letters instead."""
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--held", action="store_true", help="only mails held for an official")
    kind.add_argument("--dead", action="store_true", help="letters that were given up instead")


@mail_action(
    "mail list",
    _add_kind,
    option("--address", help="only from this address (of letters: to it)"),
    option("--game", metavar="GAME", help="only about this game, by its name or id"),
    option("--days", type=int, default=30, help="how far back (default: 30)"),
    help="list incoming mails, or dead letters, newest first",
)
async def _list(core: context.Core, args: argparse.Namespace) -> int:
    if args.days < 0:
        raise InputError("--days: a number of days is wanted")
    game_id = None if args.game is None else await _game(core, args.game)
    since_us = max(core.now_us - args.days * rows.DAY_US, 0)
    if args.dead:
        found = await _dead(core, since_us, args.address, game_id)
    else:
        states = (inbox_rows.InboxState.HELD,) if args.held else ()
        mails = await release.list_mails(
            core, inbox_rows.MailFilter(states, since_us), args.address, game_id
        )
        found = [_mail(line) for line in mails]
    lines = ("  ".join(safe(str(v)) for v in one.values() if v not in ("", None)) for one in found)
    return say(args, {"letters" if args.dead else "mails": found}, lines)


def _mail(line: release.MailListLine) -> Document:
    head = line.head
    return {
        "id": head.id,
        "received": _time(rows.from_us(head.received_us)),
        "from": line.sender,
        "subject": line.subject,
        "outcome": sort_mail.outcome_text(head.state, head.outcome, _words()),
        "reason": sort_mail.reason_text(head.state, head.note, _words()),
    }


async def _dead(
    core: context.Core, since_us: int, address: str | None, game_id: int | None
) -> list[Document]:
    async with core.store.read() as conn:
        letters = await outbox_rows.newest(conn, MOST, outbox_rows.OutboxState.DEAD, since_us)
        known = await bounces.add_addresses(conn, letters)
    return [
        {
            "id": one.letter.id,
            "given_up": _time(rows.from_us(one.letter.due_us)),
            "to": one.address,
            "kind": one.letter.kind,
            "error": one.letter.last_error or "",
        }
        for one in known
        if not one.is_gone
        and (address is None or one.address == person_rows.normal(address))
        and (game_id is None or one.letter.game_id == game_id)
    ]


@mail_action("mail show", NUMBER, help="show a mail: its headers, its outcome and the reason")
async def _show(core: context.Core, args: argparse.Namespace) -> int:
    row = await core.store.query(inbox_rows.find, args.id)
    if row is None:
        raise InputError(f"N: there is no mail {args.id}")
    found = _whole(row)
    return say(args, found, _lines(found))


def _lines(found: Document) -> Iterator[str]:
    for name, value in found.items():
        if isinstance(value, list):
            yield from ("", *map(safe, value))
        elif value not in ("", None):
            yield f"{name}: {safe(str(value))}"


def _whole(row: inbox_rows.InboxRow) -> Document:
    noted, headers = sort_mail.read_note(row.note), mime.split_headers(row.raw)
    mail = parse_mail.parse(row.raw)
    by = "the operator" if noted.by is None else f"person {noted.by}"
    at = _time(rows.from_us(noted.at_us))
    decided = "" if noted.act is None else f"{noted.act.value} by {by}, {at}"
    return {
        "id": row.id,
        "received": _time(rows.from_us(row.received_us)),
        "peer": row.peer,
        "envelope_from": row.mail_from,
        "envelope_to": row.rcpt_to,
        "state": row.state,
        "outcome": sort_mail.outcome_text(row.state, row.outcome, _words()),
        "reason": sort_mail.reason_text(row.state, row.note, _words()),
        "decided": decided,
        "headers": [f"{name}: {mime.decode_raw(value)}" for name, value in headers.fields],
        "text": mail.text[:LONGEST_TEXT].splitlines(),
    }


@mail_action(
    "mail release",
    NUMBER,
    option("--as", dest="owner", metavar="EMAIL", help="whose, if two may be"),
    help="handle a held mail as its owner's, dated by its arrival",
    description=(
        "Handle a held mail as its owner's: the owner of the reply address it was sent to, "
        "else its sender, else a player of the game that its subject names. Releasing it again "
        "does nothing and exits 1."
    ),
)
async def _release(core: context.Core, args: argparse.Namespace) -> int:
    owner_id = None
    if args.owner is not None:
        owner = await core.store.query(person_rows.by_email, args.owner)
        if owner is None:
            raise InputError(f"--as: {args.owner} is not registered")
        owner_id = owner.id
    done = await release.release(core, None, args.id, owner_id)
    if done is release.ReleaseRefusal.CHOOSE:
        hint = "either player's" if owner_id is None else "not that person's"
        raise InputError(f"--as: the mail is {hint}; name one of the game's players by address")
    return _print_outcome(args, "mail", done)


@mail_action(
    "mail replay",
    NUMBER,
    help="handle a mail again that was held, failed or not understood",
    description=(
        "Handle a mail again as if it came now; its day of arrival still counts. A mail that "
        "has had effect is not applied twice: nothing is done, exit 1. Answers already sent are "
        "not sent again."
    ),
)
async def _replay(core: context.Core, args: argparse.Namespace) -> int:
    return _print_outcome(args, "mail", await release.replay(core, None, args.id))


@mail_action(
    "mail resend",
    option("id", metavar="N", type=_number, help="the letter's number in `list --dead`"),
    help="send a dead or sent letter again",
    description=(
        "Put a dead or sent letter back in the queue, with five days to arrive. The running "
        "server sends it, under the same Message-ID. A letter that waits is left alone, exit 1."
    ),
)
async def _resend(core: context.Core, args: argparse.Namespace) -> int:
    states = (outbox_rows.OutboxState.DEAD, outbox_rows.OutboxState.SENT)
    return _print_outcome(args, "letter", await mail_desk.resend(core, args.id, states))


ANSWER_S = 2.0
"""Seconds between two looks for the answer to a test letter."""


@mail_action(
    "mail test",
    option("address", metavar="ADDRESS", help="where the letter goes"),
    option("--wait", type=int, default=0, metavar="S", help="seconds to wait for the answer"),
    option("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="its language"),
    help="send a test letter, and see it come back",
    description=(
        "Send a test letter through the outgoing mail server. With --wait: until the running "
        "server got an answer to it; a letter to the server's own address comes back by itself."
    ),
)
async def _test(core: context.Core, args: argparse.Namespace) -> int:
    from server.usecases.desks import doctor  # with it a web client, which no other action needs

    since_us, after = core.now_us, await core.store.query(inbox_rows.newest_id)
    try:
        named = await doctor.send_test_letter(core, args.address, Words.load(args.lang))
    except (doctor.NoTestLetter, mailbox.KeyFault) as error:
        raise InputError(str(error)) from error
    until = time.monotonic() + args.wait
    is_back = False
    while not is_back and time.monotonic() < until:
        is_back = await doctor.find_answer(core, named, after)
        await asyncio.sleep(0 if is_back else ANSWER_S)
    seconds = round((core.now_us - since_us) / rows.SECOND_US)
    lines = [f"sent to {args.address} as {named}"]
    if args.wait:
        lines.append(f"back after {seconds} s" if is_back else f"nothing came back in {seconds} s")
    facts = {"message_id": named, "back_after_s": seconds if is_back else None}
    say(args, facts, lines)
    return 0 if is_back or not args.wait else 1


def _print_outcome(args: argparse.Namespace, what: str, done: str | release.ReleaseRefusal) -> int:
    """Print what came of a deed; its exit code."""
    if done is release.ReleaseRefusal.UNKNOWN:
        raise InputError(f"N: there is no {what} {args.id}")
    if isinstance(done, release.ReleaseRefusal):
        print(f"kskak: {_words()(f'web.maildesk.declined.{done.value}')}", file=sys.stderr)
        if args.json:
            say(args, {what: args.id, "refused": done.value}, ())
        return 1
    is_letter = what == "letter"
    text = (
        "queued"
        if is_letter
        else sort_mail.outcome_text(inbox_rows.InboxState.DONE, done, _words())
    )
    return say(args, {what: args.id, "outcome": done}, [f"{what} {args.id}: {safe(text)}"])


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


async def _game(core: context.Core, name: str) -> int:
    async with core.store.read() as conn:
        row = await game_rows.by_name(conn, name)
        if row is None and name.isascii() and name.isdigit() and len(name) <= 18:
            row = await game_rows.load(conn, int(name))
    if row is None:
        raise InputError(f"--game: there is no game {name}")
    return row.id


# `kskak mail import PATH`: mail from a Maildir, an mbox file or a single file, after an outage.

MOST_NAMED = 20
DESCRIPTION = (
    "Take mail from a Maildir (its new and cur), an mbox file or a file with one mail, as if it "
    "had come by SMTP. What is known already is left alone; the source is never changed. A mail "
    "counts from the time at which a trusted relay received it, else from when the mailbox says "
    "that it was delivered, else from now: import only what your own mail system has put there. "
    "Exit 1: some could not be read."
)
_OUTCOME_NAMES = {
    "new": "new",
    "known": "known already, left alone",
    "foreign": "not for us",
    "old": "older than --since, left out",
    "unreadable": "could not be read",
}
_DATED = {
    "mailbox": "new, dated by the mailbox: no trusted relay's time stands in them",
    "now": "new, dated now: nothing that can be believed says when they arrived",
}


@mail_action(
    "mail import",
    option("path", metavar="PATH", type=Path, help="a Maildir, an mbox or a mail"),
    option("--since", metavar="DATE", help="leave out what arrived before this day"),
    option(
        "--dry-run", action="store_true", help="show what would be taken in, and change nothing"
    ),
    help="take in mail from a mailbox",
    description=DESCRIPTION,
)
async def import_mails(core: context.Core, args: argparse.Namespace) -> int:
    """Exit 0: all was read; 1: some could not be; 2: the path can't be."""
    day, zone = day_of("--since", args.since), ZoneInfo(core.settings.clock.zone)
    since, tell = None if day is None else datetime.combine(day, hour(), zone), telling()
    try:
        found = mailboxes.messages(args.path, zone)
        items = await mailbox.survey(core, found, since, lambda n: tell("mails read", n, None))
    except mailboxes.NoMailbox as error:
        raise InputError(f"{args.path}: neither a Maildir, an mbox file nor a mail") from error
    except ValueError as error:
        raise InputError(f"{args.path}: not a file's name") from error
    if not args.dry_run:
        total = len(items)
        items = await mailbox.keep(core, items, lambda n: tell("mails done", n, total))
    dry = args.dry_run
    say(args, _document(items, is_dry=dry), _summary(items, is_dry=dry))
    return 1 if any(item.fate is mailbox.MailImportOutcome.UNREADABLE for item in items) else 0


def _summary(items: list[mailbox.MailImportItem], *, is_dry: bool) -> Iterator[str]:
    counts = Counter[str](item.fate for item in items)
    yield "dry run: nothing is taken in" if is_dry else "taken into the inbox:"
    for fate, said in _OUTCOME_NAMES.items():
        if counts[fate] or fate in (mailbox.MailImportOutcome.NEW, mailbox.MailImportOutcome.KNOWN):
            yield f"{counts[fate]:6} {said}"
    dated = Counter[str](item.dated for item in items if item.fate is mailbox.MailImportOutcome.NEW)
    for by, said in _DATED.items():
        if dated[by]:
            yield f"{dated[by]:6} {said}"
    relayed = mailbox.ArrivalTimeSource.RELAY
    named = [
        item
        for item in items
        if item.fate is mailbox.MailImportOutcome.UNREADABLE
        or (item.fate is mailbox.MailImportOutcome.NEW and (is_dry or item.dated is not relayed))
    ]
    for item in named[:MOST_NAMED]:
        yield f"  {_line(item)}"
    if len(named) > MOST_NAMED:
        yield f"  and {len(named) - MOST_NAMED} more, which --json names"
    if counts[mailbox.MailImportOutcome.NEW] and not is_dry:
        yield "The server handles them as soon as it runs; `kskak mail list` has the outcomes."


def _line(item: mailbox.MailImportItem) -> str:
    facts = (item.why,) if item.why else (_time(item.at), item.dated, item.sender, item.subject)
    return "  ".join(safe(text) for text in (item.found.place, *facts))


def _document(items: list[mailbox.MailImportItem], *, is_dry: bool) -> Document:
    counts = Counter(item.fate for item in items)
    listed = [
        item
        for item in items
        if item.fate in (mailbox.MailImportOutcome.NEW, mailbox.MailImportOutcome.UNREADABLE)
    ]
    return {
        "dry_run": is_dry,
        **{fate.value: counts[fate] for fate in mailbox.MailImportOutcome},
        "mails": [
            {
                "place": item.found.place,
                "fate": item.fate,
                "arrived": _time(item.at),
                "dated": item.dated,
                "from": item.sender,
                "subject": item.subject,
                "error": item.why,
            }
            for item in listed
        ],
    }


# `kskak letters`: every kind of letter the server writes, by example, in each language.


@command(
    "letters",
    option("kind", nargs="?", help="the letter to print; none: list all with subjects"),
    option("--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="its language"),
    option(
        "--to", type=Path, metavar="FOLDER", help="write all of them, in every language, as .eml"
    ),
)
def run_letters(args: argparse.Namespace) -> int:
    """Exit 0; 2: no such kind, or the folder can't be written."""
    known = _known()
    if args.kind is not None and args.kind not in known:
        raise InputError(f"no letter is called {args.kind!r}; `kskak letters` lists them")
    if args.to is not None:
        return _write(args.to, [args.kind] if args.kind else list(known))
    if args.kind is not None:
        _show_letters(_letter(args.kind, args.lang))
        return 0
    width = max(map(len, known))
    for kind in known:
        print(f"{kind:{width}}  {_letter(kind, args.lang)['Subject']}")
    return 0


def _known() -> dict[str, letter_parts.Letter]:
    return {**samples.GAME_LETTERS, **samples.NOTICES}


def _letter(kind: str, lang: str) -> EmailMessage:
    return compose.compose(_known()[kind], Words.load(lang), cast.ENVELOPE)


def _show_letters(mail: EmailMessage) -> None:
    """The header a reader sees and the text part, which is complete in itself."""
    for field in ("From", "To", "Subject"):
        print(f"{field}: {mail[field]}")
    body = mail.get_body(("plain",))
    print(f"\n{body.get_content() if body else ''}".rstrip())


def _write(folder: Path, kinds: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for lang in LANGUAGES:
        for kind in kinds:
            (folder / f"{kind}.{lang}.eml").write_bytes(bytes(_letter(kind, lang)))
    print(f"{len(kinds) * len(LANGUAGES)} letters in {folder}")
    return 0


# `kskak words`: which texts a language lacks; its texts as a PO file, and back.

FOLDER = Path(str(files("mail"))) / "words"
LANGUAGE = option("lang", choices=LANGUAGES)


@command("words")
def run_words(_: argparse.Namespace) -> int:
    """Exit 0: which texts each language lacks."""
    for lang, facts in FACTS.items():
        lacking = missing(lang)
        print(f"{lang} {facts.name}: {len(lacking)} missing of {len(read_texts(LANGUAGES[0]))}")
        print("".join(f"  {key}\n" for key in lacking), end="")
    return 0


@command("words export", LANGUAGE, help="print a language's texts as a PO file")
def run_words_export(args: argparse.Namespace) -> int:
    """Exit 0: printed."""
    print(write_catalogue(read_texts(args.lang), args.lang).decode(), end="")
    return 0


@command(
    "words import",
    LANGUAGE,
    option("file", type=Path, metavar="FILE", help="a PO file in UTF-8"),
    help="put a PO file's texts into the language's folder",
)
def run_words_import(args: argparse.Namespace) -> int:
    """Exit 0; 1: a text can't be taken, each is named and nothing is changed; 2: no such file."""
    try:
        taken = read_catalogue(args.file.read_bytes())
        changed = write_texts(FOLDER, args.lang, taken)
    except BadWords as error:
        print("\n".join(error.lines), file=sys.stderr)
        return 1
    print(f"{changed} texts changed")
    return 0


# `kskak dkim`: the key that letters are signed with, made once, and its record for the DNS.

_PIECE = 255
"""The most characters of one string in a TXT record."""


@command("dkim", CONFIG)
def run_dkim(args: argparse.Namespace) -> int:
    """Exit 0: the record; 2: the key can't be read or made."""
    settings = settings_of(args, makes=True)
    try:
        path = mailbox.find_key_path(settings)
        if not path.exists():
            mailbox.make(path)
            print(f"# a new key: {path}")
        value = dkim_signing.record(mailbox.read(path))
    except mailbox.KeyFault as error:
        raise InputError(str(error)) from error
    except dkim_signing.UnusableKey as error:
        raise InputError(mailbox.unusable(path)) from error
    pieces = " ".join(f'"{value[at : at + _PIECE]}"' for at in range(0, len(value), _PIECE))
    name = f"{settings.mail.out.dkim_selector}._domainkey.{settings.mail.domain}."
    print(f"{name} IN TXT ( {pieces} )")
    return 0
