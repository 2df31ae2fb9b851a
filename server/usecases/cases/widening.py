"""Adds further games and persons of a group to a case, for whoever leads it (§ 6.4.1).

The players of an added game become parties; the accounts are filed as evidence, and everybody is
notified, new parties included. Not for when a case may be widened (kskak.cases.widening).
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from kskak.cases.commands import WidenCase
from kskak.cases.refusals import CaseRefusal
from kskak.cases.state import CaseState
from kskak.cases.verdicts import may_act
from server.store.cases.papers import NewPaper
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import SeatRow
from server.store.mail import batch as ledger
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.access import Access, access
from server.usecases.cases.deeds import Outcome, deed_of
from server.usecases.cases.transaction import Done, Step, carry_out, filing
from server.usecases.core.case_opening import evidence
from server.usecases.core.case_record import CaseWord, Notice
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch


@dataclass(frozen=True, slots=True)
class Wider:
    """What could be added: games and players of the group that are not in the case yet."""

    games: tuple[GameRow, ...]
    players: tuple[SeatRow, ...]


async def wider(core: Core, group_id: int, state: CaseState) -> Wider:
    """What whoever leads the case can choose from."""
    opened = state.opened
    async with core.store.read() as conn:
        games = await game_rows.of_group(conn, group_id)
        seats = await group_rows.seats_of(conn, group_id)
    return Wider(
        tuple(game for game in games if game.id not in opened.games),
        tuple(seat for seat in seats if seat.person_id not in opened.parties),
    )


async def widen(
    core: Core, person: PersonRow, case_id: int, games: tuple[int, ...], parties: tuple[int, ...]
) -> Outcome:
    """Add games and persons. Raises UnknownCase; NoSuch for any that are not of the group."""
    found = await access(core, person, case_id)
    bar = may_act(found.state, found.actor)
    if bar is not None:
        return bar
    async with core.store.read() as conn:
        rows = await game_rows.load_many(conn, games)
        seats = await group_rows.seats_of(conn, found.case.group_id)
    if len(rows) != len(set(games)) or any(r.group_id != found.case.group_id for r in rows):
        raise NoSuch("games")
    if not set(parties) <= {seat.person_id for seat in seats}:
        raise NoSuch("parties")
    concerned = found.state.may_appeal
    players = (p for row in rows for p in (row.white_id, row.black_id) if p not in concerned)
    command = WidenCase(tuple(games), tuple(dict.fromkeys((*parties, *players))))
    return await _carry_out(core, found, command, rows)


async def _carry_out(
    core: Core, found: Access, command: WidenCase, rows: tuple[GameRow, ...]
) -> Done | CaseRefusal:
    new = [row for row in rows if row.id not in found.state.opened.games]
    papers = await core.writer.transact(lambda conn: _accounts(conn, core, new))
    steps = (
        Step(lambda _, __: command, found.actor),
        *(filing(paper, found.actor) for paper in papers),
    )
    notice = Notice(CaseWord.WIDENED, found.person.id)
    return await carry_out(core, deed_of(core, found, steps, papers, notice))


def _accounts(conn: Connection, core: Core, games: list[GameRow]) -> tuple[NewPaper, ...]:
    ledger.lock_games(conn, [game.id for game in games])
    return tuple(evidence(conn, game, core.clock.now(), None) for game in games)
