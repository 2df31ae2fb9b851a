"""§ 6.2.6, § 6.8.9: a game reported over, by mail or on the web, and two reports that differ."""

import pytest

from kskak.cases.case_events import CaseKind
from kskak.regulation.editions import Result
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.usecases.cases import case_actions
from tests.fakes.cases import only_case, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World


async def row_of(world: World) -> CaseRow:
    number = await only_case(world)
    found = await world.core.store.query(case_rows.load, number)
    assert found is not None
    return found


@pytest.mark.both_engines
async def test_jeg_vandt_and_remis_by_mail_ask_both_and_stand_side_by_side(world: World) -> None:
    """One case; the leader's one line, his letter and the game's page have both."""
    anna, bo = Player(world), Player(world, BO)
    assert await anna.reply("e4") == "moved"
    assert await anna.reply("Jeg vandt, Bo opgav i telefonen.") == "reported_over"
    case = await row_of(world)
    assert case.question == "@reported" and (await world.row()).result is None
    seen = await seen_by(world, TL, case.id)
    bo_id = (await world.person(BO)).id
    assert seen.state.hearing is not None and seen.state.hearing.asked == (bo_id,)
    assert "Jeg vandt, Bo opgav i telefonen." in world.letters(BO)[-1].said
    assert "Den ene spiller har indberettet et resultat" in world.letters(TL)[-1].said
    assert await bo.reply("Nej nej.\n\nRemis blev vi enige om.") == "reported_over"
    case = await row_of(world)
    assert case.question == "@reports"
    seen = await seen_by(world, TL, case.id)
    assert seen.state.hearing is not None
    assert set(seen.state.hearing.asked) == {bo_id, (await world.person(ANNA)).id}
    for who in (ANNA, BO, TL):
        letter = world.letters(who)[-1].said
        differs = "The two reports differ" if who == BO else "De to indberetninger er forskellige"
        assert differs in letter, who
        assert "Anna Ager: Jeg vandt, Bo opgav i telefonen." in letter
        assert "Bo Berg: Nej nej." in letter and "Remis blev vi enige om." in letter
    async with browser(world) as page:
        await page.sign_in(TL)
        desk = await page.get("/desk")
        assert desk.html.count("De to indberetninger er forskellige") == 1
        shown = await page.get(f"/desk/cases/{case.number}")
        assert "Jeg vandt" in shown.html and "Remis blev vi" in shown.html
    async with browser(world) as page:
        await page.sign_in(ANNA)
        game = await page.get(f"/games/{world.game}")
        assert "De to indberetninger er forskellige" in game.html


async def test_whoever_agrees_after_all_ends_the_game_and_the_case_with_it(lite: World) -> None:
    anna, bo = Player(lite), Player(lite, BO)
    assert await anna.reply("e4") == "moved"
    assert await anna.reply("Jeg har vundet.") == "reported_over"
    assert await bo.reply("Jeg har tabt, ja.") == "asked_back"
    assert await bo.reply("ja") == "resigned"
    assert (await lite.row()).result == Result.WHITE_WINS
    assert (await row_of(lite)).state == "settled"


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("Jeg vandt.", "Jeg vandt da, han gav op.", True),
        ("Jeg vandt.", "Partiet blev remis.", True),
        ("Vi blev enige om remis.", "Jeg vandt.", True),
        ("Jeg vandt.", "Jeg har tabt.", False),
        ("Remis aftalt på Skype.", "Ja, remis.", False),
        ("Jeg vandt.", "Det skal lederen se på.", False),
        ("Han opgav.", "Jeg opgav ikke.", False),
    ],
)
async def test_what_differs_on_the_web(lite: World, first: str, second: str, differ: bool) -> None:
    """The same words in an objection and in the case; a loss and a win are one result."""
    anna, bo = await lite.person(ANNA), await lite.person(BO)
    kind = CaseKind.RESULT
    case = await case_actions.object_to(lite.core, anna, lite.game, kind, first)
    assert isinstance(case, CaseRow)
    again = await case_actions.object_to(lite.core, bo, lite.game, kind, second)
    assert isinstance(again, CaseRow) and again.id == case.id, "one case"
    assert (await row_of(lite)).question == ("@reports" if differ else "@reported")


@pytest.mark.parametrize("said", ["remis", "Jeg vandt ikke noget endnu.", "Har jeg vundet?"])
async def test_words_of_the_game_report_nothing(lite: World, said: str) -> None:
    """«remis» alone is an offer, as before; a denial or a question is none."""
    anna = Player(lite)
    assert await anna.reply("e4") == "moved"
    assert await anna.reply(said) != "reported_over"
    assert await lite.core.store.query(case_rows.list_cases, is_open=True) == ()
