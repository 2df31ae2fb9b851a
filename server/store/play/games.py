"""Games: their rows with what a move needs, their events, starting one, and which have changed.

Every row includes the terms and the names. Not for writing moves (mail/batch.py), nor for who may
hear of a change (usecases/play/open_pages.py).
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ScalarSelect,
    Select,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
)

from kskak.game.game_events import EntryAnnulled, Event
from kskak.ledger.stored_events import (
    RULING_ANNULLED,
    SET_BACK,
    VOID,
    dump_state,
    load_event,
    load_events,
    load_state,
)
from kskak.play.events_in_force import turned_back
from kskak.play.evolve_game import open_game
from kskak.play.game_state import GameState, Terms
from kskak.regulation.editions import Regulation, Side
from server.store.engine.chain import StartFacts, genesis
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, dump_json, one_of, rows_of, value_of
from server.store.tables.base import events, games, groups, messages, outbox, people
from server.store.tables.people import REMINDERS, preferences, quiet_messages


class TwoPlayers:
    """A game's row, whichever columns were selected, with its two players."""

    __slots__ = ()
    white_id: int
    black_id: int

    def side_of(self, person_id: int) -> Side | None:
        """The side a person plays; None for everybody else."""
        if person_id == self.white_id:
            return Side.WHITE
        return Side.BLACK if person_id == self.black_id else None


@dataclass(frozen=True, slots=True)
class GameRow(TwoPlayers):
    """A game as it stands, with its group's terms and the players' names.

    ``flag_on`` and ``start`` are ISO days, ``last_us`` the latest instant of an event; ``wake_us``
    is when its due work is looked at (mail/due_work.py); ``tl_id`` to ``fen`` come from the group.
    The reminders are each player's preference
    (usecases/preferences.py), None when not set.
    """

    id: int
    group_id: int
    name: str
    round: int
    white_id: int
    black_id: int
    seq: int
    head: bytes
    snapshot: str
    ply: int
    to_move_id: int | None
    flag_on: str | None
    result: str | None
    ended_us: int | None
    last_us: int | None
    wake_us: int | None
    tl_id: int
    zone: str
    claims: str
    edition: str
    post_days: int
    regulation: str
    start: str
    laws: int
    fen: str | None
    white: str
    black: str
    white_reminders: str | None
    black_reminders: str | None

    def __hash__(self) -> int:
        """Of a game as it stands after the same event there are seldom two; lists ask often."""
        return hash(self.head)

    @property
    def terms(self) -> Terms:
        """The terms the game is played under."""
        regulation, start = Regulation(self.regulation), date.fromisoformat(self.start)
        return Terms(self.name, regulation, start, self.white, self.black, self.fen, self.laws)

    def state(self) -> GameState:
        """The state from the snapshot."""
        return load_state(self.terms, value_of(self.snapshot))

    def person_of(self, side: Side) -> int:
        """The id of the player on a side."""
        return self.white_id if side is Side.WHITE else self.black_id

    def with_colours_changed(self) -> "GameRow":
        """The game with each player on the other side, as a ruling may order (FIDE 7.3)."""
        return replace(
            self,
            white_id=self.black_id,
            black_id=self.white_id,
            white=self.black,
            black=self.white,
            white_reminders=self.black_reminders,
            black_reminders=self.white_reminders,
        )

    def reminders_of(self, side: Side) -> str | None:
        """At how many days left the player on a side has chosen to be reminded."""
        return self.white_reminders if side is Side.WHITE else self.black_reminders


@dataclass(frozen=True, slots=True)
class EventRow:
    """A stored event. ``actor_id`` None: the server itself."""

    game_id: int
    seq: int
    at_us: int
    actor_id: int | None
    channel: str
    inbox_id: int | None
    body: str
    hash: bytes

    @property
    def event(self) -> Event:
        """What happened; whole ledgers are read by ``read_events``, which minds annulments."""
        return load_event(self.body)


