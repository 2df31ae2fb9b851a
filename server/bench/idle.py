"""A server that nobody asks anything: the processor time it uses, and the memory it holds.

With no game and with many, at the same time, in processes of their own. Needs Linux's /proc. Not
for what a request costs.
"""

from contextlib import ExitStack
from pathlib import Path
from time import sleep

from server.bench.figures import Figure, Goal, Report, Spread
from server.bench.start import cpu_s, served

SHARE_GOAL = Goal(0.3, is_floor=False)
MEMORY_GOAL = Goal(120.0, is_floor=False)
SETTLED_S = 5.0
"""Seconds after which a server has done what follows a start."""


def measure_idle(
    databases: tuple[tuple[str, Path], ...], effort: tuple[int, float], report: Report
) -> None:
    """``databases`` by what is in them; ``effort``: how often, and for how many seconds."""
    if not Path("/proc/self/stat").exists():
        return
    rounds, seconds = effort
    with ExitStack() as stack:
        pids = [stack.enter_context(served(path)) for _, path in databases]
        sleep(min(SETTLED_S, seconds))
        memory = [_resident_mb(pid) for pid in pids]
        shares: list[list[float]] = [[] for _ in pids]
        for _ in range(rounds):
            before = [cpu_s(pid) for pid in pids]
            sleep(seconds)
            for share, pid, used in zip(shares, pids, before, strict=True):
                share.append(100 * (cpu_s(pid) - used) / seconds)
    whole = Spread(100.0, 100.0, 100.0)
    for (name, _), share, megabytes in zip(databases, shares, memory, strict=True):
        used, held = Spread.of(share), Spread.of([megabytes])
        report.figures += [
            Figure(f"idle, {name}", "% of a core", used, "a core", whole, "kskak", used, SHARE_GOAL),
            Figure(f"memory, {name}", "MB", held, "the goal", Spread.of([MEMORY_GOAL.limit]), "kskak", held, MEMORY_GOAL),
        ]  # fmt: skip


def _resident_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
