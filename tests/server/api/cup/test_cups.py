"""The calls of cups, titles and theme groups: every right against every role, and what they say."""

from dataclasses import dataclass

import pytest

from server.api.cup import CUPS
from server.store.play.people import Office
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.cups import LEADER, CupScene, cup_scene
from tests.fakes.federation import address
from tests.server.api.conftest import World
from tests.server.api.rights import let_in
from tests.server.usecases.cup.test_theme import KINGS_GAMBIT
from tests.server.usecases.cup.test_titles import HEAD, PLAYER, level

ROLES = ("player", "tl", "deputy", "tl_all", "tl_elsewhere", "kc", "board", "admin", "stranger")
LEADERS = frozenset({"tl", "tl_all", "kc"})
KC = frozenset({"kc"})
OLD = {"title": "cup_champion", "edition": 1988, "name": "E. Olesen", "source": "Skakbladet"}
FIRST = {"stage": "preliminary", "reason": "Mange har meldt sig."}
RIGHTS: tuple[tuple[str, str, dict, frozenset[str]], ...] = (
    ("cup_open", "/cups", {"edition": 2027, "list": "{theme}"}, KC),
    ("cup_draw", "/cups/{cup}/rounds", FIRST, LEADERS),
    ("title_enter", "/titles", OLD, KC),
    ("title_remove", "/titles/{title}/removal", {}, KC),
    ("title_playoff", "/groups/{dm}/playoff", {}, LEADERS | {"deputy"}),
    ("title_share", "/groups/{dm}/shared-title", {"reason": "Brev."}, LEADERS | {"deputy"}),
    (
        "group_swap",
        "/groups/{dm}/swap",
        {"number": 1, "who": "s05@example.org", "reason": "Syg."},
        LEADERS | {"deputy"},
    ),
    ("theme_start", "/entry-lists/{theme}/theme-group", {"fen": KINGS_GAMBIT}, LEADERS),
)


@dataclass
class Scene:
    """A cup of 7, a level DM, a theme list; everybody with a token; the numbers calls name."""

    world: World
    cups: CupScene
    ids: dict[str, int]

    def filled(self, value: object) -> object:
        match value:
            case dict():
                return {name: self.filled(item) for name, item in value.items()}
            case str() if value.startswith("{"):
                return self.ids[value[1:-1]]
        return value

    async def ask(self, role: str, path: str, body: object) -> tuple[int, dict]:
        path = "/api/v1" + path.format(**self.ids)
        answer = await self.world.post(role, path, self.filled(body))
        return answer.status, await answer.json(content_type=None)


@pytest.fixture
async def scene(world: World) -> Scene:
    cups = await cup_scene(world.core)
    names = await cups.players(7)
    await cups.enter(names)
    ids = {"cup": await cups.opened(), "theme": cups.lists["semi"].id, "title": 0}
    text = HEAD.format(group_class="DM", leader=LEADER).replace("2026-11-02", "2026-09-01")
    text += "".join(PLAYER.format(name=name, email=address(name)) for name in names[:4])
    ids["dm"] = (await start_group(world.core, read_group_file(text))).id
    await cups.play_out("DM-26", level)
    await _admit(world, ids["dm"], names[0])
    return Scene(world, cups, ids)


async def _admit(world: World, dm: int, player: str) -> None:
    for role, office, group in (
        ("deputy", Office.DEPUTY, dm),
        ("tl_all", Office.TL, None),
        ("tl_elsewhere", Office.TL, dm - 1),
        ("board", Office.BOARD, None),
        ("admin", Office.ADMIN, None),
    ):
        await world.admit(role, office=office, group=group)
    await world.admit(player.lower())
    world.people["player"] = world.people[player.lower()]
    world.tokens["player"] = world.tokens[player.lower()]


@pytest.mark.parametrize(("name", "path", "body", "allowed"), RIGHTS, ids=[r[0] for r in RIGHTS])
async def test_who_has_a_right_in_the_cup_gets_in_and_nobody_else_does(
    scene: Scene, name: str, path: str, body: dict, allowed: frozenset[str]
) -> None:
    if name == "title_remove":
        scene.ids["title"] = (await scene.ask("kc", "/titles", OLD))[1]["id"]

    async def ask(role: str | None) -> int:
        return int((await scene.ask(role, path, body))[0])

    found = await let_in(ask, ROLES, {"kc"} if name == "title_remove" else allowed)
    # A list of the semi-final is no theme list and no list of a first round: let in, then refused.
    assert 200 in found or name in ("cup_open", "group_swap", "theme_start"), found


