"""A fault of ours in writing a letter: it goes out all the same, and an operator is told."""

import pytest
from sqlalchemy import update

from mail import compose as composing
from mail.game_letters.move_letters import Relay
from mail.office_letters.service_letters import Unwritten
from server.store.mail.outbox import GIVE_UP_US
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Role
from server.store.tables.base import people
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World

OPERATOR = "drift@example.org"


async def _operator(world: World) -> None:
    new = NewPerson(
        name="D. Rift", email=OPERATOR, created_us=world.core.now_us, role=Role.ADMIN, lang="da"
    )
    async with world.core.store.write() as conn:
        await person_rows.add_person(conn, new)


def _break(patch: pytest.MonkeyPatch, *kinds: type) -> None:
    """From here letters of these kinds can't be composed."""

    write = composing.write

    def stumble(letter, words, envelope):
        if isinstance(letter, kinds):
            raise KeyError("letters.no.such.word")
        return write(letter, words, envelope)

    patch.setattr(composing, "write", stumble)


@rows(
    "white black",
    ("Hans-Jørgen Bæk", "Karl-Åge Jørgensen"),
    ("Jákup á Lakjuni Djurhuus", "Łukasz Szczęsny-Wiśniewski"),
    ("محمد عبدالله الأحمد", "Åse\u200f \U0001f468\u200d\U0001f469\u200d\U0001f467 Nørby"),
    ("Ægidius " * 25, "ل" * 200),
)
async def test_letters_of_a_game_arrive_whatever_the_players_are_called(lite, white, black):
    async with lite.core.store.write() as conn:
        for email, name in ((ANNA, white.strip()), (BO, black)):
            await conn.execute(update(people).where(people.c.email == email).values(name=name))
    assert await Player(lite).reply("e4") == "moved"
    assert len(lite.letters(BO)) == 2, "start letter and relay"
    assert len(lite.letters(ANNA)) == 3, "start letter, first move, confirmation"
    assert {row.state for row in await lite.outbox()} == {"sent"}
    assert lite.letters(TL) == []
    await lite.assert_whole()


async def test_a_letter_that_fails_goes_out_plain_and_an_operator_is_told(lite, monkeypatch):
    await _operator(lite)
    _break(monkeypatch, Relay)
    assert await Player(lite).reply("e4") == "moved"
    plain = lite.letters(BO)[-1]
    assert f"/games/{lite.game}" in plain.said
    assert "the fault is ours" in plain.said.casefold()
    (alarm,) = lite.letters(OPERATOR)
    assert "enklere form" in alarm.said
    assert "letters.no.such.word" in alarm.said
    assert lite.letters(TL) == [], "his mail server refused nothing"
    assert "GamePaused" not in await lite.kinds()
    await lite.assert_whole((OPERATOR,))


async def test_a_letter_that_nothing_can_write_waits_until_we_are_mended(lite, monkeypatch):
    await _operator(lite)
    with monkeypatch.context() as patch:
        _break(patch, Relay, Unwritten)
        assert await Player(lite).reply("e4") == "moved"
        lite.clock.wait(days=GIVE_UP_US // 86_400_000_000 + 1)
        await lite.pump()
        (row,) = await lite.outbox("relay")
        assert row.state == "queued"
        assert len(lite.letters(BO)) == 1
        assert len(lite.letters(OPERATOR)) == 2, "one a day"
    lite.clock.wait(days=1)
    await lite.pump()
    assert lite.letters(BO)[-1].message_id == row.message_id
    assert lite.letters(TL) == []
    await lite.assert_whole((OPERATOR,))
