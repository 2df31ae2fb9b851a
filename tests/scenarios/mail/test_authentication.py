"""The ladder of REGULATION, "Authentication", by raw SMTP: who may move, and what waits.

Cases C01-C24 of the threat list. Whatever comes, nothing goes to an unregistered address.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from kskak.game.game_events import MoveSent
from kskak.regulation.editions import Side
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, CAPTAIN, KC, STRANGER, TL, World, world_of

HOSTILE = Path(__file__).parents[2] / "mails_hostile"
CORPUS_KEY = b"parti+k7q2m3abcdefghij234567@skak.example"
FORGED = sorted(path.stem for path in HOSTILE.glob("c*.eml"))
ANOTHERS = {"c17_from_bo"}
"""From somebody else who is registered; of all others the key's owner is asked."""
RELAY = "mx.skak.example"


async def _sent_days(world: World) -> list[str]:
    return [
        row.event.sent.isoformat()
        for row in await world.events()
        if isinstance(row.event, MoveSent)
    ]


async def test_key_and_address_right_moves_and_the_mover_is_told_what_to_do_if_it_was_not_he(
    world: World, anna: Player
) -> None:
    assert await anna.reply("e4") == "moved"
    told = anna.letters[-1]
    assert "Var det ikke dig" in told.said
    assert "tl@example.org" in told.said
    assert "5254" in told.said


async def test_key_right_but_an_unregistered_address_waits_for_the_owners_button(world, anna):
    arrived = world.clock.today
    mail = anna.write("e4", From_=f"Anna <{STRANGER}>")
    before = len(anna.letters)
    assert await anna.send(mail, anna.newest.reply_to) == "confirm"
    assert await world.kinds() == []
    (asked,) = anna.letters[before:]
    assert "5254" in asked.said
    link = asked.link("/c/")
    world.clock.wait(days=3)
    async with browser(world) as scanner:
        for _ in range(2):
            shown = await scanner.get(link)
            assert (shown.status, await world.kinds()) == (200, [])
        assert "e4" in shown.text
        done = await scanner.submit(shown, "", answer="yes")
        assert done.status == 200
        await world.pump()
        assert (await scanner.get(link)).status == 410
        assert (await scanner.post(link, {"answer": "yes"})).status == 410
    assert await _sent_days(world) == [arrived.isoformat()]
    assert world.letters(BO)[-1].subject
    assert (await world.row()).ply == 1
    await world.assert_whole()


async def test_a_registered_player_who_names_no_clear_move_gets_his_games_with_fresh_keys(
    world: World, anna: Player
) -> None:
    for said, asks in (("Kampen er sjov", "unclear"), ("Hvordan gør jeg?", "help")):
        assert await anna.write_to_server(said, subject="[K-26-01/1]") == f"games_{asks}"
        told = anna.letters[-1]
        assert "K-26-01/1" in told.said
        assert "parti+" in told.said
    assert await world.kinds() == []
    key = next(word for word in anna.letters[-1].said.split() if word.startswith("parti+"))
    mail = anna.write("e4", To=key, In_Reply_To=None, References=None)
    assert await anna.send(mail, key) == "moved", "the fresh key plays"


@pytest.mark.parametrize("sender", [STRANGER, BO, CAPTAIN, TL])
async def test_a_foreign_sender_is_held_and_only_an_official_is_written_to(world, anna, sender):
    """Without a key, or with another player's: an official looks, and is told."""
    key, before = anna.newest.reply_to, len(world.host.letters)
    to = key if sender != STRANGER else "parti@skak.example"
    mail = anna.write("e4", From_=sender, To=to, **_unthreaded(sender))
    await anna.send(mail, to)
    (row,) = await world.inbox()
    assert (row.state, row.outcome) == ("held", "held")
    assert row.note is not None
    assert [letter.to for letter in world.host.letters[before:]] == [KC]
    assert await world.kinds() == []


def _unthreaded(sender: str) -> dict[str, str | None]:
    """A stranger answers nothing; the others have Anna's letter."""
    return {"In_Reply_To": None, "References": None} if sender == STRANGER else {}


async def test_a_made_up_key_is_refused_before_any_mail_is_kept(world: World, anna: Player) -> None:
    real = anna.newest.reply_to
    assert real is not None
    key = real.partition("+")[2].partition("@")[0]
    turned = real.replace(key, ("a" if key[0] != "a" else "b") + key[1:])
    mail = anna.write("e4", To=turned, In_Reply_To=None, References=None)
    code, said = await world.smtp(mail, turned)
    assert (code, said[:15]) == (550, "5.1.1 Wrong key")
    assert await world.inbox() == () and await world.kinds() == []
    assert await anna.send(mail, real) == "moved"


async def test_a_spent_key_gets_a_polite_answer_for_each_new_try(world, anna, bo):
    first = anna.newest
    await anna.reply("e4")
    await bo.reply("1... c5")
    before = len(anna.letters)
    for move in ("d4", "d4", "c4", "2. Sf3"):
        assert await anna.reply(move, first) == "spent"
    assert len(anna.letters) == before + 3, "the same words again get no second letter"
    assert "allerede besvaret" in anna.letters[-1].said
    assert (await world.row()).ply == 2
    assert await world.total(Side.WHITE) == 0
    assert await anna.reply("2. Sf3") == "moved", "the polite answer carries the fresh address"


