"""Postcards as entered: who entered them, whether they were legible, and their picture.

Their dates are in the game event of the same number (§ 6.3.2). Not for reading pictures
(usecases/postal/scans.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import games, groups
from server.store.tables.cases import cards


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A stored card. ``seq`` is its event's; ``scan`` None when there is none or it was removed."""

    game_id: int
    seq: int
    entered_by: int
    is_legible: bool
    note: str
    scan: bytes | None
    scan_type: str | None
    scan_digest: bytes | None
    at_us: int


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card without its picture, for lists; ``has_scan``: whether there is one to fetch."""

    game_id: int
    seq: int
    entered_by: int
    is_legible: bool
    note: str
    scan_type: str | None
    at_us: int
    has_scan: bool


def add(conn: Connection, card: CardRow) -> None:
    """Store a card, in the transaction of its event."""
    conn.execute(insert(cards).values(values_of(card)))


_SELECT = select(*columns_of(CardRow, cards)).order_by(cards.c.game_id, cards.c.seq)


def _row(row: object) -> CardRow:
    return CardRow(**row._mapping)  # type: ignore[attr-defined]


async def of_game(conn: AsyncConnection, game_id: int) -> tuple[CardRow, ...]:
    """A game's cards, in the order of its events, pictures included."""
    rows = await conn.execute(_SELECT.where(cards.c.game_id == game_id))
    return tuple(_row(row) for row in rows)


_SEEN = (
    cards.c.game_id,
    cards.c.seq,
    cards.c.entered_by,
    cards.c.is_legible,
    cards.c.note,
    cards.c.scan_type,
    cards.c.at_us,
    cards.c.scan.is_not(None),
)


async def seen_of_game(conn: AsyncConnection, game_id: int) -> tuple[CardSeen, ...]:
    """A game's cards, in the order of its events, without their pictures."""
    query = select(*_SEEN).where(cards.c.game_id == game_id).order_by(cards.c.seq)
    return tuple(CardSeen(*row) for row in await conn.execute(query))


async def find(conn: AsyncConnection, game_id: int, seq: int) -> CardRow | None:
    """One card; None when the event was not a card."""
    query = _SELECT.where(cards.c.game_id == game_id, cards.c.seq == seq)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else _row(row)


async def since(conn: AsyncConnection, at_us: int) -> tuple[tuple[int, int], ...]:
    """Game and event number of the illegible cards entered since an instant."""
    query = (
        select(cards.c.game_id, cards.c.seq)
        .where(cards.c.at_us >= at_us, cards.c.is_legible.is_(False))
        .order_by(cards.c.at_us)
    )
    return tuple((game_id, seq) for game_id, seq in await conn.execute(query))


async def running_postal(
    conn: AsyncConnection, group_ids: Iterable[int] | None, most: int
) -> tuple[GameRow, ...]:
    """The first running games of postal groups, by name; ``group_ids`` None: of any."""
    query = SELECT_GAME.where(games.c.result.is_(None), groups.c.regulation == "postal")
    if group_ids is not None:
        query = query.where(games.c.group_id.in_(list(group_ids)))
    rows = await conn.execute(query.order_by(groups.c.name, games.c.id).limit(most))
    return tuple(GameRow(*row) for row in rows)
