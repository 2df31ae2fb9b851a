"""The league of a simulation: teams, divisions, boards, placing, next season (§ 6.7).

Not for playing, nor for which divisions there are (``kskak.league.composition``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from kskak.groups.placing import BoardTeam, Division, league_placing, percentage, team_champion
from kskak.groups.schedule import draw_lots
from kskak.league.composition import Composition, PlacedTeam, Team, compose
from kskak.league.lineups import (
    BoardPlayer,
    board_schedules,
    letters_due,
    lineup_findings,
    teams_of_individuals,
    usual_start,
)
from tests.federation.check_groups import check_matches
from tests.federation.check_people import check_seats
from tests.federation.checks.divisions import check_composition
from tests.federation.checks.tables import check_division, won
from tests.federation.group import Group
from tests.federation.people import Person
from tests.federation.squads import SeasonDivision, Squad, lineup_of
from tests.federation.tables import count_ties
from tests.federation.tally import TeamPlaced, Titled
from tests.federation.world import NewGroup, World

_ENTERS, _SECOND_TEAM = 0.93, 0.6
DEADLINE = (11, 15)
"""Month and day by which clubs enter; scores are taken as of this day (§ 6.7.5.1)."""


@dataclass(slots=True)
class League:
    """The seasons so far; ``seasons`` holds the divisions of each."""

    world: World
    seasons: list[list[SeasonDivision]] = field(default_factory=list)

    def compose(self, day: date) -> None:
        """At the deadline, clubs enter and the divisions are composed (§ 6.7.4.1, § 6.7.5.1)."""
        last = self._last(day)
        squads = list(self._entered(last, day))
        teams = [self._team(number, squad) for number, squad in enumerate(squads, 1)]
        made = compose(teams)
        check_composition(made, teams, day)
        divisions = list(_divided(made, squads))
        if any(len(squads) > 1 for _, _, squads in divisions):
            self._note(made)
            start = usual_start(day.year + 1)
            self.world.at(letters_due(start), lambda on: self._draw(divisions, start, on))

    def _last(self, day: date) -> dict[tuple[str, int], Squad]:
        """Last season's teams, each with its score on the deadline."""
        found = {}
        for division in self.seasons[-1] if self.seasons else []:
            games = division.games(day)
            points = won([one.club for one in division.squads], [(one.played, 1) for one in games])
            for squad in division.squads:
                own = sum(squad.club in (one.played.white, one.played.black) for one in games)
                score = percentage(points[squad.club], own) or Fraction(0)
                kept = Squad(squad.club, squad.order, [], division.division, division.group, score)
                found[squad.club, squad.order] = kept
        return found

    def _entered(self, last: dict[tuple[str, int], Squad], day: date) -> Iterator[Squad]:
        """Each club's teams, strongest first; districts make theirs of their individual members."""
        random = self.world.random
        for club in (*self.world.federation.clubs, *self.world.federation.districts):
            own = [one for one in self.world.federation.of_club(club) if not one.is_gone(day)]
            own.sort(key=lambda one: (-self._rating(one), one.key))
            teams = 2 if random.random() < _SECOND_TEAM else 1
            if random.random() >= _ENTERS:
                continue
            boards = [BoardPlayer(one.key, club, self._rating(one)) for one in own]
            for order, team in enumerate(teams_of_individuals(boards)[0][:teams], 1):
                players = [self.world.person(one.player) for one in team]
                known = last.get((club, order))
                if known is None:
                    yield Squad(club, order, players)
                else:
                    yield Squad(club, order, players, known.last, known.group, known.score)

    def _rating(self, person: Person) -> int:
        return self.world.ratings.registered[person.key]

    def _team(self, number: int, squad: Squad) -> Team:
        ratings = tuple(self._rating(one) for one in squad.players)
        return Team(number, squad.club, squad.last, squad.score, ratings, squad.group)

    def _note(self, made: Composition) -> None:
        parts = [(1, 1, made.first), (2, 1, made.second)]
        parts += [(3, number, rows) for number, rows in enumerate(made.third, 1)]
        for division, group, rows in parts:
            for row in rows:
                placed = TeamPlaced(division, group, row.team.club, row.reason.value)
                self.world.tally.divisions.append(placed)

    def _draw(self, divisions: list[tuple[int, str, list[Squad]]], start: date, day: date) -> None:
        """Lots, boards and colours, on the letters' day 14 days before the start (§ 6.7.4.2)."""
        season = []
        for division, group, squads in divisions:
            if len(squads) < 2:
                continue
            for squad in squads:
                squad.players.sort(key=lambda one: (-self._rating(one), one.key))
            lots = draw_lots(self.world.seed(), [squad.club for squad in squads])
            ordered = [squads[index] for index in lots]
            one = SeasonDivision(division, group, ordered)
            for board, schedule in enumerate(board_schedules(len(squads)), 1):
                new = NewGroup(
                    name=f"League {start.year} {division}{group} board {board}",
                    event=None,
                    players=[squad.players[board - 1] for squad in ordered],
                    schedule=schedule,
                    is_league=True,
                    after=start - day,
                )
                one.boards.append(self.world.start(new, day, self.finished))
            check_matches(one.boards, day)
            season.append(one)
        self._check_lineups(season, day)
        self.seasons.append(season)

    def _check_lineups(self, season: Sequence[SeasonDivision], day: date) -> None:
        """Nobody is on two division teams, and boards are in order (§ 6.7.2.1, § 6.7.3.2)."""
        lineups = [
            lineup_of(self.world.ratings.registered, division, squad)
            for division in season
            for squad in division.squads
        ]
        assert not lineup_findings(lineups)
        check_seats(
            [
                (lineup.division, lineup.group or "", lineup.club, player.player)
                for lineup in lineups
                for player in lineup.boards
            ],
            day,
        )

    def finished(self, group: Group, day: date) -> None:
        """A board is finished; when all four are, the division is placed (§ 6.7.4.5)."""
        for division in (one for season in self.seasons for one in season):
            is_over = all(board.finished is not None for board in division.boards)
            if division.has(group) and is_over and not division.is_placed:
                division.is_placed = True
                self._place(division, day)

    def _place(self, division: SeasonDivision, day: date) -> None:
        games = tuple(division.games())
        clubs = [squad.club for squad in division.squads]
        rows = tuple(
            BoardTeam(one.club, tuple(p.key for p in one.players)) for one in division.squads
        )
        name = f"division {division.division}{division.group} of {division.boards[0].start.year}"
        open_table = league_placing(Division(rows, games))
        check_division(name, open_table, games, day)
        lots = tuple(clubs[index] for index in draw_lots(self.world.seed(), clubs))
        table = league_placing(Division(rows, games, lots))
        check_division(name, table, games, day)
        count_ties(self.world, name, table)
        if division.division == 1:
            award = team_champion(table)
            titled = Titled(award.title.value, name, award.holders, award.paragraph)
            self.world.tally.titles.append(titled)


def _divided(made: Composition, squads: Sequence[Squad]) -> Iterator[tuple[int, str, list[Squad]]]:
    """The squads of each division, the third's groups by letter."""

    def of(rows: Sequence[PlacedTeam]) -> list[Squad]:
        return [squads[row.team.number - 1] for row in rows]

    yield 1, "", of(made.first)
    yield 2, "", of(made.second)
    for number, rows in enumerate(made.third):
        yield 3, chr(ord("a") + number), of(rows)
