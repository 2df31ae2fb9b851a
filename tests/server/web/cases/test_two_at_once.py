"""Two officials at one case: the second is told what happened meanwhile, and nothing is doubled.

The leader and his deputy, over every deed of who leads a case (§ 6.1.1, § 6.4.1).
"""

import re
from html import unescape

import pytest

from server.store.cases import cases as case_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import carried_fields, case_of, letter_in, objected

UNTIL = "2026-10-01"
RULED = {"reasons": "Dagene er talt rigtigt.", "paragraphs": "§ 6.3.1"}


@pytest.fixture
async def two(site: Site, browsers: Browsers) -> tuple[Browser, Browser, str]:
    """Tove leads, Dorte is her deputy; Anna's case waits for either."""
    path = await objected(site)
    dorte = await site.admit("dorte")
    async with site.core.store.write() as conn:
        group = (await case_of(site)).group_id
        await person_rows.add_office(
            conn, NewOffice(dorte.id, Office.DEPUTY.value, group, 0, dorte.id)
        )
    return await browsers.of("tove"), await browsers.of("dorte"), path


async def size(site: Site) -> tuple[int, int]:
    """How many events the case has, and how many letters there are."""
    async with site.core.store.read() as conn:
        events = await case_rows.list_events(conn, (await case_of(site)).id)
        letters = await outbox_rows.newest(conn, 1000)
    return len(events), len(letters)


def seen_in(text: str) -> str:
    """The number of the case's last event, as its forms send it."""
    found = re.search(r'name="seen" value="(\d+)"', text)
    assert found is not None
    return found[1]


DEEDS = [
    ("ask", {"until": UNTIL}),
    ("close", {"text": "Begge er hørt."}),
    ("suspend", {}),
    ("settle", {"text": "Enige."}),
    ("widen", {"new_game": "{other}"}),
]


@pytest.mark.parametrize(("first", "fields"), DEEDS)
async def test_the_second_is_told_what_the_first_did(site, two, first, fields):
    """Each pair of deeds, from one and the same page: said once, with whose it was, not doubled."""
    tove, dorte, path = two
    async with site.core.store.read() as conn:
        games = await game_rows.list_group_games(conn, (await case_of(site)).group_id)
    own = (await case_of(site)).games
    other = next(str(game.id) for game in games if game.id not in own)
    before = seen_in((await dorte.get(path))[1])
    done = {name: value.format(other=other) for name, value in fields.items()}
    assert (await tove.post(f"{path}/{first}", done | {"seen": before})).status == 303
    counts = await size(site)
    for second, others in DEEDS:
        again = {name: value.format(other=other) for name, value in others.items()}
        answer = await dorte.post(f"{path}/{second}", again | {"seen": before})
        page = unescape(await answer.text())
        assert answer.status == 422, second
        assert "Der er sket noget i sagen, siden du så den" in page and "tove, 1/9" in page
        assert await size(site) == counts, "nothing is doubled, nor sent twice"
    if first != "settle":
        answer = await dorte.post(f"{path}/{first}", done | {"seen": seen_in(page)})
        assert answer.status == 303 and await size(site) == counts, "there is nothing left to do"


@pytest.mark.parametrize("step", ["draft", "send"])
async def test_a_letter_is_not_sent_on_a_case_that_went_on(site, two, step):
    """The preview says what the other did, before it is drawn up and before it is sent."""
    tove, dorte, path = two
    assert (await tove.post(f"{path}/close", {"text": "Begge er hørt."})).status == 303
    before = seen_in((await dorte.get(path))[1])
    draft = RULED | {"step": "draft", "seen": before}
    text = unescape(await (await dorte.post(f"{path}/decide", draft)).text())
    assert (await tove.post(f"{path}/suspend", {"seen": before})).status == 303
    counts = await size(site)
    if step == "send":
        sent = carried_fields(text) | {"step": "send", "confirm": "1", "letter": letter_in(text)}
        answer = await dorte.post(f"{path}/decide", sent)
    else:
        answer = await dorte.post(f"{path}/decide", draft)
    page = unescape(await answer.text())
    assert answer.status == 422 and "nyt i sagen" in page and "tove, 1/9" in page
    assert await size(site) == counts
    sent = carried_fields(page) | {"step": "send", "confirm": "1", "letter": letter_in(page)}
    assert (await dorte.post(f"{path}/decide", sent)).status == 303
    second = await tove.post(f"{path}/decide", draft)
    assert second.status == 422 and "Sagen er afgjort" in unescape(await second.text())


async def test_who_speaks_is_not_stopped_by_what_others_did(site: Site, two: tuple) -> None:
    """A party's words, a note, a file: they stand beside each other."""
    tove, dorte, path = two
    before = seen_in((await dorte.get(path))[1])
    assert (await tove.post(f"{path}/suspend", {"seen": before})).status == 303
    for deed in ("say", "note"):
        said = {"text": f"Til {deed}.", "seen": before}
        assert (await dorte.post(f"{path}/{deed}", said)).status == 303


async def test_controller_and_administrator_end_and_give_an_office_once(site, browsers):
    """§ 6.1.1: both press the same button; one letter each, and nobody meets a page that is not."""
    await site.admit("kaj", Office.KC)
    await site.admit("ada", Office.ADMIN)
    await site.admit("dorte")
    kaj, ada = await browsers.of("kaj"), await browsers.of("ada")
    new = {"email": "dorte@example.org", "office": "deputy", "group": "K-26-01"}
    for who in (kaj, ada):
        assert (await who.post("/desk/kc/offices", new)).status == 303
    async with site.core.store.read() as conn:
        held = [one for one in await person_rows.list_offices(conn, site.core.now_us)
                if one.office == Office.DEPUTY]  # fmt: skip
        letters = len(await outbox_rows.newest(conn, 1000))
    assert len(held) == 1
    for who in (kaj, ada):
        assert (await who.post(f"/desk/kc/offices/{held[0].id}", {})).status == 303
    async with site.core.store.read() as conn:
        ended = len(await outbox_rows.newest(conn, 1000)) - letters
        assert not [one for one in await person_rows.list_offices(conn, site.core.now_us)
                    if one.office == Office.DEPUTY]  # fmt: skip
    assert 0 < ended <= 5, "told once"
