"""§ 6.1.1-6.1.2, § 6.4.4: every right about entries against every role; strangers get nowhere."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from server.store import entries as entry_rows
from server.store.entries import PastResult
from server.store.play import people as person_rows
from server.store.play.people import Office
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, add_result, enter
from tests.fakes.machinery.each import each
from tests.server.api.conftest import World, begin, told_once
from tests.server.api.rights import SHUT, filled, shut_out

ROLES = ("player", "other", "tl_of_list", "tl_elsewhere", "tl_all", "kc_office", "board", "admin",
         "captain", "stranger", None)  # fmt: skip
LEADERS = {"tl_of_list", "tl_all", "kc_office"}
OFFICIALS = LEADERS | {"tl_elsewhere"}
OPENING = {
    "name": "Ny liste", "event": "emt", "wish": "M", "tournament": "EMT", "regulation": "email",
    "prefix": "NY", "leader": "tl_of_list@example.org",
}  # fmt: skip
RESULT = {
    "event": "emt", "wish": "M", "name": "M-24-01", "finished": "2026-01-02", "halves": 4,
    "games": 6, "source": "bladet",
}  # fmt: skip


@dataclass(frozen=True)
class Right:
    """A call and who may make it; ``{entry}`` and the like are filled in."""

    name: str
    path: str
    allowed: set[str | None]
    body: dict | None = None


RIGHTS = (
    Right("own_classes", "/classes", set(ROLES) - {None}),
    Right("classes_of", "/people/{player}/classes", OFFICIALS | {"player", "admin"}),
    Right("lists", "/entry-lists", set(ROLES) - {None}),
    Right("enter_another", "/tournament-entries", LEADERS,
          {"list": "{list}", "person": "{newcomer}", "asks": True}),
    Right("own_fee", "/tournament-entries", LEADERS,
          {"list": "{list}", "person": "{newcomer}", "fee": "2026-09-01", "second": True}),
    Right("fee", "/tournament-entries/{entry}/fee", LEADERS, {"on": "2026-09-01"}),
    Right("proof", "/tournament-entries/{entry}/proof", LEADERS, {}),
    Right("number", "/tournament-entries/{entry}/number", LEADERS, {"member": "4711"}),
    Right("discretion", "/tournament-entries/{entry}/discretion", LEADERS, {"reason": "Ja."}),
    Right("refuse", "/tournament-entries/{entry}/refusal", LEADERS,
          {"paragraph": "6.1", "reason": "Nej."}),
    Right("withdraw", "/tournament-entries/{entry}/withdrawal", LEADERS | {"player"}, {}),
    Right("open_list", "/entry-lists", {"kc_office"}, OPENING),
    Right("change_list", "/entry-lists/{list}", {"kc_office"}, {"open": False}),
    Right("start", "/entry-lists/{list}/start", LEADERS, {}),
    Right("add_result", "/people/{player}/results", OFFICIALS, RESULT | {"name": "M-24-02"}),
    Right("remove_result", "/people/{player}/results/removal", OFFICIALS, {"result": "{result}"}),
)  # fmt: skip


@dataclass
class Desk:
    """Everybody, one list with one entry, and the numbers that paths name."""

    world: World
    ids: dict[str, int] = field(default_factory=dict)

    async def set_up(self) -> None:
        world = self.world
        for role in (*ROLES, "newcomer"):
            if role is not None:
                await world.admit(role)
                self.ids[role] = world.people[role].id
        for role, office, group in (
            ("tl_all", Office.TL, None), ("kc_office", Office.KC, None),
            ("board", Office.BOARD, None), ("admin", Office.ADMIN, None),
            ("captain", Office.CAPTAIN, 1),
        ):  # fmt: skip
            await world.admit(role, office=office, group=group)
        self.ids["list"] = await self._list("Liste", "tl_of_list")
        self.ids["open"] = await self._list("Åben liste", "tl_of_list", "Å")
        await self._list("Anden liste", "tl_elsewhere")
        for name in ("player", "newcomer"):
            person = world.people[name]
            values = {"birth": "1950-02-28", "member": "1"}
            async with world.core.store.write() as conn:
                await person_rows.change(conn, type(person)(**_row(person) | values))
        await self.result()
        player = world.people["player"]
        made = await enter(
            world.core, player, EntryRequest(self.ids["list"], EntryStatement(), asks=True)
        )
        assert isinstance(made, entry_rows.EntryRow), made
        self.ids["entry"] = made.id

    async def result(self) -> None:
        """A past result of the player's."""
        told = PastResult(**_kept(RESULT))
        leader = self.world.people["tl_of_list"]
        done = await add_result(self.world.core, leader, self.ids["player"], told)
        assert isinstance(done, int)
        self.ids["result"] = done

    async def _list(self, name: str, leader: str, wish: str = "M") -> int:
        async with self.world.core.store.write() as conn:
            return await entry_rows.add_list(
                conn, name=name, event="emt", wish=wish, tournament="EMT", regulation="email",
                prefix=name, leader_id=self.ids[leader], is_open=True, opened_by=1,
                created_us=0, how_to_pay="",
            )  # fmt: skip

    async def ask(self, role: str | None, wanted: Right) -> int:
        path = "/api/v1" + wanted.path.format(**self.ids)
        if wanted.body is None:
            return (await self.world.get(role, path)).status
        return (await self.world.post(role, path, filled(wanted.body, self.ids))).status

    async def state(self) -> tuple[object, ...]:
        """All that the calls could change."""
        async with self.world.core.store.read() as conn:
            return (
                await entry_rows.on_lists(
                    conn, None, ("waiting", "valid", "placed", "refused", "withdrawn")
                ),
                await entry_rows.rulings_of(conn, [self.ids["entry"]]),
                await entry_rows.everything(conn),
                await entry_rows.past_results_of(conn, self.ids["player"]),
            )


