"""The leader's changes to a division, and a captain's reports (§ 6.7.2, § 6.7.4.4-6.7.4.5).

The board order is changed in plain cases only, before anybody in the team's matches has moved
(reading), and the change is recorded with its reason; lots are drawn with a seed that is kept. Not
for reserves (reserves.py).
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.groups.schedule import draw_lots
from kskak.regulation.editions import Result
from mail.incoming.parse_mail import normal_address
from mail.office_letters.league_letters import LeagueWord
from server.store import divisions as division_rows
from server.store import reserves as reserve_rows
from server.store.divisions import LeagueBoardRow, LeagueGameRow
from server.store.mail import batch as batch_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office, PersonRow
from server.store.reserves import (
    ChangeKind,
    ReportRow,
    ReserveRow,
    ReserveState,
)
from server.usecases.cases.withdrawals import HasBegun
from server.usecases.context import Core, in_turn
from server.usecases.league.division_start import (
    LeagueDuties,
    TeamAccess,
    as_captain,
    as_leader,
    league_letters,
    led_division,
    waiting_for,
)
from server.usecases.league.league_views import DivisionView, view_in
from server.usecases.league.reserves import NothingToDo, ReserveJudgement, judged_again
from server.usecases.rights import NoSuch, Rights, desk_groups

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
        games = division_rows.list_team_games(conn, team_id)
        if any(game.ply or game.result is not None for game in games):
            raise HasBegun
        _swap(conn, found, games, order)
        _seat_anew(conn, found, order)
        division_rows.set_team(conn, team_id, order_by_leader=True)
        names = _names(found, now), _names(found, order)
        _record(conn, core, found, (ChangeKind.ORDER, *names), reason)
        letters = league_letters(
            core, found.team, (LeagueWord.ORDER, f"order.{core.now_us}"),
            [found.team.captain_id, *order], text=reason,
            players=", ".join(names[1].split("\n")),
        )  # fmt: skip
        batch_rows.write_outbox(conn, letters)

    await core.writer.transact(work)


def _swap(
    conn: Connection, found: TeamAccess, games: Sequence[LeagueGameRow], order: Sequence[int]
) -> None:
    """Give each board's games and seat to the player who now has that board."""
    batch_rows.lock_games(conn, [game.id for game in games])
    moved: dict[int, int] = {}
    for seat, new in zip(found.boards, order, strict=True):
        if seat.person_id != new:
            moved[seat.person_id] = new
            ids = [game.id for game in games if game.board == seat.board]
            division_rows.change_player(conn, ids, seat.person_id, new)
    reserve_rows.swap_seats(conn, found.group.id, moved)


def _names(found: TeamAccess, order: Sequence[int]) -> str:
    by_id = {row.person_id: row.name for row in found.boards}
    return "\n".join(by_id[person] for person in order)


def _seat_anew(conn: Connection, found: TeamAccess, order: Sequence[int]) -> None:
    """Put the players in their new board rows, each with their own rating and ``two_clubs``."""
    by_id: dict[int, LeagueBoardRow] = {row.person_id: row for row in found.boards}
    for seat, person in zip(found.boards, order, strict=True):
        other = by_id[person]
        division_rows.set_board(
            conn, seat.id, person_id=person, rating=other.rating, two_clubs=other.two_clubs
        )


def _record(
    conn: Connection, core: Core, found: TeamAccess, what: tuple[ChangeKind, str, str], reason: str
) -> None:
    kind, before, after = what
    reserve_rows.add_change(
        conn, team_id=found.team.id, kind=kind.value, before=before, after=after, reason=reason,
        by_id=found.person.id, at_us=core.now_us,
    )  # fmt: skip


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
        old = await person_rows.find_person(conn, found.team.captain_id)
        assert old is not None
        if new.id == old.id:
            raise NothingToDo
        teams = await conn.run_sync(division_rows.teams, group_id)
        is_last = sum(team.captain_id == old.id for team in teams) == 1
        held = await person_rows.list_group_offices(conn, group_id, now)
        captains = {row.person_id: row.id for row in held if row.office == Office.CAPTAIN}
        if is_last and old.id in captains:
            await person_rows.end(conn, captains[old.id], now)
        if new.id not in captains:
            office = NewOffice(new.id, Office.CAPTAIN.value, group_id, now, person.id)
            await person_rows.add_office(conn, office)

        def work(sync: Connection) -> None:
            division_rows.set_team(sync, team_id, captain_id=new.id)
            _record(sync, core, found, (ChangeKind.CAPTAIN, old.name, new.name), reason)
            letters = league_letters(
                core, found.team, (LeagueWord.CAPTAIN, f"captain.{now}"), [new.id, old.id],
                text=reason, captain=new.name,
            )  # fmt: skip
            batch_rows.write_outbox(sync, letters)

        await conn.run_sync(work)