def read_events(rows: Iterable[EventRow]) -> tuple[Event, ...]:
    """What happened, of a whole ledger in order. Raises UnreadEntry."""
    return load_events(row.body for row in rows)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to start; ``id`` is random, never from a sequence."""

    id: int
    group_id: int
    round: int
    white_id: int
    black_id: int
    terms: Terms


_white, _black = people.alias("white"), people.alias("black")


def _reminders_of(person: Column[int]) -> ScalarSelect[str]:
    """A player's reminders preference; the name is a literal, as ``ByIds`` passes only ids."""
    named = preferences.c.name == literal_column(f"'{REMINDERS}'")
    chosen = select(preferences.c.value).where(preferences.c.person_id == person, named)
    return chosen.correlate(games).scalar_subquery()


SELECT_GAME: Select[*tuple[Any, ...]] = select(
    *(games.c[field.name] for field in fields(GameRow) if field.name in games.c),
    *(groups.c[name] for name in ("tl_id", "zone", "claims", "edition", "post_days")),
    *(groups.c[name] for name in ("regulation", "start", "laws", "fen")),
    _white.c.name,
    _black.c.name,
    _reminders_of(games.c.white_id),
    _reminders_of(games.c.black_id),
).select_from(
    games.join(groups, groups.c.id == games.c.group_id)
    .join(_white, _white.c.id == games.c.white_id)
    .join(_black, _black.c.id == games.c.black_id)
)
"""The columns of ``GameRow``, in its order."""

SELECT_EVENT = select(*columns_of(EventRow, events)).order_by(events.c.game_id, events.c.seq)


def list_state_columns(state: GameState, white_id: int, black_id: int) -> dict[str, object]:
    """The columns of ``games`` that repeat the state, to make it searchable."""
    running = state.running()
    flag_on = None if running is None else running.flag_on
    to_move = {None: None, Side.WHITE: white_id, Side.BLACK: black_id}[state.to_move]
    return {
        "snapshot": dump_json(dump_state(state)),
        "ply": state.position.ply,
        "to_move_id": to_move,
        "flag_on": None if flag_on is None else flag_on.isoformat(),
        "result": None if state.result is None else state.result.value,
    }


async def first_heads(conn: AsyncConnection, new: Sequence[NewGame]) -> list[bytes]:
    """The heads of new games of stored groups before anything has happened in them."""
    ids = {game.group_id for game in new}
    columns = [groups.c[name] for name in ("id", "zone", "post_days", "claims", "edition")]
    found = await conn.execute(select(*columns).where(groups.c.id.in_(ids)))
    of_group = {row[0]: tuple(row[1:]) for row in found}
    return [
        genesis(
            game.id,
            game.terms,
            StartFacts(
                *(game.white_id, game.black_id, game.group_id, game.round),
                *of_group[game.group_id],
            ),
        )
        for game in new
    ]


async def begin(conn: AsyncConnection, games_to_start: Iterable[NewGame]) -> None:
    """Store games without events. StoreConflict when an id or name is taken."""
    new = list(games_to_start)
    heads = zip(new, await first_heads(conn, new), strict=True)
    rows = [build_game_row(game, head, open_game(game.terms)) for game, head in heads]
    if rows:
        await conn.execute(insert(games), rows)


def build_game_row(
    game: NewGame, head: object, state: GameState, *, seq: int = 0
) -> dict[str, object]:
    """The columns of a game that stands at a state after ``seq`` events, the last with ``head``."""
    return {
        "id": game.id,
        "group_id": game.group_id,
        "name": game.terms.game,
        "round": game.round,
        "white_id": game.white_id,
        "black_id": game.black_id,
        "seq": seq,
        "head": head,
        **list_state_columns(state, game.white_id, game.black_id),
    }


async def load(conn: AsyncConnection, game_id: int) -> GameRow | None:
    """One game by id."""
    return one_of(GameRow, await conn.execute(SELECT_GAME.where(games.c.id == game_id)))


async def load_many(conn: AsyncConnection, ids: Iterable[int]) -> tuple[GameRow, ...]:
    """Those games that exist, by id."""
    query = SELECT_GAME.where(games.c.id.in_(list(ids))).order_by(games.c.id)
    return rows_of(GameRow, await conn.execute(query))


async def by_name(conn: AsyncConnection, name: str) -> GameRow | None:
    """One game by its name, «group/number»."""
    return one_of(GameRow, await conn.execute(SELECT_GAME.where(games.c.name == name)))