def _row(person: person_rows.PersonRow) -> dict:
    return {name: getattr(person, name) for name in type(person).__slots__}


def _kept(told: dict) -> dict:
    return told | {"finished": date.fromisoformat(told["finished"])}


async def _told(world: World) -> dict[str, int]:
    await begin(world)
    made = Desk(world)
    await made.set_up()
    return made.ids


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with told_once(tmp_path, "entry", _told) as (world, ids):
        yield Desk(world, dict(ids))


@pytest.mark.parametrize("wanted", RIGHTS, ids=lambda wanted: wanted.name)
async def test_who_has_a_right_gets_in_and_nobody_else_does(desk: Desk, wanted: Right) -> None:
    before = await desk.state()
    await shut_out(lambda role: desk.ask(role, wanted), ROLES, wanted.allowed)
    assert await desk.state() == before, "a refused call changed something"
    answers = {}
    for role in [one for one in ROLES if one in wanted.allowed]:
        if wanted.name == "remove_result" and answers:
            await desk.result()  # what one has taken away is not there for the next
        answers[role] = await desk.ask(role, wanted)
    assert {role: status for role, status in answers.items() if status in SHUT} == {}
    assert 200 in answers.values() or wanted.name == "start", answers


async def test_an_entry_of_anothers_looks_like_none(desk: Desk) -> None:
    for deed in ("fee", "withdrawal"):
        body = {"on": "2026-09-01"} if deed == "fee" else {}
        hidden = await desk.world.post(
            "stranger", f"/api/v1/tournament-entries/{desk.ids['entry']}/{deed}", body
        )
        missing = await desk.world.post("stranger", f"/api/v1/tournament-entries/999/{deed}", body)
        assert (hidden.status, await hidden.json()) == (missing.status, await missing.json())


async def test_nobody_handles_his_own_entry_or_record(desk: Desk) -> None:
    """§ 6.1.1: the leader of the list enters it himself; the controller must handle that."""
    world, leader = desk.world, desk.world.people["tl_of_list"]
    values = {"birth": "1950-02-28", "member": "1"}
    async with world.core.store.write() as conn:
        await person_rows.change(conn, type(leader)(**_row(leader) | values))
    asked = {"list": desk.ids["list"], "asks": True}
    made = await world.post("tl_of_list", "/api/v1/tournament-entries", asked)
    assert made.status == 200, await made.text()
    number = (await made.json())["id"]
    for deed, body in (
        ("fee", {"on": "2026-09-01"}), ("proof", {}), ("discretion", {"reason": "Ja."}),
        ("refusal", {"paragraph": "6.1", "reason": "Nej."}),
    ):  # fmt: skip
        answer = await world.post("tl_of_list", f"/api/v1/tournament-entries/{number}/{deed}", body)
        assert answer.status == 403, deed
    own = {**asked, "fee": "2026-09-01", "second": True}
    assert (await world.post("tl_of_list", "/api/v1/tournament-entries", own)).status == 403
    results = f"/api/v1/people/{leader.id}/results"
    assert (await world.post("tl_of_list", results, RESULT)).status == 403
    paid = await world.post(
        "kc_office", f"/api/v1/tournament-entries/{number}/fee", {"on": "2026-09-01"}
    )
    assert paid.status == 200


