"""The group file (TOML) of ``kskak group start``: read strictly, one clear line for a mistake.

CONTRACTS "Group file". Not for starting the group (starts/start_group.py) nor for who may be on a
team of the league (league/division_start.py).
"""

import re
import secrets
import tomllib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args
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
from pydantic_core import ErrorDetails

from kskak.board.positions import AlreadyOver, Position
from kskak.entries.emt import EmtClass, GroupPlan, StartFault, is_double, start_faults
from kskak.groups.schedule import draw_lots, seed_of_lots
from kskak.play.game_state import Terms
from kskak.regulation.days import is_birth
from kskak.regulation.editions import EDITION, LAWS, Regulation, Side
from kskak.values import is_line
from mail.game_letters.move_letters import FirstMove
from mail.incoming.parse_mail import normal_address
from mail.office_letters.start_letters import StartLetter
from mail.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES
from server.store import register as register_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import to_us
from server.store.groups import GroupRow, NewGroup
from server.store.mail.outbox import NewOutbox
from server.store.members import RatingKind, RatingRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import AddressRow, NewPerson, PersonRow, Role
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import start_of_day
from server.usecases.postal.scans import AddressTooLong, tidy
from server.usecases.rights import union_values

# What is wrong with a hand-written TOML file: one line with the place and what to write.

_WANTED = {
    "string_type": 'write a text in quotes, as "A. Spiller"',
    "string_too_short": "write a text, it may not be empty",
    "string_too_long": "write a text of at most {max_length} characters",
    "string_pattern_mismatch": "write an address that begins with http:// or https://",
    "greater_than_equal": "write a whole number, {ge} or more",
    "less_than_equal": "write a whole number, {le} or less",
    "enum": "write one of {expected}",
    "literal_error": "write one of {expected}",
    "tuple_type": "write a list of tables, each under its own [[{key}]]",
}
"""What to write, by the validator's error type; its context fills in the braces."""
_KINDS = {
    "date": "write a day without quotes, as 2026-09-01",
    "bool": "write true or false",
    "int": "write a whole number, as 14",
}
"""The same by prefix of the error type, for anything wrong with such a value."""
_OTHERWISE = "can't be read, look at the example in docs/formats.md"


def write_first_error(error: ValidationError, model: type[BaseModel], name: str) -> str:
    """The first complaint about a file of this model: place, what is wrong, what to write.

    ``name``: what such a file is called, such as «a group file».
    """
    first = error.errors()[0]
    # The keys, without what the validator adds to tell its models apart.
    named = (part for part in first["loc"] if isinstance(part, int) or "[" not in part)
    parts = [part for part in named if isinstance(part, int) or not part[:1].isupper()]
    place = ".".join(str(part + 1) if isinstance(part, int) else part for part in parts)
    message = _write_error(first, parts, model, name)
    return f"{place}: {message}" if place else message


def _write_error(
    first: ErrorDetails, parts: list[int | str], model: type[BaseModel], name: str
) -> str:
    kind, known = first["type"], {"key": next((p for p in reversed(parts) if p == str(p)), "")}
    known |= {key: str(value) for key, value in first.get("ctx", {}).items()}
    match kind:
        case "missing":
            return "is missing"
        case "value_error":
            return first["msg"].removeprefix("Value error, ")
        case "extra_forbidden":
            table, of = _table(parts[:-1], model, name)
            return f"is not a key of {of}; the keys are {_keys(table)}"
        case "model_type" | "model_attributes_type":
            table, _ = _table(parts, model, name)
            return f"write a table, with the keys {_keys(table)}"
    by_kind = next((text for start, text in _KINDS.items() if kind.startswith(start)), _OTHERWISE)
    return _WANTED.get(kind, by_kind).format_map(known)


def _keys(table: type[BaseModel]) -> str:
    return ", ".join(field.alias or key for key, field in table.model_fields.items())


