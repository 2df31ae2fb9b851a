"""The Board, the controller and the administrator on their pages (§ 1.3.9, § 6.4.2, § 6.4.3)."""

import json
import re
from html import unescape

import pytest
from sqlalchemy import insert

from kskak.cases.case_events import CaseKind
from server.store import entries as entry_rows
from server.store.cases import cases as case_rows
from server.store.play import people as person_rows
from server.store.play.people import Office
from server.store.tables.people import clubs, members
from server.usecases.cases.case_actions import complain
from tests.fakes.cases import ready_for_votes, union_fee
from tests.fakes.site import MEMBERS, Site, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import case_of, decided, letter_in, letters_go

WARNED = {"paragraphs": "§ 6.4.2", "reasons": "Uhøflig."}


async def _unasked(site: Site, kaj: Browser) -> tuple[str, int]:
    """The controller's own case about Anna: its address, and Anna."""
    anna, game = await site.person("anna@example.org"), await site.game()
    controller = await site.person("kaj@example.org")
    about = (game.group_id, anna.id, CaseKind.CONDUCT, "Uhøflig over for alle.")
    opened = await complain(site.core, controller, *about)
    path = f"/desk/cases/{opened.number}"
    await kaj.post(f"{path}/close", {"text": "Hørt."})
    return path, anna.id


async def test_6_4_2_the_controller_warns_unasked_and_the_board_hears_it_without_a_deposit(
    site: Site, browsers: Browsers
):
    """§ 6.4.2 «såvel TL som KC»; § 1.3.9: a deposit only where the Board is third instance."""
    await officials(site)
    await union_fee(site.core, 540)
    kaj, anna = await browsers.of("kaj"), await browsers.of("anna")
    path, warned = await _unasked(site, kaj)
    assert (await case_of(site)).instance == "kc"
    tove = await browsers.of("tove")
    refused = await tove.post(f"{path}/decide", WARNED | {"step": "draft"})
    assert refused.status == 403, "it is not the leader's"
    page = unescape((await kaj.get(path))[1])
    form = page[page.index('id="decide"') :]
    named = re.findall(r'name="sanction-(\d+)"', form)
    assert named == [str(warned)], "nobody has complained of his opponents"
    await decided(kaj, path, WARNED | {f"sanction-{warned}": "quarantine", f"months-{warned}": "6"})
    await letters_go(site)
    shown = unescape((await anna.get(path))[1])
    assert "Der kræves intet depositum" in shown and "540,00" not in shown
    assert (await anna.post(f"{path}/appeal", {"text": "Jeg var ikke uhøflig."})).status == 303
    case = await case_of(site)
    assert (case.instance, case.state) == ("board", "appealed")
    nina = await browsers.of("nina")
    cards = unescape((await nina.get(path))[1])
    assert f"Afgørelsen {case.number}/1 stadfæstes" in cards
    await ready_for_votes(site.core, await site.person("nina@example.org"), case.id)
    for name in MEMBERS:
        vote = await (await browsers.of(name)).post(
            f"{path}/vote", {f"uphold-{warned}": "1", "text": ""}
        )
        assert vote.status == 303
    page = unescape((await nina.get(path))[1])
    card = page[page.index('id="readings"') : page.index('id="vote"')]
    assert f"Afgørelsen {case.number}/1 ophæves" in card and "stadfæstes</h3>" not in card
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', card))
    reasons = re.search(r'<textarea name="reasons" hidden>([^<]*)<', card)
    assert reasons is not None
    fields = {name: value for name, value in fields.items() if name not in ("csrf", "step")}
    text = await decided(nina, path, fields | {"reasons": reasons[1]})
    assert "ophæves" in letter_in(text)
    assert "Karantæne" not in unescape((await anna.get(f"/players/{warned}"))[1])


async def test_4_1_7_a_copy_of_a_sanction_goes_to_the_club_and_the_register(site, browsers):
    """§ 4.1.7, as § 4.1.19 is read in: the club's administrator, and the controller."""
    await officials(site)
    tove, anna = await browsers.of("tove"), await site.person("anna@example.org")
    await site.admit("clubadmin")
    admin, kaj = [await site.person(f"{one}@example.org") for one in ("clubadmin", "kaj")]
    async with site.core.store.write() as conn:
        made = insert(clubs).values(name="Nordre Skakklub").returning(clubs.c.id)
        club = (await conn.execute(made)).scalar_one()
        row = {"person_id": anna.id, "kind": "club", "club_id": club}
        await conn.execute(insert(members).values(row))
        await entry_rows.add_club_administrator(conn, club, admin.id, 1, site.core.now_us)
    game, leader = await site.game(), await site.person("tove@example.org")
    opened = await complain(
        site.core, leader, game.group_id, anna.id, CaseKind.CONDUCT, "Usportsligt."
    )
    path = f"/desk/cases/{opened.number}"
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, WARNED | {f"sanction-{anna.id}": "warning"})
    copies = {
        one.person_id
        for one in await site.written("decision")
        if json.loads(one.params).get("is_copy")
    }
    assert copies == {admin.id, kaj.id}


