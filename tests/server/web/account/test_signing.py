"""Signing in by link: looking uses nothing up, the button works once, nobody hears who is known."""

import re
from datetime import timedelta

import pytest
from aiohttp.test_utils import make_mocked_request

from server.jobs.daily_duties import DailyJob
from server.store.account import sign_in as access
from server.usecases.account import signin
from server.usecases.account.signin import FRESH_US, MOST_TOKENS
from server.web.frame.context import client_address
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


async def test_the_button_signs_in_once_and_leads_where_the_link_was_asked_for(
    browsers: Browsers, site: Site
):
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


async def test_a_link_that_is_too_old_says_so_and_offers_a_new_one(site: Site, stranger: Browser):
    link = await site.link("anna@example.org")
    site.clock.turn(1)
    status, text = await stranger.get(link)
    assert status == 410
    assert 'href="/signin"' in text


async def test_a_link_that_is_too_old_is_not_used_either(site: Site, stranger: Browser):
    """Pressed after its hour, by who had its page open: no session, nothing proved."""
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


@pytest.mark.parametrize(
    ("remote", "counted"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::99", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::99", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("192.0.2.7", "192.0.2.7"),
        ("unix:", "unix:"),
    ],
)
async def test_of_ipv6_the_network_is_counted(remote: str, counted: str, site: Site):
    request = make_mocked_request("GET", "/", app=site.app)
    assert client_address(request.clone(remote=remote)) == counted


async def test_known_and_unknown_addresses_get_the_same_page_but_only_one_a_letter(
    site: Site, stranger: Browser
):
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


async def test_a_link_never_leads_to_another_site(browsers: Browsers, site: Site):
    for wished in ("//evil.example", "/\\evil.example", "https://evil.example"):
        visitor = await browsers.stranger()
        link = await site.link("anna@example.org", wished)
        answer = await visitor.post(link)
        assert answer.headers["Location"] == "/"


# /settings/access: browsers signed in, API tokens and the key for chess programs.


ACCESS = "/settings/access"
ONCE = "Det vises kun denne ene gang."
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 CriOS/130 Safari/604"
)
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0"


async def _news(site: Site) -> list[str]:
    kept = (await site.written("account"))[::-1]
    return [re.search(r'"news":\s*"(\w+)"', row.params)[1] for row in kept]


async def test_browsers_are_told_apart_in_words_ended_one_by_one_or_all_others_at_once(
    browsers: Browsers, site: Site
):
    agents = (FIREFOX, PHONE, "Lynx")
    signed = []
    for agent in agents:
        one = await browsers.stranger()
        one.http.session.headers["User-Agent"] = agent
        assert (await one.post(await site.link("anna@example.org"))).status == 303
        signed.append(one)
    bent = await browsers.of("bent")
    here, phone, lynx = signed
    text = (await here.get(ACCESS))[1]
    for said in ("Firefox på Windows", "Chrome på iPhone", "Ukendt browser"):
        assert said in text
    assert text.count("denne browser") == 1
    digests = re.findall(r'name="session" value="(\w+)"', text)
    assert len(digests) == 2, "one's own has the button that says sign out"
    anothers = await bent.post(f"{ACCESS}/sessions", {"deed": "one", "session": digests[0]})
    assert anothers.status == 404
    assert (await here.post(f"{ACCESS}/sessions", {"session": "nonsense"})).status == 404
    assert (await here.post(f"{ACCESS}/sessions", {"session": digests[0]})).status == 303
    alive = [one for one in (phone, lynx) if "Mine partier" in (await one.get("/"))[1]]
    assert len(alive) == 1
    assert (await here.post(f"{ACCESS}/sessions", {"deed": "others"})).status == 303
    assert "Mine partier" not in (await alive[0].get("/"))[1]
    assert "Mine partier" in (await here.get("/"))[1]
    assert "Mine partier" in (await bent.get("/"))[1]


async def test_last_seen_is_kept_once_an_hour_and_not_with_every_page(site: Site, anna: Browser):
    person = await site.person("anna@example.org")

    async def seen() -> int:
        async with site.core.store.read() as conn:
            (row,) = await access.sessions_of(conn, person.id, site.core.now_us)
        return row.seen_us

    first = await seen()
    site.clock.at += timedelta(minutes=59)
    await anna.get("/")
    assert await seen() == first
    site.clock.at += timedelta(minutes=2)
    await anna.get("/")
    assert await seen() == site.core.now_us
    assert first + signin.TOUCH_US < await seen()