async def list_person_games(
    conn: AsyncConnection, person_id: int, *, running: bool = False
) -> tuple[GameRow, ...]:
    """A person's games, soonest to run out of time first; ``running``: only running ones."""
    query = SELECT_GAME.where(or_(games.c.white_id == person_id, games.c.black_id == person_id))
    if running:
        query = query.where(games.c.result.is_(None))
    query = query.order_by(games.c.flag_on.is_(None), games.c.flag_on, games.c.id)
    return rows_of(GameRow, await conn.execute(query))


async def list_group_games(conn: AsyncConnection, group_id: int) -> tuple[GameRow, ...]:
    """A group's games by round (those of several groups: game_lists.py)."""
    query = SELECT_GAME.where(games.c.group_id == group_id)
    return rows_of(GameRow, await conn.execute(query.order_by(games.c.round, games.c.id)))


async def all_rows(conn: AsyncConnection, page: int = 500) -> AsyncIterator[GameRow]:
    """Every game by id, read in pages."""
    last: int | None = None
    while True:
        query = SELECT_GAME if last is None else SELECT_GAME.where(games.c.id > last)
        rows = (await conn.execute(query.order_by(games.c.id).limit(page))).all()
        for row in rows:
            yield GameRow(*row)
        if len(rows) < page:
            return
        last = rows[-1][0]


async def all_ids(conn: AsyncConnection) -> tuple[int, ...]:
    """Every game's id, in order."""
    return tuple((await conn.execute(select(games.c.id).order_by(games.c.id))).scalars())


async def history(conn: AsyncConnection, game_id: int, after: int = 0) -> tuple[EventRow, ...]:
    """A game's events after a sequence number, in order."""
    query = SELECT_EVENT.where(events.c.game_id == game_id, events.c.seq > after)
    return rows_of(EventRow, await conn.execute(query))


TURNING = tuple(f'"{kind}"' for kind in (SET_BACK, RULING_ANNULLED))
"""What the text of an event contains that sets a game back, or may annul that."""


def is_turning(body: str) -> bool:
    """Whether an event may have to do with a game's being set back; most are told by their text."""
    return any(kind in body for kind in TURNING)


def select_turning_events(rows: Iterable[EventRow]) -> tuple[EventRow, ...]:
    """Those of a game's entries that set it back, or may annul that, and are not annulled."""
    kept = tuple(rows)
    voids = (row.event for row in kept if VOID in row.body)
    gone = {event.seq for event in voids if isinstance(event, EntryAnnulled)}
    return tuple(row for row in kept if row.seq not in gone and is_turning(row.body))


@dataclass(frozen=True, slots=True)
class SetBack:
    """When a game was set back, in microseconds, by which entry, and the plies that stood then."""

    at_us: int
    ply: int
    seq: int


def set_backs(conn: Connection, game_ids: Iterable[int]) -> dict[int, tuple[SetBack, ...]]:
    """When each game that ever was set back to an earlier position, or that was annulled again."""
    turns = or_(*(events.c.body.contains(kind) for kind in (*TURNING, VOID)))
    query = SELECT_EVENT.where(events.c.game_id.in_(list(game_ids)), turns)
    of_game = defaultdict[int, list[EventRow]](list)
    for row in conn.execute(query):
        of_game[row[0]].append(EventRow(*row))
    return {game_id: set_backs_in(rows) for game_id, rows in of_game.items()}


def set_backs_in(rows: Iterable[EventRow]) -> tuple[SetBack, ...]:
    """The same, of a game's events."""
    kept = {row.seq: row for row in select_turning_events(rows)}
    turned = turned_back((seq, row.event) for seq, row in kept.items())
    return tuple(SetBack(kept[seq].at_us, ply, seq) for seq, ply in turned)


def is_past(backs: Iterable[SetBack], ply: int, written_us: int | None) -> bool:
    """Whether a position of so many plies was meant that is not the one with as many now.

    ``written_us``: when what is answered was written; None: it is not known.
    """
    return any(one.ply < ply and (written_us is None or written_us < one.at_us) for one in backs)


@dataclass(frozen=True, slots=True)
class SeenPosition:
    """Where a program saw a game: after so many plies, at an event. Neither: where it stands."""

    ply: int | None = None
    seq: int | None = None

    def is_gone(self, set_backs: Callable[[], Iterable[SetBack]]) -> bool:
        """Whether it looked before the game was set back.

        With the plies alone it may have, if another position has had as many.
        """
        if self.seq is not None:
            return any(one.seq > self.seq for one in set_backs())
        return self.ply is not None and is_past(set_backs(), self.ply, None)


