"""The letters of the league in words: schedule, reserves, pauses, reports (§ 6.7).

NOT for letters about one game, which are the same as in every group.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Self

from kskak.league.lineups import ReserveRecord, TeamEntryFault, TeamFinding
from mail.game_letters import cast
from mail.game_letters.letter_parts import Blocks, GroupLetter, letter, plain, quote_person
from mail.office_letters.entry_letters import EntryNews, EntryNotice, write_season_days
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
    FREED = "freed"


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


@letter("league")
class LeagueNotice(GroupLetter):
    """What happened to a team. ``values`` fill the sentence's placeholders; days are dates.

    ``entered``: about a requested reserve, so that it is not only the captain's word.
    """

    club: str
    word: LeagueWord
    values: dict[str, str | int | date]
    text: str = ""
    desk_url: str | None = None
    entered: ReserveRecord | None = None

    def _named(self, words: Words) -> dict[str, str]:
        named = {name: _write_value(value, words) for name, value in self.values.items()}
        return named | {"club": plain(self.club), "group": plain(self.group.name)}

    def subject(self, words: Words) -> str:
        named = self._named(words)
        return words(
            "league.subject", news=words(f"league.news.{self.word.value}", **named), **named
        )

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
            "seed": "abc123", "clubs": "Nord, Syd", "old": "Nord", "into": "Nordre Skakklub",
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


def entered_text(entered: ReserveRecord, words: Words) -> str:
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
class DivisionSchedule(GroupLetter):
    """To captains and leader: line-ups, and who has which colour (§ 6.7.4.2).

    ``own`` are the matches of the reader's team; empty for the leader.
    """

    start: date
    teams: tuple[TeamLine, ...]
    own_club: str | None
    own: tuple[PairingLine, ...]
    rounds: tuple[tuple[tuple[str, str], ...], ...]

    def subject(self, words: Words) -> str:
        day = words.short_day(self.start)
        return words("league.schedule_subject", group=plain(self.group.name), day=day)

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


@letter("team_entry")
class TeamEntryLetter(EntryNotice):
    """To captain and club: what happened to a team entry, and what it lacks.

    ``players`` in board order, with the ratings the composition will use.
    """

    club: str
    season: int
    tournament: str
    players: tuple[tuple[str, int], ...]
    captain: str
    findings: tuple[TeamFinding, ...] = ()

    room = "teams"

    def named(self) -> dict[str, object]:
        return {
            "club": plain(self.club),
            "season": self.season,
            "tournament": plain(self.tournament),
        }

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.findings:
            yield b.Bullets(tuple(finding_text(one, words) for one in self.findings))
        lacks_fee = any(one.fault is TeamEntryFault.NO_FEE for one in self.findings)
        yield from self.money_lines(words, lacks_fee=lacks_fee)
        if not self.is_over:
            yield from write_season_days(self.deadline, self.start, words)
            yield b.Heading(words("teams.lineup"))
            yield words("teams.captain", name=plain(self.captain))
            yield _seats(self.players, words)
        yield b.LinkLine(words("teams.own_page"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        team = (_CLUBS[0], 2028, "Danmarksturneringen")
        players = ((cast.WHITE.name, 2000), ("Bo", 1900), ("Carl", 1800), ("Dorte", 1700))
        lacks = (
            TeamFinding(TeamEntryFault.NO_FEE),
            TeamFinding(TeamEntryFault.TWO_CLUBS, (cast.WHITE.name,)),
        )
        made = {}
        for news in (one for one in EntryNews if one is not EntryNews.MEMBERSHIP):
            one = cls(
                *(cast.BLACK.name, cast.LEADER, cast.ZONE, *team, players, cast.WHITE.name),
                news=news,
                day=date(2027, 11, 1),
                is_valid=news in (EntryNews.FEE, EntryNews.VALID),
                url=f"{cast.SITE}/team-entry",
                fee=40_000,
            )
            if news in (EntryNews.ENTERED, EntryNews.UNPAID, EntryNews.WAITS):
                one = replace(one, findings=lacks, how_to_pay="Konto 1", start=date(2028, 1, 10))
                one = replace(one, deadline=date(2027, 12, 13))
            if one.is_over:
                one = replace(
                    one,
                    paragraph="6.7.3.2",
                    reason="Spilleren er ikke medlem." if news is EntryNews.REFUSED else "",
                    is_paid=True,
                )
            made[f"team_{news.value}"] = one
        return made
