"""A group's table in words: the crosstable, what broke ties, titles, rights, prizes.

§ 6.4.5.1, § 6.5.2-6.5.4. NOT for the order and the figures (``kskak.groups.group_table``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import groupby

from babel.numbers import format_currency

from kskak.entries.consequences import Consequence, CupRight
from kskak.groups.group_table import GroupTable, How, Line, Meeting
from kskak.groups.honours import Award
from kskak.groups.ladder import Step
from mail.game_letters.common import plain
from mail.office_letters.bulletin_facts import FinalStanding
from mail.outgoing import blocks as b
from mail.text.figures import decimal, halves
from mail.text.words import Words

_OPEN, _OWN = "·", "×"


def cross_grid(table: GroupTable, words: Words, caption: str) -> b.Grid:
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


def player_name(line: Line, words: Words) -> str:
    """A name, with a note if the player has left the group (§ 6.2.8)."""
    name = plain(line.player.name)
    return words("tables.left", name=name) if line.player.has_left else name


def _cell(line: Line, other: Line, words: Words) -> str:
    if other is line:
        return _OWN
    return " ".join(meeting_text(one, words) for one in line.cells.get(other.player.number, ()))


def meeting_text(meeting: Meeting, words: Words) -> str:
    """1, ½ or 0 with the letter for how it came about; a middle dot while the game runs."""
    if meeting.points is None:
        return _OPEN
    mark = "" if meeting.how is None else words(f"tables.mark.{meeting.how.value}")
    return f"{halves(meeting.points)}{mark}"


def marks_used(table: GroupTable, words: Words) -> tuple[str, ...]:
    """What the signs of this table mean; those it does not use are left out."""
    met = [one for line in table.lines for cell in line.cells.values() for one in cell]
    said = [words(f"tables.legend.{how.value}") for how in How if any(m.how is how for m in met)]
    if any(one.points is None for one in met):
        said.insert(0, words("tables.legend.running"))
    return tuple(said)


def separations(table: GroupTable, words: Words) -> tuple[str, ...]:
    """What separated the players level on points, in whole sentences (§ 6.5.4.1)."""
    return tuple(_separations(table.lines, words))


def _separations(lines: Sequence[Line], words: Words) -> Iterator[str]:
    above: Line | None = None
    names = {line.player.number: plain(line.player.name) for line in lines}
    for _, sharing in groupby(lines, key=lambda line: line.place):
        level = tuple(sharing)
        if above is not None:
            yield from _separated(above, level[0], names, words)
        if len(level) > 1 and any(line.games for line in level):
            yield _level(level, words)
        above = level[-1]


def _separated(
    above: Line, line: Line, everybody: Mapping[int, str], words: Words
) -> Iterator[str]:
    if line.decided_by is None or line.decided_by is Step.POINTS or not above.games:
        return
    names = {"above": plain(above.player.name), "name": plain(line.player.name)}
    step = words(f"placing.decided.{line.decided_by.value}")
    if line.margin is None:
        yield words("tables.separated_by", step=step, **names)
        return
    if line.among:
        among = listed([everybody[number] for number, _ in line.among], words)
        figures = listed([decimal(figure, words) for _, figure in line.among], words)
        yield words("tables.separated_among", among=among, figures=figures, **names)
        return
    ahead, own = (decimal(figure, words) for figure in line.margin)
    yield words("tables.separated", step=step, ahead=ahead, own=own, **names)


def _level(level: Sequence[Line], words: Words) -> str:
    """All who share a place, including those who have not finished a game yet."""
    names = listed([plain(line.player.name) for line in level], words)
    step = level[1].decided_by
    assert step is not None
    return words(f"tables.level.{step.value}", names=names, place=level[0].place)


def standing_blocks(standing: FinalStanding, words: Words) -> Iterator[b.Block]:
    """Below a finished group's table: what separated whom, titles, rights, prizes."""
    notes = (*separations(standing.table, words), *marks_used(standing.table, words))
    if notes:
        yield b.Small("\n".join(notes))
    yield from outcome_blocks(standing, words)


def outcome_blocks(standing: FinalStanding, words: Words) -> Iterator[b.Block]:
    """Titles, rights won and lost with their paragraphs, prizes (§ 6.5.2-6.5.4)."""
    table = standing.table
    names = {line.player.number: plain(line.player.name) for line in table.lines}
    said = [award_text(award, names, words) for award in standing.awards]
    said += consequence_lines(standing.consequences, names, words)
    said += cup_right_lines(standing.cup_rights, names, words)
    said += [prize_text(number, money, names, words) for number, money in standing.prizes]
    said += [words("tables.prize_lost", name=names[number]) for number in standing.lost_prize]
    if said:
        yield b.Bullets(tuple(said))


def award_text(award: Award, names: dict[int, str], words: Words) -> str:
    """A title and who has it, or what it depends on (§ 6.5.2)."""
    title = words(f"tables.title.{award.title.value}")
    told = award.holders if award.awaits is None else award.between or award.holders
    named = listed([names[int(number)] for number in told], words)
    places = {"title": title, "names": named, "paragraph": award.paragraph}
    if award.awaits is not None:
        return words(f"tables.awaits.{award.awaits.value}", **places)
    holders = award.holders
    if not holders:
        return words("tables.nobody", **places)
    if award.is_citizens:
        return words("tables.award_citizen", n=len(holders), **places)
    return words("tables.award" if len(holders) == 1 else "tables.award_shared", **places)


def consequence_lines(
    found: Sequence[Consequence], names: dict[int, str], words: Words
) -> list[str]:
    """Rights won, kept and lost with paragraph and last day; the same right is listed once."""
    alike: dict[Consequence, list[str]] = {}
    for one in found:
        alike.setdefault(replace(one, number=0), []).append(names[one.number])
    return [
        words(
            f"tables.outcome.{one.outcome.value}",
            n=len(holders),
            names=listed(holders, words),
            opens=words(f"tables.class.{one.opens.name}"),
            paragraph=one.paragraph,
            until=words.day(one.until),
        )
        for one, holders in alike.items()
    ]


def cup_right_lines(found: Sequence[CupRight], names: dict[int, str], words: Words) -> list[str]:
    """What a cup round opens in the EMT; players with the same are listed together (§ 6.6.2)."""
    alike: dict[CupRight, list[str]] = {}
    for one in found:
        alike.setdefault(replace(one, number=0), []).append(names[one.number])
    return [
        words(
            "tables.cup_right",
            n=len(holders),
            names=listed(holders, words),
            opens=words(f"tables.class.{one.opens.name}"),
            paragraph=one.paragraph,
            until=words.day(one.until),
        )
        for one, holders in alike.items()
    ]


def prize_text(number: int, money: Fraction, names: dict[int, str], words: Words) -> str:
    """A prize; ``money`` is in øre."""
    return words("tables.prize", name=names[number], amount=kroner(money, words))


def kroner(money: Fraction, words: Words) -> str:
    """An amount in øre, written as kroner in the language; a fraction is cut to whole øre."""
    amount = Decimal(int(money)) / 100
    return str(format_currency(amount, "DKK", locale=words.locale))


def listed(names: Sequence[str], words: Words) -> str:
    """Anna, Bo and Carl."""
    if len(names) < 2:
        return "".join(names)
    return words("tables.and", names=", ".join(names[:-1]), last=names[-1])
