"""A person's games for a list, by page and search words, without reading their positions.

Two queries however many games there are. Not for lists that show the time left (games.py).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    and_,
    exists,
    func,
    literal,
    or_,
    select,
    union,
    update,
)

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, has_word, insert_of, rows_of
from server.store.play.games import (
    NEWEST_MESSAGE_ID,
    SELECT_EVENT,
    SELECT_GAME,
    EventRow,
    GameRow,
    TwoPlayers,
)
from server.store.play.notes_and_messages import MessageRow, QuietMessage
from server.store.play.people import select_captained_groups
from server.store.tables.base import duties, events, games, groups, messages, people, seats
from server.store.tables.cases import cases
from server.store.tables.people import challenges, delayed_moves, looks, quiet_messages
from server.store.tables.tournaments import entries

T = TypeVar("T")

# A person's games with their events and messages, one query per kind for all games together.


@dataclass(frozen=True, slots=True)
class WholeGames:
    """Games by id, and what belongs to each."""

    games: tuple[GameRow, ...]
    events: Mapping[int, tuple[EventRow, ...]]
    messages: Mapping[int, tuple[MessageRow, ...]]
    threads: Mapping[int, tuple[QuietMessage, ...]]


async def list_person_games(
    conn: AsyncConnection, person_id: int, ended_since_us: int = 0
) -> WholeGames:
    """A person's running games and those that ended since an instant."""
    mine = or_(games.c.white_id == person_id, games.c.black_id == person_id)
    fresh = or_(games.c.result.is_(None), games.c.ended_us >= ended_since_us)
    found = await conn.execute(SELECT_GAME.where(mine, fresh).order_by(games.c.id))
    rows = tuple(GameRow(*row) for row in found)
    own = select(games.c.id).where(mine, fresh)
    happened = await conn.execute(SELECT_EVENT.where(events.c.game_id.in_(own)))
    said = select(*columns_of(MessageRow, messages)).where(messages.c.game_id.in_(own))
    written = await conn.execute(said.order_by(messages.c.seq))
    quiet = select(*columns_of(QuietMessage, quiet_messages))
    quiet = quiet.where(quiet_messages.c.game_id.in_(own)).order_by(quiet_messages.c.id)
    talked, ids, of_game = (
        await conn.execute(quiet),
        [row.id for row in rows],
        attrgetter("game_id"),
    )
    return WholeGames(
        rows,
        _sort_by(of_game, rows_of(EventRow, happened), ids),
        _sort_by(of_game, rows_of(MessageRow, written), ids),
        _sort_by(of_game, rows_of(QuietMessage, talked), ids),
    )


def _sort_by(
    key: Callable[[T], int], rows: Iterable[T], keys: Iterable[int]
) -> dict[int, tuple[T, ...]]:
    """The rows of each key, in their order; a key without any is there too."""
    found: dict[int, list[T]] = {one: [] for one in keys}
    for row in rows:
        found[key(row)].append(row)
    return {one: tuple(kept) for one, kept in found.items()}


@dataclass(frozen=True, slots=True)
class TableGameRow(TwoPlayers):
    """What a group's table needs of a game: a tenth of what the game's own row takes to read."""

    id: int
    group_id: int
    name: str
    round: int
    white_id: int
    black_id: int
    head: bytes
    result: str | None
    ended_us: int | None
    ply: int


async def in_tables(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[TableGameRow, ...]]:
    """Each group's games by round, for its table."""
    query = select(*columns_of(TableGameRow, games)).where(games.c.group_id.in_(list(group_ids)))
    rows = rows_of(TableGameRow, await conn.execute(query))
    return _sort_by(_of_group, sorted(rows, key=attrgetter("round", "id")), group_ids)


async def list_games_by_group(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[GameRow, ...]]:
    """Each group's games by round."""
    query = SELECT_GAME.where(games.c.group_id.in_(list(group_ids)))
    rows = rows_of(GameRow, await conn.execute(query.order_by(games.c.round, games.c.id)))
    return _sort_by(_of_group, rows, group_ids)


