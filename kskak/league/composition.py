"""Next season's divisions, each team with the reason for its place (§ 6.7.5.1).

Readings, which the leader sees and may overrule:
- more than 7 for the 1st division: the strongest 7 of those from the last 2nd and at most 5 from
  the last 1st; where fewer than 2 of the 2nd have qualified, the 2nd is asked first for the rest;
- strongest is by score, then by mean K-rating; the others, for a dispensation, likewise, those
  of the division itself and the next below first, then lower ones, then new teams by rating;
- a team qualified for the 1st division without a place there counts as qualified for the 2nd;
- the letter that the text lacks for the 2nd is for teams of the 3rd with at least 75 percent;
- 2 go up from the 3rd, one from each of its groups, or 2 where it has only one group;
- where a club has two teams for one division, the one from the higher division stands for it, and
  only one of them is counted as qualified; the other gets a turn if the first is not strong enough
  (§ 6.7.3.3); each group of the 3rd counts as a division;
- a team whose dispensation the leader has refused is passed over where it would need one, and the
  next is asked; a division may then stay below 7 teams;
- groups of the 3rd have at most 7 (6 games, § 6.7.2.3) and are dealt in a snake by mean rating;
- a division's only team stays named there, and has the ways of one without a place;
- no team is alone in a group: of a club with more teams for the 3rd than there can be groups of
  two, the weakest by rating are left out, as is a team without any opponent; they are named, and
  for each the ways there are: a free seat above (§ 6.7.5.1), an eighth place, since a division has
  *ideally* 7 (§ 6.7.1.1), a dispensation from § 6.7.3.3. The leader grants one.
Not for drawing numbers or the schedule (lineups.py).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from kskak.entries.emt import EmtClass
from kskak.groups.schedule import GroupCandidate, snake
from kskak.ledger.ledger_files import HIGHEST_RATING, DataFields
from kskak.regulation.editions import EMT, LEAGUE

# A team entered for the next league, and how strong it is (§ 6.7.5.1, § 6.7.6.2).

OPEN_RATING = EMT.otb_qualified - 1
"""The highest rating that § 6.5.3.2 d places in Å."""


def mean_rating(ratings: Sequence[int]) -> Fraction:
    """The sum of the four K-ratings, final or provisional, divided by 4 (§ 6.7.6.2).

    ValueError for another number of players.
    """
    if len(ratings) != LEAGUE.boards:
        raise ValueError(f"a team has {LEAGUE.boards} players, not {len(ratings)}")
    return Fraction(sum(ratings), LEAGUE.boards)


def provisional_rating(
    k_rating: int | None, otb_rating: int | None, entered: EmtClass = EmtClass.OPEN
) -> int:
    """The K-rating a player is entered with (§ 6.7.6.2).

    Their own; else their last known over-the-board rating; else one based on § 6.5.3.2.
    Reading of the last: the rating at the edge of the class they could enter, the lowest for M
    and K, the highest for Å, which is a first-timer's class; for the DM that of M.
    """
    if k_rating is not None:
        return k_rating
    if otb_rating is not None:
        return otb_rating
    match entered:
        case EmtClass.DM | EmtClass.M:
            return EMT.otb_master
        case EmtClass.K:
            return EMT.otb_qualified
        case EmtClass.OPEN:
            return OPEN_RATING


@dataclass(frozen=True, slots=True)
class Team:
    """One entered team; ``number`` is its place among the entries.

    ``last`` is the division it played in last season, None for a new team; ``group`` its group
    there; ``score`` its percentage in finished and reported games at the entry deadline;
    ``granted``: the division where the leader gives it a place that it would not get otherwise.
    """

    number: int
    club: str
    last: int | None
    score: Fraction | None
    ratings: tuple[int, ...]
    group: str | None = None
    granted: int | None = None

    @property
    def mean(self) -> Fraction:
        """Its mean K-rating (§ 6.7.6.2)."""
        return mean_rating(self.ratings)

    @property
    def club_key(self) -> str:
        """The club, however its name is written (§ 6.7.3.3)."""
        return " ".join(self.club.split()).casefold()

    def has_scored(self, lowest: int) -> bool:
        """Whether its score is at least that many percent."""
        return self.score is not None and self.score >= lowest


class TeamOutlook(StrEnum):
    """What a team's score speaks for when the next divisions are composed (§ 6.7.5.1)."""

    RISES = "rises"
    STAYS = "stays"
    FALLS = "falls"


