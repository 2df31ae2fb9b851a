"""Whether a move waits longer beside the day's duties when more games were ever played.

Nothing is due: the groups ended long ago and are published. Not for what a duty itself costs.
"""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from time import perf_counter

from kskak.game.game_events import PlayerResigned
from kskak.play.evolve_game import replay
from kskak.regulation.editions import Side
from server.core import open_core
from server.jobs.daily_duties import DUTIES, DailyJob
from server.store.engine.rows import DAY_US
from server.store.play.games import list_state_columns
from server.usecases.context import Core
from server.usecases.play.game_requests import ask
from tools.bench.children import settings_for
from tools.bench.figures import Count, Figure, Goal, Report, ratio_figure
from tools.bench.fixture import (
    FIRST_GAME,
    ZONE,
    Game,
    Ground,
    add_games,
    connect,
    create,
    in_ledger,
)
from tools.bench.lines import LAWS_YEAR, events, lines, terms
from tools.bench.lone import asked, is_accepted

GOAL = Goal(1.35, is_floor=False)
"""As for a move: it should not notice how many games there were."""
CHANNEL = "duties"
_A_ROUND, _PLIES, _PEOPLE = 1_000, 4, 2_000
"""Running games for each round: one move in each, until the duties are done."""
_FOR_EACH = 10
"""Games that ended, for each of their players: each played twenty."""
_IN_GROUP, _LEADERS = 21, 100
_FIRST_OLD = 10_000_000
_YEARS_US = 3650 * DAY_US


async def measure_duties(
    grounds: Sequence[tuple[Ground, int]], rounds: int, report: Report
) -> None:
    """The grounds with their numbers of games, the smallest first: the others are held to it."""
    found = []
    for ground, count in grounds:
        waits, accepted = await _one(ground, count, rounds)
        found.append(waits)
        name = f"duties, {count:,}"
        report.counts.append(Count(name, accepted, in_ledger(ground.path, CHANNEL)))
    for (_, count), waits in zip(grounds[1:], found[1:], strict=True):
        report.figures.append(_figure(count, grounds[0][1], waits, found[0]))


def _figure(count: int, few: int, ours: Sequence[float], base: Sequence[float]) -> Figure:
    pairs = list(zip(ours, base, strict=True))
    name = f"the longest move beside the day's duties, {count:,} games"
    return ratio_figure(name, "ms", f"with {few:,}", GOAL, pairs)


async def _one(ground: Ground, count: int, rounds: int) -> tuple[list[float], int]:
    """The longest move of each round in ms, and how many were accepted.

    What is due after ten years is done before.
    """
    await create(ground, max(_PEOPLE, count // _FOR_EACH))
    _add_ended(ground, count)
    games = add_games(ground, FIRST_GAME, rounds * _A_ROUND, _PLIES, lines(16, 100), _PEOPLE)
    longest, accepted = [], 0
    async with open_core(settings_for(ground.url)) as core:
        await DailyJob(core).work()
        for number in range(rounds):
            _forget_done(ground)
            waits = await _waits(core, games, number)
            longest.append(max(waits))
            accepted += len(waits)
    return longest, accepted


async def _waits(core: Core, games: list[Game], number: int) -> list[float]:
    """One day's duties, with a move after the other beside them: what each accepted one took."""
    duties = asyncio.create_task(DailyJob(core).work())
    waited: list[float] = []
    for game in games[number * _A_ROUND : (number + 1) * _A_ROUND]:
        begun = perf_counter()
        if is_accepted(await ask(core, asked(core, game, _PLIES, CHANNEL))):
            waited.append((perf_counter() - begun) * 1000)
        if duties.done():
            break
    await duties
    return waited


def _forget_done(ground: Ground) -> None:
    """Every duty was last done yesterday."""
    with closing(connect(ground.path)) as conn:
        names = [(duty.name,) for duty in DUTIES if duty.is_due is None]
        conn.executemany("UPDATE duties SET done_for=date('now', '-1 day') WHERE name=?", names)


def _add_ended(ground: Ground, count: int) -> None:
    """Groups of the last ten years, ended and published, with so many games in all."""
    groups = max(1, count // _IN_GROUP)
    facts = {
        "groups": groups, "laws": LAWS_YEAR, "zone": ZONE, "now": ground.now_us, "each": _IN_GROUP,
        "step": _YEARS_US // groups, "lag": 30 * DAY_US,
        "people": max(_LEADERS, count // _FOR_EACH),
        "first": _FIRST_OLD, "leaders": _LEADERS, "state": _given_up(ground.today),
    }  # fmt: skip
    with closing(connect(ground.path)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        for statement in _ENDED:
            conn.execute(f"WITH RECURSIVE n(i) AS ({_COUNT[statement[0]]}) {statement[1]}", facts)
        conn.execute("COMMIT")
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        conn.execute("ANALYZE")


def _given_up(day: date) -> str:
    """The state of a game that Black gave up on his second move."""
    played = [*events(lines(16, 100)[0], day, 3), PlayerResigned(by=Side.BLACK, on=day)]
    return str(list_state_columns(replay(terms("G", day), played), 1, 2)["snapshot"])


_COUNT = {
    "group": "SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :groups",
    "game": "SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :groups * :each",
    "seat": "SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :groups * 7",
}
_AT = ":now - :lag - :step * {}"
_SEATED = "1 + (({}) * 13) % :people"
"""Who has a seat, counted through all groups."""
_WHITE = "i / :each * 7 + i % :each / 3"
_BLACK = "i / :each * 7 + (i % :each / 3 + 1 + i % :each % 3) % 7"
_ENDED = (
    ("group", "INSERT INTO groups(id, name, tournament, class, regulation, edition, laws, start,"
     " zone, claims, is_double, is_drawn, post_days, tl_id, created_us) SELECT i + 10, 'G-' || i,"
     " 'T-' || (i / 20), 'K', 'email', '2011', :laws, '2016-01-01', :zone, 'player', 0, 0, 0,"
     " 2 + i % (:leaders - 1), "
     + _AT.format("i") + " FROM n"),
    ("seat", "INSERT INTO seats(group_id, number, person_id)"
     f" SELECT i / 7 + 10, i % 7 + 1, {_SEATED.format('i')} FROM n"),
    ("game", "INSERT INTO games(id, group_id, name, round, white_id, black_id, seq, head, snapshot,"
     " ply, result, ended_us)"
     " SELECT :first + i, i / :each + 10, 'G-' || (i / :each) || '/' || i, 1,"
     f" {_SEATED.format(_WHITE)}, {_SEATED.format(_BLACK)}, 1, zeroblob(32), :state, 3, '1-0', "
     + _AT.format("(i / :each)") + " FROM n"),
    ("game", "INSERT INTO publications(group_id, kind, game_id, day, objections_until)"
     " SELECT i / :each + 10, 'result', :first + i, '2026-01-01', '2026-01-15' FROM n"),
    ("group", "INSERT INTO publications(group_id, kind, day, objections_until, prizes_until,"
     " done_us) SELECT i + 10, 'standing', '2026-10-25', '2026-11-08', '2026-11-15', :now FROM n"),
    ("group", "INSERT INTO rating_calculations(group_id, number, is_last, is_void, day, start,"
     " first_us, seal, facts, starts, reason, made_us) SELECT i + 10, 1, 1, 0, '2026-10-25',"
     " '2016-01-01', :now, CAST(:each AS TEXT), '{}', '{}', 'finished', :now FROM n"),
)  # fmt: skip
