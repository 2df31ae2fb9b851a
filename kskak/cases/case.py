"""A case: what may be asked of it, why that is refused, and how it stands (§ 6.4)."""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from kskak.cases import case_events
from kskak.regulation.editions import DISPUTES
from kskak.values import RuleName

# What a person, or the server, may ask of a case (§ 6.4). Not for what happened (case_events.py).


@dataclass(frozen=True, slots=True)
class BoardSeat:
    """A member or substitute who sits in a case: ``instead_of`` whom and why, as in a vote."""

    member: int
    instead_of: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks. ``person`` None: the server itself.

    ``offices`` are the instances they may act for in this case's group, as verified by the
    server; ``is_barred``: whether they play there themselves, or somebody they are playing
    against does; ``team``: the players they speak for as captain (§ 6.7.6); ``panel``: who sits in
    a case before the Board (§ 1.3.9).
    """

    person: int | None
    offices: frozenset[case_events.Instance] = frozenset()
    is_barred: bool = False
    team: frozenset[int] = frozenset()
    panel: tuple[BoardSeat, ...] = ()

    @property
    def seat(self) -> BoardSeat | None:
        """The person's seat at the Board in this case, if they have one."""
        return next((one for one in self.panel if one.member == self.person), None)


SERVER = Actor(None)


class CaseCommand:
    """Something asked of a case."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class OpenCase(CaseCommand):
    """Open a case before ``instance``; the person asking is the claimant if a party."""

    kind: case_events.CaseKind
    parties: tuple[int, ...]
    question: str
    paragraphs: tuple[str, ...]
    concerned: tuple[int, ...] = ()
    games: tuple[int, ...] = ()
    instance: case_events.Instance = case_events.Instance.LEADER


@dataclass(frozen=True, slots=True)
class WidenCase(CaseCommand):
    """Add further games and parties of the group to the case (§ 6.4.1).

    ``concerned``: the others in an expelled player's games; told, and free to appeal (§ 6.4.2).
    """

    games: tuple[int, ...] = ()
    parties: tuple[int, ...] = ()
    concerned: tuple[int, ...] = ()
    kinds: tuple[case_events.CaseKind, ...] = ()
    """What else it is about: something more of the same player."""


@dataclass(frozen=True, slots=True)
class CiteDecision(CaseCommand):
    """Bring in a decision of another case, to be annulled or restored (§ 6.4.3)."""

    decision: case_events.Decision


@dataclass(frozen=True, slots=True)
class NoteAnnulled(CaseCommand):
    """A decision of this case was annulled by one of another; only the server may say so."""

    ref: str
    by: str


@dataclass(frozen=True, slots=True)
class AskParties(CaseCommand):
    """Ask the parties (all, if none is named) for statements by a day, that day included.

    ``is_claim``: whether they claim the overstep that the case is about (§ 6.3.3.5).
    """

    until: date
    asked: tuple[int, ...] = ()
    is_claim: bool = False


@dataclass(frozen=True, slots=True)
class FilePaper(CaseCommand):
    """Put a paper in the file; ``speaker`` when it is someone else's, like a mail from a party."""

    kind: case_events.PaperKind
    digest: str
    speaker: int | None = None
    claimed: tuple[case_events.ClaimedDate, ...] = ()
    result: case_events.ClaimedResult | None = None


