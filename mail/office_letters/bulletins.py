"""Tables, divisions and bulletins in words: the same for the page, the PDF and the mail."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Self

from babel.numbers import format_currency

from kskak.cup import CupStage
from kskak.entries.access import ClassRight
from kskak.groups.crosstables import (
    CrossCell,
    Crosstable,
    DivisionMatch,
    GameTermination,
    GroupCrosstable,
    GroupTableLine,
    LeagueTable,
    Meeting,
)
from kskak.groups.placing import Award, RankingStep
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    Letter,
    ServerLetter,
    letter,
    operator_foot,
    plain,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words, decimal, halves
from mail.text.explanations import explain_separation
from mail.text.letter_facts import OfficialContact

# A bulletin's facts: what happened in a period, ready to be told in any language (§ 6.4.5.1).


@dataclass(frozen=True, slots=True)
class GroupName:
    """A group as a bulletin names it, and where it is on the web."""

    name: str
    tournament: str
    group_class: str
    url: str


@dataclass(frozen=True, slots=True)
class StartedGroupFacts:
    """A group that began in the period."""

    group: GroupName
    start: date
    leader: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeriodResult:
    """A result of the period; ``result`` in the usual chess form."""

    white: str
    black: str
    result: str
    how: GameTermination | None
    on: date


@dataclass(frozen=True, slots=True)
class RunningGroupFacts:
    """A group still being played, with results in the period: its table as it stands."""

    group: GroupName
    table: GroupCrosstable
    results: tuple[PeriodResult, ...]
    division: LeagueTable | None = None
    """A division of the league: its teams are placed, not its players (§ 6.7.4.5)."""


@dataclass(frozen=True, slots=True)
class CupAdvance:
    """Who goes on from a finished group of the cup, by number, to which round (§ 6.6.1.3).

    ``stage`` None: the round's other groups are still played, and decide it too; ``barred``: who
    may not begin in a round not drawn yet (§ 6.4.2); ``changed``: who goes on by a corrected
    result to a round that was drawn.
    """

    stage: CupStage | None
    numbers: tuple[int, ...] = ()
    barred: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FinalStanding:
    """The outcome of a finished group. Money in øre, by the players' numbers."""

    table: GroupCrosstable
    awards: tuple[Award, ...] = ()
    """Titles; their holders are the players' numbers as text."""
    consequences: tuple[ClassRight, ...] = ()
    prizes: tuple[tuple[int, Fraction], ...] = ()
    lost_prize: tuple[int, ...] = ()
    cup_rights: tuple[ClassRight, ...] = ()
    advance: CupAdvance | None = None


@dataclass(frozen=True, slots=True)
class FinishedGroup:
    """A group that was published as finished in the period."""

    group: GroupName
    standing: FinalStanding
    results: tuple[PeriodResult, ...]
    division: LeagueTable | None = None


