"""The writer: batches, order, histories, keys, mails, and units that fail."""

import asyncio
from dataclasses import dataclass, replace
from datetime import date

import pytest
from sqlalchemy import Connection, Dialect, func, select, update

from kskak.game.game_events import LeaveBooked, MoveSent, PlayerResigned
from kskak.ledger.ledger_files import LedgerError
from kskak.play.evolve_game import replay
from kskak.regulation.editions import Side
from server.store.engine.chain import verify
from server.store.engine.connection import StoreConflict, UnknownGame
from server.store.engine.rows import DAY_US, from_us
from server.store.engine.store import Store
from server.store.mail import batch as batch_rows
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxMark, InboxState, NewMail
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from server.store.play.requests import IdempotencyKey, StoredResponse
from server.store.tables.base import events, games
from server.usecases.games.game_units import (
    AlreadyDone,
    KeyReused,
    LockedGame,
    Origin,
    Writes,
    links_of,
    starts_of,
)
from server.usecases.games.writer import WriteBatch, Writer
from tests.fakes.play import NOW_US, RUY, START, Move, appended, find_game_due_work, start_games

pytestmark = pytest.mark.both_engines


async def _game(store: Store, game_id: int) -> game_rows.GameRow:
    async with store.read() as conn:
        row = await game_rows.load(conn, game_id)
        assert row is not None
        history = await game_rows.history(conn, game_id)
        said = await note_rows.messages_of_game(conn, game_id)
    verify(
        row.id, row.terms, links_of(history, said), (row.seq, row.head), starts_of(row, (), history)
    )
    assert replay(row.terms, [e.event for e in history]) == row.state()
    return row


async def test_moves_of_one_game_submitted_at_once_run_in_order_on_the_evolving_state(store):
    (game_id,) = await start_games(store)
    writer = Writer(store)
    answers = await asyncio.gather(*(writer.submit(Move(game_id, uci)) for uci in RUY))
    assert answers == list(range(1, len(RUY) + 1))
    row = await _game(store, game_id)
    assert (row.seq, row.ply, row.to_move_id) == (16, 16, row.white_id)
    assert row.flag_on is not None
    async with store.read() as conn:
        assert len(await outbox_rows.newest(conn)) == len(RUY)
        due = await find_game_due_work(conn, game_id)
    assert due is not None and due.seq == len(RUY)


async def test_statements_of_a_batch_do_not_grow_with_its_units(store, monkeypatch):
    ids = await start_games(store, 40)
    counted: list[str] = []
    for name in ("do_execute", "do_executemany"):
        _count(store.engines[1].dialect, name, counted, monkeypatch)
    writer = Writer(store)
    numbers = []
    for some in (ids[:1], ids[1:]):
        counted.clear()
        await asyncio.gather(*(writer.submit(Move(game_id, RUY[0])) for game_id in some))
        numbers.append(len([sql for sql in counted if not sql.startswith("BEGIN")]))
    counts_none = store.dialect == "postgresql"  # its driver does not count many updates
    assert numbers == [4, 4 + counts_none], "select, events, games, outbox"
    (changed,) = {sql for sql in counted if sql.startswith("UPDATE games")}
    assert "to_move_id" in changed and "result" not in changed, "its indexes are left alone"


