"""§ 6.4.2: quarantine and expulsion keep a player out when he enters."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from kskak.entries.entry import EntryRefusal
from server.store.cases import publications as publication_rows
from server.store.engine.rows import to_us
from server.store.tables.base import games
from server.store.tables.cases import cases
from tests.fakes.entries import START, Federation
from tests.server.usecases.entries.test_judging import _group, _reasons


async def test_quarantine_is_checked_at_entry(fed: Federation):
    """§ 6.4.2: on its last day, not the day after."""
    anna = await fed.player("anna")
    until = (START + timedelta(10)).isoformat()
    await _quarantine(fed, anna.id, until)
    fed.clock.go(START + timedelta(10))
    assert _reasons(await fed.ask("anna")) == ["quarantined"]
    fed.clock.go(START + timedelta(11))
    assert (await fed.enter("anna")).state == "waiting"


@pytest.mark.both_engines
async def test_expulsion_is_checked_at_entry_until_the_group_is_over(fed: Federation):
    """§ 6.4.2: from the tournament he was expelled from, not from another; then not at all."""
    anna = await fed.player("anna")
    await _quarantine(fed, anna.id, None, "expulsion")
    done = await fed.ask("anna")
    assert _reasons(done) == ["expelled"]
    assert isinstance(done, EntryRefusal) and done.paragraphs == ("6.4.2",)
    assert "expelled" not in _reasons_or_none(await fed.ask("anna", "cup"))
    async with fed.core.store.write() as conn:
        ended = to_us(fed.core.clock.now())
        await conn.execute(update(games).values(result="1-0", ended_us=ended))
    assert _reasons(await fed.ask("anna")) == ["expelled"], "its last day is one of its days"
    fed.clock.go(START + timedelta(1))
    assert (await fed.enter("anna")).state == "waiting"


def _reasons_or_none(done: object) -> list[str]:
    return _reasons(done) if isinstance(done, EntryRefusal) else []


async def _quarantine(
    fed: Federation, person: int, until: str | None, kind: str = "quarantine"
) -> None:
    await _group(fed, "K-26-91", "K", ["x1", "x2"])
    case = {
        "id": 1, "number": "2026/1", "kind": "days", "group_id": 1, "state": "decided",
        "instance": "tl", "seq": 1, "head": b"", "snapshot": "{}", "is_suspended": False,
        "opened_us": 0,
    }  # fmt: skip
    new = publication_rows.NewSanction(person, 1, kind, 1, START.isoformat(), until)
    async with fed.core.store.write() as conn:
        await conn.execute(insert(cases).values(case))
        await conn.run_sync(lambda sync: publication_rows.add_sanction(sync, [new]))
