"""§ 6.4.4, § 6.5.3.2: the player's page of entries and the officials' desk of them."""

import itertools
import re
from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import delete, insert

from server.store import entries as entry_rows
from server.store.play import people as person_rows
from server.store.tables.base import people
from server.store.tables.tournaments import entries, past_results
from server.usecases.entries import entry_judging
from server.usecases.rights import rights
from tests.fakes.machinery.each import each
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers

ANNA = {"list": "1", "born": "1950-02-28", "member": "4711", "key": "k1"}


@pytest.fixture
async def lists(site: Site) -> None:
    """Kaj opens K and Å; Tove leads K, Ole leads Å."""
    await officials(site)
    kaj = await site.person("kaj@example.org")
    for name, wish, leader in (("EMT K", "K", "tove"), ("EMT Å", "Å", "ole")):
        more = {"tournament": "EMT", "fee": 20_000, "how_to_pay": "MobilePay 12345"}
        await site.open_list(kaj, name, f"emt {wish}", wish, leader, **more)


async def _entries(site: Site) -> list[entry_rows.EntryRow]:
    async with site.core.store.read() as conn:
        states = ("waiting", "valid", "placed", "refused", "withdrawn")
        return list(await entry_rows.on_lists(conn, None, states))


async def _sent(browser: Browser, path: str, fields: dict[str, str]) -> tuple[int, str]:
    answer = await browser.post(path, fields)
    return answer.status, answer.headers.get("Location", "")


@pytest.mark.usefixtures("lists")
async def test_the_page_says_which_classes_are_open_by_which_rule(anna: Browser):
    """Anna plays in K-26-01 and K-26-99, both with danger: K is not open (§ 6.5.1.2)."""
    status, text = await anna.get("/enter")
    assert status == 200
    assert "Kan endnu rykke ned i en gruppe, der ikke er færdig (§ 6.5.1.2)" in text
    assert "hviler på K-26-01, K-26-99" in text
    assert "EMT K" not in text.partition('id="classes"')[2].partition("<details>")[0]
    _, chosen = await anna.get("/enter?list=1")
    assert "EMT K, mail (0 gyldige, 0 venter, indskud 200" in chosen


@pytest.mark.usefixtures("lists")
async def test_a_closed_class_is_refused_with_its_paragraph_and_may_be_asked_for(site, anna):
    answer = await anna.post("/enter", ANNA)
    text = await answer.text()
    assert answer.status == 422
    assert "Klassen er ikke åben (§ 6.5.1.2)" in text
    assert 'value="4711"' in text and 'value="1950-02-28"' in text, "what was typed stays"
    assert await _entries(site) == []
    assert await _sent(anna, "/enter", ANNA | {"asks": "1"}) == (303, "/enter?done=taken")
    assert await _sent(anna, "/enter", ANNA | {"asks": "1"}) == (303, "/enter?done=taken")
    (row,) = await _entries(site)
    assert (row.state, row.asks, row.member) == ("waiting", True, "4711")


@pytest.mark.usefixtures("lists")
@each(
    "bad",
    [
        {"list": ""}, {"list": "x"}, {"list": "999"}, {"list": "9" * 30}, {"born": "28/2"},
        {"otb_rating": "-1"}, {"k_rating": "4001"}, {"k_rating": "½"}, {"member": "x" * 41},
        {"club": "x" * 121}, {"club": "a\tb"}, {"proof": "x" * 4001}, {"born": ""},
    ],
)  # fmt: skip
async def test_a_bad_field_is_named_and_nothing_is_kept(site, bad, anna):
    status, _ = await _sent(anna, "/enter", ANNA | {"asks": "1"} | bad)
    assert status == 422
    assert await _entries(site) == []


@pytest.mark.usefixtures("lists")
async def test_the_leader_takes_fee_and_decision_and_the_player_sees_his_place(site, anna, tove):
    await anna.post("/enter", ANNA | {"asks": "1"})
    assert "<b>1</b> tilmelding, der venter" in (await tove.get("/desk"))[1]
    status, text = await tove.get("/desk/entries")
    assert status == 200 and "indskud, afgørelse" in text
    page = "/desk/entries/1"
    assert "Spilleren beder om en afgørelse." in (await tove.get(page))[1]
    assert (await _sent(tove, f"{page}/fee", {"on": "i går"}))[0] == 422
    assert (await _sent(tove, f"{page}/fee", {"on": "2026-09-02"}))[0] == 422, "the future"
    assert (await _sent(tove, f"{page}/fee", {"on": "2026-09-01"}))[0] == 303
    assert (await _sent(tove, f"{page}/discretion", {"reason": ""}))[0] == 422
    assert (await _sent(tove, f"{page}/discretion", {"reason": "Vinder to."}))[0] == 303
    text = (await tove.get(page))[1]
    assert "Tove" in text or "tove" in text
    assert "§ 6.5.3.2 e: Vinder to." in text
    assert "nr. 1 af 1; gruppen startes, når 7 er inde" in (await anna.get("/enter"))[1]
    assert await _sent(anna, "/enter/1/withdraw", {}) == (303, "/enter?done=back")
    assert [row.state for row in await _entries(site)] == ["withdrawn"]


