"""Days used and days left, in words: of how many, what is left, and whether it is the last day.

The texts are in ``mail/words/<lang>/frame/web.toml``. Not for counting them (time_left.py) nor for
the account's own lines (mail.text.explain).
"""

from dataclasses import dataclass

from mail.text.words import Words
from server.usecases.play.game_views import GameSummary
from server.web.frame.time_left import TimeBar, last_in_time


@dataclass(frozen=True, slots=True)
class TimeWords:
    """One language, as the pages speak of time (§ 6.3.1, § 6.3.3.1)."""

    words: Words

    def spent(self, used: int, limit: int, *, is_over: bool = False) -> str:
        """«28 af 80 dage brugt, 52 tilbage»; nothing is left or lacking when the game is over."""
        if is_over:
            key = "used"
        elif used < limit:
            key = "used_left"
        else:
            key = "used_up" if used == limit else "used_over"
        left = abs(limit - used)
        return self.words(f"web.time.{key}", used=used, limit=limit, n=left)

    def bar(self, bar: TimeBar) -> str:
        """What a bar shows."""
        return self.spent(bar.used, bar.limit, is_over=bar.is_over)

    def answer_by(self, bar: TimeBar) -> str:
        """For the one to move: the last day in time and the days left; "" when none is known."""
        last = bar.last_day
        if last is None:
            return ""
        if bar.is_last_day:
            return self.words("web.game.last_today")
        said = self.words("web.game.last_day", day=self.words.weekday_day(last))
        if bar.left > 0:
            return f"{said} {self.words('web.game.left', n=bar.left)}"
        # All is used, and there are days still: those between do not count.
        return f"{said} {self.words('web.game.left_none')}" if bar.left == 0 else said

    def left(self, item: GameSummary) -> str:
        """For a list: days left to the control of who is to move; "" where nothing is known."""
        if item.rests:
            return ""
        left, mine, last = item.days_left, item.is_my_move, last_in_time(item.flag_on)
        if left is None:
            return "" if mine else self.words("web.games.waiting")
        if left < 0:
            return self.words("web.games.overstepped")
        if last is not None and last == item.today:
            return self.words("web.games.today" if mine else "mygames.their_today")
        if left == 0 and last is not None:
            key = "web.games.last_day" if mine else "mygames.their_last"
            return self.words(key, day=self.words.short_day(last))
        return self.words("web.games.days_left" if mine else "mygames.their_days", n=left)
