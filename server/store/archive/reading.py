"""Reading the archive: games by player, year and tournament, final tables, single games.

Pages continue from the last line of the one before (day and id), so a late page costs the same as
the first; one statement per query, however many games there are. Not for writing (writing.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, literal, or_, select, tuple_

from kskak.archive.past_game import PastGame, PastPlayer
from kskak.regulation.editions import Result
from kskak.values import plain
from server.store.engine.connection import AsyncConnection
from server.store.tables.base import games
from server.store.tables.tournaments import (
    past_events,
    past_games,
    past_players,
    past_positions,
    past_standings,
)

Mark = tuple[str, int]
"""Where a page ended: the last game's day and id."""


@dataclass(frozen=True, slots=True)
class ArchiveCriteria:
    """Search criteria; empty fields match everything. ``player``, ``event``: words of names.

    ``person_id``: games of this member; ``year`` alone is that year, with ``until`` the first of
    a range; ``codes``: first and last ECO code; ``openings``: keys of named positions;
    ``position``: a position's key (kskak.archive.past_game), ``is_common`` if many games have
    it, ``is_broad`` if many have one of the codes. ``own``: include this server's games.
    """

    player: str = ""
    year: int | None = None
    event: str = ""
    event_id: int | None = None
    person_id: int | None = None
    game_id: int | None = None
    until: int | None = None
    codes: tuple[str, str] | None = None
    openings: frozenset[int] = frozenset()
    position: int | None = None
    is_common: bool = False
    is_broad: bool = False
    own: bool = True


@dataclass(frozen=True, slots=True)
class PastRow:
    """A stored game with its names; ``white_person`` None: not in the register.

    ``own_id``: the server game it is a copy of. ``code``: the ECO code of its moves, "" for none,
    None until it is indexed; ``opening``: the named position's key.
    """

    id: int
    event_id: int
    game: PastGame
    white_person: int | None
    black_person: int | None
    has_ledger: bool
    own_id: int | None
    code: str | None
    opening: int | None


_SHORT = 2
"""Words no longer than this match too many names, like the K and the 7 of «K-7»."""
_white, _black = past_players.alias("white"), past_players.alias("black")
_G, _P, _S = past_games.c, past_positions.c, past_standings.c
_SELECT: Select[*tuple[Any, ...]] = (
    select(
        *(_G.id, _G.event_id, past_events.c.name, _G.day, _G.result, _G.moves, _G.site, _G.round),
        *(_G.fen, _G.eco, _G.end, _white.c.name, _white.c.number, _G.white_club, _G.white_elo),
        *(_black.c.name, _black.c.number, _G.black_club, _G.black_elo),
        *(_white.c.person_id, _black.c.person_id, _G.ledger.is_not(None)),
        *(_G.own_id, _G.code, _G.opening),
    )
    .join(past_events, past_events.c.id == _G.event_id)
    .join(_white, _white.c.id == _G.white_id)
    .join(_black, _black.c.id == _G.black_id)
    .join(games, games.c.id == _G.own_id, isouter=True)
    .where(or_(_G.own_id.is_(None), games.c.result.is_not(None)))
)
"""A copy of a resumed game is no longer public (CONTRACTS)."""


_RESULTS = {one.value: one for one in Result}


def _row(row: Sequence[Any]) -> PastRow:
    number, event_id, event, day, result, moves, site, round_, fen, eco, end, *rest = row
    game = PastGame(
        event=event,
        day=day,
        result=_RESULTS[result],
        moves=moves,
        site=site,
        round=round_,
        fen=fen,
        eco=eco,
        end=end,
        white=PastPlayer(*rest[:4]),
        black=PastPlayer(*rest[4:8]),
    )
    return PastRow(number, event_id, game, *rest[8:])


def _match_words(column: ColumnElement[str], text: str) -> list[ColumnElement[bool]]:
    """Each word occurs in the text; one of a letter or two, only at the start of a word."""
    padded = literal(" ") + column
    return [
        column.contains(word) if len(word) > _SHORT else padded.contains(f" {word}")
        for word in plain(text).split()
    ]


