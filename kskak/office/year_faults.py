"""What stands against a change of the controller's year (§ 6.1.2, § 6.5.2).

What the texts say with «normally» or «about» may be moved with a reason; the rest may not. Not for
the days that are proposed (year.py).
"""

from collections.abc import Sequence
from enum import StrEnum

from kskak.office.year import PLAN, Deed, DeedKind, Form, Step, season_plan, steps_of
from kskak.regulation.tournament_numbers import EMT


class Fault(StrEnum):
    """Why a step can't be changed like this."""

    NO_STEP = "no_step"
    NO_REASON = "no_reason"
    FAR_DAY = "far_day"
    DM_MONTH = "dm_month"
    OUT_OF_ORDER = "out_of_order"
    NO_CHANGE = "no_change"


FAULT_PARAGRAPH = {Fault.DM_MONTH: "6.5.2"}
"""The rule behind a refusal, where there is one."""


def fault_of(deeds: Sequence[Deed], new: Deed) -> Fault | None:
    """What stands against a new deed; None: it may be done (§ 6.1.2, § 6.5.2).

    The DM class stays in September whatever the reason; what the texts say with «normally» or
    «about» may be moved. The steps stay in their order.
    """
    if new.step not in steps_of(new.form):
        return Fault.NO_STEP
    before = season_plan(new.form, new.season, deeds)
    after = season_plan(new.form, new.season, (*deeds, new))
    if new.kind in (DeedKind.MOVED, DeedKind.CALLED_OFF) and not new.reason.strip():
        return Fault.NO_REASON
    if new.kind is DeedKind.MOVED and not _is_near(new):
        return Fault.FAR_DAY
    if new.kind is DeedKind.MOVED and not _is_dm_month(new):
        return Fault.DM_MONTH
    days = [item.day for item in after if item.day is not None]
    if days != sorted(days):
        return Fault.OUT_OF_ORDER
    return Fault.NO_CHANGE if before == after else None


def _is_near(new: Deed) -> bool:
    first, last = new.season - PLAN.years_before, new.season + PLAN.years_after
    return new.day is not None and first <= new.day.year <= last


def _is_dm_month(new: Deed) -> bool:
    if new.form is not Form.DM or new.step is not Step.START or new.day is None:
        return True
    return (new.day.year, new.day.month) == (new.season, EMT.dm_month)
