"""§ 6.1, § 6.4.4.1: a newcomer asks to join, proves his address, is admitted and enters."""

from datetime import date

import pytest

from server.store.engine.types import DAY_US
from server.store.play import postal_addresses as address_rows
from server.store.play.people import NewPerson, insert_in
from server.store.register import join_requests as rows
from server.store.register import members as register_rows
from server.store.register.join_requests import JoinRow
from server.usecases.desks import retention
from server.usecases.register import join_requests
from server.usecases.register.join_requests import JoinFault, Joining
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.world import ANNA, KC, World

NEW = "jogvan@example.fo"
ASKED = {
    "name": "Jógvan á Rógvi", "email": NEW, "born": "1961-04-05", "kind": "club",
    "club": "Havnar Telvingarfelag", "member": "4712", "address": "Gøta 1\n100 Tórshavn",
}  # fmt: skip


async def _ask(one: Browser, **other: str) -> Page:
    return await one.submit(await one.get("/join"), "/join", **(ASKED | other))


async def _requests(world: World) -> list[JoinRow]:
    async with world.core.store.read() as conn:
        found = [await rows.find(conn, number) for number in range(1, 30)]
    return [row for row in found if row is not None]


async def _confirmed(world: World, one: Browser, **other: str) -> None:
    await _ask(one, **other)
    await world.pump()
    link = world.letters(other.get("email", NEW))[-1].link("/join/")
    assert (await one.submit(await one.get(link), "")).status == 200
    await world.pump()


@pytest.mark.both_engines
async def test_a_newcomer_is_admitted_by_one_click_and_stands_before_the_entry_form(
    world: World,
) -> None:
    async with browser(world) as new, browser(world) as kaj:
        assert "/join" in (await new.get("/")).links
        shown = await _ask(new)
        assert shown.path == "/join/sent", "a page that can be reloaded"
        await world.pump()
        (letter,) = world.letters(NEW)
        assert "Jógvan á Rógvi" in letter.said
        page = await new.get(letter.link("/join/"))
        assert "Havnar Telvingarfelag" in page.text
        assert [row.state for row in await _requests(world)] == ["asked"], "looking proves nothing"
        assert "En official ser på" in (await new.submit(page, "")).text
        await world.pump()
        assert "Jógvan á Rógvi" in world.letters(KC)[-1].said
        await kaj.sign_in(KC)
        desk = await kaj.get("/desk/join")
        assert "5. april 1961" in desk.text and NEW in desk.text
        fields = {"name": ASKED["name"], "kind": "individual", "club": ""}
        done = await kaj.submit(desk, "/admit", **fields)
        assert (done.status, done.path) == (200, "/desk/join"), done.text
        assert "Spilleren er optaget" in done.text
        await world.pump()
        welcome = world.letters(NEW)[-1]
        entered = await new.submit(await new.get(welcome.link("/login/")), "")
        assert entered.path == "/enter" and "Mine tilmeldinger" in entered.text
    person = await world.person(NEW)
    async with world.core.store.read() as conn:
        member = await register_rows.find(conn, person.id)
        kept = await address_rows.of_people(conn, [person.id])
    assert member is not None and (member.kind, member.birth) == ("individual", "1961-04-05")
    assert kept[person.id].text == "Gøta 1\n100 Tórshavn"
    (row,) = await _requests(world)
    assert (row.state, row.birth, row.address) == ("admitted", None, None), "only once kept"
    await world.assert_whole(also=(NEW,))


async def test_a_club_that_the_register_does_not_know_is_said_and_nothing_happens(
    lite: World,
) -> None:
    async with browser(lite) as new, browser(lite) as kaj:
        await _confirmed(lite, new)
        await kaj.sign_in(KC)
        fields = {"name": ASKED["name"], "kind": "club", "club": ASKED["club"]}
        refused = await kaj.submit(await kaj.get("/desk/join"), "/admit", **fields)
        assert refused.status == 422 and "Havnar Telvingarfelag" in refused.text
        empty = await kaj.submit(await kaj.get("/desk/join"), "/decline", reason=" ")
        assert empty.status == 422 and "Skriv en begrundelse" in empty.text
    assert [row.state for row in await _requests(lite)] == ["confirmed"]


