"""Special leave: what it does is shown first, what it removes is told to both (§ 6.3.6.4).

A claim of overstep that falls by it ends with its case, and the game goes on.
"""

from datetime import date, timedelta

from server.usecases.reflection.leave import Leave, LeaveBookingOutcome, grant
from tests.fakes.cases import claimed_case, late, only_case, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World

WHY = "Indlagt fra den 24. november."


async def given(world: World, days: int, reason: str = "") -> LeaveBookingOutcome:
    """The leader gives Bo special leave for as many days, today the last of them."""
    today, bo = world.clock.today, await world.person(BO)
    first, at = today - timedelta(days=days - 1), world.core.clock.now()
    asked = Leave(bo.id, first, today, "web", at, "K-skak-EMT 2026", reason)
    done = await grant(world.core, await world.person(TL), asked)
    assert isinstance(done, LeaveBookingOutcome), done
    await world.pump()
    return done


async def test_a_claim_that_the_leave_removes_falls_and_both_are_told(world, anna):
    """41 of 40 days; one day of leave within them is enough (§ 6.3.6.4)."""
    case = await claimed_case(world, anna)
    before = {who: len(world.letters(who)) for who in (ANNA, BO, TL)}
    await given(world, 2, WHY)
    state, view = (await world.row()).state(), await seen_by(world, TL, case)
    assert (state.rests, state.overstep, state.is_time_up(world.clock.today)) == (False,) * 1 + (
        None, False,
    )  # fmt: skip
    assert (view.state.stage.value, view.state.suspended, view.state.claims) == ("settled", (), ())
    for who, count in before.items():
        said = " ".join(letter.said for letter in world.letters(who, count))
        assert "partiet fortsætter" in said or "the game goes on" in said, who
        assert (WHY in said) == (who == BO), who
    # The days used outside the leave still count (§ 6.3.1).
    running = state.running()
    assert running is not None and state.days_on(running, world.clock.today) == 40
    await world.assert_whole()


async def test_a_leave_that_does_not_reach_leaves_the_claim_as_it_is(lite):
    """The day after the limit is not enough: 41 days lie before it."""
    case = await claimed_case(lite, Player(lite))
    await given(lite, 1)
    state, view = (await lite.row()).state(), await seen_by(lite, TL, case)
    assert (state.rests, view.state.stage.value, len(view.state.claims)) == (True, "opened", 1)


async def test_an_overstep_nobody_has_claimed_falls_too(lite: World) -> None:
    """The server's own finding opened the case; the leave closes it."""
    anna = Player(lite)
    await anna.reply("e4")
    await late(lite)
    case = await only_case(lite)
    await given(lite, 10)
    assert (await seen_by(lite, TL, case)).state.stage.value == "settled"
    assert "partiet fortsætter" in " ".join(one.said for one in lite.letters(ANNA)[-2:])


async def test_the_leader_sees_days_and_claims_before_he_grants(lite: World) -> None:
    """Two steps; nothing is booked by the first, and a reason is asked for."""
    await claimed_case(lite, Player(lite))
    today, bo = lite.clock.today, await lite.person(BO)
    fields = {
        "player": f"{bo.id} K-skak-EMT 2026",
        "first": (today - timedelta(days=9)).isoformat(),
        "last": today.isoformat(),
        "act": "look",
    }
    async with browser(lite) as page:
        await page.sign_in(TL)
        desk = await page.get("/desk/leave")
        bare = await page.submit(desk, "/desk/leave", **fields)
        assert bare.status == 422 and "hvorfor særloven gives" in bare.text
        look = await page.submit(desk, "/desk/leave", **fields, reason=WHY)
        assert "bruger 10 dage" in look.text and "20 dage tilbage" in look.text
        assert "Kravet falder, partiet fortsætter" in look.text and WHY in look.text
        assert f"{(await lite.row()).name} {bo.name}" in look.text, "whose time, though it rests"
        assert (await lite.row()).state().rests
        done = await page.submit(look, "/desk/leave")
        assert "Særloven er givet" in done.text
    assert not (await lite.row()).state().rests


@rows(
    "first last wrong",
    (date(2026, 12, 20), date(2026, 1, 3), date(2026, 1, 3)),
    (date(2026, 12, 20), date(2037, 1, 3), date(2037, 1, 3)),
    (date(2025, 12, 20), date(2027, 1, 3), date(2025, 12, 20)),
    (date(2025, 12, 1), date(2025, 12, 9), date(2025, 12, 9)),
)
async def test_a_wrong_year_is_named_as_one(lite, first, last, wrong):
    bo = await lite.person(BO)
    asked = Leave(bo.id, first, last, "web", lite.core.clock.now(), "K-skak-EMT 2026")
    done = await grant(lite.core, await lite.person(TL), asked)
    assert not isinstance(done, LeaveBookingOutcome) and done.refusal is not None
    assert (done.refusal.reason.value, done.refusal.given) == ("leave_year", wrong)
