"""The forms of correspondence chess by mail, pasted above or around a move: ICCF, IECC, DESC.

Not for what chess programs send (test_chess_programs.py).
"""

import pytest

from tests.fakes.machinery.player import Player
from tests.fakes.world import BO

FORMS = {
    "iccf": """\
ICCF EM/J/123, board 4
White: Ager, Anna (DEN)
Black: Berg, Bo (DEN)

 1. 5254 5755
 2. 7163

Received: 02.11.2026
Sent: 03.11.2026
Reflection time: 1 day, total 2 days

Amici sumus
Anna
""",
    "iecc": """\
[Event "Trio-1.1"]
[Site "IECC"]
[Date "2026.11.02"]
[White "Ager, Anna"]
[Black "Berg, Bo"]
[Result "*"]

1. e4 e5 2. Nf3

You sent on 02 Nov; I received on 02 Nov and I answered on 03 Nov.
White used 1 day which totals 2 of 30 allowed days to reach move 10.

Regards
Anna
""",
    "desc": """\
White: Ager, Anna     Elapsed: 2 days
Black: Berg, Bo       Elapsed: 3 days

1. e4   e5
2. Nf3

Time used for this move: 1
""",
}


@pytest.mark.parametrize("form", FORMS)
async def test_a_move_in_a_form_is_played_and_the_days_in_it_decide_nothing(lite, form):
    anna, bo = Player(lite, layout=None), Player(lite, BO, lang="en")
    assert await anna.reply("e4") == "moved"
    assert await bo.reply("e5") == "moved"
    assert await anna.reply(FORMS[form]) == "moved"
    assert (await lite.row()).ply == 3
    assert (await lite.events())[-1].event.sent == lite.clock.today  # type: ignore[union-attr]
    assert "ikke forstået" not in anna.letters[-1].said


@pytest.mark.parametrize("form", ["iccf", "iecc"])
async def test_a_form_with_another_game_is_asked_about_and_costs_nothing(lite, form):
    anna, bo = Player(lite, layout=None), Player(lite, BO, lang="en")
    assert await anna.reply("c4") == "moved"
    assert await bo.reply("c5") == "moved"
    before = len(anna.letters)
    await anna.reply(FORMS[form])
    assert await lite.kinds() == ["MoveSent", "MoveSent"]
    assert len(anna.letters) == before + 1