@pytest.mark.usefixtures("lists")
async def test_a_refused_player_reads_the_paragraph_and_the_reason(anna: Browser, tove: Browser):
    await anna.post("/enter", ANNA | {"asks": "1"})
    told = {"paragraph": "§ 6.4.4.1", "reason": "Indskuddet kom ikke."}
    assert (await _sent(tove, "/desk/entries/1/refuse", {"reason": "x"}))[0] == 422
    assert (await _sent(tove, "/desk/entries/1/refuse", told))[0] == 303
    text = (await anna.get("/enter"))[1]
    assert "Begrundelse: Indskuddet kom ikke. (§ 6.4.4.1)" in text


@pytest.mark.usefixtures("lists")
async def test_an_official_enters_a_player_who_paid_by_giro(site: Site, browsers: Browsers):
    """§ 6.4.4.1: by letter or giro; Ole leads Å, and nobody else enters players on it."""
    async with site.core.store.write() as conn:
        person = await site.person("ole@example.org")
        new = person_rows.NewPerson(name="Ny", email="ny@example.org", created_us=0)
        await person_rows.add_person(conn, new)
        await person_rows.change(conn, replace(person, lang="da"))
    fields = {"email": "ny@example.org", "list": "2", "born": "1944-05-04", "member": "9",
              "fee": "2026-09-01", "key": "g1"}  # fmt: skip
    tove = await browsers.of("tove")
    assert (await _sent(tove, "/desk/entries", fields))[0] == 403
    ole = await browsers.of("ole")
    assert (await _sent(ole, "/desk/entries", fields | {"email": "x@example.org"}))[0] == 422
    odd = await ole.post("/desk/entries", fields | {"fee": "i går"})
    assert odd.status == 422 and "Skriv datoen med år, måned og dag" in await odd.text()
    assert await _sent(ole, "/desk/entries", fields) == (303, "/desk/entries/1?done=done")
    (row,) = await _entries(site)
    assert (row.player, row.state, row.fee_day) == ("Ny", "valid", "2026-09-01")


FORMS = {
    "/desk/entries": ANNA | {"email": "anna@example.org"},
    "/desk/entries/1/fee": {"on": "2026-09-01"},
    "/desk/entries/1/proof": {},
    "/desk/entries/1/discretion": {"reason": "Ja"},
    "/desk/entries/1/refuse": {"paragraph": "6.1", "reason": "Nej"},
    "/desk/entries/lists": {
        "name": "x", "wish": "emt M", "tournament": "x", "regulation": "email", "prefix": "x",
        "leader": "tove@example.org",
    },
    "/desk/entries/lists/1": {"act": "close"},
    "/desk/players/2": {
        "event": "emt K", "name": "x", "points": "3", "games": "6", "source": "x",
        "finished": "2026-01-01",
    },
    "/desk/players/2/remove": {"result": "1"},
}  # fmt: skip


@pytest.mark.usefixtures("lists")
@each("path", FORMS)
async def test_the_desks_forms_are_the_officials_alone(site: Site, browsers: Browsers, path: str):
    """§ 6.1.1: neither the player, nor another, nor the Board, nor who is unknown."""
    anna = await browsers.of("anna")
    await anna.post("/enter", ANNA | {"asks": "1"})
    before = await _entries(site)
    for name in ("anna", "soren", "nina"):
        assert (await _sent(await browsers.of(name), path, FORMS[path]))[0] == 404, name
    status, where = await _sent(await browsers.stranger(), path, FORMS[path])
    assert status == 303 and where.startswith("/signin")
    assert await _entries(site) == before
    if path.startswith("/desk/entries/1"):
        assert (await _sent(await browsers.of("ole"), path, FORMS[path]))[0] == 404
    if "lists" in path:
        assert (await _sent(await browsers.of("tove"), path, FORMS[path]))[0] == 403


@pytest.mark.usefixtures("lists")
async def test_a_player_withdraws_his_own_entry_alone(site: Site, browsers: Browsers):
    await (await browsers.of("anna")).post("/enter", ANNA | {"asks": "1"})
    for name in ("bent", "nina"):
        assert (await _sent(await browsers.of(name), "/enter/1/withdraw", {}))[0] == 404
    assert [row.state for row in await _entries(site)] == ["waiting"]


