"""What clubs and officials see before and after a team entry (§ 6.7.3-6.7.5.1).

Read-only. Not for HTML or JSON.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from kskak.league.lineups import Comeback, TeamFinding, club_key
from server.store import divisions as division_rows
from server.store import members as member_rows
from server.store import player_entries as entry_rows
from server.store import team_entries as team_rows
from server.store.divisions import LeagueBoardRow
from server.store.engine.connection import AsyncConnection
from server.store.members import ClubRow, MemberRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.player_entries import OPEN_STATES, ListRow
from server.store.team_entries import ClubAdminRow, TeamEntryBoardRow, TeamEntryRow
from server.usecases.context import Core, today_of
from server.usecases.league.division_start import current
from server.usecases.office.year import controllers
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, rights_in
from server.usecases.season.team_entering import LEAGUE, clubs_of
from server.usecases.season.team_judging import (
    LastTeamRow,
    Season,
    SeasonEntries,
    book_of,
    is_of_club,
    name_findings,
    season_of,
)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player on a board with the rating that counts (§ 6.7.6.2)."""

    seat: TeamEntryBoardRow
    rating: int


@dataclass(frozen=True, slots=True)
class TeamEntryView:
    """An entry with its boards, what it lacks, and the returning team.

    ``crooked``: boards that contradict the ratings (§ 6.7.2.1).
    """

    row: TeamEntryRow
    seats: tuple[SeatView, ...]
    findings: tuple[TeamFinding, ...]
    last: LastTeamRow | None
    crooked: tuple[int, ...]

    @property
    def comeback(self) -> Comeback:
        """Whether it played last season."""
        return Comeback.NEW if self.last is None else Comeback.BACK

    @property
    def is_open(self) -> bool:
        """Whether the entry is still open."""
        return self.row.state in OPEN_STATES


@dataclass(frozen=True, slots=True)
class ClubSeasonView:
    """What a club's page shows: its members, its teams of last season, its entries."""

    season: Season | None
    today: date
    clubs: tuple[ClubRow, ...]
    club: ClubRow
    lists: tuple[ListRow, ...]
    members: tuple[MemberRow, ...]
    last: tuple[LastTeamRow, ...]
    entries: tuple[TeamEntryView, ...]
    is_official: bool
    openers: tuple[PersonRow, ...] = ()
    """Who can open the league's list, if none is open (§ 6.1.2)."""
    boards: tuple[LeagueBoardRow, ...] = ()
    """Who sat on the boards of last season's teams."""

    @property
    def not_back(self) -> tuple[LastTeamRow, ...]:
        """Its teams of last season that are not entered again."""
        back = {one.row.continues for one in self.entries if one.is_open}
        return tuple(one for one in self.last if one.team.id not in back)

    def lineup_of(self, team: LastTeamRow) -> tuple[int, ...]:
        """Who sat on its boards at the end and is still a member: persons, from board 1."""
        here = {row.id for row in self.members}
        return tuple(
            row.person_id for row in current(self.boards, team.team.id) if row.person_id in here
        )


def build_entry_view(book: SeasonEntries, row: TeamEntryRow) -> TeamEntryView:
    """An entry of a book with what is known about it."""
    is_open = row.is_open
    return TeamEntryView(
        row=row,
        seats=tuple(SeatView(seat, book.rating(seat)) for seat in book.seats.get(row.id, ())),
        findings=name_findings(book.findings(row), book) if is_open else (),
        last=None if row.continues is None else book.last.get(row.continues),
        crooked=book.crooked(row) if is_open else (),
    )


async def league_lists(conn: AsyncConnection, *, only_open: bool) -> tuple[ListRow, ...]:
    """The lists of the league."""
    found = await entry_rows.everything(conn, only_open=only_open)
    return tuple(row for row in found if row.event == LEAGUE)


async def club_view(core: Core, person: PersonRow, club_id: int | None) -> ClubSeasonView:
    """A club's page, for its representatives or an official. Raises NoSuch for all others."""
    async with core.store.read() as conn:
        held = await rights_in(conn, person, core.now_us)
        every = await league_lists(conn, only_open=False)
        own = await clubs_of(conn, person)
        is_official = held.is_kc or any(may_handle(held, row.id) for row in every)
        known = await member_rows.all_clubs(conn) if is_official else own
        first = next((one.id for one in own or known), None)
        wanted = first if club_id is None else club_id
        club = next((one for one in known if one.id == wanted), None)
        if club is None:
            raise NoSuch("club")
        today = today_of(core)
        season = await season_of(conn, today)
        people = await member_rows.list_club_members(conn, club.id)
        book = None if season is None else await book_of(conn, season, today)
        entries: tuple[TeamEntryView, ...] = ()
        if book is not None:  # every entry of the club for the season, closed ones included
            found = await team_rows.list_club_entries(conn, [club.id], book.season.year)
            entries = await _with_ended(conn, book, found, today)
        is_open = any(row.is_open for row in every)
        ids = () if is_open else await controllers(conn, core.now_us)
        key, every_last = club_key(club.name), book.last.values() if book else ()
        last = tuple(one for one in every_last if club_key(one.team.club) == key)
        boards = await conn.run_sync(division_rows.boards, [one.team.id for one in last])
        people_there = await person_rows.by_ids(conn, ids)
        return ClubSeasonView(
            season=season,
            today=today,
            clubs=known,
            club=club,
            lists=tuple(row for row in every if row.is_open),
            members=tuple(row for row in people if is_of_club(row, club.id, today)),
            last=last,
            entries=entries,
            is_official=is_official and all(one.id != club.id for one in own),
            openers=tuple(people_there[one] for one in ids),
            boards=boards,
        )


