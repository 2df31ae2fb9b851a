"""Ratings in order of time from what is kept: who starts with what, what is registered after.

The rows of calculations, of rated players and of ratings. Not for when this is done
(computing.py) nor for how (kskak.rating_list).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from kskak.rating_list import Newcomer, Rated, Told, replay
from server.store.rating_rows import NewCalculation, RatedRow, ToldRow
from server.store.register import RatingKind
from server.store.register_writes import RatingPut
from server.usecases.rating.facts import Facts


def _replayed(plan: _Plan, told: Sequence[ToldRow], before: Sequence[RatedRow]) -> dict[int, Rated]:
    """Every calculation of the plan in order of time, by group."""
    numbers: dict[str, list[Told]] = {}
    over_board: dict[int, list[ToldRow]] = {}
    for row in told:
        if row.kind == RatingKind.K:
            number = Told(date.fromisoformat(row.on_day), row.value, row.entered_us)
            numbers.setdefault(str(row.person_id), []).append(number)
        else:
            over_board.setdefault(row.person_id, []).append(row)
    known: dict[str, list[Told]] = {}
    for one in before:
        made = Told(date.fromisoformat(one.day), one.rating, one.first_us)
        known.setdefault(str(one.person_id), []).append(made)
    events, groups = [], {}
    for group_id, (row, facts) in heads.items():
        newcomers = _newcomers(facts, row.start, over_board)
        events.append(facts.tournament((row.start, row.day), row.first_us, newcomers))
        groups[facts.name] = group_id
    return {groups[one.tournament.name]: one for one in replay(numbers, events, known)}


def _newcomers(
    facts: Facts, start: str, over_board: Mapping[int, Sequence[ToldRow]]
) -> dict[int, Newcomer]:
    """What each player would start with if he had no K-rating (§ 6.7.6.2).

    Reading: his last over-the-board rating known by the start, else the first one told later.
    """
    found = {}
    for person in facts.players:
        told = over_board.get(person, ())
        by_then = [row.value for row in told if row.on_day <= start]
        number = by_then[-1] if by_then else next((row.value for row in told), None)
        found[person] = facts.newcomer(person, number)
    return found


def starts_text(one: Rated) -> str:
    """By person: start, where it is from, what was registered, what it became."""
    found: dict[str, list[int | str | None]] = {}
    for name, start in one.starts.items():
        change = one.changes.get(name)
        end = (None, None) if change is None else (change.registered, change.settled.rating)
        found[name] = [start.rating, start.basis.value, *end]
    return json.dumps(found, separators=(",", ":"))


def rated_rows(group_id: int, row: NewCalculation, one: Rated) -> list[RatedRow]:
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
    """One rating a person and day, the last; none where a number told that day stands over it."""
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
