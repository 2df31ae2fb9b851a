"""`kskak standings` and `kskak rating` as a script and as a person see them."""

import io
import json
import subprocess
import sys

import pytest

from server.__main__ import main
from tests.fakes.machinery.each import rows

TABLE = {
    "format": "kskak-standings/1",
    "rules": "emt",
    "players": ["A. Holm", "B. Lind", "C. Krag", "D. Bech"],
    "games": [
        ["A. Holm", "B. Lind", "1-0"],
        ["A. Holm", "C. Krag", "1-0"],
        ["D. Bech", "A. Holm", "1/2-1/2"],
        ["B. Lind", "C. Krag", "1/2-1/2"],
        ["B. Lind", "D. Bech", "1-0"],
        ["C. Krag", "D. Bech", "0-1"],
    ],
}
GROUP = {
    "format": "kskak-rating/1",
    "players": [
        {"name": "A. Holm", "rating": 1990},
        {"name": "B. Lind", "rating": 1900},
        {"name": "C. Krag", "rating": 1010},
    ],
    "games": [["A. Holm", "B. Lind", "1-0"], ["B. Lind", "C. Krag", "0-1"]],
}
LEAGUE = {
    "format": "kskak-standings/1",
    "rules": "league",
    "teams": [
        {"club": club, "players": [f"{club[0]}. {board}" for board in range(1, 5)]}
        for club in ("Nord", "Syd")
    ],
    "games": [
        [1, "Nord", "Syd", "1/2-1/2"],
        [2, "Syd", "Nord", "1/2-1/2"],
        [3, "Nord", "Syd", "1-0"],
        [4, "Syd", "Nord", "1-0"],
    ],
}


@pytest.fixture
def given(tmp_path):
    def write(document) -> str:
        path = tmp_path / "file.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    return write


def test_standings_prints_a_crosstable_with_what_decided(capsys, given):
    assert main(["standings", given(TABLE)]) == 0
    assert capsys.readouterr().out == (
        "Nr.  Navn     1  2  3  4  Point  S-B   %     Afgjort ved\n"
        "1.   A. Holm  x  1  ½  1  2½     2,75  83,3\n"
        "2.   B. Lind  0  x  1  ½  1½     1,75  50\n"
        "3.   D. Bech  ½  0  x  1  1½     1,75  50    indbyrdes partier 1–0\n"
        "4.   C. Krag  0  ½  0  x  ½      0,75  16,7\n"
        "\n"
        "Placeret efter § 6.5.4.1: point, Sonneborn-Berger, indbyrdes parti; står det stadig lige,"
        " deles pladsen.\n"
    )


def test_standings_of_a_league_shows_clubs_then_boards(capsys, given):
    assert main(["standings", given(LEAGUE), "--lang", "en"]) == 0
    assert capsys.readouterr().out.startswith(
        "No.  Club  1  2  Points  %   Decided by\n"
        "1.   Nord  x  2  2       50\n"
        "2.   Syd   2  x  2       50  board weight 5.5–4.5\n"
        "\n"
        "Placed by § 6.7.4.5: points, own games, all games weighted 4-3-2-1 by board, the same for"
        " own games only, lots. Reading: a draw has half the weight; the paragraph names wins"
        " alone.\n"
        "\n"
        "Board 1\n"
        "No.  Name         1  2  Points  S-B   %\n"
        "1.   N. 1 (Nord)  x  ½  ½       0.25  50\n"
        "1.   S. 1 (Syd)   ½  x  ½       0.25  50\n"
    )


def test_a_shared_place_says_so(capsys, given):
    level = TABLE | {"games": [], "rules": "dm"}
    assert main(["standings", given(level)]) == 0
    assert capsys.readouterr().out.count("1.   ") == 4
    assert main(["standings", given(level), "--lang", "en"]) == 0
    assert capsys.readouterr().out.count("shares the place until the play-off") == 3


