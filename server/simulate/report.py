"""What a simulated life came to: a value, JSON of it, and lines for a terminal.

The hash covers every event of every game and every line of the report: the same seed gives the
same hash. Not for counting (tally.py).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from fractions import Fraction
from hashlib import sha256

from kskak.rating_list import Change, rating_list
from server.simulate.tally import Moved, Tally, TeamPlaced, Titled

FORMAT = "kskak-simulated/1"
_BEST = 5


@dataclass(frozen=True, slots=True)
class Rated:
    """A line of the rating list."""

    name: str
    rating: int


@dataclass(frozen=True, slots=True)
class YearReport:
    """A year; counts by what they are of, days of reflection time."""

    year: int
    first: str
    last: str
    groups: int
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
    """What is still played at the end."""

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
    curves: Mapping[str, Sequence[Change]],
    last: date,
) -> YearReport:
    """A year's report from what was counted in it."""
    listed = rating_list({key: registered[key] for key in registered}, curves, last)
    best = tuple(Rated(row.name, row.rating) for row in listed[:_BEST])
    return YearReport(
        year=tally.number,
        first=tally.first.isoformat(),
        last=last.isoformat(),
        groups=tally.groups,
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
        ties=_sorted(tally.ties),
        promotions=tuple(tally.promotions),
        relegations=tuple(tally.relegations),
        lapsed=tally.lapsed,
        titles=tuple(tally.titles),
        divisions=tuple(tally.divisions),
        listed=len(listed),
        best=best,
        mean_rating=float(round(Fraction(sum(registered.values()), len(registered)), 1)),
    )


def _sorted(counted: Counter[str]) -> dict[str, int]:
    return {str(key): counted[key] for key in sorted(counted)}


def report_json(report: LifeReport) -> dict[str, object]:
    """The JSON of ``kskak simulate --json``, its hash included."""
    document: dict[str, object] = {"format": FORMAT, **asdict(report)}
    return document | {"hash": report_hash(report)}


def report_hash(report: LifeReport) -> str:
    """One hash for all that happened and all that is told."""
    return sha256(json.dumps(asdict(report), sort_keys=True).encode()).hexdigest()


def report_lines(report: LifeReport) -> Iterator[str]:
    """The report for a terminal."""
    for year in report.years:
        yield from _year_lines(year)
        yield ""
    running = report.running
    yield f"Still played: {running.games} games"
    yield f"Seed {report.seed}, hash {report_hash(report)[:16]}"


def _year_lines(year: YearReport) -> Iterator[str]:
    yield f"Year {year.year}: {year.first} to {year.last}"
    lines = {
        "groups": f"{year.groups} drawn, {year.finished_groups} finished",
        "games": f"{year.games} finished, {year.plies} plies",
        "results": _counts(year.results),
        "ended by": _counts(year.endings),
        "days": f"{year.days} used, {year.charged} charged besides",
        "oversteps": _counts(year.oversteps),
        "leave": f"{year.leaves} booked in games, {year.reserves} reserves put in",
        "left": _counts(year.withdrawals),
        "entries": _counts(year.entries),
        "let in by": _counts(year.admissions, "§ "),
        "kept out by": _counts(year.refused, "§ "),
        "ties": _counts(year.ties),
        "moved": f"{len(year.promotions)} up, {len(year.relegations)} down, {year.lapsed} lapsed",
        "rating": f"{year.listed} listed, mean {year.mean_rating}",
        "best": ", ".join(f"{row.name} {row.rating}" for row in year.best),
    }
    yield from (f"  {name:12}{text}" for name, text in lines.items())
    for moved in year.promotions:
        source = f"§ {moved.paragraph}, {moved.points} points in {moved.group}"
        yield f"  {'up':12}{moved.player} to {moved.above}: {source}"
    for title in year.titles:
        holders = ", ".join(title.holders) or "nobody"
        yield f"  {'title':12}{title.title} of {title.tournament}: {holders} (§ {title.paragraph})"
    for division in sorted({(one.division, one.group) for one in year.divisions}):
        teams = [one for one in year.divisions if (one.division, one.group) == division]
        named = ", ".join(f"{one.club} ({one.reason.removeprefix('6.7.5 ')})" for one in teams)
        yield f"  {f'div. {division[0]}/{division[1]}':12}{named}"


def _counts(counted: Mapping[str, int], sign: str = "") -> str:
    return ", ".join(f"{count} {sign}{name}" for name, count in counted.items()) or "none"