@pytest.mark.usefixtures("lists")
async def test_the_controller_opens_closes_and_appoints(site: Site, browsers: Browsers):
    """§ 6.1.1-6.1.2: each list has one leader, named by the controller."""
    kaj, fields = await browsers.of("kaj"), FORMS["/desk/entries/lists"]
    assert (await kaj.get("/desk/entries"))[0] == 200
    for bad in ({"name": ""}, {"leader": "x@x.dk"}, {"wish": "emt X"}, {"prefix": "K"},
                {"fee_kr": "to"}, {"name": "EMT K"}, {"tournament": ""}):  # fmt: skip
        assert (await _sent(kaj, "/desk/entries/lists", fields | bad))[0] == 422, bad
    assert (
        await _sent(kaj, "/desk/entries/lists", fields | {"fee_kr": "150", "how_to_pay": "Konto 1"})
    )[0] == 303
    assert (await _sent(kaj, "/desk/entries/lists/3", {"act": "close"}))[0] == 303
    assert "lukket" in (await kaj.get("/desk/entries"))[1]
    assert (await _sent(kaj, "/desk/entries/lists/1", {"act": "x"}))[0] == 400
    assert (await _sent(kaj, "/desk/entries/lists/99", {"act": "open"}))[0] == 404
    told = {"act": "leader", "leader": "ole@example.org"}
    assert (await _sent(kaj, "/desk/entries/lists/1", told))[0] == 303
    anna = await browsers.of("anna")
    await anna.post("/enter", ANNA | {"asks": "1"})
    assert (await (await browsers.of("tove")).get("/desk/entries/1"))[0] == 404
    assert (await (await browsers.of("ole")).get("/desk/entries/1"))[0] == 200
    assert (await _sent(kaj, "/desk/entries/lists/1", {"act": "start"}))[0] == 422, "too few"


@pytest.mark.usefixtures("lists")
async def test_an_official_looks_a_player_up_and_enters_his_results(site: Site, tove: Browser):
    anna = (await site.person("anna@example.org")).id
    answer = await tove.post(f"/desk/players/{anna}", FORMS["/desk/players/2"] | {"points": "4,5"})
    assert answer.status == 303
    status, text = await tove.get("/desk/players?email=anna@example.org")
    assert status == 200 and "4½ af 6" in text
    for bad in ({"points": "7"}, {"points": "x"}, {"games": "0"}, {"finished": "2027-01-01"},
                {"source": ""}, {"event": "emt"}, {"place": "a"}, {"entries": "-1"},
                {"points": "½½"}, {"points": "1e3"}, {"unfinished": "x"}):  # fmt: skip
        fields = FORMS["/desk/players/2"] | bad
        assert (await _sent(tove, f"/desk/players/{anna}", fields))[0] == 422, bad
    removed = await tove.post(f"/desk/players/{anna}/remove", {"result": "1"})
    assert removed.status == 303
    assert "4½ af 6" not in (await tove.get(f"/desk/players/{anna}"))[1]
    assert (await tove.get("/desk/players?email=x@x.dk"))[0] == 404


@pytest.mark.usefixtures("lists")
async def test_what_is_entered_and_awaited_stands_on_my_games_too(anna: Browser):
    assert "Mine tilmeldinger" not in (await anna.get("/"))[1]
    await anna.post("/enter", ANNA | {"asks": "1"})
    text = (await anna.get("/"))[1]
    assert "Mine tilmeldinger" in text and "EMT K" in text
    assert "EMT K" not in (await anna.get("/enter"))[1].partition('id="classes"')[2], (
        "none stands ready"
    )
    await anna.post("/enter/1/withdraw")
    assert "Mine tilmeldinger" not in (await anna.get("/"))[1]


@pytest.mark.usefixtures("lists")
async def test_the_controller_lets_a_non_member_in_again_on_the_page(site, anna, tove, browsers):
    """§ 6.1: named as a reading where it decides; he alone; the word stands on the page."""
    alone = ANNA | {"member": ""}
    refused = await (await anna.post("/enter", alone)).text()
    assert "er en fortolkning" in refused and "K-skak chefen kan lade dig være med igen" in refused
    assert await _entries(site) == []
    await anna.post("/enter", alone | {"asks": "1"})
    kaj = await browsers.of("kaj")
    page, said = "/desk/entries/1", {"reason": "Han er ved at melde sig ind."}
    assert "kan også læses som én ad gangen" in (await tove.get(page))[1]
    answer = await tove.post(f"{page}/discretion", said)
    assert answer.status == 422 and "Kun K-skak chefen" in await answer.text()
    assert await _sent(kaj, f"{page}/discretion", said) == (303, f"{page}?done=done")
    text = (await kaj.get(page))[1]
    assert "§ 6.1: Han er ved at melde sig ind." in re.sub(r"<[^>]+>", "", text)
    assert "Den, der ikke er medlem" not in text.partition('id="missing"')[2].partition("</ul>")[0]


