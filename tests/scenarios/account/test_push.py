"""Notifications: a move is told to the browsers that asked for it, sealed, once, and to no others.

A real service takes them over HTTPS; what it got is opened with the browser's key.
"""

import binascii
import hmac
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from server.jobs.notify import PushJob, is_public, public_session
from server.store.account import sign_in as access
from server.usecases.account.notifications import BadBrowser, check_endpoint
from tests.fakes.machinery.browser import Browser, browser
from tests.fakes.machinery.each import each
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.push_service import PushService, push_service
from tests.fakes.world import ANNA, BO, TL, World

PAGE = "/settings/notifications"


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[PushService]:
    """Takes everything, until a test says otherwise."""
    async with push_service(tmp_path) as made:
        yield made


@pytest.fixture
async def anna_web(world: World) -> AsyncIterator[Browser]:
    """White, on the web."""
    async with browser(world) as made:
        await made.sign_in(ANNA)
        yield made


async def _turn_on(at: Browser, service: PushService, name: str = "anna") -> None:
    shown = await at.submit(await at.get(PAGE), PAGE, **service.fields(name))
    assert shown.status == 200, shown.text
    assert "Beskeder er slået til i denne browser" in shown.text


async def _pushed(world: World, service: PushService) -> int:
    """Do what a server would do now; how many have come in all."""
    job = PushJob(world.core, service.session)
    while await job.work():
        pass
    await job.close()
    return len(service.came)


@pytest.mark.both_engines
async def test_the_opponents_move_is_told_once_in_the_readers_language_and_sealed(
    world: World, service: PushService, anna_web: Browser, bo_web: Browser
) -> None:
    await _turn_on(anna_web, service)
    assert await _pushed(world, service) == 0
    await anna_web.move("e4")
    assert await _pushed(world, service) == 0  # her own
    await bo_web.move("Nf6")
    assert await _pushed(world, service) == 1
    assert await _pushed(world, service) == 1  # another process, or the same one again
    assert service.opened() == {
        "title": "Bo Berg har trukket: 1… Sf6",
        "body": "K-26-01. Sidste dag i tide: 13. december 2026.",
        "url": f"/games/{world.game}",
        "tag": f"game-{world.game}",
        "lang": "da",
    }
    assert "senest 13/12" in (await anna_web.get("/")).text
    path, headers, body = service.came[0]
    assert path == "/anna"
    assert (headers["TTL"], headers["Urgency"]) == ("259200", "normal")
    assert b"Berg" not in body
    shown = await anna_web.get(PAGE)
    assert "sidste besked 2. november 2026" in shown.text


async def test_what_did_not_go_goes_later_and_a_browser_that_is_gone_is_forgotten(
    world: World, service: PushService, anna_web: Browser, bo_web: Browser
) -> None:
    await _turn_on(anna_web, service)
    await anna_web.move("e4")
    await bo_web.move("e5")
    service.status = 503
    assert await _pushed(world, service) == 1
    assert await _pushed(world, service) == 1  # not again at once
    world.clock.wait(minutes=2)
    service.status = 201
    assert await _pushed(world, service) == 2
    world.clock.wait(days=1)
    assert await _pushed(world, service) == 2
    await anna_web.move("Nf3")
    await bo_web.move("Nc6")
    service.status = 410
    assert await _pushed(world, service) == 3
    assert "Du får ikke besked i nogen browser" in (await anna_web.get(PAGE)).text


async def test_who_signs_out_or_turns_off_is_told_no_more_and_only_he_can(
    world: World, service: PushService, anna_web: Browser, bo_web: Browser
) -> None:
    async with browser(world) as second:
        await second.sign_in(ANNA)
        await _turn_on(anna_web, service)
        await _turn_on(second, service, "second")
        shown = await anna_web.get(PAGE)
        off = next(form.action for form in shown.forms if form.action.endswith("/off"))
        own = await bo_web.get(PAGE)
        token = own.form("/notifications").fields["csrf"]
        assert (await bo_web.post(off, {"csrf": token})).status == 404
        await second.submit(await second.get("/"), "/signout")
        left = [f for f in (await anna_web.get(PAGE)).forms if f.action.endswith("/off")]
        assert len(left) == 1
        await anna_web.submit(shown, left[0].action)
    await anna_web.move("e4")
    await bo_web.move("e5")
    assert await _pushed(world, service) == 0


