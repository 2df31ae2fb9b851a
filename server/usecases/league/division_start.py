"""Starting a division of the league, who may do what to a team, and the league's dated duties."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.entries.entry import EntryFault
from kskak.groups.schedule import draw_lots
from kskak.league.composition import LOWEST_DIVISION, provisional_rating
from kskak.league.lineups import (
    STRONGER_BY,
    BoardPlayer,
    Lineup,
    LineupFault,
    LineupFinding,
    board_schedules,
    letters_due,
    lineup_findings,
    teams_of_individuals,
)
from kskak.regulation.editions import LEAGUE
from mail.incoming.parse_mail import normal_address
from mail.office_letters.league_letters import DivisionSchedule
from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store.divisions import (
    DivisionRow,
    LeagueBoardRow,
    LeagueTeamRow,
    NewLeagueBoard,
    ReserveRow,
)
from server.store.engine.connection import AsyncConnection
from server.store.groups import GroupRow
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import NewGame
from server.store.play.people import NewOffice, Office, PersonRow
from server.usecases.cases.sanctions import find_barred, read_form
from server.usecases.context import Core, poster_of, today_of
from server.usecases.games.game_units import due_of
from server.usecases.groups.group_file import (
    GroupClass,
    GroupFile,
    GroupFileError,
    PlayerEntry,
    ReserveEntry,
    StartedGroup,
    TeamEntry,
    find_or_add_leader,
    find_or_add_player,
    new_game_id,
    new_group,
    register_differs,
    seed_of,
    start_letters,
    terms_of,
)
from server.usecases.groups.leader_letter import begin_with
from server.usecases.rights import NoSuch, NotAllowed, Rights, rights_in

# Line-ups as the league's checks see them, from stored data (§ 6.7.2-6.7.3).


def current(boards: Iterable[LeagueBoardRow], team_id: int) -> tuple[LeagueBoardRow, ...]:
    """A team's current players, from board 1."""
    return tuple(row for row in boards if row.team_id == team_id and row.to_us is None)


def lineup_of(
    team: LeagueTeamRow, division: DivisionRow, boards: Iterable[LeagueBoardRow]
) -> Lineup:
    """A team's current line-up; players are identified by address."""
    seats = tuple(
        BoardPlayer(row.email, team.club, row.rating, row.two_clubs)
        for row in current(boards, team.id)
    )
    group = str(team.group_id)
    return Lineup(team.club, division.division, seats, group, team.order_by_leader)


def lineups(conn: Connection, season: int) -> tuple[Lineup, ...]:
    """Every team of a season."""
    divisions = {row.group_id: row for row in division_rows.divisions(conn, season)}
    teams = division_rows.teams(conn, *divisions)
    seats: dict[int, list[LeagueBoardRow]] = {}
    for row in division_rows.boards(conn, [team.id for team in teams]):
        seats.setdefault(row.team_id, []).append(row)
    order = {group_id: place for place, group_id in enumerate(divisions)}
    return tuple(
        lineup_of(team, divisions[team.group_id], seats.get(team.id, ()))
        for team in sorted(teams, key=lambda team: order[team.group_id])
    )


# Who may do what to a team: its captain, the division's leader (§ 6.7.2.2, § 6.7.6.1).


@dataclass(frozen=True, slots=True)
class TeamAccess:
    """A person's access to a team. ``boards``: the current players, from board 1."""

    person: PersonRow
    rights: Rights
    group: GroupRow
    division: DivisionRow
    team: LeagueTeamRow
    boards: tuple[LeagueBoardRow, ...]

    @property
    def is_captain(self) -> bool:
        """Whether the person speaks for the club, while the office lasts (§ 6.7.6.1)."""
        is_named = self.team.captain_id == self.person.id
        return is_named and self.group.id in self.rights.captain

    @property
    def leads(self) -> bool:
        """Whether the person decides about the team (§ 6.1.1)."""
        return self.rights.speaks_for(self.group.id)


