"""Reserves: the captain asks for one and may stop the time (§ 6.7.4.3).

A pause is the club's unconditional right, so it holds from the day it is asked for; opponents and
leader are notified at once. Reading: it applies to the running games of that board, and its 14 days
belong to the board and the change, however often a reserve is asked for; a refused request gives
back the days left (below). Not for the checks themselves (kskak.league.lineups,
below).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from kskak.cases.case import SERVER, CaseStage, SettleCase, WidenCase
from kskak.entries.entry import EntryFault
from kskak.game.game_events import GamePaused, PauseEnded
from kskak.league.lineups import (
    BY_LEAVE,
    Replacement,
    ReserveFault,
    ReserveRecord,
    ReserveStatement,
    against_register,
    determine_club,
    is_team_of,
    left_to_pause,
    longest_pause,
    reserve_faults,
)
from kskak.reflection import lasts_beyond
from kskak.regulation.editions import PauseReason
from kskak.values import is_line
from mail.incoming.parse_mail import normal_address
from mail.office_letters.case_letters import CaseWord
from mail.office_letters.league_letters import LeagueWord
from mail.office_letters.start_letters import GameListFacts
from server.store import divisions as division_rows
from server.store import members as member_rows
from server.store.cases import cases as case_rows
from server.store.divisions import (
    DivisionRow,
    LeagueBoardRow,
    LeagueGameRow,
    LeagueTeamRow,
    NewLeagueBoard,
    NewReserve,
    ReserveRow,
    ReserveState,
)
from server.store.mail import batch as batch_rows
from server.store.members import MEMBERS, MemberRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import NewPerson, PersonRow
from server.usecases.cases.case_transaction import EventsUnit, act_in, notify
from server.usecases.cases.sanctions import find_barred, write_league_letters
from server.usecases.context import Core, in_turn, poster_of
from server.usecases.games import case_opening
from server.usecases.games.case_closing import is_still_open
from server.usecases.games.game_units import Origin
from server.usecases.games.writer import write_all
from server.usecases.league.division_start import (
    TeamAccess,
    as_captain,
    as_leader,
    lineup_of,
    lineups,
)
from server.usecases.rights import NoSuch, read_entrants

# The facts for and against a reserve: from the register, the team and earlier pauses.

MOST_NAMESAKES = 3
_BARRED = {
    EntryFault.MEMBERS_ONLY: ReserveFault.MEMBERS_ONLY,
    EntryFault.LEAVING: ReserveFault.LEAVING,
}
LEAGUE = "league"
"""The form of tournament that a reserve begins in (§ 6.4.2)."""


@dataclass(frozen=True, slots=True)
class ReserveRequest:
    """A reserve as requested for a team's board on a day."""

    team: LeagueTeamRow
    division: DivisionRow
    board: int
    email: str
    said: ReserveStatement
    on: date


@dataclass(frozen=True, slots=True)
class ReserveJudgement:
    """The club and strength that count, and the faults found, excusable ones included."""

    club: str
    rating: int
    faults: tuple[ReserveFault, ...]
    known: ReserveRecord | None
    namesakes: tuple[MemberRow, ...] = ()

    @property
    def needs_leave(self) -> bool:
        """Whether there are faults, all of which the leader may expressly excuse (§ 6.7.3.2)."""
        return bool(self.faults) and set(self.faults) <= BY_LEAVE


def known_of(row: MemberRow, on: date, entrants: Collection[str] = MEMBERS) -> ReserveRecord:
    """What is stored about a person, as the rules see it on a day: a club, or a main district.

    ``entrants``: the kinds of members who may enter, as the controller reads § 6.1.
    """
    is_member = row.is_member(on, entrants)
    club = (row.club or row.district) if is_member else None
    club = row.printed_club if row.kind is None else club
    return ReserveRecord(is_member, club, row.k_rating, row.rating)


