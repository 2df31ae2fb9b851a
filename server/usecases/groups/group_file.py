"""The group file (TOML) of ``kskak group start``: read strictly, one clear line for a mistake.

CONTRACTS "Group file". Not for starting the group (starts/start_group.py) nor for who may be on a
team of the league (league/file.py).
"""

import re
import tomllib
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from kskak.board.moves import AlreadyOver, Position
from kskak.entries.emt import EmtClass
from kskak.regulation.days import is_birth
from kskak.regulation.editions import LAWS
from kskak.regulation.quantities import Regulation
from kskak.values.names import is_line
from mail.incoming.address import normal_address
from mail.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from server.usecases.groups.toml_faults import one_line
from server.usecases.postal.addresses import AddressTooLong, tidy

FEWEST, MOST = 2, 24
MOST_TEAMS = 12


class GroupFileError(ValueError):
    """A group file that can't be used; the text names the place and the remedy."""


class GroupClass(StrEnum):
    """The class of a group (§ 6.5.1, § 6.6, 1.1.22)."""

    DM = "DM"
    M = "M"
    K = "K"
    OPEN = "Å"
    CUP = "cup"
    LEAGUE = "league"
    THEME = "theme"
    PLAYOFF = "playoff"
    """Of a tied DM (§ 6.5.2); started from the DM's group, never from a file."""


def _address(value: str) -> str:
    found = normal_address(value)
    if found is None:
        raise ValueError("write one e-mail address, as navn@example.org")
    return found


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, OSError, ValueError) as error:
        raise ValueError("write a time zone, as Europe/Copenhagen") from error
    return value


def _line(value: str) -> str:
    if not is_line(value):
        raise ValueError("write it on one line, without control characters")
    return value.strip()


def _spoken(code: str) -> str:
    if code not in LANGUAGES:
        raise ValueError(f"write one of {', '.join(LANGUAGES)}")
    return code


def _postal(value: str) -> str:
    try:
        return tidy(value)
    except AddressTooLong as error:
        raise ValueError("write a postal address that fits on a card") from error


def _paragraph(value: str) -> str:
    found = value.strip().removeprefix("§").strip()
    if not re.fullmatch(r"6\.5(\.\d+)+", found):
        raise ValueError("write a paragraph, as 6.5.2.1")
    return found


def _one_or_more(value: object) -> object:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(_line)]
Paragraph = Annotated[str, AfterValidator(_paragraph)]
Address = Annotated[str, AfterValidator(_address)]


class PlayerEntry(BaseModel):
    """One ``[[players]]`` table."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: Text
    email: Address
    rating: int | None = Field(None, ge=0, le=4000)
    k_rating: int | None = Field(None, ge=0, le=4000)
    club: Text | None = None
    member: str | None = None
    birth: date | None = None
    citizen: bool | None = None
    lang: Annotated[str, AfterValidator(_spoken)] = DEFAULT_LANGUAGE
    address: Annotated[str, AfterValidator(_postal)] = ""
    two_clubs: bool = False


class ReserveEntry(PlayerEntry):
    """One ``[[teams.reserves]]`` table: who has carried on a board's running games, and since when.

    Only for a division taken over in mid-season (§ 6.7.4.3).
    """

    board: int = Field(ge=1, le=4)
    since: date


class TeamEntry(BaseModel):
    """One ``[[teams]]`` table of the league; players in board order (§ 6.7.2.1).

    A player is a table of its own, or the name or address of a ``[[players]]`` table. The captain
    is a player's name or address, or another address with ``captain_name``. ``individuals``: a
    main district's members in any order, of whom the strongest four play (§ 6.7.4.1).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    club: Text
    captain: Text
    captain_name: Text | None = None
    players: tuple[PlayerEntry | Text, ...]
    individuals: bool = False
    reserves: tuple[ReserveEntry, ...] = Field((), max_length=2)


