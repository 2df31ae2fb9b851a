"""Taking over a running group from paper or private mail in mid-season: all of it, or nothing.

One transaction: people, group, games with their histories, due work, the letters with the
statements, and the time to object. A dry run does the same and rolls it back. Readings:
kskak.game.game_events. Not for files (takeover_games.py) nor for objections
(cases/case_actions.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from kskak.cases.case import CaseReason, CaseRefusal
from kskak.game import game_events as ev
from kskak.game.game_events import LeaveBooked, TakenOver
from kskak.groups.schedule import draw_lots
from kskak.ledger.ledger_files import JsonObject, JsonValue
from kskak.play.game_state import GameState
from kskak.reflection import count_leave_used
from kskak.regulation.days import years_later
from kskak.regulation.editions import LeaveType, OverstepFinding, Side
from kskak.statement.account import Account
from mail.office_letters.start_letters import ObjectionLate, TakeoverStatement
from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store.cases import publications as publication_rows
from server.store.cases.publications import NewPublication, PublicationKind
from server.store.divisions import NewLeagueBoard, NewLeagueGame, NewReserve, ReserveState
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import to_us
from server.store.groups import TakeoverEvent, TakeoverGame
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import due_of
from server.usecases.groups.group_file import (
    GroupClass,
    GroupFile,
    GroupFileError,
    PlayerEntry,
    ReserveEntry,
    by_number,
    find_or_add_leader,
    find_or_add_player,
    new_group,
)
from server.usecases.groups.leader_letter import begin_with
from server.usecases.league.division_start import (
    KeptTeam,
    Squad,
    appoint,
    captain_of,
    check,
    complete_club,
    division_games,
    lineups,
    rating_of,
    squads,
    write_teams,
)
from server.usecases.letter_facts import GameFacts, Params, loads_game, text
from server.usecases.starts.takeover_games import (
    GROUP_FILE,
    Progress,
    ScheduledGame,
    TakenGame,
    TakeoverError,
    day_of,
    ended_on,
    group_of,
    is_lost_for_both,
    sources_of,
    taken_games,
    taken_of,
)

# From an outbox row to a letter about a takeover, with its facts from the ledger.


def _leave_facts(state: GameState, side: Side, on: date) -> int:
    """Days of personal leave used in the tournament year of a day (§ 6.3.6)."""
    asked = LeaveBooked(side, on, on, None)
    return count_leave_used(state.bookings, state.terms.start, state.terms.rules, asked)


@loads_game(TakeoverStatement)
def _statement(core: Core, found: GameFacts, _: Params) -> TakeoverStatement:
    taken = found.event_as(TakenOver)
    white, black = (_leave_facts(found.state, side, taken.on) for side in Side)
    return TakeoverStatement(*found.to_player, taken, (white, black), core.command_address)


@loads_game(ObjectionLate)
def _late(_: Core, found: GameFacts, params: Params) -> ObjectionLate:
    until = params.get("until")
    last = date.fromisoformat(until) if isinstance(until, str) else None
    refusal = CaseRefusal(CaseReason(text(params, "reason")), until=last)
    return ObjectionLate(*found.to_player, refusal)


# A division of the league taken over in mid-season: teams, boards, reserves, captains (§ 6.7).

MORNING = time(0)


@dataclass(frozen=True, slots=True)
class Roster:
    """A division's teams by number, and everybody in it: by boards, then the reserves."""

    teams: tuple[Squad, ...]
    people: tuple[PlayerEntry, ...]

    @property
    def names(self) -> list[str]:
        """Their names, by the numbers that the games use."""
        return [one.name for one in self.people]

    def hands(self, team: int, board: int) -> tuple[int, ...]:
        """The numbers of those who played a board of a team (from 0), in chronological order."""
        found = [self.people.index(self.teams[team].players[board - 1])]
        later = [one for one in self.teams[team].reserves if one.board == board]
        return (*found, *(self.people.index(one) for one in sorted(later, key=_since)))


def _since(one: ReserveEntry) -> datetime:
    return datetime.combine(one.since, MORNING)


