"""Temporal coverage: for every day and edition exactly one rule applies, none lacks, none collides.

Days are walked one by one over the years that games are played in; editions are all there are.
"""

from collections import Counter
from dataclasses import fields
from datetime import date, timedelta
from fractions import Fraction
from itertools import chain, pairwise, product

import pytest

from kskak.cases.aftermath import Irregularity, laws_remedy
from kskak.entries.access import access
from kskak.entries.emt import EmtClass, EmtOutcome, Score, is_promotion, is_relegation, outcome
from kskak.entries.rights import PlayerProfile, PlayerResult, ResultHistory
from kskak.game.game_events import LeaveBooked
from kskak.league.composition import Team, compose
from kskak.office.year import next_period, quarter_of
from kskak.rating.calculation import coefficient, expected_score
from kskak.reflection import (
    Booking,
    allowed_days,
    anniversary,
    calendar_of,
    fault_days,
    tournament_year,
)
from kskak.regulation.days import ONE_DAY, holidays, is_holiday, years_later
from kskak.regulation.editions import (
    EMAIL,
    EMT,
    LAWS,
    LEAGUE,
    POSTAL,
    LeaveType,
    MoveFault,
    RuleSet,
    Side,
)
from server.usecases.regulation import paragraphs

BOTH = pytest.mark.parametrize("rules", [POSTAL, EMAIL], ids=lambda one: one.regulation.value)
EDITIONS = pytest.mark.parametrize("edition", LAWS)


def _days(first: date, last: date) -> list[date]:
    return [first + n * ONE_DAY for n in range((last - first).days + 1)]


def test_every_day_is_in_one_holiday_or_none_and_no_holiday_reaches_another():
    """§ 6.3.6.2: from 1990 to 2060."""
    spans = [span for year in range(1990, 2061) for span in holidays(year)]
    assert all(a.last + ONE_DAY < b.first for a, b in pairwise(spans))
    inside = Counter(day for span in spans for day in _days(span.first, span.last))
    assert set(inside.values()) == {1}
    days = _days(date(1990, 1, 1), date(2060, 12, 31))
    assert [day for day in days if is_holiday(day) is not (day in inside)] == []
    calendar, _ = calendar_of((), days[0], POSTAL)
    assert [day for day in days if calendar.charged(day, day + ONE_DAY) == (day in inside)] == []


@BOTH
def test_every_step_counts_or_is_exempt_for_one_cause(rules: RuleSet):
    """§ 6.3.6.3: leave over Easter, leave of the other, special leave, all at once."""
    leaves = [
        LeaveBooked(Side.WHITE, date(2027, 3, 15), date(2027, 4, 4), date(2027, 2, 1)),
        LeaveBooked(Side.BLACK, date(2027, 3, 29), date(2027, 5, 10), date(2027, 3, 27)),
        LeaveBooked(Side.WHITE, date(2027, 4, 1), date(2027, 4, 6), None, LeaveType.SPECIAL),
    ]
    booked = [Booking(n, one) for n, one in enumerate(leaves)]
    calendar, _ = calendar_of(booked, date(2026, 9, 1), rules)
    first, last = date(2027, 3, 1), date(2027, 12, 31)
    spans, days = calendar.explain(first, last), _days(first, last - ONE_DAY)
    for day in days:
        causes = sum(span.first <= day <= span.last for span in spans)
        assert calendar.charged(day, day + ONE_DAY) + causes == 1, day
    steps = sum(calendar.charged(day, day + ONE_DAY) for day in days)
    assert calendar.charged(first, last) == steps < len(days)


def test_every_day_is_in_one_tournament_year_of_each_start():
    """§ 6.3.6, § 6.8.8: with the leap day among the starts."""
    for start in (date(2024, 2, 29), date(2026, 9, 1), date(2026, 12, 31), date(2027, 1, 1)):
        for day in _days(start, years_later(start, 9)):
            year = tournament_year(start, day)
            assert anniversary(start, year) <= day < anniversary(start, year + 1)


@BOTH
def test_every_move_has_one_control_and_every_fault_one_price(rules: RuleSet):
    """§ 6.3.3.1, § 6.3.3.2, § 6.3.5.1, § 6.8.6: limits never fall, each block has its own."""
    for own in range(120):
        control = rules.next_control(own)
        assert 0 < control - own <= rules.moves_per_control
        assert control % rules.moves_per_control == 0
        assert allowed_days(own, own + 1, 0, rules) == rules.control_limit(control)
    limits = [allowed_days(own, own + 1, 0, rules) for own in range(120)]
    assert limits == sorted(limits) and len(set(limits)) == 12
    for fault in MoveFault:
        days = [fault_days(fault, earlier, rules) for earlier in range(4)]
        first, again = rules.faulty_days, rules.faulty_again_days
        assert days in ([0] * 4, [first, again, again, again])


def test_a_rule_set_cites_one_paragraph_for_each_purpose_and_only_its_own():
    """§ 6.2, § 6.3 and § 6.4 by post, § 6.8 by e-mail; each has its document."""
    for rules, chapters in ((POSTAL, ("6.2", "6.3", "6.4")), (EMAIL, ("6.8",))):
        for field in fields(rules.paragraphs):
            number = getattr(rules.paragraphs, field.name)
            assert number in paragraphs() and number.startswith(chapters), field.name


