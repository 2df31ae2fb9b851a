"""POST moves, draw, resign, claim: what is made, what is refused, and refusals cost nothing."""

import pytest

from tests.fakes.machinery.each import each, rows

PROBLEM = "application/problem+json"


async def test_a_move_is_made_and_the_answer_shows_it_in_both_notations(world):
    answer = await world.move("white", "5254", ply=0)
    body = await answer.json()
    assert answer.status == 200
    assert body["moves"] == [{"ply": 1, "number": 1, "by": "white", "move": "5254", "san": "e4"}]
    assert (body["ply"], body["seq"], body["to_move"], body["days"]) == (1, 1, "black", 0)
    assert body["fen"].startswith("rnbqkbnr/pppppppp/8/8/4P3/")


async def test_days_and_running_account_come_with_the_answer(world):
    await world.play("e4")
    world.clock.pass_days(4)
    body = await (await world.move("black", "e5")).json()
    assert body["days"] == 3, "sent four days later, received the day after"
    assert body["totals"] == {"white": 0, "black": 3}
    assert body["running"]["by"] == "white"
    assert body["running"]["limit"] == 40


async def test_a_series_proposed_and_accepted_whole_lists_every_ply(world):
    await world.move("white", "1. 5254 05755 2. 7163")
    row = await world.row()
    assert row.ply == 1
    body = await (await world.move("black", "1. 5254 5755 2. 7163 2836")).json()
    assert [ply["move"] for ply in body["moves"]] == ["5755", "7163", "2836"]
    assert body["ply"] == 4


@rows(
    "text kind paragraph",
    ("5255", "illegal", "6.8.4"),
    ("hello", "not-understood", None),
    ("Lc4", "illegal", "6.8.4"),
)
async def test_what_is_no_move_is_refused_and_costs_nothing(world, text, kind, paragraph):
    answer = await world.move("white", text, ply=0)
    body = await answer.json()
    assert (answer.status, answer.content_type) == (422, PROBLEM)
    assert body["type"] == f"/problems/{kind}"
    assert body.get("paragraph") == paragraph
    row = await world.row()
    assert (row.seq, row.state().white.total) == (0, 0)


async def test_an_ambiguous_text_is_answered_with_its_candidates(world):
    await world.play("e4", "e5", "Nf3", "Nc6", "d3", "d6")
    answer = await world.move("white", "Nd2")
    body = await answer.json()
    assert (answer.status, body["type"]) == (422, "/problems/ambiguous")
    assert sorted(body["candidates"]) == ["2142", "6342"]
    assert "(2142)" in body["detail"] or "2142" in body["detail"]


async def test_a_stale_ply_is_refused(world):
    await world.play("e4", "e5")
    answer = await world.move("white", "d4", ply=0)
    body = await answer.json()
    assert (answer.status, body["type"], body["paragraph"]) == (409, "/problems/stale", "6.2.4")


async def test_who_is_not_to_move_is_told_so(world):
    answer = await world.move("black", "e5", ply=0)
    assert (answer.status, (await answer.json())["type"]) == (409, "/problems/not-your-turn")


@pytest.mark.parametrize("text", ["1. e4 remis?", "1. 5254 (=)", "e4\nremistilbud", "5254(=)"])
async def test_the_text_offers_a_draw_as_a_mail_does(world, text):
    """FIDE 9.1."""
    answer = await world.move("white", text)
    body = await answer.json()
    assert (answer.status, body["draw_offer"]) == (200, "white")


@each("text", ["e4\nremis", "e4 remis", "e4\nopgiver", "e4\nremis ja"])
async def test_a_word_that_is_no_offer_is_asked_about_before_the_move_goes(world, text):
    answer = await world.move("white", text)
    assert (answer.status, (await answer.json())["type"]) == (422, "/problems/not-understood")


async def test_the_text_of_a_problem_is_in_the_callers_language(world):
    danish = await (await world.move("white", "5255")).json()
    english = await (
        await world.post("white", world.path("/moves"), {"text": "5255"}, Accept_Language="en-GB")
    ).json()
    assert danish["title"] == "Ugyldigt træk"
    assert english["title"] == "Illegal move"
    assert danish["detail"].endswith("(§ 6.8.4).")


@rows(
    "text kind",
    ("1. 4244 5755", "wrong-repetition"),
    ("7. 5755", "wrong-number"),
    ("5755\n4745", "contradiction"),
)
async def test_what_does_not_fit_the_game_is_refused_without_a_charge(world, text, kind):
    await world.play("e4")
    answer = await world.move("black", text)
    assert (answer.status, (await answer.json())["type"]) == (422, f"/problems/{kind}")
    row = await world.row()
    assert (row.seq, row.state().black.total) == (1, 0)


async def test_a_text_that_is_understood_in_part_is_not_sent(world):
    answer = await world.move("white", "1. 5254 5755 2. 7163")
    assert (answer.status, (await answer.json())["type"]) == (422, "/problems/not-understood")
    assert (await world.row()).seq == 0


@pytest.mark.parametrize("who", ["stranger", "tl", "kc"])
async def test_only_the_players_move(world, who):
    answer = await world.move(who, "5254")
    assert (answer.status, (await answer.json())["type"]) == (404, "/problems/not-found")
    assert (await world.row()).seq == 0


