"""`kskak members`, `clubs` and `ratings` as a script sees them: codes, reports, files."""

import json
from pathlib import Path

import pytest

from server import cli
from server.__main__ import main
from tests.fakes.machinery.built import sqlite_file

CLUBS = "Klub;Hovedkreds\nNordre Skakklub;1. hovedkreds\n"
GOOD = "Nr;Navn;Født;Klub;K-rating\n1;Bo Bak;1-1-1960;Nordre Skakklub;1500\n"
BAD = GOOD + "2;Ib;aldrig;;\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files and a database of its own, clubs in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    for name, text in (("clubs", CLUBS), ("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    assert main(["clubs", "import", "clubs.csv"]) == 0
    return tmp_path


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(words))
    done = capsys.readouterr()
    return code, done.out, done.err


@pytest.mark.usefixtures("folder")
def test_a_dry_run_shows_what_was_understood_and_changes_nothing(capsys):
    code, out, _ = _run(capsys, "members", "import", "good.csv", "--dry-run")
    assert code == 0
    assert "Linje 2: Bo Bak: ny" in out and "fødselsdato: 1. januar 1960" in out
    assert out.rstrip().endswith("Prøvekørsel: intet er ændret.")
    assert _run(capsys, "members", "export")[1].count("\n") == 1, "the header alone"


@pytest.mark.usefixtures("folder")
def test_a_bad_line_is_exit_1_and_changes_nothing_unless_it_is_skipped(capsys):
    code, out, _ = _run(capsys, "members", "import", "bad.csv", "--lang", "en")
    assert code == 1
    assert "Line 3: Ib: refused" in out and "Write 2026-11-20 or 20-11-2026" in out
    assert "Bo Bak" not in _run(capsys, "members", "export")[1]
    assert _run(capsys, "members", "import", "bad.csv", "--skip-bad")[0] == 0
    assert "1;Bo Bak;;1960-01-01;klub;Nordre Skakklub" in _run(capsys, "members", "export")[1]


def test_what_is_exported_is_imported_without_a_change(capsys, folder: Path):
    assert _run(capsys, "members", "import", "good.csv")[0] == 0
    for what in ("clubs", "members", "ratings"):
        assert _run(capsys, what, "export", "--out", f"{what}-out.csv")[0] == 0
        assert (folder / f"{what}-out.csv").stat().st_mode & 0o077 == 0, "personal data"
        code, out, _ = _run(capsys, what, "import", f"{what}-out.csv", "--json")
        assert (code, json.loads(out)["lines"]) == (0, [])
    code, _, err = _run(capsys, "members", "export", "--out", "members-out.csv")
    assert code == 2 and "is there already" in err


@pytest.mark.usefixtures("folder")
def test_a_file_that_cant_be_read_is_exit_2_in_one_line(capsys):
    for file in ("none.csv", "clubs.csv", "k.db"):
        code, out, err = _run(capsys, "members", "import", file)
        lines = [line for line in err.splitlines() if line.startswith("kskak: ")]
        assert (code, out, len(lines)) == (2, "", 1), file


def test_progress_is_shown_for_what_takes_long(capsys, folder: Path, monkeypatch):
    monkeypatch.setattr(cli, "EVERY_S", 0)
    lines = "".join(f"{n};Navn {n};1-1-1960;;\n" for n in range(1500))
    (folder / "large.csv").write_text(GOOD.splitlines()[0] + "\n" + lines, encoding="utf-8")
    code, out, err = _run(capsys, "members", "import", "large.csv")
    assert code == 0 and "nye: 1500" in out
    assert "1000/1500 skriver" in err and "1500/1500 skriver" in err


@pytest.mark.usefixtures("folder")
def test_a_list_of_a_day_and_nothing_to_calculate(capsys):
    """§ 4.5.5.1; the commands say what they did, also when that is nothing."""
    assert _run(capsys, "members", "import", "good.csv")[0] == 0
    code, out, _ = _run(capsys, "ratings", "list", "--lang", "en")
    assert code == 0
    assert "1     Bo Bak  Nordre Skakklub  1500    final   new     0" in out
    _, out, _ = _run(capsys, "ratings", "list", "--json")
    (player,) = json.loads(out)["players"]
    assert (player["rank"], player["rating"], player["change"]) == (1, 1500, None)
    _, out, _ = _run(capsys, "ratings", "list", "--on", "2001-01-01", "--json")
    assert json.loads(out) == {"on": "2001-01-01", "since": "2000-10-01", "players": []}
    for wrong in ("2001-13-01", "x", "2999-01-01"):
        code, _, err = _run(capsys, "ratings", "list", "--on", wrong)
        assert code == 2 and "--on" in err, wrong
    for words in ((), ("--all",)):
        code, out, _ = _run(capsys, "ratings", "compute", *words, "--json")
        assert (code, json.loads(out)) == (0, {"groups": []})
