"""A division's table from stored data, for bulletin, results and API (§ 6.4.5.1, § 6.7.4.5).

Read-only. Not for the division's own page, which also shows its teams (views.py).
"""

from collections.abc import Sequence

from kskak.groups.division_table import DivisionMatch, DivisionTable, prizes_of_clubs
from server.store.engine.connection import AsyncConnection
from server.store.groups import prizes as prize_rows
from server.store.groups.groups_and_seats import GroupRow
from server.usecases.league.views import DivisionView, views_in


def table_of_view(view: DivisionView, amounts: tuple[int, ...]) -> DivisionTable:
    """The table of a loaded division; ``amounts``: the prizes in øre from the first place."""
    return DivisionTable(
        division=view.row.division,
        clubs=view.clubs,
        boards=view.boards,
        matches=tuple(
            DivisionMatch(
                match.round,
                match.home.club,
                match.away.club,
                match.points,
                len(match.games) - match.finished,
            )
            for match in view.matches
        ),
        is_finished=view.is_finished,
        needs_lots=view.needs_lots,
        champion=view.champion,
        seed=view.row.lots_seed,
        prizes=prizes_of_clubs(view.clubs, amounts) if view.is_finished else (),
    )


async def division_in(conn: AsyncConnection, group: GroupRow) -> DivisionTable | None:
    """A division's table; None for a group that is not a division."""
    return (await divisions_in(conn, [group])).get(group.id)


async def divisions_in(
    conn: AsyncConnection, groups: Sequence[GroupRow]
) -> dict[int, DivisionTable]:
    """The tables of those groups that are divisions, by group: as many queries as for one."""
    views = await conn.run_sync(views_in, [group for group in groups if group.class_ == "league"])
    amounts = await prize_rows.of_groups(conn, list(views))
    return {group_id: table_of_view(view, amounts[group_id]) for group_id, view in views.items()}
