"""An import's report in words: for the command line, the page and the API alike.

The texts are in ``mail/words/<lang>/register/register.toml``. Not for what is in a report.
"""

from datetime import date

from kskak.ledger.ledger_out import JsonObject
from mail.text.languages import FACTS, spoken
from mail.text.words import Words
from server.usecases.register.report import Change, Fate, Report, Slip, Unused

_WORDED = frozenset(
    {"kind", "citizen", "k_status", "status", "rating_kind"}
)  # fields whose values are words of ours

_DAYS = frozenset({"birth", "since", "until", "k_date", "rating_date", "date"})


def field_text(name: str, words: Words) -> str:
    """A column's name."""
    return words(f"register.column.{name}")


def value_text(name: str, value: str | None, words: Words) -> str:
    """A value as it is shown: our words and days in the reader's language."""
    if value is None:
        return words("register.nothing")
    if name in _DAYS:
        return words.day(date.fromisoformat(value))
    if name == "lang":
        return FACTS[spoken(value)].name
    return words(f"register.value.{value}") if name in _WORDED else value


def slip_text(slip: Slip, words: Words) -> str:
    """What was wrong, where, and what to write instead."""
    key = f"register.slip.{slip.code}"
    if slip.hint and f"{key}_near" in words:
        key = f"{key}_near"
    said = words(key, value=slip.value, hint=slip.hint, languages=", ".join(FACTS))
    return f"{field_text(slip.field, words)}: {said}" if slip.field else said


def change_text(change: Change, words: Words) -> str:
    """«klub: Nordre → Søndre»; a new value without the part before the arrow."""
    after = value_text(change.field, change.after, words)
    before = "" if change.before is None else value_text(change.field, change.before, words)
    shown = f"{before} → {after}" if before else after
    return f"{field_text(change.field, words)}: {shown}"


def unused_text(column: Unused, words: Words) -> str:
    """A column that is not recognised."""
    if column.near:
        return words("register.unused_near", name=column.name, near=column.near)
    return words("register.unused", name=column.name)


def outcome_text(report: Report, words: Words, *, dry_run: bool) -> str:
    """The outcome, in a sentence."""
    if report.fault is not None:
        return words("register.outcome.fault")
    if dry_run:
        return words("register.outcome.dry")
    if not report.is_done:
        return words("register.outcome.refused")
    counts = report.counts
    is_same = not counts[Fate.ADDED] and not counts[Fate.CHANGED]
    return words("register.outcome.same" if is_same else "register.outcome.done")


def summary_text(report: Report, words: Words) -> str:
    """«nye: 3, ændret: 1, uændret: 96, afvist: 0»."""
    counts = report.counts
    return ", ".join(words(f"register.summary.{fate.value}", n=counts[fate]) for fate in Fate)


def document(report: Report, words: Words) -> JsonObject:
    """The report as data: what changes, and every line that can't be used."""
    return {
        "format": "kskak-import/1",
        "what": report.what.value,
        "done": report.is_done,
        "fault": None if report.fault is None else slip_text(report.fault, words),
        "counts": {fate.value: count for fate, count in report.counts.items()},
        "unused": [column.name for column in report.unused],
        "lines": [
            {
                "line": line.number,
                "name": line.name,
                "fate": line.fate.value,
                "changes": [[c.field, c.before, c.after] for c in line.changes],
                "refused": [slip_text(slip, words) for slip in line.slips],
                "notes": [slip_text(slip, words) for slip in line.notes],
            }
            for line in report.lines
            if line.fate is not Fate.UNCHANGED or line.notes
        ],
    }
