"""Rulings 38, 59 and 107 as stories: postal games, from the claim to the Board's last word."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from kskak.game import game_events as ev
from kskak.regulation.editions import Channel, MoveFault, Result, Side
from kskak.statement.account import account
from tests.fakes.cases import only_case
from tests.fakes.desk import BOARD, MEMBERS, Desk, begun, desk_of, enter
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import told_once
from tests.fakes.world import ANNA, BO, KC, TL, World
from tests.regulation.record import POSTAL, Record, after, line

OCTOBER_24 = date(1976, 10, 24)
AUGUST_12 = date(1987, 8, 12)


@pytest.fixture
async def desk(
    database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Desk]:
    """A postal game of Anna and Bo on the server, begun on the story's day; nobody has moved."""
    telling, start = begun("postal"), request.param
    async with told_once(database_url, tmp_path, telling, start) as world, desk_of(world) as made:
        yield made


async def _letters_say(world: World, words: str, *readers: str) -> None:
    for reader in readers:
        said = [letter.said for letter in world.letters(reader)]
        assert any(words in one for one in said), (reader, words)


async def _history(world: World) -> list[tuple[str, bool]]:
    """The rulings in the game's account and whether they are annulled: both are shown."""
    row = await world.row()
    shown = account(row.terms, [item.event for item in await world.events()])
    return [(one.ruling, one.is_annulled) for one in shown.rulings]


@pytest.mark.parametrize("desk", [after(OCTOBER_24, -30)], indirect=True, ids=["1976"])
async def test_kendelse_38_the_sender_bears_the_risk_of_the_postmark(desk: Desk) -> None:
    """TL: lost. KC: 30 days, play on. The Board: 31 days by the postmark, lost (§ 6.3.2)."""
    world = desk.world
    record = Record(POSTAL, start=after(OCTOBER_24, -30)).rounds(9, black=30).think(0)
    record.dispatch(OCTOBER_24, ev.CardDates(OCTOBER_24 + timedelta(1)), Channel.POST)
    await enter(world, record.events, date(1976, 10, 28))
    await desk.call(ANNA, "POST", f"/games/{world.game}/claim")
    case = await only_case(world)
    seen = await desk.see(TL, case)
    assert seen["games"][0]["disputed"] == [20]
    assert (seen["games"][0]["clock"]["totals"]["black"], seen["number"]) == (31, "1976/1")
    assert await Player(world, BO).write_to_server(
        "Jeg lagde kortet i kassen den 24.", "[Sag 1976/1] P-1"
    ) == "case"  # fmt: skip
    tried = await desk.call(TL, "POST", f"/games/{world.game}/what-if", {
        "supposed": [{"kind": "sent_on", "ply": 20, "day": "1976-10-24"}],
    })  # fmt: skip
    assert (tried["black"], tried["outcome"]) == ([31, 30], ["black_overstepped", "runs"])
    await desk.hear(TL, case)
    world.clock.go(date(1976, 11, 18))
    won = {"kind": "result", "result": "1-0", "on": "1976-11-18"}
    await desk.decide(
        TL, case, paragraphs=["6.3.3.3"], reasons="31 dage er brugt.",
        games=[{"game": world.game, "effect": won}],
    )  # fmt: skip
    world.clock.go(date(1976, 11, 19))
    await desk.appeal(BO, case)
    world.clock.go(date(1977, 1, 4))
    await desk.decide(
        KC, case, paragraphs=["6.3.2"], reasons="Stemplet er sent.", annuls=["1976/1/1"],
        grants=[await desk.id_of(BO)],
        games=[
            {"game": world.game, "effect": {"kind": "set_time", "black": 30, "white": None}},
            {"game": world.game, "effect": {"kind": "resume", "on": "1977-01-10"}},
        ],
    )  # fmt: skip
    row = await world.row()
    assert (row.result, row.state().black.total) == (None, 30)
    await desk.appeal(ANNA, case, paid=True)
    world.clock.go(date(1977, 3, 22))
    seen = await desk.decide(
        BOARD, case, paragraphs=["6.3.2", "6.3.3.3"], reasons="Afsenderen bærer risikoen.",
        facts=[{"paragraph": "6.3.2", "text": "kortet er stemplet den 25/10"}],
        annuls=["1976/1/2"], restores=["1976/1/1"], grants=[await desk.id_of(ANNA)],
    )  # fmt: skip
    assert (seen["stage"], (await world.row()).result) == ("final", Result.WHITE_WINS)
    assert [(d["ref"], d["is_annulled"]) for d in seen["decisions"]] == [
        ("1976/1/1", True), ("1976/1/2", True), ("1976/1/3", False)]  # fmt: skip
    returned = [h["event"]["of"] for h in seen["history"] if "is_returned" in h["event"]["of"]]
    assert [one["is_returned"] for one in returned] == [True]
    await _letters_say(world, "Skaknævnet har afsagt Kendelse", ANNA, BO, TL, KC)
    await world.assert_whole(also=MEMBERS)


