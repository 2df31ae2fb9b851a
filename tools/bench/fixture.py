"""Databases for a benchmark: created by the migrations, filled quickly in SQL.

Games begin at a given ply, with the snapshot that a replay of their events gives. The events'
hashes are filled in but not chained: nothing measured here verifies a chain. Not for tests.
"""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

from kskak.ledger.stored_events import dump_event
from kskak.play.evolve_game import replay
from server.store.engine.migrate import migrate
from server.store.engine.sqlite import PRAGMAS
from server.store.engine.sqlite_library import sqlite3
from server.store.engine.store import Store
from server.store.mail.due_work import NewDeadline
from server.store.play.games import list_state_columns
from server.usecases.games.game_units import first_due
from server.usecases.reflection.silence_and_outages import DUTY, EDITION
from tools.bench.lines import LAWS_YEAR, Line, events, terms

FIRST_GAME = 100_000
ZONE = "Europe/Copenhagen"


@dataclass(frozen=True, slots=True)
class Ground:
    """A database and the day its games began."""

    path: Path
    today: date
    now_us: int

    @property
    def url(self) -> str:
        """The database URL, in the form the settings use."""
        return f"sqlite:///{self.path}"


@dataclass(frozen=True, slots=True)
class Game:
    """A game to move in. ``ply`` plies of ``line`` have been played."""

    id: int
    white_id: int
    black_id: int
    line: Line
    ply: int

    def mover(self, ply: int) -> int:
        """Who moves after that many plies."""
        return self.black_id if ply % 2 else self.white_id


def token_of(person_id: int) -> str:
    """A person's API token, known to nobody else because the database is thrown away."""
    return f"bench-{person_id}-" + sha256(str(person_id).encode()).hexdigest()[:24]


def email_of(person_id: int) -> str:
    """A person's address."""
    return f"spiller{person_id}@example.org"


async def create(ground: Ground, people: int) -> None:
    """A database created by the migrations, with people who have tokens and one group.

    Nothing is left to be done there once after an upgrade: moves would be measured beside it.
    """
    store = await Store.open(ground.url)
    try:
        await migrate(store, None)
    finally:
        await store.close()
    with closing(connect(ground.path)) as conn, conn:
        conn.execute("BEGIN IMMEDIATE")
        numbers = range(1, people + 1)
        conn.executemany(
            "INSERT INTO people(id, name, email, lang, role, created_us) VALUES(?,?,?,'da',?,?)",
            ((n, f"Spiller {n}", email_of(n), "player", ground.now_us) for n in numbers),
        )
        conn.executemany(
            "INSERT INTO api_tokens(digest, person_id, name, created_us) VALUES(?,?,'bench',?)",
            ((sha256(token_of(n).encode()).digest(), n, ground.now_us) for n in numbers),
        )
        conn.execute(
            "INSERT INTO groups(id, name, tournament, class, regulation, edition, laws, start,"
            " zone, claims, is_double, is_drawn, post_days, tl_id, created_us)"
            " VALUES(1, 'B-26', 'Bench', 'K', 'email', '2011', ?, ?, ?, 'player', 0, 0, 0, 1, ?)",
            (LAWS_YEAR, ground.today.isoformat(), ZONE, ground.now_us),
        )
        conn.execute(
            "INSERT INTO duties(name, done_for, done_us) VALUES(?,?,?)",
            (DUTY, EDITION, ground.now_us),
        )
        conn.execute("COMMIT")


def connect(path: Path) -> sqlite3.Connection:
    """The database with the server's own pragmas, without the driver's implicit transactions."""
    conn = sqlite3.connect(path, isolation_level=None, timeout=10.0)
    for name, value, _ in PRAGMAS:
        conn.execute(f"PRAGMA {name}={value}")
    return conn


def add_games(
    ground: Ground, first: int, count: int, plies: int, some: tuple[Line, ...], people: int
) -> list[Game]:
    """Games from id ``first`` on, each with its first ``plies`` plies in the ledger."""
    games = [
        Game(
            id=first + n,
            white_id=1 + 2 * n % people,
            black_id=2 + 2 * n % people,
            line=some[n % len(some)],
            ply=plies,
        )
        for n in range(count)
    ]
    as_started = random.Random(first).sample(games, count)  # a server's ids are random
    with closing(connect(ground.path)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        conn.executemany(_GAME, _game_rows(ground, as_started, plies))
        conn.execute("UPDATE games SET snapshot = rtrim(snapshot) WHERE id >= ?", (first,))
        conn.executemany(_EVENT, _event_rows(ground, as_started, plies))
        conn.execute("COMMIT")
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        conn.execute("ANALYZE")
    return games


_HASH = bytes(32)
_ROOM = " " * 100
"""A snapshot becomes longer and shorter with each move, so that pages in use have room; in those
that were filled at once the first move in each game would move its neighbours."""
_GAME = (
    "INSERT INTO games(id, group_id, name, round, white_id, black_id, seq, head, snapshot, ply,"
    " to_move_id, flag_on, due_kind, due_us, due_seq, wake_us)"
    " VALUES(?,1,?,1,?,?,?,?,?,?,?,?,?,?,?,?)"
)
_EVENT = (
    "INSERT INTO events(game_id, seq, at_us, actor_id, channel, body, hash)"
    " VALUES(?,?,?,?,'bench',?,?)"
)


def _game_rows(ground: Ground, games: list[Game], plies: int) -> Iterator[tuple[object, ...]]:
    of_line: dict[Line, tuple[str, object, NewDeadline]] = {}
    for game in games:
        if game.line not in of_line:
            played = events(game.line, ground.today, plies)
            state = replay(terms("B-26", ground.today), played)
            columns = list_state_columns(state, 1, 2)
            due = next(iter(first_due(state, ZONE, 0)))
            of_line[game.line] = (str(columns["snapshot"]) + _ROOM, columns["flag_on"], due)
        snapshot, flag_on, due = of_line[game.line]
        yield (
            game.id, f"B-26/{game.id}", game.white_id, game.black_id, plies, _HASH, snapshot,
            plies, game.mover(plies), flag_on, due.kind, due.due_us, plies, due.due_us,
        )  # fmt: skip


def _event_rows(ground: Ground, games: list[Game], plies: int) -> Iterator[tuple[object, ...]]:
    of_line: dict[Line, list[str]] = {}
    for game in games:
        if game.line not in of_line:
            played = events(game.line, ground.today, plies)
            of_line[game.line] = [dump_event(event) for event in played]
        for seq, body in enumerate(of_line[game.line], 1):
            yield (game.id, seq, ground.now_us, game.mover(seq - 1), body, _HASH)


def in_ledger(path: Path, channel: str) -> int:
    """How many events came through a channel."""
    with closing(connect(path)) as conn:
        query = "SELECT count(*) FROM events WHERE channel=?"
        return int(conn.execute(query, (channel,)).fetchone()[0])


def handed_over(path: Path) -> int:
    """How many letters are marked as sent."""
    with closing(connect(path)) as conn:
        query = "SELECT count(*) FROM outbox WHERE state='sent'"
        return int(conn.execute(query).fetchone()[0])


def pragmas(path: Path) -> str:
    """The pragmas as one of our connections reads them back."""
    names = [name for name, _, _ in PRAGMAS] + ["page_size", "wal_autocheckpoint"]
    with closing(connect(path)) as conn:
        found = {name: conn.execute(f"PRAGMA {name}").fetchone()[0] for name in names}
    return json.dumps(found)[1:-1].replace('"', "")
