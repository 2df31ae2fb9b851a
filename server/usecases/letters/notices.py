"""Letters not about a single game, from an outbox row: start, lists, leave, sign-in, trouble.

Not for letters about a game (game_letters.py) nor for wording.
"""

from collections.abc import Awaitable, Callable, Iterable
from datetime import date
from zoneinfo import ZoneInfo

from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import LeaveType, Regulation, Side
from kskak.statement.account import account
from mail.incoming.address import reply_address
from mail.office_letters import notice_facts as nt
from mail.office_letters.account import WaysChanged
from mail.office_letters.bulletin_facts import BulletinLetter
from mail.office_letters.duties import DutyLetter
from mail.text import facts
from server.store.cup import rounds as cup_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import CrossRow, GroupRow, SeatRow
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import postal_addresses as address_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.account.account_letters import ACCOUNT
from server.usecases.core.alarms import ALARMS
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, game_of, leader, official, person
from server.usecases.core.letter_params import Params, day, params_of, refusal_of, text, texts
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.reply_keys import Position, make_key
from server.usecases.letters.plain_notices import PLAIN, Plain
from server.usecases.reflection.leave import days_left
from server.usecases.results.bulletin_letters import BULLETINS
from server.usecases.results.letters import DUTIES

Named = tuple[tuple[str, facts.Official], ...]


