"""Own analysis and notes, the quiet thread, moves that wait: kept for one, done once."""

import asyncio
from dataclasses import replace

import pytest

from server.store import books as book_rows
from server.store.account import retention as retention_rows
from server.store.books import NewRow
from server.store.engine.chain import verify_notes
from server.store.engine.rows import MINUTE_US
from server.store.engine.store import Store
from server.store.play import notes_and_messages as note_rows
from server.store.play import people as person_rows
from server.store.play import requests as request_rows
from server.store.play.notes_and_messages import NONE_YET, OwnText
from server.store.play.people import NewOffice, NewPerson
from server.store.play.requests import DelayedMove, DueMove
from server.store.tables import all_tables
from server.usecases.desks.database_care import verify
from tests.fakes.many import statements
from tests.fakes.play import NOW_US, start_games

WHITE, BLACK = 1, 2
MOVE = DelayedMove(
    1001, WHITE, 0, "fen", "e2e4", "e4", "Hej", False, "da", "k1", NOW_US, NOW_US + MINUTE_US
)


@pytest.fixture
async def game(store: Store) -> int:
    """The first of two games of White and Black."""
    return (await start_games(store, 2))[0]


async def test_of_two_tabs_that_save_a_note_the_later_learns_of_it(store: Store, game: int) -> None:
    async def save(text: str, stamp: int) -> bool:
        async with store.write() as conn:
            new = OwnText(text, stamp, NOW_US)
            return await conn.run_sync(note_rows.save_text, note_rows.NOTES, game, WHITE, new)

    async with store.read() as conn:
        assert await conn.run_sync(note_rows.find_text, note_rows.NOTES, game, WHITE) == NONE_YET
    first = await asyncio.gather(save("en", 0), save("to", 0))
    assert sorted(first) == [False, True]
    assert await save("tre", 1)
    assert not await save("fire", 1)
    async with store.read() as conn:
        assert await conn.run_sync(note_rows.find_text, note_rows.NOTES, game, WHITE) == OwnText(
            "tre", 2, NOW_US
        )
        assert await conn.run_sync(note_rows.find_text, note_rows.NOTES, game, BLACK) == NONE_YET


async def test_a_message_is_kept_once_and_unread_until_seen(store: Store, game: int) -> None:
    async with store.write() as conn:
        first = await note_rows.add(conn, game, WHITE, "Hej", NOW_US, "k1")
        assert await note_rows.add(conn, game, WHITE, "Hej", NOW_US, "k1") is None
        assert first is not None
        await note_rows.add(conn, game, WHITE, "Igen", NOW_US + 1, "k2")
        await note_rows.add(conn, game + 1, BLACK, "Goddag", NOW_US, "k1")
        assert await note_rows.written_since(conn, game, WHITE, NOW_US) == 1
        assert await note_rows.unread_of(conn, BLACK, [game, game + 1]) == {game: 2}
        assert await note_rows.unread_of(conn, WHITE, [game, game + 1]) == {game + 1: 1}
        await conn.run_sync(note_rows.mark, game, BLACK, seen_id=first)
        assert await note_rows.unread_of(conn, BLACK, [game]) == {game: 1}
        await conn.run_sync(note_rows.mark, game, BLACK, seen_id=first + 99, is_quiet=True)
        await conn.run_sync(note_rows.mark, game, BLACK, seen_id=first)
        assert await conn.run_sync(note_rows.mark_of, game, BLACK) == (first + 99, True)
        assert await note_rows.unread_of(conn, BLACK, [game]) == {}


async def test_what_is_unread_in_many_games_is_one_question(store: Store, game: int) -> None:
    async with store.read() as conn:
        with statements() as asked:
            await note_rows.unread_of(conn, BLACK, range(game, game + 500))
    assert len(asked) == 1


async def test_one_move_waits_a_game_and_the_same_form_does_not_wait_longer(store, game):
    async with store.write() as conn:
        await request_rows.put_delayed_move(conn, MOVE)
        await request_rows.put_delayed_move(conn, replace(MOVE, due_us=MOVE.due_us + 1))
        assert await conn.run_sync(request_rows.find_delayed_move, game, WHITE) == MOVE
        other = replace(MOVE, text="d4", key="k2")
        await request_rows.put_delayed_move(conn, other)
        assert await conn.run_sync(request_rows.list_person_delayed_moves, WHITE) == (other,)
        assert await conn.run_sync(request_rows.list_person_delayed_moves, BLACK) == ()
        assert await request_rows.due(conn, MOVE.due_us - 1, 10) == ()
        assert await request_rows.due(conn, MOVE.due_us, 10) == (DueMove(game, WHITE),)


