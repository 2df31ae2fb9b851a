"""The accounts to and from a file: export, import, dry-run import (§ 6.1.2).

Nothing in a file is imported unless all of it is valid. Not for what a row may say
(kskak.office.books_csv).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from kskak.office.books import Entry
from kskak.office.books_csv import Bad, Row, RowFault, read_table, table_of
from server.store.engine.connection import AsyncConnection
from server.store.office import books as rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.office.books import Line, entry_of, new_entry, only_the_controller

MOST_BYTES = 500_000
"""The largest file: some thousand entries."""
_SIGNED = "\ufeff"
_OLD = "windows-1252"
"""What spreadsheets on old Windows versions write."""


def file_of(lines: Sequence[Line]) -> bytes:
    """These lines as a file: UTF-8 with a byte order mark, as Excel wants it."""
    return (_SIGNED + table_of(line.entry for line in lines)).encode()


def text_of(raw: bytes) -> str:
    """The text of a file, whichever way it was saved."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode(_OLD, errors="replace")


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file contains: new entries, how many are known, what is wrong.

    ``is_done``: the new entries were imported; never if anything is wrong.
    """

    new: tuple[Entry, ...]
    known: int
    bad: tuple[Bad, ...]
    is_done: bool = False


async def import_text(core: Core, person: PersonRow, text: str, *, is_dry: bool) -> Imported:
    """Import a file's new entries, all or none. Raises NotAllowed.

    ``is_dry``: only report what would happen. The same file again adds nothing.
    """
    read = read_table(text.removeprefix(_SIGNED), core.today(core.settings.clock.zone))
    async with core.store.deciding() as conn:
        await only_the_controller(conn, core, person)
        found, keys = await _compared(conn, read)
        if is_dry or found.bad:
            return found
        keyed = zip(found.new, keys, strict=True)
        await rows.add(conn, [new_entry(e, person.id, core.now_us, key) for e, key in keyed])
    return Imported(found.new, found.known, (), is_done=True)


def _keys(entries: Sequence[Entry]) -> list[str]:
    """A key from each entry's content; identical entries are told apart by their order."""
    seen: Counter[str] = Counter()
    keys = []
    for entry in entries:
        said = (entry.tournament, entry.kind, entry.day, entry.ore, entry.party, entry.text)
        content = "\x1f".join(str(part) for part in said)
        seen[content] += 1
        told = sha256(f"{content}\x1f{seen[content]}".encode()).hexdigest()
        keys.append(f"file-{told}")
    return keys


async def _compared(conn: AsyncConnection, read: Sequence[Row | Bad]) -> tuple[Imported, list[str]]:
    """Compare the rows with the books: new, known or different; and the new ones' keys."""
    bad = [row for row in read if isinstance(row, Bad)]
    good = [row for row in read if isinstance(row, Row)]
    kept = {row.id: entry_of(row) for row in await rows.everything(conn)}
    numbered = [row for row in good if row.entry.number is not None]
    for row in numbered:
        there = kept.get(row.entry.number or 0)
        if there is None:
            bad.append(Bad(row.line, RowFault.UNKNOWN_NUMBER))
        elif there != row.entry:
            bad.append(Bad(row.line, RowFault.DIFFERS))
    fresh = [row.entry for row in good if row.entry.number is None]
    keys = _keys(fresh)
    taken = await rows.known_keys(conn, keys)
    new = [(entry, key) for entry, key in zip(fresh, keys, strict=True) if key not in taken]
    bad.sort(key=lambda each: each.line)
    known = len(good) - len(new)
    return Imported(tuple(entry for entry, _ in new), known, tuple(bad)), [key for _, key in new]
