"""The report on a simulation: as a value, as JSON, and as lines for a terminal.

The hash covers every event of every game and every value of the report: the same seed gives the
same hash. Not for counting (tally.py).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from fractions import Fraction
from hashlib import sha256

from kskak.rating.lists import RatingChange
from tests.federation.rating_list import rating_list
from tests.federation.tally import Moved, Tally, TeamPlaced, Titled

FORMAT = "kskak-simulated/1"
_BEST = 5


@dataclass(frozen=True, slots=True)
class Rated:
    """A line of the rating list."""

    name: str
    rating: int


@dataclass(frozen=True, slots=True)
class YearReport:
    """One year: counts by kind; ``days`` and ``charged`` are days of reflection time."""

    year: int
    first: str
    last: str
    groups: Mapping[str, int]
    finished_groups: int
    games: int
    plies: int
    results: Mapping[str, int]
    endings: Mapping[str, int]
    days: int
    charged: int
    oversteps: Mapping[str, int]
    leaves: int
    reserves: int
    called_in: int
    withdrawals: Mapping[str, int]
    entries: Mapping[str, int]
    admissions: Mapping[str, int]
    refused: Mapping[str, int]
    refusals: Mapping[str, int]
    appeals: Mapping[str, int]
    ties: Mapping[str, int]
    promotions: tuple[Moved, ...]
    relegations: tuple[Moved, ...]
    lapsed: int
    titles: tuple[Titled, ...]
    divisions: tuple[TeamPlaced, ...]
    listed: int
    best: tuple[Rated, ...]
    mean_rating: float


@dataclass(frozen=True, slots=True)
class Running:
    """What is still being played at the end."""

    games: int
    plies: int


@dataclass(frozen=True, slots=True)
class LifeReport:
    """All years; ``trace`` is the hash of every event."""

    seed: int
    years: tuple[YearReport, ...]
    running: Running
    trace: str


def year_report(
    tally: Tally,
    registered: Mapping[str, int],
    curves: Mapping[str, Sequence[RatingChange]],
    last: date,
) -> YearReport:
    """A year's report from what was counted in it."""
    listed = rating_list(registered, curves, last)
    return YearReport(
        year=tally.number,
        first=tally.first.isoformat(),
        last=last.isoformat(),
        groups=_sorted(tally.groups),
        finished_groups=tally.finished_groups,
        games=tally.games,
        plies=tally.plies,
        results=_sorted(tally.results),
        endings=_sorted(tally.endings),
        days=tally.days,
        charged=tally.charged,
        oversteps=_sorted(tally.oversteps),
        leaves=tally.leaves,
        reserves=tally.reserves,
        called_in=tally.called_in,
        withdrawals=_sorted(tally.withdrawals),
        entries=_sorted(tally.entries),
        admissions=_sorted(tally.admissions),
        refused=_sorted(tally.faults),
        refusals=_sorted(tally.refusals),
        appeals=_sorted(tally.appeals),
        ties=_sorted(tally.ties),
        promotions=tuple(tally.promotions),
        relegations=tuple(tally.relegations),
        lapsed=tally.lapsed,
        titles=tuple(tally.titles),
        divisions=tuple(tally.divisions),
        listed=len(listed),
        best=tuple(Rated(row.name, row.rating) for row in listed[:_BEST]),
        mean_rating=_mean(list(registered.values())),
    )


def _mean(ratings: Sequence[int]) -> float:
    return float(round(Fraction(sum(ratings), len(ratings)), 1))


def _sorted(counted: Counter[str]) -> dict[str, int]:
    return {str(key): counted[key] for key in sorted(counted)}


def report_json(report: LifeReport) -> dict[str, object]:
    """The JSON of ``python -m tests.federation --json``, its hash included."""
    document: dict[str, object] = {"format": FORMAT, **asdict(report)}
    return document | {"hash": report_hash(report)}


