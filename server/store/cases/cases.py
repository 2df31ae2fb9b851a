"""Cases and their events: read for pages, locked and appended to in one transaction (§ 6.4).

A case's events are the truth, chained like a game's; the row repeats what lists search by.
Functions that write are synchronous, for ``Store.transact``. Not for deciding anything
(kskak.cases.decide_case).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    and_,
    exists,
    insert,
    literal,
    not_,
    or_,
    select,
    update,
)

from kskak.ledger.stored_events import RULING_ANNULLED, SWAPS
from kskak.regulation.days import ONE_DAY, local_day
from server.store.engine.chain import CASE, about, case_genesis, link
from server.store.engine.connection import CASES, AsyncConnection, StoreConflict, StoreError, hold
from server.store.engine.rows import AnyRow, columns_of, from_us, one_of, rows_of, values_of
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import events, games, groups, people, seats
from server.store.tables.cases import case_events, cases


class UnknownCase(StoreError):
    """No case has this id."""

    def __init__(self, case_id: int) -> None:
        super().__init__(f"there is no case {case_id}")
        self.case_id = case_id


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case as it stands, with the names of its group, its game and the person concerned.

    ``snapshot`` is JSON, what lists need of its events; ``due_us`` is the next instant something
    is due.
    """

    kind: str
    group_id: int
    game_id: int | None
    person_id: int | None
    opened_us: int
    id: int
    number: str
    state: str
    instance: str
    seq: int
    head: bytes
    snapshot: str
    is_suspended: bool
    due_us: int | None
    closed_us: int | None
    group: str
    tl_id: int
    zone: str
    game: str | None
    person: str | None

    @property
    def question(self) -> str:
        """What it is about: a text, or ``@key`` for one in the catalogues."""
        return str(json.loads(self.snapshot)["question"])

    @property
    def standing(self) -> frozenset[int]:
        """Its parties and those it concerns: persons (ids)."""
        summary = json.loads(self.snapshot)
        return frozenset((*summary["parties"], *summary["concerned"]))

    @property
    def games(self) -> tuple[int, ...]:
        """The games that it may rule on."""
        return tuple(json.loads(self.snapshot)["games"])

    @property
    def kinds(self) -> tuple[str, ...]:
        """All that it is about, the kind that opened it first."""
        return tuple(json.loads(self.snapshot).get("kinds", (self.kind,)))

    @property
    def parties(self) -> tuple[int, ...]:
        """Those who are heard in it (ids)."""
        return tuple(json.loads(self.snapshot)["parties"])

    @property
    def last_day(self) -> date | None:
        """The last day of what it is waiting for."""
        return None if self.due_us is None else local_day(from_us(self.due_us), self.zone) - ONE_DAY

    @property
    def is_found(self) -> bool:
        """Whether the server alone asks: nobody claims or disputes anything, and no game rests."""
        is_asked = self.is_suspended or self.claims or "claimant" in json.loads(self.snapshot)
        return set(self.kinds) <= {"silence", "offline", "overstep"} and not is_asked

    @property
    def claims(self) -> tuple[int, ...]:
        """The games in which a claim waits; of rows of before that was listed, those at rest."""
        old = self.games if self.kind == "overstep" and self.is_suspended else ()
        return tuple(json.loads(self.snapshot).get("claims", old))


@dataclass(frozen=True, slots=True)
class CaseEventRow:
    """A stored event. ``actor_id`` None: the server itself."""

    case_id: int
    seq: int
    at_us: int
    actor_id: int | None
    body: str
    hash: bytes


SELECT_CASE: Select[*tuple[Any, ...]] = select(
    *columns_of(
        CaseRow,
        cases,
        group=groups.c.name,
        tl_id=groups.c.tl_id,
        zone=groups.c.zone,
        game=games.c.name,
        person=people.c.name,
    )
).select_from(
    cases.join(groups, groups.c.id == cases.c.group_id)
    .outerjoin(games, games.c.id == cases.c.game_id)
    .outerjoin(people, people.c.id == cases.c.person_id)
)
"""The columns of ``CaseRow``, in its order."""
_EVENTS = select(*columns_of(CaseEventRow, case_events)).order_by(
    case_events.c.case_id, case_events.c.seq
)


