"""The shape of a kskak-ledger/1: every field there, of its type; dates become dates.

Written from the text alone as test material. It looks at no rule of play.
"""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
MOVE = re.compile(r"[1-8]{4}([1-4]|\([1-4]\))?")
CHANNELS = ("post", "email", "fax", "web")
PAUSES = ("reserve", "dispute", "outage", "bounce")
INVALIDS = ("illegal", "illegible", "wrong_repetition", "ambiguous", "damaged_in_post")
RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0")


class LedgerError(ValueError):
    """The ledger is refused; the text says which entry and why."""


def a_date(value: Any) -> date:
    """A date written YYYY-MM-DD."""
    if not isinstance(value, str) or not DATE.fullmatch(value):
        raise LedgerError(f"not a date: {value!r}")
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise LedgerError(f"not a date: {value!r}") from error


def a_text(value: Any) -> str:
    """Any string."""
    if not isinstance(value, str):
        raise LedgerError(f"not a text: {value!r}")
    return value


def a_number(value: Any) -> int:
    """A whole number; true and false are none."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise LedgerError(f"not a whole number: {value!r}")
    return value


def a_move(value: Any) -> str:
    """A numeric move (§ 6.2.2), given back without parentheses."""
    if not isinstance(value, str) or not MOVE.fullmatch(value):
        raise LedgerError(f"not a numeric move: {value!r}")
    return value.replace("(", "").replace(")", "")


def moves(value: Any) -> list[str]:
    """A list of numeric moves."""
    if not isinstance(value, list):
        raise LedgerError(f"not a list of moves: {value!r}")
    return [a_move(item) for item in value]


def one_of(*allowed: Any) -> Callable[[Any], Any]:
    """A reader for a closed set."""

    def read(value: Any) -> Any:
        if isinstance(value, bool) or value not in allowed:
            raise LedgerError(f"{value!r} is none of {allowed}")
        return value

    return read


def nullable(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A reader that lets null pass."""
    return lambda value: None if value is None else read(value)


side = one_of("white", "black")
# kind -> field -> (reader, required)
FIELDS: dict[str, dict[str, tuple[Callable[[Any], Any], bool]]] = {
    "move": {
        "by": (side, True),
        "move": (a_move, False),
        "moves": (moves, False),
        "proposes": (moves, False),
        "received": (a_date, False),
        "sent": (a_date, False),
        "postmark": (nullable(a_date), False),
        "receipt": (nullable(a_date), False),
        "stated": (nullable(a_date), False),
        "channel": (one_of(*CHANNELS), False),
    },
    "leave": {
        "by": (side, True),
        "from": (a_date, True),
        "to": (a_date, True),
        "notified": (a_date, False),
        "type": (one_of("personal", "special"), False),
    },
    "pause": {
        "from": (a_date, True),
        "to": (nullable(a_date), True),
        "reason": (one_of(*PAUSES), True),
    },
    "receipt": {"by": (side, True), "on": (a_date, True)},
    "long_think": {"by": (side, True), "on": (a_date, True)},
    "reminder": {"by": (side, True), "on": (a_date, True)},
    "tl_notified": {"by": (side, True), "on": (a_date, True)},
    "invalid": {"by": (side, True), "on": (a_date, True), "reason": (one_of(*INVALIDS), True)},
    "claim": {"by": (side, True), "on": (a_date, True)},
    "charge": {
        "by": (side, True),
        "on": (a_date, True),
        "days": (a_number, True),
        "paragraph": (a_text, True),
        "reason": (a_text, True),
    },
    "result": {
        "result": (one_of(*RESULTS), True),
        "on": (a_date, True),
        "authority": (a_text, True),
        "ref": (a_text, True),
    },
    "correction": {
        "ply": (a_number, True),
        "sent": (a_date, False),
        "received": (a_date, False),
        "authority": (a_text, True),
        "ref": (a_text, True),
    },
    "set_time": {"white": (a_number, False), "black": (a_number, False)},
    "resume": {"on": (a_date, True)},
    "resign": {"by": (side, True), "on": (a_date, True)},
    "draw": {"by": (side, True), "on": (a_date, True)},
}
HEAD: dict[str, tuple[Callable[[Any], Any], bool]] = {
    "format": (one_of("kskak-ledger/1"), True),
    "game": (a_text, True),
    "regulation": (one_of("postal", "email"), True),
    "start": (a_date, True),
    "white": (a_text, True),
    "black": (a_text, True),
    "fen": (nullable(a_text), False),
    "laws": (one_of(2009, 2014, 2018), False),
}


def read_fields(
    source: dict[str, Any], fields: dict[str, tuple[Callable[[Any], Any], bool]]
) -> dict[str, Any]:
    """The known fields of one object, read; unknown ones are left out."""
    found: dict[str, Any] = {}
    for name, (read, required) in fields.items():
        if name in source:
            found[name] = read(source[name])
        elif required:
            raise LedgerError(f"{name} is missing")
    return found


def check_entry(entry: dict[str, Any]) -> None:
    """What one entry must hold beyond its single fields."""
    kind = entry["kind"]
    if kind == "move" and ("move" in entry) == ("moves" in entry):
        raise LedgerError("either move or moves")
    if kind == "leave" and entry.get("type", "personal") == "personal" and "notified" not in entry:
        raise LedgerError("notified is missing")
    if kind in ("leave", "pause") and entry["to"] is not None and entry["to"] < entry["from"]:
        raise LedgerError("to lies before from")
    if kind == "correction" and not ("sent" in entry or "received" in entry):
        raise LedgerError("a correction of nothing")
    if kind == "set_time" and not ("white" in entry or "black" in entry):
        raise LedgerError("a setting of nothing")


def read_ledger(source: Any) -> dict[str, Any]:
    """A copy with dates as dates and moves without parentheses, or LedgerError."""
    if not isinstance(source, dict):
        raise LedgerError("a ledger is an object")
    ledger = read_fields(source, HEAD)
    if not isinstance(source.get("entries"), list):
        raise LedgerError("entries is no list")
    ledger["entries"] = []
    for index, raw in enumerate(source["entries"]):
        if not isinstance(raw, dict) or raw.get("kind") not in list(FIELDS):
            raise LedgerError(f"entry {index}: unknown kind")
        try:
            entry = {"kind": raw["kind"]} | read_fields(raw, FIELDS[raw["kind"]])
            check_entry(entry)
        except LedgerError as error:
            raise LedgerError(f"entry {index}: {error}") from error
        ledger["entries"].append(entry)
    return ledger
