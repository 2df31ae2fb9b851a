"""Teams of a league season, and the division they play in (§ 6.7.1-6.7.3).

Not for which division that is (leagues.py).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from kskak.groups.placing import BoardGame, ScoredGame
from kskak.league.lineups import BoardPlayer, Lineup
from tests.federation.group import Group
from tests.federation.people import Person


@dataclass(slots=True)
class Squad:
    """A team of a season: the club's first or second, its last division, who is on the boards."""

    club: str
    order: int
    players: list[Person]
    last: int | None = None
    group: str | None = None
    score: Fraction | None = None
    reserves: int = 0

    def board_of(self, person: Person) -> int:
        """His board, from 0."""
        return next(i for i, one in enumerate(self.players) if one.key == person.key)


@dataclass(slots=True)
class SeasonDivision:
    """A division in play: squads by their drawn numbers, and a group for each board."""

    division: int
    group: str
    squads: list[Squad]
    boards: list[Group] = field(default_factory=list)
    is_placed: bool = False

    def has(self, group: Group) -> bool:
        """Whether a group is one of its boards."""
        return any(board is group for board in self.boards)

    def games(self, until: date | None = None) -> list[BoardGame]:
        """The finished games by club; with ``until``, those that were over by that day."""
        clubs = [squad.club for squad in self.squads]
        found = []
        for number, board in enumerate(self.boards, 1):
            seats = {
                match.number: pair for match, pair in zip(board.matches, _pairs(board), strict=True)
            }
            for match in board.matches:
                result, ended = match.state.result, match.ended
                if result is None or ended is None or (until is not None and ended > until):
                    continue
                white, black = seats[match.number]
                found.append(BoardGame(number, ScoredGame(clubs[white], clubs[black], result)))
        return found


def _pairs(board: Group) -> Iterator[tuple[int, int]]:
    for games in board.schedule.rounds:
        for pairing in games:
            yield pairing.white - 1, pairing.black - 1


def lineup_of(ratings: Mapping[str, int], division: SeasonDivision, squad: Squad) -> Lineup:
    """A team in the form that § 6.7.2 and § 6.7.3 are checked on."""
    boards = tuple(BoardPlayer(one.key, squad.club, ratings[one.key]) for one in squad.players)
    return Lineup(squad.club, division.division, boards, division.group or None)