def outlook(division: int, percent: Fraction) -> TeamOutlook:
    """What a final score in a division is worth; nobody rises from the 1st or falls from the 3rd.

    Composing decides it, by the score on the entry deadline (§ 6.7.5.1).
    """
    if division > 1 and percent >= LEAGUE.rise:
        return TeamOutlook.RISES
    return TeamOutlook.FALLS if division < 3 and percent < LEAGUE.stay else TeamOutlook.STAYS


def strongest_first(teams: Iterable[Team]) -> list[Team]:
    """By score, then by mean K-rating, as § 6.7.5.1 names them; then in the order of entry."""
    return sorted(teams, key=lambda team: (-(team.score or 0), -team.mean, team.number))


def by_rating(teams: Iterable[Team]) -> list[Team]:
    """By mean K-rating alone, where no scores compare; then in the order of entry."""
    return sorted(teams, key=lambda team: (-team.mean, team.number))


# Next season's divisions, each team with the reason for its place (§ 6.7.5.1).


class PlacementReason(StrEnum):
    """Why a team is in its division (§ 6.7.5.1), or in none; the letters are the text's."""

    FIRST_STAYS = "6.7.5 1a"
    FIRST_RISES = "6.7.5 1b"
    FIRST_DISPENSATION = "6.7.5 1 dispensation"
    SECOND_FALLS = "6.7.5 2a"
    SECOND_STAYS = "6.7.5 2b"
    SECOND_RISES = "6.7.5 2c"
    SECOND_FROM_FIRST = "6.7.5 2 from 1"
    SECOND_DISPENSATION = "6.7.5 2 dispensation"
    THIRD = "6.7.5 3"
    CLUB_TWICE = "6.7.3.3"
    ALONE = "6.7.1.1"
    EIGHTH = "6.7.1.1 eighth place"
    CLUB_DISPENSATION = "6.7.3.3 dispensation"


BY_LEADER = frozenset(
    {
        PlacementReason.FIRST_DISPENSATION,
        PlacementReason.SECOND_DISPENSATION,
        PlacementReason.EIGHTH,
        PlacementReason.CLUB_DISPENSATION,
    }
)
"""Places that only the leader can give."""


@dataclass(frozen=True, slots=True)
class PlacedTeam:
    """A team and why it is placed where it is."""

    team: Team
    reason: PlacementReason


@dataclass(frozen=True, slots=True)
class Dispensation:
    """A team that the leader must let in, and the division (§ 6.7.5.1)."""

    team: Team
    division: int
    reason: PlacementReason


@dataclass(frozen=True, slots=True)
class Composition:
    """The divisions; the third in its groups; teams without a place, for the leader to decide."""

    first: tuple[PlacedTeam, ...]
    second: tuple[PlacedTeam, ...]
    third: tuple[tuple[PlacedTeam, ...], ...]
    unplaced: tuple[PlacedTeam, ...] = ()

    @property
    def parts(self) -> tuple[tuple[int, tuple[PlacedTeam, ...]], ...]:
        """Each division with its number; the third once for each of its groups."""
        return ((1, self.first), (2, self.second), *((3, group) for group in self.third))

    @property
    def dispensations(self) -> tuple[Dispensation, ...]:
        """What the leader must grant for it."""
        return tuple(
            Dispensation(row.team, division, row.reason)
            for division, rows in self.parts
            for row in rows
            if row.reason in BY_LEADER
        )

    @property
    def without_opponents(self) -> tuple[PlacedTeam, ...]:
        """The teams without a place, and who is alone in a division while others play above."""
        clubs = {row.team.club_key for _, rows in self.parts for row in rows}
        single = (rows[0].team for _, rows in self.parts if len(rows) == 1)
        alone = (PlacedTeam(one, PlacementReason.ALONE) for one in single if len(clubs) > 1)
        return (*self.unplaced, *alone)

    def ways_for(self, team: Team) -> tuple[Dispensation, ...]:
        """The places that the leader can give a team without opponents, at least one (§ 6.7.5.1).

        In each division a seat that is free, an eighth place (§ 6.7.1.1), or a place beside the
        club's own (§ 6.7.3.3); nobody is sent alone into a division while there is another way.
        """
        ways: dict[int, Dispensation] = {}
        for division, rows in self.parts:
            others = [row for row in rows if row.team != team]
            reason = _reason_to_join(team, division, others)
            if others and (division not in ways or reason is not PlacementReason.CLUB_DISPENSATION):
                ways[division] = Dispensation(team, division, reason)
        alone = Dispensation(team, 1, PlacementReason.FIRST_DISPENSATION)
        return tuple(ways.values()) or (alone,)


