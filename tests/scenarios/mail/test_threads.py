"""What our letters refer to are letters that the same reader has got."""

from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, World


async def test_letters_of_a_game_refer_to_letters_that_were_sent_to_the_same_reader(
    lite: World,
) -> None:
    anna, bo = Player(lite), Player(lite, BO, layout="outlook", lang="en")
    await anna.reply("e4")
    await bo.reply("1... c5")
    await anna.reply("2. Sf3")
    for address in (ANNA, BO):
        letters = lite.letters(address)
        told: set[str] = set()
        threaded = 0
        for letter in letters:
            named = set(str(letter.mail["References"] or "").split())
            assert named <= told, letter.subject
            threaded += bool(named)
            told.add(letter.message_id)
        assert threaded >= 2, "the letters of the game stand together"
