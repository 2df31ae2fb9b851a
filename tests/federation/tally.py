"""What happens in a year of a simulation: counted as it happens, reported at the year's end.

Not for printing (report.py).
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from kskak.regulation.editions import OverstepFinding
from kskak.statement.account import Account
from tests.federation.match import Match


@dataclass(frozen=True, slots=True)
class Moved:
    """A promotion or relegation: in which group, with how many points, by which paragraph."""

    player: str
    group: str
    above: str
    below: str
    points: float
    paragraph: str


@dataclass(frozen=True, slots=True)
class Titled:
    """A title and its holders."""

    title: str
    tournament: str
    holders: tuple[str, ...]
    paragraph: str


@dataclass(frozen=True, slots=True)
class TeamPlaced:
    """A team in a division of next season, and why it is there (§ 6.7.5)."""

    division: int
    group: int
    club: str
    reason: str


@dataclass(slots=True)
class Tally:
    """One year. Days are whole days of reflection time, charges those of § 6.3.4-6.3.5, § 6.8.6."""

    number: int
    first: date
    groups: Counter[str] = field(default_factory=Counter)
    finished_groups: int = 0
    games: int = 0
    plies: int = 0
    days: int = 0
    charged: int = 0
    results: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    oversteps: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    entries: Counter[str] = field(default_factory=Counter)
    admissions: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    withdrawals: Counter[str] = field(default_factory=Counter)
    appeals: Counter[str] = field(default_factory=Counter)
    ties: Counter[str] = field(default_factory=Counter)
    leaves: int = 0
    reserves: int = 0
    called_in: int = 0
    lapsed: int = 0
    promotions: list[Moved] = field(default_factory=list)
    relegations: list[Moved] = field(default_factory=list)
    titles: list[Titled] = field(default_factory=list)
    divisions: list[TeamPlaced] = field(default_factory=list)

    def game(self, match: Match, told: Account) -> None:
        """Count a game whose group is finished."""
        state = match.state
        self.games += 1
        self.plies += state.position.ply
        self.days += sum(row.dates.days for row in told.rows)
        self.charged += sum(one.days for one in told.charges)
        if state.result is not None:
            self.results[state.result.value] += 1
        overstep = state.overstep
        if overstep is not None:
            self.oversteps[overstep.finding.value] += 1
        is_lost = overstep is not None and overstep.finding is not OverstepFinding.OPEN
        self.endings["time" if is_lost else (state.ended.value if state.ended else "open")] += 1
        self.refusals.update(match.refusals)
