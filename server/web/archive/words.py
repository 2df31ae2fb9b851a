"""Texts of the archive's pages: days as far as known, points, classes, openings, faults.

They are in ``mail/words/<lang>/archive/history.toml`` and ``finding.toml``. Not for choosing the
language.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

import chess

from kskak.archive.past_game import PastPlayer
from kskak.board.openings import Opening
from kskak.entries.iccf import Tournament
from mail.text.facts import move_texts
from mail.text.figures import halves
from mail.text.languages import FACTS
from mail.text.words import Words
from server.store.archive.final_tables import PastStanding
from server.store.archive.reading import PastRow
from server.usecases.archive.found_by import opening_of
from server.usecases.archive.search_form import Understood, Wrong
from server.usecases.play.openings import openings
from server.web.entries.words import iccf_name
from server.web.frame.words import PageWords


@dataclass(frozen=True, slots=True)
class ArchiveWords:
    """One language for the archive's pages."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of the archive; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"history.page.{key}", **places)

    def f(self, key: str, **places: object) -> str:
        """A text of the search; KeyError as above."""
        return self.words(f"finding.{key}", **places)

    def day(self, day: str) -> str:
        """«3. maj 2001», «5/2001», «2001», or that it is unknown."""
        year, month, number = (int(part) for part in day.split("-"))
        if not year:
            return self("unknown_day")
        if not month:
            return str(year)
        return self.words.day(date(year, month, number)) if number else f"{month}/{year}"

    def count(self, count: int) -> str:
        """A number with a thousands separator: «100.000»."""
        return self.words.number(Fraction(count), "#,##0")

    def percent(self, part: int, whole: int) -> str:
        """«54 %»; a dash if the whole is 0."""
        return f"{round(100 * part / whole)}\N{NO-BREAK SPACE}%" if whole else "–"

    def score(self, line: PastStanding) -> str:
        """«4½ af 6»."""
        return self.words("entries.classes.score", points=self.points(line), games=line.games)

    def points(self, line: PastStanding) -> str:
        """«4½»."""
        return halves(Fraction(line.halves, 2))

    def group(self, line: PastStanding) -> str:
        """«Klasse K», «Semifinale», or the file's own text."""
        if line.kind == "emt":
            return self("class", wish=line.wish)
        if line.kind == "cup":
            return self(line.wish)
        if line.kind == "iccf" and line.wish in set(Tournament):
            return iccf_name(Tournament(line.wish), self.words)
        return line.wish

    def event(self, name: str) -> str:
        """A tournament's name."""
        return name or self("unnamed")

    def player(self, player: PastPlayer) -> str:
        """«Anna Ager (1850)»."""
        return player.name if player.elo is None else f"{player.name} ({player.elo})"

    def opening(self, row: PastRow) -> Opening | None:
        """A game's opening, by its moves."""
        return opening_of(row)

    def opening_name(self, opening: Opening) -> str:
        return opening.name(FACTS[self.words.lang].openings)

    def code_name(self, code: str) -> str:
        """The name of an ECO code's openings; the code itself if the table has none."""
        head = openings().heads.get(code)
        return code if head is None else head.name(FACTS[self.words.lang].openings)

    def fault(self, wrong: Wrong) -> str:
        """Why a field can't be used, and what to write instead."""
        return self.f(f"fault.{wrong.fault.value}", value=wrong.value)

    def told(self, found: Understood, games: Sequence[PastRow] = ()) -> str:
        """The search in words: «spiller »vang«, åbning B12 Caro-Kann, 1980–1989»; "" for all.

        A member is searched for by number; his name comes from the ``games`` found.
        """
        member = [self.f("told.member", name=name) for name in self._member(found, games)]
        return ", ".join([*member, *self._parts(found)])

    def _member(self, found: Understood, games: Sequence[PastRow]) -> tuple[str, ...]:
        number = found.wanted.person_id
        if number is None or not games:
            return ()
        row = games[0]
        return ((row.game.white if row.white_person == number else row.game.black).name,)

    def _parts(self, found: Understood) -> Iterator[str]:
        wanted = found.wanted
        if wanted.player:
            yield self.f("told.player", text=wanted.player)
        if wanted.event:
            yield self.f("told.event", text=wanted.event)
        if wanted.codes is not None:
            yield self._opening_told(found)
        if wanted.year is not None or wanted.until is not None:
            yield self._years(wanted.year, wanted.until)
        if found.moves:
            texts = move_texts(chess.Board(), found.moves)
            yield self.f("told.moves", moves=PageWords(self.words).line(texts))
        elif found.board is not None:
            yield self.f("told.position")

    def _opening_told(self, found: Understood) -> str:
        first, last = found.wanted.codes or ("", "")
        if found.wanted.openings:
            return self.f("told.named", text=" ".join(found.asked.opening.split()))
        if first == last:
            return self.f("told.opening", code=first, name=self.code_name(first))
        return self.f("told.codes", first=first, last=last)

    def _years(self, first: int | None, last: int | None) -> str:
        if first is None:
            return self.f("told.until", year=last)
        return str(first) if last in (None, first) else f"{first}–{last}"
