"""The daily duty about results: publishes what ended, asks and reminds (§ 6.4.5, § 6.2.6).

Found while nobody waits and written a little at a time: each portion, in a transaction of its
own, asks again what it was found by. Not for what officials do about what is published
(publishing.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial

from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.objections import terms_of
from kskak.regulation.quantities import Side
from server.store.cases import publications
from server.store.cases import unpublished as rows
from server.store.cases.publications import NewPublication, Published
from server.store.cases.unpublished import Finished
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import DAY_US, from_us, to_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.titles import ties_settled
from server.store.mail import daily_duties as duty_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.usecases.core.context import Core, poster_of, today_of
from server.usecases.core.due_work import start_of_day
from server.usecases.core.outbox_letters import Kind
from server.usecases.groups.republishing import resting_groups, unpublished_since
from server.usecases.results.titles import settle_all

DUTY = "results"
"""Its name among the duties: what ended is looked for since it was last done."""
NEWS_DAYS = 14
"""A group that ended, or was held back by a case, until longer ago is published without letters.

Nobody is waiting for them.
"""
PRIZE_WARNING_DAYS = 3
"""How many days before the last day for the prizes the leader is reminded."""
QUIET_DAYS = 30
"""Days without an entry until both players are asked if a postal game is over (reading)."""
_OVERLAP = timedelta(days=7)
"""How much is looked at again: a clock that was set back hides nothing."""
_LOOKED_AT, _WRITTEN = 500, 8
"""Groups read, and published, in one transaction; games are asked about as groups are published."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be published of some groups, as it was read.

    ``groups``: each as it ended, or None where only results of single games are new;
    ``suspended``: the cases that suspended games then, ``resting`` the groups of those games.
    """

    groups: Mapping[int, Finished | None]
    suspended: tuple[tuple[int, int], ...]
    resting: frozenset[int]


async def daily(core: Core) -> None:
    """Publish what ended, remind of what is due; may be repeated, and by two at once."""
    changed = await core.store.reading(partial(_changed, core))
    for at in range(0, len(changed), _LOOKED_AT):
        due = await core.store.reading(partial(_due, core, changed[at : at + _LOOKED_AT]))
        found = list(due.groups)
        for first in range(0, len(found), _WRITTEN):
            portion = found[first : first + _WRITTEN]
            await core.store.writing(partial(_publish, core, portion, due))
    await _remind_of_prizes(core)
    await _ask_quiet(core)
    await settle_all(core)


async def _changed(core: Core) -> tuple[int, ...]:
    async with core.store.read() as conn:
        done = await duty_rows.last(conn, DUTY)
        since = None
        if done is not None:
            first = date.fromisoformat(done) - _OVERLAP
            since = to_us(start_of_day(first, core.settings.clock.zone))
        return await rows.changed_groups(conn, since)


async def _due(core: Core, group_ids: tuple[int, ...]) -> Due:
    async with core.store.read() as conn:
        suspended = await rows.suspended_at(conn)
        resting = frozenset(await resting_groups(conn))
        return Due(await _unpublished(conn, group_ids, resting), suspended, resting)


async def _unpublished(
    conn: AsyncConnection, group_ids: tuple[int, ...], resting: frozenset[int]
) -> dict[int, Finished | None]:
    """Those of these groups with something to publish.

    As a whole each group whose last game ended; again if a result changed. The DM also when its
    tied first place is settled, with its champion (§ 6.5.2). Not while a case suspends one of its
    games: the result may yet change (§ 6.4.3).
    """
    found: dict[int, Finished | None] = {
        ended.group_id: None for ended in await rows.unpublished_games(conn, group_ids)
    }
    settled = await ties_settled(conn)
    for one in await rows.finished_groups(conn, group_ids):
        group = one.ended.group_id
        whole_us = max(one.ended.ended_us, settled.get(group, 0))
        whole = replace(one, ended=replace(one.ended, ended_us=whole_us))
        if group not in resting and unpublished_since(whole) is not None:
            found[group] = whole
    return found


async def _publish(core: Core, portion: list[int], due: Due) -> None:
    """Publish some groups that are still as they were read; one that is not waits a day."""
    async with core.store.deciding() as conn:
        is_same = await rows.suspended_at(conn) == due.suspended
        resting = due.resting if is_same else frozenset(await resting_groups(conn))
        still = await _unpublished(conn, tuple(portion), resting)
        for ended in await rows.unpublished_games(conn, portion):
            # Each result counts as published the day it arrived (partial results too).
            day = local_day(from_us(ended.ended_us), ended.zone)
            await publications.add(conn, _publication(ended, Published.RESULT, day))
        letters: list[NewOutbox] = []
        for group, one in still.items():
            if one is not None and one == due.groups[group]:
                letters += await _publish_group(conn, core, one)
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


async def _publish_group(conn: AsyncConnection, core: Core, one: Finished) -> list[NewOutbox]:
    """Publish a group as a whole; the letters to everybody in it, if it is news.

    Otherwise as of the day after, which is when it would have been published.
    """
    last, today = unpublished_since(one), core.today(one.ended.zone)
    assert last is not None
    free = last if one.spoken_us is None else local_day(from_us(one.spoken_us), one.ended.zone)
    is_news = today - max(last, free) <= timedelta(days=NEWS_DAYS)
    new = _publication(one.ended, Published.STANDING, today if is_news else last + ONE_DAY)
    number = await publications.add(conn, new)
    return await _tell_group(conn, core, one.ended.group_id, number) if is_news else []


async def _tell_group(
    conn: AsyncConnection, core: Core, group_id: int, number: int
) -> list[NewOutbox]:
    group = await group_rows.find(conn, group_id)
    assert group is not None
    seats = await group_rows.seats_of(conn, group_id)
    poster, params = poster_of(core), {"publication": number}
    told = dict.fromkeys([*(seat.person_id for seat in seats), group.tl_id])
    return [poster.to_person(Kind.PUBLISHED, who, str(number), dict(params)) for who in told]


async def _remind_of_prizes(core: Core) -> None:
    """Remind the leader before the three weeks are over (§ 6.4.5)."""
    today = today_of(core)
    last = today + timedelta(days=PRIZE_WARNING_DAYS)
    days, poster = (today.isoformat(), last.isoformat()), poster_of(core)
    async with core.store.read() as conn:
        if not await rows.prizes_due(conn, *days):
            return
    async with core.store.write() as conn:
        letters = [
            poster.to_person(
                Kind.PRIZES_DUE, one.tl_id, str(one.row.id), {"publication": one.row.id}
            )
            for one in await rows.prizes_due(conn, *days)
        ]
        await outbox_rows.enqueue(conn, letters)


async def _ask_quiet(core: Core) -> None:
    """Ask the players of silent postal games whether there is a result to report (§ 6.2.6)."""
    async with core.store.read() as conn:
        quiet = await rows.quiet_postal(conn, core.now_us - QUIET_DAYS * DAY_US)
        games = await game_rows.load_many(conn, [game for game, _ in quiet])
    seen = {game.id: game for game in games}
    asked = [(seen[game], last_us) for game, last_us in quiet if seen[game].seq]
    poster = poster_of(core)
    for at in range(0, len(asked), _WRITTEN):
        portion = asked[at : at + _WRITTEN]
        async with core.store.write() as conn:
            now = await game_rows.load_many(conn, [game.id for game, _ in portion])
            stands = {game.id: game.seq for game in now}
            letters = [
                poster.about_game(
                    Kind.RESULT_ASKED, game, side, (game.seq, game.ply),
                    {"since": local_day(from_us(last_us), game.zone).isoformat()},
                )
                for game, last_us in portion
                if stands.get(game.id) == game.seq
                for side in Side
            ]  # fmt: skip
            await outbox_rows.enqueue(conn, letters)
