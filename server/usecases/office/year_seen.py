"""Reads what the server has seen of the controller's year: lists, groups, rounds, divisions.

A fixed number of queries. Not for which steps that makes done (kskak.office.year_seen).
"""

from datetime import date

from sqlalchemy import Connection

from kskak.office.season_lists import Kind, year_named
from kskak.office.year import Form
from kskak.office.year_seen import Seen, SeenList
from server.store.cup import rounds as cup_rows
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.groups import groups_and_seats as group_rows
from server.store.league import divisions as league_rows
from server.store.league import season_plans as plan_rows

DM = "DM"
_STAGES = {"preliminary": Form.CUP, "semi": Form.SEMIFINAL, "final": Form.FINAL}


async def seen_in(conn: AsyncConnection) -> Seen:
    """What has happened in all seasons."""
    lists = [
        SeenList(Kind(row.event, row.wish), season, row.is_open)
        for row in await list_rows.everything(conn)
        if (season := year_named((row.name, row.tournament), row.prefix)) is not None
    ]
    begun = {(_STAGES[stage], edition) for edition, stage in await cup_rows.drawn(conn)}
    starts = await group_rows.starts_of(conn, DM)
    begun |= {(Form.DM, date.fromisoformat(start).year) for start in starts}
    composed, started, sent = await conn.run_sync(_league)
    begun |= {(Form.LEAGUE, season) for season in started}
    return Seen(tuple(lists), frozenset(begun), composed, sent)


def _league(conn: Connection) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """Seasons composed, begun, and those of whose divisions all captains have the schedule."""
    rows = league_rows.divisions(conn)
    waiting = {row.season for row in rows if row.letters_us is None}
    started = frozenset(row.season for row in rows)
    return plan_rows.seasons(conn), started, started - waiting
