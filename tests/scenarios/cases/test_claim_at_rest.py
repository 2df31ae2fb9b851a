"""A claim of overstep stops the game and ends nothing: it is decided, admitted or taken back.

§ 6.3.3.5, § 6.4.1: nothing is published that nobody has decided.
"""

from kskak.cases.case import CaseReason, CaseRefusal, CloseHearing, LiftSuspension, WithdrawCase
from kskak.cases.case_events import GameOrder
from kskak.game import game_events as ev
from kskak.regulation.editions import Result
from server.store.cases import cases as case_rows
from server.usecases.cases import appeals as appealing
from server.usecases.cases import case_actions
from server.usecases.cases.case_decisions import decide
from server.usecases.cases.decision_preparing import Order
from tests.fakes.cases import claimed, claimed_case, decided, late, only_case, seen_by
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import scene
from tests.fakes.world import ANNA, BO, TL, World

world = scene(claimed)
"""Bo has overstepped, and Anna has claimed it."""

UPHELD = Order(paragraphs=("6.3.3.3",), reasons="Tiden er overskredet.")


async def test_nothing_is_over_and_nothing_moves_until_somebody_decides(world, anna, bo, bo_web):
    """Letters, pages, API, PGN and programs: at rest, with no result."""
    for who in (ANNA, BO, TL):
        said = " ".join(letter.said for letter in world.letters(who))
        assert "Partiet er slut" not in said and "Tak for partiet" not in said, who
        assert "artiet er i bero" in said or "he game is at rest" in said, who
    assert await bo.reply("1... c5") == "at_rest"
    assert "The game is at rest" in bo.newest.said
    page = await bo_web.get(f"/games/{world.game}")
    assert "The game is at rest" in page.text and 'id="move-form"' not in page.text
    assert '[Result "*"]' in (await bo_web.get(f"/games/{world.game}.pgn")).text
    assert "at rest" in (await bo_web.get("/")).text
    world.clock.wait(days=60)
    await world.pump()
    assert (await world.row()).result is None
    await world.assert_whole()


async def test_the_late_player_admits_by_one_word(lite: World) -> None:
    """§ 6.3.3.5: then it is lost, the case closed and all are told."""
    anna, bo = Player(lite), Player(lite, BO, layout="outlook", lang="en")
    assert await anna.reply("indrømmer") == "no_claim"
    case = await claimed_case(lite, anna)
    assert any(
        "You can admit it" in " ".join(one.said.split()) or "admit" in one.said
        for one in bo.letters
    )
    assert await bo.reply("I admit") == "admitted"
    await lite.pump()
    assert (await lite.row()).result == Result.WHITE_WINS
    view = await seen_by(lite, TL, case)
    assert (view.state.stage.value, view.state.suspended) == ("settled", ())
    for who in (ANNA, BO, TL):
        said = " ".join(x.said for x in lite.letters(who)[-3:])
        assert "Partiet er slut: 1-0" in said or "The game is over: 1-0" in said, who
    await lite.assert_whole()


async def test_the_late_player_admits_by_one_press(world, anna, bo_web):
    asked = await bo_web.get(f"/games/{world.game}/end/admit")
    assert "6.8.7" in asked.text
    assert "You have admitted" in (await bo_web.submit(asked, "")).text
    await world.pump()
    assert (await world.row()).result == Result.WHITE_WINS
    await world.assert_whole()


async def test_resigning_at_rest_is_admitting(world: World, anna: Player, bo: Player) -> None:
    assert await anna.reply("opgiver") == "at_rest", "he who claims can take it back instead"
    assert await bo.reply("opgiver") == "asked_back"
    assert await bo.reply("ja") == "resigned"
    assert (await world.row()).result == Result.WHITE_WINS
    await world.assert_whole()


