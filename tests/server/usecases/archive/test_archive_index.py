"""The archive's index on both kinds of database: positions, what was played, openings, counts."""

import asyncio
import random

import chess
import pytest
from sqlalchemy import select, update
from sqlalchemy import text as sql

from kskak.archive.past_game import INDEXED_PLIES, compute_position_key, pack_moves, past_pgn
from kskak.regulation.editions import Result
from server.store.archive import reading as archive_index
from server.store.archive.reading import ArchiveCriteria, Branch
from server.store.engine.store import Store
from server.store.tables import base as base_tables
from server.store.tables.tournaments import past_games, past_positions, past_tallies
from server.usecases.archive import archive_import as importing
from server.usecases.archive import archive_views
from server.usecases.archive.archive_views import OPENINGS, ArchiveSearchForm, understood
from tests.fakes.history import Archive, numbered, packed_sans, past_game
from tests.fakes.many import statements

POOL = ("e4", "d4", "Nf3", "c4", "e5", "d5", "Nf6", "c5", "Nc3", "Nc6", "e6", "c6")
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.BOTH_LOSE)


def _game(chance: random.Random, plies: int) -> bytes:
    """A lawful game whose first moves are often those of others."""
    board, moves = chess.Board(), []
    for _ in range(plies):
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        usual = [move for move in legal if board.san(move) in POOL]
        if not legal:
            break
        moves.append(chance.choice(usual if usual and chance.random() < 0.9 else legal))
        board.push(moves[-1])
    return pack_moves(moves)


def _many(count: int, seed: int = 1) -> str:
    chance = random.Random(seed)
    games = (
        past_game(
            day=f"{1950 + n}-03-04", round=str(n), moves=_game(chance, chance.randrange(50)),
            result=chance.choice(RESULTS),
        )
        for n in range(count)
    )  # fmt: skip
    return "\n".join(past_pgn(game) for game in games)


def _of(text: str) -> ArchiveCriteria:
    found = understood(ArchiveSearchForm(position=text))
    assert not found.wrong, text
    return found.wanted


async def _brute(archive: Archive, board: chess.Board) -> dict[int, list[int]]:
    """The tree of a position counted by walking through every game."""
    told: dict[int, list[int]] = {}
    wanted = compute_position_key(board)
    for row in await archive.games():
        at = chess.Board()
        for ply in range(row.game.plies + 1):
            if compute_position_key(at) == wanted:
                move = int.from_bytes(row.game.moves[2 * ply : 2 * ply + 2], "little")
                counts = told.setdefault(move, [0, 0, 0, 0])
                counts[0] += 1
                if row.game.result is not Result.BOTH_LOSE:
                    counts[1 + RESULTS.index(row.game.result)] += 1
                break
            if ply == min(row.game.plies, INDEXED_PLIES):
                break
            word = int.from_bytes(row.game.moves[2 * ply : 2 * ply + 2], "little")
            at.push(chess.Move(word >> 6 & 63, word & 63, (word >> 12) or None))
    return told


@pytest.mark.parametrize("common", [1000, 3])
async def test_the_tree_of_a_position_is_what_the_games_have(archive, monkeypatch, common):
    """From the games where few have it, from the counts made beforehand where many have."""
    monkeypatch.setattr(archive_index, "COMMON", common)
    await archive.take_text("many.pgn", _many(40))
    for text in ("1. e4", "1. d4 d5", "1. e4 e5 2. Sf3", chess.STARTING_FEN, "1. a3 a6 2. h3"):
        asked = understood(ArchiveSearchForm(position=text))
        assert asked.board is not None
        found = await archive_views.search(archive.core, asked.wanted, None)
        brute = await _brute(archive, asked.board)
        assert found.branches is not None and not found.branches.is_cut
        told = {b.move: [b.games, b.white, b.draws, b.black] for b in found.branches.moves}
        if found.branches.is_common:
            brute.pop(0, None)  # games that end there are no move's
        assert told == brute, text
        every = await archive.games()
        listed = {row.id for row in found.games}
        assert listed == {row.id for row in every if found.plies.get(row.id) is not None}
        counts = [one.games for one in found.branches.moves if one.move]
        assert counts == sorted(counts, reverse=True)