@dataclass(frozen=True, slots=True)
class CloseHearing(CaseCommand):
    """End the hearing; a reason is needed while someone asked can still answer in time."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class SuspendGames(CaseCommand):
    """Stop time in these games of the case (§ 6.4.1)."""

    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiftSuspension(CaseCommand):
    """Let time run again in the suspended games, from today (§ 6.4.1)."""


@dataclass(frozen=True, slots=True)
class Decide(CaseCommand):
    """Decide the case (§ 6.4.1, § 6.4.3)."""

    decision: case_events.Decision


@dataclass(frozen=True, slots=True)
class RecordDelivery(CaseCommand):
    """The decision reached the person on this day."""

    ref: str
    person: int
    on: date


@dataclass(frozen=True, slots=True)
class Appeal(CaseCommand):
    """Appeal against the latest decision (§ 6.4.3).

    ``deposit``: what the appellant states as paid to the Board. ``fee``: what the Board requires
    on that day, in øre; None when not known here. ``running_games``: the sanctioned players' games
    that the suspension of § 6.4.3 would stop. ``on``: the day it was received, if not today;
    ``appellant``: whose it is, when an official enters it; ``claimed``: as of a paper.
    """

    digest: str
    deposit: case_events.Deposit | None = None
    fee: int | None = None
    running_games: tuple[int, ...] = ()
    on: date | None = None
    appellant: int | None = None
    claimed: tuple[case_events.ClaimedDate, ...] = ()


@dataclass(frozen=True, slots=True)
class CastVote(CaseCommand):
    """Vote as a member of the Board (§ 1.3.9)."""

    upholds: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class ExcuseMember(CaseCommand):
    """Say that a member of the Board is prevented or recused in this case, and why (§ 1.3.9)."""

    member: int
    reason: str


@dataclass(frozen=True, slots=True)
class PublishDecision(CaseCommand):
    """Publish the Board's final decision: what happened, and what was decided (§ 1.3.9)."""

    facts: str
    decided: str


@dataclass(frozen=True, slots=True)
class ReceiveDeposit(CaseCommand):
    """Note that the person's deposit has been received (§ 6.4.3).

    ``fee``: what was due on the day of the appeal, in øre; None when not known yet.
    """

    person: int
    deposit: case_events.Deposit
    fee: int | None = None


@dataclass(frozen=True, slots=True)
class PayDepositBack(CaseCommand):
    """Note that the person's deposit has been paid back, on a day and how (§ 6.4.3)."""

    person: int
    on: date
    reference: str = ""


@dataclass(frozen=True, slots=True)
class WithdrawAppeal(CaseCommand):
    """Withdraw one's appeal."""


@dataclass(frozen=True, slots=True)
class LetStand(CaseCommand):
    """Close a decided case once all its terms of appeal are over; has no effect before that."""


@dataclass(frozen=True, slots=True)
class WithdrawCase(CaseCommand):
    """Withdraw the claim; the case goes on if it has other games, or is about more than that."""


@dataclass(frozen=True, slots=True)
class SettleCase(CaseCommand):
    """Close the case without a decision, with a note saying why."""

    note: str


# Why a case refuses a command: a closed set of reasons, each with its paragraph.


