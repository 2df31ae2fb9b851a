"""A postal address: the player's own to change, shown to those who write him cards (§ 6.2.1)."""

import pytest

from server.store.account import retention as retention_rows
from server.store.play import people as person_rows
from server.usecases.groups.group_file import GroupFileError, read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.machinery.each import each
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browser, Browsers

STREET = "Skolegade 7"
TEXT = f"Anna Andersen\r\n  {STREET}\r\n\r\n7100\u00a0 Vejle\x07"
KEPT = f"Anna Andersen\n{STREET}\n7100 Vejle"


async def _kept(site: Site, name: str = "anna") -> str | None:
    person = await site.person(f"{name}@example.org")
    async with site.core.store.read() as conn:
        row = (await person_rows.postal_addresses_of(conn, [person.id])).get(person.id)
    return None if row is None else row.text


async def _postal(site: Site, browsers: Browsers) -> str:
    """Anna has given her address and plays Bent by post: their game's path."""
    await officials(site)
    await start_group(site.core, read_group_file(group_text("P-26-01", "postal")))
    answer = await (await browsers.of("anna")).post("/settings", {"address": TEXT})
    assert answer.status == 303
    return f"/games/{(await site.game('P-26-01/1')).id}"


async def test_a_player_writes_changes_and_removes_his_own(site: Site, anna: Browser):
    assert (await anna.post("/settings", {"address": TEXT})).status == 303
    assert await _kept(site) == KEPT
    assert KEPT in (await anna.get("/settings"))[1]
    assert 'href="/settings"' in (await anna.get(f"/players/{await _id(site, 'anna')}"))[1]
    assert (await anna.post("/settings", {"address": " \n "})).status == 303
    assert await _kept(site) is None


async def _id(site: Site, name: str) -> int:
    return (await site.person(f"{name}@example.org")).id


@each(
    "text status",
    ("x" * 300, 303),
    ("x" * 301, 422),
    ("\n".join("abcdef"), 303),
    ("\n".join("abcdefg"), 422),
)
async def test_what_does_not_fit_on_a_card_is_refused_and_stays_in_the_field(
    site: Site, text: str, status: int, anna: Browser
):
    answer = await anna.post("/settings", {"address": text})
    assert answer.status == status
    if status == 422:
        assert text in await answer.text()
    assert (await _kept(site) is None) == (status == 422)
    await anna.post("/settings", {"address": ""})


async def test_who_sees_it_while_the_game_runs_and_after_it(site: Site, browsers: Browsers):
    """Anna's own page has the form; her game shows her opponent's, who has given none."""
    path = await _postal(site, browsers)
    anna, by_mail = await _id(site, "anna"), f"/games/{(await site.game()).id}"
    assert "har ikke oplyst" in (await (await browsers.of("anna")).get(path))[1]
    for name in ("bent", "tove", "kaj", "ole", "nina", "soren", "anna"):
        browser = await browsers.of(name)
        assert (STREET in (await browser.get(path))[1]) is (name in ("bent", "tove", "kaj")), name
        for elsewhere in (f"/players/{anna}", "/groups/P-26-01", by_mail):
            if name != "anna":
                assert STREET not in (await browser.get(elsewhere))[1], (name, elsewhere)
    stranger = await browsers.stranger()
    assert STREET not in (await stranger.get(f"/players/{anna}"))[1]
    await (await browsers.of("bent")).post(f"{path}/end/resign", {"key": "k", "ply": "0"})
    assert (await site.game("P-26-01/1")).result is not None
    for name, sees in {"bent": False, "soren": False, "ole": False, "tove": True}.items():
        status, text = await (await browsers.of(name)).get(path)
        assert (status, STREET in text) == (200, sees), name


async def test_it_goes_with_the_other_contact_data(site: Site, browsers: Browsers):
    await _postal(site, browsers)
    async with site.core.store.write() as conn:
        await retention_rows.forget_contacts(conn, [await _id(site, "bent")])
    assert await _kept(site) == KEPT
    anna = await _id(site, "anna")
    async with site.core.store.write() as conn:
        await retention_rows.forget_contacts(conn, [anna])
        assert await person_rows.postal_addresses_of(conn, [anna]) == {}


async def test_a_group_file_brings_addresses_that_do_not_replace_the_players_own(site, browsers):
    await _postal(site, browsers)
    text = group_text("P-26-02", "postal")
    text = text.replace("rating = 1900", 'address = "Andetsteds 1"').replace(
        "rating = 1850", 'address = """Bent Bæk\nNygade 2\n"""'
    )
    await start_group(site.core, read_group_file(text))
    assert await _kept(site) == KEPT
    assert await _kept(site, "bent") == "Bent Bæk\nNygade 2"
    with pytest.raises(GroupFileError, match="address: write a postal address that fits"):
        read_group_file(text.replace("Andetsteds 1", "x" * 301))


@pytest.mark.parametrize(("regulation", "has"), [("postal", True), ("email", False)])
async def test_the_start_letter_of_a_postal_group_has_the_addresses(site, regulation, has):
    """§ 6.5.2.1: names and addresses, to all."""
    text = group_text("P-26-03", regulation).replace("rating = 1900", f'address = "{STREET}"')
    await site.begin_group(text)
    mail = await site.composed((await site.written("start"))[-1])
    body = mail.get_body(("plain",))
    assert body is not None
    assert (STREET in body.get_content()) == has


async def _told(site: Site) -> list[int | None]:
    return [row.person_id for row in await site.written("address")]


async def test_opponents_and_leaders_by_post_are_told_of_a_new_address_once(site, browsers):
    """§ 6.2.1, § 6.8.5: not of the same again, not of its removal, not in e-mail games."""
    await start_group(site.core, read_group_file(group_text("P-26-01", "postal")))
    anna = await browsers.of("anna")
    await anna.post("/settings", {"address": TEXT})
    readers = [await _id(site, "bent"), await _id(site, "tove")]
    assert await _told(site) == readers
    await anna.post("/settings", {"address": TEXT})
    await anna.post("/settings", {"address": ""})
    assert await _told(site) == readers
    await (await browsers.of("soren")).post("/settings", {"address": "Søgade 1"})
    assert await _told(site) == readers, "he plays by e-mail only"
    row = (await site.written("address"))[-1]
    mail = await site.composed(row)
    assert STREET not in mail.as_string() and STREET not in row.params
