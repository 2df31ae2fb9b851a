"""Names from right to left and names without a blank stand apart in every page's text."""

from html import escape

import jinja2
import pytest
from sqlalchemy import update

from mail.text.catalogue import Words
from server.store.tables.base import people
from server.web.frame.pages import (
    LONGEST,
    IsolationExtension,
    environment,
    isolate_name,
    isolate_text,
)
from tests.fakes.machinery.each import each

ARABIC = "محمد الخطيب"
HEBREW, URDU = "דוד לוי", "فیض"
TURNED = "Anna\N{RIGHT-TO-LEFT OVERRIDE}nesredna"
PLAIN = ("Hans-Jørgen Bæk", "Páll á Høvdanum", "Małgorzata Wiśniewska-Dąbrowska", "Ærø " * 60)


@pytest.mark.parametrize("name", [ARABIC, HEBREW, URDU, TURNED])
def test_a_name_from_right_to_left_stands_in_bdi(name: str) -> None:
    assert isolate_text(name) == f"<bdi>{name}</bdi>"
    assert isolate_text(f"<b>{name}") == f"<bdi>&lt;b&gt;{name}</bdi>"


@each("name", [*PLAIN, "x" * LONGEST, 7, None])
def test_all_else_stays_as_it_is(name: object) -> None:
    assert isolate_text(name) is name


def test_names_are_set_apart_on_pages_and_nowhere_else():
    # A name without a blank may break anywhere.
    name = "W" * (LONGEST + 1)
    assert isolate_text(name) == f'<bdi class="long">{name}</bdi>'
    # A name in a sentence is isolated on pages and nowhere else.
    words = Words.load("da")
    assert f"\u2068{ARABIC}\u2069" in words.isolating()("thread.write", name=ARABIC)
    assert words.isolating()("thread.write", name="Åse") == words("thread.write", name="Åse")
    assert "\u2068" not in words("thread.write", name=ARABIC)
    # Every template is read with it.
    made = environment()
    for name in made.list_templates():
        made.get_template(name)
    assert made.filters["apart"] is isolate_text


def test_only_what_stands_between_tags_is_put_apart() -> None:
    made = jinja2.Environment(autoescape=True, extensions=[IsolationExtension])
    made.filters.update(apart=isolate_text, named=isolate_name)
    text = (
        "{% block title %}{{ n }}{% endblock %}<p title='{{ n }}' class=\"{{ n }}\">{{ n }}</p>"
        "<textarea>{{ n }}</textarea><option value=1>{{ n }}</option>"
        "<svg><text>{{ n }}</text></svg>"
        "{{ n if n else m }}{{ '<i>'|safe }}{% macro one(x) %}<i>{{ x }}</i>{% endmacro %}"
        "{{ one(n) }}"
    )
    shown = made.from_string(text).render(n=ARABIC)
    own = f"<bdi>{ARABIC}</bdi>"
    assert shown == (
        f"{ARABIC}<p title='{ARABIC}' class=\"{ARABIC}\">{own}</p><textarea>{ARABIC}</textarea>"
        f"<option value=1>{ARABIC}</option><svg><text>{ARABIC}</text></svg>{own}<i><i>{own}</i>"
    )


def test_a_paragraph_leads_to_its_document_where_a_link_may_stand() -> None:
    """§ 6.3.3.1: known paragraphs, rulings and articles, once, and never a link within a link."""
    text = "{{ n }}<a href='/'>{{ n }}</a><button>{{ n }}</button><p>{{ n }}</p>{{ n|tied }}"
    made = environment().from_string(text)
    law = '<a class="law" href="/regulation/6.3.3.1">§ 6.3.3.1</a>'
    named = "(§ 6.3.3.1) <"
    shown = f"({law}) &lt;"
    assert made.render(n=named) == (
        f"{shown}<a href='/'>(§ 6.3.3.1) &lt;</a><button>(§ 6.3.3.1) &lt;</button>"
        f"<p>{shown}</p>{shown.replace('>§ ', '>§' + chr(160))}"
    )
    for one, slug in (("FIDE 9.2", "fide-9.2"), ("Kendelse 107", "kendelse-107")):
        assert isolate_text(one) == f'<a class="law" href="/regulation/{slug}">{one}</a>'
    assert isolate_text("§ 6.3.3.1 a") == f"{law} a"
    for unknown in ("§ 9 og § 6.12.1", "Kendelse 9", "FIDE"):
        assert "<a" not in str(isolate_text(unknown))


async def test_every_page_that_names_a_player_keeps_the_direction_of_his_name(site, browsers):
    bent = await site.person("bent@example.org")
    async with site.core.store.write() as conn:
        await conn.execute(update(people).where(people.c.id == bent.id).values(name=ARABIC))
    anna, tove = await browsers.of("anna"), await browsers.of("tove")
    game = f"/games/{(await site.game()).id}"
    pages = ("/", game, f"{game}/statement", "/groups/K-26-01", "/players", f"/players/{bent.id}")
    for browser, path in [(anna, one) for one in pages] + [(tove, "/desk/groups/K-26-01")]:
        status, text = await browser.get(path)
        assert status == 200 and escape(ARABIC) in text, path
        shown = text.partition("<main")[2].split(ARABIC)
        for before in shown[:-1]:
            is_in_tag = before.rpartition("<")[2].count(">") == 0
            opened = before[-50:].rpartition("<")[2]
            is_raw = before.endswith(("<bdi>", "\u2068")) or opened.startswith(("option", "text"))
            assert is_in_tag or is_raw, f"{path}: {before[-80:]}"