def _player(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether either player meets a condition."""
    found = select(past_players.c.id).where(condition)
    return or_(_G.white_id.in_(found), _G.black_id.in_(found))


def _conditions(wanted: ArchiveCriteria) -> list[ColumnElement[bool]]:
    made: list[ColumnElement[bool]] = []
    if words := _match_words(past_players.c.key, wanted.player):
        made.append(_player(and_(*words)))
    if wanted.person_id is not None:
        made.append(_player(past_players.c.person_id == wanted.person_id))
    made += _of_years(_G.day, wanted)
    if words := _match_words(past_events.c.key, wanted.event):
        made.append(_G.event_id.in_(select(past_events.c.id).where(*words)))
    if wanted.game_id is not None:
        made.append(_G.id == wanted.game_id)
    if wanted.event_id is not None:
        made.append(_G.event_id == wanted.event_id)
    if not wanted.own:
        # Most games are no copies: the expression keeps the index of copies out of it.
        made.append(func.coalesce(_G.own_id, 0) == 0)
    return [*made, *_on_the_board(wanted)]


def _of_years(day: ColumnElement[str], wanted: ArchiveCriteria) -> list[ColumnElement[bool]]:
    first, last = wanted.year, wanted.until
    if first is None and last is None:
        return []
    last = first if last is None else last
    return [day >= f"{first or 1:04}", day < f"{(last or 0) + 1:04}"]


def _on_the_board(wanted: ArchiveCriteria) -> Iterator[ColumnElement[bool]]:
    """Conditions on the moves: opening and position."""
    if wanted.codes is not None:
        first, last = wanted.codes
        # With many matches, walk the newest; the expression keeps the codes' index out of it.
        code = _G.code.concat("") if wanted.is_broad else _G.code
        yield code == first if first == last else code.between(first, last)
    if wanted.openings:
        yield _G.opening.in_(sorted(wanted.openings))
    if wanted.position is not None:
        has_it = _P.key == wanted.position
        if wanted.is_common:  # walk the newest games, looking each one up
            yield exists().where(has_it, _P.game_id == _G.id)
        else:
            yield _G.id.in_(select(_P.game_id).where(has_it))


def _tournaments(wanted: ArchiveCriteria, most: int) -> Select[*tuple[Any, ...]]:
    tables = select(_S.event_id, func.max(_S.finished).label("last"))
    tables = tables.join(past_players, past_players.c.id == _S.player_id)
    words = _match_words(past_events.c.key, wanted.event)
    asked = _match_words(past_players.c.key, wanted.player)
    if wanted.person_id is not None:
        asked.append(past_players.c.person_id == wanted.person_id)
    asked += _of_years(_S.finished, wanted)
    last = tables.where(*asked).group_by(_S.event_id).subquery()
    found = select(past_events.c.id, past_events.c.name).join(
        last, last.c.event_id == past_events.c.id, isouter=bool(words) and not asked
    )
    order = (last.c.last.is_(None), last.c.last.desc(), past_events.c.name, past_events.c.id)
    return found.where(*words).order_by(*order).limit(most)


async def search(
    conn: AsyncConnection,
    wanted: ArchiveCriteria,
    after: Mark | None,
    most: int,
    *,
    is_oldest_first: bool = False,
) -> tuple[PastRow, ...]:
    """Games after a mark, newest or oldest first."""
    query = _SELECT.where(*_conditions(wanted)).limit(most)
    if after is not None:
        here, mark = tuple_(_G.day, _G.id), tuple_(*after)
        query = query.where(here > mark if is_oldest_first else here < mark)
    order = (_G.day, _G.id) if is_oldest_first else (_G.day.desc(), _G.id.desc())
    return tuple(map(_row, await conn.execute(query.order_by(*order))))


async def portion(
    conn: AsyncConnection, wanted: ArchiveCriteria, after: int, most: int
) -> tuple[PastRow, ...]:
    """Games in order of arrival, after an id: for reading all of them."""
    query = _SELECT.where(_G.id > after, *_conditions(wanted)).order_by(_G.id).limit(most)
    return tuple(map(_row, await conn.execute(query)))


async def find(conn: AsyncConnection, game_id: int) -> PastRow | None:
    """One game."""
    return next(map(_row, await conn.execute(_SELECT.where(_G.id == game_id))), None)


async def ledger_of(conn: AsyncConnection, game_id: int) -> str | None:
    """The ledger a game came with, as JSON."""
    found = await conn.execute(select(_G.ledger).where(_G.id == game_id))
    return found.scalar_one_or_none()


async def tournaments(
    conn: AsyncConnection, wanted: ArchiveCriteria, most: int
) -> tuple[tuple[int, str], ...]:
    """Tournaments (id, name) by their final tables for a player or a year, newest first.

    A name alone also finds those without tables.
    """
    rows = await conn.execute(_tournaments(wanted, most))
    return tuple((row[0], row[1]) for row in rows)


async def event(conn: AsyncConnection, event_id: int) -> str | None:
    """A tournament's name."""
    found = await conn.execute(select(past_events.c.name).where(past_events.c.id == event_id))
    return found.scalar_one_or_none()


async def event_with_key(conn: AsyncConnection, name: str) -> int | None:
    """The tournament of this name, in any spelling."""
    found = await conn.execute(select(past_events.c.id).where(past_events.c.key == plain(name)))
    return found.scalar_one_or_none()
