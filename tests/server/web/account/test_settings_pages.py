"""``/settings``: the overview of all sections, and a form for each choice."""

import re

from server.store.play import people as person_rows
from server.usecases.account import signin
from server.usecases.preferences import BoardLook, Pace, Preferences
from server.web.account.settings import SECTIONS
from tests.fakes.machinery.each import each
from tests.fakes.site import Site
from tests.server.web.conftest import Browser

FORMS = tuple(one.path for one in SECTIONS if one.fields)


async def _kept(site: Site, name: str) -> Preferences:
    async with site.core.store.read() as conn:
        person = await person_rows.by_email(conn, f"{name}@example.org")
    assert person is not None
    return await signin.read_preferences(site.core, person.id)


async def test_the_overview_leads_to_every_section_and_each_is_there(anna):
    # The overview leads to every section and tells what is chosen.
    _, text = await anna.get("/settings")
    for section in SECTIONS:
        assert f'href="{section.path}"' in text
    assert "Rolige" in text
    answer = await anna.post("/settings/board", {"board": "green", "has_coordinates": "off"})
    assert (answer.status, answer.headers["Location"]) == (303, "/settings/board?done=1")
    _, text = await anna.get("/settings")
    assert "Grønne · Skjul dem" in text
    # A section that stands within a page is there.
    within = [one.path.split("#") for one in SECTIONS if "#" in one.path]
    assert ["/leave", "calendar"] in within
    for path, name in within:
        _, text = await anna.get(path)
        assert f'id="{name}"' in text
    # A faulty form keeps what was typed in all its fields.
    typed = {"letters": "deadlines", "reminders": "10, 5, 99"}
    text = await (await anna.post("/settings/letters", typed)).text()
    assert 'value="10, 5, 99"' in text
    assert re.search(r'value="deadlines" checked', text)
    assert 'aria-invalid="true"' in text


async def test_a_choice_is_ones_own_and_one_form_leaves_the_others_alone(site, anna, bent):
    await anna.post("/settings/board", {"board": "green"})
    await anna.post("/settings/letters", {"letters": "daily", "reminders": "2 10"})
    kept = await _kept(site, "anna")
    assert (kept.board, kept.letters, kept.reminders) == (BoardLook.GREEN, Pace.DAILY, (10, 2))
    assert await _kept(site, "bent") == Preferences()
    _, text = await bent.get("/settings/letters")
    assert re.search(r'value="moves" checked', text)


@each("path", FORMS)
async def test_what_is_not_to_be_had_is_refused_beside_its_field_and_nothing_is_kept(
    site: Site, path: str, anna: Browser
) -> None:
    (section,) = (one for one in SECTIONS if one.path == path)
    for name in section.fields:
        answer = await anna.post(path, {name: "<b>"})
        text = await answer.text()
        assert answer.status == 422
        assert f'id="{name}-problem" role="alert"' in text
        assert f'aria-describedby="{name}-hint {name}-problem"' in text
        assert "<b>" not in text
    assert await _kept(site, "anna") == Preferences()


async def test_the_language_is_that_of_pages_and_letters_from_the_next_page_on(site, anna):
    assert (await anna.post("/settings/language", {"lang": "en"})).status == 303
    _, text = await anna.get("/settings/language?done=1")
    assert "Saved." in text
    assert '<html lang="en">' in text
    async with site.core.store.read() as conn:
        person = await person_rows.by_email(conn, "anna@example.org")
    assert person is not None
    assert person.lang == "en"
    assert (await anna.post("/settings/language", {"lang": "xx"})).status == 422


@each("path", ("/settings", *FORMS))
async def test_a_stranger_is_asked_to_sign_in(path: str, stranger: Browser) -> None:
    answer = await stranger.http.get(path, allow_redirects=False)
    assert answer.headers["Location"] == f"/signin?next={path}"
    assert (await stranger.http.get("/settings/else", allow_redirects=False)).status == 404


async def test_moves_stand_as_the_reader_wishes_on_list_game_and_statement(site, browsers):
    await site.play(await site.game(), "Nc3")
    path = f"/games/{(await site.game()).id}"
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    for writing, shown in (("figurines", "♘c3"), ("long", "Sb1-c3"), ("english", "Nc3")):
        await anna.post("/settings/notation", {"writing": writing})
        for page in ("/", path, f"{path}/statement"):
            _, text = await anna.get(page)
            assert shown in text, (writing, page)
            # a random key of the page's forms may contain the letters
            assert not re.search(r"(?<![\w+/=-])Sc3", text), (writing, page)
    assert "Sc3" in (await bent.get("/"))[1]
    await anna.post("/settings/notation", {"writing": "numeric"})
    assert ">2133<" in (await anna.get(path))[1]


async def test_what_the_board_puts_into_the_field_can_be_read_whatever_the_writing(site, browsers):
    path = f"/games/{(await site.game()).id}"
    anna = await browsers.of("anna")
    typed = {"figurines": "Sf3", "english": "Sf3", "long": "Sg1-f3", "numeric": "7163"}
    for writing, put in typed.items():
        await anna.post("/settings/notation", {"writing": writing})
        assert f'["g1f3","{put}"]' in (await anna.get(path))[1].replace(" ", "")
        answer = await anna.post(f"{path}/preview", {"text": put, "ply": "0"})
        assert answer.status == 200


async def test_letters_are_read_first_in_those_that_were_chosen(site, browsers):
    for text in ("e4", "e5"):
        await site.play(await site.game(), text)
    path = f"/games/{(await site.game()).id}"
    anna, move = await browsers.of("anna"), {"text": "Bc4", "ply": "2"}
    assert (await anna.post(f"{path}/preview", move)).status == 422, "bishop or bonde?"
    await anna.post("/settings/notation", {"reads": "english"})
    answer = await anna.post(f"{path}/preview", move)
    assert answer.status == 200
    assert "Lc4" in await answer.text()
    assert '"f1c4","Bc4"' in (await anna.get(path))[1].replace(" ", "")
