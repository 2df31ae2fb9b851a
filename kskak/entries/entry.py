"""An entry to a tournament, and what stands in its way (§ 6.1, § 6.4.4.1, § 6.5.1.2, § 6.6.1).

Readings: an entry without a K-rating or an over-the-board rating is complete, since a beginner
has none; whom the register has as a member is one, though the number is not known yet: the entry
waits while it is confirmed (§ 6.4.4.1); proof is required where only cup, ICCF or over-the-board
play opens the class (§ 6.5.3.2 b-d); the league and theme tournaments are for members, since § 6.1
names the EMT and the cup. Not for which class is open (access.py) nor for the league's teams
(league/lineups.py).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.cases.case_events import Sanction, is_expelled, is_quarantined
from kskak.cup import may_enter_semifinal
from kskak.entries.access import NON_MEMBER
from kskak.entries.emt import EmtClass
from kskak.entries.rights import POINT_D, RUNNING, STILL_PLAYING, ClassEligibility
from kskak.regulation.editions import CUP, Regulation
from kskak.values import RuleName


class CupEntry(StrEnum):
    """Where someone enters the cup (§ 6.6.1.6)."""

    PRELIMINARY = "preliminary"
    SEMIFINAL = "semi"


class OtherEntry(StrEnum):
    """Tournaments without classes: an individual member's entry to the league, a theme."""

    LEAGUE = "league"
    THEME = "theme"


Wish = EmtClass | CupEntry | OtherEntry


def event_of(wish: Wish) -> str:
    """The form of tournament that a wish is for: emt, cup, league, theme."""
    match wish:
        case EmtClass():
            return "emt"
        case CupEntry():
            return "cup"
        case OtherEntry():
            return wish.value


@dataclass(frozen=True, slots=True)
class Entry:
    """What an entry says (§ 6.4.4.1); ``club`` None is an individual member.

    ``is_k_registered``: the K-rating comes from the register, not from the player.
    ``is_registered``: the register has the player as a member, with or without the number.
    """

    wish: Wish
    member_number: str | None
    club: str | None
    born: date | None
    fee_received: date | None
    has_proof: bool = False
    k_rating: int | None = None
    is_k_registered: bool = True
    is_registered: bool = False

    @property
    def is_member(self) -> bool:
        """Whether a membership is given, by its number or by the register (§ 6.1)."""
        return bool(self.member_number) or self.is_registered


@dataclass(frozen=True, slots=True)
class EntrantStatus:
    """What else is known of the player on the day ``on``.

    ``access`` is the answer for the class wished for; ``groups_before`` counts the player's EMT
    and cup groups so far, ``cup_groups`` those in cup rounds before the final that still run or
    that the player is entered for.
    """

    on: date
    access: ClassEligibility | None = None
    groups_before: int = 0
    cup_groups: int = 0
    sanctions: Sequence[Sanction] = ()
    is_leaving: bool = False
    """Whether a case is open in which he has said that he leaves a group (§ 6.2.8)."""


class EntryFault(RuleName):
    """What an entry lacks, or what stands against it."""

    NO_FEE = "no_fee", "6.4.4.1"
    NO_BIRTH_DATE = "no_birth_date", "6.4.4.1"
    NO_MEMBERSHIP = "no_membership", "6.4.4.1"
    NO_PROOF = "no_proof", "6.5.3.2"
    NOT_OPEN = "not_open", "6.5.3.2"
    SECOND_OF_NON_MEMBER = "second_of_non_member", NON_MEMBER
    MEMBERS_ONLY = "members_only", NON_MEMBER
    ENTERED_BY_CLUB = "entered_by_club", "6.7.4.1"
    QUARANTINED = "quarantined", "6.4.2"
    EXPELLED = "expelled", "6.4.2"
    DEAD = "dead", "6.2.8"
    LEAVING = "leaving", "6.2.8"
    TOO_MANY_CUP_GROUPS = "too_many_cup_groups", "6.6.1.2"
    NOT_FOR_SEMIFINAL = "not_for_semifinal", "6.6.1.6"
    RATING_UNPROVED = "rating_unproved", "6.6.1.6"


