"""The facts that an outbox row itself carries, read back from its JSON.

Not for the facts of the game (letter_facts.py).
"""

import json
from collections.abc import Mapping
from datetime import date

from kskak.game.refusals import Reason, Refusal
from server.store.mail.outbox import OutboxRow
from server.usecases.core.letter_facts import NoLetter

Params = Mapping[str, object]


def params_of(letter: OutboxRow) -> Params:
    """The row's own facts."""
    value = json.loads(letter.params)
    if not isinstance(value, dict):
        raise NoLetter("params")
    return value


def texts(params: Params, name: str) -> list[str]:
    """A list of texts in the row's facts; empty when it is not there."""
    value = params.get(name)
    return [str(item) for item in value] if isinstance(value, list) else []


def text(params: Params, name: str) -> str:
    """A text in the row's facts."""
    value = params.get(name)
    if not isinstance(value, str):
        raise NoLetter(name)
    return value


def day(params: Params, name: str) -> date:
    """A day in the row's facts."""
    return date.fromisoformat(text(params, name))


def refusal_of(params: Params) -> Refusal:
    """A refusal as it was recorded."""
    days = params.get("days")
    earliest = params.get("earliest")
    return Refusal(
        Reason(text(params, "why")),
        date.fromisoformat(earliest) if isinstance(earliest, str) else None,
        days if isinstance(days, int) else None,
    )


def told_in(letter: OutboxRow) -> dict[int, list[int]]:
    """The games of a daily letter, each with the events it reports, in order. Raises NoLetter."""
    found: dict[int, list[int]] = {}
    told = params_of(letter).get("told")
    for pair in told if isinstance(told, list) else ():
        if not (isinstance(pair, list) and all(isinstance(number, int) for number in pair)):
            raise NoLetter("told")
        found.setdefault(pair[0], []).append(pair[1])
    return found
