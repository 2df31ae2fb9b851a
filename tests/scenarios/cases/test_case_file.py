"""The case file of a game: complete for the leader, checked by somebody who trusts nobody."""

import asyncio
import base64
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import update

from mail.outgoing.envelope import in_text
from server.store.play.people import Office
from server.store.tables.cases import cases
from server.usecases.cases.case_file import (
    NoCase,
    Reader,
    as_zip,
    build_file,
    file_of_game,
    may_have,
)
from tests.fakes.cases import claimed_case, officer, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import PNG, begin_postal, enter
from tests.fakes.world import ANNA, BO, CAPTAIN, KC, TL, World, command

OPERATOR = Reader(None, is_official=True)


async def played(world: World, anna: Player, bo: Player) -> None:
    """Some moves, an impossible one and a message."""
    assert await anna.reply("e4") == "moved"
    assert await bo.reply("1... e6") == "moved"
    assert await anna.reply("2. Sxf6") == "illegal"
    assert await anna.reply("2. d4\n\nHilsen Anna") == "moved"


async def fetched(world: World, who: str) -> dict[str, bytes]:
    async with browser(world) as one:
        await one.sign_in(who)
        async with one.session.get(one._url(f"/games/{world.game}/case.zip")) as answer:
            assert answer.status == 200, await answer.text()
            data = await answer.read()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


async def test_the_file_holds_account_ledger_mails_diagram_and_chain(world, anna, bo):
    """§ 6.2.3, § 6.3.3.5."""
    await played(world, anna, bo)
    files = await fetched(world, TL)
    assert files["diagram.png"].startswith(b"\x89PNG")
    assert b"5254" in files["account.txt"] and b"6.8.6" in files["account.txt"]
    assert json.loads(files["ledger.json"])["format"] == "kskak-ledger/1"
    assert json.loads(files["account.json"])["totals"]["white"] == 3
    assert b"1. e4 " in files["game.pgn"]
    came = [name for name in files if name.startswith("mails/in/")]
    went = [name for name in files if name.startswith("mails/out/")]
    assert len(came) == 4
    assert len(went) == len([row for row in await world.outbox() if row.game_id])
    records = json.loads(files["mails/deliveries.json"])
    assert {one["state"] for one in records["out"]} == {"sent"}
    assert [one["outcome"] for one in records["in"]] == ["moved", "moved", "illegal", "moved"]


async def test_the_chain_is_checked_by_the_snippet_and_a_changed_event_is_found(
    world: World, anna: Player, bo: Player, tmp_path: Path
) -> None:
    """The snippet stands in VERIFY.txt; nothing of the server is used to run it."""
    await played(world, anna, bo)
    files = await fetched(world, TL)
    text = files["VERIFY.txt"].decode()
    code = "\n".join(
        line.removeprefix("    ") for line in text[text.index("    import hashlib") :].splitlines()
    )
    assert _run(code, files["chain.txt"], tmp_path) == 0
    assert _run(code, files["chain.txt"].replace(b'"5254"', b'"4244"'), tmp_path) == 1
    lines = files["chain.txt"].splitlines(keepends=True)
    assert _run(code, b"".join(lines[:4] + lines[5:]), tmp_path) == 1
    assert _run(code, b"".join(lines[:-2] + lines[-1:]), tmp_path) == 1


def _run(code: str, chain: bytes, folder: Path) -> int:
    (folder / "chain.txt").write_bytes(chain)
    run = [sys.executable, "-I", "-c", code]
    return subprocess.run(run, cwd=folder, capture_output=True, check=False).returncode


async def test_the_shell_steps_of_verify_give_the_hashes_that_they_say(lite, tmp_path):
    """The first link and the first event, by sha256sum as the text has them; then all sums."""
    anna = Player(lite)
    assert await anna.reply("e4") == "moved"
    files = await fetched(lite, TL)
    lines = files["VERIFY.txt"].decode().splitlines()
    steps = [i for i, line in enumerate(lines) if line.strip().endswith("| sha256sum")]
    assert len(steps) == 2
    for step in steps:
        line = lines[step].strip().replace("xxd -r -p", f"{sys.executable} -c '{_UNHEX}'")
        said = await asyncio.to_thread(_shell, line)
        expected = next(one.strip() for one in lines[step + 1 :] if one.strip())
        assert said.split()[0] == expected
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256(files[name]).hexdigest() == digest
    assert len(files["SHA256SUMS"].splitlines()) == len(files) - 1


def _shell(line: str) -> str:
    run = ["bash", "-c", line]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


_UNHEX = "import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))"


