"""The command line as a script sees it: exit codes, one line for a slip, JSON and nothing else."""

import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import metadata

import pytest

from server.__main__ import main
from server.cli import COMMANDS, InputError, answer_lines, groups
from server.store.account.sign_in import TokenScope
from server.store.play.people import Role
from tests.fakes.machinery.each import rows


def test_a_wrong_call_is_one_line_and_exit_2(capsys):
    assert main(["mvoe"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "'mvoe'" in err


def test_help_imports_neither_chess_nor_web_nor_database():
    code = (
        "import sys; from server.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'chess', 'aiohttp', 'pydantic', 'sqlalchemy'}\n"
        "print(heavy & sys.modules.keys(), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "set()\n"
    assert "schedule" in done.stdout


def double(document):
    value = document.get("n")
    if not isinstance(value, int):
        raise InputError("n: a whole number is wanted")
    return {"twice": 10 // value * 2}


@rows(
    "line word",
    (b'{"n": "x"}', "whole number"),
    (b"{", "not JSON"),
    (b"[1]", "object"),
    (b"\xff{}", "UTF-8"),
    (b"[" * 100_000, "not JSON"),
    (b"", "not JSON"),
    (b'{"n": 0}', "ZeroDivisionError"),
)
def test_a_bad_line_is_answered_with_an_error_and_the_rest_goes_on(capsys, line, word):
    stream = io.BytesIO(b'{"n": 5}\n' + line + b'\n{"n": 10}\n')
    assert answer_lines(double, stream) == 0
    first, bad, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first, last) == ({"twice": 4}, {"twice": 2})
    assert word in bad["error"]


@pytest.mark.parametrize("text", ["Sf3", "springer f3", "Gustav 1 Frederik 3"])
def test_move_tells_every_form_and_exits_0(capsys, text):
    assert main(["move", "start", text, "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["numeric"] == "7163"
    assert err == ""


@pytest.mark.parametrize("as_json", [False, True])
def test_an_unlawful_move_is_the_answer_no(capsys, as_json):
    assert main(["move", "start", "Ke5", *(["--json"] if as_json else [])]) == 1
    out, err = capsys.readouterr()
    if as_json:
        assert json.loads(out) == {"error": "illegal", "candidates": []}
    else:
        assert (out, err) == ("", "kskak: 'Ke5': illegal\n")


@rows(
    "call word",
    (["move", "nonsense", "e4"], "FEN"),
    (["move", "start"], "TEXT"),
    (["move", "start", "e4", "--lang", "xx"], "numeric"),
    (["move", "start", "e4", "--lines"], "--lines"),
    (["schedule", "1"], "from 2"),
    (["schedule", "-8"], "from 2"),
    (["schedule", "1e9"], "from 2"),
    (["schedule", "9" * 5000], "from 2"),
)
def test_wrong_input_is_one_line_on_stderr_and_one_document_with_json(capsys, call, word):
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert word in err
    assert main([*call, "--json"]) == 2
    assert word in json.loads(capsys.readouterr().out)["error"]


def test_move_answers_lines(capsys, monkeypatch):
    lines = b'{"fen": "start", "text": "e4", "lang": null}\n{"fen": 1, "text": "e4"}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert main(["move", "--lines"]) == 0
    good, bad = map(json.loads, capsys.readouterr().out.splitlines())
    assert good["uci"] == "e2e4"
    assert "fen" in bad["error"]


def test_schedule_of_odd_field_names_who_sits_out(capsys):
    assert main(["schedule", "3"]) == 0
    assert capsys.readouterr().out.count("sits out") == 3


def test_the_second_cycle_reverses_the_colours(capsys):
    assert main(["schedule", "4", "--double", "--json"]) == 0
    rounds = json.loads(capsys.readouterr().out)["rounds"]
    assert len(rounds) == 6
    assert [(g["white"], g["black"]) for g in rounds[0]] == [
        (g["black"], g["white"]) for g in rounds[3]
    ]


@pytest.mark.parametrize("wrong", ["nope", "outbox-claimed:soon"])
def test_a_crash_point_that_there_is_not_stops_the_start(tmp_path, monkeypatch, capsys, wrong):
    """Not only when the point would be reached: the server's first mail."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KSKAK_CRASH_AT", wrong)
    assert main(["serve"]) == 2
    said = capsys.readouterr().err
    assert "environment: KSKAK_CRASH_AT: not one of inbox-before-commit" in said
    assert said.count("\n") == 1 and list(tmp_path.iterdir()) == []


def test_the_version_is_said_and_no_command_waits_for_a_web_server() -> None:
    asked = [sys.executable, "-m", "server", "--version"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"kskak {metadata.version('kskak')} (Python {sys.version.split()[0]})")
    names = sorted({module for module, _ in COMMANDS.values()} - {"serve"})
    code = (
        f"import sys, importlib\n"
        f"for name in {names}: importlib.import_module(f'server.cli.{{name}}')\n"
        "print(*[one for one in ('server.app', 'server.web', 'aiohttp') if one in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (loaded.returncode, loaded.stdout.strip()) == (0, ""), loaded.stderr


IMPORTING = ("members import", "clubs import", "ratings import", "import")
"""Their help names a file's columns."""
RULES = ("clock", "move", "schedule", "standings", "rating", "access", "compose")
"""These read positions or orders at once."""


@pytest.mark.parametrize("call", ["", *COMMANDS, "mail list", "group start", *IMPORTING])
def test_help_waits_for_no_rules_and_no_database(call):
    """Half a second of CPU at most: a tenth of what a server loads."""
    heavy = {"server.core", "server.usecases.context", "aiohttp"}
    heavy |= {"sqlalchemy", "server.settings", "mail.compose"}
    if call not in RULES:
        heavy |= {"kskak.play.evolve_game"}
    code = (
        "import sys, importlib.util; from server.__main__ import main\n"
        f"try: main({[*call.split(), '--help']})\n"
        "except SystemExit: print('heavy:', sorted(\n"
        f"    name for name in {heavy} & set(sys.modules)\n"
        "    if type(sys.modules[name]) is not importlib.util._LazyModule))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.endswith("heavy: []\n"), said.stdout[-200:]


ON_A_DATABASE = (
    "members export", "clubs export", "ratings list", "ratings compute", "pgn --all", "mail list",
    "mail show 1", "mail test a@example.org", "login-link a@example.org", "token a@example.org",
    "accounts a@example.org", "backup copy.db", "verify", "doctor", "retention", "repair G 1",
    "case 1 --out case", "copy --from sqlite:///kskak.db --to sqlite:///other.db",
)  # fmt: skip


@pytest.mark.parametrize("call", ON_A_DATABASE)
def test_a_command_in_the_wrong_folder_makes_no_database(call, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(call.split()) == 2
    said = capsys.readouterr().err
    assert f"there is no database {tmp_path / 'kskak.db'}" in said and "sqlite:////" in said
    named = "--from" if call.startswith("copy") else f"there is no {tmp_path / 'config.toml'}"
    assert f"({named})" in said and said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    if call == "verify":
        (tmp_path / "config.toml").write_text('[database]\nurl = "sqlite:///other.db"\n')
        assert main(["verify"]) == 2
        said = capsys.readouterr().err
        assert f"{tmp_path / 'other.db'} (settings: {tmp_path / 'config.toml'})" in said
        monkeypatch.setenv("KSKAK_DATABASE__URL", "sqlite:///third.db")
        assert main(["verify"]) == 2
        assert "third.db (settings: KSKAK_DATABASE__URL)" in capsys.readouterr().err


@pytest.mark.parametrize("call", ["verify", "doctor", "mail list", "retention", "backup copy.db"])
def test_a_file_that_is_no_database_of_ours_is_told_with_what_helps(
    call, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "kskak.db"
    for content, words in (
        (b"", "the database is empty: `kskak serve` makes its tables"),
        (b"a text that is no database" * 9, "file is not a database: move that file away"),
    ):
        file.write_bytes(content)
        assert main(call.split()) == 2
        said = capsys.readouterr().err
        assert words in said and "SELECT" not in said and "sqlalche.me" not in said
        file.unlink()
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE theirs (name)")
    assert main(call.split()) == 2
    assert "tables of another program" in capsys.readouterr().err
    assert not (tmp_path / "copy.db").exists()


def test_no_room_for_what_is_said_is_told_in_words():
    """Where the journal's disk was full, a command ended in a traceback."""
    call = [sys.executable, "-m", "server", "schedule", "4"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "kskak: No space left on device: make room\n")


def test_help_names_the_roles_and_scopes_that_there_are():
    assert [*groups.ROLES] == [*Role]
    assert [*groups.SCOPES] == [*TokenScope]
