"""An entry to a tournament, and what stands in its way (§ 6.1, § 6.4.4.1, § 6.5.1.2, § 6.6.1).

Readings: an entry without a K-rating or an over-the-board rating is complete, since a beginner
has none; whom the register has as a member is one, though the number is not known yet: the entry
waits while it is confirmed (§ 6.4.4.1); proof is required where only cup, ICCF or over-the-board
play opens the class (§ 6.5.3.2 b-d); the league and theme tournaments are for members, since § 6.1
names the EMT and the cup. Not for which class is open (access.py) nor for the league's teams
(league/lineup.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.cases.sanctions import Sanction, is_expelled, is_quarantined
from kskak.cup.rounds import may_enter_semifinal
from kskak.entries.emt import EmtClass
from kskak.entries.rights import Answer
from kskak.regulation.tournament_numbers import CUP


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
    otb_rating: int | None = None
    k_rating: int | None = None
    is_k_registered: bool = True
    is_registered: bool = False

    @property
    def is_member(self) -> bool:
        """Whether a membership is given, by its number or by the register (§ 6.1)."""
        return bool(self.member_number) or self.is_registered


@dataclass(frozen=True, slots=True)
class Standing:
    """What else is known of the player on the day ``on``.

    ``access`` is the answer for the class wished for; ``groups_before`` counts the player's EMT
    and cup groups so far, ``cup_groups`` those in cup rounds before the final that still run or
    that the player is entered for.
    """

    on: date
    access: Answer | None = None
    groups_before: int = 0
    cup_groups: int = 0
    sanctions: Sequence[Sanction] = ()


class EntryFault(StrEnum):
    """What an entry lacks, or what stands against it."""

    NO_FEE = "no_fee"
    NO_BIRTH_DATE = "no_birth_date"
    NO_MEMBERSHIP = "no_membership"
    NO_PROOF = "no_proof"
    NOT_OPEN = "not_open"
    SECOND_OF_NON_MEMBER = "second_of_non_member"
    MEMBERS_ONLY = "members_only"
    ENTERED_BY_CLUB = "entered_by_club"
    QUARANTINED = "quarantined"
    EXPELLED = "expelled"
    TOO_MANY_CUP_GROUPS = "too_many_cup_groups"
    NOT_FOR_SEMIFINAL = "not_for_semifinal"
    RATING_UNPROVED = "rating_unproved"


PARAGRAPH = {
    EntryFault.NO_FEE: "6.4.4.1",
    EntryFault.NO_BIRTH_DATE: "6.4.4.1",
    EntryFault.NO_MEMBERSHIP: "6.4.4.1",
    EntryFault.NO_PROOF: "6.5.3.2",
    EntryFault.NOT_OPEN: "6.5.3.2",
    EntryFault.SECOND_OF_NON_MEMBER: "6.1",
    EntryFault.MEMBERS_ONLY: "6.1",
    EntryFault.ENTERED_BY_CLUB: "6.7.4.1",
    EntryFault.QUARANTINED: "6.4.2",
    EntryFault.EXPELLED: "6.4.2",
    EntryFault.TOO_MANY_CUP_GROUPS: "6.6.1.2",
    EntryFault.NOT_FOR_SEMIFINAL: "6.6.1.6",
    EntryFault.RATING_UNPROVED: "6.6.1.6",
}
TO_BE_PROVED = ("6.5.3.2 c", "6.5.3.2 d", "6.6.2.1", "6.6.2.2")
"""Rights that the player proves himself (§ 6.5.3.2 b-d)."""


def entry_faults(entry: Entry, standing: Standing) -> tuple[EntryFault, ...]:
    """What keeps an entry from being valid; empty if it is (§ 6.4.4.1)."""
    return (*_papers(entry, standing), *_person(entry, standing), *_wish(entry, standing))


def _papers(entry: Entry, standing: Standing) -> list[EntryFault]:
    """§ 6.4.4.1: valid only when the leader has the fee; membership, date of birth."""
    found = []
    if entry.fee_received is None or entry.fee_received > standing.on:
        found.append(EntryFault.NO_FEE)
    if entry.born is None:
        found.append(EntryFault.NO_BIRTH_DATE)
    if not entry.member_number and (entry.club is not None or entry.is_registered):
        found.append(EntryFault.NO_MEMBERSHIP)
    return found


def _person(entry: Entry, standing: Standing) -> list[EntryFault]:
    """§ 6.1 (a non-member's one group) and § 6.4.2 (quarantine, expulsion)."""
    found = []
    is_counted = not isinstance(entry.wish, OtherEntry)
    if is_counted and not entry.is_member and standing.groups_before:
        found.append(EntryFault.SECOND_OF_NON_MEMBER)
    return [*found, *kept_out(entry.wish, standing)]


def kept_out(wish: Wish, standing: Standing) -> list[EntryFault]:
    """The sanctions that keep the player out of a tournament that day (§ 6.4.2)."""
    found = []
    if is_quarantined(standing.sanctions, standing.on):
        found.append(EntryFault.QUARANTINED)
    if is_expelled(standing.sanctions, event_of(wish), standing.on):
        found.append(EntryFault.EXPELLED)
    return found


def _wish(entry: Entry, standing: Standing) -> list[EntryFault]:
    """§ 6.5.3.2 and § 6.6.1: whether the class or the round is open to the player."""
    match entry.wish:
        case EmtClass():
            if standing.access is None or not standing.access.is_allowed:
                return [EntryFault.NOT_OPEN]
            rests_on = {right.paragraph for right in standing.access.by}
            needs_proof = rests_on <= set(TO_BE_PROVED)
            return [EntryFault.NO_PROOF] if needs_proof and not entry.has_proof else []
        case CupEntry():
            found = []
            if standing.cup_groups >= CUP.most_at_once:
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
