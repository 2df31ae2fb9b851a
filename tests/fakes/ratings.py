"""Rating stories: what stands in the register, what was calculated, groups that end at once."""

from dataclasses import dataclass
from datetime import date

from server.store import groups as group_rows
from server.store import rating_rows
from server.store import register as register_rows
from server.store import register_writes as writes
from server.store.rating_rows import CalculationRow
from server.store.register import RatingRow
from server.store.register_writes import RatingPut
from tests.fakes.seven import begin_seven, play_out
from tests.fakes.world import World


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that follows from tournaments: ratings, what lists print, who was rated."""

    ratings: tuple[RatingRow, ...]
    printed: dict[str, int | None]
    rated: tuple[tuple[object, ...], ...]


async def kept(world: World) -> Kept:
    """What the register holds of K-ratings now."""
    async with world.core.store.read() as conn:
        people = await register_rows.everybody(conn)
        ratings = await register_rows.all_ratings(conn)
        rated = await rating_rows.rated_before(conn, [one.id for one in people], "9999-99-99")
    return Kept(
        tuple(one for one in ratings if one.kind == "k"),
        {one.name: one.k_rating for one in people},
        tuple((r.group_id, r.person_id, r.day, r.games, r.before, r.rating) for r in rated),
    )


async def k_rating(world: World, name: str) -> int | None:
    """The K-rating that lists print of somebody."""
    return (await kept(world)).printed[name]


async def tell(world: World, name: str, value: int, day: date, *, kind: str = "k") -> None:
    """A number is put in the register."""
    async with world.core.store.write() as conn:
        found = {one.name: one.id for one in await register_rows.everybody(conn)}
        put = RatingPut(
            found[name], kind, day.isoformat(), value, False, "liste", world.core.now_us, None
        )
        await writes.put_ratings(conn, [put])


async def calculations(world: World, group: str) -> tuple[CalculationRow, ...]:
    """A group's calculations, the newest first."""
    async with world.core.store.read() as conn:
        found = await group_rows.by_name(conn, group)
        assert found is not None
        return await rating_rows.of_group(conn, found.id)


async def seven_done(world: World, name: str = "K-26-07", group_class: str = "K") -> None:
    """A group of seven begins and ends today; it is published with the next day's duties."""
    await play_out(world, await begin_seven(world, name, group_class))
    world.clock.wait(days=1)
    await world.pump()
