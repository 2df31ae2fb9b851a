"""Standings and rating files: what is read, and how a slip is answered."""

from __future__ import annotations

import pytest

from kskak.groups.crosstables import placing_json, read_standings, rows_of
from kskak.groups.placing import Division
from kskak.rating.calculation import rate, rated_json, read_group
from kskak.values import FieldError
from tests.fakes.machinery.each import each

TEAMS = [{"club": club, "players": [f"{club}{board}" for board in range(1, 5)]} for club in "AB"]


def emt(**changes: object) -> dict[str, object]:
    games = [["A", "B", "1-0"], ["B", "C", "1/2-1/2"]]
    base = {"format": "kskak-standings/1", "rules": "emt", "players": ["A", "B", "C"]}
    return base | {"games": games} | changes


def league(**changes: object) -> dict[str, object]:
    base = {"format": "kskak-standings/1", "rules": "league", "teams": TEAMS}
    return base | {"games": [[1, "A", "B", "1-0"], [2, "B", "A", "1/2-1/2"]]} | changes


def rating(**changes: object) -> dict[str, object]:
    players = [{"name": "A", "rating": 1900}, {"name": "B", "rating": 1900}]
    base = {"format": "kskak-rating/1", "players": players, "games": [["A", "B", "1-0"]]}
    return base | changes


def test_the_placing_has_the_contracts_shape():
    assert placing_json(rows_of(read_standings(emt()))) == {
        "format": "kskak-placing/1",
        "rows": [
            {"place": 1, "name": "A", "points": 1, "sonneborn_berger": 0.5, "decided_by": None},
            {"place": 2, "name": "B", "points": 0.5, "sonneborn_berger": 0.25}
            | {"decided_by": "points"},
            {"place": 2, "name": "C", "points": 0.5, "sonneborn_berger": 0.25}
            | {"decided_by": "shared"},
        ],
    }


def test_a_leagues_placing_has_clubs_and_no_sonneborn_berger():
    read = read_standings(league())
    assert isinstance(read, Division)
    assert placing_json(rows_of(read))["rows"] == [
        {"place": 1, "name": "A", "points": 1.5, "sonneborn_berger": None, "decided_by": None},
        {"place": 2, "name": "B", "points": 0.5, "sonneborn_berger": None, "decided_by": "points"},
    ]


def test_the_rating_answer_has_the_contracts_shape():
    assert rated_json(rate(read_group(rating()))) == {
        "format": "kskak-rated/1",
        "rows": [
            {
                "name": name,
                "games": 1,
                "score": score,
                "expected": 0.5,
                "method": "average",
                "bonus": 0,
                "k": 30,
                "rating": new,
            }
            for name, score, new in (("A", 1, 1915), ("B", 0, 1885))
        ],
    }


def test_the_steps_are_given_when_they_are_asked_for():
    steep = [{"name": "A", "rating": 1990}, {"name": "B", "rating": 2000}]
    (a, b) = rated_json(rate(read_group(rating(players=steep))), steps=True)["rows"]
    assert a["steps"] == {
        "before": 1990,
        "chances": [{"opponent": None, "against": 1995, "difference": -5, "score": 0.49}],
        "field": 2,
        "cycles": 1,
        "unrounded": 0.48,
        "threshold": 1.5,
        "gain": 15,
        "held": False,
        "crossing": {"limit": 2000, "beyond": 5, "factor": "2/3", "after": 2003.33},
        "raised": False,
    }
    assert (a["rating"], b["steps"]["crossing"]["factor"], b["rating"]) == (2003, "3/2", 1985)


