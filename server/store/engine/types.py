"""Instants as stored in the database (integer UTC microseconds since 1970), and JSON text.

SQLite drops time zones and floats lose microseconds; naive values are refused. Not for days:
those are ISO text.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic_core import from_json, to_json

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


def text_of(value: object) -> str:
    """Compact JSON, without escaping letters. ValueError for what JSON can't express."""
    return to_json(value).decode()


def value_of(text: str) -> Any:
    """The value of a text from ``text_of``. ValueError when it is not JSON."""
    return from_json(text)
