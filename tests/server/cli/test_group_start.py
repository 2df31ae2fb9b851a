"""`kskak group start` as a script sees it: a start that lies back is told of or refused."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from kskak.groups.schedule import round_robin
from server import cli
from server.__main__ import main
from server.store.engine.sqlite_library import sqlite3
from server.usecases.groups.group_file import GroupFileError, read_group_file
from server.usecases.starts.start_group import LATE_DAYS, OLDEST_DAYS, late_start
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.each import rows
from tests.fakes.takeovers import GROUP, three
from tests.server.usecases.groups.test_group_file import HEAD, PLAYERS

TODAY = date(2026, 12, 20)


def begun(days: int) -> str:
    return HEAD.replace("2026-12-01", (TODAY - timedelta(days)).isoformat()) + PLAYERS


@pytest.mark.parametrize("days", [-366, 0, LATE_DAYS])
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


def test_so_is_one_more_than_a_year_ahead() -> None:
    with pytest.raises(GroupFileError, match="start: 2027-12-22 is more than a year ahead, write"):
        late_start(read_group_file(begun(-367)), TODAY)


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


def written(file: Path, players: int, **keys: object) -> str:
    """A file of so many players that starts soon enough to be told nothing of."""
    known = {"class": "K", "start": "2026-12-01"} | {"group": str(keys.get("group", "K-26-01"))}
    head = HEAD
    for key, value in (known | keys).items():
        old = next((line for line in head.splitlines() if line.startswith(f"{key} =")), None)
        shown = value if key == "start" else json.dumps(value)
        head = f"{key} = {shown}\n" + head.replace(f"{old}\n", "")
    parts = PLAYERS.split("[[players]]")[1 : min(players, 7) + 1]
    parts += [f'\nname = "X{n}"\nemail = "x{n}@example.org"\n' for n in range(7, players)]
    return head + "".join(f"[[players]]{part}" for part in parts)


@rows(
    "players keys said",
    (6, {}, 'players: a group of the class has 7, the file has 6 (§ 6.5.1.1), or override = "6'),
    (8, {}, "players: a group of the class has 7, the file has 8 (§ 6.5.1.1)"),
    (7, {"double": True}, "double: everybody meets once here, write double = false (§ 6.5.3.1)"),
    (7, {"fen": "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"}, "fen: the class plays from the beginning"),
    (7, {"class": "DM"}, "start: the DM begins in September, write another day (§ 6.5.2)"),
    (6, {"class": "DM", "double": False}, "double: everybody meets twice here, write double ="),
    (7, {"override": "6.5.3.1"}, "override_reason: is missing"),
    (7, {"override_reason": "Så få."}, "override: is missing"),
    (7, {"override": "6.5.3.1", "override_reason": "x"}, "override: the group does not break"),
    (7, {"override": "12", "override_reason": "x"}, "override.1: write a paragraph, as 6.5.2.1"),
    (
        6,
        {"double": True, "override": "6.5.1.1", "override_reason": "x"},
        "double: everybody meets once here",
    ),
    (
        7,
        {"class": "theme", "override": "6.5.1.1", "override_reason": "x"},
        "override: is for the classes DM, M, K and Å",
    ),
)
def test_a_file_that_breaks_the_championships_rules_is_refused_with_the_paragraph(
    file: Path, capsys: pytest.CaptureFixture[str], players: int, keys: dict, said: str
) -> None:
    """§ 6.5.1.1, § 6.5.2, § 6.5.2.1, § 6.5.3.1: nothing is started, one line says why."""
    start = real_day(midday_zone())
    if start.month == 9:
        start += timedelta(40)
    file.write_text(written(file, players, **({"start": start.isoformat()} | keys)))
    assert main(["group", "start", str(file), "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert said in error and "\n" not in error


def test_what_is_broken_on_purpose_is_named_and_stays_in_the_groups_record(file, capsys):
    """§ 6.5.1.1, § 6.5.3.1: six, twice, with the reason; in the group's row for good."""
    keys = {"override": ["6.5.1.1", "§ 6.5.3.1"], "override_reason": "Én meldte afbud."}
    start = real_day(midday_zone()).isoformat()
    file.write_text(written(file, 6, start=start, double=True, **keys))
    assert main(["group", "start", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 30
    with sqlite3.connect(next(file.parent.glob("*.db"))) as database:
        row = database.execute("SELECT override, override_reason FROM groups").fetchone()
    assert row == ("6.5.1.1, 6.5.3.1", "Én meldte afbud.")


def test_a_dm_of_six_is_double_and_the_years_only_one(file, capsys):
    """§ 6.5.2.1, § 6.5.1.1: rounds by themselves; a second one in a year is refused."""
    year = real_day(midday_zone()).year + 1
    dm = {"class": "DM", "group": "DM-1", "start": f"{year}-09-01"}
    file.write_text(written(file, 6, **dm))
    assert main(["group", "start", str(file), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 30
    assert "double: fewer than 7 players meet twice (§ 6.5.2.1)" in err
    file.write_text(written(file, 7, **(dm | {"group": "DM-2"})))
    assert main(["group", "start", str(file), "--json"]) == 2
    said = json.loads(capsys.readouterr().out)["error"]
    assert f"start: there is a DM of {year} already, write another year (§ 6.5.1.1)" in said


@rows(
    "fen ending",
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
    ("7k/8/6K1/8/8/8/8/8 w - - 0 1", "dead position"),
)
def test_a_position_in_which_the_game_is_over_is_refused_in_one_line(file, capsys, fen, ending):
    file.write_text(HEAD.replace('group = "', f'fen = "{fen}"\ngroup = "', 1) + PLAYERS)
    assert main(["group", "start", str(file)]) == 2
    out, err = capsys.readouterr()
    assert f"fen: the game is over in this position: {ending}" in err
    assert "Traceback" not in err and err.count("\n") == 1 and not out


# `kskak group import` as a script sees it: one line for a slip, JSON, what is told on the way.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A group's folder, and an empty database for the command."""
    made = tmp_path / "K-26-07"
    made.mkdir()
    for name, raw in three().items():
        (made / name).write_bytes(raw)
    (made / ".hidden").write_text("?")
    (made / "letters").mkdir()
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    monkeypatch.chdir(tmp_path)
    return made


def _in_the_past(folder: Path) -> None:
    """The real clock stands before the files' days: they are laid two years back.

    Leave without dates goes: it would be of another tournament year.
    """
    for path in folder.iterdir():
        if path.is_file():
            kept = [li for li in path.read_bytes().splitlines() if not li.startswith(b"leave_used")]
            path.write_bytes(b"\n".join(kept).replace(b"2026-", b"2024-"))


def test_a_dry_run_then_the_import_then_a_refusal(folder, capsys):
    _in_the_past(folder)
    assert main(["group", "import", str(folder), "--dry-run", "--json"]) == 0
    tried = json.loads(capsys.readouterr().out)
    assert tried["dry_run"] is True
    assert [game["file"] for game in tried["games"]] == ["3.toml", "1.json", "2.toml"]
    assert [player["is_new"] for player in tried["players"]] == [True] * 3
    assert main(["group", "import", str(folder), "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert done == tried | {"dry_run": False}
    assert main(["group", "import", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "K-26-07 is here already" in err


def test_people_read_every_game_in_a_line(folder, capsys):
    _in_the_past(folder)
    assert main(["group", "import", str(folder), "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("K-26-07: 3 players, 3 games, would be taken over ")
    assert "  1. Anna Ager <anna@example.dk> (new)" in lines
    assert lines[-1] == "Nothing was changed."


def test_a_slip_is_one_line_with_file_and_remedy(folder, capsys):
    _in_the_past(folder)
    (folder / "3.toml").unlink()
    assert main(["group", "import", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "no file for K-26-07/1 (Bo Berg - C. Kaptajn)" in err
    assert main(["group", "import", str(folder / "3.toml"), "--json"]) == 2
    assert "is no folder" in json.loads(capsys.readouterr().out)["error"]


def test_how_far_it_is_is_told_where_it_takes_long(folder, capsys, monkeypatch):
    monkeypatch.setattr(cli, "EVERY_S", 0)
    names = [f"Spiller {chr(65 + number)}" for number in range(9)]
    head = GROUP[: GROUP.index("[[players]]")].format(name="S", regulation="email", claims="player")
    people = [f'[[players]]\nname = "{n}"\nemail = "p{i}@example.org"' for i, n in enumerate(names)]
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    (folder / "group.toml").write_text("\n".join([head, *people]))
    _in_the_past(folder)
    games = [game for games in round_robin(len(names)).rounds for game in games]
    for count, game in enumerate(games):
        white, black = names[game.white - 1], names[game.black - 1]
        text = f'white = "{white}"\nblack = "{black}"\nnot_started = true'
        (folder / f"{count}.toml").write_text(text)
    assert main(["group", "import", str(folder), "--dry-run", "--json"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)["games"]) == 36
    assert err.splitlines() == [f"{n}/36 games played through" for n in range(1, 37)]


def test_help_documents_the_short_file(capsys):
    with pytest.raises(SystemExit):
        main(["group", "import", "--help"])
    said = capsys.readouterr().out
    for word in ("group.toml", "kskak-ledger/1", "leave_used", "not_started = true", "--dry-run"):
        assert word in said
