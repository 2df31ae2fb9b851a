"""`kskak mail import PATH`: mail from a Maildir, an mbox file or a single file, after an outage.

Not for mail that comes over the network (mail.incoming.smtp_in).
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from datetime import time as hour
from pathlib import Path
from zoneinfo import ZoneInfo

from mail.incoming.mailboxes import NoMailbox, messages
from server.cli.documents import Document, day_of, print_document, safe
from server.cli.problems import InputError
from server.usecases.core.context import Core
from server.usecases.mail.import_mail import Dated, Fate, Item, keep, survey

EVERY_S = 2.0
"""Seconds between two progress lines."""
MOST_NAMED = 20
DESCRIPTION = (
    "Take mail from a Maildir (its new and cur), an mbox file or a file with one mail, as if it "
    "had come by SMTP. What is known already is left alone; the source is never changed. A mail "
    "counts from the time at which a trusted relay received it, else from when the mailbox says "
    "that it was delivered, else from now: import only what your own mail system has put there. "
    "Exit 1: some could not be read."
)
_SAID = {
    Fate.NEW: "new",
    Fate.KNOWN: "known already, left alone",
    Fate.FOREIGN: "not for us",
    Fate.OLD: "older than --since, left out",
    Fate.UNREADABLE: "could not be read",
}
_DATED = {
    Dated.MAILBOX: "new, dated by the mailbox: no trusted relay's time stands in them",
    Dated.NOW: "new, dated now: nothing that can be believed says when they arrived",
}


def configure(action: argparse.ArgumentParser) -> None:
    """Arguments of the action."""
    action.add_argument("path", metavar="PATH", type=Path, help="a Maildir, an mbox or a mail")
    action.add_argument("--since", metavar="DATE", help="leave out what arrived before this day")
    action.add_argument(
        "--dry-run", action="store_true", help="show what would be taken in, and change nothing"
    )


async def import_mails(core: Core, args: argparse.Namespace) -> int:
    """Exit 0: all was read; 1: some could not be; 2: the path can't be."""
    day, zone = day_of("--since", args.since), ZoneInfo(core.settings.clock.zone)
    since = None if day is None else datetime.combine(day, hour(), zone)
    try:
        found = messages(args.path, zone)
        items = await survey(core, found, since, _progress("read", None))
    except NoMailbox as error:
        raise InputError(f"{args.path}: neither a Maildir, an mbox file nor a mail") from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a file's name"
        raise InputError(f"{args.path}: {why}") from error
    if not args.dry_run:
        items = await keep(core, items, _progress("done", len(items)))
    if args.json:
        print_document(_document(items, is_dry=args.dry_run))
    else:
        _print(items, is_dry=args.dry_run)
    return 1 if any(item.fate is Fate.UNREADABLE for item in items) else 0


def _progress(what: str, total: int | None) -> Callable[[int], None]:
    """Tells on stderr how far it is, every other second."""
    told_s = time.monotonic()

    def tell(count: int) -> None:
        nonlocal told_s
        if time.monotonic() - told_s >= EVERY_S:
            told_s = time.monotonic()
            whole = "" if total is None else f" of {total}"
            print(f"{count}{whole} mails {what}", file=sys.stderr, flush=True)

    return tell


def _print(items: list[Item], *, is_dry: bool) -> None:
    counts = Counter(item.fate for item in items)
    print("dry run: nothing is taken in" if is_dry else "taken into the inbox:")
    for fate, said in _SAID.items():
        if counts[fate] or fate in (Fate.NEW, Fate.KNOWN):
            print(f"{counts[fate]:6} {said}")
    dated = Counter(item.dated for item in items if item.fate is Fate.NEW)
    for by, said in _DATED.items():
        if dated[by]:
            print(f"{dated[by]:6} {said}")
    named = [item for item in items if item.fate is Fate.UNREADABLE or _is_shown(item, is_dry)]
    for item in named[:MOST_NAMED]:
        print(f"  {_line(item)}")
    if len(named) > MOST_NAMED:
        print(f"  and {len(named) - MOST_NAMED} more, which --json names")
    if counts[Fate.NEW] and not is_dry:
        print("The server handles them as soon as it runs; `kskak mail list` has the outcomes.")


def _is_shown(item: Item, is_dry: bool) -> bool:
    return item.fate is Fate.NEW and (is_dry or item.dated is not Dated.RELAY)


def _line(item: Item) -> str:
    facts = (item.why,) if item.why else (_time(item), item.dated, item.sender, item.subject)
    return "  ".join(safe(text) for text in (item.found.place, *facts))


def _document(items: list[Item], *, is_dry: bool) -> Document:
    counts = Counter(item.fate for item in items)
    listed = [item for item in items if item.fate in (Fate.NEW, Fate.UNREADABLE)]
    return {
        "dry_run": is_dry,
        **{fate.value: counts[fate] for fate in Fate},
        "mails": [
            {
                "place": item.found.place,
                "fate": item.fate,
                "arrived": _time(item),
                "dated": item.dated,
                "from": item.sender,
                "subject": item.subject,
                "error": item.why,
            }
            for item in listed
        ],
    }


def _time(item: Item) -> str:
    return item.at.strftime("%Y-%m-%dT%H:%M:%SZ")
