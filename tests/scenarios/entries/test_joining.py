"""§ 6.1, § 6.4.4.1: a newcomer asks to join, proves his address, is admitted and enters."""

from dataclasses import replace
from datetime import date

import pytest

from server.store import members as member_rows
from server.store import register as register_rows
from server.store.engine.rows import DAY_US
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, insert_in
from server.store.register import JoinRow
from server.usecases.account import signin
from server.usecases.desks import readiness
from server.usecases.register import join_requests as joining
from server.usecases.register.join_requests import Joining
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
        found = [await register_rows.find(conn, number) for number in range(1, 30)]
    return [row for row in found if row is not None]


async def _confirmed(world: World, one: Browser, **other: str) -> None:
    await _ask(one, **other)
    await world.pump()
    link = world.letters(other.get("email", NEW))[-1].link("/join/")
    assert (await one.submit(await one.get(link), "")).status == 200
    await world.pump()


@pytest.mark.both_engines
async def test_a_newcomer_is_admitted_by_one_click_and_stands_before_the_entry_form(world):
    async with browser(world) as new, browser(world) as kaj:
        assert "/join" in (await new.get("/")).links
        shown = await _ask(new)
        assert shown.path == "/join/sent", "a page that can be reloaded"
        await world.pump()
        (letter,) = world.letters(NEW)
        assert "Rógvi" not in letter.said + str(letter.mail["To"]), "nobody has proved it"
        page = await new.get(letter.link("/join/"))
        assert "Havnar Telvingarfelag" in page.text
        assert [row.state for row in await _requests(world)] == ["asked"], "looking proves nothing"
        assert "eller en turneringsleder ser på" in (await new.submit(page, "")).text
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
        async with world.core.store.read() as conn:
            member = await member_rows.find_member(conn, (await world.person(NEW)).id)
        assert member is not None and member.email_proved_us, "proved before he was admitted"
        welcome = world.letters(NEW)[-1]
        entered = await new.submit(await new.get(welcome.link("/login/")), "")
        assert entered.path == "/enter" and "Åbne for dig" in entered.text
    person = await world.person(NEW)
    async with world.core.store.read() as conn:
        member = await member_rows.find_member(conn, person.id)
        kept = await person_rows.postal_addresses_of(conn, [person.id])
    assert member is not None and (member.kind, member.birth) == ("individual", "1961-04-05")
    assert kept[person.id].text == "Gøta 1\n100 Tórshavn"
    (row,) = await _requests(world)
    assert (row.state, row.birth, row.address) == ("admitted", None, None), "only once kept"
    await world.assert_whole(also=(NEW,))


async def test_a_club_that_the_register_does_not_know_is_said_and_nothing_happens(lite):
    async with browser(lite) as new, browser(lite) as kaj:
        await _confirmed(lite, new)
        await kaj.sign_in(KC)
        fields = {"name": ASKED["name"], "kind": "club", "club": ASKED["club"]}
        refused = await kaj.submit(await kaj.get("/desk/join"), "/admit", **fields)
        assert refused.status == 422 and "Havnar Telvingarfelag" in refused.text
        empty = await kaj.submit(await kaj.get("/desk/join"), "/decline", reason=" ")
        assert empty.status == 422 and "Skriv en begrundelse" in empty.text
    assert [row.state for row in await _requests(lite)] == ["confirmed"]


async def test_who_stands_in_the_register_is_shown_by_what_agrees_and_gets_his_address(lite):
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
        "Svar på dit ønske om at være med"
    ) == 1
    assert "Nummeret er en andens." in lite.letters(NEW)[-1].said
    assert [row.reason for row in await _requests(lite)] == ["Nummeret er en andens."]
    lite.clock.wait(days=32)
    await readiness.daily(lite.core)
    assert await _requests(lite) == []


async def test_nobody_learns_who_is_registered_and_who_is_gets_a_link_to_sign_in(lite):
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


@pytest.mark.both_engines
async def test_an_address_gets_three_letters_and_its_newest_link_has_the_newest_words(world):
    for number in range(5):
        asked = replace(_joining(), name=f"Ali {number}nd")
        assert await joining.ask_to_join(world.core, asked) is None
    await world.pump()
    letters = world.letters(NEW)
    assert len(letters) == joining.MOST_OF_ONE == 3
    async with browser(world) as one:
        pages = [(await one.get(letter.link("/join/"))).text for letter in letters]
    shown = sorted(number for number in range(5) if any(f"Ali {number}nd" in p for p in pages))
    assert shown == [0, 1, 4], "the third link has the last words"


