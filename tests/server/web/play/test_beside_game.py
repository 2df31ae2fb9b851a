"""Own analysis, notes and the thread: kept, bounded, and seen by nobody else."""

import io
import re
import zipfile
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import chess.pgn
import pytest

from server.store.account.retention import forget_contacts
from server.store.play.notes_and_messages import NONE_YET, NOTES, TREES, find_text
from server.store.play.people import Office, Role
from tests.fakes.machinery.each import each
from tests.fakes.site import Site, officials
from tests.server.web.conftest import OWN, Browser, Browsers

SECRET = ("Hemmelig variant", "Hemmelig note", "1. Nf3 { Hemmelig variant } 1... Nf6")
CAST = ("bent", "soren", "tove", "kaj", "nina", "ole", "carl", "adam")
"""Opponent, a third player, leader, controller, Board, another's leader, captain, operator."""
STATEMENTS = ("/statement", "/statement.json", "/statement.txt")
EXPORTS = ("", *STATEMENTS, "/case.zip", "/object", "/end/time", ".pgn")
READERS = {"usecases/play/private_side.py", "web/play/game_documents.py"}
"""What asks the store for analysis and notes: neither the API nor any file of a game."""


@pytest.fixture
async def anna(browsers: Browsers) -> AsyncIterator[Browser]:
    """White's browser."""
    yield await browsers.of("anna")


TREE = "1. e4 e5 (1... c5!? {Siciliansk, som Åse Ærø i 1994 [%csl Gd4]} 2. Sf3 $1 d6) 2. 7163 *"
AS_JSON = {"Accept": "application/json"}


async def _save(browser: Browser, path: str, text: str, stamp: int = 0) -> tuple[int, str]:
    answer = await browser.post(f"{path}/tree", {"tree": text, "stamp": str(stamp)})
    return answer.status, await answer.text()


async def _by_script(browser: Browser, path: str, text: str, stamp: int) -> tuple[int, object]:
    fields = {"tree": text, "stamp": str(stamp)}
    answer = await browser.post(f"{path}/tree", fields, headers=OWN | AS_JSON)
    return answer.status, await answer.json()


async def _kept(browser: Browser, path: str) -> str:
    """The tree as its field has it."""
    page = (await browser.get(f"{path}/private"))[1]
    field = page[page.index('id="own-tree"') :]
    return " ".join(unescape(field[field.index(">") + 1 : field.index("</textarea>")]).split())


async def test_a_tree_is_kept_as_pgn_and_goes_on_with_the_game(site, anna, path, game):
    """Read in his own letters and in digits, laid over the game, taken along by a program."""
    await site.play(game, "e4")
    assert (await _save(anna, path, TREE))[0] == 303
    kept = await _kept(anna, path)
    assert "1... c5 $5 { Siciliansk, som Åse Ærø i 1994 [%csl Gd4] } 2. Nf3 $1 d6" in kept
    assert kept.split("Nf3")[-1].strip() == "*" and kept == await _kept(anna, path)
    for text in ("c5", "d4"):
        await site.play(await site.game(), text)
    file = await _all_text(anna, f"{path}/analysis.pgn")
    read = chess.pgn.read_game(io.StringIO(file))
    assert read is not None and not read.errors
    assert read.headers["White"] == "Anna Andersen"
    assert [node.san() for node in read.mainline()] == ["e4", "c5", "d4"], "the game comes first"
    assert {node.san() for node in read.next().variations} == {"c5", "e5"}  # type: ignore[union-attr]
    assert (await _save(anna, path, "", 1))[0] == 303
    assert await _kept(anna, path) == ""


async def test_lines_of_before_lie_where_their_position_was(site: Site, anna: Browser, path: str):
    """As the migration writes them; one whose position a ruling took away stays as words."""
    board = chess.Board()
    board.push_san("e4")
    await site.play(await site.game(), "e4")
    text = f'[FEN "{board.fen()}"]\n[SetUp "1"]\n\ne7e5 {{Roligt}} g1f3 *\n\n'
    gone = '[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n\na1a2 *'
    assert (await _save(anna, path, text + gone))[0] == 303
    kept = await _kept(anna, path)
    assert "1. e4 e5 { Roligt } 2. Nf3 *" in kept and "K1k5 w - - 0 1: a1a2 }" in kept


