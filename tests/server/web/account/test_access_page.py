"""/settings/access: browsers signed in, API tokens and the key for chess programs."""

import re
from datetime import timedelta

from server.jobs.runner import PresenceJob
from server.store.account import sign_in as access
from server.usecases.account import signin
from server.usecases.account.signin import FRESH_US, MOST_TOKENS
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

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


async def test_a_token_is_shown_once_listed_and_taken_away_by_its_owner_alone(site, anna, bent):
    assert ONCE not in (await anna.get(ACCESS))[1], "nothing was made"
    nameless = await anna.post(f"{ACCESS}/tokens", {"deed": "make", "name": ""})
    assert nameless.status == 422 and "Skriv et navn" in await nameless.text()
    made = await (await anna.post(f"{ACCESS}/tokens", {"deed": "make", "name": "Robot"})).text()
    assert made.count(ONCE) == 1, "the token, and no key for programs"
    token = re.search(r"<code>([\w-]{32})</code>", made)[1]
    digest = access.digest(token)
    found = await site.core.store.look(
        lambda conn: access.owner_of_token(conn, digest, site.core.now_us)
    )
    assert found is not None and found.person.name == "Anna Andersen"
    site.core.token_days.note(digest, "2026-09-01")
    await PresenceJob(site.core).work()
    text = (await anna.get(ACCESS))[1]
    assert "Robot" in text and token not in text
    assert "Må: læse." in text and "Det udløber 1. september 2027." in text
    assert "Oprettet den 1. september 2026. Sidst brugt: 1. september 2026." in text
    fields = {"deed": "revoke", "token": digest.hex()}
    assert (await bent.post(f"{ACCESS}/tokens", fields)).status == 404
    assert (await anna.post(f"{ACCESS}/tokens", fields)).status == 303
    assert (
        await site.core.store.look(
            lambda conn: access.owner_of_token(conn, digest, site.core.now_us)
        )
        is None
    )
    assert set(await _news(site)) == {"token_added", "token_removed"}


async def test_keys_have_an_end_and_are_made_after_a_fresh_sign_in(browsers, site, anna):
    # There is an end to tokens.
    anna, person = await browsers.of("anna"), await site.person("anna@example.org")
    for number in range(MOST_TOKENS):
        await signin.make_own_token(site.core, person, str(number))
    answer = await anna.post(f"{ACCESS}/tokens", {"deed": "make", "name": "Robot"})
    assert answer.status == 422 and "Fjern en, du ikke bruger" in await answer.text()
    # Keys are made only after a fresh sign in but taken away always.
    await anna.post(f"{ACCESS}/xfcc", {"deed": "make"})
    site.clock.at += timedelta(microseconds=FRESH_US + 1)
    for what in ("tokens", "xfcc"):
        answer = await anna.post(f"{ACCESS}/{what}", {"deed": "make", "name": "Robot"})
        assert answer.status == 403 and "Log ind igen" in await answer.text()
    assert (await anna.post(f"{ACCESS}/xfcc", {"deed": "revoke"})).status == 303


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
