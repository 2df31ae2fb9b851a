"""What the archive's pages say: days as far as they are known, points, classes.

The texts are in ``mail/words/<lang>/history.toml``. Not for choosing the language.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from urllib.parse import urlencode

from kskak.past import PastPlayer
from mail.figures import halves
from mail.words import Words
from server.store.archive import Mark, PastStanding, Wanted


@dataclass(frozen=True, slots=True)
class ArchiveWords:
    """One language, as the archive speaks it."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of the archive; KeyError for an unknown key or a place left open."""
        return self.words(f"history.page.{key}", **places)

    def day(self, day: str) -> str:
        """«3. maj 2001», «5/2001», «2001», or that it is not known."""
        year, month, number = (int(part) for part in day.split("-"))
        if not year:
            return self("unknown_day")
        if not month:
            return str(year)
        return self.words.day(date(year, month, number)) if number else f"{month}/{year}"

    def count(self, count: int) -> str:
        """A number with its thousands told apart: «100.000»."""
        return self.words.number(Fraction(count), "#,##0")

    def points(self, line: PastStanding) -> str:
        """«4½»."""
        return halves(Fraction(line.halves, 2))

    def group(self, line: PastStanding) -> str:
        """«Klasse K», «Semifinale», or what the file said."""
        if line.kind == "emt":
            return self("class", wish=line.wish)
        if line.kind == "cup":
            return self(line.wish)
        return line.wish

    def event(self, name: str) -> str:
        """A tournament's name."""
        return name or self("unnamed")

    def player(self, player: PastPlayer) -> str:
        """«Anna Ager (1850)»."""
        return player.name if player.elo is None else f"{player.name} ({player.elo})"


def mark_text(mark: Mark) -> str:
    """A page's end as an address carries it."""
    return f"{mark[0]}.{mark[1]}"


def address(wanted: Wanted, after: Mark | None = None) -> str:
    """The address of a page of games."""
    year = "" if wanted.year is None else str(wanted.year)
    asked = {"player": wanted.player, "year": year, "event": wanted.event}
    if wanted.person_id is not None:
        asked["person"] = str(wanted.person_id)
    if after is not None:
        asked["after"] = mark_text(after)
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"/archive?{query}" if query else "/archive"