async def test_a_token_is_shown_once_listed_and_taken_away_by_its_owner_alone(
    site: Site, anna: Browser, bent: Browser
):
    assert ONCE not in (await anna.get(ACCESS))[1], "nothing was made"
    nameless = await anna.post(f"{ACCESS}/tokens", {"deed": "make", "name": ""})
    assert nameless.status == 422 and "Skriv et navn" in await nameless.text()
    made = await (await anna.post(f"{ACCESS}/tokens", {"deed": "make", "name": "Robot"})).text()
    assert made.count(ONCE) == 1, "the token, and no key for programs"
    token = re.search(r"<code>([\w-]{32})</code>", made)[1]
    digest = access.digest(token)
    found = await site.core.store.look(lambda conn: access.owner_of_token(conn, digest))
    assert found is not None and found.name == "Anna Andersen"
    site.core.token_days.note(digest, "2026-09-01")
    await DailyJob(site.core).work()
    text = (await anna.get(ACCESS))[1]
    assert "Robot" in text and token not in text
    assert "Oprettet den 1. september 2026. Sidst brugt: 1. september 2026." in text
    fields = {"deed": "revoke", "token": digest.hex()}
    assert (await bent.post(f"{ACCESS}/tokens", fields)).status == 404
    assert (await anna.post(f"{ACCESS}/tokens", fields)).status == 303
    assert await site.core.store.look(lambda conn: access.owner_of_token(conn, digest)) is None
    assert set(await _news(site)) == {"token_added", "token_removed"}


async def test_there_is_an_end_to_tokens(browsers: Browsers, site: Site):
    anna, person = await browsers.of("anna"), await site.person("anna@example.org")
    for number in range(MOST_TOKENS):
        await signin.make_own_token(site.core, person, str(number))
    answer = await anna.post(f"{ACCESS}/tokens", {"deed": "make", "name": "Robot"})
    assert answer.status == 422 and "Fjern en, du ikke bruger" in await answer.text()


async def test_the_key_for_chess_programs_is_renewed_and_taken_away(browsers: Browsers, site: Site):
    anna, person = await browsers.of("anna"), await site.person("anna@example.org")
    user, keys = signin.xfcc_user(person.id), []
    for _ in range(2):
        made = await (await anna.post(f"{ACCESS}/xfcc", {"deed": "make"})).text()
        keys.append(re.search(r"<code>([a-z2-9]{20})</code>", made)[1])
        assert user in made
    assert await signin.xfcc_owner(site.core, user, keys[0]) is None, "renewed"
    assert (await signin.xfcc_owner(site.core, user.upper(), keys[1])).id == person.id
    assert await signin.xfcc_owner(site.core, "k1", "") is None
    other = signin.xfcc_user((await site.person("bent@example.org")).id)
    assert await signin.xfcc_owner(site.core, other, keys[1]) is None, "not his key"
    async with site.core.store.read() as conn:
        row = await access.xfcc_key_of(conn, person.id)
    assert row is not None and row.used_day == "2026-09-01"
    assert (await anna.post(f"{ACCESS}/xfcc", {"deed": "revoke"})).status == 303
    assert await signin.xfcc_owner(site.core, user, keys[1]) is None
    assert sorted(set(await _news(site))) == ["xfcc_added", "xfcc_removed"]


async def test_keys_are_made_only_after_a_fresh_sign_in_but_taken_away_always(
    site: Site, anna: Browser
):
    await anna.post(f"{ACCESS}/xfcc", {"deed": "make"})
    site.clock.at += timedelta(microseconds=FRESH_US + 1)
    for what in ("tokens", "xfcc"):
        answer = await anna.post(f"{ACCESS}/{what}", {"deed": "make", "name": "Robot"})
        assert answer.status == 403 and "Log ind igen" in await answer.text()
    assert (await anna.post(f"{ACCESS}/xfcc", {"deed": "revoke"})).status == 303
