"""When the server or its mail stood still, and the pause that it asks for in each group (§ 6.8.5).

Not for the pauses themselves: those are events of the games.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import starmap

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, union_all, update

from kskak.regulation.days import days_lost
from kskak.regulation.editions import Regulation
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import MINUTE_US, AnyRow, from_us, quiet_insert
from server.store.tables.base import games, groups, outage_pauses, outages, outbox, people

GRANTED, DECLINED = "granted", "declined"
MAIL, MAILBOX = "mail", "mailbox"
"""The reasons of an outage of the mail alone: its way out, or a mailbox that can't be read."""
OUTAGE_US = 15 * MINUTE_US
"""A longer silence than this was an outage."""


@dataclass(frozen=True, slots=True)
class PauseRow:
    """What an outage asks for in a group. ``games`` and ``players``: those it would reach now."""

    id: int
    outage_id: int
    group_id: int
    group: str
    first: str
    last: str
    decision: str | None
    word: str
    by: str | None
    decided_us: int | None
    from_us: int
    to_us: int
    reason: str
    games: int = 0
    players: int = 0

    @property
    def days(self) -> int:
        """How many days it is, both included."""
        return (date.fromisoformat(self.last) - date.fromisoformat(self.first)).days + 1

    @property
    def is_mail(self) -> bool:
        """Whether it was an outage of the mail alone, in or out."""
        return self.reason in (MAIL, MAILBOX)


async def add(
    conn: AsyncConnection, from_us: int, to_us: int | None, reason: str, by_id: int | None = None
) -> int | None:
    """Store an outage, its id; one that began at the same instant is left alone: None."""
    row = {"from_us": from_us, "to_us": to_us, "reason": reason, "by_id": by_id}
    new = quiet_insert(conn.dialect.name, outages).values(row).returning(outages.c.id)
    found = (await conn.execute(new)).scalar_one_or_none()
    return None if found is None else int(found)


async def take_open(conn: AsyncConnection, part: str) -> tuple[AnyRow, ...]:
    """Remove a part's open outages and return them: of two who ask at once one gets them."""
    mine = (outages.c.to_us.is_(None), outages.c.reason == part)
    return tuple(await conn.execute(delete(outages).where(*mine).returning(outages)))


async def has_sent(conn: AsyncConnection, since_us: int) -> bool:
    """Whether a letter has left since an instant."""
    query = select(outbox.c.id).where(outbox.c.sent_us > since_us).limit(1)
    return (await conn.execute(query)).first() is not None


async def between(conn: AsyncConnection, from_us: int, to_us: int) -> tuple[AnyRow, ...]:
    """Outages that overlap a period, in order."""
    query = select(outages).where(
        outages.c.from_us < to_us, or_(outages.c.to_us.is_(None), outages.c.to_us > from_us)
    )
    return tuple(await conn.execute(query.order_by(outages.c.from_us)))


async def is_open(conn: AsyncConnection) -> bool:
    """Whether an outage is open now."""
    query = select(outages.c.id).where(outages.c.to_us.is_(None)).limit(1)
    return (await conn.execute(query)).first() is not None


async def open_since(conn: AsyncConnection, part: str) -> int | None:
    """Since when (µs) an outage of a part of the mail is open; None: none is."""
    query = select(func.min(outages.c.from_us)).where(
        outages.c.to_us.is_(None), outages.c.reason == part
    )
    found = (await conn.execute(query)).scalar()
    return None if found is None else int(found)


async def running_groups(conn: AsyncConnection) -> tuple[AnyRow, ...]:
    """The groups in which games are running, with when each began."""
    runs = select(games.c.id).where(games.c.group_id == groups.c.id, games.c.result.is_(None))
    query = select(*groups.c["id", "name", "zone", "start", "regulation"]).where(runs.exists())
    return tuple(await conn.execute(query.order_by(groups.c.name)))


