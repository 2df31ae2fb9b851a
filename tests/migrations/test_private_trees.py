"""What players had as lines is their tree: each where its position was, with its words."""

import chess
from alembic import command
from sqlalchemy import Connection, text

from kskak.board.analysis_tree import read_tree, tree_text
from server.store.engine.migrate import alembic_config, locked
from server.store.engine.store import Store
from server.store.play.private_analysis import NONE_YET, tree_of
from tests.fakes.play import start_games

WHITE, BLACK = 1, 2


def _down(connection: Connection) -> None:
    command.downgrade(alembic_config(connection), "0027")


def _up(connection: Connection) -> None:
    command.upgrade(alembic_config(connection), "head")


async def test_lines_become_one_tree_a_player_and_game(store: Store) -> None:
    game = (await start_games(store, 1))[0]
    board = chess.Board()
    board.push_san("e4")
    lines = ((board.fen(), 1, "e7e5 g1f3", "Roligt {1994}"), (chess.STARTING_FEN, 0, "d2d4", ""))
    async with locked(store) as connection:
        await connection.run_sync(_down)
        for number, (fen, ply, moves, comment) in enumerate(lines, 1):
            await connection.execute(
                text(
                    "INSERT INTO private_lines VALUES (:n, :game, 1, :ply, :fen, :moves, :said, 5)"
                ),
                {
                    "n": number,
                    "game": game,
                    "ply": ply,
                    "fen": fen,
                    "moves": moves,
                    "said": comment,
                },
            )
        await connection.run_sync(_up)
    async with store.read() as conn:
        kept = await conn.run_sync(tree_of, game, WHITE)
        assert await conn.run_sync(tree_of, game, BLACK) == NONE_YET
    assert (kept.stamp, kept.changed_us) == (1, 5)
    tree = read_tree(kept.text, chess.Board(), [chess.Move.from_uci("e2e4")])
    assert tree_text(tree, 1) == "1. e4 ( 1. d4 ) 1... e5 { Roligt (1994) } 2. Nf3 *"
