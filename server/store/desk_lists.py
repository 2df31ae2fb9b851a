"""The lists of an official's desk, and bulletins: drafts, issues, subscribers (§ 6.4.5.1)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    and_,
    case,
    delete,
    exists,
    func,
    not_,
    or_,
    select,
    text,
    true,
    update,
)

from server.store.account.retention import REMOVED_DOMAIN
from server.store.cases import publications as publication_rows
from server.store.cases.publications import PublicationKind, PublicationRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import MINUTE_US, columns_of, one_of, quiet_insert, rows_of
from server.store.groups import GroupRow
from server.store.tables.base import COPY_PROVED, IS_HELD, events, games, groups, inbox, people
from server.store.tables.cases import bulletin_readers, bulletins, case_events, cases, publications

# Bulletins: the draft and those issued, their subscribers, and what happened in a period.


@dataclass(frozen=True, slots=True)
class BulletinRow:
    """A stored bulletin; days are ISO. ``issued_us`` None: it is the draft."""

    number: int
    first: str
    last: str
    foreword: str
    chosen: str
    made_by: int
    made_us: int
    issued_by: int | None
    issued_us: int | None
    objections_until: str | None
    facts: str | None


_SELECT = select(*columns_of(BulletinRow, bulletins))


async def list_issued_bulletins(
    conn: AsyncConnection, since: str = "", most: int | None = None
) -> tuple[BulletinRow, ...]:
    """The issued bulletins, newest first: those of periods that end on a day (ISO) or later."""
    query = (
        _SELECT.where(bulletins.c.issued_us.is_not(None), bulletins.c.last >= since)
        .order_by(bulletins.c.number.desc())
        .limit(most)
    )
    return rows_of(BulletinRow, await conn.execute(query))


async def find(conn: AsyncConnection, number: int) -> BulletinRow | None:
    """One bulletin, issued or not."""
    return one_of(BulletinRow, await conn.execute(_SELECT.where(bulletins.c.number == number)))


_NEWEST = _SELECT.order_by(bulletins.c.number.desc()).limit(1)


async def newest(conn: AsyncConnection) -> BulletinRow | None:
    """The latest one, issued or not."""
    return one_of(BulletinRow, await conn.execute(_NEWEST))


async def put_draft(conn: AsyncConnection, row: BulletinRow) -> bool:
    """Store a draft, new or changed; False when a bulletin with this number was issued."""
    values = {"first": row.first, "last": row.last, "foreword": row.foreword, "chosen": row.chosen}
    fresh = values | {"number": row.number, "made_by": row.made_by, "made_us": row.made_us}
    made = await conn.execute(quiet_insert(conn.dialect.name, bulletins).values(fresh))
    if made.rowcount == 1:
        return True
    of = and_(bulletins.c.number == row.number, bulletins.c.issued_us.is_(None))
    return (await conn.execute(update(bulletins).where(of).values(values))).rowcount == 1


async def issue_draft(
    conn: AsyncConnection, number: int, by: int, now_us: int, until: str, facts: str
) -> bool:
    """Issue the draft with these facts; False when it already was."""
    of = and_(bulletins.c.number == number, bulletins.c.issued_us.is_(None))
    values = {"issued_by": by, "issued_us": now_us, "objections_until": until, "facts": facts}
    return (await conn.execute(update(bulletins).where(of).values(values))).rowcount == 1


async def readers(conn: AsyncConnection) -> tuple[int, ...]:
    """All subscribers who still have an address."""
    query = (
        select(bulletin_readers.c.person_id)
        .join(people, people.c.id == bulletin_readers.c.person_id)
        .where(people.c.email.not_like(f"%@{REMOVED_DOMAIN}"))
        .order_by(bulletin_readers.c.person_id)
    )
    return tuple((await conn.execute(query)).scalars())


async def is_reader(conn: AsyncConnection, person_id: int) -> bool:
    """Whether a person subscribes."""
    query = select(bulletin_readers.c.person_id).where(bulletin_readers.c.person_id == person_id)
    return (await conn.execute(query)).scalar_one_or_none() is not None


async def add_reader(conn: AsyncConnection, person_id: int, now_us: int) -> None:
    """Subscribe a person; doing so again changes nothing."""
    row = {"person_id": person_id, "since_us": now_us}
    await conn.execute(quiet_insert(conn.dialect.name, bulletin_readers).values(row))


async def drop_reader(conn: AsyncConnection, person_id: int) -> None:
    """Unsubscribe a person."""
    of = bulletin_readers.c.person_id == person_id
    await conn.execute(delete(bulletin_readers).where(of))


async def first_start(conn: AsyncConnection) -> str | None:
    """The day (ISO) the very first group started."""
    found: str | None = (await conn.execute(select(func.min(groups.c.start)))).scalar_one()
    return found


async def list_groups_begun(conn: AsyncConnection, first: str, last: str) -> tuple[GroupRow, ...]:
    """The groups that started between two days, by start and name."""
    query = select(*columns_of(GroupRow, groups)).where(
        groups.c.start.between(first, last), IS_HELD
    )
    return rows_of(GroupRow, await conn.execute(query.order_by(groups.c.start, groups.c.name)))


async def list_games_ended(
    conn: AsyncConnection, from_us: int, to_us: int
) -> tuple[tuple[int, int, int, str], ...]:
    """Games that ended between two instants: group, game, instant, the group's zone."""
    query = (
        select(games.c.group_id, games.c.id, games.c.ended_us, groups.c.zone)
        .join(groups, groups.c.id == games.c.group_id)
        .where(games.c.result.is_not(None), games.c.ended_us.between(from_us, to_us), IS_HELD)
        .order_by(games.c.group_id, games.c.ended_us)
    )
    return tuple((g, i, us, zone) for g, i, us, zone in await conn.execute(query))


