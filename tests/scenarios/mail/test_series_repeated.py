"""An opponent's series answered by mail: its bound moves written wrong, or left out.

§ 6.2.5, § 6.8.4, § 6.8.6; § 6.3.5.1 charges the sender's own move only.
"""

import pytest

from kskak.regulation.editions import Side
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, World

SERIES = "1. 5254 05755 2. 7163 2836 3. 6134"
"""Anna's 2. Sf3 and 3. Lc4 are bound."""
WRONG = (
    *("1... 5755 2. 7164 2836", "1... e5 2. Sf4 Sc6", "1... 5755 2. 7164 2836 3. 6134 7866"),
    *("1... 5755 2. 7163 2836 3. 6144 7866", "1... e5 2. Sf3 Sc6 3. Lb6 Sf6"),
)
"""Nothing but her bound move, written wrong: she could not make it, and an answer follows."""
PERHAPS_HIS_OWN = (
    "1... 5755 2. 7183 2836",
    "1... e5 2. Sc3 Sc6",
    "1... 5755 2. 7163 2836 3. 6125 7866",
)
"""Her bound move is another, but all of it might be a series of his own without its 0."""
LEFT_OUT = ("1... 5755 2836", "1... 5755 2. 7163 2836 7866", "1... e5 Sc6")


@pytest.fixture(params=["postal", "email"])
async def group(request: pytest.FixtureRequest, lite: World) -> World:
    """Anna has sent her series, in a group that writes by the one regulation or the other."""
    if request.param == "postal":
        await lite.begin("P-26-01", regulation="postal")
    assert await Player(lite).reply(SERIES) == "moved"
    assert len((await lite.row()).state().proposal) == 4
    return lite


async def _told(world: World, said: str) -> str:
    """The one letter that answers Bo's mail: a wrong repetition, and nothing is played."""
    bo = Player(world, BO, layout="outlook")
    before, annas = len(bo.letters), len(Player(world).letters)
    assert await bo.reply(said) == "wrong_repetition"
    (letter,) = bo.letters[before:]
    assert (await world.row()).ply == 1 and len(Player(world).letters) == annas
    rule = "6.8.4" if (await world.row()).terms.regulation == "email" else "6.2.1"
    for words in ("does not repeat the last move rightly", "If you follow a series", f"(§ {rule})"):
        assert words in letter.said, letter.said
    return letter.said


@pytest.mark.parametrize("said", WRONG)
async def test_a_bound_move_written_wrong_costs_days_by_email_alone(group, said):
    is_email = (await group.row()).terms.regulation == "email"
    for days in (3, 6) if is_email else (0, 0):
        told = await _told(group, said)
        assert await group.total(Side.BLACK) == days
        assert ("costs no days" in told) is not is_email
        assert ("days added to Black" in told) is is_email
    assert "FaultySent" in await group.kinds() or not is_email
    assert await Player(group, BO).reply("1... 5755 2. 7163 2836 3. 6134 7866") == "moved"
    assert (await group.row()).ply == 6
    await group.assert_whole()


@pytest.mark.parametrize("said", [*PERHAPS_HIS_OWN, *LEFT_OUT])
async def test_a_bound_move_left_out_or_perhaps_his_own_costs_nothing(group, said):
    for _ in range(2):
        told = await _told(group, said)
        assert "costs no days" in told
        assert await group.total(Side.BLACK) == 0
    assert await group.kinds() == ["MoveSent"]
    assert await Player(group, BO).reply("1... 5755 2. 7163 2836") == "moved"
    assert (await group.row()).ply == 5
    await group.assert_whole()