async def running_since(
    conn: AsyncConnection, started_by: str, group_ids: Iterable[int] | None
) -> tuple[GameRow, ...]:
    """Running games in groups started on or before an ISO day; ``group_ids`` None: in any."""
    query = SELECT_GAME.where(games.c.result.is_(None), groups.c.start <= started_by)
    if group_ids is not None:
        query = query.where(games.c.group_id.in_(list(group_ids)))
    return rows_of(GameRow, await conn.execute(query.order_by(groups.c.start, games.c.id)))


# What a letter about a game's event is written from. Not for the game as it stands (games.py).


async def bodies(conn: AsyncConnection, game_id: int, last: int) -> tuple[str, ...]:
    """What happened up to the event with this number, in order, as it is kept."""
    query = select(events.c.body).where(events.c.game_id == game_id, events.c.seq <= last)
    return tuple((await conn.execute(query.order_by(events.c.seq))).scalars())


async def message(conn: AsyncConnection, game_id: int, seq: int) -> str | None:
    """What a player wrote to the opponent with the event; None if nothing."""
    query = select(messages.c.text).where(messages.c.game_id == game_id, messages.c.seq == seq)
    return (await conn.execute(query)).scalar_one_or_none()


async def list_new_results(
    conn: AsyncConnection, game: GameRow, reader_id: int, kind: str, until_us: int
) -> tuple[tuple[str, str, str], ...]:
    """White, Black and result of the other games of its group that ended until then, since the
    last letter of that kind to the reader in the group (§ 6.2.1); in the order they ended."""
    is_players = or_(games.c.white_id == reader_id, games.c.black_id == reader_id)
    own = select(games.c.id).where(games.c.group_id == game.group_id, is_players)
    last = (
        select(func.coalesce(func.max(outbox.c.created_us), 0))
        .where(outbox.c.game_id.in_(own), outbox.c.person_id == reader_id)
        .where(outbox.c.kind == kind, outbox.c.created_us < until_us)
        .scalar_subquery()
    )
    found = (
        select(_white.c.name, _black.c.name, games.c.result)
        .join(_white, _white.c.id == games.c.white_id)
        .join(_black, _black.c.id == games.c.black_id)
        .where(games.c.group_id == game.group_id, games.c.id != game.id)
        .where(games.c.result.is_not(None), games.c.ended_us > last, games.c.ended_us <= until_us)
        .order_by(games.c.ended_us, games.c.id)
    )
    return tuple((row[0], row[1], row[2]) for row in await conn.execute(found))


MOST_CHANGES = 2000
"""Changes looked at one by one; after more than that, every page is told to look for itself."""


@dataclass(frozen=True, slots=True)
class ChangedGame:
    """A changed game: the number of its last event, its players, its result if any.

    ``turns`` counts the entries after which a position may have stood twice; ``said`` is the id of
    the last message in its quiet thread; 0: there is none.
    """

    id: int
    seq: int
    white_id: int
    black_id: int
    result: str | None
    ply: int = 0
    turns: int = 0
    said: int = 0

    def version_for(self, person_id: int | str | None) -> int:
        """The version a person's page of the game shows: grows with every change they may see."""
        is_player = person_id in (self.white_id, self.black_id)
        return version_of(self.seq, self.said if is_player else 0)


def compute_public_version(ply: int, result: str | None, turns: int) -> int:
    """The version an onlooker's page shows: it grows only with what the page shows.

    That is a move, the end of the game, and a ruling that goes back on either. The last event's
    number would reveal what is not shown, such as a draw offer.
    """
    return (turns << 20) + 2 * ply + (result is not None)


def turns_in(bodies: Iterable[str]) -> int:
    """How often a game was set back or had a ruling annulled, by its stored events."""
    return sum(map(is_turning, bodies))


def version_of(seq: int, said: int) -> int:
    """Both in one number: the last event's alone while nobody has written."""
    return (said << 20) + seq


async def newest_us(conn: AsyncConnection) -> int | None:
    """The latest instant of any game's events; None when there are none."""
    newest: int | None = (await conn.execute(select(func.max(games.c.last_us)))).scalar_one()
    return newest


