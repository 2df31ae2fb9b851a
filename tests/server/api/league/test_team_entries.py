"""The calls of team entries: every right against every role, and what they answer (§ 6.7.4.1)."""

from dataclasses import dataclass

import pytest

from server.api.league import TEAM_ENTRIES, TeamEntries
from server.store.play.people import Office
from tests.fakes.league import address, begin_division, players_of
from tests.fakes.teams import by_address, club_id, league_list, register_clubs
from tests.server.api.conftest import World
from tests.server.api.rights import filled, let_in

ROLES = ("nord.et", "nord.to", "syd.et", "leif", "kc", "board", "admin", "tl", "stranger")
CLUB, OFFICIALS = frozenset({"nord.et"}), frozenset({"leif", "kc"})
RIGHTS: tuple[tuple[str, str, dict, frozenset[str]], ...] = (
    ("team_enter", "/team-entries", {"lineup": True, "list": 1, "club": "{club}"},
     CLUB | OFFICIALS),
    ("team_entry_lineup", "/team-entries/{entry}/lineup", {"lineup": True}, CLUB | OFFICIALS),
    ("team_entry_withdraw", "/team-entries/{entry}/withdrawal", {}, CLUB | OFFICIALS),
    ("team_entry_fee", "/team-entries/{entry}/fee", {"day": "2026-09-01"}, OFFICIALS),
    ("team_entry_leave", "/team-entries/{entry}/leave",
     {"player": "{player}", "reason": "Grænseklub."}, OFFICIALS),
    ("team_entry_refuse", "/team-entries/{entry}/refusal",
     {"paragraph": "6.7.3.2", "reason": "Nej."}, OFFICIALS),
    ("season_start", "/league-plans/{plan}/start", {}, OFFICIALS),
)  # fmt: skip


@dataclass
class Scene:
    """Nord's team entered and waiting for its fee; the numbers that calls name."""

    world: World
    ids: dict[str, int]
    lineup: dict[str, object]

    async def ask(self, role: str, path: str, body: dict) -> int:
        sent = filled(body, self.ids)
        if sent.pop("lineup", False):
            sent |= self.lineup
        answer = await self.world.post(role, "/api/v1" + path.format(**self.ids), sent)
        return answer.status


@pytest.fixture
async def scene(world: World) -> Scene:
    core = world.core
    await register_clubs(core, "Nord", "Syd")
    await begin_division(core, "DIV-1", ("Nord", "Syd"), start="2026-01-10")
    for role in ROLES:
        await world.admit(role)
    for office in (Office.KC, Office.BOARD, Office.ADMIN):
        await world.admit(office.value, office=office)
    await league_list(core, world.people["kc"], "leif@example.org", "H27")
    people = [(await by_address(core, address(name))).id for name in players_of("Nord")]
    lineup: dict[str, object] = {"players": [{"person": one} for one in people]}
    lineup |= {"captain": people[0]}
    ids = {"club": await club_id(core, "Nord"), "player": people[1]}
    made = await world.post(
        "nord.et", "/api/v1/team-entries", lineup | {"list": 1, "club": ids["club"]}
    )
    ids["entry"] = (await made.json())["id"]
    return Scene(world, ids, lineup)


async def composed(scene: Scene) -> int:
    """Nord paid, the controller composes; the plan's id."""
    await scene.ask("leif", "/team-entries/{entry}/fee", {"day": "2026-09-01"})
    body = {"deadline": "2026-09-01", "entered": True}
    answer = await scene.world.post("kc", "/api/v1/league-plans", body)
    assert answer.status == 200, await answer.text()
    return int((await answer.json())["id"])


@pytest.mark.parametrize(("name", "path", "body", "allowed"), RIGHTS, ids=[r[0] for r in RIGHTS])
async def test_who_has_a_right_to_team_entries_gets_in_and_nobody_else_does(
    scene: Scene, name: str, path: str, body: dict, allowed: frozenset[str]
) -> None:
    if name == "season_start":
        scene.ids["plan"] = await composed(scene)
    await let_in(lambda role: scene.ask(role, path, body), ROLES, allowed)


def test_every_deed_of_team_entries_stands_in_the_matrix() -> None:
    assert {e.name for e in TEAM_ENTRIES if e.method == "POST"} == {right[0] for right in RIGHTS}


async def test_a_club_reads_its_entries_and_no_other_club_does(scene: Scene) -> None:
    """§ 6.7.4.1, § 6.4.4.1: what is entered, with ratings, and what it waits for."""
    path = f"/api/v1/clubs/{scene.ids['club']}/team-entries"
    for role in ROLES:
        status = (await scene.world.get(role, path)).status
        assert status == (200 if role in CLUB | OFFICIALS else 404), role
    answer = await scene.world.get("nord.et", path)
    seen = TeamEntries.model_validate(await answer.json(), strict=False)
    (entry,) = seen.entries
    assert (seen.season, str(seen.deadline), entry.state) == (2027, "2026-12-13", "waiting")
    assert [(seat.person.name, seat.rating) for seat in entry.players][0] == ("Nord Et", 2000)
    assert [(one.code, one.paragraph) for one in entry.faults] == [("no_fee", "6.4.4.1")]


async def test_a_refused_entry_names_every_paragraph(scene: Scene) -> None:
    """§ 6.7.3.2: three players and a stranger; the problem has each reason."""
    syd = (await by_address(scene.world.core, address("Syd Et"))).id
    players = [{"person": one} for one in (syd, syd, scene.ids["player"], scene.ids["player"])]
    body = scene.lineup | {"list": 1, "club": scene.ids["club"], "players": players}
    answer = await scene.world.post("nord.et", "/api/v1/team-entries", body)
    told = await answer.json(content_type=None)
    assert answer.status == 409
    assert {one["paragraph"] for one in told["reasons"]} == {"6.7.2.1", "6.7.3.2"}


async def test_a_plan_that_cannot_start_says_what_is_in_the_way(scene: Scene) -> None:
    """§ 6.7.4.2, § 6.7.5.1: a dispensation that nobody answered, then a division of one team."""
    plan = await composed(scene)
    path = f"/api/v1/league-plans/{plan}/start"
    said = await (await scene.world.post("kc", path)).json(content_type=None)
    assert said["code"] == "grants", said
    body = {"club": "Nord", "division": 1, "grant": True, "reason": "Ja."}
    assert (await scene.world.post("kc", f"/api/v1/league-plans/{plan}/grants", body)).status == 200
    said = await (await scene.world.post("kc", path)).json(content_type=None)
    assert said["code"] == "few", said


async def test_a_team_without_an_opponent_is_told_of_before_the_start(scene: Scene) -> None:
    """§ 6.7.5.1, § 6.7.1.1: both dispensations refused; nobody else is left for the 3rd."""
    plan, answers = await composed(scene), []
    for division in (1, 2):
        body = {"club": "Nord", "division": division, "grant": False, "reason": "For svagt."}
        answer = await scene.world.post("kc", f"/api/v1/league-plans/{plan}/grants", body)
        answers.append(await answer.json())
        plan = answers[-1]["id"]
    (left,) = answers[-1]["unplaced"]
    assert (left["team"], left["club"], left["by"]) == (1, "Nord", "6.7.1.1")
    assert [one["teams"] for one in answers[-1]["divisions"]] == [[], []]
    path = f"/api/v1/league-plans/{plan}/start"
    said = await (await scene.world.post("kc", path)).json(content_type=None)
    assert said["code"] == "unplaced", said
