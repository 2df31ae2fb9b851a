"""Ratings from the server's own tournaments: computed when published, and again when things change.

§ 4.5.4.1, § 4.5.4.2, § 6.7.6.2.
"""

from datetime import date

from kskak.game.game_events import ResultRuled
from kskak.regulation.editions import Result
from server.store import rating as rating_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.register import remove_rating
from server.usecases.rating.computing import compute, recompute_after_changes
from server.usecases.results.publishing import object_to
from tests.fakes.desk import Desk, desk_of
from tests.fakes.ratings import (
    begin,
    calculations,
    ends,
    k_rating,
    kept,
    next_day,
    rated,
    seven_done,
    tell,
    white_wins,
)
from tests.fakes.seven import SEVEN
from tests.fakes.told_once import nothing, scene
from tests.fakes.world import KC, TL, World

START = date(2026, 1, 5)
REASONED = {"paragraphs": ["6.4.1"], "reasons": "Der er begået en fejl."}


world = scene(nothing, START)
"""A server before any group."""


async def test_a_published_group_is_rated_from_what_was_registered_at_its_start(world):
    """All have 1900 over the board: expected 3 of 6; 5½ brings a bonus of ½: 30 × 3 = 90."""
    await seven_done(world)
    now = await kept(world)
    assert now.printed["Anna Ager"] == 1990
    assert now.printed["Gry Holm"] == 1930
    anna = next(one for one in now.ratings if one.value == 1990)
    assert (anna.on_day, anna.source, anna.is_computed) == ("2026-01-06", "K-26-07", True)
    assert not anna.is_provisional
    (row,) = await calculations(world, "K-26-07")
    assert (row.number, row.reason, row.day, row.made_by) == (1, "finished", "2026-01-06", None)
    assert sum(now.printed[name] or 0 for name in SEVEN) == 7 * 1900 + 30 // 2
    assert await compute(world.core) == ()
    assert await kept(world) == now


async def test_nothing_is_rated_before_it_is_published(world: World) -> None:
    """§ 6.4.5: the group is over today and published with tomorrow's duties."""
    games = await begin(world, "K-1", "AB")
    await white_wins(world, games.values())
    assert await compute(world.core) == ()
    assert (await kept(world)).ratings == ()
    await next_day(world)
    assert len((await kept(world)).ratings) == 2


async def test_groups_that_overlap_start_from_the_register_and_add_up(world: World) -> None:
    """§ 4.5.4.1: both began at 1900; the second's gain comes on top of the first's number."""
    one = await begin(world, "K-1", "AB")
    two = await begin(world, "K-2", "AB")
    for name in "AB":
        await tell(world, name, 1900, START)
    await white_wins(world, one.values())
    await next_day(world)
    assert await k_rating(world, "A") == 1915
    await white_wins(world, two.values())
    await next_day(world)
    assert await k_rating(world, "A") == 1930
    later = await begin(world, "K-3", "AB")
    await white_wins(world, later.values())
    await next_day(world)
    assert await k_rating(world, "A") == 1930 + 12, "60 above: .58, to 0.05: .60"


async def both_move(desk: Desk, row: GameRow) -> None:
    """A and B have moved: what comes then is a game that was played (§ 4.5.4.2)."""
    for who, move in (("a", "e4"), ("b", "e5")):
        await desk.call(f"{who}@example.org", "POST", f"/games/{row.id}/moves", {"text": move})


async def rule(desk: Desk, game: int, **order: object) -> int:
    """A player objects to a published result, the leader hears and decides; the case."""
    world = desk.world
    row = await world.row(game)
    async with world.core.store.read() as conn:
        player = await person_rows.find_person(conn, row.black_id)
        said = [
            one
            for one in await publication_rows.list_group_publications(conn, row.group_id)
            if one.kind == "standing"
        ]
    assert player is not None
    case = await object_to(world.core, player, said[-1].id, "Jeg vandt.", game)
    assert isinstance(case, CaseRow), case
    await world.pump()
    await desk.hear(TL, case.id)
    await desk.decide(TL, case.id, **(REASONED | order))
    return case.id


def turned(world: World, game: int) -> dict[str, object]:
    """The result is Black's."""
    on = world.clock.today.isoformat()
    return {"game": game, "effect": {"kind": "result", "result": "0-1", "on": on}}