_of_group = attrgetter("group_id")


async def running_ids(conn: AsyncConnection, group_id: int | None = None) -> tuple[int, ...]:
    """The ids of the games that have not ended, of one group or of all."""
    query = select(games.c.id).where(games.c.ended_us.is_(None), games.c.result.is_(None))
    if group_id is not None:
        query = query.where(games.c.group_id == group_id)
    return tuple((await conn.execute(query.order_by(games.c.id))).scalars())


# A person's games for a list, by page and search words, without reading their positions.


@dataclass(frozen=True, slots=True)
class Brief(TwoPlayers):
    """A game without its position. ``result`` None: still running."""

    id: int
    name: str
    group_id: int
    group: str
    tournament: str
    class_: str
    zone: str
    white_id: int
    white: str
    black_id: int
    black: str
    ply: int
    to_move_id: int | None
    result: str | None
    ended_us: int | None

    def opponent_of(self, person_id: int) -> tuple[int, str]:
        """Id and name of the other player."""
        if person_id == self.white_id:
            return self.black_id, self.black
        return self.white_id, self.white


Wanted = tuple[tuple[str, ...], bool | None]
"""Which of a person's games: those matching all words, and only finished or running ones.

None: both, running ones first.
"""

_white, _black = people.alias("white"), people.alias("black")
_FROM = (
    games.join(groups, groups.c.id == games.c.group_id)
    .join(_white, _white.c.id == games.c.white_id)
    .join(_black, _black.c.id == games.c.black_id)
)
_SELECT: Select[*tuple[Any, ...]] = select(
    *(games.c.id, games.c.name, groups.c.id, groups.c.name, groups.c.tournament, groups.c["class"]),
    *(groups.c.zone, games.c.white_id, _white.c.name, games.c.black_id, _black.c.name),
    *(games.c.ply, games.c.to_move_id, games.c.result, games.c.ended_us),
).select_from(_FROM)
"""The columns of ``Brief``, in its order."""


def _fits(person: Any, word: str) -> ColumnElement[bool]:
    """Whether a word is in the opponent's, tournament's or game's name, or is the game's number.

    A single digit only matches the game's number in its group.
    """
    number = games.c.name.endswith(f"/{word}", autoescape=True)
    if len(word) == 1 and word.isdigit():
        return number
    return or_(
        number,
        and_(games.c.white_id == person, has_word(_black.c.name, word)),
        and_(games.c.black_id == person, has_word(_white.c.name, word)),
        has_word(games.c.name, word),
        has_word(groups.c.tournament, word),
    )


def _where(person: Any, wanted: Wanted) -> list[ColumnElement[bool]]:
    words, has_ended = wanted
    made: list[ColumnElement[bool]] = [
        or_(games.c.white_id == person, games.c.black_id == person),
        *(_fits(person, word) for word in words),
    ]
    if has_ended is not None:
        made.append(games.c.result.is_not(None) if has_ended else games.c.result.is_(None))
    return made


def _count(person: Any, wanted: Wanted) -> Select[int]:
    query = select(func.count()).select_from(_FROM if wanted[0] else games)
    return query.where(*_where(person, wanted))


def _page(person: int, wanted: Wanted, first: int, most: int) -> Select[*tuple[Any, ...]]:
    ended = games.c.ended_us
    order = (games.c.result.is_not(None), ended.is_(None), ended.desc(), games.c.name, games.c.id)
    # Ids first: sorting ten thousand whole rows takes several times as long.
    ids = select(games.c.id).select_from(_FROM if wanted[0] else games)
    ids = ids.where(*_where(person, wanted)).order_by(*order).offset(first).limit(most)
    return _SELECT.where(games.c.id.in_(ids)).order_by(*order)