def judge_reserve(conn: Connection, asked: ReserveRequest) -> ReserveJudgement:
    """Judge a reserve by the register and the rules (§ 6.7.3.2, § 6.7.4.3)."""
    row = member_rows.find_known_person(conn, asked.email) if asked.email else None
    entrants = read_entrants(conn)
    known = None if row is None else known_of(row, asked.on, entrants)
    barred = set(find_barred(conn, [] if row is None else [row.id], LEAGUE, asked.on).values())
    if row is not None and not row.is_shut_out(asked.on, entrants):
        barred.discard(EntryFault.MEMBERS_ONLY)  # no member at all: the leader may overlook that
    club = determine_club(asked.said, known, asked.team.club)
    names = division_rows.list_club_names(conn, asked.team.id, asked.team.club)
    if is_team_of(asked.team.club, club) or club in names:
        club = asked.team.club  # a club's second team is the club's (§ 6.7.3.3), a merged one too
    strength = None if known is None else known.strength
    rating = strength if strength is not None else asked.said.rating
    wanted = Replacement(asked.board, asked.email, club, rating or 0, asked.on, asked.on)
    used = sum(
        one.state == ReserveState.IN for one in division_rows.reserves(conn, [asked.team.id])
    )
    boards = division_rows.boards(conn, [asked.team.id])
    team = lineup_of(asked.team, asked.division, boards)
    # No club has two teams in a group (§ 6.7.3.3).
    others = [
        one
        for one in lineups(conn, asked.division.season)
        if (one.group, one.club) != (team.group, team.club)
    ]
    stronger_by = asked.division.stronger_by
    faults = (
        *reserve_faults(team, wanted, used, others, stronger_by),
        *against_register(asked.said, known),
        *(_BARRED.get(why, ReserveFault.BARRED) for why in barred),
    )
    return ReserveJudgement(club, rating or 0, faults, known)


def judged_again(
    conn: Connection, row: ReserveRow, team: LeagueTeamRow, division: DivisionRow, on: date
) -> ReserveJudgement:
    """Judge a request again on a day: the register's rating counts, whatever it was when asked.

    Lists members of the same name where nobody has the address given.
    """
    stated = ReserveStatement(row.club, row.rating)
    found = judge_reserve(conn, ReserveRequest(team, division, row.board, row.email, stated, on))
    faults = tuple(one for one in found.faults if one is not ReserveFault.OTHER_RATING)
    alike = member_rows.namesakes(conn, row.name, MOST_NAMESAKES) if found.known is None else ()
    return replace(found, faults=faults, namesakes=alike)


def pause_left(earlier: Iterable[ReserveRow], board: int, replaced_id: int, on: date) -> int:
    """Pause days left on a day for a change at a board, after earlier requests (§ 6.7.4.3)."""
    same = [row for row in earlier if (row.board, row.replaced_id) == (board, replaced_id)]
    pauses = [
        (date.fromisoformat(row.pause_first), date.fromisoformat(row.pause_last))
        for row in same
        if row.pause_first is not None and row.pause_last is not None
    ]
    return left_to_pause(pauses, on)


# Reserves: the captain asks for one and may stop the time (§ 6.7.4.3).

CHANNEL = "league"


@dataclass(frozen=True, slots=True)
class ReserveInput:
    """A reserve as the captain enters it; ``stop_time``: for up to 14 days from today.

    ``rating`` None: the register's. ``asks_leave``: the captain knows that the reserve belongs to
    another club, and asks for the leader's permission (§ 6.7.3.2).
    """

    board: int
    name: str
    email: str
    rating: int | None
    reason: str
    club: str | None = None
    stop_time: bool = False
    asks_leave: bool = False


@dataclass(frozen=True, slots=True)
class ReserveRefused:
    """Why a reserve is refused, by the rules' own names."""

    faults: tuple[ReserveFault, ...]


class NothingToDo(Exception):
    """The board has no running game, or the request was decided before."""


def running_games(conn: Connection, found: TeamAccess, person_id: int) -> list[LeagueGameRow]:
    """A team member's running games."""
    return [
        game
        for game in division_rows.list_team_games(conn, found.team.id)
        if game.result is None and person_id in (game.white_id, game.black_id)
    ]


def opponents(games: Iterable[LeagueGameRow], person_id: int) -> list[int]:
    """A person's opponents in these games."""
    return [g.black_id if g.white_id == person_id else g.white_id for g in games]


