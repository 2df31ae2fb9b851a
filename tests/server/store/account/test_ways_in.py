"""Passkeys, their challenges, the key for chess programs and the lists of ways in, on both."""

import re
from typing import Any

import pytest
from sqlalchemy import insert

from server.store.account import retention as retention_rows
from server.store.account import sign_in as access
from server.store.account.retention import ELSEWHERE, OWN, PersonTable
from server.store.engine.connection import StoreConflict
from server.store.engine.store import Store
from server.store.play import game_lists
from server.store.tables.base import metadata
from server.store.tables.people import passkey_challenges, push_browsers
from tests.fakes.play import NOW_US, start_games

NEW: dict[str, Any] = {
    "person_id": 1,
    "credential": b"c" * 64,
    "public_key": b"k",
    "sign_count": 4,
    "transports": "internal",
    "name": "Telefon",
    "created_us": NOW_US,
}


async def test_a_passkey_is_one_credential_and_its_counter_moves_once(store: Store) -> None:
    await start_games(store, 1)
    async with store.write() as conn:
        await access.add(conn, **NEW)
        await access.add(conn, **NEW | {"person_id": 2, "credential": b"d"})
        (row,) = await access.passkeys_of(conn, 1)
        assert await access.by_credential(conn, b"c" * 64) == row
        assert await access.by_credential(conn, b"x") is None
        assert await access.mark_passkey_used(conn, row, 5, NOW_US + 1)
        assert not await access.mark_passkey_used(conn, row, 6, NOW_US + 2), (
            "read before the other use"
        )
        assert not await access.rename(conn, 2, row.id, "x")
        assert await access.rename(conn, 1, row.id, "Tavle")
        assert await access.remove(conn, 2, row.id) is None
        assert await access.remove(conn, 1, row.id) == "Tavle"
        assert await access.passkeys_of(conn, 1) == ()
    with pytest.raises(StoreConflict):
        async with store.write() as conn:
            await access.add(conn, **NEW | {"credential": b"d"})


async def test_a_challenge_is_read_once_by_whom_it_was_given_to_and_not_too_late(store):
    async with store.write() as conn:
        for challenge in (b"one", b"two"):
            await access.put_challenge(conn, b"b" * 32, "signin", challenge, NOW_US + 1)
        assert await access.take_challenge(conn, b"b" * 32, "register", NOW_US) is None
        assert await access.take_challenge(conn, b"a" * 32, "signin", NOW_US) is None
        assert await access.take_challenge(conn, b"b" * 32, "signin", NOW_US) == b"two"
        assert await access.take_challenge(conn, b"b" * 32, "signin", NOW_US) is None
        await access.put_challenge(conn, b"b" * 32, "signin", b"three", NOW_US + 1)
        assert await access.take_challenge(conn, b"b" * 32, "signin", NOW_US + 1) is None
        await access.put_challenge(conn, b"b" * 32, "signin", b"four", NOW_US + 1)
        await retention_rows.forget_expired(conn, passkey_challenges.c.expires_us, NOW_US + 1, 10)
        assert await access.take_challenge(conn, b"b" * 32, "signin", NOW_US) is None


async def test_a_person_has_one_key_for_chess_programs(store: Store) -> None:
    await start_games(store, 1)
    async with store.write() as conn:
        await access.replace_key(conn, access.XFCC, 1, "old", NOW_US)
        await access.replace_key(conn, access.XFCC, 1, "new", NOW_US + 1)
        assert await conn.run_sync(access.owner, "old") is None
        found = await conn.run_sync(access.owner, "new")
        assert found is not None and (found[0].id, found[1]) == (1, None)
        await access.use(conn, 1, "2026-09-01")
        assert await access.xfcc_key_of(conn, 1) == (NOW_US + 1, "2026-09-01")
        assert await access.revoke_key(conn, access.XFCC, 1)
        assert not await access.revoke_key(conn, access.XFCC, 1)


async def test_sessions_are_ended_by_their_owner_alone_and_all_but_one(store: Store) -> None:
    await start_games(store, 1)
    async with store.write() as conn:
        for name, person in (("a", 1), ("b", 1), ("c", 1), ("d", 2)):
            new = {"person_id": person, "csrf": "csrf", "expires_us": NOW_US + 1}
            await access.add_session(conn, name, NOW_US, browser="Firefox;Linux", **new)
        own = await access.sessions_of(conn, 1, NOW_US)
        assert {row.browser for row in own} == {"Firefox;Linux"} and len(own) == 3
        assert await access.sessions_of(conn, 1, NOW_US + 1) == (), "over"
        assert not await access.end_one(conn, 2, access.digest("a"))
        assert await access.end_one(conn, 1, access.digest("a"))
        assert await access.end_others(conn, 1, access.digest("b")) == 1
        (left,) = await access.sessions_of(conn, 1, NOW_US)
        assert left.digest == access.digest("b")
        assert len(await access.sessions_of(conn, 2, NOW_US)) == 1
        await access.add_token(conn, "t", 1, "robot", NOW_US)
        await access.mark_tokens_used(conn, {access.digest("t"): "2026-09-01"})
        (token,) = await access.tokens_of(conn, 1)
        assert token.used_day == "2026-09-01"


# The list of a person's data against the tables, and its queries on both databases.


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