async def list_results_published(
    conn: AsyncConnection, first: str, last: str
) -> tuple[PublicationRow, ...]:
    """Finished groups published between two days; only a group's latest publication there."""
    later = (
        select(func.max(publications.c.id))
        .where(
            publications.c.kind == PublicationKind.STANDING.value,
            publications.c.day.between(first, last),
        )
        .group_by(publications.c.group_id)
    )
    found = await publication_rows.everything(conn, publications.c.id.in_(later))
    return tuple(sorted(found, key=lambda row: (row.day, row.group_id)))


async def extend(
    conn: AsyncConnection, group_ids: Collection[int], days: tuple[str, str], term: tuple[str, str]
) -> None:
    """Extend the objection deadline of what was published between two days; all days are ISO.

    ``term``: today and the new deadline; a deadline that passed before today stays passed.
    """
    today, until = term
    of = and_(
        publications.c.group_id.in_(list(group_ids)),
        publications.c.day.between(*days),
        publications.c.objections_until.between(today, until),
    )
    await conn.execute(update(publications).where(of).values(objections_until=until))


async def list_cases_touched(conn: AsyncConnection, from_us: int, to_us: int) -> tuple[int, ...]:
    """The cases in which anything happened between two instants."""
    query = select(case_events.c.case_id).where(case_events.c.at_us.between(from_us, to_us))
    return tuple((await conn.execute(query.distinct().order_by(case_events.c.case_id))).scalars())


# The lists of an official's desk, by a fixed number of queries however many games there are.

MOST, ALL = 25, 1000
"""Rows of a list that are shown normally, and when all are requested; its count covers all."""


