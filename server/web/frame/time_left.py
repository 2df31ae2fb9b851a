"""Both players' time against the next control, as bars and sentences (§ 6.3.3.1, § 6.8.6).

Not for deciding anything: every number comes from the account.
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import Finding, Side
from kskak.statement.account import Account
from mail.text.words import Words
from server.usecases.play.game_views import GameSummary, GameView

FULL = 100


@dataclass(frozen=True, slots=True)
class TimeBar:
    """One player's time: days used out of the limit to the control at move ``control``.

    ``last_day`` is the last day for sending in time, for the side whose time runs;
    ``is_last_day``: it is today. ``is_over``: the game has a result, so nothing is left to use.
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
        """Days left; negative after an overstep."""
        return self.limit - self.used

    @property
    def percent(self) -> int:
        """How full the bar is, 0 to 100."""
        if self.limit <= 0:
            return FULL
        return max(0, min(FULL, round(self.used * FULL / self.limit)))

    @property
    def is_short(self) -> bool:
        """Whether a fifth of the limit or less is left."""
        return self.left * 5 <= self.limit


def last_in_time(flag_on: date | None) -> date | None:
    """The day before the first one that is too late (§ 6.3.3.1: exactly the limit is in time)."""
    return None if flag_on is None else flag_on - ONE_DAY


@dataclass(frozen=True, slots=True)
class Reckoned:
    """One player's line in the reckoning beside a time claim (§ 6.8.7)."""

    name: str
    bar: TimeBar


def reckoning(view: GameView, side: Side) -> tuple[Reckoned, ...]:
    """Both players' days against their next controls, the opponent's first."""
    return tuple(
        Reckoned(view.player(one).name, time_bar(view.account, one)) for one in (side.other, side)
    )


def time_bar(account: Account, side: Side) -> TimeBar:
    """A player's bar on the day for which the account was made.

    Of one who has overstepped, once his time stands still, it is the overstep's count: the days
    on a move that was never sent are in it, and the control that he missed is not the next one.
    """
    state, running, over = account.state, account.running, account.overstep
    is_running = running is not None and running.by is side
    is_lost = over is not None and over.by is side and over.finding is not Finding.CONTINUED
    if over is not None and is_lost and not is_running:
        is_over = state.result is not None
        return TimeBar(side, over.used, over.limit, over.move, False, None, is_over=is_over)
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


@dataclass(frozen=True, slots=True)
class TimeWords:
    """One language for the pages' texts about time (§ 6.3.1, § 6.3.3.1)."""

    words: Words

    def spent(self, used: int, limit: int, *, is_over: bool = False) -> str:
        """«28 af 80 dage brugt, 52 tilbage»; only the days used when the game is over."""
        if is_over:
            key = "used"
        elif used < limit:
            key = "used_left"
        else:
            key = "used_up" if used == limit else "used_over"
        left = abs(limit - used)
        return self.words(f"web.time.{key}", used=used, limit=limit, n=left)

    def unit(self, bar: TimeBar) -> str:
        """What the figure beside a player counts: «dage tilbage», «dage for meget»."""
        if bar.left == 0:
            return self.words("web.time.none")
        return self.words(f"web.time.{'left' if bar.left > 0 else 'over'}", n=abs(bar.left))

    def used(self, bar: TimeBar) -> str:
        """«28 af 80 dage brugt»."""
        return self.words("web.time.used", used=bar.used, limit=bar.limit)

    def bar(self, bar: TimeBar) -> str:
        """A bar's text."""
        return self.spent(bar.used, bar.limit, is_over=bar.is_over)

    def last_day(self, bar: TimeBar) -> str:
        """For the side to move: the last day in time; "" if unknown."""
        last = bar.last_day
        if last is None or bar.left < 0:
            return ""
        if bar.is_last_day:
            return self.words("web.game.last_today")
        # With all days used and a later last day, the days in between do not count.
        key = "last_day" if bar.left else "last_free"
        return self.words(f"web.game.{key}", day=self.words.short_day(last))

    def left(self, item: GameSummary) -> str:
        """For a list: days left to the control for the side to move; "" if unknown."""
        if item.rests:
            return ""
        left, last = item.days_left, last_in_time(item.flag_on)
        if left is None:
            return "" if item.is_my_move else self.words("web.games.waiting")
        if left < 0:
            return self.words("web.games.overstepped")
        if last is not None and last == item.today:
            return self.words("web.games.today")
        if left == 0 and last is not None:
            return self.words("web.games.last_day", day=self.words.short_day(last))
        return self.words("web.games.days_left", n=left)
