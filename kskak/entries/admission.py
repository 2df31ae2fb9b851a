"""What becomes of an entry, given what it lacks (§ 6.4.4.1, § 6.5.1.2, § 6.5.3.2 e).

Readings:
- an entry waits for what can still come: fee, proof, the membership number, an official's decision;
  else it is refused;
- a right is judged on the day the entry is made or becomes valid. A valid entry has used it:
  a right that lapses on the waiting list costs nobody their place. What bars a player when the
  group is to start still bars them: a quarantine, an expulsion, a running group with danger of
  relegation, a running DM that can't reach 45 percent;
- what the server's register shows is proved; a rating that only the player states is not;
- doubt is for the leader (§ 6.5.3.2 e), except for the DM, where leader and controller must both
  find the player qualified, and be two persons (§ 6.5.2.2 f).
Not for finding the faults (entry.py) nor for making the group (emt_groups.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from kskak.entries.dm_rights import STILL_PLAYING
from kskak.entries.emt import EmtClass
from kskak.entries.emt_rights import RUNNING
from kskak.entries.entry import (
    PARAGRAPH,
    TO_BE_PROVED,
    CupEntry,
    EntryFault,
    Standing,
    Wish,
    kept_out,
)
from kskak.entries.other_rights import POINT_D
from kskak.entries.rights import Answer
from kskak.regulation.quantities import Regulation

BY_LEADER = "6.5.3.2 e"
BY_BOTH = "6.5.2.2 f"


class EntryState(StrEnum):
    """How far an entry has come."""

    WAITING = "waiting"
    VALID = "valid"
    PLACED = "placed"
    WITHDRAWN = "withdrawn"
    REFUSED = "refused"


class Wait(StrEnum):
    """What an entry waits for."""

    FEE = "fee"
    PROOF = "proof"
    NUMBER = "number"
    DECISION = "decision"


_MENDED_BY = {
    EntryFault.NO_FEE: Wait.FEE,
    EntryFault.NO_PROOF: Wait.PROOF,
    EntryFault.NO_MEMBERSHIP: Wait.NUMBER,
    EntryFault.RATING_UNPROVED: Wait.PROOF,
    EntryFault.NOT_OPEN: Wait.DECISION,
}


class Signature(StrEnum):
    """The office in which someone found a player qualified (§ 6.5.2.2 f, § 6.5.3.2 e)."""

    LEADER = "tl"
    CONTROLLER = "kc"


@dataclass(frozen=True, slots=True)
class Discretion:
    """An official's decision to admit a player to a class; ``by`` tells two persons apart."""

    paragraph: str
    office: Signature
    by: int


def discretion_for(wish: Wish) -> str | None:
    """The paragraph under which officials may decide about a class; None if there is none."""
    match wish:
        case EmtClass.DM:
            return BY_BOTH
        case EmtClass():
            return BY_LEADER
        case _:
            return None


def is_let_in(wish: Wish, given: Sequence[Discretion]) -> bool:
    """Whether officials have let the player in (§ 6.5.2.2 f: both; § 6.5.3.2 e: the leader).

    The controller is the leader's superior (§ 6.1.2), so for M, K and Å either is enough.
    """
    own = [one for one in given if one.paragraph == discretion_for(wish)]
    if wish is not EmtClass.DM:
        return bool(own)
    leaders = {one.by for one in own if one.office is Signature.LEADER}
    controllers = {one.by for one in own if one.office is Signature.CONTROLLER}
    return any(leader != controller for leader in leaders for controller in controllers)


def after_discretion(
    faults: Sequence[EntryFault], wish: Wish, given: Sequence[Discretion]
) -> tuple[EntryFault, ...]:
    """The faults left once officials have decided the player's class (§ 6.5.3.2 e)."""
    if not is_let_in(wish, given):
        return tuple(faults)
    return tuple(
        fault for fault in faults if fault not in (EntryFault.NOT_OPEN, EntryFault.NO_PROOF)
    )


def refusing(faults: Sequence[EntryFault]) -> tuple[EntryFault, ...]:
    """The faults that no fee, proof or decision can mend (§ 6.1, § 6.4.2, § 6.6.1.2, § 6.6.1.6)."""
    return tuple(fault for fault in faults if fault not in _MENDED_BY)


