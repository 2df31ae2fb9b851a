"""Undoing the start of a group in which nobody has moved yet.

Its games hold nothing worth keeping. Not for who may do it, nor for a group with moves.
"""

from sqlalchemy import Connection, delete, func, select

from server.store.entries import of_players as entries
from server.store.entries import team_entries
from server.store.groups import titles
from server.store.league.divisions import forget
from server.store.mail.outbox import OutboxState
from server.store.tables.account import xfcc_notes, xfcc_numbers
from server.store.tables.base import (
    confirmations,
    events,
    games,
    groups,
    messages,
    outbox,
    seats,
)
from server.store.tables.cases import cards, cases, offices, publications
from server.store.tables.followed import live_groups
from server.store.tables.player import (
    delayed_moves,
    looks,
    private_notes,
    private_trees,
    quiet_marks,
    quiet_messages,
    sheet_words,
)


def is_untouched(conn: Connection, group_id: int, *, locks: bool = False) -> bool:
    """Whether nobody has moved and there is no case.

    ``locks``: the games, until the transaction ends; never where it only reads.
    """
    asked = select(games.c.id, games.c.ply, games.c.result).where(games.c.group_id == group_id)
    asked = asked.order_by(games.c.id)
    rows = conn.execute(asked.with_for_update() if locks else asked).all()
    open_cases = select(func.count()).select_from(cases).where(cases.c.group_id == group_id)
    has_moves = any(ply or result is not None for _, ply, result in rows)
    return not has_moves and not conn.execute(open_cases).scalar_one()


def take_back(conn: Connection, group_id: int) -> None:
    """Remove the group, its games and its unsent letters."""
    of_group = select(games.c.id).where(games.c.group_id == group_id).scalar_subquery()
    waiting = outbox.c.state == OutboxState.QUEUED.value
    conn.execute(delete(outbox).where(outbox.c.game_id.in_(of_group), waiting))
    beside = (private_trees, private_notes, sheet_words, quiet_messages, quiet_marks, delayed_moves,
              looks, xfcc_notes, xfcc_numbers)  # fmt: skip
    for table in (messages, cards, events, confirmations, *beside):
        conn.execute(delete(table).where(table.c.game_id.in_(of_group)))
    team_entries.let_go(conn, group_id)
    forget(conn, group_id)
    titles.forget(conn, group_id)
    for table in (publications, games, seats, offices, live_groups):
        conn.execute(delete(table).where(table.c.group_id == group_id))
    entries.give_back(conn, group_id)
    team_entries.give_back(conn, group_id)
    conn.execute(delete(groups).where(groups.c.id == group_id))