BAD_TABLES = [
    ([], "object"),
    ({}, "format is missing"),
    (emt(format="kskak-standings/2"), "format is wrong"),
    (emt(rules="swiss"), "rules is wrong"),
    (emt(players="AB"), "players is wrong"),
    (emt(players=[]), "players is wrong"),
    (emt(players=["A", "B", "A"]), "player 3"),
    (emt(players=["A", "B", " "]), "player 3"),
    (emt(players=["A", "B", 3]), "player 3"),
    (emt(players=["A", "B", "C\nD"]), "player 3"),
    (emt(games=None), "games is wrong"),
    (emt(games=[["A", "B"]]), "game 1"),
    (emt(games=[["A", "B", "1-0"], ["A", "X", "1-0"]]), "game 2: Black 'X'"),
    (emt(games=[["A", 2, "1-0"]]), "game 1: Black"),
    (emt(games=[["A", "A", "1-0"]]), "himself"),
    (emt(games=[["A", "B", "*"]]), "result is wrong"),
    (emt(games=[["A", "B", 1]]), "result is wrong"),
    (emt(games=[["A", "B", "1-0"], ["A", "B", "1-0"]]), "game 2"),
    (emt(playoff=[["A", "B", "1-0"]]), "playoff belongs to dm"),
    (emt(lots=["A"]), "lots belongs to league"),
    (emt(rules="dm", agreed_to_share="yes"), "agreed_to_share is wrong"),
    (emt(rules="dm", playoff=[["A", "X", "1-0"]]), "playoff game 1"),
    (league(teams=None), "teams is wrong"),
    (league(teams=[]), "teams is wrong"),
    (league(teams=["A", "B"]), "team 1"),
    (league(teams=[TEAMS[0], TEAMS[0]]), "team 2"),
    (league(teams=[TEAMS[0], {"club": "B", "players": ["B1", "B2", "B3"]}]), "team 2: players"),
    (league(teams=[TEAMS[0], {"players": []}]), "team 2: club"),
    (league(games=[["A", "B", "1-0"]]), "game 1"),
    (league(games=[[0, "A", "B", "1-0"]]), "board is wrong"),
    (league(games=[[5, "A", "B", "1-0"]]), "board is wrong"),
    (league(games=[[True, "A", "B", "1-0"]]), "board is wrong"),
    (league(games=[["1", "A", "B", "1-0"]]), "board is wrong"),
    (league(games=[[1, "A", "X", "1-0"]]), "'X'"),
    (league(games=[[1, "A", "B", "1-0"], [1, "B", "A", "1-0"]]), "board 1"),
    (league(lots=["A", "X"]), "lot 2"),
    (league(lots="AB"), "lots is wrong"),
    (league(playoff=[]), "playoff belongs to dm"),
]


@each(("document", "word"), BAD_TABLES)
def test_a_bad_table_is_answered_with_the_place_and_the_remedy(document, word):
    with pytest.raises(FieldError) as refused:
        read_standings(document)
    assert word in str(refused.value)
    assert "\n" not in str(refused.value)


@each(
    "document word",
    (None, "object"),
    (rating(format="kskak-standings/1"), "format is wrong"),
    (rating(players=None), "players is wrong"),
    (rating(players=[]), "players is wrong"),
    (rating(players=["A"]), "player 1"),
    (rating(players=[{"rating": 1900}]), "player 1: name is missing"),
    (rating(players=[{"name": "A"}]), "player 1: rating is missing"),
    (rating(players=[{"name": "A", "rating": "1900"}]), "whole number"),
    (rating(players=[{"name": "A", "rating": 1900.5}]), "whole number"),
    (rating(players=[{"name": "A", "rating": True}]), "whole number"),
    (rating(players=[{"name": "A", "rating": -1}]), "from 0 to 4000"),
    (rating(players=[{"name": "A", "rating": 4001}]), "from 0 to 4000"),
    (rating(players=[{"name": "A", "rating": 1900}] * 2), "player 2"),
    (rating(games={}), "games is wrong"),
    (rating(games=[["A", "X", "1-0"]]), "game 1: Black 'X'"),
    (rating(unrated=[["A", "B", "2-0"]]), "unrated game 1"),
)
def test_a_bad_rating_file_is_answered_with_the_place_and_the_remedy(document, word):
    with pytest.raises(FieldError) as refused:
        read_group(document)
    assert word in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_second_cycle_has_the_colours_reversed():
    table = read_standings(emt(games=[["A", "B", "1-0"], ["B", "A", "1-0"]]))
    assert len(rows_of(table)) == 3


@each(
    "result points",
    ("½-½", (0.5, 0.5)),
    ("½–½", (0.5, 0.5)),
    ("½-0", (0.5, 0)),
    ("0-1/2", (0, 0.5)),
    ("+/-", (1, 0)),
    ("–/+", (0, 1)),
    ("-/-", (0, 0)),
)
def test_every_result_the_laws_know_is_read(result, points):
    """A draw with ½, half a point for one, unplayed games; by hand."""
    table = read_standings(emt(players=["A", "B"], games=[["A", "B", result]]))
    found = {row.name: float(row.points) for row in rows_of(table)}
    assert found == {"A": points[0], "B": points[1]}
