"""What burns processor time is found where the server does it. Counts, no times."""

from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from sqlalchemy import Connection, text

from server.store.engine.store import Store
from tools.bench.layers import OTHER, Stretches, layer_of, sampled
from tools.bench.start import ROOT

ENOUGH = 300
"""Octets of looks: some twenty of them."""
_COUNTS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<9999) SELECT max(i)"


def _chess(_: Connection) -> None:
    list(chess.Board().legal_moves)


def _asking(connection: Connection) -> None:
    connection.execute(text(f"{_COUNTS} FROM n")).all()


@pytest.mark.parametrize(("work", "layer"), [(_chess, "chess"), (_asking, "SQLite")])
async def test_a_layer_that_burns_processor_time_is_found(
    tmp_path: Path, work: Callable[[Connection], None], layer: str
) -> None:
    """In a transaction, which otherwise has a thread of its own."""
    looks = tmp_path / "some.looks"
    looks.touch()

    def burn(connection: Connection) -> None:
        while looks.stat().st_size < ENOUGH:
            for _ in range(50):  # to ask for the size is a fifth of the work else
                work(connection)

    stretches = Stretches(looks)
    with sampled(looks):
        store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'some.db'}")
        with stretches.another():
            await store.look(burn)
        while looks.stat().st_size < 2 * ENOUGH:
            sorted(range(1000))  # after the stretch, and nobody's
        await store.close()
    (found,) = stretches.profiles("x", 10)
    assert found.layers[layer] > 0.7 * found.total > 0
    assert found.total == pytest.approx(sum(found.layers.values()))


def test_nothing_is_looked_at_where_no_file_was_laid(tmp_path: Path) -> None:
    stretches = Stretches(tmp_path / "none")
    with sampled(tmp_path / "none"), stretches.another():
        pass
    assert stretches.profiles("x", 1) == ()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "function", "layer"),
    [
        ("/lib/python3/json/encoder.py", "encode", "json"),
        ("/lib/python3/re/__init__.py", "sub", OTHER),
        ("<string>", "__init__", OTHER),
        (f"{ROOT}/kskak/play/decide_command.py", "decide", "kskak"),
        (f"{ROOT}/mail/templates/letter.html.j2", "root", "templates"),
        (f"{ROOT}/mail/compose.py", "compose", "mail"),
        (f"{ROOT}/server/store/engine/rows.py", "process_bind_param", "zlib"),
        (f"{ROOT}/server/store/engine/rows.py", "find", "server.store"),
        (f"{ROOT}/tools/bench/relay.py", "_ours", OTHER),
        ("/site/sqlalchemy/engine/default.py", "do_commit", "SQLite"),
        ("/site/sqlalchemy/engine/default.py", "_init_compiled", "SQLAlchemy"),
    ],
)
def test_a_function_belongs_to_the_layer_that_one_would_act_on(
    file: str, function: str, layer: str
) -> None:
    assert layer_of(file, function) == layer
