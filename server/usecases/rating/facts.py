"""The facts of a finished group that its ratings rest on: players, games, which are not rated.

Stored as text with each calculation, so that it can be shown and repeated (§ 4.5.4.1). Not for
the players' starting numbers, which come from other tournaments too (computing.py).
"""

from dataclasses import dataclass
from datetime import date
from functools import cache

from pydantic import TypeAdapter

from kskak.entries.emt import EmtClass
from kskak.groups.group_table import How
from kskak.groups.played import Played
from kskak.league.teams import provisional_rating
from kskak.rating.calculation import Group
from kskak.rating.lists import Basis, Newcomer, Tournament
from kskak.rating.rated_games import Ended, Unrated, why_unrated
from kskak.regulation.quantities import Result, Side
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.rating import calculations as rows
from server.usecases.groups.ends import end_of, how_of
from server.usecases.groups.group_file import GroupClass
from server.usecases.groups.tables import Ruled, ruled_in


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game between people by id; ``unrated`` says why it is not rated (§ 4.5.4.2)."""

    white: int
    black: int
    result: Result
    unrated: Unrated | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """A finished group. ``foreign``: known not to be Danish citizens (§ 4.5.5.2).

    ``entered``: the strengths stated on entry to the league (§ 6.7.4.1).
    """

    name: str
    class_: str
    players: tuple[int, ...]
    foreign: tuple[int, ...]
    entered: dict[int, int]
    games: tuple[Game, ...]

    def played(self, *, rated: bool) -> tuple[Played, ...]:
        """The rated games, or the others; players are named by their ids."""
        return tuple(
            Played(str(game.white), str(game.black), game.result)
            for game in self.games
            if (game.unrated is None) is rated
        )

    def group(self, ratings: dict[int, int]) -> Group:
        """The group with the numbers that it was calculated with."""
        named = {str(person): ratings[person] for person in self.players}
        return Group(named, self.played(rated=True), self.played(rated=False))

    def newcomer(self, person: int, otb: int | None) -> Newcomer:
        """The number without a K-rating (§ 6.7.6.2); a foreigner with no rating: performance first.

        Reading: a class of the championship counts as itself, every other form as Å.
        """
        if otb is not None:
            return Newcomer(otb, Basis.OTB)
        performs = person in self.foreign
        if person in self.entered:
            return Newcomer(self.entered[person], Basis.ENTERED, performs)
        known = {one.value: one for one in EmtClass}
        value = provisional_rating(None, None, known.get(self.class_, EmtClass.OPEN))
        return Newcomer(value, Basis.CLASS, performs)

    def tournament(
        self, days: tuple[str, str], first_us: int, newcomers: dict[int, Newcomer]
    ) -> Tournament:
        """The group as input to the calculation; ``days``: start and registration (ISO)."""
        return Tournament(
            self.name,
            date.fromisoformat(days[0]),
            date.fromisoformat(days[1]),
            tuple(str(person) for person in self.players),
            self.played(rated=True),
            self.played(rated=False),
            {str(person): new for person, new in newcomers.items()},
            first_us,
        )


@cache
def _facts() -> TypeAdapter[Facts]:
    return TypeAdapter(Facts)


def dump_facts(facts: Facts) -> str:
    """Facts as stored text, always the same for the same facts."""
    return _facts().dump_json(facts).decode()


def load_facts(text: str) -> Facts:
    """Facts from stored text. Raises ValueError for a text that holds none."""
    return _facts().validate_json(text)


async def turned_in(conn: AsyncConnection, group_id: int) -> tuple[Game, ...]:
    """Games that were played but lost by a withdrawal, and rated as lost (§ 6.2.8, § 4.5.4.2)."""
    ruled = await ruled_in(conn, group_id)
    games = [row for row in await game_rows.of_group(conn, group_id) if row.result is not None]
    ended = [(row, _ended(row, ruled, False)) for row in games]
    return tuple(
        Game(row.white_id, row.black_id, one.game.result)
        for row, one in ended
        if one.how is How.WITHDRAWN and one.is_played
    )


async def gather(conn: AsyncConnection, group_id: int) -> Facts:
    """The facts of a finished group, from its games and the standing decisions."""
    group = await group_rows.find(conn, group_id)
    assert group is not None
    games = await game_rows.of_group(conn, group_id)
    ruled = await ruled_in(conn, group_id)
    is_team = group.class_ == GroupClass.LEAGUE
    carried = await rows.carried_on(conn, group_id) if is_team else frozenset[int]()
    ended = [_ended(row, ruled, row.id in carried) for row in games]
    reasons = why_unrated(ended, is_team=is_team)
    in_games = {person for row in games for person in (row.white_id, row.black_id)}
    seats = await group_rows.seats_of(conn, group_id)
    players = tuple(dict.fromkeys(s.person_id for s in seats if s.person_id in in_games))
    players += tuple(sorted(in_games - set(players)))
    people = await person_rows.by_ids(conn, players)
    return Facts(
        name=group.name,
        class_=group.class_,
        players=players,
        foreign=tuple(one for one in players if people[one].citizen is False),
        entered=await rows.entered_ratings(conn, group_id) if is_team else {},
        games=tuple(
            Game(row.white_id, row.black_id, one.game.result, why)
            for row, one, why in zip(games, ended, reasons, strict=True)
        ),
    )


def _ended(row: GameRow, ruled: Ruled, carried_on: bool) -> Ended:
    """A ruled result without a decision here was reported from elsewhere: that game was played."""
    assert row.result is not None
    state = row.state()
    how = how_of(row.id, end_of(state), ruled.how)
    return Ended(
        Played(str(row.white_id), str(row.black_id), Result(row.result)),
        None if how is How.RULED and row.id not in ruled.how else how,
        all(state.clock(side).moves for side in Side),
        carried_on,
    )
