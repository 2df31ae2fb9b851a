"""`kskak access` and `kskak compose` for a script: exit codes, JSON, one line for a slip."""

import io
import json

import pytest

from server.__main__ import main

ACCESS = {
    "format": "kskak-access/1",
    "on": "2026-11-20",
    "player": {"name": "A. Spiller", "member": True, "otb_rating": None},
    "results": [
        {"event": "emt", "class": "K", "finished": "2026-01-10", "points": 3, "games": 6},
        {"event": "emt", "class": "M", "finished": "2026-02-10", "points": 1, "games": 6},
    ],
}
COMPOSE = {
    "format": "kskak-compose/1",
    "teams": [{"club": "Nord", "last": 1, "score": 62.5, "ratings": [1900, 1800, 1700, 1602]}],
}


@pytest.fixture
def file_of(tmp_path):
    def write(document):
        path = tmp_path / "file.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    return write


def test_access_answers_each_class(capsys, file_of):
    assert main(["access", file_of(ACCESS), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    classes = json.loads(out)["classes"]
    assert {name: row["allowed"] for name, row in classes.items()} == {
        "DM": False,
        "M": False,
        "K": True,
        "Å": False,
    }
    assert classes["M"]["against"] == [{"paragraph": "6.5.3.3"}]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("da", ["M: nej", "K: ja", "Rykket ned", "10. februar 2029", "§ 6.5.3.2 a"]),
        ("en", ["M: no", "K: yes", "Relegated", "10 February 2029", "results 1, 2"]),
    ],
)
def test_access_explains_in_words(capsys, file_of, lang, words):
    assert main(["access", file_of(ACCESS), "--lang", lang]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in words), out


def test_compose_answers_the_divisions(capsys, file_of):
    assert main(["compose", file_of(COMPOSE), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    nord = {"club": "Nord", "by": "6.7.5 1a", "team": 1}
    assert answer["divisions"] == {"1": [nord], "2": [], "3": []}
    assert answer["dispensations"] == []


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("da", ["1. division", "Nord (gennemsnit 1750,5): 62,5 %, bliver"]),
        ("en", ["Division 1", "Nord (mean 1750.5): 62.5 %, stays"]),
    ],
)
def test_compose_gives_the_reasons_in_words(capsys, file_of, lang, words):
    assert main(["compose", file_of(COMPOSE), "--lang", lang]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in words), out


@pytest.mark.parametrize(("lang", "word"), [("da", "Uden plads"), ("en", "Without a place")])
def test_compose_names_who_has_no_place(capsys, file_of, lang, word):
    ratings = [1900, 1800, 1700, 1600]
    teams = [{"club": f"K{n}", "last": None, "ratings": ratings} for n in range(14)]
    teams += [{"club": "X", "last": None, "ratings": ratings}] * 2
    assert main(["compose", file_of({**COMPOSE, "teams": teams}), "--lang", lang]) == 0
    out = capsys.readouterr().out
    assert out.partition(word)[2].count("X (") == 2 and "§ 6.7.3.3" in out, out


def test_compose_counts_dispensations_and_names_groups(capsys, file_of):
    ratings = [1900, 1800, 1700, 1600]
    teams = [{"club": f"K{n}", "last": None, "ratings": ratings} for n in range(22)]
    assert main(["compose", file_of({**COMPOSE, "teams": teams})]) == 0
    out = capsys.readouterr().out
    assert "3. division, gruppe 2" in out
    assert "14 dispensationer" in out


@pytest.mark.parametrize("command", ["access", "compose"])
def test_a_file_comes_from_stdin_too(capsys, monkeypatch, command):
    document = ACCESS if command == "access" else COMPOSE
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(document).encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert main([command, "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", ["access", "compose"])
@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"{", "not JSON"),
        (b"[]", "object"),
        (b"{}", "format"),
        (b"\xff", "UTF-8"),
        (b'{"format": "kskak-ledger/1"}', "format"),
    ],
)
def test_a_bad_file_is_one_line_and_exit_2(capsys, tmp_path, command, content, word):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert main([command, str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert word in err
    assert main([command, str(path), "--json"]) == 2
    assert word in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize("command", ["access", "compose"])
@pytest.mark.parametrize("name", ["nowhere.json", ".", "a\0b"])
def test_a_file_that_cannot_be_opened_is_named(capsys, command, name):
    assert main([command, name]) == 2
    assert capsys.readouterr().err.startswith("kskak: ")
    assert main([command]) == 2
    assert "FILE" in capsys.readouterr().err
