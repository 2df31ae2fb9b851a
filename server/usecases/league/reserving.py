"""Reserves: the captain asks for one and may stop the time (§ 6.7.4.3).

A pause is the club's unconditional right, so it holds from the day it is asked for; opponents and
leader are notified at once. Reading: it applies to the running games of that board, and its 14 days
belong to the board and the change, however often a reserve is asked for; a refused request gives
back the days left (reserve_deciding.py). Not for the checks themselves (kskak.league.reserves,
reserve_facts.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.game.events import Paused
from kskak.league.reserves import ReserveFault, Said, longest_pause
from kskak.regulation.quantities import PauseReason
from kskak.values.names import is_line
from mail.incoming.address import normal_address
from mail.office_letters.league_facts import LeagueWord
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import NewReserve, ReserveState
from server.store.league.divisions import BoardRow, GameLine
from server.store.mail import batch as ledger
from server.store.play.people import PersonRow
from server.usecases.cases.transaction import EventsUnit
from server.usecases.core.batch import process
from server.usecases.core.batching import Failed
from server.usecases.core.context import Core, poster_of
from server.usecases.core.in_turn import in_turn
from server.usecases.core.offices import NoSuch
from server.usecases.league.duties import Told, league_letters
from server.usecases.league.reserve_facts import Asked, Judged, judged, pause_left
from server.usecases.league.rights import TeamAccess, as_captain
from server.usecases.play.ask import Origin

CHANNEL = "league"


@dataclass(frozen=True, slots=True)
class Wish:
    """A reserve as the captain enters it; ``stops_time``: for up to 14 days from today.

    ``rating`` None: the register's. ``asks_leave``: the captain knows that the reserve belongs to
    another club, and asks for the leader's permission (§ 6.7.3.2).
    """

    board: int
    name: str
    email: str
    rating: int | None
    reason: str
    club: str = ""
    stops_time: bool = False
    asks_leave: bool = False


@dataclass(frozen=True, slots=True)
class ReserveRefused:
    """Why a reserve is refused, by the rules' own names."""

    faults: tuple[ReserveFault, ...]


class NothingToDo(Exception):
    """The board has no running game, or the request was decided before."""


def running_games(conn: Connection, found: TeamAccess, person_id: int) -> list[GameLine]:
    """A team member's running games."""
    return [
        game
        for game in rows.games_of(conn, found.group.id)
        if game.result is None
        and found.team.id in (game.white_team, game.black_team)
        and person_id in (game.white_id, game.black_id)
    ]


def opponents(games: Iterable[GameLine], person_id: int) -> list[int]:
    """A person's opponents in these games."""
    return [g.black_id if g.white_id == person_id else g.white_id for g in games]


@in_turn
async def ask_reserve(
    core: Core, person: PersonRow, team_id: int, wish: Wish
) -> int | ReserveRefused:
    """Ask for a reserve as captain; the request's id, or why it is refused (§ 6.7.4.3).

    Raises NotAllowed, NoSuch; NothingToDo for a board with no running game or a pending request.
    """
    found = await as_captain(core, person, team_id)
    if normal_address(wish.email) is None:
        raise NoSuch("email")
    if not is_line(wish.name):
        raise NoSuch("name")
    if not 1 <= wish.board <= len(found.boards):
        raise NoSuch("board")
    seat = found.boards[wish.board - 1]

    def work(conn: Connection) -> int | ReserveRefused:
        today = core.today(found.group.zone)
        said = Said(wish.club or None, wish.rating)
        email = normal_address(wish.email) or ""
        about = Asked(found.team, found.division, wish.board, email, said, today)
        fit = judged(conn, about)
        earlier = desk_rows.reserves(conn, [team_id])
        left = pause_left(earlier, wish.board, seat.person_id, today)
        if faults := _refusing(fit, wish, left):
            return ReserveRefused(faults)
        games = running_games(conn, found, seat.person_id)
        waits = (row for row in earlier if row.board == wish.board)
        if not games or any(row.state == ReserveState.ASKED for row in waits):
            raise NothingToDo
        pause = longest_pause(today, left) if wish.stops_time else None
        new = _request(core, found, wish, fit, pause)
        number = desk_rows.add_reserve(conn, new)
        if pause is not None:
            _stop(conn, core, person, games, pause)
        _tell_asked(conn, core, found, new, (number, seat, games), fit)
        return number

    return await core.writer.transact(work)


def _refusing(fit: Judged, wish: Wish, left: int) -> tuple[ReserveFault, ...]:
    """What refuses a request at once; one not in the register is for the leader (§ 6.7.3.2)."""
    leave = {ReserveFault.NOT_IN_REGISTER}
    if wish.asks_leave:
        leave.add(ReserveFault.OTHER_CLUB)
    used_up = (ReserveFault.PAUSE_USED,) if wish.stops_time and not left else ()
    return (*(fault for fault in fit.faults if fault not in leave), *used_up)


def _request(
    core: Core, found: TeamAccess, wish: Wish, fit: Judged, pause: tuple[date, date] | None
) -> NewReserve:
    """The row for a wish: with the club and strength that count, not those stated."""
    return NewReserve(
        team_id=found.team.id,
        board=wish.board,
        replaced_id=found.boards[wish.board - 1].person_id,
        name=wish.name,
        email=normal_address(wish.email) or "",
        club=fit.club,
        rating=fit.rating,
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
    """Stop the time in the games (§ 6.7.4.3)."""
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
    fit: Judged,
) -> None:
    """Ask the leader; tell the opponents and the player to be replaced of any pause."""
    number, seat, games = about
    told = Told(
        found.team,
        LeagueWord.RESERVE_ASKED,
        f"reserve.{number}.asked",
        text=new.reason,
        values={"board": new.board, "reserve": new.name, "replaced": seat.name}
        | {"rating": new.rating, "replaced_rating": seat.rating, "entered": entered_of(fit)},
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
        people = [*opponents(games, seat.person_id), found.group.tl_id, seat.person_id]
        letters += league_letters(core, paused, people)
    ledger.write_outbox(conn, letters)


def entered_of(fit: Judged) -> list[object]:
    """What the register has on a reserve, for the letter: member or not, club, both ratings."""
    known = fit.known
    if known is None:
        return [False, None, None, None]
    return [known.is_member, known.club, known.k_rating, known.otb_rating]
