"""The letters of the league in words: schedule, reserves, pauses, reports (§ 6.7).

NOT for letters about one game, which are the same as in every group.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Self

from kskak.league.lineups import TeamEntryFault, TeamFinding
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    GroupLetter,
    LeaderFootLetter,
    letter,
    plain,
    quote_person,
)
from mail.office_letters.case_letters import money
from mail.office_letters.entry_letters import (
    write_payment_line,
    write_reason,
    write_season_days,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.letter_facts import LedGroup, OfficialContact

# Letters of the league: the schedule to the captains, what happens to a team (§ 6.7).


class LeagueWord(StrEnum):
    """What a letter about a team says."""

    RESERVE_ASKED = "reserve_asked"
    RESERVE_IN = "reserve_in"
    RESERVE_REFUSED = "reserve_refused"
    PAUSED = "paused"
    RESUMED = "resumed"
    ORDER = "order"
    CAPTAIN = "captain"
    REPORTED = "reported"
    LOTS = "lots"
    CLUB_ENDED = "club_ended"
    PLAYER_DIED = "player_died"
    CLUB_MERGED = "club_merged"


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """What is known about a reserve (§ 6.7.3.2): from the register, or here if not a member."""

    is_member: bool
    club: str | None
    k_rating: int | None
    otb_rating: int | None


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team in the schedule: number, club, captain with address, players with ratings."""

    number: int
    club: str
    captain: OfficialContact
    players: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PairingLine:
    """A match of the reader's team: round, opponents, the colour on each board."""

    round: int
    opponents: str
    is_white: tuple[bool, ...]


def _seats(players: tuple[tuple[str, int], ...], words: Words) -> b.Bullets:
    """A line-up in board order."""
    return b.Bullets(
        tuple(
            words("league.seat", board=board, name=plain(name), rating=rating)
            for board, (name, rating) in enumerate(players, 1)
        )
    )


# Letters of the league in words: what happens to a team, the schedule (§ 6.7).

_WIDTH = 30
_DIVISION = LedGroup(
    *("DIV-1", "Danmarksturneringen 2027", cast.LEADER, cast.ZONE),
    f"{cast.SITE}/league/DIV-1",
)
_CLUBS = ("Nordre Skakklub", "Sydhavnens lange klubnavn af 1912")


@dataclass(frozen=True, slots=True)
class _DivisionLetter(GroupLetter):
    """About a division."""

    def subject(self, words: Words) -> str:
        named = {"group": plain(self.group.name), "tournament": plain(self.group.tournament)}
        return words("league.subject", **named)


@letter("league")
class LeagueNotice(_DivisionLetter):
    """What happened to a team. ``values`` fill the sentence's placeholders; days are dates.

    ``entered``: about a requested reserve, so that it is not only the captain's word.
    """

    club: str
    word: LeagueWord
    values: dict[str, str | int | date]
    text: str = ""
    desk_url: str | None = None
    entered: EnteredLine | None = None

    def _named(self, words: Words) -> dict[str, str]:
        named = {name: _write_value(value, words) for name, value in self.values.items()}
        return named | {"club": plain(self.club), "group": plain(self.group.name)}

    def lead(self, words: Words) -> str:
        return words(f"league.word.{self.word.value}", **self._named(words))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        more = f"league.more.{self.word.value}"
        if more in words:
            yield words(more, **self._named(words))
        if self.entered is not None:
            yield entered_text(self.entered, words)
        if self.text:
            yield b.Quote(quote_person(self.text))
        if self.desk_url is not None:
            yield b.LinkLine(words("league.desk_link"), self.desk_url)
        yield b.LinkLine(words("league.link"), self.group.url, is_second=True)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        days = {"first": date(2027, 2, 1), "last": date(2027, 2, 14)}
        names = {"replaced": cast.WHITE.name, "captain": cast.BLACK.name, "reserve": "Rosa Reserve"}
        game = {"white": cast.WHITE.name, "black": cast.BLACK.name, "result": "1-0"}
        values: dict[str, str | int | date] = {
            **days, **names, **game, "board": 2, "rating": 1950, "replaced_rating": 1900,
            "games": "DIV-1/2, DIV-1/6", "game": "DIV-1/2", "players": "Anna, Bo, Carl, Dorte",
            "seed": "abc123", "clubs": "Nord, Syd",
        }  # fmt: skip
        of, desk = (cast.BLACK.name, _DIVISION, _CLUBS[0]), f"{cast.SITE}/captain"
        return {
            f"league_{word.value}": cls(*of, word, values, "Han er syg.", desk)
            for word in LeagueWord
        }


