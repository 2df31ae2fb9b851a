"""Stories that mix things: a letter says what became of the case, not of a part (§ 6.4)."""

from datetime import timedelta

import pytest

from kskak.cases.case import CaseRefusal, WithdrawCase
from kskak.game.game_commands import ClaimOverstep
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.usecases.cases import case_actions
from server.usecases.play.game_requests import GameRequest, ask
from tests.fakes.desk import CARLA, DAN, Desk, desk_scene
from tests.fakes.disputes import cards_of, press
from tests.fakes.machinery.browser import browser
from tests.fakes.world import ANNA, BO, KC, TL
from tests.scenarios.cases.test_death import _die
from tests.scenarios.cases.test_neighbours import REASONED, between, leaves, mine

desk = desk_scene(ANNA, BO, CARLA, DAN)
"""A group of four, double round: each has six games."""
LEFT = "resten af sagen 2026/"
WHY = "Spilleren er ikke længere ude af gruppen, og partiet går videre."


async def case_with(desk: Desk, game: int, *, claimed: bool = True) -> CaseRow:
    """The case about a game in which an overstep is claimed; the newest of any kind."""
    found = await desk.world.core.store.query(case_rows.list_game_cases, game)
    return next(one for one in found[::-1] if not claimed or game in one.claims)


async def claimed(desk: Desk) -> tuple[int, str, str]:
    """All fall silent for 45 days, and one claims: the game, the late player, the other."""
    world, game = desk.world, (await between(desk, ANNA, BO))[0]
    await world.wait_until(world.clock.today + timedelta(days=45))
    row = await world.row(game)
    late = row.person_of(row.state().mover)
    other = row.black_id if late == row.white_id else row.white_id
    asked = GameRequest(game, other, "web", lambda _, by: ClaimOverstep(by))
    assert not getattr(await ask(world.core, asked), "refusal", None)
    await world.pump()
    names = {await desk.id_of(who): who for who in (ANNA, BO)}
    return game, names[late], names[other]


async def test_a_claim_withdrawn_is_not_the_whole_case(desk: Desk) -> None:
    """The silence goes on, and nobody is told that the case is withdrawn."""
    world = desk.world
    game, _, other = await claimed(desk)
    case, before = await case_with(desk, game), len(world.letters(CARLA))
    person = await world.person(other)
    done = await case_actions.act(world.core, person, case.id, WithdrawCase())
    assert not isinstance(done, CaseRefusal) and done.state.stage.value == "opened"
    await world.pump()
    (told,) = world.letters(CARLA, before)
    assert "trukket sit krav om tidsoverskridelse tilbage" in told.said and LEFT in told.said
    assert "Sagen er trukket tilbage" not in told.said


@pytest.mark.parametrize(("covers", "ends"), [(True, True), (False, False)])
async def test_special_leave_after_a_claim_ends_what_it_answers(
    desk: Desk, covers: bool, ends: bool
) -> None:
    """§ 6.3.6.4: the claim falls; the silence too where the leave lasts till today."""
    world = desk.world
    game, late, other = await claimed(desk)
    case, today = await case_with(desk, game), world.clock.today
    last = today if covers else today - timedelta(days=2)
    body = {"player": await desk.id_of(late), "tournament": "Pokal", "reason": "Indlagt."}
    body |= {"from": (today - timedelta(days=25)).isoformat(), "to": last.isoformat()}
    before = {who: len(world.letters(who)) for who in (late, other)}
    await desk.call(TL, "POST", "/leave/special", body)
    now = await desk.see(TL, case.id)
    assert (now["stage"] == "settled") is ends
    for who in (late, other):
        told = " ".join(one.said for one in world.letters(who, before[who]))
        assert (LEFT in told) is not ends and ("sagen er sluttet" in told) is ends, told
    assert (await world.row(game)).result is None
    if not ends:
        number, name = now["number"], (await world.person(late)).name
        line = (await _page(desk, "/desk")).split(f"/desk/cases/{number}", 1)[1].split("</li>")[0]
        assert f"{name} svarer ikke" in line and "overskredet" not in line
        shown = await _page(desk, f"/desk/cases/{number}")
        assert "Ikke længere en del af sagen: tiden overskredet" in shown


async def _page(desk: Desk, path: str) -> str:
    async with browser(desk.world) as page:
        await page.sign_in(TL)
        return (await page.get(path)).html


