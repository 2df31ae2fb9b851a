"""Outgoing mail: each letter written from the facts of its day, and which letters wait or end.

Notices that the regulation requires (rulings, silence, claims, leave, time), answers to a mail and
questions are never held: only the relay of the opponent's move, and the confirmation of one's own
move made on the web. When a letter arrives changes nobody's days: the move counts from its sending
(§ 6.3.2.1, § 6.8.6), and a daily letter is sent before the following day is over. Reading: a daily
letter delayed in transit moves no day of receipt, since its reader chose to check for himself; one
that does not arrive is told, and may stop his time, as a relay (§ 6.8.2, mail/bounces.py).

Not for wording (mail.game_letters, mail.office_letters) nor for sending (the outbox job).
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import partial
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from kskak.play.events_in_force import was_set_back
from kskak.regulation.days import local_day
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import Account, account
from mail.compose import LETTERS, Draft, compose_all, compose_each, compose_safely
from mail.game_letters.letter_parts import Letter, plain
from mail.game_letters.move_letters import Confirmation, Relay
from mail.game_letters.time_letters import Digest
from mail.incoming.parse_mail import reply_address, return_path
from mail.office_letters.entry_letters import JoinLetter
from mail.office_letters.service_letters import Unwritten
from mail.office_letters.start_letters import GameListFacts, GameListRequest, StartLetter
from mail.outgoing.envelope import Envelope
from mail.text import letter_facts as facts
from mail.text.catalogue import Words
from mail.text.letter_facts import OwnGameFacts, RelayedDispatch
from server.store import cup as cup_rows
from server.store import groups as group_rows
from server.store.cases.publications import list_dead
from server.store.engine.connection import DATABASE_ERRORS, StoreError
from server.store.engine.rows import AnyRow, from_us, to_us
from server.store.groups import GroupRow, SeatRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox, OutboxRow
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import requests as request_rows
from server.store.play.game_lists import TableGameRow
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.requests import ConfirmationRow
from server.usecases import game_letters, office, rights
from server.usecases.account import signin
from server.usecases.cases import case_letter_facts
from server.usecases.context import Core, poster_of
from server.usecases.cup import cup_views
from server.usecases.desks import desk_overview
from server.usecases.entries import entry_actions, player_entering
from server.usecases.games.outbox_letters import (
    QUESTIONED,
    TERM_US,
    ReplyPosition,
    bounce_token,
    is_elsewhere,
    make_key,
    read_unsubscribe_token,
    unsubscribe_token,
)
from server.usecases.groups import leader_letter
from server.usecases.letter_facts import (
    GAME_LOADERS,
    LOADERS,
    GameFacts,
    NoLetter,
    Params,
    ReaderDied,
    game_facts,
    leader,
    letter_game,
    loads,
    official,
    person,
    read_digest_events,
    text,
)
from server.usecases.mail import bounces
from server.usecases.play import private_side
from server.usecases.postal import scans
from server.usecases.preferences import Pace, read, read_people_preferences
from server.usecases.reflection import leave, leave_year, silence_and_outages
from server.usecases.register import join_requests, member_facts
from server.usecases.regulation import paragraphs
from server.usecases.results import bulletins, publishing
from server.usecases.season import season_views, team_entering
from server.usecases.starts import friends, takeover

_log = logging.getLogger(__name__)

MORNING = time(7)
"""When the daily letter is written, in the tournaments' time zone."""
MAIL = "mail"
"""The channel of events that came by mail; their confirmation is an answer to that mail."""


def next_morning(now: datetime, zone: str) -> datetime:
    """The next seven o'clock after an instant, in UTC."""
    local = now.astimezone(ZoneInfo(zone))
    day = local.date() + timedelta(days=local.time() >= MORNING)
    return datetime.combine(day, MORNING, ZoneInfo(zone)).astimezone(UTC)


