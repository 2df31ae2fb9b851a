"""A player's record as the access rules need it: past results entered, own groups as played.

§ 6.5.2.2, § 6.5.3.2, § 6.6.2. Readings: a group of the server counts as finished on the day
its last game ended; a cup group that belongs to no known cup gives no rights, unless an
official enters it. Not for what a result is worth (kskak.entries.access).
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from kskak.entries.cup_rights import CupRound, Stage
from kskak.entries.emt import EmtClass, Score
from kskak.entries.iccf import Tournament
from kskak.entries.player_record import Record, Result
from kskak.groups.ladder_individual import RuleSet, Table, placing
from kskak.groups.played import Played
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Result as Outcome
from server.store.cup import rounds as cup_rows
from server.store.cup.rounds import GroupRound
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.entries import past_results as past_rows
from server.store.entries.past_results import PastResultRow
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import CrossRow, GroupRow
from server.store.play import people as person_rows
from server.store.register import members as register_rows

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
    """All that is known; ``groups`` counts the player's EMT and cup groups.

    ``cup_running``: those of the cup before its final that are still played (§ 6.6.1.2).
    """

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
    rounds = await cup_rows.rounds_of_person(conn, person_id)
    groups = running = 0
    mine = [
        group
        for group in await group_rows.of_person(conn, person_id)
        if group.class_ in _CLASSES or group.class_ == CUP
    ]
    tables = await group_rows.crosstables(conn, [group.id for group in mine])
    for group in mine:
        rows = tables[group.id]
        groups += 1
        event = _event(group, rounds.get(group.id))
        if event is not None:
            own.append(_own(group, event, rows, person_id))
        is_final = isinstance(event, CupRound) and event.stage is Stage.FINAL
        if group.class_ == CUP and not is_final:
            running += any(row.result is None for row in rows)
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
    counted = sum(isinstance(row.event, EmtClass | CupRound) for row in past)
    record = Record(on, tuple(one.result for one in listed))
    return PlayerRecord(record, listed, counted + groups, running)


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


def _event(group: GroupRow, cup: GroupRound | None) -> EmtClass | CupRound | None:
    """What a group of ours counts as for rights; the cup's first round gives none (§ 6.6.2.1)."""
    if group.class_ != CUP:
        return _CLASSES[group.class_]
    if cup is None or cup.stage not in set(Stage):
        return None
    return CupRound(Stage(cup.stage), cup.entries, cup.is_semi_held)


def _own(
    group: GroupRow, event: EmtClass | CupRound, rows: tuple[CrossRow, ...], person_id: int
) -> _Found:
    """A player's result so far in a group of the server (§ 6.5.1.2)."""
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
        place=_place(event, rows, person_id) if finished is not None else None,
    )
    return _Found(event, score, finished, group.name, "", group.name)


def _points(rows: list[CrossRow], person_id: int) -> Fraction:
    return sum((_score(row, person_id) for row in rows), Fraction(0))


def _score(row: CrossRow, person_id: int) -> Fraction:
    """A player's points from a game; none while it runs or if both lost (§ 6.3.3.4)."""
    if row.result is None:
        return Fraction(0)
    white, black = Played("white", "black", Outcome(row.result)).scores
    return white if row.white_id == person_id else black


def _place(event: EmtClass | CupRound, rows: tuple[CrossRow, ...], person_id: int) -> int:
    """In the EMT, 1 for all who share the most points, and so on (§ 6.5.3.2 a).

    In the cup, by its whole ladder, which decides the places in the DM (§ 6.6.1.5, § 6.6.2.2).
    """
    people = dict.fromkeys(one for row in rows for one in (row.white_id, row.black_id))
    if isinstance(event, CupRound):
        games = tuple(
            Played(str(row.white_id), str(row.black_id), Outcome(row.result))
            for row in rows
            if row.result is not None
        )
        table = Table(RuleSet.CUP_FINAL, tuple(str(one) for one in people), games)
        return next(row.place for row in placing(table) if row.name == str(person_id))
    points = {
        one: _points([row for row in rows if one in (row.white_id, row.black_id)], one)
        for one in people
    }
    return 1 + sum(other > points[person_id] for other in points.values())


@dataclass(frozen=True, slots=True)
class Registered:
    """A player as in the register; None for what it does not know.

    ``is_member``: the register has a membership that stands, with or without its number (§ 6.1).
    """

    id: int
    name: str
    email: str
    lang: str
    member: str | None
    club: str | None
    born: date | None
    is_citizen: bool | None
    otb_rating: int | None
    k_rating: int | None
    is_member: bool = False


async def registered(conn: AsyncConnection, person_id: int, on: date) -> Registered | None:
    """A player by id; None when there is none."""
    person = await person_rows.find(conn, person_id)
    entered = await register_rows.find(conn, person_id)
    if person is None or entered is None:
        return None
    return Registered(
        id=person.id,
        name=person.name,
        email=person.email,
        lang=person.lang,
        member=person.member,
        club=person.club,
        born=date.fromisoformat(person.birth) if person.birth else None,
        is_citizen=person.citizen,
        otb_rating=person.rating,
        k_rating=person.k_rating,
        is_member=entered.is_member(on),
    )