async def entry_view(core: Core, entry_id: int) -> TeamEntryView | None:
    """An entry for the coming season as its club sees it; None if there is none."""
    async with core.store.read() as conn:
        row, today = await team_rows.find(conn, entry_id), today_of(core)
        season = await season_of(conn, today)
        if row is None or season is None:
            return None
        return build_entry_view(await book_of(conn, season, today), row)


async def _with_ended(
    conn: AsyncConnection, book: SeasonEntries, found: Collection[TeamEntryRow], today: date
) -> tuple[TeamEntryView, ...]:
    """Entries as viewed, with the boards of those that the book no longer counts."""
    ended = [row.id for row in found if row.id not in book.seats]
    seats = await team_rows.seats_of(conn, ended)
    people = {seat.person_id for one in seats.values() for seat in one}
    whole = await book_of(conn, book.season, today, people) if people else book
    told = replace(whole, seats={**whole.seats, **seats})
    return tuple(build_entry_view(told, row) for row in found)


@dataclass(frozen=True, slots=True)
class TeamDesk:
    """The season's team entries for the leader, and which of last season's have not come back.

    ``left``: teams of last season that nobody has entered again.
    """

    season: Season | None
    today: date
    lists: tuple[ListRow, ...]
    entries: tuple[TeamEntryView, ...]
    ended: tuple[TeamEntryView, ...]
    left: tuple[LastTeamRow, ...]
    admins: tuple[ClubAdminRow, ...]
    clubs: tuple[ClubRow, ...]
    may_act: bool

    def of(self, comeback: Comeback) -> tuple[TeamEntryView, ...]:
        """The entries that count, back or new."""
        return tuple(one for one in self.entries if one.comeback is comeback)

    @property
    def waiting(self) -> int:
        """How many entries lack something."""
        return sum(one.row.state == "waiting" for one in self.entries)


async def enters_for_clubs(core: Core, person: PersonRow) -> bool:
    """Whether somebody enters teams for a club (§ 6.7.4.1)."""
    return bool(await core.store.query(clubs_of, person))


async def captains_of_season(core: Core, season: int) -> dict[int, str]:
    """The captains of a season's entries, by entry: they tell a club's teams apart."""
    return {
        row.id: row.captain for row in await core.store.query(team_rows.list_season_entries, season)
    }


async def has_entries(core: Core) -> bool:
    """Whether any team is entered for the season now open for entry."""
    async with core.store.read() as conn:
        season = await season_of(conn, today_of(core))
        return season is not None and bool(await team_rows.list_season_entries(conn, season.year))


async def team_desk(core: Core, rights: Rights) -> TeamDesk:
    """The leader's list of team entries. Raises NoSuch for anyone without one."""
    async with core.store.read() as conn:
        every = await league_lists(conn, only_open=False)
        own = [row for row in every if may_handle(rights, row.id)]
        if not (rights.is_kc or rights.is_admin or own):
            raise NoSuch("desk")
        today = today_of(core)
        season = await season_of(conn, today)
        admins = await team_rows.list_club_admins(conn)
        clubs = await member_rows.all_clubs(conn)
        shown = tuple(every if rights.is_kc or rights.is_admin else own)
        desk = TeamDesk(season, today, shown, (), (), (), admins, clubs, rights.is_kc or bool(own))
        return desk if season is None else await _filled(conn, desk, season)


async def _filled(conn: AsyncConnection, desk: TeamDesk, season: Season) -> TeamDesk:
    book = await book_of(conn, season, desk.today)
    gone = await team_rows.list_season_entries(conn, season.year, ("refused", "withdrawn"))
    mine = {row.id for row in desk.lists}
    back = {row.continues for row in book.entries}
    return replace(
        desk,
        entries=tuple(build_entry_view(book, row) for row in book.entries if row.list_id in mine),
        ended=await _with_ended(conn, book, [r for r in gone if r.list_id in mine], desk.today),
        left=tuple(one for team_id, one in book.last.items() if team_id not in back),
    )


# Who enters a club's teams: its administrator, named by an official of the league (§ 6.7.4.1).


async def _may(core: Core, by: PersonRow) -> Rights:
    async with core.store.read() as conn:
        held = await rights_in(conn, by, core.now_us)
        lists = await league_lists(conn, only_open=False)
    if not (held.is_kc or any(may_handle(held, row.id) for row in lists)):
        raise NotAllowed
    return held


async def name_admin(core: Core, by: PersonRow, club_id: int, email: str) -> None:
    """Let somebody enter a club's teams from now on; repeating it changes nothing.

    Raises NotAllowed, NoSuch.
    """
    await _may(core, by)
    async with core.store.deciding() as conn:
        if club_id not in {club.id for club in await member_rows.all_clubs(conn)}:
            raise NoSuch("club")
        person = await person_rows.by_email(conn, email)
        if person is None:
            raise NoSuch("person")
        known = await team_rows.list_club_admins(conn, person.id, [club_id])
        if not known:
            await team_rows.add_club_administrator(conn, club_id, person.id, by.id, core.now_us)


async def end_admin(core: Core, by: PersonRow, row_id: int) -> None:
    """End an administrator's office. Raises NotAllowed, NoSuch."""
    await _may(core, by)
    async with core.store.deciding() as conn:
        if not await team_rows.end(conn, row_id, core.now_us):
            raise NoSuch("admin")
