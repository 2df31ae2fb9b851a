"""`python -m tests.federation` as scripts and people see it: exit codes, streams, one document."""

import json

import pytest

from kskak.entries import emt
from tests.federation.__main__ import main

LARGER = (("20", "60"), ("40", "2"))
SMALL = ["--players", "40", "--clubs", "8", "--years", "1"]


def test_a_life_is_told_as_a_table_and_progress_goes_to_stderr(capsys):
    assert main([*SMALL, "--seed", "3"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Year ")
    assert "Seed 3, hash " in said.out
    assert "2024-09" in said.err and "games run" in said.err


def test_json_is_one_document_with_every_move_up_and_its_source(capsys):
    assert main([*SMALL, "--seed", "3", "--json", "--quiet"]) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert said.err == ""
    assert document["seed"] == 3
    year = document["years"][0]
    assert sum(year["results"].values()) == year["games"]
    for moved in year["promotions"]:
        assert moved["group"] and moved["paragraph"]


def test_what_does_not_hold_is_told_with_seed_day_and_place(monkeypatch, capsys):
    monkeypatch.setattr(emt, "is_relegation", lambda group_class, score: False)
    assert main([*SMALL, "--seed", "2", "--json", "--quiet"]) == 1
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["seed"] == 2
    assert found["day"] in said.err and found["place"] in said.err
    assert found["violation"] in said.err


@pytest.mark.parametrize(
    "wrong", [["--years", "0"], ["--players", "19"], ["--clubs", "x"], ["--seed", "1.5"]]
)
def test_a_wrong_size_is_refused_in_one_line(wrong, capsys):
    assert main(wrong) == 2
    said = capsys.readouterr().err.strip()
    assert len(said.splitlines()) == 1
    assert wrong[0] in said
    assert "<" not in said, "no object of ours"


def test_a_wrong_size_is_told_what_fits(capsys):
    assert main(["--clubs", "x"]) == 2
    assert "--clubs: a whole number, 1 to 500;" in capsys.readouterr().err


@pytest.mark.parametrize(
    "size", [("20", "1"), *(pytest.param(size, marks=pytest.mark.nightly) for size in LARGER)]
)
def test_a_small_federation_lives_too(size, capsys):
    players, clubs = size
    assert main(["--players", players, "--clubs", clubs, "--years", "2", "--quiet"]) == 0
    assert "Still played" in capsys.readouterr().out
