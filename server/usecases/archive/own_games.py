"""Adds this server's finished games to the archive's search, as copies of their public part.

A finished game is public (CONTRACTS, "Who sees what"; ``views.may_see``); one that resumes after a
ruling is taken out. Not for the index of the copies (indexing.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kskak.archive.past_game import UNKNOWN_DAY, PastGame, PastPlayer, packed
from kskak.archive.pgn_in import LONGEST_NAME
from kskak.regulation.quantities import Result, Side
from kskak.statement.account import account
from server.store.archive import index as archive_index
from server.store.archive import own_games as archive_own
from server.store.archive import writing
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.usecases.archive.found_by import entry_of
from server.usecases.core.context import Core
from server.usecases.play.game_facts import end_day

BATCH = 25
"""Games in one transaction."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A game to copy, as of event ``row.seq``."""

    row: GameRow
    game: PastGame


async def follow(core: Core) -> bool:
    """Copy some finished games, remove those no longer finished; True if there may be more."""
    async with core.store.read() as conn:
        wanted = await archive_own.to_copy(conn, BATCH)
        gone = await archive_own.to_remove(conn, BATCH)
        copies = [one for own in wanted if (one := await _copied(conn, own)) is not None]
    if not (copies or gone):
        return False
    async with core.store.write() as conn:
        await writing.hold(conn)
        await _remove(conn, [*gone, *(copy.row.id for copy in copies)])
        for copy in copies:
            row = copy.row
            people = {
                archive_own.own_number(person): person for person in (row.white_id, row.black_id)
            }
            await archive_own.add_copy(conn, row.id, row.seq, copy.game, people)
    return len(wanted) == BATCH or len(gone) == BATCH


async def rename(core: Core) -> None:
    """Apply changed names to the copies; once a day is enough."""
    async with core.store.read() as conn:
        names = await archive_own.renamed(conn)
    for at in range(0, len(names), BATCH):
        async with core.store.write() as conn:
            await archive_own.rename(conn, names[at : at + BATCH])


async def _remove(conn: AsyncConnection, own: Sequence[int]) -> None:
    kept = await archive_index.own_copies(conn, own)
    if kept:
        await archive_index.take_out(conn, [entry_of(game) for game in kept])


async def _copied(conn: AsyncConnection, own_id: int) -> _Copy | None:
    """The game as it is now; None when it is not finished."""
    row = await game_rows.load(conn, own_id)
    if row is None or row.result is None:
        return None
    group = await group_rows.find(conn, row.group_id)
    history = await game_rows.history(conn, own_id)
    told = account(row.terms, game_rows.events_of(history))
    ended = end_day(row)
    game = PastGame(
        event="" if group is None else group.tournament[:LONGEST_NAME],
        day=row.start,
        white=_player(row, Side.WHITE),
        black=_player(row, Side.BLACK),
        result=Result(row.result),
        moves=packed(one.move for one in told.rows),
        round=str(row.round),
        fen=row.fen,
        end=UNKNOWN_DAY if ended is None else ended.isoformat(),
    )
    return _Copy(row, game)


def _player(row: GameRow, side: Side) -> PastPlayer:
    name = row.white if side is Side.WHITE else row.black
    return PastPlayer(name[:LONGEST_NAME], archive_own.own_number(row.person_of(side)))