def _reason_to_join(team: Team, division: int, rows: Sequence[PlacedTeam]) -> PlacementReason:
    """By what a team can come into a division beside these (§ 6.7.1.1, § 6.7.3.3, § 6.7.5.1)."""
    if any(row.team.club_key == team.club_key for row in rows):
        return PlacementReason.CLUB_DISPENSATION
    if len(rows) >= LEAGUE.teams:
        return PlacementReason.EIGHTH
    free = (PlacementReason.FIRST_DISPENSATION, PlacementReason.SECOND_DISPENSATION)
    return (*free, PlacementReason.THIRD)[division - 1]


FEWEST_TEAMS = 2
"""The fewest teams with which a group has a game (§ 6.7.2.3)."""


class _Division:
    """A division being filled: at most 7 teams, no club twice (§ 6.7.1.1, § 6.7.3.3)."""

    def __init__(self) -> None:
        self.placed: list[PlacedTeam] = []

    def take(self, teams: Iterable[Team], reason: Callable[[Team], PlacementReason]) -> None:
        """Take the teams, in their order, while there is room."""
        for team in teams:
            clubs = {row.team.club_key for row in self.placed}
            if len(self.placed) < LEAGUE.teams and team.club_key not in clubs:
                self.placed.append(PlacedTeam(team, reason(team)))

    def left_of(self, teams: Iterable[Team]) -> list[Team]:
        """The teams it has not taken."""
        inside = {row.team.number for row in self.placed}
        return [team for team in teams if team.number not in inside]


Refused = Collection[tuple[int, int]]
"""Dispensations that the leader refuses: team numbers, each with the division."""


def compose(teams: Sequence[Team], refused: Refused = ()) -> Composition:
    """The divisions that the entered teams form (§ 6.7.5.1), and the places the leader gives."""
    granted = [
        team for team in teams if team.granted and (team.number, team.granted) not in refused
    ]
    by_rule = [team for team in teams if team not in granted]
    first = _first(by_rule, refused)
    second = _second(first.left_of(by_rule), refused)
    groups, unplaced = _third(second.left_of(first.left_of(by_rule)))
    made = Composition(tuple(first.placed), tuple(second.placed), groups, unplaced)
    for team in granted:
        made = _grant(made, team)
    return made


def _grant(made: Composition, team: Team) -> Composition:
    """The divisions with a team in the one granted; of the 3rd's groups, where it fits best."""
    into = team.granted or LOWEST_DIVISION
    ranked = sorted(
        (_reason_to_join(team, into, rows) is PlacementReason.CLUB_DISPENSATION, len(rows), place)
        for place, (division, rows) in enumerate(made.parts)
        if division == into
    )
    parts = [list(rows) for _, rows in made.parts]
    if not ranked:
        parts.append([])
    at = ranked[0][-1] if ranked else len(parts) - 1
    parts[at].append(PlacedTeam(team, _reason_to_join(team, into, parts[at])))
    first, second, *third = map(tuple, parts)
    return Composition(first, second, tuple(third), made.unplaced)


def _from(teams: Iterable[Team], last: int, lowest: int, below: int = 101) -> list[Team]:
    """The teams of a last division with a score from ``lowest`` to under ``below`` percent."""
    return strongest_first(
        team
        for team in teams
        if team.last == last
        and (team.has_scored(lowest) or not lowest)
        and not team.has_scored(below)
    )


def _select_one_per_club(
    qualified: Sequence[Team], strongest: Callable[[Sequence[Team]], list[Team]]
) -> list[Team]:
    """The qualified that get a place, no club twice (§ 6.7.3.3): of more than 7 the strongest.

    ``qualified``: those from the highest division first. A club's first team stands for it; if
    that is not among the strongest, the club's next one is considered.
    """
    out: set[int] = set()
    while True:
        able = [team for team in qualified if team.number not in out]
        ones = _one_of_each_club(able)
        chosen = ones if len(ones) <= LEAGUE.teams else strongest(ones)
        clubs = {team.club_key for team in chosen}
        more = [team for team in ones if team.club_key not in clubs]
        keys = [team.club_key for team in able]
        beaten = {team.number for team in more if keys.count(team.club_key) > 1}
        if not beaten:
            return chosen
        out |= beaten


def _one_of_each_club(teams: Iterable[Team]) -> list[Team]:
    best: dict[str, Team] = {}
    for team in teams:
        best.setdefault(team.club_key, team)
    return list(best.values())


