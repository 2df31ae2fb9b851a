"""Killed for real between a desk's deed and the answer kept for it: asked again it is done once.

The caller heard nothing and asks again with the same Idempotency-Key.
"""

import signal
from collections.abc import Mapping

import aiohttp
import pytest
from sqlalchemy import func, select

from server.machine import ANSWER_POINTS
from server.store.engine.store import Store
from server.store.tables.cases import case_papers, cases
from tests.scenarios.faults.test_crash import Site, _site, url

__all__ = ["url"]
STATEMENT = {"text": "Poststemplet er fra den 3.", "title": "Kortet"}
BOTH = ["sqlite_url", "postgres_url"]


async def _post(site: Site, path: str, body: Mapping[str, object]) -> tuple[int, bool, str]:
    """Status, whether it was answered before, and the text; one key for each path."""
    base = f"http://127.0.0.1:{site.child.web_port}/api/v1"
    head = {"Authorization": f"Bearer {site.token}", "Idempotency-Key": path}
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{base}{path}", json=body, headers=head) as answer,
    ):
        return answer.status, "Idempotent-Replayed" in answer.headers, await answer.text()


async def _counted(site: Site) -> tuple[int, int]:
    """How many cases there are, and how many statements in them."""
    store = await Store.open(site.url)
    said = select(func.count()).where(case_papers.c.kind == "statement")
    async with store.read() as conn:
        found = (await conn.execute(select(func.count()).select_from(cases))).scalar_one()
        papers = (await conn.execute(said)).scalar_one()
    await store.close()
    return int(found), int(papers)


async def _killed_and_asked_again(
    site: Site, point: str, path: str, body: Mapping[str, object]
) -> str:
    """The answer that is heard at last, twice the same; the process died at the point before."""
    await site.child.start(crash_at=point)
    with pytest.raises(aiohttp.ClientError):
        await _post(site, path, body)
    assert await site.child.died() == -signal.SIGKILL, f"{point} was not reached"
    await site.child.start()
    status, is_repeat, text = await _post(site, path, body)
    assert (status, is_repeat) == (200, point == "answer-after-commit"), text
    assert await _post(site, path, body) == (200, True, text)
    await site.until_quiet()
    assert await site.child.stop() == 0
    return text


@pytest.mark.parametrize("url", BOTH, indirect=True)
@pytest.mark.parametrize("point", ANSWER_POINTS)
async def test_killed_there_a_case_is_opened_once_and_a_word_in_it_said_once(url, tmp_path, point):
    async with _site(url, tmp_path) as site:
        opening = {"game": site.game, "kind": "other", "text": "Jeg protesterer."}
        await _killed_and_asked_again(site, point, "/cases", opening)
        assert await _counted(site) == (1, 1)
        store = await Store.open(site.url)
        async with store.read() as conn:
            case = (await conn.execute(select(cases.c.id))).scalar_one()
        await store.close()
        await _killed_and_asked_again(site, point, f"/cases/{case}/statements", STATEMENT)
        assert await _counted(site) == (1, 2)
        assert await site.ledger() == []


@pytest.mark.parametrize("point", ANSWER_POINTS)
async def test_killed_there_leave_is_booked_once(sqlite_url, tmp_path, point):
    """Leave in several games had one transaction a game, and its letters theirs."""
    async with _site(sqlite_url, tmp_path) as site:
        words = site.leave.decode().split("ferie ")[1].split()
        days = {"from": words[0], "to": words[1]}
        await _killed_and_asked_again(site, point, "/leave", days)
        assert await site.ledger() == ["LeaveBooked"]