def roster_of(file: GroupFile) -> Roster:
    """Who is on which team. Raises GroupFileError for an invalid team, or a reserve too early."""
    teams = squads(file)
    if file.draw and file.seed is not None:
        teams = tuple(teams[at] for at in draw_lots(file.seed, [team.club for team in teams]))
    for index, team in enumerate(teams, 1):
        if len(team.players) != 4:
            raise GroupFileError(f"teams.{index}: {team.club} has not four players (§ 6.7.2.1)")
        for one in team.reserves:
            if one.since < file.start:
                wanted = "write a day of the tournament"
                raise GroupFileError(f"teams.{index}: reserves: since of {one.name}: {wanted}")
    boards = [team.players[board] for board in range(4) for team in teams]
    reserves = [one for team in teams for one in team.reserves]
    return Roster(teams, (*boards, *reserves))


def planned_division(file: GroupFile, roster: Roster) -> tuple[ScheduledGame, ...]:
    """Every game of the division's boards, with who may have played each side (§ 6.7.4.2)."""
    kept = [
        KeptTeam(team, 0, tuple(roster.hands(at, board)[0] for board in range(1, 5)))
        for at, team in enumerate(roster.teams)
    ]
    return tuple(
        ScheduledGame(new, roster.hands(white, board), roster.hands(black, board))
        for board, white, black, new in division_games(file, 0, kept)
    )


async def check_division(conn: AsyncConnection, file: GroupFile, roster: Roster) -> None:
    """Check the first line-ups by § 6.7.2-6.7.3. Raises GroupFileError for what they forbid."""
    check(roster.teams, file, await conn.run_sync(lineups, file.start.year))


async def keep_division(
    core: Core,
    conn: AsyncConnection,
    about: tuple[GroupFile, int, int],
    roster: Roster,
    people: Sequence[int],
    games: Sequence[TakenGame],
) -> None:
    """Store the division's part of a group; ``about``: file, group and leader."""
    file, group_id, tl_id = about
    kept = []
    for at, team in enumerate(roster.teams):
        own = tuple(people[roster.hands(at, board)[0]] for board in range(1, 5))
        kept.append(KeptTeam(team, await captain_of(core, conn, team), own))
    ids = await conn.run_sync(write_teams, core, file, group_id, kept)
    schedule = {new.terms.game: (b, w, k) for b, w, k, new in division_games(file, 0, kept)}
    pairs = []
    for game in games:
        board, white, black = schedule[game.name]
        pairs.append(NewLeagueGame(game.new.id, board, ids[white], ids[black]))
    await conn.run_sync(division_rows.add_games, pairs)
    await appoint(core, conn, group_id, tl_id, kept)
    await conn.run_sync(_times, core, file, (roster, people, ids), tl_id)
    await conn.run_sync(lambda c: division_rows.set_division(c, group_id, letters_us=core.now_us))


def _times(
    conn: Connection,
    core: Core,
    file: GroupFile,
    of: tuple[Roster, Sequence[int], Sequence[int]],
    tl_id: int,
) -> None:
    """Record who played which board since when: the start, or a reserve's day."""
    roster, people, ids = of
    zone = ZoneInfo(file.zone)
    begun = to_us(datetime.combine(file.start, MORNING, zone))
    for at, team in enumerate(roster.teams):
        seats = {row.board: row for row in division_rows.boards(conn, [ids[at]])}
        for row in seats.values():
            division_rows.set_board(conn, row.id, from_us=begun)
        for one in sorted(team.reserves, key=_since):
            since = to_us(datetime.combine(one.since, MORNING, zone))
            person = people[roster.people.index(one)]
            _continue_team(conn, core, ids[at], (one, person, since), tl_id)


def _continue_team(
    conn: Connection, core: Core, team_id: int, about: tuple[ReserveEntry, int, int], tl_id: int
) -> None:
    one, person, since = about
    now = [row for row in division_rows.boards(conn, [team_id]) if row.to_us is None]
    before = next(row for row in now if row.board == one.board)
    division_rows.set_board(conn, before.id, to_us=since)
    new = NewLeagueBoard(team_id, one.board, person, rating_of(one), before.two_clubs, since, None)
    division_rows.add_boards(conn, [new])
    asked = NewReserve(
        team_id=team_id,
        board=one.board,
        replaced_id=before.person_id,
        name=one.name,
        email="",
        club=one.club or "",
        rating=rating_of(one),
        reason="",
        asked_by=tl_id,
        asked_us=since,
        pause_first=None,
        pause_last=None,
        state=ReserveState.IN,
    )
    number = division_rows.add_reserve(conn, asked)
    decided = {"decided_by": tl_id, "decided_us": core.now_us, "note": ""}
    division_rows.set_reserve(conn, number, person_id=person, **decided)


