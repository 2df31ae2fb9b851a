"""Request and response models for cups and titles (§ 6.6, § 6.5.2)."""

from datetime import date
from typing import Annotated

from pydantic import Field

from kskak.cup.course import CupStage, Way
from kskak.groups.honours import Title
from server.api.cases.answers import Named
from server.api.entries.models import GroupStarted
from server.api.frame.body import LONGEST_TEXT, Body
from server.api.frame.game_answers import Answer


class TitleSeen(Answer):
    """A title and its holder; `group` if it was won here, else `source`."""

    id: int
    title: Title
    edition: int
    person: int | None
    name: str
    shared: bool
    group: str | None
    source: str
    paragraph: str
    day: date | None


class Titles(Answer):
    """Every title, the newest year first."""

    titles: list[TitleSeen]


class TitleKept(Answer):
    """The title that was entered or removed."""

    id: int


class CupItem(Answer):
    """A cup in the list."""

    id: int
    edition: int
    name: str
    champions: list[TitleSeen]


class Cups(Answer):
    """All cups, the newest first."""

    cups: list[CupItem]


class CupPlace(Answer):
    """A place in a round: whose it is, how it was earned and by which rule."""

    person: Named
    way: Way
    paragraph: str
    from_group: str | None
    from_place: int | None


class CupGroupRow(Answer):
    """A player of a group; `goes_on` says how he qualified, if he did."""

    person: Named
    place: int
    points: float
    withdrawn: bool
    goes_on: Way | None
    paragraph: str | None


class CupGroupSeen(Answer):
    """A group of a round."""

    id: int
    name: str
    games: int
    finished: int
    rows: list[CupGroupRow]


class CupRoundSeen(Answer):
    """A round: the seed of its draw, the leader's reason, groups, places, and who declined."""

    stage: CupStage
    seed: str
    start: date
    places: int
    reason: str
    groups: list[CupGroupSeen]
    field: list[CupPlace]
    declined: list[CupPlace]


class CupNext(Answer):
    """A round that could be drawn now under the rules; `lacking` places are still to be filled."""

    stage: CupStage
    places: int
    field: list[CupPlace]
    lacking: int
    groups: int
    final: int


class CupSeen(Answer):
    """A cup with its rounds; the number of first-round `entries` decides the places in the DM."""

    id: int
    edition: int
    name: str
    leader: str
    entries: int
    rounds: list[CupRoundSeen]
    next: list[CupNext]
    champions: list[TitleSeen]


class CupOpened(Answer):
    """The cup that was opened."""

    id: int
    edition: int
    name: str


class RoundDrawn(Answer):
    """The round that was drawn: the seed of the draw, and its groups."""

    stage: CupStage
    seed: str
    groups: list[GroupStarted]


class TieSettled(Answer):
    """The DM group whose title is shared."""

    group: int


Id = Annotated[int, Field(ge=1, le=2**53)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Year = Annotated[int, Field(ge=1, le=9999)]


class CupBody(Body):
    """A cup to open on its waiting list; `semi_list` is for those who enter at the semi-final."""

    edition: Year
    list: Id
    semi_list: Id | None = None


class RoundBody(Body):
    """A round to draw; all but `stage` and `start` is discretionary and needs a `reason`, as does a
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
    """A title from before the server, with its source; held by a `person` here or a `name`."""

    title: Title
    edition: Year
    person: Id | None = None
    name: Annotated[str, Field(max_length=120)] = ""
    shared: bool = False
    source: Annotated[str, Field(min_length=1, max_length=1000)]


class PlayoffBody(Body):
    """When the play-off of two games begins; by default a few days from now (§ 6.5.2)."""

    start: date | None = None


class SharedBody(Body):
    """How it is known that those concerned agreed to share title and prize (§ 6.5.2)."""

    reason: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class ThemeBody(Body):
    """The theme position, the start day, and whether all meet twice (§ 1.1.22)."""

    fen: Annotated[str, Field(min_length=1, max_length=120)]
    start: date | None = None
    double: bool = False
