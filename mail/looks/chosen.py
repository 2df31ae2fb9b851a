"""The looks in use, read from `looks.css`: what is not CSS (mails, PDFs, icons) takes them here.

An operator may name a folder whose `looks.css` and `icon.svg` go before ours. Not for which
squares and pieces a reader has chosen (server/usecases/core/preferences.py).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).parent
SHEET, ICON = "looks.css", "icon.svg"
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_DARK = re.compile(r"@media[^{]*\bdark\b[^{]*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VALUE = re.compile(r"--([\w-]+)\s*:\s*([^;]+)")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_USED = re.compile(r"var\(--([\w-]+)\)")
_TEXTS = frozenset({"name", "serif", "mail-serif"})


class WrongLooks(ValueError):
    """A style sheet that mails, PDFs and icons cannot follow; its text says where."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Names without their dashes, with values as in the style sheet; ``light`` has all of them.

    ``squares`` has the colours of each kind of board, where they differ from the first one's.
    """

    css: str
    icon: str
    light: Mapping[str, str]
    dark: Mapping[str, str]
    squares: Mapping[str, Mapping[str, str]]

    @property
    def name(self) -> str:
        """What the site is called."""
        return self.light["name"].strip("\"'")

    def board(self, squares: str) -> Mapping[str, str]:
        """The light colours with those of one kind of board; the usual one's if it is unknown."""
        return {**self.light, **self.squares.get(squares, {})}


class _Place:
    """Where the site's own looks are; None: nowhere."""

    folder: Path | None = None


def use(folder: Path | None) -> None:
    """Take the looks of this folder from now on. Raises as `read`."""
    read(folder)
    _Place.folder = folder


def looks() -> Looks:
    """The looks in use."""
    return read(_Place.folder)


@lru_cache(maxsize=4)
def read(folder: Path | None) -> Looks:
    """The looks of a folder over ours, read once.

    Raises WrongLooks for a colour that mails could not show, OSError for a file that cannot be
    read; either file may be missing.
    """
    css, icon = (HERE / SHEET).read_text("utf-8"), (HERE / ICON).read_text("utf-8")
    if folder is not None:
        if (own := folder / SHEET).exists():
            css += "\n" + own.read_text("utf-8")
        if (own := folder / ICON).exists():
            icon = own.read_text("utf-8")
    plain = _COMMENT.sub("", css)
    dark = "".join(found[1] for found in _DARK.finditer(plain))
    rules = _rules(_DARK.sub("", plain))
    light = rules.pop(":root")
    return Looks(
        css=css,
        icon=_USED.sub(lambda found: light.get(found[1], found[0]), icon),
        light=light,
        dark=_rules(dark)[":root"],
        squares={name.removeprefix(".squares-"): values for name, values in rules.items()},
    )


def _rules(text: str) -> dict[str, dict[str, str]]:
    """The values of each selector; what comes later goes before."""
    found: dict[str, dict[str, str]] = {}
    for selectors, body in _RULE.findall(text):
        values = {name: value.strip() for name, value in _VALUE.findall(body)}
        for name, value in values.items():
            if name not in _TEXTS and not _COLOUR.fullmatch(value):
                raise WrongLooks(f"{SHEET}: --{name}: {value} is no colour written #rgb or #rrggbb")
        for selector in selectors.split(","):
            found.setdefault(selector.strip(), {}).update(values)
    return found
