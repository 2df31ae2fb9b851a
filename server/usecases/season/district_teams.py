"""Individual members' teams: the leader makes them of applicants and names a captain (§ 6.7.4.1).

Individual members enter personally on the league's list; a main district counts as a club
(§ 6.7.3.1). Reading: the strongest four are proposed, and each has paid a personal fee, so that
the team is valid when it is made. Not for a club's team (entering.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.entries.admission import EntryState
from kskak.league.division import teams_of_individuals
from kskak.league.lineup import BoardPlayer
from kskak.league.team_entry import (
    EnteredTeam,
    TeamFault,
    TeamFinding,
    TeamPapers,
    player_of_club,
    refusing,
    team_findings,
)
from mail.office_letters.league_facts import TeamNews
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import of_players as entry_rows
from server.store.entries import team_entries as rows
from server.store.entries.of_players import EntryRow
from server.store.entries.team_entries import NewSeat, NewTeamEntry, TeamEntryRow
from server.store.play.people import PersonRow
from server.store.register import members as register_rows
from server.store.register.members import MemberRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, may_handle, rights_in
from server.usecases.season.entering import LEAGUE, TeamRefused, barred
from server.usecases.season.entry_letters import tell_team
from server.usecases.season.judging import (
    Book,
    Season,
    book_of,
    is_of_district,
    named,
    season_of,
    seat_rating,
)
from server.usecases.season.views import league_lists


@dataclass(frozen=True, slots=True)
class Applicant:
    """An individual member who applied, and the rating that counts (§ 6.7.6.2)."""

    entry: EntryRow
    member: MemberRow
    rating: int

    @property
    def seat(self) -> NewSeat:
        """The applicant's seat, on no board yet."""
        return NewSeat(0, self.member.id, self.entry.otb_rating, None, self.entry.id)


@dataclass(frozen=True, slots=True)
class District:
    """A main district's applicants on a list: the teams they would make, and who is left over."""

    id: int
    name: str
    list_id: int
    teams: tuple[tuple[Applicant, ...], ...]
    waiting: tuple[Applicant, ...]


@dataclass(frozen=True, slots=True)
class Districts:
    """All districts, and those on the league's lists who are no district's individual member."""

    districts: tuple[District, ...]
    others: tuple[EntryRow, ...]


async def districts_of(core: Core, rights: Rights) -> Districts:
    """The applicants on the lists that somebody handles, by district, the strongest first."""
    async with core.store.read() as conn:
        every = await league_lists(conn, only_open=False)
        mine = [row.id for row in every if may_handle(rights, row.id) or rights.is_admin]
        return await _districts(conn, mine, today_of(core))


async def _districts(conn: AsyncConnection, lists: list[int], today: date) -> Districts:
    found = await entry_rows.on_lists(conn, lists, [EntryState.VALID.value])
    known = await register_rows.by_ids(conn, [row.person_id for row in found])
    by_place: dict[tuple[int, int], list[Applicant]] = {}
    others = []
    for row in found:
        member = known[row.person_id]
        district = member.district_id
        if district is None or not is_of_district(member, district, today):
            others.append(row)
            continue
        seat = NewSeat(0, member.id, row.otb_rating)
        one = Applicant(row, member, seat_rating(seat, member))
        by_place.setdefault((row.list_id, district), []).append(one)
    made = [_district(place, members) for place, members in by_place.items()]
    return Districts(tuple(sorted(made, key=lambda one: one.name)), tuple(others))


def _district(place: tuple[int, int], members: list[Applicant]) -> District:
    list_id, district_id = place
    name = members[0].member.district or ""
    by_id = {str(one.member.id): one for one in members}
    seats = [BoardPlayer(key, name, one.rating) for key, one in by_id.items()]
    teams, left = teams_of_individuals(seats)
    return District(
        district_id,
        name,
        list_id,
        tuple(tuple(by_id[seat.player] for seat in team) for team in teams),
        tuple(by_id[seat.player] for seat in left),
    )


