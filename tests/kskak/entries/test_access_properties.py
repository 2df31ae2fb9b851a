"""Access, whatever the record: rights have a source, last to their day and end the day after."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.entries.access import access
from kskak.entries.emt import EmtClass, Score
from kskak.entries.rights import (
    CupFinalStage,
    CupRightRound,
    IccfTournament,
    PlayerProfile,
    PlayerResult,
    ResultHistory,
)

ON = date(2026, 11, 20)
FROM_RATING = ("6.5.3.2 d", "6.5.3.2 f")
EVENTS = st.one_of(
    st.sampled_from(EmtClass),
    st.sampled_from(EmtClass),
    st.sampled_from(IccfTournament),
    st.builds(CupRightRound, st.sampled_from(CupFinalStage), st.integers(0, 220), st.booleans()),
)


@st.composite
def records(draw):
    """Up to ten results of the last seven years on days of their own, some still played."""
    days = draw(st.lists(st.integers(0, 2500), max_size=10, unique=True))
    rows = []
    for number, back in enumerate(days, 1):
        games = draw(st.sampled_from([6, 10]))
        unfinished = draw(st.sampled_from([0, 0, 0, 0, 3]))
        halves = draw(st.integers(0, 2 * (games - unfinished)))
        place = draw(st.integers(1, 7) | st.none())
        score = Score(Fraction(halves, 2), games, unfinished, place)
        finished = None if unfinished else ON - timedelta(days=back)
        rows.append(PlayerResult(number, draw(EVENTS), score, finished))
    return ResultHistory(ON, tuple(rows))


PLAYERS = st.builds(
    PlayerProfile,
    st.just("A. Spiller"),
    st.booleans(),
    st.booleans(),
    st.integers(1000, 2300) | st.none(),
    st.integers(1000, 2300) | st.none(),
)


@given(PLAYERS, records())
def test_every_right_has_a_source_and_is_not_over(player, record):
    for answer in access(player, record).values():
        assert answer.is_allowed == (bool(answer.by) and not answer.against)
        paragraphs = [right.paragraph for right in answer.by]
        assert len(paragraphs) == len(set(paragraphs))
        for right in answer.by:
            assert right.until is None or right.until >= ON
            assert bool(right.results) != (right.paragraph in FROM_RATING)
            assert set(right.results) <= {row.number for row in record.results}
        for bar in answer.against:
            assert bar.results


@given(PLAYERS, records())
def test_a_right_stands_on_its_last_day_and_not_on_the_next(player, record):
    for name, answer in access(player, record).items():
        for right in answer.by:
            if right.until is None:
                continue
            on_last, after = (
                {
                    row.paragraph
                    for row in access(player, ResultHistory(day, record.results))[name].by
                }
                for day in (right.until, right.until + timedelta(days=1))
            )
            assert right.paragraph in on_last
            assert right.paragraph not in after


@given(PLAYERS, records(), st.randoms())
def test_the_order_in_the_file_does_not_matter(player, record, random):
    rows = list(record.results)
    random.shuffle(rows)
    assert access(player, ResultHistory(ON, tuple(rows))) == access(player, record)


@given(PLAYERS, records())
def test_international_and_cup_results_close_nothing_below_the_dm(player, record):
    """§ 6.5.3.2 b and c are rights, not duties; § 6.6.2.3 relegates nobody."""
    member = PlayerProfile(player.name, True, player.is_citizen, player.otb_rating)
    home = ResultHistory(
        ON, tuple(row for row in record.results if isinstance(row.event, EmtClass))
    )
    before, after = access(member, home), access(member, record)
    for name in (EmtClass.M, EmtClass.K, EmtClass.OPEN):
        assert after[name].is_allowed or not before[name].is_allowed


@pytest.mark.parametrize(("points", "games", "unfinished"), [(0, 0, 0), (4, 6, 3), (-1, 6, 0)])
def test_a_score_that_cannot_be_is_a_bug(points, games, unfinished):
    with pytest.raises(ValueError, match="unfinished"):
        Score(Fraction(points), games, unfinished)
