"""The leader's changes to a division, and a captain's reports (§ 6.7.2, § 6.7.4.4-6.7.4.5).

The board order is changed in plain cases only, before anybody in the team's matches has moved
(reading), and the change is recorded with its reason; lots are drawn with a seed that is kept. Not
for reserves (reserving.py).
"""

import json
import secrets
from collections.abc import Sequence

from sqlalchemy import Connection

from kskak.groups.dealing import draw_lots
from kskak.regulation.quantities import Result
from mail.incoming.address import normal_address
from mail.office_letters.league_facts import LeagueWord
from server.store.groups import groups_and_seats as group_rows
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import ChangeKind, NewChange, NewReport
from server.store.league.divisions import BoardRow, GameLine
from server.store.mail import batch as ledger
from server.store.play import games as game_rows
from server.store.play import offices as office_rows
from server.store.play import people as person_rows
from server.store.play.offices import NewOffice, Office
from server.store.play.people import PersonRow
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.core.context import Core
from server.usecases.core.in_turn import in_turn
from server.usecases.core.offices import NoSuch
from server.usecases.league.duties import Told, league_letters
from server.usecases.league.reserving import NothingToDo
from server.usecases.league.rights import TeamAccess, as_captain, as_leader, led_division
from server.usecases.league.views import view_in

_SEED_BYTES = 8
MOST_STRONGER = 1000


@in_turn
async def change_order(
    core: Core, person: PersonRow, team_id: int, order: Sequence[int], reason: str
) -> None:
    """Put a team's players on other boards; ``order``: person ids from board 1 (§ 6.7.2.1).

    Raises NotAllowed, NoSuch, HasBegun, and NothingToDo for the order as it already is.
    """
    found = await as_leader(core, person, team_id)
    now = [row.person_id for row in found.boards]
    if sorted(order) != sorted(now):
        raise NoSuch("players")
    if list(order) == now:
        raise NothingToDo

    def work(conn: Connection) -> None:
        games = [
            game
            for game in rows.games_of(conn, found.group.id)
            if team_id in (game.white_team, game.black_team)
        ]
        if any(game.ply or game.result is not None for game in games):
            raise HasBegun
        _swap(conn, found, games, order)
        _seat_anew(conn, found, order)
        rows.set_team(conn, team_id, order_by_leader=True)
        names = _names(found, now), _names(found, order)
        _record(conn, core, found, (ChangeKind.ORDER, *names), reason)
        told = Told(
            found.team, LeagueWord.ORDER, f"order.{core.now_us}", text=reason,
            values={"players": ", ".join(_names(found, order).split("\n"))},
        )  # fmt: skip
        letters = league_letters(core, told, [found.team.captain_id, *order])
        ledger.write_outbox(conn, letters)

    await core.writer.transact(work)


def _swap(
    conn: Connection, found: TeamAccess, games: Sequence[GameLine], order: Sequence[int]
) -> None:
    """Give each board's games and seat to the player who now has that board."""
    ledger.lock_games(conn, [game.game_id for game in games])
    moved: dict[int, int] = {}
    for seat, new in zip(found.boards, order, strict=True):
        if seat.person_id != new:
            moved[seat.person_id] = new
            ids = [game.game_id for game in games if game.board == seat.board]
            rows.change_player(conn, ids, seat.person_id, new)
    desk_rows.swap_seats(conn, found.group.id, moved)


def _names(found: TeamAccess, order: Sequence[int]) -> str:
    by_id = {row.person_id: row.name for row in found.boards}
    return "\n".join(by_id[person] for person in order)


def _seat_anew(conn: Connection, found: TeamAccess, order: Sequence[int]) -> None:
    """Put the players in their new board rows, each with their own rating and ``two_clubs``."""
    by_id: dict[int, BoardRow] = {row.person_id: row for row in found.boards}
    for seat, person in zip(found.boards, order, strict=True):
        other = by_id[person]
        rows.set_board(
            conn, seat.id, person_id=person, rating=other.rating, two_clubs=other.two_clubs
        )


def _record(
    conn: Connection,
    core: Core,
    found: TeamAccess,
    what: tuple[ChangeKind, str, str],
    reason: str,
) -> None:
    kind, before, after = what
    new = NewChange(found.team.id, kind.value, before, after, reason, found.person.id, core.now_us)
    desk_rows.add_change(conn, new)