@dataclass(frozen=True, slots=True)
class Making:
    """A district's team as the leader makes it: people, captain, the returning team."""

    list_id: int
    district_id: int
    people: tuple[int, ...]
    captain: int
    continues: int | None = None


async def make_district_team(
    core: Core, by: PersonRow, asked: Making
) -> TeamEntryRow | TeamRefused:
    """Make a team from a district's applicants, in rating order. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        wanted = await list_rows.lock(conn, asked.list_id)
        if wanted is None or wanted.event != LEAGUE:
            raise NoSuch("list")
        if not may_handle(held, wanted.id) or by.id in asked.people:
            raise NotAllowed
        today = today_of(core)
        season = await season_of(conn, today)
        if season is None:
            return TeamRefused((TeamFinding(TeamFault.CLOSED),))
        chosen = await _chosen(conn, asked, today)
        book = await book_of(conn, season, today, asked.people)
        found = _against(book, chosen, asked, wanted.leader_id, season)
        if found:
            return TeamRefused(named(found, book))
        return await _keep(core, conn, by, asked, season, chosen)


async def _chosen(conn: AsyncConnection, asked: Making, today: date) -> list[Applicant]:
    """The applicants by rating. Raises NoSuch for anyone who is no applicant of the district."""
    all_of_them = await _districts(conn, [asked.list_id], today)
    there = next((d for d in all_of_them.districts if d.id == asked.district_id), None)
    if there is None:
        raise NoSuch("district")
    every = [one for team in (*there.teams, there.waiting) for one in team]
    chosen = [one for one in every if one.member.id in asked.people]
    if len(chosen) != len(asked.people):
        raise NoSuch("players")
    if asked.captain not in asked.people:
        raise NoSuch("captain")
    return sorted(chosen, key=lambda one: -one.rating)


def _against(
    book: Book, chosen: list[Applicant], asked: Making, leader: int, season: Season
) -> tuple[TeamFinding, ...]:
    name = chosen[0].member.district or ""
    boards = tuple(player_of_club(str(one.member.id), name, one.rating) for one in chosen)
    team = EnteredTeam(0, name, boards, book.comes_from(asked.continues))
    entered = max(date.fromisoformat(one.entry.entered_day) for one in chosen)
    papers = TeamPapers(entered, season.deadline, entered)
    found = [*team_findings(team, book.others(0), papers, barred(book))]
    last = None if asked.continues is None else book.last.get(asked.continues)
    if asked.continues is not None and (last is None or last.team.club != name):
        found.append(TeamFinding(TeamFault.NOT_ITS_TEAM))
    if asked.captain == leader:
        found.append(TeamFinding(TeamFault.CAPTAIN_LEADS))
    return refusing(found, papers)


async def _keep(
    core: Core,
    conn: AsyncConnection,
    by: PersonRow,
    asked: Making,
    season: Season,
    chosen: list[Applicant],
) -> TeamEntryRow:
    days = [one.entry.fee_day or one.entry.entered_day for one in chosen]
    new = NewTeamEntry(
        list_id=asked.list_id,
        season=season.year,
        club_id=None,
        district_id=asked.district_id,
        captain_id=asked.captain,
        continues=asked.continues,
        form_key=None,
        entered_day=max(one.entry.entered_day for one in chosen),
        entered_by=by.id,
        created_us=core.now_us,
        lineup_us=core.now_us,
        asks=False,
        fee_day=max(days),
        fee_by=by.id,
        fee_us=core.now_us,
        state=EntryState.VALID.value,
    )
    seats = [
        NewSeat(board, one.member.id, one.entry.otb_rating, None, one.entry.id)
        for board, one in enumerate(chosen, 1)
    ]
    row = await rows.find(conn, await rows.add(conn, new, seats))
    assert row is not None
    for one in chosen:
        await entry_rows.change(conn, one.entry.id, {"state": EntryState.PLACED.value})
    await tell_team(core, conn, row, TeamNews.ENTERED)
    return row