def _first(teams: Sequence[Team], refused: Refused) -> _Division:
    """§ 6.7.5.1, 1st division."""
    asked = _filter_by_dispensation(1, refused)
    qualified = [*_from(teams, 1, LEAGUE.stay), *_from(teams, 2, LEAGUE.rise)]
    division = _Division()
    stays, rises = PlacementReason.FIRST_STAYS, PlacementReason.FIRST_RISES
    own = _select_one_per_club(qualified, _strongest_of_first)
    division.take(own, lambda team: stays if team.last == 1 else rises)
    left = division.left_of(teams)
    if len(_one_of_each_club(qualified)) > LEAGUE.teams:
        # "min. 2": its own surplus comes after the teams of the 2nd
        _dispense(division, [asked(_from(left, 2, 0))], PlacementReason.FIRST_DISPENSATION)
        left = division.left_of(teams)
    neighbours = strongest_first(team for team in left if team.last in (1, 2))
    queues = [neighbours, _from(left, 3, 0), _new(left)]
    _dispense(division, map(asked, queues), PlacementReason.FIRST_DISPENSATION)
    return division


def _strongest_of_first(qualified: Sequence[Team]) -> list[Team]:
    """The 7 strongest with at most 5 from the last 1st, which come first."""
    stays = [team for team in qualified if team.last == 1]
    rises = [team for team in qualified if team.last == 2]
    best = strongest_first([*stays[: LEAGUE.first_from_first], *rises])[: LEAGUE.teams]
    return [team for team in [*stays, *rises] if team in best]


def _second(teams: Sequence[Team], refused: Refused) -> _Division:
    """§ 6.7.5.1, 2nd division, from those without a place in the 1st."""
    down, own = _from(teams, 1, 0), _from(teams, 2, LEAGUE.stay)
    up = _from(teams, 3, LEAGUE.rise)
    groups = {team.group for team in teams if team.last == 3}
    division = _Division()
    chosen = _select_one_per_club(
        [*down, *own, *up], lambda able: _strongest_of_second(able, len(groups))
    )
    division.take(chosen, _second_reason)
    left = division.left_of(teams)
    neighbours = strongest_first(team for team in left if team.last in (2, 3))
    queues = map(_filter_by_dispensation(2, refused), [neighbours, _new(left)])
    _dispense(division, queues, PlacementReason.SECOND_DISPENSATION)
    return division


def _strongest_of_second(qualified: Sequence[Team], groups: int) -> list[Team]:
    """Those entitled to a place, and the strongest of the others; 7 in all."""
    down = [team for team in qualified if team.last == 1][: LEAGUE.second_from_first]
    up = [team for team in qualified if team.last == 3]
    risers = up if groups == 1 else _best_of_each_group(up)
    chosen = [*down, *risers[: LEAGUE.second_from_third]]
    others = strongest_first(team for team in qualified if team not in chosen)
    return [*chosen, *others[: LEAGUE.teams - len(chosen)]]


def _second_reason(team: Team) -> PlacementReason:
    match team.last:
        case 1:
            is_crowded_out = team.has_scored(LEAGUE.stay)
            return (
                PlacementReason.SECOND_FROM_FIRST
                if is_crowded_out
                else PlacementReason.SECOND_FALLS
            )
        case 2:
            is_crowded_out = team.has_scored(LEAGUE.rise)
            return (
                PlacementReason.SECOND_FROM_FIRST
                if is_crowded_out
                else PlacementReason.SECOND_STAYS
            )
        case _:
            return PlacementReason.SECOND_RISES


def _best_of_each_group(up: Iterable[Team]) -> list[Team]:
    """The best qualified team from each group of the last 3rd division; the best first."""
    best: dict[str | None, Team] = {}
    for team in up:
        best.setdefault(team.group, team)
    return list(best.values())


def _filter_by_dispensation(division: int, refused: Refused) -> Callable[[list[Team]], list[Team]]:
    """Leaves out those whose dispensation for the division the leader has refused."""
    return lambda teams: [team for team in teams if (team.number, division) not in refused]


def _new(teams: Iterable[Team]) -> list[Team]:
    return by_rating(team for team in teams if team.last is None)


def _dispense(division: _Division, queues: Iterable[list[Team]], reason: PlacementReason) -> None:
    for queue in queues:
        division.take(queue, lambda _: reason)


_Groups = tuple[tuple[PlacedTeam, ...], ...]


