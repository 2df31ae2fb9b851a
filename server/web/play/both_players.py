"""The two players beside the board: who they are, how they stand in the group, and their time.

Not for the board between them (board/step_viewer.py) nor for what a bar says (frame/time_left.py).
"""

from dataclasses import dataclass
from fractions import Fraction

from aiohttp import web

from kskak.regulation.quantities import Side
from server.store.groups.player_results import Tally
from server.store.play.people import PersonRow
from server.usecases.play.game_views import GameView, scores
from server.web.entries.words import points
from server.web.frame.context import core, words
from server.web.frame.time_left import TimeBar, time_bar
from server.web.frame.words import PageWords


@dataclass(frozen=True, slots=True)
class Player:
    """One side of the page: the player, what is said about him, and his time."""

    person: PersonRow
    side: Side
    bar: TimeBar
    about: tuple[str, ...]


async def both(request: web.Request, view: GameView) -> dict[Side, Player]:
    """Both sides of a game, as its page shows them."""
    stands, said = await scores(core(request), view), words(request)
    return {
        side: Player(
            view.player(side),
            side,
            time_bar(view.account, side),
            _about(view.player(side), stands[side], said),
        )
        for side in Side
    }


def _about(person: PersonRow, score: Tally, said: PageWords) -> tuple[str, ...]:
    """Club, rating, and the score in the group when a game of his is over."""
    if not score.finished:
        return club_and_rating(person, said)
    stands = said.t("time.score", points=points(Fraction(score.halves, 2)), n=score.finished)
    return (*club_and_rating(person, said), stands)


def club_and_rating(person: PersonRow, said: PageWords) -> tuple[str, ...]:
    """What is known of both."""
    rating = "" if person.rating is None else said.t("time.rating", n=person.rating)
    return tuple(filter(None, (person.club, rating)))
