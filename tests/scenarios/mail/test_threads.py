"""What our letters are called, and what they refer to: letters that the same reader has got."""

from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, COMMANDS


async def test_letters_of_a_game_refer_to_letters_that_were_sent_to_the_same_reader(lite):
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


async def test_an_events_letters_are_named_in_order_and_its_name_alone_is_answer_enough(lite):
    players = Player(lite), Player(lite, BO)
    await players[0].reply("1. e4")
    names = list[str]()
    for nth, move in (1, "e5"), (0, "2. Sf3"), (1, "Sc6"):
        player = players[nth]
        name = player.newest.message_id
        local, _, domain = name.strip("<>").partition("@")
        dated, key, told = local.split(".")
        names.append(dated)
        # As letters were called before their names began with an instant, and are called now.
        answered = f"<{key}.{told}@{domain}>" if len(names) == 1 else name
        raw = player.write(move, To=COMMANDS, In_Reply_To="<name@x>", References=None)
        raw = raw.replace(b"<name@x>", answered.encode())  # too long for the library to leave whole
        assert await player.send(raw, COMMANDS) == "moved"
    assert names == [f"{event.at_us // 1000:x}" for event in (await lite.events())[:3]]