@in_turn
async def set_stronger_by(core: Core, person: PersonRow, group_id: int, points: int) -> None:
    """Set how much stronger a reserve may be in a division, as the leader decides (§ 6.7.4.3)."""
    await led_division(core, person, group_id)
    if not 0 <= points <= MOST_STRONGER:
        raise NoSuch("points")
    await core.writer.transact(
        lambda conn: division_rows.set_division(conn, group_id, stronger_by=points)
    )


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
        division_rows.set_division(
            conn,
            group_id,
            lots_seed=seed,
            lots=json.dumps(drawn, ensure_ascii=False),
            lots_us=core.now_us,
            lots_by=person.id,
        )
        for team in view.teams:
            letters = league_letters(
                core, team.team, (LeagueWord.LOTS, "lots"), [team.team.captain_id],
                seed=seed, clubs=", ".join(drawn),
            )  # fmt: skip
            batch_rows.write_outbox(conn, letters)
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
        own = await conn.run_sync(division_rows.list_team_games, team_id)
    if game is None or game_id not in {one.id for one in own}:
        raise NoSuch("game")
    if game.result is not None:
        raise NothingToDo

    def work(conn: Connection) -> None:
        reserve_rows.add_report(
            conn, game_id=game_id, team_id=team_id, result=result.value, note=note,
            by_id=person.id, at_us=core.now_us,
        )  # fmt: skip
        letters = league_letters(
            core, found.team, (LeagueWord.REPORTED, f"report.{game_id}.{core.now_us}"),
            [found.group.tl_id], text=note, game=game.name, white=game.white, black=game.black,
            result=result.value,
        )  # fmt: skip
        batch_rows.write_outbox(conn, letters)

    await core.writer.transact(work)


# What the league asks of its leaders: a division's desk, and pending work (§ 6.7).


@dataclass(frozen=True, slots=True)
class DivisionDesk:
    """Reserves by state, captains' reports, and the names of those who asked or were replaced."""

    waiting: tuple[ReserveRow, ...]
    decided: tuple[ReserveRow, ...]
    reports: tuple[ReportRow, ...]
    names: dict[int, str]
    clubs: dict[int, str]
    games: dict[int, str]
    fits: dict[int, ReserveJudgement]
    """By pending request: what the register has on the reserve, and the objections."""


async def division_desk(core: Core, view: DivisionView) -> DivisionDesk:
    """A leader's desk for a division."""
    teams = [team.team.id for team in view.teams]
    async with core.store.read() as conn:
        reserves = await conn.run_sync(reserve_rows.reserves, teams)
        reports = await conn.run_sync(reserve_rows.reports, teams)
        ids = {row.replaced_id for row in reserves} | {row.asked_by for row in reserves}
        ids |= {row.by_id for row in reports}
        ids |= {change.by_id for team in view.teams for change in team.changes}
        people = await person_rows.by_ids(conn, ids)
        asked = [row for row in reserves if row.state == ReserveState.ASKED]
        fits = await conn.run_sync(_fits, asked, view, core.today(view.group.zone))
    return DivisionDesk(
        waiting=tuple(asked),
        decided=tuple(row for row in reserves if row.state != ReserveState.ASKED),
        reports=reports,
        names={one.id: one.name for one in people.values()},
        clubs={team.team.id: team.team.club for team in view.teams},
        games={game.id: game.name for game in view.games},
        fits=fits,
    )


def _fits(
    conn: Connection, asked: list[ReserveRow], view: DivisionView, on: date
) -> dict[int, ReserveJudgement]:
    teams = {one.team.id: one.team for one in view.teams}
    return {row.id: judged_again(conn, row, teams[row.team_id], view.row, on) for row in asked}


async def league_duties(core: Core, rights: Rights) -> LeagueDuties | None:
    """What awaits an official; None for anyone with no part in the league's desks."""
    sees_all = rights.is_kc or rights.is_admin or rights.leads_all
    if not sees_all and not rights.led:
        return None
    async with core.store.read() as conn:
        groups = await desk_groups(conn, rights, is_everywhere=sees_all)
    return await core.store.look(lambda conn: waiting_for(conn, groups))
