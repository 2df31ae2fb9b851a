"""New ratings from a finished group, by § 4.5.

The system's numbers, every step, and the files in and out.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.crosstables import GameTermination
from kskak.groups.placing import NOTHING, ScoredGame, number, points_of, read_names, read_played
from kskak.values import JsonFields

# The rating system's numbers and what each stands for (§ 4.5.2).

GREATEST_SPREAD = 200
"""Rating points between highest and lowest for the average method: § 4.5.2.1."""

EXPECTED_UNIT = Fraction(1, 20)
"""Expected scores are multiples of it: § 4.5.2.1."""

FLOOR = 1000
"""Nobody falls below this: § 4.5.2.6."""

LOWEST_K = 45
"""The coefficient below every limit: § 4.5.2.3."""

LIMITS = {2400: 10, 2000: 20, 1600: 30}
"""The coefficient K from each limit up, highest first: § 4.5.2.3."""

FEW_GAMES = 5
"""Up to this many games the bonus begins beyond 1½ points above expectation: § 4.5.2.2."""


def coefficient(rating: Fraction | int) -> int:
    """K for a rating (§ 4.5.2.3)."""
    return next((k for limit, k in LIMITS.items() if rating >= limit), LOWEST_K)


def bonus_threshold(games: int) -> Fraction:
    """How many points above expectation bring no bonus yet (§ 4.5.2.2).

    1½ to 5 games, 2 at 6 and 7, half a point more for every two games. Reading: it goes on like
    this beyond 11, where the text ends; the older edition says "and so on".
    """
    return Fraction(max(games, FEW_GAMES) // 2 + 1, 2)


def half_up(value: Fraction) -> int:
    """The nearest whole number, halves up (reading: the text does not say)."""
    return math.floor(value + Fraction(1, 2))


def to_unit(value: Fraction) -> Fraction:
    """An expected score to the nearest 0.05 (§ 4.5.2.1), halves up (reading)."""
    return half_up(value / EXPECTED_UNIT) * EXPECTED_UNIT


@dataclass(frozen=True, slots=True)
class LimitCrossing:
    """A limit was passed: what lay beyond it counts by the ratio of the two coefficients.

    ``beyond`` rating points lay past the limit; with ``factor`` they give ``after``.
    """

    limit: int
    is_upward: bool
    beyond: Fraction
    factor: Fraction
    after: Fraction


def find_limit_crossing(before: Fraction | int, after: Fraction) -> LimitCrossing | None:
    """The correction for the first limit between the two, None if there is none (§ 4.5.2.4).

    A limit belongs to what lies above it. Reading: of two limits passed at once only the first
    corrects; the text mentions one.
    """
    is_upward = after > before
    passed = [
        limit
        for limit in LIMITS
        if (before < limit < after if is_upward else after < limit <= before)
    ]
    if not passed:
        return None
    limit = min(passed) if is_upward else max(passed)
    upper, lower = LIMITS[limit], coefficient(limit - 1)
    factor = Fraction(upper, lower) if is_upward else Fraction(lower, upper)
    beyond = abs(after - limit)
    moved = beyond * factor
    return LimitCrossing(
        limit, is_upward, beyond, factor, limit + moved if is_upward else limit - moved
    )


# Table 1: the last difference of each band. The first band is worth .50 to the higher-rated
# player, each further one .01 more; what lies beyond the last is worth 1.00.
_BANDS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121,
    129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278,
    290, 302, 315, 328, 342, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip

# Table 2: the difference for .50, .51 … .99. Below .50 the same with the sign reversed, except
# .09, which is printed as -384 against 383 for .91 in both editions of the handbook.
_DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
)  # fmt: skip
_ODD_ONE = {9: -384}


def expected_score(difference: int) -> Fraction:
    """P(D) of table 1: the expected score against one opponent (§ 4.5.7).

    ``difference`` is own rating less the opponent's; the lower-rated player has the
    remainder.
    """
    higher = Fraction(50 + bisect_left(_BANDS, abs(difference)), 100)
    return higher if difference >= 0 else 1 - higher


def rating_difference(percent: int) -> int | None:
    """D(P) of table 2 for a whole percentage; None for 0 and 100, which settle nothing (§ 4.5.7).

    Raises ValueError outside 0-100.
    """
    if not 0 <= percent <= 100:
        raise ValueError(f"a percentage lies from 0 to 100, not at {percent}")
    if percent in (0, 100):
        return None
    if percent >= 50:
        return _DIFFERENCES[percent - 50]
    return _ODD_ONE.get(percent, -_DIFFERENCES[50 - percent])


# Which games of a finished group are rated (§ 4.5.4.2).


class RatingExemption(StrEnum):
    """Why a game of the group is not rated."""

    RESERVE = "reserve"
    """A reserve took it over."""
    WITHDRAWN = "withdrawn"
    """Lost by a withdrawal, not played."""
    TEAM = "team"
    """Not played, in the league."""
    ABSENT = "absent"
    """Not played, and the loser played nothing."""
    DRAWN = "drawn"
    """Not played, with no points or half a point for both: neither alone was absent."""


@dataclass(frozen=True, slots=True)
class RatingGame:
    """A finished game: how it ended, and whether both have moved.

    ``how`` None: by the players, or as reported of a game that was not played here.
    """

    game: ScoredGame
    how: GameTermination | None
    both_moved: bool
    carried_on: bool = False

    @property
    def is_played(self) -> bool:
        return self.both_moved or self.how in (None, GameTermination.ADJUDICATED)


def list_exemptions(
    ended: Sequence[RatingGame], *, is_team: bool
) -> tuple[RatingExemption | None, ...]:
    """For each game why it is not rated; None where it is (§ 4.5.4.2)."""
    present = {name for one in ended if one.is_played for name, _, _ in one.game.sides}
    return tuple(_why(one, present, is_team=is_team) for one in ended)


def _why(one: RatingGame, present: Iterable[str], *, is_team: bool) -> RatingExemption | None:
    if one.carried_on:
        return RatingExemption.RESERVE
    if one.is_played:
        return None
    if one.how is GameTermination.WITHDRAWN:
        return RatingExemption.WITHDRAWN
    if is_team:
        return RatingExemption.TEAM
    losers = [name for name, _, points in one.game.sides if points < Fraction(1, 2)]
    if len(losers) != 1:
        return RatingExemption.DRAWN
    return None if losers[0] in present else RatingExemption.ABSENT


# What a player was expected to score: average and difference method (§ 4.5.2.1).


class Method(StrEnum):
    """How the expected score of a group is found (§ 4.5.2.1)."""

    AVERAGE = "average"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class ExpectedScore:
    """One lookup in table 1: own rating less ``against``, and the expected score.

    ``opponent`` None: the group's mean. ``difference`` is signed and whole.
    """

    opponent: str | None
    against: Fraction
    difference: int
    score: Fraction


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected score and how it was reached.

    ``field`` is M of the average method, else None; ``cycles`` how often all met, 2 in a double
    round.
    """

    method: Method
    chances: tuple[ExpectedScore, ...]
    field: int | None
    cycles: Fraction
    raw: Fraction
    score: Fraction


