"""The letters of a case: what happened in it, and a decision (§ 6.4.1-6.4.3).

Facts only, as in ``mail.game_letters.facts``. A decision's own text is written by the official;
what is always told with it (how to appeal, until when) is not in it. NOT for text or layout.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.cases.decisions import Instance
from mail.text.facts import Official, Person


class CaseWord(StrEnum):
    """What a notice in a case tells."""

    OPENED = "opened"
    SAID = "said"
    ENCLOSED = "enclosed"
    HEARING = "hearing"
    SUSPENDED = "suspended"
    LIFTED = "lifted"
    SETTLED = "settled"
    WITHDRAWN = "withdrawn"
    APPEALED = "appealed"
    APPEAL_WITHDRAWN = "appeal_withdrawn"
    RETURNED = "returned"
    ADMITTED = "admitted"
    APPEAL_TAKEN = "appeal_taken"
    APPEAL_ASKED = "appeal_asked"
    APPEAL_NOT_TAKEN = "appeal_not_taken"
    ANSWERED = "answered"
    EXCUSED = "excused"
    WIDENED = "widened"


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """A case as its letters name it. ``question`` as the case has it, ``@key`` included."""

    number: str
    group: str
    leader: Official
    question: str
    paragraphs: tuple[str, ...]
    parties: tuple[str, ...]
    games: tuple[str, ...]
    zone: str
    url: str
    reply_to: str
    """Where a mail that names the case's number in its subject is filed in it."""


@dataclass(frozen=True, slots=True)
class CaseNotice:
    """To the parties, their captains and the official: what happened. ``by`` None: the server."""

    reader: Person
    case: CaseFacts
    word: CaseWord
    is_official: bool
    by: str | None
    text: str = ""
    until: date | None = None
    is_captain: bool = False


@dataclass(frozen=True, slots=True)
class CaseDecision:
    """A decision, to everybody concerned: its text, and how to appeal (§ 6.4.3).

    ``appeal_to`` None: final. ``days`` is the term; ``fee`` the deposit in øre (0: the
    year's fee, not known here), None where none is asked.
    """

    reader: Person
    case: CaseFacts
    ref: str
    instance: Instance
    text: str
    may_appeal: bool
    appeal_to: Instance | None
    days: int
    fee: int | None = None


@dataclass(frozen=True, slots=True)
class StartAnnulled:
    """A group's start was taken back before its first move; another start letter will follow."""

    reader: Person
    group: str
    leader: Official
    zone: str
    reason: str


CaseLetter = CaseNotice | CaseDecision
