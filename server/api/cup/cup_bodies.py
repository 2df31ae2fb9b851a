"""What callers send about cups, titles and theme groups (§ 6.6, § 6.5.2). NOT answers."""

from datetime import date
from typing import Annotated

from pydantic import Field

from kskak.cup.course import CupStage
from kskak.groups.honours import Title
from server.api.frame.body import LONGEST_TEXT, Body

Id = Annotated[int, Field(ge=1, le=2**53)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Year = Annotated[int, Field(ge=1, le=9999)]


class CupBody(Body):
    """A cup to open on its waiting list; `semi_list` is for who enters at the semi-final."""

    edition: Year
    list: Id
    semi_list: Id | None = None


class RoundBody(Body):
    """A round to draw; all but `stage` and `start` is discretion and wants the `reason`, as does a
    first round outside October to December (§ 6.6.3).
    """

    stage: CupStage
    places: Annotated[int, Field(ge=1, le=3, description="So many of each group go on")] | None = (
        None
    )
    take: Annotated[int, Field(ge=1, le=1000, description="So many entries")] | None = None
    added: Annotated[
        tuple[Annotated[str, Field(min_length=3, max_length=254)], ...],
        Field(max_length=24, description="Addresses of those who fill up (§ 6.6.1.6)"),
    ] = ()
    without: Annotated[tuple[Id, ...], Field(max_length=100, description="Who does not go on")] = ()
    start: date | None = None
    reason: Text = ""
    live: Annotated[
        bool, Field(description="Everybody may follow the games; as in the rounds before")
    ] = False


class TitleBody(Body):
    """A title from before the server with its source; of a person here, or of a name."""

    title: Title
    edition: Year
    person: Id | None = None
    name: Annotated[str, Field(max_length=120)] = ""
    shared: bool = False
    source: Annotated[str, Field(min_length=1, max_length=1000)]


class PlayoffBody(Body):
    """When the play-off of two games begins; left out: some days from now (§ 6.5.2)."""

    start: date | None = None


class SharedBody(Body):
    """How it is known that those concerned share title and prize (§ 6.5.2)."""

    reason: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class ThemeBody(Body):
    """The theme's position, the day of the start, and whether all meet twice (§ 1.1.22)."""

    fen: Annotated[str, Field(min_length=1, max_length=120)]
    start: date | None = None
    double: bool = False
