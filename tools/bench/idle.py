"""A server that nobody asks anything: the processor time it uses, and the memory it holds.

With no game and with many, at the same time, in processes of their own. Needs Linux's /proc. Not
for what a request costs.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import sleep

from tools.bench.figures import Figure, Goal, Report, Spread
from tools.bench.start import HAS_PROC, cpu_s, served

SHARE_GOAL = Goal(0.3, is_floor=False)
MEMORY_GOAL = Goal(125.0, is_floor=False)
LOOK_S, LONGEST_S = 5.0, 300.0
"""Seconds between two looks whether a server still does the day's duties, and at most in all."""
_QUIET = 0.02


def measure_idle(
    databases: tuple[tuple[str, Path], ...], effort: tuple[int, float], report: Report
) -> None:
    """``databases`` by what is in them; ``effort``: how often, and for how many seconds."""
    if not HAS_PROC:
        return
    rounds, seconds = effort
    for _, path in databases if seconds >= 1 else ():
        with served(path) as pid:
            _settle(pid)
    with ExitStack() as stack:
        pids = [stack.enter_context(served(path)) for _, path in databases]
        sleep(min(LOOK_S, seconds))
        memory = [resident_mb(pid) for pid in pids]
        shares: list[list[float]] = [[] for _ in pids]
        for _ in range(rounds):
            before = [cpu_s(pid) for pid in pids]
            sleep(seconds)
            for share, pid, used in zip(shares, pids, before, strict=True):
                share.append(100 * (cpu_s(pid) - used) / seconds)
    for (name, _), share, held in zip(databases, shares, memory, strict=True):
        report.figures += [
            _figure(f"idle, {name}", "% of a core", share, SHARE_GOAL),
            _figure(f"memory after a start, {name}", "MB", [held], MEMORY_GOAL),
        ]


def _settle(pid: int) -> None:
    """Wait until the day's duties are done and what was queued is written."""
    used, left = cpu_s(pid), LONGEST_S
    while left > 0:
        sleep(LOOK_S)
        before, used, left = used, cpu_s(pid), left - LOOK_S
        if used - before < LOOK_S * _QUIET:
            return


def _figure(name: str, unit: str, found: Sequence[float], goal: Goal) -> Figure:
    ours, most = Spread.of(found), Spread.of([goal.limit])
    return Figure(name, unit, ours, "at most", most, "kskak", ours, goal)


def resident_mb(pid: int) -> float:
    """Memory that a process holds, as the system counts it (VmRSS / 1024)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
