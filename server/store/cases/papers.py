"""The papers of a case: statements, mails, letters, evidence, scans, notes (§ 6.4.1).

The event has a paper's digest and the paper itself is stored here, so that it can be removed
when its time comes and the chain still holds. Not for who may read one.
"""

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, delete, func, insert, select

from server.store.cases.cases import SELECT_CASE, CaseRow, about_game
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, columns_of, one_of, rows_of, values_of
from server.store.mail.outbox import OutboxRow
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import games, groups, inbox, outbox, people
from server.store.tables.cases import cards, case_events, case_papers, cases, waiting_scans

# Postcards as entered: who entered them, whether they were legible, and their picture.


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A stored card. ``seq`` is its event's; ``scan`` None when there is none or it was removed."""

    game_id: int
    seq: int
    entered_by: int
    is_legible: bool
    note: str
    scan: bytes | None
    scan_type: str | None
    scan_digest: bytes | None
    at_us: int


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card without its picture, for lists; ``has_scan``: whether there is one to fetch."""

    game_id: int
    seq: int
    entered_by: int
    is_legible: bool
    note: str
    scan_type: str | None
    at_us: int
    has_scan: bool


def add_card(conn: Connection, card: CardRow) -> None:
    """Store a card, in the transaction of its event."""
    conn.execute(insert(cards).values(values_of(card)))


_SELECT = select(*columns_of(CardRow, cards)).order_by(cards.c.game_id, cards.c.seq)


def _row(row: object) -> CardRow:
    return CardRow(**row._mapping)  # type: ignore[attr-defined]


async def list_game_cards(conn: AsyncConnection, game_id: int) -> tuple[CardRow, ...]:
    """A game's cards, in the order of its events, pictures included."""
    rows = await conn.execute(_SELECT.where(cards.c.game_id == game_id))
    return tuple(_row(row) for row in rows)


_CARD_COLUMNS = (
    cards.c.game_id,
    cards.c.seq,
    cards.c.entered_by,
    cards.c.is_legible,
    cards.c.note,
    cards.c.scan_type,
    cards.c.at_us,
    cards.c.scan.is_not(None),
)


async def list_game_cards_without_pictures(
    conn: AsyncConnection, game_id: int
) -> tuple[CardSeen, ...]:
    """A game's cards, in the order of its events, without their pictures."""
    query = select(*_CARD_COLUMNS).where(cards.c.game_id == game_id).order_by(cards.c.seq)
    return rows_of(CardSeen, await conn.execute(query))


async def find_card(conn: AsyncConnection, game_id: int, seq: int) -> CardRow | None:
    """One card; None when the event was not a card."""
    query = _SELECT.where(cards.c.game_id == game_id, cards.c.seq == seq)
    row = (await conn.execute(query)).one_or_none()
    return None if row is None else _row(row)


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
_SELECT_PAPERS: Select[Any] = select(*_OWN, _SIZE)
_IS_TEXT = case((case_papers.c.media_type == TEXT, case_papers.c.body), else_=None)
_BUT_FILES = [_IS_TEXT if column is case_papers.c.body else column for column in _OWN]
_LISTED: Select[Any] = select(*_BUT_FILES, _SIZE)


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


async def list_case_papers(conn: AsyncConnection, case_id: int) -> tuple[PaperRow, ...]:
    """A case's papers, oldest first; files without their bodies."""
    query = _LISTED.where(case_papers.c.case_id == case_id).order_by(case_papers.c.id)
    return rows_of(PaperRow, await conn.execute(query))


async def seals_of(conn: AsyncConnection, case_id: int) -> tuple[PaperSeal, ...]:
    """Every paper of a case with what proves it, for verifying them."""
    query = select(*columns_of(PaperSeal, case_papers)).where(case_papers.c.case_id == case_id)
    rows = await conn.execute(query.order_by(case_papers.c.id))
    return tuple(
        PaperSeal(row[0], row[1], None if row[2] is None else bytes(row[2]), bytes(row[3]), row[4])
        for row in rows
    )


async def find_paper(conn: AsyncConnection, paper_id: int) -> PaperRow | None:
    """One paper by id."""
    return one_of(PaperRow, await conn.execute(_SELECT_PAPERS.where(case_papers.c.id == paper_id)))


async def newest_case(
    conn: AsyncConnection, game_id: int, kinds: Collection[str]
) -> CaseRow | None:
    """The newest case of some kinds about a game, open or closed."""
    query = SELECT_CASE.where(about_game(game_id), cases.c.kind.in_(list(kinds)))
    return one_of(CaseRow, await conn.execute(query.order_by(cases.c.id.desc()).limit(1)))


async def opened_since(
    conn: AsyncConnection, kinds: Collection[str], since_us: int
) -> tuple[CaseRow, ...]:
    """The cases of some kinds opened since an instant, oldest first."""
    query = SELECT_CASE.where(cases.c.kind.in_(kinds), cases.c.opened_us >= since_us)
    # Of opening there is an index: sorted by id, all cases would be read.
    return rows_of(CaseRow, await conn.execute(query.order_by(cases.c.opened_us)))


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


# What a case file takes from the tables: mails with their records and cases with their chains.


@dataclass(frozen=True, slots=True)
class InMail:
    """An incoming mail about a game. ``raw`` is empty when it was removed."""

    id: int
    received_us: int
    state: str
    outcome: str | None
    person_id: int | None
    digest: bytes
    raw: bytes


