"""Texts of the pages for one's own games, and the marks that games have in the list.

They are in ``mail/words/<lang>/play/mygames.toml``. Not for the facts about a game
(usecases/people/my_games.py) or layout.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.regulation.quantities import Result, Side
from mail.text.words import Words
from server.store.play.own_games import Brief
from server.usecases.people.my_games import Away, OwnGame
from server.usecases.play.game_facts import end_day


class Weight(StrEnum):
    """The importance of a mark: requires action, new, or good to know."""

    ASKS = "asks"
    NEW = "new"
    KNOWN = "known"


_PRESSING = {weight: place for place, weight in enumerate(Weight)}


@dataclass(frozen=True, slots=True)
class Mark:
    """A few words beside a game."""

    weight: Weight
    text: str


@dataclass(frozen=True, slots=True)
class MineWords:
    """One language for the pages of one's own games."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of these pages; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"mygames.{key}", **places)

    def marks(self, one: OwnGame) -> tuple[Mark, ...]:
        """What is worth knowing about a game before opening it, the most pressing first."""
        return tuple(sorted(self._marks(one), key=lambda mark: _PRESSING[mark.weight]))

    def _marks(self, one: OwnGame) -> Iterator[Mark]:
        me = one.summary.side
        if one.summary.rests:
            yield Mark(Weight.KNOWN, self("mark.rests"))
        elif one.offered_by is not None:
            is_mine = one.offered_by is me
            yield Mark(
                Weight.KNOWN if is_mine else Weight.ASKS,
                self("mark.draw_mine" if is_mine else "mark.draw_theirs"),
            )
        if one.proposes is not None:
            is_mine = one.proposes is me
            yield Mark(
                Weight.KNOWN if is_mine else Weight.ASKS,
                self("mark.series_mine" if is_mine else "mark.series_theirs"),
            )
        if one.news.messages:
            yield Mark(Weight.NEW, self("mark.message", n=one.news.messages))
        elif one.news.events:
            yield Mark(Weight.NEW, self("mark.new"))
        if one.has_held:
            yield Mark(Weight.ASKS, self("mark.held"))
        for number in one.cases:
            yield Mark(Weight.KNOWN, self("mark.case", number=number))
        for away in one.away:
            if away.by is not me:
                yield Mark(Weight.KNOWN, self._away(away, one))

    def own_leave(self, games: Iterable[OwnGame]) -> tuple[str, ...]:
        """The reader's own leave, mentioned once for all games in which it is booked."""
        own = [
            (away.first, away.last, away.is_now)
            for one in games
            for away in one.away
            if away.by is one.summary.side
        ]
        if not own:
            return ()
        found = Counter(own)
        return tuple(
            self(
                f"own_leave.{'now' if is_now else 'soon'}",
                first=self.words.short_day(first),
                last=self.words.short_day(last),
                n=count,
            )
            for (first, last, is_now), count in sorted(found.items())
        )

    def _away(self, away: Away, one: OwnGame) -> str:
        return self(
            f"away.{'now' if away.is_now else 'soon'}",
            name=one.summary.opponent,
            first=self.words.short_day(away.first),
            last=self.words.short_day(away.last),
        )

    def ended_on(self, game: Brief) -> date | None:
        """The day a game ended, in its own zone."""
        return end_day(game)

    def outcome(self, game: Brief, person_id: int) -> str:
        """«vundet», «tabt», «remis» from the person's view; "" while the game runs."""
        if game.result is None:
            return ""
        side = Side.WHITE if game.white_id == person_id else Side.BLACK
        match Result(game.result):
            case Result.DRAW:
                return self("outcome.draw")
            case Result.BOTH_LOSE:
                return self("outcome.lost")
            case won if won is Result.won_by(side):
                return self("outcome.won")
        return self("outcome.lost")