@each(
    "text said",
    ("1. e4 Lb6", "»Lb6« kan ikke spilles eller er ikke forstået som et træk."),
    ("1. e4 tja", "Det står efter 1. e4."),
    ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nxe5", "Det står efter 4. 0-0."),
    ("1. e4 e5 2. Nf3 Nc6 tja", "Det står efter 2… Sc6."),
    ("1. e4 (1. d4", "»(« mangler sin makker"),
    ("1. e4 {Åh", "»{« mangler sin makker"),
    ("1. e4 e5)", "»)« mangler sin makker"),
    ('[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"] 1. Ka2', "ikke har været i partiet her"),
    ("1. e4 {" + "å" * 60_000 + "}", "højst 60000 tegn"),
    ("1. Sf3 Sf6 " + "(1... d5 (1... c5 " * 40, "højst 60 parenteser"),
)
async def test_a_text_that_is_no_tree_is_refused_and_stays_in_its_field(anna, path, text, said):
    status, page = await _save(anna, path, text)
    assert (status, said in page) == (422, True)
    assert text.strip() in unescape(page)
    assert await _kept(anna, path) == ""
    status, answer = await _by_script(anna, path, text, 0)
    assert status == 422 and said in str(answer)


async def test_of_two_devices_neither_overwrites_the_other_unseen(anna: Browser, path: str):
    assert (await _by_script(anna, path, "1. e4", 0)) == (200, {"text": "1. e4 *", "stamp": 1})
    assert (await _by_script(anna, path, "1. d4", 0)) == (409, {"text": "1. e4 *", "stamp": 1})
    status, page = await _save(anna, path, "1. d4", 0)
    assert status == 409
    assert "1. e4 *</textarea>" in page and "1. d4</textarea>" in page
    assert 'name="stamp" value="1"' in page
    assert (await _save(anna, path, "1. e4 (1. d4)", 1))[0] == 303
    assert await _kept(anna, path) == "1. e4 ( 1. d4 ) *"


async def test_a_player_whose_contact_is_removed_leaves_nothing_of_it(site, anna, path):
    await _keeps_secrets(anna, path)
    async with site.core.store.write() as conn:
        await forget_contacts(conn, [(await site.person("anna@example.org")).id])
    async with site.core.store.read() as conn:
        game = await site.game()
        assert await conn.run_sync(find_text, TREES, game.id, game.white_id) == NONE_YET
        assert await conn.run_sync(find_text, NOTES, game.id, game.white_id) == NONE_YET


async def test_a_planned_answer_fills_the_field_when_its_move_came_and_is_never_sent(
    site: Site, anna: Browser, path: str
):
    await site.play(await site.game(), "e4")
    plans = "1. e4 e5 {Roligt [%plan]} (1... c5 2. Sf3 {[%plan] som altid}) 2. Sc3 {[%plan]}"
    assert (await _save(anna, path, plans))[0] == 303
    await site.play(await site.game(), "c5")
    page = (await anna.get(path))[1]
    assert "Din egen plan står i feltet: 2. Sf3. Intet er sendt." in page
    assert 'name="text" value="Sf3"' in page
    assert (await site.game()).ply == 2
    await site.play(await site.game(), "Sc3")
    await site.play(await site.game(), "e6")
    page = (await anna.get(path))[1]
    assert "Din egen plan" not in page and 'name="text" value=""' in page


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
    await site.admit("carl", Office.CAPTAIN, group, club="Nordre Skakklub")
    await site.admit("adam", role=Role.ADMIN)


async def _all_text(browser: Browser, address: str) -> str:
    """A page or file as it is sent, a zip's files one after the other."""
    answer = await browser.http.get(address)
    sent = await answer.read()
    if sent[:2] != b"PK":
        return sent.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(sent)) as files:
        return "".join(files.read(name).decode("utf-8", "replace") for name in files.namelist())


async def _keeps_secrets(anna: Browser, path: str) -> None:
    assert (await _save(anna, path, f"1. Sf3 {{{SECRET[0]}}} Sf6 2. Sc3"))[0] == 303
    assert (await anna.post(f"{path}/note", {"note": SECRET[1], "stamp": "0"})).status == 303


@pytest.mark.parametrize("is_over", [False, True])
async def test_nobody_else_ever_sees_what_a_player_keeps(site, browsers, anna, path, is_over):
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
        for page in ("private", "analysis.pgn"):
            own = await browser.http.get(f"{path}/{page}")
            text = await own.text()
            assert own.status == (200 if name == "bent" else 403), name
            assert not [word for word in SECRET if word in text], name
        for form in ("tree", "note", "thread", "delayed", "hold"):
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
    asking = re.compile(
        r"note_rows\.(?:find_text|save_text)|import .*find_text|notes_and_messages import .*OwnText"
    )
    found = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if asking.search(file.read_text(encoding="utf-8"))
    }
    assert {name for name in found if not name.startswith("store/")} == READERS
