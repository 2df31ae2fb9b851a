"""One of every letter of the league: schedule, each word about a team."""

from datetime import date

from kskak.league.team_entry import TeamFault, TeamFinding
from mail.office_letters import league_facts as ll
from mail.samples.cast import BLACK, LEADER, WHITE

_DIVISION = ll.DivisionFacts(
    "DIV-1", "Danmarksturneringen 2027", LEADER, "Europe/Copenhagen",
    "https://skak.example.org/league/DIV-1",
)  # fmt: skip
_VALUES: dict[str, str | int | date] = {
    "board": 2,
    "reserve": "Rosa Reserve",
    "replaced": WHITE.name,
    "rating": 1950,
    "replaced_rating": 1900,
    "games": "DIV-1/2, DIV-1/6",
    "first": date(2027, 2, 1),
    "last": date(2027, 2, 14),
    "players": "Anna, Bo, Carl, Dorte",
    "captain": BLACK.name,
    "game": "DIV-1/2",
    "white": WHITE.name,
    "black": BLACK.name,
    "result": "1-0",
    "seed": "abc123",
    "clubs": "Nord, Syd",
}


def _schedule(own: bool) -> ll.DivisionSchedule:
    players = (("Anna", 2000), ("Bo", 1900), ("Carl", 1800), ("Dorte", 1700))
    teams = tuple(
        ll.TeamLine(number, club, LEADER, players)
        for number, club in enumerate(("Nordre Skakklub", "Sydhavnens lange klubnavn af 1912"), 1)
    )
    pairing = ll.PairingLine(1, teams[1].club, (True, False, True, False))
    return ll.DivisionSchedule(
        BLACK.name,
        _DIVISION,
        date(2027, 1, 10),
        teams,
        teams[0].club if own else None,
        (pairing,) if own else (),
        (((teams[0].club, teams[1].club),),),
    )


def _entry(news: ll.TeamNews) -> ll.TeamEntryLetter:
    """A team entry that lacks the fee and a leave; refused it says why."""
    ended = news in (ll.TeamNews.REFUSED, ll.TeamNews.WITHDRAWN)
    lacks = (TeamFinding(TeamFault.NO_FEE), TeamFinding(TeamFault.TWO_CLUBS, (WHITE.name,)))
    return ll.TeamEntryLetter(
        reader=BLACK.name,
        club="Nordre Skakklub",
        season=2028,
        tournament="Danmarksturneringen",
        news=news,
        day=date(2027, 11, 1),
        is_valid=news in (ll.TeamNews.FEE, ll.TeamNews.VALID),
        players=((WHITE.name, 2000), ("Bo", 1900), ("Carl", 1800), ("Dorte", 1700)),
        captain=WHITE.name,
        leader=LEADER,
        zone="Europe/Copenhagen",
        url="https://skak.example.org/team-entry",
        findings=lacks if news is ll.TeamNews.ENTERED else (),
        fee=40_000,
        paragraph="6.7.3.2" if ended else "",
        reason="Spilleren er ikke medlem." if ended else "",
    )


def league_letters() -> dict[str, ll.LeagueLetter]:
    """Every letter of the league by a name of its own."""
    desk = "https://skak.example.org/captain"
    words = {
        f"league_{word.value}": ll.LeagueNotice(
            BLACK.name, _DIVISION, "Nordre Skakklub", word, _VALUES, "Han er syg.", desk
        )
        for word in ll.LeagueWord
    }
    entries = {f"team_{news.value}": _entry(news) for news in ll.TeamNews}
    return (
        words
        | entries
        | {
            "league_schedule": _schedule(own=True),
            "league_schedule_leader": _schedule(own=False),
        }
    )
