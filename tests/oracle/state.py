"""What the oracle knows of the game at one place of the list, the limits and the charges.

Written from the text alone as test material.
"""

from datetime import date
from typing import Any

import chess

from tests.oracle.board import first_board
from tests.oracle.days import ONE, charged, exempt_days, horizon

Entry = dict[str, Any]
OTHER = {"white": "black", "black": "white"}
WON_BY = {"white": "1-0", "black": "0-1"}


class State:
    """All that is known of the game at one place of the list."""

    def __init__(self, ledger: Entry) -> None:
        self.start: date = ledger["start"]
        self.postal = ledger["regulation"] == "postal"
        self.per = 3 if self.postal else 4
        self.laws = ledger.get("laws", 2018)
        self.board = first_board(ledger.get("fen"), self.laws)
        self.warnings: set[tuple[int, str]] = set()
        self.exempt = exempt_days(ledger, self.warnings)
        self.endless = horizon(ledger)
        self.corrections: dict[int, Entry] = {}
        for entry in ledger["entries"]:
            if entry["kind"] == "correction":
                finding = self.corrections.setdefault(entry["ply"], {})
                finding.update({k: entry[k] for k in ("sent", "received") if k in entry})
        self.beginnings: set[int] = set()
        self.rows: list[Entry] = []
        self.charges: list[Entry] = []
        self.total = {"white": 0, "black": 0}
        self.own = {"white": 0, "black": 0}
        self.faults = {"white": 0, "black": 0}
        self.series: list[str] = []
        self.fixed: date | None = self.start  # receipt settled by start, resume, answer in part
        self.last_sent: date | None = None
        self.receipt: date | None = None  # from a receipt entry
        self.words: list[Entry] = []  # reminder, long_think, tl_notified since the last dispatch
        self.overstep: Entry | None = None
        self.ended: str | None = None  # by the board, a resignation, a draw
        self.agreed = False  # ended by a draw: no claim stands over it
        self.ruled: str | None = None  # by a result entry

    @property
    def to_move(self) -> str:
        """The side that moves next on the board."""
        return "white" if self.board.turn == chess.WHITE else "black"

    @property
    def over(self) -> bool:
        """Ended otherwise than by an overstep."""
        return self.ended is not None or self.ruled is not None


def next_control(own: int) -> int:
    """The number of the next control move after `own` moves sent (§ 6.3.3.1)."""
    control = 10
    while control <= own:
        control += 10
    return control


def live_limit(state: State, by: str) -> int:
    """The days a side may have used while nothing new is sent (§ 6.3.3.1, § 6.3.3.2)."""
    if by == state.to_move and state.series:
        return series_limit(state, by, len(state.series))
    return state.per * next_control(state.own[by])


def series_limit(state: State, by: str, received: int) -> int:
    """The days when so many moves of a series are received, by the last one (§ 6.3.3.2).

    Only if a 10th, 20th … of this side's own is among them; the board stands before them.
    """
    own, other = state.own[by], state.own[OTHER[by]]
    numbers = []
    for index in range(received):
        if index % 2 == 0:
            own += 1
        else:
            other += 1
        numbers.append(other if index % 2 else own)
    if any(number % 10 == 0 for number in numbers[::2]):
        return state.per * numbers[-1]
    return state.per * next_control(state.own[by])


def overstepped(state: State, by: str, limit: int, on: date, own: int) -> None:
    """Reports an overstep, unless one is reported already; `used` is the total now."""
    if state.overstep is None and state.total[by] > limit:
        state.overstep = {
            "by": by,
            "move": next_control(own),
            "limit": limit,
            "used": state.total[by],
            "on": on.isoformat(),
            "finding": "open",
        }


def add_charge(state: State, entry: Entry, days: int, paragraph: str, reason: str) -> None:
    """Writes a charge down and into the total; it tests nothing."""
    by = entry["by"]
    state.total[by] += days
    state.charges.append(
        {
            "by": by,
            "on": entry["on"].isoformat(),
            "days": days,
            "paragraph": paragraph,
            "reason": reason,
        }
    )


def charge_by_entry(state: State, entry: Entry) -> None:
    """A charge or an invalid move: added, then tested if above 0 (§ 6.3.5.1, § 6.8.6)."""
    by = entry["by"]
    if entry["kind"] == "charge":
        days, paragraph = entry["days"], entry["paragraph"]
    elif state.postal:
        days, paragraph = 0, "6.3.5.1"
        if entry["reason"] in ("illegal", "illegible"):
            state.faults[by] += 1
            days = 3 if state.faults[by] == 1 else 6
    else:
        days, paragraph = 0, "6.8.6"
        if entry["reason"] in ("illegal", "wrong_repetition"):
            days = 3
    if entry["kind"] == "invalid" and days == 0:
        return
    add_charge(state, entry, days, paragraph, entry["reason"])
    if days > 0:
        overstepped(state, by, live_limit(state, by), entry["on"], state.own[by])


def first_day_over(state: State, by: str, since: date, limit: int, weekend: bool) -> date | None:
    """First day on which sending would bring the total above the limit; None: never."""
    day = since
    while state.total[by] + charged(since, day, state.exempt, weekend) <= limit:
        if state.endless is not None and day > max(since, state.endless) + 7 * ONE:
            return None
        day += ONE
    return day
