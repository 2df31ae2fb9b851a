"""An import's report in words: for the command line, as text and as data.

The texts are in ``mail/words/<lang>/archive/history.toml``; those about cells that the register's
tables have too are in ``register.toml``. Not for what is in a report.
"""

from kskak.ledger.ledger_out import JsonObject
from mail.text.words import Words
from server.usecases.archive.report import Fate, FileReport, Note, Report, Step, Unclear
from server.usecases.register import wording as register
from server.usecases.register.report import Slip

_MINUTE_S = 60


def slip_text(slip: Slip, words: Words) -> str:
    """What is wrong, where, and what to write instead."""
    key = f"history.slip.{slip.code}"
    if slip.hint and f"{key}_near" in words:
        key = f"{key}_near"
    if key in words:
        said = words(key, value=slip.value, hint=slip.hint)
    else:
        said = register.slip_text(Slip(slip.code, "", slip.value, slip.hint), words)
    return f"{words(f'history.column.{slip.field}')}: {said}" if slip.field else said


def note_text(note: Note, words: Words) -> str:
    """«old.pgn, parti 12 (linje 180): Trækket 2. Ke3 …»."""
    places = {"file": note.file, "line": note.line, "game": note.game}
    where = words("history.line" if note.game is None else "history.game", **places)
    return f"{where}: {slip_text(note.slip, words)}"


def unclear_text(one: Unclear, words: Words) -> str:
    """«A. Jensen (4711): …»."""
    number = f" ({one.number})" if one.number else ""
    return words("history.unclear", name=one.name, number=number, said=slip_text(one.slip, words))


def file_text(file: FileReport, words: Words) -> str:
    """A file's counts."""
    counts = {fate.value: count for fate, count in file.counts.items()}
    return words(
        "history.file.known" if file.is_known else "history.file.done", file=file.name, **counts
    )


def step_text(step: Step, seconds: float, first: Step, words: Words) -> str:
    """The progress so far. ``seconds`` since ``first``."""
    rate = (step.items - first.items) / seconds if seconds > 0 else 0.0
    speed = (step.done - first.done) / seconds if seconds > 0 else 0.0
    left = (step.total - step.done) / speed if speed > 0 else 0.0
    if left >= 2 * _MINUTE_S:
        rest = words("history.progress.minutes", n=round(left / _MINUTE_S))
    else:
        rest = words("history.progress.seconds", n=round(left))
    percent = 100 * step.done // step.total if step.total else 100
    return words(
        "history.progress.line",
        file=step.file,
        percent=percent,
        items=step.items,
        rate=round(rate),
        left=rest,
    )


def closing_lines(report: Report, games: int, words: Words) -> list[str]:
    """The closing summary."""
    lines = []
    if report.dry_run:
        lines.append(words("history.players.would", n=report.linked))
    else:
        lines.append(words("history.players.linked", n=report.linked, results=report.results))
    lines.append(words("history.players.strangers", n=report.strangers))
    if report.unclear:
        lines.append(words("history.players.unclear"))
        lines += [f"    {unclear_text(one, words)}" for one in report.unclear]
    dry = words("history.outcome.dry")
    return [*lines, dry if report.dry_run else words("history.outcome.done", n=games)]


def document(report: Report, games: int, words: Words) -> JsonObject:
    """The report as data; ``games``: how many the archive has."""
    return {
        "format": "kskak-history/1",
        "dry_run": report.dry_run,
        "games": games,
        "files": [_file(file) for file in report.files],
        "refused": [_note(one, words) for one in report.notes if one.fate is Fate.REFUSED],
        "known": [_note(one, words) for one in report.notes if one.fate is not Fate.REFUSED],
        "linked": report.linked,
        "strangers": report.strangers,
        "results": report.results,
        "unclear": [
            {"name": one.name, "number": one.number, "detail": slip_text(one.slip, words)}
            for one in report.unclear
        ],
    }


def _file(file: FileReport) -> JsonObject:
    return {
        "file": file.name,
        **{fate.value: count for fate, count in file.counts.items()},
        "resumed": file.resumed,
        "read_before": file.is_known,
    }


def _note(note: Note, words: Words) -> JsonObject:
    return {
        "file": note.file,
        "game": note.game,
        "line": note.line,
        "detail": slip_text(note.slip, words),
    }