def report_hash(report: LifeReport) -> str:
    """One hash for everything that happened and everything reported."""
    return sha256(json.dumps(asdict(report), sort_keys=True).encode()).hexdigest()


def report_lines(report: LifeReport) -> Iterator[str]:
    """The report for a terminal: a table with one column per year, then the details."""
    for name, *figures in _table(report.years):
        yield f"{name:26}" + "".join(f"{figure:>10}" for figure in figures)
    for year in report.years:
        yield ""
        yield f"Year {year.year}: {year.first} to {year.last}"
        yield from (f"  {name:12}{text}" for name, text in _named(year))
    yield ""
    yield f"Still played: {report.running.games} games"
    yield f"Seed {report.seed}, hash {report_hash(report)[:16]}"


def _table(years: Sequence[YearReport]) -> Iterator[tuple[str, ...]]:
    """One row per figure."""
    rows: dict[str, list[int]] = {
        "Year": [year.year for year in years],
        "Groups drawn": [sum(year.groups.values()) for year in years],
        "Groups finished": [year.finished_groups for year in years],
        "Games finished": [year.games for year in years],
    }
    for name, result in _RESULTS.items():
        rows[name] = [year.results.get(result, 0) for year in years]
    rows |= {
        "Plies": [year.plies for year in years],
        "Days used": [year.days for year in years],
        "Days charged": [year.charged for year in years],
        "Oversteps claimed": [year.oversteps.get("claimed", 0) for year in years],
        "Oversteps, both lose": [year.oversteps.get("continued", 0) for year in years],
        "Leaves booked in games": [year.leaves for year in years],
        "Withdrawals": [sum(year.withdrawals.values()) for year in years],
        "Reserves put in": [year.reserves for year in years],
        "Games called in": [year.called_in for year in years],
        "Promotions": [len(year.promotions) for year in years],
        "Relegations": [len(year.relegations) for year in years],
        "Rights lapsed": [year.lapsed for year in years],
    }
    for name, figures in rows.items():
        yield name, *(str(figure) for figure in figures)


_RESULTS = {"White won": "1-0", "Black won": "0-1", "Drawn": "1/2-1/2", "Both lost": "0-0"}


def _named(year: YearReport) -> Iterator[tuple[str, str]]:
    """A year's detail lines: kinds, paragraphs, names."""
    yield "groups", _counts(year.groups)
    yield "ended by", _counts(year.endings)
    yield "appeals", _counts(year.appeals)
    yield "entries", _counts(year.entries)
    yield "let in by", _counts(year.admissions, "§ ")
    yield "kept out by", _counts(year.refused, "§ ")
    yield "level", _counts(year.ties)
    risen = Counter(f"to {one.above} by § {one.paragraph}" for one in year.promotions)
    fallen = Counter(f"from {one.above} by § {one.paragraph}" for one in year.relegations)
    yield "up", _counts(_sorted(risen))
    yield "down", _counts(_sorted(fallen))
    yield "rating", f"{year.listed} listed, mean {year.mean_rating}"
    yield "best", ", ".join(f"{row.name} {row.rating}" for row in year.best)
    for title in year.titles:
        holders = ", ".join(title.holders) or "nobody"
        yield (
            "title",
            f"{_TITLES[title.title]}, {title.tournament}: {holders} (§ {title.paragraph})",
        )
    for division in sorted({(one.division, one.group) for one in year.divisions}):
        teams = [one for one in year.divisions if (one.division, one.group) == division]
        name = f"division {division[0]}" if division[0] < 3 else f"3, group {division[1]}"
        named = (f"{one.club} ({one.reason.removeprefix('6.7.5 ')})" for one in teams)
        yield name, ", ".join(named)


_TITLES = {
    "danish_champion": "Danish champion",
    "cup_champion": "Cup champion",
    "team_champion": "Team champion",
}


def _counts(counted: Mapping[str, int], sign: str = "") -> str:
    return ", ".join(f"{count} {sign}{name}" for name, count in counted.items()) or "none"
