"""The due work of a game as rows: when time runs out (§ 6.3.3.1, § 6.8.6).

The row's instant is the deadline's own, not the poller's. Not for what is then done
(duties.py).
"""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from kskak.state import GameState
from server.store.deadlines import NewDeadline
from server.store.instants import to_us

OVERSTEP = "overstep"


def start_of_day(day: date, zone: str) -> datetime:
    """The first instant of a day in a zone, aware, in UTC."""
    return datetime.combine(day, time.min, ZoneInfo(zone)).astimezone(UTC)


def deadlines_of(state: GameState, zone: str) -> tuple[NewDeadline, ...]:
    """What falls due if nothing happens; nothing for a game that is over or known to be late."""
    flag_on = state.flag_to_find
    if flag_on is None:
        return ()
    return (NewDeadline(OVERSTEP, to_us(start_of_day(flag_on, zone))),)