def _table(
    place: list[int | str], model: type[BaseModel], name: str
) -> tuple[type[BaseModel], str]:
    """The innermost table that a place lies in, and its name."""
    for at, part in enumerate(place):
        fields = {field.alias or key: field for key, field in model.model_fields.items()}
        inner = _model_in(fields[part].annotation) if part in fields else None
        if inner is not None:
            is_list = isinstance(next(iter(place[at + 1 :]), None), int)
            model, name = inner, f"[[{part}]]" if is_list else f"{part}"
    return model, name


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The table among the types a field may hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(part) for part in get_args(annotation))
    return next((one for one in found if one is not None), None)


# The group file (TOML) of ``kskak group start``: read strictly, one clear line for a mistake.

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
    FRIENDLY = "friendly"
    """Two players' own, by challenge (starts/friends.py), never from a file."""


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
    is a player's name or address, or another address with ``captain_name``;
    ``captain_word``: the leader's, by which he captains two teams that meet. ``individuals``: a
    main district's members in any order, of whom the strongest four play (§ 6.7.4.1). ``of_club``:
    whose players they are, where ``club`` names a second team beside the club's own (§ 6.7.3.3).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    club: Text
    captain: Text
    captain_name: Text | None = None
    captain_word: Text | None = None
    players: tuple[PlayerEntry | Text, ...]
    individuals: bool = False
    of_club: Text | None = None
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
    word: str = Field("", max_length=4000)
    """The leader's word for those who have said that they leave another group (§ 6.2.8), and the
    controller's for a non-member's second group (§ 6.1)."""

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
        raise GroupFileError(write_first_error(error, GroupFile, "a group file")) from error
    if file.group_class is GroupClass.PLAYOFF:
        raise GroupFileError("class: a play-off is started from its DM group's page")
    if file.group_class is GroupClass.FRIENDLY:
        raise GroupFileError("class: a friendly game begins by a challenge between its players")
    return file


# Checking a group about to start against § 6.5, as the waiting list does, for files too.

_SLIPS = {
    StartFault.SIZE: "players: a group of the class has 7, the file has {players}",
    StartFault.ROUNDS: "double: everybody meets {times} here, write double = {double}",
    StartFault.POSITION: "fen: the class plays from the beginning, a given position is for theme",
    StartFault.MONTH: "start: the DM begins in September, write another day",
    StartFault.YEAR: "start: there is a DM of {year} already, write another year",
}


def complete_rounds(file: GroupFile, groups: Iterable[GroupRow]) -> GroupFile:
    """The file, with the rounds of § 6.5 filled in where it does not state them.

    Raises GroupFileError for a breach of § 6.5 that the file does not name, and for a paragraph
    that it names but does not break.
    """
    if file.group_class.value not in set(EmtClass):
        return file
    group_class = EmtClass(file.group_class.value)
    if "double" not in file.model_fields_set:
        double = is_double(group_class, len(file.players))
        file = file.model_copy(update={"double": double})
    planned = GroupPlan(group_class, len(file.players), file.double, file.start, bool(file.fen))
    dms = [date.fromisoformat(row.start) for row in groups if row.class_ == EmtClass.DM]
    faults = start_faults(planned, dms)
    idle = [paragraph for paragraph in file.override if paragraph not in {of for _, of in faults}]
    if idle:
        raise GroupFileError(f"override: the group does not break § {idle[0]}, leave it out")
    for fault, paragraph in faults:
        if paragraph not in file.override:
            raise GroupFileError(_write_schedule_fault(fault, paragraph, planned))
    return file


def _write_schedule_fault(fault: StartFault, paragraph: str, planned: GroupPlan) -> str:
    twice = is_double(planned.group_class, planned.players)
    message = _SLIPS[fault].format(
        players=planned.players,
        times="twice" if twice else "once",
        double=str(twice).lower(),
        year=planned.start.year,
    )
    return f'{message} (§ {paragraph}), or override = "{paragraph}" with an override_reason'