async def test_the_dead_have_their_term_and_the_case_becomes_final(desk: Desk) -> None:
    """§ 6.4.3, § 6.2.8: Bo appeals and dies; the controller decides, and it stands 21 days on."""
    world, game = desk.world, (await between(desk, ANNA, BO))[0]
    asked = {"game": game, "kind": "days", "text": "Dagene er talt forkert."}
    case = (await desk.call(ANNA, "POST", "/cases", asked))["id"]
    await desk.hear(TL, case)
    effect = {"kind": "result", "result": "1-0", "on": world.clock.today.isoformat()}
    await desk.decide(TL, case, **REASONED, games=[{"game": game, "effect": effect}])
    await desk.appeal(BO, case)
    await _die(desk, BO, died=world.clock.today.isoformat(), sure="1")
    before = len(world.letters(BO))
    world.clock.wait(days=15)
    await desk.decide(KC, case, paragraphs=["6.4.1"], reasons="Stadfæstes.")
    world.clock.wait(days=21)
    await world.pump()
    assert (await desk.see(TL, case))["stage"] == "decided", "the last day is in time"
    world.clock.wait(days=1)
    await world.pump()
    assert (await desk.see(TL, case))["stage"] == "final"
    assert not world.letters(BO, before)


async def test_two_reports_are_answered_by_a_departure_and_no_game_goes_on(desk: Desk) -> None:
    """§ 6.2.8: he who reported a draw leaves; the case closes with a pointer, and says no more."""
    world, game = desk.world, (await between(desk, ANNA, BO))[0]
    asked = {"game": game, "kind": "result", "text": "Jeg vandt."}
    case = (await desk.call(ANNA, "POST", "/cases", asked))["id"]
    said = {"text": "Remis blev vi enige om."}
    before = len(world.letters(ANNA))
    await desk.call(BO, "POST", f"/cases/{case}/statements", said)
    (letter,) = world.letters(ANNA, before)
    assert "Jeg vandt." in letter.said and said["text"] in letter.said, "both in one letter"
    before = len(world.letters(ANNA))
    await leaves(desk, BO)
    assert (await desk.see(TL, case))["stage"] == "settled"
    told = [one.said for one in world.letters(ANNA, before) if "2026/1" in one.subject]
    assert len(told) == 1 and "besvaret af afgørelsen 2026/2/1" in told[0]
    assert "går det videre" not in told[0]


async def test_a_departure_annulled_says_why_its_adjudications_are_closed(desk: Desk) -> None:
    """§ 6.2.8, § 6.4.3: four of six finished; the two judged go on, and both are told why."""
    world = desk.world
    for game in (await mine(desk, BO))[:4]:
        await desk.call(BO, "POST", f"/games/{game}/resign")
    case = await leaves(desk, BO)
    await desk.appeal(BO, case)
    before = len(world.letters(BO))
    order = {"annuls": ["2026/1/1"], "grants": [await desk.id_of(BO)]}
    await desk.decide(KC, case, paragraphs=["6.2.8"], reasons="Han fortsætter.", **order)
    told = [one.said for one in world.letters(BO, before) if "2026/1]" not in one.subject]
    assert len(told) == 2 and all("går det videre fra i dag" in one for one in told)
    assert all(WHY in one for one in told), told
    rows = [await world.row(game) for game in await mine(desk, BO)]
    assert [row.result is None for row in rows].count(True) == 2
    assert not any(row.state().rests for row in rows)


async def test_two_leave_and_the_first_is_upheld_by_two_presses_on_a_page(desk: Desk) -> None:
    """§ 6.2.8, § 6.4.3: Bo and Carla leave, 0-0 between them; Bo's departure is annulled."""
    world = desk.world
    first = await leaves(desk, BO)
    await leaves(desk, CARLA)
    theirs, his = await between(desk, BO, CARLA), await mine(desk, BO)
    assert [(await world.row(game)).result for game in theirs] == ["0-0", "0-0"]
    await desk.appeal(BO, first)
    number, before = (await desk.see(TL, first))["number"], len(world.letters(ANNA))
    async with browser(world) as page:
        await page.sign_in(KC)
        shown = await page.get(f"/desk/cases/{number}")
        upheld, annulled = cards_of(shown)
        assert f"Afgørelsen {number}/1 stadfæstes" in upheld and "står ved magt" in upheld
        assert f"Afgørelsen {number}/1 ophæves" in annulled and "4 partier går videre" in annulled
        letter = await press(page, shown, 1, "/decide", "draft")
        sent = await page.submit(letter, "/decide", step="send", confirm="1")
        assert "Sagen er afgjort" in sent.text
    await world.pump()
    bo = await desk.id_of(BO)
    for game in his:
        row = await world.row(game)
        won = "1-0" if row.white_id == bo else "0-1"
        assert row.result == (won if game in theirs else None), "Carla has left, he has not"
    told = [one.subject for one in world.letters(ANNA, before) if f"Sag {number}" in one.subject]
    assert len(told) == 1, "one letter about the decision and all its games"
    assert await world.outbox("game_over") == ()
    await world.assert_whole(also=(CARLA, DAN))