async def sort_out(core: Core, claimed: Sequence[OutboxRow]) -> tuple[OutboxRow, ...]:
    """The letters to send now; the others are durably put off or left out."""
    passing = [row for row in claimed if row.kind in (Relay.kind, Confirmation.kind)]
    if not passing:
        return tuple(claimed)
    paces = await core.store.look(lambda conn: _paces(conn, passing))
    if not paces:
        return tuple(claimed)
    later = [row.id for row in passing if paces.get(row.id) is Pace.DAILY]
    never = [row.id for row in passing if paces.get(row.id) is Pace.DEADLINES]
    until = to_us(next_morning(core.clock.now(), core.settings.clock.zone))
    async with core.store.write() as conn:
        await outbox_rows.put_off_held_letter(conn, later, until)
        await outbox_rows.leave_out(conn, never, core.now_us)
    return tuple(row for row in claimed if row.id not in paces)


def _paces(conn: Connection, passing: Iterable[OutboxRow]) -> dict[int, Pace]:
    """Which of these letters do not go at once, with the pace their reader chose."""
    chosen = read_people_preferences(
        conn, {row.person_id for row in passing if row.person_id is not None}
    )
    slow = {who: held.letters for who, held in chosen.items() if held.letters is not Pace.MOVES}
    found = [row for row in passing if row.person_id in slow]
    own = [row for row in found if row.kind == Confirmation.kind]
    channels = outbox_rows.channels_of(conn, {_moment(row) for row in own})
    at_once = {row.id for row in own if channels.get(_moment(row)) == MAIL}
    return {row.id: slow[row.person_id or 0] for row in found if row.id not in at_once}


def _moment(row: OutboxRow) -> tuple[int, int]:
    assert row.game_id is not None and row.seq is not None  # every letter about a game has both
    return row.game_id, row.seq


async def gather(core: Core) -> int:
    """Write the daily letters due, each in one transaction with all it reports; how many."""
    now_us, count = core.now_us, 0
    for reader in await core.store.look(lambda conn: outbox_rows.readers_due(conn, now_us)):
        try:
            async with core.store.write() as conn:
                held = await outbox_rows.take(conn, reader, now_us)
                if held:
                    await outbox_rows.enqueue(conn, [_letter(core, reader, held)])
                    count += 1
        except Exception:  # all other letters come after it
            _log.exception("the daily letter to person %s is not written", reader)
    return count


def _letter(core: Core, reader: int, held: Sequence[AnyRow]) -> NewOutbox:
    params: dict[str, object] = {"told": [[one.game_id, one.seq] for one in held]}
    unique = f"{held[0].id}.{held[-1].id}"
    return poster_of(core).to_person(Digest, reader, unique, params)


SETTINGS = "/settings/letters"


@loads(Digest)
async def _digest(core: Core, reader: PersonRow, params: Params) -> Digest:
    """A reader's daily letter. Raises NoLetter when none of its games can be told of any more."""
    games = []
    for game_id, seqs in read_digest_events(params.row).items():
        try:
            games.append(await _game(core, params.row, game_id, seqs))
        except NoLetter:
            continue
    if not games:
        raise NoLetter("nothing to tell")
    games.sort(key=_urgency)
    return Digest(reader.name, official(core), tuple(games), core.url(SETTINGS))


def _urgency(one: OwnGameFacts) -> tuple[bool, date]:
    running = one.account.running
    flag_on = None if running is None else running.flag_on
    return one.reply_to is None, flag_on or date.max


async def _game(core: Core, letter: OutboxRow, game_id: int, seqs: Iterable[int]) -> OwnGameFacts:
    row = await core.store.query(game_rows.load, game_id)
    if row is None:
        raise NoLetter("no such game")
    now = await game_facts(core, replace(letter, game_id=game_id, seq=row.seq))
    passed = []
    for seq in seqs:
        then = await game_facts(core, replace(letter, game_id=game_id, seq=seq))
        dispatch = then.dispatch()
        if dispatch is not None and then.side is now.side:  # else void since: FIDE 7.3
            passed.append(RelayedDispatch(dispatch, then.account, then.message))
    reply_to = _address(core, game_id, now.side, now.account)
    return OwnGameFacts(now.game, now.side, now.account, reply_to, tuple(passed))


