"""The files to import, from paths and folders: each a PGN, ledger or table by its extension.

All are checked before anything is imported. Not for their contents.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kskak.archive.pgn_split import MOST_BYTES, PgnText, Place, split
from server.usecases.archive.report import BadPath, Kind
from server.usecases.register.csv_table import MOST_BYTES as MOST_OF_A_TABLE
from server.usecases.register.report import Slip

_HEAD = 64 * 1024
_PGN = re.compile(rb'\[\s*\w+\s+"')
_CHUNK = 1024 * 1024
_MOST = {Kind.LEDGER: 4 * 1024 * 1024, Kind.TABLE: MOST_OF_A_TABLE}
"""Most bytes in a file that is read whole."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read."""

    path: Path
    kind: Kind
    size: int

    @property
    def name(self) -> str:
        """What it is called in reports."""
        return self.path.name


def sources(paths: Iterable[Path]) -> tuple[Source, ...]:
    """The files at these paths, a folder's sorted by name; tables first. Raises BadPath."""
    found: dict[Path, Source] = {}
    for path in paths:
        if path.is_dir():
            inside = [one for one in sorted(path.rglob("*")) if _kind(one) and one.is_file()]
            if not inside:
                raise BadPath(path, Slip("no_files"))
            found |= {one.resolve(): _source(one) for one in inside}
        else:
            found[path.resolve()] = _source(path)
    order = (Kind.TABLE, Kind.LEDGER, Kind.PGN)
    return tuple(sorted(found.values(), key=lambda one: order.index(one.kind)))


def _kind(path: Path) -> Kind | None:
    ending = path.suffix.lower().lstrip(".")
    return Kind(ending) if ending in set(Kind) else None


def _source(path: Path) -> Source:
    kind = _kind(path)
    if kind is None:
        raise BadPath(path, Slip("ending"))
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise BadPath(path, Slip("unreadable", value=error.strerror or "")) from error
    if size > _MOST.get(kind, size):
        raise BadPath(path, Slip("large", value=str(_MOST[kind] // 1024**2)))
    if kind is Kind.PGN and not _PGN.search(head):
        raise BadPath(path, Slip("no_pgn"))
    return Source(path, kind, size)


def digest_of(path: Path) -> bytes:
    """SHA-256 of a file, read in pieces."""
    made = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            made.update(piece)
    return made.digest()


def games_of(path: Path, start: Place, most: int) -> Iterator[list[PgnText]]:
    """A PGN file's games from ``start`` on, ``most`` at a time; only one batch is in memory."""
    with path.open("rb", buffering=_CHUNK) as file:
        file.seek(start.bytes)
        batch: list[PgnText] = []
        for text in split(iter(lambda: file.readline(MOST_BYTES), b""), start):
            batch.append(text)
            if len(batch) == most:
                yield batch
                batch = []
        if batch:
            yield batch