def members_of(roster: Roster) -> tuple[PlayerEntry, ...]:
    """Everybody with a club: the team's, unless the file says otherwise (§ 6.7.3.2)."""
    teams = {one.name: team for team in roster.teams for one in (*team.players, *team.reserves)}
    return tuple(complete_club(one, teams[one.name]) for one in roster.people)


# Taking over a running group from paper or private mail in mid-season: all of it, or nothing.

LONGEST_YEARS = 25
"""No group runs so long; an earlier start is a typing error."""
NOON = time(12)
"""What has only a day is stored as of noon that day."""


@dataclass(frozen=True, slots=True)
class Takeover:
    """What was taken over, or would be: ``group_id`` None after a dry run.

    ``players``: by number, and whether the takeover adds the person here; ``ignored``: files that
    are not about a game.
    """

    group: str
    group_id: int | None
    on: date
    players: tuple[tuple[PlayerEntry, bool], ...]
    games: tuple[TakenGame, ...]
    ignored: tuple[str, ...]

    @property
    def objections_until(self) -> date:
        """The last day to object to it (reading of § 6.4.5)."""
        return TakenOver(self.on).objections_until


class _TakenBack(Exception):
    """Carries a dry run out of its transaction, which is rolled back."""

    def __init__(self, done: Takeover) -> None:
        self.done = done


async def import_group(
    core: Core, files: Mapping[str, bytes], progress: Progress, *, dry_run: bool = False
) -> Takeover:
    """Take a group over from its folder's files, by their names. Raises TakeoverError.

    Nothing is stored after an error or a dry run.
    """
    group = group_of(files)
    roster = _roster(group)
    on = core.today(group.zone)
    if on < group.start:
        raise TakeoverError(
            f"{GROUP_FILE}: start: the group has not begun; `kskak group start` starts it"
        )
    if years_later(group.start, LONGEST_YEARS) < on:
        raise TakeoverError(
            f"{GROUP_FILE}: start: {group.start} is more than {LONGEST_YEARS} years ago, check the "
            "year; games that are over are read into the archive by `kskak pgn import`"
        )
    sources, ignored = sources_of(files, group, on)
    if roster is None:
        entries = by_number(group, group.seed if group.draw else None)
        names = [entry.name for entry in entries]
        games = taken_games(group, names, sources, on, progress)
    else:
        every = planned_division(group, roster)
        games = taken_of(every, roster.names, sources, on, progress)
    planned = Takeover(group.group, None, on, (), games, ignored)
    try:
        async with core.store.deciding() as conn:
            done = await _keep(core, conn, group, roster, planned)
            if dry_run:
                raise _TakenBack(replace(done, group_id=None))
    except _TakenBack as taken_back:
        return taken_back.done
    except GroupFileError as error:
        raise TakeoverError(f"{GROUP_FILE}: {error}") from error
    return done


def _roster(group: GroupFile) -> Roster | None:
    """The teams of a division; None for a group of individuals. Raises TakeoverError."""
    if group.group_class is not GroupClass.LEAGUE:
        return None
    try:
        return roster_of(group)
    except GroupFileError as error:
        raise TakeoverError(f"{GROUP_FILE}: {error}") from error


