"""What has happened in a case, a decision's parts and sanctions; and how they are stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from kskak.game import game_events as ev
from kskak.regulation.days import ONE_DAY, months_later, years_later
from kskak.regulation.editions import DISPUTES, Result, Side

# A decision as a value: what it finds, orders and rests on, and what it does to games (§ 6.4).


class Instance(StrEnum):
    """Who decides: § 6.4.1 the leader, § 6.4.3 the controller, then the Appeals Board."""

    LEADER = "tl"
    CONTROLLER = "kc"
    BOARD = "board"

    @property
    def above(self) -> "Instance | None":
        """Where an appeal goes; None from the Board, whose word is final (§ 6.4.3, § 1.3.9)."""
        return _ABOVE[self]


_ABOVE = {
    Instance.LEADER: Instance.CONTROLLER,
    Instance.CONTROLLER: Instance.BOARD,
    Instance.BOARD: None,
}


class AppealEnd(StrEnum):
    """What an appeal may end with besides upholding or changing the decision (§ 6.4.3).

    Sent back: the decision lapses and its instance decides anew. Dismissed: it is not heard, so
    the decision stands; as when it came too late or from somebody with no part in it. Incompetent:
    not heard either, as the matter is not one for this instance (Kendelse 116).
    """

    SENT_BACK = "sent_back"
    DISMISSED = "dismissed"
    INCOMPETENT = "incompetent"


class SanctionKind(StrEnum):
    """§ 6.4.2: a warning; for graver or repeated offences expulsion, and perhaps quarantine."""

    WARNING = "warning"
    QUARANTINE = "quarantine"
    EXPULSION = "expulsion"


@dataclass(frozen=True, slots=True)
class GameOrder:
    """What a decision does to one game.

    The authority and ref of a result or finding are filled in from the decision.
    """

    game: int
    effect: ev.RulingEffect


@dataclass(frozen=True, slots=True)
class SanctionOrder:
    """A sanction on a person; ``months`` for a quarantine only (§ 6.4.2, § 6.2.8)."""

    person: int
    kind: SanctionKind
    months: int | None = None


@dataclass(frozen=True, slots=True)
class FactFound:
    """A finding of fact in words (a date, a cause) and the paragraph it matters to."""

    paragraph: str
    text: str


@dataclass(frozen=True, slots=True)
class Ground:
    """What a decision rests on, or lets stand: a game's result, an earlier ruling, or both.

    ``result``: the game's, before anything that § 6.2.8 made of it; None while it was played.
    ``ref``: the ruling by which that result stood, or on which a sanction rests (§ 4.1.19).
    ``person``: whose games or sanction it is about.
    """

    paragraph: str
    person: int | None = None
    game: int | None = None
    result: Result | None = None
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """How a member of the Board voted: ``upholds`` the appellants in whose favour (§ 1.3.9).

    A substitute sat ``instead_of`` a member (None: of a seat that nobody holds) and why: words, or
    ``@key`` of the catalogues; ``reason`` "" for a member.
    """

    member: int
    upholds: tuple[int, ...] = ()
    text: str = ""
    instead_of: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision at one instance.

    ``annuls`` names earlier decisions, at any instance, whose effects on games and persons lapse;
    ``restores`` names annulled ones whose effects on games apply again under this ``ref``.
    ``grants`` are the appellants who are upheld, wholly or in part: their deposits go back.
    ``appeal``: it ends the appeal without deciding the matter, and orders nothing else.
    ``votes``: of the Board's members who took part, in the order they voted (§ 1.3.9).
    ``grounds``: what it rests on; ``leaves``: what it lets stand of all that follows from it;
    ``takes``: what its sanctions took from people, by name, to be given back if it falls.
    """

    ref: str
    instance: Instance
    on: date
    paragraphs: tuple[str, ...]
    reasons: str
    facts: tuple[FactFound, ...] = ()
    games: tuple[GameOrder, ...] = ()
    sanctions: tuple[SanctionOrder, ...] = ()
    annuls: tuple[str, ...] = ()
    restores: tuple[str, ...] = ()
    grants: tuple[int, ...] = ()
    prizes_lost: tuple[int, ...] = ()
    votes: tuple[Vote, ...] = ()
    appeal: AppealEnd | None = None
    grounds: tuple[Ground, ...] = ()
    leaves: tuple[Ground, ...] = ()
    takes: tuple[Ground, ...] = ()

    @property
    def dissents(self) -> tuple[Vote, ...]:
        """The votes that would have decided otherwise (Kendelse 107)."""
        return tuple(vote for vote in self.votes if set(vote.upholds) != set(self.grants))


