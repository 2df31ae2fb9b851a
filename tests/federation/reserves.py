"""Reserves in a simulated league: who carries on the games of a player who is gone (§ 6.7.4.3).

Not for whether a reserve may play (kskak.league.lineups).
"""

from collections.abc import Iterator, Sequence
from datetime import date

from kskak.league.lineups import Replacement, reserve_faults
from tests.federation.decisions import put_in_reserve
from tests.federation.group import Group
from tests.federation.people import Person
from tests.federation.squads import SeasonDivision, Squad, lineup_of
from tests.federation.world import World

Season = Sequence[SeasonDivision]


def replace(
    world: World, seasons: Sequence[Season], group: Group, person: Person, day: date
) -> bool:
    """Put a reserve on a player's board; returns False if the club has none who may play."""
    for season, division, squad in _seats(seasons, group, person):
        for reserve in world.federation.of_club(squad.club):
            is_fit = not reserve.is_gone(day) and reserve.key != group.leader
            if is_fit and _may_play(world, season, (division, squad), (person, reserve), day):
                board = squad.board_of(person)
                squad.reserves += 1
                squad.players[board] = reserve
                put_in_reserve(group, person, reserve, day)
                world.archive.groups.setdefault(reserve.key, []).append(group)
                world.tally.reserves += 1
                return True
    return False


def _seats(
    seasons: Sequence[Season], group: Group, person: Person
) -> Iterator[tuple[Season, SeasonDivision, Squad]]:
    for season in seasons:
        for division in season:
            for squad in division.squads if division.has(group) else ():
                if any(one.key == person.key for one in squad.players):
                    yield season, division, squad


def _may_play(
    world: World,
    season: Season,
    seat: tuple[SeasonDivision, Squad],
    change: tuple[Person, Person],
    day: date,
) -> bool:
    """Approved beforehand, of the club, not much stronger, not on another team."""
    division, squad = seat
    person, reserve = change
    ratings = world.ratings.registered
    others = [
        lineup_of(ratings, one, other)
        for one in season
        for other in one.squads
        if other is not squad
    ]
    board = squad.board_of(person) + 1
    wanted = Replacement(board, reserve.key, squad.club, ratings[reserve.key], day, day)
    lineup = lineup_of(ratings, division, squad)
    return not reserve_faults(lineup, wanted, squad.reserves, others)
