"""`kskak verify` holds the kept ratings against a calculation of everything anew (§ 4.5.4.1)."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import Update, select, update

from server.__main__ import main
from server.store import rating as rating_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.sqlite_library import sqlite3
from server.store.rating import CalculationRow
from server.store.tables.base import games
from server.store.tables.people import rated_players, rating_calculations, ratings
from server.usecases.rating import computing
from server.usecases.rating.computing import GroupRatingFacts, Proof, compute, gather, prove
from tests.fakes.machinery.each import rows
from tests.fakes.ratings import kept, seven_done
from tests.fakes.told_once import told_once
from tests.fakes.world import World, world_of

START = date(2026, 1, 5)


@pytest.fixture
async def world(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A group of seven, played out and calculated."""
    async with told_once(sqlite_url, tmp_path, rated, START) as made:
        yield made


async def rated(world: World) -> None:
    await seven_done(world)
    await compute(world.core)


async def proof(world: World, *, late: bool = False) -> tuple[Proof, list[tuple[int, int]]]:
    said: list[tuple[int, int]] = []
    found = await prove(world.core.store, lambda: late, lambda n, of: said.append((n, of)))
    return found, said


async def spoil(world: World, statement: Update) -> None:
    async with world.core.store.write() as conn:
        assert (await conn.execute(statement)).rowcount


async def test_what_was_calculated_is_proved_and_nothing_is_changed(world: World) -> None:
    before = await kept(world)
    found, said = await proof(world)
    assert found == Proof(1, 0, ()) and said == [(1, 1)]
    assert await kept(world) == before


@rows(
    "statement what",
    (update(ratings).where(ratings.c.is_computed).values(value=1234), "the K-rating of"),
    (update(ratings).where(ratings.c.is_computed).values(source="?"), "the K-rating of"),
    (update(rated_players).values(rating=1234), "its players' ratings"),
    (update(rating_calculations).values(starts="{}"), "its calculation is not"),
)
async def test_a_number_that_is_another_is_found(world, statement, what):
    await spoil(world, statement)
    found, _ = await proof(world)
    assert found.findings and all(said.startswith(what) for _, said in found.findings)


async def test_games_that_say_something_else_are_found_while_there_is_time(world: World) -> None:
    async with world.core.store.read() as conn:
        row = (await conn.execute(rating_calculations.select())).one()
    facts = row.facts.replace("1-0", "0-1", 1) if "1-0" in row.facts else None
    other = facts or row.facts.replace('"K"', '"M"', 1)
    assert other != row.facts
    await spoil(world, update(rating_calculations).values(facts=other))
    found, _ = await proof(world)
    assert ("K-26-07", "the games that its ratings rest on are others") in found.findings
    late, said = await proof(world, late=True)
    assert late.unread == 1 and said == []


@pytest.mark.parametrize("pending", [True, False])
async def test_each_group_is_read_by_itself_and_one_calculated_anew_meanwhile_is_no_finding(
    world: World, monkeypatch: pytest.MonkeyPatch, *, pending: bool
) -> None:
    """One transaction over all of them let the write-ahead log grow for as long as it lasted."""
    won = games.c.result == "1-0"
    spoilt = update(games).where(won).values(result="0-1", seq=games.c.seq + pending)
    in_force, read = rating_rows.in_force_since, list[bool]()

    async def then_changed(conn: AsyncConnection, day: str) -> tuple[CalculationRow, ...]:
        found = await in_force(conn, day)
        await spoil(world, spoilt)
        if not pending:
            await spoil(world, update(rating_calculations).values(reason="anew"))
        return found

    async def gathered(conn: AsyncConnection, group_id: int) -> GroupRatingFacts:
        read.append((await conn.execute(select(games.c.id).where(won))).all() == [])
        return await gather(conn, group_id)

    monkeypatch.setattr(rating_rows, "in_force_since", then_changed)
    monkeypatch.setattr(computing, "gather", gathered)
    found, _ = await proof(world)
    assert read == [True], "not in the transaction that was open before"
    assert found.findings == ()


def test_the_command_says_it_and_ends_with_1(sqlite_url, tmp_path, capsys, monkeypatch):
    async def made() -> None:
        async with world_of(sqlite_url, str(tmp_path), start=START) as world:
            await rated(world)

    asyncio.run(made())
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_url)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rated_groups"], told["unread_groups"], told["findings"]) == (1, 0, [])
    with closing(sqlite3.connect(sqlite_url.partition(":///")[2])) as file:
        file.execute("UPDATE rated_players SET rating = 1234")
        file.commit()
    assert main(["verify"]) == 1
    out, err = capsys.readouterr()
    assert "1 groups rated" in out and "ratings of K-26-07: its players' ratings" in err