def meetings(games: Sequence[ScoredGame]) -> Counter[frozenset[str]]:
    """How often each pair has met."""
    return Counter(frozenset((game.white, game.black)) for game in games)


def all_played_all(ratings: Mapping[str, int], games: Sequence[ScoredGame]) -> bool:
    """Whether everyone has met everyone, once or more."""
    players = len(ratings)
    return players > 1 and len(meetings(games)) == players * (players - 1) // 2


def method_for(ratings: Mapping[str, int], games: Sequence[ScoredGame]) -> Method:
    """The group's method (§ 4.5.2.1): average when all played all, spread at most 200.

    Reading: all must have met equally often; a play-off on top of a round robin, say, makes it
    a tournament where the average method can't be used.
    """
    if not all_played_all(ratings, games) or len(set(meetings(games).values())) > 1:
        return Method.DIFFERENCE
    spread = max(ratings.values()) - min(ratings.values())
    return Method.AVERAGE if spread <= GREATEST_SPREAD else Method.DIFFERENCE


def expect(
    method: Method, name: str, ratings: Mapping[str, int], opponents: Sequence[str]
) -> Expectation:
    """The expected score of a player against these opponents, one for each rated game (§ 4.5.2.1).

    Where some games are not rated, the same method is used on the player and the opponents that
    remain, as the text wants a new expected score by the group's method. Reading: M × P - ½
    is the expected score of one round robin, so a double round expects twice that.
    """
    own = ratings[name]
    if method is Method.AVERAGE:
        met = [ratings[opponent] for opponent in dict.fromkeys(opponents)]
        field = len(met) + 1
        chance = _chance(None, own, Fraction(own + sum(met), field))
        cycles = Fraction(len(opponents), len(met)) if met else Fraction(1)
        raw = cycles * (field * chance.score - Fraction(1, 2))
        return Expectation(method, (chance,), field, cycles, raw, to_unit(raw))
    chances = tuple(_chance(opponent, own, Fraction(ratings[opponent])) for opponent in opponents)
    raw = sum((chance.score for chance in chances), Fraction(0))
    return Expectation(method, chances, None, Fraction(1), raw, to_unit(raw))


