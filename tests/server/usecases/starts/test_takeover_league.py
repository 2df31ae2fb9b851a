"""A division taken over in mid-season: teams, boards, a reserve, the captain (§ 6.7)."""

import pytest

from server.store import divisions as division_rows
from server.usecases.groups.group_file import read_group_file
from server.usecases.play.game_views import group_pgn
from server.usecases.rights import rights
from server.usecases.season.season_views import captain_desk
from server.usecases.starts.takeover import planned_division, roster_of
from server.usecases.starts.takeover_games import ScheduledGame, TakeoverError
from tests.fakes.league import view_of
from tests.fakes.machinery.each import rows
from tests.fakes.takeovers import counts, division_file, ledger, move, take_over
from tests.fakes.world import World

RESERVE = """
[[teams.reserves]]
board = 2
name = "Rosa Reserve"
email = "rosa@example.org"
k_rating = 1700
since = 2026-10-01
"""
NAME = "K-26-07"


def whole_file(reserve: str = RESERVE) -> bytes:
    """Nord with a reserve on board 2, and Syd; ratings are the boards'."""
    nord, syd = division_file().decode().split('[[teams]]\nclub = "Syd"')
    return f'{nord}{reserve}\n[[teams]]\nclub = "Syd"{syd}'.encode()


def planned(file: bytes) -> tuple[tuple[ScheduledGame, ...], list[str]]:
    group = read_group_file(file.decode())
    roster = roster_of(group)
    return planned_division(group, roster), roster.names


def folder(
    file: bytes, *, second_by: int = -1, **boards: list[dict[str, object]]
) -> dict[str, bytes]:
    """A ledger for each board; ``second_by``: which hand of board 2 its file names."""
    games, names = planned(file)
    files = {"group.toml": file}
    for number, one in enumerate(games, 1):
        white, black = names[one.whites[second_by]], names[one.blacks[second_by]]
        entries = boards.get(f"b{number}", [move("white", "5254", "2026-09-03")])
        files[f"{number}.json"] = ledger(entries, white=white, black=black)
    return files


async def test_a_division_is_taken_over_with_its_teams_boards_and_reserve(world: World) -> None:
    """§ 6.7.4.3, § 6.7.2.2: who plays which board since when; the captain has his desk."""
    over = [
        move("white", "5254", "2026-09-03"),
        {"kind": "resign", "by": "black", "on": "2026-09-20"},
    ]
    done = await take_over(world, folder(whole_file(), b1=over))
    assert (len(done.games), len(done.players)) == (4, 9)
    view = await view_of(world.core, NAME)
    nord = next(one for one in view.teams if one.team.club == "Nord")
    assert [(s.name, s.to_us is None) for s in nord.boards[1]] == [
        ("Spiller 1", False), ("Rosa Reserve", True),
    ]  # fmt: skip
    assert [seats[0].name for seats in nord.boards] == [f"Spiller {n}" for n in range(4)]
    (match,) = view.matches
    assert (match.finished, sum(match.points)) == (1, 1), "the finished game counts"
    running = [game for game in view.games if game.board == 2]
    rosa = await world.person("rosa@example.org")
    assert rosa.id in (running[0].white_id, running[0].black_id)
    captain = await world.person("p0@example.org")
    assert (await rights(world.core, captain)).captain == {view.group.id}
    desk = await captain_desk(world.core, captain)
    assert (desk.teams[0].reserves_left, len(desk.teams[0].running)) == (1, 3)
    pgn = await group_pgn(world.core, NAME, captain)
    assert pgn is not None and "Spiller 1 / Rosa Reserve" in pgn
    assert len(await world.outbox("takeover")) == 8, "a statement to each player of each game"
    assert not await world.outbox("start") and not await world.outbox("league_schedule")
    async with world.core.store.read() as conn:
        (row,) = await conn.run_sync(division_rows.reserves, [nord.team.id])
    assert (row.state, row.person_id, row.board) == ("in", rosa.id, 2)


async def test_a_dry_run_of_a_division_keeps_nothing(world: World) -> None:
    before = await counts(world)
    done = await take_over(world, folder(whole_file()), dry_run=True)
    assert done.group_id is None and len(done.players) == 9
    assert await counts(world) == before


@rows(
    "files said",
    (folder(whole_file(), second_by=0), "Rosa Reserve carries on for Spiller 1"),
    (folder(whole_file()) | {"2.json": b""}, "2.json: not JSON"),
    (
        {"group.toml": whole_file(RESERVE.replace("2026-10-01", "2026-08-31"))},
        "since of Rosa Reserve",
    ),
    (
        {"group.toml": whole_file(RESERVE.replace("Rosa Reserve", "Spiller 6"))},
        "Spiller 6 stands twice",
    ),
    (
        {
            "group.toml": whole_file().replace(
                b'{ name = "Spiller 3", email = "p3@example.org" }', b""
            )
        },
        "Nord has not four players (§ 6.7.2.1)",
    ),
    ids=["the first player in a running game", "no ledger", "too early", "two of a name", "three"],
)
async def test_a_division_that_cannot_be_is_refused(world, files, said):
    """§ 6.7.4.3, § 6.7.2.1: in one line, and nothing is kept."""
    before = await counts(world)
    with pytest.raises(TakeoverError, match=said.replace("(", r"\(").replace(")", r"\)")):
        await take_over(world, files)
    assert await counts(world) == before


async def test_a_finished_game_bears_the_name_of_who_played_it(world: World) -> None:
    """§ 6.7.4.3: board 2 was over before Rosa came; the first player keeps it."""
    over = [
        move("white", "5254", "2026-09-03"),
        {"kind": "resign", "by": "black", "on": "2026-09-20"},
    ]
    await take_over(world, folder(whole_file(), second_by=0, b2=over))
    game = next(one for one in (await view_of(world.core, NAME)).games if one.board == 2)
    first = await world.person("p1@example.org")
    assert first.id in (game.white_id, game.black_id) and game.result is not None
