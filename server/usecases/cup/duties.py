"""The cup's dated duty: the next round can be drawn (§ 6.6.3), on the desk and in one letter.

Reading: a round is over when its last game is, and its list is final when the 14 days for
objections to the last of its groups' results are over (§ 6.4.5); an objection opens a case, which
is a duty of its own. Not for drawing (rounds.py) nor for the first round, which the year's plan
dates (office/year.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.cup.course import CupStage
from kskak.regulation.days import ONE_DAY
from server.store.cup import rounds_due as rows
from server.store.engine.connection import AsyncConnection
from server.store.mail import daily_duties as duty_rows
from server.store.mail import outbox as outbox_rows
from server.usecases.core.context import Core, poster_of, today_of
from server.usecases.core.offices import Rights, may_handle
from server.usecases.core.outbox_letters import Kind

_ONCE = "told"
"""In place of the letter's day: it is written once per round, whenever that is."""


@dataclass(frozen=True, slots=True)
class RoundDue:
    """A cup whose next round can be drawn ``since`` a day; ``stage`` is the round that is over."""

    cup_id: int
    edition: int
    stage: CupStage
    list_id: int
    leader_id: int
    since: date

    @property
    def duty(self) -> str:
        """The name of its letter among the duties."""
        return f"cup.{self.cup_id}.{self.stage.value}"


async def rounds_due(conn: AsyncConnection, today: date) -> tuple[RoundDue, ...]:
    """The cups whose list of players is final, by the cup's number."""
    found = (
        RoundDue(
            row.cup_id,
            row.edition,
            CupStage(row.stage),
            row.list_id,
            row.leader_id,
            date.fromisoformat(row.objections_until) + ONE_DAY,
        )
        for row in await rows.rounds_over(conn)
    )
    return tuple(one for one in found if one.since <= today)


async def due_for(conn: AsyncConnection, held: Rights, today: date) -> tuple[RoundDue, ...]:
    """Those for an official: the cup's leader, the controller, or an administrator (read-only)."""
    found = await rounds_due(conn, today)
    return tuple(one for one in found if held.is_admin or may_handle(held, one.list_id))


async def is_due(core: Core) -> bool:
    """True if a leader must be written to."""
    async with core.store.read() as conn:
        told = await duty_rows.done(conn)
        return any(one.duty not in told for one in await rounds_due(conn, today_of(core)))


async def daily(core: Core) -> None:
    """Write to the leader of each such cup, once per round, in the transaction that records it."""
    async with core.store.write() as conn:
        for one in await rounds_due(conn, today_of(core)):
            if not await duty_rows.take(conn, one.duty, _ONCE, core.now_us):
                continue
            params: dict[str, object] = {
                "cup": one.cup_id,
                "edition": one.edition,
                "stage": one.stage.value,
                "since": one.since.isoformat(),
            }
            letter = poster_of(core).to_person(Kind.CUP_ROUND, one.leader_id, one.duty, params)
            await outbox_rows.enqueue(conn, [letter])
