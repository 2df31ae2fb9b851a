"""§ 6.6.1.3: «3. i stedet for 4., finalen er ikke begyndt: byt»: one place, and all are told."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import insert

from kskak.cup import CupStage
from kskak.game.game_events import ResultRuled, RulingApplied
from mail.office_letters.service_letters import StartAnnulled
from mail.office_letters.start_letters import StartLetter
from server.store.cases import publications
from server.store.tables.cases import cases
from server.usecases.cases.case_decisions import HasBegun
from server.usecases.context import today_of
from server.usecases.cup.cup_rounds import CupRoundRequest
from server.usecases.cup.cup_views import cup_view
from server.usecases.cup.seat_swap import SwapRequest, swap_player
from server.usecases.rights import NoSuch, NotAllowed
from tests.fakes.cups import CupScene
from tests.fakes.machinery.clock import FakeClock
from tests.server.usecases.cup.conftest import told
from tests.server.usecases.cup.test_results_change import semi_played, settled, won_by
from tests.server.usecases.cup.test_rounds import facts

FINAL = CupStage.FINAL


scene = told(semi_played)


async def changed_final(scene: CupScene, clock: FakeClock) -> tuple[str, str]:
    """A final that is drawn, and rulings by which its last place is another's: whose, and whose."""
    await settled(scene, clock)
    await scene.draw(CupRoundRequest(FINAL))
    drawn = (await facts(scene)).rounds[2]
    out = max(drawn.places, key=lambda place: place.from_place or 0).player
    new = min(set(await scene.members("P-26-S1")) - {one.player for one in drawn.places})
    for game in await scene.group_games("P-26-S1"):
        if new in (game.white, game.black):
            ruled = ResultRuled(won_by(game, new), today_of(scene.core), "TL", "2026/9/1")
            await scene.enter_events(game, scene.people["leader"], RulingApplied("2026/9/1", ruled))
    return out, new


async def request(scene: CupScene, out: str, new: str, reason: str = "Sag 2026/9.") -> SwapRequest:
    number = (await scene.members("P-26-F")).index(out) + 1
    return SwapRequest(number, scene.people[new].email, reason)


@pytest.mark.parametrize("named_by", ["email", "name"])
@pytest.mark.both_engines
async def test_6_6_1_3_one_place_changes_hands_and_the_desk_is_settled(scene, clock, named_by):
    """The number, colours and games stay; the cup's page says how the new one got there."""
    out, new = await changed_final(scene, clock)
    final, leader = await scene.group("P-26-F"), scene.people["leader"]
    before = [(row.name, row.white, row.black) for row in await scene.group_games("P-26-F")]
    asked = replace(await request(scene, out, new), who=getattr(scene.people[new], named_by))
    assert await swap_player(scene.core, leader, final.id, asked) == new
    after = [(row.name, row.white, row.black) for row in await scene.group_games("P-26-F")]
    there = {out: new}
    assert after == [(n, there.get(w, w), there.get(b, b)) for n, w, b in before]
    view = await cup_view(scene.core, cup_id=scene.cup)
    assert view.changed == (), "what the results give is what is drawn"
    place = next(one for one in view.facts.rounds[2].places if one.player == new)
    assert (place.way, place.from_group) == ("placed", "P-26-S1")
    assert not view.facts.rounds[2].declined, "who has lost the place has not declined it"


async def test_6_6_1_3_both_and_the_others_are_told_with_the_reason(scene, clock):
    out, new = await changed_final(scene, clock)
    final, leader = await scene.group("P-26-F"), scene.people["leader"]
    clock.go(today_of(scene.core) + timedelta(days=1))
    seen = len(await scene.written())
    members = await scene.members("P-26-F")
    await swap_player(scene.core, leader, final.id, await request(scene, out, new))
    rows = (await scene.written())[seen:]
    told = {row.person_id for row in rows if row.kind == StartAnnulled.kind}
    assert told == {scene.people[name].id for name in (*members, new)} | {leader.id}
    again = {row.person_id for row in rows if row.kind == StartLetter.kind}
    assert again == told - {leader.id, scene.people[out].id}
    mine = {row.person_id for row in rows if row.kind == "first_move"}
    is_white = any(row.white == new for row in await scene.group_games("P-26-F"))
    assert mine == ({scene.people[new].id} if is_white else set())


async def test_6_4_2_who_qualified_and_is_swapped_out_is_kept_as_having_declined(scene, clock):
    """By a quarantine and not by results: the next says so, and nobody is proposed back."""
    await settled(scene, clock)
    await scene.draw(CupRoundRequest(FINAL))
    drawn = (await facts(scene)).rounds[2].places
    out = drawn[0].player
    new = min(set(await scene.members("P-26-S1")) - {one.player for one in drawn})
    final = await scene.group("P-26-F")
    asked = await request(scene, out, new, "Karantæne.")
    await swap_player(scene.core, scene.people["leader"], final.id, asked)
    view = await cup_view(scene.core, cup_id=scene.cup)
    assert [one.player for one in view.facts.rounds[2].declined] == [out]
    assert next(one for one in view.facts.rounds[2].places if one.player == new).way == "added"
    assert view.changed == ()


async def test_what_cannot_be_swapped(scene: CupScene, clock: FakeClock) -> None:
    """Nobody out, nobody in, twice in, no reason, barred; not by a player; not once begun."""
    out, new = await changed_final(scene, clock)
    final, leader = await scene.group("P-26-F"), scene.people["leader"]
    good = await request(scene, out, new)
    staying = next(name for name in await scene.members("P-26-F") if name != out)
    wrong = {
        "out": SwapRequest(99, good.who, "X"),
        "player": SwapRequest(good.number, "nobody@example.org", "X"),
        "reason": SwapRequest(good.number, good.who, "  "),
    }
    twice = SwapRequest(good.number, scene.people[staying].email, "X")
    for word, asked in (*wrong.items(), ("player", twice)):
        with pytest.raises(NoSuch, match=word):
            await swap_player(scene.core, leader, final.id, asked)
    with pytest.raises(NotAllowed):
        await swap_player(scene.core, scene.people[new], final.id, good)
    case = {
        "id": 1, "number": "2026/1", "kind": "conduct", "group_id": 1, "state": "decided",
        "instance": "tl", "seq": 1, "head": b"", "snapshot": "{}", "is_suspended": False,
        "opened_us": 0,
    }  # fmt: skip
    day = (today_of(scene.core) - timedelta(days=9)).isoformat()
    barred = publications.NewSanction(scene.people[new].id, 1, "quarantine", 1, day, None)
    async with scene.core.store.write() as conn:
        await conn.execute(insert(cases).values(case))
        await conn.run_sync(lambda sync: publications.add_sanction(sync, [barred]))
    with pytest.raises(NoSuch, match="barred"):
        await swap_player(scene.core, leader, final.id, good)
    clock.go(date.fromisoformat(final.start) + timedelta(days=1))
    with pytest.raises(NoSuch, match="barred"):
        await swap_player(scene.core, leader, final.id, good)
    late = SwapRequest(good.number, scene.people["S07"].email, "X")
    with pytest.raises((HasBegun, NoSuch)):
        await swap_player(scene.core, leader, final.id, late)
