"""A row of the register: a paragraph and how far it is carried out.

Not for the rows (paragraphs.py, rating_paragraphs.py).
"""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How far a paragraph is carried out."""

    YES = "yes"
    PARTLY = "partly"
    OFFICIAL = "official"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A row: ``yes`` is cited by code and tests; ``official`` is a person's to decide."""

    number: str
    title: str
    status: Status
    note: str = ""


YES, PARTLY, OFFICIAL, NO = Status.YES, Status.PARTLY, Status.OFFICIAL, Status.NO
