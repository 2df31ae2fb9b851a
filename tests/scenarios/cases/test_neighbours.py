"""Two things touch one player or one game: what one deed does to the other (§ 6.2.8, § 6.4.3)."""

from datetime import date
from itertools import permutations

import pytest

from kskak.regulation.editions import Result
from server.store.cases import publications as sanctions
from server.usecases.results.publishing import DutyKind, duties_for
from server.usecases.rights import rights
from tests.fakes.desk import CARLA, DAN, Desk, desk_scene
from tests.fakes.machinery.draws import turns
from tests.fakes.world import ANNA, BO, TL

desk = desk_scene(ANNA, BO, CARLA, DAN)
"""A group of four, double round: each has six games."""
REASONED = {"paragraphs": ["6.4.1"], "reasons": "Det er nu oplyst."}
WARNED = {"paragraphs": ["6.4.2"], "reasons": "Usportsligt."}


async def mine(desk: Desk, who: str) -> list[int]:
    listed = await desk.call(who, "GET", "/games")
    return sorted(game["id"] for game in listed["games"] if game["mine"])


async def between(desk: Desk, one: str, other: str) -> list[int]:
    theirs = await mine(desk, other)
    return [game for game in await mine(desk, one) if game in theirs]


async def left_by(desk: Desk, who: str) -> int:
    """The case in which somebody leaves, heard."""
    row = await desk.world.row()
    path = f"/groups/{row.group_id}/withdrawals"
    case = (await desk.call(who, "POST", path, {"text": "Jeg stopper."}))["id"]
    await desk.hear(TL, case)
    return case


async def leaves(desk: Desk, who: str, *, has_reason: bool = True) -> int:
    case = await left_by(desk, who)
    body = {"has_reason": has_reason, "reasons": "Udtrådt."}
    await desk.call(TL, "POST", f"/cases/{case}/withdrawal", body)
    return case


async def results(desk: Desk, games: list[int]) -> list[str | None]:
    return [(await desk.world.row(game)).result for game in games]


