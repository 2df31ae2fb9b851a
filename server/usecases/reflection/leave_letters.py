"""A leader's notice of a player's leave: one letter, with all the games that it stops (§ 6.3.6).

Every game's transaction writes the letter's row, under the same Message-ID: it is stored once, and
its games are looked up when it is sent. Not for the opponents' letters (core/outbox_letters.py).
"""

from kskak.game.events import LeaveBooked
from kskak.regulation.quantities import LeaveType
from mail.game_letters.leave import LeaveTold
from mail.text.facts import Game
from server.store.groups import groups_and_seats as group_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, game_of, leader
from server.usecases.core.letter_params import Params, day, text


async def leave_told(core: Core, reader: PersonRow, params: Params) -> LeaveTold:
    """The letter to a leader. Raises NoLetter when it stops none of the leader's games."""
    player_id = params.get("player")
    if not isinstance(player_id, int):
        raise NoLetter("no such player")
    first, last = day(params, "first"), day(params, "last")
    until = day(params, "until") if "until" in params else None
    kind = LeaveType(text(params, "type"))
    asked = (first, last, kind, until)
    async with core.store.read() as conn:
        player = await person_rows.find(conn, player_id)
        rows = await game_rows.of_person(conn, player_id, running=True)
        mine = [row for row in rows if row.tl_id == reader.id and _stops(row, player_id, asked)]
        groups = await group_rows.with_ids(conn, {row.group_id for row in mine})
        ids = {each for row in mine for each in (row.white_id, row.black_id, row.tl_id)}
        people = await person_rows.by_ids(conn, tuple(ids))
    if player is None or not mine:
        raise NoLetter("no game that it stops")
    by_id = {group.id: group for group in groups}
    games: list[Game] = [game_of(core, row, by_id[row.group_id], people) for row in mine]
    games.sort(key=lambda game: game.name)
    return LeaveTold(leader(reader), player.name, first, last, kind, until, tuple(games))


def _stops(row: GameRow, player_id: int, asked: tuple[object, ...]) -> bool:
    """Whether the leave is booked in a game, and shortened if the letter says so."""
    side, until = row.side_of(player_id), asked[3]
    booked = (one.booked for one in row.state().bookings)
    return any(
        isinstance(one, LeaveBooked)
        and one.by is side
        and (one.first, one.last, one.leave_type) == asked[:3]
        and (until is None or one.until == until)
        for one in booked
    )
