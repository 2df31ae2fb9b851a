"""Clubs with members in the register, and the league's list, for tests of team entries."""

from datetime import date

from kskak.regulation.editions import Regulation
from server.store import members as member_rows
from server.store.entries import ListRow, NewTeamEntryBoard
from server.store.members import MemberRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.entries.player_entering import EntryListRequest, open_list
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.register_desk import import_file
from tests.fakes.league import RATINGS, address, players_of

OPERATOR = RegisterEditor(None, "command", "import", may_readdress=True)
DISTRICT = "1. hovedkreds"
SINCE = "1-1-2020"
HEAD = "Nr;Navn;Født;E-mail;Medlemskab;Klub;Hovedkreds;Medlem siden;K-rating;K-rating dato"


async def take(core: Core, what: RegisterKind, text: str) -> None:
    """Take in a file of the register, all of it."""
    report = await import_file(core, what, text.encode(), OPERATOR, Rules())
    assert report.is_done, report


async def register_clubs(core: Core, *clubs: str, ratings: tuple[int, ...] = RATINGS) -> None:
    """Clubs of a main district with the four members each that other tests' teams have."""
    await take(
        core,
        RegisterKind.CLUBS,
        "\n".join(["Klub;Hovedkreds", *(f"{c};{DISTRICT}" for c in clubs)]),
    )
    lines = [
        f"{100 * at + board};{name};1-1-1950;{address(name)};klub;{club};;{SINCE};{rating};{SINCE}"
        for at, club in enumerate(clubs, 1)
        for board, (name, rating) in enumerate(zip(players_of(club), ratings, strict=True), 1)
    ]
    await take(core, RegisterKind.MEMBERS, "\n".join([HEAD, *lines]))


async def register_individuals(core: Core, *names: str, first: int = 1700) -> None:
    """Individual members of the district, the first named the strongest."""
    lines = [
        f"{9000 + at};{name};1-1-1950;{address(name)};enkelt;;{DISTRICT};{SINCE};{first - at};"
        f"{SINCE}"
        for at, name in enumerate(names)
    ]
    await take(core, RegisterKind.MEMBERS, "\n".join([HEAD, *lines]))


async def league_list(core: Core, kc: PersonRow, leader: str, prefix: str = "H28") -> ListRow:
    """The open list of the league, led by somebody."""
    asked = EntryListRequest(
        "Holdturneringen", "league", "league", "Danmarksturneringen", Regulation.EMAIL, prefix,
        leader, 40_000, "Konto 1",
    )  # fmt: skip
    row = await open_list(core, kc, asked)
    assert isinstance(row, ListRow), row
    return row


async def by_address(core: Core, email: str) -> PersonRow:
    """Somebody who is there."""
    async with core.store.read() as conn:
        found = await person_rows.by_email(conn, email)
    assert found is not None, email
    return found


async def members_of(core: Core, club: str) -> dict[str, MemberRow]:
    """A club's members by name."""
    async with core.store.read() as conn:
        clubs = {one.name: one.id for one in await member_rows.all_clubs(conn)}
        return {row.name: row for row in await member_rows.list_club_members(conn, clubs[club])}


async def club_id(core: Core, club: str) -> int:
    """A club's number in the register's table."""
    async with core.store.read() as conn:
        return next(one.id for one in await member_rows.all_clubs(conn) if one.name == club)


async def lineup(core: Core, *names: str) -> tuple[NewTeamEntryBoard, ...]:
    """These people from board 1."""
    people = [await by_address(core, address(name)) for name in names]
    seats = enumerate(people, 1)
    return tuple(NewTeamEntryBoard(board, one.id, None, None, None) for board, one in seats)


START_2028 = date(2028, 1, 10)
DEADLINE_2028 = date(2027, 12, 13)