async def test_of_who_sends_a_move_and_who_takes_it_back_one_finds_it_gone(store, game):
    """Two stores stand for two processes; the row is locked by whoever comes first."""
    beside = await Store.open(store.url.render_as_string(hide_password=False))

    async def send() -> bool:
        async with store.write() as conn:
            taken = await request_rows.take(conn, game, WHITE)
            await asyncio.sleep(0.05)
            return taken is not None and await request_rows.remove(conn, game, WHITE)

    async def undo() -> bool:
        async with beside.write() as conn:
            return await request_rows.remove(conn, game, WHITE, "k1")

    for _ in range(3):
        async with store.write() as conn:
            await request_rows.put_delayed_move(conn, MOVE)
        assert sorted(await asyncio.gather(send(), undo())) == [False, True]
    await beside.close()


async def test_a_dropped_move_waits_no_more_and_a_failed_one_is_left_alone(store, game):
    which = DueMove(game, WHITE)
    async with store.write() as conn:
        await request_rows.put_delayed_move(conn, MOVE)
        await request_rows.push(conn, which, "Boom", MOVE.due_us)
        assert await request_rows.due(conn, MOVE.due_us, 10) == ()
        later = MOVE.due_us + request_rows.BACK_OFF_US
        assert await request_rows.due(conn, later, 10) == (which,)
        await request_rows.drop(conn, game, WHITE, "stale")
        await request_rows.push(conn, which, "Boom", MOVE.due_us)
        assert await request_rows.due(conn, later * 2, 10) == ()
        assert await request_rows.take(conn, game, WHITE) is None
        found = await conn.run_sync(request_rows.find_delayed_move, game, WHITE)
        assert found is not None and found.dropped == "stale"


# What people have chosen is kept by person and name, and goes with their contact data.


async def test_choices_are_kept_by_name_replaced_and_forgotten(store: Store) -> None:
    await start_games(store)
    async with store.write() as conn:
        await person_rows.keep_preferences(conn, 1, {"board": "green", "undo": "5"})
        await person_rows.keep_preferences(conn, 2, {"board": "blue"})
        await person_rows.keep_preferences(conn, 1, {"board": "brown"})
        await person_rows.keep_preferences(conn, 1, {})
    kept = await store.look(lambda conn: person_rows.preferences_of(conn, [1, 2, 3]))
    assert {who: dict(pairs) for who, pairs in kept.items()} == {
        1: {"board": "brown", "undo": "5"},
        2: {"board": "blue"},
        3: {},
    }
    async with store.write() as conn:
        await retention_rows.forget_contacts(conn, [1])
    kept = await store.look(lambda conn: person_rows.preferences_of(conn, [1, 2]))
    assert {who: dict(pairs) for who, pairs in kept.items()} == {1: {}, 2: {"board": "blue"}}


# § 6.1.1-6.1.2: what is written of offices, accounts and fees is noted, whoever else writes.


MANY = 6


async def _person(store: Store) -> int:
    async with store.write() as conn:
        return await person_rows.add_person(
            conn, NewPerson(name="Kaj", email="kaj@example.org", created_us=0)
        )


async def _appoint(store: Store, person: int, at_us: int) -> int:
    async with store.write() as conn:
        new = NewOffice(person, "tl", None, at_us, person)
        return await person_rows.add_office(conn, new)


def _fee(person: int, number: int) -> NewRow:
    row = {"tournament": "EMT", "kind": "fee", "day": "2026-09-01", "ore": 20_000}
    row |= {"party": "Anna", "text": "Indskud", "by_id": person, "at_us": number}
    return row | {"reverses": None, "publication_id": None, "key": f"key {number}"}


async def _noted(store: Store) -> int:
    async with store.read() as conn:
        kept = await all_tables.everything(conn)
    verify_notes(all_tables.REGISTER, kept.links, kept.end)
    assert kept.wrong == ()
    return len(kept.links)


async def test_notes_made_at_once_follow_each_other(store: Store) -> None:
    person = await _person(store)
    made = await asyncio.gather(*(_appoint(store, person, number) for number in range(MANY)))
    assert await _noted(store) == MANY
    async with store.write() as conn:
        assert await person_rows.end(conn, made[0], 99)
        assert not await person_rows.end(conn, made[0], 100), "ended before: nothing to note"
        entries = [_fee(person, number) for number in (1, 2, 1)]
        assert await book_rows.add(conn, entries) == 2
        assert await book_rows.add(conn, entries[:1]) == 0, "known: nothing to note"
        await book_rows.add_one(conn, _fee(person, 3))
    assert await _noted(store) == MANY + 4
    assert (await verify(store)).findings == ()