@EDITIONS
def test_every_edition_answers_every_irregularity_at_every_move_once(edition: int):
    """FIDE 7.1 to FIDE 7.5, Kendelse 139: an article and a remedy, which changes at most once."""
    articles = []
    for what in Irregularity:
        found = [laws_remedy(what, edition, plies) for plies in range(200)]
        (article,) = {one.article for one in found}
        articles.append(article)
        assert f"FIDE {article}" in paragraphs()
        assert sum(a.remedy is not b.remedy for a, b in pairwise(found)) <= 1
    assert len(set(articles)) == len(articles)


@EDITIONS
def test_an_edition_ends_a_game_no_sooner_than_it_lets_one_claim(edition: int):
    """FIDE 9.2, FIDE 9.3, FIDE 9.6: first nothing, then a claim, then the end."""
    laws = LAWS[edition]
    assert laws.year == edition
    assert laws.fivefold is None or laws.threefold < laws.fivefold
    assert laws.seventy_five is None or laws.fifty < laws.seventy_five


def test_every_score_of_a_class_rises_stays_or_falls():
    """§ 6.5.2.3, § 6.5.3.2, § 6.5.3.3: a fall and a rise meet in a first place alone (reading)."""
    for group_class in EmtClass:
        for halves, place in product(range(13), range(1, 8)):
            score = Score(Fraction(halves, 2), 6, 0, place)
            ends = is_promotion(group_class, score), is_relegation(group_class, score)
            assert ends != (True, True) or place == 1
            assert any(ends) is not (outcome(group_class, score) is EmtOutcome.STAYS)


@pytest.mark.parametrize("group_class", EmtClass)
@pytest.mark.parametrize("halves", [0, 3, 4, 9, 10, 12])
def test_on_every_day_after_a_result_some_class_is_open_but_in_the_hole(group_class, halves):
    """§ 6.5.3.2: 5 points below the DM, unused for 2 years and not yet 3, open nothing.

    The days about each anniversary, and each ninth of the others.
    """
    finished, last = date(2024, 2, 29), date(2028, 2, 29)
    score = Score(Fraction(halves, 2), 6, 0, 7 if halves < 4 else 2)
    turns = {years_later(finished, n) + near * ONE_DAY for n in range(5) for near in range(-2, 3)}
    days = sorted({*_days(finished, last)[::9], *(day for day in turns if finished <= day <= last)})
    hole = []
    for day in days:
        record = ResultHistory(day, (PlayerResult(1, group_class, score, finished),))
        if not any(answer.is_allowed for answer in access(PlayerProfile("A"), record).values()):
            hole.append(day)
    if group_class is not EmtClass.DM and score.points >= EMT.promotion_points:
        first = years_later(finished, EMT.promotion_years) + ONE_DAY
        closed = years_later(finished, EMT.stay_years)
        assert hole == [day for day in days if first <= day <= closed]
    else:
        assert hole == []


def test_every_rating_has_one_coefficient_and_every_difference_one_expectation():
    """§ 4.5.2.3, § 4.5.7: no gap and no step back."""
    weights = [coefficient(rating) for rating in range(3001)]
    assert weights == sorted(weights, reverse=True)
    scores = [expected_score(difference) for difference in range(-1000, 1001)]
    assert scores == sorted(scores)
    assert all(expected_score(n) + expected_score(-n) == 1 for n in range(1, 1001))


def test_every_day_is_in_one_bulletin():
    """§ 6.4.5.1: quarter follows quarter, and a period cut short leaves no day out."""
    last = date(2025, 12, 31)
    for cut in (0, 20, 0, 0, 89, 5, 0, 1):
        period = next_period(last, date(2024, 1, 1))
        assert period.first == last + ONE_DAY
        assert quarter_of(period.first).holds(period.last)
        last = period.last - timedelta(days=min(cut, (period.last - period.first).days))


@pytest.mark.parametrize(("last", "limits"), [(1, [40]), (2, [40, 75]), (3, [75])])
def test_every_score_of_a_division_has_one_place(last: int, limits: list[int]):
    """§ 6.7.5.1: by every half percent; the division changes at the limits alone."""
    nearly = LEAGUE.rise - Fraction(1, 100)
    others = [
        Team(1 + 7 * division + n, f"{division}{n}", division, nearly, (2000,) * LEAGUE.boards)
        for division in (1, 2, 3)
        for n in range(6)
    ]
    places = []
    for halves in range(201):
        one = Team(0, "A", last, Fraction(halves, 2), (1000,) * LEAGUE.boards)
        made = compose([one, *others])
        rooms = (made.first, made.second, tuple(chain(*made.third)), made.unplaced)
        (place,) = [n for n, rows in enumerate(rooms) if any(row.team == one for row in rows)]
        places.append(place)
    assert [n / 2 for n in range(1, 201) if places[n] != places[n - 1]] == limits
