"""The archive's endpoint; part of site/table.py."""

from server.api.archive import archive_answers as answers
from server.api.archive import calls
from server.api.frame.endpoints import Endpoint, Guard, Parameter

PREFIX = "/api/v1"
_SEARCH = (
    Parameter("player", "string", "Words of a player's name"),
    Parameter("event", "string", "Words of a tournament's name"),
    Parameter("year", "string", "The first year, or the only one"),
    Parameter("until", "string", "The last year"),
    Parameter("opening", "string", "An ECO code, some (`B1`, `B12-B19`), or words of a name"),
    Parameter("position", "string", "A FEN, or a game's first moves"),
    Parameter("person", "string", "The number of a player of this server"),
    Parameter("sort", "string", "The newest games first, or the oldest", allowed=("new", "old")),
    Parameter("after", "string", "`after` of the page before"),
)

ARCHIVE: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/archive", "archive", calls.listed,
        "Finished games by players, tournament, years, opening and position, by pages",
        answers.ArchiveList, guard=Guard.OPEN, query=_SEARCH,
    ),
)  # fmt: skip
