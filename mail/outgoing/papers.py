"""What a paper says that is printed on A4: of itself, and of a finished game.

NOT for how it is drawn (``pdf``, ``game_sheet``) nor for the library that draws (``printed``).
"""

from dataclasses import dataclass
from datetime import date

from mail.outgoing.blocks import BoardView


@dataclass(frozen=True, slots=True)
class Labels:
    """What a document says of itself; ``dated`` is its own date, not that of its making."""

    title: str
    lang: str
    dated: date


@dataclass(frozen=True, slots=True)
class Half:
    """A player: ``used`` are the days on which his time ran, as parts of the game from 0 to 1."""

    about: str
    days: str
    used: tuple[tuple[float, float], ...]
    is_white: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that the page says. ``years``: where each begins in the game, from 0 to 1.

    ``said``: what the players say of it, each a paragraph with his name.
    """

    title: str
    lines: tuple[str, ...]
    players: tuple[Half, Half]
    years: tuple[tuple[float, str], ...]
    days: str
    diagrams: tuple[BoardView, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    said: tuple[str, ...]
    foot: str
