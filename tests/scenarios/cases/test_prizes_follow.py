"""Prizes are booked when they are said to have gone, and follow the placing (§ 6.4.5, § 6.5.4)."""

from datetime import timedelta

import pytest

from mail.text.catalogue import Words
from server.store import books as book_rows
from server.store.cases import publications as publication_rows
from server.usecases.results import publishing
from tests.fakes.desk import Desk, desk_scene
from tests.fakes.world import ANNA, BO, NAMES, TL

REASONED = {"paragraphs": ["6.4.5"], "reasons": "Partiet blev meldt forkert."}


desk = desk_scene(ANNA, BO)


async def _money(desk: Desk) -> dict[str, int]:
    """What each has got, by the books."""
    async with desk.world.core.store.read() as conn:
        kept = await book_rows.everything(conn)
    found: dict[str, int] = {}
    for row in kept:
        found[row.party] = found.get(row.party, 0) - row.ore
    return {party: ore for party, ore in found.items() if ore}


async def _sent(desk: Desk) -> None:
    """The group is published as it stands, and the leader says that its prizes went."""
    core = desk.world.core
    await publishing.daily(core)
    group = (await desk.world.row()).group_id
    async with core.store.read() as conn:
        row = (await publication_rows.list_group_publications(conn, group))[-1]
    leader = await desk.world.person(TL)
    await publishing.set_prizes(core, leader, row.id, (50_000, 20_000))
    assert await publishing.prizes_sent(core, leader, row.id)
    assert not await publishing.prizes_sent(core, leader, row.id), "said twice, booked once"


@pytest.mark.both_engines
async def test_the_money_follows_the_placing_when_an_objection_changes_it(desk: Desk) -> None:
    """§ 6.4.5: Bo resigned and Anna got the first prize; the ruling makes him the winner."""
    world = desk.world
    await desk.call(BO, "POST", f"/games/{world.game}/resign")
    world.clock.wait(days=1)
    await _sent(desk)
    assert await _money(desk) == {NAMES[ANNA]: 50_000, NAMES[BO]: 20_000}
    body = {"game": world.game, "kind": "result", "text": "Det var modstanderen, der opgav."}
    case = (await desk.call(BO, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    row = await world.row()
    bo_won = "1-0" if row.white_id == await desk.id_of(BO) else "0-1"
    world.clock.wait(days=1)
    effect = {"kind": "result", "result": bo_won, "on": world.clock.today.isoformat()}
    await desk.decide(TL, case, **REASONED, games=[{"game": world.game, "effect": effect}])
    world.clock.wait(days=1)
    await _sent(desk)
    assert await _money(desk) == {NAMES[BO]: 50_000, NAMES[ANNA]: 20_000}


@pytest.mark.parametrize("is_ruled", [False, True])
async def test_a_group_that_a_case_held_back_is_told_once_and_open_to_objection(desk, is_ruled):
    """§ 6.4.5: the 14 days run from publication, however long the case took; a ruling, nothing new.

    The ruled game's result is changed in one case while another goes on for three weeks.
    """
    world = desk.world
    body = {"game": world.game, "kind": "days", "text": "Talt forkert."}
    held = (await desk.call(BO, "POST", "/cases", body))["id"]
    stop = {"action": "suspend", "games": [world.game]}
    await desk.call(TL, "POST", f"/cases/{held}/suspension", stop)
    await desk.call(BO, "POST", f"/games/{world.game}/resign")
    if is_ruled:
        world.clock.wait(days=1)
        body = {"game": world.game, "kind": "result", "text": "Jeg opgav ikke."}
        case = (await desk.call(BO, "POST", "/cases", body))["id"]
        await desk.hear(TL, case)
        effect = {"kind": "result", "result": "1/2-1/2", "on": world.clock.today.isoformat()}
        await desk.decide(TL, case, **REASONED, games=[{"game": world.game, "effect": effect}])
    world.clock.wait(days=21)
    await world.pump()
    assert await world.outbox("published") == (), "not while the case may change it"
    settle = {"action": "settle", "note": "Partiet er opgivet."}
    await desk.call(TL, "POST", f"/cases/{held}/close", settle)
    for _ in range(4):
        world.clock.wait(days=1)
        await world.pump()
    assert len(await world.outbox("published")) == 3, "both players and the leader, once"
    async with world.core.store.read() as conn:
        kept = await publication_rows.list_group_publications(conn, (await world.row()).group_id)
    (told,) = [row for row in kept if row.kind == "standing"]
    assert told.objections_until == (world.clock.today + timedelta(days=11)).isoformat()


async def test_what_a_ruling_changed_before_an_outage_is_published_once_as_of_the_day_after(desk):
    """§ 6.4.5: three weeks later nobody waits for a letter, and each day finds it published."""
    world, core = desk.world, desk.world.core
    await desk.call(BO, "POST", f"/games/{world.game}/resign")
    world.clock.wait(days=1)
    await world.pump()
    body = {"game": world.game, "kind": "result", "text": "Jeg opgav ikke."}
    case = (await desk.call(BO, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    ruled = world.clock.today
    effect = {"kind": "result", "result": "1/2-1/2", "on": ruled.isoformat()}
    await desk.decide(TL, case, **REASONED, games=[{"game": world.game, "effect": effect}])
    world.clock.wait(days=21)
    for _ in range(3):
        await publishing.daily(core)
        world.clock.wait(days=1)
    async with core.store.read() as conn:
        kept = await publication_rows.list_group_publications(conn, (await world.row()).group_id)
    days = [row.day for row in kept if row.kind == "standing"]
    assert days == [ruled.isoformat(), (ruled + timedelta(days=1)).isoformat()]


async def test_a_corrected_publications_letter_says_what_changed_and_bears_its_own_day(desk):
    """§ 6.4.5: published on one day, ruled otherwise, published again on another."""
    world = desk.world
    await desk.call(BO, "POST", f"/games/{world.game}/resign")
    world.clock.wait(days=1)
    await publishing.daily(world.core)
    await world.pump()
    first, row = world.clock.today, await world.row()
    assert "rettet" not in world.letters(ANNA)[-1].subject
    body = {"game": world.game, "kind": "result", "text": "Det var modstanderen, der opgav."}
    case = (await desk.call(BO, "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    world.clock.wait(days=2)
    bo_won = "1-0" if row.white_id == await desk.id_of(BO) else "0-1"
    effect = {"kind": "result", "result": bo_won, "on": world.clock.today.isoformat()}
    await desk.decide(TL, case, **REASONED, games=[{"game": world.game, "effect": effect}])
    world.clock.wait(days=1)
    await publishing.daily(world.core)
    await world.pump()
    words, today = Words.load("da"), world.clock.today
    letter = world.letters(ANNA)[-1]
    assert letter.subject == "[P-1] Resultatet er rettet"
    dates = f"offentliggjort den {words.day(first)}, er rettet den {words.day(today)}."
    assert dates in letter.said
    assert f"Rettet: {row.name} {row.white} – {row.black}: {bo_won}." in letter.said
    assert words.day(today + timedelta(days=14)) in letter.said, "its own term of objections"