def _address(core: Core, game_id: int, side: Side, known: Account) -> str | None:
    """Where who is to move answers; None for who is not."""
    if known.state.to_move is not side:
        return None
    position, settings = ReplyPosition(game_id, known.state.position.ply, side), core.settings.mail
    return reply_address(settings.local, make_key(core.secret, position), settings.domain)


# Ending letters that nobody has to get, by a link in them: no sign-in, one press (RFC 8058).


class Series(StrEnum):
    """Letters that can be ended together: word of the opponent's moves, the daily letter that
    gathers it, the bulletins, or what ended of whom one follows.

    ``MOVES`` is in no header any more: its links are in letters sent before.
    """

    MOVES = "moves"
    DAILY = "daily"
    BULLETINS = "bulletins"
    FOLLOWED = "followed"


def link_to_end(core: Core, series: Series, person_id: int) -> str:
    """The address that ends them for a person; whoever has it got one of them."""
    return core.url(f"/unsubscribe/{series}/{unsubscribe_token(core.secret, person_id)}")


async def reader_of(core: Core, token: str) -> PersonRow | None:
    """Whose letters a link ends; None for a link that we did not make."""
    person_id = read_unsubscribe_token(core.secret, token)
    if person_id is None:
        return None
    return await core.store.look(lambda conn: person_rows.by_id(conn, person_id))


async def end(core: Core, series: Series, person: PersonRow) -> None:
    """End them; repeating it is harmless. Reminders of the time control still come.

    An old link to end the daily letter ends nothing else, for who gets each move at once now.
    """
    if series is Series.BULLETINS:
        await bulletins.wants(core, person, it=False)
    elif series is Series.FOLLOWED:
        await friends.follow_none(core, person)
    elif (
        series is Series.MOVES
        or (await signin.read_preferences(core, person.id)).letters is Pace.DAILY
    ):
        await signin.keep(core, person, {"letters": Pace.DEADLINES.value})


def group_facts(
    core: Core, group: GroupRow, tl: PersonRow, cup_round: str | None = None
) -> facts.GroupFacts:
    """A group as its start letter names it (§ 6.5.2.1)."""
    return facts.GroupFacts(
        name=group.name,
        tournament=group.tournament,
        leader=leader(tl, group.class_),
        zone=group.zone,
        url=core.url(f"/groups/{group.name}"),
        class_title=group.class_,
        regulation=Regulation(group.regulation),
        laws=group.laws,
        edition=group.edition,
        start=date.fromisoformat(group.start),
        fen=group.fen,
        regulation_url=group.regulation_url or core.url("/regulation"),
        paper_url=core.url("/regulation.pdf") if group.regulation == Regulation.POSTAL else None,
        server_files_claims=group.claims == "server",
        seed=group.seed,
        cup_round=cup_round,
    )


@loads(StartLetter)
async def _start(core: Core, reader: PersonRow, params: Params) -> StartLetter:
    return await start_letter(core, reader, text(params, "group"))