async def test_a_draw_offer_goes_with_the_move_and_is_accepted(world):
    await world.move("white", "e4", draw_offer=True)
    early = await world.post("black", world.path("/draw"), {"action": "accept"})
    assert (early.status, (await early.json())["type"]) == (409, "/problems/draw-too-early")
    body = await (await world.move("black", "e5", draw_offer=True)).json()
    assert body["draw_offer"] == "black"
    answer = await world.post("white", world.path("/draw"), {"action": "accept"})
    body = await answer.json()
    assert (answer.status, body["result"], body["to_move"]) == (200, "1/2-1/2", None)


async def test_a_draw_offer_is_declined_once(world):
    await world.move("white", "e4", draw_offer=True)
    declined = await world.post("black", world.path("/draw"), {"action": "decline"})
    again = await world.post("black", world.path("/draw"), {"action": "decline"})
    assert (declined.status, (await declined.json())["draw_offer"]) == (200, None)
    assert (again.status, (await again.json())["type"]) == (409, "/problems/no-offer")


async def test_threefold_repetition_is_claimed_with_the_intended_move(world):
    tour = ["Nf3", "Nf6", "Ng1", "Ng8"]
    await world.play(*tour, *tour[:3])
    body = {"action": "claim", "intended": "springer g8"}
    answer = await (await world.post("black", world.path("/draw"), body)).json()
    assert answer["result"] == "1/2-1/2"
    assert [ply["san"] for ply in answer["moves"]] == ["Ng8"]


async def test_an_intended_move_that_is_illegal_is_refused(world):
    body = {"action": "claim", "intended": "e5"}
    answer = await world.post("white", world.path("/draw"), body)
    assert (answer.status, (await answer.json())["type"]) == (422, "/problems/illegal")


async def test_resigning_needs_no_body_and_ends_the_game(world):
    answer = await world.post("white", world.path("/resign"))
    assert (answer.status, (await answer.json())["result"]) == (200, "0-1")
    again = await world.post("white", world.path("/resign"))
    assert (again.status, (await again.json())["type"]) == (409, "/problems/game-over")


async def test_an_overstep_is_claimed(world):
    none = await world.post("black", world.path("/claim"))
    assert (none.status, (await none.json())["type"]) == (409, "/problems/no-overstep")
    await world.play("e4")
    world.clock.pass_days(60)
    answer = await world.post("white", world.path("/claim"))
    body = await answer.json()
    assert (body["result"], body["overstep"]["finding"]) == ("*", "claimed")
    assert body["to_move"] is None and body["running"] is None
    moved = await world.move("black", "e5")
    assert (moved.status, (await moved.json())["paragraph"]) == (409, "6.4.1")
    clock = await (await world.get("white", world.path("/clock"))).json()
    assert (clock["overstep"]["finding"], clock["awaits_decision"]) == ("claimed", True)
    admitted = await world.post("black", world.path("/claim"), {"action": "admit"})
    assert (await admitted.json())["result"] == "1-0"


async def test_playing_on_after_the_opponents_overstep_asks_first_and_may_be_waived(world):
    await world.play("e4")
    world.clock.pass_days(60)
    await world.play("e5")
    asked = await world.move("white", "Nf3")
    assert (asked.status, (await asked.json())["type"]) == (409, "/problems/overstep-asks")
    waived = await world.post("white", world.path("/claim"), {"action": "waive"})
    assert waived.status == 200
    body = await (await world.move("white", "Nf3")).json()
    assert body["result"] == "0-0", "playing on loses for both (§ 6.3.3.4)"


@rows(
    "text kind candidates",
    ("3. Be2", "wrong-number", ["6152"]),
    ("3... Be2", "wrong-number", ["6152"]),
    ("2... Nc6 3. Be2", "wrong-number", ["6152"]),
    ("3... f6 4. Le2", "wrong-repetition", ["6152"]),
    ("12. Qa8", "wrong-number", []),
)
async def test_a_number_that_does_not_fit_is_answered_with_what_may_be_meant(
    world, text, kind, candidates
):
    """§ 6.8.6: a slip of the pen costs nothing."""
    await world.play("e4", "e5", "Nf3", "Nc6", "d3", "d6")
    before = (await world.row()).state().white.total
    answer = await world.move("white", text)
    body = await answer.json()
    assert (answer.status, body["type"]) == (422, f"/problems/{kind}")
    assert body["candidates"] == candidates
    assert all(one in body["detail"] for one in candidates)
    row = await world.row()
    assert (row.ply, row.state().white.total) == (6, before)


# Leave and notice by API: one tournament or all, shortened, granted by who may.


LEAVE = {"from": "2026-10-01", "to": "2026-10-20"}
EMT = "K-skak-EMT 2026"


async def test_leave_in_a_tournament_one_does_not_play_in_is_none(world):
    answer = await world.post("white", "/api/v1/leave", LEAVE | {"tournament": "Pokal"})
    assert (await answer.json())["type"] == "/problems/no-games"
    answer = await world.post("white", "/api/v1/leave", LEAVE | {"tournament": EMT})
    body = await answer.json()
    assert (body["groups"], body["games"], body["refused"]) == (["K-26-01"], 1, [])


@rows(
    "until status kind",
    ("2026-10-09", 200, None),
    ("2026-09-30", 200, None),
    ("2026-10-20", 422, "/problems/leave-not-shorter"),
    ("2026-09-29", 422, "/problems/leave-not-shorter"),
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