@pytest.mark.parametrize("desk", [date(1978, 4, 3)], indirect=True, ids=["1978"])
async def test_kendelse_59_what_the_post_spoiled_adds_nothing(desk: Desk) -> None:
    """TL: lost. KC: play on. The Board sets 24 and 28 and resumes with White's 11th (§ 6.3.5)."""
    world = desk.world
    record = Record(POSTAL, start=date(1978, 4, 3)).rounds(8, white=24, black=26).think(0)
    record.add(ev.FaultySent(Side.BLACK, record.day, MoveFault.ILLEGIBLE)).think(0)
    record.rounds(1, black=2)
    await enter(world, record.events, after(record.day, 3))
    await desk.call(ANNA, "POST", f"/games/{world.game}/claim")
    case = await only_case(world)
    assert (await world.total(Side.BLACK), (await world.row()).result) == (31, None)
    faulty = next(i for i, e in enumerate(record.events) if isinstance(e, ev.FaultySent))
    facts = {"supposed": [{"kind": "spoiled_by_post", "entry": faulty}]}
    tried = await desk.call(TL, "POST", f"/games/{world.game}/what-if", facts)
    assert (tried["black"], tried["outcome"]) == ([31, 28], ["black_overstepped", "runs"])
    await desk.hear(TL, case)
    today = world.clock.today.isoformat()
    won = {"kind": "result", "result": "1-0", "on": today}
    order = {"paragraphs": ["6.3.5.1"], "reasons": "Trækket var ulæseligt."}
    await desk.decide(TL, case, **order, games=[{"game": world.game, "effect": won}])
    await desk.appeal(BO, case)
    world.clock.wait(days=30)
    resume = {"kind": "resume", "on": world.clock.today.isoformat()}
    less = {"kind": "charge", "by": "black", "on": world.clock.today.isoformat(), "days": -3,
            "paragraph": "6.3.5", "reason": "posten"}  # fmt: skip
    await desk.decide(
        KC, case, paragraphs=["6.3.5"], reasons="Bestemmelsen gælder ikke her.",
        annuls=["1978/1/1"], games=[{"game": world.game, "effect": e} for e in (less, resume)],
    )  # fmt: skip
    assert (await world.row()).result is None
    await desk.appeal(ANNA, case, paid=True)
    world.clock.wait(days=60)
    resume = {"kind": "resume", "on": world.clock.today.isoformat()}
    totals = {"kind": "set_time", "white": 24, "black": 28}
    seen = await desk.decide(
        BOARD, case, paragraphs=["6.3.5", "6.3.5.1"], reasons="Posten har ødelagt kortet.",
        annuls=["1978/1/2"], games=[{"game": world.game, "effect": e} for e in (totals, resume)],
    )  # fmt: skip
    state = (await world.row()).state()
    assert (state.result, state.white.total, state.black.total) == (None, 24, 28)
    assert (state.mover, state.white.moves, state.running().since) == (
        Side.WHITE, 10, world.clock.today)  # fmt: skip
    assert seen["stage"] == "final"
    returned = [h["event"]["of"] for h in seen["history"] if "is_returned" in h["event"]["of"]]
    assert [one["is_returned"] for one in returned] == [False], "the appeal was not upheld"
    assert await _history(world) == [
        ("1978/1/1", True), ("1978/1/2", True), ("1978/1/2", True),
        ("1978/1/3", False), ("1978/1/3", False)]  # fmt: skip
    await enter(world, [ev.MoveSent(Side.WHITE, (line(20),), after(world.clock.today, 2))],
                after(world.clock.today, 2))  # fmt: skip
    assert await world.total(Side.WHITE) == 26
    await world.assert_whole(also=MEMBERS)


