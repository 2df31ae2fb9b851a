"""A «ja» counts for the question of the letter that it answers, and for nothing else."""

from typing import Any

import pytest

from kskak.regulation.editions import Result
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import BO, COMMANDS, STRANGER, World

BARE: dict[str, Any] = {"In_Reply_To": None, "References": None}


def _asks(player: Player) -> Letter:
    return player.letters[-1]


async def test_yes_to_a_letter_with_a_draw_offer_resigns_nothing(world, anna, bo):
    """The issue's input: an older «vil du opgive?» is open."""
    assert await anna.reply("e4\nremis?") == "moved"
    assert await bo.reply("resign") == "asked_back"
    offer = next(one for one in bo.letters if "offers a draw" in one.said)
    for head in ({}, BARE, {"In_Reply_To": None}):
        assert await bo.reply("yes", offer, **head) == "asked_which"
    said = bo.letters[-1].said
    assert "resign" in said and "draw yes" in said
    assert (await world.row()).result is None
    assert await bo.reply("yes", bo.letters[-1]) == "asked_which", "nor is it a guess then"
    assert await bo.reply("resign", bo.letters[-1]) == "resigned"
    assert (await world.row()).result == Result.WHITE_WINS
    await world.assert_whole()


async def test_yes_to_the_question_itself_is_asked_while_the_opponents_offer_stands(
    world: World, anna: Player, bo: Player
) -> None:
    assert await anna.reply("e4") == "moved"
    assert await bo.reply("1... e5") == "moved"
    assert await anna.reply("2. d4\nremis?") == "moved"
    assert await bo.reply("resign") == "asked_back"
    asked = _asks(bo)
    assert await bo.reply("yes", asked) == "asked_which"
    assert (await world.row()).result is None
    assert await bo.reply("draw yes", _asks(bo)) == "asked_back"
    assert await bo.reply("yes", asked) == "asked_which", "it was closed by the newer one"
    drawn = next(one for one in reversed(bo.letters) if "accept" in one.said and "/c/" in one.text)
    assert await bo.reply("yes", drawn) == "drawn"
    assert (await world.row()).result == Result.DRAW
    await world.assert_whole()


@pytest.mark.parametrize("head", [{}, BARE, {"In_Reply_To": None}, {"To": COMMANDS}])
async def test_yes_plays_the_move_of_the_letter_it_answers(lite, head):
    """The issue's input: «mener du 1. d4?» answered, while a later letter asks about 1. c4."""
    anna = Player(lite)
    assert await anna.reply("12. d4") == "wrong_number"
    first = _asks(anna)
    lite.clock.wait(days=1)
    assert await anna.reply("12. c4", first) == "wrong_number"
    second = _asks(anna)
    assert await anna.reply("ja", first, **head) == "asked_which"
    assert (await lite.row()).ply == 0
    assert "1. 3234" in _asks(anna).said
    assert await anna.reply("ja", second, **head) == "moved"
    (row,) = await lite.events()
    assert row.event.plies[0].uci() == "c2c4"  # type: ignore[union-attr]


@rows("beside", " 1-0", " 1/2-1/2", " ½?", "\nreims?", "\nremsi?", "\nＲＥＭＩＳ?")
async def test_yes_plays_the_move_beside_a_score_or_a_misspelt_offer(lite, beside):
    anna = Player(lite)
    assert await anna.reply(f"e4{beside}") in ("unsure", "draw_unclear")
    assert await lite.kinds() == []
    assert await anna.reply("ja", _asks(anna)) == "moved"
    assert (await lite.row()).state().draw_offer is None


async def test_a_loss_written_behind_a_move_is_asked_about_as_a_resignation(lite: World) -> None:
    assert await Player(lite).reply("e4 0-1") == "asked_back"
    assert await lite.kinds() == []