# What all group starts have in common: people, the group's row, letters (§ 6.5.2.1).

_GAME_BITS = 40
_HEAD_BYTES = 32


@dataclass(frozen=True, slots=True)
class StartedGroup:
    """A started group: its id, the seed of its draw, the players by number.

    ``notes``: what the leader should look at (§ 6.7.2.1).
    """

    id: int
    name: str
    seed: str | None
    players: tuple[str, ...]
    games: int
    notes: tuple[str, ...] = ()


async def draw_seed(
    conn: AsyncConnection, names: Sequence[str], closing_us: int, groups: Collection[int] = ()
) -> str:
    """The seed of lots, which follows from who is in them and the ledgers at the closing.

    So nobody can try seeds until an order pleases him (§ 6.5.2.1). ``groups``: only their ledgers
    count, as for who goes on from them. Where nothing has been played yet, chance is the head.
    """
    head = await game_rows.head_at(conn, closing_us, groups)
    return seed_of_lots(head or secrets.token_bytes(_HEAD_BYTES), names)


async def seed_of(core: Core, conn: AsyncConnection, file: GroupFile) -> str | None:
    """The seed of the draw: as drawn before, or as of last midnight; None: the order is given."""
    if not file.draw or file.seed:
        return file.seed if file.draw else None
    names = [team.club for team in file.teams] or [player.name for player in file.players]
    return await draw_seed(conn, names, to_us(start_of_day(core.today(file.zone), file.zone)))


def by_number(file: GroupFile, seed: str | None) -> tuple[PlayerEntry, ...]:
    """The players in the order of their numbers: drawn with the seed, or as in the file."""
    if seed is None:
        return file.players
    order = draw_lots(seed, [f"{p.name} <{p.email}>" for p in file.players])
    return tuple(file.players[index] for index in order)


def new_game_id() -> int:
    """A game's id: random, never sequential."""
    return secrets.randbits(_GAME_BITS) | 1 << _GAME_BITS


def terms_of(file: GroupFile, number: int, white: str, black: str) -> Terms:
    """The terms of a group's game with this number."""
    return Terms(
        game=f"{file.group}/{number}",
        regulation=file.regulation,
        start=file.start,
        white=white,
        black=black,
        fen=file.fen or None,
        laws_year=file.laws,
    )


async def find_or_add_leader(core: Core, conn: AsyncConnection, file: GroupFile) -> int:
    """The tournament leader's person id; the person is added if new (§ 6.1.1)."""
    known = await person_rows.by_email(conn, file.tl)
    if known is not None:
        return known.id
    name = file.tl_name or file.tl.partition("@")[0]
    new = NewPerson(name=name, email=file.tl, created_us=core.now_us, role=Role.TL)
    return await person_rows.add_person(conn, new)


async def find_or_add_player(
    core: Core,
    conn: AsyncConnection,
    entry: PlayerEntry,
    source: str = "gruppens start",
    start: date = date.max,
) -> int:
    """The player's person id, the person added if new; a known address keeps its person.

    ``source``: recorded in the rating history for the ratings that the entry states; they date
    from ``start`` where that is past, as in a group taken over (§ 6.4.4.1).
    """
    known: PersonRow | None = await person_rows.by_email(conn, entry.email)
    origin = source, min(core.today(core.settings.clock.zone), start)
    if known is not None:
        if known.name != entry.name:
            raise GroupFileError(
                f"players: {entry.email} is registered as {known.name}, not {entry.name}"
            )
        await _keep_address(core, conn, known.id, entry.address)
        await _fill(core, conn, known, entry, origin)
        return known.id
    new = NewPerson(
        name=entry.name,
        email=entry.email,
        created_us=core.now_us,
        lang=entry.lang,
        **_facts(entry),
    )
    person_id = await person_rows.add_person(conn, new)
    await _stated_ratings(core, conn, origin, person_id, entry)
    await _keep_address(core, conn, person_id, entry.address)
    return person_id


