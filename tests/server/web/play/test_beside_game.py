"""Own analysis, notes and the thread: kept, bounded, and seen by nobody else."""

import io
import re
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.account.retention import forget_contacts
from server.store.play import offices as office_rows
from server.store.play import people as person_rows
from server.store.play.offices import NewOffice, Office
from server.store.play.people import NewPerson, Role
from server.store.play.private_analysis import NO_NOTE, lines_of, note_of
from server.usecases.play import private_analysis as analysis
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import officials

SECRET = ("Hemmelig variant", "Hemmelig note", "g1f3 g8f6 b1c3")
CAST = ("bent", "soren", "tove", "kaj", "nina", "ole", "carl", "adam")
"""Opponent, a third player, leader, controller, Board, another's leader, captain, operator."""
STATEMENTS = ("/statement", "/statement.json", "/statement.txt")
EXPORTS = ("", *STATEMENTS, "/case.zip", "/object", "/end/time")
READERS = {
    "usecases/play/own_side.py",
    "usecases/play/private_analysis.py",
    "web/play/own_side_page.py",
}
"""What asks the store for analysis and notes: neither the API nor any file of a game."""


@pytest.fixture
async def path(site: Site) -> str:
    """The first game, Anna against Bent."""
    return f"/games/{(await site.game()).id}"


@pytest.fixture
async def anna(browsers: Browsers) -> AsyncIterator[Browser]:
    """White's browser."""
    yield await browsers.of("anna")


async def _line(browser: Browser, path: str, **fields: str) -> tuple[int, str]:
    wished = {"deed": "save", "ply": "0", "line": "", "moves": "Sf3 Sf6 Sc3", "comment": ""}
    answer = await browser.post(f"{path}/lines", wished | fields)
    return answer.status, await answer.text()


async def _kept(browser: Browser, path: str) -> list[tuple[str, str, str]]:
    """Id, ply and moves of the lines that the page has for the board."""
    page = (await browser.get(path))[1]
    found = r'<li data-line="(\d+)" data-ply="(\d+)" data-moves="([^"]*)">'
    return re.findall(found, page)


async def test_a_line_survives_reload_and_the_opponents_moves_and_says_how_the_game_went(
    site: Site, anna: Browser, path: str
):
    game = await site.game()
    await site.play(game, "e4")
    said = (
        (None, "Begynder i stillingen, som den er nu."),
        ("e5", "Partiet har fulgt varianten til 1… e5."),
        ("Sf3", "Partiet har fulgt varianten til 2. Sf3."),
        ("Sf6", "Partiet gik en anden vej i 2. træk: 2… Sf6."),
        ("Sc3", "Partiet gik en anden vej i 2. træk: 2… Sf6."),
    )
    assert (await _line(anna, path, ply="1", moves="e5 2. Nf3 Nc6", comment="Roligt"))[0] == 303
    for text, told in said:
        if text:
            await site.play(game, text)
        for page in (path, f"{path}/private"):
            shown = (await anna.get(page))[1]
            assert told in shown, (text, page)
            assert "1… e5 2. Sf3 Sc6" in shown and "Roligt" in shown
    ((_, ply, moves),) = await _kept(anna, path)
    assert (ply, moves) == ("1", "e7e5 g1f3 b8c6")


async def test_the_whole_line_was_played(site: Site, anna: Browser, path: str):
    assert (await _line(anna, path, moves="e2e4 e7e5"))[0] == 303
    for text in ("e4", "e5", "d4"):
        await site.play(await site.game(), text)
    assert "Partiet har fulgt hele varianten." in (await anna.get(path))[1]


async def test_a_line_is_changed_and_removed_on_its_own_page(anna: Browser, path: str):
    await _line(anna, path, comment="Først")
    ((number, _, _),) = await _kept(anna, path)
    form = (await anna.get(f"{path}/private?line={number}"))[1]
    assert "Ret varianten" in form and "1. Sf3 Sf6 2. Sc3</textarea>" in form
    assert (await _line(anna, path, line=number, moves="d4", comment="Nu"))[0] == 303
    assert await _kept(anna, path) == [(number, "0", "d2d4")]
    for _ in range(2):
        answer = await anna.post(f"{path}/lines", {"deed": "remove", "line": number})
        assert answer.status == 303
    assert await _kept(anna, path) == []
    assert (await _line(anna, path, line=number))[0] == 422, "it is gone, and nothing is lost"


