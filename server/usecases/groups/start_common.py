"""What all group starts have in common: people, the group's row, letters (§ 6.5.2.1).

Not for the pairings (starts/start_group.py, league/start.py).
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.groups.dealing import draw_lots
from kskak.play.state import Terms
from kskak.regulation.editions import EDITION
from kskak.regulation.quantities import Side
from server.store.engine.connection import AsyncConnection
from server.store.groups.groups_and_seats import NewGroup
from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.store.play import postal_addresses as address_rows
from server.store.play.games import GameRow
from server.store.play.people import NewPerson, PersonRow, Role
from server.store.play.postal_addresses import AddressRow
from server.store.register import writing as register_writes
from server.store.register.members import RatingKind
from server.store.register.writing import RatingPut
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.union_values import union_values
from server.usecases.groups.group_file import GroupFile, GroupFileError, PlayerEntry

_GAME_BITS = 40
_SEED_BYTES = 8


@dataclass(frozen=True, slots=True)
class StartedGroup:
    """A started group: its id, the seed of its draw, the players by number.

    ``notes``: what the leader should look at (§ 6.7.2.1).
    """

    id: int
    name: str
    seed: str | None
    players: tuple[str, ...]
    games: int
    notes: tuple[str, ...] = ()


def seed_of(file: GroupFile) -> str | None:
    """The seed of the draw: the file's or a new one; None where the file's order stands."""
    return (file.seed or secrets.token_hex(_SEED_BYTES)) if file.draw else None


def by_number(file: GroupFile, seed: str | None) -> tuple[PlayerEntry, ...]:
    """The players in the order of their numbers: drawn with the seed, or as in the file."""
    if seed is None:
        return file.players
    order = draw_lots(seed, [f"{p.name} <{p.email}>" for p in file.players])
    return tuple(file.players[index] for index in order)


def new_game_id() -> int:
    """A game's id: random, never sequential."""
    return secrets.randbits(_GAME_BITS) | 1 << _GAME_BITS


def terms_of(file: GroupFile, number: int, white: str, black: str) -> Terms:
    """The terms of a group's game with this number."""
    return Terms(
        game=f"{file.group}/{number}",
        regulation=file.regulation,
        start=file.start,
        white=white,
        black=black,
        fen=file.fen or None,
        laws_year=file.laws,
    )


async def official(core: Core, conn: AsyncConnection, file: GroupFile) -> int:
    """The tournament leader's person id; the person is added if new (§ 6.1.1)."""
    known = await person_rows.by_email(conn, file.tl)
    if known is not None:
        return known.id
    name = file.tl_name or file.tl.partition("@")[0]
    new = NewPerson(name=name, email=file.tl, created_us=core.now_us, role=Role.TL)
    return await person_rows.add(conn, new)


async def player(
    core: Core,
    conn: AsyncConnection,
    entry: PlayerEntry,
    source: str = "gruppens start",
    start: date = date.max,
) -> int:
    """The player's person id, the person added if new; a known address keeps its person.

    ``source``: recorded in the rating history for the ratings that the entry states; they date
    from ``start`` where that is past, as in a group taken over (§ 6.4.4.1).
    """
    known: PersonRow | None = await person_rows.by_email(conn, entry.email)
    if known is not None:
        if known.name != entry.name:
            raise GroupFileError(
                f"players: {entry.email} is registered as {known.name}, not {entry.name}"
            )
        await _keep_address(core, conn, known.id, entry.address)
        return known.id
    new = NewPerson(
        name=entry.name,
        email=entry.email,
        created_us=core.now_us,
        lang=entry.lang,
        club=entry.club,
        member=entry.member,
        rating=entry.rating,
        k_rating=entry.k_rating,
        birth=entry.birth.isoformat() if entry.birth else None,
        citizen=entry.citizen,
    )
    person_id = await person_rows.add(conn, new)
    day = min(core.today(core.settings.clock.zone), start)
    await _stated_ratings(core, conn, (source, day), person_id, entry)
    await _keep_address(core, conn, person_id, entry.address)
    return person_id


async def _stated_ratings(
    core: Core,
    conn: AsyncConnection,
    origin: tuple[str, date],
    person_id: int,
    entry: PlayerEntry,
) -> None:
    """Begin the player's rating history with the entry's (§ 6.4.4); ``origin``: source, day."""
    source, day = origin
    stated = ((RatingKind.K, entry.k_rating), (RatingKind.OTB, entry.rating))
    rows = [
        RatingPut(person_id, kind.value, day.isoformat(), value, False, source, core.now_us, None)
        for kind, value in stated
        if value is not None
    ]
    await register_writes.put_ratings(conn, rows)


async def _keep_address(core: Core, conn: AsyncConnection, person_id: int, text: str) -> None:
    """Keep the postal address for the player's cards (§ 6.5.2.1), unless there already is one."""
    if text and not await address_rows.of_people(conn, [person_id]):
        await address_rows.keep(conn, AddressRow(person_id, text, core.now_us))


async def new_group(
    core: Core, conn: AsyncConnection, file: GroupFile, seed: str | None, tl_id: int
) -> NewGroup:
    """The group's row."""
    said = await union_values(core, conn)
    return NewGroup(
        name=file.group,
        tournament=file.tournament,
        class_=file.group_class.value,
        regulation=file.regulation.value,
        edition=EDITION,
        laws=file.laws,
        start=file.start.isoformat(),
        zone=file.zone,
        claims=file.claims,
        is_double=file.double,
        is_drawn=file.draw,
        seed=seed,
        fen=file.fen or None,
        post_days=file.post_days,
        regulation_url=file.regulation_url or said.regulation_url or None,
        tl_id=tl_id,
        created_us=core.now_us,
        override=", ".join(file.override) or None,
        override_reason=file.override_reason or None,
    )


def start_letters(
    core: Core, group: str, people: Sequence[int], rows: Sequence[GameRow]
) -> list[NewOutbox]:
    """A start letter to everybody; to whoever begins, one mail per game with its reply address."""
    poster = poster_of(core)
    unique = f"{group}.{core.now_us}"  # an annulled start may be followed by another
    letters = [poster.to_person(Kind.START, p, unique, {"group": group}) for p in people]
    for row in rows:
        first = row.state().to_move or Side.WHITE
        letters.append(poster.about_game(Kind.FIRST_MOVE, row, first, (0, 0)))
    return letters
