"""A waiting move that can no longer be sent: its player gets a letter, once (§ 6.2.4).

The letter's row is written in the transaction that drops the move. Not for dropping
(delayed_moves.py).
"""

import chess

from kskak.game.refusals import Reason, Refusal
from mail.game_letters.delayed import NotSent
from mail.text.facts import move_texts
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import delayed_moves as rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.delayed_moves import DelayedMove
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.letter_facts import NoLetter, game_of
from server.usecases.core.letter_params import Params, text
from server.usecases.core.outbox_letters import Kind


async def tell_dropped(core: Core, conn: AsyncConnection, row: DelayedMove, why: Reason) -> None:
    """Write the letter's row within the drop's transaction."""
    params: dict[str, object] = {
        "game": row.game_id,
        "fen": row.fen,
        "moves": row.moves,
        "why": why.value,
    }
    unique = f"{row.game_id}.{row.key}.{row.entered_us}"
    letter = poster_of(core).to_person(Kind.NOT_SENT, row.person_id, unique, params)
    await outbox_rows.enqueue(conn, [letter])


async def not_sent(core: Core, reader: PersonRow, params: Params) -> NotSent:
    """The letter. Raises NoLetter. The message is kept with the move until the player saw both."""
    game_id = params.get("game")
    if not isinstance(game_id, int):
        raise NoLetter("no such game")
    number = game_id
    kept = await core.store.look(lambda conn: rows.find(conn, number, reader.id))
    async with core.store.read() as conn:
        game = await game_rows.load(conn, number)
        group = None if game is None else await group_rows.find(conn, game.group_id)
        if game is None or group is None:
            raise NoLetter("no such game")
        people = await person_rows.by_ids(conn, (game.tl_id, game.white_id, game.black_id))
    uci = text(params, "moves")
    is_same = kept is not None and kept.dropped is not None and kept.moves == uci
    moves = tuple(chess.Move.from_uci(one) for one in uci.split())
    return NotSent(
        reader=reader.name,
        game=game_of(core, game, group, people),
        moves=move_texts(chess.Board(text(params, "fen")), moves),
        message=kept.message if kept is not None and is_same else "",
        why=Refusal(Reason(text(params, "why"))),
        is_over=game.result is not None,
        is_to_move=game.to_move_id == reader.id,
        url=core.url(f"/games/{game.id}#delayed"),
    )
