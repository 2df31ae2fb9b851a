"""Reads what the server has seen of the controller's year: lists, groups, rounds, divisions.

A fixed number of queries. Not for which steps that makes done (kskak.office.year_seen).
"""

from datetime import date

from kskak.office.season_lists import Kind, year_named
from kskak.office.year import Form
from kskak.office.year_seen import Seen, SeenList
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.office import year as year_rows

DM = "DM"
_STAGES = {"preliminary": Form.CUP, "semi": Form.SEMIFINAL, "final": Form.FINAL}


async def seen_in(conn: AsyncConnection) -> Seen:
    """What has happened in all seasons."""
    lists = [
        SeenList(Kind(row.event, row.wish), season, row.is_open)
        for row in await list_rows.everything(conn)
        if (season := year_named((row.name, row.tournament), row.prefix)) is not None
    ]
    found = await year_rows.begun(conn, DM)
    begun = {(_STAGES[stage], edition) for edition, stage in found.drawn}
    begun |= {(Form.DM, date.fromisoformat(start).year) for start in found.starts}
    begun |= {(Form.LEAGUE, season) for season in found.started}
    return Seen(tuple(lists), frozenset(begun), found.composed, found.started - found.waiting)
