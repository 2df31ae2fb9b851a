"""The list of a person's data against the tables, and its queries on both databases."""

import re

from sqlalchemy import insert

from server.store.account import retention as retention_rows
from server.store.account import sign_in as access
from server.store.account.retention import ELSEWHERE, OWN, PersonTable
from server.store.engine.store import Store
from server.store.play import game_lists
from server.store.tables.base import metadata
from server.store.tables.people import push_browsers
from tests.fakes.play import NOW_US, start_games

PUSH = {
    "person_id": 1,
    "endpoint": "https://push.example.org/1",
    "key": b"k",
    "auth": b"a",
    "browser": "Firefox",
    "created_us": NOW_US,
}
SECRETS = {"digest", "csrf", "endpoint", "session", "public_key", "raw", "params"}
NAMES = re.compile(r"(person|actor|author|captain|leader|tl|by|white|black|to_move)_id|\w+_by")
"""How a column that names a person is called, where no foreign key says so."""


def _person_columns() -> set[str]:
    return {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.columns
        if any(key.column.table.name == "people" for key in column.foreign_keys)
        or NAMES.fullmatch(column.name)
    }


def test_every_column_that_names_a_person_is_copied_or_argued_away():
    copied = {f"{one.table}.{name}" for one in OWN for name in one.columns} - {"people.id"}
    assert copied | set(ELSEWHERE) == _person_columns(), "a new table: own_data.py, and removal"
    assert not copied & set(ELSEWHERE)
    assert all(ELSEWHERE.values())


def test_no_copy_has_a_key_or_a_digest():
    for one in OWN:
        assert not SECRETS & set(one.shown), one.table
        assert set(one.columns) <= set(one.shown)


async def test_rows_are_a_persons_own_in_every_table(store: Store) -> None:
    ids = await start_games(store, 2)
    async with store.write() as conn:
        await access.note(conn, 1, ids[0], "one", NOW_US)
        await access.note(conn, 1, ids[0], "two", NOW_US)
        assert await access.xfcc_notes_of(conn, 1) == {ids[0]: "two"}
        rows = {one.table: await retention_rows.own_rows(conn, one, 1) for one in OWN}
        (me,) = rows["people"]
        assert me["id"] == 1 and len(rows["seats"]) == 1 and rows["members"] == []
        assert [row["said"] for row in rows["xfcc_notes"]] == ["two"]
        assert await retention_rows.files_of(conn, 1) == []
        own = await game_lists.list_person_games(conn, 1)
        assert [row.id for row in own.games] == sorted(ids)
        assert set(own.events) == set(own.messages) == set(own.threads) == set(ids)
        found = await retention_rows.find_removal_obstacles(conn, 1, "2026-09-01", NOW_US)
        assert (len(found.games), found.cases, found.objections_until) == (2, 0, None)
        assert not found.is_free
        await access.add_session(conn, "s", NOW_US, person_id=1, csrf="csrf", expires_us=NOW_US + 1)
        await conn.execute(insert(push_browsers).values(PUSH | {"session": access.digest("s")}))
        assert len(await retention_rows.own_rows(conn, PersonTable("push_browsers"), 1)) == 1
        await retention_rows.remove_account(conn, 1)
        assert await retention_rows.own_rows(conn, PersonTable("push_browsers"), 1) == [], (
            "gone with its session"
        )
        (me,) = await retention_rows.own_rows(conn, OWN[0], 1)
        assert me["email"] == "1@removed.invalid"
        assert await access.xfcc_notes_of(conn, 1) == {}
