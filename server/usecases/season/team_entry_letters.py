"""The letters about a team entry, as outbox rows: to its captain and who entered it (§ 6.7.4.1).

Written in the transaction of what happened. Not for words (mail.office_letters.team_entries).
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from kskak.league.team_entry import TeamFinding
from mail.office_letters.league_facts import TeamNews
from server.store.entries.team_entries import TeamEntryRow
from server.store.mail import outbox as outbox_rows
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind


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
