"""Ratings in chronological order from stored data: who starts with what, what is registered after.

The rows of calculations, of rated players and of ratings. Not for when this is done
(computing.py) nor for how (kskak.rating.lists).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from kskak.rating.lists import Newcomer, Rated, Told, replay
from server.store.rating.calculations import NewCalculation, RatedRow, ToldRow
from server.store.register.members import RatingKind
from server.store.register.writing import RatingPut
from server.usecases.rating.facts import Facts

Head = tuple[NewCalculation, Facts]
"""A calculation in force or planned, and what it rests on."""


def replayed(
    heads: Mapping[int, Head], told: Sequence[ToldRow], before: Sequence[RatedRow]
) -> dict[int, Rated]:
    """Replay these calculations in chronological order; the results by group (§ 4.5.4.1).

    ``told``: all that people entered in the register for these players; ``before``: their ratings
    from earlier tournaments.
    """
    numbers: dict[str, list[Told]] = {}
    over_board: dict[int, list[ToldRow]] = {}
    for said in told:
        if said.kind == RatingKind.K:
            number = Told(date.fromisoformat(said.on_day), said.value, said.entered_us)
            numbers.setdefault(str(said.person_id), []).append(number)
        else:
            over_board.setdefault(said.person_id, []).append(said)
    known: dict[str, list[Told]] = {}
    for one in before:
        made = Told(date.fromisoformat(one.day), one.rating, one.first_us)
        known.setdefault(str(one.person_id), []).append(made)
    events, groups = [], {}
    for group_id, (row, facts) in heads.items():
        newcomers = _newcomers(facts, row, over_board)
        events.append(facts.tournament((row.start, row.day), row.first_us, newcomers))
        groups[facts.name] = group_id
    return {groups[one.tournament.name]: one for one in replay(numbers, events, known)}


def _newcomers(
    facts: Facts, row: NewCalculation, over_board: Mapping[int, Sequence[ToldRow]]
) -> dict[int, Newcomer]:
    """What each player would start with without a K-rating (§ 6.7.6.2).

    Reading: the last over-the-board rating on or before the start, else the first until the end.
    """
    found = {}
    for person in facts.players:
        told = [one for one in over_board.get(person, ()) if one.on_day <= row.day]
        by_then = [one.value for one in told if one.on_day <= row.start]
        number = by_then[-1] if by_then else next((one.value for one in told), None)
        found[person] = facts.newcomer(person, number)
    return found


def starts_text(one: Rated) -> str:
    """By person: starting number, its basis, what was registered, what it became."""
    found: dict[str, list[int | str | None]] = {}
    for name, start in one.starts.items():
        change = one.changes.get(name)
        end = (None, None) if change is None else (change.registered, change.settled.rating)
        found[name] = [start.rating, start.basis.value, *end]
    return json.dumps(found, separators=(",", ":"))


def rated_rows(group_id: int, row: NewCalculation, one: Rated) -> list[RatedRow]:
    """The rows of those who have rated games in a calculation."""
    return [
        RatedRow(
            group_id=group_id,
            person_id=int(name),
            day=row.day,
            first_us=row.first_us,
            games=change.calculation.games,
            before=one.starts[name].rating,
            basis=one.starts[name].basis.value,
            registered=change.registered,
            rating=change.settled.rating,
        )
        for name, change in one.changes.items()
    ]


def ratings_made(
    found: Iterable[Rated], told: Sequence[ToldRow], now_us: int
) -> tuple[RatingPut, ...]:
    """One rating per person and day, the last; none if a number entered that day overrides it."""
    later: dict[tuple[int, str], int] = {}
    for row in told:
        if row.kind == RatingKind.K:
            key = (row.person_id, row.on_day)
            later[key] = max(later.get(key, 0), row.entered_us)
    days: dict[tuple[int, str], tuple[list[str], int, int]] = {}
    for one in found:
        for name, change in one.changes.items():
            key = (int(name), change.on.isoformat())
            sources = days[key][0] if key in days else []
            days[key] = ([*sources, change.tournament], change.settled.rating, change.at)
    return tuple(
        RatingPut(person, RatingKind.K.value, day, value, False, ", ".join(sources), now_us, None)
        for (person, day), (sources, value, at) in days.items()
        if later.get((person, day), 0) <= at
    )
