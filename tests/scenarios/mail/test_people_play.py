"""A whole game as people write it, from a phone and an office program, by real SMTP."""

import json
import logging

import pytest

from kskak.regulation.editions import Result
from server.machine import JsonLines
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, World


@pytest.mark.parametrize("layouts", [("apple", "outlook"), ("gmail", "thunderbird")])
async def test_a_game_in_prose_ends_in_mate(lite: World, layouts: tuple[str, str]) -> None:
    anna = Player(lite, layout=layouts[0])
    bo = Player(lite, BO, layout=layouts[1], lang="en")
    assert await anna.reply("Hej Bo\n\nf-bonde til f3\n\nHilsen Anna") == "moved"
    assert await bo.reply("Hi Anna,\n\ne7 to e5\n\nSent from my iPhone") == "moved"
    assert await anna.reply("Mon ikke jeg rykker g-bonden til g4") == "unsure"
    assert await anna.reply("ja", anna.letters[-1]) == "moved"
    assert await bo.reply("2... “Qh4”") == "moved"
    row = await lite.row()
    assert (row.ply, row.result) == (4, Result.BLACK_WINS)
    assert "FaultySent" not in await lite.kinds()


async def test_an_encrypted_mail_is_told_so(lite: World) -> None:
    anna = Player(lite, layout=None)
    said = "-----BEGIN PGP MESSAGE-----\n\nhQEMA5254\n-----END PGP MESSAGE-----"
    assert await anna.reply(said) == "sealed"
    assert "krypteret" in anna.letters[-1].said
    assert await lite.kinds() == []


async def test_later_letters_say_what_still_waits_for_a_yes(lite: World) -> None:
    anna, bo = Player(lite), Player(lite, BO, layout="outlook", lang="en")
    first = anna.newest
    assert await anna.reply("e4", List_Id="<skak.example.dk>") == "confirm"
    asked = anna.letters[-1]
    assert "venter stadig" not in asked.said, "it is the question itself"
    lite.clock.wait(hours=1)
    assert await anna.reply("Sikke et vejr", first) == "not_understood"
    assert "Dette venter stadig på dit ja" in anna.letters[-1].said
    assert await anna.reply("ja", asked, List_Id="<skak.example.dk>") == "moved"
    assert await bo.reply("e5") == "moved"
    assert "venter stadig" not in anna.letters[-1].said


async def test_leave_that_answers_no_letter_is_asked_about(lite: World) -> None:
    """A robot that answers for a person books nothing."""
    anna = Player(lite, layout=None)
    day = lite.clock.today.replace(day=28).isoformat()
    head = {"In_Reply_To": None, "References": None}
    assert await anna.reply(f"ferie {day} {day}", **head) == "confirm"
    assert await lite.kinds() == []
    assert await anna.reply("ja", anna.letters[-1]) == "leave"
    assert await lite.kinds() == ["LeaveBooked"]


async def test_a_log_line_has_one_id_from_a_mail_to_the_letters_that_it_causes(lite, caplog):
    """A move, and an answer that nothing was understood; JSON, whatever the relay answers."""
    caplog.set_level(logging.INFO, logger="server.jobs.mail_jobs")
    anna, lines = Player(lite), JsonLines()
    letter = anna.newest
    for answers, said, outcome, to in (
        (anna.letters[0], "Sikke et vejr", "games_unclear", ANNA),
        (letter, "Sikke et vejr", "not_understood", ANNA),
        (letter, "e4", "moved", BO),
    ):
        caplog.clear()
        before = len(lite.host.to(to))
        assert await anna.reply(said, answers) == outcome
        assert len(lite.host.to(to)) == before + 1
        number = (await lite.newest_mail()).id
        told = [json.loads(lines.format(record)) for record in caplog.records]
        assert {line["id"] for line in told} == {f"mail-{number}"}
        assert told[0]["message"] == f"mail {number}: {outcome}"
        assert all("sent: " in line["message"] for line in told[1:]) and len(told) > 1
        assert told[0].keys() == {"at", "level", "logger", "message", "id"}
    fault = logging.LogRecord("x", 40, "", 0, "mail %s\nfailed", ("7",), None)
    assert json.loads(lines.format(fault))["message"] == "mail 7\nfailed"
    assert "\n" not in lines.format(fault)