async def test_the_move_itself_says_which_and_keeps_the_day_of_the_first_mail(lite: World) -> None:
    anna = Player(lite)
    arrived = lite.clock.today
    await anna.reply("12. d4")
    asked = _asks(anna)
    lite.clock.wait(days=2)
    assert await anna.reply("1. d4\nHilsen", asked) == "moved"
    (row,) = await lite.events()
    assert row.event.sent == arrived  # type: ignore[union-attr]


@pytest.mark.parametrize("said", ["ja", "Ja tak", "yes", "Ja.", "nej", "no", "JA!", "nej tak"])
async def test_an_answer_to_a_letter_that_asks_nothing_plays_no_guess(lite, said):
    """The issue's input: the move was guessed three mails before."""
    anna = Player(lite)
    start = anna.newest
    await anna.reply("12. d4", start)
    await anna.reply("hvad siger du?", start)
    await anna.reply("status", start)
    assert await anna.reply(said, start) == "asked_which"
    assert (await lite.row()).ply == 0
    told = _asks(anna).said
    assert "1. 4244" in told and "ikke klart" in told
    assert await anna.reply("1. d4", _asks(anna)) == "moved"


async def test_a_yes_in_a_new_thread_is_asked_about(lite: World) -> None:
    anna = Player(lite)
    start = anna.newest
    await anna.reply("opgiver")
    assert await anna.write_to_server("ja") == "games_unclear"
    assert await anna.reply("ja", start, Subject="Hej", **BARE) == "asked_which"
    assert (await lite.row()).result is None


async def test_of_several_letters_in_references_the_last_is_answered(lite: World) -> None:
    anna = Player(lite)
    start = anna.newest
    await anna.reply("opgiver")
    asked = _asks(anna)
    to = start.reply_to or ""
    both = f"{asked.message_id}\r\n {start.message_id}"
    for order, outcome in ((both, "asked_which"), (None, "resigned")):
        ids = order or f"{start.message_id}\r\n {asked.message_id}"
        raw = anna.write("ja", start, In_Reply_To=None, References="x-x").replace(
            b"x-x", ids.encode()
        )
        assert await anna.send(raw, to) == outcome
    assert (await lite.row()).result == Result.BLACK_WINS


async def test_an_address_and_a_thread_that_disagree_are_asked_about(lite: World) -> None:
    anna = Player(lite)
    start = anna.newest
    await anna.reply("opgiver")
    asked = _asks(anna)
    raw = anna.write("ja", asked, In_Reply_To="x-x").replace(b"x-x", start.message_id.encode())
    assert await anna.send(raw, asked.reply_to or "") == "asked_which"
    assert (await lite.row()).result is None


@pytest.mark.parametrize("said", ["remis?", "1. d9", "12. d4"])
async def test_a_new_word_about_the_position_closes_older_questions(lite: World, said: str) -> None:
    anna = Player(lite)
    await anna.reply("opgiver")
    asked = _asks(anna)
    await anna.reply(said, asked)
    assert await anna.reply("ja", asked) != "resigned"
    assert (await lite.row()).result is None


async def test_no_closes_the_question_and_does_nothing(lite: World) -> None:
    anna = Player(lite)
    await anna.reply("opgiver")
    asked = _asks(anna)
    assert await anna.reply("nej", asked) == "answered_no"
    assert "ikke gjort noget" in _asks(anna).said
    assert await anna.reply("ja", asked) == "not_understood"
    assert await lite.kinds() == []


@pytest.mark.parametrize("head", [{}, BARE])
async def test_yes_to_was_this_you_releases_that_mail_only(lite, head):
    anna = Player(lite)
    start, arrived = anna.newest, lite.clock.today
    held = []
    for move in "1. e4", "1. d4":
        mail = anna.write(move, start, From_=f"Anna <{STRANGER}>")
        assert await anna.send(mail, start.reply_to or "") == "confirm"
        held.append(_asks(anna))
    lite.clock.wait(days=1)
    assert await anna.reply("ja", start, **head) == "asked_which"
    assert await anna.reply("nej", held[1], **head) == "answered_no"
    assert await anna.reply("ja", held[0], **head) == "moved"
    (row,) = await lite.events()
    assert row.event.plies[0].uci() == "e2e4"  # type: ignore[union-attr]
    assert row.event.sent == arrived  # type: ignore[union-attr]
    await lite.assert_whole()


