"""§ 6.1.2, § 6.4.3, § 6.5.4.1, § 6.6.4: an account for each tournament, and its file."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.cases.case_events import (
    DecisionAppealed,
    Deposit,
    DepositPaidBack,
    DepositReceived,
    DepositSettled,
    Instance,
)
from kskak.office.books import (
    LONGEST,
    MOST_ORE,
    Bad,
    Balance,
    BookCsvLine,
    BookEntry,
    BookEntryFault,
    BookLineFault,
    DepositFate,
    DepositLine,
    EntryKind,
    amount_text,
    balances,
    counter_entry,
    deposit_lines,
    entry_faults,
    ore_of,
    read_table,
    to_single_line,
    write_csv,
)
from tests.fakes.machinery.each import each

TODAY = date(2027, 3, 1)
FEE = BookEntry("EMT 2027", EntryKind.FEE, TODAY, 15_000, "Anna Ager", "Indskud K")


@each(
    ("entry", "faults"),
    [
        (FEE, []),
        (replace(FEE, ore=-1), []),
        (replace(FEE, ore=0), [BookEntryFault.NO_AMOUNT]),
        (replace(FEE, ore=MOST_ORE), []),
        (replace(FEE, ore=-MOST_ORE - 1), [BookEntryFault.TOO_MUCH]),
        (replace(FEE, day=date(2027, 3, 2)), [BookEntryFault.FUTURE]),
        (replace(FEE, tournament=" "), [BookEntryFault.NO_TOURNAMENT]),
        (replace(FEE, party=""), [BookEntryFault.NO_PARTY]),
        (replace(FEE, text=""), [BookEntryFault.NO_TEXT]),
        (replace(FEE, text="x" * LONGEST), []),
        (replace(FEE, text="x" * (LONGEST + 1)), [BookEntryFault.LONG]),
    ],
)
def test_6_1_2_an_entry_has_date_person_amount_and_text(entry, faults):
    """§ 6.1.2: what is missing is said; the day is not to come."""
    assert list(entry_faults(entry, TODAY)) == faults


def test_an_entry_is_taken_back_by_its_counter_entry_and_never_twice_removed():
    """§ 6.1.2: the sum is as if it had never been; a counter-entry itself stays."""
    kept = replace(FEE, number=7)
    back = counter_entry(kept, date(2027, 4, 1), " Dobbelt ")
    assert back == replace(
        FEE, ore=-15_000, day=date(2027, 4, 1), text="Dobbelt", number=None, reverses=7
    )
    assert isinstance(back, BookEntry)
    assert balances([kept, back])[-1].after == 0
    assert counter_entry(replace(back, number=8), TODAY, "Nej") is BookEntryFault.COUNTER
    assert counter_entry(FEE, TODAY, "Uden nummer") is BookEntryFault.COUNTER
    assert counter_entry(kept, TODAY, " ") is BookEntryFault.NO_TEXT


def test_a_balance_for_each_tournament_and_year_carries_what_was_left():
    """§ 6.1.2, § 6.6.4: by the day's year; fees, prizes and deposits apart."""
    entries = [
        FEE,
        replace(FEE, kind=EntryKind.PRIZE, ore=-10_000, day=date(2028, 1, 1)),
        replace(FEE, kind=EntryKind.DEPOSIT, ore=30_000, day=date(2028, 12, 31)),
        replace(FEE, kind=EntryKind.OTHER, ore=-1, day=date(2026, 12, 31)),
        replace(FEE, tournament="Pokal", ore=5),
    ]
    assert balances(entries) == (
        Balance("EMT 2027", 2026, other=-1),
        Balance("EMT 2027", 2027, fees=15_000, before=-1),
        Balance("EMT 2027", 2028, prizes=-10_000, deposits=30_000, before=14_999),
        Balance("Pokal", 2027, fees=5),
    )
    assert balances(entries)[2].after == 34_999


