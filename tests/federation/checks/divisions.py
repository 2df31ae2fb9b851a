"""The league's divisions are well-formed: sizes, clubs, who rises, falls and stays (§ 6.7.5.1).

The bounds are stated here a second time. Not for line-ups (check_people.py).
"""

from collections.abc import Iterable, Sequence
from datetime import date

from kskak.league.composition import Composition, PlacedTeam, PlacementReason, Team
from tests.federation.trouble import expect

_MOST, _STAY, _RISE = 7, 40, 75
_FROM_FIRST, _FROM_SECOND, _DOWN = 5, 2, 2
_PLACE = "the league's divisions"
_DISPENSED = (PlacementReason.FIRST_DISPENSATION, PlacementReason.SECOND_DISPENSATION)


def _scored(team: Team, percent: int) -> bool:
    return team.score is not None and team.score >= percent


def _clubs(teams: Iterable[Team]) -> list[str]:
    return [team.club.strip().casefold() for team in teams]


def check_composition(made: Composition, teams: Sequence[Team], day: date) -> None:
    """Check next season's divisions against the teams entered."""
    parts = [made.first, made.second, *made.third]
    _check_unplaced(made, day)
    placed = [row.team.number for part in [*parts, made.unplaced] for row in part]
    expect(sorted(placed) == sorted(team.number for team in teams), day, _PLACE, "a team too many")
    for part in parts:
        clubs = _clubs(row.team for row in part)
        expect(len(part) <= _MOST, day, _PLACE, f"{len(part)} teams in a division")
        expect(len(set(clubs)) == len(clubs), day, _PLACE, "two teams of a club in a division")
    sizes = [len(group) for group in made.third]
    expect(not sizes or max(sizes) - min(sizes) <= 1, day, _PLACE, f"3rd division of {sizes}")
    _check_full(made, teams, day)
    _check_first(made.first, teams, day)
    _check_second(made, teams, day)


def _check_unplaced(made: Composition, day: date) -> None:
    """No team is alone in a group, and none is left out that could join a group of the 3rd."""
    for group in made.third:
        expect(len(group) > 1, day, _PLACE, "a group of the 3rd without a game")
    for row in made.unplaced:
        inside = [group for group in made.third if row.team.club_key not in _keys(group)]
        expect(not inside, day, _PLACE, f"{row.team.club} is left out, and could play")


def _keys(rows: Iterable[PlacedTeam]) -> set[str]:
    return {row.team.club_key for row in rows}


def _check_full(made: Composition, teams: Sequence[Team], day: date) -> None:
    """The 1st and 2nd division are not short while there is a team that could fill them."""
    first = {row.team.number for row in made.first}
    left = [team for team in teams if team.number not in first]
    for part, field in ((made.first, list(teams)), (made.second, left)):
        most = min(_MOST, len(set(_clubs(field))))
        expect(len(part) == most, day, _PLACE, f"{len(part)} teams of {most}")


def _check_first(rows: Sequence[PlacedTeam], teams: Sequence[Team], day: date) -> None:
    """§ 6.7.5.1, 1st division."""
    for row in rows:
        team = row.team
        stays = team.last == 1 and _scored(team, _STAY)
        rises = team.last == 2 and _scored(team, _RISE)
        fits = {PlacementReason.FIRST_STAYS: stays, PlacementReason.FIRST_RISES: rises}.get(
            row.reason, row.reason is PlacementReason.FIRST_DISPENSATION
        )
        expect(fits, day, _PLACE, f"{team.club} is in the 1st by {row.reason}, {team.score}")
    stays_there = [team for team in teams if team.last == 1 and _scored(team, _STAY)]
    rise = [team for team in teams if team.last == 2 and _scored(team, _RISE)]
    inside = {row.team.number for row in rows}
    from_first = sum(row.team.last == 1 for row in rows)
    second = len(set(_clubs(team for team in teams if team.last == 2)))
    qualified = len(set(_clubs([*stays_there, *rise])))
    if qualified > _MOST:
        _check_strongest(rows, [*stays_there, *rise], day)
    if qualified > _MOST and second >= _MOST:
        expect(from_first <= _FROM_FIRST, day, _PLACE, f"{from_first} teams stay in the 1st")
        risen = sum(row.team.last == 2 for row in rows)
        expect(risen >= _FROM_SECOND, day, _PLACE, f"{risen} teams come up to the 1st")
    elif qualified <= _MOST:
        gone = [team.club for team in stays_there if team.number not in inside]
        expect(not gone, day, _PLACE, f"{gone} had 40 percent in the 1st and is not there")
    dispensed = sum(row.reason in _DISPENSED for row in rows)
    is_short = qualified < _MOST or from_first >= _FROM_FIRST or len(inside) < _MOST
    expect(not dispensed or is_short, day, _PLACE, "a dispensation where enough have qualified")


def _check_strongest(rows: Sequence[PlacedTeam], qualified: Sequence[Team], day: date) -> None:
    """No team left out is stronger than one inside, but for its club or the 5 of the 1st."""
    inside = [row.team for row in rows if row.team in qualified]
    weakest = min((team.score or 0, team.mean) for team in inside)
    is_closed = sum(row.team.last == 1 for row in rows) >= _FROM_FIRST
    for team in qualified:
        is_out = team not in inside and team.club_key not in _keys(rows)
        if is_out and not (team.last == 1 and is_closed):
            is_stronger = (team.score or 0, team.mean) > weakest
            expect(not is_stronger, day, _PLACE, f"{team.club} is stronger, and left out")


def _check_second(made: Composition, teams: Sequence[Team], day: date) -> None:
    """§ 6.7.5.1, 2nd division: relegated teams have places, and risers come from the 3rd."""
    for row in made.second:
        team, percent = row.team, row.team.score
        match row.reason:
            case PlacementReason.SECOND_FALLS:
                fits = team.last == 1 and not _scored(team, _STAY)
            case PlacementReason.SECOND_STAYS:
                fits = team.last == 2 and _scored(team, _STAY) and not _scored(team, _RISE)
            case PlacementReason.SECOND_RISES:
                fits = team.last == 3 and _scored(team, _RISE)
            case PlacementReason.SECOND_FROM_FIRST:
                fits = team.last in (1, 2)
            case _:
                fits = row.reason is PlacementReason.SECOND_DISPENSATION
        expect(fits, day, _PLACE, f"{team.club} is in the 2nd by {row.reason}, {percent}")
    first = {row.team.number for row in made.first}
    down = [team for team in teams if team.last == 1 and team.number not in first]
    kept = sum(row.team.last == 1 for row in made.second)
    wanted = min(_DOWN, len(down))
    expect(kept >= wanted, day, _PLACE, f"{kept} of {len(down)} teams are down in the 2nd")
    stays = [row for row in made.first if row.team.last == 1 and not _scored(row.team, _STAY)]
    lawful = all(row.reason is PlacementReason.FIRST_DISPENSATION for row in stays)
    expect(lawful, day, _PLACE, "a team under 40 percent stays in the 1st by right")
