"""A single move through the writer, beside a bare durable transaction on the same file.

The two alternate, so that the disk's moods hit both. Not for many at once (throughput.py).
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from statistics import median
from time import perf_counter

from kskak.board.shapes import numeric
from kskak.game.game_commands import Command, Refusal
from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from server.core import open_core
from server.store.engine.sqlite_library import sqlite3
from server.usecases.context import Core
from server.usecases.play.game_requests import (
    FieldReader,
    GameRequest,
    GameRequestOutcome,
    TextProblem,
    ask,
)
from tools.bench.children import settings_for
from tools.bench.figures import Count, Figure, Goal, Report, ratio_figure
from tools.bench.fixture import FIRST_GAME, Game, Ground, add_games, connect, create, in_ledger
from tools.bench.lines import lines

LONE_GOAL = Goal(4.0, is_floor=False)
CHANNEL = "lone"
_GAMES = 1000
_PLIES = 10
_PEOPLE = 200


def asked(core: Core, game: Game, ply: int, channel: str) -> GameRequest:
    """The next move of a game, submitted as the API submits it."""
    today = core.today("Europe/Copenhagen")
    text = numeric(game.line.moves[ply])

    def build(state: GameState, side: Side) -> Command | Refusal | TextProblem:
        return FieldReader(text, ply, False, today, "da")(state, side)

    return GameRequest(game.id, game.mover(ply), channel, build)


def is_accepted(answer: object) -> bool:
    """Whether a move was entered."""
    return isinstance(answer, GameRequestOutcome) and bool(answer.events)


async def measure_lone(ground: Ground, rounds: int, moves: int, report: Report) -> None:
    """``moves`` moves per round, one at a time, each after a bare transaction."""
    await create(ground, _PEOPLE)
    some = lines(16, 100)
    games = add_games(ground, FIRST_GAME, _GAMES, _PLIES, some, _PEOPLE)
    bare, ours = games[: _GAMES // 2], games[_GAMES // 2 :]
    found: list[tuple[float, float]] = []
    accepted = 0
    async with open_core(settings_for(ground.url)) as core:
        with closing(connect(ground.path)) as conn:
            at = 0
            for index in range(rounds + 1):
                own, raw = [], []
                for _ in range(moves):
                    game, other = ours[at % len(ours)], bare[at % len(bare)]
                    raw.append(_bare(conn, other, core.now_us))
                    seconds, done = await _one(core, game)
                    accepted += done
                    own.append(seconds)
                    ours[at % len(ours)] = replace(game, ply=game.ply + 1)
                    bare[at % len(bare)] = replace(other, ply=other.ply + 1)
                    at += 1
                if index:
                    found.append((1000 * median(own), 1000 * median(raw)))
    report.figures.append(_figure(found))
    report.counts.append(Count("lone", accepted, in_ledger(ground.path, CHANNEL)))


def _figure(found: Sequence[tuple[float, float]]) -> Figure:
    name = "one lone move through the writer"
    return ratio_figure(name, "ms", "bare transaction", LONE_GOAL, found)


async def _one(core: Core, game: Game) -> tuple[float, bool]:
    asking = asked(core, game, game.ply, CHANNEL)
    begun = perf_counter()
    answer = await ask(core, asking)
    return perf_counter() - begun, is_accepted(answer)


_BODY = '{"by":"white","channel":"email","entry":"dispatch","plies":["5254"],"sent":"2026-11-20"}'
_SNAPSHOT = "x" * 900
_HASH = bytes(32)


def _bare(conn: sqlite3.Connection, game: Game, now_us: int) -> float:
    """A move's four rows, committed: event, game, two letters. Returns the seconds."""
    seq = game.ply + 1
    begun = perf_counter()
    conn.execute("BEGIN IMMEDIATE")
    conn.execute(
        "INSERT INTO events(game_id, seq, at_us, actor_id, channel, body, hash)"
        " VALUES(?,?,?,?,'bare',?,?)",
        (game.id, seq, now_us, game.white_id, _BODY, _HASH),
    )
    conn.execute(
        "UPDATE games SET seq=?, head=?, snapshot=?, ply=?, to_move_id=?, due_us=?, due_seq=?"
        " WHERE id=? AND seq=?",
        (seq, _HASH, _SNAPSHOT, seq, game.mover(seq), now_us + seq, seq, game.id, seq - 1),
    )
    conn.executemany(
        "INSERT INTO outbox(message_id, kind, person_id, to_addr, game_id, seq, params,"
        " created_us, due_us, state) VALUES(?,?,?,'',?,?,'{}',?,?,'queued')",
        [
            (f"<{game.id}.{seq}.{kind}@bare>", kind, person, game.id, seq, now_us, now_us)
            for kind, person in (("confirmation", game.white_id), ("relay", game.black_id))
        ],
    )
    conn.execute("COMMIT")
    return perf_counter() - begun
