"""The regulation's paragraphs as documents, whose examples are run by the engine of the server.

A document is a file of docs/regulation: its README.md says how one is written. Not for the numbers
(kskak/regulation/editions.py), which the sentences refer to, nor for the pages (server/web).
"""

import copy
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kskak.board.notation import answer_move
from kskak.cases.aftermath import loses_all
from kskak.cases.case import last_day_of_appeal
from kskak.cup import group_sizes, plan
from kskak.entries.access import access, access_json, read_access
from kskak.entries.emt import next_dm
from kskak.entries.rights import dm_places
from kskak.groups.crosstables import placing_json, read_standings, rows_of
from kskak.groups.schedule import round_robin, schedule_json
from kskak.league.composition import compose, compose_json, read_teams
from kskak.league.lineups import letters_due, usual_start
from kskak.ledger.ledger_files import clock_json, read_ledger
from kskak.office.year import PLAN
from kskak.play.due_days import call_in_from
from kskak.rating import calculation
from kskak.rating.calculation import rate, rated_json, read_group
from kskak.reflection import earliest_leave, leader_due, reminder_due
from kskak.regulation import days, editions
from kskak.statement.account import Account, account, iccf_table
from mail.grammar.read_text import read_lone_move
from mail.text.catalogue import Words, halves
from mail.text.explanations import (
    access_lines,
    compose_lines,
    explain,
    rating_lines,
    write_row,
    write_standings,
)

FOLDER = Path(__file__).parents[2] / "docs" / "regulation"
"""In a checkout, as every server is set up from one; a wheel has no docs, and so no documents."""
NUMBERS = {
    "postal": editions.POSTAL,
    "email": editions.EMAIL,
    "holidays": editions.HOLIDAYS,
    "laws": editions.LAWS[editions.DEFAULT_LAWS],
    "disputes": editions.DISPUTES,
    "emt": editions.EMT,
    "cup": editions.CUP,
    "league": editions.LEAGUE,
    "days": days,
    "rating": calculation,
    "plan": PLAN,
}
"""What a sentence may refer to, as ``{postal.days_per_move}``."""
Facts = dict[str, Any]
"""An example's facts, or what they come to: as its TOML says, with dates."""
Texts = dict[str, str]
"""By language."""


class ExampleAnswer(NamedTuple):
    """What facts come to: as data, in words for people, and for a game its account."""

    document: Facts
    lines: Callable[[Words], Iterable[str]]
    account: Account | None = None


# The engines that examples may name: those of the commands, and days and numbers by themselves.


def _clock(facts: Facts) -> ExampleAnswer:
    head = {"format": "kskak-ledger/1", "game": "-", "white": "Anna", "black": "Bent"}
    on, has_table = facts.pop("on", None), facts.pop("table", False)
    read = read_ledger(head | facts)
    found = account(read.terms, read.events, on and date.fromisoformat(on))

    def lines(words: Words) -> Iterator[str]:
        """Without the moves that only follow a series: they cost nothing and say nothing."""
        silent = {write_row(row, words) for row in found.rows if row.dates.sent is None}
        table = [iccf_table(found).rstrip()] if has_table else []
        result = found.state.result
        over = [] if result is None else [words("letters.over.lead", result=result.value)]
        return (line for line in (*table, *explain(found, words), *over) if line not in silent)

    return ExampleAnswer(clock_json(found), lines, found)


def _access(facts: Facts) -> ExampleAnswer:
    player = {"name": "Anna", "member": True, "citizen": True, "otb_rating": None}
    player |= {"k_rating": None} | facts.pop("player", {})
    results = [
        {"unfinished": 0, "place": None, "finished": None} | one for one in facts.pop("results", ())
    ]
    whole = {"format": "kskak-access/1", "player": player, "results": results} | facts
    file = read_access(whole)
    found = access(file.player, file.record)
    return ExampleAnswer(access_json(found), lambda words: access_lines(file, found, words))


