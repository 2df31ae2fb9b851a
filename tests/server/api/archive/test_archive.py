"""GET /archive: the page's search, open to all, as documented; what can't be read is refused."""

import json

import pytest

from kskak.archive.past_game import past_pgn
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import Watch
from tests.fakes.history import numbered, packed_sans, past_game
from tests.server.api.frame.test_openapi import _validated

PATH = "/api/v1/archive"
CARO = ("e4", "c6", "d4", "d5")


@pytest.fixture
async def past(world, tmp_path):
    """A Caro-Kann of 1987 and sixty short games."""
    path = tmp_path / "old.pgn"
    old = past_game(day="1987-05-31", moves=packed_sans(*CARO))
    path.write_text(past_pgn(old) + "\n" + numbered(60))
    await import_past(world.core, sources([path]), Watch(), dry_run=False)
    return world


async def test_a_search_answers_as_documented_with_openings_and_the_tree(past):
    told = await (await past.get(None, "/api/v1/openapi.json")).json()
    for query in ("", "?opening=B12", "?position=1.+e4&sort=old", "?year=19"):
        await _validated(past, told, await past.get(None, PATH + query))
    answer = await (await past.get(None, f"{PATH}?opening=caro-kann&position=1.+e4")).json()
    (game,) = answer["games"]
    assert (game["eco"], game["opening"], game["ply"]) == ("B12", "Caro-Kann Defence", 1)
    assert (game["white"]["name"], game["game"], game["day"]) == ("Anna Ager", None, "1987-05-31")
    moves = [(one["move"], one["games"]) for one in answer["position"]["moves"]]
    assert moves == [("e7e5", 30), ("c7c6", 1)]
    assert answer["games_in_all"] == 61 and answer["unread"] == 0


async def test_pages_go_on_and_bad_fields_are_refused_by_name(past):
    first = await (await past.get(None, f"{PATH}?player=ager")).json()
    rest = await (await past.get(None, f"{PATH}?player=ager&after={first['after']}")).json()
    assert (len(first["games"]), len(rest["games"]), rest["after"]) == (50, 11, None)
    assert not {one["id"] for one in first["games"]} & {one["id"] for one in rest["games"]}
    for query, fields in (
        ("year=19", {"year"}), ("position=1.+e5&opening=zugzwang", {"position", "opening"}),
        ("after=x", {"after"}), ("sort=up", {"sort"}),
    ):  # fmt: skip
        answer = await past.get(None, f"{PATH}?{query}")
        assert answer.status == 422
        said = json.dumps(await answer.json())
        assert all(f'"{field}"' in said for field in fields), said
