"""The help pages: open to everybody in both languages, with examples the server has worked out."""

import html
import re
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text as sql

from kskak.regulation.editions import Side
from mail.grammar.keyword_lines import Word, read_keyword
from mail.text.catalogue import Words
from server.store.desk_lists import promise_figures
from server.store.engine.rows import HOUR_US
from server.store.engine.store import Store
from server.store.tables import base as base_tables
from server.web.frame.page_texts import PageWords
from server.web.help import (
    ANSWER_LINES,
    HELP_TOPICS,
    KEYWORDS,
    LABELS,
    LINKS,
    OPENING_LINES,
    PAGES,
    before_series,
    explain_line,
    with_series,
    written_moves,
)
from tests.fakes.play import start_games

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_every_page_opens_for_a_stranger_and_leads_to_the_others(lang, stranger):
    await stranger.post("/language", {"lang": lang, "next": "/help"})
    status, index = await stranger.get("/help")
    assert status == 200
    for name in PAGES:
        assert f'href="/help/{name}"' in index
        status, text = await stranger.get(f"/help/{name}")
        assert status == 200
        assert f'lang="{lang}"' in text
        assert "{" not in text.partition("<main")[2]  # no place left open
        assert all(f'href="/help/{one}"' in text for one in PAGES if one != name)


async def test_the_manual_leads_to_the_regulation_and_to_what_it_tells_of(browsers, site):
    # The regulation is found and old addresses lead to it.
    stranger = await browsers.stranger()
    for name in ("rules", "readings"):
        assert "<h1>Reglementet</h1>" in (await stranger.get(f"/help/{name}"))[1]
    assert 'href="/regulation"' in (await stranger.get("/help"))[1]
    # Officials are told that a case is decided after its hearing.
    _, text = await (await browsers.stranger()).get("/help/officials")
    assert "slutter du høringen, og først derefter kan du afgøre sagen" in text
    # What is told to be elsewhere is there and a game leads to the telling.
    anna, game = await browsers.of("anna"), await site.game()
    assert 'href="/help/play"' in (await anna.get(f"/games/{game.id}"))[1]
    for path in LINKS.values():
        status, text = await anna.get(path)
        assert status == 200 and f'id="{path.partition("#")[2] or "main"}"' in text, path


@pytest.mark.parametrize("lang", ["da", "en"])
def test_every_line_shown_is_read_as_a_move(lang: str):
    said = PageWords.of(lang)
    for text in OPENING_LINES:
        assert "12. b5" in explain_line(before_series(), Side.WHITE, text, said)[1]
    for text in ANSWER_LINES:
        assert "axb5" in explain_line(with_series(), Side.BLACK, text, said)[1]


def test_lines_shown_are_examples_in_the_regulations_writing():
    # A line without a move is no example.
    with pytest.raises(ValueError, match="no move"):
        explain_line(before_series(), Side.WHITE, "goddag", PageWords.of("da"))
    # Moves are written as the regulation writes them: § 6.2.2: castling 5171, promotion 5758(1).
    found = written_moves()
    assert found["castle"] == ("5171", "0-0", "O-O")
    assert found["promote"] == ("5758(1)", "e8D", "e8=Q")
    assert found["knight"] == ("7163", "Sf3", "Nf3")


@pytest.mark.parametrize("lang", ["da", "en"])
def test_every_word_shown_is_understood_as_what_stands_beside_it(lang: str):
    for text, name in KEYWORDS[lang]:
        found = read_keyword(text, date(2026, 9, 1))
        assert found is not None
        assert found.word is Word(name)


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_playing_here_is_told_with_the_words_that_stand_on_the_pages(browsers, lang):
    """Each deed has a title and a text; each button and section is called as it is there."""
    stranger, said = await browsers.stranger(), Words.load(lang)
    await stranger.post("/language", {"lang": lang, "next": "/help"})
    text = html.unescape((await stranger.get("/help/play"))[1])
    for name in HELP_TOPICS:
        assert f'<h2 id="{name}">{said(f"help.play_title.{name}")}</h2>' in text
    quotes = "»{}«" if lang == "da" else "“{}”"
    for name, key in LABELS.items():
        assert quotes.format(said(key)) in text, f"{name} is never named"
    for path in LINKS.values():
        assert f'href="{path}"' in text


# What the server promises: open to everybody, each with its figure and a test that there is.


def test_each_promise_names_a_test_that_there_is():
    template = ROOT / "server/web/templates/help/promises.html"
    tests = re.findall(r'^  "\w+": "(.*)",$', template.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(tests)) == 12
    for test in tests:
        file, name = test.split("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), test


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_the_figures_are_counted_and_a_stranger_sees_them(lang, site, stranger):
    await stranger.post("/language", {"lang": lang, "next": "/promises"})
    said = Words.load(lang)
    status, text = await stranger.get("/promises")
    assert status == 200 and said("promises.backup.none") in html.unescape(text)
    assert text.count("<li id=") == 12
    assert "None" not in text.partition("<main")[2]
    site_facts = await site.core.store.look(partial(promise_figures, site.core.now_us))
    assert site_facts["games"] and site_facts["entries"] is not None
    told = said("promises.kept.number", **site_facts)
    assert told in html.unescape(text)
    an_hour_ago = str(site.core.now_us - 5 * HOUR_US)
    await site.core.store.change(base_tables.put_value, base_tables.COPY_PROVED, an_hour_ago)
    assert await site.core.store.look(partial(promise_figures, site.core.now_us)) != site_facts
    _, again = await stranger.get("/promises")
    assert said("promises.backup.none") in html.unescape(again), "ten minutes old at most"


@pytest.mark.both_engines
async def test_both_databases_count_the_same(store: Store):
    await start_games(store, 2)
    mail = "INSERT INTO inbox (received_us, first_us, peer, mail_from, rcpt_to, raw, digest, "
    mail += "message_key, state, due_us) VALUES (1, 1, '', '', '', :it, :it, :it, 'done', 1)"
    for is_kept in (False, True):  # a row undone costs a number on PostgreSQL
        with suppress(KeyError):
            async with store.write() as conn:
                await conn.execute(sql(mail), {"it": b"x"})
                if not is_kept:
                    raise KeyError
    found = await store.look(partial(promise_figures, 0))
    counts = [found[name] for name in ("games", "letters", "mails", "proved_us")]
    assert counts == [2, 0, 1, None]


async def test_a_letter_that_waits_and_a_case_not_decided_are_told_as_they_are(store: Store):
    """One that was never sent was not counted at all; a case was from its first day."""
    await start_games(store, 1)
    letter = "INSERT INTO outbox (message_id, kind, to_addr, params, created_us, due_us, state) "
    case = "INSERT INTO cases (number, kind, group_id, state, instance, seq, head, snapshot, "
    case += "is_suspended, opened_us) SELECT '1', 'claim', id, 'opened', 'tl', 0, x'00', '', 0, 0 "
    async with store.write() as conn:
        await conn.execute(sql(f"{letter} VALUES ('a', 'x', 'a@b.dk', '', 1, 1, 'queued')"))
        await conn.execute(sql(f"{case} FROM groups LIMIT 1"))
    soon, late = [await store.look(partial(promise_figures, us)) for us in (2, HOUR_US)]
    assert (soon["letters"], late["letters"], late["prompt"], late["cases"]) == (0, 1, 0, 0)
    async with store.write() as conn:
        await conn.execute(sql("UPDATE cases SET state = 'appealed'"))
    assert (await store.look(partial(promise_figures, 2)))["cases"] == 1
