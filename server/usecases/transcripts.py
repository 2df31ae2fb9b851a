"""A group's games as PGN: the transcripts that the leader keeps (§ 6.2.9).

They are made from the ledgers, which are never removed. Not for one game (the pages, the API).
"""

from kskak.pgn import PgnFacts, pgn
from kskak.statement import account
from server.store import games as game_rows
from server.store import groups as group_rows
from server.store.instants import from_us
from server.store.people import PersonRow
from server.usecases.core import Core
from server.usecases.hands import hands_in
from server.usecases.offices import rights_in
from server.usecases.views import may_see


async def group_pgn(core: Core, name: str, viewer: PersonRow | None) -> str | None:
    """The games of a group that the viewer may see, by round; None: no such group."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        if group is None:
            return None
        held = None if viewer is None else await rights_in(conn, viewer, core.now_us)
        rows = [row for row in await game_rows.of_group(conn, group.id) if may_see(held, row)]
        found = [(row, await game_rows.history(conn, row.id)) for row in rows]
        of_games = {row.id: history for row, history in found}
        is_league = group.class_ == "league"
        hands = await conn.run_sync(hands_in, rows, of_games) if is_league else {}
    texts = []
    for row, history in found:
        end = None if row.ended_us is None else from_us(row.ended_us).date()
        facts = PgnFacts(
            group.tournament, round=str(row.round), end=end, hands=hands.get(row.id, ())
        )
        texts.append(pgn(account(row.terms, [one.event for one in history]), facts))
    return "\n".join(texts)
