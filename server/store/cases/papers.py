"""The papers of a case: statements, mails, letters, evidence, scans, notes (§ 6.4.1).

The event has a paper's digest and the paper itself is stored here, so that it can be removed
when its time comes and the chain still holds. Not for who may read one.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, delete, func, insert, null, select

from kskak.cases.case_events import ClaimedDate, ClaimedResult, PaperKind
from mail.grammar.intentions import read_claimed_dates, read_claimed_result
from server.store.cases.cases import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, AnyRow, columns_of, from_us, one_of, rows_of, values_of
from server.store.mail.inbox import InboxRow
from server.store.mail.outbox import OutboxRow
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import games, groups, inbox, outbox, people
from server.store.tables.cases import cards, case_papers, waiting_scans

# Postcards as entered: who entered them, whether they were legible, and their picture.


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A stored card. ``seq`` is its event's; ``scan`` None in lists without pictures.

    ``has_scan``: whether there is a picture to fetch; not of a card that is yet to be stored.
    """

    game_id: int
    seq: int
    entered_by: int
    is_legible: bool
    note: str
    scan: bytes | None
    scan_type: str | None
    scan_digest: bytes | None
    at_us: int
    has_scan: bool = False


def add_card(conn: Connection, card: CardRow) -> None:
    """Store a card, in the transaction of its event."""
    values = {name: value for name, value in values_of(card).items() if name != "has_scan"}
    conn.execute(insert(cards).values(values))


async def list_game_cards(
    conn: AsyncConnection, game_id: int, *, has_pictures: bool = True, seq: int | None = None
) -> tuple[CardRow, ...]:
    """A game's cards, in the order of its events, with their pictures or without.

    ``seq``: the one of that event alone.
    """
    others: dict[str, ColumnElement[Any]] = {"has_scan": cards.c.scan.is_not(None)}
    if not has_pictures:
        others["scan"] = null()
    query = select(*columns_of(CardRow, cards, **others)).where(cards.c.game_id == game_id)
    if seq is not None:
        query = query.where(cards.c.seq == seq)
    names = [field.name for field in fields(CardRow)]
    rows = await conn.execute(query.order_by(cards.c.seq))
    return tuple(CardRow(**dict(zip(names, row, strict=True))) for row in rows)


async def find_card(conn: AsyncConnection, game_id: int, seq: int) -> CardRow | None:
    """One card; None when the event was not a card."""
    return next(iter(await list_game_cards(conn, game_id, seq=seq)), None)


async def since(conn: AsyncConnection, at_us: int) -> tuple[tuple[int, int], ...]:
    """Game and event number of the illegible cards entered since an instant."""
    query = (
        select(cards.c.game_id, cards.c.seq)
        .where(cards.c.at_us >= at_us, cards.c.is_legible.is_(False))
        .order_by(cards.c.at_us)
    )
    return tuple((game_id, seq) for game_id, seq in await conn.execute(query))


async def running_postal(
    conn: AsyncConnection, group_ids: Iterable[int] | None, most: int
) -> tuple[GameRow, ...]:
    """The first running games of postal groups, by name; ``group_ids`` None: of any."""
    query = SELECT_GAME.where(games.c.result.is_(None), groups.c.regulation == "postal")
    if group_ids is not None:
        query = query.where(games.c.group_id.in_(list(group_ids)))
    return rows_of(
        GameRow, await conn.execute(query.order_by(groups.c.name, games.c.id).limit(most))
    )


# The papers of a case: statements, mails, letters, evidence, scans, notes (§ 6.4.1).

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

    @property
    def claimed_dates(self) -> tuple[ClaimedDate, ...]:
        """The days that a person's own words claim for a dispatch (§ 6.3.2, Kendelse 107)."""
        if self.person_id is None or self.kind not in (PaperKind.STATEMENT, PaperKind.MAIL):
            return ()
        return read_claimed_dates(self.body.decode(), from_us(self.at_us).date())

    @property
    def claimed_result(self) -> ClaimedResult | None:
        """How a game ended by a person's own words (§ 6.2.6)."""
        if self.person_id is None or self.kind not in (PaperKind.STATEMENT, PaperKind.MAIL):
            return None
        return read_claimed_result(self.body.decode())


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A stored paper; ``size`` in bytes, None when it was removed, at ``removed_us``.

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
    removed_us: int | None
    size: int | None

    @property
    def text(self) -> str | None:
        """The text of a text paper; None for others and for a removed one."""
        is_text = self.media_type == TEXT and self.body is not None
        return bytes(self.body or b"").decode("utf-8", "replace") if is_text else None


