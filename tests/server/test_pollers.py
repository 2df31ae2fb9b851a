"""How a poller ends: what is under way is finished, what never ends is broken off."""

import asyncio
import os
import socket
import subprocess
import sys
from datetime import timedelta
from types import SimpleNamespace

import aiohttp
import pytest

from server.__main__ import main
from server.app import run_server
from server.clock import SystemClock
from server.jobs import runner
from server.jobs.mail_jobs import by_reader
from server.jobs.runner import Poller
from server.settings import settings_from
from server.store.engine.connection import StoreOvertaken
from server.web.frame.context import CORE, client_address
from tests.fakes.machinery.each import rows


async def test_what_is_under_way_is_finished():
    begun, done = asyncio.Event(), list[str]()

    async def work() -> bool:
        begun.set()
        await asyncio.sleep(0.05)
        done.append("whole")
        return True

    poller = Poller("slow", work, 60)
    poller.start()
    await begun.wait()
    await poller.stop()
    assert done == ["whole"]


async def test_what_does_not_end_is_broken_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(runner, "GRACE_S", 0.05)
    begun, ends = asyncio.Event(), list[str]()

    async def work() -> bool:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("rolled back")
        return False

    poller = Poller("endless", work, 60)
    poller.start()
    await begun.wait()
    async with asyncio.timeout(5):
        await poller.stop()
    assert ends == ["rolled back"]


async def test_one_that_another_transaction_was_put_before_begins_again_at_once(caplog):
    tries, done = list[int](), asyncio.Event()

    async def work() -> bool:
        tries.append(1)
        if len(tries) < 3:
            raise StoreOvertaken("40001")
        done.set()
        return False

    poller = Poller("overtaken", work, 60)
    poller.start()
    async with asyncio.timeout(runner.AFTER_FAILURE_S):
        await done.wait()
    await poller.stop()
    assert "failed" not in caplog.text


async def test_one_that_was_not_started_ends_at_once():
    async def work() -> bool:
        raise AssertionError

    await Poller("idle", work, 60).stop()


# Letters go over several connections, and to each reader in the order they were written.


def test_the_letters_of_one_reader_are_in_one_lane_in_their_order_and_none_is_left_out():
    mails = [(SimpleNamespace(id=n, person_id=None if n % 7 == 0 else n % 5), n) for n in range(60)]
    for lanes in (1, 2, 3):
        parts = by_reader(mails, lanes)  # type: ignore[arg-type]
        assert len(parts) == lanes
        assert sorted(row.id for part in parts for row, _ in part) == list(range(60))
        assert all(row.id == mail for part in parts for row, mail in part)
        for reader in range(5):
            found = [[r.id for r, _ in part if r.person_id == reader] for part in parts]
            (mine,) = (ids for ids in found if ids)
            assert mine == sorted(mine)


# A port that is taken stops the start with the names of its settings.


@rows(
    "taken other named",
    (("web", "port"), ("in", "smtp_port"), "web.host, web.port: "),
    (("in", "smtp_port"), ("web", "port"), "mail.in.smtp_host, mail.in.smtp_port: "),
)
async def test_a_port_that_is_taken_is_told_by_its_key(sqlite_url, tmp_path, taken, other, named):
    with socket.create_server(("127.0.0.1", 0)) as there:
        keys = {taken: there.getsockname()[1], other: 0}
        settings = settings_from(
            {
                "database": {"url": sqlite_url, "backups": str(tmp_path)},
                "web": {"port": keys["web", "port"]},
                "mail": {"in": {"smtp_port": keys["in", "smtp_port"]}},
            }
        )
        with pytest.raises(OSError, match="in use") as stopped:
            async with run_server(settings, polls=False):
                pass
    assert str(stopped.value).startswith(named)


# The limit of open files is raised to the hard one, and mail has no more than its share.


SCRIPT = """
import resource
from server.machine import raise_limit, smtp_connections
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
print(smtp_connections(), raise_limit(), smtp_connections())
"""


@rows("soft hard said", (64, 400, "16 400 100"), (256, 4096, "64 4096 200"))
def test_files_are_raised_to_the_hard_limit_and_mail_takes_a_quarter_at_most(soft, hard, said):
    script = SCRIPT.format(soft=soft, hard=hard)
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == said


# The port of time: aware UTC.


def test_the_system_clock_is_aware_utc():
    assert SystemClock().now().utcoffset() == timedelta(0)


# A Unix socket in place of the port: whoever reaches it is the proxy, who says who asks.


async def test_on_a_unix_socket_the_proxy_says_who_asks_and_nobody_is_taken_for_near(
    sqlite_url, tmp_path
):
    path = tmp_path / "web.sock"
    settings = settings_from(
        {
            "database": {"url": sqlite_url, "backups": str(tmp_path)},
            "web": {"socket": str(path)},
            "mail": {"in": {"smtp_port": 0}},
        }
    )
    for _ in range(2):  # a socket's file that a killed server left is replaced
        async with run_server(settings, polls=False) as server:
            assert server.web_port == 0 and os.stat(path).st_mode & 0o777 == 0o660
            async with aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(path))) as http:
                for page, status in (("/readyz", 200), ("/metrics", 404)):
                    async with http.get(f"http://localhost{page}") as answer:
                        assert answer.status == status, page


def test_who_asks_through_a_socket_is_the_last_hop_that_the_proxy_names():
    def request(**web: object) -> object:
        core = SimpleNamespace(settings=settings_from({"web": web}))
        headers = {"X-Forwarded-For": "192.0.2.1, 198.51.100.7"}
        return SimpleNamespace(app={CORE: core}, remote="", headers=headers)

    assert client_address(request(socket="/run/web.sock")) == "198.51.100.7"
    assert client_address(request()) == ""


# Roles: a process does its own and nothing of the others'.


@rows(
    "roles listens",
    (("web",), (True, False)),
    (("mail-in",), (False, True)),
    (("daily",), (False, False)),
)
async def test_a_process_listens_only_for_what_it_is_there_for(sqlite_url, roles, listens):
    settings = settings_from(
        {"database": {"url": sqlite_url}, "web": {"port": 0}, "mail": {"in": {"smtp_port": 0}}}
    )
    async with run_server(settings, polls=False, roles=roles) as server:
        assert (server.web_port > 0, server.smtp_port > 0) == listens


@rows("words said", ("web,mail", "--only mail:"), ("web", "a SQLite file has one server"))
def test_roles_that_cannot_be_are_refused(monkeypatch, tmp_path, capsys, words, said):
    monkeypatch.setenv("KSKAK_DATABASE__URL", f"sqlite:///{tmp_path}/none.db")
    assert main(["serve", "--only", words]) == 2
    assert said in capsys.readouterr().err and not list(tmp_path.iterdir())
