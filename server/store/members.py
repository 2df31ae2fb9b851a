"""Reading the register: members with club and district, clubs, ratings, changes.

One statement per query, however many members there are. Not for writing (register.py).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select, union

from kskak.regulation.days import months_later
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, columns_of, has_word, one_of, portions, rows_of
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.tables.base import games, groups, people, seats
from server.store.tables.cases import offices
from server.store.tables.people import clubs, districts, member_changes, members, ratings
from server.store.tables.tournaments import (
    cup_places,
    league_boards,
    league_divisions,
    league_games,
    league_teams,
    past_players,
    titles,
)


class MemberKind(StrEnum):
    """How somebody is a member (§ 6.1, § 1.3.4): through a club, by himself, or not at all.

    A passive member is a club's; a net member has the Union's places on the net (§ 1.3.4); an
    honorary one was chosen by the Union's board (§ 1.3.7).
    """

    CLUB = "club"
    INDIVIDUAL = "individual"
    PASSIVE = "passive"
    HONORARY = "honorary"
    NET = "net"
    NONE = "none"


MEMBERS = frozenset({*MemberKind} - {MemberKind.NET, MemberKind.NONE})
"""Who may enter where the controller says nothing else (reading of § 6.1): § 1.3.4 gives personal
members the rights of a club's and net members those of the net; who is passive or honorary is a
member as others are."""
OF_CLUB = (MemberKind.CLUB, MemberKind.PASSIVE)
"""The kinds that have a club."""
ARREARS_MONTHS = 6
"""Months of arrears that the Union tolerates (§ 1.3.10)."""


class RatingKind(StrEnum):
    """A K-skak rating, or one over the board (§ 6.4.4)."""

    K = "k"
    OTB = "otb"


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person as known to the register. ``kind`` None: not in the register.

    Days are ISO; ``until``: the last day of the membership, None while it lasts;
    ``printed_club``: the club that lists print, also of somebody whom the register lacks;
    ``arrears``: since when the fee is owed.
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
    printed_club: str | None = None
    arrears: str | None = None

    def is_member(self, on: date, entrants: Collection[str] = MEMBERS) -> bool:
        """Whether the register has a membership that stands on a day, of a kind that may enter."""
        stands = self.until is None or self.until >= on.isoformat()
        return stands and self.kind in entrants and not self.is_struck_off(on)

    def is_struck_off(self, on: date) -> bool:
        """Whether the fee has been owed for longer than the Union tolerates (§ 1.3.10)."""
        if self.arrears is None:
            return False
        return on >= months_later(date.fromisoformat(self.arrears), ARREARS_MONTHS)

    def is_shut_out(self, on: date, entrants: Collection[str] = MEMBERS) -> bool:
        """Whether the register knows a membership that gives no entry, number or not (§ 6.1)."""
        is_one = self.kind not in (None, MemberKind.NONE)
        return is_one and (self.kind not in entrants or self.is_struck_off(on))

    def is_stranger(self, on: date, entrants: Collection[str] = MEMBERS) -> bool:
        """Whether the register knows that somebody is no member who may enter (§ 6.1)."""
        is_known = self.kind is not None and not self.is_member(on, entrants)
        return is_known and (not self.number or self.is_shut_out(on, entrants))


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club with its main district; ``ended``: the day it folded or became part of another."""

    id: int
    number: str | None
    name: str
    district: str | None
    ended: str | None


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


_FROM = (
    people.outerjoin(members, members.c.person_id == people.c.id)
    .outerjoin(clubs, clubs.c.id == members.c.club_id)
    .outerjoin(districts, districts.c.id == members.c.district_id)
)
_SELECT: Select[*tuple[Any, ...]] = select(
    *columns_of(
        MemberRow, people, number=people.c.member, kind=members.c.kind, club_id=members.c.club_id,
        club=clubs.c.name, district_id=members.c.district_id, district=districts.c.name,
        since=members.c.since, until=members.c.until, printed_club=people.c.club,
        arrears=members.c.arrears,
    )
).select_from(_FROM)  # fmt: skip
_BY_NAME = (people.c.name, people.c.id)
_computed_ratings = ratings.alias("made")
_STANDS = or_(
    ratings.c.is_computed,
    ~exists().where(
        _computed_ratings.c.person_id == ratings.c.person_id,
        _computed_ratings.c.kind == ratings.c.kind,
        _computed_ratings.c.on_day == ratings.c.on_day,
        _computed_ratings.c.is_computed,
    ),
)
"""If a day has both an entered and a computed rating, the computed one counts."""
_RATINGS = select(*columns_of(RatingRow, ratings)).where(_STANDS)


