"""kskak-compose/1 in: the teams entered for the next league, read strictly (CONTRACTS).

Not for the divisions (composition.py, compose_out.py).
"""

from fractions import Fraction

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
