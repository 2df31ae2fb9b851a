"""Starting next season's divisions from a plan of entered teams, or what is in the way.

§ 6.7.2-6.7.4: the players' teams are checked in the divisions they got, then each division starts
as by ``kskak group start``, all in one transaction. Readings: all the plan's dispensations must be
answered; the team's club is its players' for the season, as on the day of the entry (§ 6.7.3.2).
Not for composing (composing.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from kskak.entries.admission import EntryState
from kskak.league.lineup import PARAGRAPH, BoardPlayer, Lineup, LineupFault, lineup_findings
from kskak.league.team_entry import club_key
from kskak.regulation.quantities import Regulation
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import of_players as entry_rows
from server.store.entries import team_entries as rows
from server.store.entries.lists import ListRow
from server.store.entries.team_entries import SeatRow, TeamEntryRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, may_handle, rights_in
from server.usecases.groups.group_file import (
    GroupClass,
    GroupFile,
    GroupFileError,
    PlayerEntry,
    TeamEntry,
)
from server.usecases.groups.start_common import StartedGroup
from server.usecases.league.start import start_division_in
from server.usecases.season.judging import Book, book_of, season_of
from server.usecases.season.plans import Line, Plan, plan_in

FEWEST_TEAMS = 2
IN_THE_WAY = frozenset(
    {"superseded", "by_hand", "grants", "lineups", "entries", "few", "unplaced", "season"}
)
"""The words of CannotStart that each channel has a text for."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class PlanFinding:
    """A plan's breach of § 6.7.2-6.7.3: the fault, the club, the players by name."""

    fault: LineupFault
    club: str
    players: tuple[str, ...]

    @property
    def paragraph(self) -> str:
        """The paragraph that is broken."""
        return PARAGRAPH[self.fault]


class CannotStart(Exception):
    """The plan can't be started now; the text says what is in the way."""


def _lineups(plan: Plan, book: Book) -> list[Lineup]:
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
            found.append(Lineup(club_key(line.club), division, boards, str(place)))
    return found


def findings_of(plan: Plan, book: Book) -> tuple[PlanFinding, ...]:
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


async def plan_findings(core: Core, plan: Plan) -> tuple[PlanFinding, ...]:
    """The same for a loaded plan; nothing for one entered by hand or past its season."""
    if plan.row.team_entries is None:
        return ()
    async with core.store.read() as conn:
        season = await season_of(conn, today_of(core))
        if season is None or season.year != plan.row.season:
            return ()
        return findings_of(plan, await book_of(conn, season, today_of(core)))


async def start_season(
    core: Core, by: PersonRow, plan_id: int, *, live: bool = False
) -> tuple[StartedGroup, ...]:
    """Start every division of a plan; its entries are placed (§ 6.7.4.2).

    ``live``: everybody may follow its running games; False: as in the season's running divisions.

    Raises NotAllowed for anyone but the controller and the leader of the league's list, NoSuch,
    and CannotStart with a word of IN_THE_WAY, or the text of what the group file would refuse.
    """
    async with core.store.deciding() as conn:
        found = await conn.run_sync(plan_in, plan_id)
        if found is None:
            raise NoSuch("plan")
        entries = await _entries(conn, found)
        wanted = await list_rows.lock(conn, entries[0].list_id) if entries else None
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
        _check(found, book, entries)
        started = []
        for place, (division, lines) in enumerate(found.divisions):
            if lines:
                name = f"{wanted.prefix}-{division}{_part(found, place)}"
                about = (name, division, book, live)
                started.append(await _start(core, conn, wanted, about, lines))
        return tuple(started)


async def _entries(conn: AsyncConnection, plan: Plan) -> list[TeamEntryRow]:
    lines = [*plan.unplaced, *(line for _, part in plan.divisions for line in part)]
    ids = [line.entry for line in lines]
    found = [await rows.find(conn, one) for one in ids if one is not None]
    return [row for row in found if row is not None]


def _part(plan: Plan, place: int) -> str:
    """The letter of a group of the 3rd division, where it has several (§ 6.7.1.1)."""
    groups = [number for number, (division, _) in enumerate(plan.divisions) if division == 3]
    return _LETTERS[groups.index(place)] if place in groups and len(groups) > 1 else ""


def _check(plan: Plan, book: Book, entries: Sequence[TeamEntryRow]) -> None:
    """Raises CannotStart."""
    sizes = [len(part) for _, part in plan.divisions if part]
    in_the_way = {
        "superseded": plan.next_id is not None,
        "entries": {row.id for row in entries}
        != {row.id for row in book.entries if row.state == EntryState.VALID},
        "grants": plan.open_grants > 0,
        "unplaced": bool(plan.unplaced),
        "few": min(sizes, default=0) < FEWEST_TEAMS,
        "lineups": bool(findings_of(plan, book)),
    }
    for word, stands in in_the_way.items():
        if stands:
            raise CannotStart(word)


async def _start(
    core: Core,
    conn: AsyncConnection,
    wanted: ListRow,
    about: tuple[str, int, Book, bool],
    lines: Sequence[Line],
) -> StartedGroup:
    name, division, book, live = about
    by_id = {row.id: row for row in book.entries}
    entries = [by_id[line.entry or 0] for line in lines]
    leader = await person_rows.find(conn, wanted.leader_id)
    captains = await person_rows.by_ids(conn, [row.captain_id for row in entries])
    assert leader is not None
    teams = [_team(row, captains[row.captain_id], book) for row in entries]
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
                "teams": tuple(teams),
                "live": live or None,
            }
        )
        started = await start_division_in(core, conn, file)
    except (GroupFileError, ValidationError) as error:
        raise CannotStart(str(error)) from error
    for row in entries:
        placed = {"state": EntryState.PLACED.value, "group_id": started.id}
        await rows.change(conn, row.id, placed)
        own = [s.own_entry for s in book.seats[row.id] if s.own_entry is not None]
        await entry_rows.place(conn, own, started.id)
    return started


def _team(row: TeamEntryRow, captain: PersonRow, book: Book) -> TeamEntry:
    return TeamEntry(
        club=row.club,
        captain=captain.email,
        captain_name=captain.name,
        players=tuple(_player(row, seat, book) for seat in book.seats[row.id]),
        individuals=row.is_individual,
    )


def _player(row: TeamEntryRow, seat: SeatRow, book: Book) -> PlayerEntry:
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