def create(
    conn: Connection,
    year: int,
    values: Mapping[str, object],
    bodies: Sequence[str],
    at: tuple[int, int | None],
) -> CaseRow:
    """Open a case with its first events (canonical texts) and return it as stored.

    ``values``: its columns; ``at``: the instant and the actor of all the events.
    """
    hold(conn, CASES)  # «year/count» without gaps: locked until the transaction ends
    taken = conn.execute(select(cases.c.number).where(cases.c.number.like(f"{year}/%"))).scalars()
    number = f"{year}/{1 + max((int(one.partition('/')[2]) for one in taken), default=0)}"
    new = {**values, "number": number, "seq": 0, "head": b""}
    case_id = int(conn.execute(insert(cases).values(new).returning(cases.c.id)).scalar_one())
    first = case_genesis(case_id, number, str(values["kind"]))
    _append(conn, (case_id, 0, first), {}, bodies, at)
    return lock(conn, case_id)


def lock(conn: Connection, case_id: int) -> CaseRow:
    """A case that nobody else can change until the transaction ends. Raises UnknownCase.

    Games are locked before cases, everywhere.
    """
    query = SELECT_CASE.where(cases.c.id == case_id).with_for_update(of=cases)
    row = conn.execute(query).one_or_none()
    if row is None:
        raise UnknownCase(case_id)
    return CaseRow(*row)


def append(
    conn: Connection,
    case: CaseRow,
    values: Mapping[str, object],
    bodies: Sequence[str],
    at: tuple[int, int | None],
) -> None:
    """Append to a locked case, as ``create``. StoreConflict when it was changed despite that."""
    _append(conn, (case.id, case.seq, bytes(case.head)), values, bodies, at)


def _append(
    conn: Connection,
    link_to: tuple[int, int, bytes],
    values: Mapping[str, object],
    bodies: Sequence[str],
    at: tuple[int, int | None],
) -> None:
    case_id, old_seq, last = link_to
    at_us, actor_id = at
    rows = []
    for seq, body in enumerate(bodies, old_seq + 1):
        last = link(last, case_id, seq, at_us, body, about(actor_id, CASE, None))
        rows.append(values_of(CaseEventRow(case_id, seq, at_us, actor_id, body, last)))
    if rows:
        conn.execute(insert(case_events), rows)
    new = {**values, "seq": old_seq + len(rows), "head": last}
    changed = conn.execute(
        update(cases).where(cases.c.id == case_id, cases.c.seq == old_seq).values(new)
    )
    if changed.rowcount != 1:
        raise StoreConflict("a case was changed beside its lock")


def _where(match: Mapping[str, object]) -> list[ColumnElement[bool]]:
    """Each column equal to the value given for it, or to one of a collection."""
    return [
        cases.c[name].in_(list(value))
        if isinstance(value, Collection) and not isinstance(value, str)
        else cases.c[name] == value
        for name, value in match.items()
    ]


def open_case(conn: Connection, with_game: int | None = None, **match: object) -> CaseRow | None:
    """The newest open case with these columns; ``with_game``: about it, alone or among others."""
    game = () if with_game is None else (about_game(with_game),)
    query = SELECT_CASE.where(cases.c.closed_us.is_(None), *game, *_where(match))
    return one_of(CaseRow, conn.execute(query.order_by(cases.c.id.desc()).limit(1)))


def open_cases(conn: Connection, with_game: int, **match: object) -> tuple[CaseRow, ...]:
    """The open cases about a game, alone or among others, with these columns; oldest first."""
    query = SELECT_CASE.where(cases.c.closed_us.is_(None), about_game(with_game), *_where(match))
    return rows_of(CaseRow, conn.execute(query.order_by(cases.c.id)))


