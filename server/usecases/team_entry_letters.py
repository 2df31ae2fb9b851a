"""The letters about a team entry, as outbox rows: to its captain and who entered it (§ 6.7.4.1).

Written in the transaction of what happened. Not for words (mail.writing.team_entries).
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from kskak.team_entries import TeamFinding
from mail.league_letters import TeamNews
from server.store import outbox as outbox_rows
from server.store.team_entries import TeamEntryRow
from server.usecases.core import Core
from server.usecases.play import poster_of
from server.usecases.posting import Kind


async def tell_team(
    core: Core,
    conn: AsyncConnection,
    row: TeamEntryRow,
    news: TeamNews,
    findings: Sequence[TeamFinding] = (),
) -> None:
    """Tell the captain and who made the entry what became of it, and what it still lacks."""
    params: dict[str, object] = {
        "entry": row.id,
        "news": news.value,
        "is_valid": row.state == "valid",
        "faults": [[one.fault.value, list(one.players)] for one in findings],
        "day": row.fee_day or row.entered_day,
        "paragraph": row.paragraph or "",
        "reason": row.reason or "",
    }
    poster, unique = poster_of(core), f"{row.id}.{news.value}.{core.now_us}"
    people = dict.fromkeys((row.captain_id, row.entered_by))
    letters = [poster.to_person(Kind.TEAM_ENTRY, p, unique, params) for p in people]
    await outbox_rows.enqueue(conn, letters)