async def test_the_controller_lets_a_non_member_in_again_by_the_api(desk: Desk) -> None:
    """§ 6.1: refused with the reading; his leader's word is none, the controller's is; once."""
    world, guest = desk.world, desk.world.people["newcomer"]
    async with world.core.store.write() as conn:
        kept = _row(guest) | {"birth": "1950-02-28", "member": None, "club": None}
        await person_rows.change(conn, type(guest)(**kept))
    played = RESULT | {"wish": "Å", "name": "Å-24-01"}
    results = f"/api/v1/people/{guest.id}/results"
    assert (await world.post("tl_of_list", results, played)).status == 200
    asked = {"list": desk.ids["open"]}
    refused = await world.post("newcomer", "/api/v1/tournament-entries", asked)
    told = await refused.json()
    assert refused.status == 409 and "6.1" in str(told), told
    made = await world.post("newcomer", "/api/v1/tournament-entries", asked | {"asks": True})
    number = (await made.json())["id"]
    path = f"/api/v1/tournament-entries/{number}"
    no = await world.post("tl_of_list", f"{path}/discretion", {"reason": "Ja."})
    assert no.status == 409 and "not_controller" in await no.text()
    empty = await world.post("kc_office", f"{path}/discretion", {"reason": " "})
    assert empty.status == 409 and "no_reason" in await empty.text()
    for _ in range(2):
        said = await world.post("kc_office", f"{path}/discretion", {"reason": "Melder sig ind."})
        assert said.status == 200, await said.text()
    await world.post("kc_office", f"{path}/fee", {"on": "2026-09-01"})
    seen = await (await world.get("newcomer", "/api/v1/tournament-entries")).json()
    (own,) = [one for one in seen["entries"] if one["id"] == number]
    assert own["state"] == "valid", own
    async with world.core.store.read() as conn:
        ruled = (await entry_rows.rulings_of(conn, [number]))[number]
    assert [(one.paragraph, one.reason) for one in ruled] == [("6.1", "Melder sig ind.")]


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        ("tl_of_list", 1), ("tl_all", 1), ("kc_office", 1), ("admin", 1), ("tl_elsewhere", 0),
        ("board", 0), ("captain", 0), ("player", 0), ("stranger", 0),
    ],
)  # fmt: skip
async def test_the_desk_lists_the_entries_of_its_own_lists(desk, role, seen):
    answer = await desk.world.get(role, "/api/v1/tournament-entries?desk=1")
    assert len((await answer.json())["entries"]) == seen
    own = await desk.world.get(role, "/api/v1/tournament-entries")
    assert len((await own.json())["entries"]) == (1 if role == "player" else 0)


@each(
    ("body", "status"),
    [
        ({}, 422), ({"list": "1"}, 422), ({"list": 0}, 422), ({"list": 1, "more": 1}, 422),
        ({"list": 1, "born": "igår"}, 422), ({"list": 1, "otb_rating": 4001}, 422),
        ({"list": 1, "k_rating": -1}, 422), ({"list": 1, "proof": "x" * 4001}, 422),
        ({"list": 999}, 422), ({"list": 1, "fee": "2026-09-01"}, 403), ({"list": 1}, 409),
    ],
)  # fmt: skip
async def test_a_bad_entry_is_refused_and_nothing_is_kept(desk, body, status):
    before = await desk.state()
    answer = await desk.world.post("player", "/api/v1/tournament-entries", body)
    assert answer.status == status, await answer.text()
    assert await desk.state() == before


async def test_a_refusal_names_each_reason_with_its_paragraph(desk: Desk) -> None:
    answer = await desk.world.post(
        "other", "/api/v1/tournament-entries", {"list": desk.ids["list"]}
    )
    body = await answer.json()
    assert (answer.status, body["type"]) == (409, "/problems/entry-refused")
    assert body["reasons"] == [
        {"code": "no_birth_date", "paragraph": "6.4.4.1"},
        {"code": "not_open", "paragraph": "6.5.3.2"},
    ]
    assert "Fødselsdatoen mangler (§ 6.4.4.1)" in body["detail"]


async def test_the_same_call_twice_makes_one_entry(desk: Desk) -> None:
    body = {"list": desk.ids["list"], "second": True, "asks": True}
    first = await desk.world.post(
        "player", "/api/v1/tournament-entries", body, Idempotency_Key="k-1"
    )
    again = await desk.world.post(
        "player", "/api/v1/tournament-entries", body, Idempotency_Key="k-1"
    )
    assert await first.json() == await again.json()
    own = await desk.world.get("player", "/api/v1/tournament-entries")
    assert len((await own.json())["entries"]) == 2


@pytest.mark.parametrize("what", ["entry-lists/999/start", "entry-lists/999"])
async def test_a_list_that_is_not_there_is_not_found_by_those_who_lead_all(desk: Desk, what: str):
    """The tournament leader of all and the controller handle any list: not one that is none."""
    before = await desk.state()
    for role in ("kc_office", "tl_all"):
        answer = await desk.world.post(role, f"/api/v1/{what}", {})
        assert answer.status in SHUT, (role, await answer.text())
    assert (await desk.world.post("kc_office", f"/api/v1/{what}", {})).status == 404
    assert await desk.state() == before