def by_number_in(conn: Connection, number: str) -> int | None:
    """The id of a case by its number, for a caller that then locks it."""
    return conn.execute(select(cases.c.id).where(cases.c.number == number)).scalar_one_or_none()


def was_case_opened(
    conn: Connection, group_id: int, person_id: int, kind: str, since_us: int
) -> bool:
    """Whether a case of a kind about a person in a group was opened since an instant, or one that
    the kind came into was closed since."""
    joined = and_(cases.c.snapshot.like(f'%"kinds":[%"{kind}"%'), cases.c.closed_us >= since_us)
    query = select(cases.c.id).where(
        cases.c.group_id == group_id,
        cases.c.person_id == person_id,
        or_(and_(cases.c.kind == kind, cases.c.opened_us >= since_us), joined),
    )
    return conn.execute(query.limit(1)).one_or_none() is not None


def history(conn: Connection, case_id: int) -> tuple[CaseEventRow, ...]:
    """A case's events in order, for a caller that has locked it."""
    return rows_of(CaseEventRow, conn.execute(_EVENTS.where(case_events.c.case_id == case_id)))


async def load(conn: AsyncConnection, case_id: int) -> CaseRow | None:
    """One case by id."""
    return one_of(CaseRow, await conn.execute(SELECT_CASE.where(cases.c.id == case_id)))


async def by_number(conn: AsyncConnection, number: str) -> CaseRow | None:
    """One case by its number, «year/count»."""
    return one_of(CaseRow, await conn.execute(SELECT_CASE.where(cases.c.number == number)))


async def list_events(conn: AsyncConnection, case_id: int) -> tuple[CaseEventRow, ...]:
    """A case's events in order."""
    return (await events_of_all(conn, [case_id]))[case_id]


async def list_cases(
    conn: AsyncConnection,
    /,
    *,
    group_ids: Collection[int] | None = None,
    is_open: bool | None = None,
    limit: int = 500,
    **match: object,
) -> tuple[CaseRow, ...]:
    """Cases of some groups (None: of all) with these columns; first due first, then newest."""
    query = SELECT_CASE.where(*_where(match))
    if group_ids is not None:
        query = query.where(cases.c.group_id.in_(group_ids))
    if is_open is not None:
        query = query.where(cases.c.closed_us.is_(None) if is_open else cases.c.closed_us > 0)
    order = (cases.c.closed_us.isnot(None), cases.c.due_us.is_(None), cases.c.due_us)
    return rows_of(
        CaseRow, await conn.execute(query.order_by(*order, cases.c.id.desc()).limit(limit))
    )


def list_leavers(conn: Connection, people: Collection[int]) -> tuple[CaseRow, ...]:
    """The undecided cases of those of some people who have said that they leave (§ 6.2.8)."""
    about = {"person_id": list(people), "state": ("opened", "heard")}
    query = SELECT_CASE.where(*_where(about)).order_by(cases.c.id)
    found = rows_of(CaseRow, conn.execute(query))
    return tuple(row for row in found if "withdrawal" in row.kinds)


async def everything(conn: AsyncConnection, **match: object) -> tuple[CaseRow, ...]:
    """Every case with these columns, by id."""
    query = SELECT_CASE.where(*_where(match)).order_by(cases.c.id)
    return rows_of(CaseRow, await conn.execute(query))


# The cases about a game, whether their only one, one of many, or one added later.


def about_game(game_id: int) -> ColumnElement[bool]:
    """Whether a case is about a game: its only one, one of many, or one added later.

    The games are the last list of the row's summary (usecases/games/case_opening.py).
    """
    group = select(games.c.group_id).where(games.c.id == game_id).scalar_subquery()
    places = (f"[{game_id}]}}", f"[{game_id},%", f"[%,{game_id},%", f"[%,{game_id}]}}")
    # SQLite compiles a statement anew each time a pattern that stands alone is given.
    patterns = (literal(f'%"games":{place}').op("||")("") for place in places)
    among = or_(*(cases.c.snapshot.like(pattern) for pattern in patterns))
    return or_(cases.c.game_id == game_id, and_(cases.c.group_id == group, among))


