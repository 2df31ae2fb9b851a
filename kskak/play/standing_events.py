"""Which of a game's events stand: rulings unwrapped, annulled ones left out (§ 6.4.1, § 6.4.3).

A ruling's effects stay in the game's history; whether they count is determined here, so that
an annulled ruling leaves the account as if it had never been made. Not for deciding one
(cases/decide.py) nor for what an effect does (evolve.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kskak.game import events as ev
from kskak.play.account_log import Charge, Log, Row
from kskak.reflection.leave import Warned

_Plain = (
    ev.LedgerEvent
    | ev.DrawOfferPrepared
    | ev.DrawDeclined
    | ev.DrawClaimFailed
    | ev.OverstepFound
    | ev.OverstepWaived
    | ev.EmailAnswered
    | ev.TakenOver
    | ev.ClaimStands
    | ev.PauseEnded
    | ev.LeaveShortened
)


class Standing(NamedTuple):
    """An event that counts: its place in the list, and the ruling it comes from, if any."""

    entry: int
    event: _Plain
    ruling: str | None


@dataclass(frozen=True, slots=True)
class RulingShown:
    """One effect of a ruling in the history, annulled or not: the account shows both."""

    entry: int
    ruling: str
    effect: ev.RulingEffect
    is_annulled: bool


def _annulled_until(events: Sequence[ev.Event]) -> dict[str, int]:
    """The place of each ruling's last annulment; its later effects stand."""
    return {
        event.ruling: entry
        for entry, event in enumerate(events)
        if isinstance(event, ev.RulingAnnulled)
    }


def _dropped_until(events: Sequence[ev.Event]) -> int:
    """The place of the last withdrawal of a claim; claims before it no longer count."""
    places = (entry for entry, event in enumerate(events) if isinstance(event, ev.ClaimDropped))
    return max(places, default=-1)


def standing(events: Sequence[ev.Event]) -> list[Standing]:
    """The events that count, in order, a ruling's effects unwrapped (§ 6.4.1, § 6.4.3)."""
    annulled, dropped = _annulled_until(events), _dropped_until(events)
    out: list[Standing] = []
    for entry, event in enumerate(events):
        if isinstance(event, ev.RulingAnnulled | ev.ClaimDropped | ev.EntryAnnulled):
            continue
        if isinstance(event, ev.OverstepClaimed) and event.awaits_decision and entry < dropped:
            continue
        if not isinstance(event, ev.Ruled):
            out.append(Standing(entry, event, None))
        elif annulled.get(event.ruling, -1) < entry:
            out.append(Standing(entry, event.effect, event.ruling))
    return out


def rulings_shown(events: Sequence[ev.Event]) -> tuple[RulingShown, ...]:
    """Every effect of a ruling in the history, with whether it still stands (§ 6.4.3)."""
    annulled = _annulled_until(events)
    return tuple(
        RulingShown(entry, event.ruling, event.effect, annulled.get(event.ruling, -1) > entry)
        for entry, event in enumerate(events)
        if isinstance(event, ev.Ruled)
    )


@dataclass(frozen=True, slots=True)
class RuledLog:
    """A log that notes the ruling behind what it passes on: rows it found dates for, or charges."""

    log: Log
    ruling: str
    marks_charges: bool

    def row(self, row: Row) -> None:
        """A ply whose dates the ruling found."""
        self.log.row(row if self.marks_charges else replace(row, ruling=self.ruling))

    def charge(self, charge: Charge) -> None:
        """Days that the ruling charged; those of a dispatch are the regulation's own."""
        self.log.charge(replace(charge, ruling=self.ruling) if self.marks_charges else charge)

    def remark(self, entry: int, code: Warned) -> None:
        """A remark, unchanged."""
        self.log.remark(entry, code)
