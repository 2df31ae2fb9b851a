"""What the league asks of its leaders: a division's desk, and pending work (§ 6.7).

Read-only. Not for the captain's desk (desks/captain_desk.py).
"""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from server.store.league import desk as desk_rows
from server.store.league.desk import ReportRow, ReserveRow, ReserveState
from server.store.play import people as person_rows
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights, desk_groups
from server.usecases.league.duties import LeagueDuties, waiting_for
from server.usecases.league.reserve_facts import Judged, judged_again
from server.usecases.league.views import DivisionView


@dataclass(frozen=True, slots=True)
class DivisionDesk:
    """Reserves by state, captains' reports, and the names of those who asked or were replaced."""

    waiting: tuple[ReserveRow, ...]
    decided: tuple[ReserveRow, ...]
    reports: tuple[ReportRow, ...]
    names: dict[int, str]
    clubs: dict[int, str]
    games: dict[int, str]
    fits: dict[int, Judged]
    """By pending request: what the register has on the reserve, and the objections."""


async def division_desk(core: Core, view: DivisionView) -> DivisionDesk:
    """A leader's desk for a division."""
    teams = [team.team.id for team in view.teams]
    async with core.store.read() as conn:
        reserves = await conn.run_sync(desk_rows.reserves, teams)
        reports = await conn.run_sync(desk_rows.reports, teams)
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
        games={game.game_id: game.name for game in view.games},
        fits=fits,
    )


def _fits(
    conn: Connection, asked: list[ReserveRow], view: DivisionView, on: date
) -> dict[int, Judged]:
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