async def portion(
    conn: AsyncConnection, person_id: int, wanted: Wanted, first: int, most: int
) -> tuple[int, tuple[Brief, ...]]:
    """How many games match, and a ``page`` of them."""
    count = _count(person_id, wanted).correlate(None).scalar_subquery()
    query = _page(person_id, wanted, first, most).add_columns(count)
    rows = (await conn.execute(query)).all()
    if not rows and first:
        return int((await conn.execute(_count(person_id, wanted))).scalar_one()), ()
    return (int(rows[0][-1]) if rows else 0), tuple(Brief(*row[:-1]) for row in rows)


async def page(
    conn: AsyncConnection, person_id: int, wanted: Wanted, first: int, most: int
) -> tuple[Brief, ...]:
    """Running games first, then the most recently ended; ``most`` games from ``first`` on."""
    return rows_of(Brief, await conn.execute(_page(person_id, wanted, first, most)))


# The games in which a person is to move. Not for what else is told of them (games.py, below).


def awaits(person: Any) -> ColumnElement[bool]:
    """Whether a game runs and a person is to move in it: found among the games that he plays.

    An index of those to move would be written twice by each move.
    """
    mine = or_(games.c.white_id == person, games.c.black_id == person)
    return and_(mine, games.c.result.is_(None), games.c.to_move_id == person)


async def waiting_for(conn: AsyncConnection, person_id: int) -> tuple[GameRow, ...]:
    """The running games in which a person is to move, by id."""
    query = SELECT_GAME.where(awaits(person_id)).order_by(games.c.id)
    return rows_of(GameRow, await conn.execute(query))


def to_move_in(conn: Connection, game_id: int) -> int | None:
    """Who is to move in a game; None when nobody is or there is no such game."""
    query = select(games.c.to_move_id).where(games.c.id == game_id)
    return conn.execute(query).scalar_one_or_none()


def count_awaiting_games(conn: Connection, person_id: int, excepted: Collection[int]) -> int:
    """How many games await a player's move, not counting ``excepted``."""
    query = select(func.count()).where(awaits(person_id), games.c.id.not_in(sorted(excepted)))
    return int(conn.execute(query).scalar_one())


# How far players have seen their games, which they skipped, and what is new to them.


@dataclass(frozen=True, slots=True)
class News:
    """Events by others in a game since a player last looked, and how many carry messages."""

    events: int
    messages: int


def note(conn: Connection, person_id: int, game_id: int, seq: int) -> None:
    """Record that a player has opened a game that then had ``seq`` events."""
    _keep(conn, {"person_id": person_id, "game_id": game_id, "seq": seq}, "seq")


def skip(conn: Connection, person_id: int, game_id: int, now_us: int) -> None:
    """Record that a player skipped a game without moving; what was seen of it stays."""
    row = {"person_id": person_id, "game_id": game_id, "seq": 0, "skipped_us": now_us}
    _keep(conn, row, "skipped_us")


def unskip(conn: Connection, person_id: int) -> None:
    """Forget which games a player skipped."""
    conn.execute(update(looks).where(looks.c.person_id == person_id).values(skipped_us=None))


def _keep(conn: Connection, row: dict[str, int], name: str) -> None:
    made = insert_of(conn.dialect.name, looks).values(**row)
    key = ["person_id", "game_id"]
    conn.execute(made.on_conflict_do_update(index_elements=key, set_={name: made.excluded[name]}))


def count_seen_events(conn: Connection, person_id: int, game_id: int) -> int:
    """How many events had happened when the player last opened the game; 0 for never."""
    query = select(looks.c.seq).where(looks.c.person_id == person_id, looks.c.game_id == game_id)
    return conn.execute(query).scalar_one_or_none() or 0


def list_skipped_games(conn: Connection, person_id: int, since_us: int) -> frozenset[int]:
    """The games awaiting a player's move that the player has skipped since an instant."""
    query = select(looks.c.game_id).join(games, games.c.id == looks.c.game_id)
    skipped = (looks.c.person_id == person_id, looks.c.skipped_us >= since_us)
    return frozenset(conn.execute(query.where(*skipped, awaits(person_id))).scalars())


