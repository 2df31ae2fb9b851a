"""Starting a division of the league: teams, lots, colours board by board, captains (§ 6.7.4.2).

A division is a group of team games. Its letters go out about 14 days before the start: at once if
that day has come, otherwise by the daily duty (outbox.py). Not for reading or checking the file
(file.py).
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from kskak.groups.dealing import draw_lots
from kskak.league.division import board_schedules, letters_due
from kskak.league.reserves import STRONGER_BY
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.league import divisions as rows
from server.store.league.divisions import DivisionRow, NewBoard, NewTeam
from server.store.mail import due_work as deadline_rows
from server.store.play import games as game_rows
from server.store.play import offices as office_rows
from server.store.play import people as person_rows
from server.store.play.games import NewGame
from server.store.play.offices import NewOffice, Office
from server.usecases.core.context import Core
from server.usecases.core.due_work import due_of
from server.usecases.groups.following import begin_with
from server.usecases.groups.group_file import GroupFile, GroupFileError, PlayerEntry
from server.usecases.groups.start_common import (
    StartedGroup,
    new_game_id,
    new_group,
    official,
    player,
    seed_of,
    terms_of,
)
from server.usecases.league.duties import send_letters
from server.usecases.league.file import LOWEST_DIVISION, Squad, check, rating_of, squads
from server.usecases.league.lineups import lineups


@dataclass(frozen=True, slots=True)
class KeptTeam:
    """A team whose people are stored: ids by board."""

    squad: Squad
    captain: int
    people: tuple[int, ...]


async def start_league(core: Core, file: GroupFile) -> StartedGroup:
    """Start a division from its file. Raises GroupFileError for what § 6.7 forbids."""
    async with core.store.deciding() as conn:
        return await start_division_in(core, conn, file)


async def start_division_in(core: Core, conn: AsyncConnection, file: GroupFile) -> StartedGroup:
    """The same within a transaction, for callers that change more in it."""
    teams, seed = squads(file), seed_of(file)
    if any(team.reserves for team in teams):
        wanted = "are for `kskak group import`; enter the four players who begin (§ 6.7.4.3)"
        raise GroupFileError(f"teams: reserves {wanted}")
    if seed is not None:
        teams = tuple(teams[index] for index in draw_lots(seed, [team.club for team in teams]))
    if await group_rows.by_name(conn, file.group) is not None:
        raise GroupFileError(f"group: {file.group} was started before, choose another name")
    known = await conn.run_sync(lineups, file.start.year)
    notes = check(teams, file, known)
    tl_id = await official(core, conn, file)
    kept = [await _keep(core, conn, squad) for squad in teams]
    seats = [team.people[board] for board in range(4) for team in kept]
    group = await new_group(core, conn, file, seed, tl_id)
    group_id = await group_rows.add(conn, group, seats)
    new = division_games(file, group_id, kept)
    await game_rows.begin(conn, [game for _, _, _, game in new])
    for row in await game_rows.of_group(conn, group_id):
        due = due_of(row, row.state())
        await deadline_rows.replace(conn, row.id, row.seq, due)
    ids = await conn.run_sync(write_teams, core, file, group_id, kept)
    pairs = [rows.NewGame(game.id, b, ids[w], ids[k]) for b, w, k, game in new]
    await conn.run_sync(rows.add_games, pairs)
    await appoint(core, conn, group_id, tl_id, kept)
    await begin_with(core, conn, file, group_id)
    if letters_due(file.start) <= core.today(file.zone):
        await send_letters(core, conn, group_id)
    names = tuple(p.name for board in range(4) for team in teams for p in team.players[board:][:1])
    return StartedGroup(group_id, file.group, seed, names, len(new), notes)


async def _keep(core: Core, conn: AsyncConnection, squad: Squad) -> KeptTeam:
    people = [await player(core, conn, of_club(entry, squad)) for entry in squad.players]
    return KeptTeam(squad, await captain_of(core, conn, squad), tuple(people))


async def captain_of(core: Core, conn: AsyncConnection, squad: Squad) -> int:
    """The captain's person id, added if new; a known address keeps its person (§ 6.7.2.2)."""
    known = await person_rows.by_email(conn, squad.captain.email)
    return await player(core, conn, squad.captain) if known is None else known.id


def of_club(entry: PlayerEntry, squad: Squad) -> PlayerEntry:
    """A player for whom the file gives no club is a member of the team's club (§ 6.7.3.2)."""
    if entry.club is not None or squad.is_individual:
        return entry
    return entry.model_copy(update={"club": squad.club})


def division_games(
    file: GroupFile, group_id: int, teams: list[KeptTeam]
) -> list[tuple[int, int, int, NewGame]]:
    """Every game: board, index of White's team, of Black's, the game; by round, then board."""
    schedules = board_schedules(len(teams))
    found: list[tuple[int, int, int, NewGame]] = []
    for number in range(len(schedules[0].rounds)):
        for board, schedule in enumerate(schedules, 1):
            for pairing in schedule.rounds[number]:
                white, black = pairing.white - 1, pairing.black - 1
                seats = [teams[i].squad.players[board - 1].name for i in (white, black)]
                people = teams[white].people[board - 1], teams[black].people[board - 1]
                terms = terms_of(file, len(found) + 1, seats[0], seats[1])
                game = NewGame(new_game_id(), group_id, number + 1, people[0], people[1], terms)
                found.append((board, white, black, game))
    return found


def write_teams(
    conn: Connection, core: Core, file: GroupFile, group_id: int, teams: list[KeptTeam]
) -> list[int]:
    """Write the division's row, its teams and boards as of now; the teams' ids by number."""
    division = DivisionRow(
        group_id=group_id,
        division=file.division or LOWEST_DIVISION,
        season=file.start.year,
        stronger_by=STRONGER_BY,
        letters_on=letters_due(file.start).isoformat(),
        letters_us=None,
        lots_seed=None,
        lots=None,
        lots_us=None,
        lots_by=None,
    )
    rows.add_division(conn, division)
    ids: list[int] = []
    for number, team in enumerate(teams, 1):
        squad = team.squad
        new = NewTeam(group_id, number, squad.club, squad.is_individual, team.captain)
        ids.append(rows.add_team(conn, new))
        boards = zip(squad.players, team.people, strict=True)
        rows.add_boards(
            conn,
            [
                NewBoard(ids[-1], board, person, rating_of(entry), entry.two_clubs, core.now_us)
                for board, (entry, person) in enumerate(boards, 1)
            ],
        )
    return ids


async def appoint(
    core: Core, conn: AsyncConnection, group_id: int, tl_id: int, teams: list[KeptTeam]
) -> None:
    """Give the captains their office in the division (§ 6.7.2.2)."""
    for captain in dict.fromkeys(team.captain for team in teams):
        new = NewOffice(captain, Office.CAPTAIN.value, group_id, core.now_us, tl_id)
        await office_rows.add(conn, new)