TO_BE_PROVED = ("6.5.3.2 c", "6.5.3.2 d", "6.6.2.1", "6.6.2.2")
"""Rights that the player proves himself (§ 6.5.3.2 b-d)."""


def entry_faults(entry: Entry, status: EntrantStatus) -> tuple[EntryFault, ...]:
    """What keeps an entry from being valid; empty if it is (§ 6.4.4.1)."""
    return (
        *_papers(entry, status),
        *_person(entry, status),
        *_check_class_access(entry, status),
    )


def _papers(entry: Entry, status: EntrantStatus) -> list[EntryFault]:
    """§ 6.4.4.1: valid only when the leader has the fee; membership, date of birth."""
    found = []
    if entry.fee_received is None or entry.fee_received > status.on:
        found.append(EntryFault.NO_FEE)
    if entry.born is None:
        found.append(EntryFault.NO_BIRTH_DATE)
    if not entry.member_number and (entry.club is not None or entry.is_registered):
        found.append(EntryFault.NO_MEMBERSHIP)
    return found


def _person(entry: Entry, status: EntrantStatus) -> list[EntryFault]:
    """§ 6.1 (a non-member's one group) and § 6.4.2 (quarantine, expulsion)."""
    found = []
    is_counted = not isinstance(entry.wish, OtherEntry)
    if is_counted and not entry.is_member and status.groups_before:
        found.append(EntryFault.SECOND_OF_NON_MEMBER)
    return [*found, *find_entry_bans(entry.wish, status)]


def find_entry_bans(wish: Wish, status: EntrantStatus) -> list[EntryFault]:
    """What keeps the player out of a tournament that day: sanctions (§ 6.4.2), and an open case in
    which he leaves a group, until it is decided or the leader says a word (§ 6.2.8, reading)."""
    leaving = [EntryFault.LEAVING] if status.is_leaving else []
    return find_bans(status.sanctions, event_of(wish), status.on) + leaving


def find_bans(register: Sequence[Sanction], form: str, on: date) -> list[EntryFault]:
    """The same for a form of tournament, by the player's register."""
    quarantine = [EntryFault.QUARANTINED] if is_quarantined(register, on) else []
    return quarantine + ([EntryFault.EXPELLED] if is_expelled(register, form, on) else [])


def _check_class_access(entry: Entry, status: EntrantStatus) -> list[EntryFault]:
    """§ 6.5.3.2 and § 6.6.1: whether the class or the round is open to the player."""
    match entry.wish:
        case EmtClass():
            if status.access is None or not status.access.is_allowed:
                return [EntryFault.NOT_OPEN]
            rests_on = {right.paragraph for right in status.access.by}
            needs_proof = rests_on <= set(TO_BE_PROVED)
            return [EntryFault.NO_PROOF] if needs_proof and not entry.has_proof else []
        case CupEntry():
            found = []
            if status.cup_groups >= CUP.most_at_once:
                found.append(EntryFault.TOO_MANY_CUP_GROUPS)
            if entry.wish is CupEntry.SEMIFINAL:
                found += _semifinal(entry)
            return found
        case OtherEntry():
            return _without_class(entry)


def _semifinal(entry: Entry) -> list[EntryFault]:
    """§ 6.6.1.6: a K-rating of 2000; one that is not in the register must be proved first."""
    if not may_enter_semifinal(entry.k_rating):
        return [EntryFault.NOT_FOR_SEMIFINAL]
    is_shown = entry.is_k_registered or entry.has_proof
    return [] if is_shown else [EntryFault.RATING_UNPROVED]


def _without_class(entry: Entry) -> list[EntryFault]:
    """§ 6.1 (members), § 6.7.4.1: only individual members enter the league themselves."""
    if not entry.is_member:
        return [EntryFault.MEMBERS_ONLY]
    is_by_club = entry.wish is OtherEntry.LEAGUE and entry.club is not None
    return [EntryFault.ENTERED_BY_CLUB] if is_by_club else []


# What becomes of an entry, given what it lacks (§ 6.4.4.1, § 6.5.1.2, § 6.5.3.2 e).

BY_LEADER = "6.5.3.2 e"
BY_BOTH = "6.5.2.2 f"


