"""A right to a class is not lost in silence: its holder is told once, a month before."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from server.store.engine.store import Store
from server.store.mail import outbox as outbox_rows
from server.usecases.entries.player_entering import LAPSE_DAYS, remind_of_rights
from server.usecases.letter_facts import Params
from tests.fakes.entries import IN_K, Federation, federation

UNTIL = date(2028, 11, 2)
"""Three years after a stay in K (§ 6.5.3.2 a)."""


@pytest.fixture
async def fed(store: Store) -> Federation:
    """Ane may play in K until ``UNTIL``, and Bo too, who rose to M a year later."""
    made = await federation(store)
    await made.player("ane")
    await made.player("bo")
    rose = replace(IN_K, name="K-25-09", finished=date(2026, 10, 2), halves=11)
    await made.result("bo", rose)
    return made


async def told(fed: Federation, on: date) -> list[tuple[int, str, str]]:
    """Who is told on a day, of which class and until when."""
    fed.clock.go(on)
    before = {row.id for row in await letters(fed)}
    await remind_of_rights(fed.core)
    rows = [row for row in await letters(fed) if row.id not in before]
    return [(row.person_id, Params(row)["wish"], Params(row)["until"]) for row in rows]


async def letters(fed: Federation) -> tuple[outbox_rows.OutboxRow, ...]:
    newest = await fed.core.store.query(outbox_rows.newest, 100)
    return tuple(row for row in newest if row.kind == "right_lapses")


@pytest.mark.both_engines
async def test_the_holder_is_told_once_a_month_before(fed: Federation):
    ane = fed.people["ane"].id
    early = await told(fed, UNTIL - timedelta(days=LAPSE_DAYS + 1))
    assert ane not in [who for who, _, _ in early]
    both = await told(fed, UNTIL - timedelta(days=LAPSE_DAYS))
    assert (ane, "K", "2028-11-02") in both
    assert await told(fed, UNTIL - timedelta(days=LAPSE_DAYS - 1)) == [], "once"


async def test_not_who_has_entered_nor_whose_newer_result_keeps_the_class_open(fed: Federation):
    ane, bo = fed.people["ane"].id, fed.people["bo"].id
    fed.clock.go(UNTIL - timedelta(days=40))
    await fed.enter("ane")
    found = await told(fed, UNTIL - timedelta(days=5))
    assert ane not in [who for who, _, _ in found]
    assert (bo, "K", "2028-11-02") not in found, "his right to M, or K by his newer result, stands"


async def test_a_promotion_lapses_after_two_years(fed: Federation):
    """§ 6.5.3.2: five points in K open M for two years; a fortnight late is late, not never."""
    bo = fed.people["bo"].id
    assert (bo, "M", "2028-10-02") in await told(fed, date(2028, 9, 20))
    later = await told(fed, date(2028, 10, 3))
    assert bo not in [who for who, _, _ in later], "it has lapsed: nothing more to tell"
