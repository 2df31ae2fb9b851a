"""An operator's care of the database: verify it, repair it.

Not for its copies (database_backup.py), nor for migrating its tables (store/engine/migrate.py).
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from ipaddress import ip_address
from itertools import groupby
from typing import TypeVar
from urllib.parse import urlsplit

from sqlalchemy import Connection, inspect, text

from kskak.cases.case_events import DecisionAppealed, PaperFiled, PaperKind
from kskak.cases.evolve_case import load_case_event
from kskak.game.game_events import EntryAnnulled, Event
from kskak.ledger.stored_events import UnreadEntry, load_events, proven_text, unread_entries
from kskak.play.events_in_force import is_swapped
from kskak.play.evolve_game import LedgerEntryFault, replay
from kskak.play.game_state import GameState, Terms
from kskak.regulation.days import terms_of
from kskak.regulation.editions import Side
from mail.game_letters.move_letters import AnnulmentNotice
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseEventRow, CaseRow
from server.store.cases.papers import PaperRow
from server.store.cases.publications import PublicationRow
from server.store.divisions import HandRow, list_board_players
from server.store.engine import chain
from server.store.engine.chain import verify as verify_chain
from server.store.engine.chain import verify_case as verify_case_chain
from server.store.engine.connection import AsyncConnection, StoreError
from server.store.engine.migrate import current_revision, head_revision
from server.store.engine.rows import from_us
from server.store.engine.store import Store
from server.store.groups import CHANNEL as IMPORTED
from server.store.mail import batch as batch_rows
from server.store.play import games as game_rows
from server.store.play.games import EventRow, GameRow, list_state_columns, read_events
from server.store.play.notes_and_messages import MessageRow
from server.store.tables import all_tables
from server.store.tables.all_tables import Seals
from server.usecases.context import Core, poster_of
from server.usecases.games import game_units
from server.usecases.games.case_opening import UnreadCase, head_of, state_of
from server.usecases.games.outbox_letters import Poster
from server.usecases.games.writer import write_all

# Tells whether a visitor sits at the machine that the server runs on, with nothing in between.

_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
"""What proxies add."""


def is_here(site: str, peer: str | None, host: str, headers: Mapping[str, str]) -> bool:
    """True if a request comes from this machine, on a site that none but it can reach.

    It is addressed to this machine and passed no proxy. ``peer`` is the connection's address,
    ``host`` the request's Host.
    """
    is_direct = _is_loopback(peer) and _is_loopback(urlsplit(f"//{host}").hostname)
    is_forwarded = any(map(headers.__contains__, _FORWARDED))
    return not is_public(site) and is_direct and not is_forwarded


def is_public(site: str) -> bool:
    """True if the public address reaches the machine from elsewhere.

    Then a proxy is in front, and one that adds no headers looks like this machine.
    """
    return not _is_loopback(urlsplit(site).hostname)


def _is_loopback(name: str | None) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name or "").is_loopback
    except ValueError:
        return False


# What ``kskak verify`` does not prove: whoever changes this in the database is not found out.

COLUMNS: Mapping[str, frozenset[str]] = {
    "games": frozenset(
        {
            *("due_kind", "due_us", "told_us", "due_seq", "wake_us"),
            *("attempts", "last_error", "holder", "deaths"),
        }
    ),
    "groups": frozenset(
        {
            *("name", "tournament", "class", "is_double", "is_drawn", "seed", "regulation_url"),
            *("tl_id", "created_us", "override", "override_reason", "no_programs_us"),
        }
    ),
    "messages": frozenset({"hidden_us"}),
    "cases": frozenset({"group_id", "game_id", "person_id", "opened_us"}),
    "case_papers": frozenset(
        {"id", "person_id", "title", "media_type", "at_us", "inbox_id", "outbox_id"}
    ),
    "publications": frozenset({"id", "group_id", "kind", "game_id", "done_us", "prizes_until"}),
}
"""Columns of the tables that are proved otherwise. Of every other table nothing is proved here but
that what its rows refer to exists, and of entries the fees received; ratings are proved by
recalculating them."""
ROWS = frozenset({"publications"})
"""Those of these tables from which a row may be missing, or in which one may be too many."""
PROVED = frozenset({"events", "case_events", "offices", "account_entries", "seals", *COLUMNS})
"""The tables that are proved, in whole or but for those columns."""


# What was verified, and what is not sound.


@dataclass(frozen=True, slots=True)
class DatabaseFinding:
    """Something that is not sound. ``game`` None: the database itself; a case as «case number»."""

    game: str | None
    seq: int | None
    what: str


@dataclass(frozen=True, slots=True)
class DatabaseReport:
    """What was verified: how many games and events, and what is not sound."""

    games: int
    events: int
    findings: tuple[DatabaseFinding, ...]
    cases: int = 0

    @property
    def is_sound(self) -> bool:
        """Whether everything is sound."""
        return not self.findings


Progress = Callable[[int, int], None]
"""Told how many games of how many have been verified."""
_AT_ONCE = 50
"""Games read in one transaction: a long one would let SQLite's log grow beside a busy server."""


