"""`kskak group start` as a script sees it: a start that lies back is told of or refused."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from server.__main__ import main
from server.usecases.group_file import GroupFileError, read_group_file
from server.usecases.start_group import LATE_DAYS, OLDEST_DAYS, late_start
from tests.fakes.built import sqlite_file
from tests.fakes.clock import midday_zone, real_day
from tests.server.usecases.test_group_file import HEAD, PLAYERS

TODAY = date(2026, 12, 20)


def begun(days: int) -> str:
    return HEAD.replace("2026-12-01", (TODAY - timedelta(days)).isoformat()) + PLAYERS


@pytest.mark.parametrize("days", [-400, 0, LATE_DAYS])
def test_a_start_to_come_or_just_gone_is_taken_without_a_word(days: int) -> None:
    assert late_start(read_group_file(begun(days)), TODAY) is None


@pytest.mark.parametrize("days", [LATE_DAYS + 1, OLDEST_DAYS])
def test_a_start_that_lies_back_is_told_of_with_the_takeover(days: int) -> None:
    said = late_start(read_group_file(begun(days)), TODAY)
    assert said is not None and said.startswith("start: ")
    assert f"is {days} days ago" in said and "`kskak group import`" in said


def test_a_start_more_than_a_year_back_is_refused_with_the_remedy() -> None:
    with pytest.raises(GroupFileError) as refused:
        late_start(read_group_file(begun(OLDEST_DAYS + 1)), TODAY)
    said = str(refused.value)
    assert said.startswith("start: 2025-12-18 is 367 days ago, write the day")
    assert "as 2026-12-20" in said and "`kskak group import`" in said and "\n" not in said


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "group.toml"


def test_the_command_refuses_and_then_starts_what_was_mended(file, capsys) -> None:
    file.write_text(HEAD.replace("2026-12-01", "1999-12-01") + PLAYERS)
    assert main(["group", "start", str(file), "--json"]) == 2
    assert "start: 1999-12-01 is " in json.loads(capsys.readouterr().out)["error"]
    zone = midday_zone()
    late = real_day(zone) - timedelta(30)
    head = HEAD.replace("2026-12-01", late.isoformat())
    file.write_text(f'zone = "{zone}"\n{head}{PLAYERS}')
    assert main(["group", "start", str(file), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 21
    assert f"start: {late} is 30 days ago" in err


@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", "dead position"),
    ],
)
def test_a_position_in_which_the_game_is_over_is_refused_in_one_line(
    file, capsys, fen: str, ending: str
) -> None:
    file.write_text(HEAD.replace('group = "', f'fen = "{fen}"\ngroup = "', 1) + PLAYERS)
    assert main(["group", "start", str(file)]) == 2
    out, err = capsys.readouterr()
    assert f"fen: the game is over in this position: {ending}" in err
    assert "Traceback" not in err and err.count("\n") == 1 and not out
