"""The league's part of a group file: who is on which team, checked against the rules (§ 6.7).

Reading: the club decides the order of its line-up; where ratings disagree the leader is notified,
and changes it in plain cases only (§ 6.7.2.1). Anything else that § 6.7.2-6.7.3 forbids stops the
start. Not for starting the division (start.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kskak.league.division import teams_of_individuals
from kskak.league.lineup import (
    PARAGRAPH,
    BoardPlayer,
    Finding,
    Lineup,
    LineupFault,
    lineup_findings,
)
from kskak.league.teams import provisional_rating
from kskak.regulation.tournament_numbers import LEAGUE
from mail.incoming.address import normal_address
from server.usecases.groups.group_file import (
    GroupFile,
    GroupFileError,
    PlayerEntry,
    ReserveEntry,
    TeamEntry,
)

LOWEST_DIVISION = 3
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
    return Squad(team.club, captain, players, is_individual=False, reserves=team.reserves)


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


def _seat(player: PlayerEntry, club: str) -> BoardPlayer:
    return BoardPlayer(player.email, player.club or club, rating_of(player), player.two_clubs)


def lineup_of(squad: Squad, division: int, group: str) -> Lineup:
    """A team as the checks see it; for individual members the district counts as the club."""
    seats = tuple(
        BoardPlayer(p.email, squad.club, rating_of(p), p.two_clubs)
        if squad.is_individual
        else _seat(p, squad.club)
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
    division = file.division or LOWEST_DIVISION
    ours = [lineup_of(squad, division, file.group) for squad in teams]
    found = lineup_findings([*others, *ours])
    new = [one for one in found if one.team >= len(others)]
    stops = [one for one in new if one.fault is not LineupFault.BOARD_ORDER]
    if stops:
        raise GroupFileError(_told(stops[0], teams, len(others)))
    notes = tuple(_told(one, teams, len(others)) for one in new)
    left = tuple(
        f"{s.club}: waiting: {', '.join(s.waiting)} (§ 6.7.4.1)" for s in teams if s.waiting
    )
    return (*notes, *left)


def _told(finding: Finding, teams: Sequence[Squad], others: int) -> str:
    number = finding.team - others
    who = f": {', '.join(finding.players)}" if finding.players else ""
    said = f"{_SAID[finding.fault]} (§ {PARAGRAPH[finding.fault]})"
    return f"teams.{number + 1}: {teams[number].club}{who}: {said}"