async def verify(store: Store, progress: Progress = lambda done, of: None) -> DatabaseReport:
    """Verify every hash chain of games and cases, every snapshot, what repeats them (publications,
    papers' digests), and the SQLite file itself. What is not covered: ``below``.

    StoreError for a database with another program's tables, or with an earlier one's.
    """
    findings: list[DatabaseFinding] = []
    count = events = 0
    async with store.read() as connection:
        current, wanted = await connection.run_sync(current_revision), head_revision()
        if current != wanted:
            stands = "is empty" if current is None else f"has revision {current}, not {wanted}"
            raise StoreError(f"the database {stands}: `kskak serve` brings it up when it starts")
        ids = await game_rows.all_ids(connection)
        cases = [case.id for case in await case_rows.everything(connection)]
        findings += _check_publications(await publication_rows.everything(connection))
        findings += verify_seals(await all_tables.everything(connection))
    if store.dialect == "sqlite":
        findings += await _verify_file(store)
    for at in range(0, len(ids), _AT_ONCE):
        for row, kept in await store.query(_kept_games, ids[at : at + _AT_ONCE]):
            count, events = count + 1, events + len(kept.history)
            findings += verify_game(row, kept)
        progress(min(at + _AT_ONCE, len(ids)), len(ids))
    for case_id in cases:
        async with store.read() as connection:
            case = await case_rows.load(connection, case_id)
            assert case is not None, "cases are never removed"
            steps = await case_rows.list_events(connection, case_id)
            papers = await paper_rows.list_case_papers(connection, case_id, has_files=True)
        events += len(steps)
        findings += (*verify_case(case, steps), *verify_papers(case, steps, papers))
    return DatabaseReport(count, events, tuple(findings), len(cases))


async def _kept_games(
    conn: AsyncConnection, ids: Sequence[int]
) -> list[tuple[GameRow, "KeptGame"]]:
    history = _by_game(await conn.run_sync(batch_rows.event_rows, *ids))
    messages = _by_game(await conn.run_sync(batch_rows.messages_of, *ids))
    hands = _by_game(await conn.run_sync(list_board_players, ids))
    return [
        (row, KeptGame(history[row.id], messages[row.id], hands[row.id]))
        for row in await game_rows.load_many(conn, ids)
    ]


T = TypeVar("T", EventRow, MessageRow, HandRow)


def _by_game(rows: Iterable[T]) -> Mapping[int, tuple[T, ...]]:
    found: dict[int, tuple[T, ...]] = defaultdict(tuple)
    for game_id, those in groupby(rows, lambda row: row.game_id):
        found[game_id] += tuple(those)
    return found


@dataclass(frozen=True, slots=True)
class KeptGame:
    """What is stored of a game beside its row."""

    history: tuple[EventRow, ...]
    messages: tuple[MessageRow, ...]
    hands: tuple[HandRow, ...]


