"""`kskak import` and `kskak pgn` as a script sees them: codes, reports, files; killed for real."""

import asyncio
import codecs
import json
import os
import signal
from pathlib import Path

import pytest

from kskak.archive.past_game import past_pgn
from kskak.archive.pgn_reading import PgnOffset
from server import cli
from server.__main__ import main
from server.cli import archive as archive_commands
from server.machine import VARIABLE
from server.usecases.archive import archive_import as importing
from tests.fakes.history import HEADER, numbered, past_game
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.forks import fork

MANY = 240
MEMBERS = "Nr;Navn;Medlemskab\n4001;Anna Ager;enkelt\n"
TABLE = HEADER + "EMT 2024 K-1;K;2025-05-01;4001;Anna Ager;5;6;1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files and an empty database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    bad = past_pgn(past_game(round="2")).replace("3. Bb5", "3. Bb6")
    for name, text in (
        ("members.csv", MEMBERS),
        ("table.csv", TABLE),
        ("good.pgn", past_pgn(past_game())),
        ("bad.pgn", f"{past_pgn(past_game(day='1999-01-01'))}\n{bad}"),
        ("many.pgn", numbered(MANY)),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(words))
    done = capsys.readouterr()
    return code, done.out, done.err


@pytest.mark.usefixtures("folder")
def test_people_read_what_came_of_it_and_scripts_the_same_as_data(capsys):
    assert main(["members", "import", "members.csv"]) == 0
    code, out, _ = _run(capsys, "import", "table.csv", "good.pgn", "--lang", "en", "--dry-run")
    assert code == 0
    assert out.splitlines() == [
        "table.csv: new: 1, known: 0, completed: 0, refused: 0",
        "good.pgn: new: 1, known: 0, completed: 0, refused: 0",
        "Players who would be known from the register: 2.",
        "Players without a member in the register: 1.",
        "Dry run: nothing was changed.",
    ]
    code, out, _ = _run(capsys, "import", "table.csv", "good.pgn", "--json")
    told = json.loads(out)
    assert (code, told["games"], told["linked"], told["results"]) == (0, 1, 2, 1)
    assert [file["added"] for file in told["files"]] == [1, 1]
    assert "Arkivet har nu 1 parti." in _run(capsys, "import", "good.pgn")[1]


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf_16_is_read_and_gone_on_with_after_a_stop(folder, capsys, coding):
    """What Windows' editor calls Unicode; many games, so that a portion begins inside the file."""
    bom = codecs.BOM_UTF16_BE if coding.endswith("be") else b""
    text = (folder / "many.pgn").read_text(encoding="utf-8")
    (folder / "wide.pgn").write_bytes(bom + text.encode(coding))
    code, out, _ = _run(capsys, "import", "wide.pgn", "--lang", "en")
    assert code == 0 and f"wide.pgn: new: {MANY}, known: 0" in out
    (portion,) = importing.read_game_batches(folder / "wide.pgn", PgnOffset(), MANY)
    (rest,) = importing.read_game_batches(folder / "wide.pgn", portion[1].after, MANY)
    assert [one.raw for one in rest] == [one.raw for one in portion[2:]]


@pytest.mark.usefixtures("folder")
def test_a_game_that_cannot_be_used_is_exit_1_with_place_and_remedy(capsys):
    code, out, _ = _run(capsys, "import", "bad.pgn")
    assert code == 1
    line = past_pgn(past_game(day="1999-01-01")).count("\n") + 2
    assert (
        f"bad.pgn, parti 2 (linje {line}): Trækket 3. Bb6 er ikke muligt. "
        "Ret det, eller trækkene før det."
    ) in out.splitlines()
    assert "bad.pgn: nye: 1, kendte: 0, suppleret: 0, afvist: 1" in out


@pytest.mark.usefixtures("folder")
def test_a_path_that_cannot_be_read_is_exit_2_in_one_line_and_changes_nothing(capsys):
    for wrong in ("missing.pgn", "k.toml"):
        code, out, err = _run(capsys, "import", "good.pgn", wrong, "--lang", "en")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"kskak: {wrong}: ")
    assert _run(capsys, "pgn", "--all")[:2] == (1, "")