def waits_for(faults: Sequence[EntryFault]) -> tuple[Wait, ...]:
    """What an entry still waits for, as the desk lists it (§ 6.4.4.1)."""
    return tuple(_MENDED_BY[fault] for fault in faults if fault in _MENDED_BY)


def is_proved(answer: Answer, has_register_rating: bool) -> bool:
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


def start_faults(is_member: bool, wish: Wish, standing: Standing) -> tuple[EntryFault, ...]:
    """What keeps a valid entry out of the group that is to start now (§ 6.5.1.2, § 6.4.2, § 6.1).

    Its right has been used and is not checked again (reading). In the DM a running group bars
    when it can no longer end with 45 percent (§ 6.5.2.2 b).
    """
    found = []
    if not is_member and standing.groups_before:
        found.append(EntryFault.SECOND_OF_NON_MEMBER)
    found += kept_out(wish, standing)
    against = () if standing.access is None else standing.access.against
    if any(bar.paragraph in (RUNNING, STILL_PLAYING) for bar in against):
        found.append(EntryFault.NOT_OPEN)
    return tuple(found)


class EntryProblem(StrEnum):
    """Why an entry or an action on it is refused, apart from what the entry lacks."""

    CLOSED = "closed"
    ALREADY = "already"
    ONCE = "once"
    OVER = "over"
    FEE_DAY = "fee_day"
    BORN = "born"
    NO_REASON = "no_reason"
    NO_DISCRETION = "no_discretion"
    TOO_FEW = "too_few"
    LEADER_PLAYS = "leader_plays"
    NOT_BY_LIST = "not_by_list"
    NOT_MADE = "not_made"
    THEME = "theme"
    THEME_OVER = "theme_over"
    NO_ADDRESS = "no_address"
    ADDRESS = "address"
    NO_ADDRESSES = "no_addresses"


PROBLEM_PARAGRAPH = {
    EntryProblem.CLOSED: "6.4.4.1",
    EntryProblem.ALREADY: "6.5.1.2",
    EntryProblem.ONCE: "6.5.1.1",
    EntryProblem.OVER: "6.4.4.1",
    EntryProblem.FEE_DAY: "6.4.4.1",
    EntryProblem.BORN: "6.4.4.1",
    EntryProblem.NO_REASON: BY_LEADER,
    EntryProblem.NO_DISCRETION: BY_LEADER,
    EntryProblem.TOO_FEW: "6.5.1.1",
    EntryProblem.LEADER_PLAYS: "6.1.1",
    EntryProblem.NOT_BY_LIST: "6.6.1.1",
    EntryProblem.NOT_MADE: "6.5.2.1",
    EntryProblem.THEME: "1.1.22",
    EntryProblem.THEME_OVER: "1.1.22",
    EntryProblem.NO_ADDRESS: "6.5.2.1",
    EntryProblem.ADDRESS: "6.2.1",
    EntryProblem.NO_ADDRESSES: "6.5.2.1",
}


def lacks_address(regulation: Regulation, address: str) -> bool:
    """Whether a player can't be in a group of these rules for lack of an address (§ 6.5.2.1).

    The start letter of a postal group lists everyone's; by e-mail none is needed.
    """
    return regulation is Regulation.POSTAL and not address.strip()


def closed_by(wish: Wish, answer: Answer | None) -> str:
    """The paragraph by which a class is not open: the rule against the player, or the one that
    would have to open it (§ 6.5.2.2, § 6.5.3.2)."""
    if answer is not None and answer.against:
        return answer.against[0].paragraph
    return "6.5.2.2" if wish is EmtClass.DM else PARAGRAPH[EntryFault.NOT_OPEN]


def fault_paragraph(fault: EntryFault, closed: str) -> str:
    """A fault's paragraph; for a class that is not open, what ``closed_by`` found."""
    return closed if fault is EntryFault.NOT_OPEN else PARAGRAPH[fault]


@dataclass(frozen=True, slots=True)
class EntryRefusal:
    """An entry or action refused, with each reason and its paragraph; nothing has changed.

    ``who``: the players concerned, where they are some of many.
    """

    reasons: tuple[EntryFault | EntryProblem, ...]
    closed_by: str = PARAGRAPH[EntryFault.NOT_OPEN]
    who: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The paragraph of each reason (§ 6.4.4)."""
        return tuple(
            fault_paragraph(one, self.closed_by)
            if isinstance(one, EntryFault)
            else PROBLEM_PARAGRAPH[one]
            for one in self.reasons
        )