class EntryState(StrEnum):
    """How far an entry has come."""

    WAITING = "waiting"
    VALID = "valid"
    PLACED = "placed"
    WITHDRAWN = "withdrawn"
    REFUSED = "refused"


class EntryWait(StrEnum):
    """What an entry waits for."""

    FEE = "fee"
    PROOF = "proof"
    NUMBER = "number"
    DECISION = "decision"


_MENDED_BY = {
    EntryFault.NO_FEE: EntryWait.FEE,
    EntryFault.NO_PROOF: EntryWait.PROOF,
    EntryFault.NO_MEMBERSHIP: EntryWait.NUMBER,
    EntryFault.RATING_UNPROVED: EntryWait.PROOF,
    EntryFault.NOT_OPEN: EntryWait.DECISION,
    EntryFault.LEAVING: EntryWait.DECISION,
    EntryFault.SECOND_OF_NON_MEMBER: EntryWait.DECISION,
}


class Signature(StrEnum):
    """The office in which someone let a player in (§ 6.1, § 6.5.2.2 f, § 6.5.3.2 e).

    ``BOTH``: the controller who leads the DM himself says so, as nobody else holds either office.
    """

    LEADER = "tl"
    CONTROLLER = "kc"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Discretion:
    """An official's decision to admit a player to a class; ``by`` tells two persons apart."""

    paragraph: str
    office: Signature
    by: int


def discretion_for(wish: Wish, faults: Collection[EntryFault] = ()) -> str | None:
    """The paragraph under which officials may decide about an entry; None if there is none.

    Of who has said that he leaves a group, in any tournament (§ 6.2.8).
    """
    if EntryFault.SECOND_OF_NON_MEMBER in faults:
        return NON_MEMBER
    if EntryFault.LEAVING in faults:
        return EntryFault.LEAVING.paragraph
    match wish:
        case EmtClass.DM:
            return BY_BOTH
        case EmtClass():
            return BY_LEADER
        case _:
            return None


def is_readmitted(given: Sequence[Discretion]) -> bool:
    """Whether the controller has let a non-member in again (§ 6.1; reading: one group is ever)."""
    return any(one.paragraph == NON_MEMBER for one in given)


def is_let_in(wish: Wish, given: Sequence[Discretion]) -> bool:
    """Whether officials have let the player in (§ 6.5.2.2 f: both; § 6.5.3.2 e: the leader).

    The controller is the leader's superior (§ 6.1.2), so for M, K and Å either is enough.
    """
    own = [one for one in given if one.paragraph == discretion_for(wish)]
    if wish is not EmtClass.DM:
        return bool(own)
    if any(one.office is Signature.BOTH for one in own):
        return True
    leaders = {one.by for one in own if one.office is Signature.LEADER}
    controllers = {one.by for one in own if one.office is Signature.CONTROLLER}
    return any(leader != controller for leader in leaders for controller in controllers)


def after_discretion(
    faults: Sequence[EntryFault], wish: Wish, given: Sequence[Discretion]
) -> tuple[EntryFault, ...]:
    """The faults left once officials have decided the player's class (§ 6.5.3.2 e), or one has let
    somebody in who has said that he leaves a group (§ 6.2.8), or let an entry stand (§ 6.4.2)."""
    settled = {EntryFault.NOT_OPEN, EntryFault.NO_PROOF} if is_let_in(wish, given) else set()
    words = {one.paragraph for one in given}
    settled |= {fault for fault in _BY_A_WORD if fault.paragraph in words}
    return tuple(fault for fault in faults if fault not in settled)


_BY_A_WORD = {EntryFault.LEAVING, EntryFault.QUARANTINED, EntryFault.EXPELLED}


def select_refusing_faults(faults: Sequence[EntryFault]) -> tuple[EntryFault, ...]:
    """The faults that no fee, proof or decision can mend (§ 6.4.2, § 6.6.1.2, § 6.6.1.6)."""
    return tuple(fault for fault in faults if fault not in _MENDED_BY)


def waits_for(faults: Sequence[EntryFault]) -> tuple[EntryWait, ...]:
    """What an entry still waits for, as the desk lists it (§ 6.4.4.1)."""
    return tuple(dict.fromkeys(_MENDED_BY[fault] for fault in faults if fault in _MENDED_BY))