def _news(person: int, game_ids: Collection[int]) -> Select[int, int, int]:
    written = and_(
        messages.c.game_id == events.c.game_id,
        messages.c.seq == events.c.seq,
        messages.c.author_id != person,
    )
    return (
        select(events.c.game_id, func.count(), func.count(messages.c.seq))
        .select_from(games)
        .join(events, events.c.game_id == games.c.id)
        .outerjoin(messages, written)
        .where(
            games.c.id.in_(game_ids),
            events.c.seq > func.coalesce(_last_done(person), 0),
            events.c.seq > func.coalesce(select_last_seen(person), 0),
            events.c.actor_id != person,
        )
        .group_by(events.c.game_id)
    )


def _last_done(person: Any) -> ScalarSelect[int]:
    """The number of the last event in a game that is the player's own."""
    own = events.alias("own")
    mine = select(own.c.seq).where(own.c.game_id == games.c.id, own.c.actor_id == person)
    return mine.order_by(own.c.seq.desc()).limit(1).scalar_subquery()


def select_last_seen(person: Any) -> ScalarSelect[int]:
    """The number of the last event when a person opened a game."""
    seen = select(looks.c.seq).where(looks.c.game_id == games.c.id, looks.c.person_id == person)
    return seen.scalar_subquery()


def news(conn: Connection, person_id: int, game_ids: Collection[int]) -> dict[int, News]:
    """What is new to a player in some of his games, by game, in one query.

    Events already on the page when the player opened it are not new, nor are those before the
    player's own last action in the game: whoever answers by mail has read them.
    """
    rows = conn.execute(_news(person_id, sorted(game_ids)))
    return {game: News(done, said) for game, done, said in rows}


# Running games of players, as each finds them in his list.


async def running_now(
    conn: AsyncConnection, person_id: int
) -> tuple[tuple[GameRow, int, int], ...]:
    """A person's running games, in no order, as he finds them.

    With each the number of the last message in its quiet thread, 0 for none, and of the last event
    when he opened the game.
    """
    mine = or_(games.c.white_id == person_id, games.c.black_id == person_id)
    query = SELECT_GAME.where(mine, games.c.result.is_(None))
    rows = await conn.execute(query.add_columns(NEWEST_MESSAGE_ID, select_last_seen(person_id)))
    return tuple((GameRow(*game), said, seen or 0) for *game, said, seen in rows)


async def running_of(conn: AsyncConnection, people_ids: Iterable[int]) -> tuple[GameRow, ...]:
    """The running games of some people, by id, in one query."""
    ids = sorted(people_ids)
    mine = or_(games.c.white_id.in_(ids), games.c.black_id.in_(ids))
    query = SELECT_GAME.where(games.c.result.is_(None), mine).order_by(games.c.id)
    return rows_of(GameRow, await conn.execute(query))


# What My games shows beside the games, asked in one statement: mostly there is nothing.


async def read_flags(
    conn: AsyncConnection, person_id: int, now_us: int, duty: str
) -> tuple[bool, bool, bool, bool, str | None]:
    """Whether a person has a waiting or dropped move, an open case in a group in which he plays or
    is captain, an entry that became no place yet, and a challenge to answer; and the day a duty
    about him (by its name) was last done for, ISO.
    """
    own = union(
        select(seats.c.group_id).where(seats.c.person_id == person_id),
        select_captained_groups(literal(person_id), literal(now_us)),
    )
    query = select(
        exists().where(delayed_moves.c.person_id == person_id),
        exists().where(cases.c.closed_us.is_(None), cases.c.group_id.in_(own)),
        exists().where(entries.c.person_id == person_id, entries.c.state.in_(("waiting", "valid"))),
        exists().where(challenges.c.to_id == person_id, challenges.c.state == "open"),
        select(duties.c.done_for).where(duties.c.name == duty).scalar_subquery(),
    )
    *has, day = (await conn.execute(query)).one()
    has_delayed, has_case, has_entry, is_challenged = map(bool, has)
    return has_delayed, has_case, has_entry, is_challenged, day
