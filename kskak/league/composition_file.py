"""kskak-compose/1: the entered teams in, read strictly; the divisions out (CONTRACTS).

Not for composing them (composition.py).
"""

from collections.abc import Iterable
from fractions import Fraction

from kskak.league.composition import Composition, Placed
from kskak.league.teams import Team
from kskak.ledger.file_fields import HIGHEST_RATING, DataFields
from kskak.regulation.tournament_numbers import LEAGUE

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
        "unplaced": _division(composition.unplaced),
    }


def _division(rows: Iterable[Placed]) -> list[dict[str, object]]:
    return [
        {"club": row.team.club, "by": row.reason.value, "team": row.team.number} for row in rows
    ]
