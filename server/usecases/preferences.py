"""What a person can choose, and the defaults.

The values are fixed; a saved one that is no longer known, or not yet, counts as not chosen, so
that an older or newer program never fails on it. Nothing here changes what counts in a game:
days run from the day a move was sent, whatever letters a player gets (§ 6.3.1, § 6.8.3).

Not for saving a choice (account/signin.py), nor for the pages that ask
(web/account/settings.py), nor for what each choice does.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from sqlalchemy import Connection

from kskak.board.shapes import MoveNotation
from kskak.play.due_days import CONTROL_NEAR
from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES
from server.store.play import people as person_rows


class Pieces(StrEnum):
    """The set of pieces, as mail/looks/design.py draws it; ``BOLD`` has thick contours."""

    STANDARD = "standard"
    BOLD = "bold"
    PRINT = "print"
    NEWS = "news"
    PLAIN = "plain"


class BoardLook(StrEnum):
    """The colours of the squares."""

    CALM = "calm"
    BROWN = "brown"
    GREEN = "green"
    BLUE = "blue"
    CONTRAST = "contrast"


class Reads(StrEnum):
    """Which piece letters are tried first for a typed move (§ 6.8.2); then all others are.

    ``LANGUAGE``: those of the reader's language. In Danish a B may be a *bonde*, so it is asked
    about; in English it is the bishop (§ 6.8.4).
    """

    LANGUAGE = "language"
    DANISH = "danish"
    ENGLISH = "english"

    def letters_of(self, lang: str) -> str:
        """The language's two-letter code, for a reader of ``lang``."""
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
    """How often to send letters that only report what the opponent did."""

    MOVES = "moves"
    DAILY = "daily"
    DEADLINES = "deadlines"


class Undo(StrEnum):
    """Minutes during which a move sent on the web can be taken back; only then is it sent."""

    NONE = "0"
    ONE = "1"
    FIVE = "5"
    TEN = "10"

    @property
    def minutes(self) -> int:
        """The minutes as a number."""
        return int(self.value)


MOST_REMINDERS, EARLIEST_REMINDER = 5, 30
"""Most reminders before one control, and most days before it for the first of them."""


class BadDays(ValueError):
    """A text that is not a list of days for reminders."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's preferences. ``reminders`` are days left to the control, largest first.

    ``undo`` is the player's wish; whether a move waits is decided where it is sent. ``goes_on``:
    a move sent on the web is answered with the next game that waits.
    """

    pieces: Pieces = Pieces.STANDARD
    board: BoardLook = BoardLook.CALM
    has_coordinates: bool = True
    writing: MoveNotation = MoveNotation.LETTERS
    reads: Reads = Reads.LANGUAGE
    letters: Pace = Pace.MOVES
    reminders: tuple[int, ...] = (CONTROL_NEAR,)
    undo: Undo = Undo.NONE
    goes_on: bool = False


ON, OFF = "on", "off"


def days_of(text: str) -> tuple[int, ...]:
    """«10, 5, 2» as days, largest first, each once. Raises BadDays.

    At least one, so that nobody loses a game for want of a warning.
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
    "writing": MoveNotation,
    "reads": Reads,
    "letters": Pace,
    "reminders": days_of,
    "undo": Undo,
    "goes_on": _flag,
}
"""How to read each field's text; all of them raise ValueError for an unknown value."""


def values_of(name: str) -> tuple[str, ...]:
    """All values that a field can have, as texts; empty for one not chosen from a list."""
    reader = _READERS[name]
    if reader is _flag:
        return (ON, OFF)
    return tuple(one.value for one in reader) if isinstance(reader, type(StrEnum)) else ()


def write_field(preferences: Preferences, name: str) -> str:
    """A field's text as saved and as a form shows it."""
    value: object = getattr(preferences, name)
    match value:
        case bool():
            return ON if value else OFF
        case tuple():
            return ", ".join(str(day) for day in value)
        case _:
            return str(value)


def read(pairs: Iterable[tuple[str, str]]) -> Preferences:
    """The preferences from saved pairs; unknown names and values are ignored."""
    found: dict[str, object] = {}
    for name, text in pairs:
        if (reader := _READERS.get(name)) is not None:
            try:
                found[name] = reader(text)
            except ValueError:
                continue
    return replace(Preferences(), **found)  # type: ignore[arg-type]


def faulty(chosen: Mapping[str, str]) -> tuple[str, ...]:
    """The fields with an invalid value. Raises KeyError for an unknown field."""
    found = []
    for name, text in chosen.items():
        try:
            _READERS[name](text)
        except ValueError:
            found.append(name)
    return tuple(found)


def read_people_preferences(conn: Connection, ids: Collection[int]) -> dict[int, Preferences]:
    """The preferences of each of these people, in one query."""
    return {person: read(pairs) for person, pairs in person_rows.preferences_of(conn, ids).items()}


# The language of an answer, from what the asking program says that its user reads.

_MOST_RANGES = 10


def choose_language(header: str, own: str = DEFAULT_LANGUAGE) -> str:
    """The best of our languages for an Accept-Language header; ``own`` if it names none."""
    best, weight = own if own in LANGUAGES else DEFAULT_LANGUAGE, 0.0
    for part in header.split(",", _MOST_RANGES)[:_MOST_RANGES]:
        tag, _, quality = part.strip().partition(";")
        lang = tag.strip().lower().partition("-")[0]
        if lang in LANGUAGES and (q := _quality(quality)) > weight:
            best, weight = lang, q
    return best


def _quality(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0