@dataclass(frozen=True, slots=True)
class OutMail:
    """A letter about a game with its delivery record; ``raw`` None: no longer stored."""

    id: int
    message_id: str
    kind: str
    person_id: int | None
    seq: int | None
    created_us: int
    sent_us: int | None
    state: str
    attempts: int
    last_error: str | None
    raw: bytes | None

    @property
    def digest(self) -> str | None:
        """SHA-256 of the letter as sent."""
        return None if self.raw is None else hashlib.sha256(self.raw).hexdigest()


@dataclass(frozen=True, slots=True)
class CaseFileRow:
    """A case from its row; ``snapshot`` repeats what its events say."""

    id: int
    number: str
    kind: str
    group_id: int
    game_id: int | None
    state: str
    instance: str
    snapshot: str

    @property
    def standing(self) -> frozenset[int]:
        """Its parties and those it concerns: persons (ids)."""
        told = json.loads(self.snapshot or "{}")
        return frozenset((*told.get("parties", ()), *told.get("concerned", ())))

    @property
    def games(self) -> tuple[int, ...]:
        """The games it may rule on."""
        told = json.loads(self.snapshot or "{}")
        listed = told.get("games", []) if isinstance(told, dict) else []
        games = [game for game in listed if isinstance(game, int)]
        return tuple(dict.fromkeys(([self.game_id] if self.game_id is not None else []) + games))


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case event with its link in the chain."""

    seq: int
    at_us: int
    body: str
    hash: bytes
    actor_id: int | None


@dataclass(frozen=True, slots=True)
class CaseFilePaperRow:
    """A paper of a case; ``body`` None when it was removed."""

    id: int
    kind: str
    title: str
    media_type: str
    body: bytes | None
    digest: bytes


async def mails_in(conn: AsyncConnection, game_id: int) -> tuple[InMail, ...]:
    """The incoming mails about a game, oldest first."""
    query = select(*columns_of(InMail, inbox)).where(inbox.c.game_id == game_id)
    return rows_of(InMail, await conn.execute(query.order_by(inbox.c.id)))


async def mails_out(conn: AsyncConnection, game_id: int) -> tuple[OutMail, ...]:
    """The letters about a game, oldest first."""
    query = select(*columns_of(OutMail, outbox)).where(outbox.c.game_id == game_id)
    return rows_of(OutMail, await conn.execute(query.order_by(outbox.c.id)))


async def names(conn: AsyncConnection) -> dict[int, str]:
    """Everybody's name."""
    rows = await conn.execute(select(people.c.id, people.c.name))
    return {person_id: str(name) for person_id, name in rows}


_CASES = select(*columns_of(CaseFileRow, cases)).order_by(cases.c.id)


async def cases_of(conn: AsyncConnection, game_id: int) -> tuple[CaseFileRow, ...]:
    """The cases about a game, alone or among others."""
    return rows_of(CaseFileRow, await conn.execute(_CASES.where(about_game(game_id))))


async def cases_before(conn: AsyncConnection, instance: str) -> tuple[CaseFileRow, ...]:
    """The cases pending before an instance or closed there."""
    return rows_of(CaseFileRow, await conn.execute(_CASES.where(cases.c.instance == instance)))


async def case_by_number(conn: AsyncConnection, number: str) -> CaseFileRow | None:
    """A case by its number, as written."""
    return one_of(CaseFileRow, await conn.execute(_CASES.where(cases.c.number == number)))


async def lines_of(conn: AsyncConnection, case_id: int) -> tuple[CaseLine, ...]:
    """A case's events, in order."""
    query = select(*columns_of(CaseLine, case_events)).where(case_events.c.case_id == case_id)
    return rows_of(CaseLine, await conn.execute(query.order_by(case_events.c.seq)))


async def papers_of(conn: AsyncConnection, case_id: int) -> tuple[CaseFilePaperRow, ...]:
    """A case's papers, in order."""
    query = select(*columns_of(CaseFilePaperRow, case_papers)).where(
        case_papers.c.case_id == case_id
    )
    return rows_of(CaseFilePaperRow, await conn.execute(query.order_by(case_papers.c.id)))


# Pictures of cards that wait for their card to be entered: each seen by who put it in, alone.

PICTURE_RETENTION_US = 14 * DAY_US
"""How long a picture waits."""
PUT_IN = waiting_scans.c.at_us
"""Since when."""
MOST = 12
"""Pictures that wait for one person."""


@dataclass(frozen=True, slots=True)
class NewScan:
    """A picture to keep."""

    person_id: int
    scan: bytes
    scan_type: str
    at_us: int


@dataclass(frozen=True, slots=True)
class WaitingScan:
    """A kept picture."""

    id: int
    person_id: int
    scan: bytes
    scan_type: str


async def add_waiting_scan(conn: AsyncConnection, new: NewScan) -> int | None:
    """Keep a picture; its number, None when as many wait as may."""
    count = select(func.count()).where(waiting_scans.c.person_id == new.person_id)
    if (await conn.execute(count)).scalar_one() >= MOST:
        return None
    kept = insert(waiting_scans).values(values_of(new)).returning(waiting_scans.c.id)
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


async def find_waiting_scan(
    conn: AsyncConnection, person_id: int, number: int
) -> WaitingScan | None:
    """One of a person's pictures."""
    query = select(*columns_of(WaitingScan, waiting_scans))
    is_his = (waiting_scans.c.person_id == person_id, waiting_scans.c.id == number)
    return one_of(WaitingScan, await conn.execute(query.where(*is_his)))


async def remove(conn: AsyncConnection, person_id: int, number: int) -> None:
    """Its card is entered, or it is not wanted."""
    is_his = (waiting_scans.c.person_id == person_id, waiting_scans.c.id == number)
    await conn.execute(delete(waiting_scans).where(*is_his))
