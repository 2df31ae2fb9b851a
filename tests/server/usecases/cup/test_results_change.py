"""§ 6.6.1.3, § 6.4.5: a cup's round rests on results that a ruling may change."""

from dataclasses import replace
from datetime import timedelta

import pytest

from kskak.cases.case_events import CaseKind, GameOrder, SanctionKind, SanctionOrder
from kskak.cases.consequences import ConsequenceKind, ProposedDeed
from kskak.cup import CupProblem, CupStage
from kskak.entries.entry import EntryFault
from kskak.game.game_events import ResultRuled, RulingApplied
from kskak.regulation.editions import Regulation, Result
from mail.office_letters.rulings import follow_text, standing_text, told_changes
from mail.text.catalogue import Words
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases import holdings as holding_rows
from server.store.entries import EntryRow, ListRow
from server.store.play.games import GameRow
from server.usecases.cases import case_decisions
from server.usecases.cases.case_actions import complain, object_to
from server.usecases.cases.case_transaction import CaseOutcome
from server.usecases.cases.decision_preparing import (
    Order,
    PreparedDecision,
    prepare_order,
)
from server.usecases.cases.evidence import access
from server.usecases.context import today_of
from server.usecases.cup.cup_rounds import CupRoundRequest
from server.usecases.cup.cup_views import advance_of, cup_desk, cup_view
from server.usecases.entries import player_entering
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest
from server.usecases.results import publishing
from server.usecases.results.titles import find_standing_changes, pass_over
from server.usecases.rights import rights
from tests.fakes.cups import CupScene
from tests.fakes.federation import address
from tests.fakes.machinery.clock import FakeClock
from tests.server.usecases.cup.conftest import told
from tests.server.usecases.cup.test_rounds import facts, played, refused

SEMI, FINAL = CupStage.SEMIFINAL, CupStage.FINAL


async def semi_played(scene: CupScene) -> None:
    """A semi-final of seven, in which the lower number won every game."""
    await played(scene)
    await scene.draw(CupRoundRequest(SEMI, places=3, added=(address("S07"),), reason="Fyldt op."))
    await scene.play_out("P-26-S1")


scene = told(semi_played)


async def settled(scene: CupScene, clock: FakeClock) -> None:
    """Published, and nobody may object any more."""
    await publishing.daily(scene.core)
    clock.go(today_of(scene.core) + timedelta(days=15))


async def game_between(scene: CupScene, group: str, one: str, other: str) -> GameRow:
    rows = await scene.group_games(group)
    return next(row for row in rows if {row.white, row.black} == {one, other})


def won_by(row: GameRow, name: str) -> Result:
    return Result.WHITE_WINS if row.white == name else Result.BLACK_WINS


async def test_6_4_5_a_round_drawn_before_the_term_of_objections_takes_a_reason(scene, clock):
    """Refused on the day; drawn with a reason; or without one when the term is out."""
    held = await rights(scene.core, scene.people["leader"])
    assert (await cup_desk(scene.core, held, scene.cup)).is_early
    found = await refused(scene, CupRoundRequest(FINAL))
    assert (found.problem, found.paragraph) == (CupProblem.EARLY, "6.4.5")
    await settled(scene, clock)
    assert not (await cup_desk(scene.core, held, scene.cup)).is_early
    await scene.draw(CupRoundRequest(FINAL))


async def test_6_4_5_with_a_reason_it_is_drawn_at_once_and_the_reason_is_kept(scene):
    await scene.draw(CupRoundRequest(FINAL, reason="Alle har skrevet, at de er enige."))
    assert (await facts(scene)).rounds[2].draw.reason == "Alle har skrevet, at de er enige."


async def test_6_2_8_who_has_said_that_he_leaves_is_not_drawn_without_a_word(scene, clock):
    """His open case is named on the desk and in the refusal; a reason draws him."""
    await settled(scene, clock)
    held = await rights(scene.core, scene.people["leader"])
    desk = await cup_desk(scene.core, held, scene.cup)
    who = desk.view.names[int(desk.view.prospects[0].seats[0].player)]
    group = await scene.group("P-26-S1")
    person = scene.people[who]
    case = await case_decisions.announce(scene.core, person, group.id, person.id, "Jeg stopper.")
    assert isinstance(case, case_rows.CaseRow)
    found = await refused(scene, CupRoundRequest(FINAL))
    assert found.problem is CupProblem.LEAVING and found.who == f"{who} ({case.number})"
    desk = await cup_desk(scene.core, held, scene.cup)
    assert desk.leavers[person.id].number == case.number
    await scene.draw(CupRoundRequest(FINAL, reason="Han spiller finalen, siger han."))


