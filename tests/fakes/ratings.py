"""Rating stories: what stands in the register, what was calculated, groups that end at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from kskak.game.game_events import Event, PlayerResigned
from kskak.regulation.editions import Side
from server.store import members as member_rows
from server.store import rating as rating_rows
from server.store import register as register_rows
from server.store.members import RatingRow
from server.store.play.games import GameRow
from server.store.rating import CalculationRow, RatedRow
from server.usecases.rating import computing
from server.usecases.results.publishing import daily
from tests.fakes.seven import begin_seven, play_out
from tests.fakes.world import World

HEAD = """
tournament = "K-skak 2026"
class = "{group_class}"
group = "{name}"
regulation = "email"
start = {start}
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that follows from tournaments: ratings, what lists print, who was rated."""

    ratings: tuple[RatingRow, ...]
    printed: dict[str, int | None]
    rated: tuple[tuple[object, ...], ...]


async def kept(world: World) -> Kept:
    """What the register holds of K-ratings now."""
    async with world.core.store.read() as conn:
        people = await member_rows.everybody(conn)
        ratings = await member_rows.all_ratings(conn)
        rated = await rating_rows.rated_before(conn, [one.id for one in people], "9999-99-99")
    return Kept(
        tuple(one for one in ratings if one.kind == "k"),
        {one.name: one.k_rating for one in people},
        tuple((r.group_id, r.person_id, r.day, r.games, r.before, r.rating) for r in rated),
    )


async def k_rating(world: World, name: str) -> int | None:
    """The K-rating that lists print of somebody."""
    return (await kept(world)).printed[name]


async def id_of(world: World, name: str) -> int:
    """Somebody's number."""
    async with world.core.store.read() as conn:
        return next(one.id for one in await member_rows.everybody(conn) if one.name == name)


async def tell(world: World, name: str, value: int, day: date, *, kind: str = "k") -> None:
    """A number is put in the register."""
    put = RatingRow(await id_of(world, name), kind, day.isoformat(), value, False, "liste")
    async with world.core.store.write() as conn:
        await register_rows.put_ratings(conn, [put], world.core.now_us, None)


async def calculations(world: World, group: str) -> tuple[CalculationRow, ...]:
    """A group's calculations, the newest first."""
    number = (await world.group(group)).id
    async with world.core.store.read() as conn:
        return await rating_rows.list_group_calculations(conn, number)


async def rated(world: World, group: str) -> tuple[RatedRow, ...]:
    """Who has rated games in a group, as its calculation in force has it."""
    number = (await world.group(group)).id
    async with world.core.store.read() as conn:
        people = [one.id for one in await member_rows.everybody(conn)]
        rows = await rating_rows.rated_before(conn, people, "9999-99-99")
    return tuple(row for row in rows if row.group_id == number)


async def seven_done(world: World, name: str = "K-26-07", group_class: str = "K") -> None:
    """A group of seven begins and ends today; it is published with the next day's duties."""
    await play_out(world, await begin_seven(world, name, group_class))
    world.clock.wait(days=1)
    await world.pump()


async def begin(
    world: World, name: str, players: str, group_class: str = "K"
) -> dict[str, GameRow]:
    """A group of people with one letter for a name; its games as «AB», White first."""
    text = HEAD.format(group_class=group_class, name=name, start=world.clock.today)
    for one in players:
        text += f'[[players]]\nname = "{one}"\nemail = "{one.lower()}@example.org"\n'
    return {row.white + row.black: row for row in await world.begin_group(text)}


async def ends(world: World, row: GameRow, *events: Event) -> None:
    """What ends a game, written by the leader."""
    await world.enter_events(row, await world.person("tl@example.org"), *events)


async def white_wins(world: World, games: Iterable[GameRow]) -> None:
    """All these games end today with White's win."""
    for row in games:
        await ends(world, row, PlayerResigned(Side.BLACK, world.clock.today))


async def next_day(world: World) -> None:
    """The next day's publications and calculations, without its other duties."""
    world.clock.wait(days=1)
    await daily(world.core)
    await computing.compute(world.core)
