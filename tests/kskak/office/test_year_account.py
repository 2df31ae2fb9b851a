"""A year's account: what is told is the sum of the entries, whatever they are; what is held."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from kskak.cases.case_events import Deposit, DepositPaidBack, DepositReceived, DepositSettled
from kskak.office.books import (
    BookEntry,
    EntryKind,
    OpenDeposit,
    in_all,
    open_deposits,
    year_account,
)

ENTRIES = st.lists(
    st.builds(
        BookEntry,
        tournament=st.sampled_from(["EMT 2026", "Holdturneringen", "Jydsk Mesterskab"]),
        kind=st.sampled_from(EntryKind),
        day=st.dates(date(2024, 1, 1), date(2028, 12, 31)),
        ore=st.integers(-(10**6), 10**6),
        party=st.just("Małgorzata Wiśniewska"),
        text=st.just("x"),
    ),
    max_size=30,
)


@given(ENTRIES, st.integers(2023, 2029))
def test_what_a_year_tells_is_the_sum_of_its_entries(entries: list[BookEntry], year: int):
    rows = year_account(entries, year)
    total, before = in_all(rows, year), in_all(year_account(entries, year - 1), year - 1)
    mine = [entry for entry in entries if entry.day.year == year]
    assert total.change == sum(entry.ore for entry in mine)
    assert total.fees == sum(entry.ore for entry in mine if entry.kind is EntryKind.FEE)
    assert total.after == sum(entry.ore for entry in entries if entry.day.year <= year)
    assert total.before == before.after, "a year begins with what the last one left"
    assert len({row.tournament for row in rows}) == len(rows)


def test_6_4_3_a_deposit_is_held_until_it_is_kept_or_paid_back():
    day, paid = date(2026, 11, 1), Deposit(50_000, date(2026, 10, 1), "MobilePay")
    received = [DepositReceived(day, 9, person, paid) for person in (1, 2, 3)]
    assert [one.person for one in open_deposits(received)] == [1, 2, 3]
    kept, due = DepositSettled(day, 1, is_returned=False), DepositSettled(day, 2, is_returned=True)
    assert open_deposits([*received, kept, due]) == (
        OpenDeposit(2, 50_000, is_due=True),
        OpenDeposit(3, 50_000),
    )
    back = DepositPaidBack(day, 9, 2, paid)
    assert open_deposits([*received, kept, due, back]) == (OpenDeposit(3, 50_000),)
