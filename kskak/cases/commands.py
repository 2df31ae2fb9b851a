"""What a person, or the server, may ask of a case (§ 6.4). Not for what then happened."""

from dataclasses import dataclass
from datetime import date

from kskak.cases.decisions import Decision, Instance
from kskak.cases.events import CaseKind, Deposit, PaperKind


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks. ``person`` None: the server itself.

    ``offices`` are the instances he may act for in this case's group, as the server has
    verified; ``plays_in_group`` whether he plays there himself; ``team`` the players that he
    speaks for as their captain (§ 6.7.6).
    """

    person: int | None
    offices: frozenset[Instance] = frozenset()
    plays_in_group: bool = False
    team: frozenset[int] = frozenset()


SERVER = Actor(None)


@dataclass(frozen=True, slots=True)
class OpenCase:
    """Open a case before ``instance``; the claimant is the asking person if he is a party."""

    kind: CaseKind
    parties: tuple[int, ...]
    question: str
    paragraphs: tuple[str, ...]
    concerned: tuple[int, ...] = ()
    games: tuple[int, ...] = ()
    instance: Instance = Instance.LEADER


@dataclass(frozen=True, slots=True)
class WidenCase:
    """Take further games and parties of the group into the case (§ 6.4.1).

    ``concerned`` come with the games of who is expelled: told, and free to appeal (§ 6.4.2).
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
    """A decision of this case was annulled by that of another; the server's to say."""

    ref: str
    by: str


@dataclass(frozen=True, slots=True)
class AskParties:
    """Ask the parties (all, if none is named) for their word until a day, that day included."""

    until: date
    asked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FilePaper:
    """Put a paper in the file; ``speaker`` when it is somebody else's, as a mail from a party."""

    kind: PaperKind
    digest: str
    speaker: int | None = None


@dataclass(frozen=True, slots=True)
class CloseHearing:
    """End the hearing; a reason is needed when somebody asked has neither spoken nor run late."""

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

    ``deposit``: what he says he has paid to the Board. ``fee``: what is asked for there, in øre,
    0 when it is not known here. ``running_games``: the sanctioned players' games that the
    suspension of § 6.4.3 would stop. ``on``: the day it came in, where that was not today;
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
    """Take one's appeal back."""


@dataclass(frozen=True, slots=True)
class LetStand:
    """Close a decided case whose terms of appeal are all over; nothing before that."""


@dataclass(frozen=True, slots=True)
class WithdrawCase:
    """Take the claim back."""


@dataclass(frozen=True, slots=True)
class SettleCase:
    """Close the case without a decision, with a note why."""

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
