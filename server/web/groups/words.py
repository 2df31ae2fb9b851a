"""Texts about progress and scores on the public pages of groups, players and clubs.

They are in ``mail/words/<lang>/groups/public.toml``. Not for counting.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from mail.text.figures import halves
from mail.text.words import Words
from server.store.groups.player_results import Tally
from server.store.play.own_games import Brief
from server.usecases.play.game_facts import end_day


@dataclass(frozen=True, slots=True)
class PublicWords:
    """One language for these pages."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of these pages; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"public.{key}", **places)

    def score(self, tally: Tally) -> str:
        """«4½ af 6»: points from finished games; not «1/2», which would look like a half."""
        points = halves(Fraction(tally.halves, 2))
        return self.words("entries.classes.score", points=points, games=tally.finished)

    def points(self, value: Fraction) -> str:
        """«12½»."""
        return halves(value)

    def number(self, value: Fraction) -> str:
        """A rating as an integer without a thousands separator, as in lists."""
        return self.words.number(value, "0")

    def ended_on(self, game: Brief) -> date | None:
        """The day a game ended, in its own zone."""
        return end_day(game)