async def _verify_file(store: Store) -> list[DatabaseFinding]:
    """What is not sound in a SQLite file, table by table: a copy is checked whole (migrate.py)."""
    found = list[DatabaseFinding]()
    async with store.read() as connection:
        tables = await connection.run_sync(lambda c: inspect(c).get_table_names())
    for table in tables:
        async with store.read() as connection:
            check = text(f"PRAGMA integrity_check('{table}')")
            lines = (await connection.execute(check)).scalars().all()
            found += [DatabaseFinding(None, None, str(line)) for line in lines if line != "ok"]
            lost = await connection.execute(text(f"PRAGMA foreign_key_check('{table}')"))
        for _, row_id, parent, _ in lost:
            found.append(
                DatabaseFinding(None, None, f"{table} {row_id} refers to no row of {parent}")
            )
    return found


def verify_game(row: GameRow, kept: KeptGame) -> list[DatabaseFinding]:
    """What is not sound in one game: chain, replay, what repeats the state."""
    history = kept.history
    links = game_units.links_of(history, kept.messages)
    starts = game_units.starts_of(row, kept.hands, history)
    try:
        verify_chain(row.id, row.terms, links, (row.seq, bytes(row.head)), starts)
        events = read_events(history)
        state = replay(row.terms, events)
    except chain.BrokenChain as broken:
        return [DatabaseFinding(row.name, broken.seq, str(broken))]
    except UnreadEntry as unread:
        return [
            DatabaseFinding(row.name, unread.seq, f"can't be read: {history[unread.seq - 1].body}")
        ]
    except ValueError as error:
        return [DatabaseFinding(row.name, None, f"its events can't be replayed: {error}")]
    repeats = [
        DatabaseFinding(row.name, row.seq, f"its {name} is not what the events give")
        for name, value in list_state_columns(state, row.white_id, row.black_id).items()
        if getattr(row, name) != value and not (name == "snapshot" and _reads_as(row, value))
    ]
    return repeats or [
        DatabaseFinding(row.name, None, what) for what in _find_contradictions(row, kept, events)
    ]


def _find_contradictions(row: GameRow, kept: KeptGame, events: Sequence[Event]) -> Iterator[str]:
    """What stands beside a game's events and contradicts them."""
    instants = [event.at_us for event in kept.history]
    if row.last_us != max(instants, default=None):
        yield "its last_us is not its latest event's"
    if (row.ended_us is None) != (row.result is None):
        yield "its ended_us does not go with its result"
    if row.ended_us is not None and row.ended_us not in instants:
        yield "its ended_us is no event's"
    elif row.ended_us is not None and not _ended_then(row, kept.history, events):
        yield "its ended_us is not when it ended"
    for message in kept.messages:
        if not 1 <= message.seq <= row.seq:
            yield f"message {message.seq} goes with no event"
    for is_white, plays in ((True, row.white_id), (False, row.black_id)):
        had = [player.person_id for player in kept.hands if player.is_white is is_white]
        if had and had[-1] != plays:
            yield "a player is not who has the board"


def _ended_then(row: GameRow, history: Sequence[EventRow], events: Sequence[Event]) -> bool:
    """Whether the result came with the events of ``ended_us`` and has stood ever since.

    A game taken over has the days of its record alone, all at noon (starts/takeover.py).
    """
    at = [event.at_us for event in history]
    then = [index for index, instant in enumerate(at) if instant == row.ended_us]
    if history[then[0]].channel == IMPORTED:
        return True
    # What is written together has one instant; so may have what was written just after it.
    later = [upto for upto in range(then[-1] + 1, len(at)) if at[upto] != at[upto - 1]]
    try:
        ended = {
            upto: replay(row.terms, events[:upto], is_decided=True).result is not None
            for upto in (*then, *later)
        }
    except ValueError:  # an entry annulled later can't be played out without its annulment
        return True
    return not all(ended[upto] for upto in then) and all(ended[upto] for upto in later)


def _reads_as(row: GameRow, snapshot: object) -> bool:
    """Whether a snapshot that an earlier program wrote otherwise says the same."""
    try:
        return list_state_columns(row.state(), row.white_id, row.black_id)["snapshot"] == snapshot
    except (ValueError, TypeError, LookupError, AttributeError):
        return False