async def _crowd(site: Site, count: int) -> None:
    """Some enter EMT K (two in three) and EMT Å, a third with the fee, half with a right to K."""
    new, day = itertools.count(10_000), "2026-08-20"
    made = [
        {"id": next(new), "name": f"Spiller {n:03}", "member": f"5{n:03}"} for n in range(count)
    ]
    facts = {"birth": "1950-02-28", "club": "Klub", "created_us": 0}
    result = {"event": "emt", "wish": "K", "name": "K-25-01", "finished": date(2025, 8, 1)}
    result |= {"halves": 6, "games": 6, "unfinished": 0, "place": None, "entries": 0}
    result |= {"semi_held": True, "source": "bladet", "at_us": 0}
    entry = {"entered_day": day, "since_day": day, "created_us": 0, "proof": "", "asks": False}
    rows = [
        entry | {"list_id": 2 if n % 3 == 2 else 1, "person_id": one["id"], "entered_by": one["id"]}
        | {"fee_day": day if n % 3 == 0 else None, "state": "waiting"}
        for n, one in enumerate(made)
    ]  # fmt: skip
    async with site.core.store.write() as conn:
        await conn.execute(
            insert(people), [one | facts | {"email": f"{one['id']}@example.org"} for one in made]
        )
        await conn.execute(
            insert(past_results), [result | {"person_id": one["id"]} for one in made[::2]]
        )
        await conn.execute(insert(entries), rows)


@pytest.mark.usefixtures("lists")
async def test_a_desk_of_500_entries_takes_as_many_statements_as_one_of_5(site, browsers):
    """It took 9 for each entry that waits: 4513, and 8.6 seconds."""
    kaj = await browsers.of("kaj")
    await _crowd(site, 5)
    await kaj.asked("/desk/entries")
    few = await kaj.asked("/desk/entries")
    async with site.core.store.write() as conn:
        for table in (entries, past_results):
            await conn.execute(delete(table))
        await conn.execute(delete(people).where(people.c.id >= 10_000))
    await _crowd(site, 500)
    assert await kaj.asked("/desk/entries") <= few <= 40


@pytest.mark.usefixtures("lists")
async def test_each_of_many_entries_is_judged_as_if_it_were_alone(site: Site, browsers: Browsers):
    """Rows of many are read at once: none gets another's fee, right, membership or group."""
    for number, name in enumerate(("anna", "bent", "soren")):
        own = ANNA | {"asks": "1", "member": f"471{number}", "key": name}
        assert (await (await browsers.of(name)).post("/enter", own)).status == 303
    await _crowd(site, 12)
    held = await rights(site.core, await site.person("kaj@example.org"))
    desk = (await entry_judging.entry_desk(site.core, held)).waiting
    assert len(desk) == 15 and len({one.faults for one in desk}) > 3
    for one in desk:
        assert await entry_judging.entries_of(site.core, one.row.person_id) == (one,)


@pytest.mark.usefixtures("lists")
async def test_a_desk_of_500_is_narrowed_down_by_what_is_waited_for_list_and_player(site, browsers):
    """And what is done to all of them is done to those that are shown."""
    kaj = await browsers.of("kaj")
    await _crowd(site, 500)

    async def shown(query: str) -> list[str]:
        _, text = await kaj.get(f"/desk/entries{query}")
        waiting = text.partition('id="waiting"')[2].partition("<form")[0]
        return re.findall(r'/desk/entries/\d+">(Spiller \d+)<', waiting)

    assert len(await shown("")) == 500
    assert len(await shown("?kind=fee")) == 333, "two in three have not paid"
    assert len(await shown("?kind=decision&group=EMT+K")) == 167
    assert await shown("?player=SPILLER+07&group=EMT+%C3%85") == [
        "Spiller 071",
        "Spiller 074",
        "Spiller 077",
    ]
    assert await shown("?player=nobody") == await shown("?kind=valid") == []
    _, text = await kaj.get("/desk/entries?player=spiller+01&kind=fee")
    assert 'value="spiller 01"' in text and "Vis alt" in text
    assert re.findall(r"\((\d+)\)</button>", text) == ["7", "3"], "of those that are shown"
    fees = text.partition('id="bulk-fees"')[2].partition("</form>")[0]
    keys = re.search(r'name="shown" value="([^"]+)"', fees)
    assert keys is not None
    answer = await kaj.post(
        "/desk/entries/fees", {"on": "2026-09-01", "step": "all", "shown": keys[1]}
    )
    assert len(re.findall(r'name="row-', await answer.text())) == 7
