"""The regulation's pages: an index, and a document a paragraph, with examples a reader may change.

An example is a plain GET form: the address holds what was changed, and the engine answers.
"""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache

from aiohttp import web

from kskak.play.game_state import misfit_of
from kskak.regulation.editions import EDITION, Side
from kskak.statement.account import timeline
from kskak.values import FieldError
from mail.outgoing import blocks as b
from mail.outgoing.papers import draw_paper
from mail.text.catalogue import FACTS, LANGUAGES, Words
from mail.text.explanations import side_name
from server.usecases.regulation import (
    Paragraph,
    RegulationExample,
    by_slug,
    documents,
    own_text,
    paragraphs,
)
from server.usecases.rights import union_values
from server.web.frame.context import PageRoutes, core, get_words, or_404
from server.web.frame.page_texts import PageWords, SubjectWords
from server.web.frame.pages import page, pdf_response
from server.web.reflection.day_calendar import calendar_of

routes = PageRoutes()

CHAPTERS = "6"
"""The document that only names the chapters: its paragraphs lead to the index."""


class RegulationWords(SubjectWords):
    """One language for these pages."""

    subject = "regulation"

    def text(self, texts: Mapping[str, str]) -> tuple[str, str]:
        """A text in the reader's language, else in the first his falls back on; which it is."""
        own = self.words.lang
        lang = next((one for one in (own, *FACTS[own].falls_back) if one in texts), "en")
        return self.words.cite(texts[lang]), lang

    def cited(self, one: Paragraph) -> str:
        """A paragraph as people write it."""
        return self.words.cite(one.cited)

    def chapter(self, number: str) -> str:
        """What a part of the index is called: chapters of section 6, else the section."""
        head = ".".join(number.split(".")[:2]) if number.startswith("6.") else "other"
        return self.words(f"regulation.chapter.{head.replace('.', '_')}")

    def place(self, example: RegulationExample, place: str) -> str:
        """What the dates of a place belong to: «Sorts 10. træk», «Hvids ferie», «Resultat 2»."""
        name, _, index = place.partition(".")
        if name != "entries":
            return self.words("regulation.row", n=int(index) + 1) if index else ""
        entries = example.facts["entries"]
        entry = entries[int(index)]
        side = side_name(Side(entry["by"]), self.words) if "by" in entry else ""
        sent = [one for one in entries[: int(index) + 1] if one["kind"] == "move"]
        plies = sum(len(one.get("moves", "-").split()) for one in sent)
        return self.words(f"regulation.entry.{entry['kind']}", by=side, n=(plies + 1) // 2)


@routes.get("/regulation")
async def index(request: web.Request) -> web.Response:
    """Every document, by chapter."""
    g = RegulationWords(get_words(request).words)
    chapters: dict[str, list[Paragraph]] = {}
    for found in documents().values():
        if found[0].number != CHAPTERS:
            chapters.setdefault(g.chapter(found[0].number), []).append(found[0])
    async with core(request).store.read() as conn:
        home = (await union_values(core(request), conn)).regulation_url
    return page(request, "regulation/index.html", g=g, chapters=chapters, home=home)


@routes.get("/regulation.pdf")
async def paper(request: web.Request) -> web.Response:
    """Section 6 as one document to print, as start letters by post need it (§ 6.5.2.1)."""
    asked, lang = core(request), get_words(request).words.lang
    given = lang, asked.today(asked.settings.clock.zone), asked.settings.web.regulation
    data = await asyncio.to_thread(_draw, *given, asked.url("/regulation"))
    return pdf_response(data, "regulation")


@lru_cache(maxsize=len(LANGUAGES))
def _draw(lang: str, today: date, folder: str, url: str) -> bytes:
    """Drawn once a day: it takes seconds."""
    g = RegulationWords(Words.load(lang))
    written = b.LetterContent(g("title"), tuple(_on_paper(g, today, folder, url)), ())
    return draw_paper("letter", written, lang, g("title"), today)


def _on_paper(g: RegulationWords, today: date, folder: str, url: str) -> Iterator[b.Block]:
    """Each sentence with its number, the federation's own text, and the readings in small print."""
    yield g("paper.lead", edition=EDITION, day=g.words.day(today))
    yield f"{g('official')} {g('reading')} {g('paper.examples', url=url)}"
    chapter = ""
    for number, parts in documents().items():
        if number.startswith("6.") and g.chapter(number) != chapter:
            chapter = g.chapter(number)
            yield b.Heading(chapter)
        for part in parts if number.startswith("6.") else ():
            yield b.Heading(
                f"{g.cited(part)} {g.text(part.titles)[0]}", 3 if part is parts[0] else 4
            )
            yield from own_text(folder, part.number)
            said = ((g(f"mark.{mark}"), g.text(one)[0]) for mark, one in part.sentences)
            points = (one if mark == g("mark.rule") else f"{one} ({mark})" for mark, one in said)
            yield b.FactList(tuple((f"{n}.", one) for n, one in enumerate(points, 1)))
            for cited, texts in part.readings:
                others = [g.words.cite(cited)] * (cited != part.cited)
                head = " ".join((g("paper.reading"), *others))
                yield b.SmallPrint(f"{head}: {g.text(texts)[0]}")


@routes.get("/regulation/{number}")
async def document(request: web.Request) -> web.Response:
    """A document; the address of a paragraph in it leads to its place there."""
    name = request.match_info["number"].lower()
    found = or_404(by_slug().get(name))
    if found.document == CHAPTERS:
        raise web.HTTPFound("/regulation")
    if found.number != found.document:
        document = documents()[found.document][0]
        raise web.HTTPFound(f"/regulation/{document.slug}#{found.slug}")
    parts, said = documents()[found.document], get_words(request)
    folder = core(request).settings.web.regulation
    return page(
        request,
        "regulation/document.html",
        g=RegulationWords(said.words),
        found=found,
        parts=parts,
        others=[one for one in paragraphs().values() if one.document != found.document],
        own={one.number: own_text(folder, one.number) for one in parts},
        examples=dict(_examples(parts, request.query, said)),
    )


def _examples(
    parts: tuple[Paragraph, ...], given: Mapping[str, str], said: PageWords
) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """By paragraph, each example with its number on the page, its fields and what it comes to.

    One of them day by day: the one that was changed, else the first game.
    """
    number, has_calendar = 0, bool(given.get("example"))
    for part in parts:
        shown = []
        for one in part.examples:
            number += 1
            mine = given if given.get("example") == str(number) else {}
            answer = _answer(one, mine, said)
            if answer["calendar"] and not mine and has_calendar:
                answer["calendar"] = None
            has_calendar |= bool(answer["calendar"])
            shown.append({"n": number, "example": one} | answer)
        yield part.number, shown


def _answer(one: RegulationExample, given: Mapping[str, str], said: PageWords) -> dict[str, object]:
    """The fields by place, and the lines for the facts as changed, or why there are none."""
    fields: dict[str, list[tuple[str, str, object, bool]]] = {}
    for place, name, value in one.leaves():
        key = f"{place}.{name}".removeprefix(".")
        fields.setdefault(place, []).append(
            (key, name, given.get(key, value), isinstance(value, date))
        )
    answer: dict[str, object] = {"fields": fields, "changed": bool(given), "fault": "", "lines": ()}
    answer["calendar"] = None
    try:
        facts = one.changed(given)
        found = one.run(facts)
    except FieldError:
        return answer | {"fault": said.words("regulation.fault.facts")}
    except ValueError as fault:
        misfit = misfit_of(fault)
        own = "regulation.fault.facts" if misfit.value == "other" else f"misfits.{misfit.value}"
        return answer | {"fault": said.words(own)}
    calendar = found.account and calendar_of(timeline(found.account), said)
    return answer | {"lines": list(found.lines(said.words)), "calendar": calendar}
