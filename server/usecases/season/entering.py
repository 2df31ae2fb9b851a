"""A club enters its team in the league, or an official does so for it (§ 6.7.3, § 6.7.4.1).

A club is represented by its captains and by anyone whom the controller or the list's leader named
as its administrator. An entry is accepted if only the fee, or a permission that was asked for, is
missing; else it is refused with every paragraph and nothing is stored. Not for what happens to it
later (deeds.py) nor for individual members (district_teams.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.entries.admission import EntryState
from kskak.league.team_entry import (
    EnteredTeam,
    TeamFault,
    TeamFinding,
    TeamPapers,
    club_key,
    player_of_club,
    refusing,
    team_findings,
)
from kskak.regulation.days import has_been
from mail.office_letters.league_facts import TeamNews
from server.store.engine.connection import AsyncConnection
from server.store.entries import club_administrators as admin_rows
from server.store.entries import lists as list_rows
from server.store.entries import team_entries as rows
from server.store.entries.lists import ListRow
from server.store.entries.team_entries import NewSeat, NewTeamEntry, TeamEntryRow
from server.store.league import divisions as league_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.register import members as register_rows
from server.store.register.members import ClubRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, may_handle, rights_in
from server.usecases.entries.fee_books import book_fee
from server.usecases.season.entry_letters import tell_team
from server.usecases.season.judging import Book, book_of, is_of_club, named, season_of

LEAGUE = "league"


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
    players: tuple[NewSeat, ...]
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
    led = await conn.run_sync(league_rows.teams_led, person.id)
    own = {row.club_id for row in await admin_rows.standing(conn, person.id)}
    if not led and not own:
        return ()
    names = {club_key(team.club) for team in led if not team.is_individual}
    known = await register_rows.all_clubs(conn)
    return tuple(club for club in known if club.id in own or club_key(club.name) in names)


async def enter_team(core: Core, by: PersonRow, asked: TeamAsking) -> TeamEntryRow | TeamRefused:
    """Accept a team entry or refuse it; a form sent again: its entry. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        wanted = await list_rows.lock(conn, asked.list_id)
        if wanted is None or wanted.event != LEAGUE:
            raise NoSuch("list")
        club = await _club(conn, by, held, asked)
        if asked.key and (known := await rows.by_form(conn, by.id, asked.key)):
            return known
        today = today_of(core)
        season = await season_of(conn, today)
        if season is None or not wanted.is_open:
            return TeamRefused((TeamFinding(TeamFault.CLOSED),))
        people = [seat.person_id for seat in asked.players]
        book = await book_of(conn, season, today, people)
        if not set(people) <= book.members.keys():
            raise NoSuch("players")
        if await person_rows.find(conn, asked.captain) is None:
            raise NoSuch("captain")
        on = _entered(asked.entered, asked.fee, today)
        papers = TeamPapers(on, season.deadline, asked.fee, asked.asks)
        found = _against(book, wanted, club, asked, papers)
        against = refusing(found, papers)
        if against:
            return TeamRefused(named(against, book))
        state = EntryState.WAITING if found else EntryState.VALID
        row = await _keep(core, conn, by, asked, (season.year, on, state))
        await book_fee(core, conn, wanted, row, row.club)
        await tell_team(core, conn, row, TeamNews.ENTERED, named(found, book))
        return row


async def _club(conn: AsyncConnection, by: PersonRow, held: Rights, asked: TeamAsking) -> ClubRow:
    """The club; only an official may state days. Raises NoSuch, NotAllowed."""
    known = {club.id: club for club in await register_rows.all_clubs(conn)}
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


def _entered(entered: date | None, fee: date | None, today: date) -> date:
    """The day of the entry. Raises NoSuch for one that has not been."""
    if any(day is not None and not has_been(day, today) for day in (entered, fee)):
        raise NoSuch("day")
    return entered or today


def _against(
    book: Book, wanted: ListRow, club: ClubRow, asked: TeamAsking, papers: TeamPapers
) -> tuple[TeamFinding, ...]:
    """All findings, also on the captain and the returning team (§ 6.7.2.2, § 6.7.5.1)."""
    team = _team(book, club, asked.players, papers.entered, asked.continues)
    found = [*team_findings(team, book.others(0), papers, barred(book))]
    if asked.captain == wanted.leader_id:
        found.append(TeamFinding(TeamFault.CAPTAIN_LEADS))
    last = None if asked.continues is None else book.last.get(asked.continues)
    is_its_own = last is not None and club_key(last.team.club) == club_key(club.name)
    if asked.continues is not None and not is_its_own:
        found.append(TeamFinding(TeamFault.NOT_ITS_TEAM))
    return tuple(found)