def _check_publications(published: Sequence[PublicationRow]) -> Iterator[DatabaseFinding]:
    """Publications whose times do not follow from their day (§ 6.4.5)."""
    for one in published:
        try:
            day = date.fromisoformat(one.day)
        except ValueError:
            yield DatabaseFinding(f"publication {one.id}", None, f"its day is no day: {one.day}")
            continue
        terms = terms_of(day)
        prizes = (None, terms.prizes_until.isoformat())
        if one.objections_until != terms.objections_until.isoformat():
            yield DatabaseFinding(f"publication {one.id}", None, "its time to object is another")
        if one.prizes_until not in prizes:
            yield DatabaseFinding(f"publication {one.id}", None, "its time for prizes is another")


def verify_seals(kept: Seals) -> list[DatabaseFinding]:
    """What is not sound in the notes of offices, accounts and fees, and rows not as they say."""
    try:
        chain.verify_notes(all_tables.REGISTER, kept.links, kept.end)
    except chain.BrokenChain as broken:
        return [DatabaseFinding(None, broken.seq, str(broken))]
    return [DatabaseFinding(None, None, what) for what in kept.wrong]


def verify_case(row: CaseRow, events: Sequence[CaseEventRow]) -> list[DatabaseFinding]:
    """What is not sound in one case: chain, replay, the columns that repeat the state."""
    links = [
        chain.ChainLink(
            e.seq, e.at_us, e.body, bytes(e.hash), chain.about(e.actor_id, chain.CASE, None)
        )
        for e in events
    ]
    first, name = chain.case_genesis(row.id, row.number, row.kind), f"case {row.number}"
    try:
        verify_case_chain(row.id, first, links, row.seq, bytes(row.head))
        state = state_of(events)
    except chain.BrokenChain as broken:
        return [DatabaseFinding(name, broken.seq, str(broken))]
    except UnreadCase as unread:
        return [DatabaseFinding(name, unread.seq, f"can't be read: {events[unread.seq - 1].body}")]
    except ValueError as error:
        return [DatabaseFinding(name, None, f"its events can't be replayed: {error}")]
    closed_us = None
    for upto, event in enumerate(events, 1):
        closed_us = head_of(state_of(events[:upto]), row.zone, event.at_us, closed_us)["closed_us"]
    expected = head_of(state, row.zone, 0, closed_us)
    return [
        DatabaseFinding(name, row.seq, f"its {column} is not what the events give")
        for column, value in expected.items()
        if getattr(row, column) != value
        and not (  # earlier programs listed less
            column == "snapshot" and json.loads(row.snapshot).items() <= json.loads(value).items()
        )
    ]


def verify_papers(
    case: CaseRow, events: Sequence[CaseEventRow], papers: Sequence[PaperRow]
) -> list[DatabaseFinding]:
    """Papers of a case that are not what its events say of them; a removed one is recorded so."""
    name, found = f"case {case.number}", list[DatabaseFinding]()
    try:
        steps = [load_case_event(event.body) for event in events]
    except ValueError:
        return []  # said already
    filed = Counter((str(one.kind), one.digest) for one in steps if isinstance(one, PaperFiled))
    # An appeal is itself the event of its paper.
    statement = PaperKind.STATEMENT.value
    filed += Counter((statement, one.digest) for one in steps if isinstance(one, DecisionAppealed))
    kept = Counter((one.kind, one.digest.hex()) for one in papers)
    for (kind, digest), many in (filed - kept).items():
        found.append(DatabaseFinding(name, None, f"{many} of its papers is gone: {kind} {digest}"))
    for (kind, digest), _ in (kept - filed).items():
        found.append(
            DatabaseFinding(name, None, f"a paper that no event tells of: {kind} {digest}")
        )
    for one in papers:
        if one.body is None and one.removed_us is None:
            found.append(
                DatabaseFinding(name, None, f"paper {one.id} has no content, nor a removal")
            )
        elif one.body is not None and one.removed_us is not None:
            found.append(DatabaseFinding(name, None, f"paper {one.id} is there, though removed"))
        elif one.body is not None and hashlib.sha256(one.body).digest() != one.digest:
            found.append(DatabaseFinding(name, None, f"paper {one.id} is not what was filed"))
    return found


