"""The fixed work whose instructions are counted: deciding, a batch, a letter; run under callgrind.

Each is done once before it is counted, so that what is made once in a process is not. Speaks with
whoever counts by pipes: a line when it is about to begin and when it is done, and waits for one
in return. Not for counting (count.py).
"""

import gc
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, create_engine

from kskak.board.shapes import numeric
from kskak.game.game_commands import SendMoves
from kskak.play.decide_command import decide_and_reach
from kskak.play.evolve_game import open_game
from kskak.regulation.editions import Side
from mail.compose import compose_safely
from mail.game_letters.cast import ENVELOPE
from mail.outgoing import picture
from mail.samples import GAME_LETTERS
from mail.text.catalogue import Words
from server.store.engine.rows import to_us
from server.store.engine.sqlite_library import sqlite3
from server.usecases.games.outbox_letters import Poster
from server.usecases.games.writer import process
from server.usecases.play.game_requests import AskUnit, FieldReader, GameRequest
from tools.bench.fixture import FIRST_GAME
from tools.bench.lines import lines, terms

DAY = date(2026, 11, 26)
NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
PLIES, MOVES, PLAYED = 200, 64, 10


def decide() -> None:
    """Decide each move of a game of 200 plies."""
    state = open_game(terms("B-26/1", DAY))
    for ply, move in enumerate(lines(1, PLIES)[0].moves):
        side = Side.BLACK if ply % 2 else Side.WHITE
        _, state = decide_and_reach(state, SendMoves(side, ply, (move,)), DAY)


def batch(conn: Connection) -> None:
    """A move in each of 64 games, in one transaction that is undone."""
    with conn.begin() as transaction:
        answers = process(conn, [_unit(number) for number in range(MOVES)])
        assert all(answer.events for answer in answers)
        transaction.rollback()


def _unit(number: int) -> AskUnit:
    text = numeric(lines(16, 20)[number % 16].moves[PLAYED])

    def build(state, side):
        return FieldReader(text, PLAYED, False, DAY, "da")(state, side)

    asked = GameRequest(FIRST_GAME + number, 1 + 2 * number % 200, "count", build)
    return AskUnit(asked, Poster(bytes(32), "kskak.localhost", to_us(NOW)), NOW)


def letter() -> None:
    """A relay, from its facts to its octets; its picture is assembled anew."""
    picture._png.cache_clear()
    words = Words.load("da")
    compose_safely(GAME_LETTERS["relay"], words, ENVELOPE)


def main(database: Path) -> None:
    """Do each twice, and say when the second time begins and ends."""
    with create_engine(f"sqlite:///{database}", module=sqlite3).connect() as conn:
        works: dict[str, Callable[[], None]] = {
            "deciding 200 plies": decide,
            "a batch of 64 moves": partial(batch, conn),
            "composing a relay": letter,
        }
        for name, work in works.items():
            work()
            gc.collect()
            gc.disable()
            _say(name)
            work()
            _say(name)
            gc.enable()


def _say(name: str) -> None:
    print(name, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