async def team_access(core: Core, person: PersonRow, team_id: int) -> TeamAccess:
    """A person's access to a team. Raises NoSuch."""
    async with core.store.read() as conn:
        team = await conn.run_sync(division_rows.team, team_id)
        if team is None:
            raise NoSuch("team")
        group = await group_rows.find(conn, team.group_id)
        division = await conn.run_sync(division_rows.division, team.group_id)
        assert group is not None and division is not None
        held = await rights_in(conn, person, core.now_us)
        boards = current(await conn.run_sync(division_rows.boards, [team.id]), team.id)
    return TeamAccess(person, held, group, division, team, boards)


async def as_captain(core: Core, person: PersonRow, team_id: int) -> TeamAccess:
    """The team, for its captain only. Raises NoSuch, NotAllowed."""
    found = await team_access(core, person, team_id)
    if not found.is_captain:
        raise NotAllowed
    return found


async def as_leader(core: Core, person: PersonRow, team_id: int) -> TeamAccess:
    """The team, for its division's leader or the controller. Raises NoSuch, NotAllowed."""
    found = await team_access(core, person, team_id)
    if not found.leads:
        raise NotAllowed
    return found


async def led_division(core: Core, person: PersonRow, group_id: int) -> GroupRow:
    """A division, for its leader or the controller. Raises NoSuch, NotAllowed."""
    async with core.store.read() as conn:
        group = await group_rows.find(conn, group_id)
        division = await conn.run_sync(division_rows.division, group_id)
        held = await rights_in(conn, person, core.now_us)
    if group is None or division is None:
        raise NoSuch("group")
    if not held.speaks_for(group_id):
        raise NotAllowed
    return group


# The league's dated duty: schedule and line-ups to the captains before the start (§ 6.7.4.2).


async def is_due(core: Core) -> bool:
    """Whether any division's letters are due."""
    return bool(await _waiting(core))


async def _waiting(core: Core) -> tuple[int, ...]:
    today = today_of(core).isoformat()
    return await core.store.look(lambda conn: division_rows.letters_waiting(conn, today))


async def daily(core: Core) -> None:
    """Send what is due, once, at whatever hour the poller runs."""
    for group_id in await _waiting(core):
        async with core.store.deciding() as conn:
            division = await conn.run_sync(division_rows.division, group_id)
            if division is not None and division.letters_us is None:
                await send_letters(core, conn, group_id)


async def send_letters(core: Core, conn: AsyncConnection, group_id: int) -> None:
    """Send schedule and line-ups to captains and leader, start letters to the players."""
    group = await group_rows.the_group(conn, group_id)
    seats = await group_rows.seats_of(conn, group_id)
    games = await game_rows.list_group_games(conn, group_id)
    teams = await conn.run_sync(division_rows.teams, group_id)
    poster, unique = poster_of(core), f"{group.name}.{core.now_us}"
    recipients = dict.fromkeys([*(team.captain_id for team in teams), group.tl_id])
    params: dict[str, object] = {"group": group_id}
    letters = [poster.to_person(DivisionSchedule, p, unique, params) for p in recipients]
    letters += start_letters(core, group.name, [seat.person_id for seat in seats], games)
    await outbox_rows.enqueue(conn, letters)
    await conn.run_sync(lambda c: division_rows.set_division(c, group_id, letters_us=core.now_us))


@dataclass(frozen=True, slots=True)
class LeagueDuties:
    """League work awaiting a leader: reserves to judge, letters with their day."""

    reserves: tuple[tuple[ReserveRow, str, str], ...]
    letters: tuple[tuple[str, date], ...]

    @property
    def count(self) -> int:
        """How many."""
        return len(self.reserves) + len(self.letters)


def waiting_for(conn: Connection, groups: Iterable[int] | None) -> LeagueDuties:
    """What awaits the leader of these groups; None: of all. Reserves come with group and club."""
    own = None if groups is None else frozenset(groups)
    asked: list[tuple[ReserveRow, str, str]] = []
    for row in division_rows.list_waiting_reserves(conn, own):
        team = division_rows.team(conn, row.team_id)
        assert team is not None
        asked.append((row, division_rows.group_name(conn, team.group_id), team.club))
    letters = [
        (division_rows.group_name(conn, row.group_id), date.fromisoformat(row.letters_on))
        for row in division_rows.divisions(conn)
        if row.letters_us is None and (own is None or row.group_id in own)
    ]
    return LeagueDuties(tuple(asked), tuple(letters))