async def _keep(
    core: Core, conn: AsyncConnection, group: GroupFile, roster: Roster | None, planned: Takeover
) -> Takeover:
    """Write all of it. Raises GroupFileError for a known group or a name that differs."""
    if await group_rows.by_name(conn, group.group) is not None:
        raise GroupFileError(
            f"group: {group.group} is here already, started or taken over; nothing was changed"
        )
    seed = group.seed if group.draw else None
    tl_id = await find_or_add_leader(core, conn, group)
    people, players = [], []
    entries = by_number(group, seed) if roster is None else members_of(roster)
    if roster is not None:
        await check_division(conn, group, roster)
    for entry in entries:
        is_new = await person_rows.by_email(conn, entry.email) is None
        people.append(await find_or_add_player(core, conn, entry, group.group, group.start))
        players.append((entry, is_new))
    new = await new_group(core, conn, group, seed, tl_id)
    group_id = await group_rows.add(conn, new, people)
    past = [_past(core, group, game, group_id, people) for game in planned.games]
    await group_rows.keep(conn, past)
    if roster is not None:
        about = (group, group_id, tl_id)
        await keep_division(core, conn, about, roster, people, planned.games)
    await begin_with(core, conn, group, group_id)
    await outbox_rows.enqueue(conn, await _begin(core, conn, group_id))
    await publication_rows.add_publication(conn, _publication(group_id, planned))
    return replace(planned, group_id=group_id, players=tuple(players))


def _past(
    core: Core, group: GroupFile, game: TakenGame, group_id: int, people: Sequence[int]
) -> TakeoverGame:
    """A game for the store: its events under their own days, none later than now."""
    zone, last = ZoneInfo(group.zone), group.start

    def instant(day: date) -> int:
        return min(to_us(datetime.combine(day, NOON, zone)), core.now_us)

    kept: list[TakeoverEvent] = []
    for event in game.events:
        last = day_of(event) or last
        kept.append(TakeoverEvent(event, instant(last)))
    new = replace(
        game.new,
        group_id=group_id,
        white_id=people[game.new.white_id],
        black_id=people[game.new.black_id],
    )
    ended = ended_on(game)
    return TakeoverGame(new, tuple(kept), game.state, None if ended is None else instant(ended))


async def _begin(core: Core, conn: AsyncConnection, group_id: int) -> list[NewOutbox]:
    """Set the due work of each stored game; the statements to both players."""
    poster, letters = poster_of(core), []
    for row in await game_rows.list_group_games(conn, group_id):
        due = due_of(row, row.state())
        await due_rows.replace(conn, row.id, row.seq, due)
        at = (row.seq, row.ply)
        letters += [poster.about_game(TakeoverStatement, row, side, at) for side in Side]
    return letters


def _publication(group_id: int, planned: Takeover) -> NewPublication:
    """The time to object, stored where the desks find it."""
    return NewPublication(
        group_id=group_id,
        kind=PublicationKind.TAKEOVER.value,
        game_id=None,
        day=planned.on.isoformat(),
        objections_until=planned.objections_until.isoformat(),
        prizes_until=None,
        done_us=None,
    )


# The report of a takeover, done or dry-run: players, games, totals, oversteps, warnings.

FINDING = {
    OverstepFinding.OPEN: "nobody has claimed it; it is the opponent's to claim",
    OverstepFinding.CLAIMED: "claimed: the game is lost",
    OverstepFinding.CONTINUED: "both went on: lost for both (§ 6.3.3.4)",
}


def read_takeover_state(account: Account) -> tuple[int, int, int | None]:
    """Both totals, the days on the running move included, and what the mover has left.

    None left: over, or unknown.
    """
    totals = {side: account.state.clock(side).total for side in Side}
    running, live, left = account.running, account.live, None
    if running is not None and live is not None:
        totals[running.by] = live.total
        left = running.limit - live.total
    return totals[Side.WHITE], totals[Side.BLACK], left


def overstep_of(game: TakenGame) -> str | None:
    """An overstep that the record shows, in a line (§ 6.3.3)."""
    found = game.account.overstep
    if found is None:
        return None
    used = f"{found.used} of {found.limit} days on {found.on}"
    return f"overstep by {found.by.value}: {used}; {FINDING[found.finding]}"


def warnings_of(game: TakenGame) -> tuple[str, ...]:
    """What should be looked at before the takeover."""
    return tuple(_warnings(game))


