"""Documents that programs read: the API's description, the tables, accounts of the vectors."""

import asyncio
import json
import random
import tempfile
from datetime import date, timedelta
from pathlib import Path

import chess

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import clock_json, read_ledger
from kskak.play.game_state import Terms
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import account, iccf_table
from mail.text.catalogue import Words
from mail.text.explanations import explain
from server.store.engine.migrate import migrate
from server.store.engine.sqlite_library import sqlite3
from server.store.engine.store import Store

VECTORS = Path(__file__).parents[1] / "vectors" / "clock"
LONG_GAMES = 24


def documents() -> dict[str, str]:
    """Each document by its name."""
    made = {"schema.sql": asyncio.run(_schema())}
    for path in sorted(VECTORS.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        made[f"vectors/{path.name}"] = _account_of(case)
    for number in range(LONG_GAMES):
        terms, events = long_game(number)
        found = account(terms, events, None)
        lines = [iccf_table(found), *explain(found, Words.load("da"))]
        made[f"long_games/{number}.txt"] = "\n".join(lines) + json.dumps(clock_json(found))
    return made


def _account_of(case: dict[str, object]) -> str:
    try:
        ledger = read_ledger(case["ledger"])
        on = case.get("on")
        found = account(ledger.terms, ledger.events, date.fromisoformat(str(on)) if on else None)
    except ValueError as error:
        return f"{type(error).__name__}: {error}"
    return json.dumps(clock_json(found), sort_keys=True, indent=1, ensure_ascii=False)


def long_game(number: int) -> tuple[Terms, list[ev.Event]]:
    """A lawful game of up to 160 plies, drawn by its number."""
    drawn = random.Random(number)
    regulation = Regulation.EMAIL if number % 2 else Regulation.POSTAL
    terms = Terms(f"long-{number}", regulation, date(2024, 1, 8), "Hvid Ø", "Sort Æ", None, 2018)
    board, day, events = chess.Board(), terms.start, list[ev.Event]()
    for ply in range(160):
        legal = sorted(board.legal_moves, key=str)
        if not legal or board.is_game_over():
            break
        move = drawn.choice(legal)
        received = day if ply == 0 else day + timedelta(1)
        day = received + timedelta(drawn.choice((0, 0, 1, 1, 2, 3)))
        side = Side.WHITE if ply % 2 == 0 else Side.BLACK
        events.append(ev.MoveSent(side, (move,), day, received=received))
        board.push(move)
        if board.is_game_over(claim_draw=False):
            break
    return terms, events


async def _schema() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "schema.db"
        store = await Store.open(f"sqlite+aiosqlite:///{path}")
        await migrate(store, None)
        await store.close()
        with sqlite3.connect(path) as db:
            rows = db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
            return "\n".join(f"{kind} {name}\n{_sorted(sql)}" for kind, name, sql in rows)


def _sorted(sql: str | None) -> str:
    """A table's declaration; the order of its constraints means nothing."""
    return "\n".join(sorted(line.strip(", \t") for line in (sql or "").splitlines()))