def _chance(opponent: str | None, own: int, against: Fraction) -> ExpectedScore:
    """Reading: the difference's size is rounded half up; table 1 has whole differences only."""
    size = half_up(abs(own - against))
    difference = size if own >= against else -size
    return ExpectedScore(opponent, against, difference, expected_score(difference))


# Performance ratings: the first number of a player who has none (§ 4.5.5.2).

MOST_PASSES = 100
"""Passes over a group with several unrated players before it is left as it stands."""


def performance(score: Fraction, opponents: Sequence[int]) -> int | None:
    """The rating whose expected score is this score: R_c + D_p (§ 4.5.5.2).

    Reading: the percentage is rounded to a whole one, halves up, as is the mean of the opponents
    with the difference added. None without games, or when all or nothing was won: table 2 is
    silent there.
    """
    if not opponents:
        return None
    difference = rating_difference(half_up(score * 100 / len(opponents)))
    if difference is None:
        return None
    return half_up(Fraction(sum(opponents), len(opponents)) + difference)


def performances(
    ratings: Mapping[str, int], unrated: Sequence[str], games: Sequence[ScoredGame]
) -> dict[str, int | None]:
    """Performance ratings of several unrated players in one tournament (§ 4.5.5.2).

    The text wants passes until the numbers are stable: the first uses only the rated opponents,
    each further one the numbers of the pass before. None for those without a number.
    """
    found: dict[str, int | None] = dict.fromkeys(unrated)
    for _ in range(MOST_PASSES):
        known = dict(ratings) | {name: value for name, value in found.items() if value is not None}
        latest = {name: _performance(name, known, games) for name in unrated}
        if latest == found:
            break
        found = latest
    return found


def _performance(name: str, known: Mapping[str, int], games: Sequence[ScoredGame]) -> int | None:
    met = [
        (known[opponent], score)
        for game in games
        for own, opponent, score in game.sides
        if own == name and opponent in known
    ]
    return performance(sum((score for _, score in met), Fraction(0)), [other for other, _ in met])


# New ratings from a finished group, by § 4.5, every step kept as a value.


@dataclass(frozen=True, slots=True)
class RatedGroup:
    """A finished group: ratings at its start in the order of the list, and its games.

    ``unrated`` games count for who met whom and who won the group, not for ratings (§ 4.5.4.2).
    """

    ratings: Mapping[str, int]
    games: tuple[ScoredGame, ...]
    unrated: tuple[ScoredGame, ...] = ()

    @property
    def all_games(self) -> tuple[ScoredGame, ...]:
        return self.games + self.unrated


@dataclass(frozen=True, slots=True)
class Calculation:
    """One player's new rating with every step to it (§ 4.5.2)."""

    name: str
    before: int
    games: int
    score: Fraction
    expected: Expectation
    threshold: Fraction
    bonus: Fraction
    k: int
    gain: Fraction
    """K × (W - We + B); 0 where the winner's rule holds the rating."""
    is_held: bool
    """A group winner below expectation: § 4.5.2.5."""
    crossed: LimitCrossing | None
    is_raised: bool
    """Raised to the floor: § 4.5.2.6."""
    rating: int

    @property
    def method(self) -> Method:
        return self.expected.method


def rate(group: RatedGroup) -> tuple[Calculation, ...]:
    """Each player's new rating, in the group's order (§ 4.5.2)."""
    method = method_for(group.ratings, group.all_games)
    winners = group_winners(group)
    points = points_of(group.ratings, group.games)
    met: dict[str, list[str]] = {name: [] for name in group.ratings}
    for game in group.games:
        for name, opponent, _ in game.sides:
            met[name].append(opponent)
    return tuple(
        _calculate(
            name,
            before,
            points[name],
            expect(method, name, group.ratings, met[name]),
            len(met[name]),
            name in winners,
        )
        for name, before in group.ratings.items()
    )


def group_winners(group: RatedGroup) -> frozenset[str]:
    """Who won the group: all who share the most points (§ 4.5.2.5).

    Reading: only a group where all played all has a winner.
    """
    if not all_played_all(group.ratings, group.all_games):
        return frozenset()
    points = points_of(group.ratings, group.all_games)
    best = max(points.values())
    return frozenset(name for name, score in points.items() if score == best)


def bonus(score: Fraction, expected: Fraction, games: int) -> Fraction:
    """B: by how much the score exceeds expectation and threshold, if at all (§ 4.5.2.2)."""
    return max(score - expected - bonus_threshold(games), NOTHING)


