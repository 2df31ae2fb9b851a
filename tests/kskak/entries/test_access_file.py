"""kskak-access/1: what is read, what is refused and how, and the shape of the answer."""

import copy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.entries.access import access, access_json, read_access
from kskak.entries.rights import Right, merge_rights
from tests.fakes.machinery.each import each, rows

EMT = {"event": "emt", "class": "K", "finished": "2026-01-10", "points": 3.5, "games": 6}
CUP = {
    "event": "cup",
    "stage": "final",
    "entries": 101,
    "semi_held": True,
    "finished": "2026-01-10",
    "points": 9,
    "games": 10,
    "unfinished": 0,
    "place": 2,
}
GOOD = {
    "format": "kskak-access/1",
    "on": "2026-11-20",
    "player": {
        "name": "A. Spiller",
        "member": True,
        "citizen": True,
        "otb_rating": 1950,
        "k_rating": None,
    },
    "results": [EMT, CUP],
}


def changed(path, value):
    """The good file with one place changed; a value of None for a key takes it away."""
    document = copy.deepcopy(GOOD)
    *way, last = path
    place = document
    for step in way:
        place = place[step]
    place[last] = value
    return document


def test_the_answer_has_the_contracts_shape():
    file = read_access(GOOD)
    assert access_json(access(file.player, file.record)) == {
        "classes": {
            "DM": {
                "allowed": True,
                "by": [{"paragraph": "6.6.2.2", "until": "2028-01-10"}],
                "against": [],
            },
            "M": {
                "allowed": True,
                "by": [{"paragraph": "6.6.2.2", "until": "2028-01-10"}],
                "against": [],
            },
            "K": {
                "allowed": True,
                "by": [
                    {"paragraph": "6.5.3.2 a", "until": "2029-01-10"},
                    {"paragraph": "6.6.2.2", "until": "2028-01-10"},
                ],
                "against": [],
            },
            "Å": {"allowed": False, "by": [], "against": []},
        }
    }


def test_what_may_be_left_out():
    document = {
        "format": "kskak-access/1",
        "on": "2026-11-20",
        "player": {"name": "B"},
        "results": [
            {"event": "iccf", "tournament": "M", "finished": None, "points": 0, "games": 12},
            {"event": "cup", "stage": "semi", "finished": None, "points": 0.5, "games": 6},
        ],
    }
    file = read_access(document)
    assert file.player.is_member
    assert file.player.otb_rating is None
    assert [row.finished for row in file.record.results] == [None, None]
    assert file.record.results[1].score.points == Fraction(1, 2)


@each(
    "member is_member",
    (True, True),
    (4711, True),
    ("4711", True),
    (False, False),
    ("", False),
    (None, False),
)
def test_a_member_is_told_by_yes_or_by_his_number(member, is_member):
    assert read_access(changed(("player", "member"), member)).player.is_member is is_member


@each(
    "path value words",
    (("format",), "kskak-access/2", ["access: format", "kskak-access/1"]),
    (("on",), "20/11", ["on", "2026-08-29"]),
    (("on",), None, ["on", "date"]),
    (("player",), [], ["player", "object"]),
    (("player", "name"), " ", ["player: name"]),
    (("player", "name"), "A\nB", ["player: name", "one line"]),
    (("player", "otb_rating"), 19500, ["player: otb_rating", "4000"]),
    (("player", "otb_rating"), "1950", ["player: otb_rating"]),
    (("player", "k_rating"), True, ["player: k_rating"]),
    (("player", "citizen"), 1, ["player: citizen", "true or false"]),
    (("player", "member"), [1], ["player: member"]),
    (("results",), None, ["access: results", "a list"]),
    (("results", 0, "event"), "EMT", ["result 1: event", "emt, cup or iccf"]),
    (("results", 0, "class"), "A", ["result 1: class", "DM, M, K, Å"]),
    (("results", 0, "finished"), "2026-11-21", ["result 1: finished", "2026-11-20"]),
    (("results", 0, "finished"), "2026-02-30", ["result 1: finished", "exists"]),
    (("results", 0, "points"), 3.3, ["result 1: points", "4.5"]),
    (("results", 0, "points"), -1, ["result 1: points"]),
    (("results", 0, "points"), 6.5, ["result 1: points", "6 games"]),
    (("results", 0, "points"), float("nan"), ["result 1: points"]),
    (("results", 0, "points"), 1e300, ["result 1: points"]),
    (("results", 0, "games"), 0, ["result 1: games", "from 1"]),
    (("results", 0, "games"), 6.5, ["result 1: games", "whole"]),
    (("results", 0, "unfinished"), 1, ["result 1: unfinished", "null for finished"]),
    (("results", 1, "stage"), "preliminary", ["result 2: stage", "semi, final"]),
    (("results", 1, "entries"), None, ["result 2: entries"]),
    (("results", 1, "semi_held"), None, ["result 2: semi_held", "true or false"]),
    (("results", 1, "place"), 0, ["result 2: place", "from 1"]),
)
def test_a_wrong_field_is_named_with_the_remedy(path, value, words):
    with pytest.raises(ValueError, match=r"write .+") as caught:
        read_access(changed(path, value))
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize("field", ["event", "class", "finished", "points", "games"])
def test_a_missing_field_is_named(field):
    document = copy.deepcopy(GOOD)
    del document["results"][0][field]
    with pytest.raises(ValueError, match=f"result 1: {field} is missing, write"):
        read_access(document)


@rows(
    "tournament place name",
    ("VM-finale", None, "DM"),
    ("Pokalfinale", 8, "M"),
    ("O", 1, "K"),
    ("other", 1, "Å"),
)
def test_no_score_is_wanted_where_the_table_asks_for_none(tournament, place, name):
    row = {"event": "iccf", "tournament": tournament, "finished": "2026-01-10", "place": place}
    file = read_access({**GOOD, "results": [row]})
    answer = next(a for c, a in access(file.player, file.record).items() if c == name)
    assert "6.5.3.2 c" in [right.paragraph for right in answer.by]
    with pytest.raises(ValueError, match="games is missing"):
        read_access({**GOOD, "results": [{**row, "tournament": "H"}]})


def test_a_result_that_is_no_object_is_named():
    with pytest.raises(ValueError, match="result 1: must be a JSON object"):
        read_access(changed(("results", 0), 7))


def test_points_of_games_still_played_cannot_be_had():
    running = {**EMT, "finished": None, "points": 4, "unfinished": 3}
    with pytest.raises(ValueError, match="no more points than 6 games, 3 of them unfinished"):
        read_access({**GOOD, "results": [running]})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
PATHS = [
    ("on",),
    ("player",),
    ("results",),
    *(("player", key) for key in GOOD["player"]),
    *(("results", 0, key) for key in EMT),
    *(("results", 1, key) for key in CUP),
]


@given(st.sampled_from(PATHS), JSON)
def test_any_value_anywhere_is_answered_or_refused_in_words(path, value):
    try:
        file = read_access(changed(path, value))
    except ValueError as error:
        assert ", write " in str(error) or "must be a JSON object" in str(error)
        return
    answer = access_json(access(file.player, file.record))
    assert list(answer["classes"]) == ["DM", "M", "K", "Å"]


def test_rights_of_one_paragraph_are_one_and_an_endless_one_stays_endless():
    day = read_access(GOOD).record.on
    rights = [Right("p", None, (1,)), Right("p", day, (2,)), Right("q", day, (3,))]
    assert merge_rights(rights) == (Right("p", None, (1, 2)), Right("q", day, (3,)))
