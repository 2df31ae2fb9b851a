"""The row of § 6.8.2's table, and a move with its dates on the line, are read (§ 6.2.1)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.grammar.keyword_lines import StatedDays
from mail.grammar.read_text import read_text
from mail.grammar.stated_days import take_days
from tests.fakes.machinery.each import each, rows
from tests.mail.games import game

TODAY = date(2026, 9, 5)
WHITE, BLACK = game("e4 e5 Nf3 Nc6"), game("e4 e5 Nf3")
BOTH = StatedDays(date(2026, 9, 3), date(2026, 9, 5))
LATER = StatedDays(date(2026, 9, 5), date(2026, 9, 7))
NONE = StatedDays()


@each(
    ("text", "days"),
    [
        ("03/09 05/09 2/03 03. 6125", BOTH), ("03/09-05/09 3. 6125", BOTH),
        ("3/9 5/9 3. Lb5", BOTH), ("3. Lb5 3/9 5/9", BOTH), ("3. 6125 3/9-5/9", BOTH),
        ("3. 6125 modt. 3/9 sendt 5/9", BOTH), ("3. 6125 3/9 - 5/9", BOTH),
        ("Modt. 3/9, sendt 5/9: 3. 6125", BOTH), ("3. Lb5 3/9-5/9 2/3", BOTH),
        ("3. Lb5 (modt. 3/9, sendt 5/9)", BOTH), ("3. 6125 (3/9-5/9)", BOTH),
        ("3. Bb5 received 3/9 and sent 5/9", BOTH), ("mott. 3/9 skickat 5/9 3. Lb5", BOTH),
        ("3. Lb5 modt. 3.9. sendt 5.9.2026", BOTH),
        ("3. Lb5 modt. 2026-09-03 sendt 2026-09-05", BOTH),
        ("Modtaget: 03.09.2026\nAfsendt: 05.09.2026\n3. Lb5", BOTH),
        ("2. ... 2836 3. 6125 2/3 3/4", NONE), ("3. Lb5 2/3", NONE), ("3. Lb5", NONE),
        ("3. Lb5 sendt 5/9", StatedDays(sent=date(2026, 9, 5))),
        ("01/09 02/09 1/01 02. 7163 2836 02/09 03/09 1/3\n03/09 05/09 2/03 03. 6125", BOTH),
    ],
)  # fmt: skip
def test_whites_move_with_its_days(text: str, days: StatedDays) -> None:
    found = read_text(text, WHITE, today=TODAY)
    assert [move.uci() for move in found.moves] == ["f1b5"]
    assert (found.problem, found.stated) == (None, days if days is not NONE else found.stated)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("03/09 05/09 2/03 02. 7163 2836 05/09 07/09 2/05", LATER),
        ("02. 7163 2836 05/09 07/09 2/05", LATER), ("2... 2836 modt. 5/9 sendt 7/9", LATER),
        ("2. ... 2836 5/9-7/9", LATER), ("03/09 05/09 2/03 02. 7163 2836", NONE),
    ],
)  # fmt: skip
def test_blacks_move_has_the_last_columns_for_his(text: str, days: StatedDays) -> None:
    found = read_text(text, BLACK, today=date(2026, 9, 7))
    assert [move.uci() for move in found.moves] == ["b8c6"]
    assert (found.problem, found.stated) == (None, days)


@rows("text", "Vi ses 5/9 kl 10", "e4 sendt 5/9 af posten i går", "1/2-1/2", "ferie 3/9 5/9", "4/5")
def test_dates_in_talk_are_no_days_of_a_move(text: str) -> None:
    found = read_text(text, WHITE, today=TODAY)
    assert (found.moves, found.stated) == ((), NONE)


@pytest.mark.parametrize("day", ["2/3", "31/2", "3/9/1999", "0/0", "99/99"])
def test_a_day_far_from_now_or_none_is_not_stated(day: str) -> None:
    assert read_text(f"3. Lb5 modt. {day}", WHITE, today=TODAY).stated == NONE


@given(st.text(alphabet="0123456789/.- abcdefghSLmodtsen()", max_size=60), st.booleans())
def test_whatever_is_written_nothing_is_raised(line: str, is_black: bool) -> None:
    take_days(line, TODAY, is_black=is_black)
