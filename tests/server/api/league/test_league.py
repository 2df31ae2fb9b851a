"""The league's calls: every right against every role, and what the captain's desk answers."""

from dataclasses import dataclass

import pytest

from kskak.regulation.editions import Side
from server.api.league import LEAGUE
from server.store.play import people as person_rows
from server.store.play.people import Office
from server.usecases.play.game_requests import GameRequest, GameRequestOutcome, ask
from tests.fakes.league import address, begin_division, board_game, game_row, team_of, view_of
from tests.server.api.conftest import World
from tests.server.api.rights import filled, let_in

ROLES = ("captain", "player", "other_captain", "other_player", "tl", "deputy", "tl_elsewhere",
         "kc", "board", "admin", "stranger", "dismissed")  # fmt: skip
LEADERS = frozenset({"tl", "deputy", "kc"})
WISH = {"board": 2, "name": "Rosa", "email": "rosa@example.org", "rating": 1950}
RIGHTS: tuple[tuple[str, str, dict, frozenset[str]], ...] = (
    ("reserve", "/teams/{team}/reserves", WISH, frozenset({"captain"})),
    ("reserve_decide", "/reserves/{reserve}/decision", {"approve": False}, LEADERS),
    ("pause_end", "/reserves/{reserve}/pause/end", {}, frozenset({"captain"})),
    ("team_report", "/teams/{team}/results",
     {"game": "{game}", "result": "1-0"}, frozenset({"captain"})),
    ("team_lineup", "/teams/{team}/lineup",
     {"players": ["{p1}", "{p0}", "{p2}", "{p3}"], "reason": "Byttet om."}, LEADERS),
    ("team_captain", "/teams/{team}/captain",
     {"email": "stranger@example.org", "reason": "Syg."}, LEADERS),
    ("league_lots", "/groups/{group}/lots", {}, LEADERS),
    ("league_plan", "/league-plans", {"deadline": "2027-06-01"}, frozenset({"kc"})),
    ("league_grant", "/league-plans/{plan}/grants",
     {"club": "Midt", "division": 1, "grant": True, "reason": "Plads."}, LEADERS),
)  # fmt: skip


@dataclass
class Scene:
    """A division of two clubs, everybody with a token, and the numbers that calls name."""

    world: World
    ids: dict[str, int]

    async def ask(self, role: str, path: str, body: object) -> int:
        path = "/api/v1" + path.format(**self.ids)
        return int((await self.world.post(role, path, filled(body, self.ids))).status)


async def _admit(world: World, role: str, name: str) -> None:
    await world.admit(name)
    world.people[role], world.tokens[role] = world.people[name], world.tokens[name]


@pytest.fixture
async def scene(world: World) -> Scene:
    started = await begin_division(world.core, "DIV-1", ("Nord", "Syd"))
    await begin_division(world.core, "DIV-2", ("Ost", "Vest"), division=2)
    for role, name in (
        ("captain", "nord.et"),
        ("player", "nord.to"),
        ("other_captain", "syd.et"),
        ("other_player", "syd.to"),
        ("dismissed", "ost.et"),
    ):
        await _admit(world, role, name)
    await _admit(world, "tl_elsewhere", "tl_elsewhere")  # he leads no division
    for office in (Office.DEPUTY, Office.BOARD, Office.ADMIN):
        group = started.id if office is Office.DEPUTY else None
        await world.admit(office.value, office=office, group=group)
    async with world.core.store.write() as conn:
        dismissed = world.people["dismissed"].id
        for row in await person_rows.list_offices(conn, world.core.now_us, person_id=dismissed):
            await person_rows.end(conn, row.id, world.core.now_us)
    team = await team_of(world.core, "DIV-1", "Nord")
    ids = {"group": started.id, "team": team.id}
    ids["game"] = (await board_game(world.core, "DIV-1", 1, "Nord")).id
    view = await view_of(world.core, "DIV-1")
    for board, seats in enumerate(view.team_of(team.id).boards):
        ids[f"p{board}"] = seats[0].person_id
    return Scene(world, ids)


async def _prepare(scene: Scene, name: str) -> None:
    """What must be there before a call can be made."""
    if name == "reserve_decide":
        wish = WISH | {"board": 3, "rating": 1800}
        answer = await scene.world.post(
            "captain", f"/api/v1/teams/{scene.ids['team']}/reserves", wish
        )
        scene.ids["reserve"] = (await answer.json())["id"]
    if name == "pause_end":
        wish = WISH | {"board": 3, "rating": 1800, "stop_time": True}
        answer = await scene.world.post(
            "captain", f"/api/v1/teams/{scene.ids['team']}/reserves", wish
        )
        scene.ids["reserve"] = (await answer.json())["id"]
    if name == "league_grant":
        body = {"deadline": "2027-06-01", "new": [{"club": "Midt", "ratings": [1500] * 4}]}
        answer = await scene.world.post("kc", "/api/v1/league-plans", body)
        scene.ids["plan"] = (await answer.json())["id"]


