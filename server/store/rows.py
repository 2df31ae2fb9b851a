"""Small tools that the query modules share: columns by a dataclass's fields, quiet inserts.

Not for queries of their own.
"""

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import Insert

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def columns_of(kind: "type[DataclassInstance]", table: Table) -> list[ColumnElement[Any]]:
    """The table's columns in the order of the dataclass's fields (``class_`` is ``class``)."""
    return [table.c[field.name.rstrip("_")] for field in fields(kind)]


def values_of(row: "DataclassInstance") -> dict[str, object]:
    """A row's values by column name, for an INSERT."""
    return {name.rstrip("_"): value for name, value in asdict(row).items()}


def quiet_insert(dialect: str, table: Table) -> Insert:
    """An INSERT that leaves a row alone that is there already."""
    if dialect == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()
