"""Teams of the league: divisions, line-ups, reserves and a club's entry (§ 6.7.2-6.7.4)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType

from kskak.groups.schedule import Pairing, Schedule, round_robin
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import EMAIL, LEAGUE
from kskak.values import RuleName

# Line-ups of the league: boards in rating order, who may be on which team (§ 6.7.2-6.7.3).

DIVISION_TEAMS = (1, 2)


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """A player on a board: his K-rating, final or provisional, and his club at the entry.

    ``may_play_for_two`` is the leader's dispensation to play for more than one club.
    """

    player: str
    club: str
    rating: int
    may_play_for_two: bool = False


@dataclass(frozen=True, slots=True)
class Lineup:
    """A team: ``boards`` from 1; a main district's individual members count as a club.

    ``is_beside_own``: in the division beside the club's own team, by a dispensation (§ 6.7.3.3).
    """

    club: str
    division: int
    boards: tuple[BoardPlayer, ...]
    group: str | None = None
    order_by_leader: bool = False
    is_beside_own: bool = False


class LineupFault(RuleName):
    """What is wrong with a line-up."""

    PLAYERS = "players", "6.7.2.1"
    BOARD_ORDER = "board_order", "6.7.2.1"
    OTHER_CLUB = "other_club", "6.7.3.2"
    TWO_CLUBS = "two_clubs", "6.7.3.2"
    TWO_DIVISION_TEAMS = "two_division_teams", "6.7.3.2"
    TWICE_IN_DIVISION = "twice_in_division", "6.7.2.3"
    TWO_TEAMS_OF_CLUB = "two_teams_of_club", "6.7.3.3"


@dataclass(frozen=True, slots=True)
class LineupFinding:
    """A fault of the team at an index, and the players it concerns."""

    team: int
    fault: LineupFault
    players: tuple[str, ...] = ()


def lineup_findings(teams: Sequence[Lineup]) -> tuple[LineupFinding, ...]:
    """All breaches of § 6.7.2 and § 6.7.3 in the line-ups of a whole league."""
    found: list[LineupFinding] = []
    for index, team in enumerate(teams):
        found += _check_single_team(index, team)
        for other in teams[:index]:
            found += _check_team_pair(index, team, other)
    return tuple(found)


def boards_out_of_order(team: Lineup) -> tuple[int, ...]:
    """The boards whose player has a higher rating than the one above (§ 6.7.2.1)."""
    pairs = enumerate(pairwise(team.boards), 2)
    return tuple(board for board, (upper, lower) in pairs if lower.rating > upper.rating)


def _check_single_team(index: int, team: Lineup) -> Iterator[LineupFinding]:
    """§ 6.7.2.1 (four boards in order of strength), § 6.7.3.2 (all of the club)."""
    names = tuple(player.player for player in team.boards)
    if len(names) != LEAGUE.boards or len(set(names)) != len(names):
        yield LineupFinding(index, LineupFault.PLAYERS, names)
    crooked = () if team.order_by_leader else boards_out_of_order(team)
    if crooked:
        yield LineupFinding(index, LineupFault.BOARD_ORDER, tuple(names[b - 1] for b in crooked))
    strangers = tuple(player.player for player in team.boards if player.club != team.club)
    if strangers:
        yield LineupFinding(index, LineupFault.OTHER_CLUB, strangers)


def _check_team_pair(index: int, team: Lineup, other: Lineup) -> Iterator[LineupFinding]:
    """§ 6.7.3.2 and § 6.7.3.3: what a team may not share with an earlier one."""
    same_group = (team.division, team.group) == (other.division, other.group)
    if team.club == other.club and same_group and not team.is_beside_own:
        yield LineupFinding(index, LineupFault.TWO_TEAMS_OF_CLUB)
    there = {player.player for player in other.boards}
    shared = tuple(player for player in team.boards if player.player in there)
    names = tuple(player.player for player in shared)
    if not shared:
        return
    if same_group:
        yield LineupFinding(index, LineupFault.TWICE_IN_DIVISION, names)
    elif team.division in DIVISION_TEAMS and other.division in DIVISION_TEAMS:
        yield LineupFinding(index, LineupFault.TWO_DIVISION_TEAMS, names)
    refused = tuple(player.player for player in shared if not player.may_play_for_two)
    if team.club != other.club and refused:
        yield LineupFinding(index, LineupFault.TWO_CLUBS, refused)


# A division of the league: numbers by lot, colours board by board, its letters, district teams.

START_MONTH, START_DAY = 1, 10
"""The league starts about this day: § 6.7.1.2."""


def board_schedules(teams: int) -> tuple[Schedule, ...]:
    """The schedule of each board from 1, by the teams' numbers (§ 6.7.4.2).

    ValueError for fewer than two teams.
    """
    odd = round_robin(teams)
    even = Schedule(
        odd.players,
        tuple(tuple(Pairing(game.black, game.white) for game in games) for games in odd.rounds),
        odd.byes,
    )
    return tuple(odd if board % 2 else even for board in range(1, LEAGUE.boards + 1))


def usual_start(year: int) -> date:
    """About when the league of a year starts (§ 6.7.1.2)."""
    return date(year, START_MONTH, START_DAY)


def letters_due(start: date) -> date:
    """The day by which schedule and line-ups go to the captains (§ 6.7.4.2)."""
    return start - timedelta(days=LEAGUE.letters_days)


def teams_of_individuals(
    members: Sequence[BoardPlayer],
) -> tuple[tuple[tuple[BoardPlayer, ...], ...], tuple[BoardPlayer, ...]]:
    """Teams of a main district's individual members, and who is left over (§ 6.7.4.1).

    A proposal: the leader makes the teams and names each captain. ValueError for members of
    several clubs or districts, which no team may mix (§ 6.7.3.1, § 6.7.3.2).
    """
    if len({player.club for player in members}) > 1:
        raise ValueError("one team, one club or district (§ 6.7.3.2)")
    ranked = sorted(members, key=lambda player: -player.rating)
    full = len(ranked) // LEAGUE.boards * LEAGUE.boards
    teams = [tuple(ranked[at : at + LEAGUE.boards]) for at in range(0, full, LEAGUE.boards)]
    return tuple(teams), tuple(ranked[full:])


# Reserves of a league team, and the pause that goes with one (§ 6.7.4.3).

STRONGER_BY = 100
"""How many rating points stronger a reserve may be, unless the leader sets another number."""


class ReserveFault(RuleName):
    """Why a reserve can't play, or not yet."""

    TOO_MANY = "too_many", "6.7.4.3"
    TOO_STRONG = "too_strong", "6.7.4.3"
    NOT_APPROVED = "not_approved", "6.7.4.3"
    ON_THE_TEAM = "on_the_team", "6.7.4.3"
    ON_ANOTHER_TEAM = "on_another_team", "6.7.3.2"
    OTHER_CLUB = "other_club", "6.7.3.2"
    NOT_IN_REGISTER = "not_in_register", "6.7.3.2"
    OTHER_RATING = "other_rating", "6.7.4.3"
    NO_RATING = "no_rating", "6.7.4.3"
    PAUSE_USED = "pause_used", "6.7.4.3"
    BARRED = "barred", "6.4.2"
    MEMBERS_ONLY = "members_only", "6.1"
    LEAVING = "leaving", "6.2.8"


