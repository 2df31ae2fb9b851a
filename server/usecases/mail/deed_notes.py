"""What a person decided about a mail, kept in its row's note: the reason before, what, who, when.

Not for what mails do by themselves nor for texts (mail_texts.py).
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_NOTED = re.compile(r"(?P<why>.*?)(?:; )?(?P<act>[a-z_]+) by (?P<by>\d+|operator) at (?P<at>\d+)")


class Act(StrEnum):
    """What may be done with a mail or letter."""

    RELEASE = "release"
    AGAIN = "again"
    PUT_AWAY = "put_away"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class Noted:
    """A note's parts: why the mail was held, and the last decision about it, if any.

    ``by``: the person's id, None: the operator at the machine itself.
    """

    why: str
    act: Act | None = None
    by: int | None = None
    at_us: int = 0


def read_note(note: str | None) -> Noted:
    """The parts of a note; one that nobody decided about is only a reason."""
    found = _NOTED.fullmatch(note or "")
    if found is None or found["act"] not in {act.value for act in Act}:
        return Noted(note or "")
    by = None if found["by"] == "operator" else int(found["by"])
    return Noted(found["why"], Act(found["act"]), by, int(found["at"]))


def note_of(before: str | None, act: Act, by: int | None, now_us: int) -> str:
    """The note of a mail once somebody has decided; a person is named by id, never by name."""
    decided = f"{act.value} by {by or 'operator'} at {now_us}"
    why = read_note(before).why
    return f"{why}; {decided}" if why else decided
