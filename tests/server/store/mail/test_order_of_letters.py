"""Letters leave in the order they were due; what anybody can cause, after all the rest."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from mail.compose import ANYBODYS
from mail.office_letters.entry_letters import JoinLetter
from mail.office_letters.service_letters import SignIn
from server.store.engine.rows import MINUTE_US
from server.store.engine.store import Store
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.due_work import Process
from server.store.mail.outbox import LEASE_US, MOST_DEATHS, NewOutbox, SentLetter
from server.store.tables.base import outbox
from tests.fakes.play import NOW_US

LETTER = NewOutbox(message_id="", kind="relay", to_addr="a@b.dk", created_us=0, due_us=0)
SIGN_INS = 1500


GAME, ANNA, BO = 7, 1, 2


def _letter(name: str, due_us: int, kind: str = "relay") -> NewOutbox:
    return replace(LETTER, message_id=f"<{name}@k>", kind=kind, created_us=due_us, due_us=due_us)


async def _put(store: Store, *letters: NewOutbox) -> None:
    async with store.write() as conn:
        await outbox_rows.enqueue(conn, list(letters))


async def _names(store: Store, limit: int, at_us: int = NOW_US) -> list[str]:
    found = await outbox_rows.claim(store, at_us, limit, ANYBODYS)
    return [row.message_id.strip("<>").removesuffix("@k") for row in found]


@pytest.mark.both_engines
async def test_letters_leave_in_the_order_they_were_due_not_newest_first(store: Store) -> None:
    """By when they were due, not by when they were written: neither way round."""
    await _put(store, _letter("third", 30), _letter("first", 10), _letter("second", 20))
    await _put(store, *(_letter(f"same{n}", 40) for n in range(3)))
    assert await _names(store, 2) == ["first", "second"]
    assert await _names(store, 9) == ["third", "same0", "same1", "same2"]


@pytest.mark.both_engines
@pytest.mark.parametrize("kind", ANYBODYS)
async def test_what_strangers_cause_holds_no_letter_of_a_game_up(store: Store, kind: str) -> None:
    assert kind in (SignIn.kind, JoinLetter.kind)
    await _put(store, *(_letter(f"{kind}{n}", 1 + n, kind) for n in range(SIGN_INS)))
    assert await _names(store, 32) == [f"{kind}{n}" for n in range(8)], "only a few at a time"
    await _put(store, _letter("move", NOW_US), _letter("answer", NOW_US - 1, "not_made"))
    named = await _names(store, 32)
    assert named == ["answer", "move", *(f"{kind}{n}" for n in range(8, 14))]
    await _put(store, *(_letter(f"move{n}", NOW_US) for n in range(8)))
    assert await _names(store, 8) == [f"move{n}" for n in range(8)]


async def _dies(store: Store) -> None:
    """The process dies with what it has claimed, and another finds it."""
    dead = Process(store.holder, "", NOW_US)
    async with store.write() as conn:
        await due_rows.beat(conn, dead)
        await due_rows.release_dead_processes(conn, [dead], NOW_US)


async def _free(store: Store, holder: str) -> int:
    async with store.write() as conn:
        return await due_rows.free_letters(conn, holder, NOW_US)


@pytest.mark.both_engines
async def test_what_a_dead_process_had_comes_before_what_was_due_after_it(store: Store) -> None:
    await _put(store, *(_letter(str(n), 10 + n) for n in range(4)))
    assert await _names(store, 2) == ["0", "1"]
    await _dies(store)
    assert await _names(store, 4) == ["0", "1", "2", "3"]


@pytest.mark.both_engines
async def test_what_many_died_with_goes_on_once_a_letter_was_sent_but_not_what_one_holds(store):
    await _put(store, _letter("deadly", 10))
    for _ in range(MOST_DEATHS):
        assert await _names(store, 4) == ["deadly"]
        await _dies(store)
    assert await _names(store, 4) == ["deadly"], "the last time before it waits"
    alive = Process(store.holder, "", NOW_US)
    async with store.write() as conn:
        await due_rows.beat(conn, alive)
    assert await _free(store, "another") == 0, "a living process holds it"
    assert await _free(store, store.holder) == 0
    async with store.write() as conn:
        await due_rows.release_dead_processes(conn, [alive], NOW_US)
    assert await _names(store, 4) == []
    await _put(store, _letter("other", NOW_US), _letter("more", NOW_US))
    for times in range(MOST_DEATHS):
        assert await _free(store, "another") == 1
        if times == 0:
            assert await _names(store, 4) == ["other", "more"], "it goes last, and alone"
        assert await _names(store, 4) == ["deadly"]
    assert await _free(store, "another") == 0, "it may be the cause after all"
    assert await _names(store, 4, NOW_US + MINUTE_US) == []
    assert await _names(store, 4, NOW_US + LEASE_US) == ["other", "more"]
    assert await _names(store, 4, NOW_US + LEASE_US) == ["deadly"], "it is never lost"


def _about(name: str, due_us: int, to: int = ANNA, kind: str = "relay") -> NewOutbox:
    """A letter about a game to one of its players."""
    return replace(_letter(name, due_us, kind), game_id=GAME, person_id=to, seq=1)


async def _sent(store: Store, limit: int) -> list[str]:
    """Claim and send; the letters' names."""
    rows = await outbox_rows.claim(store, NOW_US, limit)
    await outbox_rows.mark_sent(store, [SentLetter(row.id, b"raw") for row in rows], NOW_US)
    return [row.message_id.strip("<>").removesuffix("@k") for row in rows]