@dataclass(frozen=True, slots=True)
class DeskGameRow:
    """A running game that needs attention. ``flag_on``: an ISO day, the first that is too late.

    ``since_us``: its last event, None before the first; ``since``: the day of the last move, if
    requested; ``told_us``: when the leader is to be notified of the silence, if a reminder has
    been sent; ``start``: the group's, an ISO day; ``head``: the last hash of its ledger;
    ``is_reported``: he has been notified, if asked.
    """

    game_id: int
    name: str
    group: str
    white: str
    black: str
    to_move: str | None
    flag_on: str | None
    since_us: int | None
    told_us: int | None
    start: str
    white_id: int
    black_id: int
    to_move_id: int | None
    head: bytes
    since: date | None = None
    is_reported: bool = False


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DeskList(Generic[T]):
    """The first rows of a list, and the total count."""

    count: int
    rows: tuple[T, ...]

    @staticmethod
    def of(lines: Iterable[T], most: int) -> "DeskList[T]":
        """No more of the lines than ``most``."""
        rows = tuple(lines)
        return DeskList(len(rows), rows[:most])


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A group with counts of its games, including those that overstepped."""

    group_id: int
    name: str
    tournament: str
    start: str
    tl_id: int
    leader: str
    games: int
    running: int
    overstepped: int


def _some(ids: Collection[int] | None) -> list[int] | None:
    return None if ids is None else list(ids)


def _name(person: ColumnElement[int | None]) -> ScalarSelect[str]:
    """Looked up for what is listed alone, not for each game that is looked at."""
    return select(people.c.name).where(people.c.id == person).scalar_subquery()


_last = events.alias("last")
_FROM = games.join(groups, groups.c.id == games.c.group_id).outerjoin(
    _last, and_(_last.c.game_id == games.c.id, _last.c.seq == games.c.seq)
)
_MOVE = '"kind":"move"'
"""What an event's body contains when it is a move (kskak.ledger.stored_events)."""


def _looked_at(group_ids: Any, soon: Any, before_us: Any, before_day: Any) -> Select[Any]:
    unmoved = and_(_last.c.at_us.is_(None), groups.c.start < before_day)
    no_move = not_(_last.c.body.contains(_MOVE, autoescape=True))
    mine = true() if group_ids is None else games.c.group_id.in_(group_ids)
    quiet = or_(_last.c.at_us < before_us, unmoved, games.c.told_us.is_not(None), no_move)
    return (
        select(
            *games.c["id", "name"],
            groups.c.name,
            *(_name(games.c[f"{who}_id"]) for who in ("white", "black", "to_move")),
            games.c.flag_on,
            _last.c.at_us,
            games.c.told_us,
            groups.c.start,
            *games.c["white_id", "black_id", "to_move_id", "head"],
            quiet,
        )
        .select_from(_FROM)
        .where(games.c.result.is_(None), mine, or_(games.c.flag_on <= soon, quiet))
    )


async def needing_attention(
    conn: AsyncConnection,
    group_ids: Collection[int] | None,
    days: tuple[str, str],
    before: tuple[int, str],
) -> tuple[list[DeskGameRow], list[DeskGameRow], list[DeskGameRow]]:
    """Running games whose time is up, earliest first; those whose time is up soon, likewise; and
    those that may have seen no move for long, or in which a reminder was sent, the soonest to be
    reported to the leader first (§ 6.3.3.1, § 6.3.4, § 6.8.3).

    Games whose last event is not a move are all among the last: a reminder or a ruling is no sign
    of life, so the caller works out the silence (kskak.play.due_days). Games whose time is up are
    not. ``days``: today and the last that is soon, ISO. ``before``: the instant and the ISO day
    before which a last event or a start is long ago.
    """
    today, soon = days
    rows = await conn.execute(_looked_at(_some(group_ids), soon, *before))
    lines = [(DeskGameRow(*row[:-1]), row[-1]) for row in rows]
    late = sorted((one.flag_on or _NEVER, one.game_id, one) for one, _ in lines)
    silent = [one for one, quiet in lines if quiet and (one.flag_on or _NEVER) > today]
    silent.sort(key=lambda one: (one.told_us or _LATE, one.since_us or 0, one.game_id))
    up = [one for flag_on, _, one in late if flag_on <= today]
    near = [one for flag_on, _, one in late if today < flag_on <= soon]
    return up, near, silent


_NEVER, _LATE = "9999-99-99", 2**63


async def time_up(
    conn: AsyncConnection, game_ids: Collection[int], today: str
) -> dict[int, tuple[str, str]]:
    """Those of these games that are running with their time up today (ISO): name, since when."""
    query = select(games.c.id, games.c.name, games.c.flag_on).where(
        games.c.id.in_(list(game_ids)), games.c.result.is_(None), games.c.flag_on <= today
    )
    return {row[0]: (row[1], row[2]) for row in await conn.execute(query)}


