"""One of every letter that time itself causes, for the tests of all letters."""

from datetime import date

from kskak.quantities import Side
from mail import silences as sl

HIS_WORDS = "På ferie parti+zzzzzzzzzzzzzzzzzzzz777777@skak.example.org"
"""What the player wrote with his notice, another one's key in it."""


def of_silence(game, accounts, last, link):
    """By name; ``accounts`` are after three moves, before the first, and of a postal game."""
    now, start, postal = accounts
    days = date(2027, 1, 8), date(2027, 1, 15)
    return {
        "reminder": sl.Reminder(game, now, Side.BLACK, last, link),
        "reminder_postal": sl.Reminder(game, postal, Side.BLACK, last, link),
        "reminder_first": sl.Reminder(game, start, Side.WHITE, None, link),
        "copy": sl.SilenceCopy(game, now, sl.Copied.REMINDED, Side.BLACK, last),
        "copy_first": sl.SilenceCopy(game, start, sl.Copied.REMINDED, Side.WHITE, None),
        "copy_answered": sl.SilenceCopy(game, now, sl.Copied.ANSWERED, Side.WHITE, last),
        "told_reminded": sl.SilenceTold(game, now, Side.WHITE, sl.Step.REMINDED),
        "told_leader": sl.SilenceTold(game, now, Side.WHITE, sl.Step.LEADER_TOLD),
        "think_warning": sl.ThinkWarning(game, now, Side.BLACK, date(2026, 12, 19), link),
        "think_still": sl.ThinkWarning(game, postal, Side.BLACK, None, link),
        "long_think": sl.LongThink(game, now, Side.WHITE, Side.BLACK, HIS_WORDS),
        "long_think_own": sl.LongThink(game, now, Side.BLACK, Side.BLACK),
        "control": sl.ControlWarning(game, now, Side.BLACK, 3),
        "offline": sl.OfflineReport(game, now, Side.BLACK, date(2026, 12, 5)),
        "shorter": sl.LeaveShorter(game, now, Side.WHITE, Side.BLACK, *days, date(2027, 1, 10)),
        "given_up": sl.LeaveShorter(game, now, None, Side.BLACK, *days, date(2027, 1, 7)),
    }