async def list_game_cases(
    conn: AsyncConnection, /, game_id: int, **match: object
) -> tuple[CaseRow, ...]:
    """Every case about a game, alone or among others, with these columns; oldest first."""
    query = SELECT_CASE.where(about_game(game_id), *_where(match)).order_by(cases.c.id)
    return rows_of(CaseRow, await conn.execute(query))


def games_in(conn: Connection, ids: Iterable[int]) -> tuple[GameRow, ...]:
    """The games of a case as a transaction sees them, not locked; by id."""
    query = SELECT_GAME.where(games.c.id.in_(sorted(ids))).order_by(games.c.id)
    return rows_of(GameRow, conn.execute(query))


CLOSED, DECIDED = '{"event":"settled",', '{"event":"decided",'
"""How the body begins of an event that closed or decided a case (kskak.cases.case_events)."""


async def list_cases_with(
    conn: AsyncConnection,
    group_ids: Collection[int] | None,
    prefix: str,
    by: int | None,
    since_us: int,
    limit: int = 20,
) -> tuple[tuple[CaseRow, CaseEventRow], ...]:
    """Cases with an event of a kind by a person (None: the server) since an instant, the newest
    event first: what closed undecided by itself, or what somebody decided."""
    query = _select_with_event(prefix).where(
        case_events.c.actor_id.is_(None) if by is None else case_events.c.actor_id == by,
        case_events.c.at_us >= since_us,
    )
    among = query if group_ids is None else query.where(cases.c.group_id.in_(list(group_ids)))
    return _pairs(await conn.execute(among.order_by(case_events.c.at_us.desc()).limit(limit)))


async def list_published(conn: AsyncConnection) -> tuple[tuple[CaseRow, CaseEventRow], ...]:
    """The cases whose decision the Board has published, the oldest first, with that event."""
    query = _select_with_event('{"event":"published"')
    return _pairs(await conn.execute(query.order_by(case_events.c.at_us)))


def _select_with_event(prefix: str) -> Select[*tuple[Any, ...]]:
    """Cases with each of their events whose text begins so."""
    return SELECT_CASE.add_columns(*columns_of(CaseEventRow, case_events)).where(
        case_events.c.case_id == cases.c.id,
        case_events.c.body.startswith(prefix, autoescape=True),
    )


def _pairs(rows: Iterable[Any]) -> tuple[tuple[CaseRow, CaseEventRow], ...]:
    at = len(CaseRow.__dataclass_fields__)
    return tuple((CaseRow(*row[:at]), CaseEventRow(*row[at:])) for row in rows)


# A person's cases, and the silences reported of him, by a fixed number of queries.

_SILENCE = '"kind":"tl_notified"'
"""What an event's body contains when a leader is told of a silence (kskak.ledger.ledger_files)."""


def _plays(person_id: int) -> ColumnElement[bool]:
    return or_(games.c.white_id == person_id, games.c.black_id == person_id)


def _groups_of(person_id: int) -> CompoundSelect[int]:
    seated = select(seats.c.group_id).where(seats.c.person_id == person_id)
    return seated.union(select(games.c.group_id).where(_plays(person_id)))


async def groups_of(conn: AsyncConnection, person_id: int) -> frozenset[int]:
    """The groups in which a person has a seat or a game."""
    return frozenset((await conn.execute(_groups_of(person_id))).scalars())


async def cases_near(conn: AsyncConnection, person_id: int) -> tuple[CaseRow, ...]:
    """The cases about a person, and those of his groups, in which he may be a party."""
    among = cases.c.group_id.in_(_groups_of(person_id))
    query = SELECT_CASE.where(or_(cases.c.person_id == person_id, among)).order_by(cases.c.id)
    return rows_of(CaseRow, await conn.execute(query))


