"""The names of a season's lists: the year they tell, and the same a year on."""

from datetime import date

from kskak.office.year import (
    PREFIXES,
    SeasonListKind,
    TournamentKind,
    day_on,
    read_year_in_names,
    season_for,
    year_on,
)
from tests.fakes.machinery.each import each


@each(
    "name tournament prefix year",
    ("K 2026", "K-skak-EMT 2025", "K-24", 2026),
    ("K", "K-skak-EMT 2025", "K-24", 2025),
    ("K", "EMT", "K-24", 2024),
    ("Hold 2026/27", "", "H", 2026),
    ("K 12345", "EMT", "K", None),
    ("K", "EMT", "K-262", None),
)
def test_the_year_is_the_names_then_the_tournaments_then_the_groups(name, tournament, prefix, year):
    assert read_year_in_names((name, tournament), prefix) == year


@each(
    "text then",
    ("EMT 2026", "EMT 2027"),
    ("Hold 2026/27", "Hold 2027/28"),
    ("Hold 2026-27, nr. 26", "Hold 2027-28, nr. 26"),
    ("K-26", "K-27"),
    ("K-26-post", "K-27-post"),
    ("K-126", "K-126"),
    ("Mindeturnering 1999", "Mindeturnering 1999"),
    ("Klasse K", "Klasse K"),
)
def test_a_name_moves_its_own_year_and_no_other_number(text: str, then: str):
    assert year_on(text, 2026, 2027) == then


def test_the_turn_of_a_century_keeps_two_digits():
    assert year_on("K-99", 2099, 2100) == "K-00"
    assert year_on("Hold 2098/99", 2098, 2099) == "Hold 2099/00"


def test_a_day_moves_by_whole_years():
    assert day_on(date(2026, 9, 7), 2026, 2027) == date(2027, 9, 7)
    assert day_on(date(2028, 2, 29), 2028, 2029) == date(2029, 2, 28)


def test_next_years_season_is_prepared_from_july():
    assert season_for(date(2026, 6, 30)) == 2026
    assert season_for(date(2026, 7, 1)) == 2027


def test_every_kind_but_a_theme_has_its_place_in_the_year():
    assert {kind.form for kind in PREFIXES} == {*TournamentKind, None} - {TournamentKind.FINAL}
    assert SeasonListKind("theme", "theme").form is None
    assert SeasonListKind("emt", "DM").form is TournamentKind.DM
    assert SeasonListKind("emt", "Å").form is TournamentKind.EMT