@dataclass(frozen=True, slots=True)
class ChangeCursor:
    """How far changes have been processed: positions of the last event and the last message."""

    event: int
    message: int

    @property
    def all(self) -> int:
        """Both together, which measures how many changes there have been."""
        return self.event + self.message


NEWEST_MESSAGE_ID = (
    select(func.coalesce(func.max(quiet_messages.c.id), 0))
    .where(quiet_messages.c.game_id == games.c.id)
    .correlate(games)
    .scalar_subquery()
)
"""The number of the last message in a game's quiet thread."""
_TURNS = (
    select(func.count())
    .where(events.c.game_id == games.c.id, or_(*(events.c.body.contains(k) for k in TURNING)))
    .correlate(games)
    .scalar_subquery()
)
_SELECT_CHANGED: Select[Any] = select(
    *(games.c[name] for name in ("id", "seq", "white_id", "black_id", "result", "ply")),
    _TURNS,
    NEWEST_MESSAGE_ID,
)
_LAST_CHANGE = text(
    "SELECT (SELECT coalesce(max(rowid), 0) FROM events),"
    " (SELECT coalesce(max(id), 0) FROM quiet_messages)"
)
_CHANGED_AFTER = text(
    "SELECT game_id FROM events WHERE rowid > :event"
    " UNION SELECT game_id FROM quiet_messages WHERE id > :message"
)
_SAY = text("SELECT pg_notify('kskak_games', :game)")


def find_last_change(conn: Connection) -> ChangeCursor:
    """The place of the last change. SQLite only; two B-tree lookups."""
    return ChangeCursor(*conn.execute(_LAST_CHANGE).one())


def changed_after(conn: Connection, after: ChangeCursor) -> tuple[ChangedGame, ...]:
    """The games with changes after a place, as they stand now. SQLite only."""
    places = {"event": after.event, "message": after.message}
    return changed_of(conn, [row[0] for row in conn.execute(_CHANGED_AFTER, places)])


async def announce_change(conn: AsyncConnection, game_id: int) -> None:
    """Announce a change without an event, once committed; SQLite is polled instead."""
    if conn.dialect.name == "postgresql":
        await conn.execute(_SAY, {"game": str(game_id)})


def changed_of(conn: Connection, ids: Collection[int]) -> tuple[ChangedGame, ...]:
    """Some games as they stand now."""
    if not ids:
        return ()
    return rows_of(
        ChangedGame,
        conn.execute(_SELECT_CHANGED.where(games.c.id.in_(sorted(ids))).order_by(games.c.id)),
    )


def list_game_versions(conn: Connection, person_id: int) -> dict[int, int]:
    """A person's running games with the version of each."""
    query = select(games.c.id, games.c.seq, NEWEST_MESSAGE_ID).where(
        or_(games.c.white_id == person_id, games.c.black_id == person_id), games.c.result.is_(None)
    )
    return {row[0]: version_of(row[1], row[2]) for row in conn.execute(query)}


def find_changed(conn: Connection, game_id: int) -> ChangedGame | None:
    """A game as it stands now; None when there is no such game."""
    return one_of(ChangedGame, conn.execute(_SELECT_CHANGED.where(games.c.id == game_id)))


# The head of all ledgers at an instant, from which lots take their seed (§ 6.5.2.1).


async def head_at(
    conn: AsyncConnection, at_us: int, group_ids: Collection[int] = ()
) -> bytes | None:
    """The hash of the last event here by an instant, or in the games of these groups only.

    Only games that have moved since the newest that has not are searched.
    """
    own = games.c.group_id.in_(group_ids) if group_ids else games.c.id.is_not(None)
    still = select(func.max(games.c.last_us)).where(own, games.c.last_us <= at_us)
    query = (
        select(events.c.hash)
        .join(games, games.c.id == events.c.game_id)
        .where(
            own,
            games.c.last_us >= func.coalesce(still.scalar_subquery(), 0),
            events.c.at_us <= at_us,
        )
        .order_by(events.c.at_us.desc(), events.c.game_id.desc(), events.c.seq.desc())
        .limit(1)
    )
    return (await conn.execute(query)).scalar_one_or_none()
