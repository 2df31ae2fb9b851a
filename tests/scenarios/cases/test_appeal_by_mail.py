"""An appeal that comes by mail or by post: its date is the day it arrived (§ 6.4.3)."""

from datetime import timedelta

import pytest

from kskak.cases.case import CaseReason, CaseRefusal
from mail.grammar.keyword_lines import is_appeal, may_be_appeal
from server.usecases.cases import appeals as appealing
from server.usecases.cases.decision_preparing import Order
from tests.fakes.cases import claimed, decided, only_case, seen_by
from tests.fakes.machinery.each import each
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import scene
from tests.fakes.world import BO, KC, TL, World

SUBJECT = "Re: [Sag 2026/1] K-26-01"
LOST = Order(paragraphs=("6.3.3.3",), reasons="Tiden er overskredet.")


async def _upheld(world: World) -> None:
    await claimed(world)
    await decided(world, TL, await only_case(world), LOST)


world = scene(_upheld)
"""A claim against Bo that the leader has upheld; Bo may appeal."""


@pytest.fixture
async def case(world: World) -> int:
    return await only_case(world)


@each(
    "said",
    ["appellerer afgørelsen", "Jeg appellerer.", "anker afgørelsen", "Jeg anker.",
     "Jeg anker hermed afgørelsen 2026/1/1, fordi jeg var syg.",
     "Anke: jeg var syg", "I appeal", "I hereby appeal against the decision. I was ill.",
     "Appeal:"],
)  # fmt: skip
def test_6_4_3_words_that_appeal(said: str) -> None:
    assert is_appeal(f"Kære leder\n{said}\nHilsen Bjørn")


@pytest.mark.parametrize(
    "said",
    [
        "Kan jeg anke?",
        "Kan jeg appellere?",
        "Hvordan anker man",
        "Jeg overvejer at anke sagen",
        "Can I appeal?",
    ],
)
def test_6_4_3_words_that_only_speak_of_it_are_asked_about(said: str) -> None:
    assert may_be_appeal(said) and not is_appeal(said)


async def test_a_mail_that_appeals_is_an_appeal_from_the_day_it_arrived(world, case, bo):
    """§ 6.4.3: in writing, to the address that our own letter gives."""
    letter = next(one for one in bo.letters if "write “I appeal” on a line" in one.said)
    assert "2026/1" in letter.subject
    arrived = world.clock.today
    assert await bo.write_to_server("I appeal\n\nI was ill.", SUBJECT) == "appealed"
    state = (await seen_by(world, KC, case)).state
    (lodged,) = state.appeals
    assert (lodged.on, lodged.against, state.stage.value) == (arrived, "2026/1/1", "appealed")
    assert "counts from" in bo.letters[-1].said
    assert any("appelleret afgørelsen" in one.said for one in world.letters(KC))
    assert await bo.write_to_server("And one thing more.", SUBJECT) == "case"
    await world.assert_whole()


@pytest.mark.parametrize("subject", ["Re: afgørelse", "K-26-01"])
async def test_without_a_number_the_thread_or_the_only_case_tells_which(world, case, bo, subject):
    assert await bo.write_to_server("Jeg anker afgørelsen", subject) == "appealed"
    assert (await seen_by(world, KC, case)).state.appeals


async def test_an_answer_to_the_letter_of_the_game_appeals_too(world, case, bo):
    assert await bo.reply("anker afgørelsen") == "appealed"
    assert (await seen_by(world, KC, case)).state.appeals


async def test_in_doubt_it_is_asked_and_the_first_day_counts(world, case, bo):
    """The last day of the term; the answer comes when the decision is already final."""
    world.clock.wait(days=21)
    await world.pump()
    arrived = world.clock.today
    assert await bo.write_to_server("Can I appeal this? I was ill.", SUBJECT) == "appeal_asked"
    assert "Do you appeal" in bo.letters[-1].said
    view = await seen_by(world, TL, case)
    assert view.statements[-1].text.startswith("Can I appeal"), "it is in the file all the same"
    world.clock.wait(days=3)
    await appealing.keep_terms(world.core)
    assert (await seen_by(world, TL, case)).state.stage.value == "final"
    asked = bo.letters[-1]
    assert await bo.write_to_server("Yes", SUBJECT) == "appeal_asked", "answers no letter"
    assert await bo.reply("Yes", asked, In_Reply_To=None, References=None) == "appealed"
    state = (await seen_by(world, KC, case)).state
    assert [one.on for one in state.appeals] == [arrived]
    assert state.stage.value == "appealed"
    await world.assert_whole()


async def test_too_late_is_answered_and_filed(world: World, case: int, bo: Player) -> None:
    world.clock.wait(days=23)
    await world.pump()
    assert await bo.write_to_server("I appeal", SUBJECT) == "appeal_refused"
    assert "has not been accepted" in bo.letters[-1].said and "6.4.3" in bo.letters[-1].said
    assert not (await seen_by(world, TL, case)).state.appeals


async def test_an_official_enters_one_that_came_by_post(world: World, case: int) -> None:
    """§ 6.4.3: the day it came, not the day it is entered; nobody's but a party's."""
    bo, leader = await world.person(BO), await world.person(TL)
    came = world.clock.today + timedelta(days=20)
    world.clock.wait(days=40)
    await appealing.keep_terms(world.core)
    assert (await seen_by(world, TL, case)).can.lodge
    late = came + timedelta(days=2)
    for who, on, why in ((bo.id, late, CaseReason.LATE), (leader.id, came, CaseReason.NOT_A_PARTY)):
        no = await appealing.appeal(world.core, leader, case, "x", on=on, by=who)
        assert isinstance(no, CaseRefusal) and no.reason is why
    other = await appealing.appeal(world.core, bo, case, "x", on=came, by=bo.id)
    assert isinstance(other, CaseRefusal) and other.reason is CaseReason.NOT_YOUR_OFFICE
    done = await appealing.appeal(world.core, leader, case, "Syg.", on=came, by=bo.id)
    assert not isinstance(done, CaseRefusal)
    (lodged,) = (await seen_by(world, KC, case)).state.appeals
    assert (lodged.on, lodged.by) == (came, bo.id)
    await world.pump()
    await world.assert_whole()
