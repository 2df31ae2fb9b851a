"""What stands beside the table of a group or a division: how far it has come, the clubs' pages.

One question for the clubs; the games are those that the table was made of. Not for the table.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from mail.text.words import Words
from server.store.register import clubs as club_rows
from server.web.groups.beside_table import Counted, Progress, progress_of
from server.web.groups.words import PublicWords


@dataclass(frozen=True, slots=True)
class Beside:
    """``clubs``: the numbers of the clubs' pages, by name; a name without a page is not there."""

    p: PublicWords
    progress: Progress
    clubs: dict[str, int]


async def beside_of(
    conn: AsyncConnection,
    games: Iterable[Counted],
    zone: str,
    clubs: Iterable[str | None],
    words: Words,
) -> Beside:
    """For a group's games and the names of the clubs in it."""
    ids = await club_rows.ids_of(conn, [name for name in clubs if name])
    return Beside(PublicWords(words), progress_of(games, zone), ids)
