"""What the calls about cups and titles answer, as models (§ 6.6, § 6.5.2). NOT building."""

from datetime import date

from kskak.cup.course import CupStage, Way
from kskak.groups.honours import Title
from server.api.cases.answers import Named
from server.api.entries.models import GroupStarted
from server.api.frame.game_answers import Answer


class TitleSeen(Answer):
    """A title and who has borne it; `group` where it was won here, else `source`."""

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
    """The title that was entered or taken away."""

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
    """A place in a round: whose, how he came by it, by which rule."""

    person: Named
    way: Way
    paragraph: str
    from_group: str | None
    from_place: int | None


class CupGroupRow(Answer):
    """A player of a group; `goes_on`: how, where he does."""

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
    """A round: the seed of its lot, the leader's reason, groups, places, who did not go on."""

    stage: CupStage
    seed: str
    start: date
    places: int
    reason: str
    groups: list[CupGroupSeen]
    field: list[CupPlace]
    declined: list[CupPlace]


class CupNext(Answer):
    """A round that could be drawn now, as the rules have it; `lacking` places are to be filled."""

    stage: CupStage
    places: int
    field: list[CupPlace]
    lacking: int
    groups: int
    final: int


class CupSeen(Answer):
    """A cup with its rounds; `entries` to the first one decide the places in the DM."""

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
    """The round that was drawn: the seed of the lot, and its groups."""

    stage: CupStage
    seed: str
    groups: list[GroupStarted]


class TieSettled(Answer):
    """The DM group whose title is shared."""

    group: int
