"""Year, accounts, quarantines by API: the controller keeps, an administrator reads, no others.

§ 6.1.2, § 6.4.2. Every call against every role.
"""

import pytest

from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from server.usecases import office
from tests.fakes.machinery.each import each
from tests.server.api.conftest import World

ENTRY = {
    "tournament": "EMT 2026", "kind": "fee", "on": "2026-09-01", "amount": 15000,
    "person": "H. Vid", "text": "Indskud",
}  # fmt: skip
STEP = {"form": "dm", "season": 2027, "step": "start", "action": "done"}
CSV = "dato;turnering;art;beløb;person;tekst\n2026-08-01;EMT 2026;indskud;150;Bo;Indskud\n"
READS = {
    "plan": "/year?year=2027",
    "accounts": "/accounts",
    "file": "/accounts.csv",
    "quarantines": "/quarantines",
}
WRITES = {
    "step": ("/year", STEP),
    "entry": ("/entries", ENTRY),
    "back": ("/entries/{entry}/take-back", {"reason": "Dobbelt"}),
    "import": ("/entries/import", {"csv": CSV, "dry_run": False}),
    "try": ("/entries/import", {"csv": CSV, "dry_run": True}),
    "prizes": ("/publications/1/prizes", {}),
}
ROLES = ("white", "tl", "deputy", "captain", "board", "kc", "admin", "stranger")


async def cast(world: World) -> int:
    """Everybody in office, and an entry to take back; its number."""
    for role, held in (("deputy", Office.DEPUTY), ("captain", Office.CAPTAIN),
                       ("board", Office.BOARD), ("admin", Office.ADMIN)):  # fmt: skip
        group = (await world.row()).group_id if role in ("deputy", "captain") else None
        await world.admit(role, office=held, group=group)
    answer = await world.post("kc", "/api/v1/entries", ENTRY)
    assert answer.status == 200, await answer.text()
    return int((await answer.json())["number"])


async def lines(world: World) -> int:
    found = await office.books_for(world.core, world.people["kc"])
    return len(found.lines)


@each("read", READS)
async def test_controller_and_administrator_read_and_nobody_else(world: World, read: str) -> None:
    await cast(world)
    for role in ROLES:
        answer = await world.get(role, f"/api/v1{READS[read]}")
        assert answer.status == (200 if role in ("kc", "admin") else 403), role
        if answer.status == 403:
            said = await answer.text()
            assert "15000" not in said and "150,00" not in said
    assert (await world.get(None, f"/api/v1{READS[read]}")).status == 401


@pytest.mark.parametrize("write", WRITES)
async def test_the_controller_alone_writes_and_the_administrator_only_reads(world, write):
    entry = await cast(world)
    path, body = WRITES[write]
    path, before = f"/api/v1{path.format(entry=entry)}", await lines(world)
    for role in (*(role for role in ROLES if role != "kc"), None):
        answer = await world.post(role, path, body)
        assert answer.status == (401 if role is None else 403), role
    assert await lines(world) == before
    answer = await world.post("kc", path, body)
    is_there = write != "prizes"
    assert answer.status == (200 if is_there else 422), await answer.text()
    assert await lines(world) == before + (write in ("entry", "back", "import"))


async def test_who_is_dismissed_as_controller_reads_nothing_more(world: World) -> None:
    await cast(world)
    async with world.core.store.write() as conn:
        person = world.people["stranger"].id
        office = await person_rows.add_office(
            conn, NewOffice(person, Office.KC.value, None, 0, person)
        )
    assert (await world.get("stranger", "/api/v1/accounts")).status == 200
    async with world.core.store.write() as conn:
        await person_rows.end(conn, office, world.core.now_us)
    assert (await world.get("stranger", "/api/v1/accounts")).status == 403


async def test_the_same_key_books_once(world: World) -> None:
    key = {"Idempotency_Key": "abc-1"}
    first = await world.post("kc", "/api/v1/entries", ENTRY, **key)
    second = await world.post("kc", "/api/v1/entries", ENTRY, **key)
    assert (await first.json())["number"] == (await second.json())["number"]
    assert await lines(world) == 1


