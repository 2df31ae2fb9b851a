"""`kskak group import` as a script sees it: one line for a slip, JSON, what is told on the way."""

import json
from pathlib import Path

import pytest

from kskak.groups.schedule import round_robin
from server.__main__ import main
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.takeovers import GROUP, three


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


def test_how_far_it_is_is_told_where_there_are_many_games(folder, capsys):
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
    assert err.splitlines() == [
        "kskak: 25 of 36 games played through",
        "kskak: 36 of 36 games played through",
    ]


def test_help_documents_the_short_file(capsys):
    with pytest.raises(SystemExit):
        main(["group", "import", "--help"])
    said = capsys.readouterr().out
    for word in ("group.toml", "kskak-ledger/1", "leave_used", "not_started = true", "--dry-run"):
        assert word in said
