"""Requests to join: stored, confirmed, decided, forgotten (§ 6.1, § 6.4.4.1).

Not for making somebody a member of the register (writing.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Select, and_, delete, func, insert, or_, select, update

from server.store.account.ways_in import digest
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.tables.base import outbox, people
from server.store.tables.join_requests import join_requests


class JoinState(StrEnum):
    """The state of a request. Until confirmed, it concerns only the person asking."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    ADMITTED = "admitted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJoin:
    """A request to store. ``email`` as from ``normal_address``; ``birth`` is an ISO day."""

    email: str
    lang: str
    name: str
    birth: str
    kind: str
    club: str | None
    member: str | None
    address: str | None
    asked_us: int


@dataclass(frozen=True, slots=True)
class JoinRow:
    """A stored request."""

    id: int
    email: str
    lang: str
    name: str
    birth: str | None
    kind: str
    club: str | None
    member: str | None
    address: str | None
    state: str
    asked_us: int
    confirmed_us: int | None
    person_id: int | None
    decided_by: int | None
    decided_us: int | None
    reason: str | None


_SELECT = select(*columns_of(JoinRow, join_requests))
_ALL = 1_000_000
"""More than there are: SQLite knows no offset without a limit."""
_OPEN = (JoinState.ASKED.value, JoinState.CONFIRMED.value)


async def add(conn: AsyncConnection, new: NewJoin, secret: str) -> int:
    """Store a request under the digest of its link's secret and return its id."""
    values = values_of(new) | {"digest": digest(secret), "state": JoinState.ASKED.value}
    made = insert(join_requests).values(values).returning(join_requests.c.id)
    return int((await conn.execute(made)).scalar_one())


def _unproved() -> Select[int]:
    newest = (join_requests.c.asked_us.desc(), join_requests.c.id.desc())
    asked = join_requests.c.state == JoinState.ASKED.value
    return select(join_requests.c.id).where(asked).order_by(*newest)


async def unproved(conn: AsyncConnection, email: str) -> int:
    """How many requests from an address are waiting for their link to be used."""
    found = _unproved().where(join_requests.c.email == email)
    return len((await conn.execute(found)).all())


async def replace_newest(conn: AsyncConnection, new: NewJoin) -> None:
    """Put other words into the newest unproved request of an address; its link stays."""
    newest = _unproved().where(join_requests.c.email == new.email).limit(1)
    change = update(join_requests).where(join_requests.c.id == newest.scalar_subquery())
    values = values_of(new)
    del values["asked_us"]  # its link is no younger for it
    await conn.execute(change.values(values))


async def forget_oldest(conn: AsyncConnection, most: int) -> None:
    """Remove all unproved requests but so many of the newest."""
    old = _unproved().offset(most).limit(_ALL)
    await conn.execute(delete(join_requests).where(join_requests.c.id.in_(old)))


async def find(conn: AsyncConnection, request_id: int, *, lock: bool = False) -> JoinRow | None:
    """One request; ``lock``: for deciding about it."""
    query = _SELECT.where(join_requests.c.id == request_id)
    row = (await conn.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else JoinRow(*row)


async def by_secret(conn: AsyncConnection, secret: str) -> JoinRow | None:
    """The request a mailed link belongs to."""
    query = _SELECT.where(join_requests.c.digest == digest(secret))
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else JoinRow(*row)


async def confirm(conn: AsyncConnection, row: JoinRow, now_us: int) -> None:
    """Record that the address is proved; this replaces other open requests from it."""
    others = and_(join_requests.c.email == row.email, join_requests.c.id != row.id)
    await conn.execute(delete(join_requests).where(others, join_requests.c.state.in_(_OPEN)))
    change = update(join_requests).where(join_requests.c.id == row.id)
    values = {"state": JoinState.CONFIRMED.value, "confirmed_us": now_us}
    await conn.execute(change.values(values))


async def confirmed(conn: AsyncConnection) -> tuple[JoinRow, ...]:
    """The requests awaiting an official, oldest first."""
    query = _SELECT.where(join_requests.c.state == JoinState.CONFIRMED.value)
    rows = await conn.execute(query.order_by(join_requests.c.confirmed_us, join_requests.c.id))
    return tuple(JoinRow(*row) for row in rows)


async def alike(conn: AsyncConnection, asked: JoinRow) -> set[int]:
    """People whose address, member number or birth date matches a request."""
    same = [people.c.email == asked.email, people.c.birth == asked.birth]
    if asked.member:
        same.append(people.c.member == asked.member)
    return set((await conn.execute(select(people.c.id).where(or_(*same)))).scalars())


_WAITING = select(func.count()).where(join_requests.c.state == JoinState.CONFIRMED.value)


async def waiting_count(conn: AsyncConnection) -> int:
    """How many requests await an official."""
    return int((await conn.execute(_WAITING)).scalar_one())


async def decide(conn: AsyncConnection, request_id: int, **values: object) -> None:
    """Record the decision on a request, and forget what was needed only for the decision."""
    gone = {"birth": None, "address": None, "member": None}
    change = update(join_requests).where(join_requests.c.id == request_id)
    await conn.execute(change.values(gone | values))


async def old_letters(conn: AsyncConnection, asked_us: int) -> tuple[int, ...]:
    """The letters to addresses that belong to no known person, from before an instant."""
    query = select(outbox.c.id).where(
        outbox.c.kind == "join",
        outbox.c.person_id.is_(None),
        outbox.c.created_us < asked_us,
        outbox.c.raw.is_not(None),
    )
    return tuple((await conn.execute(query)).scalars())


async def forget_letters(conn: AsyncConnection, ids: Sequence[int]) -> None:
    """Clear such letters."""
    sent = update(outbox).where(outbox.c.id.in_(ids))
    await conn.execute(sent.values(raw=None, to_addr="", params="{}"))


_C = join_requests.c


async def forget(conn: AsyncConnection, asked_us: int, decided_us: int, waited_us: int) -> int:
    """Remove requests too long unproved, decided or undecided, by instant; return how many."""
    query = delete(join_requests).where(
        or_(
            and_(_C.state == JoinState.ASKED.value, _C.asked_us < asked_us),
            _C.decided_us < decided_us,
            and_(_C.state == JoinState.CONFIRMED.value, _C.confirmed_us < waited_us),
        )
    )
    return int((await conn.execute(query)).rowcount)