async def test_a_party_gets_his_own_mails_and_only_the_record_of_the_opponents(world, anna, bo):
    """The opponent's failed tries and his keys are not the other's to read."""
    await played(world, anna, bo)
    files = await fetched(world, BO)
    everything = b"".join(data for name, data in files.items() if name.startswith("mails/"))
    assert b"Sxf6" not in everything
    mine = {in_text(letter.raw) for letter in world.letters(BO)}
    went = [data for name, data in files.items() if name.startswith("mails/out/")]
    assert went and set(went) <= mine
    newest_key = anna.letters[-1].reply_to
    assert newest_key is not None
    assert newest_key.encode() not in everything
    assert b"one of the players" in files["INDEX.txt"]
    outcomes = [one["outcome"] for one in json.loads(files["mails/deliveries.json"])["in"]]
    assert outcomes == ["moved", "moved", "illegal", "moved"], "what became something"
    assert "chain.txt" in files


async def test_the_same_facts_give_the_same_octets(lite: World) -> None:
    anna = Player(lite)
    await anna.reply("e4")
    first = as_zip(await file_of_game(lite.core, lite.game, OPERATOR))
    lite.clock.wait(days=9)
    assert as_zip(await file_of_game(lite.core, lite.game, OPERATOR)) == first


async def test_cards_are_in_the_file_with_their_pictures(lite: World) -> None:
    await begin_postal(lite)
    lite.clock.go(date(2026, 11, 9))
    scan = base64.b64encode(PNG).decode()
    await enter(lite, "white", "e4", postmark=date(2026, 11, 3), scan=scan, note="fra Aarhus")
    files = dict(await file_of_game(lite.core, lite.game, OPERATOR))
    assert files["cards/1.png"] == PNG
    (card,) = json.loads(files["cards/cards.json"])
    assert card["picture_sha256"] == hashlib.sha256(PNG).hexdigest()
    assert (card["entered_by"], card["note"]) == ("Anna Ager", "fra Aarhus")


async def test_a_game_by_name_and_nobody_by_a_wrong_one(lite: World) -> None:
    row = await lite.row()
    by_name = await build_file(lite.core, row.name, OPERATOR)
    assert by_name == await build_file(lite.core, str(row.id), OPERATOR)
    for wrong in ("0", "K-26-01/99", "2026/1", "9" * 40, "../x", ""):
        with pytest.raises(NoCase):
            await build_file(lite.core, wrong, OPERATOR)


async def test_kskak_case_writes_a_folder_or_a_zip_and_overwrites_nothing(
    lite: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same file from the command line; a place that is taken is refused."""
    await Player(lite).reply("e4")
    monkeypatch.setenv("KSKAK_DATABASE__URL", str(lite.core.store.url))
    name, folder = (await lite.row()).name, tmp_path / "case"
    assert (await command("case", name, "--out", str(folder)))[0] == 0
    assert (await command("case", name, "--out", str(folder)))[0] == 2
    assert (await command("case", name, "--out", f"{folder}.zip"))[0] == 0
    assert (await command("case", "nothing", "--out", str(tmp_path / "no")))[0] == 2
    assert not (tmp_path / "no").exists()
    with zipfile.ZipFile(f"{folder}.zip") as archive:
        packed = {one: archive.read(one) for one in archive.namelist()}
    found = await asyncio.to_thread(
        lambda: {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
    )
    assert packed == found


async def test_a_cases_file_has_its_papers_its_chain_and_its_games(lite, tmp_path):
    """N is a case's number too; the case's chain is checked by the same lines."""
    anna = Player(lite)
    case_id = await claimed_case(lite, anna)
    seen = await seen_by(lite, TL, case_id)
    files = dict(await build_file(lite.core, seen.case.number, OPERATOR))
    folder = "cases/" + seen.case.number.replace("/", "-")
    papers = [name for name in files if name.startswith(f"{folder}/papers/")]
    assert len(papers) == len(seen.papers) > 0
    code = files["K-26-01-1/VERIFY.txt"].decode()
    code = "\n".join(
        line.removeprefix("    ") for line in code[code.index("    import hashlib") :].splitlines()
    )
    for chain in (f"{folder}/chain.txt", "K-26-01-1/chain.txt"):
        assert await asyncio.to_thread(_run, code, files[chain], tmp_path) == 0
    assert dict(await file_of_game(lite.core, lite.game, OPERATOR))[f"{folder}/chain.txt"]


async def test_the_board_has_the_file_where_it_judges_and_nowhere_else(lite: World) -> None:
    """§ 6.4.3: the Board reads its own cases."""
    board = await officer(lite, CAPTAIN, Office.BOARD)
    assert not await may_have(lite.core, board, await lite.row())
    for who, may in ((TL, True), (KC, True), (ANNA, False)):
        assert await may_have(lite.core, await lite.person(who), await lite.row()) is may
    case_id = await claimed_case(lite, Player(lite))
    async with lite.core.store.write() as conn:
        await conn.execute(update(cases).where(cases.c.id == case_id).values(instance="board"))
    assert await may_have(lite.core, board, await lite.row())
