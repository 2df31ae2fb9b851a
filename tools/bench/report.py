"""The report, as text for people and as JSON for programs. Not for measuring or judging."""

from dataclasses import asdict

from tools.bench.figures import Figure, Profile, Report, Spread, Stored


def as_document(report: Report) -> dict[str, object]:
    """The report as one JSON object."""
    return {
        "conditions": report.conditions,
        "figures": [
            asdict(figure) | {"is_met": figure.goal.is_met(figure.verdict.mid)}
            for figure in report.figures
        ],
        "stored": [
            asdict(stored) | {"total": stored.total, "is_met": stored.goal.is_met(stored.total)}
            for stored in report.stored
        ],
        "profiles": [asdict(profile) for profile in report.profiles],
        "counts": [asdict(count) | {"agrees": count.agrees} for count in report.counts],
    }


def as_text(report: Report) -> str:
    """The report as text: min/median/max, with the goal beside each."""
    lines = [f"{name}: {value}" for name, value in report.conditions.items()]
    lines.append("All figures: min / median / max over the rounds.")
    for figure in report.figures:
        lines += ["", *_figure(figure)]
    for stored in report.stored:
        lines += ["", *_stored(stored)]
    for profile in report.profiles:
        lines += ["", *_profile(profile)]
    lines.append("")
    for count in report.counts:
        word = "agree" if count.agrees else "DISAGREE"
        lines.append(
            f"{count.name}: {count.acknowledged} acknowledged, "
            f"{count.in_ledger} in the ledger: {word}"
        )
    return "\n".join(lines)


def _figure(figure: Figure) -> list[str]:
    word = "met" if figure.goal.is_met(figure.verdict.mid) else "MISSED"
    width = max(len(figure.ceiling_name), len(figure.verdict_name), 6)
    return [
        f"{figure.name} ({figure.unit})",
        f"  {'kskak':{width}}  {_spread(figure.ours)}",
        f"  {figure.ceiling_name:{width}}  {_spread(figure.ceiling)}",
        f"  {figure.verdict_name:{width}}  {_spread(figure.verdict)}   goal {figure.goal}: {word}",
    ]


def _stored(stored: Stored) -> list[str]:
    word = "met" if stored.goal.is_met(stored.total) else "MISSED"
    return [
        f"what {stored.name} leaves on the disk (kB)",
        *(f"  {table:14}  {size:6.2f}" for table, size in stored.tables.items() if size >= 0.01),
        f"  {'in all':14}  {stored.total:6.2f}   goal {stored.goal}: {word}",
    ]


def _profile(profile: Profile) -> list[str]:
    return [
        f"{profile.name}, µs of CPU by layer, looked at {profile.seen:,} times",
        *(
            f"  {layer:22}  {spent:8,.0f}  {spent / profile.total:4.0%}"
            for layer, spent in profile.layers.items()
        ),
        f"  {'in all':22}  {profile.total:8,.0f}",
    ]


def _spread(spread: Spread) -> str:
    return " / ".join(
        f"{value:,.{_places(value)}f}" for value in (spread.low, spread.mid, spread.high)
    )


def _places(value: float) -> int:
    size = abs(value)
    return 0 if size >= 1000 else 1 if size >= 10 else 2
