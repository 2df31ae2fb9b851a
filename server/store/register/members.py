"""Reading the register: members with club and district, clubs, ratings, changes.

One statement per query, however many members there are. Not for writing (writing.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, has_word
from server.store.tables.base import people, seats
from server.store.tables.register import clubs, districts, member_changes, members, ratings


class MemberKind(StrEnum):
    """How somebody is a member (§ 6.1): through a club, individually, or not at all."""

    CLUB = "club"
    INDIVIDUAL = "individual"
    NONE = "none"


class RatingKind(StrEnum):
    """A K-skak rating, or one over the board (§ 6.4.4)."""

    K = "k"
    OTB = "otb"


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person as known to the register. ``kind`` None: not in the register.

    Days are ISO; ``until``: the last day of the membership, None while it lasts.
    """

    id: int
    number: str | None
    name: str
    email: str
    lang: str
    birth: str | None
    citizen: bool | None
    rating: int | None
    k_rating: int | None
    role: str
    email_proved_us: int | None
    kind: str | None
    club_id: int | None
    club: str | None
    district_id: int | None
    district: str | None
    since: str | None
    until: str | None

    def is_member(self, on: date) -> bool:
        """Whether the register has a membership that stands on a day."""
        stands = self.until is None or self.until >= on.isoformat()
        return stands and self.kind not in (None, MemberKind.NONE)


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club with its main district."""

    id: int
    number: str | None
    name: str
    district: str | None


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating as of a day; of each kind, the latest day's is in force.

    ``is_computed``: from tournaments, which ``source`` names (§ 4.5.4.1).
    """

    person_id: int
    kind: str
    on_day: str
    value: int
    is_provisional: bool
    source: str
    is_computed: bool = False


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What was changed, by whom and why; ``fields`` is JSON: [[field, before, after], …]."""

    at_us: int
    by: str | None
    channel: str
    reason: str
    fields: str


_FROM = (
    people.outerjoin(members, members.c.person_id == people.c.id)
    .outerjoin(clubs, clubs.c.id == members.c.club_id)
    .outerjoin(districts, districts.c.id == members.c.district_id)
)
_SELECT: Select[*tuple[Any, ...]] = select(
    people.c.id,
    people.c.member,
    people.c.name,
    people.c.email,
    people.c.lang,
    people.c.birth,
    people.c.citizen,
    people.c.rating,
    people.c.k_rating,
    people.c.role,
    people.c.email_proved_us,
    members.c.kind,
    members.c.club_id,
    clubs.c.name,
    members.c.district_id,
    districts.c.name,
    members.c.since,
    members.c.until,
).select_from(_FROM)
_made = ratings.alias("made")
_STANDS = or_(
    ratings.c.is_computed,
    ~exists().where(
        _made.c.person_id == ratings.c.person_id,
        _made.c.kind == ratings.c.kind,
        _made.c.on_day == ratings.c.on_day,
        _made.c.is_computed,
    ),
)
"""If a day has both an entered and a computed rating, the computed one counts."""
_RATINGS = select(*columns_of(RatingRow, ratings)).where(_STANDS)


async def everybody(conn: AsyncConnection) -> tuple[MemberRow, ...]:
    """All people, members or not, by id."""
    return tuple(MemberRow(*row) for row in await conn.execute(_SELECT.order_by(people.c.id)))


async def registered(conn: AsyncConnection) -> tuple[MemberRow, ...]:
    """Everybody in the register, by name."""
    query = _SELECT.where(members.c.person_id.is_not(None)).order_by(people.c.name, people.c.id)
    return tuple(MemberRow(*row) for row in await conn.execute(query))


async def find(conn: AsyncConnection, person_id: int) -> MemberRow | None:
    """One person, in the register or not."""
    query = _SELECT.where(people.c.id == person_id)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else MemberRow(*row)


async def by_ids(conn: AsyncConnection, ids: Iterable[int]) -> dict[int, MemberRow]:
    """Some people, in the register or not, by id."""
    query = _SELECT.where(people.c.id.in_(list(ids)))
    return {row[0]: MemberRow(*row) for row in await conn.execute(query)}


async def of_club(conn: AsyncConnection, club_id: int) -> tuple[MemberRow, ...]:
    """Who is or was a member of a club, by name."""
    query = _SELECT.where(members.c.club_id == club_id, members.c.kind == MemberKind.CLUB.value)
    rows = await conn.execute(query.order_by(people.c.name, people.c.id))
    return tuple(MemberRow(*row) for row in rows)


def _wanted(text: str) -> ColumnElement[bool]:
    """In the register, and each word is in the name or the club, or is the member number."""
    words = text.split()
    found = [
        or_(has_word(people.c.name, word), has_word(clubs.c.name, word), people.c.member == word)
        for word in words
    ]
    return and_(members.c.person_id.is_not(None), *found)


async def search(
    conn: AsyncConnection, text: str, first: int, most: int
) -> tuple[int, tuple[MemberRow, ...]]:
    """How many members match some words, and ``most`` of them from ``first`` on, by name."""
    where = _wanted(text)
    count = (await conn.execute(select(func.count()).select_from(_FROM).where(where))).scalar_one()
    query = _SELECT.where(where).order_by(people.c.name, people.c.id).offset(first).limit(most)
    return count, tuple(MemberRow(*row) for row in await conn.execute(query))


async def all_clubs(conn: AsyncConnection) -> tuple[ClubRow, ...]:
    """All clubs by name."""
    query = (
        select(clubs.c.id, clubs.c.number, clubs.c.name, districts.c.name)
        .select_from(clubs.outerjoin(districts, districts.c.id == clubs.c.district_id))
        .order_by(clubs.c.name)
    )
    return tuple(ClubRow(*row) for row in await conn.execute(query))


async def member_counts(conn: AsyncConnection) -> dict[int, int]:
    """How many current members each club has."""
    query = select(members.c.club_id, func.count()).where(members.c.until.is_(None))
    rows = await conn.execute(query.group_by(members.c.club_id))
    return {club: count for club, count in rows if club is not None}


async def all_districts(conn: AsyncConnection) -> dict[str, int]:
    """The main districts' ids by name."""
    rows = await conn.execute(select(districts.c.name, districts.c.id).order_by(districts.c.name))
    return {row[0]: row[1] for row in rows}