async def everybody(conn: AsyncConnection) -> tuple[MemberRow, ...]:
    """All people, members or not, by id."""
    return rows_of(MemberRow, await conn.execute(_SELECT.order_by(people.c.id)))


async def list_members(conn: AsyncConnection) -> tuple[MemberRow, ...]:
    """Everybody in the register, by name."""
    query = _SELECT.where(members.c.person_id.is_not(None)).order_by(*_BY_NAME)
    return rows_of(MemberRow, await conn.execute(query))


async def find_member(conn: AsyncConnection, person_id: int) -> MemberRow | None:
    """One person, in the register or not."""
    return one_of(MemberRow, await conn.execute(_SELECT.where(people.c.id == person_id)))


async def by_ids(conn: AsyncConnection, ids: Iterable[int]) -> dict[int, MemberRow]:
    """Some people, in the register or not, by id."""
    return await conn.run_sync(with_ids, ids)


def with_ids(conn: Connection, ids: Iterable[int]) -> dict[int, MemberRow]:
    """The same, also for a writer's own transaction."""
    query = _SELECT.where(people.c.id.in_(list(ids)))
    return {row[0]: MemberRow(*row) for row in conn.execute(query)}


async def list_club_members(conn: AsyncConnection, club_id: int) -> tuple[MemberRow, ...]:
    """Who is or was a member of a club, by name."""
    query = _SELECT.where(members.c.club_id == club_id, members.c.kind.in_(OF_CLUB))
    return rows_of(MemberRow, await conn.execute(query.order_by(*_BY_NAME)))


def find_known_person(conn: Connection, email: str) -> MemberRow | None:
    """The person with this address, if known."""
    return one_of(MemberRow, conn.execute(_SELECT.where(people.c.email == email)))


def namesakes(conn: Connection, name: str, most: int) -> tuple[MemberRow, ...]:
    """Members of the register with this very name, whatever their address."""
    query = _SELECT.where(people.c.name == name, members.c.kind.is_not(None))
    return rows_of(MemberRow, conn.execute(query.order_by(people.c.id).limit(most)))


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
    query = _SELECT.where(where).order_by(*_BY_NAME).offset(first).limit(most)
    return count, rows_of(MemberRow, await conn.execute(query))


_CLUBS = select(*columns_of(ClubRow, clubs, district=districts.c.name)).outerjoin(
    districts, districts.c.id == clubs.c.district_id
)


async def all_clubs(conn: AsyncConnection, *, with_ended: bool = False) -> tuple[ClubRow, ...]:
    """All clubs by name; without those that are no more, unless they are wanted too."""
    query = _CLUBS if with_ended else _CLUBS.where(clubs.c.ended.is_(None))
    return rows_of(ClubRow, await conn.execute(query.order_by(clubs.c.name)))


async def list_ended_clubs(conn: AsyncConnection) -> tuple[str, ...]:
    """The names of the clubs that are no more."""
    found = await conn.execute(select(clubs.c.name).where(clubs.c.ended.is_not(None)))
    return tuple(found.scalars())


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


async def ratings_of(
    conn: AsyncConnection, person_id: int
) -> tuple[tuple[RatingRow, ...], tuple[RatingRow, ...]]:
    """A person's ratings that count, and those that were entered, newest first, in one query."""
    query = (
        select(*columns_of(RatingRow, ratings), _STANDS)
        .where(ratings.c.person_id == person_id)
        .order_by(*_NEWEST_FIRST)
    )
    rows = [(RatingRow(*row[:-1]), row[-1]) for row in await conn.execute(query)]
    entered = tuple(one for one, _ in rows if not one.is_computed)
    return tuple(one for one, stands in rows if stands), entered


async def all_ratings(conn: AsyncConnection) -> tuple[RatingRow, ...]:
    """Every rating of everybody, by person, kind and day."""
    ordered = _RATINGS.order_by(ratings.c.person_id, ratings.c.kind, ratings.c.on_day)
    return rows_of(RatingRow, await conn.execute(ordered))


async def latest_ratings(conn: AsyncConnection) -> tuple[RatingRow, ...]:
    """Everybody's last rating of each kind."""
    days = select(ratings.c.person_id, ratings.c.kind, func.max(ratings.c.on_day).label("on_day"))
    newest = days.group_by(ratings.c.person_id, ratings.c.kind).subquery()
    same = and_(*(newest.c[name] == ratings.c[name] for name in ("person_id", "kind", "on_day")))
    return rows_of(RatingRow, await conn.execute(_RATINGS.join(newest, same)))


