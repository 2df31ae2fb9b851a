"""Letting the event loop turn amid long work in a transaction.

On PostgreSQL synchronous work runs on the event loop between its statements (Store.transact), and a
batch of many moves would hold everybody else up. On SQLite it has a thread of its own. Not for
work of another kind: others run meanwhile, though never in this transaction.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.util import await_

T = TypeVar("T")

LONGEST_S = 0.002
"""Seconds of work after which the loop turns: some six moves."""


def breathing(conn: Connection, items: Sequence[T]) -> Iterable[T]:
    """The same items, to be gone through in that connection's transaction."""
    return _breathing(items) if conn.dialect.is_async else items


def _breathing(items: Iterable[T]) -> Iterator[T]:
    begun = perf_counter()
    for item in items:
        if perf_counter() - begun > LONGEST_S:
            await_(asyncio.sleep(0))
            begun = perf_counter()
        yield item
