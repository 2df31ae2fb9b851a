"""Starting a group: people, numbers by lot, a round robin, start letters (§ 6.5.2.1, § 4.9.11).

One transaction: the group with all its games and letters, or nothing. Not for reading the file
(group_file.py) nor for entries and classes, which come with the tournaments.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from kskak.editions import EDITION
from kskak.lots import draw_lots
from kskak.quantities import Side
from kskak.schedule import round_robin
from kskak.state import Terms
from server.store import addresses as address_rows
from server.store import deadlines as deadline_rows
from server.store import games as game_rows
from server.store import groups as group_rows
from server.store import outbox as outbox_rows
from server.store import people as person_rows
from server.store.addresses import AddressRow
from server.store.games import GameRow, NewGame
from server.store.groups import NewGroup
from server.store.outbox import NewOutbox
from server.store.people import NewPerson, PersonRow, Role
from server.usecases.core import Core
from server.usecases.duedates import first_due
from server.usecases.group_file import GroupFile, GroupFileError, PlayerEntry
from server.usecases.play import poster_of
from server.usecases.posting import Kind

_GAME_BITS = 40
_SEED_BYTES = 8


@dataclass(frozen=True, slots=True)
class StartedGroup:
    """A group that was started: its id, the seed of its lots, the players by number."""

    id: int
    name: str
    seed: str | None
    players: tuple[str, ...]
    games: int


async def start_group(core: Core, file: GroupFile) -> StartedGroup:
    """Start a group from its file. GroupFileError when the group exists or a name differs."""
    seed = (file.seed or secrets.token_hex(_SEED_BYTES)) if file.draw else None
    players = by_number(file, seed)
    async with core.store.write() as conn:
        if await group_rows.by_name(conn, file.group) is not None:
            raise GroupFileError(f"group: {file.group} was started before, choose another name")
        tl_id = await official_of(core, conn, file)
        people = [await player_of(core, conn, player) for player in players]
        group_id = await group_rows.add(conn, new_group(core, file, seed, tl_id), people)
        new = new_games(file, group_id, people, [player.name for player in players])
        await game_rows.begin(conn, new)
        rows = await game_rows.of_group(conn, group_id)
        for row in rows:
            due = first_due(row.state(), row.zone, row.post_days)
            await deadline_rows.replace(conn, row.id, row.seq, due)
        await outbox_rows.enqueue(conn, _letters(core, file.group, people, rows))
    names = tuple(player.name for player in players)
    return StartedGroup(group_id, file.group, seed, names, len(new))


def by_number(file: GroupFile, seed: str | None) -> tuple[PlayerEntry, ...]:
    """The players in the order of their numbers: drawn with the seed, or as they stand."""
    if seed is None:
        return file.players
    order = draw_lots(seed, [f"{p.name} <{p.email}>" for p in file.players])
    return tuple(file.players[index] for index in order)


async def official_of(core: Core, conn: AsyncConnection, file: GroupFile) -> int:
    """The tournament leader, made a person if he is new (§ 6.1.1)."""
    known = await person_rows.by_email(conn, file.tl)
    if known is not None:
        return known.id
    name = file.tl_name or file.tl.partition("@")[0]
    new = NewPerson(name=name, email=file.tl, created_us=core.now_us, role=Role.TL)
    return await person_rows.add(conn, new)


async def player_of(core: Core, conn: AsyncConnection, player: PlayerEntry) -> int:
    """The player, made a person if he is new; a known address keeps its person."""
    known: PersonRow | None = await person_rows.by_email(conn, player.email)
    if known is not None:
        if known.name != player.name:
            raise GroupFileError(
                f"players: {player.email} is registered as {known.name}, not {player.name}"
            )
        await _keep_address(core, conn, known.id, player.address)
        return known.id
    new = NewPerson(
        name=player.name,
        email=player.email,
        created_us=core.now_us,
        lang=player.lang,
        club=player.club,
        member=player.member,
        rating=player.rating,
        k_rating=player.k_rating,
        birth=player.birth.isoformat() if player.birth else None,
        citizen=player.citizen,
    )
    person_id = await person_rows.add(conn, new)
    await _keep_address(core, conn, person_id, player.address)
    return person_id


async def _keep_address(core: Core, conn: AsyncConnection, person_id: int, text: str) -> None:
    """Where cards to him go (§ 6.5.2.1); what he has written himself stands."""
    if text and not await address_rows.of_people(conn, [person_id]):
        await address_rows.keep(conn, AddressRow(person_id, text, core.now_us))


def new_group(core: Core, file: GroupFile, seed: str | None, tl_id: int) -> NewGroup:
    """The group's row as its file says."""
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
        regulation_url=file.regulation_url,
        tl_id=tl_id,
        created_us=core.now_us,
    )


def new_games(file: GroupFile, group_id: int, people: list[int], names: list[str]) -> list[NewGame]:
    """Every game of the round robin; ids are random, names are «group/number»."""
    schedule = round_robin(len(people), double=file.double)
    new: list[NewGame] = []
    for number, pairings in enumerate(schedule.rounds, 1):
        for pairing in pairings:
            white, black = pairing.white - 1, pairing.black - 1
            terms = Terms(
                game=f"{file.group}/{len(new) + 1}",
                regulation=file.regulation,
                start=file.start,
                white=names[white],
                black=names[black],
                fen=file.fen or None,
                laws_year=file.laws,
            )
            game_id = secrets.randbits(_GAME_BITS) | 1 << _GAME_BITS
            new.append(NewGame(game_id, group_id, number, people[white], people[black], terms))
    return new


def _letters(
    core: Core, group: str, people: list[int], rows: tuple[GameRow, ...]
) -> list[NewOutbox]:
    """A start letter to all; to who begins one mail a game with its reply address."""
    poster = poster_of(core)
    unique = f"{group}.{core.now_us}"  # a start taken back may be followed by another
    letters = [poster.to_person(Kind.START, p, unique, {"group": group}) for p in people]
    for row in rows:
        first = row.state().to_move or Side.WHITE
        letters.append(poster.about_game(Kind.FIRST_MOVE, row, first, (0, 0)))
    return letters
