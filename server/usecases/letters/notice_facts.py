"""Letters not about a single game, from an outbox row: start, lists, leave, sign-in, trouble.

Not for letters about a game (write_letter.py) nor for wording.
"""

from collections.abc import Awaitable, Callable, Iterable
from datetime import date
from zoneinfo import ZoneInfo

from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import LeaveType, Regulation, Side
from kskak.statement.account import account
from mail.game_letters.move_letters import ThreadLetter
from mail.game_letters.no_move_letters import NotSent
from mail.game_letters.time_letters import LeaveTold
from mail.incoming.parse_mail import reply_address
from mail.office_letters import service_letters
from mail.office_letters.bulletins import BulletinLetter
from mail.office_letters.entry_letters import EntryLetter, JoinLetter, WaysChanged
from mail.office_letters.league_letters import LeagueLetter
from mail.office_letters.service_letters import DutyLetter, LeaderLetter, PauseProposal
from mail.text import letter_facts as facts
from server.store import cup as cup_rows
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.groups import GroupRow, SeatRow
from server.store.mail.outbox import OutboxRow
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.game_lists import TableGameRow
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.account.signin import ACCOUNT
from server.usecases.context import Core
from server.usecases.entries.entry_letter_facts import entry_letter
from server.usecases.games.outbox_letters import LetterKind
from server.usecases.games.reply_keys import ReplyPosition, make_key
from server.usecases.groups.leader_letter import to_all
from server.usecases.letter_facts import (
    ALARMS,
    NoLetter,
    Params,
    day,
    game_of,
    leader,
    official,
    params_of,
    person,
    refusal_of,
    text,
    texts,
)
from server.usecases.play.delayed_moves import not_sent
from server.usecases.play.private_notes import thread_letter
from server.usecases.reflection.leave import days_left
from server.usecases.reflection.leave_year import load_leave_report
from server.usecases.reflection.outages import proposal_letter
from server.usecases.register.join_requests import join_letter
from server.usecases.results.bulletins import BULLETINS
from server.usecases.results.publishing import DUTIES
from server.usecases.season.league_letters import LEAGUE

# Letters not about a single position, whose facts are looked up by what their row names.

Plain = (
    EntryLetter
    | JoinLetter
    | LeagueLetter
    | ThreadLetter
    | NotSent
    | LeaveTold
    | LeaderLetter
    | PauseProposal
)

PLAIN: dict[LetterKind, Callable[[Core, PersonRow, Params], Awaitable[Plain]]] = {
    LetterKind.ENTRY: entry_letter,
    LetterKind.JOIN: join_letter,
    LetterKind.THREAD: thread_letter,
    LetterKind.NOT_SENT: not_sent,
    LetterKind.LEAVE_TOLD: load_leave_report,
    LetterKind.TO_ALL: to_all,
    LetterKind.OUTAGE: proposal_letter,
    **LEAGUE,
}


# Letters not about a single game, from an outbox row: start, lists, leave, sign-in, trouble.

Named = tuple[tuple[str, facts.OfficialContact], ...]


def group_facts(
    core: Core, group: GroupRow, tl: PersonRow, cup_round: str | None = None
) -> facts.GroupFacts:
    """A group as its start letter names it (§ 6.5.2.1)."""
    return facts.GroupFacts(
        name=group.name,
        tournament=group.tournament,
        class_title=group.class_,
        regulation=Regulation(group.regulation),
        laws=group.laws,
        edition=group.edition,
        start=date.fromisoformat(group.start),
        leader=leader(tl),
        zone=group.zone,
        fen=group.fen,
        regulation_url=group.regulation_url,
        url=core.url(f"/groups/{group.name}"),
        server_files_claims=group.claims == "server",
        seed=group.seed,
        cup_round=cup_round,
    )


async def _start(
    core: Core, reader: PersonRow, params: Params, _: OutboxRow
) -> service_letters.NoticeLetter:
    return await start_letter(core, reader, text(params, "group"))


async def start_letter(core: Core, reader: PersonRow, name: str) -> service_letters.StartLetter:
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
    told = group_facts(core, group, people[group.tl_id], None if cup is None else cup.stage)
    seen = (row for row in rows if {row.white_id, row.black_id} <= met)
    rounds = _rounds(seen, numbers)
    reader_facts = person(reader)
    return service_letters.StartLetter(
        reader_facts, told, entrants, pairings, core.command_address, rounds
    )


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


async def own_game(core: Core, row: GameRow, reader: PersonRow) -> facts.OwnGameFacts:
    """One of the reader's running games, with a fresh reply address."""
    async with core.store.read() as conn:
        group = await group_rows.find(conn, row.group_id)
        history = await game_rows.history(conn, row.id)
        people = await person_rows.by_ids(conn, (row.tl_id, row.white_id, row.black_id))
    side = row.side_of(reader.id)
    assert group is not None and side is not None
    events, today = game_rows.read_events(history), core.today(row.zone)
    found = account(row.terms, events, today, is_decided=True)
    state, running = found.state, found.running
    mine = state.to_move is side
    settings = core.settings.mail
    key = make_key(core.secret, ReplyPosition(row.id, state.position.ply, side))
    flag_on = None if running is None else running.flag_on
    live = found.live.days if found.live is not None and mine else 0
    return facts.OwnGameFacts(
        game=game_of(core, row, group, people),
        side=side,
        is_to_move=mine,
        last=facts.row_text(found.rows[-1]) if found.rows else None,
        reply_to=reply_address(settings.local, key, settings.domain) if mine else None,
        days_used=state.clock(side).total + live,
        limit=state.limit_of(side),
        answer_by=flag_on - ONE_DAY if flag_on is not None and mine else None,
        rests=state.rests,
    )


