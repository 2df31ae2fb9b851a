"""The start letter and the list of a player's games, from an outbox row. Not for wording."""

from collections.abc import Iterable
from datetime import date

from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import account
from mail.incoming.parse_mail import reply_address
from mail.office_letters.start_letters import GameListFacts, GameListRequest, StartLetter
from mail.text import letter_facts as facts
from server.store import cup as cup_rows
from server.store import groups as group_rows
from server.store.groups import GroupRow, SeatRow
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.game_lists import TableGameRow
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.reply_keys import ReplyPosition, make_key
from server.usecases.letter_facts import (
    NoLetter,
    Params,
    leader,
    letter_game,
    loads,
    official,
    person,
    text,
)


def group_facts(
    core: Core, group: GroupRow, tl: PersonRow, cup_round: str | None = None
) -> facts.GroupFacts:
    """A group as its start letter names it (§ 6.5.2.1)."""
    return facts.GroupFacts(
        name=group.name,
        tournament=group.tournament,
        leader=leader(tl),
        zone=group.zone,
        url=core.url(f"/groups/{group.name}"),
        class_title=group.class_,
        regulation=Regulation(group.regulation),
        laws=group.laws,
        edition=group.edition,
        start=date.fromisoformat(group.start),
        fen=group.fen,
        regulation_url=group.regulation_url,
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
    told = group_facts(core, group, people[group.tl_id], None if cup is None else cup.stage)
    seen = (row for row in rows if {row.white_id, row.black_id} <= met)
    rounds = _rounds(seen, numbers)
    return StartLetter(reader.name, told, entrants, pairings, core.command_address, rounds)


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
        game = await letter_game(core, conn, row)
        history = await game_rows.history(conn, row.id)
    side = row.side_of(reader.id)
    assert side is not None
    events, today = game_rows.read_events(history), core.today(row.zone)
    found = account(row.terms, events, today, is_decided=True)
    state, running = found.state, found.running
    mine = state.to_move is side
    settings = core.settings.mail
    key = make_key(core.secret, ReplyPosition(row.id, state.position.ply, side))
    flag_on = None if running is None else running.flag_on
    live = found.live.days if found.live is not None and mine else 0
    return facts.OwnGameFacts(
        game=game,
        side=side,
        is_to_move=mine,
        last=facts.row_text(found.rows[-1]) if found.rows else None,
        reply_to=reply_address(settings.local, key, settings.domain) if mine else None,
        days_used=state.clock(side).total + live,
        limit=state.limit_of(side),
        answer_by=flag_on - ONE_DAY if flag_on is not None and mine else None,
        rests=state.rests,
    )


@loads(GameListFacts)
async def _games(core: Core, reader: PersonRow, params: Params) -> GameListFacts:
    rows = await core.store.query(game_rows.list_person_games, reader.id, running=True)
    games = [await own_game(core, row, reader) for row in rows]
    games.sort(key=lambda game: (not game.is_to_move, game.answer_by or date.max))
    asked, commands = GameListRequest(text(params, "asked")), core.command_address
    return GameListFacts(reader.name, official(core), tuple(games), asked, commands)