async def start_letter(core: Core, reader: PersonRow, name: str) -> StartLetter:
    """A group's start letter to one reader (§ 6.5.2.1). Raises NoLetter for an unknown group."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        if group is None:
            raise NoLetter("no such group")
        seats = await group_rows.seats_of(conn, group.id)
        own_round = await cup_rows.rounds_of(conn, [group.id] if group.class_ == "cup" else [])
        cup = own_round.get(group.id)
        rows = (await game_lists.in_tables(conn, [group.id]))[group.id]
        people = await person_rows.by_ids(conn, [s.person_id for s in seats] + [group.tl_id])
        by_post = seats if group.regulation == Regulation.POSTAL else ()
        kept = await person_rows.postal_addresses_of(conn, [s.person_id for s in by_post])
    numbers = {seat.person_id: seat.number for seat in seats}
    mine = [row for row in rows if reader.id in (row.white_id, row.black_id)]
    met = _met(reader, group, seats, mine)
    entrants = tuple(
        facts.EntrantFacts(
            s.number,
            person(people[s.person_id]),
            s.club,
            s.k_rating or s.rating,
            kept[s.person_id].text.replace("\n", ", ") if s.person_id in kept else None,
        )
        for s in seats
        if s.person_id in met
    )
    pairings = tuple(
        facts.PairingFacts(row.name, Side.WHITE, numbers[row.black_id])
        if row.white_id == reader.id
        else facts.PairingFacts(row.name, Side.BLACK, numbers[row.white_id])
        for row in mine
    )
    of_group = group_facts(core, group, people[group.tl_id], None if cup is None else cup.stage)
    seen = (row for row in rows if {row.white_id, row.black_id} <= met)
    rounds = _rounds(seen, numbers)
    return StartLetter(reader.name, of_group, entrants, pairings, core.command_address, rounds)


def _met(
    reader: PersonRow, group: GroupRow, seats: Iterable[SeatRow], mine: Iterable[TableGameRow]
) -> set[int]:
    """Whom a start letter names: the group, or for a league player his own board (§ 6.7.4.2).

    An official has no games in the group and sees everybody.
    """
    met = {each for row in mine for each in (row.white_id, row.black_id)}
    if group.class_ == "league" and met:
        return met
    return {reader.id, *(seat.person_id for seat in seats)}


def _rounds(
    rows: Iterable[TableGameRow], numbers: dict[int, int]
) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """All colours by round: White's number, Black's (§ 6.5.2.1)."""
    plan: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        plan.setdefault(row.round, []).append((numbers[row.white_id], numbers[row.black_id]))
    return tuple((number, tuple(sorted(plan[number]))) for number in sorted(plan))


async def own_game(core: Core, row: GameRow, reader: PersonRow) -> OwnGameFacts:
    """One of the reader's running games, with a fresh reply address."""
    async with core.store.read() as conn:
        game = await letter_game(core, conn, row)
        history = await game_rows.history(conn, row.id)
    side = row.side_of(reader.id)
    assert side is not None
    events, today = game_rows.read_events(history), core.today(row.zone)
    found = account(row.terms, events, today, is_decided=True)
    return OwnGameFacts(game, side, found, _address(core, row.id, side, found))


@loads(GameListFacts)
async def _games(core: Core, reader: PersonRow, params: Params) -> GameListFacts:
    rows = await core.store.query(game_rows.list_person_games, reader.id, running=True)
    games = [await own_game(core, row, reader) for row in rows]
    games.sort(key=_urgency)
    asked, commands = GameListRequest(text(params, "asked")), core.command_address
    return GameListFacts(reader.name, official(core), tuple(games), asked, commands)


SENDER_NAME = "K-skak"
_LONGEST_NAME = 200
AREAS = (
    *(bounces, bulletins, case_letter_facts, cup_views, entry_actions, friends, game_letters),
    player_entering,
    *(join_requests, leader_letter, season_views, leave, leave_year, member_facts),
    *(silence_and_outages, private_side, publishing, rights, scans, signin, takeover),
    *(team_entering, office, desk_overview),
)
"""Where the facts of letters are read: a module registers its own when it is imported."""
PASSES = (StoreError, *DATABASE_ERRORS)
"""No fault of a letter: it is tried again."""


@dataclass(frozen=True, slots=True)
class FinishedLetter:
    """A mail ready to go: its octets, its envelope sender, its recipient.

    ``trouble``: why it goes out in a plainer form than intended; '' when it does not.
    """

    raw: bytes
    sender: str
    recipient: str
    trouble: str = ""


