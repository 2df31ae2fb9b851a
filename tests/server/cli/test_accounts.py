"""`kskak accounts`: out to a file, in from one, as the controller and nobody else (§ 6.1.2)."""

import json
from pathlib import Path

import pytest

from server.cli import run
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.each import rows

HEAD = "dato;turnering;art;beløb;person;tekst\n"
GOOD = HEAD + "2026-01-02;Pokal;indskud;1.150,50;Åse;Indskud\n2026-01-03;Pokal;præmie;-50;Bo;1.\n"


@pytest.fixture
def call(tmp_path: Path, monkeypatch, capsys):
    """Run the command on a database of its own; exit code and what it printed."""
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    monkeypatch.chdir(tmp_path)
    for name, role in (("kaj", "kc"), ("dan", "admin"), ("bo", "player")):
        assert run(["user", "add", name, f"{name}@example.org", "--role", role]) == 0
    capsys.readouterr()

    def do(*words: str) -> tuple[int, str]:
        code = run(["accounts", *words])
        out = capsys.readouterr()
        return code, out.out + out.err

    return do


def test_a_dry_run_then_the_file_then_the_balances_and_the_file_again(call, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(GOOD, encoding="utf-8")
    code, said = call("kaj@example.org", "--take", "in.csv", "--dry-run")
    assert (code, said) == (0, "Nye poster: 2. Kendte: 0. Fejl: 0.\n")
    assert call("kaj@example.org") == (0, "")
    assert call("kaj@example.org", "--take", "in.csv")[1].startswith("Læst ind.")
    assert call("kaj@example.org") == (0, "Pokal 2026: 1100,50\n")
    assert call("dan@example.org") == (0, "Pokal 2026: 1100,50\n"), "an administrator reads"
    assert call("dan@example.org", "--out", "ud.csv") == (0, "")
    assert (tmp_path / "ud.csv").read_bytes().startswith(b"\xef\xbb\xbfnr;")
    assert call("kaj@example.org", "--out", "ud.csv")[0] == 2, "nothing is overwritten"
    code, said = call("kaj@example.org", "--take", "ud.csv", "--json")
    assert code == 0 and json.loads(said)["known"] == 2


def test_faults_are_listed_and_nothing_is_taken(call, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(GOOD + "2026-01-02;Pokal;gave;1;Bo;x\n", encoding="utf-8")
    code, said = call("kaj@example.org", "--take", "in.csv", "--lang", "en")
    assert code == 1 and "Line 4: The kind" in said
    assert call("kaj@example.org") == (0, "")


@rows(
    "words",
    ("bo@example.org",),
    ("dan@example.org", "--take", "in.csv"),
    ("nobody@example.org",),
    ("kaj@example.org", "--take", "none.csv"),
    ("kaj@example.org", "--dry-run"),
    ("kaj@example.org", "--out", "a", "--take", "b"),
)
def test_who_has_no_right_and_wrong_calls_are_one_line_and_exit_2(call, tmp_path, words):
    (tmp_path / "in.csv").write_text(GOOD, encoding="utf-8")
    code, said = call(*words)
    assert code == 2 and said.startswith("kskak: ") and said.count("\n") == 1
