"""The letter about a day's mail: to administrators, once, only if there is something to tell."""

import pytest
from sqlalchemy import update

from mail.office_letters.service_letters import OperatorAlert
from server.store.mail import outbox as outbox_rows
from tests.fakes.machinery.player import Player
from tests.fakes.reports import report_on
from tests.fakes.world import ANNA, BO, CAPTAIN, KC, World, make_administrator

STRANGERS = "parti@skak.example"
UNTHREADED = {"References": None, "In_Reply_To": None, "To": STRANGERS, "Subject": "Kup!"}


def reports(world: World) -> list[str]:
    """The reports that came, as text."""
    came = [letter.said for letter in world.letters(CAPTAIN)]
    return [said for said in came if "/desk/mail" in said]


async def _next_day(world: World) -> None:
    world.clock.wait(days=1)
    await world.pump()


@pytest.mark.both_engines
async def test_the_days_mail_is_told_to_administrators_once(world: World, anna: Player) -> None:
    await make_administrator(world)
    await _next_day(world)
    assert reports(world) == [], "a day without anything to tell has no letter"
    assert await anna.send(anna.write("e4", From_=BO), anna.newest.reply_to or "") == "held"
    for number in range(2):
        raw = anna.write("Kup!", From_="Zażółć <zg@example.pl>", **UNTHREADED)
        await anna.send(raw.replace(b"<m", f"<p{number}.".encode()), STRANGERS)
    async with world.core.store.write() as conn:
        letter = (await outbox_rows.newest(conn, 1))[0]
        dead = outbox_rows.outbox.c.id == letter.id
        gone = {"state": "dead", "due_us": world.core.now_us, "last_error": "550 ingen her"}
        await conn.execute(update(outbox_rows.outbox).where(dead).values(gone))
    assert reports(world) == [], "not before the day is over"
    await _next_day(world)
    (said,) = reports(world)
    assert "1 mail fra en spiller eller om et parti venter på en afgørelse." in said
    assert "2 mails fra fremmede er holdt tilbage." in said
    assert "1 mail til en modtager er opgivet." in said and "550 ingen her" in said
    assert f"{BO}: " in said and "zg@example.pl" not in said, "strangers are only counted"
    assert "kommer tilbage" not in said and "lagt til side" not in said
    assert not [one for one in world.letters(KC) if "mail til en modtager er opgivet" in one.said]
    await _next_day(world)
    await _next_day(world)
    assert len(reports(world)) == 1, "each mail is reported once"


async def test_an_address_from_which_mail_comes_back_is_named_in_the_report(world, anna):
    await make_administrator(world)
    await _next_day(world)
    assert await anna.reply("e4") == "moved"
    relay = world.letters(BO)[-1]
    await world.smtp(report_on(relay, "failed", "5.1.1"), relay.sender, sender="")
    await world.pump()
    await _next_day(world)
    (said,) = reports(world)
    assert "kommer tilbage" in said and BO in said


async def test_a_report_is_in_the_administrators_language(lite: World) -> None:
    await make_administrator(lite, "en")
    await _next_day(lite)
    anna = Player(lite, ANNA)
    assert await anna.send(anna.write("e4", From_=BO), anna.newest.reply_to or "") == "held"
    await _next_day(lite)
    (said,) = reports(lite)
    assert "1 mail from a player or about a game waits for a decision." in said
    letters = [row for row in await lite.outbox(OperatorAlert.kind) if "mail_report" in row.params]
    assert len(letters) == 1
