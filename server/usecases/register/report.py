"""What an import would do, or did: line by line, with what was not understood. No words here.

The words are in ``mail/words/<lang>/register/register.toml``. Not for working it out.
"""

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

Progress = Callable[[str, int, int], None]
"""Told a step's name, how many lines are done and how many there are."""


def no_progress(step: str, done: int, total: int) -> None:
    """Nobody is watching."""


class What(StrEnum):
    """The registers that files can be imported into."""

    MEMBERS = "members"
    CLUBS = "clubs"
    RATINGS = "ratings"


class Fate(StrEnum):
    """What becomes of a line."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Slip:
    """Something in a line that can't be used, or that was left as it was.

    ``code`` is a key of the catalogue; ``field`` the column, ``value`` what it contains, ``hint``
    what may have been meant, or whom it clashes with.
    """

    code: str
    field: str = ""
    value: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One field of a line: what is there and what is to be. None: nothing."""

    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file, by its number in the file. ``notes`` block nothing."""

    number: int
    name: str
    fate: Fate
    changes: tuple[Change, ...] = ()
    slips: tuple[Slip, ...] = ()
    notes: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Unused:
    """An unrecognised column, and the known one that may have been meant."""

    name: str
    near: str


@dataclass(frozen=True, slots=True)
class Report:
    """An import as it would be or was. ``fault``: the file as a whole can't be read."""

    what: What
    lines: tuple[Line, ...] = ()
    unused: tuple[Unused, ...] = ()
    fault: Slip | None = None
    is_done: bool = False

    @property
    def counts(self) -> dict[Fate, int]:
        """How many lines have which fate."""
        found = Counter(line.fate for line in self.lines)
        return {fate: found[fate] for fate in Fate}

    @property
    def is_clean(self) -> bool:
        """Whether every line can be used."""
        return self.fault is None and not self.counts[Fate.REFUSED]

    @property
    def digest(self) -> str:
        """A digest of what would change: the same as long as file and register are."""
        changing = [(li.number, li.fate.value, li.changes, li.notes) for li in self.lines]
        return hashlib.sha256(repr((self.what.value, changing)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Rules:
    """How an import is to be done.

    ``skip_bad``: lines that can't be used are left out; else one such line stops the import.
    ``take_emails``: the file's address wins over the one that the player uses.
    ``digest``: of the report that was seen; if it has changed, nothing is written.
    """

    dry_run: bool = False
    skip_bad: bool = False
    take_emails: bool = False
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Doer:
    """Who changes the register, through which channel, and why. ``person_id`` None: the operator.

    ``may_readdress``: may change the address of somebody who holds an office.
    """

    person_id: int | None
    channel: str
    reason: str
    may_readdress: bool = False