async def test_a_line_to_be_changed_is_written_as_a_field_reads_it(anna: Browser, path: str):
    await _line(anna, path)
    ((number, _, moves),) = await _kept(anna, path)
    for writing in ("figurines", "long", "numeric", "english"):
        await anna.post("/settings/notation", {"writing": writing})
        form = (await anna.get(f"{path}/private?line={number}"))[1]
        written = form[: form.index("</textarea>")].rpartition(">")[2]
        assert (await _line(anna, path, line=number, moves=written))[0] == 303, written
        assert await _kept(anna, path) == [(number, "0", moves)]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"moves": "  "}, "Skriv variantens træk først."),
        ({"moves": "e4 Lb6"}, "«Lb6» kan ikke spilles i stillingen."),
        ({"moves": "e4 tja"}, "«tja» er ikke forstået som et træk."),
        ({"moves": "Sf3 Sf6 Sg1 Sg8 " * 16}, "højst 60 træk"),
        ({"comment": "å" * 1001}, "højst 1000 tegn"),
        ({"ply": "7"}, "Vælg en stilling, der har været i partiet."),
        ({"ply": "-1"}, "Vælg en stilling, der har været i partiet."),
        ({"line": "77"}, "Varianten findes ikke mere."),
    ],
)
async def test_what_is_wrong_is_said_beside_the_field_and_what_was_typed_stays(
    anna: Browser, path: str, fields: dict[str, str], said: str
):
    status, text = await _line(anna, path, **({"comment": "bliver her"} | fields))
    assert status == 422
    assert said in text
    assert fields.get("comment", "bliver her") in text
    assert fields.get("moves", "Sf3 Sf6 Sc3").strip() in text
    assert await _kept(anna, path) == []


async def test_there_is_room_for_so_many_lines_and_no_more(
    monkeypatch: pytest.MonkeyPatch, anna: Browser, path: str
):
    monkeypatch.setattr(analysis, "MOST_LINES", 2)
    assert [(await _line(anna, path))[0] for _ in range(3)] == [303, 303, 422]
    assert len(await _kept(anna, path)) == 2


async def test_a_note_that_two_tabs_edit_loses_neither_text(anna: Browser, path: str):
    async def save(text: str, stamp: str) -> tuple[int, str]:
        answer = await anna.post(f"{path}/note", {"note": text, "stamp": stamp})
        return answer.status, await answer.text()

    assert (await save("Fra den ene fane", "0"))[0] == 303
    assert (await save("Fra den ene fane", "0"))[0] == 303, "a double click"
    status, text = await save("Fra den anden fane", "0")
    assert status == 409
    assert "Fra den ene fane" in text and "Fra den anden fane" in text
    assert 'name="stamp" value="1"' in text
    assert "Fra den ene fane" in (await anna.get(path))[1]
    assert (await save("Begge dele", "1"))[0] == 303
    page = (await anna.get(path))[1]
    assert "Begge dele" in page and "Fra den" not in page
    status, text = await save("x" * 20_001, "2")
    assert status == 422 and "x" * 20_001 in text and "højst 20000 tegn" in text


async def _officials(site: Site) -> None:
    """Beside the desk's: Anna's captain and an operator."""
    await officials(site)
    group = (await site.game()).group_id
    async with site.core.store.write() as conn:
        carl = NewPerson(
            name="Carl", email="carl@example.org", created_us=0, club="Nordre Skakklub"
        )
        person = await person_rows.add(conn, carl)
        await office_rows.add(conn, NewOffice(person, Office.CAPTAIN.value, group, 0, 1))
        adam = NewPerson(name="Adam", email="adam@example.org", created_us=0, role=Role.ADMIN)
        await person_rows.add(conn, adam)


