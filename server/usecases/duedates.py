"""The due work of a game as rows: silence, warnings, offline, time that runs out.

§ 6.3.3.1, § 6.3.4, § 6.8.1, § 6.8.3, § 6.8.6. The row's instant is the deadline's own, not the
poller's. Not for what is then done (duties.py, silence.py).
"""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from kskak.state import GameState
from kskak.watching import (
    control_warning_on,
    leader_on,
    offline_on,
    reminder_on,
    warning_on,
)
from server.store.deadlines import NewDeadline
from server.store.instants import to_us

OVERSTEP = "overstep"
REMINDER = "reminder"
LEADER_TOLD = "leader_told"
THINK_WARNING = "think_warning"
CONTROL_WARNING = "control_warning"
OFFLINE = "offline"
SILENCE = frozenset({REMINDER, LEADER_TOLD, THINK_WARNING, CONTROL_WARNING, OFFLINE})
"""What silence.py does."""


def start_of_day(day: date, zone: str) -> datetime:
    """The first instant of a day in a zone, aware, in UTC."""
    return datetime.combine(day, time.min, ZoneInfo(zone)).astimezone(UTC)


def due_on(state: GameState, kind: str, post_days: int) -> date | None:
    """The day on which work of this kind is due as the game stands; None for never."""
    match kind:
        case "reminder":
            return reminder_on(state, post_days)
        case "leader_told":
            return leader_on(state)
        case "think_warning":
            return warning_on(state)
        case "control_warning":
            return control_warning_on(state)
        case "offline":
            return offline_on(state)
        case _:
            return state.flag_to_find


def deadlines_of(state: GameState, zone: str, post_days: int) -> tuple[NewDeadline, ...]:
    """What falls due if nothing happens; nothing for a game that is over.

    ``post_days``: the post one way, by the tournament (§ 6.3.4).
    """
    if state.to_move is None:
        return ()
    days = [(kind, due_on(state, kind, post_days)) for kind in (*sorted(SILENCE), OVERSTEP)]
    return tuple(
        NewDeadline(kind, to_us(start_of_day(day, zone))) for kind, day in days if day is not None
    )
