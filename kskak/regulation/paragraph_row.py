"""A row of the register: a paragraph and how far it is implemented.

Not for the rows (paragraphs.py, rating_paragraphs.py).
"""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How far a paragraph is implemented."""

    YES = "yes"
    PARTLY = "partly"
    OFFICIAL = "official"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A row: ``yes`` is cited by code and tests; ``official`` is for a person to decide."""

    number: str
    title: str
    status: Status
    note: str = ""


YES, PARTLY, OFFICIAL, NO = Status.YES, Status.PARTLY, Status.OFFICIAL, Status.NO