@in_turn
async def ask_reserve(
    core: Core, person: PersonRow, team_id: int, wish: ReserveInput
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
        stated = ReserveStatement(wish.club, wish.rating)
        email = normal_address(wish.email) or ""
        about = ReserveRequest(found.team, found.division, wish.board, email, stated, today)
        fit = judge_reserve(conn, about)
        earlier = division_rows.reserves(conn, [team_id])
        left = pause_left(earlier, wish.board, seat.person_id, today)
        if faults := _refusing(fit, wish, left):
            return ReserveRefused(faults)
        games = running_games(conn, found, seat.person_id)
        waits = (row for row in earlier if row.board == wish.board)
        if not games or any(row.state == ReserveState.ASKED for row in waits):
            raise NothingToDo
        pause = longest_pause(today, left) if wish.stop_time else None
        new = _request(core, found, wish, fit, pause)
        number = division_rows.add_reserve(conn, new)
        if pause is not None:
            stop = GamePaused(*pause, PauseReason.RESERVE)
            _book(conn, core, person, [game.id for game in games], stop)
        _notify_of_request(conn, core, found, new, (number, seat, games), fit)
        return number

    return await core.writer.transact(work)


def _refusing(fit: ReserveJudgement, wish: ReserveInput, left: int) -> tuple[ReserveFault, ...]:
    """What refuses a request at once; one not in the register is for the leader (§ 6.7.3.2)."""
    leave = {ReserveFault.NOT_IN_REGISTER, ReserveFault.LEAVING}
    if wish.asks_leave:
        leave.add(ReserveFault.OTHER_CLUB)
    used_up = (ReserveFault.PAUSE_USED,) if wish.stop_time and not left else ()
    return (*(fault for fault in fit.faults if fault not in leave), *used_up)


def _request(
    core: Core,
    found: TeamAccess,
    wish: ReserveInput,
    fit: ReserveJudgement,
    pause: tuple[date, date] | None,
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
        state=ReserveState.ASKED,
    )


def _book(
    conn: Connection,
    core: Core,
    person: PersonRow,
    game_ids: Iterable[int],
    event: GamePaused | PauseEnded,
) -> None:
    """Stop the time in these games, or let it go on (§ 6.7.4.3)."""
    origin, poster = Origin(core.clock.now(), person.id, CHANNEL), poster_of(core)
    units = [EventsUnit(game_id, (event,), origin, poster) for game_id in game_ids]
    write_all(conn, units)


def _notify_of_request(
    conn: Connection,
    core: Core,
    found: TeamAccess,
    new: NewReserve,
    about: tuple[int, LeagueBoardRow, Sequence[LeagueGameRow]],
    fit: ReserveJudgement,
) -> None:
    """Ask the leader; tell the opponents and the player to be replaced of any pause."""
    number, seat, games = about
    write_league_letters(
        conn, core, found.team, (LeagueWord.RESERVE_ASKED, f"reserve.{number}.asked"),
        [found.group.tl_id], text=new.reason, board=new.board, reserve=new.name,
        replaced=seat.name, rating=new.rating, replaced_rating=seat.rating,
        entered=entered_of(fit),
    )  # fmt: skip
    if new.pause_first is not None:
        write_league_letters(
            conn, core, found.team, (LeagueWord.PAUSED, f"reserve.{number}.paused"),
            [*opponents(games, seat.person_id), found.group.tl_id, seat.person_id],
            board=new.board, replaced=seat.name, first=new.pause_first, last=new.pause_last,
        )  # fmt: skip


def entered_of(fit: ReserveJudgement) -> list[object]:
    """What the register has on a reserve, for the letter: member or not, club, both ratings."""
    known = fit.known
    if known is None:
        return [False, None, None, None]
    return [known.is_member, known.club, known.k_rating, known.otb_rating]


# Ending a pause for a reserve before its 14 days are over (§ 6.7.4.3).


@in_turn
async def end_pause(core: Core, person: PersonRow, reserve_id: int) -> date:
    """Restart the time as captain; return the pause's last day. Raises NotAllowed, NoSuch.

    NothingToDo for a request without a pause, or whose pause ends today or earlier anyway.
    """
    row = await _find(core, reserve_id)
    found = await as_captain(core, person, row.team_id)
    today = core.today(found.group.zone)
    if row.pause_last is None or row.pause_last <= today.isoformat():
        raise NothingToDo
    stopped = await stopped_by(core, found, row)

    def work(conn: Connection) -> date:
        cut_pause(conn, core, found, row, stopped)
        return today

    return await core.writer.transact(work)


def cut_pause(
    conn: Connection, core: Core, found: TeamAccess, row: ReserveRow, stopped: Sequence[GameRow]
) -> None:
    """Make today the last day of a request's pause; do nothing if it has none or it is over."""
    today = core.today(found.group.zone)
    if row.pause_last is None or row.pause_last <= today.isoformat():
        return
    end = PauseEnded(PauseReason.RESERVE, today)
    _book(conn, core, found.person, [game.id for game in stopped], end)
    division_rows.set_reserve(conn, row.id, pause_last=today.isoformat())
    mine = {seat.person_id for seat in found.boards} | {row.replaced_id}
    people = [p for game in stopped for p in (game.white_id, game.black_id) if p not in mine]
    now = [seat.person_id for seat in found.boards if seat.board == row.board]
    write_league_letters(
        conn, core, found.team, (LeagueWord.RESUMED, f"reserve.{row.id}.resumed"),
        [*people, found.group.tl_id, *now], board=row.board, last=today.isoformat(),
    )  # fmt: skip


async def stopped_by(core: Core, found: TeamAccess, row: ReserveRow) -> tuple[GameRow, ...]:
    """The team's running games on the request's board that its pause stops beyond today."""
    if row.pause_first is None:
        return ()
    today, first = core.today(found.group.zone), date.fromisoformat(row.pause_first)
    async with core.store.read() as conn:
        lines = await conn.run_sync(division_rows.list_team_games, found.team.id)
        own = [line.id for line in lines if line.board == row.board]
        games = await game_rows.load_many(conn, own)
    return tuple(game for game in games if _stands_still(game, first, today))


def _stands_still(game: GameRow, first: date, today: date) -> bool:
    """Whether a running game is still stopped by the pause that began on ``first``."""
    return game.result is None and any(
        isinstance(booking.booked, GamePaused)
        and booking.booked.first == first
        and lasts_beyond(booking.booked, PauseReason.RESERVE, today)
        for booking in game.state().bookings
    )


# Reserves: the leader approves, with immediate takeover, or refuses (§ 6.7.4.3).


@in_turn
async def decide_reserve(
    core: Core,
    person: PersonRow,
    reserve_id: int,
    approves: bool,
    note: str,
    *,
    despite: bool = False,
) -> ReserveRow | ReserveRefused:
    """Approve a reserve as leader, with immediate takeover, or refuse (§ 6.7.4.3).

    ``despite``: approve in spite of faults that the leader may excuse; ``note`` is then the reason.
    Raises NotAllowed, NoSuch, and NothingToDo for a request already decided.
    """
    row = await _find(core, reserve_id)
    found = await as_leader(core, person, row.team_id)
    resting = () if approves else await stopped_by(core, found, row)

    def work(conn: Connection) -> ReserveRow | ReserveRefused:
        asked = division_rows.reserve(conn, reserve_id, lock=True) or row
        if asked.state != ReserveState.ASKED:
            raise NothingToDo
        decided: dict[str, object] = {"decided_by": person.id, "decided_us": core.now_us}
        if approves:
            fit = _let_in(conn, core, found, asked, has_leave=despite and bool(note.strip()))
            if isinstance(fit, ReserveRefused):
                return fit
            decided |= {"club": fit.club, "rating": fit.rating, "against": ",".join(fit.faults)}
        else:
            cut_pause(conn, core, found, asked, resting)
            write_league_letters(
                conn, core, found.team,
                (LeagueWord.RESERVE_REFUSED, f"reserve.{reserve_id}.refused"),
                [found.team.captain_id], text=note, board=asked.board, reserve=asked.name,
            )  # fmt: skip
        state = (ReserveState.IN if approves else ReserveState.REFUSED).value
        division_rows.set_reserve(conn, reserve_id, state=state, email="", note=note, **decided)
        return division_rows.reserve(conn, reserve_id) or asked

    return await core.writer.transact(work)


async def _find(core: Core, reserve_id: int) -> ReserveRow:
    """A request. Raises NoSuch."""
    row = await core.store.look(lambda conn: division_rows.reserve(conn, reserve_id))
    if row is None:
        raise NoSuch("reserve")
    return row


def _let_in(
    conn: Connection, core: Core, found: TeamAccess, asked: ReserveRow, *, has_leave: bool
) -> ReserveJudgement | ReserveRefused:
    """Let the reserve take over, unless there is a fault that the leader has not excused."""
    today = core.today(found.group.zone)
    fit = judged_again(conn, asked, found.team, found.division, today)
    if fit.faults and not (has_leave and fit.needs_leave):
        return ReserveRefused(fit.faults)
    counted = replace(asked, club=fit.club, rating=fit.rating)
    is_foreign = ReserveFault.OTHER_CLUB in fit.faults
    _take_over(conn, core, found, counted, is_foreign=is_foreign)
    return fit


def _person(conn: Connection, core: Core, asked: ReserveRow) -> PersonRow:
    """The reserve's person, added if new; a known address keeps its person."""
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
    number = person_rows.insert_in(conn, new)
    return person_rows.with_ids(conn, [number])[number]


def _take_over(
    conn: Connection, core: Core, found: TeamAccess, asked: ReserveRow, *, is_foreign: bool
) -> None:
    """Give the running games to the reserve, and notify all concerned."""
    reserve = _person(conn, core, asked)
    if reserve.id == found.group.tl_id:
        raise NoSuch("reserve")
    seat = found.boards[asked.board - 1]
    games = running_games(conn, found, seat.person_id)
    ids = [game.id for game in games]
    batch_rows.lock_games(conn, ids)
    division_rows.change_player(conn, ids, seat.person_id, reserve.id)
    division_rows.set_board(conn, seat.id, to_us=core.now_us)
    new = NewLeagueBoard(
        found.team.id, asked.board, reserve.id, asked.rating, is_foreign, core.now_us, None
    )
    division_rows.add_boards(conn, [new])
    division_rows.add_seat(conn, found.group.id, reserve.id)
    division_rows.set_reserve(conn, asked.id, person_id=reserve.id)
    people = [*opponents(games, seat.person_id), seat.person_id, reserve.id]
    write_league_letters(
        conn, core, found.team, (LeagueWord.RESERVE_IN, f"reserve.{asked.id}.in"),
        [*people, found.team.captain_id, found.group.tl_id], board=asked.board,
        reserve=reserve.name, replaced=seat.name, games=[game.name for game in games],
    )  # fmt: skip
    _pass_on_cases(conn, core, ids, reserve.id)
    list_of_games = poster_of(core).to_person(
        GameListFacts, reserve.id, f"reserve.{asked.id}", {"asked": "status"}
    )
    batch_rows.write_outbox(conn, [list_of_games])


def _pass_on_cases(conn: Connection, core: Core, games: Iterable[int], heir: int) -> None:
    """Let who takes over games into what is open about them: told, free to speak and to appeal.

    Reading (§ 6.7.4.3, § 6.4.1). Who was silent or could not be reached in nothing but these games
    is no question any more: that case closes.
    """
    of = {"state": (*case_opening.UNDECIDED, CaseStage.APPEALED)}
    among = {one.id for game in games for one in case_rows.open_cases(conn, game, **of)}
    for case in [case_rows.lock(conn, number) for number in sorted(among)]:
        state = case_opening.state_of(case_rows.history(conn, case.id))
        is_moot = case_opening.OF_PLAYER.issuperset(state.kinds) and not state.suspended
        is_moot &= not is_still_open(conn, case, state, core.today(case.zone))
        step = SettleCase("@replaced") if is_moot else WidenCase((), (), (heir,))
        done = act_in(conn, core, case, [(step, SERVER)], core.clock.now())
        word = CaseWord.SETTLED if is_moot else CaseWord.WIDENED
        news = case_opening.CaseNews(word, None, "@replaced" if is_moot else "")
        letters = notify(conn, core, done.case, done.state, news)
        joined = case_opening.notices(poster_of(core), done.case, news, [heir])
        batch_rows.write_outbox(conn, letters if is_moot else joined)
