"""Unfinished games put before the leader: overlong ones, and those of a player who left (§ 6.2.7).

The game stands still and both players are asked for claim and analysis; it is decided like any
other case (deciding.py). Not for withdrawals as such (withdrawals.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Connection

from kskak.cases.commands import SERVER, Actor, AskParties, SuspendGames
from kskak.cases.events import CaseKind
from kskak.cases.refusals import CaseRefusal
from kskak.play.long_games import call_in_from, long_games
from kskak.regulation.days import local_day, months_later
from kskak.regulation.editions import DISPUTES
from server.store.cases import game_cases
from server.store.cases.cases_and_events import CaseRow
from server.store.mail import batch as ledger
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases import deeds as cases
from server.usecases.cases.transaction import Moment, Refused, Step, act_in, notices_to_others
from server.usecases.core.case_opening import Opening, evidence, open_in
from server.usecases.core.case_record import CaseWord, Notice
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import NotAllowed, rights

HEARING_DAYS = 21
"""Days both players have for claim and analysis; a reading: the same as for an appeal."""


@dataclass(frozen=True, slots=True)
class LongGame:
    """A running game that may be called in from ``since`` on (§ 6.2.7); ``case`` if it was."""

    game: GameRow
    start: date
    since: date
    case: CaseRow | None
    is_over: bool = False


async def long_running(core: Core, person: PersonRow) -> list[LongGame]:
    """The games of an official's groups that have lasted 18 months, the longest first.

    Raises NotAllowed for a person without a desk.
    """
    held = await rights(core, person)
    if not held.is_official:
        raise NotAllowed
    today = core.today(core.settings.clock.zone)
    before = months_later(today, -DISPUTES.long_game_months) + timedelta(days=1)
    everywhere = held.is_kc or held.is_admin or held.leads_all
    async with core.store.read() as conn:
        rows = await game_rows.running_since(
            conn, before.isoformat(), None if everywhere else held.led
        )
        called = {row.id: await game_cases.of_game(conn, row.id) for row in rows}
    found = []
    for row in rows:
        start = row.terms.start
        own = [c for c in called[row.id] if c.kind == CaseKind.ADJUDICATION]
        case = own[-1] if own else None
        if held.oversees(row.group_id):
            found.append(LongGame(row, start, call_in_from(start), case))
    return long_games(found, today)


async def call_in(
    core: Core, person: PersonRow, game_ids: Sequence[int]
) -> list[CaseRow | CaseRefusal]:
    """Call in several games (§ 6.2.7), a case for each. Those already called in are skipped.

    For the leader or a deputy. Raises NotAllowed for a game that may not be called in, before
    anything is done.
    """
    listed = {item.game.id: item for item in await long_running(core, person)}
    held = await rights(core, person)
    if any(g not in listed or not held.leads(listed[g].game.group_id) for g in game_ids):
        raise NotAllowed
    wanted = [listed[game] for game in dict.fromkeys(game_ids)]
    return [await adjudicate(core, person, item.game) for item in wanted if item.case is None]


async def adjudicate(core: Core, person: PersonRow, game: GameRow) -> CaseRow | CaseRefusal:
    """Put an unfinished game before the leader: both are heard, time stands still (§ 6.2.7).

    Raises NotAllowed for a person who does not act as an official in the group.
    """
    held = await rights(core, person)
    if not held.speaks_for(game.group_id):
        raise NotAllowed
    actor, now = held.actor(game.group_id), core.clock.now()

    def work(conn: Connection) -> CaseRow:
        ledger.lock_games(conn, [game.id])
        return adjudicate_in(conn, core, game, actor, now)

    try:
        return await core.writer.transact(work)
    except Refused as refused:
        return refused.refusal


def adjudicate_in(
    conn: Connection, core: Core, game: GameRow, actor: Actor, now: datetime
) -> CaseRow:
    """The same within a transaction that has locked the game. Raises Refused.

    The hearing and the stop follow from the opening, so the server orders them.
    """
    opening = Opening(
        kind=CaseKind.ADJUDICATION,
        group_id=game.group_id,
        zone=game.zone,
        parties=(game.white_id, game.black_id),
        question=f"@{CaseKind.ADJUDICATION.value}",
        paragraphs=cases.paragraphs_of(CaseKind.ADJUDICATION),
        games=(game.id,),
    )
    by = actor.person
    opened = open_in(conn, opening, now, actor, [evidence(conn, game, now, None)])
    if isinstance(opened, CaseRefusal):
        raise Refused(opened)
    case, state = opened
    cases.tell_opened(conn, core, case, state, Notice(CaseWord.OPENED, by))
    until = local_day(now, game.zone) + timedelta(days=HEARING_DAYS)
    for command, notice in (
        (AskParties(until), Notice(CaseWord.HEARING, by, until=until)),
        (SuspendGames((game.id,)), Notice(CaseWord.SUSPENDED, by)),
    ):
        step = Step(lambda _, __, asked=command: asked, SERVER)  # type: ignore[misc]
        done = act_in(conn, core, case, (step,), Moment(now, by))
        case = done.case
        ledger.write_outbox(conn, notices_to_others(conn, poster_of(core), done, notice))
    return case
