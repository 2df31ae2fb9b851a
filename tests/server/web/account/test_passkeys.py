"""Passkeys through HTTP: made after a fresh sign-in, used once a challenge, refused otherwise."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from mail.text.catalogue import Words
from server.app import run_server
from server.settings import SettingsError, settings_from
from server.store.account import sign_in as access
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxState
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Role
from server.usecases.account import signin
from server.usecases.account.signin import CHALLENGE_US, FRESH_US, party_of
from server.web.frame.context import MOST, Throttle
from tests.fakes.machinery.authenticator import PRESENT, Authenticator
from tests.fakes.machinery.each import each, rows
from tests.fakes.site import Site, close_site, open_site
from tests.server.web.conftest import OWN, Browser, Browsers

ACCESS = "/settings/access"
ANNA = "anna@example.org"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """The pages on a site with a name: passkeys belong to names."""
    opened = await open_site(tmp_path, public_url="http://localhost:8080")
    yield opened
    await close_site(opened)


async def _make(browser: Browser, key: Authenticator, name: str = "Min telefon") -> int:
    asked = await browser.post(f"{ACCESS}/passkeys/options", {"name": name, "answer": ""})
    assert asked.status == 200, await asked.text()
    fields = {"name": name, "answer": key.make(await asked.text())}
    return (await browser.post(f"{ACCESS}/passkeys", fields)).status


async def _sign_in(browser: Browser, key: Authenticator) -> int:
    asked = await browser.post("/signin/passkey/options")
    fields = {"next": "/leave", "answer": key.use(await asked.text())}
    return (await browser.post("/signin/passkey", fields)).status


async def _rows(site: Site) -> tuple[access.PasskeyRow, ...]:
    async with site.core.store.read() as conn:
        return await access.passkeys_of(conn, (await site.person(ANNA)).id)


async def _news(site: Site) -> list[str]:
    return [row.params for row in (await site.written("account"))[::-1]]


async def test_a_passkey_is_made_listed_renamed_used_and_removed_and_its_owner_is_told(
    browsers: Browsers, site: Site
):
    anna, key = await browsers.of("anna"), Authenticator()
    assert await _make(anna, key) == 303
    (row,) = await _rows(site)
    assert (row.transports, row.used_us) == ("internal", None), "words we do not know are left"
    text = (await anna.get(ACCESS))[1]
    assert "Min telefon" in text and "Sidst brugt: aldrig" in text
    visitor = await browsers.stranger()
    assert 'action="/signin/passkey"' in (await visitor.get("/signin"))[1]
    assert await _sign_in(visitor, key) == 303
    assert "Mine partier" in (await visitor.get("/"))[1]
    (row,) = await _rows(site)
    assert row.sign_count == 2 and row.used_us == site.core.now_us
    path = f"{ACCESS}/passkeys/{row.id}"
    bent = await browsers.of("bent")
    assert (await bent.post(path, {"deed": "remove"})).status == 404, "another's"
    assert (await bent.post(path, {"deed": "rename", "name": "x"})).status == 404
    assert (await anna.post(path, {"deed": "rename", "name": "Tavlen"})).status == 303
    assert "Tavlen" in (await anna.get(ACCESS))[1]
    assert (await anna.post(path, {"deed": "remove"})).status == 303
    assert await _rows(site) == ()
    assert await _sign_in(await browsers.stranger(), key) == 422
    news = " ".join(await _news(site))
    assert "passkey_added" in news and "passkey_removed" in news


async def test_a_challenge_is_answered_once_by_its_own_browser_and_in_time(browsers, site):
    key = Authenticator(counter=0)
    assert await _make(await browsers.of("anna"), key) == 303
    one, two = await browsers.stranger(), await browsers.stranger()
    answer = key.use(await (await one.post("/signin/passkey/options")).text())
    await two.post("/signin/passkey/options")
    assert (await two.post("/signin/passkey", {"answer": answer})).status == 422, "two's is another"
    assert (await one.post("/signin/passkey", {"answer": answer})).status == 303
    await one.post("/signout")
    assert (await one.post("/signin/passkey", {"answer": answer})).status == 422, "used up"
    late = key.use(await (await one.post("/signin/passkey/options")).text())
    site.clock.at += timedelta(microseconds=CHALLENGE_US)
    assert (await one.post("/signin/passkey", {"answer": late})).status == 422
    assert await _sign_in(two, key) == 303, "a key without a counter keeps working"


@each(
    "fault",
    {"origin": "https://evil.example"},
    {"site": "evil.example"},
    {"flags": PRESENT},
    {"counter": 7},
    {"handle": b"somebody else"},
    {"credential": b"unknown"},
)
async def test_what_proves_nothing_signs_nobody_in(browsers: Browsers, fault: dict[str, object]):
    key = Authenticator(counter=7)
    assert await _make(await browsers.of("anna"), key) == 303
    key.counter = 8
    for name, value in fault.items():
        setattr(key, name, value)
    visitor = await browsers.stranger()
    assert await _sign_in(visitor, key) == 422
    assert "Mine partier" not in (await visitor.get("/"))[1]


@each("answer", ["", "{}", "nonsense", '{"id": 1}', "[]", '{"response": {}}'])
async def test_nonsense_is_answered_in_words(answer: str, stranger: Browser, anna: Browser):
    await stranger.post("/signin/passkey/options")
    sent = await stranger.post("/signin/passkey", {"answer": answer})
    assert sent.status == 422 and "link i en mail" in await sent.text()
    await anna.post(f"{ACCESS}/passkeys/options", {"name": "x"})
    fields = {"name": "Min egen", "answer": answer}
    sent = await anna.post(f"{ACCESS}/passkeys", fields)
    assert sent.status == 422 and 'value="Min egen"' in await sent.text(), "what was typed is kept"


NEST = "[" * 8_000 + "]" * 8_000
DEEP = '{"a":' * 3_000 + "1" + "}" * 3_000
WRONG = (None, True, 7, -1.5, "", "\ud800", [], [[]], {}, {"id": {}}, ["internal", 1, [], {}])


def _bent(value: object) -> Iterator[object]:
    """An answer with one of its parts replaced by something of a wrong type, at every level."""
    yield from WRONG
    for name, part in value.items() if isinstance(value, dict) else ():
        yield {key: one for key, one in value.items() if key != name}
        for wrong in _bent(part):
            yield value | {name: wrong}


async def test_an_answer_that_is_nested_or_of_wrong_types_is_refused_at_every_level(
    browsers: Browsers, monkeypatch: pytest.MonkeyPatch
):
    """Nested JSON was a failure of ours (500); at no level is a wrong type more than refused."""
    monkeypatch.setattr(Throttle, "allows", lambda *_: True)
    key, anna, visitor = Authenticator(), await browsers.of("anna"), await browsers.stranger()
    for who, to in ((anna, f"{ACCESS}/passkeys"), (visitor, "/signin/passkey")):
        asked = await (await who.post(f"{to}/options", {"name": "x"})).text()
        good = json.loads(key.make(asked) if who is anna else key.use(asked))
        bent = [json.dumps(one) for one in _bent(good)]
        for answer in (
            NEST,
            DEEP,
            f'{{"response": {DEEP}}}',
            f'{{"id": {NEST[7_000:-7_000]}}}',
            *bent,
        ):
            await who.post(f"{to}/options", {"name": "x"})
            done = await who.post(to, {"name": "x", "answer": answer})
            assert done.status in (303, 422), answer[:300]
            assert done.status == 422 or who is anna, "at the most the names of its ways were wrong"
        if who is anna:
            assert await _make(anna, key) == 303


async def test_a_key_without_user_verification_or_from_elsewhere_is_not_kept(browsers, site, anna):
    for key in (Authenticator(flags=PRESENT), Authenticator(origin="https://evil.example")):
        assert await _make(anna, key) == 422
    key = Authenticator()
    assert await _make(anna, key) == 303
    assert await _make(await browsers.of("bent"), key) == 422, "the same key again"
    assert len(await _rows(site)) == 1


async def test_a_new_passkey_needs_a_fresh_sign_in_and_a_link_gives_one(site: Site, anna: Browser):
    site.clock.at += timedelta(microseconds=FRESH_US + 1)
    asked = await anna.post(f"{ACCESS}/passkeys/options", {"name": "Min telefon"})
    assert asked.status == 409
    refused = await anna.post(f"{ACCESS}/passkeys", {"name": "Min telefon", "answer": "{}"})
    assert refused.status == 403 and "Log ind igen først" in await refused.text()
    assert "Send mig et link" in (await anna.get(ACCESS))[1]
    assert (await anna.post(f"{ACCESS}/fresh")).status == 303
    assert (await anna.post(await site.link(ANNA))).status == 303
    text = (await anna.get(ACCESS))[1]
    assert "Send mig et link" not in text
    assert text.count("Logget ind ") == 1, "the session before it is over"
    assert await _make(anna, Authenticator()) == 303


async def test_trying_is_throttled(stranger: Browser):
    for _ in range(MOST):
        assert (await stranger.post("/signin/passkey", {"answer": "{}"})).status == 422
    assert (await stranger.post("/signin/passkey/options")).status == 429
    assert (await stranger.post("/signin/passkey", {"answer": "{}"})).status == 429


@each("path", ["", "/fresh", "/passkeys", "/passkeys/1", "/sessions", "/tokens"])
async def test_a_stranger_is_led_to_sign_in_and_a_foreign_form_does_nothing(path, stranger, anna):
    ask = stranger.post if path else stranger.http.get
    answer = await ask(ACCESS + path, allow_redirects=False)
    assert answer.headers["Location"].startswith("/signin?next=")
    forged = await anna.http.post(ACCESS + path + "", headers=OWN, data={"csrf": "wrong"})
    assert forged.status == 403


@rows(
    "site_url name",
    ("https://skak.example.org", "skak.example.org"),
    ("http://localhost:8080", "localhost"),
    ("http://skak.example.org", None),
    ("http://127.0.0.1:8080", None),
    ("https://[::1]", None),
)
def test_passkeys_belong_to_a_name_that_browsers_take(site_url: str, name: str | None):
    party = party_of(site_url)
    assert (party and party.id) == name
    assert party is None or party.origin == site_url


# Where a passkey is demanded of officials (web.officials_passkey).


@pytest.fixture
async def strict(tmp_path: Path) -> AsyncIterator[Site]:
    settings = {"public_url": "http://localhost:8080", "officials_passkey": True}
    opened = await open_site(tmp_path, **settings)
    yield opened
    await close_site(opened)


async def test_an_official_sees_and_does_nothing_before_his_passkey_and_a_player_all(strict: Site):
    server = TestServer(strict.app)
    await server.start_server()
    browsers = Browsers(strict, server, [])

    async def led(one: Browser, path: str) -> str:
        answer = await one.http.get(path, allow_redirects=False)
        return answer.headers.get("Location", str(answer.status))

    try:
        leader, key, there = await browsers.of("tove"), Authenticator(), f"{ACCESS}#passkeys"
        assert [await led(leader, path) for path in ("/", "/desk", "/settings")] == [there] * 3
        for path in (f"{ACCESS}/tokens", f"{ACCESS}/xfcc", "/desk/work"):
            assert (await leader.post(path, {"deed": "make"})).headers["Location"] == there, path
        assert Words.load("da")("account.must_prove") in (await leader.get(ACCESS))[1]
        assert await _make(leader, key) == 303
        asked = {"name": "En til", "answer": ""}
        refused = await leader.post(f"{ACCESS}/passkeys/options", asked)
        assert refused.status == 409, "who holds the mailbox alone makes no second key"
        assert await led(leader, "/desk") == there, "made, and not used yet"
        proved = await browsers.stranger()
        assert await _sign_in(proved, key) == 303
        assert await led(proved, "/desk") == "200"
        assert (await proved.post(f"{ACCESS}/passkeys/options", asked)).status == 200
        strict.clock.at += timedelta(hours=12, minutes=1)
        assert await led(proved, "/desk") == there, "anew after twelve hours"
        assert await led(await browsers.of("anna"), "/") == "200"
    finally:
        for one in browsers.all:
            await one.http.close()


async def test_who_lost_his_only_passkey_makes_another_and_all_officials_hear_of_it(strict: Site):
    server = TestServer(strict.app)
    await server.start_server()
    browsers, core = Browsers(strict, server, []), strict.core
    try:
        leader = await browsers.of("tove")
        assert await _make(leader, Authenticator()) == 303
        tove = await core.store.query(person_rows.by_email, "tove@example.org")
        assert tove is not None
        other = NewPerson(
            name="Kaj", email="kaj@example.org", created_us=core.now_us, role=Role.ADMIN
        )
        kaj = await core.store.change(person_rows.add_person, other)
        assert await signin.forget_passkeys(core, tove) == 1
        assert await signin.forget_passkeys(core, tove) == 0, "nothing is told twice"
        gone = await leader.http.get("/desk", allow_redirects=False)
        assert gone.headers["Location"].startswith("/signin"), "open on the lost telephone too"
        letters = await core.store.query(outbox_rows.newest, 20, OutboxState.QUEUED, 0)
        told = [one for one in letters if "passkeys_reset" in one.params]
        assert {one.person_id for one in told} == {tove.id, kaj}
        again, key = await browsers.of("tove"), Authenticator()
        assert await _make(again, key) == 303
        proved = await browsers.stranger()
        assert await _sign_in(proved, key) == 303
        assert (await proved.get("/desk"))[0] == 200
    finally:
        for one in browsers.all:
            await one.http.close()


async def test_nor_does_the_api_answer_his_session(tmp_path: Path, sqlite_url: str):
    web = {"port": 0, "public_url": "http://localhost:8080", "officials_passkey": True}
    base = {"url": sqlite_url, "backups": str(tmp_path)}
    settings = settings_from({"web": web, "database": base, "mail": {"in": {"smtp_port": 0}}})
    async with run_server(settings, polls=False) as server:
        core, found = server.core, list[int]()
        for role in (Role.PLAYER, Role.KC):
            at, email = core.now_us, f"{role.value}@example.org"
            new = NewPerson(name=role.value, email=email, created_us=at, role=role)
            person = await core.store.change(person_rows.add_person, new)
            link = await signin.make_link(core, person)
            session = await signin.use_link(core, link.rpartition("/")[2])
            assert session is not None
            async with aiohttp.ClientSession(cookies={"kskak": session.secret}) as http:
                url = f"http://127.0.0.1:{server.web_port}/api/v1/games"
                async with http.get(url) as answer:
                    found.append(answer.status)
    assert found == [200, 401]


def test_a_site_without_a_name_can_demand_no_passkey():
    for site in ("", "https://192.0.2.7", "http://spil.example.org"):
        with pytest.raises(SettingsError, match="needs web.public_url"):
            settings_from({"web": {"officials_passkey": True, "public_url": site}})
    settings_from({"web": {"officials_passkey": True, "public_url": "https://spil.example.org"}})


async def test_a_session_ends_after_a_year_however_much_it_is_used(browsers: Browsers, site: Site):
    anna = await browsers.of("anna")
    for _ in range(12):
        site.clock.at += timedelta(days=30)
        assert (await anna.get(ACCESS))[0] == 200
    site.clock.at += timedelta(days=6)
    assert (await anna.http.get(ACCESS, allow_redirects=False)).status == 303
