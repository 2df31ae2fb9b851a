"""A club enters its team in the league, or an official does so for it (§ 6.7.3, § 6.7.4.1).

A club is represented by its captains and by anyone whom the controller or the list's leader named
as its administrator. An entry is accepted if only the fee, or a permission that was asked for, is
missing; else it is refused with every paragraph and nothing is stored. Not for what happens to it
later (below) nor for individual members (season_start.py).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection

from kskak.cases.holdings import HoldingKind
from kskak.entries.entry import EntryFault, EntryProblem, EntryState
from kskak.league.composition import provisional_rating
from kskak.league.lineups import (
    EnteredTeam,
    LastTeam,
    TeamEntryFault,
    TeamFinding,
    TeamPapers,
    crooked_boards,
    is_team_of,
    player_of_club,
    select_refusing_findings,
    team_findings,
)
from kskak.office.year import TournamentKind, TournamentStep, season_plan
from kskak.regulation.days import has_been
from mail.office_letters.entry_letters import EntryNews
from mail.office_letters.league_letters import TeamEntryLetter
from server.store import books as book_rows
from server.store import divisions as division_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from server.store.divisions import LeagueTeamRow
from server.store.engine.connection import AsyncConnection
from server.store.entries import NewTeamEntryBoard, TeamEntryBoardRow, TeamEntryRow
from server.store.mail import outbox as outbox_rows
from server.store.members import OF_CLUB, ClubRow, MemberKind, MemberRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.sanctions import SANCTIONS, find_barred
from server.usecases.context import Core, poster_of, today_of
from server.usecases.entries.entry_actions import (
    EntryActions,
    HeldEntry,
    book_fee,
    entered,
    read_list,
)
from server.usecases.games.case_opening import readable
from server.usecases.letter_facts import NoLetter, Params, day, leader, loads, number, text
from server.usecases.office import to_year_action
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, rights_in

# A season's team entries and what judges them: year plan, register, sanctions (§ 6.7.3-6.7.4.1).

AHEAD = 3
"""How many seasons are searched for one that was not called off."""


LEAGUE_EVENT = "league"


@dataclass(frozen=True, slots=True)
class Season:
    """The league now open for entry: the year of its start, and its days (§ 6.7.1.2)."""

    year: int
    deadline: date | None
    start: date
    announced: date | None = None
    """The day on which, by the year's plan, it is announced and entering begins (§ 6.1.2)."""


@dataclass(frozen=True, slots=True)
class LastTeamRow(LastTeam):
    """A team of the last league, with its division and its group there."""

    team: LeagueTeamRow
    season: int


def seat_rating(seat: TeamEntryBoardRow | NewTeamEntryBoard, row: MemberRow) -> int:
    """A player's K-rating: the register's, else the over-the-board one, else by § 6.7.6.2."""
    otb = seat.told_rating if row.rating is None else row.rating
    return provisional_rating(row.k_rating, otb)


