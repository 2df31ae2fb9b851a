"""A snapshot as the store keeps it: values that have been a text."""

from typing import Any

from kskak.ledger.stored_events import dump_state
from kskak.play.state import GameState
from server.store.engine.rows import text_of, value_of


def kept(state: GameState) -> dict[str, Any]:
    """What is read back of a state."""
    return dict(value_of(text_of(dump_state(state))))