async def start_ratings(
    conn: AsyncConnection, rows: Sequence[GameRow]
) -> dict[int, tuple[int | None, int | None]]:
    """White's and Black's rating on each game's first day: the K-rating, else over the board."""
    found: dict[int, list[tuple[bool, str, int]]] = {}
    for some in portions(sorted({i for row in rows for i in (row.white_id, row.black_id)}), 500):
        for one in await conn.execute(_RATINGS.where(ratings.c.person_id.in_(some))):
            known = (one.kind == RatingKind.K, one.on_day, one.value)
            found.setdefault(one.person_id, []).append(known)

    def of(person: int, day: str) -> int | None:
        then = [one for one in found.get(person, ()) if one[1] <= day]
        return max(then)[2] if then else None

    return {row.id: (of(row.white_id, row.start), of(row.black_id, row.start)) for row in rows}


async def ratings_between(conn: AsyncConnection, first: str, last: str) -> tuple[RatingRow, ...]:
    """The ratings as of the days from ``first`` to ``last``, both included."""
    query = _RATINGS.where(ratings.c.on_day >= first, ratings.c.on_day <= last)
    return rows_of(RatingRow, await conn.execute(query))


_LOG = member_changes.c


async def changes_of(conn: AsyncConnection, person_id: int) -> tuple[AnyRow, ...]:
    """The changes to a person's data, newest first: ``at_us``, ``by``, ``channel``, ``reason``, and
    ``fields`` as JSON: [[field, before, after], …].
    """
    query = (
        select(people.c.name.label("by"), _LOG.at_us, _LOG.channel, _LOG.reason, _LOG.fields)
        .select_from(member_changes.outerjoin(people, people.c.id == _LOG.by_id))
        .where(_LOG.person_id == person_id)
        .order_by(_LOG.at_us.desc(), _LOG.id.desc())
    )
    return tuple(await conn.execute(query))


async def find_seated_people(
    conn: AsyncConnection, ids: Iterable[int], group_ids: Sequence[int] | None
) -> frozenset[int]:
    """Those of some people who have a seat in these groups; None: in any."""
    query = select(seats.c.person_id).where(seats.c.person_id.in_(list(ids)))
    if group_ids is not None:
        query = query.where(seats.c.group_id.in_(group_ids))
    return frozenset((await conn.execute(query)).scalars())


# Clubs as the public may see them: who plays for them, their teams. A few queries per page.


_PLAYERS = select(
    *people.c["id", "name", "club", "rating", "k_rating"], clubs.c.id.label("club_id")
).outerjoin(clubs, clubs.c.name == people.c.club)
"""Players as the list names them. ``club_id`` None: the club has no page."""


@dataclass(frozen=True, slots=True)
class ClubTeamGame:
    """A team's game: side, opposing team and round; ``result`` None while it runs."""

    team: int
    other: int
    is_white: bool
    round: int
    result: str | None


def _plays() -> ColumnElement[bool]:
    seated = exists().where(seats.c.person_id == people.c.id)
    return or_(people.c.k_rating.is_not(None), seated)


async def find_club(conn: AsyncConnection, club_id: int) -> ClubRow | None:
    """One club."""
    return one_of(ClubRow, await conn.execute(_CLUBS.where(clubs.c.id == club_id)))


async def ids_of(conn: AsyncConnection, names: Collection[str]) -> dict[str, int]:
    """The ids of some clubs, by name; names that are not a club's are left out."""
    query = select(clubs.c.name, clubs.c.id).where(clubs.c.name.in_(sorted(set(names))))
    return {row[0]: row[1] for row in await conn.execute(query)}


async def find_person_with_club(
    conn: AsyncConnection, person_id: int
) -> tuple[PersonRow, int | None] | None:
    """A person and their club's id, if it is in the register; None for nobody. One query."""
    query = (
        select(*columns_of(PersonRow, people), clubs.c.id)
        .outerjoin(clubs, clubs.c.name == people.c.club)
        .where(people.c.id == person_id)
    )
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else (PersonRow(*row[:-1]), row[-1])


async def with_players(conn: AsyncConnection) -> tuple[tuple[ClubRow, int], ...]:
    """Every club with players, by name, and how many it has."""
    query = (
        _CLUBS.add_columns(func.count(people.c.id))
        .join(people, people.c.club == clubs.c.name)
        .where(_plays(), clubs.c.ended.is_(None))
        .group_by(clubs.c.id, clubs.c.number, clubs.c.name, districts.c.name, clubs.c.ended)
        .order_by(clubs.c.name)
    )
    return tuple((ClubRow(*row[:-1]), row[-1]) for row in await conn.execute(query))


async def club_players(conn: AsyncConnection, name: str) -> tuple[AnyRow, ...]:
    """A club's players, highest K-rating first."""
    k = people.c.k_rating
    query = _PLAYERS.where(people.c.club == name, _plays())
    ordered = query.order_by(k.is_(None), k.desc(), people.c.name, people.c.id)
    return tuple(await conn.execute(ordered))


