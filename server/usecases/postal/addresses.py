"""Postal addresses: whose is shown to whom, and a player changing his own.

REGULATION, "Personal data"; § 6.2.1, § 6.5.2.1. An address is seen by the player himself, by his
opponent while they play a postal game, and by the group's leader, his deputies and the
controller. Not for e-mail addresses, which the letters carry.
"""

import unicodedata
from collections.abc import Iterable
from datetime import date

from kskak.regulation.days import local_day
from kskak.regulation.quantities import Regulation, Side
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import postal_addresses as rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.postal_addresses import AddressRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import Rights
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.game_views import GameView

LONGEST, MOST_LINES = 300, 6
"""Characters and lines of an address: what fits on a card."""


class AddressTooLong(ValueError):
    """An address that does not fit on a card."""


def tidy(text: str) -> str:
    """An address without empty lines and control characters. Raises AddressTooLong."""
    printed = "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    found = "\n".join(line for line in lines if line)
    if len(found) > LONGEST or found.count("\n") >= MOST_LINES:
        raise AddressTooLong
    return found


async def keep(core: Core, person: PersonRow, text: str) -> None:
    """Keep a person's own address; an empty one removes it. Raises AddressTooLong.

    Opponents and leaders of running postal games are told of a change at once (§ 6.8.5).
    """
    tidied = tidy(text)
    async with core.store.write() as conn:
        await keep_in(core, conn, person.id, tidied)


async def keep_in(core: Core, conn: AsyncConnection, person_id: int, tidied: str) -> None:
    """The same within a transaction, for a text from ``tidy``."""
    row = AddressRow(person_id, tidied, core.now_us)
    before = (await rows.of_people(conn, [person_id])).get(person_id)
    if row.text == (before.text if before else ""):
        return
    await rows.keep(conn, row)
    if row.text:
        played = await game_rows.of_person(conn, person_id, running=True)
        await outbox_rows.enqueue(conn, _letters(core, person_id, played))


async def without(conn: AsyncConnection, people: Iterable[PersonRow]) -> tuple[str, ...]:
    """The names of those who can't be sent cards, as no address is known (§ 6.5.2.1)."""
    asked = list(people)
    kept = await rows.of_people(conn, [person.id for person in asked])
    return tuple(person.name for person in asked if person.id not in kept)


def _letters(core: Core, person_id: int, played: Iterable[GameRow]) -> list[NewOutbox]:
    """One letter to each opponent and to each leader."""
    poster, told = poster_of(core), dict[int, NewOutbox]()
    for game in played:
        mine = game.side_of(person_id)
        if mine is None or game.regulation != Regulation.POSTAL:
            continue
        at, params = (game.seq, game.ply), {"by": mine.value}
        for side, reader in ((mine.other, game.person_of(mine.other)), (None, game.tl_id)):
            letter = poster.about_game(Kind.ADDRESS, game, side, at, dict(params), f"{core.now_us}")
            told.setdefault(reader, letter)
    return list(told.values())


async def own(core: Core, person: PersonRow) -> str:
    """A person's own address; "" when there is none."""
    async with core.store.read() as conn:
        found = await rows.of_people(conn, [person.id])
    return found[person.id].text if found else ""


def readable(view: GameView, held: Rights | None) -> tuple[Side, ...]:
    """The players of a game whose addresses its reader may see, besides his own (§ 6.2.1)."""
    if held is None or view.game.regulation != Regulation.POSTAL:
        return ()
    mine = view.side_of(held.person_id)
    if mine is not None:
        return (mine.other,) if view.game.result is None else ()
    return tuple(Side) if held.speaks_for(view.group.id) else ()


async def shown(
    core: Core, view: GameView, held: Rights | None
) -> tuple[tuple[PersonRow, tuple[str, ...], date | None], ...]:
    """Players with their address lines (empty if unknown) and the days these were changed."""
    people = [view.player(side) for side in readable(view, held)]
    if not people:
        return ()
    async with core.store.read() as conn:
        found = await rows.of_people(conn, [person.id for person in people])

    def day(row: AddressRow | None) -> date | None:
        return None if row is None else local_day(from_us(row.changed_us), view.game.zone)

    told = ((person, found.get(person.id)) for person in people)
    return tuple(
        (person, tuple(row.text.split("\n")) if row else (), day(row)) for person, row in told
    )
