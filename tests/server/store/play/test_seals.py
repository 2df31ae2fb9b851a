"""§ 6.1.1-6.1.2: what is written of offices, accounts and fees is noted, whoever else writes."""

import asyncio

from server.store import books as book_rows
from server.store.books import NewRow
from server.store.engine.chain import verify_notes
from server.store.engine.store import Store
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, NewPerson
from server.store.tables import all_tables
from server.usecases.desks.database_care import verify

MANY = 6


async def _person(store: Store) -> int:
    async with store.write() as conn:
        return await person_rows.add_person(
            conn, NewPerson(name="Kaj", email="kaj@example.org", created_us=0)
        )


async def _appoint(store: Store, person: int, at_us: int) -> int:
    async with store.write() as conn:
        new = NewOffice(person, "tl", None, at_us, person)
        return await person_rows.add_office(conn, new)


def _fee(person: int, number: int) -> NewRow:
    row = {"tournament": "EMT", "kind": "fee", "day": "2026-09-01", "ore": 20_000}
    row |= {"party": "Anna", "text": "Indskud", "by_id": person, "at_us": number}
    return row | {"reverses": None, "publication_id": None, "key": f"key {number}"}


async def _noted(store: Store) -> int:
    async with store.read() as conn:
        kept = await all_tables.everything(conn)
    verify_notes(all_tables.REGISTER, kept.links, kept.end)
    assert kept.wrong == ()
    return len(kept.links)


async def test_notes_made_at_once_follow_each_other(store: Store) -> None:
    person = await _person(store)
    made = await asyncio.gather(*(_appoint(store, person, number) for number in range(MANY)))
    assert await _noted(store) == MANY
    async with store.write() as conn:
        assert await person_rows.end(conn, made[0], 99)
        assert not await person_rows.end(conn, made[0], 100), "ended before: nothing to note"
        entries = [_fee(person, number) for number in (1, 2, 1)]
        assert await book_rows.add(conn, entries) == 2
        assert await book_rows.add(conn, entries[:1]) == 0, "known: nothing to note"
        await book_rows.add_one(conn, _fee(person, 3))
    assert await _noted(store) == MANY + 4
    assert (await verify(store)).findings == ()
