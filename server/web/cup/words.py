"""Texts of the cup and title pages: ways into a round, refusals, figures (§ 6.6).

They are in ``mail/words/<lang>/cup/cup.toml``. Not for choosing the language.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from aiohttp import web

from kskak.cup.course import Seat, Way
from kskak.cup.refusals import CupRefusal, TieRefusal
from kskak.groups.group_table import GroupTable
from mail.office_letters.tables import listed, separations
from mail.text.figures import decimal, halves
from mail.text.words import Words
from server.store.cup.rounds import PlaceRow
from server.store.groups.titles import TitleRow
from server.web.frame.context import words


@dataclass(frozen=True, slots=True)
class CupWords:
    """One language for these pages."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of the cup; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"cup.{key}", **places)

    def names(self, names: Iterable[str]) -> str:
        """Anna, Bo and Carl."""
        return listed(tuple(dict.fromkeys(names)), self.words)

    def champions(self, rows: Iterable[TitleRow]) -> str:
        """Who has won the cup, alone or shared (§ 6.6.1.5)."""
        names = [row.name for row in rows]
        return self(
            "page.champion" if len(names) == 1 else "page.champions", names=self.names(names)
        )

    def seat(self, seat: Seat) -> str:
        """Why somebody has a place, with the paragraph (§ 6.6.1.3-6.6.1.6)."""
        return self._way(seat.way, seat.group, seat.place)

    def place(self, row: PlaceRow) -> str:
        """The same for a stored place."""
        return self._way(Way(row.way), row.from_group, row.from_place)

    def _way(self, way: Way, group: str | None, place: int | None) -> str:
        if way in (Way.PLACED, Way.LEVEL):
            places = {"group": group, "place": place, "paragraph": way.paragraph}
            return self(f"way.{way.value}", **places)
        paragraph = {} if way is Way.ENTERED else {"paragraph": way.paragraph}
        return self(f"way.{way.value}", **paragraph)

    def mark(self, seat: Seat) -> str:
        """The rule by which a player qualifies, short enough for a table."""
        return self(f"short.{seat.way.value}", paragraph=seat.way.paragraph)

    def refused(self, refusal: CupRefusal) -> str:
        """Why a round is not drawn."""
        return self(
            f"problem.{refusal.problem.value}",
            paragraph=refusal.paragraph,
            count=refusal.count,
            who=refusal.who,
        )

    def tie_refused(self, refusal: TieRefusal) -> str:
        """Why a first place can't be settled this way (§ 6.5.2)."""
        return self(f"tie.problem.{refusal.problem.value}", paragraph=refusal.paragraph)

    def separations(self, table: GroupTable) -> tuple[str, ...]:
        """What separated those level on points (§ 6.6.1.4)."""
        return separations(table, self.words)

    def points(self, value: Fraction) -> str:
        """A score in chess notation: 2½."""
        return halves(value)

    def figure(self, value: Fraction) -> str:
        """A number formatted for the language."""
        return decimal(value, self.words)

    def title(self, title: str) -> str:
        return self.words(f"tables.title.{title}")

    def iso(self, day: str) -> date:
        return date.fromisoformat(day)


def cup_words(request: web.Request) -> CupWords:
    """The cup's texts in the reader's language."""
    return CupWords(words(request).words)