BY_LEAVE = frozenset({ReserveFault.OTHER_CLUB, ReserveFault.NOT_IN_REGISTER, ReserveFault.LEAVING})
"""What the leader may overlook to let a reserve play, giving a reason (§ 6.7.3.2)."""


@dataclass(frozen=True, slots=True)
class ReserveRecord:
    """What is known here of a person (§ 6.7.3.2, § 6.7.6.2).

    ``club`` is their club or, for an individual member, their main district; None: none. The
    ratings are those in force. ``is_member``: a member now, according to the register.
    """

    is_member: bool
    club: str | None
    k_rating: int | None
    otb_rating: int | None

    @property
    def strength(self) -> int | None:
        """The K-rating, or else the over-the-board rating (§ 6.7.6.2)."""
        return self.k_rating if self.k_rating is not None else self.otb_rating


@dataclass(frozen=True, slots=True)
class ReserveStatement:
    """What a captain says of a reserve; None where it is left to the register."""

    club: str | None
    rating: int | None


def determine_club(stated: ReserveStatement, known: ReserveRecord | None, team: str) -> str:
    """The club that counts for a reserve (§ 6.7.3.2): the register's for its members, "" for none.

    For a non-member what is known here, else what the captain says, else the team's.
    """
    if known is not None and known.is_member:
        return known.club or ""
    return (known.club if known is not None else None) or stated.club or team


