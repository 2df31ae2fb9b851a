"""Which finished games of this server have copies in the archive, and which still need one.

A copy holds what search needs: names, result, moves; the game's own page is made from its ledger.
A resumed game is no longer public, so its copy is skipped at once (reading.py) and removed soon
after. Not for making a copy (usecases/archive/own_games.py).
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, or_, select, update

from kskak.archive.past_game import PastGame
from kskak.values.names import Name
from server.store.archive.writing import OWN_NUMBER, NewGame, add_games, link
from server.store.engine.connection import AsyncConnection
from server.store.tables.archive import past_games, past_players
from server.store.tables.base import games, people

_G = past_games.c
_ENDED = games.c.result.is_not(None)


def own_number(person_id: int) -> str:
    """What distinguishes a player of the server from namesakes, in place of a member number."""
    return f"{OWN_NUMBER}{person_id}"


async def to_copy(conn: AsyncConnection, most: int) -> tuple[int, ...]:
    """Finished games with no copy, or with one made at an earlier event."""
    query = (
        select(games.c.id)
        .join(past_games, _G.own_id == games.c.id, isouter=True)
        .where(_ENDED, or_(_G.id.is_(None), _G.own_seq != games.c.seq))
        .order_by(games.c.id)
    )
    return tuple((await conn.execute(query.limit(most))).scalars())


async def to_remove(conn: AsyncConnection, most: int) -> tuple[int, ...]:
    """Games with a copy that are no longer finished or no longer exist."""
    query = (
        select(_G.own_id)
        .join(games, and_(games.c.id == _G.own_id, _ENDED), isouter=True)
        .where(_G.own_id.is_not(None), games.c.id.is_(None))
    )
    return tuple((await conn.execute(query.limit(most))).scalars())


async def add_copy(
    conn: AsyncConnection, own_id: int, seq: int, game: PastGame, people_of: Mapping[str, int]
) -> None:
    """Store a finished game's copy. ``people_of``: person ids by their numbers in ``game``."""
    source = f"game {own_id}"
    await add_games(conn, [NewGame(game, source, own=(own_id, seq))])
    column = past_players.c.number
    found = await conn.execute(
        select(past_players.c.id, column).where(
            column.in_(list(people_of)), past_players.c.person_id.is_(None)
        )
    )
    await link(conn, {row[0]: people_of[row[1]] for row in found})


_RENAMED = (
    select(past_players.c.id, people.c.name)
    .join(people, people.c.id == past_players.c.person_id)
    .where(past_players.c.number.startswith(OWN_NUMBER), past_players.c.name != people.c.name)
)


async def renamed(conn: AsyncConnection) -> tuple[tuple[int, str], ...]:
    """The archive's players whose name has changed in the register, with the new one."""
    return tuple((player_id, name) for player_id, name in await conn.execute(_RENAMED))


async def rename(conn: AsyncConnection, names: Sequence[tuple[int, str]]) -> None:
    """Give players of the archive other names."""
    for player_id, name in names:
        named = update(past_players).where(past_players.c.id == player_id)
        await conn.execute(named.values(name=name, key=Name.of(name).key))
