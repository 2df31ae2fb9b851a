"""Starting next season's divisions from a plan of entered teams, or what is in the way.

§ 6.7.2-6.7.4: the players' teams are checked in the divisions they got, then each division starts
as by ``kskak group start``, all in one transaction. Readings: all the plan's dispensations must be
answered; the team's club is its players' for the season, as on the day of the entry (§ 6.7.3.2).
Not for composing (composing.py).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pydantic import ValidationError

from kskak.entries.entry import EntryFault, EntryState
from kskak.league.composition import FEWEST_TEAMS, LOWEST_DIVISION, PlacementReason
from kskak.league.lineups import (
    BoardPlayer,
    EnteredTeam,
    Lineup,
    LineupFault,
    TeamEntryFault,
    TeamFinding,
    TeamPapers,
    club_key,
    lineup_findings,
    player_of_club,
    select_refusing_findings,
    teams_of_individuals,
)
from kskak.regulation.editions import Regulation
from mail.game_letters.letter_parts import plain
from mail.office_letters.entry_letters import EntryNews, missing_text
from mail.text.catalogue import Words
from server.store import entries as entry_rows
from server.store import members as member_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import to_us
from server.store.entries import (
    EntryRow,
    ListRow,
    NewTeamEntryBoard,
    TeamEntryBoardRow,
    TeamEntryRow,
)
from server.store.members import MemberRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core, today_of
from server.usecases.entries.entry_actions import entered
from server.usecases.games.game_units import start_of_day
from server.usecases.groups.group_file import (
    GroupClass,
    GroupFile,
    GroupFileError,
    PlayerEntry,
    StartedGroup,
    TeamEntry,
    draw_seed,
)
from server.usecases.league.division_start import BarredFromStart, start_division_in
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, rights_in
from server.usecases.season.composing import SeasonPlanLine, SeasonPlanView, plan_in
from server.usecases.season.season_views import league_lists
from server.usecases.season.team_entering import (
    LEAGUE_EVENT,
    Season,
    SeasonEntries,
    TeamRefused,
    book_of,
    is_of_district,
    judge_new_team,
    name_findings,
    notify_team,
    season_of,
    seat_rating,
)

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class PlanFinding:
    """A plan's breach of § 6.7.2-6.7.3: the fault, the club, the players by name."""

    fault: LineupFault
    club: str
    players: tuple[str, ...]


class CannotStart(Exception):
    """The plan can't be started now; the text says what is in the way, ``who`` whom it is about."""

    def __init__(
        self, why: str, who: Mapping[str, Sequence[str]] | Mapping[str, EntryFault] | None = None
    ) -> None:
        super().__init__(why)
        self.who = who or {}

    def told(self, words: Words, field: str) -> str:
        """The reason in words; ``field``: what the channel calls the word on captains."""
        key = f"league.cannot_start.{self}"
        if key not in words:
            return str(self)
        named = (
            f"{plain(name)} ({', '.join(map(plain, found))})"
            if not isinstance(found, EntryFault)
            else f"{plain(name)}: {missing_text(found, '', words)}"
            for name, found in self.who.items()
        )
        return words(key, who=" ".join(named), field=field)


def _lineups(plan: SeasonPlanView, book: SeasonEntries) -> list[Lineup]:
    """The plan's teams in the divisions that they got."""
    leave = {s.person_id for one in book.seats.values() for s in one if s.leave_us is not None}
    found = []
    for place, (division, lines) in enumerate(plan.divisions):
        for line in lines:
            seats = book.seats.get(line.entry or 0, ())
            boards = tuple(
                BoardPlayer(
                    str(s.person_id), club_key(line.club), book.rating(s), s.person_id in leave
                )
                for s in seats
            )
            beside = line.by == PlacementReason.CLUB_DISPENSATION
            lineup = Lineup(club_key(line.club), division, boards, str(place), is_beside_own=beside)
            found.append(lineup)
    return found


