"""Ways to spoil a good ledger: a field, an added entry, the head. The faults are made of these."""

import random
from collections.abc import Callable
from typing import Any

Ledger = dict[str, Any]
Fault = Callable[[random.Random, Ledger], bool]


def some(rng: random.Random, ledger: Ledger, *kinds: str, having: str = "kind") -> Any:
    """A random entry of a kind that has a field, or None."""
    found = [e for e in ledger["entries"] if e["kind"] in kinds and having in e]
    return rng.choice(found) if found else None


def spoil(value: Any, field: str, *kinds: str) -> Fault:
    """A fault that sets a field of an entry of some kind to a wrong value."""

    def fault(rng: random.Random, ledger: Ledger) -> bool:
        entry = some(rng, ledger, *kinds, having=field)
        if entry is None:
            return False
        entry[field] = value
        return True

    return fault


def added(**fields: Any) -> Fault:
    """A fault that adds a whole entry at any place before the last entry."""

    def fault(rng: random.Random, ledger: Ledger) -> bool:
        entries = ledger["entries"]
        entry = {name.rstrip("_"): value for name, value in fields.items()}
        entries.insert(rng.randint(0, max(0, len(entries) - 1)), entry)
        return True

    return fault


def top(field: str, value: Any) -> Fault:
    """A fault in the head of the ledger."""

    def fault(rng: random.Random, ledger: Ledger) -> bool:
        ledger[field] = value
        return True

    return fault
