"""Team entries to the league, one function per paragraph (§ 6.7.2-6.7.4, § 6.4.4.1, § 6.4.2)."""

from dataclasses import replace
from datetime import date, timedelta

from kskak.league.lineups import (
    EnteredTeam,
    LastTeam,
    TeamEntryFault,
    TeamFinding,
    TeamPapers,
    crooked_boards,
    player_of_club,
    select_refusing_findings,
    team_findings,
)

DEADLINE = date(2027, 12, 13)
PAPERS = TeamPapers(date(2027, 11, 1), DEADLINE, date(2027, 11, 2))
RATINGS = (2000, 1900, 1800, 1700)


def team(
    number: int, club: str, names: str = "abcd", last: LastTeam | None = None, **more: object
) -> EnteredTeam:
    clubs = more.get("clubs", [club] * 4)
    boards = tuple(
        player_of_club(name, own, rating, may=name in str(more.get("leave", "")))
        for name, own, rating in zip(names, clubs, more.get("ratings", RATINGS), strict=False)  # type: ignore[call-overload]
    )
    return EnteredTeam(number, club, boards, last)


def faults(
    own: EnteredTeam, *before: EnteredTeam, papers: TeamPapers = PAPERS
) -> list[TeamEntryFault]:
    return [one.fault for one in team_findings(own, before, papers)]


def test_a_team_is_four_different_players() -> None:
    """§ 6.7.2.1."""
    assert faults(team(1, "Nord")) == []
    assert faults(team(1, "Nord", "abc")) == [TeamEntryFault.PLAYERS]
    assert faults(team(1, "Nord", "abca")) == [TeamEntryFault.PLAYERS]


def test_the_clubs_order_stands_and_the_leader_is_told() -> None:
    """§ 6.7.2.1: who is stronger below is no fault of the entry."""
    crooked = team(1, "Nord", ratings=(2000, 1800, 1900, 1700))
    assert faults(crooked) == []
    assert crooked_boards(crooked) == (3,)
    assert crooked_boards(team(1, "Nord")) == ()


def test_all_players_are_members_of_the_club_on_the_day() -> None:
    """§ 6.7.3.2: one of another club, one of none; a name's writing does not matter."""
    mixed = team(1, "Nord", clubs=["Nord", " nord ", "Syd", None])
    assert team_findings(mixed, (), PAPERS) == (TeamFinding(TeamEntryFault.OTHER_CLUB, ("c", "d")),)


def test_nobody_plays_for_two_clubs_without_the_leaders_leave() -> None:
    """§ 6.7.3.2: the later entry is refused, waits where leave is asked, stands with leave."""
    first, own = team(1, "Nord", "abcd"), team(2, "Syd", "defg")
    found = team_findings(own, [first], PAPERS)
    assert found == (TeamFinding(TeamEntryFault.TWO_CLUBS, ("d",)),)
    assert select_refusing_findings(found, PAPERS) == found
    assert select_refusing_findings(found, replace(PAPERS, asks=True)) == ()
    assert faults(team(2, "Syd", "defg", leave="d"), first) == []


def test_a_player_is_on_one_team_of_the_two_upper_divisions() -> None:
    """§ 6.7.3.2: 1st and 2nd not at once; a team of the 3rd beside it, or two of them, are."""
    first = team(1, "Nord", "abcd", LastTeam(1, "DIV-1"))
    second = team(2, "Nord", "aefg", LastTeam(2, "DIV-2"))
    assert team_findings(second, [first], PAPERS) == (
        TeamFinding(TeamEntryFault.TWO_DIVISION_TEAMS, ("a",)),
    )
    assert faults(team(2, "Nord", "aefg", LastTeam(3, "DIV-3")), first) == []
    assert faults(team(3, "Nord", "aefg"), team(2, "Nord", "abcd")) == []


def test_a_club_has_one_team_in_each_division() -> None:
    """§ 6.7.3.3: the same team of last season once; one of each division, and new ones."""
    first = team(1, "Nord", "abcd", LastTeam(1, "DIV-1"))
    assert faults(team(2, "NORD", "efgh", LastTeam(1, "DIV-1")), first) == [
        TeamEntryFault.TWO_TEAMS_OF_CLUB
    ]
    assert faults(team(2, "Nord", "efgh", LastTeam(2, "DIV-2")), first) == []
    assert faults(team(2, "Syd", "efgh", LastTeam(1, "DIV-1")), first) == []
    assert faults(team(3, "Nord", "efgh"), first, team(2, "Nord", "ijkl")) == []


def test_the_deadlines_day_is_the_last_one() -> None:
    """§ 6.7.4.2, boundary on both sides; called off there is none."""
    on_it = replace(PAPERS, entered=DEADLINE)
    late = replace(PAPERS, entered=DEADLINE + timedelta(days=1))
    assert faults(team(1, "Nord"), papers=on_it) == []
    assert faults(team(1, "Nord"), papers=late) == [TeamEntryFault.LATE]
    assert faults(team(1, "Nord"), papers=replace(late, deadline=None)) == []


def test_the_entry_is_valid_with_the_fee_only() -> None:
    """§ 6.4.4.1, by § 6.7.4.1: without it the entry waits, it is not refused."""
    unpaid = replace(PAPERS, fee=None)
    found = team_findings(team(1, "Nord"), (), unpaid)
    assert found == (TeamFinding(TeamEntryFault.NO_FEE),)
    assert select_refusing_findings(found, unpaid) == ()


def test_who_is_in_quarantine_is_not_entered() -> None:
    """§ 6.4.2: it is said of whom."""
    found = team_findings(
        team(1, "Nord"), (), PAPERS, dict.fromkeys("bx", TeamEntryFault.QUARANTINED)
    )
    assert found == (TeamFinding(TeamEntryFault.QUARANTINED, ("b",)),)
    assert select_refusing_findings(found, PAPERS) == found
