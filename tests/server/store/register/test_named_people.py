"""Who plays is the same, however it is asked; and no more are counted than are wanted."""

from sqlalchemy import insert

from server.store import members as member_rows
from server.store.engine.store import Store
from server.store.tables.base import people
from server.store.tables.people import ratings
from server.store.tables.tournaments import past_players, titles

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