def _calculate(
    name: str, before: int, score: Fraction, expected: Expectation, games: int, is_winner: bool
) -> Calculation:
    extra = bonus(score, expected.score, games)
    k = coefficient(before)
    is_held = is_winner and score < expected.score
    gain = NOTHING if is_held else k * (score - expected.score + extra)
    settled = correct_rating(before, gain) if games else CorrectedRating(None, False, before)
    return Calculation(
        name=name,
        before=before,
        games=games,
        score=score,
        expected=expected,
        threshold=bonus_threshold(games),
        bonus=extra,
        k=k,
        gain=gain,
        is_held=is_held,
        crossed=settled.crossed,
        is_raised=settled.is_raised,
        rating=settled.rating,
    )


@dataclass(frozen=True, slots=True)
class CorrectedRating:
    """A rating after its gain, with the corrections that were made."""

    crossed: LimitCrossing | None
    is_raised: bool
    rating: int


def correct_rating(before: int, gain: Fraction) -> CorrectedRating:
    """The rating after a gain: limit, floor, and rounding last (§ 4.5.2.4, § 4.5.2.6)."""
    crossed = find_limit_crossing(before, before + gain)
    after = crossed.after if crossed else before + gain
    return CorrectedRating(crossed, after < FLOOR, half_up(max(after, Fraction(FLOOR))))


# kskak-rating/1 in: a finished group with its ratings (CONTRACTS).

RATING_FORMAT = "kskak-rating/1"
HIGHEST = 4000
"""Above any possible rating; more is a typing error."""


def read_group(document: object) -> RatedGroup:
    """A group from parsed JSON. Raises FieldError naming the place and the remedy."""
    head = JsonFields("rating file", document)
    if head.text("format") != RATING_FORMAT:
        raise head.fail("format", f'"{RATING_FORMAT}"')
    listed = head.items("players", "a list of players")
    if not listed:
        raise head.fail("players", "at least one player")
    players = [JsonFields(f"player {place}", value) for place, value in enumerate(listed, 1)]
    names = read_names("player", [player.named("name") for player in players])
    ratings = dict(zip(names, map(_rating, players), strict=True))
    games = head.items("games", "a list of games")
    unrated = head.items("unrated", "a list of games") if head.is_set("unrated") else []
    return RatedGroup(
        ratings,
        tuple(read_played(f"game {i}", value, ratings) for i, value in enumerate(games, 1)),
        tuple(
            read_played(f"unrated game {i}", value, ratings) for i, value in enumerate(unrated, 1)
        ),
    )


def _rating(player: JsonFields) -> int:
    rating = player.whole("rating")
    if not 0 <= rating <= HIGHEST:
        raise player.fail("rating", f"a whole number from 0 to {HIGHEST}")
    return rating


# kskak-rated/1 out, with every step of each row if wanted (CONTRACTS).

RATED_FORMAT = "kskak-rated/1"


def rated_json(rows: tuple[Calculation, ...], steps: bool = False) -> dict[str, object]:
    """The answer of ``kskak rating --json``; with ``steps`` every step of each row."""
    return {
        "format": RATED_FORMAT,
        "rows": [rated_row(row, steps=steps) for row in rows],
    }


def rated_row(row: Calculation, *, steps: bool = False) -> dict[str, object]:
    """One player's row; with ``steps`` how it was reached."""
    return _row(row) | ({"steps": _steps(row)} if steps else {})


def _row(row: Calculation) -> dict[str, object]:
    return {
        "name": row.name,
        "games": row.games,
        "score": number(row.score),
        "expected": number(row.expected.score),
        "method": row.method.value,
        "bonus": number(row.bonus),
        "k": row.k,
        "rating": row.rating,
    }


def _steps(row: Calculation) -> dict[str, object]:
    crossed = row.crossed
    return {
        "before": row.before,
        "chances": [
            {
                "opponent": chance.opponent,
                "against": _figure(chance.against),
                "difference": chance.difference,
                "score": number(chance.score),
            }
            for chance in row.expected.chances
        ],
        "field": row.expected.field,
        "cycles": number(row.expected.cycles),
        "unrounded": number(row.expected.raw),
        "threshold": number(row.threshold),
        "gain": number(row.gain),
        "held": row.is_held,
        "crossing": None
        if crossed is None
        else {
            "limit": crossed.limit,
            "beyond": _figure(crossed.beyond),
            "factor": f"{crossed.factor.numerator}/{crossed.factor.denominator}",
            "after": _figure(crossed.after),
        },
        "raised": row.is_raised,
    }


def _figure(value: Fraction) -> int | float:
    """A figure that may not terminate, to two decimals."""
    return number(Fraction(round(value * 100), 100))