def _compose(facts: Facts) -> ExampleAnswer:
    teams = [{"group": None, "score": None, "last": None} | one for one in facts["teams"]]
    made = compose(read_teams({"format": "kskak-compose/1", "teams": teams}))
    return ExampleAnswer(compose_json(made), lambda words: compose_lines(made, words))


def _standings(facts: Facts) -> ExampleAnswer:
    table = read_standings({"format": "kskak-standings/1"} | facts)
    return ExampleAnswer(placing_json(rows_of(table)), lambda words: write_standings(table, words))


def _rating(facts: Facts) -> ExampleAnswer:
    rows = rate(read_group({"format": "kskak-rating/1"} | facts))
    return ExampleAnswer(rated_json(rows, False), lambda words: rating_lines(rows, words))


def _move(facts: Facts) -> ExampleAnswer:
    found = answer_move(facts.get("fen", "start"), facts["text"], read=read_lone_move)
    names = ("numeric", "danish", "san")
    shown = " · ".join(str(found[name]) for name in names if name in found)
    return ExampleAnswer(found, lambda words: (f"{facts['text']}: {shown or found['error']}",))


def _schedule(facts: Facts) -> ExampleAnswer:
    made = round_robin(facts["players"], facts.get("double", False))
    games = [" · ".join(f"{one.white}–{one.black}" for one in row) for row in made.rounds]

    def lines(words: Words) -> Iterator[str]:
        for n, row in enumerate(games, start=1):
            yield words("regulation.round", n=n, games=row)

    return ExampleAnswer(schedule_json(made), lines)


def _silence(on: date, post_days: int = 0) -> Facts:
    """§ 6.3.4, § 6.8.3: a move of this day that nobody answers."""
    rules = editions.POSTAL if post_days else editions.EMAIL
    reminder = reminder_due(days.Calendar(), on, rules, post_days)
    assert reminder is not None
    return {"reminder": reminder, "leader": leader_due(days.Calendar(), reminder, rules)}


def _year(on: date) -> Facts:
    """§ 6.3.6.2: the obligatory holidays of the day's year."""
    easter, december = days.holidays(on.year)
    names = ("easter", "easter_to", "december", "december_to")
    spans = (easter.first, easter.last, december.first, december.last)
    return dict(zip(names, spans, strict=True))


def _cup(entries: int) -> Facts:
    """§ 6.6.1.1, § 6.6.1.3, § 6.6.2.2: what follows from the number of entries."""
    sizes = group_sizes(entries)
    if sizes is None:
        return {"groups": "-", "places": dm_places(entries)}
    goes = plan(len(sizes), 0)
    return {
        "groups": " + ".join(map(str, sizes)),
        "advancing": goes.advancing,
        "semifinals": goes.semifinals,
        "final": goes.final,
        "places": dm_places(entries),
    }


TERMS: dict[str, Callable[..., Facts]] = {
    "leave": lambda on: {"first": earliest_leave(on, editions.POSTAL)},
    "holidays": _year,
    "silence": _silence,
    "report": lambda on: {"last": days.report_until(on)},
    "long_game": lambda on: {"first": call_in_from(on)},
    "transcripts": lambda on: {"last": days.transcripts_until("DM", on)},
    "withdrawal": lambda finished, games: {
        "becomes": "lost" if loses_all(finished, games) else "judged"
    },
    "appeal": lambda on: {"last": last_day_of_appeal(on)},
    "publication": lambda on: {
        "objections": days.terms_of(on).objections_until,
        "prizes": days.terms_of(on).prizes_until,
    },
    "dm": lambda on: {"start": next_dm(on, ())},
    "league": lambda on: {"start": (at := usual_start(on.year)), "letters": letters_due(at)},
    "cup": _cup,
}
"""What follows from a day or a number alone, by the words that say it (``regulation.term``)."""


def _term(facts: Facts) -> ExampleAnswer:
    name = facts.pop("term")
    given = {k: date.fromisoformat(v) if isinstance(v, str) else v for k, v in facts.items()}
    found = TERMS[name](**given)
    key = f"{name}_{found['becomes']}" if "becomes" in found else name
    key = f"{name}_none" if found.get("groups") == "-" else key

    def lines(words: Words) -> Iterator[str]:
        both = {**given, **found}.items()
        shown = {k: words.day(v) if isinstance(v, date) else v for k, v in both}
        yield words(f"regulation.term.{key}", **shown)

    return ExampleAnswer(plain(found), lines)


