"""A slip of the pen in a move's number is asked about and costs no days (§ 6.8.4, § 6.8.6)."""

from kskak.regulation.editions import Side
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import World

BOTH = (("e4", "e5"), ("Sf3", "Sc6"), ("Lc4", "Lc5"))


async def _play(anna: Player, bo: Player) -> None:
    """To Black's third answer, with letters in Danish for White and English for Black."""
    for white, black in BOTH[:-1]:
        assert await anna.reply(white) == "moved"
        assert await bo.reply(black.replace("S", "N").replace("L", "B")) == "moved"
    assert await anna.reply("Lc4") == "moved"


async def test_an_own_number_off_by_one_is_asked_about_and_yes_plays_it_by_its_first_day(
    world: World, anna: Player, bo: Player
) -> None:
    await _play(anna, bo)
    asked_on = world.clock.today
    assert await bo.reply("2... Bc5\n\nI hope to see you in Århus.") == "wrong_number"
    asked = bo.letters[-1]
    assert "Did you mean 3... 6835 (Bc5)?" in asked.said
    assert "2... Bc5" in asked.said
    assert "costs no days" in asked.said
    assert await world.total(Side.BLACK) == 0
    world.clock.wait(days=2)
    assert await bo.reply("yes\n\nSorry!", asked) == "moved"
    told = world.letters(anna.email)[-1].said
    for words in ("I hope to see you in Århus.", "Sorry!"):
        assert words in told
    sent = (await world.account())["moves"][-1]
    assert (sent["move"], sent["sent"]) == ("6835", asked_on.isoformat())
    assert await world.total(Side.BLACK) == 0
    assert await bo.reply("yes", asked) == "spent"
    await world.assert_whole()


async def test_the_button_plays_it_too_and_only_once(world, anna, bo):
    await _play(anna, bo)
    assert await bo.reply("4... Bc5\ndraw?") == "wrong_number"
    link = bo.letters[-1].link("/c/")
    async with browser(world) as one:
        shown = await one.get(link)
        assert "3... 6835" in shown.text
        await one.submit(shown, "", answer="yes")
        assert (await one.get(link)).status == 410
    await world.pump()
    state = (await world.row()).state()
    assert (state.position.ply, state.draw_offer) == (6, Side.BLACK)
    await world.assert_whole()


async def test_a_whole_line_whose_numbers_are_off_by_one_is_played_by_a_yes(world, anna, bo):
    await _play(anna, bo)
    assert await bo.reply("2. Bc4 Nf6") == "wrong_number"
    assert await bo.reply("yes") == "moved"
    assert await world.total(Side.BLACK) == 0


async def test_a_move_that_stands_already_is_told_and_costs_nothing(world, anna, bo):
    await _play(anna, bo)
    for written in ("Bc4", "Nc6"):
        assert await bo.reply(written) == "illegal"
        assert "costs no days" in bo.letters[-1].said
    assert await world.total(Side.BLACK) == 0


async def test_a_question_left_open_is_not_answered_in_another_position(world, anna, bo):
    await _play(anna, bo)
    assert await bo.reply("2... Bc5") == "wrong_number"
    link = bo.letters[-1].link("/c/")
    assert await bo.reply("3... Nf6") == "moved"
    async with browser(world) as one:
        assert (await one.get(link)).status == 410, "the move closed it"
        assert (await one.post(link, {"answer": "yes"})).status == 410
    await world.pump()
    assert (await world.row()).state().position.ply == 6
