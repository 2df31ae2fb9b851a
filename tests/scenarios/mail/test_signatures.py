"""A player's name never swallows his move, and each of his mails gets its letter (§ 6.8.4)."""

from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO


@rows(
    "name text",
    ("Anna E. Ager", "e4"),
    ("Anna E. Ager", "1. e4!"),
    ("Anna E. Ager", "e2-e4"),
    ("H. C. Ager", "c4"),
    ("e.name", "Kære Bo\n\ne4"),
)
async def test_a_pawns_move_of_his_initial_is_made(world, anna, name, text):
    sender = ANNA if name == "e.name" else f'"{name}" <{ANNA}>'
    assert await anna.reply(text, From_=sender) == "moved"
    assert (await world.row()).ply == 1
    assert len(world.letters(BO)) == 2


@rows(
    "text fate",
    ("Anna\nHvordan gør man?", "games_help"),
    ("Anna\nSpringeren er gal", "not_understood"),
)
async def test_a_second_mail_with_the_same_fate_gets_its_letter_too(world, anna, text, fate):
    before = len(anna.letters)
    for count in (1, 2, 3):
        assert await anna.reply(text) == fate
        assert len(anna.letters) == before + count


@rows("below", "Mvh\nAnna\n\nremis?", "Venlig hilsen\nAnna\nTlf. 12345678\n(=)")
async def test_a_draw_offered_below_the_greeting_is_offered(lite, below):
    assert await Player(lite).reply(f"1. e4\n\n{below}") == "moved"
    assert (await lite.row()).state().draw_offer is not None


async def test_a_name_that_is_a_command_loses_nobody_his_word(lite):
    remis, ja = (f'"{name} Ager" <{ANNA}>' for name in ("Remis", "Ja"))
    assert await Player(lite).reply("Hjælp", From_=f'"Hjælp Ager" <{ANNA}>') == "games_help"
    assert await Player(lite).reply("1. e4\nRemis Ager", From_=remis) == "moved"
    assert (await lite.row()).state().draw_offer is None
    assert await Player(lite, BO, lang="en").reply("e5\nremis?") == "moved"
    assert await Player(lite).reply("Remis", From_=remis) == "asked_back"
    assert await Player(lite).reply("Hej\n\nJa", From_=ja) == "drawn"
