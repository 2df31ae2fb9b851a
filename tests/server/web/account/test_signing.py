"""Signing in by link: looking uses nothing up, the button works once, nobody hears who is known."""

from datetime import timedelta

from aiohttp.test_utils import make_mocked_request

from server.usecases.account import signin
from server.web.frame.context import client_address
from tests.fakes.machinery.each import rows
from tests.fakes.many import statements
from tests.fakes.site import Site
from tests.server.web.conftest import OWN, Browser, Browsers


async def _letters(site: Site) -> list[str]:
    return [row.kind for row in (await site.written())[::-1]]


async def test_opening_a_link_signs_nobody_in_however_often(site: Site, stranger: Browser):
    link = await site.link("anna@example.org")
    for _ in range(3):
        status, text = await stranger.get(link)
        assert status == 200
        assert "Velkommen, Anna Andersen" in text
        await stranger.http.head(link)
    assert "Mine partier" not in (await stranger.get("/"))[1]


async def test_the_button_signs_in_once_and_leads_on_this_site_alone(browsers, site):
    # The button signs in once and leads where the link was asked for.
    visitor, second = await browsers.stranger(), await browsers.stranger()
    link = await site.link("anna@example.org", "/leave")
    answer = await visitor.post(link)
    assert (answer.status, answer.headers["Location"]) == (303, "/leave")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Mine partier" in (await visitor.get("/"))[1]
    assert (await second.http.post(link, headers=OWN)).status == 410
    assert "Mine partier" not in (await second.get("/"))[1]
    # A link never leads to another site.
    for wished in ("//evil.example", "/\\evil.example", "https://evil.example"):
        visitor = await browsers.stranger()
        link = await site.link("anna@example.org", wished)
        answer = await visitor.post(link)
        assert answer.headers["Location"] == "/"


async def test_a_link_that_is_too_old_says_so_and_is_not_used(site, stranger):
    # A link that is too old says so and offers a new one.
    link = await site.link("anna@example.org")
    site.clock.turn(1)
    status, text = await stranger.get(link)
    assert status == 410
    assert 'href="/signin"' in text
    # A link that is too old is not used either.
    link = await site.link("anna@example.org")
    assert (await stranger.get(link))[0] == 200
    site.clock.at += timedelta(hours=1)
    answer = await stranger.post(link)
    assert answer.status == 410 and "Set-Cookie" not in answer.headers
    assert "Mine partier" not in (await stranger.get("/"))[1]


async def test_two_hundred_asked_for_one_are_three_letters(browsers: Browsers, site: Site):
    """From as many networks as it takes; a fourth goes when one was used or the hour is over."""
    before = await _letters(site)

    async def sent() -> int:
        return (await _letters(site)).count("sign_in") - before.count("sign_in")

    for _ in range(200):
        await signin.request_link(site.core, "Anna@example.org")
    await signin.request_link(site.core, "bent@example.org")
    assert await sent() == 4, "three to Anna, and Bent's own"
    visitor = await browsers.stranger()
    link = await site.link("anna@example.org")
    assert (await visitor.http.post(link, headers=OWN, allow_redirects=False)).status == 303
    await signin.request_link(site.core, "anna@example.org")
    assert await sent() == 5
    site.clock.at += timedelta(hours=1)
    for _ in range(9):
        await signin.request_link(site.core, "anna@example.org")
    assert await sent() == 8


async def test_a_used_link_ends_the_others_of_that_person_alone(browsers: Browsers, site: Site):
    visitor = await browsers.stranger()
    first, second = [await site.link("anna@example.org") for _ in range(2)]
    other = await site.link("bent@example.org")
    assert (await visitor.http.post(second, headers=OWN, allow_redirects=False)).status == 303
    stranger = await browsers.stranger()
    assert (await stranger.get(first))[0] == 410
    assert (await stranger.post(first)).status == 410
    assert (await stranger.http.post(other, headers=OWN, allow_redirects=False)).status == 303


async def test_an_answer_to_nobody_costs_the_same_writes(site: Site, monkeypatch):
    """Known, at his limit or unknown: one transaction with a letter stored; it is not kept."""
    before, costs = await _letters(site), []
    for email in ("nobody@example.org", *["anna@example.org"] * 4):
        with statements() as said:
            await signin.request_link(site.core, email)
        written = [one.split(None, 1)[0].upper() for one in said]
        costs.append([one for one in written if one in ("SELECT", "INSERT", "DELETE")])
    assert costs[0] == costs[4] == ["SELECT", "SELECT", "INSERT", "DELETE"]
    assert costs[1] == costs[3] == ["SELECT", "SELECT", "INSERT", "INSERT"]
    assert len(await _letters(site)) == len(before) + 3


@rows(
    "remote counted",
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2::99", "2001:db8:1:2::/64"),
    ("2001:db8:1:3::99", "2001:db8:1:3::/64"),
    ("::ffff:192.0.2.7", "192.0.2.7"),
    ("fe80::1%eth0", "fe80::/64"),
    ("192.0.2.7", "192.0.2.7"),
    ("unix:", "unix:"),
)
async def test_of_ipv6_the_network_is_counted(remote: str, counted: str, site: Site):
    request = make_mocked_request("GET", "/", app=site.app)
    assert client_address(request.clone(remote=remote)) == counted


async def test_known_and_unknown_addresses_get_the_same_page_but_only_one_a_letter(site, stranger):
    before = await _letters(site)
    texts = []
    for email in ("nobody@example.org", "ANNA@example.org"):
        answer = await stranger.post("/signin", {"email": email})
        texts.append((answer.status, (await answer.text()).replace(email, "")))
    assert texts[0] == texts[1]
    assert (await _letters(site)).count("sign_in") == before.count("sign_in") + 1


async def test_a_slip_in_the_address_is_said_beside_the_field_which_keeps_it(stranger: Browser):
    answer = await stranger.post("/signin", {"email": "anna example.org"})
    text = await answer.text()
    assert answer.status == 422
    assert 'value="anna example.org"' in text
    assert 'aria-invalid="true"' in text


async def test_one_address_of_the_net_may_not_ask_for_ever(site: Site, stranger: Browser):
    statuses = [
        (await stranger.post("/signin", {"email": f"a{n}@example.org"})).status for n in range(61)
    ]
    assert statuses == [200] * 60 + [429]
    site.clock.turn(1)
    assert (await stranger.post("/signin", {"email": "a@example.org"})).status == 200


async def test_signing_out_ends_the_session_on_the_server_too(browsers: Browsers, anna: Browser):
    cookie = {c.key: c.value for c in anna.http.session.cookie_jar}
    assert (await anna.post("/signout")).status == 303
    thief = await browsers.stranger()
    assert "Mine partier" not in (await thief.get("/", cookies=cookie))[1]
    assert "Mine partier" not in (await anna.get("/"))[1]