class CaseReason(RuleName):
    """What stands in the way, by its name in the catalogues, and the refusal's paragraph."""

    NOT_OPEN = "not_open", "6.4.1"
    NOT_A_PARTY = "not_a_party", "6.4.3"
    NOT_YOUR_OFFICE = "not_your_office", "6.4.1"
    OWN_GROUP = "own_group", "6.1.1"
    OWN_DECISION = "own_decision", "6.4.3"
    WRONG_INSTANCE = "wrong_instance", "6.4.3"
    NOT_HEARD = "not_heard", "6.4.1"
    NOT_DECIDED = "not_decided", "6.4.3"
    ALREADY_DECIDED = "already_decided", "6.4.1"
    NOT_APPEALED = "not_appealed", "6.4.3"
    APPEAL_ALONE = "appeal_alone", "6.4.3"
    NO_REASONS = "no_reasons", "1.3.9"
    DATES = "dates", "6.4.3"
    OTHER_GAME = "other_game", "6.4.1"
    OTHER_PERSON = "other_person", "6.4.2"
    BAD_TERM = "bad_term", "6.4.2"
    UNKNOWN_DECISION = "unknown_decision", "6.4.3"
    LATE = "late", "6.4.3"
    NO_DEPOSIT = "no_deposit", "6.4.3"
    DEPOSIT_SHORT = "deposit_short", "6.4.3"
    DEPOSIT_UNKNOWN = "deposit_unknown", "6.4.3"
    DEPOSIT_MISSING = "deposit_missing", "6.4.3"
    NOT_OWED = "not_owed", "6.4.3"
    NO_QUORUM = "no_quorum", "1.3.9"
    AGAINST_VOTES = "against_votes", "1.3.9"
    BOARD_FULL = "board_full", "1.3.9"
    NOT_SEATED = "not_seated", "1.3.9"
    CURRENT_DISPUTE = "current_dispute", "1.3.9"
    LAST_WORD = "last_word", "1.3.9"
    IMPOSSIBLE = "impossible", "6.4.1"
    RESULT_AND_RESUME = "result_and_resume", "6.4.1"
    SET_BACK_UNDATED = "set_back_undated", "6.4.1"
    COLOURS_ALONE = "colours_alone", "6.4.1"
    TWO_ANSWERS = "two_answers", "6.4.1"
    STILL_OVER = "still_over", "6.4.1"
    GAME_DATES = "game_dates", "6.4.1"
    CHANGED = "changed", "6.4.1"
    CLAIM_UNDECIDED = "claim_undecided", "6.4.1"
    FULL = "full", "6.4.1"
    TAKEOVER_LATE = "takeover_late", "6.4.5"
    NOT_TAKEN_OVER = "not_taken_over", "6.4.1"
    OBJECTION_LATE = "objection_late", "6.4.5"


@dataclass(frozen=True, slots=True)
class CaseRefusal:
    """A command that is not carried out; nothing has changed.

    ``since`` and ``until`` are the first and last acceptable day, ``day`` the one given;
    ``fee`` the deposit required, in øre; ``game`` the name of the game concerned.
    """

    reason: CaseReason
    until: date | None = None
    fee: int | None = None
    since: date | None = None
    day: date | None = None
    game: str | None = None

    @property
    def paragraph(self) -> str:
        """The paragraph that the refusal rests on."""
        return self.reason.paragraph


# A case as it stands, and the questions it answers about itself (§ 6.4.1-6.4.3).


class CaseStage(StrEnum):
    """The stage a case has reached; the last three end it."""

    OPENED = "opened"
    HEARD = "heard"
    DECIDED = "decided"
    APPEALED = "appealed"
    FINAL = "final"
    SETTLED = "settled"
    WITHDRAWN = "withdrawn"


ENDS = frozenset({CaseStage.FINAL, CaseStage.SETTLED, CaseStage.WITHDRAWN})
REPORTED, REPORTS = "@reported", "@reports"
"""The questions of a case about a game that one, or both, report over, as keys of catalogues."""
_Claim = case_events.ClaimedResult
_AGREED = (sorted((_Claim.WON, _Claim.LOST)), [_Claim.DRAWN, _Claim.DRAWN])


@dataclass(frozen=True, slots=True)
class CaseHearing:
    """Who was asked for a statement, until when, and who has answered."""

    until: date
    asked: tuple[int, ...]
    answered: tuple[int, ...] = ()
    is_closed: bool = False

    def is_over(self, now: date) -> bool:
        """Whether all have answered or the last day is past."""
        return now > self.until or set(self.asked) <= set(self.answered)


@dataclass(frozen=True, slots=True)
class HeldDeposit:
    """The deposit for an appeal to the Board: stated, received, settled, paid back (§ 6.4.3).

    ``fee``: what was due when it was lodged, in øre, None when that was not known.
    ``is_returned`` None until that is decided.
    """

    person: int
    stated: case_events.Deposit | None
    on: date
    fee: int | None = None
    received: case_events.Deposit | None = None
    is_returned: bool | None = None
    paid_back: case_events.Deposit | None = None

    @property
    def is_awaited(self) -> bool:
        """Whether it has not been received and is still due."""
        return self.received is None and not self.is_returned

    @property
    def is_owed(self) -> bool:
        """Whether it has to be paid back."""
        return self.received is not None and bool(self.is_returned) and self.paid_back is None


