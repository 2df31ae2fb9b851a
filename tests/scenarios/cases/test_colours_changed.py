"""A game begun anew with the colours changed over by a ruling (FIDE 7.3; 7.2 in 2009)."""

from datetime import timedelta

import aiohttp
import pytest

from kskak.cases.case import CaseRefusal, CastVote, CloseHearing
from kskak.cases.case_events import Deposit
from kskak.game.game_events import (
    Event,
    GameResumed,
    GameSetBack,
    LeaderTold,
    RulingAnnulled,
    RulingApplied,
)
from kskak.ledger.stored_events import dump_event
from kskak.regulation.editions import Side
from server.store.cases import cases as case_rows
from server.store.play.people import Office
from server.usecases.cases import case_actions
from server.usecases.cases.appeals import appeal
from server.usecases.cases.case_transaction import CHANNEL, EventsUnit
from server.usecases.cases.decision_preparing import Order
from server.usecases.context import poster_of
from server.usecases.desks import database_care
from server.usecases.desks.database_care import NoRepair, repair
from server.usecases.games import writer
from server.usecases.games.game_units import Origin
from tests.fakes.cases import decided, late, officer, only_case, ready_for_votes, seen_by, union_fee
from tests.fakes.league import begin_division, board_game, game_row
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import begin_postal, enter
from tests.fakes.world import ANNA, BO, KC, TL, World

WHY = "Spillerne har fra begyndelsen haft hinandens farver."


async def _heard(world: World) -> int:
    anna = await world.person(ANNA)
    objection = (world.game, case_actions.CaseKind.OTHER, "Jeg skulle have haft sort.")
    await case_actions.object_to(world.core, anna, *objection)
    await world.pump()
    case = await only_case(world)
    await case_actions.act(world.core, await world.person(TL), case, CloseHearing("hørt"))
    return case


async def _decide(world: World, case: int, *effects: dict[str, object]) -> tuple[int, dict]:
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/cases/{case}/decisions"
    headers = {"Authorization": f"Bearer {await world.token(TL)}"}
    games = [{"game": world.game, "effect": one} for one in effects]
    body = {"paragraphs": ["6.4.1"], "reasons": WHY, "games": games}
    async with aiohttp.ClientSession(headers=headers) as http, http.post(url, json=body) as got:
        value = await got.json(content_type=None)
    await world.pump()
    return got.status, value


async def _players(world: World) -> tuple[str, str]:
    row = await world.row()
    state_names = row.state().terms.white, row.state().terms.black
    assert state_names == (row.white, row.black)
    by_id = {(await world.person(one)).id: one for one in (ANNA, BO)}
    return by_id[row.white_id], by_id[row.black_id]


@pytest.mark.both_engines
async def test_by_the_api_then_played_by_mail_and_annulled(world: World) -> None:
    anna, bo = Player(world), Player(world, BO, lang="en")
    first = anna.newest
    await anna.reply("e4")
    await bo.reply("e5")
    case = await _heard(world)
    today = world.clock.today.isoformat()
    swap = {"kind": "set_back", "ply": 0, "swaps_colours": True}
    resume = {"kind": "resume", "on": today}
    totals = {"kind": "set_time", "white": 3, "black": None}
    assert (await _decide(world, case, swap | {"ply": 1}, resume))[0] == 422
    status, told = await _decide(world, case, swap, resume, totals)
    assert (status, told["type"]) == (422, "/problems/case-colours-alone")
    assert await _players(world) == (ANNA, BO) and (await world.row()).ply == 2
    status, told = await _decide(world, case, swap, resume)
    assert status == 200, told
    assert await _players(world) == (BO, ANNA)
    assert any("Bo Berg har nu hvid" in one.said for one in world.letters(ANNA))
    assert any("Bo Berg now has White" in one.said for one in world.letters(BO))
    row = await world.row()
    assert (row.ply, row.to_move_id) == (0, row.white_id)
    await anna.reply("d4", first)
    assert (await world.row()).ply == 0, "an old letter of the first move is another's"
    await bo.reply("d4")
    assert [(await world.row()).ply, (await _players(world))[0]] == [1, BO]
    await anna.reply("d5")
    assert (await world.row()).ply == 2
    await world.assert_whole()
    decision = (await _case_refs(world, case))[-1]
    undo = Order(paragraphs=("6.4.1",), reasons="De havde de rette farver.", annuls=(decision,))
    await decided(world, TL, case, undo)
    assert await _players(world) == (ANNA, BO)
    assert (await world.row()).ply == 2 and (await world.row()).state().mover.value == "white"
    await anna.reply("Nf3")
    assert (await world.row()).ply == 3
    await world.assert_whole()


