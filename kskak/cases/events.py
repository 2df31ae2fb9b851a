"""What has happened in a case: frozen values (§ 6.4).

A case's events are its history, kept and chained like a game's. The papers themselves (what was
said, mails, scans) are in the store; an event has their digest, so that a paper may be deleted
in due time and the chain still holds. Not for what follows from an event (evolve.py).
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.cases.decisions import Decision, Instance, Vote
from kskak.regulation.quantities import Side


class CaseKind(StrEnum):
    """What a case is about."""

    OVERSTEP = "overstep"
    DAYS = "days"
    FAULTY = "faulty"
    SILENCE = "silence"
    WITHDRAWAL = "withdrawal"
    ADJUDICATION = "adjudication"
    CONDUCT = "conduct"
    LEAVE = "leave"
    RESULT = "result"
    OFFLINE = "offline"
    TAKEOVER = "takeover"
    OTHER = "other"


class PaperKind(StrEnum):
    """What a paper of the file is."""

    STATEMENT = "statement"
    MAIL = "mail"
    LETTER = "letter"
    EVIDENCE = "evidence"
    SCAN = "scan"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Deposit:
    """A deposit as stated, received or paid back: øre, day, payment reference (§ 6.4.3)."""

    amount: int
    on: date
    reference: str


# Events.


@dataclass(frozen=True, slots=True)
class CaseOpened:
    """A claim, or what the server saw, became a case.

    ``parties`` are heard and may appeal; ``concerned`` may appeal too. ``claimant`` None: opened
    by the server or an official. ``games`` are the games it may rule on.
    """

    kind: CaseKind
    on: date
    instance: Instance
    parties: tuple[int, ...]
    question: str
    paragraphs: tuple[str, ...]
    claimant: int | None = None
    concerned: tuple[int, ...] = ()
    games: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PartiesAsked:
    """Those named are asked for a statement, by ``until`` at the latest."""

    on: date
    until: date
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PaperFiled:
    """A paper went into the file; ``by`` None: the server."""

    on: date
    by: int | None
    kind: PaperKind
    digest: str


@dataclass(frozen=True, slots=True)
class HearingClosed:
    """The parties have been heard, or had their chance; ``reason`` when closed before that."""

    on: date
    by: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameClaimed:
    """``late``'s overstep in a game is claimed by ``by``; None: the server (§ 6.3.3.5).

    The case decides whether the claim stands; until then the game stands still.
    """

    on: date
    game: int
    late: Side
    by: int | None


@dataclass(frozen=True, slots=True)
class GamesSuspended:
    """Time stands still in these games from this day (§ 6.4.1; § 6.4.3 on appeal to the Board)."""

    on: date
    games: tuple[int, ...]
    paragraph: str


@dataclass(frozen=True, slots=True)
class SuspensionLifted:
    """Play resumes in these games on this day (§ 6.4.1)."""

    on: date
    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, by this person on behalf of its instance (§ 6.4.1, § 6.4.3)."""

    by: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class DecisionDelivered:
    """The decision reached the person on this day: their term runs from it (§ 6.4.3)."""

    ref: str
    person: int
    on: date


@dataclass(frozen=True, slots=True)
class Appealed:
    """The person appealed against the decision to the instance above (§ 6.4.3).

    ``stated``: the deposit stated as paid; nothing is booked until it is received.
    ``deposit``: the same in old appeals, which booked it at once.
    """

    on: date
    by: int
    against: str
    to: Instance
    digest: str
    deposit: Deposit | None = None
    stated: Deposit | None = None


@dataclass(frozen=True, slots=True)
class AppealWithdrawn:
    """The person withdrew the appeal."""

    on: date
    by: int


@dataclass(frozen=True, slots=True)
class DepositSettled:
    """The deposit is to go back to the appellant, or falls to the Union (§ 6.4.3)."""

    on: date
    person: int
    is_returned: bool


@dataclass(frozen=True, slots=True)
class DepositReceived:
    """An official noted the appellant's deposit as received: it is booked (§ 6.4.3)."""

    on: date
    by: int
    person: int
    deposit: Deposit


@dataclass(frozen=True, slots=True)
class DepositPaidBack:
    """An official paid the deposit back: it is booked (§ 6.4.3)."""

    on: date
    by: int
    person: int
    deposit: Deposit


@dataclass(frozen=True, slots=True)
class BoardVoted:
    """A member of the Board voted: whom they would uphold, and their comment (§ 1.3.9).

    A member's last vote before the decision counts.
    """

    on: date
    vote: Vote


@dataclass(frozen=True, slots=True)
class BecameFinal:
    """Nobody appealed in time: the decision stands (§ 6.4.3)."""

    on: date


@dataclass(frozen=True, slots=True)
class CaseWithdrawn:
    """The claim was withdrawn before it was decided."""

    on: date
    by: int | None


@dataclass(frozen=True, slots=True)
class CaseSettled:
    """The case closed without a decision: agreement, or the silent player answered."""

    on: date
    by: int | None
    note: str


@dataclass(frozen=True, slots=True)
class CaseWidened:
    """Further games and persons were added to the case: parties (§ 6.4.1), or ``concerned``
    in the games of an expelled player (§ 6.4.2)."""

    on: date
    by: int | None
    games: tuple[int, ...]
    parties: tuple[int, ...]
    concerned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionCited:
    """A decision of another case, as made: this case's next one annuls or restores it (§ 6.4.3)."""

    on: date
    decision: Decision


@dataclass(frozen=True, slots=True)
class AnnulledElsewhere:
    """The decision ``ref`` of this case was annulled by ``by``, one of another case (§ 6.4.3)."""

    on: date
    ref: str
    by: str


CaseEvent = (
    CaseOpened
    | CaseWidened
    | DecisionCited
    | AnnulledElsewhere
    | PartiesAsked
    | PaperFiled
    | HearingClosed
    | GameClaimed
    | GamesSuspended
    | SuspensionLifted
    | Decided
    | DecisionDelivered
    | Appealed
    | AppealWithdrawn
    | DepositSettled
    | DepositReceived
    | DepositPaidBack
    | BoardVoted
    | BecameFinal
    | CaseWithdrawn
    | CaseSettled
)