# An operator's repair of a ledger with an entry that can't be read, or counted.

CHANNEL = "repair"


class NoRepair(ValueError):
    """The repair can't be done; the text says why and what to do instead."""


@dataclass(frozen=True, slots=True)
class RepairUnit(game_units.PlainUnit):
    """Annuls entries of a ledger of these texts, as a unit of the writer.

    ``swaps_colours``: the players change sides with it, as an entry that goes, or stands again
    with it, had changed them (FIDE 7.3).
    """

    game_id: int
    texts: tuple[str, ...]
    events: tuple[EntryAnnulled, ...]
    poster: Poster
    swaps_colours: bool

    def run(self, locked: game_units.LockedGame) -> tuple[game_units.Writes, object]:
        """The annulments, the state without the entries, and the letters that tell of it."""
        row, poster = locked.row, self.poster
        if self.swaps_colours:
            row = row.with_colours_changed()
        state = _after(row.terms, self.texts, self.events)
        at = (row.seq + len(self.events), state.position.ply)
        params: dict[str, object] = {"seqs": [str(event.seq) for event in self.events]}
        letters = tuple(
            poster.about_game(AnnulmentNotice, row, to, at, params) for to in (*Side, None)
        )
        due = game_units.due_of(row, state)
        turned = (row.id,) if self.swaps_colours else ()
        written = game_units.Writes(
            events=self.events,
            origin=game_units.Origin(from_us(poster.now_us), None, CHANNEL),
            state=state,
            outbox=letters,
            deadlines=due,
            colours_changed=turned,
        )
        return written, None


def _after(terms: Terms, texts: tuple[str, ...], events: Iterable[EntryAnnulled]) -> GameState:
    """The state once these are annulled. Raises EntryFault for what can't have happened then."""
    return replay(terms, load_events((*texts, *map(proven_text, events))))


def _going(terms: Terms, texts: tuple[str, ...], on: date) -> tuple[int, ...]:
    """The entries that can't be read, and those that can't have happened without them."""
    going = set(unread_entries(texts))
    while True:
        try:
            _after(terms, texts, (EntryAnnulled(seq, on) for seq in going))
        except LedgerEntryFault as fault:
            if fault.entry + 1 in going:
                raise NoRepair(f"event {fault.entry + 1}: {fault.what}") from fault
            going.add(fault.entry + 1)
        else:
            return tuple(sorted(going))


async def repair(core: Core, name: str, seqs: Collection[int]) -> None:
    """Annul the entries ``seqs`` of the game ``name``: those that can't be read and those that rest
    on them, no more and no fewer. Raises NoRepair; nothing is changed then.
    """
    row = await core.store.query(game_rows.by_name, name)
    if row is None:
        raise NoRepair(f"there is no game {name}")
    game_id, today = row.id, core.today(row.zone)

    def work(conn: Connection) -> None:
        batch_rows.lock_games(conn, [game_id])
        rows = batch_rows.event_rows(conn, game_id)
        found = batch_rows.find(conn, [game_id], (), ()).games[game_id]
        try:
            links = game_units.links_of(rows, batch_rows.messages_of(conn, game_id))
            starts = game_units.starts_of(found, list_board_players(conn, [game_id]), rows)
            verify_chain(game_id, found.terms, links, (found.seq, bytes(found.head)), starts)
        except chain.BrokenChain as broken:
            raise NoRepair(f"{broken}: its chain does not hold, restore a backup") from broken
        texts = tuple(e.body for e in rows)
        going = _going(found.terms, texts, today) if unread_entries(texts) else ()
        if not going:
            raise NoRepair("every entry can be read: nothing is annulled")
        if set(seqs) != set(going):
            call = " ".join(map(str, going))
            raise NoRepair(f"these go, and what rests on them: `kskak repair {name} {call}`")
        events = tuple(EntryAnnulled(seq, today) for seq in going)
        left = load_events((*texts, *map(proven_text, events)))
        swaps = is_swapped(game_units.turns_of(rows)) is not is_swapped(left)
        write_all(conn, [RepairUnit(game_id, texts, events, poster_of(core), swaps)])

    await core.writer.transact(work)