def findings_of(plan: SeasonPlanView, book: SeasonEntries) -> tuple[PlanFinding, ...]:
    """Players who may not be on all their teams, now that the divisions are known."""
    lines = [line for _, part in plan.divisions for line in part]
    return tuple(
        PlanFinding(
            one.fault,
            lines[one.team].club,
            tuple(book.members[int(player)].name for player in one.players),
        )
        for one in lineup_findings(_lineups(plan, book))
        if one.fault is not LineupFault.BOARD_ORDER
    )


async def plan_findings(core: Core, plan: SeasonPlanView) -> tuple[PlanFinding, ...]:
    """The same for a loaded plan; nothing for one entered by hand or past its season."""
    if plan.row.team_entries is None:
        return ()
    async with core.store.read() as conn:
        season = await season_of(conn, today_of(core))
        if season is None or season.year != plan.row.season:
            return ()
        return findings_of(plan, await book_of(conn, season, today_of(core)))


async def start_season(
    core: Core, by: PersonRow, plan_id: int, *, live: bool = False, word: str = ""
) -> tuple[StartedGroup, ...]:
    """Start every division of a plan; its entries are placed (§ 6.7.4.2).

    ``live``: everybody may follow its running games; False: as in the season's running divisions.
    ``word``: why somebody may be captain of two teams that meet (§ 6.7.2.2).

    Raises NotAllowed for anyone but the controller and the leader of the league's list, NoSuch,
    and CannotStart with a word of ``cannot_start``, or the text of what the group file refuses.
    """
    async with core.store.deciding() as conn:
        found = await conn.run_sync(plan_in, plan_id)
        if found is None:
            raise NoSuch("plan")
        planned = [*found.unplaced, *(line for _, part in found.divisions for line in part)]
        ids = [line.entry for line in planned if line.entry is not None]
        rows = [await entry_rows.find_team_entry(conn, one) for one in ids]
        entries = [row for row in rows if row is not None]
        wanted = (
            await entry_rows.find_list(conn, entries[0].list_id, lock=True) if entries else None
        )
        held = await rights_in(conn, by, core.now_us)
        if not (held.is_kc or (wanted is not None and may_handle(held, wanted.id))):
            raise NotAllowed
        if wanted is None:
            raise CannotStart("by_hand")
        today = today_of(core)
        season = await season_of(conn, today)
        if season is None or season.year != found.row.season:
            raise CannotStart("season")
        book = await book_of(conn, season, today)
        _check(found, book, entries, word.strip())
        started = []
        for place, (division, lines) in enumerate(found.divisions):
            if lines:
                name = f"{wanted.prefix}-{division}{_part(found, place)}"
                about = (name, division, book, live, word.strip()[:120])
                started.append(await _start(core, conn, wanted, about, lines))
        return tuple(started)


def _shared_captains(plan: SeasonPlanView, book: SeasonEntries) -> dict[str, list[str]]:
    """Who is captain of teams that meet, with their clubs (§ 6.7.2.2)."""
    rows = {row.id: row for row in book.entries}
    found: dict[str, list[str]] = {}
    for _, lines in plan.divisions:
        teams = defaultdict[int, list[TeamEntryRow]](list)
        for row in (rows[line.entry] for line in lines if line.entry):
            teams[row.captain_id].append(row)
        meeting = (own for own in teams.values() if len(own) > 1)
        found |= {own[0].captain: [row.club for row in own] for own in meeting}
    return found


def _closing_us(core: Core, book: SeasonEntries) -> int:
    """When the entries closed, by which the lots are drawn: the end of the deadline (§ 6.7.4.2).

    Started before it: when the last entry was complete, so nobody chooses the moment.
    """
    deadline = book.season.deadline
    if deadline is not None and deadline < today_of(core):
        return to_us(start_of_day(deadline + timedelta(days=1), core.settings.clock.zone))
    return max(max(row.created_us, row.fee_us or 0, row.decided_us or 0) for row in book.entries)


def _part(plan: SeasonPlanView, place: int) -> str:
    """The letter of a group of the 3rd division, where it has several (§ 6.7.1.1)."""
    lowest = (number for number, (to, _) in enumerate(plan.divisions) if to == LOWEST_DIVISION)
    groups = list(lowest)
    return _LETTERS[groups.index(place)] if place in groups and len(groups) > 1 else ""


