"""Leave and notice by API: one tournament or all, shortened, granted by who may."""

import pytest

LEAVE = {"from": "2026-10-01", "to": "2026-10-20"}
EMT = "K-skak-EMT 2026"


async def test_leave_in_a_tournament_one_does_not_play_in_is_none(world):
    answer = await world.post("white", "/api/v1/leave", LEAVE | {"tournament": "Pokal"})
    assert (await answer.json())["type"] == "/problems/no-games"
    answer = await world.post("white", "/api/v1/leave", LEAVE | {"tournament": EMT})
    body = await answer.json()
    assert (body["groups"], body["games"], body["refused"]) == (["K-26-01"], 1, [])


@pytest.mark.parametrize(
    ("until", "status", "kind"),
    [
        ("2026-10-09", 200, None),
        ("2026-09-30", 200, None),
        ("2026-10-20", 422, "/problems/leave-not-shorter"),
        ("2026-09-29", 422, "/problems/leave-not-shorter"),
    ],
)
async def test_leave_is_shortened_or_why_not(world, until, status, kind):
    await world.post("white", "/api/v1/leave", LEAVE)
    answer = await world.post("white", "/api/v1/leave/shorten", LEAVE | {"until": until})
    body = await answer.json()
    assert (answer.status, body.get("type")) == (status, kind)
    other = await world.post("black", "/api/v1/leave/shorten", LEAVE | {"until": until})
    assert (await other.json())["type"] == "/problems/leave-unknown"


@pytest.mark.parametrize(("who", "status"), [("white", 404), ("black", 404), ("stranger", 404)])
async def test_only_who_leads_the_player_grants_special_leave(world, who, status):
    body = LEAVE | {"tournament": EMT, "player": world.people["white"].id}
    answer = await world.post(who, "/api/v1/leave/special", body)
    assert answer.status == status
    assert (await world.row()).seq == 0
    granted = await world.post("tl", "/api/v1/leave/special", body, Idempotency_Key="s")
    again = await world.post("tl", "/api/v1/leave/special", body, Idempotency_Key="s")
    assert (granted.status, await granted.read()) == (200, await again.read())
    assert (await world.row()).seq == 1
    elsewhere = await world.post("tl", "/api/v1/leave/special", body | {"player": 999_999})
    assert elsewhere.status == 404


async def test_notice_of_a_long_think_is_given_by_who_is_to_move(world):
    answer = await world.post("black", world.path("/long-think"))
    assert (await answer.json())["type"] == "/problems/not-your-turn"
    answer = await world.post("white", world.path("/long-think"), {})
    assert answer.status == 200
    assert (await world.row()).seq == 1
    assert (await world.post("stranger", world.path("/long-think"))).status == 404
