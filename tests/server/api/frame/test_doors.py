"""Who is let in: tokens and sessions; what a stranger hears; how much one may ask."""

import asyncio

import pytest

from server.api.frame.endpoints import REMEMBERED, digest_of
from server.jobs.daily_duties import DailyJob
from server.store.account import sign_in as access
from server.usecases.account import signin
from server.usecases.context import Limiter, Rate

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


@pytest.mark.parametrize(
    "shown", ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic eDp5", "Bearer æøå", "x" * 400]
)
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

    def counted(conn, digests):
        asked.append(len(digests))
        return real(conn, digests)

    monkeypatch.setattr(access, "owners_of_tokens", counted)
    owner, names = world.api.doors.token_owner, ("white", "black", "tl")
    shown = (*(world.tokens[name] for name in names), "nonsense")
    *known, stranger = await asyncio.gather(*map(owner, shown))
    assert [caller.person.id for caller in known] == [world.people[n].id for n in names]
    assert (stranger, asked) == (None, [len(shown)])


async def test_the_day_a_token_was_used_on_is_kept_and_no_more_than_the_day(world):
    for _ in range(2):
        assert (await world.get("tl", GAMES)).status == 200
    await DailyJob(world.core).work()
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
