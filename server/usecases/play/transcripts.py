"""A group's games as PGN: the transcripts that the leader keeps (§ 6.2.9).

They are made from the ledgers, which are never removed. Not for many groups at once
(usecases/archive/export.py).
"""

from kskak.archive.game_pgn import Hand, PgnFacts, pgn
from kskak.statement.account import Account, account
from server.store.engine.connection import AsyncConnection
from server.store.groups import followed as live_groups
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import rights_in
from server.usecases.play.game_facts import end_day, hands_in
from server.usecases.play.openings import opening_of
from server.usecases.play.who_sees import may_see


async def group_pgn(core: Core, name: str, viewer: PersonRow | None) -> str | None:
    """The games of a group that the viewer may see, by round; None: no such group."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        if group is None:
            return None
        held = None if viewer is None else await rights_in(conn, viewer, core.now_us)
        live = await live_groups.which_of(conn, (group.id,))
        found = await game_rows.of_group(conn, group.id)
        rows = [row for row in found if may_see(held, row, live)]
        return "\n".join([await transcript(conn, group, row) for row in rows])


async def transcript(conn: AsyncConnection, group: GroupRow, row: GameRow) -> str:
    """A game of a group, without checking who may see it."""
    history = await game_rows.history(conn, row.id)
    hands: tuple[Hand, ...] = ()
    if group.class_ == "league":
        found = await conn.run_sync(hands_in, [row], {row.id: history})
        hands = found.get(row.id, ())
    told = account(row.terms, game_rows.events_of(history), is_decided=True)
    return pgn(told, facts_of(group.tournament, row, told, hands))


def facts_of(
    tournament: str, row: GameRow, told: Account, hands: tuple[Hand, ...] = ()
) -> PgnFacts:
    """What every PGN of a game says besides its moves, wherever it is published."""
    return PgnFacts(
        tournament,
        round=str(row.round),
        end=end_day(row),
        game=row.name,
        hands=hands,
        opening=opening_of(told),
    )
