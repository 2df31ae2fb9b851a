"""The papers of a case: statements, mails, letters, evidence, scans, notes (§ 6.4.1).

The event has a paper's digest and the paper itself is stored here, so that it can be removed
when its time comes and the chain still holds. Not for who may read one.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, func, insert, select

from server.store.cases.cases_and_events import SELECT_CASE, CaseRow
from server.store.cases.game_cases import about_game
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of, values_of
from server.store.mail.outbox import OutboxRow
from server.store.tables.base import outbox
from server.store.tables.cases import case_papers, cases

TEXT = "text/plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPaper:
    """A paper to file. ``kind`` is one of kskak's ``PaperKind``; ``person_id`` is its owner."""

    kind: str
    title: str
    body: bytes
    at_us: int
    person_id: int | None = None
    media_type: str = TEXT
    inbox_id: int | None = None
    outbox_id: int | None = None

    @property
    def digest(self) -> bytes:
        """What the event records of it."""
        return hashlib.sha256(self.body).digest()


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A stored paper; ``size`` in bytes, None when it was removed.

    ``body`` is also None then, and for files in a list: those are fetched one by one.
    """

    id: int
    case_id: int
    kind: str
    person_id: int | None
    title: str
    media_type: str
    body: bytes | None
    digest: bytes
    at_us: int
    inbox_id: int | None
    outbox_id: int | None
    size: int | None

    @property
    def text(self) -> str | None:
        """The text of a text paper; None for others and for a removed one."""
        is_text = self.media_type == TEXT and self.body is not None
        return bytes(self.body or b"").decode("utf-8", "replace") if is_text else None


@dataclass(frozen=True, slots=True)
class PaperSeal:
    """A paper with what proves it; ``removed_us``: when its content was removed."""

    id: int
    kind: str
    body: bytes | None
    digest: bytes
    removed_us: int | None


_SIZE = func.length(case_papers.c.body)
_OWN: list[ColumnElement[Any]] = [
    case_papers.c[field.name] for field in fields(PaperRow) if field.name != "size"
]
_SELECT: Select[Any] = select(*_OWN, _SIZE)
_IS_TEXT = case((case_papers.c.media_type == TEXT, case_papers.c.body), else_=None)
_BUT_FILES = [_IS_TEXT if column is case_papers.c.body else column for column in _OWN]
_LISTED: Select[Any] = select(*_BUT_FILES, _SIZE)


def add(conn: Connection, case_id: int, new: NewPaper) -> int:
    """Store a paper and return its id."""
    values = values_of(new) | {"case_id": case_id, "digest": new.digest}
    statement = insert(case_papers).values(values).returning(case_papers.c.id)
    return int(conn.execute(statement).scalar_one())


def is_filed(conn: Connection, case_id: int, inbox_id: int) -> bool:
    """Whether a mail is already in the file."""
    query = select(case_papers.c.id).where(
        case_papers.c.case_id == case_id, case_papers.c.inbox_id == inbox_id
    )
    return conn.execute(query).first() is not None


async def size_of(conn: AsyncConnection, case_id: int, person_id: int) -> int:
    """Total bytes a person has put into a case."""
    query = select(func.coalesce(func.sum(_SIZE), 0)).where(
        case_papers.c.case_id == case_id, case_papers.c.person_id == person_id
    )
    return int((await conn.execute(query)).scalar_one())


async def of_case(conn: AsyncConnection, case_id: int) -> tuple[PaperRow, ...]:
    """A case's papers, oldest first; files without their bodies."""
    query = _LISTED.where(case_papers.c.case_id == case_id).order_by(case_papers.c.id)
    rows = await conn.execute(query)
    return tuple(PaperRow(*row) for row in rows)


async def seals_of(conn: AsyncConnection, case_id: int) -> tuple[PaperSeal, ...]:
    """Every paper of a case with what proves it, for verifying them."""
    query = select(*columns_of(PaperSeal, case_papers)).where(case_papers.c.case_id == case_id)
    rows = await conn.execute(query.order_by(case_papers.c.id))
    return tuple(
        PaperSeal(row[0], row[1], None if row[2] is None else bytes(row[2]), bytes(row[3]), row[4])
        for row in rows
    )


async def find(conn: AsyncConnection, paper_id: int) -> PaperRow | None:
    """One paper by id."""
    row = (await conn.execute(_SELECT.where(case_papers.c.id == paper_id))).one_or_none()
    return None if row is None else PaperRow(*row)


async def newest_case(
    conn: AsyncConnection, game_id: int, kinds: Collection[str]
) -> CaseRow | None:
    """The newest case of some kinds about a game, open or closed."""
    query = SELECT_CASE.where(about_game(game_id), cases.c.kind.in_(list(kinds)))
    row = (await conn.execute(query.order_by(cases.c.id.desc()).limit(1))).one_or_none()
    return None if row is None else CaseRow(*row)


async def opened_since(
    conn: AsyncConnection, kinds: Collection[str], since_us: int
) -> tuple[CaseRow, ...]:
    """The cases of some kinds opened since an instant, oldest first."""
    query = SELECT_CASE.where(cases.c.kind.in_(kinds), cases.c.opened_us >= since_us)
    # Of opening there is an index: sorted by id, all cases would be read.
    return tuple(CaseRow(*row) for row in await conn.execute(query.order_by(cases.c.opened_us)))


async def unfiled(
    conn: AsyncConnection, case: CaseRow, game_id: int, kinds: Collection[str], since_us: int
) -> tuple[OutboxRow, ...]:
    """Letters about a game of the case, written since an instant and sent, but not in its file."""
    filed = select(case_papers.c.outbox_id).where(
        case_papers.c.case_id == case.id, case_papers.c.outbox_id.is_not(None)
    )
    query = select(*columns_of(OutboxRow, outbox)).where(
        outbox.c.game_id == game_id,
        outbox.c.kind.in_(list(kinds)),
        outbox.c.sent_us.is_not(None),
        outbox.c.raw.is_not(None),
        outbox.c.created_us >= since_us,
        outbox.c.id.not_in(filed),
    )
    if case.closed_us is not None:
        query = query.where(outbox.c.created_us <= case.closed_us)
    return tuple(OutboxRow(*row) for row in await conn.execute(query.order_by(outbox.c.id)))
