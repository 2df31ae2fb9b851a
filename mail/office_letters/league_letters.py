"""The letters of the league in words: schedule, reserves, pauses, reports (§ 6.7).

NOT for letters about one game, which are the same as in every group.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import assert_never

from kskak.league.lineups import TeamEntryFault, TeamFinding
from mail.game_letters.letter_parts import foot, plain, quote_person
from mail.office_letters.case_letters import money
from mail.outgoing import blocks as b
from mail.text.catalogue import Words
from mail.text.letter_facts import OfficialContact

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


@dataclass(frozen=True, slots=True)
class DivisionFacts:
    """A division as its letters name it."""

    group: str
    tournament: str
    leader: OfficialContact
    zone: str
    url: str


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """What is known about a reserve (§ 6.7.3.2): from the register, or here if not a member."""

    is_member: bool
    club: str | None
    k_rating: int | None
    otb_rating: int | None


@dataclass(frozen=True, slots=True)
class LeagueNotice:
    """What happened to a team. ``values`` fill the sentence's placeholders; days are dates.

    ``entered``: about a requested reserve, so that it is not only the captain's word.
    """

    reader: str
    division: DivisionFacts
    club: str
    word: LeagueWord
    values: dict[str, str | int | date]
    text: str = ""
    desk_url: str | None = None
    entered: EnteredLine | None = None


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


@dataclass(frozen=True, slots=True)
class DivisionSchedule:
    """To captains and leader: line-ups, and who has which colour (§ 6.7.4.2).

    ``own`` are the matches of the reader's team; empty for the leader.
    """

    reader: str
    division: DivisionFacts
    start: date
    teams: tuple[TeamLine, ...]
    own_club: str | None
    own: tuple[PairingLine, ...]
    rounds: tuple[tuple[tuple[str, str], ...], ...]


class TeamNews(StrEnum):
    """What happened to a team entry (§ 6.7.4.1)."""

    ENTERED = "entered"
    FEE = "fee"
    LEAVE = "leave"
    LINEUP = "lineup"
    VALID = "valid"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class TeamEntryLetter:
    """To captain and club: what happened to a team entry, and what it lacks.

    ``players`` in board order, with the ratings the composition will use; ``fee`` in øre.
    """

    reader: str
    club: str
    season: int
    tournament: str
    news: TeamNews
    day: date
    is_valid: bool
    players: tuple[tuple[str, int], ...]
    captain: str
    leader: OfficialContact
    zone: str
    url: str
    findings: tuple[TeamFinding, ...] = ()
    fee: int | None = None
    paragraph: str = ""
    reason: str = ""


LeagueLetter = LeagueNotice | DivisionSchedule | TeamEntryLetter


# Letters about a team entry, and the lines shared by page and letter (§ 6.7.4.1).


def finding_text(one: TeamFinding, words: Words) -> str:
    """A fault of a team entry with the players it concerns and its paragraph."""
    who = f" {', '.join(plain(name) for name in one.players)}." if one.players else ""
    return f"{words(f'teams.fault.{one.fault.value}')} (§ {one.paragraph}).{who}"


def write_team_entry(letter: TeamEntryLetter, words: Words) -> b.LetterContent:
    """The letter in words."""
    says_valid = letter.is_valid and letter.news in (
        TeamNews.ENTERED,
        TeamNews.FEE,
        TeamNews.LEAVE,
    )
    key = letter.news.value + ("_valid" if says_valid else "")
    named = {"club": plain(letter.club), "season": letter.season}
    lead = words(f"teams.news.{key}", day=words.day(letter.day), **named)
    subject = words("teams.subject", tournament=plain(letter.tournament), **named)
    blocks = tuple(_blocks(letter, lead, words))
    return b.LetterContent(subject, lead, blocks, foot(letter.leader, letter.zone, words))


def _blocks(letter: TeamEntryLetter, lead: str, words: Words) -> Iterator[b.Block]:
    yield b.Para(words("letters.greeting", name=plain(letter.reader)))
    yield b.LeadLine(lead)
    if letter.findings:
        yield b.Bullets(tuple(finding_text(one, words) for one in letter.findings))
    if letter.fee and any(one.fault is TeamEntryFault.NO_FEE for one in letter.findings):
        yield b.Para(words("entries.fee", fee=money(letter.fee, words)))
    if letter.news is TeamNews.REFUSED:
        told = {"reason": plain(quote_person(letter.reason)), "paragraph": plain(letter.paragraph)}
        yield b.Para(words("entries.reason", **told))
    if letter.news not in (TeamNews.REFUSED, TeamNews.WITHDRAWN):
        yield b.Heading(words("teams.lineup"))
        yield b.Para(words("teams.captain", name=plain(letter.captain)))
        yield b.Bullets(
            tuple(
                words("league.seat", board=board, name=plain(name), rating=rating)
                for board, (name, rating) in enumerate(letter.players, 1)
            )
        )
    yield b.Para(words("entries.ask_leader", leader=plain(letter.leader.name)))
    yield b.LinkLine(words("teams.own_page"), letter.url)


# The letters of the league in words: schedule, reserves, pauses, reports (§ 6.7).

_WIDTH = 30


def write(letter: LeagueLetter, words: Words) -> b.LetterContent:
    """The letter in words."""
    match letter:
        case LeagueNotice():
            return _notice(letter, words)
        case DivisionSchedule():
            return _schedule(letter, words)
        case TeamEntryLetter():
            return write_team_entry(letter, words)
        case _:
            assert_never(letter)


def _assemble_letter(
    division: DivisionFacts, lead: str, blocks: Iterator[b.Block], words: Words
) -> b.LetterContent:
    subject = words(
        "league.subject", group=plain(division.group), tournament=plain(division.tournament)
    )
    return b.LetterContent(
        subject, lead, tuple(blocks), foot(division.leader, division.zone, words)
    )


def _write_value(value: str | int | date, words: Words) -> str:
    if isinstance(value, date):
        return words.day(value)
    return plain(value) if isinstance(value, str) else str(value)


def _notice(letter: LeagueNotice, words: Words) -> b.LetterContent:
    places = {name: _write_value(value, words) for name, value in letter.values.items()}
    named = {"club": plain(letter.club), "group": plain(letter.division.group)}
    lead = words(f"league.word.{letter.word.value}", **named, **places)
    more = f"league.more.{letter.word.value}"

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
        yield b.LeadLine(lead)
        if more in words:
            yield b.Para(words(more, **named, **places))
        if letter.entered is not None:
            yield b.Para(entered_text(letter.entered, words))
        if letter.text:
            yield b.Quote(quote_person(letter.text))
        if letter.desk_url is not None:
            yield b.LinkLine(words("league.desk_link"), letter.desk_url)
        yield b.LinkLine(words("league.link"), letter.division.url, is_second=True)

    return _assemble_letter(letter.division, lead, blocks(), words)


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


def _schedule(letter: DivisionSchedule, words: Words) -> b.LetterContent:
    division = letter.division
    lead = words("league.schedule", group=plain(division.group), day=words.day(letter.start))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
        yield b.LeadLine(lead)
        if letter.own_club is not None:
            yield b.Para(words("league.captain_duty", club=plain(letter.own_club)))
            yield b.Heading(words("league.own", club=plain(letter.own_club)))
            yield b.FixedLines("\n".join(_own_lines(letter, words)))
        yield b.Heading(words("league.lineups"))
        for team in letter.teams:
            yield b.Para(_captain_line(team, words))
            yield b.Bullets(
                tuple(
                    words("league.seat", board=board, name=plain(name), rating=rating)
                    for board, (name, rating) in enumerate(team.players, 1)
                )
            )
        yield b.Heading(words("league.rounds"))
        yield b.SmallPrint(words("league.rounds_hint"))
        yield b.Bullets(
            tuple(
                words(
                    "league.round",
                    n=number,
                    matches="; ".join(f"{plain(white)} – {plain(black)}" for white, black in pairs),
                )
                for number, pairs in enumerate(letter.rounds, 1)
            )
        )
        yield b.LinkLine(words("league.link"), division.url)

    return _assemble_letter(division, lead, blocks(), words)


def _captain_line(team: TeamLine, words: Words) -> str:
    return words(
        "league.team",
        number=team.number,
        club=plain(team.club),
        captain=plain(team.captain.name),
        email=team.captain.email,
    )


def _own_lines(letter: DivisionSchedule, words: Words) -> Iterator[str]:
    """One line per round: the opponents and the colour on each board."""
    white, black = words("league.white"), words("league.black")
    yield f"{'':3} {'':{_WIDTH}} " + "  ".join(f"{board}." for board in range(1, 5))
    for pairing in letter.own:
        colours = "   ".join(white if is_white else black for is_white in pairing.is_white)
        name = plain(pairing.opponents)[:_WIDTH]
        yield f"{pairing.round:2}. {name:{_WIDTH}} {colours}"
