"""A claim of time becomes a case, is heard, decided, appealed and decided again, to the end."""

import pytest

from kskak.cases.case import CaseReason, CaseRefusal, CastVote
from kskak.cases.case_events import Deposit, FactFound, GameOrder
from kskak.game import game_events as ev
from kskak.regulation.editions import Result
from server.store.cases.cases import UnknownCase
from server.store.play.people import Office
from server.usecases.cases import appeals as appealing
from server.usecases.cases import case_actions
from server.usecases.cases.case_decisions import decide
from server.usecases.cases.decision_preparing import Order
from tests.fakes.cases import (
    claimed,
    decided,
    officer,
    only_case,
    ready_for_votes,
    seen_by,
    union_fee,
)
from tests.fakes.told_once import scene
from tests.fakes.world import ANNA, BO, KC, TL

world = scene(claimed)
"""Bo has overstepped, and Anna has claimed it."""


async def test_a_claim_by_mail_opens_its_case_with_the_account_in_evidence(world, anna):
    """§ 6.8.7: in the claim's own transaction; the leader and both players see it."""
    case = await only_case(world)
    view = await seen_by(world, TL, case)
    assert (view.case.number, view.case.kind) == ("2026/1", "overstep")
    assert view.state.opened.question == "@overstep_black"
    assert [(paper.kind, paper.media_type) for paper in view.papers] == [
        ("evidence", "application/json")
    ] * 2, "what the server found, and the claim"
    assert view.games[0].disputed, "the row is marked"
    assert [mail.outcome for mail in view.games[0].mails][-1] == "claimed"
    for who in (ANNA, BO):
        assert (await seen_by(world, who, case)).games[0].mails == ()
    with pytest.raises(UnknownCase):
        await seen_by(world, "captain@example.org", case)
    await world.assert_whole()


async def test_a_case_goes_through_all_instances_and_the_game_follows(world, anna):
    """§ 6.4.1-6.4.3: heard, lost by the TL's word, set right by the KC, final at the Board."""
    case = await only_case(world)
    leader, bo_person = await world.person(TL), await world.person(BO)
    said = await case_actions.speak(world.core, bo_person, case, "Jeg var syg.")
    assert not isinstance(said, CaseRefusal)
    order = Order(paragraphs=("6.3.3.3",), reasons="Tiden er overskredet.")
    refused = await decide(world.core, leader, case, order)
    assert isinstance(refused, CaseRefusal) and refused.reason is CaseReason.NOT_HEARD
    await decided(world, TL, case, order)
    assert (await world.row()).result == Result.WHITE_WINS
    world.clock.wait(days=21)
    upheld = await appealing.appeal(world.core, bo_person, case, "Jeg var syg.")
    assert not isinstance(upheld, CaseRefusal), "the last day counts"
    again = Order(
        paragraphs=("6.3.6.4",),
        reasons="Sygdom er godtgjort.",
        facts=(FactFound("6.3.6.4", "Bo var syg"),),
        games=(
            GameOrder(world.game, ev.TotalsSet(None, 10)),
            GameOrder(world.game, ev.GameResumed(world.clock.today)),
        ),
        annuls=("2026/1/1",),
        grants=(bo_person.id,),
    )
    await decided(world, KC, case, again)
    row = await world.row()
    assert (row.result, row.state().black.total) == (None, 10)
    board = [f"{name}@example.org" for name in ("board", "nils", "nora")]
    for member in board:
        await officer(world, member, Office.BOARD)
    anna_person = await world.person(ANNA)
    await union_fee(world.core, 500)
    no = await appealing.appeal(world.core, anna_person, case, "Nej.")
    assert isinstance(no, CaseRefusal) and no.reason is CaseReason.NO_DEPOSIT
    paid = Deposit(50000, world.clock.today, "MobilePay 1")
    yes = await appealing.appeal(world.core, anna_person, case, "Nej.", paid)
    assert not isinstance(yes, CaseRefusal)
    won = ev.ResultRuled(Result.WHITE_WINS, world.clock.today, "", "")
    last = Order(
        paragraphs=("6.3.3.3",),
        reasons="Stadfæstet.",
        games=(GameOrder(world.game, won),),
        annuls=("2026/1/2",),
        restores=("2026/1/1",),
        grants=(anna_person.id,),
    )
    await ready_for_votes(world.core, await world.person(board[0]), case)
    for member in board:
        person = await world.person(member)
        voted = await case_actions.act(world.core, person, case, CastVote((anna_person.id,), ""))
        assert not isinstance(voted, CaseRefusal)
    done = await decided(world, "board@example.org", case, last)
    assert done.state.stage == "final"
    assert (await world.row()).result == Result.WHITE_WINS
    for who in (ANNA, BO, TL, KC):
        assert any("Skakn" in letter.said or "Appeals Board" in letter.said
                   for letter in world.letters(who)[-4:]), who  # fmt: skip
    await world.assert_whole(also=tuple(board))
