"""Reserves: the captain asks and may stop the time, the leader approves, he takes over (§ 6.7.4.3).

A pause is the club's unconditional right, so it stands from the day it is asked for, whatever the
leader says; opponents and leader are told at once. Reading: it is of the running games of that
board, once a request, and lasts its 14 days. The reserve carries on the running games; finished
ones stay with whom played them. Not for the checks themselves (kskak.reserves).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.events import Paused
from kskak.lineup import Lineup
from kskak.quantities import PauseReason
from kskak.reserves import Replacement, ReserveFault, longest_pause, reserve_faults
from mail.address import normal_address
from mail.league_letters import LeagueWord
from server.store import league as rows
from server.store import league_desk as desk_rows
from server.store import ledger
from server.store import people as person_rows
from server.store.league import BoardRow, GameLine, NewBoard
from server.store.league_desk import NewReserve, ReserveRow, ReserveState
from server.store.people import NewPerson, PersonRow
from server.usecases.batch import process
from server.usecases.batching import Failed
from server.usecases.case_flow import EventsUnit
from server.usecases.core import Core
from server.usecases.in_turn import in_turn
from server.usecases.league_lineups import lineup_of
from server.usecases.league_post import Told, league_letters
from server.usecases.league_rights import TeamAccess, as_captain, as_leader
from server.usecases.offices import NoSuch
from server.usecases.play import Origin, poster_of
from server.usecases.posting import Kind

CHANNEL = "league"


@dataclass(frozen=True, slots=True)
class Wish:
    """A reserve as the captain names him; ``stops_time`` for 14 days from today."""

    board: int
    name: str
    email: str
    rating: int
    reason: str
    club: str = ""
    stops_time: bool = False


@dataclass(frozen=True, slots=True)
class ReserveRefused:
    """Why not, with the rules' own names."""

    faults: tuple[ReserveFault, ...]


class NothingToDo(Exception):
    """The board has no running game, or the request was decided before."""


def _others(conn: Connection, found: TeamAccess) -> tuple[Lineup, ...]:
    """The other teams of the season, as they play now."""
    out: list[Lineup] = []
    for division in rows.divisions(conn, found.division.season):
        teams = rows.teams(conn, division.group_id)
        boards = rows.boards(conn, [team.id for team in teams])
        out += [lineup_of(t, division, boards) for t in teams if t.id != found.team.id]
    return tuple(out)


def _faults(conn: Connection, found: TeamAccess, wanted: Replacement) -> tuple[ReserveFault, ...]:
    team = lineup_of(found.team, found.division, found.boards)
    known = desk_rows.reserves(conn, [found.team.id])
    used = sum(row.state == ReserveState.IN for row in known)
    others = _others(conn, found)
    return reserve_faults(team, wanted, used, others, found.division.stronger_by)


def _running(conn: Connection, found: TeamAccess, person_id: int) -> list[GameLine]:
    """The running games of somebody of the team."""
    return [
        game
        for game in rows.games_of(conn, found.group.id)
        if game.result is None
        and found.team.id in (game.white_team, game.black_team)
        and person_id in (game.white_id, game.black_id)
    ]


def _opponents(games: Iterable[GameLine], person_id: int) -> list[int]:
    return [g.black_id if g.white_id == person_id else g.white_id for g in games]


@in_turn
async def ask_reserve(
    core: Core, person: PersonRow, team_id: int, wish: Wish
) -> int | ReserveRefused:
    """The captain asks for a reserve; the request's id, or why it can't be (§ 6.7.4.3).

    Raises NotAllowed, NoSuch, and NothingToDo for a board without running games.
    """
    found = await as_captain(core, person, team_id)
    if normal_address(wish.email) is None:
        raise NoSuch("email")
    if not 1 <= wish.board <= len(found.boards):
        raise NoSuch("board")
    today = core.today(found.group.zone)
    seat = found.boards[wish.board - 1]
    new = _request(core, found, wish, today)

    def work(conn: Connection) -> int | ReserveRefused:
        wanted = Replacement(new.board, new.email, new.club, new.rating, today, today)
        faults = _faults(conn, found, wanted)
        if faults:
            return ReserveRefused(faults)
        games = _running(conn, found, seat.person_id)
        waits = [row for row in desk_rows.reserves(conn, [team_id]) if row.board == wish.board]
        if not games or any(row.state == ReserveState.ASKED for row in waits):
            raise NothingToDo
        number = desk_rows.add_reserve(conn, new)
        if wish.stops_time:
            _stop(conn, core, person, games, longest_pause(today))
        _tell_asked(conn, core, found, new, (number, seat, games))
        return number

    return await core.writer.transact(work)


def _request(core: Core, found: TeamAccess, wish: Wish, today: date) -> NewReserve:
    """What is kept of a wish; a club that is not named is the team's."""
    pause = longest_pause(today) if wish.stops_time else None
    return NewReserve(
        team_id=found.team.id,
        board=wish.board,
        replaced_id=found.boards[wish.board - 1].person_id,
        name=wish.name,
        email=normal_address(wish.email) or "",
        club=wish.club or found.team.club,
        rating=wish.rating,
        reason=wish.reason,
        asked_by=found.person.id,
        asked_us=core.now_us,
        pause_first=pause[0].isoformat() if pause else None,
        pause_last=pause[1].isoformat() if pause else None,
    )