async def list_groups_with_annulments(
    conn: AsyncConnection, group_ids: Collection[int] | None
) -> tuple[int, ...]:
    """Those of some groups (None: of all) in which a decision has annulled another, by id."""
    query = (
        select(cases.c.group_id)
        .join(case_events, case_events.c.case_id == cases.c.id)
        .where(case_events.c.body.contains('"annuls":["', autoescape=True))
    )
    if group_ids is not None:
        query = query.where(cases.c.group_id.in_(group_ids))
    return tuple(sorted(set((await conn.execute(query)).scalars())))


async def last_rulings(
    conn: AsyncConnection, people: Collection[int], since_us: int
) -> dict[int, tuple[int, str]]:
    """When, since an instant, the last decision was made in a group of each of some people, and
    in which case."""
    sides = (games.c.white_id, games.c.black_id)
    seated = select(seats.c.person_id, seats.c.group_id).where(seats.c.person_id.in_(people))
    own = seated.union(*(select(one, games.c.group_id).where(one.in_(people)) for one in sides))
    pairs = own.subquery()
    query = (
        select(pairs.c.person_id, case_events.c.at_us, cases.c.number)
        .join(cases, cases.c.group_id == pairs.c.group_id)
        .join(case_events, case_events.c.case_id == cases.c.id)
        .where(case_events.c.at_us >= since_us)
        .where(case_events.c.body.contains('"event":"decided"', autoescape=True))
        .order_by(case_events.c.at_us)
    )
    return {row[0]: (row[1], row[2]) for row in await conn.execute(query)}


async def opened_since(
    conn: AsyncConnection, kinds: Collection[str], since_us: int
) -> tuple[CaseRow, ...]:
    """The cases of some kinds opened since an instant, oldest first."""
    query = SELECT_CASE.where(cases.c.kind.in_(kinds), cases.c.opened_us >= since_us)
    # Of opening there is an index: sorted by id, all cases would be read.
    return rows_of(CaseRow, await conn.execute(query.order_by(cases.c.opened_us)))


async def events_of_all(
    conn: AsyncConnection, ids: Collection[int]
) -> dict[int, tuple[CaseEventRow, ...]]:
    """The events of several cases, each case's in order."""
    found: dict[int, list[CaseEventRow]] = {case_id: [] for case_id in ids}
    for row in await conn.execute(_EVENTS.where(case_events.c.case_id.in_(list(ids)))):
        event = CaseEventRow(*row)
        found[event.case_id].append(event)
    return {case_id: tuple(rows) for case_id, rows in found.items()}


async def silences(conn: AsyncConnection, person_id: int) -> tuple[AnyRow, ...]:
    """Reports of silence in a person's games, by either player: events that told the leader of one
    (§ 6.3.4, § 6.8.3), with their game.

    Not one of before a change of colours or its annulment: it is void, and told of the other side.
    """
    other = events.alias()
    in_game = other.c.game_id == events.c.game_id
    turns = or_(*(other.c.body.contains(one, autoescape=True) for one in (SWAPS, RULING_ANNULLED)))
    swapped = exists().where(in_game, other.c.body.contains(SWAPS, autoescape=True))
    turned = exists().where(in_game, other.c.seq > events.c.seq, turns)
    game = (games.c.id.label("game_id"), games.c.name.label("game"))
    query = (
        select(*game, *games.c["group_id", "white_id"], groups.c.regulation, events.c.body)
        .join(events, events.c.game_id == games.c.id)
        .join(groups, groups.c.id == games.c.group_id)
        .where(_plays(person_id), events.c.body.contains(_SILENCE, autoescape=True))
        .where(not_(and_(swapped, turned)))
        .order_by(games.c.id, events.c.seq)
    )
    return tuple(await conn.execute(query))
