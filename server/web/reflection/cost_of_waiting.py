"""The cost of waiting for the side to move: answering today, some days later, or after leave.

Not for the counting (kskak.statement.timeline).
"""

from dataclasses import dataclass
from datetime import date, timedelta

from kskak.statement.account import Account
from kskak.statement.timeline import Forecast, after_leave, forecasts
from server.web.frame.words import PageWords

LATER_DAYS = (5, 14)


@dataclass(frozen=True, slots=True)
class Wait:
    """A row: when one answers, in words, and the cost."""

    when: str
    cost: Forecast


def waits_of(account: Account, said: PageWords) -> tuple[Wait, ...]:
    """The rows, the earliest first; none if no time is running."""
    live = account.live
    if live is None:
        return ()
    today = live.on
    named: dict[date, str] = {today: said.t("timeline.if_today", day=said.short_day(today))}
    for days in LATER_DAYS:
        on = today + timedelta(days=days)
        named[on] = said.t("timeline.if_later", days=said.days(days), day=said.short_day(on))
    back = after_leave(account, live)
    if back is not None:
        named[back] = said.t("timeline.if_leave", day=said.short_day(back))
    found = forecasts(account, tuple(sorted(named)))
    return tuple(Wait(named[one.on], one) for one in found)