def test_rating_prints_the_table_and_each_step(capsys, given):
    assert main(["rating", given(GROUP)]) == 0
    assert capsys.readouterr().out == (
        "Navn     Før   Partier  Point  Forventet  Bonus  K   Nyt\n"
        "A. Holm  1990  1        1      0,60       0      30  2001\n"
        "B. Lind  1900  2        0      1,40       0      30  1858\n"
        "C. Krag  1010  1        1      0,00       0      45  1055\n"
        "\n"
        "A. Holm: 1990 → 2001\n"
        "  Forventet score efter differensmetoden: B. Lind +90: 0,62; i alt 0,62, afrundet 0,60"
        " (§ 4.5.2.1).\n"
        "  Ingen bonus: 1 point er ikke mere end 1½ over det forventede (§ 4.5.2.2).\n"
        "  30 × (1 − 0,60 + 0) = +12 (§ 4.5.2, K efter § 4.5.2.3).\n"
        "  Grænsen 2000 er passeret med 2, som ganges med 2/3: 2001,33 (§ 4.5.2.4).\n"
        "\n"
        "B. Lind: 1900 → 1858\n"
        "  Forventet score efter differensmetoden: A. Holm −90: 0,38, C. Krag +890: 1,00; i alt"
        " 1,38, afrundet 1,40 (§ 4.5.2.1).\n"
        "  Ingen bonus: 0 point er ikke mere end 1½ over det forventede (§ 4.5.2.2).\n"
        "  30 × (0 − 1,40 + 0) = −42 (§ 4.5.2, K efter § 4.5.2.3).\n"
        "\n"
        "C. Krag: 1010 → 1055\n"
        "  Forventet score efter differensmetoden: B. Lind −890: 0,00; i alt 0,00, afrundet 0,00"
        " (§ 4.5.2.1).\n"
        "  Ingen bonus: 1 point er ikke mere end 1½ over det forventede (§ 4.5.2.2).\n"
        "  45 × (1 − 0,00 + 0) = +45 (§ 4.5.2, K efter § 4.5.2.3).\n"
        "\n"
        "Håndbogen siger ikke, hvordan K-skakratingtal beregnes; her følges § 4.5. Afrunding til"
        " hele tal, bonus ud over 11 partier og flere grænser på én gang er vores fortolkning.\n"
    )


@rows(
    "command document key",
    ("standings", TABLE, "place"),
    ("standings", LEAGUE, "place"),
    ("rating", GROUP, "rating"),
)
def test_json_is_one_document_and_nothing_else(capsys, given, command, document, key):
    assert main([command, given(document), "--json"]) == 0
    out, err = capsys.readouterr()
    assert [key in row for row in json.loads(out)["rows"]] == [True] * len(json.loads(out)["rows"])
    assert err == ""


@pytest.mark.parametrize(("command", "document"), [("standings", TABLE), ("rating", GROUP)])
def test_lines_answer_each_document_and_go_on_after_a_bad_one(
    capsys, monkeypatch, command, document
):
    bad = json.dumps(document | {"games": [["A. Holm", "X", "1-0"]]}).encode()
    good = json.dumps(document).encode()
    lines = b"\n".join([good, bad, b"{", good]) + b"\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert main([command, "--lines"]) == 0
    first, refused, broken, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == last
    assert "'X'" in refused["error"]
    assert "not JSON" in broken["error"]


@pytest.mark.parametrize("command", ["standings", "rating"])
def test_a_file_that_is_not_there_or_wrong_is_one_line_and_exit_2(capsys, given, command):
    for name, word in (("nowhere.json", "nowhere.json"), (given({"format": "x"}), "format")):
        assert main([command, name]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert word in err
        assert main([command, name, "--json"]) == 2
        assert word in json.loads(capsys.readouterr().out)["error"]
    assert main([command]) == 2
    assert "FILE" in capsys.readouterr().err
    assert main([command, "file.json", "--lines"]) == 2
    assert "--lines" in capsys.readouterr().err


def test_the_steps_come_with_json_when_asked_for(capsys, given):
    assert main(["rating", given(GROUP), "--json", "--steps"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[0]["steps"]["crossing"] == {
        "limit": 2000,
        "beyond": 2,
        "factor": "2/3",
        "after": 2001.33,
    }


def test_a_file_on_stdin_is_called_a_dash(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(TABLE).encode())))
    assert main(["standings", "-", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rows"]) == 4


def test_half_a_surrogate_pair_in_a_name_comes_back_as_it_was_written():
    lines = json.dumps(TABLE).replace("A. Holm", "A\\ud800") + "\n" + json.dumps(TABLE) + "\n"
    call = [sys.executable, "-m", "server", "standings", "--lines"]
    done = subprocess.run(call, input=lines.encode(), capture_output=True, check=True)
    odd, usual = map(json.loads, done.stdout.splitlines())
    assert odd["rows"][0]["name"] == "A\ud800"
    assert usual["rows"][0]["name"] == "A. Holm"


# `kskak access` and `kskak compose` for a script: exit codes, JSON, one line for a slip.


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


@rows(
    "lang words",
    ("da", ["M: nej", "K: ja", "Rykket ned", "10. februar 2029", "§ 6.5.3.2 a"]),
    ("en", ["M: no", "K: yes", "Relegated", "10 February 2029", "results 1, 2"]),
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


@rows(
    "lang words",
    ("da", ["1. division", "Nord (gennemsnit 1750,5): 62,5 %, bliver"]),
    ("en", ["Division 1", "Nord (mean 1750.5): 62.5 %, stays"]),
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
@rows(
    "content word",
    (b"{", "not JSON"),
    (b"[]", "object"),
    (b"{}", "format"),
    (b"\xff", "UTF-8"),
    (b'{"format": "kskak-ledger/1"}', "format"),
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