async def _case_refs(world: World, case: int) -> list[str]:
    return [row.decision.ref for row in (await seen_by(world, TL, case)).state.decided]


async def test_on_the_page_of_a_case_with_the_void_card_under_its_senders_name(lite: World) -> None:
    world = lite
    await begin_postal(world)
    await enter(world, "white", "5254", postmark=world.clock.today, note="Annas", who=TL)
    await _heard(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        path = next(link for link in (await tl.get("/desk")).links if "/desk/cases/" in link)
        page = await tl.get(path)
        fields = {f"back-{world.game}": "swapped", "reasons": WHY}
        drafted = await tl.submit(page, "/decide", **fields, step="draft")
        assert "Bo Berg har nu hvid, og Anna" in drafted.text
        await tl.submit(drafted, "/decide", step="send", confirm="1")
        await world.pump()
        assert await _players(world) == (BO, ANNA)
        shown = (await tl.get(path)).text
        assert "spillerne bytter farver" in shown
        assert "Et kort uden træk Anna Ager ugyldigt" in shown
    await enter(world, "white", "4244", postmark=world.clock.today, who=BO)
    assert (await world.row()).ply == 1
    await world.assert_whole()


async def _turn(world: World, *new: Event) -> None:
    """What a ruling brings into the game, without its case; no letter is written yet."""
    origin = Origin(world.core.clock.now(), None, CHANNEL)
    await world.core.writer.submit(EventsUnit(world.game, new, origin, poster_of(world.core)))


def _swap(world: World, ref: str = "1/2026/1") -> tuple[Event, ...]:
    swap, resume = GameSetBack(0, swaps_colours=True), GameResumed(world.clock.today)
    return (RulingApplied(ref, swap), RulingApplied(ref, resume))


async def _asked(world: World, who: str, path: str, body: dict[str, object]) -> int:
    """A request to the API, with no letter written after it."""
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/{path}"
    head = {"Authorization": f"Bearer {await world.token(who)}"}
    async with aiohttp.ClientSession(headers=head) as http, http.post(url, json=body) as got:
        return got.status


@pytest.mark.parametrize("is_undone", [False, True])
async def test_a_letter_not_yet_written_names_who_did_it_whatever_the_colours_are_now(
    lite: World, is_undone: bool
) -> None:
    """Leave, a move and a claim, each of a player who has the other colour once it is written."""
    world, anna = lite, Player(lite)
    await anna.reply("e4")
    days = {"from": str(world.clock.today + timedelta(days=6))}
    days["to"] = str(world.clock.today + timedelta(days=9))
    assert await _asked(world, BO, "leave", days) == 200
    assert await _asked(world, BO, f"games/{world.game}/moves", {"text": "c5"}) == 200
    world.clock.wait(minutes=1)  # a letter of the ruling's own instant is the new position's
    await _turn(world, *_swap(world))
    if is_undone:
        await _turn(world, RulingAnnulled("1/2026/1"))
    before = len(world.letters(ANNA)), len(world.letters(BO))
    await world.pump()
    annas = [one.said for one in world.letters(ANNA)[before[0] :]]
    bos = [one.said for one in world.letters(BO)[before[1] :]]
    for said in ("Bo Berg holder ferie fra og med", "Bo Berg har spillet 1... 3735 (c5)"):
        assert [said in one for one in annas].count(True) == 1, annas
    assert any("was received and sent to Anna Ager" in one for one in bos), bos
    assert not any("Anna Ager har spillet" in one or "Anna Ager holder" in one for one in annas)
    relay = next(one for one in world.letters(ANNA) if "har spillet 1... 3735" in one.said)
    kept = (await world.row()).ply
    await anna.reply("2. Nf3", relay)
    assert (await world.row()).ply == kept, "written of a time before, as its row says"
    await world.assert_whole()


async def test_a_claim_told_late_names_who_made_it(lite: World) -> None:
    world, anna = lite, Player(lite)
    await anna.reply("e4")
    await late(world)
    before = {who: len(world.letters(who)) for who in (ANNA, BO, TL)}
    assert await _asked(world, ANNA, f"games/{world.game}/claim", {"action": "claim"}) == 200
    await _turn(world, *_swap(world))
    await world.pump()
    claims = {TL: "Anna Ager har den 14. december 2026 gjort krav på gevinst mod Bo Berg"}
    claims |= {ANNA: "gjort krav på gevinst, fordi Bo Berg har overskredet tiden"}
    claims |= {BO: "Anna Ager claimed the win because you have overstepped the time"}
    for who, said in claims.items():
        (told,) = [
            one.said
            for one in world.letters(who)[before[who] :]
            if "krav" in one.said or "claim" in one.said
        ]
        assert said in told, told


async def test_a_form_of_the_first_position_is_of_another_game_once_the_colours_turned(lite):
    """Opened before the swap by who was White, after it by who is, and sent after the other."""
    world = lite
    async with browser(world) as anna, browser(world) as bo:
        await anna.sign_in(ANNA)
        await bo.sign_in(BO)
        mine = await anna.preview("e4")
        await _turn(world, *_swap(world))
        sent = await anna.submit(mine, "/move")
        assert (await world.row()).ply == 0 and sent.status in (403, 409, 422), sent.text
        theirs, ended = await bo.preview("d4"), await bo.get(f"/games/{world.game}/end/resign")
        await _turn(world, RulingAnnulled("1/2026/1"))
        for browsing, form, to in ((bo, theirs, "/move"), (anna, mine, "/move"), (bo, ended, "")):
            sent = await browsing.submit(form, to)
            assert (await world.row()).ply == 0 and (await world.row()).result is None
            assert sent.status in (403, 409, 422), sent.text
        assert (await anna.move("Nf3")).status == 200
    assert (await world.row()).ply == 1
    await world.assert_whole()


async def test_a_silence_told_of_before_the_swap_is_neither_players_and_one_after_it_is_his(lite):
    """By the record of a person: the report names a colour, which another had then."""
    world = lite
    today = world.clock.today

    async def told(who: str) -> list[str]:
        person = await world.person(who)
        async with world.core.store.read() as conn:
            return [one.game for one in await case_rows.silences(conn, person.id)]

    await Player(world).reply("e4")
    await _turn(world, LeaderTold(Side.WHITE, today))
    assert [await told(ANNA), await told(BO)] == [["K-26-01/1"]] * 2
    await _turn(world, *_swap(world))
    assert [await told(ANNA), await told(BO)] == [[], []]
    await _turn(world, LeaderTold(Side.BLACK, today))
    assert [await told(ANNA), await told(BO)] == [["K-26-01/1"]] * 2
    await _turn(world, RulingAnnulled("1/2026/1"))
    assert [await told(ANNA), await told(BO)] == [[], []]
    other = await world.begin("K-26-02")
    origin = Origin(world.core.clock.now(), None, CHANNEL)
    new = (LeaderTold(Side.BLACK, today), RulingApplied("2/2026/1", GameSetBack(0)))
    await world.core.writer.submit(EventsUnit(other, new, origin, poster_of(world.core)))
    assert await told(BO) == ["K-26-02/1"], "begun anew with the same colours"


async def test_a_swap_that_was_annulled_is_restored_on_appeal(lite: World) -> None:
    """Leader, controller, Board; a move is made on each position, by who has White then."""
    world = lite
    anna, bo = Player(world), Player(world, BO, lang="en")
    await anna.reply("e4")
    case = await _heard(world)
    today = world.clock.today.isoformat()
    swap = {"kind": "set_back", "ply": 0, "swaps_colours": True}
    assert (await _decide(world, case, swap, {"kind": "resume", "on": today}))[0] == 200
    await bo.reply("d4")
    players = {who: await world.person(who) for who in (ANNA, BO)}
    assert not isinstance(await appeal(world.core, players[ANNA], case, "Nej."), CaseRefusal)
    undo = Order(paragraphs=("6.4.1",), reasons="Farverne var rigtige.", annuls=("2026/1/1",),
                 grants=(players[ANNA].id,))  # fmt: skip
    await decided(world, KC, case, undo)
    assert await _players(world) == (ANNA, BO) and (await world.row()).ply == 1
    await bo.reply("c5")
    assert (await world.row()).ply == 2, "he answers 1. e4 as Black again"
    await union_fee(world.core, 500)
    paid = Deposit(50000, world.clock.today, "MobilePay 1")
    assert not isinstance(await appeal(world.core, players[BO], case, "Jo.", paid), CaseRefusal)
    judges = [
        await officer(world, f"{member}@example.org", Office.BOARD)
        for member in ("board", "nils", "nora")
    ]
    await ready_for_votes(world.core, judges[0], case)
    for judge in judges:
        await case_actions.act(world.core, judge, case, CastVote((players[BO].id,), ""))
    last = Order(
        paragraphs=("6.4.1",),
        reasons="De var forkerte.",
        annuls=("2026/1/2",),
        restores=("2026/1/1",),
        grants=(players[BO].id,),
    )
    await decided(world, "board@example.org", case, last)
    assert await _players(world) == (BO, ANNA) and (await world.row()).ply == 0
    assert (await database_care.verify(world.core.store)).is_sound
    await bo.reply("c4")
    await anna.reply("e5")
    assert (await world.row()).ply == 2
    await world.assert_whole(also=tuple(f"{one}@example.org" for one in ("board", "nils", "nora")))


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("what", "then"),
    [
        (GameSetBack(0, since=0, swaps_colours=True), (ANNA, BO)),
        (GameSetBack(1, swaps_colours=True), (ANNA, BO)),
        (GameSetBack(0, since=0), (BO, ANNA)),
    ],
)
async def test_a_repair_of_a_swap_gives_the_players_their_colours_back(
    world: World, monkeypatch: pytest.MonkeyPatch, what: GameSetBack, then: tuple[str, str]
) -> None:
    """Entries as an earlier program kept them; the last is none of colours, after one that is."""
    await Player(world).reply("e4")
    if not what.swaps_colours:
        await _turn(world, *_swap(world))
    monkeypatch.setattr(writer, "proven_text", dump_event)
    await _turn(world, RulingApplied("3/2026/1", what))
    monkeypatch.undo()
    assert await _players_by_id(world) == (BO, ANNA)
    seq = (await world.row()).seq
    report = await database_care.verify(world.core.store)
    assert [one.seq for one in report.findings] == [seq], report.findings
    await repair(world.core, "K-26-01/1", [seq])
    assert await _players(world) == then
    assert (await database_care.verify(world.core.store)).is_sound
    await world.pump()
    with pytest.raises(NoRepair, match="every entry can be read"):
        await repair(world.core, "K-26-01/1", [seq])
    mover = Player(world, then[0], lang="da" if then[0] == ANNA else "en")
    if (await world.row()).ply == 0:
        await mover.reply("Nf3")
        assert (await world.row()).ply == 1
    await world.assert_whole()


async def _players_by_id(world: World) -> tuple[str, str]:
    row = await world.row()
    by_id = {(await world.person(one)).id: one for one in (ANNA, BO)}
    return by_id[row.white_id], by_id[row.black_id]


@pytest.mark.both_engines
async def test_in_the_league_the_teams_change_colours_with_their_players(world: World) -> None:
    core = world.core
    await begin_division(core, "DIV-1", ("Nord", "Syd"), start=world.clock.today.isoformat())
    line = await board_game(core, "DIV-1", 1, "Nord")
    before = await game_row(core, line.id)
    swap = RulingApplied("1/2026/1", GameSetBack(0, swaps_colours=True))
    new = (swap, RulingApplied("1/2026/1", GameResumed(world.clock.today)))
    origin = Origin(world.clock.at, None, CHANNEL)
    await core.writer.submit(EventsUnit(line.id, new, origin, poster_of(core)))
    after, turned = await game_row(core, line.id), await board_game(core, "DIV-1", 1, "Nord")
    assert (after.white, after.black) == (before.black, before.white)
    assert (turned.white_team, turned.black_team) == (line.black_team, line.white_team)
    report = await database_care.verify(core.store)
    assert report.is_sound, report.findings