AUTHORITY = {
    Instance.LEADER: "TL",
    Instance.CONTROLLER: "KC",
    Instance.BOARD: "Skaknævnet",
}
"""What a ledger entry names as its authority (kskak-ledger/1)."""


def _sign_ruling(decision: Decision, effect: ev.RulingEffect) -> ev.RulingEffect:
    if isinstance(effect, ev.ResultRuled | ev.DispatchCorrected):
        return replace(effect, authority=AUTHORITY[decision.instance], ref=decision.ref)
    return effect


def effects(
    decision: Decision, earlier: Mapping[str, Decision] | None = None
) -> dict[int, tuple[ev.RulingEffect, ...]]:
    """The effects on each game, in order: set back first, then restored ones, a result last.

    ``earlier``: the case's decisions by ref; KeyError for a restored one that is not there.
    """
    out: dict[int, tuple[ev.RulingEffect, ...]] = {}
    for ref in decision.restores:
        for game, restored in effects((earlier or {})[ref], earlier).items():
            again = tuple(_sign_ruling(decision, effect) for effect in restored)
            out[game] = (*out.get(game, ()), *again)
    for order in decision.games:
        out[order.game] = (*out.get(order.game, ()), _sign_ruling(decision, order.effect))
    return {game: tuple(sorted(ordered, key=_turn)) for game, ordered in out.items()}


def _turn(effect: ev.RulingEffect) -> int:
    """Setting back makes void what came before it; after a result no days are counted."""
    if isinstance(effect, ev.GameSetBack):
        return 0
    return 2 if isinstance(effect, ev.ResultRuled) else 1


def game_events(
    decision: Decision, earlier: Mapping[str, Decision] | None = None
) -> dict[int, tuple[ev.Event, ...]]:
    """The events for each game's ledger: annulments, then the ruling's effects (§ 6.4.1-6.4.3)."""
    out: dict[int, tuple[ev.Event, ...]] = {}
    for ref in decision.annuls:
        annulled = (earlier or {}).get(ref)
        for game in effects(annulled, earlier) if annulled is not None else ():
            out[game] = (*out.get(game, ()), ev.RulingAnnulled(ref))
    for game, ruled in effects(decision, earlier).items():
        rulings = tuple(ev.RulingApplied(decision.ref, effect) for effect in ruled)
        out[game] = (*out.get(game, ()), *rulings)
    return out


# What has happened in a case: frozen values (§ 6.4).


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
    QUESTION = "question"
    """One put to the Board in general terms, about no dispute that is going on (§ 1.3.9)."""
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


class CaseEvent:
    """Something that happened in a case."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CaseOpened(CaseEvent):
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
class PartiesAsked(CaseEvent):
    """Those named are asked for a statement, by ``until`` at the latest."""

    on: date
    until: date
    asked: tuple[int, ...]


class ClaimedResult(StrEnum):
    """How a game ended for whoever says so (§ 6.2.6)."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class ClaimedDateKind(StrEnum):
    """What somebody says happened on a day: the postmark, the sending, the receipt."""

    STAMPED = "stamped"
    SENT = "sent"
    RECEIVED = "received"


@dataclass(frozen=True, slots=True)
class ClaimedDate:
    """A day that a paper claims for a dispatch in dispute (§ 6.3.2, Kendelse 107)."""

    kind: ClaimedDateKind
    day: date


@dataclass(frozen=True, slots=True)
class PaperFiled(CaseEvent):
    """A paper went into the file, with what it claims; ``by`` None: the server."""

    on: date
    by: int | None
    kind: PaperKind
    digest: str
    claimed: tuple[ClaimedDate, ...] = ()
    result: ClaimedResult | None = None


@dataclass(frozen=True, slots=True)
class HearingClosed(CaseEvent):
    """The parties have been heard, or had their chance; ``reason`` when closed before that."""

    on: date
    by: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameClaimed(CaseEvent):
    """``late``'s overstep in a game is claimed by ``by``; None: the server (§ 6.3.3.5).

    The case decides whether the claim stands; until then the game stands still.
    """

    on: date
    game: int
    late: Side
    by: int | None


class ClaimEnd(StrEnum):
    """How a claim leaves a case undecided: taken back, admitted, gone by leave, or moved on."""

    WITHDRAWN = "withdrawn"
    ADMITTED = "admitted"
    LAPSED = "lapsed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class ClaimClosed(CaseEvent):
    """A game's claim left the case: its game rests for it no more; ``by`` None: the server."""

    on: date
    game: int
    by: int | None
    end: ClaimEnd


@dataclass(frozen=True, slots=True)
class GamesSuspended(CaseEvent):
    """Time stands still in these games from this day (§ 6.4.1; § 6.4.3 on appeal to the Board)."""

    on: date
    games: tuple[int, ...]
    paragraph: str