async def test_yes_to_was_this_you_books_the_leave_it_shows(lite: World) -> None:
    anna = Player(lite)
    start = anna.newest
    assert await anna.write_to_server("ferie 2026-11-20 2026-11-25") == "confirm"
    asked = _asks(anna)
    assert await anna.reply("opgiver", start) == "asked_back"
    assert await anna.reply("ja", asked) == "asked_which", "two things are open"
    assert await anna.reply("nej", next(o for o in reversed(anna.letters) if "opgive" in o.said
                                        and "/c/" in o.text)) == "answered_no"  # fmt: skip
    assert await anna.reply("ja", asked, **BARE) == "leave"
    assert await lite.kinds() == ["LeaveBooked"]


async def test_yes_to_claim_or_not_claims_nothing(world: World, anna: Player, bo: Player) -> None:
    """Two answers are possible, so a «ja» is none."""
    await anna.reply("e4")
    world.clock.wait(days=60)
    await world.pump()
    assert await bo.reply("1... e5") == "moved"
    assert await anna.reply("2. Sf3") == "late_asked"
    asked = _asks(anna)
    assert await anna.reply("ja", asked) == "asked_which"
    assert "krav på gevinst" in _asks(anna).said
    assert (await world.row()).ply == 2
    assert await anna.reply("tid", asked) == "claimed"


async def test_a_move_to_a_questions_own_address_is_a_move(lite: World) -> None:
    anna = Player(lite)
    await anna.reply("opgiver")
    address = _asks(anna).reply_to or ""
    assert address.count(".") == 2 and len(address.split("@")[0]) <= 64
    assert await anna.reply("e4", _asks(anna), **BARE) == "moved"
    assert address not in Player(lite, BO).newest.text


@rows("said", "Kd7 ja", "Ja da. Kd7 er det", "Så siger jeg Kd7", "ja. Skal vi så tage hjem?",
      "Ja undskyld, jeg har skrevet forkert", "1. Ja\n2. Er det dig eller mig der trækker nu?",
      "ja. Og hvis han slår igen så slår jeg d5 med dronningen")  # fmt: skip
async def test_yes_before_other_words_and_the_move_once_more_are_answers(lite, said):
    """As a player wrote who knew the letters alone: each was asked about a second time."""
    anna, said = Player(lite), said.replace("Kd7", "d4")
    assert await anna.reply("jeg tror nok jeg prøver d4") == "unsure"
    assert await anna.reply(said, _asks(anna)) == "moved"
    assert (await lite.row()).ply == 1


@rows("said", "ja. Nej, vent, c4", "ja, c4", "d4? nej", "ikke d4", "Ja d4 var forkert")
async def test_what_takes_something_of_a_yes_back_plays_nothing_else(lite, said):
    anna = Player(lite)
    assert await anna.reply("jeg tror nok jeg prøver d4") == "unsure"
    await anna.reply(said, _asks(anna))
    assert "d2d4" not in [one.event.plies[0].uci() for one in await lite.events()]


async def test_a_draw_asked_for_beside_a_yes_is_not_lost(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("jeg tror nok jeg prøver d4") == "unsure"
    assert await anna.reply("ja. Skal vi så sige remis?", _asks(anna)) == "draw_unclear"
    assert "1. d4" in _asks(anna).subject and "remis" in _asks(anna).said


async def test_a_move_out_of_turn_is_told_that_it_was_not_played(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("e4") == "moved"
    assert await anna.reply("Springeren fra g1 til f3 så. Vi har haft storm.") == "not_your_turn"
    told = _asks(anna)
    assert "ikke din tur" in told.subject
    assert "»Springeren fra g1 til f3 så.« er ikke spillet" in told.said
    assert told.said.count("storm") == 1