_SIZE = func.length(case_papers.c.body)
_SELECT_PAPERS: Select[Any] = select(*columns_of(PaperRow, case_papers, size=_SIZE))
_IS_TEXT = case((case_papers.c.media_type == TEXT, case_papers.c.body), else_=None)
_LISTED: Select[Any] = select(*columns_of(PaperRow, case_papers, size=_SIZE, body=_IS_TEXT))


def add_paper(conn: Connection, case_id: int, new: NewPaper) -> int:
    """Store a paper and return its id."""
    values = values_of(new) | {"case_id": case_id, "digest": new.digest}
    statement = insert(case_papers).values(values).returning(case_papers.c.id)
    return int(conn.execute(statement).scalar_one())


def is_mail_filed(conn: Connection, case_id: int, inbox_id: int) -> bool:
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


async def list_case_papers(
    conn: AsyncConnection, case_id: int, *, has_files: bool = False
) -> tuple[PaperRow, ...]:
    """A case's papers, oldest first; files without their bodies unless ``has_files``."""
    query = (_SELECT_PAPERS if has_files else _LISTED).where(case_papers.c.case_id == case_id)
    return rows_of(PaperRow, await conn.execute(query.order_by(case_papers.c.id)))


async def find_paper(conn: AsyncConnection, paper_id: int) -> PaperRow | None:
    """One paper by id."""
    return one_of(PaperRow, await conn.execute(_SELECT_PAPERS.where(case_papers.c.id == paper_id)))


async def list_unfiled_letters(
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
    return rows_of(OutboxRow, await conn.execute(query.order_by(outbox.c.id)))


# What a case file takes from the tables: mails with their records, and who is who.


async def mails_in(conn: AsyncConnection, game_id: int) -> tuple[InboxRow, ...]:
    """The incoming mails about a game, oldest first; ``raw`` of a removed one is empty."""
    query = select(*columns_of(InboxRow, inbox)).where(inbox.c.game_id == game_id)
    return rows_of(InboxRow, await conn.execute(query.order_by(inbox.c.id)))


async def mails_out(conn: AsyncConnection, game_id: int) -> tuple[OutboxRow, ...]:
    """The letters about a game, oldest first."""
    query = select(*columns_of(OutboxRow, outbox)).where(outbox.c.game_id == game_id)
    return rows_of(OutboxRow, await conn.execute(query.order_by(outbox.c.id)))


async def names(conn: AsyncConnection) -> dict[int, str]:
    """Everybody's name."""
    rows = await conn.execute(select(people.c.id, people.c.name))
    return {person_id: str(name) for person_id, name in rows}


# Pictures of cards that wait for their card to be entered: each seen by who put it in, alone.

PICTURE_RETENTION_US = 14 * DAY_US
"""How long a picture waits."""
PUT_IN = waiting_scans.c.at_us
"""Since when."""
MOST = 12
"""Pictures that wait for one person."""


async def add_waiting_scan(
    conn: AsyncConnection, person_id: int, scan: bytes, scan_type: str, at_us: int
) -> int | None:
    """Keep a picture; its number, None when as many wait as may."""
    count = select(func.count()).where(waiting_scans.c.person_id == person_id)
    if (await conn.execute(count)).scalar_one() >= MOST:
        return None
    values = {"person_id": person_id, "scan": scan, "scan_type": scan_type, "at_us": at_us}
    kept = insert(waiting_scans).values(values).returning(waiting_scans.c.id)
    return int((await conn.execute(kept)).scalar_one())


async def list_person_pictures(
    conn: AsyncConnection, person_id: int
) -> tuple[tuple[int, str], ...]:
    """Number and type of each of a person's pictures, as they were put in."""
    query = select(waiting_scans.c.id, waiting_scans.c.scan_type)
    rows = await conn.execute(
        query.where(waiting_scans.c.person_id == person_id).order_by(waiting_scans.c.id)
    )
    return tuple((row[0], row[1]) for row in rows)


async def find_waiting_scan(conn: AsyncConnection, person_id: int, number: int) -> AnyRow | None:
    """One of a person's pictures."""
    is_his = (waiting_scans.c.person_id == person_id, waiting_scans.c.id == number)
    return (await conn.execute(select(waiting_scans).where(*is_his))).one_or_none()


async def remove(conn: AsyncConnection, person_id: int, number: int) -> None:
    """Its card is entered, or it is not wanted."""
    is_his = (waiting_scans.c.person_id == person_id, waiting_scans.c.id == number)
    await conn.execute(delete(waiting_scans).where(*is_his))
