"""The regulation's pages: each document in both languages, and days that a reader changes."""

import re
from datetime import date
from pathlib import Path

import pytest

from kskak.regulation.editions import EDITION
from mail.outgoing.blocks import Heading
from mail.text.catalogue import Words
from server.usecases.regulation import documents
from server.web.frame.pages import isolate_text
from server.web.regulation import RegulationWords, _draw, _on_paper
from tests.fakes.machinery.each import each
from tests.server.web.conftest import Browser, Browsers


@pytest.mark.parametrize("lang", ["da", "en", "sv"])
async def test_every_document_opens_for_a_stranger(lang: str, stranger: Browser):
    """A Swede reads Swedish around the Danish text, which says that it is Danish."""
    await stranger.post("/language", {"lang": lang, "next": "/regulation"})
    index, own = (await stranger.get("/regulation"))[1], "da" if lang == "sv" else lang
    for parts in documents().values():
        if parts[0].number == "6":
            continue
        status, text = await stranger.get(f"/regulation/{parts[0].slug}")
        main = text.partition("<main")[2]
        assert status == 200 and f'href="/regulation/{parts[0].slug}"' in index
        assert f'lang="{lang}"' in text and "{" not in main and "error" not in main
        assert not re.search(r"§\s(?:1\.3|4\.1)\.\d", text), "no handbook has it"
        assert main.count(f'<li><span lang="{own}">') == sum(len(part.sentences) for part in parts)
        for part in parts:
            assert f'id="{part.slug}"' in main and part.titles[own] in main


async def test_paragraphs_lead_to_their_place_and_readings(stranger):
    # A reading is found under each paragraph that it rests on.
    text = (await stranger.get("/regulation/6.8.7"))[1]
    told = text.partition('class="elsewhere"')[2].partition("</details>")[0]
    assert 'href="/regulation/6.3.3.4"' in told and "begge taber" in told
    assert "elsewhere" not in (await stranger.get("/regulation/6.2.7"))[1]
    # A paragraph leads to its place and an unknown one nowhere.
    answer = await stranger.http.get("/regulation/6.3.3.2", allow_redirects=False)
    assert answer.headers["Location"] == "/regulation/6.3.3#6.3.3.2"
    assert (await stranger.get("/regulation/kendelse-107"))[0] == 200
    assert (await stranger.get("/regulation/6.3"))[0] == 200
    assert (await stranger.get("/regulation/6.9.9"))[0] == 404


@each(
    ("said", "number"),
    [
        ("§ 19 i 4.1", "4.1.19"), ("§ 7 of 4.1", "4.1.7"), ("§ 9 of the laws", "1.3.9"),
        ("lovens § 9", "1.3.9"), ("lagarnas § 10", "1.3.10"), ("§ 6.4.1", "6.4.1"),
    ],
)  # fmt: skip
def test_a_paragraph_as_a_handbook_has_it_leads_to_its_document(said: str, number: str):
    """Everywhere on pages; § 9 of nothing leads nowhere."""
    link = f'<a class="law" href="/regulation/{number}">{said}</a>'
    assert str(isolate_text(f"Se {said}.")) == f"Se {link}."
    assert isolate_text("Se § 9.") == "Se § 9."


async def test_a_changed_date_shows_other_days_and_a_wrong_one_a_reason(browsers: Browsers):
    """§ 6.3.3.1: a day later at the control is an overstep; no script, the address holds it."""
    stranger, path = await browsers.stranger(), "/regulation/6.3.3?example=1&entries.3.sent="
    kept = (await stranger.get(path + "2026-10-05"))[1]
    over = (await stranger.get(path + "2026-10-06"))[1]
    assert "Sort 30 dage" in kept.partition('id="example-2"')[0]
    shown = over.partition('id="example-2"')[0]
    assert "Sort 31 dage" in shown and 'value="2026-10-06"' in shown and "<details" in shown
    for bad in ("2026-09-30", "2046-10-06", "i morgen"):
        status, text = await stranger.get(path + bad)
        assert status == 200 and 'class="error"' in text.partition('id="example-2"')[0]


async def test_the_federations_own_text_stands_beside_ours(browsers: Browsers, tmp_path: Path):
    (tmp_path / "6.3.3.1.md").write_text("Unionens <ord>.\n\nNæste afsnit.", encoding="utf-8")
    stranger = await browsers.stranger()
    web = browsers.site.core.settings.web
    object.__setattr__(web, "regulation", str(tmp_path))
    try:
        text = await (await stranger.http.get("/regulation/6.3.3")).text()
    finally:
        object.__setattr__(web, "regulation", "")
    own = text.partition('id="6.3.3.1"')[2].partition("<section")[0]
    assert "<p>Unionens &lt;ord&gt;.</p><p>Næste afsnit.</p>" in own
    assert "Unionens egen tekst" in own


async def test_section_6_is_one_document_to_print(browsers: Browsers, stranger: Browser):
    """§ 6.5.2.1: each sentence and reading, the edition and the day; drawn once a day."""
    g = RegulationWords(Words.load("da"))
    url = "https://skak.example.org/regulation"
    blocks = list(_on_paper(g, date(2026, 11, 27), "", url))
    shown = "\n".join(str(block) for block in blocks)
    chapters = [one.text[:3] for one in blocks if isinstance(one, Heading) and one.level == 2]
    assert chapters == [f"6.{n}" for n in range(1, 9)]
    assert EDITION in shown and "27. november 2026" in shown and url in shown
    for number, parts in documents().items():
        for part in parts if number.startswith("6.") else ():
            assert g.cited(part) in shown
            for _, texts in (*part.sentences, *part.readings):
                assert repr(g.text(texts)[0])[1:-1] in shown, part.number
    answer = await stranger.http.get("/regulation.pdf")
    first = await answer.read()
    assert answer.content_type == "application/pdf" and first.startswith(b"%PDF")
    assert first.count(b"/Title (") > len([n for n in documents() if n.startswith("6.")])
    drawn = _draw.cache_info().misses
    assert await (await stranger.http.get("/regulation.pdf")).read() == first
    assert _draw.cache_info().misses == drawn
    index = (await stranger.get("/regulation"))[1]
    assert 'href="/regulation.pdf"' in index