async def test_the_result_stands_when_the_leader_has_decided(world: World, anna: Player) -> None:
    """§ 6.4.1: the one letter says that the claim is upheld, and so the result (§ 6.2.6)."""
    case = await only_case(world)
    await decided(world, TL, case, UPHELD)
    assert (await world.row()).result == Result.WHITE_WINS
    letters = " ".join(letter.said for letter in world.letters(ANNA)[-3:])
    assert "Kravet tages til følge" in letters and "Anna Ager har vundet over Bo Berg" in letters
    assert "og Anna Ager har vundet (§ 6.8.7)" in letters, "an e-mail game's own paragraph"
    assert "ændrer ikke noget" not in letters
    await world.assert_whole()


async def test_a_rejected_claim_and_the_game_goes_on_with_its_days(world, anna, bo):
    """§ 6.4.1: totals set, ten days later; the days at rest count for nobody."""
    case = await only_case(world)
    world.clock.wait(days=10)
    order = Order(
        paragraphs=("6.3.1",),
        reasons="Regnskabet var forkert.",
        games=(GameOrder(world.game, ev.TotalsSet(None, 30)),
               GameOrder(world.game, ev.GameResumed(world.clock.today))),
    )  # fmt: skip
    await decided(world, TL, case, order)
    row = await world.row()
    state = row.state()
    assert (row.result, state.rests, state.to_move) == (None, False, state.mover)
    assert state.days_on(state.running(), world.clock.today) == 0
    world.clock.wait(days=2)
    assert await bo.reply("1... c5", bo.letters[-2]) == "moved"
    after = (await world.row()).state().black.total
    assert after == 30 + state.days_on(state.running(), world.clock.today)
    await world.assert_whole()


async def test_a_decision_must_say_what_becomes_of_the_claim(world: World, anna: Player) -> None:
    """A charge that changes nothing about the overstep is no answer to the claim."""
    case = await only_case(world)
    person = await world.person(TL)
    await case_actions.act(world.core, person, case, CloseHearing("hørt"))
    charge = ev.DaysCharged(
        (await world.row()).state().overstep.by, world.clock.today, -1, "6.3.1", ""
    )
    order = Order(paragraphs=("6.3.1",), reasons="x", games=(GameOrder(world.game, charge),))
    refused = await decide(world.core, person, case, order)
    assert isinstance(refused, CaseRefusal) and refused.reason is CaseReason.CLAIM_UNDECIDED
    lifted = await case_actions.act(world.core, person, case, LiftSuspension())
    assert isinstance(lifted, CaseRefusal) and lifted.reason is CaseReason.CLAIM_UNDECIDED
    assert (await world.row()).state().rests


async def test_who_claimed_takes_it_back_and_the_game_runs_again(world, anna):
    case = await only_case(world)
    world.clock.wait(days=4)
    assert (await seen_by(world, ANNA, case)).can.withdraw
    done = await case_actions.act(world.core, await world.person(ANNA), case, WithdrawCase())
    assert not isinstance(done, CaseRefusal)
    state = (await world.row()).state()
    assert (state.rests, state.overstep, state.to_move) == (False, None, state.mover)
    await world.pump()
    await world.assert_whole()
    again = [letter for letter in anna.letters if "tid" in letter.said and letter.reply_to][-1]
    assert await anna.reply("tid", again) == "claimed", "it is as it was"


async def test_a_new_overstep_after_a_rejected_claim_is_a_case_of_its_own(world, anna):
    """The first case is decided and open to appeal; the second is not laid in it."""
    first = await only_case(world)
    order = Order(
        paragraphs=("6.3.1",),
        reasons="x",
        games=(
            GameOrder(world.game, ev.TotalsSet(None, 30)),
            GameOrder(world.game, ev.GameResumed(world.clock.today)),
        ),
    )
    await decided(world, TL, first, order)
    appealed = await appealing.appeal(world.core, await world.person(ANNA), first, "Nej.")
    assert not isinstance(appealed, CaseRefusal)
    await late(world)
    assert await anna.reply("tid") == "claimed"
    assert (await world.row()).state().rests
    async with world.core.store.read() as conn:
        found = await case_rows.list_cases(conn, is_open=True)
    assert len([one for one in found if one.kind == "overstep"]) == 2
