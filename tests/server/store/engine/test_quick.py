"""A kept statement asked past SQLAlchemy gives what SQLAlchemy gives. SQLite only by its nature,
but the same on both.
"""

from typing import Any

import pytest
from sqlalchemy import Select, bindparam, event, func, literal, select, union_all
from sqlalchemy.exc import NoResultFound, SQLAlchemyError

from server.store.engine import sqlite_direct
from server.store.engine.errors import StoreError
from server.store.engine.rows import Prepared, all_as
from server.store.engine.store import Store
from server.store.play import people as person_rows
from server.store.play.people import NewPerson
from server.store.tables.base import people

NAMES = ("Anna", "Bent", "Carl")


async def _fill(store: Store) -> None:
    async with store.write() as conn:
        for number, name in enumerate(NAMES):
            email = f"{name.lower()}@example.org"
            new = NewPerson(name=name, email=email, created_us=number, citizen=name != "Bent")
            await person_rows.add(conn, new)


_PLACES = select(people.c.name, people.c.citizen)
_CASES: tuple[tuple[Select[Any], dict[str, Any]], ...] = (
    (_PLACES.order_by(people.c.id), {}),
    (_PLACES.where(people.c.name == bindparam("name")), {"name": "Bent"}),
    (_PLACES.where(people.c.name.in_(["Bent", "Carl"])).order_by(people.c.id), {}),
    (_PLACES.order_by(people.c.name.desc()).limit(bindparam("most")), {"most": 2}),
    (select(people.c.id, literal("x").label("what")).order_by(people.c.id), {}),
    (select(people.c.name == "Anna", people.c.name).order_by(people.c.id), {}),
    (select(func.count(), func.max(people.c.created_us)), {}),
    (
        _PLACES.where(people.c.citizen == bindparam("is_one")).order_by(people.c.id),
        {"is_one": True},
    ),
)


@pytest.mark.parametrize(("statement", "values"), _CASES)
async def test_a_statement_gives_the_same_the_first_time_and_ever_after(
    store: Store, statement: Select[Any], values: dict[str, Any]
) -> None:
    await _fill(store)
    async with store.read() as conn:
        usual = (await conn.execute(statement, values)).all()

    async def work() -> list[Any]:
        async with store.read() as conn:
            return [(await conn.execute(statement, values)).all() for _ in range(4)]

    found = await store.reading(work)
    assert found == [usual] * 4
    kinds = [[type(value) for value in row] for row in usual]
    assert all([[type(value) for value in row] for row in rows] == kinds for rows in found)


async def test_lists_of_any_length_and_none(store: Store) -> None:
    await _fill(store)
    among = Prepared(
        lambda ids, least: (
            select(people.c.name)
            .where(people.c.id.in_(ids), people.c.created_us >= least)
            .order_by(people.c.id)
        )
    )
    rest = Prepared(lambda ids: select(people.c.name).where(people.c.id.not_in(ids)))

    async def work() -> list[tuple[str, ...]]:
        found = []
        async with store.read() as conn:
            everybody = [one.id for one in await person_rows.everybody(conn)]
            for ids in (everybody, everybody[:1], [], everybody[1:], everybody):
                found.append(tuple((await conn.execute(*among(ids, 0))).scalars()))
            for ids in (everybody, [], everybody[:2]):
                found.append(tuple(sorted((await conn.execute(*rest(ids))).scalars())))
        return found

    expected = [NAMES, NAMES[:1], (), NAMES[1:], NAMES, (), NAMES, NAMES[2:]]
    assert await store.reading(work) == expected


async def test_rows_are_asked_by_name_and_as_one(store: Store) -> None:
    await _fill(store)
    both = union_all(
        select(people.c.name, literal(1).label("kind")), select(people.c.email, literal(2))
    )
    one = select(people.c.id, people.c.name).where(people.c.name == bindparam("name"))

    async def work() -> None:
        async with store.read() as conn:
            for _ in range(3):
                assert len((await conn.execute(both)).all()) == 2 * len(NAMES)
                assert {row.kind for row in await conn.execute(both)} == {1, 2}
                row = (await conn.execute(one, {"name": "Bent"})).one()
                assert row.name == row[1] == row._mapping["name"] == "Bent"
                assert (await conn.execute(one, {"name": "Dora"})).one_or_none() is None
                with pytest.raises(NoResultFound):
                    (await conn.execute(one, {"name": "Dora"})).one()
                firsts = (await conn.execute(both)).scalars()
                assert sorted(firsts) == sorted(row[0] for row in await conn.execute(both))
                pairs = all_as(lambda name, kind: (kind, name), await conn.execute(both))
                assert set(pairs) == {(row.kind, row.name) for row in await conn.execute(both)}
                turned = all_as(lambda name, is_one: is_one, await conn.execute(_PLACES))
                assert [type(value) for value in turned] == [bool] * len(NAMES)

    await store.reading(work)


async def test_a_place_that_is_left_open_is_an_error(store: Store) -> None:
    await _fill(store)
    one = select(people.c.id).where(people.c.name == bindparam("name"))

    async def work() -> list[Any]:
        async with store.read() as conn:
            return list((await conn.execute(one, {"name": "Bent"})).all())

    async def openly() -> None:
        async with store.read() as conn:
            await conn.execute(one, {})

    for _ in range(3):
        assert len(await store.reading(work)) == 1
    with pytest.raises((KeyError, StoreError, SQLAlchemyError)):
        await store.reading(openly)


async def test_what_is_asked_once_is_not_kept_and_what_is_asked_twice_is_told_of(
    store: Store,
) -> None:
    if store.dialect != "sqlite":
        pytest.skip("SQLite alone is asked past SQLAlchemy")
    await _fill(store)
    kept = select(people.c.id).where(people.c.name == "Bent")
    seen: list[str] = []

    async def work() -> None:
        async with store.read() as conn:
            for _ in range(3):
                await conn.execute(kept)
                await conn.execute(select(people.c.id).where(people.c.name == "Anna"))

    def note(_: object, __: object, statement: str, *___: object) -> None:
        seen.append(statement)

    hand = store.engines[0]
    event.listen(hand, "before_cursor_execute", note)
    before = len(sqlite_direct._known)
    await store.reading(work)
    event.remove(hand, "before_cursor_execute", note)
    assert len(seen) == 6
    assert isinstance(sqlite_direct._known[id(kept)][0], sqlite_direct.Plain)
    assert len(sqlite_direct._known) <= before + 2