async def propose(
    conn: AsyncConnection, outage_id: int, days: Iterable[tuple[int, date, date]]
) -> None:
    """Propose a pause in groups: for each its id and the first and the last day."""
    names = ("outage_id", "group_id", "first", "last", "word")
    rows = [(outage_id, group, str(first), str(last), "") for group, first, last in days]
    if rows:
        await conn.execute(
            insert(outage_pauses), [dict(zip(names, row, strict=True)) for row in rows]
        )


_UNSETTLED = outage_pauses.c.done_us.is_(None)


async def known_days(conn: AsyncConnection) -> tuple[tuple[int, str, str], ...]:
    """The pauses that were not declined: group, first and last day."""
    query = select(outage_pauses.c.group_id, outage_pauses.c.first, outage_pauses.c.last)
    kept = or_(outage_pauses.c.decision.is_(None), outage_pauses.c.decision == GRANTED)
    return tuple((row[0], row[1], row[2]) for row in await conn.execute(query.where(kept)))


def list_undecided_outage_days(conn: Connection, group_id: int) -> tuple[tuple[date, date], ...]:
    """The days of a group's outages that are over and unsettled, first and last of each."""
    query = select(outage_pauses.c.first, outage_pauses.c.last).where(
        outage_pauses.c.group_id == group_id, _UNSETTLED
    )
    rows = conn.execute(query.order_by(outage_pauses.c.id)).all()
    return tuple((date.fromisoformat(row[0]), date.fromisoformat(row[1])) for row in rows)


def list_lasting_outage_days(
    conn: Connection, group_id: int, now_us: int
) -> tuple[tuple[date, date], ...]:
    """The days that the outages still open have cost an e-mail group until now."""
    query = select(outages.c.from_us).where(
        outages.c.to_us.is_(None), outages.c.from_us < now_us - OUTAGE_US
    )
    begun = conn.execute(query.order_by(outages.c.from_us)).scalars().all()
    if not begun:
        return ()
    of = select(groups.c.zone, groups.c.start).where(
        groups.c.id == group_id, groups.c.regulation == Regulation.EMAIL
    )
    found = conn.execute(of).all()
    days = (days_within(row.zone, row.start, (at, now_us)) for row in found for at in begun)
    return tuple(one for one in days if one is not None)


def list_undecided_days(
    conn: Connection, group_id: int, now_us: int
) -> tuple[tuple[date, date], ...]:
    """The days of a group's outages, over and unsettled or lasting, by which nobody is late yet."""
    return list_undecided_outage_days(conn, group_id) + list_lasting_outage_days(
        conn, group_id, now_us
    )


class OutageState(StrEnum):
    """How an outage stands for a group whose days do not, or not yet, go uncounted."""

    LASTING = "lasting"
    UNDECIDED = "undecided"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class GroupOutage:
    """An outage as a group's players are told of it: its days, and who declined their pause."""

    standing: OutageState
    first: date
    last: date
    by: str = ""
    word: str = ""
    decided_us: int = 0


def list_group_outages(conn: Connection, group_id: int, now_us: int) -> tuple[GroupOutage, ...]:
    """What a group's players are told of outages: those that last, wait or were declined."""
    query = (
        select(outage_pauses.c.first, outage_pauses.c.last, people.c.name)
        .add_columns(outage_pauses.c.word, outage_pauses.c.decided_us)
        .select_from(outage_pauses.outerjoin(people, people.c.id == outage_pauses.c.by_id))
        .where(outage_pauses.c.group_id == group_id, outage_pauses.c.decision == DECLINED)
        .order_by(outage_pauses.c.id)
    )
    lasts = list_lasting_outage_days(conn, group_id, now_us)
    found = [GroupOutage(OutageState.LASTING, *days) for days in lasts]
    waits = list_undecided_outage_days(conn, group_id)
    found += [GroupOutage(OutageState.UNDECIDED, *days) for days in waits]
    for first, last, name, *rest in conn.execute(query):
        days = date.fromisoformat(first), date.fromisoformat(last)
        found.append(GroupOutage(OutageState.DECLINED, *days, name or "", *rest))
    return tuple(found)


