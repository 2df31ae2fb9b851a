"""Mail about no game ends after 12 months, held or not; an undecided case is told of."""

import pytest
from sqlalchemy import select, update

from server.jobs.daily_duties import DailyJob
from server.store.mail.inbox import InboxState
from server.store.tables.base import games, inbox, outbox
from server.usecases.desks.readiness import overview
from tests.fakes.cases import claimed_case
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, COMMANDS, STRANGER, TL, World

ZONE = "Europe/Copenhagen"
UNTHREADED = {"References": None, "In_Reply_To": None}


async def _rows(world: World) -> dict[int, tuple[str, str | None, int]]:
    """State, outcome and length of each mail by its number."""
    async with world.core.store.read() as conn:
        rows = await conn.execute(select(inbox.c.id, inbox.c.state, inbox.c.outcome, inbox.c.raw))
        return {row.id: (row.state, row.outcome, len(row.raw)) for row in rows}


@pytest.mark.both_engines
async def test_held_mail_of_strangers_goes_after_its_term_and_its_row_with_it(world, anna):
    """Reported: it stayed for ever, as only mails that were done were looked at."""
    for number in range(2):
        spam = anna.write("Køb!", From_=STRANGER, To=COMMANDS, **UNTHREADED)
        await anna.send(spam.replace(b"<m", f"<spam{number}.".encode()), COMMANDS)
    await anna.reply("e4")
    first = await _rows(world)
    assert [state for state, _, _ in first.values()] == ["held", "held", "done"]
    world.clock.go(world.clock.today.replace(year=world.clock.today.year + 1))
    await DailyJob(world.core).work()
    assert await _rows(world) == first, "12 months to the day"
    world.clock.wait(days=2)
    await DailyJob(world.core).work()
    gone = {number: row for number, row in (await _rows(world)).items() if row[0] != "done"}
    assert not gone and ("done", "expired", 0) in (await _rows(world)).values()
    world.clock.wait(days=1)
    await DailyJob(world.core).work()
    left = await _rows(world)
    assert list(left.values()) == [first[max(first)]], "the move's mail stays with its game"
    assert all(state == InboxState.DONE for state, _, _ in left.values())


@pytest.mark.both_engines
async def test_letters_that_answered_something_end_and_the_others_stay(world: World) -> None:
    anna = Player(world, ANNA)
    await anna.send(anna.write("status", To=COMMANDS, **UNTHREADED), COMMANDS)
    await world.pump()
    assert len(await world.outbox("games")) == 1
    world.clock.wait(days=364)
    await DailyJob(world.core).work()
    assert len(await world.outbox("games")) == 1
    world.clock.wait(days=3)
    await DailyJob(world.core).work()
    assert await world.outbox("games") == ()
    async with world.core.store.read() as conn:
        kinds = set((await conn.execute(select(outbox.c.kind))).scalars())
    assert "start" in kinds, "what is told once a year, or starts a thread, goes by its row"


async def test_who_decides_a_case_is_told_once_that_it_alone_keeps_personal_data(world, anna):
    """All games are over for 12 months, and a case about one of them was never decided."""
    await claimed_case(world, anna)
    row = await world.row()
    async with world.core.store.write() as conn:
        ended = {"result": "1-0", "ended_us": world.core.now_us}
        await conn.execute(update(games).where(games.c.id == row.id).values(ended))
    world.clock.wait(days=364)
    await DailyJob(world.core).work()
    assert not _told(world)
    world.clock.wait(days=4)
    for _ in range(3):
        await DailyJob(world.core).work()
        await world.pump()
        world.clock.wait(days=1)
    (letter,) = _told(world)
    assert "ikke" not in letter.subject
    (term,) = await overview(world.core.store, ZONE, world.clock.today)
    assert term.until is None


def _told(world: World) -> list[object]:
    return [one for one in world.letters(TL) if "mere end 12 måneder siden" in one.said
            or "more than 12 months ago" in one.said]  # fmt: skip
