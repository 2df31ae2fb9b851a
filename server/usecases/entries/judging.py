"""Judges an entry by the rules, with all the server knows of the player (§ 6.4.4.1, § 6.5.3.2).

Readings: a rating in the register takes precedence over one that the entry states; a membership
number in the register need not be stated. Not for saving an entry (entering.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kskak.cases.sanctions import Sanction
from kskak.entries.access import access
from kskak.entries.admission import (
    Discretion,
    EntryState,
    Signature,
    Wait,
    after_discretion,
    is_proved,
    start_faults,
    waits_for,
)
from kskak.entries.emt import EmtClass
from kskak.entries.entry import (
    CupEntry,
    Entry,
    EntryFault,
    OtherEntry,
    Standing,
    Wish,
    entry_faults,
)
from kskak.entries.player_record import Player
from kskak.entries.rights import Answer
from server.store.cases import sanctions as sanction_rows
from server.store.engine.connection import AsyncConnection
from server.store.entries import of_players as entry_rows
from server.store.entries.of_players import OPEN_STATES, EntryRow, EntryRuling
from server.usecases.cases.sanctions import sanction_of
from server.usecases.entries.player import PlayerRecord, Registered, record_of, registered

EMT, CUP = "emt", "cup"
COUNTED = (EMT, CUP)
"""Tournaments in which a non-member may be in one group (§ 6.1)."""


def wish_of(event: str, wish: str) -> Wish:
    """What a list is for. ValueError for an unknown event or wish."""
    if event == EMT:
        return EmtClass(wish)
    return CupEntry(wish) if event == CUP else OtherEntry(event)


@dataclass(frozen=True, slots=True)
class Stated:
    """What an entry states in addition to the register (§ 6.4.4.1)."""

    member: str | None = None
    club: str | None = None
    born: date | None = None
    otb_rating: int | None = None
    k_rating: int | None = None
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of a player on a day: register, record, sanctions, entries."""

    on: date
    person: Registered
    record: PlayerRecord
    sanctions: tuple[Sanction, ...]
    entries: tuple[EntryRow, ...]

    @property
    def told(self) -> Stated:
        """What the player stated last: the register may not have it yet."""
        newest = next((row for row in self.entries if row.state != EntryState.REFUSED), None)
        return Stated() if newest is None else stated_of(newest)

    def is_member(self, stated: Stated) -> bool:
        """Whether the player is a member, by the register or a stated number (§ 6.1)."""
        return bool(self.person.member or stated.member) or self.person.is_member

    def answers(self, stated: Stated) -> dict[EmtClass, Answer]:
        """Which classes are open to the player (§ 6.5.3.2)."""
        person = self.person
        player = Player(
            name=person.name,
            is_member=self.is_member(stated),
            is_citizen=person.is_citizen is not False,
            otb_rating=_known(person.otb_rating, stated.otb_rating),
            k_rating=_known(person.k_rating, stated.k_rating),
        )
        return access(player, self.record.record)


def _known(own: int | None, told: int | None) -> int | None:
    return told if own is None else own


@dataclass(frozen=True, slots=True)
class Judged:
    """What is missing or in the way, and what the class's rules say."""

    faults: tuple[EntryFault, ...]
    answer: Answer | None

    @property
    def waits(self) -> tuple[Wait, ...]:
        """What it waits for."""
        return waits_for(self.faults)

    @property
    def state(self) -> EntryState:
        """Valid when nothing is missing (§ 6.4.4.1)."""
        return EntryState.WAITING if self.faults else EntryState.VALID


async def knowledge(conn: AsyncConnection, person_id: int, on: date) -> Knowledge | None:
    """What is known of a player; None when there is no such person."""
    person = await registered(conn, person_id, on)
    if person is None:
        return None
    rows = await sanction_rows.of_person(conn, person_id)
    return Knowledge(
        on=on,
        person=person,
        record=await record_of(conn, person_id, on),
        sanctions=tuple(sanction_of(row) for row in rows),
        entries=await entry_rows.of_person(conn, person_id),
    )


def standing(known: Knowledge, wish: Wish, stated: Stated, own: int | None) -> Standing:
    """The player's standing for a wish; ``own`` is the entry itself, which does not count."""
    others = [row for row in known.entries if row.id != own and row.state in OPEN_STATES]
    answers = known.answers(stated)
    return Standing(
        on=known.on,
        access=answers[wish] if isinstance(wish, EmtClass) else None,
        groups_before=known.record.groups + sum(row.event in COUNTED for row in others),
        cup_groups=known.record.cup_running + sum(row.event == CUP for row in others),
        sanctions=known.sanctions,
    )


def judge(
    known: Knowledge,
    wish: Wish,
    stated: Stated,
    *,
    fee: date | None,
    is_proof_seen: bool = False,
    own: int | None = None,
    given: Sequence[Discretion] = (),
) -> Judged:
    """Judge an entry by the rules as of the day of ``known`` (§ 6.4.4.1, § 6.5.3.2, § 6.6.1)."""
    before = standing(known, wish, stated, own)
    person = known.person
    has_rating = person.otb_rating is not None
    proved = before.access is not None and is_proved(before.access, has_rating)
    entry = Entry(
        wish=wish,
        member_number=person.member or stated.member,
        club=person.club or stated.club,
        born=person.born or stated.born,
        fee_received=fee,
        has_proof=is_proof_seen or proved,
        otb_rating=_known(person.otb_rating, stated.otb_rating),
        k_rating=_known(person.k_rating, stated.k_rating),
        is_k_registered=person.k_rating is not None,
        is_registered=person.is_member,
    )
    found = after_discretion(entry_faults(entry, before), wish, given)
    return Judged(found, before.access)


def given_of(rulings: Sequence[EntryRuling]) -> tuple[Discretion, ...]:
    """Officials' decisions, as the rules take them."""
    return tuple(Discretion(row.paragraph, Signature(row.office), row.by_id) for row in rulings)


def stated_of(row: EntryRow) -> Stated:
    """What a saved entry states."""
    born = date.fromisoformat(row.born) if row.born else None
    return Stated(row.member, row.club, born, row.otb_rating, row.k_rating, row.proof)


async def judge_kept(
    conn: AsyncConnection,
    row: EntryRow,
    on: date,
    rulings: Mapping[int, Sequence[EntryRuling]] | None = None,
) -> Judged:
    """The same for a saved entry, as of a day."""
    known = await knowledge(conn, row.person_id, on)
    assert known is not None
    told = rulings if rulings is not None else await entry_rows.rulings_of(conn, [row.id])
    return judge(
        known,
        wish_of(row.event, row.wish),
        stated_of(row),
        fee=date.fromisoformat(row.fee_day) if row.fee_day else None,
        is_proof_seen=row.proof_us is not None,
        own=row.id,
        given=given_of(told.get(row.id, ())),
    )


async def judge_start(conn: AsyncConnection, row: EntryRow, on: date) -> tuple[EntryFault, ...]:
    """What keeps a valid entry out of the group that starts now (§ 6.5.1.2, § 6.4.2).

    A discretionary decision for the player outweighs a threatened relegation (§ 6.5.3.2 e).
    """
    known = await knowledge(conn, row.person_id, on)
    assert known is not None
    wish, stated = wish_of(row.event, row.wish), stated_of(row)
    # Other waiting entries are not groups yet: only what was played counts.
    alone = standing(replace(known, entries=()), wish, stated, row.id)
    rulings = await entry_rows.rulings_of(conn, [row.id])
    found = start_faults(known.is_member(stated), wish, alone)
    return after_discretion(found, wish, given_of(rulings.get(row.id, ())))