@dataclass(frozen=True, slots=True)
class SeasonEntries:
    """A season with its entries that count, and everything they are judged by."""

    season: Season
    entries: tuple[TeamEntryRow, ...]
    seats: Mapping[int, tuple[TeamEntryBoardRow, ...]]
    members: Mapping[int, MemberRow]
    last: Mapping[int, LastTeamRow]
    barred: Mapping[int, TeamEntryFault]
    """For whom nothing may begin, and why (§ 6.4.2)."""
    let_stand: frozenset[tuple[HoldingKind, int, int]] = frozenset()

    def let_keep(self, team: int, kind: HoldingKind, own: Collection[int] = ()) -> set[int]:
        """Whom rulings let keep this in a team, or the entry of his ``own`` that it is made of."""
        entries: Iterable[int | None] = own or [seat.own_entry for seat in self.seats.get(team, ())]
        of: set[object] = {(kind, team), *((HoldingKind.ENTRY, one) for one in entries)}
        return {who for held, number, who in self.let_stand if (held, number) in of}

    def let_in(self, rows: Iterable[TeamEntryRow]) -> set[int]:
        """Whom rulings let be in teams, beside a sanction."""
        asked = [
            (row.id, kind) for row in rows for kind in (HoldingKind.BOARD, HoldingKind.CAPTAIN)
        ]
        return {who for one in asked for who in self.let_keep(*one)}

    def bars(
        self, team: int, kind: HoldingKind, own: Collection[int] = ()
    ) -> dict[str, TeamEntryFault]:
        """For whom this may not begin in a team, as the findings name players (§ 6.4.2)."""
        kept = dict.fromkeys(self.let_keep(team, kind, own), TeamEntryFault.QUARANTINED)
        return {str(one): why for one, why in self.barred.items() if kept.get(one) is not why}

    def rating(self, seat: TeamEntryBoardRow | NewTeamEntryBoard) -> int:
        """A player's K-rating, final or provisional (§ 6.7.6.2)."""
        return seat_rating(seat, self.members[seat.person_id])

    def mean(self, entry_id: int) -> Fraction:
        """A team's mean rating (§ 6.7.6.2)."""
        ratings = [self.rating(seat) for seat in self.seats.get(entry_id, ())]
        return Fraction(sum(ratings), len(ratings) or 1)

    def team(self, row: TeamEntryRow) -> EnteredTeam:
        """A stored entry as the rules use it; its players, judged before, count as the club's."""
        boards = tuple(
            player_of_club(
                str(seat.person_id), row.club, self.rating(seat), may=seat.leave_us is not None
            )
            for seat in self.seats.get(row.id, ())
        )
        return EnteredTeam(row.id, row.club, boards, self.comes_from(row.continues))

    def comes_from(self, team_id: int | None) -> LastTeam | None:
        """The team of last season with this id."""
        return None if team_id is None else self.last.get(team_id)

    def others(self, entry_id: int) -> list[EnteredTeam]:
        """All entries but one."""
        return [self.team(row) for row in self.entries if row.id != entry_id]

    def findings(self, row: TeamEntryRow) -> tuple[TeamFinding, ...]:
        """What a stored entry still lacks: fee, the leader's permission (§ 6.4.4.1, § 6.7.3.2)."""
        papers = TeamPapers(
            date.fromisoformat(row.entered_day),
            None,
            date.fromisoformat(row.fee_day) if row.fee_day else None,
            row.asks,
        )
        own = row.lineup_us, row.id
        earlier = [self.team(one) for one in self.entries if (one.lineup_us, one.id) < own]
        barred = self.bars(row.id, HoldingKind.BOARD)
        found = team_findings(self.team(row), earlier, papers, barred)
        return (*found, *find_barred_captain(self, row.id, row.captain_id, found))

    def crooked(self, row: TeamEntryRow) -> tuple[int, ...]:
        """An entry's boards that contradict the ratings (§ 6.7.2.1)."""
        return crooked_boards(self.team(row))


def is_of_club(row: MemberRow, club_id: int, on: date) -> bool:
    """Whether somebody is a member of a club on a day (§ 6.7.3.2)."""
    return row.kind in OF_CLUB and row.club_id == club_id and _stands(row, on)


def is_of_district(row: MemberRow, district_id: int, on: date) -> bool:
    """Whether somebody is an individual member of a main district on a day (§ 6.7.3.1)."""
    is_his = row.kind == MemberKind.INDIVIDUAL and row.district_id == district_id
    return is_his and _stands(row, on)


def _stands(row: MemberRow, on: date) -> bool:
    day = on.isoformat()
    begun = row.since is None or row.since <= day
    return begun and (row.until is None or row.until >= day) and not row.is_struck_off(on)


async def season_of(conn: AsyncConnection, today: date) -> Season | None:
    """The next league that has not started yet, by the controller's year (§ 6.7.1.2)."""
    actions = [to_year_action(row) for row in await book_rows.list_actions(conn)]
    for year in range(today.year, today.year + AHEAD):
        days = {item.step: item.day for item in season_plan(TournamentKind.LEAGUE, year, actions)}
        start = days[TournamentStep.START]
        if start is not None and start > today:
            return Season(
                year, days[TournamentStep.DEADLINE], start, days[TournamentStep.ANNOUNCEMENT]
            )
    return None


