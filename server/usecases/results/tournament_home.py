"""All that is public of one tournament: a year's classes, a cup, a season of the league.

Its groups with who leads them and how far they are, open entry lists, terms, bulletins. Read-only.
Not for a cup's rounds (usecases/cup/cup_views.py) nor for whole tables (groups, league).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from server.store import desk_lists as desk_rows
from server.store import groups as group_rows
from server.store.cases import publications as publication_rows
from server.store.desk_lists import BulletinRow
from server.store.engine.connection import AsyncConnection
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core, today_of
from server.usecases.entries.entry_judging import CUP_JUDGING
from server.usecases.entries.entry_views import ListView, lists_view
from server.usecases.groups.group_file import GroupClass
from server.usecases.groups.group_tables import tables_in
from server.usecases.league.league_views import views_in

LEADING = 3
"""How many places of a group are told."""
BULLETINS = 4
"""How many bulletins are named; the others are among all."""
_ORDER = {kind.value: place for place, kind in enumerate(GroupClass)}


@dataclass(frozen=True, slots=True)
class LeadingPlace:
    """A place in a group: a player, or a club in the league, which is no person."""

    place: int
    name: str
    points: Fraction
    person_id: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentGroupView:
    """A group; ``leading`` is empty until a game has ended.

    ``objections_until``: the last day to object to its published result, while it is not over.
    """

    group: GroupRow
    leader: PersonRow
    leading: tuple[LeadingPlace, ...]
    finished: int
    games: int
    objections_until: date | None
    is_live: bool

    @property
    def kind(self) -> str:
        """The catalogue's name for its class."""
        return GroupClass(self.group.class_).name.lower()

    @property
    def percent(self) -> int:
        """The percentage of its games that have ended; 100 only when all have."""
        return self.finished * 100 // self.games if self.games else 0


@dataclass(frozen=True, slots=True)
class Home:
    """A tournament. ``bulletins``: those of its time, newest first."""

    name: str
    parts: tuple[TournamentGroupView, ...]
    lists: tuple[ListView, ...]
    bulletins: tuple[BulletinRow, ...]

    @property
    def is_cup(self) -> bool:
        """Whether it is a cup and nothing else."""
        kinds = [part.group.class_ for part in self.parts] + [one.row.event for one in self.lists]
        return all(kind == CUP_JUDGING for kind in kinds)

    @property
    def is_league(self) -> bool:
        """Whether its groups are divisions, which have pages of their own."""
        return any(part.group.class_ == GroupClass.LEAGUE for part in self.parts)

    @property
    def starts(self) -> date | None:
        """The first day of its first group."""
        return min((date.fromisoformat(part.group.start) for part in self.parts), default=None)

    @property
    def leaders(self) -> tuple[PersonRow, ...]:
        """Who leads its groups, or the lists where none has begun; each once."""
        found = [part.leader for part in self.parts] or [one.leader for one in self.lists]
        return tuple({person.id: person for person in found}.values())

    @property
    def finished(self) -> int:
        """Games that have ended."""
        return sum(part.finished for part in self.parts)

    @property
    def games(self) -> int:
        """All games of its groups."""
        return sum(part.games for part in self.parts)


async def home_of(core: Core, name: str, *, only_cup: bool = False) -> Home | None:
    """A tournament by its name as written; None: nothing is played or open under it.

    ``only_cup``: the cup in it alone, where a whole year's tournaments have one name.
    """
    lists = tuple(
        one
        for one in await lists_view(core)
        if one.row.tournament == name and (not only_cup or one.row.event == CUP_JUDGING)
    )
    async with core.store.read() as conn:
        groups = [
            group
            for group in await group_rows.list_tournament_groups(conn, name)
            if not only_cup or group.class_ == GroupClass.CUP
        ]
        if not groups and not lists:
            return None
        parts = await _parts(conn, groups, today_of(core))
        first = min((group.start for group in groups), default=today_of(core).isoformat())
        issued = await desk_rows.list_issued_bulletins(conn, first, BULLETINS)
    parts.sort(key=lambda part: (_ORDER.get(part.group.class_, len(_ORDER)), part.group.name))
    return Home(name, tuple(parts), lists, issued)


async def _parts(
    conn: AsyncConnection, groups: Sequence[GroupRow], today: date
) -> list[TournamentGroupView]:
    ids = frozenset(group.id for group in groups)
    leaders = await person_rows.by_ids(conn, {group.tl_id for group in groups})
    live = await group_rows.find_public_groups(conn, ids)
    terms = {
        one.group: date.fromisoformat(one.objections_until)
        for one in await publication_rows.list_open_publications(conn, today.isoformat(), ids)
    }
    told = await _read_group_leads(conn, groups)
    return [
        TournamentGroupView(
            group=group,
            leader=leaders[group.tl_id],
            leading=told[group.id][0] if told[group.id][1] else (),
            finished=told[group.id][1],
            games=told[group.id][2],
            objections_until=until if (until := terms.get(group.name)) and until >= today else None,
            is_live=group.id in live,
        )
        for group in groups
    ]


async def _read_group_leads(
    conn: AsyncConnection, groups: Sequence[GroupRow]
) -> dict[int, tuple[tuple[LeadingPlace, ...], int, int]]:
    """Of each group the first places, how many games have ended, and how many there are."""
    found = {}
    teams = [group for group in groups if group.class_ == GroupClass.LEAGUE]
    players = [group for group in groups if group.class_ != GroupClass.LEAGUE]
    for group_id, view in (await conn.run_sync(views_in, teams)).items() if teams else ():
        rows = [LeadingPlace(row.place, row.name, row.points) for row in view.standings]
        ended = sum(game.result is not None for game in view.games)
        found[group_id] = (tuple(rows[:LEADING]), ended, len(view.games))
    for group_id, table in (await tables_in(conn, players)).items() if players else ():
        people = {seat.number: seat.person_id for seat in table.seats}
        lines = [
            LeadingPlace(one.place, one.player.name, one.points, people[one.player.number])
            for one in table.table.lines[:LEADING]
        ]
        ended = sum(game.result is not None for game in table.games)
        found[group_id] = (tuple(lines), ended, len(table.games))
    return {group.id: found.get(group.id, ((), 0, 0)) for group in groups}
