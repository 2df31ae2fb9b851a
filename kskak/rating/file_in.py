"""kskak-rating/1 in: a finished group with its ratings (CONTRACTS).

Beyond the contract a file may list ``unrated`` games: of the group, but not rated (§ 4.5.4.2).
Not for the calculation (calculation.py).
"""

from kskak.groups.played import read_names, read_played
from kskak.rating.calculation import Group
from kskak.values.json_fields import Fields

FORMAT = "kskak-rating/1"
HIGHEST = 4000
"""Above any possible rating; more is a typing error."""


def read_group(document: object) -> Group:
    """A group from parsed JSON. Raises FieldError naming the place and the remedy."""
    head = Fields("rating file", document)
    if head.text("format") != FORMAT:
        raise head.fail("format", f'"{FORMAT}"')
    listed = head.items("players", "a list of players")
    if not listed:
        raise head.fail("players", "at least one player")
    players = [Fields(f"player {place}", value) for place, value in enumerate(listed, 1)]
    names = read_names("player", [player.named("name") for player in players])
    ratings = dict(zip(names, map(_rating, players), strict=True))
    games = head.items("games", "a list of games")
    unrated = head.items("unrated", "a list of games") if head.is_set("unrated") else []
    return Group(
        ratings,
        tuple(read_played(f"game {i}", value, ratings) for i, value in enumerate(games, 1)),
        tuple(
            read_played(f"unrated game {i}", value, ratings) for i, value in enumerate(unrated, 1)
        ),
    )


def _rating(player: Fields) -> int:
    rating = player.whole("rating")
    if not 0 <= rating <= HIGHEST:
        raise player.fail("rating", f"a whole number from 0 to {HIGHEST}")
    return rating
