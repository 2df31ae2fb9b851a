"""Running cached SELECTs on SQLite directly: SQLAlchemy's own work takes four times as long.

A SELECT that is run a second time is one of those we build only once; from then on its SQL goes
straight to the driver. Any other statement, and one with values that SQLAlchemy would have to
convert, goes the usual way. Not for writing, nor for PostgreSQL.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any, Final, cast
from weakref import ref

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    LargeBinary,
    Result,
    Row,
    SelectBase,
    TupleType,
)
from sqlalchemy.engine import Dialect, IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.sql.compiler import SQLCompiler

from server.store.engine.connection_thread import driver_of

_Found = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Plain:
    """A statement in the form the driver takes.

    ``names``: its parameters in order; ``fixed``: the values of those that never change;
    ``lists``: the parameters that take several values; ``picked``: the values of all, unless some
    are lists; ``turned``: the driver's row as SQLAlchemy's; ``told``: its columns; ``is_turned``:
    whether a value becomes another.
    """

    sql: str
    names: tuple[str, ...]
    fixed: Mapping[str, Any]
    lists: tuple[str, ...]
    picked: Callable[[Mapping[str, Any]], Sequence[Any]] | None
    turned: Callable[[_Found], Row[Any]]
    told: SimpleResultMetaData
    is_turned: bool
    expanded: dict[tuple[int, ...], str] = field(default_factory=dict)
    """The SQL by the lengths of the lists."""

    def asked(self, given: Mapping[str, Any]) -> tuple[str, Sequence[Any]]:
        """The SQL and its values. KeyError for a missing parameter."""
        if self.fixed:
            given = {**self.fixed, **given}
        if self.picked is not None:
            return self.sql, self.picked(given)
        lengths = tuple([len(given[name]) for name in self.lists])
        sql = self.expanded.get(lengths)
        if sql is None:
            sql = self._expand(lengths)
        flat = list[Any]()
        for name in self.names:
            if name in self.lists:
                flat += given[name]
            else:
                flat.append(given[name])
        return sql, flat

    def _expand(self, lengths: tuple[int, ...]) -> str:
        """The SQL for lists of these lengths; kept."""
        sql = self.sql
        for name, length in zip(self.lists, lengths, strict=True):
            places = ", ".join("?" * length) if length else _NONE
            sql = sql.replace(_mark(name), places)
        if len(self.expanded) >= _MOST_LENGTHS:
            self.expanded.clear()
        self.expanded[lengths] = sql
        return sql


_MOST_LENGTHS = 64
_NONE = "SELECT NULL WHERE 0"
"""An empty list."""


def _picking(names: tuple[str, ...]) -> Callable[[Mapping[str, Any]], Sequence[Any]]:
    match names:
        case ():
            return lambda _: ()
        case (name,):
            return lambda given: (given[name],)
    return itemgetter(*names)


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
    told = SimpleResultMetaData([one.key or "" for one in columns])
    turns = _turns(columns, dialect)
    lists = tuple(made.bind_names[bind] for bind in made.post_compile_params)
    return Plain(
        sql=made.string,
        names=names,
        fixed={name: made.params[name] for name in names if not made.binds[name].required},
        lists=lists,
        picked=None if lists else _picking(names),
        turned=partial(Row, told, turns, told._key_to_index),
        told=told,
        is_turned=turns is not None,
    )


def _turns(columns: tuple[ColumnElement[Any], ...], dialect: Dialect) -> tuple[Any, ...] | None:
    found = [one.type.dialect_impl(dialect).result_processor(dialect, None) for one in columns]
    return tuple(found) if any(found) else None


class Fetched:
    """All rows of a statement, with what our queries ask of SQLAlchemy's Result.

    Making one of those takes as long as a small statement. What is seldom asked, it answers.
    """

    __slots__ = ("_found", "_known")

    def __init__(self, known: Plain, found: list[_Found]) -> None:
        self._known, self._found = known, found

    def __iter__(self) -> Iterator[Row[Any]]:
        return map(self._known.turned, self._found)

    @property
    def plainest(self) -> Iterable[Sequence[Any]]:
        """The rows for whoever needs no more than their values."""
        return self if self._known.is_turned else self._found

    def __getattr__(self, name: str) -> Any:
        return getattr(IteratorResult(self._known.told, iter([tuple(row) for row in self])), name)

    def all(self) -> list[Row[Any]]:
        """The rows."""
        return list(self)

    def scalars(self) -> Iterable[Any]:
        """The first value of each row; SQLAlchemy's for whoever asks more of them."""
        return Firsts(self)

    def one_or_none(self) -> Row[Any] | None:
        """The only row, if there is one."""
        if len(self._found) > 1:
            self.__getattr__("one_or_none")()
        return self._known.turned(self._found[0]) if self._found else None

    def one(self) -> Row[Any]:
        """The only row."""
        if len(self._found) != 1:
            self.__getattr__("one")()
        return self._known.turned(self._found[0])

    def scalar_one(self) -> Any:
        """The first value of the only row."""
        return self.one()[0]

    def scalar_one_or_none(self) -> Any:
        """The same, or None without a row."""
        row = self.one_or_none()
        return None if row is None else row[0]


class Firsts:
    """The first value of each row."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Fetched) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return map(_FIRST, self._rows.plainest)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rows.__getattr__("scalars")(), name)


_FIRST = itemgetter(0)
_ONCE: Final = object()
_known: dict[int, tuple[Any, ref[SelectBase]]] = {}
"""Statements run before, by id, as long as they live: ``_ONCE``, or in the driver's form (None: it
has none)."""


def _plain_of(statement: SelectBase, dialect: Dialect) -> Plain | None:
    number = id(statement)
    kept = _known.get(number)
    if kept is None:
        _known[number] = _ONCE, ref(statement, lambda _: _known.pop(number, None))
        return None
    known, held = kept
    if known is _ONCE:
        known = plain(statement, dialect)
        _known[number] = known, held
    return cast(Plain | None, known)


class Quick:
    """A SQLite connection that runs cached statements directly; it delegates everything else."""

    __slots__ = ("_connection", "_driver", "_listeners")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._driver = driver_of(connection)
        is_watched = connection.engine._has_events  # asking the empty list takes ten times as long
        self._listeners = tuple(connection.dispatch.before_cursor_execute) if is_watched else ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: Executable, parameters: Any = None) -> Result[Any]:
        """Run it now; the result holds all rows."""
        kept = _known.get(id(statement))
        known = self._learnt(statement, parameters) if kept is None or kept[0] is _ONCE else kept[0]
        if known is None:
            return self._connection.execute(statement, parameters)
        sql, values = known.asked(parameters or {})
        for listener in self._listeners:
            listener(self._connection, self._driver, sql, values, None, False)
        found = self._driver.execute(sql, values).fetchall()
        return cast(Result[Any], Fetched(known, found))

    def _learnt(self, statement: Executable, parameters: Any) -> Plain | None:
        if not isinstance(statement, SelectBase) or isinstance(parameters, list):
            return None
        return _plain_of(statement, self._connection.dialect)


def quick(connection: Connection) -> Connection:
    """The connection wrapped for quick queries. For SQLite in its own thread."""
    return cast(Connection, Quick(connection))


def bare(connection: Connection) -> Connection:
    """SQLAlchemy's own connection, for what inspects it."""
    return connection._connection if isinstance(connection, Quick) else connection
