"""What callers of the league's calls send (§ 6.7). NOT answers."""

from datetime import date
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from server.api.frame.body import LONGEST_TEXT, Body

Name = Annotated[str, Field(min_length=1, max_length=120)]
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Rating = Annotated[int, Field(ge=0, le=4000)]
Person = Annotated[int, Field(ge=1)]


class Strict(Body):
    """Dates and closed sets come as texts in JSON."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ReserveBody(Strict):
    """A reserve for a board; `stop_time` stops the time for what is left of 14 days (§ 6.7.4.3).

    Club and strength are the register's; `rating` is for who has none there. `asks_leave`: he is
    another club's member, and the leader is asked for leave (§ 6.7.3.2).
    """

    board: Annotated[int, Field(ge=1, le=4)]
    name: Name
    email: Name
    rating: Rating | None = None
    club: Name | None = None
    reason: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    stop_time: bool = False
    asks_leave: bool = False


class ReserveDecisionBody(Strict):
    """Approve a reserve, who takes over at once, or refuse him (§ 6.7.4.3)."""

    approve: bool
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    despite: bool = Field(
        False,
        description="In spite of `other_club` or `not_in_register`; `note` is the reason",
    )


class PauseBody(Strict):
    """Nothing needs to be said; the body may be left out."""


class ReportBody(Strict):
    """A result that a captain reports of a game still open here (§ 6.7.6.1)."""

    game: Annotated[int, Field(ge=1)]
    result: Literal["1-0", "1/2-1/2", "0-1"]
    note: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""


class LineupBody(Strict):
    """The players by id from board 1, and why (§ 6.7.2.1)."""

    players: Annotated[list[Person], Field(min_length=4, max_length=4)]
    reason: Reason


class CaptainBody(Strict):
    """Another captain, by registered address (§ 6.7.2.2)."""

    email: Name
    reason: Reason


class LotsBody(Strict):
    """Nothing needs to be said; the body may be left out."""


class NewTeamBody(Strict):
    """A team that did not play last season, with its four ratings."""

    club: Name
    ratings: Annotated[list[Rating], Field(min_length=4, max_length=4)]


class PlanBody(Strict):
    """Next season's divisions: all last season's teams but those named as `absent` (§ 6.7.5.1).

    `entered`: the clubs' valid entries instead, and nothing else.
    """

    deadline: date
    entered: bool = False
    absent: Annotated[list[str], Field(max_length=500)] = Field(default_factory=list)
    new: Annotated[list[NewTeamBody], Field(max_length=500)] = Field(default_factory=list)


class GrantBody(Strict):
    """The answer to a dispensation (§ 6.7.5.1)."""

    club: Name
    division: Literal[1, 2]
    grant: bool
    reason: Reason
