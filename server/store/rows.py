"""Small tools that the query modules share: columns by a dataclass's fields, quiet inserts.

Not for queries of their own.
"""

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import Insert

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def columns_of(kind: "type[DataclassInstance]", table: Table) -> list[ColumnElement[Any]]:
    """The table's columns in the order of the dataclass's fields (``class_`` is ``class``)."""
    return [table.c[field.name.rstrip("_")] for field in fields(kind)]


@cache
def _names(kind: "type[DataclassInstance]") -> tuple[tuple[str, str], ...]:
    return tuple((field.name.rstrip("_"), field.name) for field in fields(kind))


def values_of(row: "DataclassInstance") -> dict[str, object]:
    """A row's values by column name, for an INSERT."""
    return {column: getattr(row, name) for column, name in _names(type(row))}


@cache
def quiet_insert(dialect: str, table: Table) -> Insert:
    """An INSERT that leaves a row alone that is there already."""
    if dialect == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()
