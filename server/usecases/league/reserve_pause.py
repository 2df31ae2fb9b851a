"""Ending a pause for a reserve before its 14 days are over (§ 6.7.4.3).

Reading: the club, which has the right to stop the time, also has the right to restart it; and a
refused request ends its pause, since no change follows. That day is the last day of the pause;
opponents and leader are notified at once, as of the pause itself. Not for stopping the time
(reserving.py).
"""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection

from kskak.game.events import Paused, PauseEnded
from kskak.reflection.leave import lasts_beyond
from kskak.regulation.quantities import PauseReason
from mail.office_letters.league_facts import LeagueWord
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import ReserveRow
from server.store.mail import batch as ledger
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.transaction import EventsUnit
from server.usecases.core.batch import process
from server.usecases.core.batching import Failed
from server.usecases.core.context import Core, poster_of
from server.usecases.core.in_turn import in_turn
from server.usecases.core.offices import NoSuch
from server.usecases.league.duties import Told, league_letters
from server.usecases.league.reserving import CHANNEL, NothingToDo
from server.usecases.league.rights import TeamAccess, as_captain
from server.usecases.play.ask import Origin


@in_turn
async def end_pause(core: Core, person: PersonRow, reserve_id: int) -> date:
    """Restart the time as captain; return the pause's last day. Raises NotAllowed, NoSuch.

    NothingToDo for a request without a pause, or whose pause ends today or earlier anyway.
    """
    row = await core.store.look(lambda conn: desk_rows.reserve(conn, reserve_id))
    if row is None:
        raise NoSuch("reserve")
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
    origin = Origin(core.clock.now(), found.person.id, CHANNEL)
    event, poster = PauseEnded(PauseReason.RESERVE, today), poster_of(core)
    units = [EventsUnit(game.id, (event,), origin, poster) for game in stopped]
    for answer in process(conn, units):
        if isinstance(answer, Failed):
            raise answer.error
    desk_rows.set_reserve(conn, row.id, pause_last=today.isoformat())
    told = Told(
        found.team, LeagueWord.RESUMED, f"reserve.{row.id}.resumed",
        values={"board": row.board, "last": today.isoformat()},
    )  # fmt: skip
    mine = {seat.person_id for seat in found.boards} | {row.replaced_id}
    people = [p for game in stopped for p in (game.white_id, game.black_id) if p not in mine]
    now = [seat.person_id for seat in found.boards if seat.board == row.board]
    letters = league_letters(core, told, [*people, found.group.tl_id, *now])
    ledger.write_outbox(conn, letters)


async def stopped_by(core: Core, found: TeamAccess, row: ReserveRow) -> tuple[GameRow, ...]:
    """The team's running games on the request's board that its pause stops beyond today."""
    if row.pause_first is None:
        return ()
    today, first = core.today(found.group.zone), date.fromisoformat(row.pause_first)
    async with core.store.read() as conn:
        games = await game_rows.of_group(conn, found.group.id)
        lines = await conn.run_sync(rows.games_of, found.group.id)
    own = {
        line.game_id
        for line in lines
        if found.team.id in (line.white_team, line.black_team) and line.board == row.board
    }
    resting = (game for game in games if game.id in own and _stands_still(game, first, today))
    return tuple(resting)


def _stands_still(game: GameRow, first: date, today: date) -> bool:
    """Whether a running game is still stopped by the pause that began on ``first``."""
    return game.result is None and any(
        isinstance(booking.booked, Paused)
        and booking.booked.first == first
        and lasts_beyond(booking.booked, PauseReason.RESERVE, today)
        for booking in game.state().bookings
    )
