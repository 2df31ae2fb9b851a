"""The rating list of a day, a player's history, and a calculation with every step: all public.

§ 4.5.2. Not for making calculations (computing.py) nor for the desk (desks/desk_overview.py).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from kskak.rating.calculation import Calculation, rate
from kskak.rating.lists import Basis, list_before, listed_until
from server.store import groups as group_rows
from server.store import rating as rating_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow
from server.store.groups import GroupRow
from server.store.members import RatingKind
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.rating import CalculationRow
from server.usecases.context import Core
from server.usecases.rating.computing import GroupRatingGame, load_facts, turned_in

OFFERED = 4
"""How many quarters' lists are offered; others are requested by their day."""


@dataclass(frozen=True, slots=True)
class ListLine:
    """A player on a list. ``change``: since the last list; None: no rating then."""

    rank: int
    person_id: int
    name: str
    club: str | None
    rating: int
    is_provisional: bool
    change: int | None
    games: int
    last: date


@dataclass(frozen=True, slots=True)
class RatingListView:
    """The list of a day; ``days``: those of the quarterly lists offered, the newest first."""

    on: date
    previous: date
    lines: tuple[ListLine, ...]
    days: tuple[date, ...]


async def rating_list(core: Core, on: date) -> RatingListView:
    """The K-ratings of a day, highest first (§ 4.5.5.1)."""
    today = core.today(core.settings.clock.zone)
    before = list_before(on)
    async with core.store.read() as conn:
        now = await rating_rows.in_force(conn, on.isoformat())
        then = await rating_rows.in_force(conn, before.isoformat())
        played = await rating_rows.played_until(conn, on.isoformat())
        first = await rating_rows.first_day(conn)
    values = {row.person_id: row.value for row in then}
    return RatingListView(on, before, tuple(_lines(now, values, played, on)), _days(first, today))


def _lines(
    now: Iterable[AnyRow],
    then: Mapping[int, int],
    played: Mapping[int, tuple[int, str]],
    on: date,
) -> Iterator[ListLine]:
    """Highest first, then by name; equal numbers share a rank."""
    place, rank, rating = 0, 0, None
    for row in sorted(now, key=lambda row: (-row.value, row.name, row.person_id)):
        games, played_on = played.get(row.person_id, (0, ""))
        last = date.fromisoformat(max(played_on, row.on_day))
        if on > listed_until(last):
            continue
        place += 1
        if row.value != rating:
            rank, rating = place, row.value
        before = then.get(row.person_id)
        yield ListLine(
            rank=rank,
            person_id=row.person_id,
            name=row.name,
            club=row.club,
            rating=row.value,
            is_provisional=row.is_provisional,
            change=None if before is None else row.value - before,
            games=games,
            last=last,
        )


def _days(first: str | None, today: date) -> tuple[date, ...]:
    """The quarters' days since the first rating, the newest first."""
    found: list[date] = []
    if first is not None:
        day = today if today == list_day(today) else list_before(today)
        while day.isoformat() >= first and len(found) < OFFERED:
            found.append(day)
            day = list_before(day)
    return tuple(found)


def list_day(today: date) -> date:
    """The day itself if there is a list on it, else the day of the last list before it."""
    following = date.fromordinal(today.toordinal() + 1)
    return list_before(following)


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """One step of a history: a number entered by people (``group`` None), or from a tournament."""

    on: date
    at: int
    rating: int
    is_provisional: bool
    change: int | None
    games: int
    group: str | None
    tournament: str | None


@dataclass(frozen=True, slots=True)
class RatingHistoryView:
    """A player's K-ratings in order of time."""

    person: PersonRow
    points: tuple[RatingPoint, ...]

    @property
    def curve(self) -> tuple[RatingPoint, ...]:
        """The number that stood at the end of each day."""
        days = {point.on: point for point in self.points}
        return tuple(days.values())


async def history(core: Core, person_id: int) -> RatingHistoryView | None:
    """A player's history; None if there is none. Why people entered a number is not public."""
    async with core.store.read() as conn:
        person = await person_rows.find_person(conn, person_id)
        return (
            None if person is None else RatingHistoryView(person, await points_in(conn, person_id))
        )


async def points_in(conn: AsyncConnection, person_id: int) -> tuple[RatingPoint, ...]:
    """The steps of a history, in order of time."""
    entered = [
        RatingPoint(
            date.fromisoformat(one.on_day), one.entered_us, one.value, one.is_provisional,
            None, 0, None, None,
        )
        for one in await rating_rows.list_entered_ratings(conn, [person_id])
        if one.kind == RatingKind.K
    ]  # fmt: skip
    made = [
        RatingPoint(
            date.fromisoformat(one.day), one.first_us, one.rating, False,
            one.rating - one.registered, one.games, one.group, one.tournament,
        )
        for one in await rating_rows.tournaments_of(conn, person_id)
    ]  # fmt: skip
    return tuple(sorted([*entered, *made], key=lambda point: (point.on, point.at)))


# A tournament's calculation with every step, for everybody (CONTRACTS: ratings are public).


@dataclass(frozen=True, slots=True)
class PlayerSteps:
    """A player in a calculation. ``registered`` and ``rating`` None without a rated game."""

    person_id: int
    calculation: Calculation
    basis: Basis
    registered: int | None
    rating: int | None


@dataclass(frozen=True, slots=True)
class CalculationView:
    """A group's calculation. ``row`` None: none is in force; ``earlier`` are the others."""

    group: GroupRow
    row: CalculationRow | None
    players: tuple[PlayerSteps, ...]
    unrated: tuple[GroupRatingGame, ...]
    turned: tuple[GroupRatingGame, ...]
    names: dict[int, str]
    earlier: tuple[CalculationRow, ...]


async def calculation(
    core: Core, name: str | None = None, group_id: int | None = None
) -> CalculationView | None:
    """A group's calculation with every step, by its name or number; None for no such group."""
    async with core.store.read() as conn:
        if name is not None:
            group = await group_rows.by_name(conn, name)
        else:
            group = await group_rows.find(conn, group_id or 0)
        if group is None:
            return None
        kept = await rating_rows.list_group_calculations(conn, group.id)
        row = kept[0] if kept and not kept[0].is_void else None
        facts = None if row is None else load_facts(row.facts)
        people = await person_rows.by_ids(conn, () if facts is None else facts.players)
        lost = await turned_in(conn, group.id)
    if row is None or facts is None:
        return CalculationView(group, None, (), (), (), {}, kept)
    names = {person: people[person].name for person in facts.players}
    starts = json.loads(row.starts)
    ratings = {person: starts[str(person)][0] for person in facts.players}
    players = []
    for one in rate(facts.group(ratings)):
        _, basis, registered, after = starts[one.name]
        players.append(
            PlayerSteps(int(one.name), _named(one, names), Basis(basis), registered, after)
        )
    unrated = tuple(game for game in facts.games if game.unrated is not None)
    turned = tuple(game for game in lost if game in facts.games)
    return CalculationView(group, row, tuple(players), unrated, turned, names, kept[1:])


def _named(one: Calculation, names: dict[int, str]) -> Calculation:
    """The steps with people's names in place of their ids."""
    chances = tuple(
        chance if chance.opponent is None else replace(chance, opponent=names[int(chance.opponent)])
        for chance in one.expected.chances
    )
    expected = replace(one.expected, chances=chances)
    return replace(one, name=names[int(one.name)], expected=expected)
