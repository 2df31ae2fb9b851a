"""Results: published by the server, objections and prizes as dated duties (§ 6.4.5, § 6.2.6).

The crosstable shows a result the day it arrives; it counts as published that day (reading). A
finished group is published as a whole by the daily duty, and everybody in it is told. Not for
the transcripts' text (pgn) nor for what is removed (desks/retention.py).
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncConnection

from kskak.cases.events import CaseKind
from kskak.cases.refusals import CaseRefusal
from kskak.game.refusals import Reason, Refusal
from kskak.regulation.days import local_day
from kskak.regulation.objections import may_object, report_until, terms_of
from kskak.regulation.quantities import Side
from server.store.cases import publications as rows
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.publications import NewPublication, Published
from server.store.engine.types import DAY_US, from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import prizes as prize_rows
from server.store.groups.titles import ties_settled
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play.people import PersonRow
from server.usecases.cases.deeds import open_case, paragraphs_of
from server.usecases.core.case_opening import Opening
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import Rights, rights_in
from server.usecases.core.outbox_letters import Kind
from server.usecases.cup.duties import RoundDue, due_for
from server.usecases.groups.republishing import resting_groups, unpublished_since
from server.usecases.play.ask import NotYours
from server.usecases.postal.damaged_cards import damaged_open
from server.usecases.results.bulletins import due as bulletin_due
from server.usecases.results.prize_books import book_prizes
from server.usecases.results.titles import settle_all

NEWS_DAYS = 14
"""A group that ended longer ago is published without letters: nobody is waiting for them."""
PRIZE_WARNING_DAYS = 3
"""How many days before the last day for the prizes the leader is reminded."""
QUIET_DAYS = 30
"""Days without an entry until both players are asked if a postal game is over (reading)."""


async def daily(core: Core) -> None:
    """Publish what ended, remind of what is due: all in one transaction."""
    today = core.today(core.settings.clock.zone)
    async with core.store.deciding() as conn:
        await _publish_games(conn)
        letters = [*await _publish_groups(conn, core), *await _prizes_due(conn, core, today)]
        letters += await _ask_quiet(conn, core)
        await settle_all(core, conn)
        await outbox_rows.enqueue(conn, letters)


def _publication(ended: rows.Ended, kind: Published, day: date) -> NewPublication:
    terms = terms_of(day)
    is_whole = kind is Published.STANDING
    return NewPublication(
        group_id=ended.group_id,
        kind=kind.value,
        game_id=ended.game_id,
        day=day.isoformat(),
        objections_until=terms.objections_until.isoformat(),
        prizes_until=terms.prizes_until.isoformat() if is_whole else None,
    )


async def _publish_games(conn: AsyncConnection) -> None:
    """Each result counts as published the day it arrived (§ 6.4.5: partial results too)."""
    for ended in await rows.unpublished_games(conn):
        day = local_day(from_us(ended.ended_us), ended.zone)
        await rows.add(conn, _publication(ended, Published.RESULT, day))


async def _publish_groups(conn: AsyncConnection, core: Core) -> list[NewOutbox]:
    """Publish as a whole each group whose last game ended; again if a result changed.

    The DM also when its tied first place is settled, with its champion (§ 6.5.2). Not while a
    case suspends one of its games: the result may yet change (§ 6.4.3).
    """
    letters: list[NewOutbox] = []
    resting, settled = await resting_groups(conn), await ties_settled(conn)
    for one in await rows.finished_groups(conn):
        ended = one.ended
        whole_us = max(ended.ended_us, settled.get(ended.group_id, 0))
        last = unpublished_since(replace(one, ended=replace(ended, ended_us=whole_us)))
        if ended.group_id in resting or last is None:
            continue
        today = core.today(ended.zone)
        is_news = today - last <= timedelta(days=NEWS_DAYS)
        number = await rows.add(
            conn, _publication(ended, Published.STANDING, today if is_news else last)
        )
        if is_news:
            letters += await _tell_group(conn, core, ended.group_id, number)
    return letters


async def _tell_group(
    conn: AsyncConnection, core: Core, group_id: int, number: int
) -> list[NewOutbox]:
    group = await group_rows.find(conn, group_id)
    assert group is not None
    seats = await group_rows.seats_of(conn, group_id)
    poster, params = poster_of(core), {"publication": number}
    told = dict.fromkeys([*(seat.person_id for seat in seats), group.tl_id])
    return [poster.to_person(Kind.PUBLISHED, who, str(number), dict(params)) for who in told]


async def _prizes_due(conn: AsyncConnection, core: Core, today: date) -> list[NewOutbox]:
    """Remind the leader before the three weeks are over (§ 6.4.5)."""
    letters: list[NewOutbox] = []
    for one in await rows.standing_since(conn, today.isoformat()):
        row = one.row
        if row.done_us is not None or row.prizes_until is None:
            continue
        left = date.fromisoformat(row.prizes_until) - today
        if timedelta(0) <= left <= timedelta(days=PRIZE_WARNING_DAYS):
            params: dict[str, object] = {"publication": row.id}
            poster = poster_of(core)
            letters.append(poster.to_person(Kind.PRIZES_DUE, one.tl_id, str(row.id), params))
    return letters


async def _ask_quiet(conn: AsyncConnection, core: Core) -> list[NewOutbox]:
    """Ask the players of silent postal games whether there is a result to report (§ 6.2.6)."""
    poster, letters = poster_of(core), []
    for game_id, last_us in await rows.quiet_postal(conn, core.now_us - QUIET_DAYS * DAY_US):
        game = await game_rows.load(conn, game_id)
        if game is None or game.seq == 0:
            continue
        since = local_day(from_us(last_us), game.zone).isoformat()
        at = (game.seq, game.ply)
        letters += [
            poster.about_game(Kind.RESULT_ASKED, game, side, at, {"since": since}) for side in Side
        ]
    return letters


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
    mine = None if sees_all else held.led - held.plays
    async with core.store.read() as conn:
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
