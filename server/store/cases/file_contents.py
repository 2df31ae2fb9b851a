"""What a case file takes from the tables: mails with their records and cases with their chains.

Read only. Not for what a party may see of it (usecases/cases/file_mails.py).
"""

import hashlib
import json
from dataclasses import dataclass

from sqlalchemy import select

from server.store.cases.game_cases import about_game
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import columns_of
from server.store.tables.base import inbox, outbox, people
from server.store.tables.cases import case_events, case_papers, cases


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
class CaseHead:
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
class Paper:
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
    return tuple(InMail(*row) for row in await conn.execute(query.order_by(inbox.c.id)))


async def mails_out(conn: AsyncConnection, game_id: int) -> tuple[OutMail, ...]:
    """The letters about a game, oldest first."""
    query = select(*columns_of(OutMail, outbox)).where(outbox.c.game_id == game_id)
    return tuple(OutMail(*row) for row in await conn.execute(query.order_by(outbox.c.id)))


async def names(conn: AsyncConnection) -> dict[int, str]:
    """Everybody's name."""
    rows = await conn.execute(select(people.c.id, people.c.name))
    return {person_id: str(name) for person_id, name in rows}


_CASES = select(*columns_of(CaseHead, cases)).order_by(cases.c.id)


async def cases_of(conn: AsyncConnection, game_id: int) -> tuple[CaseHead, ...]:
    """The cases about a game, alone or among others."""
    rows = await conn.execute(_CASES.where(about_game(game_id)))
    return tuple(CaseHead(*row) for row in rows)


async def cases_before(conn: AsyncConnection, instance: str) -> tuple[CaseHead, ...]:
    """The cases pending before an instance or closed there."""
    rows = await conn.execute(_CASES.where(cases.c.instance == instance))
    return tuple(CaseHead(*row) for row in rows)


async def case_by_number(conn: AsyncConnection, number: str) -> CaseHead | None:
    """A case by its number, as written."""
    row = (await conn.execute(_CASES.where(cases.c.number == number))).one_or_none()
    return None if row is None else CaseHead(*row)


async def lines_of(conn: AsyncConnection, case_id: int) -> tuple[CaseLine, ...]:
    """A case's events, in order."""
    query = select(*columns_of(CaseLine, case_events)).where(case_events.c.case_id == case_id)
    return tuple(CaseLine(*row) for row in await conn.execute(query.order_by(case_events.c.seq)))


async def papers_of(conn: AsyncConnection, case_id: int) -> tuple[Paper, ...]:
    """A case's papers, in order."""
    query = select(*columns_of(Paper, case_papers)).where(case_papers.c.case_id == case_id)
    return tuple(Paper(*row) for row in await conn.execute(query.order_by(case_papers.c.id)))