def _last_teams(conn: Connection, season: int, names: Mapping[int, str]) -> dict[int, LastTeamRow]:
    known = [row for row in division_rows.divisions(conn) if row.season < season]
    newest = max((row.season for row in known), default=None)
    last = {row.group_id: row for row in known if row.season == newest}
    return {
        team.id: LastTeamRow(
            last[team.group_id].division, names[team.group_id], team, last[team.group_id].season
        )
        for team in division_rows.teams(conn, *last)
    }


def _list_let_stand(
    conn: Connection, people: Collection[int]
) -> frozenset[tuple[HoldingKind, int, int]]:
    """What rulings in force let people keep beside their sanctions: its kind and number, and whose.
    At its door it is judged as they say (§ 6.4.2)."""
    found = set[tuple[HoldingKind, int, int]]()
    of = publication_rows.list_sanctions_in_force(conn, people)
    for case_id in sorted({row.case_id for row in of}):
        state = readable(case_rows.history(conn, case_id))
        if state is None:
            continue
        made = (row.decision for row in state.decided if row.decision.ref not in state.annulled)
        for left in (it for one in made for it in one.leaves):
            if left.paragraph == SANCTIONS and left.person:
                kind, key, _ = left.ref.split("-", 2)
                found.add((HoldingKind(kind), int(key), left.person))
    return frozenset(found)


async def book_of(
    conn: AsyncConnection, season: Season, today: date, people: Collection[int] = ()
) -> SeasonEntries:
    """A season's book; ``people``: others to be judged, besides those entered."""
    entries = await entry_rows.list_season_entries(conn, season.year)
    seats = await entry_rows.seats_of(conn, [row.id for row in entries])
    ids = {seat.person_id for one in seats.values() for seat in one} | set(people)
    names = {group.id: group.name for group in await group_rows.everything(conn)}
    ids |= {row.captain_id for row in entries}
    barred = await conn.run_sync(find_barred, ids, LEAGUE_EVENT, today)
    let_stand = await conn.run_sync(_list_let_stand, barred)
    return SeasonEntries(
        season=season,
        entries=entries,
        seats=seats,
        members=await member_rows.by_ids(conn, ids),
        last=await conn.run_sync(_last_teams, season.year, names),
        barred={one: _BARRED.get(why, TeamEntryFault.QUARANTINED) for one, why in barred.items()},
        let_stand=let_stand,
    )


def name_findings(findings: Sequence[TeamFinding], book: SeasonEntries) -> tuple[TeamFinding, ...]:
    """Findings with the players' names instead of their numbers."""
    return tuple(
        TeamFinding(one.fault, tuple(book.members[int(p)].name for p in one.players))
        for one in findings
    )


# From an outbox row to a letter about a team entry (§ 6.7.4.1).


def _findings(params: Params) -> tuple[TeamFinding, ...]:
    faults = params.get("faults")
    if not isinstance(faults, list):
        raise NoLetter("faults")
    return tuple(TeamFinding(TeamEntryFault(fault), tuple(players)) for fault, players in faults)


@loads(TeamEntryLetter)
async def _team_entry_letter(core: Core, reader: PersonRow, params: Params) -> TeamEntryLetter:
    """The letter: the news as of when it happened, the line-up as of now. Raises NoLetter."""
    async with core.store.read() as conn:
        row = await entry_rows.find_team_entry(conn, number(params, "entry"))
        if row is None:
            raise NoLetter("no such entry")
        of, tl, days = await read_list(core, conn, row.list_id)
        seats = (await entry_rows.seats_of(conn, [row.id])).get(row.id, ())
        known = await member_rows.by_ids(conn, [seat.person_id for seat in seats])
    return TeamEntryLetter(
        reader=reader.name,
        club=row.club,
        season=row.season,
        tournament=of.tournament,
        news=EntryNews(text(params, "news")),
        day=day(params, "day"),
        is_valid=params.get("is_valid") is True,
        players=tuple((s.name, seat_rating(s, known[s.person_id])) for s in seats),
        captain=row.captain,
        leader=leader(tl),
        zone=core.settings.clock.zone,
        url=core.url("/team-entry"),
        findings=_findings(params),
        fee=of.fee,
        paragraph=text(params, "paragraph"),
        reason=text(params, "reason"),
        how_to_pay=of.how_to_pay,
        start=days.get(TournamentStep.START),
        deadline=days.get(TournamentStep.DEADLINE),
        is_paid=row.fee_day is not None,
    )