def barred(book: Book) -> tuple[str, ...]:
    """Who is in quarantine, as the findings name players (§ 6.4.2)."""
    return tuple(str(person) for person in book.quarantined)


def _team(
    book: Book,
    club: ClubRow,
    seats: Sequence[NewSeat],
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
    is_paid = asked.fee is not None
    new = NewTeamEntry(
        list_id=asked.list_id,
        season=season,
        club_id=asked.club_id,
        district_id=None,
        captain_id=asked.captain,
        continues=asked.continues,
        form_key=asked.key,
        entered_day=on.isoformat(),
        entered_by=by.id,
        created_us=core.now_us,
        lineup_us=core.now_us,
        asks=asked.asks,
        fee_day=asked.fee.isoformat() if asked.fee else None,
        fee_by=by.id if is_paid else None,
        fee_us=core.now_us if is_paid else None,
        state=state.value,
    )
    row = await rows.find(conn, await rows.add(conn, new, asked.players))
    assert row is not None
    return row


async def change_lineup(
    core: Core, by: PersonRow, entry_id: int, captain: int, players: tuple[NewSeat, ...]
) -> TeamEntryRow | TeamRefused:
    """Change the players, boards or captain of a team that has not begun (§ 6.7.4.1).

    By the club until the deadline, by an official also after it. Raises NoSuch, NotAllowed.
    """
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        row = await rows.find(conn, entry_id)
        if row is None or row.club_id is None:
            raise NoSuch("entry")
        handles = may_handle(held, row.list_id)
        club = next((c for c in await clubs_of(conn, by) if c.id == row.club_id), None)
        if club is None and not handles:
            raise NoSuch("entry")
        wanted = await list_rows.lock(conn, row.list_id)
        row = await rows.find(conn, entry_id)
        assert wanted is not None and row is not None
        today = today_of(core)
        season = await season_of(conn, today)
        if row.state not in rows.OPEN_STATES or season is None or season.year != row.season:
            return TeamRefused((TeamFinding(TeamFault.OVER),))
        known = {one.id: one for one in await register_rows.all_clubs(conn)}
        people = [seat.person_id for seat in players]
        book = await book_of(conn, season, today, people)
        is_there = await person_rows.find(conn, captain) is not None
        if not set(people) <= book.members.keys() or not is_there:
            raise NoSuch("players")
        day = date.fromisoformat(row.fee_day) if row.fee_day else None
        papers = TeamPapers(today, None if handles else season.deadline, day, row.asks)
        team = _team(book, known[row.club_id or 0], players, today, row.continues, _free(book, row))
        found = [*team_findings(team, book.others(row.id), papers, barred(book))]
        if captain == wanted.leader_id:
            found.append(TeamFinding(TeamFault.CAPTAIN_LEADS))
        if against := refusing(found, papers):
            return TeamRefused(named(against, book))
        return await _rewrite(core, conn, row, (captain, players, book), tuple(found))


def _free(book: Book, row: TeamEntryRow) -> frozenset[int]:
    """Who has the leader's permission to play for two clubs on this team (§ 6.7.3.2)."""
    seats = book.seats.get(row.id, ())
    return frozenset(seat.person_id for seat in seats if seat.leave_us is not None)


async def _rewrite(
    core: Core,
    conn: AsyncConnection,
    row: TeamEntryRow,
    new: tuple[int, tuple[NewSeat, ...], Book],
    found: tuple[TeamFinding, ...],
) -> TeamEntryRow:
    """Store the new line-up; a permission that was given stays with its player."""
    captain, players, book = new
    await rows.seat(conn, row.id, players)
    for seat in book.seats.get(row.id, ()):
        if seat.leave_us is not None:
            leave = {
                "leave_by": seat.leave_by,
                "leave_us": seat.leave_us,
                "leave_reason": seat.leave_reason,
            }
            await rows.change_seat(conn, row.id, seat.person_id, leave)
    state = EntryState.WAITING if found else EntryState.VALID
    values = {"captain_id": captain, "state": state.value, "lineup_us": core.now_us}
    await rows.change(conn, row.id, values)
    kept = await rows.find(conn, row.id)
    assert kept is not None
    await tell_team(core, conn, kept, TeamNews.LINEUP, named(found, book))
    return kept
