"""The letters of the league in words: schedule, reserves, pauses, reports (§ 6.7).

NOT for letters about one game, which are the same as in every group.
"""

from collections.abc import Iterator
from datetime import date
from typing import assert_never

from mail.game_letters.common import foot, own_words, plain
from mail.office_letters import team_entries
from mail.office_letters.league_facts import (
    DivisionFacts,
    DivisionSchedule,
    EnteredLine,
    LeagueLetter,
    LeagueNotice,
    TeamEntryLetter,
    TeamLine,
)
from mail.outgoing import blocks as b
from mail.text.words import Words

_WIDTH = 30


def write(letter: LeagueLetter, words: Words) -> b.Written:
    """The letter in words."""
    match letter:
        case LeagueNotice():
            return _notice(letter, words)
        case DivisionSchedule():
            return _schedule(letter, words)
        case TeamEntryLetter():
            return team_entries.write(letter, words)
        case _:
            assert_never(letter)


def _written(
    division: DivisionFacts, lead: str, blocks: Iterator[b.Block], words: Words
) -> b.Written:
    subject = words(
        "league.subject", group=plain(division.group), tournament=plain(division.tournament)
    )
    return b.Written(subject, lead, tuple(blocks), foot(division.leader, division.zone, words))


def _shown(value: str | int | date, words: Words) -> str:
    if isinstance(value, date):
        return words.day(value)
    return plain(value) if isinstance(value, str) else str(value)


def _notice(letter: LeagueNotice, words: Words) -> b.Written:
    places = {name: _shown(value, words) for name, value in letter.values.items()}
    named = {"club": plain(letter.club), "group": plain(letter.division.group)}
    lead = words(f"league.word.{letter.word.value}", **named, **places)
    more = f"league.more.{letter.word.value}"

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
        yield b.Lead(lead)
        if more in words:
            yield b.Para(words(more, **named, **places))
        if letter.entered is not None:
            yield b.Para(entered_text(letter.entered, words))
        if letter.text:
            yield b.Quote(own_words(letter.text))
        if letter.desk_url is not None:
            yield b.Link(words("league.desk_link"), letter.desk_url)
        yield b.Link(words("league.link"), letter.division.url, is_second=True)

    return _written(letter.division, lead, blocks(), words)


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


def _schedule(letter: DivisionSchedule, words: Words) -> b.Written:
    division = letter.division
    lead = words("league.schedule", group=plain(division.group), day=words.day(letter.start))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
        yield b.Lead(lead)
        if letter.own_club is not None:
            yield b.Para(words("league.captain_duty", club=plain(letter.own_club)))
            yield b.Heading(words("league.own", club=plain(letter.own_club)))
            yield b.Fixed("\n".join(_own_lines(letter, words)))
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
        yield b.Small(words("league.rounds_hint"))
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
        yield b.Link(words("league.link"), division.url)

    return _written(division, lead, blocks(), words)


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
