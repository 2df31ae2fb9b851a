"""A tournament's account: fees, prizes, deposits, and what they sum to (§ 6.1.2, § 6.4.3, § 6.5.4).

Amounts are whole øre, positive into the account and negative out of it. An entry is never
changed: a mistake is reversed by a counter-entry. Not for text files (books_csv.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from kskak.cases.events import (
    Appealed,
    CaseEvent,
    Deposit,
    DepositPaidBack,
    DepositReceived,
    DepositSettled,
)
from kskak.regulation.days import has_been

MOST_ORE = 10**11
"""A thousand million kroner: more is a typing error."""
ORE = 100
"""Øre of a krone."""


class EntryKind(StrEnum):
    """What an amount is."""

    FEE = "fee"
    PRIZE = "prize"
    DEPOSIT = "deposit"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an account. ``reverses``: the number of the entry it reverses."""

    tournament: str
    kind: EntryKind
    day: date
    ore: int
    party: str
    text: str
    number: int | None = None
    reverses: int | None = None
    case: str | None = None
    """The case whose deposit it is: such lines are derived from cases and are in no book."""


class EntryFault(StrEnum):
    """Why an entry can't be made."""

    NO_TOURNAMENT = "no_tournament"
    NO_PARTY = "no_party"
    NO_TEXT = "no_text"
    NO_AMOUNT = "no_amount"
    TOO_MUCH = "too_much"
    FUTURE = "future"
    LONG = "long"
    REVERSED = "reversed"
    COUNTER = "counter"


LONGEST = 200
"""The most characters in a tournament, a party or a text."""


def one_line(text: str) -> str:
    """A text on one line, without what can't be printed."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def entry_faults(entry: Entry, today: date) -> tuple[EntryFault, ...]:
    """What is missing or wrong in a new entry; empty if it can be made (§ 6.1.2)."""
    texts = (entry.tournament, entry.party, entry.text)
    missing = (EntryFault.NO_TOURNAMENT, EntryFault.NO_PARTY, EntryFault.NO_TEXT)
    found = [fault for text, fault in zip(texts, missing, strict=True) if not text.strip()]
    if any(len(text) > LONGEST for text in texts):
        found.append(EntryFault.LONG)
    if not entry.ore:
        found.append(EntryFault.NO_AMOUNT)
    if abs(entry.ore) > MOST_ORE:
        found.append(EntryFault.TOO_MUCH)
    if not has_been(entry.day, today):
        found.append(EntryFault.FUTURE)
    return tuple(found)


def counter_entry(entry: Entry, on: date, reason: str) -> Entry | EntryFault:
    """The entry that reverses another, dated the day it is made.

    A counter-entry itself can't be reversed: the right entry is made as a new one.
    """
    if entry.reverses is not None or entry.number is None:
        return EntryFault.COUNTER
    if not reason.strip():
        return EntryFault.NO_TEXT
    return Entry(
        tournament=entry.tournament,
        kind=entry.kind,
        day=on,
        ore=-entry.ore,
        party=entry.party,
        text=reason.strip(),
        reverses=entry.number,
    )


@dataclass(frozen=True, slots=True)
class Balance:
    """An account's totals for a year: øre by kind, each in and out combined."""

    tournament: str
    year: int
    fees: int = 0
    prizes: int = 0
    deposits: int = 0
    other: int = 0
    before: int = 0
    """The balance left by earlier years."""

    @property
    def change(self) -> int:
        """The year's own sum."""
        return self.fees + self.prizes + self.deposits + self.other

    @property
    def after(self) -> int:
        """The balance at the year's end."""
        return self.before + self.change


def balances(entries: Iterable[Entry]) -> tuple[Balance, ...]:
    """Every account's balances, by tournament and year; a year without an entry has none."""
    sums: dict[tuple[str, int], dict[EntryKind, int]] = {}
    for entry in entries:
        of_year = sums.setdefault((entry.tournament, entry.day.year), {})
        of_year[entry.kind] = of_year.get(entry.kind, 0) + entry.ore
    found: list[Balance] = []
    for (tournament, year), kinds in sorted(sums.items()):
        last = found[-1] if found and found[-1].tournament == tournament else None
        found.append(
            Balance(
                tournament=tournament,
                year=year,
                fees=kinds.get(EntryKind.FEE, 0),
                prizes=kinds.get(EntryKind.PRIZE, 0),
                deposits=kinds.get(EntryKind.DEPOSIT, 0),
                other=kinds.get(EntryKind.OTHER, 0),
                before=0 if last is None else last.after,
            )
        )
    return tuple(found)


class DepositFate(StrEnum):
    """What became of a deposit (§ 6.4.3)."""

    PAID = "paid"
    RETURNED = "returned"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class DepositLine:
    """A deposit paid, returned or kept, on a day; øre into the account, 0 when it is kept."""

    fate: DepositFate
    person: int
    day: date
    ore: int
    reference: str = ""


def deposit_lines(events: Sequence[CaseEvent]) -> tuple[DepositLine, ...]:
    """What a case's appeals did to the account: received, then paid back or kept (§ 6.4.3).

    A deposit that is kept was received already: nothing moves. What the appellant states, and
    being due to get it back, move nothing either. Old appeals were booked on the appellant's
    word: these stay as they were. A person has one appeal open at a time, so what is settled
    is the latest.
    """
    found: list[DepositLine] = []
    held: dict[int, Deposit] = {}
    for event in events:
        match event:
            case Appealed(by=by, deposit=deposit) if deposit is not None:
                held[by] = deposit
                found.append(_line(DepositFate.PAID, by, deposit))
            case DepositReceived(person=person, deposit=deposit):
                found.append(_line(DepositFate.PAID, person, deposit))
            case DepositPaidBack(person=person, deposit=deposit):
                found.append(_line(DepositFate.RETURNED, person, deposit))
            case DepositSettled(on, person, is_returned):
                found += _settled(found, held, DepositSettled(on, person, is_returned))
            case _:
                pass
    return tuple(found)


def _line(fate: DepositFate, person: int, deposit: Deposit) -> DepositLine:
    ore = {DepositFate.PAID: 1, DepositFate.RETURNED: -1, DepositFate.KEPT: 0}[fate]
    return DepositLine(fate, person, deposit.on, ore * deposit.amount, deposit.reference)


def _settled(
    lines: Sequence[DepositLine], held: dict[int, Deposit], event: DepositSettled
) -> list[DepositLine]:
    """The line of a deposit that is kept, or of an old one that goes back."""
    old = held.pop(event.person, None)
    if old is not None:
        fate = DepositFate.RETURNED if event.is_returned else DepositFate.KEPT
        return [_line(fate, event.person, replace(old, on=event.on))]
    mine = [line for line in lines if line.person == event.person]
    if event.is_returned or not mine or mine[-1].fate is not DepositFate.PAID:
        return []
    return [replace(mine[-1], fate=DepositFate.KEPT, day=event.on, ore=0)]