async def test_a_browser_goes_over_to_who_sits_at_it_now(world, service, anna_web, bo_web):
    await _turn_on(anna_web, service, "shared")
    shown = await bo_web.submit(await bo_web.get(PAGE), PAGE, **service.fields("shared"))
    assert "Notifications are on in this browser" in shown.text
    await Player(world).reply("e4")
    assert await _pushed(world, service) == 1
    assert service.opened()["title"] == "Anna Ager has moved: 1. e4"
    assert "Du får ikke besked i nogen browser" in (await anna_web.get(PAGE)).text
    bad = await anna_web.submit(
        await anna_web.get(PAGE), PAGE, **(service.fields() | {"endpoint": "https://10.0.0.1/x"})
    )
    assert bad.status == 422 and "kan ikke bruges" in bad.text


@each(
    "endpoint",
    "http://push.example/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://localhost/x",
    "https://push.example:8080/x",
    "https://anna@push.example/x",
    "https://push.example/\nx",
    "https://push.example:99999/x",
    "file:///etc/passwd",
    "https://push.example/" + "x" * 1000,
    "",
)
def test_an_address_that_no_browsers_maker_gives_is_refused(endpoint: str) -> None:
    with pytest.raises(BadBrowser):
        check_endpoint(endpoint)


@each(
    ("address", "is_ours"),
    [
        ("127.0.0.1", False), ("10.1.2.3", False), ("192.168.1.1", False), ("::1", False),
        ("169.254.169.254", False), ("fe80::1%eth0", False), ("fd00::1", False),
        ("::ffff:127.0.0.1", False), ("2002:7f00:1::", False), ("100.64.0.1", False),
        ("224.0.0.1", False), ("0.0.0.0", False), ("name", False),
        ("93.184.216.34", True), ("2606:4700::1111", True),
    ],
)  # fmt: skip
def test_only_public_addresses_are_connected_to(address: str, is_ours: bool) -> None:
    assert is_public(address) is is_ours


async def test_a_name_that_leads_into_the_house_is_not_connected_to(service: PushService) -> None:
    async with public_session() as http:
        with pytest.raises(aiohttp.ClientConnectorDNSError):  # not: a faulty certificate
            await http.post(f"https://localhost:{service.port}/x", data=b"")
    assert service.came == []


async def test_the_script_gets_the_servers_key_of_65_octets_and_a_stranger_does_not(
    world: World, anna_web: Browser
) -> None:
    key = await anna_web.get(f"{PAGE}/key")
    assert len(binascii.a2b_base64(key.text.replace("-", "+").replace("_", "/") + "=")) == 65
    assert (await anna_web.get(f"{PAGE}/key")).text == key.text
    assert key.text not in (await anna_web.get(PAGE)).text
    async with browser(world) as stranger:
        assert key.text not in (await stranger.get(f"{PAGE}/key")).text


# Webhooks: the same job tells programs.


class Program:
    """A program of Anna's with a token: it calls the API, and checks what it is told."""

    def __init__(self, at: Browser, token: str, name: str = "hook") -> None:
        self.at, self.head = at, {"Authorization": f"Bearer {token}"}
        self.name, self.key = name, ""

    async def hook(self, service: PushService) -> int:
        """Make a webhook; its number."""
        url = service.fields(self.name)["endpoint"]
        status, made = await self.ask("POST", "/webhooks", {"url": url})
        assert status == 200
        self.key = made["key"]
        return int(made["id"])

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        where = self.at._url(f"/api/v1{path}")
        async with self.at.session.request(method, where, json=body, headers=self.head) as answer:
            return answer.status, await answer.json()

    def told(self, service: PushService, index: int = -1) -> dict[str, Any]:
        """A call, once its signature has been made again from the key."""
        mine = [one for one in service.came if one[0].endswith(self.name)]
        _, headers, body = mine[index]
        at, _, signed = headers["Kskak-Signature"].partition(",")
        seconds = at.removeprefix("t=")
        said = f"{seconds}.".encode() + body
        ours = hmac.new(self.key.encode(), said, "sha256").hexdigest()
        assert signed == f"v1={ours}"
        return dict(json.loads(body))


