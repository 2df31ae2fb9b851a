"""Everything the server keeps about a person: a zip of it, for that person alone; its removal.

Tables as JSON, games with ledger, PGN and what the players wrote, mails and letters as they were
sent. Other people's contact data is included only where a letter to the person contained it. Not
for which tables are personal (store/account/own_data.py).
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from kskak.archive.game_pgn import pgn
from kskak.ledger.ledger_out import JsonObject, JsonValue, ledger_json
from kskak.statement.account import account
from mail.text.words import Words
from server.store.account import own_data, removal
from server.store.account.own_data import OWN, Kept, Value
from server.store.account.removal import Standing
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.play import games_together
from server.store.play.games import GameRow, events_of
from server.store.play.games_together import WholeGames
from server.store.play.people import PersonRow
from server.usecases.cases.file import as_zip
from server.usecases.cases.file_mails import Part, dumped
from server.usecases.core.context import Core
from server.usecases.play.transcripts import facts_of

_ENDINGS = {
    "message/rfc822": "eml",
    "application/json": "json",
    "application/pdf": "pdf",
    "image/png": "png",
    "image/jpeg": "jpg",
}


@dataclass(frozen=True, slots=True)
class _Gathered:
    """All the data, read at one moment."""

    person: PersonRow
    rows: dict[str, list[dict[str, Value]]]
    files: list[Kept]
    own: WholeGames
    groups: dict[int, GroupRow]


async def copy_of(core: Core, person: PersonRow) -> bytes:
    """The zip. Made in a thread: it replays the ledgers of all the person's games."""
    async with core.store.read() as conn:
        own = await games_together.of_person(conn, person.id)
        found = _Gathered(
            person=person,
            rows={one.table: await own_data.rows_of(conn, one, person.id) for one in OWN},
            files=await own_data.files_of(conn, person.id),
            own=own,
            groups=await group_rows.by_ids(conn, {row.group_id for row in own.games}),
        )
    return await asyncio.to_thread(lambda: as_zip(sorted(_parts(found))))


def _parts(found: _Gathered) -> Iterator[Part]:
    words = Words.load(found.person.lang)
    day = words("account.copy_index", name=found.person.name)
    yield "README.txt", (day + "\n").encode()
    for table, rows in found.rows.items():
        if rows:
            yield f"data/{table}.json", dumped([_readable(row) for row in rows])
    for kept in found.files:
        ending = _ENDINGS.get(kept.media_type.partition(";")[0], "txt")
        yield f"{kept.folder}/{kept.name}.{ending}", bytes(kept.octets)
    transcripts = [_pgn(row, found) for row in found.own.games]
    for row, text in zip(found.own.games, transcripts, strict=True):
        folder = f"games/{row.name.replace('/', '-')}"
        yield f"{folder}/game.pgn", text.encode()
        for name, value in _of_game(row, found.own):
            yield f"{folder}/{name}.json", dumped(value)
    if transcripts:
        yield "games.pgn", "\n".join(transcripts).encode()


def _of_game(row: GameRow, own: WholeGames) -> Iterator[tuple[str, JsonValue]]:
    """The ledger, the messages sent with moves, and the thread."""
    yield "ledger", ledger_json(row.terms, events_of(own.events[row.id]))
    names = {row.white_id: row.white, row.black_id: row.black}
    if said := own.messages[row.id]:
        told: list[JsonValue] = [
            {"event": one.seq, "by": names.get(one.author_id), "text": one.text} for one in said
        ]
        yield "messages", told
    if quiet := own.threads[row.id]:
        thread: list[JsonValue] = [
            {"at": _at(one.at_us), "by": names.get(one.author_id), "text": one.text}
            for one in quiet
        ]
        yield "thread", thread


def _pgn(row: GameRow, found: _Gathered) -> str:
    told = account(row.terms, events_of(found.own.events[row.id]))
    facts = facts_of(found.groups[row.group_id].tournament, row, told)
    return pgn(told, facts, with_dates=True)


def _at(us: int) -> str:
    return from_us(us).isoformat()


def _readable(row: dict[str, Value]) -> JsonObject:
    """A row with readable instants: microseconds become ISO times in UTC."""
    return {
        name.removesuffix("_us"): _at(value)
        if name.endswith("_us") and isinstance(value, int)
        else value
        for name, value in row.items()
    }


async def standing(core: Core, person: PersonRow) -> Standing:
    """What stands in the way of removal now."""
    today = core.today(core.settings.clock.zone).isoformat()
    async with core.store.read() as conn:
        return await removal.standing(conn, person.id, today, core.now_us)


async def remove(core: Core, person: PersonRow) -> Standing | None:
    """Remove the account, all or nothing; returns None when done, else what stands in the way."""
    today = core.today(core.settings.clock.zone).isoformat()
    async with core.store.write() as conn:
        found = await removal.standing(conn, person.id, today, core.now_us)
        if not found.is_free:
            return found
        await removal.forget(conn, person.id)
    return None
