"""Texts of the rating pages: lists, histories, a calculation's steps with their paragraphs.

They are in ``mail/words/<lang>/rating/ratings.toml``; the steps' in ``rating.toml``. Not for
looking anything up.
"""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import local_day
from mail.text.figures import decimal, halves, hundredths
from mail.text.rating import step_lines
from mail.text.words import Words
from server.store.engine.types import from_us
from server.usecases.rating.facts import Game
from server.usecases.rating.views import CalculationView, PlayerSteps


@dataclass(frozen=True, slots=True)
class RatingWords:
    """One language for the rating pages. ``zone`` applies to their days."""

    words: Words
    zone: str

    def __call__(self, key: str, **places: object) -> str:
        """A text of the rating pages; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"ratings.{key}", **places)

    def day(self, day: date | str) -> str:
        return self.words.day(date.fromisoformat(day) if isinstance(day, str) else day)

    def at(self, us: int) -> str:
        """The day of an instant."""
        return self.words.day(local_day(from_us(us), self.zone))

    def change(self, value: int | None) -> str:
        """«+12», «−3», «0»; «ny» for a player without a previous rating."""
        if value is None:
            return self("fresh")
        return f"+{value}" if value > 0 else str(value).replace("-", "\N{MINUS SIGN}")

    def status(self, *, is_provisional: bool) -> str:
        """Final, or provisional (§ 6.7.6.2)."""
        return self("provisional" if is_provisional else "final")

    def column(self, name: str) -> str:
        """A column heading of the calculation's table."""
        return self.words(f"rating.column.{name}")

    def cells(self, player: PlayerSteps) -> tuple[str, ...]:
        """Games, score, expected score, bonus and K as printed in the calculation's table."""
        row = player.calculation
        return (
            str(row.games),
            halves(row.score),
            hundredths(row.expected.score, self.words),
            decimal(row.bonus, self.words),
            str(row.k),
        )

    def headline(self, player: PlayerSteps) -> str:
        """The change from the previously registered rating to the current one."""
        if player.rating is None:
            return self("of.unplayed", name=player.name, before=player.calculation.before)
        return self("of.result", name=player.name, before=player.registered, rating=player.rating)

    def steps(self, player: PlayerSteps) -> tuple[str, ...]:
        """Every step from the start, each with its paragraph (§ 4.5.2, § 4.5.4.1)."""
        row = player.calculation
        lines = [self(f"basis.{player.basis.value}", rating=row.before)]
        lines += [line.strip() for line in step_lines(row, self.words)[1:]]
        if player.rating is not None and player.registered != row.before:
            places = {"registered": player.registered, "rating": player.rating}
            lines.append(self("of.registered", **places))
        return tuple(lines)

    def unrated(self, game: Game, view: CalculationView) -> str:
        """A game that is not rated, and why (§ 4.5.4.2)."""
        assert game.unrated is not None
        names = {"white": view.names[game.white], "black": view.names[game.black]}
        return self(f"unrated.{game.unrated.value}", **names)

    def turned(self, game: Game, view: CalculationView) -> str:
        """A game that is rated even though it was lost by a withdrawal (§ 6.2.8, § 4.5.4.2)."""
        return self("of.turned_game", white=view.names[game.white], black=view.names[game.black])

    def reading(self) -> str:
        return self.words("rating.reading")
