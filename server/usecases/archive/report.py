"""What an import did or would do, and what it could not use; as data, not in words.

The words are in ``mail/words/<lang>/archive/history.toml``. Not for importing (importing.py).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from server.usecases.register.report import Slip

MOST_KEPT = 10_000
"""Most notes, and most players, that a report lists; the rest are only counted."""


class Kind(StrEnum):
    """What a file is, by its ending."""

    PGN = "pgn"
    LEDGER = "json"
    TABLE = "csv"


class BadPath(Exception):
    """A path that can't be read; nothing was changed."""

    def __init__(self, path: Path, slip: Slip) -> None:
        super().__init__(f"{path}: {slip.code}")
        self.path, self.slip = path, slip


class Fate(StrEnum):
    """What becomes of a game or a line."""

    ADDED = "added"
    KNOWN = "known"
    COMPLETED = "completed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a game, or on a line of a table if ``game`` is None.

    ``slip``: why it is refused, or where it already is.
    """

    file: str
    game: int | None
    line: int
    fate: Fate
    slip: Slip


@dataclass(frozen=True, slots=True)
class Unclear:
    """A player who may or should be in the register but could not be identified."""

    name: str
    number: str
    slip: Slip


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of an import: bytes of a file; games or lines so far in this run."""

    file: str
    done: int
    total: int
    items: int


@dataclass(slots=True)
class FileReport:
    """A file's counts, over all runs. ``resumed``: games done before; ``is_known``: all were."""

    name: str
    counts: dict[Fate, int] = field(default_factory=lambda: dict.fromkeys(Fate, 0))
    resumed: int = 0
    is_known: bool = False


@dataclass(slots=True)
class Report:
    """What an import did, or would do."""

    dry_run: bool
    files: list[FileReport] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    unclear: list[Unclear] = field(default_factory=list)
    linked: int = 0
    strangers: int = 0
    results: int = 0

    @property
    def refused(self) -> int:
        """Games and lines that could not be used."""
        return sum(file.counts[Fate.REFUSED] for file in self.files)


@dataclass(frozen=True, slots=True)
class Watch:
    """Callbacks for an import in progress."""

    step: Callable[[Step], None] = lambda step: None
    note: Callable[[Note], None] = lambda note: None