async def _games(
    core: Core, reader: PersonRow, params: Params, _: OutboxRow
) -> service_letters.NoticeLetter:
    async with core.store.read() as conn:
        rows = await game_rows.list_person_games(conn, reader.id, running=True)
    games = [await own_game(core, row, reader) for row in rows]
    games.sort(key=lambda game: (not game.is_to_move, game.answer_by or date.max))
    asked = service_letters.GameListRequest(text(params, "asked"))
    told = tuple(games)
    return service_letters.GameListFacts(
        person(reader), told, asked, core.command_address, official(core)
    )


async def _leave_confirmed(
    core: Core, reader: PersonRow, params: Params, _: OutboxRow
) -> service_letters.NoticeLetter:
    first, last = day(params, "first"), day(params, "last")
    names = texts(params, "groups")
    leave_type = LeaveType(text(params, "type") if "type" in params else LeaveType.PERSONAL)
    async with core.store.read() as conn:
        rows = await game_rows.list_person_games(conn, reader.id, running=True)
        groups = await _with_leaders(conn, names)
    left = [
        days_left(row, reader.id, first, leave_type)
        for row in rows
        if row.name.rpartition("/")[0] in names
    ]
    return service_letters.LeaveConfirmed(
        reader=person(reader),
        first=first,
        last=last,
        leave_type=leave_type,
        groups=groups,
        days_left=min((days for days in left if days is not None), default=None),
        official=official(core),
        until=day(params, "until") if "until" in params else None,
    )


async def _with_leaders(conn: AsyncConnection, names: Iterable[str]) -> Named:
    """Groups by name, each with its leader (§ 6.1.1)."""
    found = [group for name in names if (group := await group_rows.by_name(conn, name))]
    people = await person_rows.by_ids(conn, [group.tl_id for group in found])
    return tuple((group.name, leader(people[group.tl_id])) for group in found)


async def _leave_refused(
    core: Core, reader: PersonRow, params: Params, _: OutboxRow
) -> service_letters.NoticeLetter:
    refusal = refusal_of({**params, "why": text(params, "reason")})
    days = (day(params, "first"), day(params, "last"))
    async with core.store.read() as conn:
        groups = await _with_leaders(conn, texts(params, "groups"))
    return service_letters.LeaveRefused(person(reader), *days, refusal, official(core), groups)


async def _trouble(
    core: Core, reader: PersonRow, params: Params, _: OutboxRow
) -> service_letters.NoticeLetter:
    player_id = params.get("player")
    async with core.store.read() as conn:
        player = (
            await person_rows.find_person(conn, player_id) if isinstance(player_id, int) else None
        )
    if player is None:
        raise NoLetter("no such player")
    return service_letters.DeliveryTrouble(
        leader=leader(reader),
        player=person(player),
        games=tuple(texts(params, "games")),
        since=day(params, "since"),
        reason=text(params, "reason"),
        is_final=params.get("is_trying") is not True,
        is_report=params.get("is_report") is True,
        official=official(core),
    )


async def _sign_in(
    core: Core, reader: PersonRow, params: Params, _: OutboxRow
) -> service_letters.NoticeLetter:
    expires_us = params.get("expires_us")
    if not isinstance(expires_us, int):
        raise NoLetter("expires_us")
    expires = from_us(expires_us).astimezone(ZoneInfo(core.settings.clock.zone))
    return service_letters.SignIn(person(reader), text(params, "link"), expires, official(core))


Noticed = service_letters.NoticeLetter | DutyLetter | BulletinLetter | Plain | WaysChanged
_Make = Callable[[Core, PersonRow, Params, OutboxRow], Awaitable[Noticed]]
_NOTICES: dict[LetterKind, _Make] = {
    LetterKind.START: _start,
    LetterKind.GAMES: _games,
    LetterKind.LEAVE_CONFIRMED: _leave_confirmed,
    LetterKind.LEAVE_REFUSED: _leave_refused,
    LetterKind.TROUBLE: _trouble,
    LetterKind.SIGN_IN: _sign_in,
    **DUTIES,
    **BULLETINS,
    **ACCOUNT,
    **ALARMS,
}


async def notice(core: Core, letter: OutboxRow, reader: PersonRow) -> Noticed:
    """The letter a row stands for. Raises NoLetter."""
    kind = LetterKind(letter.kind)
    plain = PLAIN.get(kind)
    if plain is not None:
        return await plain(core, reader, params_of(letter))
    make = _NOTICES.get(kind)
    if make is None:
        raise NoLetter(letter.kind)
    return await make(core, reader, params_of(letter), letter)