async def notify_team(
    core: Core,
    conn: AsyncConnection,
    row: TeamEntryRow,
    news: EntryNews,
    findings: Sequence[TeamFinding] = (),
) -> None:
    """Tell the captain and whoever made the entry its news, and what it still lacks."""
    params: dict[str, object] = {
        "entry": row.id,
        "news": news.value,
        "is_valid": row.state == "valid",
        "faults": [[one.fault.value, list(one.players)] for one in findings],
        "day": row.fee_day or row.entered_day,
        "paragraph": row.paragraph or "",
        "reason": row.reason or "",
    }
    poster, unique = poster_of(core), f"{row.id}.{news.value}.{core.now_us}"
    people = dict.fromkeys((row.captain_id, row.entered_by))
    letters = [poster.to_person(TeamEntryLetter, p, unique, params) for p in people]
    await outbox_rows.enqueue(conn, letters)


# A club enters its team in the league, or an official does so for it (§ 6.7.3, § 6.7.4.1).


@dataclass(frozen=True, slots=True)
class TeamAsking:
    """A requested team entry; players by person in board order, with what is stated.

    ``continues``: the team of last season that returns. ``asks``: for the leader's permission for
    those who play for two clubs. ``entered`` and ``fee`` are for an official: when the entry
    arrived, and the day of the fee. ``key`` identifies a form that is sent twice.
    """

    list_id: int
    club_id: int
    captain: int
    players: tuple[NewTeamEntryBoard, ...]
    continues: int | None = None
    asks: bool = False
    entered: date | None = None
    fee: date | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class TeamRefused:
    """Why an entry is refused: each fault with its paragraph and the players concerned, by name."""

    findings: tuple[TeamFinding, ...]


async def clubs_of(conn: AsyncConnection, person: PersonRow) -> tuple[ClubRow, ...]:
    """The clubs that somebody may enter teams for, as captain or administrator (§ 6.7.2.2)."""
    led = await conn.run_sync(division_rows.list_teams_of_captain, person.id)
    own = {row.club_id for row in await entry_rows.list_club_admins(conn, person.id)}
    if not led and not own:
        return ()
    names = [team.club for team in led if not team.is_individual]
    return tuple(
        club
        for club in await member_rows.all_clubs(conn)
        if club.id in own or any(is_team_of(name, club.name) for name in names)
    )


