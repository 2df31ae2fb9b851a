"""What a person can choose, and what holds when he has not.

The values are closed; what is kept and not known any more, or not yet, counts as not chosen, so
that an older or newer program never fails on it. Nothing here changes what counts in a game:
days run from the day a move was sent, whatever letters one gets (§ 6.3.1, § 6.8.3).

Not for keeping a choice (account/choices.py), nor for the pages that ask
(web/account/settings.py), nor for what each choice does.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from sqlalchemy import Connection

from kskak.board.printing import Writing
from kskak.play.due_days import CONTROL_NEAR
from server.store.play import preferences as rows


class Pieces(StrEnum):
    """The look of the pieces; ``BOLD`` has thick contours."""

    STANDARD = "standard"
    BOLD = "bold"
    PLAIN = "plain"


class BoardLook(StrEnum):
    """The colours of the squares."""

    CALM = "calm"
    BROWN = "brown"
    GREEN = "green"
    BLUE = "blue"
    CONTRAST = "contrast"


class Reads(StrEnum):
    """Whose piece letters a typed move is read in first (§ 6.8.2); all others are tried then.

    ``LANGUAGE``: those of the language one reads. In Danish a B may be a *bonde*, so it is asked
    about; in English it is the bishop (§ 6.8.4).
    """

    LANGUAGE = "language"
    DANISH = "danish"
    ENGLISH = "english"

    def letters_of(self, lang: str) -> str:
        """The language's two letters, for a reader of ``lang``."""
        match self:
            case Reads.LANGUAGE:
                return lang
            case Reads.DANISH:
                return "da"
            case Reads.ENGLISH:
                return "en"
            case _:
                assert_never(self)


class Pace(StrEnum):
    """How often letters come that only pass on what the opponent did."""

    MOVES = "moves"
    DAILY = "daily"
    DEADLINES = "deadlines"


class Undo(StrEnum):
    """Minutes for which a move sent on the web can be taken back; it is sent after them."""

    NONE = "0"
    ONE = "1"
    FIVE = "5"
    TEN = "10"

    @property
    def minutes(self) -> int:
        """The minutes as a number."""
        return int(self.value)


MOST_REMINDERS, EARLIEST_REMINDER = 5, 30
"""How many reminders before one control, and how many days before it the first may be."""


class BadDays(ValueError):
    """A text that is no list of days to be reminded at."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What holds for a person. ``reminders`` are days left to the control, the most first.

    ``undo`` is what the player wishes for; whether a move waits is asked where it is sent.
    """

    pieces: Pieces = Pieces.STANDARD
    board: BoardLook = BoardLook.CALM
    has_coordinates: bool = True
    writing: Writing = Writing.LETTERS
    reads: Reads = Reads.LANGUAGE
    letters: Pace = Pace.MOVES
    reminders: tuple[int, ...] = (CONTROL_NEAR,)
    undo: Undo = Undo.NONE


ON, OFF = "on", "off"


def days_of(text: str) -> tuple[int, ...]:
    """«10, 5, 2» as days, the most first, each once. Raises BadDays.

    At least one: nobody is to lose a game because no word came.
    """
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    if not parts or not all(re.fullmatch(r"[0-9]{1,2}", part) for part in parts):
        raise BadDays
    found = sorted({int(part) for part in parts}, reverse=True)
    if len(found) > MOST_REMINDERS or found[0] > EARLIEST_REMINDER or found[-1] < 1:
        raise BadDays
    return tuple(found)


def _flag(text: str) -> bool:
    if text not in (ON, OFF):
        raise ValueError(text)
    return text == ON


_READERS: Mapping[str, Callable[[str], object]] = {
    "pieces": Pieces,
    "board": BoardLook,
    "has_coordinates": _flag,
    "writing": Writing,
    "reads": Reads,
    "letters": Pace,
    "reminders": days_of,
    "undo": Undo,
}
"""How the text of each field is read; every one raises ValueError for what it does not know."""


def values_of(name: str) -> tuple[str, ...]:
    """All values that a field can have, as texts; none for one that is not chosen from a list."""
    reader = _READERS[name]
    if reader is _flag:
        return (ON, OFF)
    return tuple(one.value for one in reader) if isinstance(reader, type(StrEnum)) else ()


def text_of(preferences: Preferences, name: str) -> str:
    """A field as it is kept and as a form shows it."""
    value: object = getattr(preferences, name)
    match value:
        case bool():
            return ON if value else OFF
        case tuple():
            return ", ".join(str(day) for day in value)
        case _:
            return str(value)


def read(pairs: Iterable[tuple[str, str]]) -> Preferences:
    """What holds by what is kept; an unknown name or value is passed over."""
    found: dict[str, object] = {}
    for name, text in pairs:
        if (reader := _READERS.get(name)) is not None:
            try:
                found[name] = reader(text)
            except ValueError:
                continue
    return replace(Preferences(), **found)  # type: ignore[arg-type]


def faulty(chosen: Mapping[str, str]) -> tuple[str, ...]:
    """Which of these fields have a value that there is not."""
    found = []
    for name, text in chosen.items():
        try:
            _READERS[name](text)
        except ValueError:
            found.append(name)
    return tuple(found)


def of_people(conn: Connection, ids: Collection[int]) -> dict[int, Preferences]:
    """What holds for each of these people, in one question."""
    return {person: read(pairs) for person, pairs in rows.of_people(conn, ids).items()}