def is_proved(answer: ClassEligibility, has_register_rating: bool) -> bool:
    """Whether the server's register itself shows a right that the player would have to prove.

    A result is recorded there with its source; the over-the-board rating counts if it comes
    from the register and not from the player (§ 6.5.3.2 b-d).
    """
    return any(
        right.paragraph in TO_BE_PROVED
        and (bool(right.results) or (right.paragraph == POINT_D and has_register_rating))
        for right in answer.by
    )


def may_be_doubled(wish: Wish) -> bool:
    """Whether a player may be on one list twice (§ 6.5.1.2, § 6.6.1.2); the DM is one group."""
    return wish in (EmtClass.M, EmtClass.K, EmtClass.OPEN) or isinstance(wish, CupEntry)


def start_faults(is_member: bool, wish: Wish, status: EntrantStatus) -> tuple[EntryFault, ...]:
    """What keeps a valid entry out of the group that is to start now (§ 6.5.1.2, § 6.4.2, § 6.1).

    Its right has been used and is not checked again (reading). In the DM a running group bars
    when it can no longer end with 45 percent (§ 6.5.2.2 b).
    """
    found = []
    if not is_member and status.groups_before:
        found.append(EntryFault.SECOND_OF_NON_MEMBER)
    found += find_entry_bans(wish, status)
    against = () if status.access is None else status.access.against
    if any(bar.paragraph in (RUNNING, STILL_PLAYING) for bar in against):
        found.append(EntryFault.NOT_OPEN)
    return tuple(found)


class EntryProblem(RuleName):
    """Why an entry or an action on it is refused, apart from what the entry lacks."""

    CLOSED = "closed", "6.4.4.1"
    ALREADY = "already", "6.5.1.2"
    ONCE = "once", "6.5.1.1"
    OVER = "over", "6.4.4.1"
    FEE_DAY = "fee_day", "6.4.4.1"
    BORN = "born", "6.4.4.1"
    NO_REASON = "no_reason", BY_LEADER
    NO_DISCRETION = "no_discretion", BY_LEADER
    NOT_CONTROLLER = "not_controller", NON_MEMBER
    TOO_FEW = "too_few", "6.5.1.1"
    LEADER_PLAYS = "leader_plays", "6.1.1"
    NOT_BY_LIST = "not_by_list", "6.6.1.1"
    NOT_MADE = "not_made", "6.5.2.1"
    THEME = "theme", "1.1.22"
    THEME_OVER = "theme_over", "1.1.22"
    NO_ADDRESS = "no_address", "6.5.2.1"
    ADDRESS = "address", "6.2.1"
    NO_ADDRESSES = "no_addresses", "6.5.2.1"


def lacks_address(regulation: Regulation, address: str) -> bool:
    """Whether a player can't be in a group of these rules for lack of an address (§ 6.5.2.1).

    The start letter of a postal group lists everyone's; by e-mail none is needed.
    """
    return regulation is Regulation.POSTAL and not address.strip()


def closed_by(wish: Wish, answer: ClassEligibility | None) -> str:
    """The paragraph by which a class is not open: the rule against the player, or the one that
    would have to open it (§ 6.5.2.2, § 6.5.3.2)."""
    if answer is not None and answer.against:
        return answer.against[0].paragraph
    return "6.5.2.2" if wish is EmtClass.DM else EntryFault.NOT_OPEN.paragraph


def fault_paragraph(fault: EntryFault | EntryProblem, closed: str) -> str:
    """A fault's paragraph; for a class that is not open, what ``closed_by`` found."""
    return closed if fault is EntryFault.NOT_OPEN else fault.paragraph


@dataclass(frozen=True, slots=True)
class EntryRefusal:
    """An entry or action refused, with each reason and its paragraph; nothing has changed.

    ``who``: the players concerned, where they are some of many.
    """

    reasons: tuple[EntryFault | EntryProblem, ...]
    closed_by: str = EntryFault.NOT_OPEN.paragraph
    who: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The paragraph of each reason (§ 6.4.4)."""
        return tuple(fault_paragraph(one, self.closed_by) for one in self.reasons)
