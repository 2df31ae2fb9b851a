"""Reserves: the leader approves, with immediate takeover, or refuses (§ 6.7.4.3).

Club and strength are the register's on the day of the decision. Where the leader may approve a
reserve in spite of a fault (§ 6.7.3.2: a member of another club, or one unknown to the register),
that is done expressly, with a reason that is kept. A refusal ends the request's pause that day; the
days left remain for the next request. The reserve carries on the running games; finished ones stay
with those who played them. Not for asking (reserving.py).
"""

from dataclasses import replace

from sqlalchemy import Connection

from kskak.league.reserves import ReserveFault
from mail.office_letters.league_facts import LeagueWord
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import ReserveRow, ReserveState
from server.store.league.divisions import NewBoard
from server.store.mail import batch as ledger
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, PersonRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.in_turn import in_turn
from server.usecases.core.offices import NoSuch
from server.usecases.core.outbox_letters import Kind
from server.usecases.league.duties import Told, league_letters
from server.usecases.league.reserve_facts import Judged, judged_again
from server.usecases.league.reserve_pause import cut_pause, stopped_by
from server.usecases.league.reserving import NothingToDo, ReserveRefused, opponents, running_games
from server.usecases.league.rights import TeamAccess, as_leader


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
    found, row = await _led(core, person, reserve_id)
    resting = () if approves else await stopped_by(core, found, row)

    def work(conn: Connection) -> ReserveRow | ReserveRefused:
        asked = desk_rows.reserve(conn, reserve_id, lock=True)
        assert asked is not None
        if asked.state != ReserveState.ASKED:
            raise NothingToDo
        decided: dict[str, object] = {"decided_by": person.id, "decided_us": core.now_us}
        if approves:
            fit = _let_in(conn, core, found, asked, has_leave=despite and bool(note.strip()))
            if isinstance(fit, ReserveRefused):
                return fit
            against = ",".join(fit.faults)
            decided |= {"club": fit.club, "rating": fit.rating, "against": against}
        else:
            cut_pause(conn, core, found, asked, resting)
            _tell_refused(conn, core, found, asked, note)
        state = ReserveState.IN if approves else ReserveState.REFUSED
        desk_rows.set_reserve(conn, reserve_id, state=state.value, email="", note=note, **decided)
        done = desk_rows.reserve(conn, reserve_id)
        assert done is not None
        return done

    return await core.writer.transact(work)


async def _led(core: Core, person: PersonRow, reserve_id: int) -> tuple[TeamAccess, ReserveRow]:
    """A request, for its division's leader. Raises NotAllowed, NoSuch."""
    row = await core.store.look(lambda conn: desk_rows.reserve(conn, reserve_id))
    if row is None:
        raise NoSuch("reserve")
    return await as_leader(core, person, row.team_id), row


def _let_in(
    conn: Connection, core: Core, found: TeamAccess, asked: ReserveRow, *, has_leave: bool
) -> Judged | ReserveRefused:
    """Let the reserve take over, unless there is a fault that the leader has not excused."""
    today = core.today(found.group.zone)
    fit = judged_again(conn, asked, found.team, found.division, today)
    if fit.faults and not (has_leave and fit.needs_leave):
        return ReserveRefused(fit.faults)
    counted = replace(asked, club=fit.club, rating=fit.rating)
    is_foreign = ReserveFault.OTHER_CLUB in fit.faults
    _take_over(conn, core, found, counted, is_foreign=is_foreign)
    return fit


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
    return person_rows.get(conn, person_rows.insert_in(conn, new))


def _take_over(
    conn: Connection, core: Core, found: TeamAccess, asked: ReserveRow, *, is_foreign: bool
) -> None:
    """Give the running games to the reserve, and notify all concerned."""
    reserve = _person(conn, core, asked)
    if reserve.id == found.group.tl_id:
        raise NoSuch("reserve")
    seat = found.boards[asked.board - 1]
    games = running_games(conn, found, seat.person_id)
    ids = [game.game_id for game in games]
    ledger.lock_games(conn, ids)
    rows.change_player(conn, ids, seat.person_id, reserve.id)
    rows.set_board(conn, seat.id, to_us=core.now_us)
    new = NewBoard(found.team.id, asked.board, reserve.id, asked.rating, is_foreign, core.now_us)
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
    people = [*opponents(games, seat.person_id), seat.person_id, reserve.id]
    letters = league_letters(core, told, [*people, found.team.captain_id, found.group.tl_id])
    list_of_games = poster_of(core).to_person(
        Kind.GAMES, reserve.id, f"reserve.{asked.id}", {"asked": "status"}
    )
    ledger.write_outbox(conn, [*letters, list_of_games])
