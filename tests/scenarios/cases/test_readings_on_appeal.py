"""On appeal a case's readings tell what a decision by them does: controller and Board (§ 6.4.3)."""

import re

import pytest

from kskak.cases.what_if import read_game_outcome
from kskak.regulation.editions import Side
from kskak.statement.account import account
from tests.fakes.cases import ready_for_votes, seen_by
from tests.fakes.desk import BOARD, MEMBERS
from tests.fakes.disputes import cards_of, led, press
from tests.fakes.machinery.browser import browser
from tests.fakes.world import ANNA, BO, KC, TL

APPEALS = {
    "upheld": ("postmark", 0, 0),
    "changed": ("postmark", 0, 1),
    "lost_after_all": ("postmark", 1, 1),
    "by_mail": ("late_mail", 0, 1),
    "spoiled_on_the_way": ("spoiled", 0, 1),
    "not_sent": ("unsent", 0, 0),
}
"""A story, the reading that the leader chose, and the controller's card."""


@pytest.mark.parametrize(
    ("told", "card"),
    [((story, chosen), card) for story, chosen, card in APPEALS.values()],
    indirect=["told"],
    ids=APPEALS,
)
async def test_6_4_3_on_appeal_the_card_the_letter_and_the_ledger_tell_the_same(told, card):
    """The decision weighed as if it had not been made: upheld, or changed by a rival reading."""
    desk, chosen, many = told
    world = desk.world
    case, path = await led(desk, chosen)
    before = read_game_outcome(
        account((await world.row()).terms, [e.event for e in await world.events()])
    )
    loser = BO if chosen == 0 else ANNA
    await desk.appeal(loser, case)
    await desk.hear(KC, case)
    async with browser(world) as kc:
        await kc.sign_in(KC)
        page = await kc.get(path)
        assert len(cards_of(page)) == many
        assert ["stadfæstes" in one for one in cards_of(page)] == [True] + [False] * (many - 1)
        letter = await press(kc, page, card, "/decide", "draft")
        assert letter.status == 200, letter.text
        says = "stadfæstes" if card == 0 else "ændres"
        assert says in letter.form("/decide").fields["letter"]
        done = await press(kc, letter, 0, "/decide", "send")
        assert done.status == 200 and done.path == path, done.text
    await world.pump()
    row = await world.row()
    after = account(row.terms, [one.event for one in await world.events()], world.clock.today)
    assert (read_game_outcome(after) is before) is (card == 0)
    figure = re.search(r"(\d+) af (\d+) dage", cards_of(page)[card])
    used = after.state.clock(Side.BLACK).total if after.overstep is None else after.overstep.used
    assert figure is not None and used == int(figure[1])
    await world.assert_whole()


@pytest.mark.parametrize("told", [("postmark", 0)], indirect=True, ids=["postmark"])
async def test_1_3_9_the_board_reads_the_cards_and_chooses_those_its_votes_are_for(told):
    """Both have appealed: before the controller Bo, who gains by it; before the Board its votes."""
    desk, chosen, many = told
    case, path = await led(desk, chosen)
    bo = await desk.id_of(BO)
    for step, paid in ((KC, False), (BOARD, True)):
        await desk.appeal(BO, case, paid=paid)
        await desk.appeal(ANNA, case, paid=paid)
        await desk.hear(step, case)
        async with browser(desk.world) as reader:
            await reader.sign_in(step)
            page = await reader.get(path)
            assert len(cards_of(page)) == many
            grants = [one for one in page.forms if f"grant-{bo}" in one.fields]
            assert len(grants) == (many - 1 if step == KC else 0), "the Board has not voted"
            if step == KC:
                await desk.decide(KC, case, paragraphs=["6.3.2"], reasons="Som før.")
                continue
            await ready_for_votes(desk.world.core, await desk.world.person(BOARD), case)
            for member in MEMBERS:
                await desk.call(member, "POST", f"/cases/{case}/vote", {"upholds": [bo]})
            page = await reader.get(path)
            letter = await press(reader, page, 0, "/decide", "draft")
            assert len(cards_of(page)) == many - 1 and "ændres" in letter.text
            assert 'class="figure">31 ' in page.html, "what stands, not what is read instead"
            done = await press(reader, letter, 0, "/decide", "send")
            assert done.path == path, done.text
    await desk.world.pump()
    assert (await seen_by(desk.world, TL, case)).state.stage.value == "final"
    await desk.world.assert_whole(also=MEMBERS)
