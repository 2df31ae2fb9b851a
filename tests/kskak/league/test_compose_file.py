"""kskak-compose/1: what is read, what is refused and how, and the shape of the answer."""

import copy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.league.composition import compose, compose_json, read_teams
from tests.fakes.machinery.each import each

GOOD = {
    "format": "kskak-compose/1",
    "teams": [
        {"club": "Nord", "last": 1, "group": None, "score": 62.5, "ratings": [2000, 1900, 1800, 1]},
        {"club": "Syd", "last": None, "group": None, "score": None, "ratings": [1, 2, 3, 4]},
        {"club": "Øst", "last": 3, "group": 2, "score": 75, "ratings": [1, 2, 3, 4]},
    ],
}


def changed(number, field, value):
    document = copy.deepcopy(GOOD)
    document["teams"][number - 1][field] = value
    return document


def test_teams_are_read_as_they_are_written():
    nord, syd, east = read_teams(GOOD)
    assert (nord.last, nord.score, nord.mean) == (1, Fraction(125, 2), Fraction(5701, 4))
    assert (syd.last, syd.score, east.group) == (None, None, "2")


def test_the_answer_has_the_contracts_shape():
    assert compose_json(compose(read_teams(GOOD))) == {
        "divisions": {
            "1": [
                {"club": "Nord", "by": "6.7.5 1a", "team": 1},
                {"club": "Øst", "by": "6.7.5 1 dispensation", "team": 3},
                {"club": "Syd", "by": "6.7.5 1 dispensation", "team": 2},
            ],
            "2": [],
            "3": [],
        },
        "dispensations": [
            {"club": "Øst", "division": 1, "by": "6.7.5 1 dispensation", "team": 3},
            {"club": "Syd", "division": 1, "by": "6.7.5 1 dispensation", "team": 2},
        ],
        "unplaced": [],
    }


def test_which_team_of_a_club_is_meant_is_said():
    """§ 6.7.5.1, § 6.7.3.3: two of one club, one up, one down; and one without an opponent."""
    rows = [
        {"club": "Nord", "last": 2, "score": 30, "ratings": [1, 2, 3, 4]},
        {"club": "Nord", "last": 1, "score": 60, "ratings": [1, 2, 3, 4]},
        {"club": "Nord", "last": None, "ratings": [1, 2, 3, 4]},
    ]
    answer = compose_json(compose(read_teams({"format": "kskak-compose/1", "teams": rows})))
    assert answer["divisions"] == {
        "1": [{"club": "Nord", "by": "6.7.5 1a", "team": 2}],
        "2": [{"club": "Nord", "by": "6.7.5 2 dispensation", "team": 1}],
        "3": [],
    }
    assert answer["dispensations"] == [
        {"club": "Nord", "division": 2, "by": "6.7.5 2 dispensation", "team": 1}
    ]
    ways = [{"division": number, "by": "6.7.3.3 dispensation"} for number in (1, 2)]
    assert answer["unplaced"] == [{"club": "Nord", "by": "6.7.1.1", "team": 3, "ways": ways}]
    rows[2]["granted"] = 2
    answer = compose_json(compose(read_teams({"format": "kskak-compose/1", "teams": rows})))
    assert answer["divisions"]["2"][1] == {"club": "Nord", "by": "6.7.3.3 dispensation", "team": 3}
    assert answer["unplaced"] == [] and answer["dispensations"][1]["team"] == 3


def test_no_teams_make_no_divisions():
    answer = compose_json(compose(read_teams({"format": "kskak-compose/1", "teams": []})))
    assert answer["divisions"] == {"1": [], "2": [], "3": []}


@each(
    "number field value words",
    (1, "club", "", ["team 1: club"]),
    (1, "club", None, ["team 1: club"]),
    (1, "last", 4, ["team 1: last", "from 1 to 3"]),
    (1, "last", "1", ["team 1: last"]),
    (1, "score", None, ["team 1: score", "percentage"]),
    (1, "score", 100.5, ["team 1: score", "100"]),
    (1, "score", -1, ["team 1: score"]),
    (1, "ratings", [1, 2, 3], ["team 1: ratings", "4"]),
    (2, "ratings", [1, 2, 3, None], ["team 2: ratings", "4"]),
    (2, "ratings", [1, 2, 3, 9000], ["team 2: ratings", "4000"]),
    (3, "group", [], ["team 3: group"]),
)
def test_a_wrong_field_is_named_with_the_remedy(number, field, value, words):
    with pytest.raises(ValueError, match=r", write .+") as caught:
        read_teams(changed(number, field, value))
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize("field", ["club", "last", "score", "ratings"])
def test_a_missing_field_is_named(field):
    document = copy.deepcopy(GOOD)
    del document["teams"][0][field]
    with pytest.raises(ValueError, match=f"team 1: {field} is missing, write"):
        read_teams(document)


@pytest.mark.parametrize("document", [[], {}, {"format": "kskak-compose/1"}, {"format": 1}])
def test_another_document_is_refused(document):
    with pytest.raises(ValueError, match="compose"):
        read_teams(document)


def test_a_club_cannot_have_had_two_teams_in_one_division():
    twice = {**GOOD, "teams": [GOOD["teams"][0], {**GOOD["teams"][0], "club": " NORD "}]}
    with pytest.raises(ValueError, match=r"team 2: club .+ division 1 \(§ 6.7.3.3\)"):
        read_teams(twice)
    third = {**GOOD["teams"][2], "group": 1}
    assert len(read_teams({**GOOD, "teams": [GOOD["teams"][2], third]})) == 2


def test_too_many_teams_are_refused():
    row = {**GOOD["teams"][1]}
    rows = [{**row, "club": f"Klub {number}"} for number in range(1001)]
    with pytest.raises(ValueError, match="at most 1000"):
        read_teams({**GOOD, "teams": rows})


JSON = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())


@given(st.sampled_from(["club", "last", "group", "score", "ratings"]), JSON)
def test_any_value_is_answered_or_refused_in_words(field, value):
    try:
        read = read_teams(changed(1, field, value))
    except ValueError as error:
        assert "team 1: " in str(error)
        assert ", write " in str(error)
        return
    assert len(compose(read).first) == 3
