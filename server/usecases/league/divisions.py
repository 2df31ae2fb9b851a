"""A division as everybody may see it: order, matches, boards, who played when (§ 6.7.4.5).

Not for the captain's desk (season/season_views.py) nor for HTML.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from sqlalchemy import Connection

from kskak.cases.case import REPORTS, SERVER
from kskak.cases.case_events import CaseKind
from kskak.cases.holdings import Holding, HoldingKind
from kskak.groups import placing
from kskak.groups.crosstables import (
    DivisionMatch,
    LeagueTable,
    RankingLine,
    board_tables,
    crosstable,
    prizes_of_clubs,
    rows_of,
)
from kskak.groups.placing import POINTS, ScoredGame
from kskak.groups.schedule import draw_lots
from kskak.league.composition import outlook
from kskak.league.lineups import boards_out_of_order
from kskak.regulation.editions import DISPUTES, LEAGUE, Result
from kskak.values import recast
from mail.incoming.parse_mail import normal_address
from mail.office_letters.league_letters import LeagueWord
from server.store import divisions as division_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.divisions import (
    ChangeKind,
    DivisionRow,
    LeagueBoardRow,
    LeagueGameRow,
    LeagueTeamRow,
    ReserveRow,
    ReserveState,
)
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow
from server.store.groups import GroupRow
from server.store.mail import batch as batch_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import NewOffice, Office, PersonRow
from server.usecases.cases import case_actions
from server.usecases.cases.case_decisions import HasBegun
from server.usecases.cases.sanctions import find_barred, write_league_letters
from server.usecases.context import Core, in_turn
from server.usecases.groups.group_file import draw_seed
from server.usecases.league.division_start import (
    LeagueDuties,
    TeamAccess,
    as_captain,
    as_leader,
    current,
    led_division,
    lineup_of,
    waiting_for,
)
from server.usecases.league.reserves import NothingToDo, ReserveJudgement, judged_again
from server.usecases.rights import NoSuch, Rights, desk_groups

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class LeagueMatchView(DivisionMatch):
    """A match with its teams, the lower number first as the home team, and its games by board."""

    teams: tuple[LeagueTeamRow, LeagueTeamRow]
    games: tuple[LeagueGameRow, ...]

    @property
    def finished(self) -> int:
        """How many of the games are over."""
        return len(self.games) - self.running


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team: its players by board, present and past, and what the leader changed.

    ``crooked``: boards whose order contradicts the ratings (§ 6.7.2.1).
    """

    team: LeagueTeamRow
    captain: PersonRow
    boards: tuple[tuple[LeagueBoardRow, ...], ...]
    mean: Fraction
    crooked: tuple[int, ...]
    changes: tuple[AnyRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionView(LeagueTable):
    """A whole division; ``lots``: the clubs as drawn, where places were level (§ 6.7.4.5)."""

    matches: tuple[LeagueMatchView, ...]
    group: GroupRow
    row: DivisionRow
    tl: PersonRow
    teams: tuple[TeamView, ...]
    games: tuple[LeagueGameRow, ...]
    lots: tuple[str, ...]

    @property
    def names(self) -> dict[int, str]:
        """Names of everybody who plays or has played here, by id."""
        seats = (seat for team in self.teams for board in team.boards for seat in board)
        return {seat.person_id: seat.name for seat in seats}

    def team_of(self, team_id: int) -> TeamView:
        """A team of the division by id."""
        return next(team for team in self.teams if team.team.id == team_id)


def _is_level(rows: Iterable[RankingLine]) -> bool:
    """Whether places are still level at the end, so that lots decide (§ 6.7.4.5)."""
    places = [row.place for row in rows]
    return len(places) != len(set(places))


def build_division_table(
    teams: Iterable[LeagueTeamRow],
    boards: Iterable[LeagueBoardRow],
    games: Iterable[LeagueGameRow],
    lots: tuple[str, ...] = (),
) -> placing.Division:
    """A division as input to the placing; a board's players are named in chronological order."""
    clubs, names = dict[int, str](), dict[tuple[int, int], dict[str, None]]()
    for row in boards:
        names.setdefault((row.team_id, row.board), {})[row.name] = None
    found = []
    for team in teams:
        clubs[team.id] = team.club
        players = (names.get((team.id, board + 1), {}) for board in range(LEAGUE.boards))
        found.append(placing.BoardTeam(team.club, tuple(map(" / ".join, players))))
    done = (
        placing.BoardGame(
            game.board,
            ScoredGame(clubs[game.white_team], clubs[game.black_team], Result(game.result)),
        )
        for game in games
        if game.result is not None
    )
    return placing.Division(tuple(found), tuple(done), lots)


def matches_of(
    games: Iterable[LeagueGameRow], teams: Iterable[LeagueTeamRow]
) -> tuple[LeagueMatchView, ...]:
    """The matches by round and number, with their score so far."""
    by_id = {team.id: team for team in teams}
    found: dict[tuple[int, int, int], list[LeagueGameRow]] = {}
    for game in games:
        pair = sorted((by_id[game.white_team], by_id[game.black_team]), key=lambda t: t.number)
        found.setdefault((game.round, pair[0].id, pair[1].id), []).append(game)
    matches: list[LeagueMatchView] = []
    for (number, home, away), lines in found.items():
        matches.append(
            LeagueMatchView(
                round=number,
                home=by_id[home].club,
                away=by_id[away].club,
                points=(points_in(lines, home), points_in(lines, away)),
                running=sum(game.result is None for game in lines),
                teams=(by_id[home], by_id[away]),
                games=tuple(sorted(lines, key=lambda line: line.board)),
            )
        )
    return tuple(sorted(matches, key=lambda match: (match.round, match.teams[0].number)))


def points_in(games: Iterable[LeagueGameRow], team_id: int) -> Fraction:
    """A team's points in finished games."""
    total = NOTHING
    for game in games:
        if game.result is None:
            continue
        white, black = POINTS[Result(game.result)]
        total += white * (game.white_team == team_id) + black * (game.black_team == team_id)
    return total


@dataclass(frozen=True, slots=True)
class _Facts:
    """The data of several divisions, by division or team, loaded together."""

    teams: dict[int, list[LeagueTeamRow]]
    boards: dict[int, list[LeagueBoardRow]]
    games: dict[int, list[LeagueGameRow]]
    changes: dict[int, list[AnyRow]]
    people: dict[int, PersonRow]


def _facts(conn: Connection, groups: Sequence[GroupRow]) -> _Facts:
    found = _Facts({}, {}, {}, {}, {})
    teams = {team.id: team for team in division_rows.teams(conn, *(group.id for group in groups))}
    for team in teams.values():
        found.teams.setdefault(team.group_id, []).append(team)
    for board in division_rows.boards(conn, teams):
        found.boards.setdefault(board.team_id, []).append(board)
    for game in division_rows.list_division_games(conn, *found.teams):
        found.games.setdefault(teams[game.white_team].group_id, []).append(game)
    for change in division_rows.changes(conn, list(teams)):
        found.changes.setdefault(change.team_id, []).append(change)
    ids = {group.tl_id for group in groups} | {team.captain_id for team in teams.values()}
    found.people.update(person_rows.with_ids(conn, ids))
    return found


def _team_view(facts: _Facts, team: LeagueTeamRow, division: DivisionRow) -> TeamView:
    seats = facts.boards.get(team.id, [])
    lineup = lineup_of(team, division, seats)
    ratings = [row.rating for row in current(seats, team.id)]
    return TeamView(
        team=team,
        captain=facts.people[team.captain_id],
        boards=tuple(
            tuple(row for row in seats if row.board == board + 1) for board in range(LEAGUE.boards)
        ),
        mean=Fraction(sum(ratings), LEAGUE.boards),
        crooked=() if team.order_by_leader else boards_out_of_order(lineup),
        changes=tuple(facts.changes.get(team.id, ())),
    )


async def division_view(core: Core, name: str) -> DivisionView | None:
    """A division by its group's name; None if there is no such division."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        if group is None:
            return None
        return await conn.run_sync(view_in, group)


def view_in(conn: Connection, group: GroupRow) -> DivisionView | None:
    """The same within a transaction."""
    return views_in(conn, [group]).get(group.id)


def views_in(conn: Connection, groups: Sequence[GroupRow]) -> dict[int, DivisionView]:
    """Those of the groups that are divisions, by group: as many queries as for one."""
    known = division_rows.divisions_at(conn, [group.id for group in groups])
    found = [group for group in groups if group.id in known]
    facts = _facts(conn, found) if found else None
    return {group.id: _view(facts, group, known[group.id]) for group in found if facts}


def _view(facts: _Facts, group: GroupRow, row: DivisionRow) -> DivisionView:
    teams, games = facts.teams.get(group.id, []), tuple(facts.games.get(group.id, ()))
    boards = [board for team in teams for board in facts.boards.get(team.id, ())]
    lots = tuple(json.loads(row.lots)) if row.lots else ()
    table = build_division_table(teams, boards, games, lots)
    clubs = crosstable(table)
    is_finished = bool(games) and all(game.result is not None for game in games)
    is_won = row.division == 1 and is_finished and not _is_level(clubs.rows[:2])
    return DivisionView(
        division=row.division,
        clubs=clubs,
        boards=board_tables(table),
        matches=matches_of(games, teams),
        is_finished=is_finished,
        needs_lots=is_finished and _is_level(clubs.rows),
        champion=clubs.rows[0].name if is_won else None,
        seed=row.lots_seed,
        group=group,
        row=row,
        tl=facts.people[group.tl_id],
        teams=tuple(_team_view(facts, team, row) for team in teams),
        games=games,
        lots=lots,
    )


def list_team_places(
    view: DivisionView | None, changed: Mapping[int, Result | None]
) -> Iterator[Holding]:
    """The teams' places, with what their points speak for, when some results are others: each as
    its captain's (§ 6.7.4.5, § 6.7.5.1). None for a group that is no division."""
    if view is None:
        return
    games = [
        replace(game, result=changed[game.id]) if game.id in changed else game
        for game in view.games
    ]
    boards = [seat for team in view.teams for board in team.boards for seat in board]
    table = build_division_table([one.team for one in view.teams], boards, games, view.lots)
    captains = {one.team.club: one.captain.id for one in view.teams}
    for row in crosstable(table).rows:
        score = Fraction(LEAGUE.stay) if row.percent is None else row.percent
        yield Holding(
            HoldingKind.TEAM_PLACE, captains[row.name], outlook(view.row.division, score).value,
            "league", club=row.name, place=row.place, number=row.place,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SeasonDivisionLine:
    """A division in the list of seasons: the club leading it, and how many games are over."""

    group: GroupRow
    row: DivisionRow
    first: str
    finished: int
    games: int


async def seasons(core: Core) -> dict[int, tuple[SeasonDivisionLine, ...]]:
    """Every season with its divisions, the newest first."""
    async with core.store.read() as conn:
        known = await conn.run_sync(division_rows.divisions)
        groups = list(await group_rows.with_ids(conn, [row.group_id for row in known]))
        facts = await conn.run_sync(_facts, groups)
    found: dict[int, list[SeasonDivisionLine]] = {}
    for group, row in zip(groups, known, strict=True):
        teams, games = facts.teams.get(group.id, []), facts.games.get(group.id, [])
        done = sum(game.result is not None for game in games)
        lots = tuple(json.loads(row.lots)) if row.lots else ()
        boards = [board for team in teams for board in facts.boards.get(team.id, ())]
        table = rows_of(build_division_table(teams, boards, games, lots)) if done else ()
        first = table[0].name if done else ""
        found.setdefault(row.season, []).append(
            SeasonDivisionLine(group, row, first, done, len(games))
        )
    return {season: tuple(listed) for season, listed in found.items()}


# A division's table with its prizes, for bulletin, results and API (§ 6.4.5.1, § 6.7.4.5).


async def division_in(conn: AsyncConnection, group: GroupRow) -> LeagueTable | None:
    """A division's table; None for a group that is not a division."""
    return (await divisions_in(conn, [group])).get(group.id)


async def divisions_in(conn: AsyncConnection, groups: Sequence[GroupRow]) -> dict[int, LeagueTable]:
    """The tables of those groups that are divisions, by group: as many queries as for one."""
    views = await conn.run_sync(views_in, [group for group in groups if group.class_ == "league"])
    amounts = await result_rows.read_group_prizes(conn, list(views))
    return {
        group_id: recast(
            LeagueTable,
            view,
            matches=tuple(recast(DivisionMatch, match) for match in view.matches),
            prizes=prizes_of_clubs(view.clubs, amounts[group_id]) if view.is_finished else (),
        )
        for group_id, view in views.items()
    }


# The leader's changes to a division, and a captain's reports (§ 6.7.2, § 6.7.4.4-6.7.4.5).

MOST_STRONGER = 1000


@in_turn
async def change_order(
    core: Core, person: PersonRow, team_id: int, order: Sequence[int], reason: str
) -> None:
    """Put a team's players on other boards; ``order``: person ids from board 1 (§ 6.7.2.1).

    Raises NotAllowed, NoSuch, HasBegun, and NothingToDo for the order as it already is.
    """
    found = await as_leader(core, person, team_id)
    now = [row.person_id for row in found.boards]
    if sorted(order) != sorted(now):
        raise NoSuch("players")
    if list(order) == now:
        raise NothingToDo

    def work(conn: Connection) -> None:
        games = division_rows.list_team_games(conn, team_id)
        if any(game.ply or game.result is not None for game in games):
            raise HasBegun
        _swap(conn, found, games, order)
        division_rows.set_team(conn, team_id, order_by_leader=True)
        names = _names(found, now), _names(found, order)
        _record(conn, core, found, (ChangeKind.ORDER, *names), reason)
        write_league_letters(
            conn, core, found.team, (LeagueWord.ORDER, f"order.{core.now_us}"),
            [found.team.captain_id, *order], text=reason,
            players=", ".join(names[1].split("\n")),
        )  # fmt: skip

    await core.writer.transact(work)


def _swap(
    conn: Connection, found: TeamAccess, games: Sequence[LeagueGameRow], order: Sequence[int]
) -> None:
    """Give each board with its games and seat to the player who now has that board.

    He keeps his own rating and ``two_clubs``.
    """
    batch_rows.lock_games(conn, [game.id for game in games])
    moved: dict[int, int] = {}
    by_id: dict[int, LeagueBoardRow] = {row.person_id: row for row in found.boards}
    for seat, new in zip(found.boards, order, strict=True):
        own = {"rating": by_id[new].rating, "two_clubs": by_id[new].two_clubs}
        division_rows.set_board(conn, seat.id, person_id=new, **own)
        if seat.person_id != new:
            moved[seat.person_id] = new
            ids = [game.id for game in games if game.board == seat.board]
            division_rows.change_player(conn, ids, seat.person_id, new)
    division_rows.swap_seats(conn, found.group.id, moved)


def _names(found: TeamAccess, order: Sequence[int]) -> str:
    by_id = {row.person_id: row.name for row in found.boards}
    return "\n".join(by_id[person] for person in order)


def _record(
    conn: Connection, core: Core, found: TeamAccess, what: tuple[ChangeKind, str, str], reason: str
) -> None:
    kind, before, after = what
    division_rows.add_change(
        conn, team_id=found.team.id, kind=kind.value, before=before, after=after, reason=reason,
        by_id=found.person.id, at_us=core.now_us,
    )  # fmt: skip


@in_turn
async def name_captain(
    core: Core, person: PersonRow, team_id: int, email: str, reason: str, *, despite: bool = False
) -> None:
    """Name another captain for a team; the office goes with it (§ 6.7.2.2).

    ``despite``: the leader's word for a captain of two teams that meet. Raises NotAllowed,
    NoSuch, and NothingToDo for the present captain.
    """
    found, now = await as_leader(core, person, team_id), core.now_us
    group_id = found.group.id
    async with core.store.write() as conn:
        new = await _find_captain(core, conn, found.group, email)
        old = await person_rows.find_person(conn, found.team.captain_id)
        if old is None or new.id == old.id:
            raise NothingToDo
        teams = await conn.run_sync(division_rows.teams, group_id)
        if any(team.captain_id == new.id for team in teams) and not despite:
            raise NoSuch("two_teams")
        is_last = sum(team.captain_id == old.id for team in teams) == 1
        held = await person_rows.list_offices(conn, now, group_id=group_id)
        captains = {row.person_id: row.id for row in held if row.office == Office.CAPTAIN}
        if is_last and old.id in captains:
            await person_rows.end(conn, captains[old.id], now)
        if new.id not in captains:
            office = NewOffice(new.id, Office.CAPTAIN.value, group_id, now, person.id)
            await person_rows.add_office(conn, office)

        def work(sync: Connection) -> None:
            division_rows.set_team(sync, team_id, captain_id=new.id)
            _record(sync, core, found, (ChangeKind.CAPTAIN, old.name, new.name), reason)
            write_league_letters(
                sync, core, found.team, (LeagueWord.CAPTAIN, f"captain.{now}"), [new.id, old.id],
                text=reason, captain=new.name,
            )  # fmt: skip

        await conn.run_sync(work)


async def _find_captain(
    core: Core, conn: AsyncConnection, group: GroupRow, email: str
) -> PersonRow:
    """Who may be a captain in a division. Raises NoSuch (§ 6.1.1, § 6.4.2)."""
    new = await person_rows.by_email(conn, normal_address(email) or "")
    if new is None or new.id == group.tl_id:
        raise NoSuch("captain")
    on = core.today(group.zone)
    if await conn.run_sync(
        partial(find_barred, people=[new.id], form="league", on=on, plays=False)
    ):
        raise NoSuch("barred")
    return new


@in_turn
async def set_stronger_by(core: Core, person: PersonRow, group_id: int, points: int) -> None:
    """Set how much stronger a reserve may be in a division, as the leader decides (§ 6.7.4.3)."""
    await led_division(core, person, group_id)
    if not 0 <= points <= MOST_STRONGER:
        raise NoSuch("points")
    await core.writer.transact(
        lambda conn: division_rows.set_division(conn, group_id, stronger_by=points)
    )


@in_turn
async def draw_places(core: Core, person: PersonRow, group_id: int) -> tuple[str, ...]:
    """Draw lots for places still level at the end; return the clubs as drawn (§ 6.7.4.5).

    Seed and order are kept. Raises NotAllowed, NoSuch, and NothingToDo where no draw is needed.
    """
    group = await led_division(core, person, group_id)
    async with core.store.read() as read:
        clubs = [row.club for row in await read.run_sync(division_rows.teams, group_id)]
        seed = await draw_seed(read, clubs, core.now_us, [group_id])

    def work(conn: Connection) -> tuple[str, ...]:
        view = view_in(conn, group)
        assert view is not None
        if view.row.lots is not None or not view.needs_lots:
            raise NothingToDo
        clubs = [team.team.club for team in view.teams]
        drawn = tuple(clubs[index] for index in draw_lots(seed, clubs))
        division_rows.set_division(
            conn,
            group_id,
            lots_seed=seed,
            lots=json.dumps(drawn, ensure_ascii=False),
            lots_us=core.now_us,
            lots_by=person.id,
        )
        for team in view.teams:
            write_league_letters(
                conn, core, team.team, (LeagueWord.LOTS, "lots"), [team.team.captain_id],
                seed=seed, clubs=", ".join(drawn),
            )  # fmt: skip
        return drawn

    return await core.writer.transact(work)


@in_turn
async def report_result(
    core: Core, person: PersonRow, team_id: int, game_id: int, result: Result, note: str = ""
) -> None:
    """Report, as captain, the team's result in a game still open here (§ 6.7.4.4, § 6.7.6.1).

    The leader gets it in writing; only the players or the leader's ruling end the game itself.
    One that differs from the other team's opens a case: both players are asked (§ 6.2.6).
    Raises NotAllowed, NoSuch for another team's game, NothingToDo for one that is over.
    """
    found = await as_captain(core, person, team_id)
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        own = await conn.run_sync(division_rows.list_team_games, team_id)
    if game is None or game_id not in {one.id for one in own}:
        raise NoSuch("game")
    if game.result is not None:
        raise NothingToDo

    def work(conn: Connection) -> None:
        division_rows.add_report(
            conn, game_id=game_id, team_id=team_id, result=result.value, note=note,
            by_id=person.id, at_us=core.now_us,
        )  # fmt: skip
        write_league_letters(
            conn, core, found.team, (LeagueWord.REPORTED, f"report.{game_id}.{core.now_us}"),
            [found.group.tl_id], text=note, game=game.name, white=game.white, black=game.black,
            result=result.value,
        )  # fmt: skip
        _ask_about_reports(conn, core, game)

    await core.writer.transact(work)


def _ask_about_reports(conn: Connection, core: Core, game: GameRow) -> None:
    """Open a case where the latest reports of the two teams differ, with both in its file."""
    latest = {row.team_id: row for row in division_rows.reports_of(conn, game.id)}
    if len({row.result for row in latest.values()}) < 2:
        return
    kind, now = CaseKind.RESULT, core.clock.now()
    if case_rows.open_case(conn, game.id, kind=kind.value) is not None:
        return
    teams = {team.id: team.club for team in division_rows.teams(conn, game.group_id)}
    said = ((row, f"{teams[row.team_id]}: {row.result}") for row in latest.values())
    papers = [
        case_actions.statement(row.by_id, "\n".join(filter(None, (text, row.note))), row.at_us)
        for row, text in said
    ]
    rules, days = ("6.2.6", "6.7.4.4"), DISPUTES.report_days
    about = replace(case_actions.opening_of(kind, [game]), question=REPORTS, paragraphs=rules)
    case_actions.open_and_hear(conn, core, (about, SERVER, now), papers, days)


# What the league asks of its leaders: a division's desk, and pending work (§ 6.7).


@dataclass(frozen=True, slots=True)
class DivisionDesk:
    """Reserves by state, captains' reports, and the names of those who asked or were replaced."""

    waiting: tuple[ReserveRow, ...]
    decided: tuple[ReserveRow, ...]
    reports: tuple[AnyRow, ...]
    names: dict[int, str]
    clubs: dict[int, str]
    games: dict[int, str]
    fits: dict[int, ReserveJudgement]
    """By pending request: what the register has on the reserve, and the objections."""


async def division_desk(core: Core, view: DivisionView) -> DivisionDesk:
    """A leader's desk for a division."""
    teams = [team.team.id for team in view.teams]
    async with core.store.read() as conn:
        reserves = await conn.run_sync(division_rows.reserves, teams)
        reports = await conn.run_sync(division_rows.reports, teams)
        ids = {row.replaced_id for row in reserves} | {row.asked_by for row in reserves}
        ids |= {row.by_id for row in reports}
        ids |= {change.by_id for team in view.teams for change in team.changes}
        people = await person_rows.by_ids(conn, ids)
        asked = [row for row in reserves if row.state == ReserveState.ASKED]
        by_id, today = {one.team.id: one.team for one in view.teams}, core.today(view.group.zone)
        fits = {
            row.id: await conn.run_sync(judged_again, row, by_id[row.team_id], view.row, today)
            for row in asked
        }
    return DivisionDesk(
        waiting=tuple(asked),
        decided=tuple(row for row in reserves if row.state != ReserveState.ASKED),
        reports=reports,
        names={one.id: one.name for one in people.values()},
        clubs={team.id: team.club for team in by_id.values()},
        games={game.id: game.name for game in view.games},
        fits=fits,
    )


async def league_duties(core: Core, rights: Rights) -> LeagueDuties | None:
    """What awaits an official; None for anyone with no part in the league's desks."""
    sees_all = rights.is_kc or rights.is_admin or rights.leads_all
    if not sees_all and not rights.led:
        return None
    groups = await core.store.query(desk_groups, rights, is_everywhere=sees_all)
    return await core.store.look(lambda conn: waiting_for(conn, groups))
