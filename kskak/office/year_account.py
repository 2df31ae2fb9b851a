"""A year's account over all tournaments, as it is printed, and the deposits still held (§ 6.1.2).

Not for what an entry is (books.py) nor for what is shown of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kskak.cases.events import (
    Appealed,
    CaseEvent,
    DepositPaidBack,
    DepositReceived,
    DepositSettled,
)
from kskak.office.books import Balance, Entry, balances


def year_account(entries: Sequence[Entry], year: int) -> tuple[Balance, ...]:
    """Each account in a year, by tournament; those on which nothing moved keep their balance.

    An account without entries up to the year's end is left out. Amounts in øre.
    """
    latest: dict[str, Balance] = {}
    for row in balances(entry for entry in entries if entry.day.year <= year):
        is_old = row.year < year
        latest[row.tournament] = Balance(row.tournament, year, before=row.after) if is_old else row
    return tuple(latest.values())


def in_all(rows: Iterable[Balance], year: int) -> Balance:
    """The sum of several accounts in a year, of no tournament."""
    fees, prizes, deposits, other, before = 0, 0, 0, 0, 0
    for row in rows:
        fees, prizes, deposits = fees + row.fees, prizes + row.prizes, deposits + row.deposits
        other, before = other + row.other, before + row.before
    return Balance("", year, fees, prizes, deposits, other, before)


@dataclass(frozen=True, slots=True)
class OpenDeposit:
    """A deposit received and neither kept nor paid back, in øre. ``is_due``: it goes back."""

    person: int
    ore: int
    is_due: bool = False


def open_deposits(events: Iterable[CaseEvent]) -> tuple[OpenDeposit, ...]:
    """A case's deposits that are still held, by its events in order (§ 6.4.3)."""
    held: dict[int, OpenDeposit] = {}
    old: set[int] = set()
    for event in events:
        match event:
            case Appealed(by=by, deposit=deposit) if deposit is not None:
                held[by] = OpenDeposit(by, deposit.amount)
                old.add(by)
            case DepositReceived(person=person, deposit=deposit):
                held[person] = OpenDeposit(person, deposit.amount)
            case DepositSettled(person=person, is_returned=True) if person not in old:
                if person in held:
                    held[person] = OpenDeposit(person, held[person].ore, is_due=True)
            case DepositSettled(person=person) | DepositPaidBack(person=person):
                held.pop(person, None)
                old.discard(person)
            case _:
                pass
    return tuple(held.values())