ENGINES = {
    "clock": _clock,
    "access": _access,
    "compose": _compose,
    "standings": _standings,
    "rating": _rating,
    "move": _move,
    "schedule": _schedule,
    "term": _term,
}


def plain(value: Any) -> Any:
    """As JSON has it: dates as texts, and nothing for a dash."""
    if isinstance(value, dict):
        plies = {key: value[key].split() for key in ("moves", "proposes") if key in value}
        return {key: plain(one) for key, one in (value | plies).items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else None if value == "-" else value


# Documents: paragraphs with their sentences, readings and examples.


@dataclass(frozen=True, slots=True)
class RegulationExample:
    """Facts, what they come to, and the engine that says so."""

    engine: str
    titles: Texts
    facts: Facts
    comes: Facts

    @property
    def has_columns(self) -> bool:
        """Whether its lines are a table in characters."""
        return self.engine in ("standings", "rating")

    def leaves(self) -> Iterator[tuple[str, str, object]]:
        """What a reader may change: dates and numbers, by place (``entries.2``) and name."""
        for place, table in self._tables():
            for name, value in table.items():
                if isinstance(value, date | int | float) and not isinstance(value, bool):
                    yield place, name, value

    def _tables(self) -> Iterator[tuple[str, Facts]]:
        yield "", self.facts
        for name, value in self.facts.items():
            if isinstance(value, dict):
                yield name, value
            elif isinstance(value, list):
                for index, one in enumerate(value):
                    if isinstance(one, dict):
                        yield f"{name}.{index}", one

    def changed(self, given: Mapping[str, str]) -> Facts:
        """The facts with the dates and numbers given by place and name; ValueError for a bad one.

        A day must lie within two years of the example's own, a number be none of the sky's.
        """
        facts = copy.deepcopy(self.facts)
        there = dict(RegulationExample(self.engine, {}, facts, {})._tables())
        for place, name, value in self.leaves():
            text = given.get(f"{place}.{name}".removeprefix("."), "")
            if text:
                there[place][name] = _changed(value, text.strip())
        entries = facts.get("entries", []) if self.engine == "clock" else []
        for claim in [one for one in entries if one["kind"] == "claim"]:  # of what was by then
            entries.remove(claim)
            at = [one.get("sent", claim["on"]) > claim["on"] for one in entries]
            entries.insert([*at, True].index(True), claim)
        return facts

    def run(self, facts: Facts | None = None) -> ExampleAnswer:
        """What the facts come to. ValueError where they can't be true."""
        return ENGINES[self.engine](plain(self.facts if facts is None else facts))


_FAR_DAYS, _MOST = 731, 9999


def _changed(value: object, text: str) -> object:
    if isinstance(value, date):
        day = date.fromisoformat(text)
        if abs((day - value).days) > _FAR_DAYS:
            raise ValueError("too far away")
        return day
    number = float(text.replace(",", "."))
    if not 0 <= number <= _MOST:
        raise ValueError("no such number")
    return int(number) if number == int(number) else number


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a document: ``number`` as ``6.3.3.1``, ``Kendelse 107``, ``FIDE 9.2``.

    ``document``: the number of the one it stands in. ``sentences``: each with its mark (``rule``,
    ``official``, ``none``); ``readings``: each with the paragraphs it cites.
    """

    number: str
    document: str
    titles: Texts
    sentences: tuple[tuple[str, Texts], ...]
    readings: tuple[tuple[str, Texts], ...]
    examples: tuple[RegulationExample, ...]

    @property
    def cited(self) -> str:
        """As people write it: § 6.3.3.1."""
        return f"§ {self.number}" if self.number[0].isdigit() else self.number

    @property
    def slug(self) -> str:
        """Its part of an address."""
        return slug_of(self.number)


def slug_of(number: str) -> str:
    """A paragraph's part of an address: ``6.3.3.1``, ``kendelse-107``, ``fide-9.2``."""
    return number.lower().replace(" ", "-")


_HEAD = re.compile(
    r"^#{1,2} (?:§ )?(?P<number>\d[\d.]*|Kendelse \d+|FIDE [A-G\d.]+) (?P<da>.+?) / (?P<en>.+)$",
    re.M,
)
_ITEM = r"(?P<text>.+(?:\n +.+)*)"
_SENTENCE = re.compile(rf"^\d+\. \*\*(?P<mark>rule|official|none)\*\* {_ITEM}", re.M)
_READING = re.compile(rf"^- \*\*(?P<cited>.+?)\*\* {_ITEM}", re.M)
_EXAMPLE = re.compile(
    r"^```toml\n# (?P<engine>\w+): (?P<da>.+)\n# (?P<en>.+)\n(?P<facts>(?:.*\n)*?)```$", re.M
)


def _filled(text: str) -> str:
    """A sentence with the edition's numbers."""

    def number(found: re.Match[str]) -> str:
        name, _, rest = found[1].partition(".")
        value = getattr(NUMBERS[name], rest)
        return halves(value) if isinstance(value, Fraction) else str(value)

    return re.sub(r"\{([\w.]+)\}", number, text)


def _texts(item: str, alone: str) -> Texts:
    """Danish, and below it English in italics; ``alone``: the language of what stands alone."""
    both = re.split(r"\n +\*(?!\*)", item)
    texts = [re.sub("[`*]", "", _filled(" ".join(one.split()))) for one in both]
    return dict(zip(("da", "en") if len(texts) > 1 else (alone,), texts, strict=True))


def _example(found: re.Match[str]) -> RegulationExample:
    facts = tomllib.loads(found["facts"])
    titles = {"da": found["da"], "en": found["en"]}
    return RegulationExample(found["engine"], titles, facts, facts.pop("comes"))


def _read(text: str) -> Iterator[Paragraph]:
    heads = list(_HEAD.finditer(text))
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        body = text[head.end() : after.start() if after else None]
        yield Paragraph(
            head["number"],
            heads[0]["number"],
            {"da": head["da"], "en": head["en"]},
            tuple((one["mark"], _texts(one["text"], "da")) for one in _SENTENCE.finditer(body)),
            tuple((one["cited"], _texts(one["text"], "en")) for one in _READING.finditer(body)),
            tuple(map(_example, _EXAMPLE.finditer(body))),
        )


def _order(path: Path) -> tuple[bool, bool, list[int]]:
    """Section 6, what it rests on in the handbook, FIDE's laws."""
    numbers = [int(n) for n in re.findall(r"\d+", path.stem)]
    return not path.stem[0].isdigit(), not path.stem.startswith("6"), numbers


@cache
def documents() -> dict[str, tuple[Paragraph, ...]]:
    """The documents by their numbers, in the regulation's order; none without a checkout."""
    files = sorted((path for path in FOLDER.glob("*.md") if path.stem != "README"), key=_order)
    found = [tuple(_read(path.read_text(encoding="utf-8"))) for path in files]
    return {paragraphs[0].number: paragraphs for paragraphs in found}


@cache
def paragraphs() -> dict[str, Paragraph]:
    """Every paragraph by its number: what code, letters and pages may cite."""
    return {one.number: one for found in documents().values() for one in found}


@cache
def by_slug() -> dict[str, Paragraph]:
    """Every paragraph by its part of an address."""
    return {one.slug: one for one in paragraphs().values()}


def own_text(folder: str, number: str) -> tuple[str, ...]:
    """The federation's own text of a paragraph, by blank lines; nothing where it has set none.

    ``folder``: the setting ``web.regulation``; its files are named as ours: ``6.3.3.1.md``.
    """
    file = Path(folder) / f"{slug_of(number)}.md"
    if not folder or not file.is_file():
        return ()
    parts = re.split(r"\n\s*\n", file.read_text(encoding="utf-8"))
    return tuple(" ".join(part.split()) for part in parts if part.strip())
