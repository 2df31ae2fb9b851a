"""Cards by the API: what is wrong is told by field, costs nothing and changes nothing."""

import base64
import io
import json

import pytest

from tests.fakes.machinery.each import each, rows
from tests.fakes.postal import PNG
from tests.server.api.conftest import GROUP, World

CARD = {"by": "white", "text": "e4", "postmark": "2026-09-01"}


@pytest.fixture
async def postal(world: World) -> World:
    """The same two players in a postal game."""
    text = GROUP.replace('"email"', '"postal"').replace("K-26-01", "P-26-01")
    (row,) = await world.begin_group(text)
    world.game = row.id
    return world


@each(
    "change pointer",
    ({"by": "nobody"}, "/by"),
    ({"kind": "telegram"}, "/kind"),
    ({"postmark": "1/9"}, "/postmark"),
    ({"ply": -1}, "/ply"),
    ({"scan": "###"}, "/scan"),
    ({"scan": base64.b64encode(b"<svg/>").decode()}, "/scan"),
    ({"by": None}, "/by"),
    ({"extra": 1}, "/extra"),
)
async def test_a_bad_field_is_named_and_nothing_is_entered(postal, change, pointer):
    answer = await postal.post("white", postal.path("/cards"), CARD | change)
    assert answer.status == 422, await answer.text()
    assert [one["pointer"] for one in (await answer.json())["errors"]] == [pointer]
    assert (await postal.row()).seq == 0


@each(
    "change problem",
    ({"text": "e5"}, "illegal"),
    ({"text": "xyzzy"}, "not-understood"),
    ({"text": "e4 hej med dig"}, "not-understood"),
    ({"by": "black", "text": "e5"}, "card-sender"),
    ({"ply": 3}, "stale"),
    ({"postmark": None}, "card-undated"),
    ({"postmark": "2026-09-02"}, "card-future"),
    ({"kind": "draw"}, "no-offer"),
)
async def test_a_card_that_can_not_be_is_refused_with_its_paragraph(postal, change, problem):
    answer = await postal.post("white", postal.path("/cards"), CARD | change)
    assert (await answer.json())["type"] == f"/problems/{problem}"
    assert answer.status in (409, 422)
    assert (await postal.row()).seq == 0


async def test_the_same_key_enters_a_card_once(postal):
    first = await postal.post("white", postal.path("/cards"), CARD, Idempotency_Key="k1")
    again = await postal.post("white", postal.path("/cards"), CARD, Idempotency_Key="k1")
    assert (first.status, again.status) == (200, 200)
    assert await first.json() == await again.json()
    assert (await postal.row()).seq == 1


async def test_a_picture_of_5_mb_is_taken_and_a_larger_one_is_not(postal):
    most = PNG + b"x" * (5 * 1024 * 1024 - len(PNG))
    larger = CARD | {"scan": base64.b64encode(most + b"x").decode()}
    assert await _sent(postal, larger) == 422
    taken = CARD | {"scan": base64.b64encode(most).decode()}
    assert await _sent(postal, taken) == 200
    assert await _sent(postal, CARD | {"scan": "A" * 8_000_000}) == 413


async def _sent(world: World, body: dict[str, object]) -> int:
    """The status of a large body, handed over piece by piece."""
    headers = world.headers("white") | {"Content-Type": "application/json"}
    data = io.BytesIO(json.dumps(body).encode())
    return (await world.client.post(world.path("/cards"), data=data, headers=headers)).status


async def test_an_email_game_takes_no_card_and_a_stranger_enters_none(world, postal):
    answer = await postal.post("stranger", postal.path("/cards"), CARD)
    assert answer.status == 404
    assert (await postal.post("stranger", postal.path("/email"), {"agrees": True})).status == 404
    assert (await postal.post(None, postal.path("/cards"), CARD)).status == 401


async def test_a_card_in_an_email_game_is_refused_with_the_rule(world):
    answer = await world.post("white", world.path("/cards"), CARD)
    assert (answer.status, (await answer.json())["paragraph"]) == (409, "6.8.1")


@rows(
    "text is_taken",
    ("e5", True),
    ("2. e4", False),
    ("1... e4", False),
    ("e4", False),
    ("2. e5", True),
)
async def test_a_card_whose_number_is_amiss_is_not_impossible(postal, text, is_taken):
    """§ 6.3.5.1: only an impossible or illegible move costs days."""
    faulty = {"kind": "illegal", "by": "white", "text": text, "arrived": "2026-09-01"}
    answer = await postal.post("black", postal.path("/cards"), faulty)
    if not is_taken:
        assert (await answer.json())["type"] == "/problems/card-lawful"
    assert (answer.status == 200) is is_taken, await answer.text()
    assert (await postal.row()).state().white.total == (3 if is_taken else 0)