def _check(
    plan: SeasonPlanView, book: SeasonEntries, entries: Sequence[TeamEntryRow], word: str
) -> None:
    """Raises CannotStart."""
    sizes = [len(part) for _, part in plan.divisions if part]
    shared = {} if word else _shared_captains(plan, book)
    in_the_way = {
        "superseded": plan.next_id is not None,
        "entries": {row.id for row in entries}
        != {row.id for row in book.entries if row.state == EntryState.VALID},
        "grants": plan.open_grants > 0,
        "unplaced": bool(plan.unplaced),
        "few": min(sizes, default=0) < FEWEST_TEAMS,
        "lineups": bool(findings_of(plan, book)),
        "captains": shared,
    }
    for why, stands in in_the_way.items():
        if stands:
            raise CannotStart(why, shared if why == "captains" else None)


async def _start(
    core: Core,
    conn: AsyncConnection,
    wanted: ListRow,
    about: tuple[str, int, SeasonEntries, bool, str],
    lines: Sequence[SeasonPlanLine],
) -> StartedGroup:
    name, division, book, live, word = about
    entries = [next(row for row in book.entries if row.id == line.entry) for line in lines]
    seats = [seat for row in entries for seat in book.seats[row.id]]
    leader = (await person_rows.by_ids(conn, [wanted.leader_id]))[wanted.leader_id]
    seed = await draw_seed(conn, [line.club for line in lines], _closing_us(core, book))
    try:
        file = GroupFile.model_validate(
            {
                "tournament": wanted.tournament,
                "class": GroupClass.LEAGUE,
                "group": name,
                "division": division,
                "regulation": Regulation(wanted.regulation),
                "start": book.season.start,
                "tl": leader.email,
                "tl_name": leader.name,
                "zone": core.settings.clock.zone,
                "teams": await _teams(conn, entries, book, word),
                "seed": seed,
                "live": live or None,
                "word": " ".join(seat.leave_reason or "" for seat in seats),
            }
        )
        started = await start_division_in(core, conn, file, book.let_in(entries))
    except (GroupFileError, ValidationError) as error:
        barred = error.found if isinstance(error, BarredFromStart) else None
        raise CannotStart("barred" if barred else str(error), barred) from error
    for row in entries:
        await entry_rows.change_team_entry(
            conn, row.id, state=EntryState.PLACED.value, group_id=started.id
        )
    await entry_rows.place_entries(conn, [s.own_entry for s in seats if s.own_entry], started.id)
    return started


async def _teams(
    conn: AsyncConnection, entries: Sequence[TeamEntryRow], book: SeasonEntries, word: str
) -> tuple[TeamEntry, ...]:
    captains = await person_rows.by_ids(conn, [row.captain_id for row in entries])
    clubs = [club_key(row.club) for row in entries]
    teams = (
        _team(row, captains[row.captain_id], book, clubs[: at + 1].count(clubs[at]))
        for at, row in enumerate(entries)
    )
    return tuple(team.model_copy(update={"captain_word": word or None}) for team in teams)


def _team(row: TeamEntryRow, captain: PersonRow, book: SeasonEntries, number: int) -> TeamEntry:
    """``number``: its own among the club's teams of the group, 2 by a dispensation (§ 6.7.3.3)."""
    return TeamEntry(
        club=row.club if number == 1 else f"{row.club} {number}",
        of_club=None if number == 1 else row.club,
        captain=captain.email,
        captain_name=captain.name,
        players=tuple(_player(row, seat, book) for seat in book.seats[row.id]),
        individuals=row.is_individual,
    )


def _player(row: TeamEntryRow, seat: TeamEntryBoardRow, book: SeasonEntries) -> PlayerEntry:
    known = book.members[seat.person_id]
    return PlayerEntry(
        name=known.name,
        email=known.email,
        rating=seat.told_rating if known.rating is None else known.rating,
        k_rating=known.k_rating,
        club=row.club,
        two_clubs=any(
            other.person_id == seat.person_id and other.leave_us is not None
            for seats in book.seats.values()
            for other in seats
        ),
    )


