"""Published results: objections to them, and prizes, as dated duties (§ 6.4.5, § 6.2.6).

The crosstable shows a result the day it arrives; it counts as published that day (reading). A
finished group is published as a whole by the daily duty (publish_day.py). Not for the transcripts'
text (pgn) nor for what is removed (desks/retention.py).
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.cases.events import CaseKind
from kskak.cases.refusals import CaseRefusal
from kskak.game.refusals import Reason, Refusal
from kskak.regulation.days import local_day
from kskak.regulation.objections import may_object, report_until
from server.store.cases import publications as rows
from server.store.cases.cases_and_events import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import prizes as prize_rows
from server.store.play import games as game_rows
from server.store.play.people import PersonRow
from server.usecases.cases.deeds import open_case, paragraphs_of
from server.usecases.core.case_opening import Opening
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights, desk_groups, rights_in
from server.usecases.cup.duties import RoundDue, due_for
from server.usecases.play.ask import NotYours
from server.usecases.postal.damaged_cards import damaged_open
from server.usecases.results.bulletins import due as bulletin_due
from server.usecases.results.prize_books import book_prizes


class DutyKind(StrEnum):
    """What an official has to do by a day."""

    OBJECTIONS = "objections"
    PRIZES = "prizes"
    DAMAGED_CARD = "damaged_card"
    UNREPORTED = "unreported"
    BULLETIN = "bulletin"
    TAKEOVER = "takeover"
    CUP_ROUND = "cup_round"


@dataclass(frozen=True, slots=True)
class Duty:
    """A dated task of an official. ``publication``: for duties about results.

    ``group``: "" for what concerns no single group; ``cup``: the id and year of a cup; ``card``:
    the number of a damaged card's event.
    """

    kind: DutyKind
    due: date
    group: str
    game_id: int | None = None
    game: str | None = None
    publication: int | None = None
    cup: tuple[int, int] | None = None
    card: int | None = None


def of_cup(one: RoundDue) -> Duty:
    """A round that can be drawn, as a duty since that day."""
    return Duty(DutyKind.CUP_ROUND, one.since, "", cup=(one.cup_id, one.edition))


async def duties_for(core: Core, held: Rights) -> tuple[Duty, ...]:
    """An official's dated duties, the earliest first; of all groups for KC and administrator."""
    today = core.today(core.settings.clock.zone)
    sees_all = held.is_kc or held.is_admin or held.leads_all
    async with core.store.read() as conn:
        mine = await desk_groups(conn, held, is_everywhere=sees_all)
        found = [
            duty
            for one in await rows.standing_since(conn, today.isoformat(), mine)
            for duty in _of_publication(one, today)
        ]
        found += await _takeovers(conn, today, mine)
        found += map(of_cup, await due_for(conn, held, today))
        for game in await rows.untold(conn, mine):
            last = report_until(local_day(from_us(game.ended_us), game.zone))
            found.append(Duty(DutyKind.UNREPORTED, last, game.group, game.game_id, game.name))
        period = await bulletin_due(conn, core) if held.is_kc else None
        if period is not None:
            found.append(Duty(DutyKind.BULLETIN, period.due, ""))
        for card in await damaged_open(conn, core.now_us):
            if held.oversees(card.game.group_id):
                group, name = card.game.name.rpartition("/")[0], card.game.name
                due = (DutyKind.DAMAGED_CARD, card.send_by, group, card.game.id, name)
                found.append(Duty(*due, card=card.seq))
    return tuple(sorted(found, key=lambda duty: (duty.due, duty.group)))


async def _takeovers(conn: AsyncConnection, today: date, mine: frozenset[int] | None) -> list[Duty]:
    """How long objections to takeovers may come, as duties: of these groups, or all (None)."""
    return [
        Duty(DutyKind.TAKEOVER, date.fromisoformat(one.row.objections_until), one.group)
        for one in await rows.takeovers_since(conn, today.isoformat(), mine)
    ]


def _of_publication(one: rows.Standing, today: date) -> list[Duty]:
    row, out = one.row, []
    objections = date.fromisoformat(row.objections_until)
    if may_object(objections, today):
        out.append(Duty(DutyKind.OBJECTIONS, objections, one.group, publication=row.id))
    if row.prizes_until is not None and row.done_us is None:
        due = date.fromisoformat(row.prizes_until)
        out.append(Duty(DutyKind.PRIZES, due, one.group, publication=row.id))
    return out


async def prizes_sent(core: Core, person: PersonRow, publication_id: int) -> bool:
    """Record that the prizes were sent, and book them; False if that was recorded before.

    Raises NotYours.
    """
    async with core.store.deciding() as conn:
        row = await rows.find(conn, publication_id)
        group = None if row is None else await group_rows.find(conn, row.group_id)
        held = await rights_in(conn, person, core.now_us)
        if group is None or not held.speaks_for(group.id):
            raise NotYours
        if not await rows.set_done(conn, publication_id, core.now_us):
            return False
        await book_prizes(conn, core, person.id, group, publication_id)
        return True


async def set_prizes(
    core: Core, person: PersonRow, publication_id: int, amounts: tuple[int, ...]
) -> None:
    """Record a group's prizes, in øre from the first place down (§ 6.5.4). Raises NotYours."""
    async with core.store.deciding() as conn:
        row = await rows.find(conn, publication_id)
        held = await rights_in(conn, person, core.now_us)
        if row is None or not held.speaks_for(row.group_id):
            raise NotYours
        await prize_rows.put(conn, row.group_id, amounts)


async def object_to(
    core: Core, person: PersonRow, publication_id: int, said: str, game_id: int | None = None
) -> CaseRow | Refusal | CaseRefusal:
    """A player's objection within 14 days opens a case before the leader (§ 6.4.5, § 6.4.1).

    ``game_id``: one of the player's games; None: the table as a whole. Raises NotYours for anyone
    without a seat in the group, or who names a game of others.
    """
    async with core.store.read() as conn:
        row = await rows.find(conn, publication_id)
        group = None if row is None else await group_rows.find(conn, row.group_id)
        game = None if game_id is None else await game_rows.load(conn, game_id)
        held = await rights_in(conn, person, core.now_us)
    if row is None or group is None or group.id not in held.plays:
        raise NotYours
    if game_id is not None and (
        game is None or game.group_id != group.id or game.side_of(person.id) is None
    ):
        raise NotYours
    if not may_object(date.fromisoformat(row.objections_until), core.today(group.zone)):
        return Refusal(Reason.OBJECTION_LATE)
    opening = Opening(
        kind=CaseKind.RESULT,
        group_id=group.id,
        zone=group.zone,
        parties=(person.id,) if game is None else (game.white_id, game.black_id),
        question=f"@{CaseKind.RESULT.value}",
        paragraphs=paragraphs_of(CaseKind.RESULT),
        games=() if game is None else (game.id,),
    )
    return await open_case(core, person, opening, said)
