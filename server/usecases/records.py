"""A player's record as access needs it: past results as entered, own groups as played.

§ 6.5.2.2, § 6.5.3.2, § 6.6.2. Readings: a group of the server counts as finished on the day
its last game ended; rounds of the cup count for rights as officials enter them. Not for what a
result is worth (kskak.access).
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncConnection

from kskak.cup_rights import CupRound, Stage
from kskak.days import local_day
from kskak.emt import EmtClass, Score
from kskak.iccf import Tournament
from kskak.results import Record, Result
from server.store import groups as group_rows
from server.store import past_results as past_rows
from server.store.groups import CrossRow, GroupRow
from server.store.instants import from_us
from server.store.past_results import PastResultRow
from server.usecases.views import points_of

CUP = "cup"
_CLASSES = {one.value: one for one in EmtClass}


@dataclass(frozen=True, slots=True)
class Participation:
    """A result with its name and where it is from: an official's source, or a group of ours."""

    result: Result
    name: str
    source: str
    group: str | None = None
    past_id: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """All that is known; ``groups`` counts his groups of EMT and cup, ``cup_running`` the cup's."""

    record: Record
    participations: tuple[Participation, ...]
    groups: int
    cup_running: int


@dataclass(frozen=True, slots=True)
class _Found:
    event: EmtClass | CupRound | Tournament
    score: Score
    finished: date | None
    name: str
    source: str
    group: str | None = None
    past_id: int | None = None


async def record_of(conn: AsyncConnection, person_id: int, on: date) -> PlayerRecord:
    """A player's record as seen from a day; numbered from 1, oldest finish first."""
    past = [_past(row) for row in await past_rows.of_person(conn, person_id)]
    own: list[_Found] = []
    cups = running = 0
    for group in await group_rows.of_person(conn, person_id):
        if group.class_ not in _CLASSES and group.class_ != CUP:
            continue
        rows = await group_rows.crosstable(conn, group.id)
        if group.class_ == CUP:
            cups += 1
            running += any(row.result is None for row in rows)
        else:
            own.append(_own(group, rows, person_id))
    found = sorted(past + own, key=lambda row: (row.finished or date.max, row.name))
    listed = tuple(
        Participation(
            Result(number, row.event, row.score, row.finished),
            row.name,
            row.source,
            row.group,
            row.past_id,
        )
        for number, row in enumerate(found, 1)
    )
    counted = sum(isinstance(row.event, EmtClass | CupRound) for row in found)
    record = Record(on, tuple(one.result for one in listed))
    return PlayerRecord(record, listed, counted + cups, running)


def _past(row: PastResultRow) -> _Found:
    event: EmtClass | CupRound | Tournament
    match row.event:
        case "emt":
            event = EmtClass(row.wish)
        case "cup":
            event = CupRound(Stage(row.wish), row.entries, row.semi_held)
        case _:
            event = Tournament(row.wish)
    finished = date.fromisoformat(row.finished) if row.finished else None
    score = Score(Fraction(row.halves, 2), row.games, row.unfinished, row.place)
    return _Found(event, score, finished, row.name, row.source, past_id=row.id)


def _own(group: GroupRow, rows: tuple[CrossRow, ...], person_id: int) -> _Found:
    """What a group of the server says of one of its players so far (§ 6.5.1.2)."""
    mine = [row for row in rows if person_id in (row.white_id, row.black_id)]
    unfinished = sum(row.result is None for row in mine)
    ended = [row.ended_us for row in rows]
    finished = None
    if all(us is not None for us in ended):
        finished = local_day(from_us(max(us or 0 for us in ended)), group.zone)
    score = Score(
        points=_points(mine, person_id),
        games=max(len(mine), 1),
        unfinished=unfinished,
        place=_place(rows, person_id) if finished is not None else None,
    )
    return _Found(_CLASSES[group.class_], score, finished, group.name, "", group.name)


def _points(rows: list[CrossRow], person_id: int) -> Fraction:
    return sum((Fraction(points_of(row, person_id)) for row in rows), Fraction(0))


def _place(rows: tuple[CrossRow, ...], person_id: int) -> int:
    """1 for all who share the most points, and so on (§ 6.5.3.2 a)."""
    people = {row.white_id for row in rows} | {row.black_id for row in rows}
    points = {
        one: _points([row for row in rows if one in (row.white_id, row.black_id)], one)
        for one in people
    }
    return 1 + sum(other > points[person_id] for other in points.values())