async def enter_team(core: Core, by: PersonRow, asked: TeamAsking) -> TeamEntryRow | TeamRefused:
    """Accept a team entry or refuse it; a form sent again: its entry. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        wanted = await entry_rows.find_list(conn, asked.list_id, lock=True)
        if wanted is None or wanted.event != LEAGUE_EVENT:
            raise NoSuch("list")
        club = await _club(conn, by, held, asked)
        if asked.key and (known := await entry_rows.team_entry_by_form(conn, by.id, asked.key)):
            return known
        today = today_of(core)
        season = await season_of(conn, today)
        if season is None or not wanted.is_open:
            return TeamRefused((TeamFinding(TeamEntryFault.CLOSED),))
        people = [seat.person_id for seat in asked.players]
        book = await book_of(conn, season, today, [*people, asked.captain])
        if not set(people) <= book.members.keys():
            raise NoSuch("players")
        if await person_rows.find_person(conn, asked.captain) is None:
            raise NoSuch("captain")
        days = (day for day in (asked.entered, asked.fee) if day is not None)
        if not all(has_been(day, today) for day in days):
            raise NoSuch("day")
        on = asked.entered or today
        papers = TeamPapers(on, season.deadline, asked.fee, asked.asks)
        team = _team(book, club, asked.players, on, asked.continues)
        people_of = asked.captain, wanted.leader_id
        found = judge_new_team(book, team, papers, people_of, asked.continues)
        against = select_refusing_findings(found, papers)
        if against:
            return TeamRefused(name_findings(against, book))
        state = EntryState.WAITING if found else EntryState.VALID
        row = await _keep(core, conn, by, asked, (season.year, on, state))
        await book_fee(core, conn, wanted, row)
        await notify_team(core, conn, row, EntryNews.ENTERED, name_findings(found, book))
        return row


async def _club(conn: AsyncConnection, by: PersonRow, held: Rights, asked: TeamAsking) -> ClubRow:
    """The club; only an official may state days. Raises NoSuch, NotAllowed."""
    known = {club.id: club for club in await member_rows.all_clubs(conn)}
    handles = may_handle(held, asked.list_id)
    own = {club.id for club in await clubs_of(conn, by)}
    if not handles and asked.club_id not in own:
        raise NotAllowed
    is_for_own = asked.club_id in own or by.id in {seat.person_id for seat in asked.players}
    if (asked.fee or asked.entered) and (not handles or is_for_own):
        raise NotAllowed  # nobody receives their own fee
    if asked.club_id not in known:
        raise NoSuch("club")
    return known[asked.club_id]


def judge_new_team(
    book: SeasonEntries,
    team: EnteredTeam,
    papers: TeamPapers,
    people: tuple[int, int],
    continues: int | None,
    own: Collection[int] = (),
) -> tuple[TeamFinding, ...]:
    """All findings on a team, also on its captain and the returning team (§ 6.7.2.2, § 6.7.5.1).

    ``people``: the captain and the list's leader. The team's number: the entry it changes;
    ``own``: its players' entries of which it is made.
    """
    captain, leader_id = people
    barred = book.bars(team.number, HoldingKind.BOARD, own)
    found = [*team_findings(team, book.others(team.number), papers, barred)]
    found += find_barred_captain(book, team.number, captain, found)
    if captain == leader_id:
        found.append(TeamFinding(TeamEntryFault.CAPTAIN_LEADS))
    last = None if continues is None else book.last.get(continues)
    if continues is not None and (last is None or not is_team_of(last.team.club, team.club)):
        found.append(TeamFinding(TeamEntryFault.NOT_ITS_TEAM))
    return tuple(found)


_BARRED = {
    EntryFault.MEMBERS_ONLY: TeamEntryFault.MEMBERS_ONLY,
    EntryFault.LEAVING: TeamEntryFault.LEAVING,
}


def find_barred_captain(
    book: SeasonEntries, team: int, captain: int, found: Sequence[TeamFinding]
) -> tuple[TeamFinding, ...]:
    """The finding on a captain who may not begin, unless he is among the players found so."""
    known = {one for finding in found for one in finding.players}
    why = book.bars(team, HoldingKind.CAPTAIN).get(str(captain))
    if why is not TeamEntryFault.QUARANTINED or str(captain) in known:
        return ()
    return (TeamFinding(TeamEntryFault.QUARANTINED, (str(captain),)),)


def _team(
    book: SeasonEntries,
    club: ClubRow,
    seats: Sequence[NewTeamEntryBoard],
    on: date,
    continues: int | None,
    with_leave: frozenset[int] = frozenset(),
) -> EnteredTeam:
    boards = tuple(
        player_of_club(
            str(seat.person_id),
            club.name if is_of_club(book.members[seat.person_id], club.id, on) else None,
            book.rating(seat),
            may=seat.person_id in with_leave,
        )
        for seat in seats
    )
    return EnteredTeam(0, club.name, boards, book.comes_from(continues))


async def _keep(
    core: Core,
    conn: AsyncConnection,
    by: PersonRow,
    asked: TeamAsking,
    judged: tuple[int, date, EntryState],
) -> TeamEntryRow:
    season, on, state = judged
    return await entry_rows.add_team_entry(
        conn,
        asked.players,
        list_id=asked.list_id,
        season=season,
        club_id=asked.club_id,
        captain_id=asked.captain,
        continues=asked.continues,
        form_key=asked.key,
        lineup_us=core.now_us,
        asks=asked.asks,
        **entered(core, by, on.isoformat(), asked.fee.isoformat() if asked.fee else None, state),
    )


async def change_lineup(
    core: Core, by: PersonRow, entry_id: int, captain: int, players: tuple[NewTeamEntryBoard, ...]
) -> TeamEntryRow | TeamRefused:
    """Change the players, boards or captain of a team that has not begun (§ 6.7.4.1).

    By the club until the deadline, by an official also after it. Raises NoSuch, NotAllowed.
    """
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        row = await entry_rows.find_team_entry(conn, entry_id)
        if row is None or row.club_id is None:
            raise NoSuch("entry")
        handles = may_handle(held, row.list_id)
        club = next((c for c in await clubs_of(conn, by) if c.id == row.club_id), None)
        if club is None and not handles:
            raise NoSuch("entry")
        wanted = await entry_rows.find_list(conn, row.list_id, lock=True)
        row, today = await entry_rows.the_team_entry(conn, entry_id), today_of(core)
        assert wanted is not None
        season = await season_of(conn, today)
        if not row.is_open or season is None or season.year != row.season:
            return TeamRefused((TeamFinding(TeamEntryFault.OVER),))
        known = {one.id: one for one in await member_rows.all_clubs(conn)}
        people = [seat.person_id for seat in players]
        book = await book_of(conn, season, today, [*people, captain])
        is_there = await person_rows.find_person(conn, captain) is not None
        if not set(people) <= book.members.keys() or not is_there:
            raise NoSuch("players")
        day = date.fromisoformat(row.fee_day) if row.fee_day else None
        papers = TeamPapers(today, None if handles else season.deadline, day, row.asks)
        # Who has the leader's permission to play for two clubs on this team (§ 6.7.3.2).
        free = frozenset(s.person_id for s in book.seats.get(row.id, ()) if s.leave_us is not None)
        team = _team(book, known[row.club_id or 0], players, today, row.continues, free)
        team = replace(team, number=row.id)
        found = judge_new_team(book, team, papers, (captain, wanted.leader_id), row.continues)
        if against := select_refusing_findings(found, papers):
            return TeamRefused(name_findings(against, book))
        return await _rewrite(core, conn, row, (captain, players, book), found)


async def _rewrite(
    core: Core,
    conn: AsyncConnection,
    row: TeamEntryRow,
    new: tuple[int, tuple[NewTeamEntryBoard, ...], SeasonEntries],
    found: tuple[TeamFinding, ...],
) -> TeamEntryRow:
    """Store the new line-up; a permission that was given stays with its player."""
    captain, players, book = new
    await entry_rows.seat_team(conn, row.id, players)
    for seat in book.seats.get(row.id, ()):
        if seat.leave_us is not None:
            leave = {
                "leave_by": seat.leave_by,
                "leave_us": seat.leave_us,
                "leave_reason": seat.leave_reason,
            }
            await entry_rows.change_seat(conn, row.id, seat.person_id, leave)
    state = EntryState.WAITING if found else EntryState.VALID
    kept = await entry_rows.change_team_entry(
        conn, row.id, captain_id=captain, state=state.value, lineup_us=core.now_us
    )
    await notify_team(core, conn, kept, EntryNews.LINEUP, name_findings(found, book))
    return kept


# A team entry's fee, permission for two clubs, refusal, withdrawal (§ 6.4.4.1, § 6.7.3).


class TeamEntryActions(EntryActions[TeamEntryRow, TeamRefused]):
    """The actions on a team's entry."""

    find = staticmethod(entry_rows.find_team_entry)
    change = staticmethod(entry_rows.change_team_entry)

    async def is_own(self, conn: AsyncConnection, by: PersonRow, row: TeamEntryRow) -> bool:
        return row.club_id in {club.id for club in await clubs_of(conn, by)}

    async def is_party(self, conn: AsyncConnection, by: PersonRow, row: TeamEntryRow) -> bool:
        seats = (await entry_rows.seats_of(conn, [row.id])).get(row.id, ())
        return by.id in {row.captain_id, *(seat.person_id for seat in seats)}

    def refusal(self, problem: EntryProblem) -> TeamRefused:
        if problem is EntryProblem.OVER:
            return TeamRefused((TeamFinding(TeamEntryFault.OVER),))
        raise NoSuch("day" if problem is EntryProblem.FEE_DAY else "reason")

    async def judge_again(
        self, core: Core, held: HeldEntry[TeamEntryRow], news: str
    ) -> TeamEntryRow:
        return await judge_team_again(core, held.conn, held.row.id, EntryNews(news))

    async def tell_end(self, core: Core, conn: AsyncConnection, row: TeamEntryRow) -> None:
        """The waiting ones are judged again: this one may have stood in their way (§ 6.7.3.2)."""
        await entry_rows.free_individuals(conn, row.id)
        await notify_team(core, conn, row, EntryNews(row.state))
        waiting = (EntryState.WAITING.value,)
        for other in await entry_rows.list_season_entries(conn, row.season, waiting):
            await judge_team_again(core, conn, other.id, None)


