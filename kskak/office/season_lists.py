"""The lists of a season: the year that their names tell, the same names a year on, their steps.

Readings: a list belongs to the year in its name, else in its tournament's name, else in its groups'
names («K-26»); one without any is open until it is closed. Not for opening a list.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from kskak.office.year import Form

CENTURY = 100
_FULL = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<mark>[/–-])(?P<next>\d\d))?(?!\d)")
_SHORT = re.compile(r"(?<!\d)(\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a list is for, as stored: the event, and the class or round."""

    event: str
    wish: str

    @property
    def form(self) -> Form | None:
        """The tournament of the controller's year that it belongs to; None for a theme."""
        return _FORMS.get((self.event, self.wish)) or _FORMS.get((self.event, ""))


_FORMS = {
    ("emt", "DM"): Form.DM,
    ("emt", ""): Form.EMT,
    ("cup", "preliminary"): Form.CUP,
    ("cup", "semi"): Form.SEMIFINAL,
    ("league", "league"): Form.LEAGUE,
}
PREFIXES = {
    Kind("emt", "DM"): "DM",
    Kind("emt", "M"): "M",
    Kind("emt", "K"): "K",
    Kind("emt", "Å"): "Å",
    Kind("cup", "preliminary"): "P",
    Kind("cup", "semi"): "PS",
    Kind("league", "league"): "H",
    Kind("theme", "theme"): "T",
}
"""Everything that a list can be for, in order, with what its groups' names begin with (reading)."""
REGULAR = tuple(kind for kind in PREFIXES if kind.wish not in ("semi", "theme"))
"""What a season has anyway (§ 6.5, § 6.6, § 6.7); direct entry to a semi-final and themes are
opened where the last ones were, or when somebody wants them."""


@lru_cache(maxsize=1024)
def year_named(names: tuple[str, ...], prefix: str) -> int | None:
    """The year that a list's names tell; None if they tell none."""
    for name in names:
        if found := _FULL.search(name):
            return int(found["year"])
    short = _SHORT.findall(prefix)
    return 2000 + int(short[-1]) if short else None


def year_on(text: str, source: int, target: int) -> str:
    """The same name in another year: «EMT 2026» is «EMT 2027», «2026/27» «2027/28», «K-26» «K-27».

    Other years and numbers are left alone.
    """
    more = target - source

    def full(found: re.Match[str]) -> str:
        if int(found["year"]) != source:
            return found[0]
        tail = found["next"]
        rest = f"{found['mark']}{(int(tail) + more) % CENTURY:02}" if tail else ""
        return f"{target}{rest}"

    changed = _FULL.sub(full, text)
    if changed != text:
        return changed
    short = f"{source % CENTURY:02}"
    return _SHORT.sub(lambda m: f"{target % CENTURY:02}" if m[0] == short else m[0], text)


def day_on(day: date, source: int, target: int) -> date:
    """The same day so many years later; 29 February becomes the 28th where there is none."""
    year = day.year + target - source
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def season_for(today: date) -> int:
    """The season that is prepared now: next year's from July on (reading)."""
    return today.year + (today.month >= FROM_MONTH)


FROM_MONTH = 7
