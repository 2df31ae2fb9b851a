"""Instants as the database keeps them (UTC microseconds since 1970 in an integer), and JSON text.

SQLite drops zones and floats lose microseconds; naive values are refused. Not for days:
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
    """Microseconds since 1970 of an aware moment. ValueError for a naive one."""
    if moment.tzinfo is None:
        raise ValueError("a moment must be aware")
    return (moment - EPOCH) // MICROSECOND


def from_us(us: int) -> datetime:
    """The moment, aware, in UTC."""
    return EPOCH + us * MICROSECOND


def text_of(value: object) -> str:
    """Compact JSON, letters as they are. ValueError for what JSON has no form for."""
    return to_json(value).decode()


def value_of(text: str) -> Any:
    """What a text of ``text_of`` says. ValueError when it is no JSON."""
    return from_json(text)