async def warned(desk: Desk, who: str) -> int:
    """A warning in a case of its own."""
    row = await desk.world.row()
    body = {"group": row.group_id, "person": await desk.id_of(who), "kind": "conduct", "text": "X."}
    case = (await desk.call(TL, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    order = [{"person": await desk.id_of(who), "kind": "warning"}]
    await desk.decide(TL, case, **WARNED, sanctions=order)
    return case


async def register(desk: Desk, who: str) -> list[tuple[str, str | None]]:
    """What stands in the register of somebody: kinds and last days."""
    found = await desk.world.core.store.query(
        sanctions.list_person_sanctions, await desk.id_of(who)
    )
    return [(one.kind, one.to_day) for one in found if one.annulled_us is None]


def said_to(desk: Desk, who: str, last: int = 6) -> str:
    return " ".join(" ".join(one.said.split()) for one in desk.world.letters(who)[-last:])


@pytest.mark.parametrize("order", list(permutations((ANNA, BO))))
async def test_two_who_left_do_not_win_over_each_other(desk: Desk, order: tuple[str, ...]) -> None:
    """§ 6.2.8: 0-0 whatever the order; the letter says what stood, and by which ruling."""
    first, second = order
    met = await between(desk, ANNA, BO)
    await leaves(desk, first)
    won = await results(desk, met)
    assert set(won) == {Result.WHITE_WINS, Result.BLACK_WINS}
    await leaves(desk, second)
    assert await results(desk, met) == [Result.BOTH_LOSE] * 2
    told = said_to(desk, first)
    assert "den enes tab er ikke den andens gevinst (§ 6.2.8)" in told
    assert "Indtil nu stod det ved afgørelse 2026/1/1" in told
    others = [game for game in await mine(desk, first) if game not in met]
    assert Result.BOTH_LOSE not in await results(desk, others)
    await desk.world.assert_whole(also=(CARLA, DAN))


@pytest.mark.thinned
@pytest.mark.parametrize("order", turns(list(permutations((ANNA, BO, CARLA))), 1, 2))
async def test_all_but_one_leave_and_he_wins_his_games(desk: Desk, order: tuple[str, ...]) -> None:
    """§ 6.2.8: a walkover is not «færdigspillet»: the last to leave has finished none of six."""
    for who in order:
        await leaves(desk, who)
    theirs = {game for who in order for game in await mine(desk, who)}
    dans = set(await mine(desk, DAN))
    assert set(await results(desk, sorted(theirs - dans))) == {Result.BOTH_LOSE}
    assert Result.BOTH_LOSE not in await results(desk, sorted(dans))
    row = await desk.world.row()
    table = await desk.call(TL, "GET", f"/groups/{row.group_id}")
    sums = sorted((line["points"], line["sonneborn_berger"]) for line in table["rows"])
    assert sums == [(0, 0), (0, 0), (0, 0), (6, 0)]


async def test_the_first_departure_is_annulled_and_the_second_keeps_its_loss(desk: Desk) -> None:
    """§ 6.4.3: he stays; the other, who left, has lost to him and not won; the rest goes on."""
    met = await between(desk, ANNA, BO)
    first = await leaves(desk, ANNA, has_reason=False)
    await leaves(desk, BO)
    await desk.appeal(ANNA, first)
    await desk.decide("kc@example.org", first, **REASONED, annuls=["2026/1/1"])
    anna = await desk.id_of(ANNA)
    for game in met:
        row = await desk.world.row(game)
        won = Result.WHITE_WINS if row.white_id == anna else Result.BLACK_WINS
        assert row.result == won
    others = [game for game in await mine(desk, ANNA) if game not in met]
    assert await results(desk, others) == [None] * 4
    told = said_to(desk, CARLA)
    assert "er i trækket, og tiden regnes fra den 5. januar 2026" in told
    assert "Anna Ager har igen ret til præmie." in told
    await desk.world.assert_whole(also=(CARLA, DAN))


async def test_a_half_rule_that_now_counts_differently(desk: Desk) -> None:
    """§ 6.2.8, § 6.4.3: 4 of 6, one of them by a ruling that is annulled: 3 of 6."""
    games = await mine(desk, ANNA)
    for game in games[:3]:
        await desk.call(ANNA, "POST", f"/games/{game}/resign")
    ruled = games[3]
    body = {"game": ruled, "kind": "days", "text": "Dagene er forkerte."}
    case = (await desk.call(ANNA, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    drawn = {"kind": "result", "result": "1/2-1/2", "on": "2026-01-05"}
    await desk.decide(TL, case, **REASONED, games=[{"game": ruled, "effect": drawn}])
    await leaves(desk, ANNA)
    assert (await results(desk, games))[4:] == [None, None], "they are adjudicated"
    await desk.appeal(ANNA, case)
    await desk.decide("kc@example.org", case, **REASONED, annuls=["2026/1/1"])
    assert None not in await results(desk, games) and Result.DRAW not in await results(desk, games)
    told = said_to(desk, ANNA, 20)
    assert "3 af 6 færdigspillet, højst halvdelen: afgørelsen 2026/2/1" in told
    listed = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
    judged = [one for one in listed if one["kind"] == "adjudication"]
    assert not [one for one in judged if one["stage"] in ("opened", "heard")], "they are answered"


async def test_half_rule_is_let_stand_with_a_word(desk: Desk) -> None:
    """§ 6.4.3: whoever annuls may say that the later ruling stands as it is."""
    games = await mine(desk, ANNA)
    for game in games[:3]:
        await desk.call(ANNA, "POST", f"/games/{game}/resign")
    body = {"game": games[3], "kind": "days", "text": "Dagene er forkerte."}
    case = (await desk.call(ANNA, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    drawn = {"kind": "result", "result": "1/2-1/2", "on": "2026-01-05"}
    await desk.decide(TL, case, **REASONED, games=[{"game": games[3], "effect": drawn}])
    await leaves(desk, ANNA)
    await desk.appeal(ANNA, case)
    order = {"annuls": ["2026/1/1"], "lets_stand": ["2026/2/1"]}
    await desk.decide("kc@example.org", case, **REASONED, **order)
    assert (await results(desk, games))[3:] == [None] * 3
    assert "Afgørelsen 2026/2/1 byggede på det, der ophæves, men står" in said_to(desk, ANNA)


@pytest.mark.parametrize("gone", [0, 1])
async def test_a_quarantine_does_not_outlive_the_warning_it_rested_on(desk, gone):
    """§ 4.1.19: the first warning falls, and the second is a warning again; or the second does."""
    cases = [await warned(desk, BO)]
    desk.world.clock.wait(days=10)
    cases.append(await warned(desk, BO))
    assert await register(desk, BO) == [("warning", None), ("quarantine", "2026-04-14")]
    await desk.appeal(BO, cases[gone])
    ref = f"2026/{gone + 1}/1"
    await desk.decide("kc@example.org", cases[gone], **REASONED, annuls=[ref])
    assert await register(desk, BO) == [("warning", None)]
    told = said_to(desk, BO)
    assert f"Det, som Bo Berg blev pålagt ved afgørelsen {ref}, gælder ikke mere" in told
    assert ("var doblet" in told or "Den er herefter den advarsel" in told) is (gone == 0)


async def test_the_quarantine_stands_when_the_controller_says_so(desk: Desk) -> None:
    """§ 6.4.3: what he lets stand is named, and stays."""
    case = await warned(desk, BO)
    desk.world.clock.wait(days=10)
    await warned(desk, BO)
    await desk.appeal(BO, case)
    order = {"annuls": ["2026/1/1"], "lets_stand": ["2026/2/1"]}
    await desk.decide("kc@example.org", case, **REASONED, **order)
    assert await register(desk, BO) == [("quarantine", "2026-04-14")]
    assert "Afgørelsen 2026/2/1 byggede på det, der ophæves, men står" in said_to(desk, BO)


async def test_one_date_resumes_all_games_of_a_ruling(desk: Desk) -> None:
    """§ 6.4.1: six games opened again from one day, as each letter says, with who is to move."""
    case = await leaves(desk, ANNA)
    desk.world.clock.go(date(2026, 1, 12))
    await desk.appeal(ANNA, case)
    order = {"annuls": ["2026/1/1"], "resume": "2026-01-14"}
    await desk.decide("kc@example.org", case, **REASONED, **order)
    assert await results(desk, await mine(desk, ANNA)) == [None] * 6
    assert said_to(desk, ANNA).count("og tiden regnes fra den 14. januar 2026") == 6


async def expelled(desk: Desk, who: str) -> int:
    row = await desk.world.row()
    body = {"group": row.group_id, "person": await desk.id_of(who), "kind": "conduct", "text": "X."}
    case = (await desk.call(TL, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    order = [{"person": await desk.id_of(who), "kind": "expulsion"}]
    await desk.decide(TL, case, **WARNED, sanctions=order)
    return case


@pytest.mark.parametrize("stands", [False, True])
async def test_an_expulsion_rests_on_the_warning_before_it(desk: Desk, stands: bool) -> None:
    """§ 6.4.2, § 6.4.3: «repeated» no longer; it falls with its games, unless it is let stand."""
    first = await warned(desk, BO)
    desk.world.clock.wait(days=3)
    await expelled(desk, BO)
    games = await mine(desk, BO)
    assert None not in await results(desk, games)
    await desk.appeal(BO, first)
    order = {"lets_stand": ["2026/2/1"]} if stands else {}
    await desk.decide("kc@example.org", first, **REASONED, annuls=["2026/1/1"], **order)
    assert (await results(desk, games) == [None] * 6) is not stands
    assert await register(desk, BO) == ([("expulsion", None)] if stands else [])
    told = said_to(desk, BO)
    assert ("Afgørelsen 2026/2/1 af" in told) is not stands
    assert ("og tiden regnes fra den 8. januar 2026" in told) is not stands
    await desk.world.assert_whole(also=(CARLA, DAN))


async def test_a_leave_after_an_expulsion_between_the_same_two(desk: Desk) -> None:
    """§ 6.2.8, § 6.4.2: expelled or gone of his own will, neither wins over the other."""
    await expelled(desk, BO)
    met = await between(desk, ANNA, BO)
    assert Result.BOTH_LOSE not in await results(desk, met)
    await leaves(desk, ANNA)
    assert await results(desk, met) == [Result.BOTH_LOSE] * 2


async def test_an_expulsion_after_a_leave_between_the_same_two(desk: Desk) -> None:
    """The same in the other order."""
    met = await between(desk, ANNA, BO)
    await leaves(desk, ANNA)
    await expelled(desk, BO)
    assert await results(desk, met) == [Result.BOTH_LOSE] * 2


async def test_a_departure_annulled_lets_go_what_was_to_be_adjudicated(desk: Desk) -> None:
    """§ 6.4.3, § 6.2.7: four of six were finished; the two others are played on."""
    games = await mine(desk, ANNA)
    for game in games[:4]:
        await desk.call(ANNA, "POST", f"/games/{game}/resign")
    case = await leaves(desk, ANNA)
    listed = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
    assert sum(one["kind"] == "adjudication" for one in listed) == 2
    await desk.appeal(ANNA, case)
    await desk.decide("kc@example.org", case, **REASONED, annuls=["2026/1/1"])
    listed = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
    judged = [one for one in listed if one["kind"] == "adjudication"]
    assert {one["stage"] for one in judged} == {"settled"}
    assert not any(one["is_suspended"] for one in judged)
    await desk.world.assert_whole(also=(CARLA, DAN))


async def test_an_adjudication_falls_with_the_departure_it_was_for(desk: Desk) -> None:
    """§ 6.2.8, § 6.2.7, § 6.4.3: adjudged as drawn because he had left; he had not."""
    games = await mine(desk, ANNA)
    for game in games[:4]:
        await desk.call(ANNA, "POST", f"/games/{game}/resign")
    case = await leaves(desk, ANNA)
    listed = (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
    judged = next(one["id"] for one in listed if one["kind"] == "adjudication")
    (game,) = [one["id"] for one in (await desk.see(TL, judged))["games"]]
    await desk.hear(TL, judged)
    drawn = {"kind": "result", "result": "1/2-1/2", "on": "2026-01-05"}
    order = {
        "paragraphs": ["6.2.7"],
        "reasons": "Lige.",
        "games": [{"game": game, "effect": drawn}],
    }
    await desk.decide(TL, judged, **order)
    assert await results(desk, [game]) == [Result.DRAW]
    await desk.appeal(ANNA, case)
    await desk.decide("kc@example.org", case, **REASONED, annuls=["2026/1/1"])
    assert await results(desk, games[4:]) == [None, None]
    await desk.world.assert_whole(also=(CARLA, DAN))


@pytest.mark.both_engines
async def test_what_only_a_higher_instance_may_annul_stands_on_the_desk(desk: Desk) -> None:
    """§ 6.4.3: the controller expelled him as a repeated offender; the leader's warning falls."""
    first = await warned(desk, BO)
    desk.world.clock.wait(days=3)
    second = await expelled(desk, BO)
    await desk.appeal(BO, second)
    again = [{"person": await desk.id_of(BO), "kind": "expulsion"}]
    order = {"annuls": ["2026/2/1"], "sanctions": again}
    await desk.decide("kc@example.org", second, **WARNED, **order)
    await desk.decide(TL, first, **REASONED, annuls=["2026/1/1"])
    assert ("expulsion", None) in await register(desk, BO)
    held = await rights(desk.world.core, await desk.world.person(TL))
    duties = [one for one in await duties_for(desk.world.core, held) if one.case]
    assert [(one.kind, one.case) for one in duties] == [(DutyKind.RESTS, "2026/2")]