async def test_transpositions_are_found_with_the_ply_they_came_about(archive: Archive):
    games = (
        past_game(round="1", moves=packed_sans("d4", "Nf6", "c4", "e6", "Nc3", "Bb4")),
        past_game(round="2", moves=packed_sans("c4", "e6", "Nc3", "Nf6", "d4", "Bb4", "e3")),
        past_game(round="3", moves=packed_sans("Nf3", "Nf6", "Ng1", "Ng8", "e4")),
    )
    await archive.take_text("t.pgn", "\n".join(past_pgn(game) for game in games))
    found = await archive_views.search(archive.core, _of("1. d4 e6 2. c4 Sf6 3. Sc3"), None)
    assert found.plies == {1: 5, 2: 5}
    found = await archive_views.search(archive.core, _of("1. d4 Sf6 2. c4 e6 3. Sc3 Lb4"), None)
    assert found.plies == {1: 6, 2: 6}
    assert found.branches is not None
    e3 = int.from_bytes(pack_moves([chess.Move.from_uci("e2e3")]), "little")
    assert found.branches.moves == (Branch(e3, 1, 1, 0, 0), Branch(0, 1, 1, 0, 0))
    found = await archive_views.search(archive.core, _of("1. Sf3 Sf6 2. Sg1 Sg8"), None)
    assert found.plies == {1: 0, 2: 0, 3: 0}, "the position as it stood first"


