"""One letter a day, or none: what only passes a move on waits, and nobody's days change."""

import asyncio
import re
from datetime import date
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.usecases import letters
from server.usecases.account import signin
from server.usecases.letters import next_morning
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.clock import FakeClock
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, COMMANDS, World

MORNING = date(2026, 11, 3)
"""The day after the world begins, at ten o'clock on 2 November."""


async def _choose(world: World, email: str, **chosen: str) -> None:
    assert await signin.keep(world.core, await world.person(email), chosen) == ()


async def _two_games(world: World) -> tuple[int, int]:
    """Anna moves in both of her games with Bo, who wishes for one letter a day."""
    first = world.game
    second = await world.begin("K-26-02")
    await _choose(world, BO, letters="daily")
    anna = Player(world)
    for name, move in (("K-26-01", "e4"), ("K-26-02", "d4")):
        letter = next(one for one in anna.letters if name in one.subject and _has_key(one.reply_to))
        assert await anna.reply(move, letter) == "moved"
    return first, second


def _has_key(address: str | None) -> bool:
    return address not in (None, COMMANDS)


async def _states(world: World, kind: str, email: str = BO) -> list[str]:
    reader = (await world.person(email)).id
    return [row.state for row in await world.outbox(kind) if row.person_id == reader]


async def _write(world: World, to: str, said: str) -> str:
    """Bo follows a link of his letter and writes a new mail."""
    mail = EmailMessage(policy=SMTP)
    world.mails += 1
    mail["From"], mail["To"], mail["Subject"] = f"Bo Berg <{BO}>", to, "e5"
    mail["Message-ID"] = f"<d{world.mails}.{BO}>"
    mail.set_content(said)
    return await Player(world, BO).send(mail.as_bytes(), to)


async def _on_the_web(world: World, email: str, move: str) -> None:
    async with browser(world) as one:
        await one.sign_in(email)
        assert (await one.move(move)).status == 200
    await world.pump()