def against_register(
    stated: ReserveStatement, known: ReserveRecord | None
) -> tuple[ReserveFault, ...]:
    """What in the register contradicts what is said of a reserve (§ 6.7.3.2, § 6.7.4.3).

    ``known`` None: nobody here has that address. The club is checked by ``reserve_faults``.
    """
    strength = None if known is None else known.strength
    checks = {
        ReserveFault.NOT_IN_REGISTER: known is None or not known.is_member,
        ReserveFault.OTHER_RATING: None not in (stated.rating, strength)
        and stated.rating != strength,
        ReserveFault.NO_RATING: stated.rating is None and strength is None,
    }
    return tuple(fault for fault, stands in checks.items() if stands)


def left_to_pause(used: Iterable[tuple[date, date]], on: date) -> int:
    """Days of pause left on a day for a board's change, after those ``used`` (first, last day).

    § 6.7.4.3: 14 in all, each day once; only the days before ``on`` are used up.
    """
    rested = {first + ONE_DAY * n for first, last in used for n in range((last - first).days + 1)}
    return max(EMAIL.reserve_pause_days - sum(day < on for day in rested), 0)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Who is to take over the running games of a board (from 1), and on which day."""

    board: int
    reserve: str
    club: str
    rating: int
    on: date
    approved: date | None = None


def reserve_faults(
    team: Lineup,
    wanted: Replacement,
    used: int,
    others: Collection[Lineup] = (),
    stronger_by: int = STRONGER_BY,
) -> tuple[ReserveFault, ...]:
    """What stands against a reserve (§ 6.7.4.3); ``used`` counts the team's reserves so far.

    ``others`` are the league's other teams. ValueError for a board the team does not have.
    """
    if not 1 <= wanted.board <= len(team.boards):
        raise ValueError(f"there is no board {wanted.board}")
    replaced = team.boards[wanted.board - 1]
    checks = {
        ReserveFault.TOO_MANY: used >= LEAGUE.reserves,
        ReserveFault.TOO_STRONG: wanted.rating > replaced.rating + stronger_by,
        ReserveFault.NOT_APPROVED: wanted.approved is None or wanted.approved > wanted.on,
        ReserveFault.ON_THE_TEAM: any(wanted.reserve == row.player for row in team.boards),
        ReserveFault.ON_ANOTHER_TEAM: any(_clashes(team, wanted, other) for other in others),
        ReserveFault.OTHER_CLUB: wanted.club != team.club,
    }
    return tuple(fault for fault, stands in checks.items() if stands)


def _clashes(team: Lineup, wanted: Replacement, other: Lineup) -> bool:
    """Whether the reserve is on another team, and may not be on both (§ 6.7.3.2)."""
    if all(wanted.reserve != row.player for row in other.boards):
        return False
    same_group = (team.division, team.group) == (other.division, other.group)
    both_divisions = team.division in DIVISION_TEAMS and other.division in DIVISION_TEAMS
    return same_group or both_divisions


def longest_pause(first: date, left: int = EMAIL.reserve_pause_days) -> tuple[date, date]:
    """The first and last day of the longest pause that begins on a day: 14 days (§ 6.7.4.3).

    ``left`` days where the same change has used some already (left_to_pause); at least one.
    """
    return first, first + ONE_DAY * (left - 1)


# A club's team entry to the league, and what stands in its way (§ 6.7.3, § 6.7.4.1).

NEW_TEAMS = 3
"""The division that a team new to the league is assumed to get (§ 6.7.5.1)."""


class TeamEntryFault(RuleName):
    """What a team entry lacks, or why it is refused."""

    NO_FEE = "no_fee", "6.4.4.1"
    LATE = "late", "6.7.4.2"
    CLOSED = "closed", "6.7.4.1"
    NO_CLUB = "no_club", "6.7.3.1"
    CAPTAIN_LEADS = "captain_leads", "6.7.2.2"
    PLAYERS = "players", "6.7.2.1"
    OTHER_CLUB = "other_club", "6.7.3.2"
    TWO_CLUBS = "two_clubs", "6.7.3.2"
    TWO_DIVISION_TEAMS = "two_division_teams", "6.7.3.2"
    TWO_TEAMS_OF_CLUB = "two_teams_of_club", "6.7.3.3"
    NOT_ITS_TEAM = "not_its_team", "6.7.5.1"
    QUARANTINED = "quarantined", "6.4.2"
    MEMBERS_ONLY = "members_only", "6.1"
    LEAVING = "leaving", "6.2.8"
    OVER = "over", "6.7.4.1"


_NAMES = {fault.value: fault for fault in TeamEntryFault}
_OF_LINEUP = {fault: same for fault in LineupFault if (same := _NAMES.get(fault.value))}
"""What is judged of a line-up at entry; the rest waits until the groups are known."""
assert all(one.paragraph == same.paragraph for one, same in _OF_LINEUP.items())


@dataclass(frozen=True, slots=True)
class LastTeam:
    """The team of the last league that comes back: its division and its group there."""

    division: int
    group: str


@dataclass(frozen=True, slots=True)
class EnteredTeam:
    """A team as entered; ``number`` tells it from others, ``last`` None: a new team.

    A player's ``club`` is that of their membership on the day, or their main district.
    """

    number: int
    club: str
    boards: tuple[BoardPlayer, ...]
    last: LastTeam | None = None

    @property
    def lineup(self) -> Lineup:
        """As the checks of the league see it before the divisions are composed (reading)."""
        division = NEW_TEAMS if self.last is None else self.last.division
        group = f"new {self.number}" if self.last is None else self.last.group
        return Lineup(club_key(self.club), division, self.boards, group)


@dataclass(frozen=True, slots=True)
class TeamPapers:
    """When the entry came in, its deadline, and when the leader got the fee (§ 6.4.4.1).

    ``asks``: the club asks the leader to permit playing for two clubs (§ 6.7.3.2).
    """

    entered: date
    deadline: date | None
    fee: date | None
    asks: bool = False


@dataclass(frozen=True, slots=True)
class TeamFinding:
    """A fault and the players it concerns."""

    fault: TeamEntryFault
    players: tuple[str, ...] = ()

    @property
    def paragraph(self) -> str:
        return self.fault.paragraph


def club_key(club: str | None) -> str:
    """A club, however its name is written; empty for none (§ 6.7.3.3)."""
    return " ".join((club or "").split()).casefold()


def is_team_of(team: str, club: str | None) -> bool:
    """Whether a team bears a club's name, alone or with the number of its second: «Nord 2»."""
    name, own = club_key(team), club_key(club)
    return bool(own) and (name == own or name in {f"{own} {number}" for number in range(2, 10)})