_FACTS = ("club", "member", "rating", "k_rating", "birth", "citizen")
"""What an entry says of a person, under the register's names."""


def _facts(entry: PlayerEntry) -> dict[str, Any]:
    """What the entry says, as the register has it."""
    said = {name: getattr(entry, name) for name in _FACTS}
    said["birth"] = entry.birth.isoformat() if entry.birth else None
    return {name: value for name, value in said.items() if value is not None}


async def _fill(
    core: Core,
    conn: AsyncConnection,
    known: PersonRow,
    entry: PlayerEntry,
    origin: tuple[str, date],
) -> None:
    """Store what the entry says and the register lacks; what the register has stands."""
    new = {name: said for name, said in _facts(entry).items() if getattr(known, name) is None}
    if new:
        await person_rows.change(conn, replace(known, **new))
        ratings = {name: new.get(name) for name in ("rating", "k_rating")}
        stated = entry.model_copy(update=ratings)
        await _stated_ratings(core, conn, origin, known.id, stated)


async def register_differs(
    conn: AsyncConnection, entries: Iterable[PlayerEntry]
) -> tuple[str, ...]:
    """Where the register says otherwise than a file, for the leader to look at (§ 6.4.4.1)."""
    notes = []
    for entry in entries:
        known = await person_rows.by_email(conn, entry.email)
        for name, value in _facts(entry).items():
            own = None if known is None else getattr(known, name)
            if own not in (None, value):
                notes.append(f"{name} of {entry.name}: the register says {own}, not {value}")
    return tuple(notes)


async def _stated_ratings(
    core: Core, conn: AsyncConnection, origin: tuple[str, date], person_id: int, entry: PlayerEntry
) -> None:
    """Begin the player's rating history with the entry's (§ 6.4.4); ``origin``: source, day."""
    source, day = origin
    stated = ((RatingKind.K, entry.k_rating), (RatingKind.OTB, entry.rating))
    rows = [
        RatingRow(
            person_id, kind.value, day.isoformat(), value, is_provisional=False, source=source
        )
        for kind, value in stated
        if value is not None
    ]
    await register_rows.put_ratings(conn, rows, core.now_us, None)


async def _keep_address(core: Core, conn: AsyncConnection, person_id: int, text: str) -> None:
    """Keep the postal address for the player's cards (§ 6.5.2.1), unless there already is one."""
    if text and not await person_rows.postal_addresses_of(conn, [person_id]):
        await person_rows.keep_postal_address(conn, AddressRow(person_id, text, core.now_us))


async def new_group(
    core: Core, conn: AsyncConnection, file: GroupFile, seed: str | None, tl_id: int
) -> NewGroup:
    """The group's row."""
    union = await union_values(core, conn)
    return NewGroup(
        name=file.group,
        tournament=file.tournament,
        class_=file.group_class.value,
        regulation=file.regulation.value,
        edition=EDITION,
        laws=file.laws,
        start=file.start.isoformat(),
        zone=file.zone,
        claims=file.claims,
        is_double=file.double,
        is_drawn=file.draw,
        seed=seed,
        fen=file.fen or None,
        post_days=file.post_days,
        regulation_url=file.regulation_url or union.regulation_url or None,
        tl_id=tl_id,
        created_us=core.now_us,
        override=", ".join(file.override) or None,
        override_reason=file.override_reason or None,
    )


def start_letters(
    core: Core, group: str, people: Sequence[int], rows: Sequence[GameRow]
) -> list[NewOutbox]:
    """A start letter to everybody; to whoever begins, one mail per game with its reply address."""
    poster = poster_of(core)
    unique = f"{group}.{core.now_us}"  # an annulled start may be followed by another
    letters = [poster.to_person(StartLetter, p, unique, {"group": group}) for p in people]
    for row in rows:
        first = row.state().to_move or Side.WHITE
        letters.append(poster.about_game(FirstMove, row, first, (0, 0)))
    return letters
