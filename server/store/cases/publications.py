"""What was published about groups and games, with the deadlines that follow (§ 6.4.5).

Not for what is still to be published (below) nor for deciding when
(usecases/results/publishing.py).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    union_all,
    update,
)

from kskak.cases.case_events import SanctionKind
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, columns_of, rows_of, values_of
from server.store.tables.base import IS_HELD, events, games, groups, outbox, people
from server.store.tables.cases import case_events, cases, deaths, publications, sanctions
from server.store.tables.tournaments import cup_groups, title_ties


class PublicationKind(StrEnum):
    """What was published."""

    RESULT = "result"
    STANDING = "standing"
    TAKEOVER = "takeover"


@dataclass(frozen=True, slots=True)
class NewPublication:
    """A publication to store; days are ISO."""

    group_id: int
    kind: str
    game_id: int | None
    day: str
    objections_until: str
    prizes_until: str | None
    done_us: int | None


@dataclass(frozen=True, slots=True)
class PublicationRow(NewPublication):
    """A stored publication, with its group's name and leader. ``done_us``: prizes were sent."""

    id: int
    group: str
    tl_id: int


async def add_publication(conn: AsyncConnection, new: NewPublication) -> int:
    """Store a publication and return its id."""
    made = insert(publications).values(values_of(new)).returning(publications.c.id)
    return int((await conn.execute(made)).scalar_one())


async def everything(
    conn: AsyncConnection, *where: ColumnElement[bool]
) -> tuple[PublicationRow, ...]:
    """The publications of which all this holds, oldest first."""
    columns = columns_of(PublicationRow, publications, group=groups.c.name, tl_id=groups.c.tl_id)
    query = select(*columns).join(groups, groups.c.id == publications.c.group_id).where(*where)
    return rows_of(PublicationRow, await conn.execute(query.order_by(publications.c.id)))


async def find(conn: AsyncConnection, publication_id: int) -> PublicationRow | None:
    """One publication."""
    return next(iter(await everything(conn, publications.c.id == publication_id)), None)


async def list_group_publications(
    conn: AsyncConnection, group_id: int
) -> tuple[PublicationRow, ...]:
    """A group's publications, oldest first."""
    return await everything(conn, publications.c.group_id == group_id)


_IS_STANDING = publications.c.kind == PublicationKind.STANDING.value
_later = publications.alias("later")
_IS_LAST = and_(
    _IS_STANDING,
    ~exists().where(
        _later.c.group_id == publications.c.group_id,
        _later.c.kind == PublicationKind.STANDING.value,
        _later.c.id > publications.c.id,
    ),
)
_IS_PLAYED = exists().where(games.c.group_id == publications.c.group_id, games.c.result.is_(None))


def _of(mine: Collection[int] | None) -> ColumnElement[bool]:
    """The groups asked for; None: all."""
    return true() if mine is None else groups.c.id.in_(list(mine))


async def list_open_publications(
    conn: AsyncConnection, day: str, mine: frozenset[int] | None = None
) -> tuple[PublicationRow, ...]:
    """Groups' results still open to objection on a day (ISO), or whose prizes are not sent.

    Of each group the last, and none while one of its games is played on after a ruling.
    """
    runs = or_(publications.c.objections_until >= day, publications.c.done_us.is_(None))
    return await everything(conn, _IS_LAST, ~_IS_PLAYED, runs, _of(mine))


