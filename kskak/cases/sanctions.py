"""Warnings, quarantines and expulsions: what a new one becomes, and their terms (§ 4.1.19).

The general provisions apply to K-skak too (reading of § 6.1). Not for whether one is deserved
(§ 6.4.2 leaves that to the official) nor for who may impose it (verdicts.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.cases.decisions import SanctionKind
from kskak.regulation.days import ONE_DAY, months_later, years_later
from kskak.regulation.editions import DISPUTES


@dataclass(frozen=True, slots=True)
class Sanction:
    """A sanction in the register, as imposed.

    ``first`` and ``last`` are the days of a quarantine, both included. ``season_end`` is the
    last playing day of the group it was decided in, None while that is in play; ``event`` that
    group's form: emt, cup, league, theme.
    """

    kind: SanctionKind
    first: date
    last: date | None = None
    season_end: date | None = None
    is_annulled: bool = False
    event: str | None = None


@dataclass(frozen=True, slots=True)
class Imposed:
    """What a sanction becomes; ``was_warning`` when a warning turned into a quarantine."""

    kind: SanctionKind
    first: date
    last: date | None = None
    was_warning: bool = False
    is_repeated: bool = False

    @property
    def paragraph(self) -> str:
        """The paragraph its term rests on."""
        return "4.1.19" if self.was_warning or self.is_repeated else "6.4.2"


def warning_until(warning: Sanction) -> date | None:
    """The last day a warning counts; None while its tournament is in play (§ 4.1.19)."""
    if warning.season_end is None:
        return None
    return years_later(warning.season_end, DISPUTES.warning_years)


def quarantine_kept_until(quarantine: Sanction) -> date | None:
    """The last day a quarantine stays in the register, None without an end (§ 4.1.19)."""
    if quarantine.last is None:
        return None
    return years_later(quarantine.last, DISPUTES.quarantine_kept_years)


def is_quarantined(register: Sequence[Sanction], on: date) -> bool:
    """Whether a quarantine keeps the player out on a day (§ 6.4.2)."""
    return any(
        row.kind is SanctionKind.QUARANTINE
        and not row.is_annulled
        and row.first <= on
        and (row.last is None or on <= row.last)
        for row in register
    )


def is_expelled(register: Sequence[Sanction], event: str, on: date) -> bool:
    """Whether an expulsion keeps the player out of a form of tournament on a day (§ 6.4.2).

    Reading: «from the tournament» is more than from the group, or the player could enter the next
    group the same day: it lasts as long as the group is played, its last day included. Exclusion
    for longer, or from other tournaments, is a quarantine.
    """
    return any(
        row.kind is SanctionKind.EXPULSION
        and not row.is_annulled
        and row.event == event
        and row.first <= on
        and (row.season_end is None or on <= row.season_end)
        for row in register
    )


def is_shown(sanction: Sanction, on: date) -> bool:
    """Whether it is still in the register: warnings leave it when they end (§ 4.1.19)."""
    if sanction.is_annulled:
        return False
    if sanction.kind is SanctionKind.WARNING:
        return _counts(sanction, on, warning_until(sanction))
    if sanction.kind is SanctionKind.QUARANTINE:
        return _counts(sanction, on, quarantine_kept_until(sanction))
    return True


def _counts(sanction: Sanction, on: date, until: date | None) -> bool:
    return sanction.first <= on and (until is None or on <= until)


def _stands(register: Sequence[Sanction], kind: SanctionKind, on: date) -> bool:
    return any(row.kind is kind and is_shown(row, on) for row in register)


def _quarantine(on: date, months: int) -> tuple[date, date]:
    """The first and last day of a quarantine of this many months."""
    return on, months_later(on, months) - ONE_DAY


def impose(
    register: Sequence[Sanction], kind: SanctionKind, on: date, months: int | None = None
) -> Imposed:
    """What a sanction imposed on a day becomes, given the player's register (§ 4.1.19).

    A second warning while one counts, or a warning up to a year after a quarantine, becomes a
    quarantine of 3 months; a quarantine up to a year after another one is twice as long.
    Reading: a quarantine still running counts as one that has run; the 3 months that a
    warning turns into are fixed by the text and not doubled. ValueError without ``months``
    for a quarantine.
    """
    after_quarantine = _stands(register, SanctionKind.QUARANTINE, on)
    match kind:
        case SanctionKind.WARNING:
            if not after_quarantine and not _stands(register, SanctionKind.WARNING, on):
                return Imposed(kind, on)
            first, last = _quarantine(on, DISPUTES.automatic_months)
            return Imposed(SanctionKind.QUARANTINE, first, last, was_warning=True)
        case SanctionKind.QUARANTINE:
            if months is None or months < 1:
                raise ValueError("a quarantine needs its months")
            times = DISPUTES.repeated_times if after_quarantine else 1
            first, last = _quarantine(on, months * times)
            return Imposed(kind, first, last, is_repeated=after_quarantine)
        case SanctionKind.EXPULSION:
            return Imposed(kind, on)
