"""GET /games?all=1 by pages: everything that one may see, once, at a price that does not grow."""

from random import Random

from sqlalchemy import update

from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.play import games as game_rows
from server.store.tables.base import games
from server.usecases.groups.group_file import read_group_file
from server.usecases.play.game_views import may_see, sight_of
from server.usecases.rights import Rights
from server.usecases.starts.start_group import start_group
from tests.fakes.machinery.each import each
from tests.fakes.many import statements
from tests.server.api.conftest import GROUP, World

ALL = "/api/v1/games?all=1"


async def more_groups(world: World, count: int, first: int = 2) -> None:
    for number in range(first, first + count):
        text = GROUP.replace("K-26-01", f"K-26-{number:02}")
        await start_group(world.core, read_group_file(text))


async def pages(world: World, who: str, path: str) -> list[list[int]]:
    """The ids of each page, as the next links lead."""
    found = []
    while path:
        answer = await world.get(who, path)
        assert answer.status == 200, await answer.text()
        body = await answer.json()
        found.append([game["id"] for game in body["games"]])
        link = answer.headers.get("Link")
        assert link == (None if body["next"] is None else f'<{body["next"]}>; rel="next"')
        path = body["next"]
    return found


async def test_the_next_links_lead_through_every_game_once(world: World) -> None:
    await more_groups(world, 6)
    found = await pages(world, "tl", f"{ALL}&limit=3")
    assert [len(page) for page in found] == [3, 3, 1]
    everything = [game for page in found for game in page]
    assert everything == sorted(set(everything))
    assert world.game in everything
    assert await pages(world, "tl", ALL) == [everything], "a page holds a hundred if not told"
    assert await pages(world, "tl", f"{ALL}&limit=7") == [everything], "no empty page behind"
    assert await pages(world, "stranger", f"{ALL}&limit=3") == [[]]


async def test_pages_are_full_whatever_lies_between_that_one_may_not_see(world: World) -> None:
    await more_groups(world, 6)
    everything = (await pages(world, "tl", ALL))[0]
    async with world.core.store.write() as conn:
        ended = [everything[0], everything[3], everything[5]]
        await conn.execute(update(games).where(games.c.id.in_(ended)).values(result="1-0"))
    assert await pages(world, "stranger", f"{ALL}&limit=2") == [ended[:2], ended[2:]]


async def test_a_page_asks_no_more_of_the_database_when_there_are_more_games(world: World) -> None:
    async def asked() -> int:
        with statements() as seen:
            assert (await world.get("kc", ALL)).status == 200
        return len(seen)

    await asked()  # the first time something is opened, too
    before = await asked()
    await more_groups(world, 5)
    assert await asked() == before > 0


def some_rights(random: Random, person: int, group_ids: list[int], game_ids: list[int]) -> Rights:
    """Any mixture of offices and seats, sensible or not."""

    def some(ids: list[int]) -> frozenset[int]:
        return frozenset(one for one in ids if random.random() < 0.3)

    flags = ("is_kc", "is_board", "is_admin", "leads_all")
    held = {flag: random.random() < 0.15 for flag in flags}
    return Rights(
        person, **held, led=some(group_ids), captain=some(group_ids), plays=some(group_ids),
        judges=some(game_ids), team_games=some(game_ids),
    )  # fmt: skip


async def test_the_page_shows_exactly_what_each_game_would(world: World) -> None:
    """One rule in two languages: any rights, any game, the same answer."""
    await more_groups(world, 8)
    async with world.core.store.read() as conn:
        everything = [row async for row in game_rows.all_rows(conn)]
    group_ids, game_ids = [g.group_id for g in everything], [g.id for g in everything]
    async with world.core.store.write() as conn:
        await conn.execute(update(games).where(games.c.id.in_(game_ids[::4])).values(result="1-0"))
        await conn.run_sync(group_rows.begin, group_ids[::5], 0, None)
        await conn.run_sync(group_rows.begin, group_ids[1:2], 0, None)
        await conn.run_sync(group_rows.end, group_ids[1:2], 1, world.people["tl"].id)
    random = Random(57)
    people = [world.people["white"].id, world.people["stranger"].id]
    async with world.core.store.read() as conn:
        everything = [row async for row in game_rows.all_rows(conn)]
        live = await group_rows.find_public_groups(conn, group_ids)
        assert live == set(group_ids[::5])
        for _ in range(200):
            held = some_rights(random, random.choice(people), group_ids, game_ids)
            shown = await result_rows.page(conn, sight_of(held), 0, 500)
            assert [g.id for g in shown] == [g.id for g in everything if may_see(held, g, live)], (
                held
            )


@each(
    "query field",
    ("all=1&limit=0", "limit"),
    ("all=1&limit=501", "limit"),
    ("all=1&limit=x", "limit"),
    ("all=1&after=-1", "after"),
    ("all=1&after=99999999999999999999", "after"),
    ("limit=5", "limit"),
    ("after=5", "after"),
)
async def test_what_is_no_page_is_refused_by_name(world: World, query: str, field: str) -> None:
    answer = await world.get("white", f"/api/v1/games?{query}")
    body = await answer.json()
    assert (answer.status, body["errors"][0]["pointer"]) == (422, field)
