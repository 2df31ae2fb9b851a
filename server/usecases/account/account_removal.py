"""Removing one's own account: what goes, what stays, and what must be done first.

What belongs to tournaments stays as published: ledgers, results, ratings, the name (§ 6.2.9); also
what one wrote to opponents, who have it too. Contact data, mails, ways in, subscriptions and
choices go at once. While somebody waits for the player (running games, an open case, days to
object, an office, an entry) it is refused with what to do: the rules on leaving a tournament
(§ 6.2.8) are the leader's to apply, and no deed of the pages ends games by itself. Not for the
12 months after which the rest goes anyway (desks/retention.py).
"""

from server.store.account import removal as rows
from server.store.account.removal import Standing
from server.store.play.people import PersonRow
from server.usecases.core.context import Core


async def standing(core: Core, person: PersonRow) -> Standing:
    """What stands in the way now."""
    today = core.today(core.settings.clock.zone).isoformat()
    async with core.store.read() as conn:
        return await rows.standing(conn, person.id, today, core.now_us)


async def remove(core: Core, person: PersonRow) -> Standing | None:
    """Remove the account, all of it or nothing; what stands in the way, None when it is done."""
    today = core.today(core.settings.clock.zone).isoformat()
    async with core.store.write() as conn:
        found = await rows.standing(conn, person.id, today, core.now_us)
        if not found.is_free:
            return found
        await rows.forget(conn, person.id)
    return None
