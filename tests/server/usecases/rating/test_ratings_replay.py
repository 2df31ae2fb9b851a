"""What is kept of ratings is what follows from the games and what was told, whatever happened.

§ 4.5.4.1, § 4.5.4.2, § 4.5.5.2, § 6.7.6.2. Stories are drawn from seeds.
"""

import random
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from kskak.game.game_events import DrawMade, PlayerResigned, ResultRuled
from kskak.rating.calculation import LIMITS
from kskak.regulation.editions import Result, Side
from server.store import register as register_rows
from server.store.play.games import GameRow
from server.store.tables.base import people
from server.store.tables.people import rated_players, rating_calculations, ratings
from server.usecases.rating.computing import compute, recompute_after_changes
from tests.fakes.ratings import Kept, begin, ends, id_of, k_rating, kept, next_day, rated, tell
from tests.fakes.world import World, world_of

START = date(2026, 1, 5)
NAMES = "ABCDEF"
SEEDS = range(6)


@pytest.fixture
async def world(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A server before any group."""
    async with world_of(sqlite_url, str(tmp_path), start=START) as made:
        yield made


async def _forgotten(world: World) -> None:
    """Everything that was calculated is thrown away; what was told stays."""
    async with world.core.store.write() as conn:
        await conn.execute(delete(rated_players))
        await conn.execute(delete(rating_calculations))
        await conn.execute(delete(ratings).where(ratings.c.is_computed))
        await conn.execute(update(people).values(k_rating=None))
        ids = (await conn.execute(select(people.c.id))).scalars().all()
        await register_rows.print_ratings(conn, ids)


async def _end(world: World, rng: random.Random, row: GameRow) -> None:
    today = world.clock.today
    by = rng.choice([Side.WHITE, Side.BLACK])
    await ends(world, row, rng.choice([DrawMade(by, today), PlayerResigned(by, today)]))


async def _rule(world: World, rng: random.Random, rows: list[GameRow]) -> None:
    """A result as it was told from elsewhere stands over what was there."""
    result = rng.choice([Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW])
    await ends(world, rng.choice(rows), ResultRuled(result, world.clock.today, "", ""))


async def _story(world: World, seed: int) -> None:
    """Groups that overlap, numbers told for past days, rulings, settled now and then."""
    rng = random.Random(seed)
    over: list[GameRow] = []
    for number in range(4):
        players = "".join(rng.sample(NAMES, rng.choice([2, 3])))
        games = await begin(world, f"K-{number}", players, rng.choice(["K", "M", "cup"]))
        for row in games.values():
            await _end(world, rng, row)
        over += games.values()
        await next_day(world)
        if rng.random() < 0.7:
            name = rng.choice(players)
            day = date.fromordinal(rng.randint(START.toordinal(), world.clock.today.toordinal()))
            kind = rng.choice(["k", "otb"])
            world.clock.wait(minutes=1)
            await tell(world, name, rng.choice([1590, 1790, 1990, 2390]), day, kind=kind)
        if rng.random() < 0.5:
            await _rule(world, rng, over)
        await rng.choice([recompute_after_changes, compute])(world.core)
    await compute(world.core)


def _ruled(before: Kept) -> list[tuple[int, str, int, str]]:
    return [(r.person_id, r.on_day, r.value, r.source) for r in before.ratings]


@pytest.mark.parametrize("seed", SEEDS)
async def test_everything_anew_gives_the_same_numbers(world: World, seed: int) -> None:
    """§ 4.5.4.1: replay is state; nothing is left over from what was calculated on the way."""
    await _story(world, seed)
    before = await kept(world)
    assert before.rated
    assert await compute(world.core, everything=True) == ()
    assert await kept(world) == before


@pytest.mark.parametrize("seed", SEEDS[:2])
async def test_from_nothing_the_same_numbers_come_out(world: World, seed: int) -> None:
    """The same with every calculation thrown away, where no number was told on a day of one."""
    rng = random.Random(seed)
    for number in range(3):
        games = await begin(world, f"K-{number}", "".join(rng.sample(NAMES[:4], 3)))
        for row in games.values():
            await _end(world, rng, row)
        await next_day(world)
    before = await kept(world)
    await _forgotten(world)
    assert (await kept(world)).ratings == ()
    assert len(await compute(world.core)) == 3
    after = await kept(world)
    assert (after.rated, after.printed) == (before.rated, before.printed)
    assert _ruled(after) == _ruled(before)


async def test_what_one_wins_the_other_loses_where_the_rules_give_nothing_away(world):
    """§ 4.5.2: two of one coefficient, far from every limit, no bonus, no winner held.

    Each number is rounded for itself, halves up: at most a point comes of it.
    """
    before = 2 * 1800
    for number in range(4):
        games = await begin(world, f"K-{number}", "AB")
        if number == 0:
            for name in "AB":
                await tell(world, name, 1800, START)
        for row in games.values():
            await ends(world, row, PlayerResigned(Side.BLACK if number % 2 else Side.WHITE, START))
        await next_day(world)
        a, b = await k_rating(world, "A"), await k_rating(world, "B")
        assert a is not None and b is not None
        assert all(abs(one - limit) > 100 for one in (a, b) for limit in LIMITS)
        assert a + b - before in (0, 1)
        before = a + b


async def test_a_foreigner_without_a_number_is_calculated_with_his_performance(world):
    """§ 4.5.5.2: half against a mean of 1850 is 1850; a Dane begins by his class (§ 6.7.6.2)."""
    games = await begin(world, "M-1", "ABC", "M")
    for name, value in (("A", 1900), ("B", 1800)):
        await tell(world, name, value, START)
    async with world.core.store.write() as conn:
        of = people.c.id == await id_of(world, "C")
        await conn.execute(update(people).where(of).values(citizen=False))
    for row in games.values():
        await ends(world, row, DrawMade(Side.WHITE, START))
    await next_day(world)
    rows = {row.person_id: row for row in await rated(world, "M-1")}
    assert (rows[await id_of(world, "C")].before, rows[await id_of(world, "C")].basis) == (
        1850, "performance",
    )  # fmt: skip
    other = await begin(world, "M-2", "DE", "M")
    await ends(world, other["DE"], PlayerResigned(Side.BLACK, world.clock.today))
    await next_day(world)
    assert {(row.before, row.basis) for row in await rated(world, "M-2")} == {(2100, "class")}


async def test_an_over_the_board_rating_is_the_first_number_and_only_until_the_first_result(world):
    """§ 6.7.6.2: the last known one; afterwards his K-rating is his own."""
    await begin(world, "old", "AB")
    await tell(world, "A", 1600, date(2025, 1, 1), kind="otb")
    await tell(world, "A", 1650, date(2025, 6, 1), kind="otb")
    games = await begin(world, "K-1", "AC")
    await ends(world, games["AC"], DrawMade(Side.WHITE, START))
    await next_day(world)
    a = await id_of(world, "A")
    (row,) = [row for row in await rated(world, "K-1") if row.person_id == a]
    assert (row.before, row.basis) == (1650, "otb")
    now = await k_rating(world, "A")
    world.clock.wait(minutes=1)
    await tell(world, "A", 2000, world.clock.today, kind="otb")
    await recompute_after_changes(world.core)
    assert await k_rating(world, "A") == now
