"""A database with its groups and their games many times over, by SQL alone: fast.

The copies belong to the same people, so that a question asked once for each of somebody's games
would be asked for all of them. SQLite only. Not for what a ledger's hashes prove.
"""

from contextlib import closing
from pathlib import Path

from server.store.engine.sqlite_library import sqlite3

STEP = 1_000_000
"""Added to the ids of each copy."""
_GROUP, _GAME = ("group_id",), ("game_id",)
SHIFTED: dict[str, tuple[str, ...]] = {
    "groups": ("id",),
    "seats": _GROUP,
    "games": ("id", *_GROUP),
    "events": _GAME,
    "messages": _GAME,
    "league_divisions": _GROUP,
    "league_teams": ("id", *_GROUP),
    "league_boards": ("id", "team_id"),
}
"""The tables that are copied, and their columns of ids, which are those of the copy then."""
NAMED = frozenset({"groups", "games"})
"""Tables whose ``name`` is unique."""


def multiply(path: Path, games: int) -> int:
    """Copy all groups until there are so many games; how many there are then."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        here = _count(conn)
        times = -(-games // here) - 1
        for table, shifted in SHIFTED.items():
            conn.execute(_copying(conn, table, shifted), {"times": times})
        conn.execute("COMMIT")
        conn.execute("ANALYZE")
        return _count(conn)


def _count(conn: sqlite3.Connection) -> int:
    return int(conn.execute("SELECT count(*) FROM games").fetchone()[0])


def _copying(conn: sqlite3.Connection, table: str, shifted: tuple[str, ...]) -> str:
    columns = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
    keys = [row[1] for row in conn.execute(f"PRAGMA table_info({table})") if row[5]]
    columns = [name for name in columns if name != "id" or "id" in shifted or "id" not in keys]
    values = [_value(table, name, shifted) for name in columns]
    return (
        "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < :times) "
        f"INSERT INTO {table}({', '.join(columns)}) "
        f"SELECT {', '.join(values)} FROM {table} AS t, n"
    )


def _value(table: str, name: str, shifted: tuple[str, ...]) -> str:
    if name in shifted:
        return f"t.{name} + n.k * {STEP}"
    if name == "name" and table in NAMED:
        return "replace(t.name, '-demo-', '-' || n.k || '-')"
    return f"t.{name}"