def test_every_deed_of_the_cup_stands_in_the_matrix() -> None:
    assert {e.name for e in CUPS if e.method == "POST"} == {right[0] for right in RIGHTS}


async def test_a_drawn_round_answers_with_its_seed_and_everybody_reads_the_cup(scene):
    """§ 6.6.1.2: seed and groups; public; a wrong round is refused with its paragraph."""
    status, refused = await scene.ask("tl", "/cups/{cup}/rounds", {"stage": "final"})
    assert (status, refused["code"], refused["paragraph"]) == (409, "wrong_round", "6.6.1.1")
    status, made = await scene.ask("tl", "/cups/{cup}/rounds", FIRST)
    assert status == 200 and made["stage"] == "preliminary" and len(made["groups"]) == 1
    await scene.cups.play_out("P-26-01")
    answer = await scene.world.get(None, f"/api/v1/cups/{scene.ids['cup']}")
    seen = await answer.json()
    (first,) = seen["rounds"]
    assert (first["seed"], seen["entries"], len(first["field"])) == (made["seed"], 7, 7)
    semi, final = seen["next"]
    assert (semi["stage"], semi["places"], semi["lacking"]) == ("semi", 3, 4)
    assert (final["stage"], final["places"], final["final"]) == ("final", 3, 3)
    assert first["groups"][0]["mean"] is not None, "§ 6.6.1.2: the means are shown with the draw"
    going = [row["paragraph"] for row in first["groups"][0]["rows"]]
    assert going == ["6.6.1.3"] * 3 + [None] * 4
    listed = await (await scene.world.get(None, "/api/v1/cups")).json()
    assert [one["edition"] for one in listed["cups"]] == [2026]


async def test_a_group_says_its_round_and_a_cup_that_is_not_there_is_not_found(scene):
    _, made = await scene.ask("tl", "/cups/{cup}/rounds", FIRST)
    number = made["groups"][0]["id"]
    group = await (await scene.world.get(None, f"/api/v1/groups/{number}")).json()
    assert group["round"] == {"cup": scene.ids["cup"], "edition": 2026, "stage": "preliminary"}
    assert (await scene.world.get(None, "/api/v1/cups/999")).status == 404
    assert (await scene.ask("tl", "/groups/999/playoff", {}))[0] == 404


@pytest.mark.parametrize(
    ("fen", "code"),
    [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "theme_over"), ("kongegambit", "theme")],
)
async def test_a_theme_without_a_game_in_it_is_refused_in_words(scene, fen, code):
    """§ 1.1.22: a position that can be played from."""
    kc = scene.cups.people["kc"]
    row = await scene.cups.open_list(kc, "Tema", "theme theme", "T-26", LEADER)
    status, told = await scene.ask("kc", f"/entry-lists/{row.id}/theme-group", {"fen": fen})
    assert (status, told["reasons"]) == (409, [{"code": code, "paragraph": "1.1.22"}])
    assert "stilling" in told["detail"]


async def test_what_is_wrong_with_a_cup_or_a_title_is_named_by_its_field(scene: Scene) -> None:
    taken = {"edition": 2026, "list": scene.ids["theme"]}
    for path, body, field in (
        ("/cups", taken, "/edition"),
        ("/cups", taken | {"edition": 1850}, "/edition"),
        ("/cups", {"edition": 2027, "list": scene.ids["theme"]}, "/list"),
        ("/titles", OLD | {"edition": 2099}, "/edition"),
        ("/titles", OLD | {"name": ""}, "/name"),
    ):
        status, told = await scene.ask("kc", path, body)
        assert status == 422 and [one["pointer"] for one in told["errors"]] == [field], told
        said = told["errors"][0]["detail"]
        assert ("1900" in said) == (body.get("edition") in (1850, 2099)), said


async def test_a_round_may_be_followed_by_everybody_when_it_is_drawn_so(scene: Scene) -> None:
    wish = FIRST | {"live": True}
    assert (await scene.ask("tl", "/cups/{cup}/rounds", wish))[0] == 200
    answer = await scene.world.get(None, "/api/v1/groups")
    said = {group["name"]: group["live"] for group in (await answer.json())["groups"]}
    assert said["P-26-01"] and not said["K-26-01"]