_NEWEST_FIRST = (ratings.c.on_day.desc(), ratings.c.kind)


@dataclass(frozen=True, slots=True)
class Ratings:
    """A person's ratings that count, and those that were entered, newest first."""

    standing: tuple[RatingRow, ...]
    told: tuple[RatingRow, ...]


async def ratings_of(conn: AsyncConnection, person_id: int) -> Ratings:
    """A person's ratings, in one query."""
    query = (
        select(*columns_of(RatingRow, ratings), _STANDS)
        .where(ratings.c.person_id == person_id)
        .order_by(*_NEWEST_FIRST)
    )
    rows = [(RatingRow(*row[:-1]), row[-1]) for row in await conn.execute(query)]
    told = tuple(one for one, _ in rows if not one.is_computed)
    return Ratings(tuple(one for one, stands in rows if stands), told)


async def all_ratings(conn: AsyncConnection) -> tuple[RatingRow, ...]:
    """Every rating of everybody, by person, kind and day."""
    ordered = _RATINGS.order_by(ratings.c.person_id, ratings.c.kind, ratings.c.on_day)
    return tuple(RatingRow(*row) for row in await conn.execute(ordered))


def _latest() -> Select[Any]:
    days = select(ratings.c.person_id, ratings.c.kind, func.max(ratings.c.on_day).label("on_day"))
    newest = days.group_by(ratings.c.person_id, ratings.c.kind).subquery()
    same = and_(*(newest.c[name] == ratings.c[name] for name in ("person_id", "kind", "on_day")))
    return _RATINGS.join(newest, same)


_LATEST = _latest()


async def latest_ratings(conn: AsyncConnection) -> tuple[RatingRow, ...]:
    """Everybody's last rating of each kind."""
    return tuple(RatingRow(*row) for row in await conn.execute(_LATEST))


async def ratings_between(conn: AsyncConnection, first: str, last: str) -> tuple[RatingRow, ...]:
    """The ratings as of the days from ``first`` to ``last``, both included."""
    query = _RATINGS.where(ratings.c.on_day >= first, ratings.c.on_day <= last)
    return tuple(RatingRow(*row) for row in await conn.execute(query))


_LOG = member_changes.c


async def changes_of(conn: AsyncConnection, person_id: int) -> tuple[ChangeRow, ...]:
    """The changes to a person's data, newest first."""
    query = (
        select(_LOG.at_us, people.c.name, _LOG.channel, _LOG.reason, _LOG.fields)
        .select_from(member_changes.outerjoin(people, people.c.id == _LOG.by_id))
        .where(_LOG.person_id == person_id)
        .order_by(_LOG.at_us.desc(), _LOG.id.desc())
    )
    return tuple(ChangeRow(*row) for row in await conn.execute(query))


async def seated(
    conn: AsyncConnection, ids: Iterable[int], group_ids: Sequence[int] | None
) -> frozenset[int]:
    """Those of some people who have a seat in these groups; None: in any."""
    query = select(seats.c.person_id).where(seats.c.person_id.in_(list(ids)))
    if group_ids is not None:
        query = query.where(seats.c.group_id.in_(group_ids))
    return frozenset((await conn.execute(query)).scalars())
