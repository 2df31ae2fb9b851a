"""Letters are written and sent many at a time: what befalls one is none of the others' business."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text

from mail.office_letters.service_letters import SignIn
from mail.outgoing.smtp_out import Outcome, SmtpConnection
from server.jobs import mail_jobs
from server.jobs.mail_jobs import LETTERS_AT_ONCE, OutboxJob
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.usecases import letters
from server.usecases.context import Core, poster_of
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World
from tests.scenarios.mail.test_hanging import move_read

MOVED = ("confirmation", "relay")


async def _states(lite: World) -> dict[str, str]:
    return {row.kind: row.state for row in await lite.outbox() if row.kind in MOVED}


async def _mended(lite: World, before: dict[str, int]) -> None:
    """Each got the letter about the move, once and whole."""
    lite.clock.wait(minutes=31)
    await lite.pump()
    assert {one: len(lite.letters(one)) - before[one] for one in before} == {ANNA: 1, BO: 1}
    assert "e4" in lite.letters(BO)[-1].said
    await lite.assert_whole()


async def test_what_has_left_is_marked_though_another_letter_fails_in_a_way_nobody_foresaw(
    lite: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, send = {one: len(lite.letters(one)) for one in (ANNA, BO)}, SmtpConnection.send

    async def failing(sender: SmtpConnection, octets: bytes, by: str, to: str) -> Outcome:
        if to == BO:
            raise RuntimeError("nobody foresaw this")
        return await send(sender, octets, by, to)

    await move_read(lite)
    with monkeypatch.context() as patch:
        patch.setattr(SmtpConnection, "send", failing)
        await lite.jobs[2].work()  # type: ignore[attr-defined]
    assert await _states(lite) == {"confirmation": "sent", "relay": "queued"}
    (relay,) = await lite.outbox("relay")
    assert "nobody foresaw" in (relay.last_error or ""), "and it is tried again soon"
    await _mended(lite, before)


@pytest.mark.both_engines
async def test_a_letter_that_the_database_refuses_waits_whole_and_alone(world, monkeypatch):
    before, read = {one: len(world.letters(one)) for one in (ANNA, BO)}, letters._read
    await move_read(world)
    first = min(row.id for row in await world.outbox() if row.kind in MOVED)

    async def refusing(core: Core, letter: OutboxRow) -> letters._Read:
        if letter.id == first:  # PostgreSQL then refuses all that is asked after it, too
            async with core.store.read() as conn:
                await conn.execute(text("SELECT no_such_column"))
        return await read(core, letter)

    with monkeypatch.context() as patch:
        patch.setattr(letters, "_read", refusing)
        await world.jobs[2].work()  # type: ignore[attr-defined]
    assert sorted((await _states(world)).values()) == ["queued", "sent"]
    await _mended(world, before)


async def test_a_letter_that_waited_behind_slow_ones_is_not_begun_when_another_may_take_it(
    lite: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, send = {one: len(lite.letters(one)) for one in (ANNA, BO)}, SmtpConnection.send

    async def slow(sender: SmtpConnection, octets: bytes, by: str, to: str) -> Outcome:
        lite.clock.wait(minutes=11)
        return await send(sender, octets, by, to)

    one_lane = lite.jobs[2]
    assert isinstance(one_lane, OutboxJob)
    del one_lane._senders[1:]
    one_lane._size = LETTERS_AT_ONCE  # both letters are claimed together
    await move_read(lite)
    with monkeypatch.context() as patch:
        patch.setattr(SmtpConnection, "send", slow)
        await one_lane.work()
    assert sorted((await _states(lite)).values()) == ["queued", "sent"]
    await _mended(lite, before)


async def test_a_daily_letter_that_can_not_be_gathered_keeps_nobody_waiting(lite, monkeypatch):
    before = {one: len(lite.letters(one)) for one in (ANNA, BO)}
    monkeypatch.setattr(outbox_rows, "readers_due", lambda conn, now_us: [1])

    async def failing(*_: object) -> None:
        raise KeyError("told")

    monkeypatch.setattr(outbox_rows, "take", failing)
    await move_read(lite)
    await _mended(lite, before)


def _once(work: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    """The same, but the first time the process stops there."""
    calls: list[object] = []

    async def stopped(*args: object, **named: object) -> object:
        calls.append(args)
        if len(calls) == 1:
            raise ConnectionError("the process was killed here")
        return await work(*args, **named)

    return stopped


@pytest.mark.parametrize("name", ["note_undeliverable", "mark_letter_failed"])
async def test_a_refused_relay_stops_the_time_wherever_the_process_is_killed(
    lite: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    where = mail_jobs if name == "note_undeliverable" else outbox_rows
    monkeypatch.setattr(where, name, _once(getattr(where, name)))
    lite.host.refused = {BO}
    assert await Player(lite).reply("e4") == "moved"
    lite.clock.wait(minutes=31)
    await lite.pump()
    (relay,) = await lite.outbox("relay")
    assert relay.state == "dead"
    assert (await lite.kinds()).count("GamePaused") == 1
    assert len(lite.letters(TL)) == 1, "the leader is told once"


async def test_1500_sign_in_letters_hold_no_letter_of_a_game_up(lite, monkeypatch):
    """The issue's number: a relay leaves after the few letters in hand, not after all."""
    core, person, send = lite.core, (await lite.person(BO)).id, SmtpConnection.send
    params: dict[str, object] = {"link": "http://skak.example/login/x", "expires_us": core.now_us}
    poster, gone, begun, relayed = poster_of(core), list[str](), asyncio.Event(), asyncio.Event()
    asked = [poster.to_person(SignIn, person, str(n), params) for n in range(1500)]
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, asked)

    async def noting(sender: SmtpConnection, octets: bytes, by: str, to: str) -> Outcome:
        done = await send(sender, octets, by, to)
        is_relay = to == BO and b"<sign_in." not in octets
        gone.append("relay" if is_relay else "other")
        (relayed if is_relay else begun).set()
        return done

    monkeypatch.setattr(SmtpConnection, "send", noting)
    sending = asyncio.create_task(_all_sent(lite))
    await asyncio.wait_for(begun.wait(), 20)
    await move_read(lite)
    in_hand = len(gone)
    await asyncio.wait_for(relayed.wait(), 20)
    sending.cancel()
    assert gone.index("relay") - in_hand <= 3 * outbox_rows.MOST_FROM_STRANGERS


async def _all_sent(lite: World) -> None:
    while await lite.jobs[2].work():  # type: ignore[attr-defined]
        pass
