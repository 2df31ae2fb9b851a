"""JSON that every move reads and writes: snapshots, answers, the facts of letters.

By pydantic's own reader and writer, three times as fast as the standard library's. Not for what
is hashed: a ledger's events have a form of their own (kskak.ledger.stored_events).
"""

from typing import Any

from pydantic_core import from_json, to_json


def text_of(value: object) -> str:
    """Compact JSON, letters as they are. ValueError for what JSON has no form for."""
    return to_json(value).decode()


def value_of(text: str) -> Any:
    """What a text of ``text_of`` says. ValueError when it is no JSON."""
    return from_json(text)