async def list_resumed(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> tuple[PublicationRow, ...]:
    """The last result of each of these groups in which a game is played on after it."""
    return await everything(conn, _IS_LAST, _IS_PLAYED, groups.c.id.in_(list(group_ids)))


async def takeovers_since(
    conn: AsyncConnection, day: str, mine: frozenset[int] | None = None
) -> tuple[PublicationRow, ...]:
    """Groups taken over that are still open to objection on a day (ISO)."""
    is_takeover = publications.c.kind == PublicationKind.TAKEOVER.value
    return await everything(conn, is_takeover, publications.c.objections_until >= day, _of(mine))


async def prizes_due(conn: AsyncConnection, first: str, last: str) -> tuple[PublicationRow, ...]:
    """Groups' results whose prizes are not sent and due on these days (ISO), both included."""
    is_due = publications.c.prizes_until.between(first, last)
    return await everything(conn, _IS_LAST, ~_IS_PLAYED, is_due, publications.c.done_us.is_(None))


async def set_done(conn: AsyncConnection, publication_id: int, now_us: int) -> bool:
    """Record that the prizes were sent; False when that was already recorded."""
    of = and_(publications.c.id == publication_id, publications.c.done_us.is_(None))
    done = await conn.execute(update(publications).where(of).values(done_us=now_us))
    return done.rowcount == 1


async def objections_until(
    conn: AsyncConnection, group_id: int, game_ids: Sequence[int]
) -> str | None:
    """The last day (ISO) to object to these results or the group's; None: unpublished."""
    of_it = or_(
        publications.c.game_id.in_(list(game_ids)),
        publications.c.kind == PublicationKind.STANDING.value,
    )
    query = select(func.max(publications.c.objections_until)).where(
        publications.c.group_id == group_id, of_it
    )
    found: str | None = (await conn.execute(query)).scalar_one()
    return found


async def list_unreported_endings(
    conn: AsyncConnection, mine: frozenset[int] | None = None
) -> tuple[AnyRow, ...]:
    """Ended games whose report to the leader was tried but has not been sent (§ 6.2.6).

    Each with ``game_id``, ``name``, ``group``, ``zone`` and ``ended_us``. A letter merely waiting
    its turn is nobody's concern. A changed result has a later letter: only the last one counts.
    """
    of_game = and_(outbox.c.game_id == games.c.id, outbox.c.kind == "game_over")
    last = (
        select(func.max(outbox.c.id))
        .where(of_game, outbox.c.person_id == groups.c.tl_id)
        .correlate(games, groups)
        .scalar_subquery()
    )
    failed = outbox.alias("failed")
    # Of few letters, by an index of their own; a leader has many games.
    tried = select(failed.c.game_id).where(failed.c.last_error.is_not(None))
    query = (
        select(games.c.id.label("game_id"), games.c.name, games.c.ended_us)
        .add_columns(groups.c.name.label("group"), groups.c.zone)
        .join(groups, groups.c.id == games.c.group_id)
        .join(outbox, outbox.c.id == last)
        .where(games.c.id.in_(tried))
        .where(true() if mine is None else (groups.c.id + 0).in_(list(mine)))
        .where(outbox.c.state != "sent", outbox.c.last_error.is_not(None))
        .where(games.c.result.is_not(None), games.c.ended_us.is_not(None))
        .order_by(games.c.ended_us)
    )
    return tuple(await conn.execute(query))


# What is still to be published or asked about results (§ 6.4.5, § 6.2.6): found by index.


@dataclass(frozen=True, slots=True)
class EndedGameOrGroup:
    """Something that ended: a game, or a whole group (``game_id`` None)."""

    group_id: int
    game_id: int | None
    zone: str
    ended_us: int


@dataclass(frozen=True, slots=True)
class EndedGroup(EndedGameOrGroup):
    """A group whose games have all ended; the day (ISO) it was last published, if ever.

    ``ruled_us``: when a decision there last gave a result or annulled another, and so may have
    changed one;
    ``spoken_us``: when one of its cases, which may have held it back, last went on.
    """

    published: str | None
    ruled_us: int | None
    spoken_us: int | None


async def changed_groups(conn: AsyncConnection, since_us: int | None) -> tuple[int, ...]:
    """The groups whose results may have changed since then, by id; None: every group.

    Those where a game ended or a case went on, those that came (with games that ended long ago),
    those of the cases that suspend games, and those whose tied first place is settled elsewhere.
    """
    if since_us is None:
        return tuple((await conn.execute(select(groups.c.id).order_by(groups.c.id))).scalars())
    spoken = select(case_events.c.case_id).where(case_events.c.at_us >= since_us)
    # Not UNION: SQLite would walk whole indexes to merge them.
    changed = union_all(
        select(games.c.group_id).where(games.c.ended_us >= since_us),
        select(groups.c.id).where(groups.c.created_us >= since_us),
        select(cases.c.group_id).where(cases.c.id.in_(spoken)),
        select(cases.c.group_id).where(cases.c.is_suspended),
        select(title_ties.c.group_id),
    )
    return tuple(sorted(set((await conn.execute(changed)).scalars())))


async def unpublished_games(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> tuple[EndedGameOrGroup, ...]:
    """These groups' ended games whose result has not been published."""
    known = exists().where(
        publications.c.game_id == games.c.id, publications.c.group_id == games.c.group_id
    )
    query = (
        select(games.c.group_id, games.c.id, groups.c.zone, games.c.ended_us)
        .join(groups, groups.c.id == games.c.group_id)
        .where(games.c.group_id.in_(group_ids), IS_HELD)
        .where(games.c.result.is_not(None), games.c.ended_us.is_not(None), ~known)
        .order_by(games.c.ended_us)
    )
    return rows_of(EndedGameOrGroup, await conn.execute(query))


async def finished_groups(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> tuple[EndedGroup, ...]:
    """Those of these groups whose games have all ended, by id."""
    published = (
        select(func.max(publications.c.day))
        .where(publications.c.group_id == games.c.group_id)
        .where(publications.c.kind == PublicationKind.STANDING.value)
        .scalar_subquery()
    )
    body = case_events.c.body
    changes = ('"kind":"result"', '"annuls":["')
    is_ruling = and_(
        body.contains('"event":"decided"', autoescape=True),
        or_(*(body.contains(one, autoescape=True) for one in changes)),
    )
    spoken = (
        select(func.max(case_events.c.at_us))
        .join(cases, cases.c.id == case_events.c.case_id)
        .where(cases.c.group_id == games.c.group_id)
    )
    of_cases = spoken.where(is_ruling).scalar_subquery(), spoken.scalar_subquery()
    query = (
        select(games.c.group_id, groups.c.zone, func.max(games.c.ended_us), published, *of_cases)
        .join(groups, groups.c.id == games.c.group_id)
        .where(games.c.group_id.in_(group_ids), IS_HELD)
        .group_by(games.c.group_id, groups.c.zone)
        .having(func.count() == func.count(games.c.result))
        .having(func.max(games.c.ended_us).is_not(None))
    )
    rows = await conn.execute(query.order_by(games.c.group_id))
    return tuple(EndedGroup(group, None, zone, us, *of_it) for group, zone, us, *of_it in rows)


async def quiet_postal(conn: AsyncConnection, before_us: int) -> tuple[tuple[int, int], ...]:
    """Running postal games with nothing entered since an instant: game, last entry's instant."""
    last = func.coalesce(func.max(events.c.at_us), groups.c.created_us)
    query = (
        select(games.c.id, last)
        .join(groups, groups.c.id == games.c.group_id)
        .outerjoin(events, and_(events.c.game_id == games.c.id, events.c.actor_id.is_not(None)))
        .where(groups.c.regulation == "postal", games.c.result.is_(None))
        .group_by(games.c.id, groups.c.created_us)
        .having(last < before_us)
        .order_by(games.c.id)
    )
    return tuple((game, us) for game, us in await conn.execute(query))


# Warnings, quarantines and expulsions that have been imposed (§ 6.4.2).


@dataclass(frozen=True, slots=True)
class NewSanction:
    """A sanction to store; days are ISO, ``to_day`` included, None: no end."""

    person_id: int
    case_id: int
    kind: str
    group_id: int | None
    from_day: str
    to_day: str | None


@dataclass(frozen=True, slots=True)
class SanctionRow(NewSanction):
    """A stored sanction; ``annulled_us``: when a later instance revoked it.

    ``season_end_us``: when the last game of its group ended, None while one runs; the group's
    class, zone and name; the case's number.
    """

    id: int
    annulled_us: int | None
    season_end_us: int | None
    group_class: str | None
    zone: str | None
    group: str | None
    case: str


# Of a cup an expulsion lasts until its final is over (§ 6.4.2, reading).
_own, _same = cup_groups.alias(), cup_groups.alias()
_cup = (
    select(_same.c.group_id)
    .join(_own, _own.c.cup_id == _same.c.cup_id)
    .where(_own.c.group_id == sanctions.c.group_id, sanctions.c.kind == "expulsion")
    .correlate(sanctions)
)
_has_final = or_(~exists(_cup), exists(_cup.where(_same.c.stage == "final")))
_is_over = and_(func.count() == func.count(games.c.ended_us), _has_final)
_season_end = (
    select(case((_is_over, func.max(games.c.ended_us))))
    .where(or_(games.c.group_id == sanctions.c.group_id, games.c.group_id.in_(_cup)))
    .correlate(sanctions)
    .scalar_subquery()
)
_SELECT_SANCTIONS: Select[*tuple[Any, ...]] = (
    select(
        *columns_of(
            SanctionRow,
            sanctions,
            season_end_us=_season_end,
            group_class=groups.c["class"],
            zone=groups.c.zone,
            group=groups.c.name,
            case=cases.c.number,
        )
    )
    .select_from(
        sanctions.join(cases, cases.c.id == sanctions.c.case_id).outerjoin(
            groups, groups.c.id == sanctions.c.group_id
        )
    )
    .order_by(sanctions.c.id)
)


def add_sanction(conn: Connection, new: Sequence[NewSanction]) -> None:
    """Store sanctions."""
    if new:
        conn.execute(insert(sanctions), [values_of(each) for each in new])


def annul(conn: Connection, case_id: int, person_id: int, since: str, now_us: int) -> None:
    """Revoke what a case's decision of the ISO day ``since`` imposed on a person."""
    conn.execute(
        update(sanctions)
        .where(
            sanctions.c.case_id == case_id,
            sanctions.c.person_id == person_id,
            sanctions.c.from_day == since,
            sanctions.c.annulled_us.is_(None),
        )
        .values(annulled_us=now_us)
    )


def list_sanctions_in_force(conn: Connection, people: Collection[int]) -> tuple[SanctionRow, ...]:
    """The sanctions of some people that were not revoked, oldest first."""
    query = _SELECT_SANCTIONS.where(
        sanctions.c.person_id.in_(people), sanctions.c.annulled_us.is_(None)
    )
    return rows_of(SanctionRow, conn.execute(query))


def list_shut_out(conn: Connection, people: Collection[int], day: str) -> frozenset[int]:
    """Those of some people who are dead, or in quarantine on a day (ISO; § 6.2.8, § 6.4.2)."""
    found = {
        row.person_id
        for row in list_sanctions_in_force(conn, people)
        if row.kind == SanctionKind.QUARANTINE and row.from_day <= day <= (row.to_day or day)
    }
    return list_dead(conn, people) | found


def list_dead(conn: Connection, people: Collection[int]) -> frozenset[int]:
    """Those of some people who are known to have died (§ 6.2.8)."""
    query = select(deaths.c.person_id).where(deaths.c.person_id.in_(people))
    return frozenset(conn.execute(query).scalars())


def record_death(conn: Connection, **values: object) -> None:
    """Keep that a person has died: ``person_id``, ``day`` (ISO), ``by_id``, ``at_us``."""
    conn.execute(insert(deaths).values(values))


async def list_person_sanctions(conn: AsyncConnection, *people: int) -> tuple[SanctionRow, ...]:
    """The sanctions of some people, oldest first, including revoked ones."""
    query = _SELECT_SANCTIONS.where(sanctions.c.person_id.in_(people))
    return rows_of(SanctionRow, await conn.execute(query))


async def quarantines(conn: AsyncConnection, day: str) -> tuple[AnyRow, ...]:
    """The quarantines in force on a day (ISO), soonest to end first (§ 6.4.2).

    ``person_id`` and ``name``, ``from_day`` and ``to_day`` (ISO), and by which ``case``.
    """
    query = (
        select(people.c.id.label("person_id"), people.c.name, cases.c.number.label("case"))
        .add_columns(sanctions.c.from_day, sanctions.c.to_day)
        .join(people, people.c.id == sanctions.c.person_id)
        .join(cases, cases.c.id == sanctions.c.case_id)
        .where(sanctions.c.kind == SanctionKind.QUARANTINE.value, sanctions.c.annulled_us.is_(None))
        .where(sanctions.c.from_day <= day)
        .where(or_(sanctions.c.to_day.is_(None), sanctions.c.to_day >= day))
        .order_by(sanctions.c.to_day.is_(None), sanctions.c.to_day, sanctions.c.id)
    )
    return tuple(await conn.execute(query))