@dataclass(frozen=True, slots=True)
class CaseState:
    """A case; ``instance`` is the one it is before, or the one that decided last.

    ``opened`` includes later widening. ``appeals`` are the undecided ones against the latest
    decision. ``cited`` are decisions of other cases that were brought in,
    ``annulled_elsewhere`` those of this one that a decision of another case annulled. ``claims``
    are the claims of overstep it has yet to decide (§ 6.3.3.5).
    """

    opened: case_events.CaseOpened
    stage: CaseStage
    instance: case_events.Instance
    hearing: CaseHearing | None = None
    suspended: tuple[int, ...] = ()
    decided: tuple[case_events.CaseDecided, ...] = ()
    delivered: tuple[case_events.DecisionDelivered, ...] = ()
    appeals: tuple[case_events.DecisionAppealed, ...] = ()
    cited: tuple[case_events.Decision, ...] = ()
    annulled_elsewhere: tuple[str, ...] = ()
    joined: tuple[case_events.CaseKind, ...] = ()
    """What came into the case besides the kind of its opening."""
    over: tuple[case_events.CaseKind, ...] = ()
    """What it was about and is no more, as the rest goes on."""
    was_claimed: bool = False
    claims: tuple[case_events.GameClaimed, ...] = ()
    claims_decided: tuple[case_events.GameClaimed, ...] = ()
    """Those that a decision was made on: open again when the case is sent back (§ 6.4.3)."""
    claimed_dates: tuple[tuple[int | None, case_events.ClaimedDate], ...] = ()
    """By whom, and which; each once."""
    reports: tuple[tuple[int, case_events.ClaimedResult], ...] = ()
    """How a game ended by what each party last said of it (§ 6.2.6)."""
    votes: tuple[case_events.Vote, ...] = ()
    """The Board's, on the appeal before it."""
    excused: tuple[case_events.MemberExcused, ...] = ()
    published: case_events.DecisionPublished | None = None
    deposits: tuple[HeldDeposit, ...] = ()
    """For appeals to the Board, in order."""

    @property
    def kinds(self) -> tuple[case_events.CaseKind, ...]:
        """All that it is about, the opening's kind first."""
        every = dict.fromkeys((self.opened.kind, *self.joined))
        return tuple(kind for kind in every if kind not in self.over)

    @property
    def question(self) -> str:
        """What it asks: of a game that is reported over, whether both say the same (§ 6.2.6).

        Of the rest, where what it was opened about is over.
        """
        if self.opened.kind in self.over:
            return f"@{self.kinds[0].value}"
        is_disputed = self.opened.question == REPORTED and self.reports_differ
        return REPORTS if is_disputed else self.opened.question

    @property
    def reports_differ(self) -> bool:
        """Whether two parties have reported a game's result in ways that can't both be true."""
        said = sorted(result for _, result in self.reports)
        return len(said) > 1 and said not in _AGREED

    @property
    def latest(self) -> case_events.Decision | None:
        """The decision that stands, None before the first."""
        return self.decided[-1].decision if self.decided else None

    @property
    def decisions(self) -> dict[str, case_events.Decision]:
        """All decisions by ref, annulled ones too: the history stays."""
        return {row.decision.ref: row.decision for row in self.decided}

    @property
    def known(self) -> dict[str, case_events.Decision]:
        """All decisions, by ref, that a decision of this case can annul or restore."""
        return {decision.ref: decision for decision in self.cited} | self.decisions

    @property
    def annulled(self) -> frozenset[str]:
        """The decisions that a later one has annulled, here or elsewhere."""
        here = (ref for row in self.decided for ref in row.decision.annuls)
        return frozenset((*here, *self.annulled_elsewhere))

    @property
    def in_question(self) -> tuple[str, ...]:
        """The decisions a new one is about; it is weighed as if they did not exist (§ 6.4.3).

        On appeal all that stand; before one the latest, which a new decision replaces.
        """
        if self.stage is CaseStage.APPEALED:
            refs = (row.decision.ref for row in self.decided)
            return tuple(ref for ref in refs if ref not in self.annulled)
        if self.stage is CaseStage.DECIDED and self.latest is not None:
            return (self.latest.ref,)
        return ()

    @property
    def may_appeal(self) -> frozenset[int]:
        """Those with standing: the parties and all whom the case or a decision names (§ 6.4.3)."""
        named = {order.person for row in self.decided for order in row.decision.sanctions}
        return frozenset({*self.opened.parties, *self.opened.concerned, *named})

    @property
    def deciders(self) -> frozenset[int]:
        """Who has decided the case at an instance below the one that it is before."""
        below = (row for row in self.decided if row.decision.instance is not self.instance)
        return frozenset(row.by for row in below)

    @property
    def needs_deposit(self) -> bool:
        """Whether an appeal to the Board needs a deposit: where it is the third instance.

        Reading: § 6.4.3 asks for one «ved forelæggelse for Skaknævnet»; § 1.3.9, whose deposit it
        is, only of the Board as third instance, so none where the controller decided first.
        """
        return any(row.decision.instance is case_events.Instance.LEADER for row in self.decided)

    def standing_sanctions(self) -> tuple[case_events.SanctionOrder, ...]:
        """The sanctions of the decisions that stand, restored ones included."""
        by_ref = self.known
        in_force: dict[str, tuple[case_events.SanctionOrder, ...]] = {}
        for row in self.decided:
            for ref in row.decision.annuls:
                in_force.pop(ref, None)
            again = tuple(o for ref in row.decision.restores for o in by_ref[ref].sanctions)
            in_force[row.decision.ref] = (*again, *row.decision.sanctions)
        for ref in self.annulled_elsewhere:
            in_force.pop(ref, None)
        return tuple(order for orders in in_force.values() for order in orders)

    @property
    def shuts_out(self) -> bool:
        """Whether a quarantine or expulsion stands (§ 6.4.3)."""
        return any(
            o.kind is not case_events.SanctionKind.WARNING for o in self.standing_sanctions()
        )

    def appeal_until(self, person: int) -> date | None:
        """The last day on which the person may appeal against the latest decision.

        None until it has been delivered to them: their term has not begun (§ 6.4.3).
        """
        ref = self.latest.ref if self.latest is not None else None
        for row in self.delivered:
            if row.ref == ref and row.person == person:
                return last_day_of_appeal(row.on)
        return None

    def is_heard(self, now: date) -> bool:
        """Whether the parties have spoken, or had their time, or were not to be asked (§ 6.4.1)."""
        if self.hearing is not None and not self.hearing.is_closed:
            return self.hearing.is_over(now)
        return self.stage is not CaseStage.OPENED

    @property
    def due(self) -> date | None:
        """The next day that matters: the hearing's last, or the last day of any appeal."""
        if self.hearing is not None and not self.hearing.is_closed:
            return self.hearing.until
        if self.stage is not CaseStage.DECIDED:
            return None
        known = [self.appeal_until(person) for person in self.may_appeal]
        days = [day for day in known if day is not None]
        return max(days) if days and len(days) == len(known) else None


def last_day_of_appeal(delivered: date) -> date:
    """The last day of the term that began when the decision was delivered (§ 6.4.3, § 6.8.10)."""
    return delivered + timedelta(days=DISPUTES.appeal_days)


def next_ref(number: str, state: CaseState) -> str:
    """The name of a case's next decision and of its ruling in the games' ledgers."""
    return f"{number}/{len(state.decided) + 1}"
