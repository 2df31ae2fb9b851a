"""Texts of the league's pages: figures, scores, what decided a place, reasons (§ 6.7).

They are in ``mail/words/<lang>/league/league.toml``. Not for choosing the language.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from kskak.groups.crosstable import Cell, CrossRow
from kskak.league.lineup import PARAGRAPH as LINEUP_PARAGRAPH
from kskak.league.lineup import LineupFault
from kskak.league.reserves import PARAGRAPH as RESERVE_PARAGRAPH
from kskak.league.reserves import Known, ReserveFault
from kskak.regulation.days import local_day
from mail.office_letters.league import entered_text
from mail.office_letters.league_facts import EnteredLine
from mail.text.composition import reason_text
from mail.text.figures import halves
from mail.text.standings import decided
from mail.text.words import Words
from server.store.engine.types import from_us
from server.store.league.divisions import GameLine
from server.usecases.league.views import points_in

OPEN, OWN = "·", ""


@dataclass(frozen=True, slots=True)
class LeagueWords:
    """One language for the league's pages."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of the league; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"league.{key}", **places)

    def points(self, value: Fraction) -> str:
        """A score in chess notation: 2½."""
        return halves(value)

    def percent(self, value: Fraction | None) -> str:
        """A percentage, or a dash before the first game."""
        return "–" if value is None else self.words.number(value)

    def number(self, value: Fraction) -> str:
        """A number formatted for the language."""
        return self.words.number(value)

    def cell(self, cell: Cell) -> str:
        """A crosstable cell: total points, or a dot before the first game."""
        if cell.is_own:
            return OWN
        return OPEN if cell.total is None else halves(cell.total)

    def score(self, game: GameLine, home: int) -> str:
        """A finished game's score, the home team's points first."""
        away = game.black_team if game.white_team == home else game.white_team
        return f"{halves(points_in([game], home))}–{halves(points_in([game], away))}"

    def decided(self, row: CrossRow, above: CrossRow | None) -> str:
        """What separated a row from the one above (§ 6.7.4.5)."""
        return decided(row, above, self.words)

    def fault(self, fault: ReserveFault) -> str:
        """Why a reserve can't be used, with the paragraph."""
        return self(f"fault.{fault.value}", paragraph=RESERVE_PARAGRAPH[fault])

    def faults(self, codes: str) -> str:
        """The faults despite which a reserve was admitted, from their stored codes."""
        return " ".join(self.fault(ReserveFault(code)) for code in codes.split(","))

    def entered(self, known: Known | None) -> str:
        """What the register and the server know about a reserve (§ 6.7.3.2)."""
        found = known or Known(is_member=False, club=None, k_rating=None, otb_rating=None)
        line = EnteredLine(found.is_member, found.club, found.k_rating, found.otb_rating)
        return entered_text(line, self.words)

    def crooked(self) -> str:
        """The note that a line-up is not in rating order (§ 6.7.2.1)."""
        return self("lineup.crooked", paragraph=LINEUP_PARAGRAPH[LineupFault.BOARD_ORDER])

    def reason(self, by: str) -> str:
        """Why a team has its place in a plan (§ 6.7.5.1)."""
        return reason_text(by, self.words)

    def day_of(self, us: int, zone: str) -> date:
        return local_day(from_us(us), zone)

    def iso(self, day: str) -> date:
        return date.fromisoformat(day)
