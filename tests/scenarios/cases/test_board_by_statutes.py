"""The Board by its statutes, seen from pages, API and letters (§ 1.3.9, § 6.4.3)."""

from datetime import date, timedelta

import aiohttp
import pytest

from kskak.office.books import AdultFee
from server.store.play.people import Office
from server.usecases.cases.appeals import keep_terms, tell_fees
from server.usecases.rights import UnionValues, keep_union_values
from tests.fakes.cases import claimed, claimed_case, officer, only_case, union_fee
from tests.fakes.desk import BOARD, MEMBERS, Desk, desk_of
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import scene
from tests.fakes.world import ANNA, BO, KC, TL, World

SUBSTITUTES = ("sub1@example.org", "sub2@example.org", "sub3@example.org")
ORDER = {"paragraphs": ["6.3.3.3"], "reasons": "Tiden er overskredet."}
ADMIN = "drift@example.org"


def said_to(world: World, who: str) -> str:
    """All that was written to somebody, in one line of words."""
    return " ".join(" ".join(one.said.split()) for one in world.letters(who))


world = scene(claimed)
"""Bo has overstepped, and Anna has claimed it."""


async def _twice_decided(world: World) -> None:
    await claimed(world)
    case = await only_case(world)
    async with desk_of(world) as made:
        await made.hear(TL, case)
        await made.decide(TL, case, **ORDER)
        await made.appeal(BO, case)
        await made.hear(KC, case)
        await made.decide(KC, case, **ORDER)


decided_world = scene(_twice_decided)


@pytest.fixture
async def desk(decided_world):
    """A claim decided by leader and controller, still to be appealed to the Board by Bo."""
    async with aiohttp.ClientSession() as http:
        made = Desk(decided_world, http)
        made.case = await only_case(decided_world)  # type: ignore[attr-defined]
        yield made


async def test_6_4_3_respondent_and_first_instance_are_told_of_an_appeal_with_a_term(desk):
    """§ 6.4.3: both are asked, the Board's three are told; the term is over by itself."""
    world, case = desk.world, desk.case  # type: ignore[attr-defined]
    await desk.appeal(BO, case, paid=True)
    until = world.clock.today + timedelta(days=14)
    seen = await desk.see(BOARD, case)
    asked = {await desk.id_of(who) for who in (ANNA, TL, KC)}
    assert (seen["hearing"]["until"], set(seen["hearing"]["asked"])) == (until.isoformat(), asked)
    for who in (ANNA, TL, KC):
        assert "svare på appellen til og med den" in said_to(world, who), who
    for who in (BOARD, *MEMBERS[1:]):
        letters = said_to(world, who)
        assert "har appelleret afgørelsen" in letters and "svare på appellen" not in letters, who
    vote = f"/cases/{case}/vote"
    assert (await desk.ask(BOARD, "POST", vote, {}))[0] == 409, "they may still answer"
    for who in (ANNA, TL, KC):
        await desk.call(who, "POST", f"/cases/{case}/statements", {"text": f"{who} svarer."})
    assert (await desk.ask(BOARD, "POST", vote, {}))[0] == 200, "all have answered"


