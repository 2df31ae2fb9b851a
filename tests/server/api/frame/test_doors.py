"""Who is let in: tokens and sessions; what a stranger hears; how much one may ask."""

import asyncio

from server.api.frame.endpoints import NDJSON, REMEMBERED, Guard, digest_of
from server.api.site import ENDPOINTS
from server.jobs.runner import PresenceJob
from server.store.account import sign_in as access
from server.store.account.sign_in import TokenScope
from server.usecases.account import signin
from server.usecases.context import Limiter, Rate
from tests.fakes.machinery.each import each
from tests.server.api.conftest import address_of

GAMES = "/api/v1/games"


async def _session(world, who: str) -> tuple[str, str]:
    """A signed-in browser: its cookie and its CSRF secret."""
    link = await signin.make_link(world.core, world.people[who].id)
    signed = await signin.use_link(world.core, link.rpartition("/")[2])
    visitor = await signin.visitor(world.core, signed.secret)
    return signed.secret, visitor.session.csrf


async def test_the_token_lives_only_as_a_digest(world):
    async with world.core.store.read() as conn:
        (row,) = await access.tokens_of(conn, world.people["tl"].id)
    assert row.digest == digest_of(world.tokens["tl"])


@each("shown", ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic eDp5", "Bearer æøå", "x" * 400])
async def test_a_wrong_token_is_refused_without_a_hint(world, shown):
    answer = await world.client.get(GAMES, headers={"Authorization": shown})
    body = await answer.json()
    assert (answer.status, body["type"]) == (401, "/problems/not-signed-in")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_nobody_is_told_to_sign_in(world):
    assert (await world.client.get(GAMES)).status == 401
    assert (await world.client.post(world.path("/resign"))).status == 401


async def test_a_revoked_token_opens_nothing_after_the_time_it_is_remembered(world, monkeypatch):
    assert (await world.get("tl", GAMES)).status == 200
    async with world.core.store.write() as conn:
        digest = digest_of(world.tokens["tl"])
        assert await access.revoke_token(conn, world.people["tl"].id, digest)
    known = world.api.doors._known
    assert known[digest][0] - REMEMBERED > 0
    known[digest] = (0.0, known[digest][1])
    assert (await world.get("tl", GAMES)).status == 401
    assert REMEMBERED <= 5


async def test_tokens_that_come_together_are_one_statement_and_each_opens_its_own(
    world, monkeypatch
):
    asked, real = [], access.owners_of_tokens

    def counted(conn, digests, now_us):
        asked.append(len(digests))
        return real(conn, digests, now_us)

    monkeypatch.setattr(access, "owners_of_tokens", counted)
    owner, names = world.api.doors.token_owner, ("white", "black", "tl")
    shown = (*(world.tokens[name] for name in names), "nonsense")
    *known, stranger = await asyncio.gather(*map(owner, shown))
    assert [caller.person.id for caller in known] == [world.people[n].id for n in names]
    assert (stranger, asked) == (None, [len(shown)])


async def test_the_day_a_token_was_used_on_is_kept_and_no_more_than_the_day(world):
    for _ in range(2):
        assert (await world.get("tl", GAMES)).status == 200
    await PresenceJob(world.core).work()
    async with world.core.store.read() as conn:
        (row,) = await access.tokens_of(conn, world.people["tl"].id)
        (other,) = await access.tokens_of(conn, world.people["white"].id)
    assert row.used_day == world.core.today("Europe/Copenhagen").isoformat()
    assert other.used_day is None


async def test_the_web_session_reads(world):
    secret, _ = await _session(world, "white")
    answer = await world.client.get(GAMES, headers={"Cookie": f"kskak={secret}"})
    assert answer.status == 200
    assert (await world.client.get(GAMES, headers={"Cookie": "kskak=x"})).status == 401


async def test_the_web_session_changes_only_with_its_secret_from_its_own_page(world):
    secret, csrf = await _session(world, "white")
    own = {"Cookie": f"kskak={secret}", "X-CSRF-Token": csrf}
    own["Origin"] = world.core.settings.web.site
    body = {"text": "5254", "ply": 0}

    async def status(**changed: str) -> int:
        headers = own | {name.replace("_", "-"): value for name, value in changed.items()}
        return (await world.client.post(world.path("/moves"), json=body, headers=headers)).status

    assert await status(X_CSRF_Token="") == 403
    assert await status(X_CSRF_Token=csrf[:-1]) == 403
    assert await status(Origin="https://evil.example") == 403
    assert await status(Origin="null") == 403
    assert await status(Sec_Fetch_Site="cross-site") == 403
    assert (await world.row()).seq == 0
    assert await status(Sec_Fetch_Site="same-origin") == 200


async def test_guessing_tokens_is_slowed_and_the_true_one_still_opens(world, monkeypatch):
    assert world.api.doors._strangers.rate == Rate(burst=120, per_second=2)
    world.api.doors._strangers.rate = Rate(burst=3, per_second=0.0001)
    monkeypatch.setattr("server.api.frame.endpoints.REMEMBERED", 3600.0)
    await world.get("tl", GAMES)
    statuses = [
        (await world.client.get(GAMES, headers={"Authorization": f"Bearer {n}"})).status
        for n in range(4)
    ]
    assert statuses == [401, 401, 401, 429]
    assert (await world.get("tl", GAMES)).status == 200


async def test_who_asks_too_much_is_told_how_long_to_wait(world):
    world.api.doors._callers.rate = Rate(burst=2, per_second=0.1)
    answers = [await world.get("tl", GAMES) for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]
    assert answers[2].headers["Retry-After"] == "10"
    assert (await answers[2].json())["type"] == "/problems/too-many"
    assert (await world.get("kc", GAMES)).status == 200, "another caller is not slowed"


def test_a_bucket_fills_again_and_never_above_its_burst():
    limiter = Limiter(Rate(burst=2, per_second=1))
    assert [limiter.wait("a", 0.0) for _ in range(3)] == [0, 0, 1]
    assert limiter.wait("a", 1.5) == 0
    assert limiter.wait("a", 1.5) == 0.5
    assert [limiter.wait("a", 1000.0) for _ in range(3)] == [0, 0, 1]


def test_buckets_are_bounded_in_number(monkeypatch):
    monkeypatch.setattr("server.usecases.context.MOST_BUCKETS", 10)
    limiter = Limiter(Rate(burst=1, per_second=0.001))
    for number in range(100):
        limiter.wait(str(number), 0.0)
    assert len(limiter._buckets) <= 10


async def _token(world, who: str, *scopes: str, days: int = 0) -> dict[str, str]:
    """The head of a call with a token of these scopes beside reading."""
    terms = signin.terms_for(world.core, scopes, days)
    token = await signin.make_token(world.core, world.people[who].id, "bot", terms)
    return {"Authorization": f"Bearer {token}"}


async def test_a_token_does_nothing_but_what_it_was_made_for(world):
    """Every call that changes something asks for its scope before anything else."""
    read, led = await _token(world, "white"), await _token(world, "white", "lead", "decide")
    asked = set()
    for one in ENDPOINTS:
        if one.method == "GET" or one.scope is TokenScope.READ:
            continue
        path = address_of(one, world.game)
        for head in (read, led):
            answer = await world.client.request(one.method, path, json={}, headers=head)
            if head is led and one.scope is not TokenScope.PLAY:
                assert answer.status != 401
                continue
            said = await answer.json()
            assert (answer.status, said["type"]) == (403, "/problems/scope")
            assert said["scope"] == one.scope
            assert one.scope in said["detail"] and "read" in said["detail"]
            assert 'error="insufficient_scope"' in answer.headers["WWW-Authenticate"]
        asked.add(one.scope)
    assert asked == {TokenScope.PLAY, TokenScope.LEAD, TokenScope.DECIDE}
    assert (await world.client.get(GAMES, headers=read)).status == 200
    own = await _token(world, "white", "play")
    moved = await world.client.post(world.path("/moves"), json={"text": "e4"}, headers=own)
    assert moved.status == 200


async def test_a_token_has_an_end_and_stands_in_the_list_without_its_secret(world):
    await _token(world, "white", "lead", days=30)
    head = await _token(world, "white", "play", days=90)
    me = await (await world.client.get("/api/v1/me", headers=head)).json()
    assert (me["id"], me["scopes"]) == (world.people["white"].id, ["read", "play"])
    assert me["ends"] == "2026-11-30T10:00:00+00:00"
    world.clock.pass_days(30)
    listed = (await (await world.client.get("/api/v1/tokens", headers=head)).json())["tokens"]
    assert [one["scopes"][-1] for one in listed] == ["decide", "lead", "play"]
    ends = [one["ends"] and one["ends"][:10] for one in listed]
    assert ends == [None, "2026-10-01", "2026-11-30"]
    world.api.doors._known.clear()
    assert (await world.client.get(GAMES, headers=head)).status == 200
    world.clock.pass_days(60)
    world.api.doors._known.clear()
    assert (await world.client.get(GAMES, headers=head)).status == 401, "on the hour it ended"
    whole = await (await world.get("white", "/api/v1/me")).json()
    assert (whole["scopes"], whole["ends"]) == (["read", "play", "lead", "decide"], None)


async def test_the_limit_is_told_in_every_head_before_it_is_met(world):
    world.api.doors._callers.rate = Rate(burst=3, per_second=0.5)
    answers = [await world.get("tl", path) for path in (GAMES, "/api/v1/games/999", GAMES, GAMES)]
    assert [one.status for one in answers] == [200, 404, 200, 429]
    told = [[one.headers[f"RateLimit-{n}"] for n in ("Limit", "Remaining")] for one in answers[:3]]
    assert told == [["3", "2"], ["3", "1"], ["3", "0"]]
    assert [one.headers["RateLimit-Reset"] for one in answers[:3]] == ["2", "4", "6"]


async def test_every_reading_has_an_etag_by_which_it_is_not_sent_again(world):
    await world.play("5254", "5755")
    seen = set()
    for one in ENDPOINTS:
        if not one.has_etag:
            continue
        for who in ("white", "kc"):
            path = address_of(one, world.game)
            answer = await world.get(who, path)
            if answer.status != 200:
                assert "ETag" not in answer.headers
                continue
            seen.add(one.name)
            etag = answer.headers["ETag"]
            for known in (etag, f'"x", W/{etag}', "*"):
                again = await world.get(who, path, **{"If-None-Match": known})
                assert (again.status, await again.read(), again.headers["ETag"]) == (304, b"", etag)
            assert (await world.get(who, path, **{"If-None-Match": '"x"'})).status == 200
    assert len(seen) > 30
    before = (await world.get("white", world.path())).headers["ETag"]
    await world.play("7163")
    assert (await world.get("white", world.path(), **{"If-None-Match": before})).status == 200


async def test_what_everybody_may_read_the_pages_of_other_sites_may_read_and_nothing_else(world):
    for one in ENDPOINTS:
        path = address_of(one, world.game)
        asked = {"Origin": "https://club.example", "Access-Control-Request-Method": "GET"}
        is_open = one.method == "GET" and one.guard is Guard.OPEN and path.startswith("/api/")
        if path.startswith("/api/"):
            before = await world.client.options(path, headers=asked)
            is_let = before.headers.get("Access-Control-Allow-Origin") == "*"
            also = any(e.path == one.path and e.guard is Guard.OPEN for e in ENDPOINTS)
            assert (is_let, before.status) == ((True, 204) if is_open or also else (False, 405))
        if one.method == "GET" and one.answer != NDJSON:
            answer = await world.get("white", path, Origin="https://club.example")
            assert (answer.headers.get("Access-Control-Allow-Origin") == "*") is is_open, path
            assert "Access-Control-Allow-Credentials" not in answer.headers


@each(
    ("path", "names", "lawful"),
    [
        ("/api/v1/games?all=1&offset=3", ["offset"], ["all", "limit", "after"]),
        ("/api/v1/archive?Player=a&sort=new&%C3%A6=", ["Player", "æ"], None),
        ("/api/v1/me?x", ["x"], []),
        ("/api/v1/ratings?date=2026-09-01", ["date"], ["on"]),
    ],
)  # fmt: skip
async def test_an_unknown_name_in_the_address_is_refused_with_the_lawful_ones(
    world, path, names, lawful
):
    answer = await world.get("white", path)
    said = await answer.json()
    assert (answer.status, said["type"]) == (422, "/problems/unknown-query")
    assert [one["pointer"] for one in said["errors"]] == names
    assert lawful is None or said["lawful"] == lawful
    assert all(one in said["detail"] for one in [*names, *said["lawful"]])
    assert (await world.post("white", world.path("/resign") + "?dry=1")).status == 422
    assert (await world.row()).result is None, "nothing was done"