def _count(
    dialect: Dialect, name: str, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Note what goes to the driver, whoever sends it."""
    run = getattr(dialect, name)

    def noting(cursor: object, sql: str, values: object, context: object = None) -> None:
        counted.append(sql)
        run(cursor, sql, values, context)

    monkeypatch.setattr(dialect, name, noting)


async def test_an_illegal_unit_fails_alone_and_the_rest_of_its_batch_is_written(store):
    one, two, three = await start_games(store, 3)
    writer = Writer(store)
    answers = await asyncio.gather(
        *(writer.submit(Move(g, u)) for g, u in ((one, "e2e4"), (two, "e2e5"), (three, "d2d4"))),
        return_exceptions=True,
    )
    assert answers[0] == answers[2] == 1
    assert isinstance(answers[1], ValueError)
    assert [(await _game(store, g)).seq for g in (one, two, three)] == [1, 0, 1]


async def test_a_unit_that_the_database_refuses_hurts_nobody_else(store: Store) -> None:
    ids = await start_games(store, 5)
    poisoned = Move(
        ids[2],
        "e2e4",
        changed=lambda w: replace(w, outbox=(replace(w.outbox[0], kind=None),)),  # type: ignore[arg-type]
    )
    units = [poisoned if g == ids[2] else Move(g, "e2e4") for g in ids]
    writer = Writer(store)
    answers = await asyncio.gather(*map(writer.submit, units), return_exceptions=True)
    assert isinstance(answers.pop(2), StoreConflict)
    assert answers == [1, 1, 1, 1]
    assert [(await _game(store, g)).seq for g in ids] == [1, 1, 0, 1, 1]


async def test_an_unknown_game_and_a_half_written_unit_are_their_submitters_own_fault(store):
    (game_id,) = await start_games(store)
    writer = Writer(store)
    with pytest.raises(UnknownGame):
        await writer.submit(Move(7, "e2e4"))
    with pytest.raises(ValueError, match="both or neither"):
        await writer.submit(Move(game_id, "e2e4", changed=lambda w: replace(w, state=None)))
    assert (await _game(store, game_id)).seq == 0


@pytest.mark.parametrize("day", [date(26, 11, 2), date(1799, 1, 1)])
@pytest.mark.parametrize("place", [0, 1, 2])
async def test_an_event_that_would_not_read_back_is_refused_and_the_rest_of_its_batch_is_written(
    store: Store, day: date, place: int
) -> None:
    ids = await start_games(store, 3)

    def spoilt(writes: Writes) -> Writes:
        (new,) = writes.events
        assert isinstance(new, MoveSent)
        return replace(writes, events=(replace(new, sent=day),))

    bad = Move(ids[place], "e2e4", changed=spoilt)
    units = [bad if n == place else Move(game, "e2e4") for n, game in enumerate(ids)]
    units.append(Move(ids[place], "d2d4"))  # in the game of the bad one, after it
    writer = Writer(store)
    answers = await asyncio.gather(*map(writer.submit, units), return_exceptions=True)
    assert isinstance(answers.pop(place), LedgerError)
    assert answers == [1, 1, 1]
    assert [(await _game(store, game)).seq for game in ids] == [1, 1, 1]
    async with store.read() as conn:
        letters = await outbox_rows.newest(conn)
        bodies = [(await game_rows.history(conn, game))[0].body for game in ids]
    assert sorted(letter.game_id or 0 for letter in letters) == sorted(ids), "none for the bad one"
    assert day.isoformat() not in "".join(bodies)


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave that has begun already: needs the history."""

    game_id: int
    inbox_id: None = None
    idempotency: None = None

    def run(self, game: LockedGame) -> tuple[Writes, object]:
        leave = LeaveBooked(Side.BLACK, START, START.replace(day=3), START.replace(month=8))
        return appended(game, [leave]), len(game.events or ())


async def test_an_event_about_the_past_sees_all_events_those_of_its_own_batch_too(store):
    (game_id,) = await start_games(store)
    writer = Writer(store)
    for uci in RUY[:3]:
        await writer.submit(Move(game_id, uci))
    units = [Move(game_id, u) for u in RUY[3:5]]
    units += [Leave(game_id), *(Move(game_id, u) for u in RUY[5:8])]  # type: ignore[list-item]
    answers = await asyncio.gather(*map(writer.submit, units))
    assert answers == [4, 5, 5, 6, 7, 8]
    row = await _game(store, game_id)
    assert (row.seq, row.ply) == (9, 8)


@dataclass(frozen=True, slots=True)
class Resign:
    """White gives the game up."""

    game_id: int
    inbox_id: None = None
    idempotency: None = None

    def run(self, game: LockedGame) -> tuple[Writes, object]:
        return appended(game, [PlayerResigned(Side.WHITE, START)]), "resigned"


async def test_moves_and_ends_of_one_batch_are_kept_each_with_what_changed(store: Store) -> None:
    moved, ended, both = await start_games(store, 3)
    units = [Move(moved, "e2e4"), Resign(ended), Move(both, "d2d4"), Resign(both)]
    writer = Writer(store)
    await asyncio.gather(*map(writer.submit, units))
    rows = [await _game(store, game_id) for game_id in (moved, ended, both)]
    assert [(row.seq, row.ply, row.result) for row in rows] == [
        (1, 1, None), (1, 0, "0-1"), (2, 1, "0-1")
    ]  # fmt: skip
    assert [row.ended_us is None for row in rows] == [True, False, False]
    assert [row.to_move_id for row in rows] == [rows[0].black_id, None, None]


async def test_the_end_is_dated_by_its_event_and_nobody_is_to_move(store: Store) -> None:
    (game_id,) = await start_games(store)
    assert await Writer(store).submit(Resign(game_id)) == "resigned"
    row = await _game(store, game_id)
    assert (row.result, row.ended_us, row.to_move_id) == ("0-1", NOW_US, None)


KEY = IdempotencyKey.of(1, "k1", "POST", "/moves", b"e2e4")
REPLAYED = StoredResponse(201, '{"ply":1}', NOW_US, KEY.request)


def _kept(writes: Writes) -> Writes:
    return replace(writes, idempotent=REPLAYED)


async def test_a_repeated_request_gets_the_first_answer_in_one_batch_and_later(store):
    (game_id,) = await start_games(store)
    writer = Writer(store)
    move = Move(game_id, "e2e4", idempotency=KEY, changed=_kept)
    assert await asyncio.gather(writer.submit(move), writer.submit(move)) == [1, REPLAYED]
    assert await writer.submit(move) == REPLAYED
    other = replace(move, idempotency=IdempotencyKey.of(1, "k1", "POST", "/moves", b"d2d4"))
    with pytest.raises(KeyReused):
        await writer.submit(other)
    assert (await _game(store, game_id)).seq == 1


async def test_a_mail_is_handled_once_however_often_its_unit_comes(store: Store) -> None:
    (game_id,) = await start_games(store)
    mail = NewMail(
        received_us=NOW_US,
        first_us=NOW_US,
        peer="192.0.2.1",
        mail_from="hvid@example.org",
        rcpt_to="k@example.org",
        raw=b"e4",
        message_key=b"k" * 32,
    )
    mail_id = (await inbox_rows.accept(store, mail)).id
    mark = InboxMark(mail_id, InboxState.DONE, "moved", None, 1, game_id)
    move = Move(game_id, "e2e4", inbox_id=mail_id, changed=lambda w: replace(w, inbox_mark=mark))
    writer = Writer(store)
    assert await asyncio.gather(writer.submit(move), writer.submit(move)) == [1, AlreadyDone()]
    assert await writer.submit(move) == AlreadyDone()
    async with store.read() as conn:
        row = await inbox_rows.find(conn, mail_id)
    assert row is not None
    assert (row.state, row.outcome, row.game_id) == ("done", "moved", game_id)


async def test_two_writers_as_in_two_processes_never_lose_or_double_a_move(store):
    ids = await start_games(store, 6)
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    writers = Writer(store), Writer(beside)
    for uci in RUY[:6]:
        moves = [writer.submit(Move(g, uci)) for g in ids for writer in writers]
        answers = await asyncio.gather(*moves, return_exceptions=True)
        assert sum(isinstance(answer, int) for answer in answers) == len(ids), answers
    for game_id in ids:
        assert (await _game(store, game_id)).seq == 6
    async with store.read() as conn:
        assert (await conn.execute(select(func.count()).select_from(events))).scalar() == 36
    await beside.close()


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("ends", [False, True])
async def test_a_game_changed_beside_its_lock_is_a_conflict_and_nothing_is_written(
    store: Store, ends: bool, count: int
) -> None:
    """Whoever does not take the lock is found out by the number of the last event."""
    ids = await start_games(store, count)

    def work(conn: Connection) -> None:
        batch = WriteBatch(conn, batch_rows.find(conn, ids, set(), set()))
        conn.execute(update(games).where(games.c.id == ids[-1]).values(seq=7))
        for game_id in ids:
            unit = Resign(game_id) if ends else Move(game_id, "e2e4")
            assert not isinstance(batch.run([unit])[0], Exception)
        batch_rows.write(conn, batch.rows)

    with pytest.raises(StoreConflict, match="beside its lock"):
        await store.transact(work)
    assert [(await _game(store, game_id)).seq for game_id in ids] == [0] * count


async def test_the_newest_event_is_the_latest_and_never_goes_back(store: Store) -> None:
    (game_id,) = await start_games(store)
    writer = Writer(store)
    assert (await _game(store, game_id)).last_us is None
    for uci in RUY[:3]:
        await writer.submit(Move(game_id, uci))
    row = await _game(store, game_id)
    assert row.last_us == NOW_US + 2 * DAY_US
    back = Move(
        game_id, RUY[3], changed=lambda w: replace(w, origin=Origin(from_us(NOW_US), None, "web"))
    )
    await writer.submit(back)
    assert (await _game(store, game_id)).last_us == row.last_us


async def test_a_cancelled_submitter_does_not_stop_its_move(store: Store) -> None:
    (game_id,) = await start_games(store)
    writer = Writer(store)
    waiting = asyncio.create_task(writer.submit(Move(game_id, "e2e4")))
    await asyncio.sleep(0)
    waiting.cancel()
    await writer.close()
    assert (await _game(store, game_id)).seq == 1
    assert waiting.cancelled() or waiting.cancelling()