async def _reader(core: Core, letter: OutboxRow) -> tuple[PersonRow, Words]:
    """The recipient, and the words in the language and style that the recipient prefers.

    Somebody asking to join has no row yet.
    """
    if letter.person_id is None and letter.kind == JoinLetter.kind:
        new = await join_requests.asker(core, letter)
        return new, Words.reaching(new.lang)
    if letter.person_id is None:
        raise NoLetter("nobody to write to")
    of = letter.person_id

    def found(conn: Connection) -> tuple[PersonRow | None, dict[str, str], bool]:
        kept = dict(person_rows.read_person_preferences(conn, of))
        return person_rows.by_id(conn, of), kept, bool(list_dead(conn, [of]))

    reader, kept, is_dead = await core.store.look(found)
    if reader is None:
        raise NoLetter("no such person")
    if is_dead:
        raise ReaderDied(str(of))
    chosen = read(kept.items())
    words = Words.reaching(reader.lang).wishing(chosen.writing, leads="writing" in kept)
    return reader, replace(words, board=(chosen.pieces.value, chosen.board.value))


_Read = tuple[GameFacts | None, Callable[[], Draft]]
"""A letter of which all is read: its game, if it is about one, and how it is drafted."""


def _answer_to(core: Core, letter: OutboxRow, found: GameFacts) -> str | None:
    """Where a player's move goes; None for the leader and when the game is over.

    A letter that asks something has an address of its own: a «ja» is to that question alone. So has
    one of a game that was set back: an answer is to the position as it is now.
    """
    if found.reader is None or found.state.result is not None:
        return None
    settings, position = core.settings.mail, found.state.position
    key = make_key(core.secret, ReplyPosition(found.row.id, position.ply, found.reader))
    is_own = not {"key", QUESTIONED}.isdisjoint(Params(letter)) or was_set_back(found.events)
    return reply_address(settings.local, key, settings.domain, letter.id if is_own else None)


async def _read(core: Core, letter: OutboxRow) -> _Read:
    """All that a letter is written from. Its game is not played out yet."""
    reader, words = await _reader(core, letter)
    params = Params(letter)
    if letter.kind not in GAME_LOADERS:
        made = await LOADERS[letter.kind](core, reader, params)
        headers = _envelope(core, letter, reader, made)
        return None, lambda: (made, words, headers)
    found = await game_facts(core, letter)
    root = await core.store.query(outbox_rows.first_sent, letter)

    asked = await core.store.query(
        request_rows.list_waiting, found.row.id, reader.id, letter.created_us
    )

    def draft() -> Draft:
        made = GAME_LOADERS[letter.kind](core, found, params)
        envelope = _envelope(core, letter, reader, made)
        reply_to, waits = _answer_to(core, letter, found), _waiting(letter, found, asked)
        return made, words, replace(envelope, reply_to=reply_to, thread_root=root, waits=waits)

    return found, draft


def _waiting(
    letter: OutboxRow, found: GameFacts, asked: Sequence[ConfirmationRow]
) -> tuple[tuple[str, date], ...]:
    """What earlier letters asked the reader that he has not answered, while it can be answered."""
    if found.reader is None or not {"key", QUESTIONED}.isdisjoint(Params(letter)):
        return ()  # a letter that asks is about its own question
    ply = found.state.position.ply
    return tuple(
        (one.kind, local_day(from_us(one.sent_us), found.row.zone))
        for one in asked
        if one.expires_us - TERM_US < letter.created_us
        if is_elsewhere(one) or one.ply == ply
    )


async def _all_read(core: Core, letters: Sequence[OutboxRow]) -> list[_Read | Exception]:
    """What each letter is written from, or why it has none."""
    found: list[_Read | Exception] = []
    for letter in letters:
        try:
            found.append(await _read(core, letter))
        except Exception as error:
            found.append(error)
    return found


async def _drafts(core: Core, letters: Sequence[OutboxRow]) -> list[_Read | Exception]:
    """The same in one reading; if the database has none, that is every letter's trouble."""
    try:
        return await core.store.reading(partial(_all_read, core, letters))
    except PASSES as error:
        return [error for _ in letters]