async def test_1_3_9_a_substitute_sits_for_who_is_prevented_and_the_letter_says_why(desk):
    """§ 1.3.9: the issue's own story: substitutes vote first and are refused; members are not."""
    world, case = desk.world, desk.case  # type: ignore[attr-defined]
    for one in SUBSTITUTES:
        await officer(world, one, Office.SUBSTITUTE)
    await desk.appeal(BO, case, paid=True)
    for one in SUBSTITUTES:
        assert (await desk.ask(one, "GET", f"/cases/{case}"))[0] == 404, "nobody's seat is empty"
        assert (await desk.ask(one, "POST", f"/cases/{case}/vote", {}))[0] == 404
    second = await desk.id_of(MEMBERS[1])
    excuse = {"member": second, "reason": "Bortrejst til 1. marts."}
    assert (await desk.ask(TL, "POST", f"/cases/{case}/excuse", excuse))[0] == 403
    await desk.call(BOARD, "POST", f"/cases/{case}/excuse", excuse)
    assert (await desk.ask(MEMBERS[1], "GET", f"/cases/{case}"))[0] == 404
    seen = await desk.see(SUBSTITUTES[0], case)
    assert seen["panel"][-1] == {
        "member": await desk.id_of(SUBSTITUTES[0]), "instead_of": second,
        "reason": "Bortrejst til 1. marts.",
    }  # fmt: skip
    assert (await desk.ask(SUBSTITUTES[1], "GET", f"/cases/{case}"))[0] == 404
    await desk.hear(BOARD, case)
    deposit = {"action": "received", "person": await desk.id_of(BO), "amount": 30000,
               "on": world.clock.today.isoformat()}  # fmt: skip
    for one in (BOARD, MEMBERS[2], SUBSTITUTES[0]):
        await desk.call(one, "POST", f"/cases/{case}/vote", {})
    status, answer = await desk.ask(BOARD, "POST", f"/cases/{case}/decisions", ORDER)
    assert status == 409 and "depositum" in answer["detail"].lower(), answer
    await desk.call(KC, "POST", f"/cases/{case}/deposit", deposit)
    await desk.call(BOARD, "POST", f"/cases/{case}/decisions", ORDER)
    for who in (ANNA, TL, KC, MEMBERS[2]):
        letter = said_to(world, who)
        assert "har deltaget som suppleant i stedet for" in letter, who
        assert "(lovens § 9): Bortrejst til 1. marts. " in letter
        assert "Depositummet på 300,00 kr. fra Bo Berg tilfalder unionen" in letter


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ({"grants": "bo"}, "Depositummet på 300,00 kr. fra Bo Berg betales tilbage"),
        ({"appeal": "dismissed"}, "Depositummet på 300,00 kr. fra Bo Berg tilfalder unionen"),
        ({"appeal": "incompetent"}, "Depositummet på 300,00 kr. fra Bo Berg betales tilbage"),
    ],
)
async def test_6_4_3_every_letter_of_the_board_says_what_becomes_of_the_deposit(desk, order, told):
    """§ 6.4.3, Kendelse 116: upheld, dismissed, none of the Board's; also in an edited letter."""
    world, case = desk.world, desk.case  # type: ignore[attr-defined]
    await desk.appeal(BO, case, paid=True)
    order = {"text": "Skaknævnet har afgjort sagen."} | order
    if "grants" in order:
        order["grants"] = [await desk.id_of(BO)]
    await desk.decide(BOARD, case, **ORDER, **order)
    assert told in said_to(world, ANNA) and told in said_to(world, TL)


async def test_6_4_3_nothing_is_paid_back_that_never_came(desk: Desk) -> None:
    """§ 6.4.3: dismissed unpaid, and taken back unpaid: «der er intet at betale tilbage»."""
    world, case = desk.world, desk.case  # type: ignore[attr-defined]
    await desk.appeal(BO, case, paid=True)
    await desk.hear(BOARD, case)
    for one in MEMBERS:
        await desk.call(one, "POST", f"/cases/{case}/vote", {})
    await desk.call(BOARD, "POST", f"/cases/{case}/decisions", ORDER | {"appeal": "dismissed"})
    letter = said_to(world, ANNA)
    assert "ikke modtaget noget depositum fra Bo Berg" in letter
    assert "betales tilbage (§" not in letter.partition("Depositum")[2]


async def test_6_4_3_an_unknown_fee_is_waited_for_and_told(world: World, anna: Player) -> None:
    """§ 6.4.3: the controller's figure; the letter names the day's sum and until when."""
    case = await only_case(world)
    async with desk_of(world) as desk:
        later = AdultFee(date(2099, 7, 1), 999)  # nothing is known of today
        await keep_union_values(world.core, UnionValues((later,), ""))
        for who in (TL, KC):
            await desk.hear(who, case)
            await desk.decide(who, case, **ORDER)
            await desk.appeal(BO, case)
        bo = await desk.id_of(BO)
        assert "Appellen venter på det" in said_to(world, KC)
        note = {"action": "received", "person": bo, "on": world.clock.today.isoformat()}
        status, answer = await desk.ask(KC, "POST", f"/cases/{case}/deposit", note | {"amount": 1})
        assert status == 409 and "kontingent" in answer["detail"]
        await union_fee(world.core, 540)
        await tell_fees(world.core)
        await world.pump()
        assert "is DKK 540.00: the Union's fee for an adult" in said_to(world, BO)
        for amount, is_enough in ((53999, False), (54000, True)):
            status, _ = await desk.ask(
                KC, "POST", f"/cases/{case}/deposit", note | {"amount": amount}
            )
            assert (status == 200) is is_enough