@pytest.mark.parametrize("name", FORGED)
async def test_forged_senders_change_nothing_and_nothing_leaves_for_unregistered_addresses(
    lite: World, name: str
) -> None:
    key = lite.letters(ANNA)[-1].reply_to
    assert key is not None
    raw = (HOSTILE / f"{name}.eml").read_bytes().replace(CORPUS_KEY, key.encode())
    raw = raw.replace(b"2. Nf3", b"1. Nf3")
    before = len(lite.host.letters)
    code, _ = await lite.smtp(raw, key, sender=STRANGER)
    await lite.pump()
    assert await lite.kinds() == []
    if code == 250:
        expected = "held" if name in ANOTHERS else "confirm"
        assert [outcome for _, outcome in await lite.fates()] == [expected]
        told = lite.host.letters[before:]
        assert [letter.to for letter in told] == [ANNA if expected == "confirm" else KC]
        assert STRANGER not in "".join(letter.said for letter in told)
    assert {letter.to for letter in lite.host.letters} <= {ANNA, BO, KC}


@pytest.fixture
async def relayed(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A world behind a relay of its own that writes findings and times of receipt."""
    settings = {"authserv_id": RELAY, "trusted_relays": ["127.0.0.1"]}
    async with world_of(sqlite_url, str(tmp_path), **settings) as made:
        await made.begin()
        yield made


def _stamped(raw: bytes, finding: str, when: str, *, authserv: str = RELAY) -> bytes:
    head = f"Authentication-Results: {authserv}; dmarc={finding} header.from=example.dk\r\n"
    trace = f"Received: from x (x [192.0.2.1]) by {RELAY} with ESMTPS id 1; {when}\r\n"
    return (trace + head).encode() + raw


async def test_a_trusted_finding_of_forgery_waits_and_counts_from_the_relays_own_time(relayed):
    anna, clock = Player(relayed), relayed.clock
    clock.go(clock.today + timedelta(days=2), 0, 10)
    yesterday = clock.today - timedelta(days=1)
    when = f"{yesterday:%a, %d %b %Y} 23:58:00 +0100"
    key = anna.newest.reply_to
    assert key is not None
    raw = _stamped(anna.write("e4"), "fail", when)
    assert await anna.send(raw, key) == "confirm"
    assert await relayed.kinds() == []
    async with browser(relayed) as one:
        await one.submit(await one.get(anna.letters[-1].link("/c/")), "", answer="yes")
    await relayed.pump()
    assert await _sent_days(relayed) == [yesterday.isoformat()]
    await relayed.assert_whole()


async def test_only_the_trusted_relays_own_finding_counts(relayed: World) -> None:
    """C14, C15: a verdict below ours, or by a name that only looks like ours."""
    anna, when = Player(relayed), "Mon, 02 Nov 2026 10:00:00 +0100"
    key = anna.newest.reply_to
    assert key is not None
    forged = _stamped(anna.write("e4"), "pass", when, authserv=RELAY + ".evil")
    assert await anna.send(_stamped(forged, "fail", when), key) == "confirm"
    named = _stamped(anna.write("e4"), "fail", when, authserv=RELAY + ".evil")
    assert await anna.send(named, key) == "moved"


async def test_a_finding_is_nobodys_when_no_relay_is_trusted(lite: World) -> None:
    anna = Player(lite)
    raw = _stamped(anna.write("e4"), "fail", "Sun, 01 Nov 2026 09:00:00 +0100")
    lite.clock.wait(days=1)
    assert await anna.send(raw, anna.newest.reply_to) == "moved"
    assert await _sent_days(lite) == [lite.clock.today.isoformat()], "no trust, no earlier day"


async def test_an_old_key_when_it_is_the_opponents_turn_moves_nothing(world, anna, bo):
    await anna.reply("e4")
    await bo.reply("1... c5")
    own = bo.letters[-1]
    assert await bo.reply("2... d6", own) == "not_your_turn"
    assert (await world.row()).ply == 2


async def test_address_right_and_key_missing_but_game_and_move_clear_waits_for_the_button(
    world: World, anna: Player
) -> None:
    said = await anna.write_to_server("1. e4", subject="Træk [K-26-01/1]")
    assert said == "confirm"
    assert await world.kinds() == []
    link = anna.letters[-1].link("/c/")
    async with browser(world) as one:
        await one.submit(await one.get(link), "", answer="yes")
    await world.pump()
    assert await world.kinds() == ["MoveSent"]
    await world.assert_whole()


async def test_saying_no_to_a_held_mail_uses_the_question_up_and_plays_nothing(world, anna):
    key = anna.newest.reply_to
    await anna.send(anna.write("e4", From_=STRANGER), key)
    link = anna.letters[-1].link("/c/")
    async with browser(world) as one:
        await one.submit(await one.get(link), "", answer="no")
        assert (await one.post(link, {"answer": "yes"})).status == 410
    await world.pump()
    assert await world.kinds() == []