# Individual members' teams: the leader makes them of applicants and names a captain (§ 6.7.4.1).


@dataclass(frozen=True, slots=True)
class Applicant:
    """An individual member who applied, and the rating that counts (§ 6.7.6.2)."""

    entry: EntryRow
    member: MemberRow
    rating: int

    @property
    def seat(self) -> NewTeamEntryBoard:
        """The applicant's seat, on no board yet."""
        return NewTeamEntryBoard(0, self.member.id, self.entry.otb_rating, None, self.entry.id)


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
    known = await member_rows.by_ids(conn, [row.person_id for row in found])
    by_place: dict[tuple[int, int], list[Applicant]] = {}
    others = []
    for row in found:
        member = known[row.person_id]
        district = member.district_id
        if district is None or not is_of_district(member, district, today):
            others.append(row)
            continue
        seat = NewTeamEntryBoard(0, member.id, row.otb_rating, None, None)
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
class DistrictTeamRequest:
    """A district's team as the leader makes it: people, captain, the returning team."""

    list_id: int
    district_id: int
    people: tuple[int, ...]
    captain: int
    continues: int | None = None


async def make_district_team(
    core: Core, by: PersonRow, asked: DistrictTeamRequest
) -> TeamEntryRow | TeamRefused:
    """Make a team from a district's applicants, in rating order. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        wanted = await entry_rows.find_list(conn, asked.list_id, lock=True)
        if wanted is None or wanted.event != LEAGUE_EVENT:
            raise NoSuch("list")
        if not may_handle(held, wanted.id) or by.id in asked.people:
            raise NotAllowed
        today = today_of(core)
        season = await season_of(conn, today)
        if season is None:
            return TeamRefused((TeamFinding(TeamEntryFault.CLOSED),))
        chosen = await _chosen(conn, asked, today)
        book = await book_of(conn, season, today, [*asked.people, asked.captain])
        entered_on = max(date.fromisoformat(one.entry.entered_day) for one in chosen)
        papers = TeamPapers(entered_on, season.deadline, entered_on)
        people = asked.captain, wanted.leader_id
        team = _team_of(book, chosen, asked.continues)
        own = [one.entry.id for one in chosen]
        found = judge_new_team(book, team, papers, people, asked.continues, own)
        if found := select_refusing_findings(found, papers):
            return TeamRefused(name_findings(found, book))
        return await _keep(core, conn, by, asked, season, chosen)


async def _chosen(
    conn: AsyncConnection, asked: DistrictTeamRequest, today: date
) -> list[Applicant]:
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


def _team_of(book: SeasonEntries, chosen: list[Applicant], continues: int | None) -> EnteredTeam:
    name = chosen[0].member.district or ""
    boards = tuple(player_of_club(str(one.member.id), name, one.rating) for one in chosen)
    return EnteredTeam(0, name, boards, book.comes_from(continues))


async def _keep(
    core: Core,
    conn: AsyncConnection,
    by: PersonRow,
    asked: DistrictTeamRequest,
    season: Season,
    chosen: list[Applicant],
) -> TeamEntryRow:
    days = [one.entry.fee_day or one.entry.entered_day for one in chosen]
    last = max(one.entry.entered_day for one in chosen)
    seats = [replace(one.seat, board=board) for board, one in enumerate(chosen, 1)]
    row = await entry_rows.add_team_entry(
        conn,
        seats,
        list_id=asked.list_id,
        season=season.year,
        district_id=asked.district_id,
        captain_id=asked.captain,
        continues=asked.continues,
        lineup_us=core.now_us,
        asks=False,
        **entered(core, by, last, max(days), EntryState.VALID),
    )
    for one in chosen:
        await entry_rows.change_entry(conn, one.entry.id, state=EntryState.PLACED.value)
    await notify_team(core, conn, row, EntryNews.ENTERED)
    return row
