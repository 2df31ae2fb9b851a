"""/healthz, /readyz and /metrics: what they see and what they count."""

import pytest
from sqlalchemy import update

from server.store.engine.connection import StoreUnavailable
from server.store.engine.rows import HOUR_US
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from server.store.tables import base as base_tables
from server.store.tables.base import outbox


async def test_a_started_server_is_up_and_ready(world):
    up = await world.client.get("/healthz")
    ready = await world.client.get("/readyz")
    assert (up.status, await up.json()) == (200, {"status": "ok"})
    body = await ready.json()
    assert (ready.status, body["status"]) == (200, "ready")
    assert body["checks"]["outbox"]["pending"] == 3, "two start letters and a first mail"
    assert body["checks"]["inbox"]["pending"] == 0


async def test_mail_that_lies_too_long_makes_it_not_ready_and_it_stays_up(world):
    world.clock.pass_days(1)
    answer = await world.client.get("/readyz")
    body = await answer.json()
    assert (answer.status, body["status"]) == (503, "not_ready")
    assert body["checks"]["outbox"]["oldest_seconds"] == 24 * 3600
    assert body["checks"]["inbox"]["ok"]
    assert (await world.client.get("/healthz")).status == 200


async def test_a_letter_that_is_due_later_has_no_age(world):
    async with world.core.store.write() as conn:
        await conn.execute(update(outbox).values(due_us=world.core.now_us + HOUR_US))
    body = await (await world.client.get("/readyz")).json()
    assert body["checks"]["outbox"]["oldest_seconds"] == 0


async def test_a_database_that_does_not_answer_makes_it_not_ready(world, monkeypatch):
    async def broken(*_: object) -> None:
        raise StoreUnavailable("the database does not answer")

    monkeypatch.setattr("server.store.mail.due_work.sign", broken)
    answer = await world.client.get("/readyz")
    assert (answer.status, (await answer.json())["checks"]) == (503, {"database": {"ok": False}})


async def test_who_asks_often_gets_the_same_proof_and_does_not_keep_the_disk_busy(
    world, monkeypatch
):
    asked = []

    async def counted(*values: object) -> None:
        asked.append(values)

    monkeypatch.setattr("server.store.mail.due_work.sign", counted)
    for _ in range(5):
        assert (await world.client.get("/readyz")).status == 200
    assert len(asked) == 1


async def test_the_metrics_count_moves_refusals_queues_and_durations(world):
    await world.play("e4", "e5")
    await world.move("white", "5255")
    await world.move("black", "e5")
    async with world.core.store.write() as conn:
        (first, *_) = await outbox_rows.newest(conn)
        await conn.execute(update(outbox).where(outbox.c.id == first.id).values(state="dead"))
    text = await (await world.client.get("/metrics")).text()
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert lines['kskak_moves_accepted_total{channel="api"}'] == "2.0"
    assert lines['kskak_refusals_total{channel="api",reason="illegal"}'] == "1.0"
    assert lines['kskak_refusals_total{channel="api",reason="not_your_turn"}'] == "1.0"
    assert lines['kskak_queue_dead{queue="outbox"}'] == "1.0"
    assert lines['kskak_queue_pending{queue="outbox"}'] == "6.0"
    assert lines['kskak_request_seconds_count{route="moves",status="200"}'] == "2.0"
    assert lines['kskak_request_seconds_count{route="moves",status="422"}'] == "1.0"


async def test_the_metrics_tell_size_copy_clock_and_what_became_of_letters(world):
    async def figures() -> dict[str, float]:
        text = await (await world.client.get("/metrics")).text()
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
        return {name: float(value) for name, value in lines}

    before = await figures()
    assert "kskak_backup_age_seconds" not in before, "no copy was proved"
    assert before["kskak_database_bytes"] > 100_000 and before["kskak_clock_behind_seconds"] == 0
    an_hour_ago = str(world.core.now_us - HOUR_US)
    await world.core.store.change(base_tables.put_value, base_tables.COPY_PROVED, an_hour_ago)
    found = await figures()
    assert found["kskak_backup_age_seconds"] == 3600
    assert found["kskak_clock_seconds"] == world.core.now_us / 1_000_000


@pytest.mark.parametrize("added", [{"X-Forwarded-For": "192.0.2.7"}, {"Host": "spil.example.org"}])
async def test_the_metrics_are_not_shown_through_a_proxy(world, added):
    assert (await world.client.get("/metrics", headers=added)).status == 404


@pytest.mark.parametrize("site", ["https://spil.example.org", "http://192.0.2.7:8080"])
async def test_where_others_reach_the_machine_only_administrators_see_the_metrics(
    world, monkeypatch, site
):
    """A proxy that adds no headers looks like the machine itself: the mailbox's question."""
    await world.admit("admin")
    new = NewOffice(world.people["admin"].id, Office.ADMIN.value, None, 0, 1)
    async with world.core.store.write() as conn:
        await person_rows.add_office(conn, new)
    monkeypatch.setattr(type(world.core.settings.web), "site", site)
    for who, status in ((None, 404), ("white", 404), ("admin", 200)):
        assert (await world.get(who, "/metrics")).status == status, who
    wrong = {"Authorization": "Bearer nonsense"}
    assert (await world.client.get("/metrics", headers=wrong)).status == 404


async def test_the_metrics_tell_no_names_and_no_games(world):
    await world.play("e4")
    text = await (await world.client.get("/metrics")).text()
    assert str(world.game) not in text
    assert "example.org" not in text
