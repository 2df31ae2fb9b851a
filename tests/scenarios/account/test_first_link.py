"""What `kskak serve` says at its start: whom it lets in, and that no mail goes out."""

import asyncio
import sys

import pytest

from server.cli import serve as serve_commands
from server.core import open_core
from server.settings import Settings
from server.store.engine.store import Store
from server.store.play import people as person_rows
from server.store.play.people import NewPerson
from server.usecases.account import signin
from tests.fakes.machinery.each import rows
from tests.fakes.world import World


async def _announced(world: World, capsys: pytest.CaptureFixture[str]) -> str:
    await serve_commands.announce(world.server)
    said = capsys.readouterr()
    (line,) = [line for line in said.out.splitlines() if line.startswith("Sign in")]
    return line.partition(" " * 7)[2].strip()


async def test_a_journal_gets_no_link_once_an_administrator_has_come(lite, capsys, monkeypatch):
    first = await _announced(lite, capsys)
    assert "/login/" in first, "else nobody could ever come in"
    assert await signin.use_link(lite.core, first.rpartition("/")[2]) is not None
    assert (await _announced(lite, capsys)).startswith("kskak login-link ")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "/login/" in await _announced(lite, capsys)


async def test_two_processes_that_first_start_at_once_both_start(postgres_url: str) -> None:
    settings = Settings.model_validate({"database": {"url": postgres_url.replace(":@", "@")}})
    async with open_core(settings) as core:
        async with core.store.write() as conn:
            email, now = core.settings.responsible_email, core.now_us
            await person_rows.add_person(
                conn, NewPerson(name="Jørgen Ærø", email=email, created_us=now)
            )
            other = asyncio.create_task(serve_commands.first_link(core))
            await _until_one_waits(core.store)
        assert "/login/" in await other


async def _until_one_waits(store: Store) -> None:
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    async with asyncio.timeout(20):
        while True:
            async with store.read() as conn:
                if (await conn.exec_driver_sql(query)).scalar_one():
                    break
            await asyncio.sleep(0.01)


@rows(
    "site is_warned",
    ("https://spil.example.org", True),
    ("http://localhost:8080", False),
    ("", False),
)
async def test_a_public_server_without_a_way_out_for_mail_says_so_loudly(
    lite: World, caplog: pytest.LogCaptureFixture, site: str, is_warned: bool
) -> None:
    settings = lite.core.settings
    web = settings.web.model_copy(update={"public_url": site})
    out = settings.mail.out.model_copy(update={"host": ""})
    mail = settings.mail.model_copy(update={"out": out})
    object.__setattr__(
        lite.core, "settings", settings.model_copy(update={"web": web, "mail": mail})
    )
    await serve_commands.announce(lite.server)
    assert ("NO MAIL IS SENT" in caplog.text) == is_warned


async def test_a_faulty_sqlite_is_told_of_at_the_start(lite, caplog, monkeypatch):
    monkeypatch.setattr(
        "server.store.engine.sqlite_library.sqlite3.sqlite_version_info", (3, 40, 1)
    )
    await serve_commands.announce(lite.server)
    assert caplog.text.count("3.51.3") == 2, "once, with the way out"