# The league's part of a group file: who is on which team, checked against the rules (§ 6.7).

_SAID = {
    LineupFault.PLAYERS: "a team has four different players",
    LineupFault.BOARD_ORDER: "a stronger player stands below",
    LineupFault.OTHER_CLUB: "all players are members of the club",
    LineupFault.TWO_CLUBS: "nobody plays for two clubs without the leader's leave (two_clubs)",
    LineupFault.TWO_DIVISION_TEAMS: "a player is on one team in divisions 1 and 2",
    LineupFault.TWICE_IN_DIVISION: "nobody is twice in a division",
    LineupFault.TWO_TEAMS_OF_CLUB: "one team a club and division",
}


@dataclass(frozen=True, slots=True)
class Squad:
    """A team in the file. ``waiting``: individual members left over (§ 6.7.4.1)."""

    club: str
    captain: PlayerEntry
    players: tuple[PlayerEntry, ...]
    is_individual: bool
    waiting: tuple[str, ...] = ()
    reserves: tuple[ReserveEntry, ...] = ()
    of_club: str | None = None


def rating_of(player: PlayerEntry) -> int:
    """A player's K-rating, final or provisional (§ 6.7.6.2)."""
    return provisional_rating(player.k_rating, player.rating)


def squads(file: GroupFile) -> tuple[Squad, ...]:
    """The teams of a file. Raises GroupFileError for anyone who can't be found."""
    return tuple(_squad(file, index, team) for index, team in enumerate(file.teams, 1))


def _squad(file: GroupFile, index: int, team: TeamEntry) -> Squad:
    players = tuple(
        player if isinstance(player, PlayerEntry) else _known(file.players, player, index)
        for player in team.players
    )
    captain = _captain(file, index, team, players)
    if team.individuals:
        return _of_individuals(team, captain, players, index)
    return Squad(team.club, captain, players, False, reserves=team.reserves, of_club=team.of_club)


def _known(players: Iterable[PlayerEntry], named: str, index: int) -> PlayerEntry:
    for player in players:
        if named in (player.name, player.email) or normal_address(named) == player.email:
            return player
    raise GroupFileError(f"teams.{index}: no [[players]] table is named {named}")


def _captain(
    file: GroupFile, index: int, team: TeamEntry, players: tuple[PlayerEntry, ...]
) -> PlayerEntry:
    """A player by name or address, or somebody else by address (§ 6.7.2.2)."""
    address = normal_address(team.captain)
    for player in (*players, *file.players):
        if team.captain == player.name or address == player.email:
            return player
    if address is None:
        wanted = "write a player of the team or an e-mail address"
        raise GroupFileError(f"teams.{index}: captain {team.captain} is not known, {wanted}")
    name = team.captain_name or address.partition("@")[0]
    return PlayerEntry(name=name, email=address)


def _of_individuals(
    team: TeamEntry, captain: PlayerEntry, players: tuple[PlayerEntry, ...], index: int
) -> Squad:
    club, reserves = team.club, team.reserves
    by_email = {player.email: player for player in players}
    made, left = teams_of_individuals([_seat(player, club) for player in players])
    if not made:
        raise GroupFileError(f"teams.{index}: {club} has fewer than four members (§ 6.7.2.1)")
    chosen = tuple(by_email[seat.player] for seat in made[0])
    over = [seat for further in made[1:] for seat in further]
    waiting = tuple(by_email[seat.player].name for seat in (*over, *left))
    return Squad(club, captain, chosen, True, waiting, reserves)


def _seat(player: PlayerEntry, club: str, of_club: str | None = None) -> BoardPlayer:
    own = club if of_club and player.club == of_club else player.club or club
    return BoardPlayer(player.email, own, rating_of(player), player.two_clubs)


