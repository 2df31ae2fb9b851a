"""Asking SQLite a statement that is kept, past SQLAlchemy, whose own work takes four times as long.

A SELECT that is asked a second time is one of ours that was put together once; from then on its
SQL goes to the driver as it is. Any other statement, and one with values or columns that SQLAlchemy
would turn into something else, goes its usual way. Not for writing, nor for PostgreSQL.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Executable, LargeBinary, Result, SelectBase
from sqlalchemy.engine import Dialect, IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.sql.compiler import SQLCompiler

_Row = tuple[Any, ...]
_Turn = tuple[int, Callable[[Any], Any]]


@dataclass(frozen=True, slots=True)
class Plain:
    """A statement as the driver takes it.

    ``names``: its places in order; ``fixed``: the values of those that are always the same;
    ``lists``: the places that take several values; ``turns``: what is done to which column.
    """

    sql: str
    names: tuple[str, ...]
    fixed: Mapping[str, Any]
    lists: tuple[str, ...]
    turns: tuple[_Turn, ...]
    told: SimpleResultMetaData

    def asked(self, given: Mapping[str, Any]) -> tuple[str, Sequence[Any]]:
        """The SQL and its values. KeyError for a place that is left open."""
        fixed = self.fixed
        values = [given[n] if n in given else fixed[n] for n in self.names]
        if not self.lists:
            return self.sql, values
        sql, flat = self.sql, list[Any]()
        for name, value in zip(self.names, values, strict=True):
            if name not in self.lists:
                flat.append(value)
            else:
                places = ", ".join("?" * len(value)) if value else _NONE
                sql = sql.replace(_mark(name), places, 1)
                flat += value
        return sql, flat

    def rows(self, found: Iterable[_Row]) -> Iterable[_Row]:
        """The driver's rows as SQLAlchemy would give them."""
        for index, turn in self.turns:
            found = [(*row[:index], turn(row[index]), *row[index + 1 :]) for row in found]
        return found


_NONE = "SELECT NULL WHERE 0"
"""A list of nothing."""


def _mark(name: str) -> str:
    return f"__[POSTCOMPILE_{name}]"


def plain(statement: SelectBase, dialect: Dialect) -> Plain | None:
    """A statement for the driver; None for one whose values SQLAlchemy has to turn first."""
    made = statement.compile(dialect=dialect)
    if not isinstance(made, SQLCompiler) or made.literal_execute_params:
        return None
    names = tuple(made.positiontup or ())
    kinds = (made.binds[name].type.dialect_impl(dialect) for name in names)
    # Octets alone the driver takes as they are, though SQLAlchemy wraps them.
    if any(not isinstance(k, LargeBinary) and k.bind_processor(dialect) for k in kinds):
        return None
    columns = tuple(statement.selected_columns)
    turned = (one.type.dialect_impl(dialect).result_processor(dialect, None) for one in columns)
    return Plain(
        sql=made.string,
        names=names,
        fixed={name: made.params[name] for name in names if not made.binds[name].required},
        lists=tuple(made.bind_names[bind] for bind in made.post_compile_params),
        turns=tuple((index, turn) for index, turn in enumerate(turned) if turn is not None),
        told=SimpleResultMetaData([one.key or "" for one in columns]),
    )


_ONCE: Final = object()
_known: WeakKeyDictionary[SelectBase, Any] = WeakKeyDictionary()
"""What was asked before: once, or as the driver takes it (None: not at all)."""


def _plain_of(statement: SelectBase, dialect: Dialect) -> Plain | None:
    known = _known.get(statement)
    if known is None and statement not in _known:
        _known[statement] = _ONCE
        return None
    if known is _ONCE:
        known = _known[statement] = plain(statement, dialect)
    return cast(Plain | None, known)


class Quick:
    """A connection to SQLite that asks what is kept in this way, and is itself in all else."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: Executable, parameters: Any = None) -> Result[Any]:
        """Ask now; the rows are here."""
        connection = self._connection
        if isinstance(statement, SelectBase) and not isinstance(parameters, list):
            known = _plain_of(statement, connection.dialect)
            if known is not None:
                rows = known.rows(_fetched(connection, *known.asked(parameters or {})))
                return IteratorResult(known.told, iter(rows))
        return connection.execute(statement, parameters)


def quick(connection: Connection) -> Connection:
    """The connection, asked quickly. For SQLite in its own thread."""
    return cast(Connection, Quick(connection))


def _fetched(connection: Connection, sql: str, values: Sequence[Any]) -> list[_Row]:
    cursor = connection.connection.cursor()
    for listener in connection.dispatch.before_cursor_execute:
        listener(connection, cursor, sql, values, None, False)
    try:
        connection.dialect.do_execute(cursor, sql, cast(Any, values))
        return cast(list[_Row], cursor.fetchall())
    finally:
        cursor.close()
