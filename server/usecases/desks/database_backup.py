"""Copies of the database: made, proved, kept for some time, and restored.

Not for what is proved (database_care.py).
"""

import asyncio
import os
import shlex
import tarfile
from datetime import datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, func, select

from server.settings import Settings
from server.store.engine import migrate as copying
from server.store.engine.connection import StoreError
from server.store.engine.migrate import current_revision, migrate
from server.store.engine.rows import to_us
from server.store.engine.sqlite import read_sqlite_path
from server.store.engine.store import Store, parse_url
from server.store.tables import base as base_tables
from server.store.tables.base import games
from server.usecases.desks.database_care import verify
from server.usecases.mail.mailbox import KeyFault, read

# One copy; one a night, of which so many are kept.


async def backup(store: Store, path: Path) -> None:
    """A hot copy to a new file, checked. StoreError when it can't be made or the file exists.

    SQLite gives one database file, PostgreSQL a dump in pg_dump's custom format.
    """
    if await asyncio.to_thread(path.exists):
        raise StoreError(f"{path} is there already: name a new file")
    if not await asyncio.to_thread(path.parent.is_dir):
        raise StoreError(f"there is no folder {path.parent}")
    if store.path is not None:
        await asyncio.to_thread(copying.copy_sqlite, store.path, path)
    else:
        await copying.dump_postgres(store.url, path)


KEPT = "kept-"
"""What the names of the copies begin with of which ``keep_copy`` removes the oldest."""
KEYS = ".keys.tar"


async def keep_copy(store: Store, folder: Path, keep: int, now: datetime) -> Path:
    """A new copy in a folder, proved; of those made so the newest ``keep`` stay, with their keys.

    Proved: a SQLite copy is restored and verified whole, a dump of PostgreSQL is read through. The
    database notes when that was.
    """
    await asyncio.to_thread(copying.make_folder, folder)
    end = "db" if store.path is not None else "dump"
    path = folder / f"{KEPT}{now:%Y-%m-%d-%H%M%S}.{end}"
    await backup(store, path)
    if store.path is None:
        await copying.list_dump(path)
    else:
        with TemporaryDirectory(prefix="kskak-proof-", dir=folder) as empty:
            await prove_copy(path, Path(empty))
    await store.change(base_tables.put_value, base_tables.COPY_PROVED, str(to_us(now)))
    await asyncio.to_thread(_remove_older, folder, f"{KEPT}*.{end}", keep)
    return path


def _remove_older(folder: Path, pattern: str, keep: int) -> None:
    for old in sorted(folder.glob(pattern))[:-keep]:
        old.unlink()
        keys_of(old).unlink(missing_ok=True)


def keys_of(copy: Path) -> Path:
    """The archive of the keys beside a copy."""
    return copy.with_name(copy.name + KEYS)


def write_keys(settings: Settings, config: Path | None, path: Path) -> None:
    """What a copy lacks to start on another machine: secrets, the DKIM key, the settings' file.

    A tar archive that its owner alone can read. StoreError when a key can't be read.
    """
    given = {
        "KSKAK_SECRET__KEY": settings.secret.key.get_secret_value(),
        "KSKAK_MAIL__OUT__PASSWORD": settings.mail.out.password.get_secret_value(),
        "KSKAK_MAIL__IMAP__PASSWORD": settings.mail.imap.password.get_secret_value(),
    }
    if parse_url(settings.database.url).password is not None:
        given["KSKAK_DATABASE__URL"] = settings.database.url
    lines = "".join(f"{name}={shlex.quote(value)}\n" for name, value in given.items() if value)
    files = {"kskak.env": lines.encode()}
    try:
        if settings.mail.out.dkim_key:
            files["dkim.pem"] = read(Path(settings.mail.out.dkim_key))
        if config is not None:
            files["config.toml"] = config.read_bytes()
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
            for name, octets in files.items():
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(octets), 0o600
                tar.addfile(entry, BytesIO(octets))
    except (KeyFault, OSError) as error:
        raise StoreError(f"the keys can't be kept: {error}") from error