async def test_a_ruling_changes_the_ratings_of_its_day_and_all_that_rest_on_them(world):
    """§ 6.4.5, § 4.5.4.1: the day stays; the later group starts from other numbers."""
    first = await begin(world, "K-1", "AB")
    async with desk_of(world) as desk:
        await both_move(desk, first["AB"])
    for name in "AB":
        await tell(world, name, 1900, START)
    await white_wins(world, first.values())
    await next_day(world)
    later = await begin(world, "K-2", "AC")
    await white_wins(world, later.values())
    await next_day(world)
    before = await kept(world)
    assert before.printed["A"] == 1915 + 15, "8 above the mean: .51, which gives .52 of 1, to .50"
    async with desk_of(world) as desk:
        (game,) = [row.id for row in first.values()]
        case = await rule(desk, game, games=[turned(world, game)])
        assert (await world.row(game)).result == Result.BLACK_WINS
        assert (await kept(world)).rated == before.rated, "nothing before somebody asks"
        done = await compute(world.core, (await world.person(KC)).id)
        assert done == ("K-1", "K-2")
        now = await kept(world)
        assert [(r.on_day, r.value) for r in now.ratings if r.source == "K-1"] == [
            ("2026-01-06", 1885), ("2026-01-06", 1915),
        ]  # fmt: skip
        assert now.printed["A"] == 1885 + 15
        assert {row.rating: row.before for row in await rated(world, "K-2")} == {
            1900: 1885, 1885: 1900,
        }  # fmt: skip
        newest, oldest = await calculations(world, "K-1")
        assert (newest.reason, newest.day, oldest.day) == ("result", "2026-01-06", "2026-01-06")
        assert newest.made_by == (await world.person(KC)).id
        assert (await calculations(world, "K-2"))[0].reason == "rests"
        await desk.appeal("a@example.org", case)
        await desk.decide(KC, case, **REASONED, annuls=["2026/1/1"])
        await next_day(world)
        again = await kept(world)
        assert again.rated == before.rated
        assert again.printed["A"] == before.printed["A"]
        assert len(await calculations(world, "K-1")) == 3


async def test_a_result_taken_back_makes_the_calculation_void_until_the_end_comes_again(world):
    """§ 6.4.3: a ruling is annulled; later the game ends, and counts from its new publication."""
    (row,) = (await begin(world, "K-1", "AB")).values()
    async with desk_of(world) as desk:
        await both_move(desk, row)
        body = {"game": row.id, "kind": "days", "text": "Talt forkert."}
        case = (await desk.call("a@example.org", "POST", "/cases", body))["id"]
        await desk.hear(TL, case)
        await desk.decide(TL, case, **REASONED, games=[turned(world, row.id)])
        await next_day(world)
        assert await k_rating(world, "B") == 1915
        await desk.appeal("a@example.org", case)
        await desk.decide(KC, case, **REASONED, annuls=["2026/1/1"])
    assert (await world.row(row.id)).result is None
    assert await compute(world.core) == ("K-1",)
    now = await kept(world)
    assert (now.ratings, now.rated, now.printed["B"]) == ((), (), None)
    assert (await calculations(world, "K-1"))[0].is_void
    world.clock.wait(days=2)
    await white_wins(world, [row])
    await next_day(world)
    newest = (await calculations(world, "K-1"))[0]
    assert (newest.number, newest.reason, newest.day) == (3, "finished", "2026-01-09")
    assert {one.on_day for one in (await kept(world)).ratings} == {"2026-01-09"}


async def test_numbers_put_in_the_register_later_change_what_rests_on_them(world: World) -> None:
    """§ 4.5.4.1: a start told afterwards, a number over the calculated one, and its removal."""
    games = await begin(world, "K-1", "AB")
    await white_wins(world, games.values())
    await next_day(world)
    day = world.clock.today
    assert await k_rating(world, "A") == 1900 + 15, "from the class he entered"
    world.clock.wait(minutes=5)
    await tell(world, "A", 1700, START)
    assert await recompute_after_changes(world.core) == ("K-1",)
    assert await k_rating(world, "A") == 1700 + 24, (
        "100 below the mean: .36, which gives .22 of 1, to .20"
    )
    world.clock.wait(minutes=5)
    await tell(world, "A", 1800, day)
    await recompute_after_changes(world.core)
    stands = [one for one in (await kept(world)).ratings if one.on_day == day.isoformat()]
    assert [(one.value, one.is_computed) for one in stands if one.value == 1800] == [(1800, False)]
    assert await k_rating(world, "A") == 1800
    async with world.core.store.write() as conn:
        player = (await world.person("a@example.org")).id
        assert await remove_rating(conn, player, "k", day.isoformat())
    await recompute_after_changes(world.core)
    assert await k_rating(world, "A") == 1700 + 24
    assert await recompute_after_changes(world.core) == await compute(world.core) == ()


async def test_what_changes_no_result_changes_no_rating_and_waits_no_longer(world: World) -> None:
    """§ 6.4.1: the ledger has grown, the game has come out as before."""
    (row,) = (await begin(world, "K-1", "AB")).values()
    await white_wins(world, [row])
    await next_day(world)
    before = await kept(world)
    await ends(world, row, ResultRuled(Result.WHITE_WINS, world.clock.today, "", ""))
    async with world.core.store.read() as conn:
        assert [one.name for one in await rating_rows.list_pending_groups(conn)] == ["K-1"]
    assert await compute(world.core) == ()
    async with world.core.store.read() as conn:
        assert await rating_rows.list_pending_groups(conn) == ()
    assert await kept(world) == before
    assert len(await calculations(world, "K-1")) == 1
