"""Ruling 120 as a story: expelled from a group, upheld, annulled, several games resumed."""

from datetime import date

from sqlalchemy import select

from kskak.regulation.editions import Result
from server.store.cases import publications as publication_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.tables.cases import sanctions
from server.usecases.results import publishing
from tests.fakes.desk import BOARD, CARLA, DAN, MEMBERS, Desk, desk_scene
from tests.fakes.world import ANNA, BO, KC, NAMES, TL, World

NIELS, KAJ = BO, ANNA
ORDER = {"paragraphs": ["6.4.2"], "reasons": "Groft tilsidesat."}


desk = desk_scene(KAJ, NIELS, CARLA, DAN, start=date(1988, 5, 1))
"""A group of four, double round; the expelled one has six games."""


async def _games_of(world: World, email: str) -> list[GameRow]:
    person = await world.person(email)
    row = await world.row()
    async with world.core.store.read() as conn:
        rows = await game_rows.list_group_games(conn, row.group_id)
    return [one for one in rows if person.id in (one.white_id, one.black_id)]


async def _sanctions(world: World) -> list[tuple[str, bool]]:
    async with world.core.store.read() as conn:
        rows = await conn.execute(select(sanctions).order_by(sanctions.c.id))
        return [(row.kind, row.annulled_us is not None) for row in rows]


async def test_kendelse_120_an_expulsion_is_annulled_and_the_games_resume(desk: Desk) -> None:
    """§ 6.4.2-6.4.3: complaint, expelled by the TL and loser of all his games (§ 6.2.8), upheld by
    the KC, suspended on appeal to the Board, annulled; they go on from the day that is set."""
    world = desk.world
    games = await _games_of(world, NIELS)
    finished, *running = games
    await desk.call(NIELS, "POST", f"/games/{finished.id}/resign")
    niels = await desk.id_of(NIELS)
    opened = await desk.call(KAJ, "POST", "/cases", {
        "group": finished.group_id, "person": niels, "kind": "conduct",
        "text": "Han lader sine elever spille.",
    })  # fmt: skip
    case = opened["id"]
    seen = await desk.see(TL, case)
    assert {game["id"] for game in seen["games"]} == {game.id for game in games}
    await desk.call(NIELS, "POST", f"/cases/{case}/statements", {"text": "Jeg godkender alt."})
    assert (await desk.ask(CARLA, "GET", f"/cases/{case}"))[0] == 200, "it touches her games"
    await desk.hear(TL, case)
    world.clock.go(date(1988, 9, 17))
    expelled = [{"person": niels, "kind": "expulsion"}]
    await desk.decide(TL, case, **ORDER, sanctions=expelled)
    assert await _sanctions(world) == [("expulsion", False)]
    for game in games:
        lost = Result.BLACK_WINS if game.white_id == niels else Result.WHITE_WINS
        assert (await world.row(game.id)).result == lost, "one of six finished: he loses them all"
    told = "Niels har spillet 1 af sine 6 partier".replace("Niels", NAMES[NIELS])
    for reader in (NIELS, KAJ, CARLA, DAN):
        said = "\n".join(letter.said for letter in world.letters(reader))
        assert told in " ".join(said.split()), reader
    await desk.appeal(NIELS, case)
    world.clock.go(date(1988, 10, 13))
    await desk.decide(KC, case, **ORDER)
    assert not (await desk.see(TL, case))["is_suspended"], "no suspensive effect (§ 6.4.3)"
    world.clock.go(date(1988, 10, 14))
    assert (await desk.ask(NIELS, "POST", f"/cases/{case}/appeal", {"text": "Nej."}))[0] == 409
    await desk.appeal(NIELS, case, paid=True)
    seen = await desk.see(BOARD, case)
    assert set(seen["suspended"]) == {game.id for game in running}
    assert (await world.row(running[0].id)).result is not None, "the result stands meanwhile"
    await publishing.daily(world.core)
    async with world.core.store.read() as conn:
        assert await publication_rows.list_open_publications(conn, "1988-01-01") == (), (
            "but is not published"
        )
    world.clock.go(date(1989, 1, 15))
    resumed = [
        {"game": game.id, "effect": {"kind": "resume", "on": "1989-02-01"}} for game in running
    ]
    draft = await desk.call(BOARD, "POST", f"/cases/{case}/draft", {
        "paragraphs": ["6.4.2"], "reasons": "Hjælp er sædvane.", "games": resumed,
        "annuls": ["1988/1/1", "1988/1/2"],
    })  # fmt: skip
    edited = draft["text"].replace("Hjælp er sædvane.", "Hjælp er almindelig sædvane.")
    seen = await desk.decide(
        BOARD, case, paragraphs=["6.4.2"], reasons="Hjælp er sædvane.", games=resumed,
        annuls=["1988/1/1", "1988/1/2"], grants=[niels], text=edited,
    )  # fmt: skip
    assert (seen["stage"], seen["suspended"]) == ("final", [])
    assert await _sanctions(world) == [("expulsion", True)]
    for game in running:
        state = (await world.row(game.id)).state()
        assert state.running() is not None
        assert (state.result, state.running().since) == (None, date(1989, 2, 1))
        assert state.clock(state.mover).total == 0
    assert (await world.row(finished.id)).result is not None, "what was finished stays so"
    for reader in (NIELS, KAJ, CARLA, DAN, TL, KC):
        said = "\n".join(letter.said for letter in world.letters(reader))
        assert " ".join(["Hjælp", "er", "almindelig", "sædvane."]) in " ".join(said.split()), reader
    await world.assert_whole(also=(*MEMBERS, CARLA, DAN))