async def test_many_unproved_requests_shut_nobody_out_and_tell_nothing(lite, monkeypatch):
    """Over the limit the oldest makes room; registered and unregistered are answered alike."""
    monkeypatch.setattr(joining, "MOST_UNPROVED", 3)
    for number in range(300):
        asked = _joining(f"a{number}@example.org")
        assert await joining.ask_to_join(lite.core, asked) is None
    count = len(lite.letters(ANNA))
    async with browser(lite) as one:
        pages = [await _ask(one, email=email) for email in (NEW, ANNA)]
        assert pages[0].html == pages[1].html and {page.status for page in pages} == {200}
        await lite.pump()
        assert "/login/" in lite.letters(ANNA, count)[0].said
        link = lite.letters(NEW)[-1].link("/join/")
        assert (await one.submit(await one.get(link), "")).status == 200
    async with lite.core.store.read() as conn:
        kept = [
            row for n in range(1, 400) if (row := await register_rows.find(conn, n)) is not None
        ]
    assert len(kept) <= 4 and NEW in {row.email for row in kept}


async def test_a_club_evening_on_one_wifi_joins_and_yet_one_client_may_not_ask_for_ever(lite):
    """Twenty people from one address, some of whom write it wrong first; then there is an end."""
    async with browser(lite) as one:
        for number in range(20):
            assert (await _ask(one, email=f"a{number}@example.org")).status == 200
            assert (await _ask(one, email=f"a{number} example.org")).status == 422
        await lite.pump()
        assert all(len(lite.letters(f"a{number}@example.org")) == 1 for number in range(20))
        statuses = [(await _ask(one, email=f"b{n}@example.org")).status for n in range(21)]
    assert statuses == [200] * 20 + [429]


async def test_a_link_is_not_kept_in_clear_once_it_was_sent(lite: World) -> None:
    """Neither to join, nor to be welcomed, nor to sign in; what a bounce needs stays."""
    async with browser(lite) as new, browser(lite) as kaj:
        await _confirmed(lite, new)
        await kaj.sign_in(KC)
        fields = {"name": ASKED["name"], "kind": "individual", "club": ""}
        await kaj.submit(await kaj.get("/desk/join"), "/admit", **fields)
        await signin.request_link(lite.core, ANNA)
        queued = [row for row in await lite.outbox() if row.kind == "sign_in"]
        assert "/login/" in queued[-1].params, "it is yet to be written"
        await lite.pump()
    assert "/login/" in lite.letters(NEW)[-1].said and "/login/" in lite.letters(ANNA)[-1].said
    for row in await lite.outbox():
        kept = row.params.encode() + (row.raw or b"")
        assert b"/login/" not in kept and b"/join/" not in kept, row.kind
        assert row.kind not in ("join", "sign_in") or (row.raw and b"To:" in row.raw)


async def test_what_is_not_confirmed_is_forgotten_with_its_letter_and_its_link_is_dead(lite):
    async with browser(lite) as one:
        await _ask(one)
        await lite.pump()
        link = lite.letters(NEW)[-1].link("/join/")
        lite.clock.wait(days=joining.UNPROVED_US // DAY_US)
        assert (await one.get(link)).status == 410
        assert (await one.post(link, {})).status == 410, "a page left open that long"
        assert [row.state for row in await _requests(lite)] == ["asked"]
        lite.clock.wait(days=1)
        await readiness.daily(lite.core)
    assert await _requests(lite) == []
    (letter,) = await lite.outbox("join")
    assert (letter.raw, letter.to_addr, letter.params) == (None, "", "{}")


@pytest.mark.parametrize("local", ["parti", "PARTI", "post", "bounce+a"])
async def test_an_address_of_the_servers_own_is_nobodys(lite: World, local: str) -> None:
    """A letter to it would be answered by the server, and so on for ever."""
    domain = lite.core.settings.mail.domain
    async with browser(lite) as one:
        for email in (f"{local}@{domain}", f"{local}@{domain.upper()}"):
            asked = await _ask(one, email=email)
            assert asked.status == 422 and "Skriv din egen mailadresse" in asked.text, email
    await lite.pump()
    assert await _requests(lite) == [] and not await lite.outbox("join")


async def test_a_request_that_is_not_there_is_nobodys_to_decide(lite: World) -> None:
    """Forgotten while the desk's page was open; or asked, and never proved by its letter."""
    async with browser(lite) as one, browser(lite) as kaj:
        await kaj.sign_in(KC)
        await _ask(one)
        (row,) = await _requests(lite)
        desk = await kaj.get("/desk/join")
        for request in (row.id, 999):
            for deed in ("admit", "decline"):
                path = f"/desk/join/{request}/{deed}"
                done = await kaj.post(path, {"csrf": _csrf(desk), "reason": "Nej"} | ASKED)
                assert done.status in (404, 409, 410, 422), (path, done.status)
        assert [one.state for one in await _requests(lite)] == ["asked"]


def _csrf(page: Page) -> str:
    return next(form.fields["csrf"] for form in page.forms if "csrf" in form.fields)


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