@pytest.mark.parametrize(("name", "path", "body", "allowed"), RIGHTS, ids=[r[0] for r in RIGHTS])
async def test_who_has_a_right_in_the_league_gets_in_and_nobody_else_does(
    scene: Scene, name: str, path: str, body: dict, allowed: frozenset[str]
) -> None:
    await _prepare(scene, name)
    found = await let_in(lambda role: scene.ask(role, path, body), ROLES, allowed)
    assert 200 in found or name == "league_lots", found


def test_every_deed_of_the_league_stands_in_the_matrix() -> None:
    assert {e.name for e in LEAGUE if e.method == "POST"} == {right[0] for right in RIGHTS}


async def test_the_captains_desk_shows_his_own_teams_only(scene: Scene) -> None:
    for role in ROLES:
        answer = await scene.world.get(role, "/api/v1/captain")
        clubs = [team["club"] for team in (await answer.json())["teams"]]
        assert clubs == {"captain": ["Nord"], "other_captain": ["Syd"]}.get(role, []), role
    desk = await (await scene.world.get("captain", "/api/v1/captain")).json()
    (team,) = desk["teams"]
    assert [seat["person"]["name"] for seat in team["lineup"]][:2] == ["Nord Et", "Nord To"]
    assert (len(team["games"]), team["reserves_left"], team["points"]) == (4, 2, 0)


async def test_a_captain_sees_his_teams_running_games_and_no_other_captain_does(scene):
    """CONTRACTS, "Who sees what": the team's captain too, while his office lasts."""
    game = (await board_game(scene.world.core, "DIV-1", 2, "Nord")).id
    for role, status in (
        ("captain", 200),
        ("other_captain", 200),
        ("player", 200),
        ("dismissed", 404),
        ("stranger", 404),
    ):
        assert (await scene.world.get(role, f"/api/v1/games/{game}")).status == status, role
    answer = await scene.world.get("captain", "/api/v1/games?all=1")
    assert len((await answer.json())["games"]) == 4
    answer = await scene.world.get("dismissed", "/api/v1/games?all=1")
    assert len((await answer.json())["games"]) == 1, "his own game alone"


async def test_the_boards_are_changed_before_the_first_move_only(scene: Scene) -> None:
    """§ 6.7.2.1: games, seats and reason follow the leader's order; after a move it stands."""
    core, ids = scene.world.core, scene.ids
    path, body = (
        "/teams/{team}/lineup",
        {"players": ["{p1}", "{p0}", "{p2}", "{p3}"], "reason": "Ratingtallene."},
    )
    assert await scene.ask("tl", path, body) == 200
    line = await board_game(core, "DIV-1", 1, "Nord")
    assert ids["p1"] in (line.white_id, line.black_id)
    (team,) = [t for t in (await view_of(core, "DIV-1")).teams if t.team.id == ids["team"]]
    assert [change.reason for change in team.changes] == ["Ratingtallene."]
    assert team.changes[0].before.split("\n")[0] == "Nord Et"
    game = await game_row(core, line.id)
    from kskak.game.game_commands import Resign

    asked = GameRequest(game.id, game.person_of(Side.WHITE), "web", lambda _, by: Resign(by))
    assert isinstance(await ask(core, asked), GameRequestOutcome)
    back = {"players": ["{p0}", "{p1}", "{p2}", "{p3}"], "reason": "Tilbage."}
    assert await scene.ask("tl", path, back) == 409


async def test_a_reserve_that_the_rules_refuse_is_answered_with_the_paragraph(scene):
    """§ 6.7.4.3: too strong by one point; on the team already; another club (§ 6.7.3.2)."""
    path = f"/api/v1/teams/{scene.ids['team']}/reserves"
    for wish, *faults in (
        (WISH | {"rating": 2001}, "too_strong"),
        (WISH | {"email": address("Nord Tre"), "rating": 1800}, "on_the_team"),
        (WISH | {"club": "Syd"}, "other_club"),
        (WISH | {"email": address("Ost To"), "rating": None}, "on_another_team", "other_club"),
    ):
        answer = await scene.world.post("captain", path, wish)
        told = await answer.json(content_type=None)
        assert (answer.status, told["faults"]) == (409, faults), told
        assert told["paragraph"].startswith("6.7.")


async def test_a_reserve_unknown_to_the_register_is_let_in_by_express_leave_alone(scene):
    """§ 6.7.3.2: by API as on the desk; what he was let in in spite of stands on the captain's."""
    made = await scene.world.post("captain", f"/api/v1/teams/{scene.ids['team']}/reserves", WISH)
    path = f"/api/v1/reserves/{(await made.json())['id']}/decision"
    for body in ({"approve": True}, {"approve": True, "despite": True}):
        answer = await scene.world.post("tl", path, body)
        told = await answer.json(content_type=None)
        assert (answer.status, told["faults"]) == (409, ["not_in_register"]), told
    body = {"approve": True, "despite": True, "note": "Meldt ind i går."}
    assert (await scene.world.post("tl", path, body)).status == 200
    desk = await (await scene.world.get("captain", "/api/v1/captain")).json()
    assert [row["against"] for row in desk["teams"][0]["reserves"]] == [["not_in_register"]]
