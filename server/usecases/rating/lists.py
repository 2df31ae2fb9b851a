"""The rating list of a day and a player's history, for everybody (CONTRACTS: ratings are public).

§ 4.5.4.1, § 4.5.5.1. Readings: a list may be requested for any day, and changes are counted from
the last quarter's; a number that people entered counts as a result of its day for the three
years. Not for how ratings come about (computing.py) nor for display.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from kskak.rating.lists import list_before, listed_until
from server.store.engine.connection import AsyncConnection
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.rating import lists as rows
from server.store.rating.lists import InForce, Played
from server.usecases.core.context import Core

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
class RatingList:
    """The list of a day; ``days``: those of the quarterly lists offered, the newest first."""

    on: date
    previous: date
    lines: tuple[ListLine, ...]
    days: tuple[date, ...]


async def rating_list(core: Core, on: date) -> RatingList:
    """The K-ratings of a day, highest first (§ 4.5.5.1)."""
    today = core.today(core.settings.clock.zone)
    before = list_before(on)
    async with core.store.read() as conn:
        now = await rows.in_force(conn, on.isoformat())
        then = await rows.values_on(conn, before.isoformat())
        played = await rows.played_until(conn, on.isoformat())
        first = await rows.first_day(conn)
    return RatingList(on, before, tuple(_lines(now, then, played, on)), _days(first, today))


def _lines(
    now: Iterable[InForce], then: Mapping[int, int], played: Mapping[int, Played], on: date
) -> Iterator[ListLine]:
    """Highest first, then by name; equal numbers share a rank."""
    place, rank, rating = 0, 0, None
    for row in sorted(now, key=lambda row: (-row.value, row.name, row.person_id)):
        done = played.get(row.person_id, _NEVER)
        last = date.fromisoformat(max(done.last, row.on_day))
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
            games=done.games,
            last=last,
        )


_NEVER = Played(0, "")


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
class Point:
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
class History:
    """A player's K-ratings in order of time."""

    person: PersonRow
    points: tuple[Point, ...]

    @property
    def curve(self) -> tuple[Point, ...]:
        """The number that stood at the end of each day."""
        days = {point.on: point for point in self.points}
        return tuple(days.values())


async def history(core: Core, person_id: int) -> History | None:
    """A player's history; None if there is none. Why people entered a number is not public."""
    async with core.store.read() as conn:
        person = await person_rows.find(conn, person_id)
        return None if person is None else History(person, await points_in(conn, person_id))


async def points_in(conn: AsyncConnection, person_id: int) -> tuple[Point, ...]:
    """The steps of a history, in order of time."""
    told = [
        Point(
            date.fromisoformat(one.on_day), one.entered_us, one.value, one.is_provisional,
            None, 0, None, None,
        )
        for one in await rows.told_to(conn, person_id)
    ]  # fmt: skip
    made = [
        Point(
            date.fromisoformat(one.row.day), one.row.first_us, one.row.rating, False,
            one.row.rating - one.row.registered, one.row.games, one.group, one.tournament,
        )
        for one in await rows.tournaments_of(conn, person_id)
    ]  # fmt: skip
    return tuple(sorted([*told, *made], key=lambda point: (point.on, point.at)))