async def test_positions_deeper_than_the_index_are_not_found(archive: Archive):
    shuffle = ("Nf3", "Nf6", "Ng1", "Ng8") * (INDEXED_PLIES // 4)
    await archive.take_text("deep.pgn", past_pgn(past_game(moves=packed_sans(*shuffle, "e4"))))
    assert (await archive_views.search(archive.core, _of("1. e4"), None)).games == ()
    assert len((await archive_views.search(archive.core, _of("1. Sf3"), None)).games) == 1


async def test_openings_are_found_by_code_range_and_name(archive: Archive):
    lines = (("e4", "c6", "d4", "d5", "e5"), ("e4", "c6", "d4", "d5", "Nc3", "dxe4", "Nxe4", "Bf5"),
             ("e4", "c5"), ("d4", "d5", "c4"))  # fmt: skip
    games = (past_game(round=str(n), moves=packed_sans(*moves)) for n, moves in enumerate(lines, 1))
    await archive.take_text("o.pgn", "\n".join(past_pgn(game) for game in games))
    for opening, rounds in (
        ("B12", "1"), ("b1", "12"), ("B", "123"), ("B12-B18", "12"), ("caro kann", "12"),
        ("Caro-Kann: Fremstød", "1"), ("advance", "1"), ("siciliansk forsvar", "3"),
        ("sicilian defense", "3"), ("E99", ""),
    ):  # fmt: skip
        asked = understood(ArchiveSearchForm(opening=opening))
        assert not asked.wrong
        found = await archive_views.search(archive.core, asked.wanted, None)
        assert "".join(sorted(row.game.round for row in found.games)) == rounds, opening
        assert found.events == ()


@pytest.mark.parametrize("common", [1000, 3])
async def test_searches_are_joined_and_sorted_both_ways(archive, monkeypatch, common):
    monkeypatch.setattr(archive_views, "PAGE", 4)
    await archive.take_text("many.pgn", numbered(48))
    monkeypatch.setattr(archive_index, "COMMON", common)
    asked = understood(ArchiveSearchForm(player="ager", opening="C", year="1900", until="1902"))
    seen: dict[bool, list[str]] = {}
    for is_oldest_first in (False, True):
        after, days = None, []
        while True:
            found = await archive_views.search(
                archive.core, asked.wanted, after, is_oldest_first=is_oldest_first
            )
            days += [row.game.day for row in found.games]
            after = found.after
            if after is None:
                break
        seen[is_oldest_first] = days
    assert seen[True] == sorted(seen[False]) == seen[False][::-1]
    assert len(seen[True]) == 18 and {day[:4] for day in seen[True]} == {"1900", "1901", "1902"}


@pytest.mark.both_engines
async def test_killed_between_the_games_and_the_index_it_goes_on_and_comes_to_the_same(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
):
    async def nothing(*_: object) -> int:
        return 0

    with monkeypatch.context() as killed:
        killed.setattr(importing.archive_views, "everything", nothing)
        await archive.take_text("many.pgn", _many(30))
    found = await archive_views.search(archive.core, ArchiveCriteria(), None)
    assert (found.count, found.unread) == (30, 30)
    assert await archive_views.index_some_games(archive.core, 7) == 7
    found = await archive_views.search(archive.core, ArchiveCriteria(), None)
    assert (found.count, found.unread) == (30, 23)
    while await archive_views.keep_up(archive.core):
        pass
    piecewise = await _index(archive.core.store)
    async with archive.core.store.write() as conn:
        await base_tables.put_value(conn, OPENINGS, "an older table")
    assert await archive_views.everything(archive.core, lambda done, total: None) == 30
    assert await _index(archive.core.store) == piecewise
    assert await archive_views.index_some_games(archive.core) == 0, "nothing is left to do"


async def _index(store: Store) -> list[list[tuple[object, ...]]]:
    tables = (past_positions, archive_index.past_moves, past_tallies)
    async with store.read() as conn:
        found = [sorted(tuple(row) for row in await conn.execute(select(t))) for t in tables]
        codes = select(past_games.c.id, past_games.c.code, past_games.c.opening)
        return [*found, sorted(tuple(row) for row in await conn.execute(codes.order_by("id")))]


async def test_a_backup_locking_the_tables_never_deadlocks_with_a_new_index(postgres_url: str):
    hold = "LOCK TABLE {} IN ACCESS SHARE MODE"  # as pg_dump does, by name
    store = await Store.open(postgres_url)
    try:
        async with store.write() as dump:
            await dump.execute(sql(hold.format("past_moves")))
            clearing = asyncio.create_task(_clear(store))
            await asyncio.sleep(0.3)
            for name in ("past_positions", "past_tallies"):
                await asyncio.wait_for(dump.execute(sql(hold.format(name))), 20)
        await clearing
    finally:
        await store.close()


async def _clear(store: Store) -> None:
    async with store.write() as conn:
        await archive_index.clear(conn)


async def test_what_is_taken_out_leaves_no_trace(archive: Archive):
    await archive.take_text("some.pgn", _many(10))
    before = await _index(archive.core.store)
    await archive.take_text("more.pgn", past_pgn(past_game()))
    async with archive.core.store.write() as conn:
        newest = past_games.c.id == 11
        await conn.execute(update(past_games).where(newest).values(own_id=77))
        (kept,) = await archive_index.own_copies(conn, [77])
        await archive_index.take_out(conn, [archive_views.entry_of(kept)])
    after = await _index(archive.core.store)
    emptied = [[row for row in table if row[2]] for table in after[1:3]]
    assert [after[0], *emptied, after[3]] == before


async def test_the_front_counts_decades_and_openings(archive: Archive):
    await archive.take_text("many.pgn", numbered(25))
    front = (await archive_views.search(archive.core, ArchiveCriteria(), None)).front
    assert front is not None
    assert front.decades == (("190", 25),)
    assert dict(front.codes) == {"C40": 13, "D06": 12}
    assert (
        await archive_views.search(archive.core, ArchiveCriteria(player="ager"), None)
    ).front is None


@pytest.mark.parametrize("text", ["", "1. e4", "1. e4 e5 2. Sf3"])
async def test_as_many_questions_for_a_few_games_as_for_many(archive, monkeypatch, text):
    async def asked() -> int:
        wanted = understood(ArchiveSearchForm(position=text)).wanted
        with statements() as said:
            await archive_views.search(archive.core, wanted, None)
        return len([one for one in said if one.startswith("SELECT")])

    await archive.take_text("few.pgn", numbered(4))
    before = await asked()
    await archive.take_text("many.pgn", numbered(90))
    assert await asked() == before < 10
