"""Idempotency-Key on every POST: done once, the first answer again, another request refused."""

import asyncio

from tests.fakes.machinery.each import each, rows

MOVE = {"text": "5254", "ply": 0}


async def test_the_same_request_again_gets_the_first_answer_and_moves_once(world):
    first = await world.post("white", world.path("/moves"), MOVE, Idempotency_Key="a1")
    again = await world.post("white", world.path("/moves"), MOVE, Idempotency_Key='"a1"')
    assert (first.status, again.status) == (200, 200)
    assert await first.read() == await again.read()
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (await world.row()).seq == 1


async def test_many_at_once_move_once(world):
    answers = await asyncio.gather(
        *(world.post("white", world.path("/moves"), MOVE, Idempotency_Key="b") for _ in range(8))
    )
    assert {answer.status for answer in answers} == {200}
    assert len({await answer.read() for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 7
    assert (await world.row()).seq == 1


async def test_the_same_key_with_another_request_is_refused(world):
    await world.post("white", world.path("/moves"), MOVE, Idempotency_Key="c")
    other = {"text": "4244", "ply": 0}
    answer = await world.post("white", world.path("/moves"), other, Idempotency_Key="c")
    assert (answer.status, (await answer.json())["type"]) == (422, "/problems/key-reused")
    elsewhere = await world.post("white", world.path("/resign"), Idempotency_Key="c")
    assert elsewhere.status == 422
    assert (await world.row()).seq == 1


async def test_a_key_is_its_owners_alone(world):
    await world.post("white", world.path("/moves"), MOVE, Idempotency_Key="d")
    answer = await world.post(
        "black", world.path("/moves"), {"text": "e5", "ply": 1}, Idempotency_Key="d"
    )
    assert answer.status == 200
    assert (await world.row()).seq == 2


async def test_a_key_is_its_owners_alone_where_answers_are_kept_too(world):
    """The same key and the same request, of two people: each is heard, neither reads the other."""
    asked = {"game": world.game, "kind": "days", "text": "Talt forkert."}
    first = await world.post("white", "/api/v1/cases", asked, Idempotency_Key="d2")
    other = await world.post("black", "/api/v1/cases", asked, Idempotency_Key="d2")
    assert (first.status, other.status) == (200, 200), await other.text()
    assert "Idempotent-Replayed" not in other.headers
    assert await first.read() != await other.read()
    for who, answer in (("white", first), ("black", other)):
        again = await world.post(who, "/api/v1/cases", asked, Idempotency_Key="d2")
        assert again.headers["Idempotent-Replayed"] == "true"
        assert await again.read() == await answer.read()
    reused = await world.post(
        "black", "/api/v1/cases", asked | {"text": "Nej."}, Idempotency_Key="d2"
    )
    assert reused.status == 422


async def test_a_refusal_is_repeated_as_it_was_even_when_it_would_now_be_granted(world):
    body = {"text": "e5", "ply": 1}
    first = await world.post("black", world.path("/moves"), body, Idempotency_Key="e")
    assert first.status == 409
    await world.play("e4")
    again = await world.post("black", world.path("/moves"), body, Idempotency_Key="e")
    assert (again.status, again.content_type) == (409, "application/problem+json")
    assert await first.read() == await again.read()


@each("key", ["", "x" * 129, "a b", '""'])
async def test_what_is_no_key_is_refused(world, key):
    answer = await world.post("white", world.path("/moves"), MOVE, Idempotency_Key=key)
    body = await answer.json()
    assert (answer.status, body["type"]) == (400, "/problems/bad-key")
    assert (await world.row()).seq == 0


async def test_leave_is_booked_and_told_once(world):
    body = {"from": "2026-10-01", "to": "2026-10-07"}
    first = await world.post("white", "/api/v1/leave", body, Idempotency_Key="f")
    again = await world.post("white", "/api/v1/leave", body, Idempotency_Key="f")
    assert (first.status, again.status) == (200, 200)
    assert await first.read() == await again.read()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (await world.row()).seq == 1
    assert (await first.json())["games"] == 1
    other = {"from": "2026-10-01", "to": "2026-10-08"}
    reused = await world.post("white", "/api/v1/leave", other, Idempotency_Key="f")
    assert (reused.status, (await reused.json())["type"]) == (422, "/problems/key-reused")


@rows(
    "rest body",
    ("/draw", {"action": "claim"}),
    ("/resign", None),
    ("/claim", {"action": "claim"}),
    ("/long-think", None),
)
async def test_every_other_post_repeats_its_answer_too(world, rest, body):
    first = await world.post("white", world.path(rest), body, Idempotency_Key="g")
    seq = (await world.row()).seq
    again = await world.post("white", world.path(rest), body, Idempotency_Key="g")
    assert (first.status, await first.read()) == (again.status, await again.read())
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (await world.row()).seq == seq