@in_turn
async def name_captain(
    core: Core, person: PersonRow, team_id: int, email: str, reason: str
) -> None:
    """Name another captain for a team; the office goes with it (§ 6.7.2.2).

    Raises NotAllowed, NoSuch, and NothingToDo for the present captain.
    """
    found = await as_leader(core, person, team_id)
    group_id, now = found.group.id, core.now_us
    async with core.store.write() as conn:
        new = await person_rows.by_email(conn, normal_address(email) or "")
        if new is None or new.id == found.group.tl_id:
            raise NoSuch("captain")
        old = await person_rows.find(conn, found.team.captain_id)
        assert old is not None
        if new.id == old.id:
            raise NothingToDo
        teams = await conn.run_sync(rows.teams, group_id)
        is_last = sum(team.captain_id == old.id for team in teams) == 1
        held = await office_rows.of_group(conn, group_id, now)
        captains = {row.person_id: row.id for row in held if row.office == Office.CAPTAIN}
        if is_last and old.id in captains:
            await office_rows.end(conn, captains[old.id], now)
        if new.id not in captains:
            office = NewOffice(new.id, Office.CAPTAIN.value, group_id, now, person.id)
            await office_rows.add(conn, office)

        def work(sync: Connection) -> None:
            rows.set_team(sync, team_id, captain_id=new.id)
            _record(sync, core, found, (ChangeKind.CAPTAIN, old.name, new.name), reason)
            told = Told(
                found.team, LeagueWord.CAPTAIN, f"captain.{now}", text=reason,
                values={"captain": new.name},
            )  # fmt: skip
            ledger.write_outbox(sync, league_letters(core, told, [new.id, old.id]))

        await conn.run_sync(work)


@in_turn
async def set_stronger_by(core: Core, person: PersonRow, group_id: int, points: int) -> None:
    """Set how much stronger a reserve may be in a division, as the leader decides (§ 6.7.4.3)."""
    await led_division(core, person, group_id)
    if not 0 <= points <= MOST_STRONGER:
        raise NoSuch("points")
    await core.writer.transact(lambda conn: rows.set_division(conn, group_id, stronger_by=points))


@in_turn
async def draw_places(core: Core, person: PersonRow, group_id: int) -> tuple[str, ...]:
    """Draw lots for places still level at the end; return the clubs as drawn (§ 6.7.4.5).

    Seed and order are kept. Raises NotAllowed, NoSuch, and NothingToDo where no draw is needed.
    """
    group = await led_division(core, person, group_id)
    seed = secrets.token_hex(_SEED_BYTES)

    def work(conn: Connection) -> tuple[str, ...]:
        view = view_in(conn, group)
        assert view is not None
        if view.row.lots is not None or not view.needs_lots:
            raise NothingToDo
        clubs = [team.team.club for team in view.teams]
        drawn = tuple(clubs[index] for index in draw_lots(seed, clubs))
        rows.set_division(
            conn,
            group_id,
            lots_seed=seed,
            lots=json.dumps(drawn, ensure_ascii=False),
            lots_us=core.now_us,
            lots_by=person.id,
        )
        for team in view.teams:
            told = Told(
                team.team, LeagueWord.LOTS, "lots",
                values={"seed": seed, "clubs": ", ".join(drawn)},
            )  # fmt: skip
            ledger.write_outbox(conn, league_letters(core, told, [team.team.captain_id]))
        return drawn

    return await core.writer.transact(work)


@in_turn
async def report_result(
    core: Core, person: PersonRow, team_id: int, game_id: int, result: Result, note: str = ""
) -> None:
    """Report, as captain, the team's result in a game still open here (§ 6.7.4.4, § 6.7.6.1).

    The leader gets it in writing; only the players or the leader's ruling end the game itself.
    Raises NotAllowed, NoSuch for another team's game, NothingToDo for one that is over.
    """
    found = await as_captain(core, person, team_id)
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        lines = await conn.run_sync(rows.games_of, found.group.id)
        group = await group_rows.find(conn, found.group.id)
    line = next((one for one in lines if one.game_id == game_id), None)
    if game is None or line is None or team_id not in (line.white_team, line.black_team):
        raise NoSuch("game")
    if game.result is not None:
        raise NothingToDo
    assert group is not None

    def work(conn: Connection) -> None:
        new = NewReport(game_id, team_id, result.value, note, person.id, core.now_us)
        desk_rows.add_report(conn, new)
        told = Told(
            found.team, LeagueWord.REPORTED, f"report.{game_id}.{core.now_us}", text=note,
            values={"game": game.name, "white": game.white, "black": game.black}
            | {"result": result.value},
        )  # fmt: skip
        ledger.write_outbox(conn, league_letters(core, told, [group.tl_id]))

    await core.writer.transact(work)