def _write_value(value: str | int | date, words: Words) -> str:
    if isinstance(value, date):
        return words.day(value)
    return plain(value) if isinstance(value, str) else str(value)


def entered_text(entered: EnteredLine, words: Words) -> str:
    """What register and server know about a reserve (§ 6.7.3.2); used by letter and desk."""
    is_nobody = not entered.is_member and entered.club is None
    if is_nobody and entered.k_rating is None and entered.otb_rating is None:
        return words("league.entered.none")

    def number(rating: int | None) -> str:
        return words("league.entered.no_number") if rating is None else str(rating)

    return words(
        f"league.entered.{'member' if entered.is_member else 'known'}",
        club=plain(entered.club or "") or words("league.entered.no_club"),
        k=number(entered.k_rating),
        otb=number(entered.otb_rating),
    )


@letter("league_schedule")
class DivisionSchedule(_DivisionLetter):
    """To captains and leader: line-ups, and who has which colour (§ 6.7.4.2).

    ``own`` are the matches of the reader's team; empty for the leader.
    """

    start: date
    teams: tuple[TeamLine, ...]
    own_club: str | None
    own: tuple[PairingLine, ...]
    rounds: tuple[tuple[tuple[str, str], ...], ...]

    def lead(self, words: Words) -> str:
        return words("league.schedule", group=plain(self.group.name), day=words.day(self.start))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.own_club is not None:
            yield words("league.captain_duty", club=plain(self.own_club))
            yield b.Heading(words("league.own", club=plain(self.own_club)))
            yield b.FixedLines("\n".join(self._own_lines(words)))
        yield b.Heading(words("league.lineups"))
        for team in self.teams:
            captain = {"captain": plain(team.captain.name), "email": team.captain.email}
            yield words("league.team", number=team.number, club=plain(team.club), **captain)
            yield _seats(team.players, words)
        yield b.Heading(words("league.rounds"))
        yield b.SmallPrint(words("league.rounds_hint"))
        rounds = (
            "; ".join(f"{plain(white)} – {plain(black)}" for white, black in pairs)
            for pairs in self.rounds
        )
        yield b.Bullets(
            tuple(words("league.round", n=n, matches=said) for n, said in enumerate(rounds, 1))
        )
        yield b.LinkLine(words("league.link"), self.group.url)

    def _own_lines(self, words: Words) -> Iterator[str]:
        """One line per round: the opponents and the colour on each board."""
        white, black = words("league.white"), words("league.black")
        yield f"{'':3} {'':{_WIDTH}} " + "  ".join(f"{board}." for board in range(1, 5))
        for pairing in self.own:
            colours = "   ".join(white if is_white else black for is_white in pairing.is_white)
            name = plain(pairing.opponents)[:_WIDTH]
            yield f"{pairing.round:2}. {name:{_WIDTH}} {colours}"

    @classmethod
    def samples(cls) -> dict[str, Self]:
        players = (("Anna", 2000), ("Bo", 1900), ("Carl", 1800), ("Dorte", 1700))
        teams = tuple(TeamLine(n, club, cast.LEADER, players) for n, club in enumerate(_CLUBS, 1))
        own = (PairingLine(1, _CLUBS[1], (True, False, True, False)),)
        told, rounds = (cast.BLACK.name, _DIVISION, date(2027, 1, 10), teams), ((_CLUBS,),)
        return {
            "league_schedule": cls(*told, _CLUBS[0], own, rounds),
            "league_schedule_leader": cls(*told, None, (), rounds),
        }


# Letters about a team entry, and the lines shared by page and letter (§ 6.7.4.1).


