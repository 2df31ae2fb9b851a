"""What the calls of team entries answer, as models (§ 6.7.4.1). NOT bodies."""

from datetime import date

from server.api.cases.answers import Named
from server.api.frame.game_answers import Answer


class EntrySeat(Answer):
    """A player on a board; `leave`: the leader lets him play for two clubs (§ 6.7.3.2)."""

    board: int
    person: Named
    rating: int
    leave: bool


class TeamFault(Answer):
    """What an entry lacks, with the players it concerns."""

    code: str
    paragraph: str
    players: list[str]


class TeamEntrySeen(Answer):
    """A team entry; `continues` the team of last season that comes back."""

    id: int
    club: str
    season: int
    state: str
    captain: str
    entered: date
    fee: date | None
    continues: int | None
    players: list[EntrySeat]
    faults: list[TeamFault]


class TeamEntries(Answer):
    """A club's entries to the season that is entered for now."""

    club: str
    season: int | None
    deadline: date | None
    entries: list[TeamEntrySeen]


class TeamEntryMade(Answer):
    """A team entry after what was done."""

    id: int
    state: str


class DivisionStarted(Answer):
    """A division that was started, and the seed of its numbers (§ 6.7.4.2)."""

    id: int
    name: str
    seed: str | None
    games: int


class SeasonStarted(Answer):
    """Every division of a plan."""

    divisions: list[DivisionStarted]
