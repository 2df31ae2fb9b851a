"""What clubs and officials see before and after a team entry (§ 6.7.3-6.7.5.1).

Read-only. Not for HTML or JSON.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction

from kskak.cases.case import CaseStage
from kskak.game.game_events import GamePaused
from kskak.league.lineups import Comeback, ReserveRecord, TeamFinding, has_club_ended, is_team_of
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.editions import LEAGUE, Side
from kskak.values import recast
from mail.office_letters.league_letters import (
    DivisionSchedule,
    LeagueNotice,
    LeagueWord,
    PairingLine,
    TeamLine,
)
from mail.text.letter_facts import LedGroup
from server.store import divisions as division_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.cases.cases import CaseRow
from server.store.divisions import (
    LeagueBoardRow,
    LeagueGameRow,
    LeagueTeamRow,
    ReserveRow,
    ReserveState,
)
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, from_us
from server.store.entries import OPEN_STATES, ListRow, TeamEntryBoardRow, TeamEntryRow
from server.store.groups import GroupRow
from server.store.members import ClubRow, MemberRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.case_views import case_list
from server.usecases.context import Core, today_of
from server.usecases.league.division_start import current, team_access
from server.usecases.league.divisions import DivisionView, TeamView, points_in, view_in
from server.usecases.letter_facts import NoLetter, Params, leader, loads, number, text
from server.usecases.office import controllers
from server.usecases.play.game_views import GameSummaryView, summary
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, rights_in
from server.usecases.season.team_entering import (
    LEAGUE_EVENT,
    LastTeamRow,
    Season,
    SeasonEntries,
    book_of,
    clubs_of,
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
    return tuple(row for row in found if row.event == LEAGUE_EVENT)


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
            found = await entry_rows.list_club_entries(conn, [club.id], book.season.year)
            entries = await _with_ended(conn, book, found, today)
        is_open = any(row.is_open for row in every)
        ids = () if is_open else await controllers(conn, core.now_us)
        every_last = book.last.values() if book else ()
        last = tuple(one for one in every_last if is_team_of(one.team.club, club.name))
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
        row, today = await entry_rows.find_team_entry(conn, entry_id), today_of(core)
        season = await season_of(conn, today)
        if row is None or season is None:
            return None
        return build_entry_view(await book_of(conn, season, today), row)


async def _with_ended(
    conn: AsyncConnection, book: SeasonEntries, found: Collection[TeamEntryRow], today: date
) -> tuple[TeamEntryView, ...]:
    """Entries as viewed, with the boards of those that the book no longer counts."""
    ended = [row.id for row in found if row.id not in book.seats]
    seats = await entry_rows.seats_of(conn, ended)
    people = {seat.person_id for one in seats.values() for seat in one}
    whole = await book_of(conn, book.season, today, people) if people else book
    completed = replace(whole, seats={**whole.seats, **seats})
    return tuple(build_entry_view(completed, row) for row in found)


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
    admins: tuple[AnyRow, ...]
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
        row.id: row.captain
        for row in await core.store.query(entry_rows.list_season_entries, season)
    }


async def team_desk(core: Core, rights: Rights) -> TeamDesk:
    """The leader's list of team entries. Raises NoSuch for anyone without one."""
    async with core.store.read() as conn:
        every = await league_lists(conn, only_open=False)
        own = [row for row in every if may_handle(rights, row.id)]
        if not (rights.is_kc or rights.is_admin or own):
            raise NoSuch("desk")
        today = today_of(core)
        season = await season_of(conn, today)
        admins = await entry_rows.list_club_admins(conn)
        clubs = await member_rows.all_clubs(conn)
        shown = tuple(every if rights.is_kc or rights.is_admin else own)
        desk = TeamDesk(season, today, shown, (), (), (), admins, clubs, rights.is_kc or bool(own))
        return desk if season is None else await _filled(conn, desk, season)