def _played(read: _Read) -> _Read:
    """The same with its game played out, which is half of the work where it is long."""
    if read[0] is not None:
        read[0].play()
    return read


def _composed(drafts: Sequence[_Read | Exception]) -> list[FinishedLetter | Exception]:
    """The letters of those that have one; all games are played out first."""
    made = compose_all(compose_each(lambda read: read[1](), compose_each(_played, drafts)))
    return compose_each(
        lambda one: FinishedLetter(one.raw, one.envelope.bounce_to, one.envelope.to, one.trouble),
        made,
    )


async def write_letters(
    core: Core, letters: Sequence[OutboxRow]
) -> list[FinishedLetter | Exception]:
    """Compose letters, in a plainer form where a fault of ours leaves no other way.

    All are read, and then composed: a processor keeps the code of either at hand. In place of a
    letter NoLetter when there is nothing to tell or nobody to tell it to, what the database or the
    system refused for now, or what kept even the plainer form from being written.
    """
    drafts = await _drafts(core, letters)
    for at, draft in enumerate(drafts):
        # PostgreSQL answers nothing after a failure: those after it are read by themselves.
        if isinstance(draft, PASSES):
            drafts[at : at + 1] = await _drafts(core, letters[at : at + 1])
    # Drawing a new diagram takes tens of milliseconds: keep it off the event loop.
    made = await asyncio.to_thread(_composed, drafts)
    return [
        await _plainly(core, letter, one)
        if isinstance(one, Exception) and not isinstance(one, (NoLetter, *PASSES))
        else one
        for letter, one in zip(letters, made, strict=True)
    ]


async def _plainly(core: Core, letter: OutboxRow, trouble: Exception) -> FinishedLetter | Exception:
    """A mail with a link to what the letter should have said, and nothing that could fail."""
    _log.error("letter %s goes out in a plainer form", letter.id, exc_info=trouble)
    try:
        reader, words = await _reader(core, letter)
        game = None
        if letter.game_id is not None:
            game = await core.store.query(game_rows.load, letter.game_id)
        link = core.url("/" if game is None else f"/games/{game.id}")
        about = None if game is None else game.name
        plain_letter = Unwritten(reader.name, official(core), about, link)
        envelope = _envelope(core, letter, reader, plain_letter)
        raw, _ = await asyncio.to_thread(compose_safely, plain_letter, words, envelope)
    except Exception as error:
        return error
    return FinishedLetter(
        raw, envelope.bounce_to, envelope.to, f"{type(trouble).__name__}: {trouble}"
    )


def _envelope(core: Core, letter: OutboxRow, reader: PersonRow, composed: Letter) -> Envelope:
    """The headers; of a letter about a game not those that depend on how it stands."""
    settings, kind = core.settings.mail, LETTERS[letter.kind]
    series = None if kind.series is None else Series(kind.series)
    bounce_to = return_path(settings.local, bounce_token(core.secret, letter.id), settings.domain)
    root = None if composed.thread is None else f"<{composed.thread}.{reader.id}@{settings.domain}>"
    return Envelope(
        sender_name=plain(composed.sender_name or "")[:_LONGEST_NAME] or SENDER_NAME,
        sender=core.command_address,
        to_name=plain(reader.name)[:_LONGEST_NAME] or SENDER_NAME,
        to=letter.to_addr or reader.email,  # a warning goes to the old address
        message_id=letter.message_id,
        date=from_us(letter.created_us),
        bounce_to=bounce_to,
        loop=settings.domain,
        reply_to=composed.reply_to or (core.command_address if composed.takes_commands else None),
        thread_root=root,
        is_answer=kind.is_answer,
        unsubscribe=None if series is None else link_to_end(core, series, reader.id),
        law=core.url("/regulation") if paragraphs() else "",
    )
