"""Frozen values as JSON values and back, by their own types: one way to write each.

For values whose fields are texts, integers, booleans, dates, enums, tuples, other such values
and ruling effects. Reading is strict: an unknown or wrong field is an error that names its
place, and so is a missing one, except those with a default, which are newer than what was stored.
Not for the formats of CONTRACTS (ledger_in.py, ledger_out.py).
"""

import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar, Union, get_args, get_origin, get_type_hints

from kskak.game.events import RulingEffect
from kskak.ledger.ledger_in import LedgerError
from kskak.ledger.ledger_out import JsonValue
from kskak.ledger.stored_events import effect_json, load_effect

_T = TypeVar("_T")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class CodecError(ValueError):
    """A value that can't be read; the message names the place."""


def to_json(value: object) -> JsonValue:
    """A value as JSON; TypeError for one this module does not know."""
    match value:
        case None | bool() | int() | str() if not isinstance(value, StrEnum):
            return value
        case StrEnum():
            return value.value
        case date():
            return value.isoformat()
        case tuple():
            return [to_json(item) for item in value]
        case _ if isinstance(value, RulingEffect):
            return effect_json(value)
        case _ if is_dataclass(value):
            return {row.name: to_json(getattr(value, row.name)) for row in fields(value)}
        case _:
            raise TypeError(f"not a value to keep: {type(value).__name__}")


def from_json(kind: type[_T], value: object, where: str = "value") -> _T:
    """A value of a frozen class, from what ``to_json`` made of it. Raises CodecError."""
    read = _read(kind, value, where)
    assert isinstance(read, kind)
    return read


@lru_cache(maxsize=128)
def _hints(kind: type) -> Mapping[str, object]:
    return get_type_hints(kind)


def _wrong(where: str, wanted: str) -> CodecError:
    return CodecError(f"{where}: must be {wanted}")


def _read(hint: object, value: object, where: str) -> object:
    """A value read by its type; covers what ``to_json`` writes."""
    if hint == RulingEffect:
        try:
            return load_effect(value)
        except LedgerError as fault:
            raise CodecError(f"{where}: {fault}") from fault
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        rest = [arg for arg in get_args(hint) if arg is not types.NoneType]
        return _read(rest[0], value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(where, "a list")
        item = get_args(hint)[0]
        return tuple(_read(item, each, f"{where}[{i}]") for i, each in enumerate(value))
    assert isinstance(hint, type)
    return _of_class(hint, value, where) if is_dataclass(hint) else _scalar(hint, value, where)


def _of_class(kind: type, value: object, where: str) -> object:
    hints = _hints(kind)
    needed = {row.name for row in fields(kind) if row.default is MISSING}
    if not isinstance(value, dict) or not needed <= value.keys() <= hints.keys():
        raise _wrong(where, f"an object with {', '.join(hints)}")
    return kind(
        **{name: _read(hints[name], given, f"{where}.{name}") for name, given in value.items()}
    )


def _scalar(kind: type, value: object, where: str) -> object:
    if kind is date:
        if isinstance(value, str) and _ISO.fullmatch(value):
            try:
                return date.fromisoformat(value)
            except ValueError:
                pass
        raise _wrong(where, "a date as 2026-08-29")
    if issubclass(kind, StrEnum):
        if isinstance(value, str) and value in set(kind):
            return kind(value)
        raise _wrong(where, "one of " + ", ".join(kind))
    if type(value) is not kind:
        raise _wrong(where, f"of type {kind.__name__}")
    return value
