"""The benchmark as a command: its shape and its counts. Never its speed: that is the machine's."""

import asyncio
import json
from pathlib import Path

import asyncpg
import chess
import pytest
from sqlalchemy import Connection, text

from server.store.engine.store import Store
from tests.fakes.machinery.each import each, rows
from tools.bench.__main__ import main
from tools.bench.figures import Count, Figure, Goal, Report, ratio_figure
from tools.bench.layers import OTHER, Stretches, layer_of, sampled
from tools.bench.postgres import NAME, TWO, conditions
from tools.bench.start import ROOT

FIGURES = (
    "CPU from start to ready",
    "accepted durable moves over HTTP",
    "accepted durable moves over HTTP, by CPU",
    "accepted durable moves by mail",
    "accepted durable moves by mail, by CPU",
    NAME,
    f"{NAME}, by CPU",
    TWO,
    f"{TWO}, by CPU",
    "one lone move through the writer",
    "sending a letter at ply 20",
    "a letter's own cost at ply 20",
    "sending a letter at ply 90",
    "a letter's own cost at ply 90",
    "the front page",
    "my games",
    "a game",
    "a statement",
    "a group",
    "a cup's group",
    "a division",
    "the archive",
    "an archived game",
    "a player",
    "the ratings",
    "the settings",
    "the leader's desk",
    "the controller's desk",
    "importing 5 past games",
    "the account of a game of 80 plies",
    "the account of a game of 200 plies",
    "a move with 2,000 games",
    "a move at ply 200",
    "idle, no game",
    "memory after a start, no game",
    "idle, 2,000 games",
    "memory after a start, 2,000 games",
    "the longest move beside the day's duties, 1,000 games",
    "a move, 1,000 games ended",
    "my games, 1,000 games ended",
    "a group, 1,000 games ended",
    "the players, 1,000 games ended",
    "the sweep, 1,000 games ended",
)
PROFILES = (
    "a move over HTTP",
    "a move by mail",
    "a relayed letter at ply 20",
    "a relayed letter at ply 90",
)
ENDED = {"duties, 500", "duties, 1,000", "sizes, 500", "sizes, 1,000"}
COUNTS = {"http", "mail", "http, PostgreSQL", "lone", "growth, few", "growth, many", *ENDED}


async def _databases(server: str) -> set[str]:
    admin = await asyncpg.connect(server)
    try:
        return {row[0] for row in await admin.fetch("SELECT datname FROM pg_database")}
    finally:
        await admin.close()


@pytest.mark.nightly  # what it calls of the server is typed (make check); nobody plays by it
@pytest.mark.timeout(600)  # a dozen servers start in it, and the machine may be busy
def test_a_quick_run_measures_everything_and_loses_no_move(tmp_path, capsys, postgres_server):
    before = asyncio.run(_databases(postgres_server))
    url = postgres_server.replace("postgresql:", "postgresql+asyncpg:").replace(":@", "@")
    wanted = ["--quick", "--profile", "--postgres", url, "--json", "--dir", str(tmp_path)]
    assert main(wanted) == 0
    found = json.loads(capsys.readouterr().out)
    assert tuple(figure["name"] for figure in found["figures"]) == FIGURES
    for figure in found["figures"]:
        for spread in ("ours", "ceiling"):
            assert (figure[spread]["low"] > 0) | figure["name"].startswith("idle")
            assert figure[spread]["low"] <= figure[spread]["mid"] <= figure[spread]["high"]
    assert tuple(profile["name"] for profile in found["profiles"]) == PROFILES
    for profile in found["profiles"]:
        assert 0 < profile["total"] == pytest.approx(sum(profile["layers"].values()))
    counts = {count["name"]: count for count in found["counts"]}
    assert counts.keys() == COUNTS
    assert all(c["acknowledged"] == c["in_ledger"] > 0 and c["agrees"] for c in counts.values())
    assert "synchronous: 2" in found["conditions"]["pragmas"]
    assert "fsync" in found["conditions"]["PostgreSQL"]
    assert asyncio.run(_databases(postgres_server)) == before, "its database there is dropped"
    assert list(tmp_path.iterdir()) == [], "the folder of the run is removed"


def test_without_a_server_the_report_says_what_was_not_measured():
    assert "--postgres" in conditions(None)[NAME]


def test_a_move_that_is_acknowledged_but_not_in_the_ledger_is_no_sound_report():
    assert Report(counts=[Count("http", 7, 7)]).is_sound
    assert not Report(counts=[Count("http", 7, 7), Count("mail", 8, 7)]).is_sound
    assert not Report(counts=[Count("mail", 7, 8)]).is_sound


def _figure(goal: Goal) -> Figure:
    return ratio_figure("x", "y", "z", goal, [(1.0, 10.0), (3.0, 10.0), (2.0, 4.0)])


@rows(
    "goal is_met",
    (Goal(0.3, is_floor=True), True),
    (Goal(0.31, is_floor=True), False),
    (Goal(0.3, is_floor=False), True),
    (Goal(0.29, is_floor=False), False),
)
def test_a_goal_is_held_against_the_median_of_the_rounds_ratios(goal, is_met):
    figure = _figure(goal)
    assert (figure.verdict.low, figure.verdict.mid, figure.verdict.high) == (0.1, 0.3, 0.5)
    assert figure.goal.is_met(figure.verdict.mid) is is_met


@rows(
    "wrong",
    ["--rounds", "0"],
    ["--seconds", "nan"],
    ["--dir", "missing"],
    ["--postgres", "sqlite+aiosqlite:///x.db"],
    ["--postgres", "postgresql+asyncpg://a:secret@localhost/x"],
    ["--postgres", "postgresql+asyncpg://a@127.0.0.1:1/x"],
)
def test_a_wrong_call_measures_nothing(wrong, capsys):
    assert main(["--quick", *wrong]) == 2
    assert capsys.readouterr().err.startswith("kskak: ")


# What burns processor time is found where the server does it. Counts, no times.


ENOUGH = 300
"""Octets of looks: some twenty of them."""
_COUNTS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<9999) SELECT max(i)"


def _chess(_: Connection) -> None:
    list(chess.Board().legal_moves)


def _asking(connection: Connection) -> None:
    connection.execute(text(f"{_COUNTS} FROM n")).all()


@pytest.mark.parametrize(("work", "layer"), [(_chess, "chess"), (_asking, "SQLite")])
async def test_a_layer_that_burns_processor_time_is_found(tmp_path, work, layer):
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


@each(
    "file function layer",
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
)
def test_a_function_belongs_to_the_layer_that_one_would_act_on(file, function, layer):
    assert layer_of(file, function) == layer
