"""Very many games of somebody, put into the tables directly; and counting what a page asks.

The copies have their original's position and no events: for lists, not for playing.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, event, insert, select
from sqlalchemy.engine import Engine

from server.store.engine.rows import DAY_US
from server.store.tables.base import games


def copies(conn: Connection, name: str, numbers: range, results: tuple[str, ...]) -> None:
    """Finished games like one that runs, a day apart, the lowest number the oldest."""
    original = conn.execute(select(games).where(games.c.name == name)).one()._mapping
    rows = [
        dict(original)
        | {
            "id": 10**9 + n,
            "name": f"{name}-{n}",
            "to_move_id": None,
            "flag_on": None,
            "result": results[n % len(results)],
            "ended_us": 1_600_000_000_000_000 + n * DAY_US,
        }
        for n in numbers
    ]
    conn.execute(insert(games), rows)


@contextmanager
def statements() -> Iterator[list[str]]:
    """What any database is asked while this lasts."""
    said: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        said.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(Engine, "before_cursor_execute", note)