def _appealed(by: int, ore: int, day: date) -> DecisionAppealed:
    deposit = Deposit(ore, day, f"Giro {by}")
    return DecisionAppealed(day, by, "2027/1-2", Instance.BOARD, "00", deposit)


def test_6_4_3_a_deposit_is_booked_when_it_is_received_and_when_it_has_gone_back():
    """§ 6.4.3: neither the appellant's word nor the Board's moves money."""
    day, later = date(2027, 3, 1), date(2027, 4, 1)
    money, back = Deposit(30_000, day, "Giro 1"), Deposit(30_000, later, "Giro 9")
    stated = DecisionAppealed(day, 1, "2027/1-2", Instance.BOARD, "00", stated=money)
    came, due = DepositReceived(day, 9, 1, money), DepositSettled(later, 1, True)
    paid = DepositLine(DepositFate.PAID, 1, day, 30_000, "Giro 1")
    assert deposit_lines([stated]) == deposit_lines([stated, due]) == ()
    assert deposit_lines([stated, came]) == deposit_lines([stated, came, due]) == (paid,)
    returned = DepositLine(DepositFate.RETURNED, 1, later, -30_000, "Giro 9")
    gone = DepositPaidBack(later, 9, 1, back)
    assert deposit_lines([stated, came, due, gone]) == (paid, returned)
    kept = DepositLine(DepositFate.KEPT, 1, later, 0, "Giro 1")
    assert deposit_lines([stated, came, DepositSettled(later, 1, False)]) == (paid, kept)


def test_6_4_3_a_deposit_of_former_days_is_paid_then_given_back_or_kept():
    """§ 6.4.3: kept, nothing moves, for it was paid in; an appeal to the controller has none."""
    day, end = date(2027, 5, 1), date(2027, 6, 1)
    free = DecisionAppealed(day, 3, "2027/1-1", Instance.CONTROLLER, "00")
    events = (
        free,
        _appealed(1, 30_000, day),
        _appealed(2, 40_000, day),
        DepositSettled(end, 2, True),
        DepositSettled(end, 1, False),
        DepositSettled(end, 3, True),
    )
    assert deposit_lines(events) == (
        DepositLine(DepositFate.PAID, 1, day, 30_000, "Giro 1"),
        DepositLine(DepositFate.PAID, 2, day, 40_000, "Giro 2"),
        DepositLine(DepositFate.RETURNED, 2, end, -40_000, "Giro 2"),
        DepositLine(DepositFate.KEPT, 1, end, 0, "Giro 1"),
    )


@each(
    ("text", "ore"),
    [
        ("150", 15_000),
        ("150,00", 15_000),
        ("1.234,50", 123_450),
        ("1234,5", 123_450),
        ("-40", -4_000),
        ("\N{MINUS SIGN}40,05", -4_005),
        ("0,01", 1),
        ("12.50", None),
        ("12,505", None),
        ("1,234.50", None),
        ("1.23,00", None),
        ("", None),
        ("+5", None),
        ("5 kr", None),
        ("١٥", None),
        ("9" * 13, None),
    ],
)
def test_an_amount_is_read_as_danes_write_it(text: str, ore: int | None):
    """§ 6.1.2: øre, exactly; what could mean two things is refused."""
    assert ore_of(text) == ore


@given(st.integers(-MOST_ORE, MOST_ORE))
def test_an_amount_that_is_written_is_read_back(ore: int):
    """§ 6.1.2: no øre is lost in a file."""
    assert ore_of(amount_text(ore)) == ore


LINE = st.text(min_size=1, max_size=40).map(to_single_line).filter(bool)
ENTRIES = st.builds(
    BookEntry,
    tournament=LINE,
    kind=st.sampled_from(EntryKind),
    day=st.dates(date(2000, 1, 1), TODAY),
    ore=st.integers(-MOST_ORE, MOST_ORE).filter(bool),
    party=LINE,
    text=LINE,
    number=st.none() | st.integers(1, 10**12),
)