async def test_6_4_3_the_letter_tells_the_fee_that_changes_within_the_term(world, anna):
    """§ 1.3.6, § 6.4.3: the day of the appeal counts, so both sums are told."""
    case = await only_case(world)
    async with desk_of(world) as desk:
        changes = world.clock.today + timedelta(days=20)
        await union_fee(world.core, 320, changes)
        await desk.hear(TL, case)
        await desk.decide(TL, case, **ORDER)
        await desk.appeal(BO, case)
        await desk.hear(KC, case)
        await desk.decide(KC, case, **ORDER)
        letter = said_to(world, BO)
        assert "A deposit of DKK 300.00" in letter and "the sum is DKK 320.00" in letter


async def test_a_case_that_nobody_may_hear_is_the_administrators_the_same_day(lite: World) -> None:
    """§ 6.1.1, § 6.4.3: the leader is the controller too; and a Board of two."""
    await officer(lite, ADMIN, Office.ADMIN)
    case = await claimed_case(lite, Player(lite))
    async with desk_of(lite) as desk:
        assert "må afgøre den" not in said_to(lite, ADMIN)
        held = (await desk.call(ADMIN, "GET", "/offices"))["offices"]
        board = [one for one in held if one["office"] == "board"]
        await desk.hear(TL, case)
        await desk.decide(TL, case, **ORDER)
        await desk.appeal(BO, case)
        await desk.hear(KC, case)
        await desk.decide(KC, case, **ORDER)
        await desk.call(ADMIN, "POST", f"/offices/{board[0]['id']}/end", {})
        await desk.appeal(BO, case, paid=True)
        letter = said_to(lite, ADMIN)
        assert "ikke tre medlemmer og suppleanter" in letter
        before = len(lite.letters(ADMIN))
        await keep_terms(lite.core)
        await lite.pump()
        assert len(lite.letters(ADMIN)) == before, "once for each state of the case"
        await desk.call(ADMIN, "POST", "/offices", {
            "person": await desk.id_of(MEMBERS[0]), "office": "substitute"})  # fmt: skip
        seen = await desk.see(BOARD, case)
        assert [one["reason"] for one in seen["panel"]] == ["", "", "@vacant"]


async def test_6_4_3_the_only_controller_decided_it_as_leader(lite: World) -> None:
    """§ 6.4.3: his own decision is not his to hear: the case of the issue that stood 60 days."""
    await officer(lite, ADMIN, Office.ADMIN)
    case = await claimed_case(lite, Player(lite))
    async with desk_of(lite) as desk:
        held = (await desk.call(ADMIN, "GET", "/offices"))["offices"]
        controllers = [one for one in held if one["office"] == "kc" and one["id"] is not None]
        for one in controllers:
            await desk.call(ADMIN, "POST", f"/offices/{one['id']}/end", {})
        leader = {"person": await desk.id_of(TL), "office": "kc"}
        await desk.call(ADMIN, "POST", "/offices", leader)
        await desk.hear(TL, case)
        await desk.decide(TL, case, **ORDER)
        assert "ingen må afgøre den" not in said_to(lite, ADMIN)
        await desk.appeal(BO, case)
        assert "ligger hos K-skak chefen, men ingen må afgøre den" in said_to(lite, ADMIN)
        refused = await desk.ask(TL, "POST", f"/cases/{case}/decisions", ORDER)
        assert refused[0] == 403
        again = {"person": await desk.id_of(KC), "office": "kc"}
        await desk.call(ADMIN, "POST", "/offices", again)
        await desk.decide(KC, case, **ORDER)
