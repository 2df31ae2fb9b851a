"""The letters about a group's result: its table, the reader's own place and what it is worth.

And those that follow from it: prizes to be sent, a right that lapses soon (§ 6.4.5, § 6.5.3.2).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Self

from kskak.cup import CupStage
from kskak.entries.access import ClassRight
from kskak.entries.emt import EmtClass, EmtOutcome
from kskak.groups.crosstables import (
    CrossRow,
    GroupTableGame,
    GroupTableLine,
    LeagueTable,
    TablePlayer,
    crosstable,
    group_table,
)
from kskak.groups.placing import Award, RankingRules, ScoredGame, Table, Title
from kskak.league.composition import outlook
from kskak.regulation.editions import Result
from mail.game_letters import cast
from mail.game_letters.letter_parts import Blocks, GroupLetter, ServerLetter, letter, plain
from mail.office_letters.bulletins import (
    CupAdvance,
    FinalStanding,
    award_text,
    clubs_grid,
    cross_grid,
    kroner,
    list_outcome_blocks,
    separations,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words, decimal, halves
from mail.text.letter_facts import LedGroup


@dataclass(frozen=True, slots=True)
class _FinishedGroupLetter(GroupLetter):
    """A group was published on ``day``, and what follows from it (§ 6.4.5)."""

    day: date
    objections_until: date
    prizes_until: date

    def _named(self) -> dict[str, str]:
        return {"group": plain(self.group.name), "tournament": plain(self.group.tournament)}


_PUBLISHED = (
    LedGroup("K-26-01", "K-skak-EMT 2026", cast.LEADER, cast.ZONE, cast.URL),
    *(date(2027, 2, 1), date(2027, 2, 15), date(2027, 2, 22)),
)


@letter("published")
class GroupPublished(_FinishedGroupLetter):
    """To the players and the leader: the table, the reader's own place and what it won or lost,
    and the last days for objections and for prizes (§ 6.4.5).

    ``standing`` None: the group goes on after all. ``number``: the reader's in the table, 0 for who
    did not play; ``club``: his team's in a ``division``. ``is_round``: the news is that the whole
    round of the cup is over. ``enter_url``: where he enters for what he won; ``enter_until``: the
    last day to enter a team for the next league, by the year's plan.
    """

    is_leader: bool
    keeps_transcripts_until: date | None = None
    standing: FinalStanding | None = None
    division: LeagueTable | None = None
    number: int = 0
    club: str = ""
    is_round: bool = False
    enter_url: str = ""
    enter_until: date | None = None
    corrects: date | None = None
    """The day it was published before, if it was; ``changed``: the games whose result is new."""
    changed: tuple[str, ...] = ()
    resumed: tuple[str, ...] = ()
    """The games that are played on after a ruling: what was published no longer holds."""
    ask_url: str = ""
    """Where the controller says who is a Danish citizen, if the title waits for it (§ 6.5.2)."""

    def subject(self, words: Words) -> str:
        group, own = plain(self.group.name), _line_of(self.standing, self.number)
        club = _club_row(self.division, self.club)
        if self.resumed:
            return words("duties.subject.resumed", group=group)
        if self.corrects is not None:
            return words("duties.subject.corrected", group=group)
        if club is not None:
            return words(
                "duties.subject.club", group=group, club=plain(club.name), place=club.place
            )
        if own is not None and self.division is None:
            return words("duties.subject.placed", group=group, place=own.place)
        return words("duties.subject.published", group=group)

    def lead(self, words: Words) -> str:
        if self.resumed:
            games = "; ".join(map(plain, self.resumed))
            return words("duties.resumed", day=words.day(self.day), games=games, **self._named())
        if self.corrects is None:
            key = "duties.round_over" if self.is_round else "duties.published"
            return words(key, **self._named())
        days = {"before": words.day(self.corrects), "day": words.day(self.day)}
        return words("duties.corrected", **days, **self._named())

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.resumed:
            yield words("duties.resumed_leader" if self.is_leader else "duties.resumed_anew")
            yield b.LinkLine(words("duties.link"), self.group.url)
            return
        if self.changed:
            yield words("duties.changed", games="; ".join(map(plain, self.changed)))
        elif self.corrects is not None:
            yield words("duties.changed_table")
        own = tuple(self._own(words))
        if own:
            yield b.Bullets(own)
        rights = (*self.standing.consequences, *self.standing.cup_rights) if self.standing else ()
        if any(one.number == self.number for one in rights):  # he must use it himself
            yield words("duties.own.enter")
            yield b.LinkLine(words("duties.own.enter_link"), self.enter_url, is_second=True)
        yield from self._table(words)
        yield b.LinkLine(words("duties.link"), self.group.url)
        if self.ask_url:
            yield words("duties.citizens")
            yield b.LinkLine(words("duties.citizens_link"), self.ask_url, is_second=True)
            return
        until = words.day(self.objections_until)
        key = "duties.object_leader" if self.is_leader else "duties.object"
        yield words(key, day=until)
        if not self.is_leader:
            yield words("duties.keep", day=until)
            return
        yield b.DueLine(words("duties.prizes", day=words.day(self.prizes_until)))
        if self.keeps_transcripts_until is not None:
            yield words("duties.transcripts", day=words.day(self.keeps_transcripts_until))

    def _table(self, words: Words) -> Blocks:
        if self.division is not None:
            yield clubs_grid(self.division, words, self.group.name)
            yield b.SmallPrint(words("placing.rules.league"))
        elif self.standing is not None:
            yield cross_grid(self.standing.table, words, self.group.name)
            yield from list_outcome_blocks(self.standing, words)

    def _own(self, words: Words) -> Iterator[str]:
        """The reader's place, why, and what it is worth, a line each."""
        if self.division is not None:
            yield from _club_lines(self.division, self.club, words)
            if self.club and self.enter_until is not None:
                yield words("duties.own.enter_team", day=words.day(self.enter_until))
        elif self.standing is not None and self.number:
            yield from _own_lines(self.standing, self.number, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        made = cls(cast.WHITE.name, *_PUBLISHED, is_leader=False, enter_url=f"{cast.SITE}/enter")
        players = (TablePlayer(1, cast.WHITE.name), TablePlayer(2, cast.BLACK.name))
        won_game = (GroupTableGame(1, 1, 2, Result.WHITE_WINS),)
        table = group_table(RankingRules.EMT, players, won_game)
        emt, until = FinalStanding(table), date(2029, 1, 31)
        clubs = ("Nordre Skakklub", "Ærø")
        scored = ScoredGame(*clubs, Result.WHITE_WINS)
        league = crosstable(Table(RankingRules.EMT, clubs, (scored,)))
        division = LeagueTable(2, league, (), (), is_finished=True)
        first = ClassRight(1, EmtClass.M, "6.5.3.2", until, EmtOutcome.RISES)
        last = ClassRight(2, EmtClass.OPEN, "6.5.3.3", until, EmtOutcome.FALLS)
        won = replace(emt, consequences=(first, last), prizes=((1, Fraction(30_000)),))
        cup = replace(emt, advance=CupAdvance(CupStage.FINAL, (1, 2), (2,)))
        late = replace(emt, advance=CupAdvance(CupStage.FINAL, (1,), changed=(2,)))
        cup = replace(cup, cup_rights=(ClassRight(1, EmtClass.M, "6.6.2.1", until),))
        asked = replace(
            emt, awards=(Award(Title.DANISH_CHAMPION, (), None, "6.5.2", asked=("1",)),)
        )
        game, desk = f"K-26-01/3 {cast.WHITE.name} – {cast.BLACK.name}", f"{cast.SITE}/desk/groups"
        again = replace(made, standing=won, number=1, changed=(f"{game}: 1/2-1/2",))
        led = cls(cast.LEADER.name, *_PUBLISHED, True, date(2030, 2, 1), won)
        return {
            "published": replace(made, standing=won, number=1),
            "published_fallen": replace(made, standing=won, number=2),
            "published_leader": led,
            "published_controller": replace(made, standing=asked, ask_url=f"{desk}/K#tie"),
            "published_again": replace(again, corrects=date(2027, 1, 20)),
            "published_resumed": replace(made, resumed=(game,)),
            "published_cup": replace(made, standing=cup, number=1, is_round=True),
            "published_cup_changed": replace(made, standing=late, number=2, is_round=True),
            "published_cup_barred": replace(made, standing=cup, number=2, is_round=True),
            "published_division": replace(
                made, division=division, club=clubs[0], enter_until=date(2027, 12, 13)
            ),
        }


def _line_of(standing: FinalStanding | None, number: int) -> GroupTableLine | None:
    """A player's line in the table; None for who has none."""
    lines = () if standing is None else standing.table.lines
    return next((line for line in lines if line.player.number == number), None)


def _club_row(division: LeagueTable | None, club: str) -> CrossRow | None:
    """A club's row in a division's table; None for who has none."""
    rows = () if division is None else division.clubs.rows
    return next((row for row in rows if row.name == club), None)


def _own_lines(standing: FinalStanding, number: int, words: Words) -> Iterator[str]:
    """A player's place, what separated him from his neighbours, his title, rights and prize."""
    table, own = standing.table, _line_of(standing, number)
    if own is None:
        return
    named = {"place": own.place, "of": len(table.lines), "points": halves(own.points)}
    yield words("duties.own.place", **named)
    yield from separations(table, words, number)
    names = {line.player.number: plain(line.player.name) for line in table.lines}
    yield from (
        award_text(one, names, words)
        for one in standing.awards
        if str(number) in (*one.holders, *one.between)
    )
    for right in (*standing.consequences, *standing.cup_rights):
        if right.number == number:
            opens = words(f"tables.class.{right.opens.name}")
            said = {"opens": opens, "paragraph": right.paragraph, "until": words.day(right.until)}
            yield words(f"duties.own.{right.how}", **said)
    if standing.advance is not None:
        yield _own_advance(standing.advance, number, words)
    for holder, money in standing.prizes:
        if holder == number:
            yield words("duties.own.prize", amount=kroner(money, words))


def _own_advance(advance: CupAdvance, number: int, words: Words) -> str:
    """Whether the reader goes on in the cup (§ 6.6.1.3)."""
    if advance.stage is None:
        return words("duties.own.advance_open")
    key = "advance_barred" if number in advance.barred else "advance"
    if number not in advance.numbers:
        key = "advance_changed" if number in advance.changed else "no_advance"
    return words(f"duties.own.{key}", stage=words(f"cup.the.{advance.stage.value}"))


def _club_lines(division: LeagueTable, club: str, words: Words) -> Iterator[str]:
    """A team's place, title and what its score is worth next season (§ 6.7.5.1)."""
    own = _club_row(division, club)
    if own is None:
        return
    rows = len(division.clubs.rows)
    named = {"club": plain(club), "place": own.place, "of": rows, "points": halves(own.points)}
    yield words("duties.own.club_place", **named)
    if division.champion == club:
        yield words("league.page.champion", club=plain(club))
    if own.percent is not None:
        ahead = outlook(division.division, own.percent)
        score = decimal(own.percent, words, 1)
        to = {"rises": -1, "falls": 1}.get(ahead.value, 0) + division.division
        yield words(f"duties.own.league_{ahead.value}", percent=score, division=to)
    for name, money in division.prizes:
        if name == club:
            yield words("duties.own.prize", amount=kroner(money, words))


@letter("prizes_due")
class PrizesDueFacts(_FinishedGroupLetter):
    """To the leader: the prizes of a group are to be sent (§ 6.4.5)."""

    def subject(self, words: Words) -> str:
        day = words.short_day(self.prizes_until)
        return words("duties.subject.prizes", group=plain(self.group.name), day=day)

    def lead(self, words: Words) -> str:
        return words("duties.prizes_due", day=words.day(self.prizes_until), **self._named())

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("duties.prizes_done")
        yield b.LinkLine(words("duties.link"), self.group.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"prizes_due": cls(cast.LEADER.name, *_PUBLISHED)}


@letter("right_lapses")
class RightLapses(ServerLetter):
    """To a player: the right to a class that he has not used lapses after ``until`` (§ 6.5.3.2)."""

    opens: EmtClass
    paragraph: str
    until: date
    url: str

    def _named(self, words: Words) -> dict[str, str]:
        opens, day = words(f"tables.class.{self.opens.name}"), words.short_day(self.until)
        return {"opens": opens, "short": day, "day": words.weekday_day(self.until)}

    def subject(self, words: Words) -> str:
        return words("duties.lapses.subject", **self._named(words))

    def lead(self, words: Words) -> str:
        return words("duties.lapses.lead", paragraph=self.paragraph, **self._named(words))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("duties.lapses.do")
        yield b.LinkLine(words("duties.own.enter_link"), self.url)
        yield words("duties.lapses.once")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        until = date(2029, 1, 31)
        right = (EmtClass.M, "6.5.3.2", until, f"{cast.SITE}/enter")
        return {"right_lapses": cls(cast.WHITE.name, cast.OPERATOR, *right)}