class GroupFile(BaseModel):
    """A whole group file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    tournament: Text
    group_class: GroupClass = Field(alias="class")
    group: Text
    regulation: Regulation
    start: date
    tl: Address
    tl_name: Text | None = None
    fen: str = ""
    players: tuple[PlayerEntry, ...] = ()
    teams: tuple[TeamEntry, ...] = ()
    division: Literal[1, 2, 3] | None = None
    draw: bool = True
    seed: Text | None = None
    double: bool = False
    zone: Annotated[str, AfterValidator(_zone)] = "Europe/Copenhagen"
    laws: Literal[2009, 2014, 2018] = 2018
    claims: Literal["player", "server"] = "player"
    post_days: int = Field(1, ge=0, le=60)
    regulation_url: str | None = Field(None, pattern=r"https?://\S+")
    live: bool | None = None
    """Whether everybody may follow its running games; None: as in its season, otherwise no."""
    override: Annotated[tuple[Paragraph, ...], BeforeValidator(_one_or_more)] = ()
    """The paragraphs of § 6.5 that the group breaks on purpose; ``override_reason`` says why."""
    override_reason: Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_line)] = (
        ""
    )

    @model_validator(mode="after")
    def _fits(self) -> "GroupFile":
        """Check what no single field shows."""
        self._size()
        self._births()
        self._override()
        addresses = [player.email for player in self.players]
        for address in addresses:
            if addresses.count(address) > 1:
                raise ValueError(f"players: {address} stands twice, write each player once")
        if self.tl in addresses:
            raise ValueError("tl: no leader decides in a group he plays in, write another")
        if self.fen:
            try:
                Position.beginning(self.fen, LAWS[self.laws])
            except AlreadyOver as error:
                raise ValueError(f"fen: {error}; write one that can be played on") from error
            except ValueError as error:
                raise ValueError(f"fen: is no position ({error}); write its FEN") from error
        return self

    def _override(self) -> None:
        """A group that breaks a paragraph on purpose must give a reason."""
        if bool(self.override) != bool(self.override_reason):
            missing = "override_reason" if self.override else "override"
            raise ValueError(f"{missing}: is missing; override and override_reason go together")
        if self.override and self.group_class.value not in set(EmtClass):
            raise ValueError("override: is for the classes DM, M, K and Å")

    def _births(self) -> None:
        """Everybody's date of birth must be plausible for a player (§ 6.4.4.1)."""
        seated = [one for team in self.teams for one in (*team.players, *team.reserves)]
        people = [*self.players, *(one for one in seated if isinstance(one, PlayerEntry))]
        for person in people:
            if person.birth is not None and not is_birth(person.birth, self.start):
                raise ValueError(f"birth: {person.birth} of {person.name} can't be, write another")

    def _size(self) -> None:
        """Check the number of players; in the league, of teams, and a single round (§ 6.7.2.3)."""
        if self.group_class is not GroupClass.LEAGUE:
            if self.teams or self.division is not None:
                raise ValueError("teams and division: are for class league only")
            if not FEWEST <= len(self.players) <= MOST:
                raise ValueError(f"players: write {FEWEST} to {MOST} [[players]] tables")
            return
        if not FEWEST <= len(self.teams) <= MOST_TEAMS:
            raise ValueError(f"teams: write {FEWEST} to {MOST_TEAMS} [[teams]] tables")
        if self.double:
            raise ValueError("double: the league is a single round (§ 6.7.2.3)")


def read_group_file(text: str) -> GroupFile:
    """Parse a group file from its text. Raises GroupFileError with a one-line message."""
    try:
        file = GroupFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise GroupFileError(f"not TOML: {error}") from error
    except ValidationError as error:
        raise GroupFileError(one_line(error, GroupFile, "a group file")) from error
    if file.group_class is GroupClass.PLAYOFF:
        raise GroupFileError("class: a play-off is started from its DM group's page")
    return file
