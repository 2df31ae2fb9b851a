"""Running cached SELECTs on SQLite directly: SQLAlchemy's own work takes four times as long.

A SELECT that is run a second time is one of those we build only once; from then on its SQL goes
straight to the driver. Any other statement, and one with values that SQLAlchemy would have to
convert, goes the usual way. Not for writing, nor for PostgreSQL.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Executable, LargeBinary, Result, SelectBase, TupleType
from sqlalchemy.engine import Dialect, IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.sql.compiler import SQLCompiler

_Row = tuple[Any, ...]
_Turn = tuple[int, Callable[[Any], Any]]


@dataclass(frozen=True, slots=True)
class Plain:
    """A statement in the form the driver takes.

    ``names``: its parameters in order; ``fixed``: the values of those that never change;
    ``lists``: the parameters that take several values; ``turns``: conversions by column index.
    """

    sql: str
    names: tuple[str, ...]
    fixed: Mapping[str, Any]
    lists: tuple[str, ...]
    turns: tuple[_Turn, ...]
    told: SimpleResultMetaData

    def asked(self, given: Mapping[str, Any]) -> tuple[str, Sequence[Any]]:
        """The SQL and its values. KeyError for a missing parameter."""
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
        """The driver's rows as SQLAlchemy would return them."""
        for index, turn in self.turns:
            found = [(*row[:index], turn(row[index]), *row[index + 1 :]) for row in found]
        return found


_NONE = "SELECT NULL WHERE 0"
"""An empty list."""


def _mark(name: str) -> str:
    return f"__[POSTCOMPILE_{name}]"


def plain(statement: SelectBase, dialect: Dialect) -> Plain | None:
    """A statement for the driver; None for one whose values SQLAlchemy has to convert first."""
    made = statement.compile(dialect=dialect)
    if not isinstance(made, SQLCompiler) or made.literal_execute_params:
        return None
    names = tuple(made.positiontup or ())
    kinds = (made.binds[name].type.dialect_impl(dialect) for name in names)
    if any(isinstance(bind.type, TupleType) for bind in made.post_compile_params):
        return None  # a list of pairs
    # Only bytes does the driver take as is, although SQLAlchemy wraps them.
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
"""Statements run before: ``_ONCE``, or in the driver's form (None: it has none)."""


def _plain_of(statement: SelectBase, dialect: Dialect) -> Plain | None:
    known = _known.get(statement)
    if known is None and statement not in _known:
        _known[statement] = _ONCE
        return None
    if known is _ONCE:
        known = _known[statement] = plain(statement, dialect)
    return cast(Plain | None, known)


class Quick:
    """A SQLite connection that runs cached statements directly; it delegates everything else."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: Executable, parameters: Any = None) -> Result[Any]:
        """Run it now; the result holds all rows."""
        connection = self._connection
        if isinstance(statement, SelectBase) and not isinstance(parameters, list):
            known = _plain_of(statement, connection.dialect)
            if known is not None:
                rows = known.rows(_fetched(connection, *known.asked(parameters or {})))
                return IteratorResult(known.told, iter(rows))
        return connection.execute(statement, parameters)


def quick(connection: Connection) -> Connection:
    """The connection wrapped for quick queries. For SQLite in its own thread."""
    return cast(Connection, Quick(connection))


def bare(connection: Connection) -> Connection:
    """SQLAlchemy's own connection, for what inspects it."""
    return connection._connection if isinstance(connection, Quick) else connection


def _fetched(connection: Connection, sql: str, values: Sequence[Any]) -> list[_Row]:
    cursor = connection.connection.cursor()
    for listener in connection.dispatch.before_cursor_execute:
        listener(connection, cursor, sql, values, None, False)
    try:
        connection.dialect.do_execute(cursor, sql, cast(Any, values))
        return cast(list[_Row], cursor.fetchall())
    finally:
        cursor.close()