async def _filled(conn: AsyncConnection, desk: TeamDesk, season: Season) -> TeamDesk:
    book = await book_of(conn, season, desk.today)
    gone = await entry_rows.list_season_entries(conn, season.year, ("refused", "withdrawn"))
    mine = {row.id for row in desk.lists}
    back = {row.continues for row in book.entries}
    ended = await member_rows.list_ended_clubs(conn)
    return replace(
        desk,
        entries=tuple(build_entry_view(book, row) for row in book.entries if row.list_id in mine),
        ended=await _with_ended(conn, book, [r for r in gone if r.list_id in mine], desk.today),
        left=tuple(
            one
            for team_id, one in book.last.items()
            if team_id not in back and not has_club_ended(one.team.club, ended)
        ),
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
        known = await entry_rows.list_club_admins(conn, person.id, [club_id])
        if not known:
            await entry_rows.add_club_administrator(conn, club_id, person.id, by.id, core.now_us)


async def end_admin(core: Core, by: PersonRow, row_id: int) -> None:
    """End an administrator's office. Raises NotAllowed, NoSuch."""
    await _may(core, by)
    async with core.store.deciding() as conn:
        if not await entry_rows.end_club_administrator(conn, row_id, core.now_us):
            raise NoSuch("admin")


# The captain's desk: his terms, the teams' games, line-up, reserves, cases (§ 6.7.6.1).

SILENT_DAYS = 14
"""§ 6.3.4: this many chargeable days without an answer are silence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamGameView(GameSummaryView):
    """A game of the team as its player sees it, with the opponents' club."""

    line: LeagueGameRow
    opponents: str
    paused_until: date | None

    @property
    def own(self) -> str:
        """The team's player."""
        return self.game.white if self.side is Side.WHITE else self.game.black

    @property
    def is_silent(self) -> bool:
        """Whether the side to move has used that many days on its move (§ 6.3.4)."""
        return self.result is None and self.days_used >= SILENT_DAYS


@dataclass(frozen=True, slots=True)
class CaptainTeam:
    """One of the captain's teams, with what is going on in it."""

    division: DivisionView
    team: TeamView
    games: tuple[TeamGameView, ...]
    reserves: tuple[ReserveRow, ...]
    reports: tuple[AnyRow, ...]
    points: Fraction
    members: tuple[MemberRow, ...] = ()
    """Who else the register has as a member of the team's club: who may be its reserve."""

    @property
    def reserves_left(self) -> int:
        """How many reserves may still come in (§ 6.7.4.3)."""
        used = sum(row.state == ReserveState.IN for row in self.reserves)
        return max(LEAGUE.reserves - used, 0)

    @property
    def running(self) -> tuple[TeamGameView, ...]:
        """The running games, the most urgent first."""
        return tuple(game for game in self.games if game.result is None)


class CaptainDeadlineKind(StrEnum):
    """What a captain has a last day for."""

    ANSWER = "answer"
    PAUSE = "pause"
    HEARING = "hearing"
    APPEAL = "appeal"
    ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class Term:
    """The last day for something; ``who``: player, case or season it is about, ``to``: for whom."""

    day: date
    due: CaptainDeadlineKind
    who: str
    link: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class CaptainDesk:
    """A captain's teams, and their players' cases, whose letters captains get too (§ 6.7.6.1)."""

    teams: tuple[CaptainTeam, ...]
    cases: tuple[CaseRow, ...]
    terms: tuple[Term, ...] = ()
    """What has a last day, the nearest first."""


async def captain_desk(core: Core, person: PersonRow) -> CaptainDesk:
    """A captain's desk; without teams for anybody else."""
    async with core.store.read() as conn:
        own = await conn.run_sync(division_rows.list_teams_of_captain, person.id)
        teams = [await _team(core, conn, team) for team in own]
        names = [club.name for club in await member_rows.all_clubs(conn)]
        enters = any(is_team_of(team.club, name) for team in own for name in names)
        entry = await _entry(core, conn) if enters else None
    groups = {team.group_id for team in own}
    cases = await case_list(core, person) if own else ()
    cases = tuple(one for one in cases if one.group_id in groups)
    terms = [*_terms(core, teams, cases), *([entry] if entry else ())]
    return CaptainDesk(tuple(teams), cases, tuple(sorted(terms, key=lambda term: term.day)))


async def _entry(core: Core, conn: AsyncConnection) -> Term | None:
    """Until when a team can be entered, while a list is open (§ 6.7.4.2)."""
    today = today_of(core)
    season = await season_of(conn, today)
    if season is None or season.deadline is None or season.deadline < today:
        return None
    if not await league_lists(conn, only_open=True):
        return None
    return Term(season.deadline, CaptainDeadlineKind.ENTRY, str(season.year), "/team-entry")


def _terms(core: Core, teams: Sequence[CaptainTeam], cases: Sequence[CaseRow]) -> Iterator[Term]:
    for game in (game for team in teams for game in team.running):
        link = f"/games/{game.line.id}"
        if game.paused_until is not None:
            yield Term(game.paused_until, CaptainDeadlineKind.PAUSE, game.own, link)
        elif game.is_my_move and game.flag_on is not None:
            yield Term(
                game.flag_on - ONE_DAY, CaptainDeadlineKind.ANSWER, game.own, link, game.opponent
            )
    for case in cases:
        if case.due_us is not None and case.due_us > core.now_us:
            day = local_day(from_us(case.due_us), case.zone) - ONE_DAY
            due = CaptainDeadlineKind.HEARING
            if case.state == CaseStage.DECIDED:
                due = CaptainDeadlineKind.APPEAL
            yield Term(day, due, case.number, f"/desk/cases/{case.number}")


async def _team(core: Core, conn: AsyncConnection, team: LeagueTeamRow) -> CaptainTeam:
    group = await group_rows.the_group(conn, team.group_id)
    view = await conn.run_sync(view_in, group)
    assert view is not None
    games = {row.id: row for row in await game_rows.list_group_games(conn, group.id)}
    today = core.today(group.zone)
    lines = [g for g in view.games if team.id in (g.white_team, g.black_team)]
    shown = [_game(games[line.id], line, team, view, today) for line in lines]
    return CaptainTeam(
        division=view,
        team=view.team_of(team.id),
        games=tuple(sorted(shown, key=_urgency)),
        reserves=await conn.run_sync(division_rows.reserves, [team.id]),
        reports=await conn.run_sync(division_rows.reports, [team.id]),
        points=points_in(lines, team.id),
        members=await _others(conn, team, today),
    )


async def _others(conn: AsyncConnection, team: LeagueTeamRow, today: date) -> tuple[MemberRow, ...]:
    """The members of the team's club who sit on no board of the season (§ 6.7.3.2)."""
    ids = await conn.run_sync(division_rows.list_heirs, team.id, False)
    known = (await member_rows.by_ids(conn, ids)).values()
    own = (row for row in known if row.club_id and is_of_club(row, row.club_id, today))
    return tuple(sorted(own, key=lambda row: row.name))


def _game(
    row: GameRow, line: LeagueGameRow, team: LeagueTeamRow, view: DivisionView, today: date
) -> TeamGameView:
    side = Side.WHITE if line.white_team == team.id else Side.BLACK
    other = line.black_team if side is Side.WHITE else line.white_team
    known = summary(row, row.person_of(side), today)
    pauses = [b.booked for b in row.state().bookings if isinstance(b.booked, GamePaused)]
    ends = [p.last for p in pauses if p.last is not None and p.first <= today <= p.last]
    opponents, until = view.team_of(other).team.club, max(ends, default=None)
    return recast(TeamGameView, known, line=line, opponents=opponents, paused_until=until)


def _urgency(game: TeamGameView) -> tuple[bool, bool, int, int]:
    left = game.days_left if game.days_left is not None else 10**6
    return game.result is not None, not game.is_my_move, left, game.line.board


# From an outbox row to a letter of the league, with its facts (§ 6.7.4.2-6.7.4.3, § 6.7.6.1).

_DAYS = frozenset({"first", "last"})


def _division(core: Core, group: GroupRow, tl: PersonRow) -> LedGroup:
    url = core.url(f"/league/{group.name}")
    return LedGroup(group.name, group.tournament, leader(tl), group.zone, url)


def _value(name: str, value: object) -> str | int | date:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if name in _DAYS:
        return date.fromisoformat(str(value))
    return value if isinstance(value, int) else str(value)


@loads(LeagueNotice)
async def _notice(core: Core, reader: PersonRow, params: Params) -> LeagueNotice:
    try:
        found = await team_access(core, reader, number(params, "team"))
    except NoSuch as error:
        raise NoLetter("no such team") from error
    tl = await core.store.query(person_rows.find_person, found.group.tl_id)
    assert tl is not None
    taken = {"team", "word", "text", "entered"}
    desk = None
    if found.is_captain:
        desk = core.url("/captain")
    elif found.leads:
        desk = core.url(f"/desk/league/{found.group.name}")
    return LeagueNotice(
        reader=reader.name,
        group=_division(core, found.group, tl),
        club=found.team.club,
        word=LeagueWord(text(params, "word")),
        values={name: _value(name, params[name]) for name in params if name not in taken},
        text=text(params, "text"),
        desk_url=desk,
        entered=_entered(params) if found.leads else None,
    )


def _entered(params: Params) -> ReserveRecord | None:
    """What the register had on a reserve at the request; for the leader only."""
    match params.get("entered"):
        case [bool() as is_member, str() | None as club, int() | None as k, int() | None as otb]:
            return ReserveRecord(is_member, club, k, otb)
        case _:
            return None


@loads(DivisionSchedule)
async def _schedule(core: Core, reader: PersonRow, params: Params) -> DivisionSchedule:
    async with core.store.read() as conn:
        group = await group_rows.find(conn, number(params, "group"))
        view = None if group is None else await conn.run_sync(view_in, group)
    if view is None:
        raise NoLetter("no such division")
    own = next((team.team for team in view.teams if team.team.captain_id == reader.id), None)
    matches = [m for m in view.matches if own is not None and own in m.teams]
    return DivisionSchedule(
        reader=reader.name,
        group=_division(core, view.group, view.tl),
        start=date.fromisoformat(view.group.start),
        teams=_teams(view),
        own_club=None if own is None else own.club,
        own=tuple(
            PairingLine(
                match.round,
                match.away if match.teams[0] == own else match.home,
                tuple(game.white_team == own.id for game in match.games),
            )
            for match in matches
            if own is not None
        ),
        rounds=_rounds(view),
    )


def _teams(view: DivisionView) -> tuple[TeamLine, ...]:
    return tuple(
        TeamLine(
            one.team.number,
            one.team.club,
            leader(one.captain),
            tuple((seats[-1].name, seats[-1].rating) for seats in one.boards if seats),
        )
        for one in view.teams
    )


def _rounds(view: DivisionView) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The matches of each round, White on boards 1 and 3 first."""
    found: dict[int, list[tuple[str, str]]] = {}
    for match in view.matches:
        clubs = match.home, match.away
        is_home = match.games[0].white_team == match.teams[0].id
        found.setdefault(match.round, []).append(clubs if is_home else (clubs[1], clubs[0]))
    return tuple(tuple(found[number]) for number in sorted(found))
