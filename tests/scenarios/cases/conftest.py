"""A dispute over time, told to its claim, for the tests of its readings; what each deed sends."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mail.office_letters.case_letters import CaseWord
from server.store.engine.connection import AsyncConnection
from server.store.engine.store import Store
from server.store.mail import batch as batch_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from tests.fakes.desk import Desk, desk_of
from tests.fakes.disputes import START, STORIES, TELLINGS
from tests.fakes.told_once import told_once


@pytest.fixture
async def told(
    database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[Desk, int, int]]:
    """A story's game on the server, claimed; the reading to choose, of how many."""
    name, index = request.param
    async with (
        told_once(database_url, tmp_path, TELLINGS[name], START) as world,
        desk_of(world) as desk,
    ):
        yield desk, index, STORIES[name][2]


@pytest.fixture(autouse=True)
def letters_of_deeds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever deed a test does: nobody gets two letters about one case or one game by it."""
    heard: list[NewOutbox] = []
    twice: list[tuple[int | None, object]] = []
    record, write = outbox_rows.record_letters, Store.write

    def keep(letters: Sequence[NewOutbox]) -> Sequence[NewOutbox]:
        heard.extend(letters)
        return record(letters)

    @asynccontextmanager
    async def deed(store: Store) -> AsyncIterator[AsyncConnection]:
        heard.clear()
        async with write(store) as conn:
            yield conn
        sent = {one.message_id: one for one in heard if one.kind not in _OF_MOVES}.values()
        told = Counter((one.person_id, _about(one)) for one in sent)
        twice.extend(one for one, count in told.items() if count > 1)

    for module in (outbox_rows, batch_rows):
        monkeypatch.setattr(module, "record_letters", keep)
    monkeypatch.setattr(Store, "write", deed)
    yield
    assert twice == []


_OF_MOVES = {"confirmation", "relay", "card"}
"""Each tells of a move, of which scenes play several at once."""


def _about(letter: NewOutbox) -> object:
    params = json.loads(letter.params)
    if params.get("word") == CaseWord.DEPOSIT_UNKNOWN.value:
        return "the year's fee"  # the controller's own duty, whoever else he is in the case
    return params.get("case") or letter.game_id or letter.message_id
