"""By the API: decisions that contradict themselves or the game, and the what-if on appeal."""

from datetime import date, timedelta

import pytest

from kskak.cases.what_if import read_game_outcome
from kskak.game.game_events import DaysCharged
from kskak.statement.account import account
from mail.text.catalogue import Words
from tests.fakes.cases import late, only_case
from tests.fakes.desk import Desk, desk_scene
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, KC, TL, World

WHY = {"paragraphs": ["6.8.5"], "reasons": "Mailen kom frem senere."}


desk = desk_scene(ANNA, BO, start=date(2026, 9, 1))


async def _appealed(desk: Desk) -> int:
    """Bo's time is up, Anna claims, the leader rules: appealed to the controller."""
    world = desk.world
    await Player(world, ANNA).reply("e4")
    await late(world)
    await desk.call(ANNA, "POST", f"/games/{world.game}/claim")
    case = await only_case(world)
    await desk.hear(TL, case)
    won = {"kind": "result", "result": "1-0", "on": world.clock.today.isoformat()}
    await desk.decide(TL, case, **WHY, games=[{"game": world.game, "effect": won}])
    await desk.appeal(BO, case)
    return case


async def test_what_contradicts_itself_or_the_game_is_refused_by_its_name(desk: Desk) -> None:
    """§ 6.4.1: each with its type and words; nothing is decided."""
    world, case = desk.world, await _appealed(desk)
    today = world.clock.today
    resume = {"kind": "resume", "on": today.isoformat()}
    lost = {"kind": "result", "result": "0-1", "on": today.isoformat()}
    drawn = {"kind": "result", "result": "1/2-1/2", "on": today.isoformat()}
    old, far = {"kind": "resume", "on": "1999-01-01"}, {"kind": "resume", "on": "2099-01-01"}
    out = {"annuls": ["2026/1/1"]}
    for effects, more, kind in (
        ([lost, resume], out, "case-result-and-resume"),
        ([lost, drawn], out, "case-two-answers"),
        ([resume], {}, "case-still-over"),
        ([old], out, "case-game-dates"),
        ([far], out, "case-game-dates"),
    ):
        games = [{"game": world.game, "effect": effect} for effect in effects]
        for path in (f"/cases/{case}/decisions", f"/cases/{case}/draft"):
            status, said = await desk.ask(KC, "POST", path, WHY | more | {"games": games})
            assert (said["type"], status // 100) == (f"/problems/{kind}", 4), said
            assert "(§ 6.4.1)." in said["detail"]
    assert (said["day"], said["until"]) == ("2099-01-01", str(today + timedelta(183)))
    assert (await desk.see(KC, case))["stage"] == "appealed"
    games = [{"game": world.game, "effect": resume}]
    status, said = await desk.ask(BO, "POST", f"/cases/{case}/decisions", WHY | {"games": games})
    assert status == 403, "who may not decide is told no more"


async def test_on_appeal_facts_are_tried_without_what_is_appealed_against(desk: Desk) -> None:
    """§ 6.4.3: to whom it is appealed; the leader's own what-if is as it was."""
    world, case = desk.world, await _appealed(desk)
    tried = await desk.call(KC, "POST", f"/games/{world.game}/what-if", {
        "supposed": [{"kind": "totals_counted", "white": 0, "black": 5}],
        "on": (await world.row()).terms.start.isoformat(),
    })  # fmt: skip
    assert tried["outcome"] == ["white_wins", "runs"]
    assert (tried["annuls"], tried["is_exact"]) == (["2026/1/1"], True)
    assert [effect["kind"] for effect in tried["effects"]] == ["set_time"]
    facts = {"supposed": [{"kind": "totals_counted", "white": 0, "black": 5}]}
    kept = await desk.call(TL, "POST", f"/games/{world.game}/what-if", facts)
    assert (kept["outcome"], kept["annuls"]) == (["white_wins", "white_wins"], [])
    games = [{"game": world.game, "effect": effect} for effect in tried["effects"]]
    order = WHY | {"games": games, "annuls": tried["annuls"]}
    draft = await desk.call(KC, "POST", f"/cases/{case}/draft", order)
    await desk.decide(KC, case, **order)
    await _letter_is_true(world, draft["text"])


async def _letter_is_true(world: World, text: str) -> None:
    """The outcome that the letter names is the game's, and everybody got that letter."""
    row = await world.row()
    events = [item.event for item in await world.events()]
    outcome = read_game_outcome(account(row.terms, events, world.clock.today))
    words = Words.load("da")
    names = {"white": row.white, "black": row.black}
    key = f"rulings.result.{outcome}"
    said = words(key if key in words else f"rulings.after.{outcome}", loses="§ 6.8.7", **names)
    assert said in text
    for reader in (ANNA, BO, TL, KC):
        assert any(said in letter.said for letter in world.letters(reader)), reader


@pytest.mark.parametrize(("is_fresh", "kept"), [(False, [11]), (True, [])])
async def test_a_resumption_ordered_by_the_api_keeps_the_days_used_as_the_pages_does(
    desk: Desk, is_fresh: bool, kept: list[int]
) -> None:
    """§ 6.4.1, § 6.3.1: eleven days on the move count on, unless the order says afresh."""
    world = desk.world
    await Player(world, ANNA).reply("e4")
    world.clock.wait(days=12)
    asked = {"game": world.game, "kind": "other", "text": "Hvad nu?"}
    case = (await desk.call(BO, "POST", "/cases", asked))["id"]
    await desk.hear(TL, case)
    today = world.clock.today.isoformat()
    won = {"game": world.game, "effect": {"kind": "result", "result": "1-0", "on": today}}
    await desk.decide(TL, case, **WHY, games=[won])
    await desk.appeal(BO, case)
    world.clock.wait(days=20)
    resume = {"kind": "resume", "on": world.clock.today.isoformat()}
    order = WHY | {"annuls": ["2026/1/1"], "games": [{"game": world.game, "effect": resume}]}
    order |= {"grants": [await desk.id_of(BO)], "fresh": [world.game] if is_fresh else []}
    draft = (await desk.call(KC, "POST", f"/cases/{case}/draft", order))["text"]
    assert ("11 dage" in draft) is bool(kept), draft
    await desk.decide(KC, case, **order)
    ruled = [one.event.effect for one in await world.events() if hasattr(one.event, "effect")]
    assert [one.days for one in ruled if isinstance(one, DaysCharged)] == kept
