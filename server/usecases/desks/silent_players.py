"""Who is silent, and in which of his games: one line a person, however many games (§ 6.3.4).

Not for what the server does about a silence by itself (usecases/reflection, jobs/deadlines.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from kskak.play.due_days import silent_since
from kskak.play.state import GameState
from server.store.engine.connection import AsyncConnection
from server.store.office.desk import GameLine
from server.usecases.play.by_head import ByHead


@dataclass(frozen=True, slots=True)
class SilentPlayer:
    """Whose move it is, and his silent games, the longest silent first. ``name`` None: nobody's."""

    person_id: int | None
    name: str | None
    games: tuple[GameLine, ...]

    @property
    def since(self) -> date:
        """The first day of the longest silence."""
        return min(one.since or date.fromisoformat(one.start) for one in self.games)

    @property
    def is_reported(self) -> bool:
        """Whether the leader has been told of a silence of his."""
        return any(one.is_reported for one in self.games)

    @property
    def told_us(self) -> int | None:
        """When the leader is first to be notified, if a reminder has been sent."""
        return min((one.told_us for one in self.games if one.told_us is not None), default=None)


@dataclass(frozen=True, slots=True)
class Silent:
    """The first silent players, and how many there are in all."""

    count: int
    rows: tuple[SilentPlayer, ...]


async def silent_players(
    conn: AsyncConnection,
    found: Iterable[GameLine],
    days: tuple[str, str],
    most: int,
    in_cases: frozenset[int] = frozenset(),
) -> Silent:
    """The silent among the games ``found``, each since the day of a last move or resumption.

    ``days``: silent since before this ISO day; and today. The games ``in_cases`` are left out:
    their case says what has been done about the silence.
    """
    rows = [line for line in found if line.game_id not in in_cases]
    silences = await _SILENCES.of(conn, {line.game_id: line.head for line in rows})
    quiet_day, today = days
    lines = []
    for line in rows:
        since, is_reported = silences[line.game_id]
        day = since.isoformat() if since else line.start
        if day <= today and (day < quiet_day or line.told_us is not None):
            lines.append(replace(line, since=since, is_reported=is_reported))
    silent = by_player(lines)
    return Silent(len(silent), silent[:most])


def _silence(state: GameState) -> tuple[date | None, bool]:
    """Since when nothing has been heard, and whether the leader was told of it."""
    return silent_since(state), bool(state.turn.said.leader_told)


_SILENCES = ByHead(_silence)


def by_player(lines: Iterable[GameLine]) -> tuple[SilentPlayer, ...]:
    """The lines gathered by whose move it is, in the order in which each comes first."""
    found: dict[int, list[GameLine]] = {}
    for line in lines:
        found.setdefault(line.to_move_id or -line.game_id, []).append(line)
    return tuple(
        SilentPlayer(games[0].to_move_id, games[0].to_move, tuple(games))
        for games in found.values()
    )