@each(
    "path body code",
    ("/entries", ENTRY | {"amount": 0}, "no_amount"),
    ("/entries", ENTRY | {"on": "2026-09-02"}, "future"),
    ("/entries", ENTRY | {"person": " \t"}, "no_party"),
    ("/year", STEP | {"action": "moved", "day": "2027-10-01", "reason": "x"}, "dm_month"),
    ("/year", STEP | {"action": "moved", "day": "2027-09-08"}, "no_reason"),
    ("/year", STEP | {"step": "divisions"}, "no_step"),
    ("/year", STEP | {"action": "reopened"}, "no_change"),
)
async def test_what_can_not_be_is_refused_with_its_reason(world, path, body, code):
    answer = await world.post("kc", f"/api/v1{path}", body)
    said = await answer.json()
    assert (answer.status, said["type"], said["code"]) == (422, "/problems/not-so", code)
    assert len(said["detail"]) > 10 and "{" not in said["detail"]
    assert await lines(world) == 0


@each(
    "path body",
    ("/entries", ENTRY | {"amount": 150.5}),
    ("/entries", ENTRY | {"amount": "150"}),
    ("/entries", ENTRY | {"amount": 10**11 + 1}),
    ("/entries", ENTRY | {"on": "2026-02-30"}),
    ("/entries", ENTRY | {"extra": 1}),
    ("/year", STEP | {"action": "moved", "reason": "x"}),
    ("/year", STEP | {"day": "2027-09-08"}),
    ("/year", STEP | {"season": 1999}),
    ("/year", STEP | {"form": "DM"}),
    ("/entries/import", {"csv": CSV}),
)
async def test_bad_bodies_are_refused_field_by_field(world: World, path: str, body: dict) -> None:
    answer = await world.post("kc", f"/api/v1{path}", body)
    said = await answer.json()
    assert (answer.status, said["type"]) == (422, "/problems/bad-fields")
    assert await lines(world) == 0


@each("year", ["1999", "2201", "20270", "-1", "\u0662\u0660\u0662\u0667", "x"])
async def test_a_year_that_is_none_is_refused(world: World, year: str) -> None:
    assert (await world.get("kc", f"/api/v1/year?year={year}")).status == 422
    assert (await world.get("kc", f"/api/v1/accounts?year={year}")).status == 422


async def test_an_entry_is_taken_back_once(world: World) -> None:
    number = await cast(world)
    path = f"/api/v1/entries/{number}/take-back"
    back = await (await world.post("kc", path, {"reason": "Dobbelt"})).json()
    assert (back["amount"], back["takes_back"], back["by"]) == (-15000, number, "kc")
    for target, code in ((number, "reversed"), (back["number"], "counter")):
        answer = await world.post("kc", f"/api/v1/entries/{target}/take-back", {"reason": "Igen"})
        assert (answer.status, (await answer.json())["code"]) == (422, code)
    assert (await world.post("kc", "/api/v1/entries/999/take-back", {"reason": "x"})).status == 422
    found = await (await world.get("kc", "/api/v1/accounts")).json()
    assert [one["amount"] for one in found["entries"]] == [15000, -15000]
    assert found["entries"][0]["taken_back_by"] == back["number"]
    assert found["balances"] == [
        {"tournament": "EMT 2026", "year": 2026, "before": 0, "fees": 0, "prizes": 0,
         "deposits": 0, "other": 0, "balance": 0},
    ]  # fmt: skip


async def test_a_moved_step_is_answered_with_its_new_day(world: World) -> None:
    body = STEP | {"action": "moved", "day": "2027-09-08", "reason": "Kongres"}
    step = await (await world.post("kc", "/api/v1/year", body)).json()
    assert (step["state"], step["day"], step["proposed"], step["reason"]) == (
        "moved", "2027-09-08", "2027-09-01", "Kongres")  # fmt: skip
    plan = await (await world.get("kc", "/api/v1/year?year=2027")).json()
    days = {(s["form"], s["step"]): s["day"] for s in plan["steps"] if s["season"] == 2027}
    assert days["dm", "start"] == "2027-09-08"
    assert days["dm", "letters"] == "2027-08-25", "it follows the start"