async def test_who_stands_in_the_register_is_shown_by_what_agrees_and_gets_his_address(
    lite: World,
) -> None:
    async with lite.core.store.write() as conn:
        known = NewPerson(name="Jógvan á Rógvi", email="5@no-mail.invalid", created_us=0,
                          member="4712", birth="1961-04-05")  # fmt: skip
        number = await conn.run_sync(insert_in, known)
    async with browser(lite) as new, browser(lite) as kaj:
        await _confirmed(lite, new)
        await kaj.sign_in(KC)
        desk = await kaj.get("/desk/join")
        assert "Det samme: medlemsnummeret, fødselsdatoen, navnet" in desk.text
        assert desk.form("/admit").fields["person"] == str(number)
        done = await kaj.submit(desk, "/admit")
        assert done.status == 200, done.text
    assert (await lite.person(NEW)).id == number


async def test_no_is_said_with_a_reason_and_a_second_click_changes_nothing(lite: World) -> None:
    async with browser(lite) as new, browser(lite) as kaj:
        await _confirmed(lite, new)
        await kaj.sign_in(KC)
        desk = await kaj.get("/desk/join")
        for reason in ("Nummeret er en andens.", "Fejl"):
            assert (await kaj.submit(desk, "/decline", reason=reason)).status == 200
        await lite.pump()
    assert [letter.subject for letter in lite.letters(NEW)].count(
        "Svar på, at du gerne vil være med"
    ) == 1
    assert "Nummeret er en andens." in lite.letters(NEW)[-1].said
    assert [row.reason for row in await _requests(lite)] == ["Nummeret er en andens."]
    lite.clock.wait(days=32)
    await retention.daily(lite.core)
    assert await _requests(lite) == []


async def test_nobody_learns_who_is_registered_and_who_is_gets_a_link_to_sign_in(
    lite: World,
) -> None:
    count = len(lite.letters(ANNA))
    async with browser(lite) as one:
        pages = [await _ask(one, email=email) for email in (ANNA.upper(), NEW)]
    assert pages[0].html == pages[1].html
    await lite.pump()
    assert "/login/" in lite.letters(ANNA, count)[0].said
    assert [row.email for row in await _requests(lite)] == [NEW]


def _joining(email: str = NEW) -> Joining:
    born = date(1961, 4, 5)
    return Joining("Ali al-Kindī علي", email, "en", born, "none")


async def test_an_address_gets_three_letters_and_all_addresses_together_a_bounded_number(
    lite: World, monkeypatch
) -> None:
    for _ in range(5):
        assert await join_requests.ask_to_join(lite.core, _joining()) is None
    await lite.pump()
    assert len(lite.letters(NEW)) == join_requests.MOST_OF_ONE == 3
    monkeypatch.setattr(join_requests, "MOST_UNPROVED", 3)
    assert await join_requests.ask_to_join(lite.core, _joining("b@example.org")) is JoinFault.BUSY
    lite.clock.wait(days=6)
    await retention.daily(lite.core)
    assert await join_requests.ask_to_join(lite.core, _joining("b@example.org")) is None


async def test_one_client_may_not_ask_for_ever(lite: World) -> None:
    async with browser(lite) as one:
        statuses = [(await _ask(one, email=f"a{n}@example.org")).status for n in range(6)]
    assert statuses == [200] * 5 + [429]


async def test_what_is_not_confirmed_is_forgotten_with_its_letter_and_its_link_is_dead(
    lite: World,
) -> None:
    async with browser(lite) as one:
        await _ask(one)
        await lite.pump()
        link = lite.letters(NEW)[-1].link("/join/")
        lite.clock.wait(days=join_requests.UNPROVED_US // DAY_US)
        assert (await one.get(link)).status == 410
        lite.clock.wait(days=1)
        await retention.daily(lite.core)
    assert await _requests(lite) == []
    (letter,) = await lite.outbox("join")
    assert (letter.raw, letter.to_addr, letter.params) == (None, "", "{}")


async def test_who_asks_again_is_who_he_said_last(lite: World) -> None:
    async with browser(lite) as one:
        await _confirmed(lite, one)
        await _confirmed(lite, one, name="Jógvan Rógvi")
    assert [(row.name, row.state) for row in await _requests(lite)] == [
        ("Jógvan Rógvi", "confirmed")
    ]


async def test_the_desk_is_the_controllers_and_the_administrators_alone(lite: World) -> None:
    async with browser(lite) as new, browser(lite) as anna:
        await _confirmed(lite, new)
        await anna.sign_in(ANNA)
        assert (await anna.get("/desk/join")).status == 404
        for deed in ("admit", "decline"):
            token = {"csrf": (await anna.get("/settings")).forms[0].fields["csrf"]}
            answer = await anna.post(
                f"/desk/join/1/{deed}", token | {"reason": "Nej", "kind": "none"}
            )
            assert answer.status == 404, deed
        assert (await new.get("/desk/join")).path.startswith("/signin")
    assert [row.state for row in await _requests(lite)] == ["confirmed"]
