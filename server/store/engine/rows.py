"""Small tools shared by the query modules: columns by a dataclass's fields, quiet inserts.

Not for actual queries.
"""

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from functools import cache
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic_core import from_json, to_json
from sqlalchemy import (
    ARRAY,
    Column,
    ColumnElement,
    Connection,
    CursorResult,
    Dialect,
    LargeBinary,
    Row,
    Select,
    String,
    Table,
    any_,
    bindparam,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import Insert, ReturningInsert, Update
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# Instants as stored in the database (integer UTC microseconds since 1970), and JSON text.

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US


def to_us(moment: datetime) -> int:
    """Microseconds since 1970 of an aware datetime. ValueError for a naive one."""
    if moment.tzinfo is None:
        raise ValueError("a moment must be aware")
    return (moment - EPOCH) // MICROSECOND


def from_us(us: int) -> datetime:
    """The instant as an aware datetime in UTC."""
    return EPOCH + us * MICROSECOND


def dump_json(value: object) -> str:
    """Compact JSON, without escaping letters. ValueError for what JSON can't express."""
    return to_json(value).decode()


def value_of(text: str) -> Any:
    """The value of a text from ``dump_json``. ValueError when it is not JSON."""
    return from_json(text)


# Octets that are kept packed, and read as they were.

MARK = b"\0z"
"""Before what is packed. Something unpacked that begins so is packed, so that none is mistaken."""


class PackedColumn(TypeDecorator[bytes]):
    """A column of octets, packed by zlib. ``most``: no more octets than these are read; 0: all."""

    impl = LargeBinary
    cache_ok = True

    def __init__(self, most: int = 0) -> None:
        super().__init__()
        self.most = most

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it is kept."""
        return None if value is None else MARK + zlib.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it was given, or of the beginning of what is kept as much as that holds."""
        if value is None or not value.startswith(MARK):
            return value
        return zlib.decompressobj().decompress(value[len(MARK) :], self.most)


class PackedLaterColumn(PackedColumn):
    """A column written as it comes, as packing takes time, and packed later (``PackedColumn``)."""

    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it is, unless it would be taken for something packed."""
        is_taken = value is not None and value.startswith(MARK)
        return super().process_bind_param(value, dialect) if is_taken else value


class DayColumn(TypeDecorator[date]):
    """A column of days, kept as ISO text. Compared with ISO text too."""

    impl = String(10)
    cache_ok = True

    def process_bind_param(self, value: date | str | None, dialect: Dialect) -> str | None:
        """As it is kept."""
        return value.isoformat() if isinstance(value, date) else value

    def process_result_value(self, value: str | None, dialect: Dialect) -> date | None:
        """As a day."""
        return None if value is None else date.fromisoformat(value)


# Small tools shared by the query modules: columns by a dataclass's fields, quiet inserts.

T = TypeVar("T")
AnyRow = Row[Any]
"""A row as SQLAlchemy gives it: the columns that its query names are its attributes."""


def portions(items: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    """The items in parts of at most so many: a statement takes no more parameters than that."""
    for first in range(0, len(items), most):
        yield items[first : first + most]


def columns_of(
    kind: "type[DataclassInstance]", table: Table, /, **others: ColumnElement[Any]
) -> list[ColumnElement[Any]]:
    """The table's columns in the order of the dataclass's fields (``class_`` is ``class``).

    ``others``: those of the fields that come from elsewhere.
    """
    names = [field.name for field in fields(kind)]
    return [others[name] if name in others else table.c[name.rstrip("_")] for name in names]


@cache
def _columns(kind: "type[DataclassInstance]") -> tuple[tuple[str, ...], Callable[[object], Any]]:
    names = [field.name for field in fields(kind)]
    return tuple(name.rstrip("_") for name in names), attrgetter(*names)


def values_of(row: "DataclassInstance") -> dict[str, object]:
    """A row's values by column name, for an INSERT."""
    columns, values = _columns(type(row))
    return dict(zip(columns, values(row), strict=True))


def row_insert(table: Table, values: Mapping[str, object]) -> ReturningInsert[int]:
    """An INSERT of one row, which returns its id."""
    return insert(table).values(values).returning(table.c.id)


def one_of(kind: Callable[..., T], found: CursorResult[Any]) -> T | None:
    """The one row, as the dataclass of its columns; None if there is none."""
    row = found.one_or_none()
    return None if row is None else kind(*row)


def rows_of(kind: Callable[..., T], found: Iterable[Sequence[Any]]) -> tuple[T, ...]:
    """All rows, each as the dataclass of its columns."""
    return tuple(kind(*row) for row in found)


class Bulk:
    """An INSERT or UPDATE of many rows, compiled once, without SQLAlchemy's per-row overhead.

    For columns whose values the driver takes as is: integers, text, bytes, None.
    """

    def __init__(
        self, keys: Iterable[str] | None = None, picks: Callable[..., Any] = itemgetter
    ) -> None:
        """``keys``: the columns an INSERT sets; None: an UPDATE, which names its own.

        ``picks``: attrgetter, if the rows are no mappings but have all columns as attributes.
        """
        self._picks = picks
        self._keys = None if keys is None else list(keys)
        self._known: dict[str, tuple[str, tuple[str, ...], Mapping[str, Any]]] = {}

    def run(self, conn: Connection, statement: Insert | Update, rows: Sequence[Any]) -> int | None:
        """Run the statement, always the same one, for each of one or more rows.

        Returns how many rows it affected, None when the driver does not count them.
        """
        name = conn.dialect.name
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._compiled(conn, statement)
        sql, names, fixed = known
        pick, missing = self._picks(*names), dict[str, Any]()
        if self._picks is itemgetter:
            missing = {n: fixed[n] for n in names if n not in rows[0]}
        values = [pick({**missing, **row} if missing else row) for row in rows]
        if name == "sqlite":
            return _by_driver(conn, sql, values)
        if len(values) == 1:
            return conn.exec_driver_sql(sql, values[0]).rowcount
        done = conn.exec_driver_sql(sql, values)
        return done.rowcount if done.supports_sane_multi_rowcount() else None

    def _compiled(
        self, conn: Connection, statement: Insert | Update
    ) -> tuple[str, tuple[str, ...], Mapping[str, Any]]:
        found = statement.compile(
            dialect=conn.dialect, column_keys=self._keys, for_executemany=True
        )
        assert isinstance(found, SQLCompiler) and found.positiontup is not None
        return found.string, tuple(found.positiontup), found.params


class ByIds:
    """A SELECT by ids; on SQLite compiled once for one id and once for many, with raw values.

    A single id has its own statement: a list adds a third to the time of the lookup.
    """

    def __init__(self, statement: Select[*tuple[Any, ...]], column: Column[int]) -> None:
        """``statement`` without the condition on ``column``."""
        given = func.json_each(bindparam("ids")).table_valued("value")
        one, many = column == bindparam("ids"), column.in_(select(given.c.value))
        self._lite = (statement.where(one), statement.where(many))
        self._other = statement.where(in_array(column, "ids"))
        self._sql: tuple[str, str] | None = None

    def find(self, conn: Connection, ids: Collection[int]) -> Sequence[Sequence[Any]]:
        """The rows that exist, in the statement's order."""
        wanted = sorted(ids)
        if conn.dialect.name != "sqlite":
            return conn.execute(self._other, {"ids": wanted}).all()
        if self._sql is None:
            one, many = (str(s.compile(dialect=conn.dialect)) for s in self._lite)
            self._sql = (one, many)
        cursor = conn.connection.cursor()
        try:
            if len(wanted) == 1:
                conn.dialect.do_execute(cursor, self._sql[0], (wanted[0],))
            else:
                conn.dialect.do_execute(cursor, self._sql[1], (str(wanted),))
            return cursor.fetchall()
        finally:
            cursor.close()


def in_array(column: Column[T], name: str) -> ColumnElement[bool]:
    """On PostgreSQL, whether a column's value is in a parameter, which takes a list.

    A list of another length is the same statement; to ``in_`` it would be one prepared anew.
    """
    return column == any_(bindparam(name, type_=ARRAY(column.type)))


def _by_driver(conn: Connection, sql: str, values: Sequence[tuple[object, ...]]) -> int:
    """Run a statement bypassing SQLAlchemy, whose overhead exceeds SQLite's work; the row count."""
    cursor = conn.connection.cursor()
    try:
        if len(values) > 1:
            conn.dialect.do_executemany(cursor, sql, values)
        else:
            conn.dialect.do_execute(cursor, sql, values[0])
        return cursor.rowcount
    finally:
        cursor.close()


def insert_of(dialect: str, table: Table) -> sqlite.Insert:
    """An INSERT that can be told what to do with an existing row; both databases say it alike."""
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # 2 MB, of no use to who runs on SQLite

    return cast(sqlite.Insert, postgresql.insert(table))


@cache
def quiet_insert(dialect: str, table: Table) -> Insert:
    """An INSERT that leaves an existing row alone."""
    return insert_of(dialect, table).on_conflict_do_nothing()


def has_word(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    """Whether a text contains a word in any case: SQLite folds the case of ASCII only."""
    forms = {word, word.lower(), word.capitalize(), word.upper()}
    return or_(*(func.lower(column).contains(form, autoescape=True) for form in sorted(forms)))