@pytest.mark.parametrize("begun", [False, True])
async def test_6_6_1_3_a_ruling_that_changes_the_qualifiers_stands_on_the_desk(scene, clock, begun):
    """Who is out and who is in instead; swapped before the final begins, told after."""
    await settled(scene, clock)
    await scene.draw(CupRoundRequest(FINAL))
    drawn = (await facts(scene)).rounds[2]
    last = max(drawn.places, key=lambda place: place.from_place or 0)
    first_out = sorted(set(await scene.members("P-26-S1")) - {one.player for one in drawn.places})[
        0
    ]
    assert (await cup_view(scene.core, cup_id=scene.cup)).changed == ()
    for game in await scene.group_games("P-26-S1"):
        if first_out in (game.white, game.black):
            ruled = ResultRuled(won_by(game, first_out), today_of(scene.core), "TL", "2026/9/1")
            await scene.enter_events(game, scene.people["leader"], RulingApplied("2026/9/1", ruled))
    if begun:
        clock.go(today_of(scene.core) + timedelta(days=60))
    changed = (await cup_view(scene.core, cup_id=scene.cup)).changed
    kinds = {one.kind: scene_name(scene, one.person) for one in changed}
    assert kinds[ConsequenceKind.NEWLY_EARNED] == first_out
    async with scene.core.store.read() as conn:
        advance = await advance_of(scene.core, conn, await group_rows.by_name(conn, "P-26-S1"))
    assert advance is not None and len(advance.changed) == 1, "«efter stillingen ikke videre»"
    assert not {*advance.changed} & {*advance.numbers}
    assert kinds[ConsequenceKind.NOT_EARNED] == last.player
    wanted = ProposedDeed.TELL if begun else ProposedDeed.SWAP
    assert {one.proposes for one in changed} == {wanted}
    held = await rights(scene.core, scene.people["leader"])
    duties = [one.kind for one in await publishing.duties_for(scene.core, held)]
    assert (publishing.DutyKind.CUP_PLACES in duties) is not begun


def scene_name(scene: CupScene, person: int | None) -> str:
    return next(name for name, one in scene.people.items() if one.id == person)


async def test_6_6_1_3_the_preview_of_a_ruling_says_who_goes_on_instead(scene, clock):
    """Before it is decided: the one loses the place and his right, the other gets them."""
    clock.go(today_of(scene.core) + timedelta(days=14))
    names = sorted(await scene.members("P-26-S1"))
    leader = scene.people["leader"]
    last, out = names[1], names[2]
    row = await game_between(scene, "P-26-S1", last, out)
    case = await object_to(
        scene.core, scene.people[out], row.id, CaseKind.DAYS, "Dagene er forkerte."
    )
    assert isinstance(case, case_rows.CaseRow)
    found = await access(scene.core, leader, case.id)
    ruled = ResultRuled(won_by(row, out), today_of(scene.core), "", "")
    order = Order(
        paragraphs=("6.4.1",), reasons="X.", unheard="Y.", games=(GameOrder(row.id, ruled),)
    )
    made = await prepare_order(scene.core, found.case, found.state, order)
    assert isinstance(made, PreparedDecision), made
    changes = told_changes(await find_standing_changes(scene.core, made))
    lines = [standing_text(one, scene_name(scene, one.person), Words.load("da")) for one in changes]
    assert f"{out} går videre fra P-26-S1 som nr. 2." in lines
    assert f"Gælder ikke længere: {last} går videre fra P-26-S1 som nr. 2." in lines
    assert any(f"{out} får ret til" in line for line in lines), lines


