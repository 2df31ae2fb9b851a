"""A mail with a right key that cannot be read: an official looks at it, the key's owner is told.

The key proves which position is meant, not who wrote; so only its owner's registered address is
written to. Not for mails with a move (handle_mail.py).
"""

from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.batch import lock_games
from server.store.mail.inbox import InboxMark, InboxRow, InboxState
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.reply_keys import Position
from server.usecases.core.reply_limits import not_hushed
from server.usecases.mail.batch_facts import look_up
from server.usecases.mail.opened_mail import own_mail, recipients_of
from server.usecases.mail.sort_mail import position_at


async def hold_unread(core: Core, row: InboxRow, why: str, position: Position | None = None) -> str:
    """Hold it for an official for the reason ``why``, and tell the owner of its key.

    ``position``: what it is about; None: what its envelope says.
    """
    position = position or position_at(recipients_of(row), own_mail(core))
    facts = await look_up(core, () if position is None else [position.game_id])
    game = None if position is None else facts.games.get(position.game_id)
    mark = InboxMark(row.id, InboxState.HELD, "held", why)
    async with core.store.write() as conn:
        if position is None or game is None:
            await inbox_rows.mark(conn, mark)
            return "held"
        await conn.run_sync(lock_games, [game.id])
        params: dict[str, object] = {"why": "unreadable", "unread": []}
        at = (game.seq, position.ply)
        letter = poster_of(core).about_game(
            Kind.NOT_MADE, game, position.side, at, params, f"unreadable.{row.id}"
        )
        if await inbox_rows.mark(conn, mark):
            await outbox_rows.enqueue(conn, await conn.run_sync(not_hushed, [letter]))
    return "held"
