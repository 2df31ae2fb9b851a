"""What else is written by mail: leave, status, help, and text that is no single move."""

from datetime import timedelta

from kskak.regulation.editions import Side
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, STRANGER, TL, World


async def test_leave_and_a_move_in_one_mail_are_both_done(world: World, anna: Player) -> None:
    first = world.clock.today + timedelta(days=10)
    said = f"1. e4\nferie {first.day}/{first.month} {first.day + 2}/{first.month}"
    assert await anna.reply(said) == "moved"
    assert sorted(await world.kinds()) == ["LeaveBooked", "MoveSent"]
    assert len(await world.outbox("relay")) == 1
    assert len(await world.outbox("leave_confirmed")) == 1
    assert len(world.letters(TL)) == 1
    await world.assert_whole()


async def test_the_same_leave_asked_for_twice_is_booked_and_told_once(world, anna):
    day = world.clock.today + timedelta(days=20)
    for _ in range(2):
        assert await anna.reply(f"ferie {day} {day}") == "leave"
        world.clock.wait(minutes=5)
    assert await world.kinds() == ["LeaveBooked"]
    assert len(world.letters(TL)) == 1
    assert len(await world.outbox("leave_confirmed")) == 2, "he is answered each time"


async def test_leave_reaches_all_running_games_at_once(world: World, anna: Player) -> None:
    """§ 6.8.8."""
    one = world.game
    other = await world.begin("K-26-02")
    day = world.clock.today + timedelta(days=20)
    await anna.reply(f"leave {day} {day}")
    assert await world.kinds(one) == await world.kinds(other) == ["LeaveBooked"]
    (told,) = await world.outbox("leave_confirmed")
    assert "K-26-01" in told.params
    assert "K-26-02" in told.params


async def test_status_and_help_are_answered_with_fresh_addresses_that_play(world, anna):
    for word, outcome in (("status", "games_status"), ("hjælp", "games_help")):
        assert await anna.write_to_server(word) == outcome
    told = anna.letters[-1]
    key = next(part for part in told.said.split() if part.startswith("parti+"))
    mail = anna.write("e4", told, To=key)
    assert await anna.send(mail, key) == "moved"


async def test_a_text_that_could_be_two_moves_is_asked_about_and_costs_nothing(world, anna, bo):
    """§ 6.8.4: told at once, no touch-move, no days."""
    for white, black in (("Sf3", "d5"), ("d3", "e5")):
        await anna.reply(white)
        await bo.reply(black)
    assert await anna.reply("Sd2") == "ambiguous"
    told = anna.letters[-1].said
    for known in ("2142", "6342", "koster ingen dage"):
        assert known in told
    assert await world.total(Side.WHITE) == 0
    assert await anna.reply("Sbd2") == "moved"


async def test_a_wrong_repetition_costs_three_days_every_time(world, anna, bo):
    """§ 6.8.4, § 6.8.6."""
    await anna.reply("e4")
    await bo.reply("1... c5")
    for days in (3, 6):
        assert await anna.reply("1. 5254 5755 2. 7163") == "wrong_repetition"
        assert await world.total(Side.WHITE) == days
        assert "slette dagene" in anna.letters[-1].said
    assert await anna.reply("1. 5254 3735 2. 7163") == "moved"
    await world.assert_whole()


async def test_the_answer_to_an_invalid_move_has_the_total_and_the_last_day_after_the_charge(
    world: World, anna: Player
) -> None:
    """§ 6.8.6: who reads it plans by it."""
    for days in (3, 6):
        assert await anna.reply("e5") == "illegal"
        running = (await world.row()).state().running()
        assert running is not None and running.flag_on is not None
        last = running.flag_on - timedelta(days=1)
        told = anna.letters[-1].said
        assert f"I alt har du nu brugt {days} dage" in told
        assert f"den {last.day}. " in told
        assert f"brugt {days} dage af 40" in told


async def test_both_read_in_the_letters_of_the_next_move_which_days_were_added_and_why(
    world: World, anna: Player, bo: Player
) -> None:
    """§ 6.2.1, § 6.8.6: a total that no days of a dispatch explain is explained beside it."""
    assert await anna.reply("e5") == "illegal"
    assert await anna.reply("e4") == "moved"
    assert "3 dage er lagt til Hvids tid: ugyldigt træk (§ 6.8.6)" in anna.letters[-1].said
    assert "3 days added to White: illegal move (§ 6.8.6)" in bo.letters[-1].said


async def test_a_wish_for_leave_beside_a_move_is_asked_for_its_days(world, anna):
    assert await anna.reply("1. e4\nferie tak??") == "moved"
    assert "Hvornår holder du ferie?" in anna.letters[-1].said


async def test_the_players_words_go_on_and_commands_hidden_in_them_do_not_work(world, anna):
    words = "Tak for sidst! Jeg opgiver ikke endnu. Pas på tiden! Ha ha."
    assert await anna.reply(f"e4\n\n{words}") == "moved"
    assert words in world.letters(BO)[-1].said
    assert await world.kinds() == ["MoveSent"]
    assert (await world.row()).state().draw_offer is None


async def test_resigning_from_an_unregistered_address_takes_two_words_of_the_owner(world, anna):
    key = anna.newest.reply_to
    assert await anna.send(anna.write("opgiver", From_=STRANGER), key) == "confirm"
    async with browser(world) as one:
        await one.submit(await one.get(anna.letters[-1].link("/c/")), "", answer="yes")
    await world.pump()
    assert await world.kinds() == []
    assert await anna.reply("ja") == "resigned"
    assert {letter.to for letter in world.host.letters} == {ANNA, BO, TL}