async def _all_text(browser: Browser, address: str) -> str:
    """A page or file as it is sent, a zip's files one after the other."""
    answer = await browser.http.get(address)
    sent = await answer.read()
    if sent[:2] != b"PK":
        return sent.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(sent)) as files:
        return "".join(files.read(name).decode("utf-8", "replace") for name in files.namelist())


async def _keeps_secrets(anna: Browser, path: str) -> None:
    fields = {"moves": "Sf3 Sf6 Sc3", "comment": SECRET[0]}
    assert (await _line(anna, path, **fields))[0] == 303
    assert (await anna.post(f"{path}/note", {"note": SECRET[1], "stamp": "0"})).status == 303


@pytest.mark.parametrize("is_over", [False, True])
async def test_nobody_else_ever_sees_what_a_player_keeps(
    site: Site, browsers: Browsers, anna: Browser, path: str, is_over: bool
):
    """No office, no case, no export, no interface, not when the game is over either."""
    await _officials(site)
    await _keeps_secrets(anna, path)
    await site.play(await site.game(), "f3", days=1 if is_over else 45)
    if is_over:
        for text in ("e5", "g4", "Dh4"):
            await site.play(await site.game(), text)
    else:
        bent = await browsers.of("bent")
        answer = await bent.post(f"{path}/end/time", {"key": "k", "ply": "1"})
        assert answer.headers["Location"].startswith("/desk/cases/")
    for name in CAST:
        browser = await browsers.of(name)
        for address in (*(path + ending for ending in EXPORTS), "/", "/pgn/K-26-01.pgn"):
            text = await _all_text(browser, address)
            assert not [word for word in SECRET if word in text], (name, address)
        own = await browser.http.get(f"{path}/private")
        text = await own.text()
        assert own.status == (200 if name == "bent" else 403), name
        assert not [word for word in SECRET if word in text], name
        for form in ("lines", "note", "thread", "delayed", "hold"):
            if name != "bent":
                assert (await browser.post(f"{path}/{form}", {})).status == 403, (name, form)
    stranger = await browsers.stranger()
    assert not [word for word in SECRET if word in await _all_text(stranger, path)]
    answer = await stranger.http.get(f"{path}/private", allow_redirects=False)
    assert answer.headers["Location"].startswith("/signin")
    mine = [(await anna.get(page))[1] for page in (path, f"{path}/private")]
    assert all(word in page for word in SECRET for page in mine), "it stays for its owner"


def test_only_the_players_own_pages_ask_the_store_for_analysis_and_notes():
    root = Path(__file__).parents[4] / "server"
    asking = re.compile(r"from server\.store\.play(\.| import )private_analysis")
    found = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if asking.search(file.read_text(encoding="utf-8"))
    }
    assert {name for name in found if not name.startswith("store/")} == READERS


async def test_the_opponents_form_does_not_reach_anothers_line(
    browsers: Browsers, anna: Browser, path: str
):
    await _keeps_secrets(anna, path)
    ((number, _, _),) = await _kept(anna, path)
    bent = await browsers.of("bent")
    await bent.post(f"{path}/lines", {"deed": "remove", "line": number})
    assert (await _line(bent, path, line=number, moves="d4"))[0] == 422
    assert SECRET[0] not in (await bent.get(f"{path}/private?line={number}"))[1]
    assert [moves for _, _, moves in await _kept(anna, path)] == ["g1f3 g8f6 b1c3"]


async def test_a_player_whose_contact_is_removed_leaves_nothing_of_it(
    site: Site, anna: Browser, path: str
):
    await _keeps_secrets(anna, path)
    async with site.core.store.write() as conn:
        await forget_contacts(conn, [(await site.person("anna@example.org")).id])
    async with site.core.store.read() as conn:
        game = await site.game()
        assert await conn.run_sync(lines_of, game.id, game.white_id) == ()
        assert await conn.run_sync(note_of, game.id, game.white_id) == NO_NOTE
