"""A player's name never swallows his move, and each of his mails gets its letter (§ 6.8.4)."""

import pytest

from tests.fakes.world import ANNA, BO


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Anna E. Ager", "e4"),
        ("Anna E. Ager", "1. e4!"),
        ("Anna E. Ager", "e2-e4"),
        ("H. C. Ager", "c4"),
        ("e.name", "Kære Bo\n\ne4"),
    ],
)
async def test_a_pawns_move_of_his_initial_is_made(world, anna, name, text):
    sender = ANNA if name == "e.name" else f'"{name}" <{ANNA}>'
    assert await anna.reply(text, From_=sender) == "moved"
    assert (await world.row()).ply == 1
    assert len(world.letters(BO)) == 2


@pytest.mark.parametrize(
    ("text", "fate"),
    [("Anna\nHvordan gør man?", "games_help"), ("Anna\nSpringeren er gal", "not_understood")],
)
async def test_a_second_mail_with_the_same_fate_gets_its_letter_too(world, anna, text, fate):
    before = len(anna.letters)
    for count in (1, 2, 3):
        assert await anna.reply(text) == fate
        assert len(anna.letters) == before + count