@pytest.mark.parametrize("desk", [date(1987, 4, 27)], indirect=True, ids=["1987"])
async def test_kendelse_107_known_facts_decide_how_a_postmark_is_read(desk: Desk) -> None:
    """TL and KC: illegible, so the stated 17/8 holds. The Board reads 19/8: lost (§ 6.3.2)."""
    world = desk.world
    record = Record(POSTAL, start=date(1987, 4, 27)).rounds(9, black=0)
    for _ in range(3):
        record.rounds(5, white=28)
    record.add(ev.TotalsSet(85, 0)).think(0)
    record.dispatch(AUGUST_12, AUGUST_12).rounds(0)
    card = ev.CardDates(None, stated=date(1987, 8, 17))
    record.dispatch(AUGUST_12, card, Channel.POST)
    ply = record.state.position.ply
    await enter(world, record.events, date(1987, 8, 20))
    status, said = await desk.ask(BO, "POST", f"/games/{world.game}/claim")
    assert (status, said["paragraph"]) == (409, "6.8.7"), "90 days: nothing to claim"
    opened = await desk.call(BO, "POST", "/cases", {
        "game": world.game, "kind": "overstep", "text": "Kortet er stemplet den 19/8.",
    })  # fmt: skip
    case = opened["id"]
    assert (await desk.see(TL, case))["games"][0]["disputed"][-1] == ply
    await desk.hear(TL, case)
    world.clock.go(date(1987, 8, 23))
    none = {"paragraphs": ["6.3.2"], "reasons": "Stemplet er ulæseligt."}
    await desk.decide(TL, case, **none)
    await desk.appeal(BO, case)
    world.clock.go(date(1987, 8, 31))
    await desk.decide(KC, case, **none)
    world.clock.go(date(1987, 9, 18))
    await desk.appeal(BO, case, paid=True)
    tried = await desk.call(BOARD, "POST", f"/games/{world.game}/what-if", {
        "supposed": [{"kind": "sent_on", "ply": ply, "day": "1987-08-19"}], "on": "1987-08-20",
    })  # fmt: skip
    assert (tried["white"], tried["outcome"]) == ([90, 92], ["runs", "white_overstepped"])
    world.clock.go(date(1987, 12, 13))
    effects = [
        {"kind": "correction", "ply": ply, "sent": "1987-08-19"},
        {"kind": "result", "result": "0-1", "on": "1987-12-13"},
    ]
    seen = await desk.decide(
        BOARD, case, paragraphs=["6.3.2", "6.3.3.3"], reasons="Øvrige kendte forhold tæller med.",
        annuls=["1987/1/1", "1987/1/2"], grants=[await desk.id_of(BO)],
        games=[{"game": world.game, "effect": effect} for effect in effects],
    )  # fmt: skip
    row = await world.row()
    assert (row.result, row.state().white.total) == (Result.BLACK_WINS, 92)
    game = seen["games"][0]
    assert (ply in game["disputed"], game["clock"]["moves"][-1]["sent"]) == (True, "1987-08-19")
    assert seen["stage"] == "final"
    await _letters_say(world, "regnes for sendt den 19. august 1987", ANNA, BO, TL)
    await world.assert_whole(also=MEMBERS)
