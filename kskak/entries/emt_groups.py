"""Making the groups of the individual championship (§ 6.5.1.1, § 6.5.2, § 6.5.3.1).

Who on the waiting list is in the next group, the draw of numbers, the resulting games, and
which rules a group planned otherwise breaks.
Not for whether an entry is valid (entry.py) nor for the cup and the league.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.entries.emt import EmtClass
from kskak.groups.dealing import draw_lots
from kskak.groups.schedule import Schedule, round_robin
from kskak.regulation.tournament_numbers import EMT


@dataclass(frozen=True, slots=True)
class Waiting:
    """A valid entry to a class: the player, and the day it became valid (§ 6.4.4.1)."""

    player: str
    since: date


@dataclass(frozen=True, slots=True)
class Drawn:
    """The players in the order of their drawn numbers, the seed of the draw, and the games."""

    players: tuple[str, ...]
    seed: str
    schedule: Schedule


def next_group(waiting: Sequence[Waiting]) -> tuple[int, ...] | None:
    """The indices of the entries that make the next group, or None until there are 7 (§ 6.5.1.1).

    First come, first served (reading). A player who waits twice, for two groups of the class
    (§ 6.5.1.2), is in this one only once.
    """
    chosen: dict[str, int] = {}
    for index in sorted(range(len(waiting)), key=lambda i: (waiting[i].since, i)):
        if len(chosen) < EMT.group:
            chosen.setdefault(waiting[index].player, index)
    return tuple(sorted(chosen.values())) if len(chosen) == EMT.group else None


def is_double(group_class: EmtClass, players: int) -> bool:
    """Whether everyone meets twice: a DM with fewer than 7 (§ 6.5.2.1)."""
    return group_class is EmtClass.DM and players < EMT.group


def draw_group(group_class: EmtClass, players: Sequence[str], seed: str) -> Drawn:
    """Numbers by lot, and the games (§ 6.5.2.1, § 6.5.3.1).

    With 7 players the schedule of § 4.9.11 gives each 3 white and 3 black games. ValueError for
    a size that the class does not have, or a player who appears twice.
    """
    if len(set(players)) != len(players):
        raise ValueError("a player stands twice in the group")
    if group_class is not EmtClass.DM and len(players) != EMT.group:
        raise ValueError(f"a group has {EMT.group} players, not {len(players)} (§ 6.5.3.1)")
    order = draw_lots(seed, players)
    schedule = round_robin(len(players), is_double(group_class, len(players)))
    return Drawn(tuple(players[index] for index in order), seed, schedule)


def may_start_dm(start: date, earlier: Sequence[date]) -> bool:
    """Whether a DM group may start on a day: in September, one a year (§ 6.5.1.1, § 6.5.2)."""
    return start.month == EMT.dm_month and all(day.year != start.year for day in earlier)


def next_dm(on: date, earlier: Sequence[date]) -> date:
    """The first of the next September without a DM group; ``on`` once this September has begun."""
    year = on.year if on.month <= EMT.dm_month else on.year + 1
    while any(day.year == year for day in earlier):
        year += 1
    return max(on, date(year, EMT.dm_month, 1))


class StartFault(StrEnum):
    """What is wrong with a group of the championship that is to start."""

    SIZE = "size"
    ROUNDS = "rounds"
    POSITION = "position"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Planned:
    """A group as someone wants to start it. ``has_fen``: from a position of its own."""

    group_class: EmtClass
    players: int
    is_double: bool
    start: date
    has_fen: bool = False


def start_faults(planned: Planned, dms: Sequence[date]) -> tuple[tuple[StartFault, str], ...]:
    """The rules the group breaks, with paragraphs; ``dms``: the starts of the DM groups so far.

    § 6.5.1.1 (groups of 7, one DM a year), § 6.5.2 (September), § 6.5.2.1 and § 6.5.3.1 (how often
    everyone meets; games start from the initial position, as others are for theme groups).
    """
    is_dm = planned.group_class is EmtClass.DM
    form = "6.5.2.1" if is_dm else "6.5.3.1"
    september = planned.start.replace(day=1, month=EMT.dm_month)
    is_wrong_double = planned.is_double != is_double(planned.group_class, planned.players)
    found = (
        (StartFault.SIZE, "6.5.1.1", not is_dm and planned.players != EMT.group),
        (StartFault.ROUNDS, form, is_wrong_double),
        (StartFault.POSITION, form, planned.has_fen),
        (StartFault.MONTH, "6.5.2", is_dm and not may_start_dm(planned.start, ())),
        (StartFault.YEAR, "6.5.1.1", is_dm and not may_start_dm(september, dms)),
    )
    return tuple((fault, paragraph) for fault, paragraph, is_broken in found if is_broken)
