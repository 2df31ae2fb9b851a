"""First steps: White's one mail is enough to play; nobody makes an account to move."""

from tests.fakes.world import ANNA, BO, COMMANDS, TL


async def test_white_gets_one_mail_with_an_address_and_plays_with_mail_alone(world, anna, bo):
    assert [one.reply_to == COMMANDS for one in world.letters(ANNA)] == [True, False]
    assert [one.reply_to == COMMANDS for one in world.letters(BO)] == [True]
    first = world.letters(ANNA)[-1]
    for line in ("5254", "Svar på denne mail", first.reply_to, "tl@example.org"):
        assert line in first.said
    assert await anna.reply("5254") == "moved"
    assert await bo.reply("1... c5") == "moved"
    assert await anna.reply("2. Sf3") == "moved"
    assert await world.kinds() == ["MoveSent"] * 3
    assert (await world.row()).ply == 3
    await world.assert_whole()


async def test_the_mailed_start_letter_names_everybody_the_rules_and_the_leader(world):
    for reader in (ANNA, BO):
        start = world.letters(reader)[0]
        for known in ("Anna Ager", ANNA, "Bo Berg", BO, "T. Leder", TL, "K-26-01/1", "6.8.6"):
            assert known in start.said, (reader, known)
