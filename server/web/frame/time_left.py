"""Both players' time against the next control, for bars and sentences (§ 6.3.3.1, § 6.8.6).

Not for deciding anything: every number is read from the account.
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from server.usecases.play.game_views import GameView

FULL = 100


@dataclass(frozen=True, slots=True)
class TimeBar:
    """One player's time: days used of the limit to the control at move ``control``.

    ``last_day`` is the last day on which sending is in time, for the side whose time runs;
    ``is_last_day``: that is today. ``is_over``: the game has a result, and nothing is left to use.
    """

    side: Side
    used: int
    limit: int
    control: int
    is_running: bool
    last_day: date | None
    is_last_day: bool = False
    is_over: bool = False

    @property
    def left(self) -> int:
        """Days left; below 0 after an overstep."""
        return self.limit - self.used

    @property
    def percent(self) -> int:
        """How full the bar is, 0 to 100."""
        if self.limit <= 0:
            return FULL
        return max(0, min(FULL, round(self.used * FULL / self.limit)))

    @property
    def is_short(self) -> bool:
        """Whether little is left: a fifth of the limit or less."""
        return self.left * 5 <= self.limit


def last_in_time(flag_on: date | None) -> date | None:
    """The day before the first one that is too late (§ 6.3.3.1: exactly the limit is within)."""
    return None if flag_on is None else flag_on - ONE_DAY


@dataclass(frozen=True, slots=True)
class Reckoned:
    """One player's line of the reckoning beside a claim of time (§ 6.8.7)."""

    name: str
    bar: TimeBar


def reckoning(view: GameView, side: Side) -> tuple[Reckoned, ...]:
    """Both players' days against their next controls, the opponent's first."""
    return tuple(
        Reckoned(view.player(one).name, time_bar(view.account, one)) for one in (side.other, side)
    )


def time_bar(account: Account, side: Side) -> TimeBar:
    """A player's bar on the day the account was made for."""
    state, running = account.state, account.running
    is_running = running is not None and running.by is side
    used = state.clock(side).total
    if is_running and account.live is not None:
        used = account.live.total
    last_day = last_in_time(running.flag_on) if running is not None and is_running else None
    return TimeBar(
        side=side,
        used=used,
        limit=running.limit if running is not None and is_running else state.limit_of(side),
        control=state.next_control(side),
        is_running=is_running,
        last_day=last_day,
        is_last_day=account.live is not None and last_day == account.live.on,
        is_over=state.result is not None,
    )
