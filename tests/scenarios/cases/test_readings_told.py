"""What a case's readings tell is what a decision by them does: card, letter and ledger agree.

§ 6.4.1: open the case, choose a reading, confirm; nothing is typed.
"""

import re

import pytest

from kskak.cases.readings import Reading, readings
from kskak.cases.what_if import GameOutcome, read_game_outcome
from kskak.statement.account import account
from server.usecases.cases.case_views import disputed_plies
from server.usecases.play.game_views import game_view
from tests.fakes.cases import seen_by
from tests.fakes.desk import Desk
from tests.fakes.disputes import EACH, cards_of, case_of, press
from tests.fakes.machinery.browser import Page, browser
from tests.fakes.world import ANNA, KC, TL, World


async def _readings(world: World) -> tuple[Reading, ...]:
    view = await game_view(world.core, world.game)
    assert view is not None
    return readings(view.game.terms, view.events, disputed_plies(view), view.today)


@pytest.mark.parametrize("told", EACH, indirect=True, ids=[f"{n}-{i}" for n, i in EACH])
async def test_card_letter_and_ledger_tell_the_same(told: tuple[Desk, int, int]) -> None:
    desk, index, many = told
    world = desk.world
    case, path = await case_of(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        early = await tl.get(path)
        assert len(cards_of(early)) == many
        assert "bliver du spurgt om grunden" in early.text, "the parties are to be heard first"
        await desk.hear(TL, case)
        page, chosen = await tl.get(path), (await _readings(world))[index]
        figure = chosen.figure
        count = rf"{figure.used}\D+{figure.limit}\D+{figure.move}\b"
        assert len(cards_of(page)) == many and re.search(count, cards_of(page)[index])
        letter = await press(tl, page, index, "/decide", "draft")
        assert letter.status == 200, letter.text
        text = letter.form("/decide").fields["letter"]
        assert letter.form("/decide").fields["reasons"] in text
        assert re.search(rf"{figure.used}\D+{figure.move}\D+{figure.limit}\b", text)
        done = await press(tl, letter, 0, "/decide", "send")
        assert done.status == 200 and done.path == path, done.text
    row = await world.row()
    ended = account(row.terms, [one.event for one in await world.events()], world.clock.today)
    assert read_game_outcome(ended) is chosen.outcome
    total = ended.state.clock(figure.by).total
    if chosen.ply is not None or chosen.outcome is GameOutcome.RUNS:
        assert total == figure.used
    else:
        assert ended.overstep is not None and ended.overstep.used == figure.used
    await world.pump()
    assert (await seen_by(world, TL, case)).state.stage.value == "decided"


@pytest.mark.parametrize("told", [("late_mail", 0)], indirect=True, ids=["late_mail"])
async def test_6_4_1_before_the_parties_are_heard_out_it_is_asked_once_and_the_reason_noted(told):
    """Choosing, one tick, sending: the drafted reason is edited or stands."""
    desk, index, _ = told
    case, path = await case_of(desk.world)
    async with browser(desk.world) as tl:
        await tl.sign_in(TL)
        letter = await press(tl, await tl.get(path), index, "/decide", "draft")
        assert "ikke er hørt til ende" in letter.text
        form = letter.form("/decide")
        assert form.fields["unheard"] and "confirm" not in form.fields
        asked = await press(tl, letter, 0, "/decide", "send")
        assert asked.status == 422, "nothing is decided until it is ticked"
        assert (await seen_by(desk.world, TL, case)).state.stage.value == "opened"
        said = form.fields | {
            "confirm": "1",
            "unheard": "Begge har skrevet til mig.",
            "step": "send",
        }
        done = await tl.post(form.action, said)
        assert done.status == 200 and done.path == path, done.text
        assert "Begge har skrevet til mig." in done.text
    assert (await seen_by(desk.world, TL, case)).state.stage.value == "decided"


@pytest.mark.parametrize("told", [("late_mail", 0)], indirect=True, ids=["late_mail"])
async def test_only_who_may_decide_may_choose_and_the_parties_see_the_figure(told):
    """§ 6.4.1: the leader decides first; the controller reads, the parties see the count."""
    desk, _, many = told
    case, path = await case_of(desk.world)
    await desk.hear(TL, case)
    seen: dict[str, Page] = {}
    for who in (TL, KC, ANNA):
        async with browser(desk.world) as reader:
            await reader.sign_in(who)
            seen[who] = await reader.get(path)
    assert [len(cards_of(page)) for page in seen.values()] == [many, many, 0]
    assert ['name="reading"' in page.html for page in seen.values()] == [True, False, False]
    for page in seen.values():
        assert re.search(r'class="figure">41\D+40\D+10<', page.html)


@pytest.mark.parametrize("told", [("postmark", 0)], indirect=True, ids=["postmark"])
async def test_the_drafted_reasons_are_edited_and_the_letter_follows(told):
    desk, index, _ = told
    case, path = await case_of(desk.world)
    await desk.hear(TL, case)
    async with browser(desk.world) as tl:
        await tl.sign_in(TL)
        letter = await press(tl, await tl.get(path), index, "/decide", "draft")
        form = letter.form("/decide")
        assert "38" in form.fields["reasons"], "the ruling is cited"
        said = form.fields | {"reasons": "Stemplet gælder.", "step": "draft"}
        again = await tl.post(form.action, said)
        assert "Stemplet gælder." in again.form("/decide").fields["letter"]
        stale = await tl.post(form.action, said | {"step": "send"})
        assert stale.status == 422, "a letter is sent as it was read, not with other reasons"
        own = again.form("/decide").fields
        own |= {"letter": f"{own['letter']}\n\nVenlig hilsen Tove", "step": "draft"}
        kept = await tl.post(form.action, own | {"reasons": "Stemplet, ikke ordet."})
        text = kept.form("/decide").fields["letter"]
        assert "Stemplet, ikke ordet." in text and text.endswith("Venlig hilsen Tove"), "both"
        assert "Stemplet gælder." not in text
        rewritten = kept.form("/decide").fields | {"letter": "Kort og godt.", "step": "draft"}
        asked = await tl.post(form.action, rewritten | {"reasons": "En tredje grund."})
        assert asked.form("/decide").fields["letter"] == "Kort og godt.", "nothing typed is lost"
        assert "Din mail er beholdt" in asked.text and "En tredje grund." in asked.text
        done = await press(tl, kept, 0, "/decide", "send")
        assert done.path == path
    sent = (await seen_by(desk.world, ANNA, case)).papers[-1].text
    assert "Stemplet, ikke ordet." in sent and "Venlig hilsen Tove" in sent