async def withdraw_team_in(
    core: Core, conn: AsyncConnection, by: PersonRow, row: TeamEntryRow
) -> None:
    """Withdraw an entry in a caller's transaction, whose own deed it is; its captain is told."""
    ended = {"decided_by": by.id, "decided_us": core.now_us}
    state = EntryState.WITHDRAWN.value
    gone = await entry_rows.change_team_entry(conn, row.id, state=state, **ended)
    await _ACTIONS.tell_end(core, conn, gone)


_ACTIONS = TeamEntryActions()
record_team_fee, refuse_team = _ACTIONS.record_fee, _ACTIONS.refuse
withdraw_team, remind_team = _ACTIONS.withdraw, _ACTIONS.remind


async def judge_team_again(
    core: Core, conn: AsyncConnection, entry_id: int, news: EntryNews | None
) -> TeamEntryRow:
    """Judge an entry again and tell what it lacks; ``news`` None: only if its state changes."""
    row = await entry_rows.the_team_entry(conn, entry_id)
    today = today_of(core)
    season = await season_of(conn, today)
    assert season is not None
    book = await book_of(conn, season, today)
    found = book.findings(row)
    state = EntryState.WAITING if found else EntryState.VALID
    is_new = row.state != state
    row = await entry_rows.change_team_entry(conn, entry_id, state=state.value)
    told_news = news or ((EntryNews.WAITS if found else EntryNews.VALID) if is_new else None)
    if told_news is not None:
        await notify_team(core, conn, row, told_news, name_findings(found, book))
    return row