def _stop(
    conn: Connection,
    core: Core,
    person: PersonRow,
    games: Sequence[GameLine],
    pause: tuple[date, date],
) -> None:
    """Time stands still in the games (§ 6.7.4.3)."""
    origin, poster = Origin(core.clock.now(), person.id, CHANNEL), poster_of(core)
    event = Paused(pause[0], pause[1], PauseReason.RESERVE)
    units = [EventsUnit(game.game_id, (event,), origin, poster) for game in games]
    for answer in process(conn, units):
        if isinstance(answer, Failed):
            raise answer.error


def _tell_asked(
    conn: Connection,
    core: Core,
    found: TeamAccess,
    new: NewReserve,
    about: tuple[int, BoardRow, Sequence[GameLine]],
) -> None:
    """The leader is asked; opponents learn of a pause, and so does who is to be replaced."""
    number, seat, games = about
    told = Told(
        found.team,
        LeagueWord.RESERVE_ASKED,
        f"reserve.{number}.asked",
        text=new.reason,
        values={"board": new.board, "reserve": new.name, "replaced": seat.name}
        | {"rating": new.rating, "replaced_rating": seat.rating},
    )
    letters = league_letters(core, told, [found.group.tl_id])
    if new.pause_first is not None:
        paused = Told(
            found.team,
            LeagueWord.PAUSED,
            f"reserve.{number}.paused",
            values={"board": new.board, "replaced": seat.name}
            | {"first": new.pause_first, "last": new.pause_last},
        )
        people = [*_opponents(games, seat.person_id), found.group.tl_id, seat.person_id]
        letters += league_letters(core, paused, people)
    ledger.write_outbox(conn, letters)


@in_turn
async def decide_reserve(
    core: Core, person: PersonRow, reserve_id: int, approves: bool, note: str
) -> ReserveRow | ReserveRefused:
    """The leader approves, and the reserve takes over at once; or refuses (§ 6.7.4.3).

    Raises NotAllowed, NoSuch, and NothingToDo for what was decided before.
    """
    row = await core.store.look(lambda conn: desk_rows.reserve(conn, reserve_id))
    if row is None:
        raise NoSuch("reserve")
    found = await as_leader(core, person, row.team_id)

    def work(conn: Connection) -> ReserveRow | ReserveRefused:
        asked = desk_rows.reserve(conn, reserve_id, lock=True)
        assert asked is not None
        if asked.state != ReserveState.ASKED:
            raise NothingToDo
        if approves:
            faults = _faults(conn, found, _approved(core, found, asked))
            if faults:
                return ReserveRefused(faults)
            _take_over(conn, core, found, asked)
        else:
            _tell_refused(conn, core, found, asked, note)
        state = ReserveState.IN if approves else ReserveState.REFUSED
        decided = {"decided_by": person.id, "decided_us": core.now_us, "note": note}
        desk_rows.set_reserve(conn, reserve_id, state=state.value, email="", **decided)
        done = desk_rows.reserve(conn, reserve_id)
        assert done is not None
        return done

    return await core.writer.transact(work)


def _approved(core: Core, found: TeamAccess, asked: ReserveRow) -> Replacement:
    today = core.today(found.group.zone)
    return Replacement(asked.board, asked.email, asked.club, asked.rating, today, today)


def _tell_refused(
    conn: Connection, core: Core, found: TeamAccess, asked: ReserveRow, note: str
) -> None:
    told = Told(
        found.team,
        LeagueWord.RESERVE_REFUSED,
        f"reserve.{asked.id}.refused",
        text=note,
        values={"board": asked.board, "reserve": asked.name},
    )
    ledger.write_outbox(conn, league_letters(core, told, [found.team.captain_id]))


def _person(conn: Connection, core: Core, asked: ReserveRow) -> PersonRow:
    """The reserve, made a person if he is new; a known address keeps its person."""
    known = person_rows.with_email(conn, asked.email)
    if known is not None:
        return known
    new = NewPerson(
        name=asked.name,
        email=asked.email,
        created_us=core.now_us,
        club=asked.club,
        k_rating=asked.rating,
    )
    return person_rows.get(conn, person_rows.insert_in(conn, new))


def _take_over(conn: Connection, core: Core, found: TeamAccess, asked: ReserveRow) -> None:
    """The running games become the reserve's, and all concerned are told."""
    reserve = _person(conn, core, asked)
    if reserve.id == found.group.tl_id:
        raise NoSuch("reserve")
    seat = found.boards[asked.board - 1]
    games = _running(conn, found, seat.person_id)
    ids = [game.game_id for game in games]
    ledger.lock_games(conn, ids)
    rows.change_player(conn, ids, seat.person_id, reserve.id)
    rows.set_board(conn, seat.id, to_us=core.now_us)
    new = NewBoard(
        found.team.id, asked.board, reserve.id, asked.rating, seat.two_clubs, core.now_us
    )
    rows.add_boards(conn, [new])
    desk_rows.add_seat(conn, found.group.id, reserve.id)
    desk_rows.set_reserve(conn, asked.id, person_id=reserve.id)
    told = Told(
        found.team,
        LeagueWord.RESERVE_IN,
        f"reserve.{asked.id}.in",
        values={"board": asked.board, "reserve": reserve.name, "replaced": seat.name}
        | {"games": [game.name for game in games]},
    )
    people = [*_opponents(games, seat.person_id), seat.person_id, reserve.id]
    letters = league_letters(core, told, [*people, found.team.captain_id, found.group.tl_id])
    list_of_games = poster_of(core).to_person(
        Kind.GAMES, reserve.id, f"reserve.{asked.id}", {"asked": "status"}
    )
    ledger.write_outbox(conn, [*letters, list_of_games])