async def test_6_5_3_2_an_entry_is_named_before_its_right_falls_and_waits_after(scene, clock):
    """Seen where it is decided, on the entrant's own page at once, and no group begins with it."""
    clock.go(today_of(scene.core) + timedelta(days=14))
    leader, names = scene.people["leader"], sorted(await scene.members("P-26-S1"))
    last, out = names[1], names[2]
    row = await game_between(scene, "P-26-S1", last, out)
    of = await player_entering.open_list(
        scene.core, scene.people["kc"],
        player_entering.EntryListRequest(
            "Mesterklassen", "emt", "M", "EMT 26", Regulation.EMAIL, "M-26", leader.email
        ),
    )  # fmt: skip
    assert isinstance(of, ListRow), of
    asked = EntryRequest(of.id, EntryStatement(), scene.people[last].id, fee=today_of(scene.core))
    entry = await player_entering.enter(scene.core, leader, asked)
    assert isinstance(entry, EntryRow), entry
    case = await object_to(scene.core, scene.people[out], row.id, CaseKind.DAYS, "Forkert.")
    assert isinstance(case, case_rows.CaseRow)
    found = await access(scene.core, leader, case.id)
    ruled = ResultRuled(won_by(row, out), today_of(scene.core), "", "")
    order = Order(
        paragraphs=("6.4.1",), reasons="X.", unheard="Y.", games=(GameOrder(row.id, ruled),)
    )
    made = await prepare_order(scene.core, found.case, found.state, order)
    assert isinstance(made, PreparedDecision), made
    changes = told_changes(await find_standing_changes(scene.core, made))
    lines = [standing_text(one, scene_name(scene, one.person), Words.load("da")) for one in changes]
    fallen = [one for one in lines if "bedømmes på ny" in one]
    assert fallen == [
        f"{last}s tilmelding til Mesterklassen bedømmes på ny, da retten til klassen falder "
        "(§ 6.5.3.2)."
    ], lines


async def test_6_4_2_a_sanction_s_preview_names_the_cup_s_next_round(scene, clock):
    """Who goes on and is put in quarantine; not who does not go on, nor once the round is drawn."""
    leader, names = scene.people["leader"], sorted(await scene.members("P-26-S1"))
    group = await scene.group("P-26-S1")
    lines, orders = {}, {}
    for name in (names[0], names[1], names[-1]):
        who = scene.people[name]
        case = await complain(scene.core, leader, group.id, who.id, CaseKind.CONDUCT, "Grovt.")
        assert isinstance(case, case_rows.CaseRow), case
        found = await access(scene.core, leader, case.id)
        order = Order(
            paragraphs=("6.4.2",), reasons="X.", unheard="Y.",
            sanctions=(SanctionOrder(who.id, SanctionKind.QUARANTINE, 6),),
        )  # fmt: skip
        if name == names[1]:
            order = replace(order, sanctions=(SanctionOrder(who.id, SanctionKind.EXPULSION),))
        order = await pass_over(scene.core, order)
        made = await prepare_order(scene.core, found.case, found.state, order)
        assert isinstance(made, PreparedDecision), made
        fallen = [one for one in made.carried_out if one.takes]
        lines[name] = [follow_text(one, {who.id: name}, Words.load("da")) for one in fallen]
        assert (await find_standing_changes(scene.core, made)) == (), "told once"
        orders[name] = found.case.id, order
    assert lines[names[0]] == [
        f"{names[0]} går videre fra P-26-S1, men kan ikke begynde i pokalens næste runde, der "
        "trækkes uden ham (§ 6.4.2)."
    ]
    assert lines[names[-1]] == []
    done = await case_decisions.decide(scene.core, leader, *orders[names[0]])
    assert isinstance(done, CaseOutcome) and done.state.latest is not None
    (took,) = done.state.latest.takes

    async def find() -> list[tuple[str, bool]]:
        taken = [(done.state.latest.ref, took)]
        found = await scene.core.store.look(lambda conn: holding_rows.list_taken(conn, taken))
        return [(one.holding.of, one.is_drawn) for one in found]

    assert await find() == [("Pokal preliminary", False)], "his again if it is annulled now"
    await case_decisions.decide(scene.core, leader, *orders[names[1]])
    await settled(scene, clock)
    out = tuple(scene.people[name].id for name in names[:2])
    barred = (await cup_desk(scene.core, await rights(scene.core, leader), scene.cup)).barred
    faults = EntryFault.QUARANTINED, EntryFault.EXPELLED
    assert barred == dict(zip(out, faults, strict=True)), "though the expelled one's group is over"
    async with scene.core.store.read() as conn:
        advance = await advance_of(scene.core, conn, await group_rows.by_name(conn, "P-26-S1"))
    assert advance is not None and advance.barred == advance.numbers, "as their letters say"
    last = CupRoundRequest(FINAL, places=6, reason="X.")
    assert (await refused(scene, last)).problem is CupProblem.BARRED, "§ 6.4.2"
    await scene.draw(replace(last, without=out))
    assert await find() == [("Pokal preliminary", True)], "§ 6.4.3: the round was drawn without him"