@given(st.lists(ENTRIES, max_size=5))
def test_a_file_that_is_written_is_read_back_unchanged(entries: list[BookEntry]):
    """§ 6.1.2: quotes, semicolons, line marks and formulas come back as they were."""
    read = read_table(write_csv(entries), TODAY)
    assert [row.entry for row in read if isinstance(row, BookCsvLine)] == entries
    assert len(read) == len(entries)


def test_no_text_of_a_file_is_a_formula_to_a_spreadsheet():
    """§ 6.1.2: a person's text can't become a formula on the controller's machine."""
    table = write_csv([replace(FEE, party="=2+5", text="@SUM(A1)", tournament="-x")])
    assert table.splitlines()[1].split(";")[2:] == [
        "'-x", "indskud", "150,00", "'=2+5", "'@SUM(A1)", "", "",
    ]  # fmt: skip


HEAD = "dato;turnering;art;beløb;person;tekst\n"


@each(
    ("rows", "faults"),
    [
        ("31-01-2027;T;indskud;150;P;t", []),
        ("31/1/2027;T;Præmie;-150;P;t\n\n ;;;;;\n1.2.2027;T;andet;1;P;t", []),
        ("2027-02-30;T;indskud;1;P;t", [(2, BookLineFault.BAD_DAY)]),
        ("2027-03-02;T;indskud;1;P;t", [(2, BookEntryFault.FUTURE)]),
        ("2027-01-01;T;gave;1;P;t", [(2, BookLineFault.BAD_KIND)]),
        ("2027-01-01;T;indskud;12.50;P;t", [(2, BookLineFault.BAD_AMOUNT)]),
        ("2027-01-01;T;indskud;1;P", [(2, BookLineFault.COLUMNS)]),
        (
            "2027-01-01;;indskud;0;P;t\n2027-01-01;T;indskud;1;P;t\nx;T;indskud;1;P;t",
            [
                (2, BookEntryFault.NO_TOURNAMENT),
                (2, BookEntryFault.NO_AMOUNT),
                (4, BookLineFault.BAD_DAY),
            ],
        ),
        ('2027-01-01;T;indskud;1;P;"open', [(2, BookLineFault.BROKEN)]),
        ("2027-01-01;T;indskud;1;P;a\x00b", None),
    ],
)
def test_each_bad_row_is_named_with_its_line(rows: str, faults: list | None):
    """§ 6.1.2: row by row; blank rows are none."""
    read = read_table(HEAD + rows, TODAY)
    found = [(row.line, row.fault) for row in read if isinstance(row, Bad)]
    assert faults is None or found == faults


@pytest.mark.parametrize(
    "head", ["", "dato;turnering", HEAD.strip() + ";rabat", HEAD.strip() + ";dato"]
)
def test_a_file_with_other_columns_is_refused_whole(head: str):
    """§ 6.1.2: nothing is guessed of a file that is not ours."""
    assert read_table(head, TODAY) == (Bad(1, BookLineFault.NO_HEAD),)


def test_deposits_of_cases_and_counter_entries_are_not_made_by_a_file():
    """§ 6.4.3: a case's deposit comes by itself and is left out; taking back is a click."""
    deposit = replace(FEE, kind=EntryKind.DEPOSIT, case="2027/1")
    assert read_table(write_csv([deposit]), TODAY) == ()
    (bad,) = read_table(write_csv([replace(FEE, reverses=3)]), TODAY)
    assert bad == Bad(2, BookLineFault.COUNTER_BY_FILE)


def test_no_entry_is_dated_in_another_century():
    today = date(2026, 11, 27)
    entry = BookEntry("T", EntryKind.FEE, date(1900, 1, 1), 1, "Anna", "x")
    assert entry_faults(entry, today) == ()
    for day in (date(1, 1, 1), date(26, 11, 2), date(1899, 12, 31), date(9999, 12, 31)):
        assert entry_faults(replace(entry, day=day), today) == (BookEntryFault.FUTURE,)