async def teams(conn: AsyncConnection, name: str) -> tuple[AnyRow, ...]:
    """A club's teams in the league, newest season first (§ 6.7), with ``group`` and division."""
    own = league_teams
    query = (
        select(own.c.id, groups.c.name.label("group"), *league_divisions.c["division", "season"])
        .join(groups, groups.c.id == own.c.group_id)
        .join(league_divisions, league_divisions.c.group_id == own.c.group_id)
        .where(own.c.club == name, ~own.c.is_individual)
        .order_by(league_divisions.c.season.desc(), league_divisions.c.division, own.c.id)
    )
    return tuple(await conn.execute(query))


async def list_team_games(
    conn: AsyncConnection, team_ids: Collection[int]
) -> tuple[ClubTeamGame, ...]:
    """The games of some teams, once for each of these teams that plays in it."""
    found: list[ClubTeamGame] = []
    ids = sorted(team_ids)
    t = league_games
    query = (
        select(t.c.white_team, t.c.black_team, games.c.round, games.c.result)
        .join(games, games.c.id == t.c.game_id)
        .where(or_(t.c.white_team.in_(ids), t.c.black_team.in_(ids)))
        .order_by(games.c.round, t.c.board)
    )
    for white, black, number, result in await conn.execute(query):
        if white in team_ids:
            found.append(ClubTeamGame(white, black, True, number, result))
        if black in team_ids:
            found.append(ClubTeamGame(black, white, False, number, result))
    return tuple(found)


# Whether a person is named on a public page: who plays or played, leads, or holds an office.

_PLAYS_IN: tuple[ColumnElement[int], ...] = (
    seats.c.person_id,
    league_boards.c.person_id,
    cup_places.c.person_id,
    titles.c.person_id,
    past_players.c.person_id,
)
_NAMED_IN = (*_PLAYS_IN, groups.c.tl_id, offices.c.person_id, league_teams.c.captain_id)


async def is_person_referenced(conn: AsyncConnection, person_id: int) -> bool:
    """Whether groups, lists, titles, the archive or an office name a person. One query."""
    lists = (
        exists().where(ratings.c.person_id == person_id, ratings.c.kind == "k"),
        exists().where(people.c.id == person_id, people.c.k_rating.is_not(None)),
    )
    found = (exists().where(column == person_id) for column in _NAMED_IN)
    return bool((await conn.execute(select(or_(*lists, *found)))).scalar_one())


_LISTS = (
    *(select(column).where(column.is_not(None)) for column in _PLAYS_IN),
    select(ratings.c.person_id).where(ratings.c.kind == "k"),
    select(people.c.id).where(people.c.k_rating.is_not(None)),
)
_IS_LISTED = people.c.id.in_(union(*_LISTS))
"""Who plays or played: evaluated once, so that the register's size does not matter."""
_PLAYS = or_(
    *(exists().where(column == people.c.id) for column in _PLAYS_IN),
    exists().where(ratings.c.person_id == people.c.id, ratings.c.kind == "k"),
    people.c.k_rating.is_not(None),
)
"""The same, asked of one after the other, so that it does not matter how many there are."""


async def find_players(
    conn: AsyncConnection, words: Sequence[str], portion: tuple[int, int], *, are_many: bool
) -> tuple[AnyRow, ...]:
    """The players who match all words by name or club, by name.

    ``portion``: the first, and how many at the most; ``are_many``: thousands play, so that a
    portion of all is soon found by going through the names.
    """
    who = _PLAYS if are_many and not words else _IS_LISTED
    first, most = portion
    ids = select(people.c.id).where(who, *_fitting(words)).order_by(*_BY_NAME)
    query = _PLAYERS.where(people.c.id.in_(ids.offset(first).limit(most)))
    return tuple(await conn.execute(query.order_by(*_BY_NAME)))


def _count_all(most: Any) -> Select[Any]:
    some = (one.distinct().limit(most).subquery() for one in _LISTS)
    found = union(*(select(*each.c) for each in some)).subquery()
    return select(func.count()).select_from(select(found).limit(most).subquery())


async def count_players(conn: AsyncConnection, words: Sequence[str], most: int | None) -> int:
    """How many players match all words; of all no more than ``most`` are counted."""
    if not words:
        return int((await conn.execute(_count_all(most))).scalar_one())
    found = select(func.count()).select_from(people).where(_IS_LISTED, *_fitting(words))
    return int((await conn.execute(found)).scalar_one())


def _fitting(words: Sequence[str]) -> list[ColumnElement[bool]]:
    return [or_(has_word(people.c.name, one), has_word(people.c.club, one)) for one in words]
