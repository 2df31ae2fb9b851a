"""What an import of the past did, or would do; what could not be used. No words here.

The words are in ``mail/words/<lang>/archive/history.toml``. Not for finding it out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from server.usecases.register.report import Slip

MOST_KEPT = 10_000
"""Notes and players that a report keeps; more are only counted."""


class Kind(StrEnum):
    """What a file is, by its ending."""

    PGN = "pgn"
    LEDGER = "json"
    TABLE = "csv"


class BadPath(Exception):
    """A path that can't be read: nothing was changed."""

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
    """A game or line that has something to be said about; ``game`` None: a line of a table.

    ``slip``: why it is refused, or where it is already.
    """

    file: str
    game: int | None
    line: int
    fate: Fate
    slip: Slip


@dataclass(frozen=True, slots=True)
class Unclear:
    """A player who may be somebody of the register, or should be, and could not be told."""

    name: str
    number: str
    slip: Slip


@dataclass(frozen=True, slots=True)
class Step:
    """How far an import is: of a file, in bytes; games or lines so far in this run."""

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
    """An import as it was or would be."""

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
    """Who is told while it goes on."""

    step: Callable[[Step], None] = lambda step: None
    note: Callable[[Note], None] = lambda note: None