async def test_1_3_9_a_question_is_asked_answered_and_published(site: Site, browsers: Browsers):
    """§ 1.3.9: in general terms; the answer joins the earlier rulings on the desks."""
    await officials(site)
    anna, nina = await browsers.of("anna"), await browsers.of("nina")
    game = await site.game()
    asked = {"kind": "question", "text": "Må en spiller bruge en åbningsbog?"}
    answer = await anna.post(f"/games/{game.id}/object", asked)
    assert answer.status == 303
    path = str(answer.headers["Location"])
    assert path in (await nina.get("/desk/board"))[1]
    for name in MEMBERS:
        assert (await (await browsers.of(name)).post(f"{path}/vote", {"text": ""})).status == 303
    reply = {"paragraphs": "Kendelse 120", "reasons": "Ja: hjælp er tilladt i k-skak."}
    letter = letter_in(await decided(nina, path, reply))
    assert "Svar: Ja: hjælp er tilladt i k-skak." in letter and "ændrer ikke" not in letter
    wrong = await nina.post(f"{path}/publish", {"facts": "En bog.", "decided": ""})
    assert wrong.status == 422
    told = {"facts": "Må man bruge bøger?", "decided": "Ja."}
    assert (await anna.post(f"{path}/publish", told)).status == 403
    assert (await nina.post(f"{path}/publish", told)).status == 303
    async with site.core.store.read() as conn:
        ((case, _),) = await case_rows.list_published(conn)
    other = {"kind": "question", "text": "Og databaser?"}
    path = str((await anna.post(f"/games/{game.id}/object", other)).headers["Location"])
    page = unescape((await nina.get(path))[1])
    assert f"Kendelse {case.number}/1" in page and "Må man bruge bøger?" in page


async def test_1_3_9_who_is_party_to_a_dispute_asks_no_question(site: Site, browsers: Browsers):
    """§ 1.3.9: «ikke … stilling til en aktuel tvist»; and once it is decided he may."""
    await officials(site)
    anna, game = await browsers.of("anna"), await site.game()
    days = await anna.post(f"/games/{game.id}/object", {"kind": "days", "text": "Talt forkert."})
    assert days.status == 303
    asked = {"kind": "question", "text": "Må man?"}
    refused = await anna.post(f"/games/{game.id}/object", asked)
    assert refused.status == 422 and "tvist, der er i gang" in unescape(await refused.text())


@pytest.mark.parametrize("who", ["nina", "nils"])
async def test_1_3_9_a_member_excuses_himself_on_the_page(site: Site, browsers: Browsers, who: str):
    """§ 1.3.9: the next substitute sits; with none the administrator has it the same day."""
    await officials(site)
    for name, office in (("sub", Office.SUBSTITUTE), ("drift", Office.ADMIN)):
        await site.admit(name, office)
    anna, game = await browsers.of("anna"), await site.game()
    asked = {"kind": "question", "text": "Må man?"}
    path = str((await anna.post(f"/games/{game.id}/object", asked)).headers["Location"])
    member, admin = await browsers.of(who), await browsers.of("drift")
    assert "Sager, som ingen må afgøre" not in (await admin.get("/desk"))[1]
    one = (await site.person(f"{who}@example.org")).id
    gone = {"member": str(one), "text": "Jeg er spærret."}
    assert (await member.post(f"{path}/excuse", gone)).status == 303
    assert (await member.get(path))[0] == 404
    sub = await browsers.of("sub")
    page = unescape((await sub.get(path))[1])
    assert "Jeg er spærret." in page and "Stem i Skaknævnet" in page
    own = (await site.person("sub@example.org")).id
    again = {"member": str(own), "text": "Også jeg."}
    assert (await sub.post(f"{path}/excuse", again)).status == 303
    for desk in ("/desk", "/desk/kc"):
        text = unescape((await admin.get(desk))[1])
        assert "Sager, som ingen må afgøre" in text and path in text, desk
    told = [
        row
        for row in await site.written("case")
        if json.loads(row.params)["word"] == "unheard_board"
    ]
    assert len(told) == 1


async def test_1_3_9_the_board_has_three_members_and_three_substitutes(site, browsers):
    await officials(site)
    await site.admit("drift", Office.ADMIN)
    for name in ("a", "b", "c", "d"):
        await site.admit(name)
    drift = await browsers.of("drift")
    for office, room in (("board", 0), ("substitute", 3)):
        for index, name in enumerate("abcd"):
            form = {"email": f"{name}@example.org", "office": office, "group": ""}
            answer = await drift.post("/desk/kc/offices", form)
            assert (answer.status == 303) is (index < room), (office, name)
            if index >= room:
                assert "tre medlemmer og tre suppleanter" in unescape(await answer.text())
    async with site.core.store.read() as conn:
        held = await person_rows.list_offices(conn, site.core.now_us)
    assert sum(one.office == "substitute" for one in held) == 3
