"""A group's running games as its leader sees them: what is lost first when nothing is done.

By a fixed number of queries however many games there are. Not for who may see them, nor for a
player's own (my_games.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.cases.events import CaseKind
from kskak.regulation.quantities import Finding
from server.store.cases.cases_and_events import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.play import games_together
from server.store.play.games import GameRow
from server.usecases.core.case_record import games_of
from server.usecases.core.context import Core
from server.usecases.people.my_games import Away, away_of
from server.usecases.play.game_views import GameSummary, seen_state, summary_of

_UNKNOWN = 10**6


@dataclass(frozen=True, slots=True)
class LedGame:
    """A running game. ``summary`` is that of the side to move, so its days are the game's page's.

    ``moved_on``: the day of the last move; ``reminded``: the days of the reminders to the side
    to move about this move; ``unclaimed``: an overstep that the opponent may still claim and no
    case is about.
    """

    summary: GameSummary
    mover: str
    moved_on: date | None
    reminded: tuple[date, ...]
    away: tuple[Away, ...]
    cases: tuple[CaseRow, ...]
    unclaimed: bool

    @property
    def game(self) -> GameRow:
        """The game's row."""
        return self.summary.game


async def group_games(
    conn: AsyncConnection, core: Core, group_id: int, cases: Sequence[CaseRow]
) -> tuple[LedGame, ...]:
    """The running games, oversteps first, then by days left; ``cases``: the group's."""
    rows = (await games_together.of_groups(conn, [group_id]))[group_id]
    about: dict[int, list[CaseRow]] = {}
    for case in cases:
        for game in games_of(case) if case.closed_us is None else ():
            about.setdefault(game, []).append(case)
    found = [_led(core, row, tuple(about.get(row.id, ()))) for row in rows if row.result is None]
    return tuple(sorted(found, key=_urgency))


def _led(core: Core, row: GameRow, cases: tuple[CaseRow, ...]) -> LedGame:
    state, today = seen_state(row), core.today(row.zone)
    mover = row.person_of(state.mover)
    told = summary_of(row, state, mover, today)
    late = state.overstep is not None and state.overstep.finding is Finding.OPEN
    is_up = told.days_left is not None and told.days_left < 0
    is_asked = state.rests or any(case.kind == CaseKind.OVERSTEP for case in cases)
    return LedGame(
        summary=told,
        mover=row.white if row.white_id == mover else row.black,
        moved_on=state.turn.opponent_sent,
        reminded=tuple(sorted(state.turn.said.reminders)),
        away=away_of(state, state.mover, today),
        cases=cases,
        unclaimed=(late or is_up) and not is_asked,
    )


def _urgency(one: LedGame) -> tuple[bool, bool, int, int]:
    left = one.summary.days_left
    return one.summary.rests, not one.unclaimed, _UNKNOWN if left is None else left, one.game.id