def finding_text(one: TeamFinding, words: Words) -> str:
    """A fault of a team entry with the players it concerns and its paragraph."""
    who = f" {', '.join(plain(name) for name in one.players)}." if one.players else ""
    return f"{words(f'teams.fault.{one.fault.value}')} (§ {one.paragraph}).{who}"


class TeamNews(StrEnum):
    """What happened to a team entry (§ 6.7.4.1)."""

    ENTERED = "entered"
    FEE = "fee"
    LEAVE = "leave"
    LINEUP = "lineup"
    VALID = "valid"
    WAITS = "waits"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    UNPAID = "unpaid"


@letter("team_entry")
class TeamEntryLetter(LeaderFootLetter):
    """To captain and club: what happened to a team entry, and what it lacks.

    ``players`` in board order, with the ratings the composition will use; ``fee`` in øre.
    """

    club: str
    season: int
    tournament: str
    news: TeamNews
    day: date
    is_valid: bool
    players: tuple[tuple[str, int], ...]
    captain: str
    url: str
    findings: tuple[TeamFinding, ...] = ()
    fee: int | None = None
    paragraph: str = ""
    reason: str = ""
    how_to_pay: str = ""
    start: date | None = None
    deadline: date | None = None
    is_paid: bool = False

    def subject(self, words: Words) -> str:
        named = {"club": plain(self.club), "season": self.season}
        return words("teams.subject", tournament=plain(self.tournament), **named)

    def lead(self, words: Words) -> str:
        told = (TeamNews.ENTERED, TeamNews.FEE, TeamNews.LEAVE)
        key = self.news.value + ("_valid" if self.is_valid and self.news in told else "")
        named = {"club": plain(self.club), "season": self.season}
        return words(f"teams.news.{key}", day=words.day(self.day), **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.findings:
            yield b.Bullets(tuple(finding_text(one, words) for one in self.findings))
        if self.fee and any(one.fault is TeamEntryFault.NO_FEE for one in self.findings):
            yield words("entries.fee", fee=money(self.fee, words))
            yield write_payment_line(self.how_to_pay, self.leader, words)
        if self.news is TeamNews.REFUSED:
            yield write_reason(self.reason, self.paragraph, words)
        if self.is_paid and self.fee and self.news in (TeamNews.REFUSED, TeamNews.WITHDRAWN):
            yield words("entries.fee_back", fee=money(self.fee, words))
        if self.news not in (TeamNews.REFUSED, TeamNews.WITHDRAWN):
            yield from write_season_days(self.deadline, self.start, words)
        if self.news not in (TeamNews.REFUSED, TeamNews.WITHDRAWN):
            yield b.Heading(words("teams.lineup"))
            yield words("teams.captain", name=plain(self.captain))
            yield _seats(self.players, words)
        yield words("entries.ask_leader", leader=plain(self.leader.name))
        yield b.LinkLine(words("teams.own_page"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        team = (_CLUBS[0], 2028, "Danmarksturneringen")
        players = ((cast.WHITE.name, 2000), ("Bo", 1900), ("Carl", 1800), ("Dorte", 1700))
        who = (players, cast.WHITE.name, f"{cast.SITE}/team-entry")
        lacks = (
            TeamFinding(TeamEntryFault.NO_FEE),
            TeamFinding(TeamEntryFault.TWO_CLUBS, (cast.WHITE.name,)),
        )
        made = {}
        for news in TeamNews:
            is_valid = news in (TeamNews.FEE, TeamNews.VALID)
            led = (cast.BLACK.name, cast.LEADER, cast.ZONE)
            one = cls(*led, *team, news, date(2027, 11, 1), is_valid, *who, fee=40_000)
            if news in (TeamNews.ENTERED, TeamNews.UNPAID, TeamNews.WAITS):
                one = replace(one, findings=lacks, how_to_pay="Konto 1", start=date(2028, 1, 10))
                one = replace(one, deadline=date(2027, 12, 13))
            if news in (TeamNews.REFUSED, TeamNews.WITHDRAWN):
                one = replace(
                    one, paragraph="6.7.3.2", reason="Spilleren er ikke medlem.", is_paid=True
                )
            made[f"team_{news.value}"] = one
        return made