@dataclass(frozen=True, slots=True)
class SuspensionLifted(CaseEvent):
    """Play resumes in these games on this day (§ 6.4.1)."""

    on: date
    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CaseDecided(CaseEvent):
    """A decision, by this person on behalf of its instance (§ 6.4.1, § 6.4.3)."""

    by: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class DecisionDelivered(CaseEvent):
    """The decision reached the person on this day: their term runs from it (§ 6.4.3)."""

    ref: str
    person: int
    on: date


@dataclass(frozen=True, slots=True)
class DecisionAppealed(CaseEvent):
    """The person appealed against the decision to the instance above (§ 6.4.3).

    ``stated``: the deposit stated as paid; nothing is booked until it is received.
    ``deposit``: the same in old appeals, which booked it at once. ``awaits_deposit``: one is due,
    of ``fee`` øre on that day; None: the controller has yet to say how much. ``claimed``: the days
    that the appeal claims for a dispatch (Kendelse 107).
    """

    on: date
    by: int
    against: str
    to: Instance
    digest: str
    deposit: Deposit | None = None
    stated: Deposit | None = None
    awaits_deposit: bool = False
    fee: int | None = None
    claimed: tuple[ClaimedDate, ...] = ()

    @property
    def has_deposit(self) -> bool:
        """Whether a deposit goes with it."""
        return self.awaits_deposit or self.stated is not None or self.deposit is not None


@dataclass(frozen=True, slots=True)
class AppealWithdrawn(CaseEvent):
    """The person withdrew the appeal."""

    on: date
    by: int


@dataclass(frozen=True, slots=True)
class DepositSettled(CaseEvent):
    """The deposit is to go back to the appellant, or falls to the Union (§ 6.4.3)."""

    on: date
    person: int
    is_returned: bool


@dataclass(frozen=True, slots=True)
class DepositReceived(CaseEvent):
    """An official noted the appellant's deposit as received: it is booked (§ 6.4.3)."""

    on: date
    by: int
    person: int
    deposit: Deposit


@dataclass(frozen=True, slots=True)
class DepositPaidBack(CaseEvent):
    """An official paid the deposit back: it is booked (§ 6.4.3)."""

    on: date
    by: int
    person: int
    deposit: Deposit


@dataclass(frozen=True, slots=True)
class BoardVoted(CaseEvent):
    """A member of the Board voted: whom they would uphold, and their comment (§ 1.3.9).

    A member's last vote before the decision counts.
    """

    on: date
    vote: Vote


@dataclass(frozen=True, slots=True)
class MemberExcused(CaseEvent):
    """A member of the Board is prevented or recused in this case; a substitute sits (§ 1.3.9)."""

    on: date
    by: int | None
    member: int
    reason: str


@dataclass(frozen=True, slots=True)
class DecisionPublished(CaseEvent):
    """The Board published its decision, being of general interest: in two sentences (§ 1.3.9)."""

    on: date
    by: int
    ref: str
    facts: str
    decided: str


@dataclass(frozen=True, slots=True)
class BecameFinal(CaseEvent):
    """Nobody appealed in time: the decision stands (§ 6.4.3)."""

    on: date


@dataclass(frozen=True, slots=True)
class CaseWithdrawn(CaseEvent):
    """The claim was withdrawn before it was decided."""

    on: date
    by: int | None


@dataclass(frozen=True, slots=True)
class CaseSettled(CaseEvent):
    """The case closed without a decision: agreement, or the silent player answered."""

    on: date
    by: int | None
    note: str


@dataclass(frozen=True, slots=True)
class CaseWidened(CaseEvent):
    """Further games and persons were added to the case: parties (§ 6.4.1), or ``concerned``
    in the games of an expelled player (§ 6.4.2)."""

    on: date
    by: int | None
    games: tuple[int, ...]
    parties: tuple[int, ...]
    concerned: tuple[int, ...] = ()
    kinds: tuple[CaseKind, ...] = ()
    """What else it is about from now on: one player, one case."""


@dataclass(frozen=True, slots=True)
class CaseNarrowed(CaseEvent):
    """Part of what a case of one player was about stands in none of its games any more."""

    on: date
    kinds: tuple[CaseKind, ...]


@dataclass(frozen=True, slots=True)
class DecisionCited(CaseEvent):
    """A decision of another case, as made: this case's next one annuls or restores it (§ 6.4.3)."""

    on: date
    decision: Decision


@dataclass(frozen=True, slots=True)
class AnnulledElsewhere(CaseEvent):
    """The decision ``ref`` of this case was annulled by ``by``, one of another case (§ 6.4.3)."""

    on: date
    ref: str
    by: str