@pytest.mark.usefixtures("folder")
def test_many_known_games_are_counted_not_listed(capsys):
    assert main(["import", "many.pgn"]) == 0
    code, out, _ = _run(capsys, "import", "many.pgn", "--again", "--lang", "en")
    lines = out.splitlines()
    assert code == 0
    assert sum("is there already" in line for line in lines) == archive_commands.MOST_KNOWN
    assert f"many.pgn: … and {MANY - archive_commands.MOST_KNOWN} more of the same kind." in lines


@pytest.mark.usefixtures("folder")
def test_how_far_it_is_is_shown(capsys, monkeypatch):
    monkeypatch.setattr(importing, "BATCH", MANY // 12)
    monkeypatch.setattr(cli, "EVERY_S", 0.0)
    _, _, err = _run(capsys, "import", "many.pgn", "--lang", "en")
    steps = [part for part in err.split("\n") if "many.pgn: " in part]
    assert steps[-1].endswith(f"many.pgn: 100 %, {MANY} games")
    assert len(steps) >= 12


async def _child(folder: Path, crash_at: str | None) -> tuple[int, str]:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if crash_at is not None:
        environment[VARIABLE] = crash_at
    said = folder / "said"
    said.unlink(missing_ok=True)
    words = ("import", "killed.pgn", "--json")
    child = await fork(words, cwd=folder, env=environment, out=said, err=folder / "log")
    return await child.wait(), said.read_text(encoding="utf-8")


@rows("point batches", ("import-before-commit:2", 1), ("import-after-commit:2", 2))
async def test_killed_there_the_next_run_goes_on_and_doubles_nothing(
    folder, capsys, point, batches
):
    games = 2 * importing.BATCH + 10
    (folder / "killed.pgn").write_text(numbered(games), encoding="utf-8")
    assert (await _child(folder, point))[0] == -signal.SIGKILL, f"{point} was not reached"
    code, said = await _child(folder, None)
    assert code == 0, (folder / "log").read_text(encoding="utf-8")
    told = json.loads(said)
    assert (told["games"], told["files"][0]["resumed"]) == (games, batches * importing.BATCH)
    assert (told["files"][0]["added"], told["files"][0]["known"]) == (games, 0)
    printed = await asyncio.to_thread(_run, capsys, "pgn", "--all")
    assert printed[1].count("[Event ") == games


@pytest.mark.usefixtures("folder")
def test_what_pgn_writes_import_knows_and_a_file_is_never_written_over(folder, capsys):
    assert main(["import", "many.pgn", "good.pgn"]) == 0
    code, _, err = _run(capsys, "pgn", "--all", "--out", "all.pgn")
    assert (code, err.splitlines()[-1]) == (0, f"{MANY + 1} games")
    told = json.loads(_run(capsys, "import", "all.pgn", "--json")[1])
    assert (told["games"], told["files"][0]["known"]) == (MANY + 1, MANY + 1)
    assert _run(capsys, "pgn", "--all", "--out", "all.pgn")[0] == 2
    assert sorted(path.name for path in folder.glob("all.pgn*")) == ["all.pgn"]


@pytest.mark.usefixtures("folder")
def test_games_are_chosen_by_tournament_player_or_number(capsys):
    assert main(["import", "many.pgn", "good.pgn", "bad.pgn"]) == 1
    for words, count in (
        (("--group", "emt 2001 k-7"), MANY + 2),
        (("--player", "anna ager"), MANY + 2),
        (("--player", "viggo"), 0),
        (("--game", "archive/1"), 1),
        (("--game", "archive/x"), 0),
    ):
        code, out, _ = _run(capsys, "pgn", *words)
        assert (code, out.count("[Event ")) == (0 if count else 1, count), words
    assert _run(capsys, "pgn", "--player", " ")[0] == 2
    assert _run(capsys, "pgn")[0] == 2


@pytest.mark.usefixtures("folder")
def test_a_name_that_no_game_has_is_answered_with_what_to_write(capsys):
    assert main(["members", "import", "members.csv"]) == 0
    code, out, said = _run(capsys, "pgn", "--group", "K-99-01")
    assert (code, out) == (1, "")
    assert "no finished game is called so; write its name as the pages show it" in said
