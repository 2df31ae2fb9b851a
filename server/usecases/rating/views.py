"""A tournament's calculation with every step, for everybody (CONTRACTS: ratings are public).

§ 4.5.2. Not for making calculations (computing.py) nor for the desk (rating_desk.py).
"""

import json
from dataclasses import dataclass, replace

from kskak.rating.calculation import Calculation, rate
from kskak.rating.lists import Basis
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.play import people as person_rows
from server.store.rating import calculations as rating_rows
from server.store.rating.calculations import CalculationRow
from server.usecases.core.context import Core
from server.usecases.rating.facts import Game, load_facts, turned_in


@dataclass(frozen=True, slots=True)
class PlayerSteps:
    """A player in a calculation. ``registered`` and ``rating`` None without a rated game."""

    person_id: int
    name: str
    calculation: Calculation
    basis: Basis
    registered: int | None
    rating: int | None


@dataclass(frozen=True, slots=True)
class CalculationView:
    """A group's calculation. ``row`` None: none is in force; ``earlier`` are the others."""

    group: GroupRow
    row: CalculationRow | None
    players: tuple[PlayerSteps, ...]
    unrated: tuple[Game, ...]
    turned: tuple[Game, ...]
    names: dict[int, str]
    earlier: tuple[CalculationRow, ...]


async def calculation(
    core: Core, name: str | None = None, group_id: int | None = None
) -> CalculationView | None:
    """A group's calculation with every step, by its name or number; None for no such group."""
    async with core.store.read() as conn:
        if name is not None:
            group = await group_rows.by_name(conn, name)
        else:
            group = await group_rows.find(conn, group_id or 0)
        if group is None:
            return None
        kept = await rating_rows.of_group(conn, group.id)
        row = kept[0] if kept and not kept[0].is_void else None
        facts = None if row is None else load_facts(row.facts)
        people = await person_rows.by_ids(conn, () if facts is None else facts.players)
        lost = await turned_in(conn, group.id)
    if row is None or facts is None:
        return CalculationView(group, None, (), (), (), {}, kept)
    names = {person: people[person].name for person in facts.players}
    starts = json.loads(row.starts)
    ratings = {person: starts[str(person)][0] for person in facts.players}
    players = []
    for one in rate(facts.group(ratings)):
        _, basis, registered, after = starts[one.name]
        steps = _named(one, names)
        players.append(
            PlayerSteps(int(one.name), steps.name, steps, Basis(basis), registered, after)
        )
    unrated = tuple(game for game in facts.games if game.unrated is not None)
    turned = tuple(game for game in lost if game in facts.games)
    return CalculationView(group, row, tuple(players), unrated, turned, names, kept[1:])


def _named(one: Calculation, names: dict[int, str]) -> Calculation:
    """The steps with people's names in place of their ids."""
    chances = tuple(
        chance if chance.opponent is None else replace(chance, opponent=names[int(chance.opponent)])
        for chance in one.expected.chances
    )
    expected = replace(one.expected, chances=chances)
    return replace(one, name=names[int(one.name)], expected=expected)