# Warnings, quarantines and expulsions: what a new one becomes, and their terms (§ 4.1.19).


@dataclass(frozen=True, slots=True)
class Sanction:
    """A sanction in the register, as imposed.

    ``first`` and ``last`` are the days of a quarantine, both included. ``season_end`` is the
    last playing day of the group it was decided in, None while that is in play; ``event`` that
    group's form: emt, cup, league, theme.
    """

    kind: SanctionKind
    first: date
    last: date | None = None
    season_end: date | None = None
    is_annulled: bool = False
    event: str | None = None


@dataclass(frozen=True, slots=True)
class ImposedSanction:
    """What a sanction becomes; ``was_warning`` when a warning turned into a quarantine."""

    kind: SanctionKind
    first: date
    last: date | None = None
    was_warning: bool = False
    is_repeated: bool = False

    @property
    def paragraph(self) -> str:
        """The paragraph its term rests on."""
        return "4.1.19" if self.was_warning or self.is_repeated else "6.4.2"


def warning_until(warning: Sanction) -> date | None:
    """The last day a warning counts; None while its tournament is in play (§ 4.1.19)."""
    if warning.season_end is None:
        return None
    return years_later(warning.season_end, DISPUTES.warning_years)


def find_last_register_day(quarantine: Sanction) -> date | None:
    """The last day a quarantine stays in the register, None without an end (§ 4.1.19)."""
    if quarantine.last is None:
        return None
    return years_later(quarantine.last, DISPUTES.quarantine_kept_years)


def is_quarantined(register: Sequence[Sanction], on: date) -> bool:
    """Whether a quarantine keeps the player out on a day (§ 6.4.2)."""
    return any(
        row.kind is SanctionKind.QUARANTINE
        and not row.is_annulled
        and row.first <= on
        and (row.last is None or on <= row.last)
        for row in register
    )


def is_expelled(register: Sequence[Sanction], event: str, on: date) -> bool:
    """Whether an expulsion keeps the player out of a form of tournament on a day (§ 6.4.2).

    Reading: «from the tournament» is more than from the group, or the player could enter the next
    group the same day: it lasts as long as the group is played, its last day included. Exclusion
    for longer, or from other tournaments, is a quarantine.
    """
    return any(
        row.kind is SanctionKind.EXPULSION
        and not row.is_annulled
        and row.event == event
        and row.first <= on
        and (row.season_end is None or on <= row.season_end)
        for row in register
    )


def is_in_register(sanction: Sanction, on: date) -> bool:
    """Whether it is still in the register: warnings leave it when they end (§ 4.1.19)."""
    if sanction.is_annulled:
        return False
    if sanction.kind is SanctionKind.WARNING:
        return _counts(sanction, on, warning_until(sanction))
    if sanction.kind is SanctionKind.QUARANTINE:
        return _counts(sanction, on, find_last_register_day(sanction))
    return True


def _counts(sanction: Sanction, on: date, until: date | None) -> bool:
    return sanction.first <= on and (until is None or on <= until)


def _stands(register: Sequence[Sanction], kind: SanctionKind, on: date) -> bool:
    return any(row.kind is kind and is_in_register(row, on) for row in register)


def _quarantine(on: date, months: int) -> tuple[date, date]:
    """The first and last day of a quarantine of this many months."""
    return on, months_later(on, months) - ONE_DAY


def impose(
    register: Sequence[Sanction], kind: SanctionKind, on: date, months: int | None = None
) -> ImposedSanction:
    """What a sanction imposed on a day becomes, given the player's register (§ 4.1.19).

    A second warning while one counts, or a warning up to a year after a quarantine, becomes a
    quarantine of 3 months; a quarantine up to a year after another one is twice as long.
    Reading: a quarantine still running counts as one that has run; the 3 months that a
    warning turns into are fixed by the text and not doubled. ValueError without ``months``
    for a quarantine.
    """
    after_quarantine = _stands(register, SanctionKind.QUARANTINE, on)
    match kind:
        case SanctionKind.WARNING:
            if not after_quarantine and not _stands(register, SanctionKind.WARNING, on):
                return ImposedSanction(kind, on)
            first, last = _quarantine(on, DISPUTES.automatic_months)
            return ImposedSanction(SanctionKind.QUARANTINE, first, last, was_warning=True)
        case SanctionKind.QUARANTINE:
            if months is None or months < 1:
                raise ValueError("a quarantine needs its months")
            times = DISPUTES.repeated_times if after_quarantine else 1
            first, last = _quarantine(on, months * times)
            return ImposedSanction(kind, first, last, is_repeated=after_quarantine)
        case SanctionKind.EXPULSION:
            return ImposedSanction(kind, on)