def _warnings(game: TakenGame) -> Iterator[str]:
    statement = game.account
    for warning in statement.warnings:
        yield f"entry {warning.entry}: {warning.code.value}"
    if is_lost_for_both(game):
        yield (
            "its record ends the game 0-0; if it was decided otherwise, enter that as "
            "set_time, resume or result"
        )
    if statement.state.to_move is None:
        return
    if statement.running is None:
        yield "the receipt of the last move is unknown: time runs when it is reported (§ 6.3.1)"
    for booking in statement.state.bookings:
        if isinstance(booking.booked, ev.GamePaused) and booking.booked.last is None:
            reason = booking.booked.reason.value
            yield f"time stands still since {booking.booked.first}: {reason}"


def differing_leave(games: tuple[TakenGame, ...]) -> tuple[str, ...]:
    """Players whose leave is not the same in all their running games (§ 6.3.6)."""
    seen: dict[str, tuple[str, frozenset[ev.LeaveBooked]]] = {}
    out: list[str] = []
    for game in games:
        if game.state.result is not None:
            continue
        for side in Side:
            name = game.source.white if side is Side.WHITE else game.source.black
            leave = _leave(game, side)
            first, known = seen.setdefault(name, (game.name, leave))
            if known != leave:
                out.append(f"the leave of {name} is not the same in {first} and {game.name}")
    return tuple(dict.fromkeys(out))


def _leave(game: TakenGame, side: Side) -> frozenset[ev.LeaveBooked]:
    return frozenset(
        # Both colours of one player are compared, so the colour is left out.
        ev.LeaveBooked(Side.WHITE, one.first, one.last, one.notified, one.leave_type)
        for one in (booking.booked for booking in game.state.bookings)
        if isinstance(one, ev.LeaveBooked)
        and one.by is side
        and one.leave_type is LeaveType.PERSONAL
    )


def report_json(done: Takeover) -> JsonObject:
    """The whole report, for a script."""
    return {
        "group": done.group,
        "dry_run": done.group_id is None,
        "on": done.on.isoformat(),
        "objections_until": done.objections_until.isoformat(),
        "players": [
            {"number": number, "name": one.name, "email": one.email, "is_new": is_new}
            for number, (one, is_new) in enumerate(done.players, 1)
        ],
        "games": [_game_json(game) for game in done.games],
        "warnings": [*differing_leave(done.games)],
        "ignored": [*done.ignored],
    }


def _game_json(game: TakenGame) -> JsonValue:
    (white, black, left), state = read_takeover_state(game.account), game.state
    running = game.account.running
    flag_on = None if running is None else running.flag_on
    to_move = game.account.state.to_move
    return {
        "game": game.name,
        "file": game.source.file,
        "white": game.source.white,
        "black": game.source.black,
        "plies": state.position.ply,
        "totals": {"white": white, "black": black},
        "to_move": None if to_move is None else to_move.value,
        "days_left": left,
        "flag_on": None if flag_on is None else flag_on.isoformat(),
        "result": "*" if state.result is None else state.result.value,
        "overstep": overstep_of(game),
        "warnings": [*warnings_of(game)],
    }


def report_lines(done: Takeover) -> Iterator[str]:
    """The same for people, a line each."""
    made = "would be taken over" if done.group_id is None else "taken over"
    yield f"{done.group}: {len(done.players)} players, {len(done.games)} games, {made} {done.on}"
    for number, (player, is_new) in enumerate(done.players, 1):
        known = "new" if is_new else "known"
        yield f"{number:3}. {player.name} <{player.email}> ({known})"
    for game in done.games:
        yield f"{game.name}: {game.source.white} - {game.source.black}, {_stands(game)}"
        overstep = overstep_of(game)
        for line in (*([] if overstep is None else [overstep]), *warnings_of(game)):
            yield f"  ! {line}"
    for line in differing_leave(done.games):
        yield f"! {line}"
    if done.ignored:
        yield f"! not read: {', '.join(done.ignored)}"
    yield f"Objections until {done.objections_until}."
    if done.group_id is None:
        yield "Nothing was changed."


def _stands(game: TakenGame) -> str:
    (white, black, left), state = read_takeover_state(game.account), game.state
    plies = f"{state.position.ply} plies, {white} and {black} days used"
    if state.result is not None:
        return f"{plies}, {state.result.value}"
    to_move = game.account.state.to_move
    assert to_move is not None
    return f"{plies}, {to_move.value} to move{'' if left is None else f', {left} days left'}"