def group_facts(
    core: Core, group: GroupRow, tl: PersonRow, cup_round: str | None = None
) -> facts.Group:
    """A group as its start letter names it (§ 6.5.2.1)."""
    return facts.Group(
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


async def _start(core: Core, reader: PersonRow, params: Params, _: OutboxRow) -> nt.NoticeLetter:
    return await start_letter(core, reader, text(params, "group"))


async def start_letter(core: Core, reader: PersonRow, name: str) -> nt.StartLetter:
    """A group's start letter to one reader (§ 6.5.2.1). Raises NoLetter for an unknown group."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        if group is None:
            raise NoLetter("no such group")
        seats = await group_rows.seats_of(conn, group.id)
        cup = await cup_rows.round_of(conn, group.id) if group.class_ == "cup" else None
        rows = await group_rows.crosstable(conn, group.id)
        people = await person_rows.by_ids(conn, [s.person_id for s in seats] + [group.tl_id])
        posted = group.regulation == Regulation.POSTAL
        kept = await address_rows.of_people(conn, [s.person_id for s in seats] if posted else [])
    numbers = {seat.person_id: seat.number for seat in seats}
    mine = [row for row in rows if reader.id in (row.white_id, row.black_id)]
    met = _met(reader, group, seats, mine)
    entrants = tuple(
        facts.Entrant(
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
        facts.Pairing(row.name, Side.WHITE, numbers[row.black_id])
        if row.white_id == reader.id
        else facts.Pairing(row.name, Side.BLACK, numbers[row.white_id])
        for row in mine
    )
    told = group_facts(core, group, people[group.tl_id], None if cup is None else cup.stage)
    seen = (row for row in rows if {row.white_id, row.black_id} <= met)
    rounds = _rounds(seen, numbers)
    reader_facts = person(reader)
    return nt.StartLetter(reader_facts, told, entrants, pairings, core.command_address, rounds)


def _met(
    reader: PersonRow, group: GroupRow, seats: Iterable[SeatRow], mine: Iterable[CrossRow]
) -> set[int]:
    """Whom a start letter names: the group, or for a league player his own board (§ 6.7.4.2).

    An official has no games in the group and sees everybody.
    """
    met = {each for row in mine for each in (row.white_id, row.black_id)}
    if group.class_ == "league" and met:
        return met
    return {reader.id, *(seat.person_id for seat in seats)}


def _rounds(
    rows: Iterable[CrossRow], numbers: dict[int, int]
) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """All colours by round: White's number, Black's (§ 6.5.2.1)."""
    plan: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        plan.setdefault(row.round, []).append((numbers[row.white_id], numbers[row.black_id]))
    return tuple((number, tuple(sorted(plan[number]))) for number in sorted(plan))


async def own_game(core: Core, row: GameRow, reader: PersonRow) -> facts.OwnGame:
    """One of the reader's running games, with a fresh reply address."""
    async with core.store.read() as conn:
        group = await group_rows.find(conn, row.group_id)
        history = await game_rows.history(conn, row.id)
        people = await person_rows.by_ids(conn, (row.tl_id, row.white_id, row.black_id))
    side = row.side_of(reader.id)
    assert group is not None and side is not None
    events, today = game_rows.events_of(history), core.today(row.zone)
    found = account(row.terms, events, today, is_decided=True)
    state, running = found.state, found.running
    mine = state.to_move is side
    settings = core.settings.mail
    key = make_key(core.secret, Position(row.id, state.position.ply, side))
    flag_on = None if running is None else running.flag_on
    live = found.live.days if found.live is not None and mine else 0
    return facts.OwnGame(
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


async def _games(core: Core, reader: PersonRow, params: Params, _: OutboxRow) -> nt.NoticeLetter:
    async with core.store.read() as conn:
        rows = await game_rows.of_person(conn, reader.id, running=True)
    games = [await own_game(core, row, reader) for row in rows]
    games.sort(key=lambda game: (not game.is_to_move, game.answer_by or date.max))
    asked = nt.Asked(text(params, "asked"))
    told = tuple(games)
    return nt.GameList(person(reader), told, asked, core.command_address, official(core))


async def _leave_confirmed(
    core: Core, reader: PersonRow, params: Params, _: OutboxRow
) -> nt.NoticeLetter:
    first, last = day(params, "first"), day(params, "last")
    names = texts(params, "groups")
    leave_type = LeaveType(text(params, "type") if "type" in params else LeaveType.PERSONAL)
    async with core.store.read() as conn:
        rows = await game_rows.of_person(conn, reader.id, running=True)
        groups = await _with_leaders(conn, names)
    left = [
        days_left(row, reader.id, first, leave_type)
        for row in rows
        if row.name.rpartition("/")[0] in names
    ]
    return nt.LeaveConfirmed(
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
) -> nt.NoticeLetter:
    refusal = refusal_of({**params, "why": text(params, "reason")})
    days = (day(params, "first"), day(params, "last"))
    async with core.store.read() as conn:
        groups = await _with_leaders(conn, texts(params, "groups"))
    return nt.LeaveRefused(person(reader), *days, refusal, official(core), groups)


async def _trouble(core: Core, reader: PersonRow, params: Params, _: OutboxRow) -> nt.NoticeLetter:
    player_id = params.get("player")
    async with core.store.read() as conn:
        player = await person_rows.find(conn, player_id) if isinstance(player_id, int) else None
    if player is None:
        raise NoLetter("no such player")
    return nt.DeliveryTrouble(
        leader=leader(reader),
        player=person(player),
        games=tuple(texts(params, "games")),
        since=day(params, "since"),
        reason=text(params, "reason"),
        is_final=params.get("is_trying") is not True,
        is_report=params.get("is_report") is True,
        official=official(core),
    )


async def _sign_in(core: Core, reader: PersonRow, params: Params, _: OutboxRow) -> nt.NoticeLetter:
    expires_us = params.get("expires_us")
    if not isinstance(expires_us, int):
        raise NoLetter("expires_us")
    expires = from_us(expires_us).astimezone(ZoneInfo(core.settings.clock.zone))
    return nt.SignIn(person(reader), text(params, "link"), expires, official(core))


Noticed = nt.NoticeLetter | DutyLetter | BulletinLetter | Plain | WaysChanged
_Make = Callable[[Core, PersonRow, Params, OutboxRow], Awaitable[Noticed]]
_NOTICES: dict[Kind, _Make] = {
    Kind.START: _start,
    Kind.GAMES: _games,
    Kind.LEAVE_CONFIRMED: _leave_confirmed,
    Kind.LEAVE_REFUSED: _leave_refused,
    Kind.TROUBLE: _trouble,
    Kind.SIGN_IN: _sign_in,
    **DUTIES,
    **BULLETINS,
    **ACCOUNT,
    **ALARMS,
}


async def notice(core: Core, letter: OutboxRow, reader: PersonRow) -> Noticed:
    """The letter a row stands for. Raises NoLetter."""
    kind = Kind(letter.kind)
    plain = PLAIN.get(kind)
    if plain is not None:
        return await plain(core, reader, params_of(letter))
    make = _NOTICES.get(kind)
    if make is None:
        raise NoLetter(letter.kind)
    return await make(core, reader, params_of(letter), letter)