def _third(teams: Sequence[Team]) -> tuple[_Groups, tuple[PlacedTeam, ...]]:
    """§ 6.7.5.1, 3rd division: no qualification, groups as equal as possible; who is left out."""
    kept, left = _with_opponents(teams)
    groups = _group_count(kept)
    if not groups:
        return (), left
    size, more = divmod(len(kept), groups)
    sizes = [size + 1 if number < more else size for number in range(groups)]
    dealt = [GroupCandidate(team.club_key, float(team.mean), i) for i, team in enumerate(kept)]
    dealt_out = tuple(
        tuple(PlacedTeam(kept[index], PlacementReason.THIRD) for index in group)
        for group in snake(dealt, sizes)
    )
    return dealt_out, left


def _group_count(teams: Sequence[Team]) -> int:
    """Enough groups that none has more than 7 teams, or two of one club."""
    keys = [team.club_key for team in teams]
    return max(-(-len(teams) // LEAGUE.teams), *(keys.count(key) for key in keys), 0)


def _with_opponents(teams: Sequence[Team]) -> tuple[list[Team], tuple[PlacedTeam, ...]]:
    """Teams that can form groups of two or more, and those left out, in the order removed."""
    kept = list(teams)
    left: list[PlacedTeam] = []
    while kept and len(kept) < FEWEST_TEAMS * _group_count(kept):
        keys = [team.club_key for team in kept]
        most = max(keys, key=keys.count)
        weakest = by_rating(team for team in kept if team.club_key == most)[-1]
        kept.remove(weakest)
        is_clubs = keys.count(most) > 1 or any(row.team.club_key == most for row in left)
        left.append(
            PlacedTeam(weakest, PlacementReason.CLUB_TWICE if is_clubs else PlacementReason.ALONE)
        )
    return kept, tuple(left)


# kskak-compose/1: the entered teams in, read strictly; the divisions out (CONTRACTS).

FORMAT = "kskak-compose/1"
LOWEST_DIVISION = 3
MOST_TEAMS = 1000


def read_teams(document: object) -> tuple[Team, ...]:
    """The teams in the order of the file. ValueError names the place and the remedy."""
    head = DataFields("compose", document)
    if head.text("format") != FORMAT:
        raise head.fail("format", f'"{FORMAT}"')
    teams: list[Team] = []
    for number, fields in enumerate(head.objects("teams"), 1):
        team = _team(number, fields)
        if number > MOST_TEAMS:
            raise head.fail("teams", f"at most {MOST_TEAMS} teams")
        _fits(team, teams, fields)
        teams.append(team)
    return tuple(teams)


def _team(number: int, fields: DataFields) -> Team:
    if not fields.has("last"):
        raise fields.fail("last", "1, 2, 3, or null for a new team")
    last = fields.count_or_none("last", 1, LOWEST_DIVISION)
    score: Fraction | None = None
    if last is not None:
        score = fields.percent("score")
    return Team(
        number=number,
        club=fields.line("club"),
        last=last,
        score=score,
        ratings=fields.whole_numbers("ratings", LEAGUE.boards, HIGHEST_RATING),
        group=fields.label("group"),
        granted=fields.count_or_none("granted", 1, LOWEST_DIVISION)
        if fields.has("granted")
        else None,
    )


def _fits(team: Team, before: list[Team], fields: DataFields) -> None:
    """§ 6.7.3.3: no club can have had two teams in one of the upper divisions."""
    is_upper = team.last is not None and team.last < LOWEST_DIVISION
    for other in before:
        if is_upper and (other.club_key, other.last) == (team.club_key, team.last):
            wanted = f"one team of {team.club} in division {team.last} (§ 6.7.3.3)"
            raise fields.fail("club", wanted)


def compose_json(composition: Composition) -> dict[str, object]:
    """The divisions with the reason for each team, and what the leader must grant (§ 6.7.5.1).

    ``team`` is the number of the team in the file: a club may have several.
    """
    return {
        "divisions": {
            "1": _division(composition.first),
            "2": _division(composition.second),
            "3": [_division(group) for group in composition.third],
        },
        "dispensations": [
            {
                "club": row.team.club,
                "division": row.division,
                "by": row.reason.value,
                "team": row.team.number,
            }
            for row in composition.dispensations
        ],
        "unplaced": _division(composition.without_opponents, composition),
    }


def _division(rows: Iterable[PlacedTeam], among: Composition | None = None) -> list[dict[str, Any]]:
    """The teams; ``among``: with the ways there are for those without a place."""
    found: list[dict[str, Any]] = []
    for row in rows:
        found.append({"club": row.team.club, "by": row.reason.value, "team": row.team.number})
        if among is not None:
            ways = among.ways_for(row.team)
            found[-1]["ways"] = [{"division": one.division, "by": one.reason} for one in ways]
    return found