@pytest.mark.both_engines
async def test_a_webhook_is_told_each_change_signed_again_until_taken_and_again_on_demand(
    world: World, service: PushService, anna_web: Browser, bo_web: Browser
) -> None:
    program = Program(anna_web, await world.token(ANNA))
    other = Program(anna_web, await world.token(BO), "bos")
    await anna_web.move("e4")
    number, bos = await program.hook(service), await other.hook(service)
    assert program.key != other.key, "one for each token"
    assert await _pushed(world, service) == 0, "what was before is known"
    await bo_web.move("e5")
    service.status = 500
    assert await _pushed(world, service) == 2
    assert await _pushed(world, service) == 2, "not again at once"
    world.clock.wait(minutes=2)
    service.status = 204
    assert await _pushed(world, service) == 4
    said = program.told(service)
    assert said == program.told(service, 0)
    assert (said["game"], said["after"], said["seq"], said["ply"]) == (world.game, 1, 2, 2)
    assert (said["to_move"], said["result"]) == ("white", None)
    assert [one["move"] for one in said["entries"]] == ["5755"]
    assert said["id"] == f"{number}-{world.game}-1-2"
    assert other.told(service)["id"] == f"{bos}-{world.game}-1-2"
    status, listed = await program.ask("GET", "/webhooks")
    [kept] = listed["webhooks"]
    assert (kept["id"], kept["status"], kept["failures"]) == (number, 204, 0)
    again = f"/webhooks/{number}/replay"
    assert (await other.ask("POST", again))[0] == 404, "another's"
    assert await program.ask("POST", again, {"after": 0}) == (200, {"id": number, "games": 1})
    assert await _pushed(world, service) == 5
    assert [one["move"] for one in program.told(service)["entries"]] == ["5254", "5755"]
    async with world.core.store.write() as conn:
        digest = access.digest(program.head["Authorization"].partition(" ")[2])
        await access.revoke_token(conn, (await world.person(ANNA)).id, digest)
    await anna_web.move("Nf3")
    assert await _pushed(world, service) == 6, "only Bo's: Anna's token is gone, and so her webhook"
    assert other.told(service)["seq"] == 3
    assert (await other.ask("POST", f"/webhooks/{bos}/removal"))[0] == 200
    await bo_web.move("Nc6")
    assert await _pushed(world, service) == 6


@each(
    "url",
    ["http://a.example/", "https://127.0.0.1/", "https://localhost/", "https://a.example:8443/",
     "https://u:p@a.example/", "ftp://a.example/", "x", "https://a.example/#x"],
)  # fmt: skip
async def test_a_webhook_leads_to_no_machine_of_ours(world, anna_web, url):
    program = Program(anna_web, await world.token(ANNA))
    status, said = await program.ask("POST", "/webhooks", {"url": url})
    assert (status, said["errors"][0]["pointer"]) == (422, "/url")


async def test_there_is_an_end_to_webhooks_and_a_page_has_none(world, anna_web):
    program = Program(anna_web, await world.token(ANNA))
    url = {"url": "https://a.example/"}
    answers = [await program.ask("POST", "/webhooks", url) for _ in range(6)]
    assert [status for status, _ in answers] == [200] * 5 + [422]
    assert "5" in answers[-1][1]["detail"]


@pytest.mark.both_engines
async def test_a_start_that_is_taken_back_takes_what_was_told_of_its_games(
    world: World, service: PushService, anna_web: Browser
) -> None:
    """A browser and a webhook know the games from the day they are enrolled."""
    await _turn_on(anna_web, service)
    program, leader = [Program(anna_web, await world.token(who)) for who in (ANNA, TL)]
    assert await program.hook(service)
    group = (await world.row()).group_id
    status, said = await leader.ask("POST", f"/groups/{group}/annul", {"reason": "Forkert dag."})
    assert (status, said.get("detail")) == (200, None)
    assert await _pushed(world, service) == 0