@pytest.mark.both_engines
async def test_the_letter_of_the_morning_has_every_game_with_its_own_address(world: World) -> None:
    first, second = await _two_games(world)
    before = len(world.letters(BO))
    world.clock.go(MORNING, 6, 59)
    await world.pump()
    assert len(world.letters(BO)) == before
    assert await _states(world, "relay") == ["held", "held"]
    world.clock.go(MORNING, 7)
    for _ in range(3):
        await world.pump()
    (daily,) = world.letters(BO, before)
    assert "It is your move in 2 games" in daily.said
    for told in ("Anna Ager sent 1. 5254 (e4)", "Anna Ager sent 1. 4244 (d4)", "2 November 2026"):
        assert told in daily.said
    assert f"/games/{first}" in daily.text and f"/games/{second}" in daily.text
    assert daily.mail["List-Unsubscribe"].startswith("<http://skak.example/unsubscribe/daily/")
    assert daily.reply_to == COMMANDS, "a plain answer could be about either game"
    pictures = [part for part in daily.mail.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 2
    addresses = re.findall(r"parti\+[a-z2-7]+@skak\.example", daily.text)
    assert len(set(addresses)) == 2
    assert await _write(world, addresses[1], "Nf6") == "moved"
    assert [(await world.row(game)).ply for game in (first, second)] == [1, 2]
    assert await _write(world, COMMANDS, "e5") == "games_unclear", "no game is guessed at"
    assert await _states(world, "relay") == ["kept", "kept"]


async def test_a_game_that_was_answered_on_the_web_is_not_called_open(lite: World) -> None:
    await _two_games(lite)
    await _on_the_web(lite, BO, "d5")
    assert await _states(lite, "confirmation") == ["held"], "he saw it on the page"
    lite.clock.go(MORNING, 7)
    await lite.pump()
    daily = lite.letters(BO)[-1]
    assert "It is your move in 1 game " in daily.said
    assert "You sent 1... 4745 (d5) to Anna Ager" in daily.said
    assert daily.reply_to not in (None, COMMANDS), "only one game waits: a plain answer is its own"
    assert await Player(lite, BO).reply("e5", daily) == "moved"
    assert await _states(lite, "confirmation") == ["kept", "sent"], "what he mails is answered"


async def test_nothing_is_lost_or_doubled_if_it_dies_between(lite, monkeypatch):
    await _two_games(lite)
    lite.clock.go(MORNING, 7)
    enqueue = outbox_rows.enqueue

    async def dies(conn: object, letters: list[NewOutbox]) -> None:
        raise asyncio.CancelledError("killed")

    monkeypatch.setattr(letters.outbox_rows, "enqueue", dies)
    with pytest.raises(asyncio.CancelledError):
        await letters.gather(lite.core)
    assert await _states(lite, "relay") == ["held", "held"], "with the letter or not at all"
    monkeypatch.setattr(letters.outbox_rows, "enqueue", enqueue)
    await letters.gather(lite.core)
    await letters.gather(lite.core)
    assert await _states(lite, "digest") == ["queued"]
    await lite.pump()
    assert await _states(lite, "digest") == ["sent"]
    lite.clock.wait(days=1)
    await lite.pump()
    assert await _states(lite, "digest") == ["sent"], "nothing happened: no letter"


async def test_who_wants_deadlines_only_hears_of_no_move_but_of_his_time(lite: World) -> None:
    await _choose(lite, BO, letters="deadlines")
    await Player(lite).reply("e4")
    before = len(lite.letters(BO))
    await lite.wait_until(date(2026, 12, 10))
    kinds = [r.kind for r in await lite.outbox() if r.person_id == (await lite.row()).black_id]
    assert await _states(lite, "relay") == ["kept"]
    assert kinds[-3:] == ["think_warning", "reminder", "control_warning"]
    assert len(lite.letters(BO)) == before + 3


@pytest.mark.parametrize("letters", ["daily", "deadlines"])
async def test_no_wish_for_letters_changes_a_day_of_anybodys(lite: World, letters: str) -> None:
    """§ 6.8.6: received the day after the sending, whenever a letter came."""
    await _choose(lite, BO, letters=letters)
    await _choose(lite, ANNA, letters=letters)
    await Player(lite).reply("e4")
    for days, move in ((4, "e5"), (3, "Nf3"), (1, "Nc6")):
        lite.clock.wait(days=days)
        await lite.pump()
        mover = ANNA if move == "Nf3" else BO
        await _on_the_web(lite, mover, move)
    lite.clock.wait(days=9)
    await lite.pump()
    found = await lite.account()
    rows = [(row["received"], row["sent"], row["days"]) for row in found["moves"]]  # type: ignore[attr-defined]
    assert rows == [
        ("2026-11-02", "2026-11-02", 0),
        ("2026-11-03", "2026-11-06", 3),
        ("2026-11-07", "2026-11-09", 2),
        ("2026-11-10", "2026-11-10", 0),
    ]
    assert await lite.kinds() == ["MoveSent"] * 4


async def test_a_daily_letter_that_is_put_off_for_days_moves_no_receipt(lite: World) -> None:
    await _choose(lite, BO, letters="daily")
    await Player(lite).reply("e4")
    lite.host.put_off.add(BO)
    for _ in range(3):
        lite.clock.wait(days=1)
        await lite.pump()
    lite.host.put_off.clear()
    lite.clock.wait(days=1)
    await lite.pump()
    assert await _states(lite, "digest") == ["sent"]
    assert await lite.kinds() == ["MoveSent"]


async def test_a_daily_letter_that_is_refused_stops_the_time_as_a_relay_does(lite: World) -> None:
    await _choose(lite, BO, letters="daily")
    await Player(lite).reply("e4")
    lite.host.refused.add(BO)
    lite.clock.wait(days=1)
    await lite.pump()
    assert await lite.kinds() == ["MoveSent", "GamePaused"]
    assert await _states(lite, "trouble", "tl@example.org") == ["sent"]


async def test_a_wish_changed_meanwhile_loses_nothing(lite: World) -> None:
    await _choose(lite, BO, letters="daily")
    await Player(lite).reply("e4")
    await _choose(lite, BO, letters="moves")
    lite.clock.wait(days=1)
    await lite.pump()
    assert "Anna Ager sent 1. 5254 (e4)" in lite.letters(BO)[-1].said


@rows(
    "day hour minute morning",
    (date(2026, 11, 2), 6, 59, "2026-11-02T06:00:00+00:00"),
    (date(2026, 11, 2), 7, 0, "2026-11-03T06:00:00+00:00"),
    (date(2027, 3, 27), 12, 0, "2027-03-28T05:00:00+00:00"),
    (date(2026, 10, 24), 12, 0, "2026-10-25T06:00:00+00:00"),
)
def test_the_morning_is_seven_o_clock_in_summer_and_winter(day, hour, minute, morning):
    clock = FakeClock(date(2026, 1, 1))
    clock.go(day, hour, minute)
    assert next_morning(clock.now(), "Europe/Copenhagen").isoformat() == morning