def _group_lines(group_ids: Any, today: Any) -> Select[Any]:
    """Groups with their counts on a day."""
    running, is_up = games.c.result.is_(None), games.c.flag_on <= today
    mine = true() if group_ids is None else groups.c.id.in_(group_ids)
    is_heard = exists().where(cases.c.group_id == groups.c.id, cases.c.closed_us.is_(None))
    return (
        select(
            *groups.c["id", "name", "tournament", "start", "tl_id"],
            people.c.name,
            func.count(games.c.id),
            func.coalesce(func.sum(case((running, 1), else_=0)), 0),
            func.coalesce(func.sum(case((and_(running, is_up), 1), else_=0)), 0),
        )
        .select_from(
            groups.join(people, people.c.id == groups.c.tl_id).outerjoin(
                games, games.c.group_id == groups.c.id
            )
        )
        .where(mine, or_(IS_HELD, is_heard))
        .group_by(groups.c.id, people.c.name)
        .order_by(groups.c.start, groups.c.name)
    )


async def group_lines(
    conn: AsyncConnection, group_ids: Collection[int] | None, today: str
) -> tuple[GroupLine, ...]:
    """Groups, oldest first, with their counts at a glance, in one query; of friendly games those
    with a case."""
    return rows_of(GroupLine, await conn.execute(_group_lines(_some(group_ids), today)))


_HELD_MAILS = select(func.count()).where(inbox.c.state.in_(["held", "shunted"]))
_CASES_BY_GROUP = (
    select(cases.c.group_id, func.count())
    .where(cases.c.closed_us.is_(None))
    .group_by(cases.c.group_id)
)


async def held_mails(conn: AsyncConnection) -> int:
    """How many mails are waiting for an official or operator."""
    return int((await conn.execute(_HELD_MAILS)).scalar_one())


async def cases_by_group(conn: AsyncConnection) -> dict[int, int]:
    """How many cases are open in each group that has any."""
    return {int(group): int(count) for group, count in await conn.execute(_CASES_BY_GROUP)}


# What the server can show of what it promises (`/promises`), each figure from few rows.

RECENT = 1000
"""Letters whose way is looked at."""
_FIGURES = text(f"""
WITH recent AS (SELECT created_us, sent_us FROM outbox WHERE sent_us IS NOT NULL
                OR (state IN ('queued', 'dead') AND created_us < :late)
                ORDER BY id DESC LIMIT {RECENT})
SELECT (SELECT coalesce(sum(seq), 0) FROM games) AS entries,
  (SELECT count(*) FROM games) AS games,
  (SELECT coalesce(max(id), 0) FROM inbox) AS mails,
  (SELECT count(*) FROM inbox WHERE state IN ('held', 'shunted')) AS held,
  (SELECT count(*) FROM recent) AS letters,
  (SELECT count(*) FROM recent WHERE sent_us - created_us <= {5 * MINUTE_US}) AS prompt,
  (SELECT count(*) FROM outages) AS outages,
  (SELECT count(*) FROM groups WHERE seed IS NOT NULL) AS drawn,
  (SELECT count(*) FROM cases WHERE state IN ('decided', 'appealed', 'final')) AS cases,
  (SELECT count(*) FROM rating_calculations) AS rated,
  (SELECT count(*) FROM passkeys) AS passkeys,
  (SELECT count(*) FROM people WHERE email LIKE '%@{REMOVED_DOMAIN}') AS forgotten,
  (SELECT value FROM settings WHERE name = '{COPY_PROVED}') AS proved_us
""")


def promise_figures(now_us: int, conn: Connection) -> dict[str, int | None]:
    """Each figure by its name; ``proved_us`` None when no copy was proved yet.

    A letter that has waited too long counts as one; a case does once it is decided.
    """
    found = conn.execute(_FIGURES, {"late": now_us - 5 * MINUTE_US}).mappings().one()
    return {name: None if value is None else int(value) for name, value in found.items()}