async def permit_two_clubs(
    core: Core, by: PersonRow, entry_id: int, player: int, reason: str
) -> TeamEntryRow | TeamRefused:
    """Let a player of the team play for two clubs, or while a case is open in which he leaves a
    group, as leader, with the reason (§ 6.7.3.2, § 6.2.8).

    Raises NoSuch for anyone not on the team, or without a reason.
    """
    async with _ACTIONS.held(core, by, entry_id) as held:
        if not held.row.is_open:
            return _ACTIONS.refusal(EntryProblem.OVER)
        seats = (await entry_rows.seats_of(held.conn, [entry_id])).get(entry_id, ())
        if player not in {seat.person_id for seat in seats}:
            raise NoSuch("player")
        if not reason.strip():
            raise NoSuch("reason")
        values = {"leave_by": by.id, "leave_us": core.now_us, "leave_reason": reason.strip()}
        await entry_rows.change_seat(held.conn, entry_id, player, values)
        leaves = await held.conn.run_sync(case_rows.list_leavers, [player])
        news = EntryNews.VALID if leaves else EntryNews.LEAVE
        return await _ACTIONS.judge_again(core, held, news)


async def daily(core: Core) -> None:
    """Judge the season's entries again, where a case or a sanction has changed what they lack."""
    async with core.store.read() as conn:
        season = await season_of(conn, today_of(core))
        book = None if season is None else await book_of(conn, season, today_of(core))
    waiting = EntryState.WAITING
    for row in () if book is None else book.entries:
        if row.is_open and bool(book and book.findings(row)) is not (row.state == waiting):
            async with core.store.deciding() as conn:
                await judge_team_again(core, conn, row.id, None)
