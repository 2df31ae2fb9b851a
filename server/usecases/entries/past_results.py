"""Past results entered by officials with their source, and removed again (§ 6.5.3.2, § 6.6.2).

Not for the server's own groups (player.py) nor for importing many.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.entries.cup_rights import Stage
from kskak.entries.emt import EmtClass
from kskak.entries.iccf import Tournament
from kskak.regulation.days import has_been
from server.store.entries import past_results as rows
from server.store.entries.past_results import NewPastResult, PastResultRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, rights_in

MOST_GAMES, MOST_ENTRIES = 1000, 100_000
LONGEST = 120
EVENTS = {
    "emt": tuple(one.value for one in EmtClass),
    "cup": tuple(one.value for one in Stage),
    "iccf": tuple(one.value for one in Tournament),
}
"""What a result may be from."""


class ResultFault(StrEnum):
    """What is wrong with a result to be entered."""

    EVENT = "event"
    NAME = "name"
    FINISHED = "finished"
    SCORE = "score"
    PLACE = "place"
    ENTRIES = "entries"
    SOURCE = "source"
    TWICE = "twice"


@dataclass(frozen=True, slots=True)
class Entered:
    """A result as an official enters it; ``halves`` are half points, ``finished`` None: running."""

    event: str
    wish: str
    name: str
    finished: date | None
    halves: int
    games: int
    source: str
    unfinished: int = 0
    place: int | None = None
    entries: int = 0
    semi_held: bool = True


def may_enter(held: Rights) -> bool:
    """True if the person keeps players' records: leaders and the controller (§ 6.1.1-6.1.2)."""
    return held.is_kc or held.is_leader


async def add_result(core: Core, by: PersonRow, person_id: int, told: Entered) -> ResultFault | int:
    """Enter a result; returns its id, or what is wrong. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        if not may_enter(held) or person_id == by.id:
            raise NotAllowed  # nobody writes their own record
        if await person_rows.find(conn, person_id) is None:
            raise NoSuch("person")
        fault = _fault(told, today_of(core))
        known = await rows.of_person(conn, person_id)
        if fault is None and any(_is_same(told, row) for row in known):
            fault = ResultFault.TWICE
        if fault is not None:
            return fault
        new = NewPastResult(
            person_id=person_id,
            event=told.event,
            wish=told.wish,
            name=told.name.strip(),
            finished=told.finished.isoformat() if told.finished else None,
            halves=told.halves,
            games=told.games,
            unfinished=told.unfinished,
            place=told.place,
            entries=told.entries,
            semi_held=told.semi_held,
            source=told.source.strip(),
            entered_by=by.id,
            at_us=core.now_us,
        )
        return await rows.add(conn, new)


def _is_same(told: Entered, row: PastResultRow) -> bool:
    """Whether a result is of the same tournament: one that was running is removed first."""
    return (told.event, told.wish, told.name.strip().casefold()) == (
        row.event, row.wish, row.name.casefold()
    )  # fmt: skip


def _fault(told: Entered, today: date) -> ResultFault | None:
    played = told.games - told.unfinished
    is_score = 1 <= told.games <= MOST_GAMES and 0 <= told.unfinished <= told.games
    ends_right = told.finished is None or (has_been(told.finished, today) and not told.unfinished)
    checks = (
        (ResultFault.EVENT, told.wish in EVENTS.get(told.event, ())),
        (ResultFault.NAME, 0 < len(told.name.strip()) <= LONGEST and told.name.isprintable()),
        (ResultFault.SCORE, is_score and 0 <= told.halves <= 2 * played),
        (ResultFault.FINISHED, ends_right),
        (ResultFault.PLACE, told.place is None or 1 <= told.place <= MOST_GAMES),
        (ResultFault.ENTRIES, 0 <= told.entries <= MOST_ENTRIES),
        (ResultFault.SOURCE, 0 < len(told.source.strip()) <= 1000),
    )
    return next((fault for fault, is_good in checks if not is_good), None)


async def remove_result(core: Core, by: PersonRow, person_id: int, result_id: int) -> None:
    """Remove a wrong result; it stays on file. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        if not may_enter(held) or person_id == by.id:
            raise NotAllowed
        known = {row.id for row in await rows.of_person(conn, person_id)}
        if result_id not in known or not await rows.remove(conn, result_id, by.id, core.now_us):
            raise NoSuch("result")