def days_within(zone: str, start: str, stretch: tuple[int, int]) -> tuple[date, date] | None:
    """The days an outage cost a group of this zone and ISO day of start, none before it began."""
    lost = days_lost(from_us(stretch[0]), from_us(stretch[1]), zone)
    if lost is None or str(lost[1]) < start:
        return None
    return max(lost[0], date.fromisoformat(start)), lost[1]


_PAUSES = (
    select(
        *outage_pauses.c["id", "outage_id", "group_id"],
        groups.c.name,
        *outage_pauses.c["first", "last", "decision", "word"],
        people.c.name,
        outage_pauses.c.decided_us,
        *outages.c["from_us", "to_us", "reason"],
    )
    .select_from(
        outage_pauses.join(groups, groups.c.id == outage_pauses.c.group_id)
        .join(outages, outages.c.id == outage_pauses.c.outage_id)
        .outerjoin(people, people.c.id == outage_pauses.c.by_id)
    )
    .order_by(outages.c.from_us.desc(), groups.c.name)
)


async def pauses(
    conn: AsyncConnection,
    group_ids: Collection[int] | None = None,
    since_us: int | None = None,
) -> tuple[PauseRow, ...]:
    """The pauses not yet decided on, or also those decided ``since_us``; of these groups or of all.

    Newest outage first, then by group, each with what it would reach now.
    """
    waits = outage_pauses.c.decided_us.is_(None)
    lately = [] if since_us is None else [outage_pauses.c.decided_us >= since_us]
    of = [] if group_ids is None else [outage_pauses.c.group_id.in_(sorted(group_ids))]
    query = _PAUSES.where(or_(waits, *lately), *of)
    rows = (await conn.execute(query)).all()
    reached = await _count_reached(conn, {row.group_id for row in rows})
    found = []
    for row in starmap(PauseRow, rows):
        count, players = reached.get(row.group_id, (0, 0))
        found.append(replace(row, games=count, players=players))
    return tuple(found)


async def _count_reached(
    conn: AsyncConnection, group_ids: Collection[int]
) -> dict[int, tuple[int, int]]:
    """By group: how many games run in it, and how many people play them."""
    runs = and_(games.c.group_id.in_(sorted(group_ids)), games.c.result.is_(None))
    sides = union_all(
        select(games.c.group_id, games.c.white_id.label("person")).where(runs),
        select(games.c.group_id, games.c.black_id).where(runs),
    ).subquery()
    query = select(sides.c.group_id, func.count(), func.count(sides.c.person.distinct()))
    rows = await conn.execute(query.group_by(sides.c.group_id))
    return {group: (count // 2, players) for group, count, players in rows}


async def decide(
    conn: AsyncConnection, pause_id: int, decision: str, by_id: int, word: str, now_us: int
) -> bool:
    """Grant or decline a pause, once; False if it was decided on before."""
    values = {"decision": decision, "by_id": by_id, "word": word, "decided_us": now_us}
    if decision == DECLINED:
        values["done_us"] = now_us
    mine = (outage_pauses.c.id == pause_id, outage_pauses.c.decided_us.is_(None))
    done = await conn.execute(update(outage_pauses).where(*mine).values(values))
    return done.rowcount == 1


async def list_granted_pauses(conn: AsyncConnection) -> tuple[AnyRow, ...]:
    """The pauses granted and not yet entered in all games."""
    query = select(outage_pauses).where(outage_pauses.c.decision == GRANTED, _UNSETTLED)
    return tuple(await conn.execute(query.order_by(outage_pauses.c.id)))


async def mark_pause_entered(conn: AsyncConnection, pause_id: int, now_us: int) -> None:
    """Note that a granted pause stands in all its games."""
    change = update(outage_pauses).where(outage_pauses.c.id == pause_id, _UNSETTLED)
    await conn.execute(change.values(done_us=now_us))


async def players_of(conn: AsyncConnection, group_id: int) -> tuple[int, ...]:
    """Who plays a running game in a group, by id."""
    query = select(games.c.white_id, games.c.black_id).where(
        games.c.group_id == group_id, games.c.result.is_(None)
    )
    return tuple(sorted({person for row in await conn.execute(query) for person in row}))
