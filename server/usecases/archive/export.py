"""Finished games as PGN: the server's, made from their ledgers, and the archive's.

Game by game, so that any number can be written. Not for running games: the group's page gives
them to those who may see them (usecases/play/transcripts.py).
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from kskak.archive.past_pgn import past_pgn
from server.store.archive import reading as rows
from server.store.archive.reading import PastRow, Wanted
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.usecases.archive.found_by import opening_of
from server.usecases.archive.views import without_numbers
from server.usecases.core.context import Core
from server.usecases.play.transcripts import transcript

PAST = "archive/"
"""An archive game is named like its page: «archive/12»."""
PORTION = 200
"""Archive games read at a time."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which games; one of the fields is set. ``game``: its name or number, or PAST and a number.

    ``group``: a group of the server or a tournament of the archive; ``player``: an address or
    words of a name; ``is_all``: everything.
    """

    group: str = ""
    game: str = ""
    player: str = ""
    is_all: bool = False
    with_numbers: bool = False


@dataclass(slots=True)
class Counted:
    """How many games were written, and which groups have been read."""

    games: int = 0
    groups: dict[int, GroupRow] = field(default_factory=dict)


async def export(core: Core, choice: Choice, counted: Counted) -> AsyncIterator[str]:
    """The texts of the games, each with its line end."""
    async for row in _own(core, choice):
        async with core.store.read() as conn:
            group = counted.groups.get(row.group_id) or await group_rows.find(conn, row.group_id)
            assert group is not None
            counted.groups[row.group_id] = group
            text = await transcript(conn, group, row)
        counted.games += 1
        yield text
    async for text in _past(core, choice):
        counted.games += 1
        yield text


async def _own(core: Core, choice: Choice) -> AsyncIterator[GameRow]:
    """The requested games of the server, if finished."""
    async with core.store.read() as conn:
        found: list[GameRow] = []
        if choice.group:
            group = await group_rows.by_name(conn, choice.group)
            found = [] if group is None else list(await game_rows.of_group(conn, group.id))
        elif "@" in choice.player:
            person = await person_rows.by_email(conn, choice.player)
            found = [] if person is None else list(await game_rows.of_person(conn, person.id))
        else:
            found = [row async for row in game_rows.all_rows(conn) if _fits(row, choice)]
    for row in found:
        if row.result is not None:
            yield row


def _fits(row: GameRow, choice: Choice) -> bool:
    if choice.game:
        return choice.game in (row.name, str(row.id))
    words = choice.player.casefold().split()
    return any(all(word in name.casefold() for word in words) for name in (row.white, row.black))


async def _past(core: Core, choice: Choice) -> AsyncIterator[str]:
    """The requested games of the archive, in the order in which they were added."""
    async with core.store.read() as conn:
        wanted = await _wanted(conn, choice)
    after = 0
    while wanted is not None:
        async with core.store.read() as conn:
            some = await rows.portion(conn, wanted, after, PORTION)
        if not some:
            return
        after = some[-1].id
        for row in some:
            yield _text(row, choice)


async def _wanted(conn: AsyncConnection, choice: Choice) -> Wanted | None:
    """What to look for in the archive; None when nothing there can match."""
    if choice.game:
        number = choice.game.removeprefix(PAST)
        is_past = choice.game != number and number.isascii() and number.isdigit()
        return Wanted(game_id=int(number), own=False) if is_past and len(number) < 19 else None
    if choice.group:
        event = await rows.event_with_key(conn, choice.group)
        return None if event is None else Wanted(event_id=event, own=False)
    if "@" in choice.player:
        person = await person_rows.by_email(conn, choice.player)
        return None if person is None else Wanted(person_id=person.id, own=False)
    return Wanted(player=choice.player, own=False)


def _text(row: PastRow, choice: Choice) -> str:
    game = row.game if choice.with_numbers else without_numbers(row.game)
    return past_pgn(game, opening_of(row), with_numbers=choice.with_numbers)
