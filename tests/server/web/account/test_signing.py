"""Signing in by link: looking uses nothing up, the button works once, nobody hears who is known."""

from server.store.mail import outbox
from tests.fakes.site import Site
from tests.server.web.conftest import OWN, Browsers


async def _letters(site: Site) -> list[str]:
    async with site.core.store.read() as conn:
        return [row.kind for row in await outbox.newest(conn)]


async def test_opening_a_link_signs_nobody_in_however_often(browsers: Browsers, site: Site):
    visitor = await browsers.stranger()
    link = await site.link("anna@example.org")
    for _ in range(3):
        status, text = await visitor.get(link)
        assert status == 200
        assert "Velkommen, Anna Andersen" in text
        await visitor.http.head(link)
    assert "Mine partier" not in (await visitor.get("/"))[1]


async def test_the_button_signs_in_once_and_leads_where_the_link_was_asked_for(
    browsers: Browsers, site: Site
):
    visitor, second = await browsers.stranger(), await browsers.stranger()
    link = await site.link("anna@example.org", "/leave")
    answer = await visitor.http.post(link, headers=OWN, allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/leave")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Mine partier" in (await visitor.get("/"))[1]
    assert (await second.http.post(link, headers=OWN)).status == 410
    assert "Mine partier" not in (await second.get("/"))[1]


async def test_a_link_that_is_too_old_says_so_and_offers_a_new_one(browsers: Browsers, site: Site):
    visitor = await browsers.stranger()
    link = await site.link("anna@example.org")
    site.clock.turn(1)
    status, text = await visitor.get(link)
    assert status == 410
    assert 'href="/signin"' in text


async def test_known_and_unknown_addresses_get_the_same_page_but_only_one_a_letter(
    browsers: Browsers, site: Site
):
    visitor = await browsers.stranger()
    before = await _letters(site)
    texts = []
    for email in ("nobody@example.org", "ANNA@example.org"):
        answer = await visitor.post("/signin", {"email": email})
        texts.append((answer.status, (await answer.text()).replace(email, "")))
    assert texts[0] == texts[1]
    assert (await _letters(site)).count("sign_in") == before.count("sign_in") + 1


async def test_a_slip_in_the_address_is_said_beside_the_field_which_keeps_it(browsers: Browsers):
    visitor = await browsers.stranger()
    answer = await visitor.post("/signin", {"email": "anna example.org"})
    text = await answer.text()
    assert answer.status == 422
    assert 'value="anna example.org"' in text
    assert 'aria-invalid="true"' in text


async def test_one_address_of_the_net_may_not_ask_for_ever(browsers: Browsers, site: Site):
    visitor = await browsers.stranger()
    statuses = [
        (await visitor.post("/signin", {"email": f"a{n}@example.org"})).status for n in range(21)
    ]
    assert statuses == [200] * 20 + [429]
    site.clock.turn(1)
    assert (await visitor.post("/signin", {"email": "a@example.org"})).status == 200


async def test_signing_out_ends_the_session_on_the_server_too(browsers: Browsers, site: Site):
    anna = await browsers.of("anna")
    cookie = {c.key: c.value for c in anna.http.session.cookie_jar}
    assert (await anna.post("/signout")).status == 303
    thief = await browsers.stranger()
    assert "Mine partier" not in (await thief.get("/", cookies=cookie))[1]
    assert "Mine partier" not in (await anna.get("/"))[1]


async def test_a_link_never_leads_to_another_site(browsers: Browsers, site: Site):
    for wished in ("//evil.example", "/\\evil.example", "https://evil.example"):
        visitor = await browsers.stranger()
        link = await site.link("anna@example.org", wished)
        answer = await visitor.http.post(link, headers=OWN, allow_redirects=False)
        assert answer.headers["Location"] == "/"