def has_club_ended(team: str, ended: Iterable[str]) -> bool:
    """Whether a team's club is among those that are no more: the team can't enter again."""
    return any(is_team_of(team, club) for club in ended)


def player_of_club(player: str, club: str | None, rating: int, *, may: bool = False) -> BoardPlayer:
    """A player as these checks compare them; ``may``: the leader's permission (§ 6.7.3.2)."""
    return BoardPlayer(player, club_key(club), rating, may)


def team_findings(
    team: EnteredTeam,
    before: Sequence[EnteredTeam],
    papers: TeamPapers,
    barred: Mapping[str, TeamEntryFault] = MappingProxyType({}),
) -> tuple[TeamFinding, ...]:
    """What stands against a team entry on the day it is made (§ 6.7.2-6.7.4).

    ``before``: the season's earlier entries that count; ``barred``: for whom nothing may begin.
    """
    found: list[TeamFinding] = []
    if papers.fee is None:
        found.append(TeamFinding(TeamEntryFault.NO_FEE))
    if papers.deadline is not None and papers.entered > papers.deadline:
        found.append(TeamFinding(TeamEntryFault.LATE))
    lineups = [*(other.lineup for other in before), team.lineup]
    merged: dict[TeamEntryFault, tuple[str, ...]] = {}
    for one in lineup_findings(lineups):
        fault = _OF_LINEUP.get(one.fault)
        if fault is not None and one.team == len(before):
            merged[fault] = tuple(dict.fromkeys((*merged.get(fault, ()), *one.players)))
    for row in team.boards:
        why = barred.get(row.player)
        if why and not (why is TeamEntryFault.LEAVING and row.may_play_for_two):
            merged[why] = (*merged.get(why, ()), row.player)
    found += [TeamFinding(fault, players) for fault, players in merged.items()]
    return tuple(found)


def select_refusing_findings(
    findings: Sequence[TeamFinding], papers: TeamPapers
) -> tuple[TeamFinding, ...]:
    """Those that neither a fee, the leader's word nor the permission asked for can mend (§ 6.4.4.1,
    § 6.2.8, § 6.7.3.2)."""
    mended = {TeamEntryFault.NO_FEE, TeamEntryFault.LEAVING}
    mended |= {TeamEntryFault.TWO_CLUBS} if papers.asks else set()
    return tuple(one for one in findings if one.fault not in mended)


def crooked_boards(team: EnteredTeam) -> tuple[int, ...]:
    """The boards out of rating order, for the leader to look at (§ 6.7.2.1)."""
    return boards_out_of_order(team.lineup)


class Comeback(StrEnum):
    """What a club does in the next season."""

    BACK = "back"
    NEW = "new"
    LEFT = "left"
