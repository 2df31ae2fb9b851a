"""A changed e-mail address: links to the old one, sessions, keys, streams (§ 6.8.5)."""

import asyncio

import pytest

from server.store.account import sign_in as access
from server.store.play.people import Role
from server.usecases.account import signin
from server.web.frame import event_stream as events
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.register.test_register import desk

__all__ = ["desk"]
NEW = {"email": "ny@example.org", "reason": "x", "take_email": "1"}


async def _access(site: Site, person_id: int) -> tuple[int, int]:
    """How many sessions and tokens somebody has."""
    async with site.core.store.read() as conn:
        found = await access.sessions_of(conn, person_id, site.core.now_us)
        return len(found), len(await access.tokens_of(conn, person_id))


@pytest.mark.parametrize(("tick", "left"), [({}, (1, 1)), ({"ends_access": "1"}, (0, 0))])
async def test_an_old_link_opens_nothing_and_who_changes_it_is_asked_of_the_rest(
    desk: Site, browsers: Browsers, tick: dict[str, str], left: tuple[int, int]
) -> None:
    anna, bent = await desk.person("anna@example.org"), await desk.person("bent@example.org")
    await browsers.of("anna")
    await signin.make_own_token(desk.core, anna, "x")
    links = {one.id: await signin.make_link(desk.core, one.id) for one in (anna, bent)}
    kaj = await browsers.of("kaj")
    path = f"/desk/members/{anna.id}"
    assert 'name="ends_access"' in (await kaj.get(path))[1]
    assert (await kaj.post(path, {"birth": "", "reason": "x"} | tick)).status == 303
    assert await _access(desk, anna.id) == (1, 1), "the address is as it was"
    assert (await kaj.post(path, NEW | tick)).status == 303
    assert await _access(desk, anna.id) == left
    assert await signin.use_link(desk.core, links[anna.id].rpartition("/")[2]) is None
    assert await signin.use_link(desk.core, links[bent.id].rpartition("/")[2]) is not None


async def test_an_officials_changed_address_always_ends_his_access(desk, browsers):
    await desk.admit("ada", role=Role.ADMIN)
    tove = await desk.person("tove@example.org")
    await browsers.of("tove")
    await signin.make_own_token(desk.core, tove, "x")
    assert await _access(desk, tove.id) == (1, 1)
    fields = {"email": "t@example.org", "reason": "x", "take_email": "1"}
    answer = await (await browsers.of("ada")).post(f"/desk/members/{tove.id}", fields)
    assert answer.status == 303
    assert await _access(desk, tove.id) == (0, 0)


async def test_a_stream_ends_with_its_session_and_another_goes_on(desk, browsers, monkeypatch):
    monkeypatch.setattr(events, "BEAT_S", 0.02)
    monkeypatch.setattr(events, "PROOF_S", 0.05)
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    hers, his = await anna.http.get("/events"), await bent.http.get("/events")
    assert hers.status == his.status == 200
    await asyncio.sleep(0.2)
    assert not hers.content.at_eof() and not his.content.at_eof()
    async with desk.core.store.write() as conn:
        await access.end_all(conn, [(await desk.person("anna@example.org")).id])
    await asyncio.wait_for(hers.read(), 5)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(his.content.readuntil(b"never"), 0.3)
    his.close()
