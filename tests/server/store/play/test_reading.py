"""A piece of reading or writing: one transaction, one moment."""

import asyncio
from contextlib import suppress

import pytest
from sqlalchemy import insert

from server.store import members as member_rows
from server.store.engine.store import Store
from server.store.play import people as person_rows
from server.store.play.people import NewPerson
from server.store.tables.base import people
from server.store.tables.people import ratings
from server.store.tables.tournaments import past_players, titles


def _new(name: str) -> NewPerson:
    return NewPerson(name=name, email=f"{name.lower()}@example.org", created_us=0)


async def _names(store: Store) -> list[str]:
    async with store.read() as conn:
        return [person.name for person in await person_rows.everybody(conn)]


async def test_what_is_read_in_several_transactions_is_read_in_one(store: Store) -> None:
    async with store.write() as conn:
        await person_rows.add_person(conn, _new("Anna"))

    async def work() -> tuple[bool, list[str], list[str]]:
        return store.is_joined, await _names(store), await store.reading(lambda: _names(store))

    assert await store.reading(work) == (True, ["Anna"], ["Anna"])
    assert not store.is_joined


async def test_what_is_raised_comes_out_and_the_next_reading_works(store: Store) -> None:
    async def work() -> None:
        await _names(store)
        raise LookupError("none")

    for _ in range(6):
        with pytest.raises(LookupError, match="none"):
            await store.reading(work)
    assert await store.reading(lambda: _names(store)) == []


async def test_a_piece_of_reading_cannot_write(store: Store) -> None:
    async def work() -> None:
        async with store.write() as conn:
            await person_rows.add_person(conn, _new("Bent"))

    with pytest.raises(RuntimeError, match="can't write"):
        await store.reading(work)
    assert await _names(store) == []


async def test_what_no_answer_depends_on_is_kept_when_the_reading_is_over(store: Store) -> None:
    async def work() -> list[str]:
        await store.note(lambda conn: person_rows.insert_in(conn, _new("Bent")))
        return await _names(store)

    assert await store.reading(work) == []
    assert await _names(store) == ["Bent"]


async def test_many_pieces_at_once_are_all_answered(store: Store) -> None:
    async with store.write() as conn:
        await person_rows.add_person(conn, _new("Anna"))
    found = await asyncio.gather(*(store.reading(lambda: _names(store)) for _ in range(30)))
    assert found == [["Anna"]] * 30


async def test_what_is_written_in_several_transactions_is_written_in_one(store: Store) -> None:
    async def work() -> list[str]:
        for name in ("Anna", "Bent"):
            async with store.write() as conn:
                await person_rows.add_person(conn, _new(name))
        return await store.writing(lambda: _names(store))

    assert await store.writing(work) == ["Anna", "Bent"]
    assert not store.is_joined
    assert await _names(store) == ["Anna", "Bent"]


async def test_of_a_piece_of_writing_that_fails_nothing_stays(store: Store) -> None:
    async def work() -> None:
        async with store.write() as conn:
            await person_rows.add_person(conn, _new("Anna"))
        raise LookupError("none")

    for _ in range(3):
        with pytest.raises(LookupError, match="none"):
            await store.writing(work)
    assert await _names(store) == []


async def test_what_fails_in_a_part_of_the_writing_leaves_the_other_parts(store: Store) -> None:
    async def work() -> None:
        async with store.write() as conn:
            await person_rows.add_person(conn, _new("Anna"))
        with suppress(LookupError):
            async with store.write() as conn:
                await person_rows.add_person(conn, _new("Bent"))
                raise LookupError

    await store.writing(work)
    assert await _names(store) == ["Anna"]


# Who plays is the same, however it is asked; and no more are counted than are wanted.


NAMES = ("Åse Æbelø", "Jákup á Høgu", "Łukasz Nowak", "نور", "Bo Berg")
"""By rating, from the archive, by a rating on a list, by a title; the last only in the register."""


async def test_who_plays_is_found_through_the_lists_and_name_by_name(store: Store) -> None:
    by = {"source": "", "entered_us": 0}
    async with store.write() as conn:
        for number, name in enumerate(NAMES, 1):
            row = {"id": number, "name": name, "email": f"{number}@example.org", "created_us": 0}
            row["k_rating"] = 1500 if number == 1 else None
            await conn.execute(insert(people).values(row))
        await conn.execute(insert(past_players).values(name="x", number="", key="x", person_id=2))
        for kind, person in (("k", 3), ("elo", 5)):
            row = {"person_id": person, "kind": kind, "on_day": "2026-11-01", "value": 1500}
            await conn.execute(insert(ratings).values(row | by | {"is_provisional": False}))
        title = {"title": "dm", "edition": 1, "person_id": 4, "is_shared": False}
        title |= {"paragraph": "6.5.2", "source": "", "at_us": 0}
        await conn.execute(insert(titles).values(title))
    async with store.read() as conn:
        few = await member_rows.find_players(conn, (), (0, 9), are_many=False)
        many = await member_rows.find_players(conn, (), (0, 9), are_many=True)
        assert few == many and {one.name for one in few} == {*NAMES[:4]}
        later = await member_rows.find_players(conn, (), (1, 2), are_many=True)
        assert later == few[1:3]
        counted = [await member_rows.count_players(conn, (), most) for most in (None, 4, 3, 1)]
        assert counted == [4, 4, 3, 1]
        assert await member_rows.count_players(conn, ("nowak",), 9) == 1