def squad_lineup(squad: Squad, division: int, group: str) -> Lineup:
    """A team as the checks see it; for individual members the district counts as the club."""
    seats = tuple(
        BoardPlayer(p.email, squad.club, rating_of(p), p.two_clubs)
        if squad.is_individual
        else _seat(p, squad.club, squad.of_club)
        for p in squad.players
    )
    return Lineup(squad.club, division, seats, group)


def check(teams: Sequence[Squad], file: GroupFile, others: Sequence[Lineup]) -> tuple[str, ...]:
    """Notes for the leader; raises GroupFileError for what stops the start (§ 6.7.2-6.7.3).

    ``others``: the running teams of the same season.
    """
    for index, squad in enumerate(teams, 1):
        if len(squad.players) != LEAGUE.boards:
            number = f"{len(squad.players)} players"
            raise GroupFileError(f"teams.{index}: {squad.club} has {number}, not 4 (§ 6.7.2.1)")
        if file.tl in {player.email for player in squad.players}:
            raise GroupFileError("tl: no leader decides in a group he plays in, write another")
    captains = [squad.captain.email for squad in teams]
    for index, (squad, entry) in enumerate(zip(teams, captains, strict=True)):
        words = [team.captain_word for team in file.teams if team.club == squad.club]
        if entry in captains[:index] and not any(words):
            raise GroupFileError(
                f"teams.{index + 1}: {squad.captain.name} is captain of two teams that meet, name "
                "another, or write the leader's captain_word (§ 6.7.2.2)"
            )
    division = file.division or LOWEST_DIVISION
    ours = [squad_lineup(squad, division, file.group) for squad in teams]
    found = lineup_findings([*others, *ours])
    new = [one for one in found if one.team >= len(others)]
    stops = [one for one in new if one.fault is not LineupFault.BOARD_ORDER]
    if stops:
        raise GroupFileError(_write_finding(stops[0], teams, len(others)))
    notes = tuple(_write_finding(one, teams, len(others)) for one in new)
    left = tuple(
        f"{s.club}: waiting: {', '.join(s.waiting)} (§ 6.7.4.1)" for s in teams if s.waiting
    )
    return (*notes, *left)


def _write_finding(finding: LineupFinding, teams: Sequence[Squad], others: int) -> str:
    number = finding.team - others
    who = f": {', '.join(finding.players)}" if finding.players else ""
    rule = f"{_SAID[finding.fault]} (§ {finding.fault.paragraph})"
    return f"teams.{number + 1}: {teams[number].club}{who}: {rule}"


# Starting a division of the league: teams, lots, colours board by board, captains (§ 6.7.4.2).


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


async def start_division_in(
    core: Core, conn: AsyncConnection, file: GroupFile, let_in: Collection[int] = ()
) -> StartedGroup:
    """The same in a transaction that changes more; ``let_in``: by a ruling, beside a sanction."""
    teams, seed = squads(file), await seed_of(core, conn, file)
    if any(team.reserves for team in teams):
        wanted = "are for `kskak group import`; enter the four players who begin (§ 6.7.4.3)"
        raise GroupFileError(f"teams: reserves {wanted}")
    if seed is not None:
        teams = tuple(teams[index] for index in draw_lots(seed, [team.club for team in teams]))
    if await group_rows.by_name(conn, file.group) is not None:
        raise GroupFileError(f"group: {file.group} was started before, choose another name")
    known = await conn.run_sync(lineups, file.start.year)
    notes = check(teams, file, known)
    tl_id = await find_or_add_leader(core, conn, file)
    kept = [await _keep(core, conn, squad) for squad in teams]
    players = {person for team in kept for person in team.people}.difference(let_in)
    captains = {team.captain for team in kept}.difference(let_in)
    await refuse_barred(core, conn, file, sorted(players))
    await refuse_barred(core, conn, file, sorted(captains), plays=False)
    seats = [team.people[board] for board in range(4) for team in kept]
    group = await new_group(core, conn, file, seed, tl_id)
    group_id = await group_rows.add(conn, group, seats)
    new = division_games(file, group_id, kept)
    await game_rows.begin(conn, [game for _, _, _, game in new])
    for row in await game_rows.list_group_games(conn, group_id):
        due = due_of(row, row.state())
        await due_rows.replace(conn, row.id, row.seq, due)
    ids = await conn.run_sync(write_teams, core, file, group_id, kept)
    pairs = [division_rows.NewLeagueGame(game.id, b, ids[w], ids[k]) for b, w, k, game in new]
    await conn.run_sync(division_rows.add_games, pairs)
    await appoint(core, conn, group_id, tl_id, kept)
    await begin_with(core, conn, file, group_id)
    if letters_due(file.start) <= core.today(file.zone):
        await send_letters(core, conn, group_id)
    names = tuple(p.name for board in range(4) for team in teams for p in team.players[board:][:1])
    entered = [complete_club(player, team) for team in teams for player in team.players]
    notes += await register_differs(conn, entered)
    return StartedGroup(group_id, file.group, seed, names, len(new), notes)