@dataclass(frozen=True, slots=True)
class DecisionNote:
    """A decision of general interest, in the official's words (§ 6.4.5.1)."""

    number: str
    paragraphs: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Bulletin:
    """A whole bulletin. ``issued`` is None for a draft: the last day to object is not known."""

    number: int
    first: date
    last: date
    issued: date | None
    objections_until: date | None
    official: OfficialContact
    url: str
    foreword: str
    started: tuple[StartedGroupFacts, ...]
    finished: tuple[FinishedGroup, ...]
    running: tuple[RunningGroupFacts, ...]
    decisions: tuple[DecisionNote, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell."""
        told = (self.foreword, self.started, self.finished, self.running, self.decisions)
        return not any(told)


# A group's table in words: the crosstable, what broke ties, titles, rights, prizes.

_OPEN, _OWN = "·", "×"


def cross_grid(table: GroupCrosstable, words: Words, caption: str) -> b.Grid:
    """The crosstable in order of place, marking who left and how a result came about."""
    lines = table.lines
    columns = [str(place) for place in range(1, len(lines) + 1)]
    head = (
        words("tables.place"),
        words("tables.name"),
        *columns,
        words("tables.points"),
        words("tables.sums"),
    )
    rows = tuple(
        (
            f"{line.place}.",
            player_name(line, words),
            *(_cell(line, other, words) for other in lines),
            halves(line.points),
            decimal(line.sonneborn_berger, words),
        )
        for line in lines
    )
    figures = frozenset({len(head) - 2, len(head) - 1})
    return b.Grid(plain(caption), head, rows, heads=1, figures=figures)


def player_name(line: GroupTableLine, words: Words) -> str:
    """A name, with a note if the player has left the group (§ 6.2.8)."""
    name = plain(line.player.name)
    return words("tables.left", name=name) if line.player.has_left else name


def _cell(line: GroupTableLine, other: GroupTableLine, words: Words) -> str:
    if other is line:
        return _OWN
    return " ".join(meeting_text(one, words) for one in line.cells.get(other.player.number, ()))


def meeting_text(meeting: Meeting, words: Words) -> str:
    """1, ½ or 0 (unplayed: + or –) with how it came about; a middle dot while the game runs."""
    if meeting.points is None:
        return _OPEN
    mark = "" if meeting.how is None else words(f"tables.mark.{meeting.how.value}")
    return f"{meeting.sign or halves(meeting.points)}{mark}"


def list_marks_used(table: GroupCrosstable, words: Words) -> tuple[str, ...]:
    """What the signs of this table mean; those it does not use are left out."""
    met = [one for line in table.lines for cell in line.cells.values() for one in cell]
    said = [
        words(f"tables.legend.{how.value}")
        for how in GameTermination
        if any(m.how is how for m in met)
    ]
    if any(one.points is None for one in met):
        said.insert(0, words("tables.legend.running"))
    return tuple(said)


def separations(table: GroupCrosstable, words: Words, of: int | None = None) -> tuple[str, ...]:
    """What separated the players level on points, in whole sentences (§ 6.5.4.1).

    ``of``: only what is about the player with that number.
    """
    return tuple(_separations(table.lines, words, of))


def _separations(lines: Sequence[GroupTableLine], words: Words, of: int | None) -> Iterator[str]:
    above: GroupTableLine | None = None
    names = {line.player.number: plain(line.player.name) for line in lines}
    for _, sharing in groupby(lines, key=lambda line: line.place):
        level = tuple(sharing)
        own = of is None or any(line.player.number == of for line in level)
        is_near = above is not None and (own or above.player.number == of)
        if above is not None and is_near:
            yield from _explain_separation(above, level[0], names, words)
        if own and len(level) > 1 and any(line.games for line in level):
            yield _level(level, words)
        above = level[-1]


def _explain_separation(
    above: GroupTableLine, line: GroupTableLine, everybody: Mapping[int, str], words: Words
) -> Iterator[str]:
    if line.decided_by is None or line.decided_by is RankingStep.POINTS or not above.games:
        return
    names = {"above": plain(above.player.name), "name": plain(line.player.name)}
    step = words(f"placing.decided.{line.decided_by.value}")
    if line.margin is None:
        yield words("tables.separated_by", step=step, **names)
        return
    if line.among:
        among = join_names([everybody[int(number)] for number, _ in line.among], words)
        figures = join_names([decimal(figure, words) for _, figure in line.among], words)
        yield words("tables.separated_among", among=among, figures=figures, **names)
        return
    ahead, own = (decimal(figure, words) for figure in line.margin)
    yield words("tables.separated", step=step, ahead=ahead, own=own, **names)


def _level(level: Sequence[GroupTableLine], words: Words) -> str:
    """All who share a place, including those who have not finished a game yet."""
    names = join_names([plain(line.player.name) for line in level], words)
    step = level[1].decided_by
    assert step is not None
    return words(f"tables.level.{step.value}", names=names, place=level[0].place)


def list_outcome_blocks(standing: FinalStanding, words: Words) -> Blocks:
    """Below a finished group's table: what separated whom, titles, rights, prizes."""
    notes = (*separations(standing.table, words), *list_marks_used(standing.table, words))
    if notes:
        yield b.SmallPrint("\n".join(notes))
    yield from outcome_blocks(standing, words)


def outcome_blocks(standing: FinalStanding, words: Words) -> Blocks:
    """Titles, rights won and lost with their paragraphs, prizes (§ 6.5.2-6.5.4)."""
    table = standing.table
    names = {line.player.number: plain(line.player.name) for line in table.lines}
    said = [award_text(award, names, words) for award in standing.awards]
    if standing.advance is not None:
        said.append(_advance_text(standing.advance, names, words))
    said += _right_lines((*standing.consequences, *standing.cup_rights), names, words)
    said += [
        words("tables.prize", name=names[number], amount=kroner(money, words))
        for number, money in standing.prizes
    ]
    said += [words("tables.prize_lost", name=names[number]) for number in standing.lost_prize]
    if said:
        yield b.Bullets(tuple(said))


def _advance_text(advance: CupAdvance, names: dict[int, str], words: Words) -> str:
    """Who goes on in the cup, or that it is not decided (§ 6.6.1.3)."""
    if advance.stage is None:
        return words("tables.advance_open")
    going = join_names([name for number, name in names.items() if number in advance.numbers], words)
    stage = words(f"cup.the.{advance.stage.value}")
    return words("tables.advance" if going else "tables.advance_none", names=going, stage=stage)


def award_text(award: Award, names: dict[int, str], words: Words) -> str:
    """A title and who has it, or what it depends on (§ 6.5.2)."""
    title = words(f"tables.title.{award.title.value}")
    told = award.holders if award.awaits is None else award.between or award.holders
    told = award.asked or told
    named = join_names([names[int(number)] for number in told], words)
    places = {"title": title, "names": named, "paragraph": award.paragraph}
    if award.awaits is not None or award.asked:
        step = "citizenship" if award.awaits is None else award.awaits.value
        return words(f"tables.awaits.{step}", **places)
    holders = award.holders
    if not holders:
        return words("tables.nobody", **places)
    if award.is_citizens:
        return words("tables.award_citizen", n=len(holders), **places)
    return words("tables.award" if len(holders) == 1 else "tables.award_shared", **places)


def _right_lines(found: Sequence[ClassRight], names: dict[int, str], words: Words) -> list[str]:
    """Rights won, kept and lost, and what a cup round opens in the EMT, with paragraph and last
    day; who has the same is listed together (§ 6.6.2)."""
    alike: dict[ClassRight, list[str]] = {}
    for one in found:
        alike.setdefault(replace(one, number=0), []).append(names[one.number])
    return [
        words(
            "tables.cup_right" if one.outcome is None else f"tables.outcome.{one.outcome.value}",
            n=len(holders),
            names=join_names(holders, words),
            opens=words(f"tables.class.{one.opens.name}"),
            paragraph=one.paragraph,
            until=words.day(one.until),
        )
        for one, holders in alike.items()
    ]


def kroner(money: Fraction, words: Words) -> str:
    """An amount in øre, written as kroner in the language; a fraction is cut to whole øre."""
    amount = Decimal(int(money)) / 100
    return str(format_currency(amount, "DKK", locale=words.locale))


def join_names(names: Sequence[str], words: Words) -> str:
    """Anna, Bo and Carl."""
    if len(names) < 2:
        return "".join(names)
    return words("tables.and", names=", ".join(names[:-1]), last=names[-1])


# A division in words: the teams' table, the matches, the boards, title and prizes (§ 6.7.4.5).


def division_blocks(table: LeagueTable, words: Words, caption: str) -> Blocks:
    """Clubs in order, match by match, then board by board; players only within their own board."""
    yield clubs_grid(table, words, caption)
    outcome = tuple(_outcome(table, words))
    if outcome:
        yield b.Bullets(outcome)
    yield b.SmallPrint(words("placing.rules.league"))
    yield b.Bullets(tuple(_rounds(table, words)))
    for number, board in enumerate(table.boards, 1):
        yield _grid(board, words, words("placing.board", board=number), with_place=False)


def clubs_grid(table: LeagueTable, words: Words, caption: str) -> b.Grid:
    """The teams by place, each cell the points of a match (§ 6.7.4.5)."""
    return _grid(table.clubs, words, caption, with_place=True, is_finished=table.is_finished)


def _grid(
    cross: Crosstable, words: Words, caption: str, *, with_place: bool, is_finished: bool = False
) -> b.Grid:
    columns = [str(number) for number in range(1, len(cross.rows) + 1)]
    named = words("placing.column_club" if with_place else "placing.column_name")
    head = [words("tables.place"), named, *columns, words("tables.points"), "%"]
    if with_place:
        head.append(words("placing.column_decided"))
    rows = []
    for at, row in enumerate(cross.rows):
        above = cross.rows[at - 1] if at else None
        line = [
            f"{row.place}." if with_place else f"{at + 1}",
            plain(row.name),
            *(_division_cell(cell) for cell in row.cells),
            halves(row.points),
            "" if row.percent is None else decimal(row.percent, words, 1),
        ]
        if with_place:
            line.append(explain_separation(row, above, words) if is_finished else "")
        rows.append(tuple(line))
    last = 2 + len(columns)
    return b.Grid(plain(caption), tuple(head), tuple(rows), 1, frozenset({last, last + 1}))


def _division_cell(cell: CrossCell) -> str:
    if cell.is_own:
        return _OWN
    return _OPEN if cell.total is None else halves(cell.total)


def _outcome(table: LeagueTable, words: Words) -> Iterator[str]:
    """The champion, lots to be drawn or already drawn, prizes (§ 6.7.4.5-6.7.4.6)."""
    if table.champion is not None:
        yield words("league.page.champion", club=plain(table.champion))
    if table.needs_lots:
        yield words("league.page.lots_wait")
    if table.seed is not None:
        yield words("league.page.lots_seed", seed=table.seed)
    for club, amount in table.prizes:
        yield words("tables.prize", name=plain(club), amount=kroner(amount, words))


def _rounds(table: LeagueTable, words: Words) -> Iterator[str]:
    """One line per round: each match with its score so far."""
    rounds: dict[int, list[str]] = {}
    for match in table.matches:
        rounds.setdefault(match.round, []).append(_match(match, words))
    for number, said in rounds.items():
        yield words("league.round", n=number, matches="; ".join(said))


def _match(match: DivisionMatch, words: Words) -> str:
    home, away = (halves(points) for points in match.points)
    said = f"{plain(match.home)} – {plain(match.away)} {home}–{away}"
    if not match.running:
        return said
    return f"{said} {words('league.page.so_far', n=match.running)}"


# A bulletin in words: the same for the page, the PDF and the mail (§ 6.4.5.1).

_LINES, _LONGEST = 200, 20_000
"""Maximum lines and characters of the official's own words."""
_LEAGUE = "league"
_QUARTER = (date(2027, 1, 1), date(2027, 3, 31))
"""Of the samples."""


def bulletin_title(bulletin: Bulletin, words: Words) -> str:
    """The bulletin's name, with its number."""
    return words("bulletin.title", number=bulletin.number)


def bulletin_page(bulletin: Bulletin, words: Words) -> b.LetterContent:
    """The bulletin as a page or a PDF shows it."""
    blocks = (b.LeadLine(_lead(bulletin, words)), *_body(bulletin, words))
    title = bulletin_title(bulletin, words)
    return b.LetterContent(title, blocks, operator_foot(bulletin.official, words))


@letter("bulletin")
class BulletinMail(Letter):
    """To subscribers: the bulletin, with how to stop it at the end."""

    bulletin: Bulletin
    pdf_url: str
    stop_url: str

    series = "bulletins"

    def subject(self, words: Words) -> str:
        return bulletin_title(self.bulletin, words)

    def greeting(self, words: Words) -> Blocks:
        return iter(())

    def foot(self, words: Words) -> tuple[str, ...]:
        return operator_foot(self.bulletin.official, words)

    def lead(self, words: Words) -> str:
        return _lead(self.bulletin, words)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield from _body(self.bulletin, words)
        yield b.LinkLine(words("bulletin.on_the_web"), self.bulletin.url)
        yield b.LinkLine(words("bulletin.as_pdf"), self.pdf_url, is_second=True)
        yield b.SmallPrint(words("bulletin.stop", url=self.stop_url))

    @classmethod
    def samples(cls) -> dict[str, Self]:
        group = GroupName("K-26-02", "K-skak-EMT 2026", "Kvalifikationsklassen", cast.URL)
        players, note = (
            (cast.WHITE.name, cast.BLACK.name),
            "En gentagelse, der mangler, koster ingen dage.",
        )
        started = StartedGroupFacts(group, date(2027, 1, 10), cast.LEADER.name, players)
        issued, until = date(2027, 4, 15), date(2027, 4, 29)
        bulletin = Bulletin(
            4, *_QUARTER, issued, until, cast.OPERATOR, cast.URL, "Godt nytår!",
            (started,), (), (), (DecisionNote("2027/3/1", ("6.8.6",), note),),
        )  # fmt: skip
        return {"bulletin": cls(bulletin, f"{cast.URL}.pdf", cast.URL)}


@letter("bulletin_due")
class BulletinDue(ServerLetter):
    """To the controller: a period is over and its bulletin is not out (§ 6.4.5.1)."""

    first: date
    last: date
    due: date
    url: str

    subject_key = "bulletin.due_subject"

    def lead(self, words: Words) -> str:
        days = {"first": words.day(self.first), "last": words.day(self.last)}
        return words("bulletin.due_lead", **days)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield b.DueLine(words("bulletin.due_day", day=words.day(self.due)))
        yield words("bulletin.due_how")
        yield b.LinkLine(words("bulletin.due_link"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        days = (*_QUARTER, date(2027, 4, 15))
        return {"bulletin_due": cls("Otto Krag", cast.OPERATOR, *days, cast.URL)}


def _lead(bulletin: Bulletin, words: Words) -> str:
    days = {"first": words.day(bulletin.first), "last": words.day(bulletin.last)}
    return words("bulletin.lead", **days)


def own_text(text: str) -> tuple[str, ...]:
    """An official's words as paragraphs of plain lines, bounded."""
    lines = [plain(line) for line in text[:_LONGEST].splitlines()][:_LINES]
    parts = "\n".join(lines).split("\n\n")
    return tuple(part.strip("\n") for part in parts if part.strip())


def _body(bulletin: Bulletin, words: Words) -> Blocks:
    if bulletin.issued is not None and bulletin.objections_until is not None:
        until = words.day(bulletin.objections_until)
        yield b.DueLine(
            words("bulletin.objections", issued=words.day(bulletin.issued), until=until)
        )
    else:
        yield b.DueLine(words("bulletin.objections_draft"))
    yield from own_text(bulletin.foreword)
    if not any((bulletin.started, bulletin.finished, bulletin.running)):
        yield words("bulletin.nothing")
    if bulletin.finished:
        yield b.Heading(words("bulletin.finished"))
        for finished in bulletin.finished:
            yield from _write_finished_group(finished, words)
    if bulletin.running:
        yield b.Heading(words("bulletin.running"))
        for running in bulletin.running:
            yield from _write_running_group(running, words)
    if bulletin.started:
        yield b.Heading(words("bulletin.started"))
        for started in bulletin.started:
            yield from _write_started_groups(started, words)
    yield from _decisions(bulletin, words)


def _name(group: GroupName, words: Words) -> str:
    tournament, name = plain(group.tournament), plain(group.name)
    return words("bulletin.group", tournament=tournament, name=name)


def _write_finished_group(one: FinishedGroup, words: Words) -> Blocks:
    if one.group.group_class == _LEAGUE:
        yield from _division(one, words)
        return
    yield cross_grid(one.standing.table, words, _name(one.group, words))
    yield from list_outcome_blocks(one.standing, words)


def _division(one: FinishedGroup | RunningGroupFacts, words: Words) -> Blocks:
    """A division: clubs are placed, not players (§ 6.7.4.5), with matches and boards.

    A bulletin from before divisions were shown this way has only the results.
    """
    yield b.Heading(_name(one.group, words), 3)
    if one.division is not None:
        caption = words("league.page.division", number=one.division.division)
        yield from division_blocks(one.division, words, caption)
    if one.division is None or not one.division.is_finished:
        yield from _results(one.results, words)
    yield b.LinkLine(words("bulletin.division"), one.group.url)


def _write_running_group(one: RunningGroupFacts, words: Words) -> Blocks:
    if one.group.group_class == _LEAGUE:
        yield from _division(one, words)
        return
    yield cross_grid(one.table, words, _name(one.group, words))
    notes = (*separations(one.table, words), *list_marks_used(one.table, words))
    if notes:
        yield b.SmallPrint("\n".join(notes))
    yield from _results(one.results, words)


def _results(results: tuple[PeriodResult, ...], words: Words) -> Blocks:
    """The period's results in one paragraph: White, Black, the result and how it came about."""
    if results:
        said = "; ".join(_result(one, words) for one in results)
        yield words("bulletin.results", results=said)


def _result(one: PeriodResult, words: Words) -> str:
    names = f"{plain(one.white)} – {plain(one.black)}"
    text = one.result.replace("1/2", "½").replace("-", "–")
    how = "" if one.how is None else f" ({words(f'tables.how.{one.how.value}')})"
    return f"{names} {text}{how}"


def _write_started_groups(one: StartedGroupFacts, words: Words) -> Blocks:
    players = ", ".join(f"{n}. {plain(name)}" for n, name in enumerate(one.players, 1))
    yield b.Heading(_name(one.group, words), 3)
    began = words("bulletin.began", day=words.day(one.start), leader=plain(one.leader))
    yield f"{began} {players}."


def _decisions(bulletin: Bulletin, words: Words) -> Blocks:
    if not bulletin.decisions:
        return
    yield b.Heading(words("bulletin.decisions"))
    for note in bulletin.decisions:
        cited = ", ".join(f"§ {number}" for number in note.paragraphs)
        yield b.Heading(words("bulletin.decision", number=note.number, paragraphs=cited), 3)
        yield from own_text(note.text)
