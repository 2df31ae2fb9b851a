"""A snapshot as the store keeps it: values that have been a text."""

from typing import Any

from kskak.ledger.stored_events import dump_state
from kskak.play.game_state import GameState
from server.store.engine.rows import dump_json, value_of


def kept(state: GameState) -> dict[str, Any]:
    """What is read back of a state."""
    return dict(value_of(dump_json(dump_state(state))))