class BarredFromStart(GroupFileError):
    """Nothing may begin for some whom a group's file names; ``found``: why, by name (§ 6.4.2)."""

    def __init__(self, text: str, found: Mapping[str, EntryFault]) -> None:
        super().__init__(text)
        self.found = found


async def refuse_barred(
    core: Core, conn: AsyncConnection, file: GroupFile, people: Sequence[int], *, plays: bool = True
) -> None:
    """Raise BarredFromStart for who may not begin in the file's group (§ 6.4.2).

    Reading: a play-off belongs to the group that it settles, and bars nobody.
    """
    on, form = max(file.start, core.today(file.zone)), read_form(file.group_class.value)
    found = await conn.run_sync(lambda sync: find_barred(sync, people, form, on, plays=plays))
    excused = (EntryFault.LEAVING, EntryFault.SECOND_OF_NON_MEMBER)
    leaving = [person for person, why in found.items() if why in excused]
    for person in leaving if file.word.strip() else ():
        del found[person]
    if found and file.group_class is not GroupClass.PLAYOFF:
        names = await person_rows.by_ids(conn, found)
        whom = {names[person].name: why for person, why in sorted(found.items())}
        said = ", ".join(f"{one} ({why.value}, § {why.paragraph})" for one, why in whom.items())
        word = ", or write the leader's word" if {*leaving} == found.keys() else ""
        text = f"players: nothing may begin for {said}: leave them out{word}"
        raise BarredFromStart(text, whom)


async def _keep(core: Core, conn: AsyncConnection, squad: Squad) -> KeptTeam:
    people = [
        await find_or_add_player(core, conn, complete_club(entry, squad)) for entry in squad.players
    ]
    return KeptTeam(squad, await captain_of(core, conn, squad), tuple(people))


async def captain_of(core: Core, conn: AsyncConnection, squad: Squad) -> int:
    """The captain's person id, added if new; a known address keeps its person (§ 6.7.2.2)."""
    known = await person_rows.by_email(conn, squad.captain.email)
    return await find_or_add_player(core, conn, squad.captain) if known is None else known.id


def complete_club(entry: PlayerEntry, squad: Squad) -> PlayerEntry:
    """A player for whom the file gives no club is a member of the team's club (§ 6.7.3.2)."""
    if entry.club is not None or squad.is_individual:
        return entry
    return entry.model_copy(update={"club": squad.of_club or squad.club})


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
    division_rows.add_division(conn, division)
    ids: list[int] = []
    for number, team in enumerate(teams, 1):
        squad = team.squad
        made = division_rows.add_team(
            conn, group_id=group_id, number=number, club=squad.club,
            is_individual=squad.is_individual, captain_id=team.captain, order_by_leader=False,
        )  # fmt: skip
        ids.append(made)
        boards = zip(squad.players, team.people, strict=True)
        division_rows.add_boards(
            conn,
            [
                NewLeagueBoard(
                    ids[-1], board, person, rating_of(entry), entry.two_clubs, core.now_us, None
                )
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
        await person_rows.add_office(conn, new)
