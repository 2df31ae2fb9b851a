"""A case with an event that can't be read: shown as such, and in nobody's way."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from kskak.cases import evolve_case
from kskak.cases.evolve_case import dump_case_event
from server.usecases.cases.appeals import keep_terms
from server.usecases.desks import database_care
from server.usecases.games import case_opening
from tests.fakes.desk import CARLA, DAN, Desk, begin_group, desk_of
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, KC, TL, World
from tests.scenarios.reflection.test_silence import TOLD

OBJECTION = {"kind": "days", "text": "Talt forkert."}


@pytest.fixture
async def desk(lite: World) -> AsyncIterator[Desk]:
    async with desk_of(lite) as made:
        yield made


def garbled(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Events are kept as a program kept them that can't read them again."""

    def kept(event: object) -> str:
        return dump_case_event(event).replace(old, new)  # type: ignore[arg-type]

    monkeypatch.setattr(case_opening, "proven_case_text", kept)


async def spoilt(desk: Desk, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> dict:
    """A case whose second event can't be read, and a sound one beside it."""
    other = await desk.world.begin("K-26-02")
    case = await desk.call(ANNA, "POST", "/cases", {"game": desk.world.game} | OBJECTION)
    with monkeypatch.context() as garbling:
        garbled(garbling, old, new)
        said = await desk.call(BO, "POST", f"/cases/{case['id']}/statements", {"text": "Nej."})
    assert said
    sound = await desk.call(ANNA, "POST", "/cases", {"game": other} | OBJECTION)
    return {"id": case["id"], "sound": sound["id"]}


FAULTS = (
    ('"event":"paper"', '"event":"papir"'),
    ('"on":"20', '"on":"0026-99-'),
    ('{"event":"paper"', '["event":"paper"'),
)


@pytest.mark.parametrize(("old", "new"), FAULTS)
async def test_officials_see_its_text_the_parties_a_polite_page_and_strangers_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    told = await spoilt(desk, monkeypatch, old, new)
    report = await database_care.verify(desk.world.core.store)
    (found,) = [f for f in report.findings if f.game == "case 2026/1"]
    assert found.seq is not None and "can't be read" in found.what
    seq = found.seq
    for who in (TL, KC):
        status, said = await desk.ask(who, "GET", f"/cases/{told['id']}")
        assert (status, said["number"], said["unread"]) == (200, "2026/1", [seq]), said
        assert new in said["entries"][seq - 1]["text"]
        async with browser(desk.world) as page:
            await page.sign_in(who)
            shown = await page.get("/desk/cases/2026/1")
            assert shown.status == 200 and "kskak verify" in shown.text
            assert "2026/1" in shown.text and f"Indførsel {seq} kan ikke læses" in shown.text
    for who in (ANNA, BO):
        status, said = await desk.ask(who, "GET", f"/cases/{told['id']}")
        assert (status, said["type"]) == (503, "/problems/unread-case"), said
        async with browser(desk.world) as page:
            await page.sign_in(who)
            shown = await page.get("/desk/cases/2026/1")
            ours = "Fejlen er vores" if who == ANNA else "The fault is ours"
            assert shown.status == 503 and ours in shown.text
            assert new not in shown.text
    status, _ = await desk.ask(TL, "POST", f"/cases/{told['id']}/statements", {"text": "Så?"})
    assert status == 503, "nothing more is written into it"


async def test_strangers_do_not_learn_of_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told, game = await spoilt(desk, monkeypatch, *FAULTS[0]), desk.world.game
    await begin_group(desk.world, "email", (CARLA, DAN))
    desk.world.game = game
    status, said = await desk.ask(CARLA, "GET", f"/cases/{told['id']}")
    assert (status, said["type"]) == (404, "/problems/not-found")
    async with browser(desk.world) as page:
        await page.sign_in(CARLA)
        assert (await page.get("/desk/cases/2026/1")).status == 404


async def test_lists_desks_and_duties_go_on_with_the_rest(desk, monkeypatch):
    told = await spoilt(desk, monkeypatch, *FAULTS[1])
    listed = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
    assert {one["id"] for one in listed} == {told["id"], told["sound"]}
    assert (await desk.see(TL, told["sound"]))["id"] == told["sound"]
    pages = ("/desk", "/desk/kc", "/desk/kc/economy", "/groups/K-26-01", "/desk/groups/K-26-01")
    async with browser(desk.world) as page:
        await page.sign_in(KC)
        anna = await desk.id_of(ANNA)
        for path in (*pages, f"/desk/people/{anna}/record", "/desk/cases/2026/2"):
            assert (await page.get(path)).status in (200, 404), path
    async with browser(desk.world) as page:
        await page.sign_in(ANNA)
        for path in ("/", f"/games/{desk.world.game}", "/groups/K-26-01"):
            assert (await page.get(path)).status == 200, path
    assert await keep_terms(desk.world.core) == 0
    await desk.world.pump()


@rows(
    "answer done",
    ("1... c5", "moved"),
    ("opgiver", "asked_back"),
    ("jeg tænker længe", "long_think"),
)
async def test_no_move_waits_for_a_case_of_silence_that_cannot_be_read(
    lite: World, monkeypatch: pytest.MonkeyPatch, answer: str, done: str
) -> None:
    """The answer would have closed it."""
    await Player(lite).reply("e4")
    with monkeypatch.context() as garbling:
        garbled(garbling, '"event":"paper"', '"event":"papir"')
        await lite.wait_until(TOLD)
    bo = Player(lite, BO)
    newest = next(one for one in bo.letters[::-1] if "e4" in one.said)
    assert await bo.reply(answer, newest) == done
    await lite.wait_until(TOLD + timedelta(days=2))
    report = await database_care.verify(lite.core.store)
    assert {(f.game, f.seq) for f in report.findings} == {("case 2026/1", 2)}


@pytest.mark.parametrize("day", ["1799-01-01", "0026-11-02", "9999-12-31"])
async def test_no_case_event_is_kept_that_would_read_back_otherwise(desk, monkeypatch, day):
    """And the next, good one is taken: the writer's proof is for each event of a case too."""
    case = await desk.call(ANNA, "POST", "/cases", {"game": desk.world.game} | OBJECTION)
    path, kept = f"/cases/{case['id']}", await _texts(desk.world, case["id"])
    with monkeypatch.context() as wrong:

        def other(event: object) -> str:
            text = dump_case_event(event)  # type: ignore[arg-type]
            return text.replace(f'"on":"{desk.world.clock.today}"', f'"on":"{day}"')

        wrong.setattr(evolve_case, "dump_case_event", other)
        status, _ = await desk.ask(BO, "POST", f"{path}/statements", {"text": "Nej."})
        assert status == 500
    assert await _texts(desk.world, case["id"]) == kept
    await desk.call(BO, "POST", f"{path}/statements", {"text": "Nej."})
    assert len(await _texts(desk.world, case["id"])) == len(kept) + 1
    assert (await database_care.verify(desk.world.core.store)).is_sound


async def _texts(world: World, case: int) -> list[str]:
    async with world.core.store.read() as conn:
        rows = await case_opening.case_rows.list_events(conn, case)
    return [row.body for row in rows]