@pytest.mark.both_engines
async def test_a_letter_waits_while_one_before_it_in_its_game_is_on_its_way(store):
    await _put(store, _about("1", 10))
    assert await _names(store, 1) == ["1"]
    await _put(store, _about("2", 20), _about("3", 15, kind="confirmation"), _about("bo", 30, BO))
    await _put(store, replace(_about("person", 40), game_id=None), _letter("other", 50))
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    assert await _names(beside, 9) == ["bo", "person", "other"], "its holder may be dead or alive"
    await beside.close()
    assert await _names(store, 9) == []
    await _dies(store)
    assert [await _sent(store, 9) for _ in range(4)] == [["1"], ["2"], ["3"], []]


@pytest.mark.both_engines
@pytest.mark.parametrize("dies", [MOST_DEATHS - 1, MOST_DEATHS, MOST_DEATHS + 1])
async def test_what_many_processes_died_with_is_not_overtaken_in_its_game(store, dies):
    """Seen after 300 kills: what ten had died with came last, after later moves of its game."""
    await _put(store, _about("1", 10))
    for _ in range(dies):
        assert await _names(store, 4) == ["1"]
        await _dies(store)
    await _put(store, _about("2", 20), _about("3", 30), _about("bo", 40, BO))
    first = ["1", "bo"] if dies < MOST_DEATHS else ["bo"]
    assert await _sent(store, 4) == first
    assert await _free(store, "another") == (dies > MOST_DEATHS)
    later = [one for _ in range(4) for one in await _sent(store, 4)]
    assert [one for one in [*first, *later] if one != "bo"] == ["1", "2", "3"]


@pytest.mark.both_engines
async def test_a_letter_that_failed_and_one_that_kills_hold_up_no_later_one(store):
    await _put(store, _about("1", NOW_US - 9), _about("2", NOW_US - 8))
    (first,) = await outbox_rows.claim(store, NOW_US, 4)
    await outbox_rows.mark_letter_failed(store, first, "451 later", NOW_US)
    assert await _sent(store, 4) == ["2"]
    await _put(store, _about("3", NOW_US - 7))
    assert await _names(store, 4, NOW_US + MINUTE_US) == ["1"], "when its time has come"
    await _dies(store)
    async with store.write() as conn:
        deadly = update(outbox).where(outbox.c.id == first.id).values(deaths=2 * MOST_DEATHS)
        await conn.execute(deadly)
    assert await _sent(store, 4) == ["3"]
