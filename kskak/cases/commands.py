"""What a person, or the server, may ask of a case (§ 6.4). Not for what happened (events.py)."""

from dataclasses import dataclass
from datetime import date

from kskak.cases.decisions import Decision, Instance
from kskak.cases.events import CaseKind, Deposit, PaperKind


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks. ``person`` None: the server itself.

    ``offices`` are the instances they may act for in this case's group, as verified by the
    server; ``is_barred``: whether they play there themselves, or somebody they are playing
    against does; ``team``: the players they speak for as captain (§ 6.7.6).
    """

    person: int | None
    offices: frozenset[Instance] = frozenset()
    is_barred: bool = False
    team: frozenset[int] = frozenset()


SERVER = Actor(None)


@dataclass(frozen=True, slots=True)
class OpenCase:
    """Open a case before ``instance``; the person asking is the claimant if a party."""

    kind: CaseKind
    parties: tuple[int, ...]
    question: str
    paragraphs: tuple[str, ...]
    concerned: tuple[int, ...] = ()
    games: tuple[int, ...] = ()
    instance: Instance = Instance.LEADER


@dataclass(frozen=True, slots=True)
class WidenCase:
    """Add further games and parties of the group to the case (§ 6.4.1).

    ``concerned``: the others in an expelled player's games; told, and free to appeal (§ 6.4.2).
    """

    games: tuple[int, ...] = ()
    parties: tuple[int, ...] = ()
    concerned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CiteDecision:
    """Bring in a decision of another case, to be annulled or restored (§ 6.4.3)."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class NoteAnnulled:
    """A decision of this case was annulled by one of another; only the server may say so."""

    ref: str
    by: str


@dataclass(frozen=True, slots=True)
class AskParties:
    """Ask the parties (all, if none is named) for statements by a day, that day included."""

    until: date
    asked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FilePaper:
    """Put a paper in the file; ``speaker`` when it is someone else's, like a mail from a party."""

    kind: PaperKind
    digest: str
    speaker: int | None = None


@dataclass(frozen=True, slots=True)
class CloseHearing:
    """End the hearing; a reason is needed while someone asked can still answer in time."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class SuspendGames:
    """Stop time in these games of the case (§ 6.4.1)."""

    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiftSuspension:
    """Let time run again in the suspended games, from today (§ 6.4.1)."""


@dataclass(frozen=True, slots=True)
class Decide:
    """Decide the case (§ 6.4.1, § 6.4.3)."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class RecordDelivery:
    """The decision reached the person on this day."""

    ref: str
    person: int
    on: date


@dataclass(frozen=True, slots=True)
class Appeal:
    """Appeal against the latest decision (§ 6.4.3).

    ``deposit``: what the appellant states as paid to the Board. ``fee``: what the Board requires,
    in øre, 0 when not known here. ``running_games``: the sanctioned players' games that the
    suspension of § 6.4.3 would stop. ``on``: the day it was received, if not today;
    ``appellant``: whose it is, when an official enters it.
    """

    digest: str
    deposit: Deposit | None = None
    fee: int = 0
    running_games: tuple[int, ...] = ()
    on: date | None = None
    appellant: int | None = None


@dataclass(frozen=True, slots=True)
class CastVote:
    """Vote as a member of the Board (§ 1.3.9)."""

    upholds: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReceiveDeposit:
    """Note that the person's deposit has been received (§ 6.4.3)."""

    person: int
    deposit: Deposit
    fee: int = 0


@dataclass(frozen=True, slots=True)
class PayDepositBack:
    """Note that the person's deposit has been paid back, on a day and how (§ 6.4.3)."""

    person: int
    on: date
    reference: str = ""


@dataclass(frozen=True, slots=True)
class WithdrawAppeal:
    """Withdraw one's appeal."""


@dataclass(frozen=True, slots=True)
class LetStand:
    """Close a decided case once all its terms of appeal are over; has no effect before that."""


@dataclass(frozen=True, slots=True)
class WithdrawCase:
    """Withdraw the claim."""


@dataclass(frozen=True, slots=True)
class SettleCase:
    """Close the case without a decision, with a note saying why."""

    note: str


CaseCommand = (
    OpenCase
    | WidenCase
    | CiteDecision
    | NoteAnnulled
    | AskParties
    | FilePaper
    | CloseHearing
    | SuspendGames
    | LiftSuspension
    | Decide
    | RecordDelivery
    | Appeal
    | CastVote
    | ReceiveDeposit
    | PayDepositBack
    | WithdrawAppeal
    | LetStand
    | WithdrawCase
    | SettleCase
)