# Restoring one, and proving that it can be.


async def restore(file: Path, url: str, backups: Path, *, force: bool = False) -> None:
    """Restore a copy as the database of ``url`` and verify it, a SQLite copy before.

    StoreError, and nothing changed, for a bad copy, or for a database that has games unless
    ``force``. No server may be running on it. What is replaced is kept: a SQLite file beside it,
    PostgreSQL's games as a dump in ``backups``.
    """
    target = parse_url(url)
    if not await asyncio.to_thread(file.is_file):
        raise StoreError(f"there is no file {file}")
    if target.get_backend_name() == "sqlite":
        await _restore_file(file, url, read_sqlite_path(target), force)
        return
    kept = await asyncio.to_thread(copying.free_name, backups, "before-restore", "dump")
    count = await _count_games(url, force=force)
    await copying.load_dump(target, file, kept, keeps=count > 0)
    try:
        await _prove(url, file)
    except StoreError as error:
        raise StoreError(f"{error}; it is in place, and what it replaced is {kept}") from error


async def _restore_file(file: Path, url: str, path: Path, force: bool) -> None:
    await asyncio.to_thread(copying.check_sqlite, file)
    if await asyncio.to_thread(path.is_dir):
        raise StoreError(f"{path} is a folder: remove it, or name a file in database.url")
    if not force and await asyncio.to_thread(path.exists):
        await _count_games(url, force=False)
    fresh = path.with_name(path.name + ".restored")
    try:
        await asyncio.to_thread(copying.copy_sqlite, file, fresh)
        await _prove(f"sqlite:///{fresh}", file)
        await asyncio.to_thread(_switch, fresh, path)
    finally:
        await asyncio.to_thread(_remove, fresh)


async def prove_copy(file: Path, folder: Path) -> None:
    """StoreError unless a SQLite copy can be restored: it is, into an empty folder."""
    fresh = folder / "restored.db"
    await asyncio.to_thread(copying.copy_sqlite, file, fresh)
    await _prove(f"sqlite:///{fresh}", file)


async def _prove(url: str, file: Path) -> None:
    """StoreError unless what was made of ``file`` there is sound in every respect.

    One that an earlier program made is brought to this program's tables first.
    """
    store = await Store.open(url)
    try:
        async with store.read() as connection:
            if await connection.run_sync(current_revision) is None:
                raise StoreError(f"{file} is empty: it is no copy of a kskak database")
        await migrate(store, None)
        report = await verify(store)
    finally:
        await store.close()
    if report.findings:
        first = report.findings[0]
        raise StoreError(f"{file} does not hold: {first.game or 'database'}: {first.what}")


async def _count_games(url: str, *, force: bool) -> int:
    """The games of the database to be replaced. StoreError for any, unless ``force``, and for
    tables of another program."""
    store = await Store.open(url)
    try:
        is_empty = await store.look(copying.read_revision) is None
        count = 0 if is_empty else await store.look(_games_in)
    finally:
        await store.close()
    if count and not force:
        where = store.url.render_as_string(hide_password=True)
        raise StoreError(f"{where} has {count} games: nothing is overwritten without --force")
    return count


def _games_in(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(games)).scalar_one())


def _remove(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _switch(fresh: Path, path: Path) -> None:
    """Put the copy in place; what was there is kept as ``….before-restore``."""
    kept = path.with_name(path.name + ".before-restore")
    _remove(kept)
    try:
        if path.exists():
            copying.copy_sqlite(path, kept)
    except StoreError:  # damaged, or no room for both: moved as it is, with its newest writes
        for end in ("", "-wal"):
            if (was := path.with_name(path.name + end)).exists():
                was.rename(kept.with_name(kept.name + end))
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    fresh.replace(path)
