"""§ 6.6.1, § 6.6.2: a cup's rounds as the server draws them, and what it refuses."""

from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import delete, update

from kskak.cup import CupPlayer, CupProblem, CupQualification, CupRefusal, CupStage, first_groups
from kskak.entries.rights import CupFinalStage, CupRightRound
from kskak.groups.schedule import draw_lots
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store.cases import publications as publication_rows
from server.store.tables.base import people
from server.store.tables.people import members
from server.usecases.cases.case_decisions import HasBegun, annul_start
from server.usecases.cup.cup_rounds import CupRoundRequest, DrawnRound, draw_round
from server.usecases.cup.cup_views import CupFacts, cup_desk, facts_in
from server.usecases.entries.entry_judging import knowledge
from server.usecases.entries.player_entering import add_result
from server.usecases.rights import NotAllowed, rights
from tests.fakes.cups import CupScene, name_of
from tests.fakes.entries import IN_K

FIRST, SEMI, FINAL = CupStage.PRELIMINARY, CupStage.SEMIFINAL, CupStage.FINAL


async def facts(scene: CupScene) -> CupFacts:
    async with scene.core.store.read() as conn:
        row = await cup_rows.find(conn, scene.cup)
        assert row is not None
        return await facts_in(conn, row)


async def refused(scene: CupScene, choice: CupRoundRequest, by: str = "leader") -> CupRefusal:
    done = await draw_round(scene.core, scene.people[by], scene.cup, choice)
    assert isinstance(done, CupRefusal), done
    return done


async def begun(scene: CupScene, count: int = 14) -> list[str]:
    """So many players in a drawn first round."""
    names = await scene.players(count)
    await scene.enter(names)
    await scene.opened()
    await scene.draw(CupRoundRequest(FIRST))
    return names


async def played(scene: CupScene, count: int = 14) -> list[str]:
    """The same, the lower number having won every game."""
    names = await begun(scene, count)
    for one in (await facts(scene)).rounds[0].groups:
        await scene.play_out(one.group.name)
    return names


async def test_6_6_1_2_the_groups_follow_from_strength_and_the_recorded_seed(scene):
    """§ 6.6.1.1, § 6.6.1.2: 13 players in 7 and 6. Verdict: as the pure rule has it."""
    names = await begun(scene, 13)
    first = (await facts(scene)).rounds[0]
    people = [scene.people[name] for name in names]
    entrants = [CupPlayer(str(person.id), person.k_rating) for person in people]
    wanted = first_groups(entrants, first.draw.seed)
    for one, group in zip(first.groups, wanted, strict=True):
        members = [people[index] for index in group]
        lots = draw_lots(
            f"{first.draw.seed} {one.group.name}", [f"{p.name} <{p.email}>" for p in members]
        )
        assert await scene.members(one.group.name) == [members[index].name for index in lots]
    assert [one.group.games for one in first.groups] == [21, 15]
    means = [sum(people[index].k_rating or 0 for index in group) / len(group) for group in wanted]
    assert list(first.mean_strengths.values()) == pytest.approx(means, abs=0.5)
    assert first.draw.start == "2026-11-09" and {p.way for p in first.places} == {
        CupQualification.ENTERED
    }
    async with scene.core.store.read() as conn:
        rows = await entry_rows.on_lists(conn, [scene.lists["preliminary"].id], ["placed"])
        of = await entry_rows.find_list(conn, scene.lists["preliminary"].id)
    assert len(rows) == 13 and of is not None and not of.is_open, "who comes now comes too late"


async def test_6_6_1_1_a_number_that_cannot_be_cut_waits_or_the_leader_takes_the_first(scene):
    """§ 6.6.1.1: 15 entries. Verdict: refused; 14 of the list with a reason, the last waits on."""
    names = await scene.players(15)
    await scene.enter(names)
    await scene.opened()
    assert await refused(scene, CupRoundRequest(FIRST)) == CupRefusal(CupProblem.UNCUT, 15)
    assert (await refused(scene, CupRoundRequest(FIRST, take=14))).problem is CupProblem.NO_REASON
    await scene.draw(CupRoundRequest(FIRST, take=14, reason="Den sidste kom for sent."))
    async with scene.core.store.read() as conn:
        (left,) = await entry_rows.on_lists(conn, [scene.lists["preliminary"].id], ["valid"])
    assert left.player == names[-1]
    assert (await facts(scene)).rounds[0].draw.reason == "Den sidste kom for sent."


async def test_6_6_1_2_two_entries_give_two_groups_and_in_one_group_they_are_too_many(scene):
    """§ 6.6.1.2: at most two at once. Verdict: parted in two groups; refused where there is one."""
    names = await scene.players(13)
    await scene.enter([*names[:6], names[0]])
    await scene.opened()
    found = await refused(scene, CupRoundRequest(FIRST))
    assert (found.problem, found.who) == (CupProblem.TOO_MANY_PLACES, names[0])
    await scene.enter(names[6:])
    await scene.draw(CupRoundRequest(FIRST))
    known = await facts(scene)
    groups = known.rounds[0].groups
    assert [names[0] in await scene.members(one.group.name) for one in groups] == [True, True]
    assert (len(known.rounds[0].places), known.entries) == (14, 13), "§ 6.6.2.2 counts people"
    async with scene.core.store.read() as conn:
        found = await cup_rows.rounds_of(conn, [one.group.group_id for one in groups])
    assert {one.entries for one in found.values()} == {13}


async def test_6_6_1_3_no_round_is_drawn_before_the_last_game_or_twice(scene: CupScene) -> None:
    """§ 6.6.1.3: going on from finished groups. Verdict: each refusal with its paragraph."""
    await begun(scene)
    assert (await refused(scene, CupRoundRequest(FIRST))).problem is CupProblem.DRAWN
    await scene.play_out("P-26-01")
    found = await refused(scene, CupRoundRequest(SEMI))
    assert (found.problem, found.paragraph) == (CupProblem.STILL_PLAYED, "6.6.1.3")


async def test_6_6_1_6_who_enters_at_the_semifinal_did_not_play_the_first_round(scene):
    """§ 6.6.1.6: the one or the other. Verdict: of two on the list the newcomer has a place."""
    names = await played(scene)
    (new,) = await scene.players(1, first=15)
    await scene.enter([new, names[0]], "semi")
    known = await facts(scene)
    assert [row.player for row in known.newcomers] == [new]
    held = await rights(scene.core, scene.people["leader"])
    desk = await cup_desk(scene.core, held, scene.cup)
    assert desk.played == (names[0],)
    semi = next(one for one in desk.view.prospects if one.stage is SEMI)
    ways = [seat.way for seat in semi.seats]
    assert ways.count(CupQualification.DIRECT) == 1 and len(ways) == 2 * semi.places + 1
    assert semi.lacking == 7 - len(ways)


async def test_6_6_1_6_the_leader_fills_the_groups_up_with_a_reason(scene: CupScene) -> None:
    """§ 6.6.1.6, § 6.1: 6 of 7. Verdict: who is unknown, missing or no member is refused."""
    names = await played(scene)
    found = await refused(scene, CupRoundRequest(SEMI, places=3, reason="Flest mulige."))
    assert found == CupRefusal(CupProblem.EMPTY, 1)
    guest = await scene.admit("Gæst", email="gaest@example.org", member=None)
    await add_result(scene.core, scene.people["kc"], guest.id, IN_K)  # his one group (§ 6.1)
    for address, problem in (
        ("ingen@example.org", CupProblem.NO_PERSON),
        (guest.email, CupProblem.NON_MEMBER),
    ):
        choice = CupRoundRequest(SEMI, added=(address,), reason="Fyldt op.")
        assert (await refused(scene, choice)).problem is problem
    on = await going(scene)
    seventh = next(name for name in names if name not in on)
    await scene.draw(
        CupRoundRequest(
            SEMI, places=3, added=((await scene.person(seventh)).email,), reason="Fyldt op."
        )
    )
    semi = (await facts(scene)).rounds[1]
    ways = {place.player: place.way for place in semi.places}
    assert (
        ways[seventh] == CupQualification.ADDED
        and list(ways.values()).count(CupQualification.PLACED) == 6
    )
    assert semi.draw.places == 3


async def going(scene: CupScene) -> set[str]:
    """Who goes on with three places."""
    known = await facts(scene)
    rows = [row for one in known.rounds[0].groups for row in one.ranked if row.place <= 3]
    names = {str(person.id): name for name, person in scene.people.items()}
    return {names[row.player] for row in rows}


async def test_6_6_1_1_the_semifinal_is_cancelled_with_a_reason_and_the_final_counts_as_one(scene):
    """§ 6.6.1.1, § 6.6.2.1: too few entries. Verdict: a final of 6; 80 percent for M, no DM."""
    await played(scene)
    assert (await refused(scene, CupRoundRequest(FINAL))).problem is CupProblem.NO_REASON
    await scene.draw(CupRoundRequest(FINAL, reason="For få tilmeldinger."))
    final = (await facts(scene)).rounds[1]
    members = await scene.members("P-26-F")
    assert (len(members), final.draw.places) == (6, 3)
    await scene.play_out("P-26-F")
    winner = scene.people[sorted(members)[0]]
    async with scene.core.store.read() as conn:
        known = await knowledge(conn, winner.id, date(2026, 11, 3))
    assert known is not None
    (one,) = known.record
    assert one.result.event == CupRightRound(CupFinalStage.FINAL, 14, False)
    assert (one.result.score.place, one.result.score.points) == (1, 5)
    assert (await refused(scene, CupRoundRequest(SEMI))).problem is CupProblem.OVER


async def test_6_6_1_5_a_finished_cup_is_over(scene: CupScene) -> None:
    """§ 6.6.1.5. Verdict: nothing more can be drawn; the first round gave nobody a right."""
    names = await played(scene)
    async with scene.core.store.read() as conn:
        known = await knowledge(conn, scene.people[names[0]].id, date(2026, 11, 3))
    assert known is not None
    record = known.history
    assert (record.participations, record.groups, record.cup_running) == ((), 1, 0)
    await scene.draw(CupRoundRequest(FINAL, reason="For få."))
    async with scene.core.store.read() as conn:
        known = await knowledge(conn, scene.people[names[0]].id, date(2026, 11, 3))
    assert known is not None
    assert known.history.cup_running == 0, (
        "the final is not among the two groups at once (§ 6.6.1.2)"
    )


async def test_6_1_1_nobody_leads_or_draws_a_cup_that_he_plays_in(scene: CupScene) -> None:
    """§ 6.1.1. Verdict: the leader on his own list blocks the round."""
    names = await scene.players(13)
    await scene.enter([*names, "leader"], by="kc")
    await scene.opened()
    assert (await refused(scene, CupRoundRequest(FIRST), "kc")).problem is CupProblem.LEADER_PLAYS


async def test_6_1_1_a_controller_who_plays_draws_no_round(scene: CupScene) -> None:
    """§ 6.1.1. Verdict: not allowed, and nothing was started; the leader may."""
    names = await scene.players(13)
    await scene.enter([*names, "kc"])
    await scene.opened()
    with pytest.raises(NotAllowed):
        await draw_round(scene.core, scene.people["kc"], scene.cup, CupRoundRequest(FIRST))
    async with scene.core.store.read() as conn:
        assert await group_rows.everything(conn) == ()
    await scene.draw(CupRoundRequest(FIRST))


async def test_a_round_is_taken_back_as_a_whole_before_the_first_move(scene, clock):
    """The start of one group annulled: all of the round go, the entries stand as before."""
    await begun(scene)
    group = await scene.group("P-26-02")
    await annul_start(scene.core, scene.people["leader"], group.id, "Fejl på listen.")
    known = await facts(scene)
    assert known.rounds == () and len(known.entered) == 14
    async with scene.core.store.read() as conn:
        assert await group_rows.everything(conn) == ()
    await scene.draw(CupRoundRequest(FIRST))
    await scene.play_out("P-26-01")
    with pytest.raises(HasBegun):
        other = await scene.group("P-26-02")
        await annul_start(scene.core, scene.people["leader"], other.id, "Fejl igen.")


async def test_another_quarter_takes_a_reason(scene: CupScene) -> None:
    """§ 6.6.3: "normally" in the last quarter. Verdict: the leader says why; it stays on record."""
    await scene.enter(await scene.players(7))
    await scene.opened()
    await scene.draw(
        CupRoundRequest(FIRST, start=date(2027, 9, 27), reason="Få tilmeldinger i 2026.")
    )
    assert (await scene.group("P-26-01")).start == "2027-09-27"


async def test_the_start_is_a_day_to_come(scene: CupScene) -> None:
    """§ 6.6.3: a past day is refused, a day told is kept."""
    await scene.enter(await scene.players(7))
    await scene.opened()
    past = await refused(scene, CupRoundRequest(FIRST, start=date(2026, 11, 1)))
    assert (past.problem, past.paragraph) == (CupProblem.START, "6.6.3")
    far = await refused(scene, CupRoundRequest(FIRST, start=date(2099, 12, 1)))
    assert (far.problem, far.paragraph) == (CupProblem.START_FAR, "6.6.3")
    for day in (date(2027, 1, 1), date(2027, 9, 27)):
        late = await refused(scene, CupRoundRequest(FIRST, start=day))
        assert (late.problem, late.paragraph) == (CupProblem.QUARTER, "6.6.3")
    await scene.draw(CupRoundRequest(FIRST, start=date(2026, 12, 31)))
    assert (await scene.group("P-26-01")).start == "2026-12-31"
    assert name_of(1) in await scene.members("P-26-01")


async def test_6_4_2_who_may_not_begin_does_not_go_on_unseen(scene: CupScene):
    """§ 6.4.2, § 6.2.8: who qualified and died stops the round until he is left out by name."""
    names = await begun(scene)
    for group in ("P-26-01", "P-26-02"):
        await scene.play_out(group)
    best = scene.people[names[0]]
    told = {"person_id": best.id, "day": "2026-11-01", "by_id": best.id, "at_us": 1}
    await scene.core.store.transact(lambda conn: publication_rows.record_death(conn, **told))
    asked = CupRoundRequest(FINAL, places=3, reason="Ingen semifinale.")
    stopped = await refused(scene, asked)
    assert (stopped.problem, stopped.who) == (CupProblem.DEAD, best.name)
    made = await scene.draw(replace(asked, without=(best.id,)))
    assert best.name not in await scene.members(made.groups[0].name)


async def test_6_1_the_next_round_is_a_non_members_second_group(scene: CupScene):
    """§ 6.1 (reading): one group ever. Verdict: left out, or in by the controller's own word."""
    names = await begun(scene)
    for group in ("P-26-01", "P-26-02"):
        await scene.play_out(group)
    best = scene.people[names[0]]
    async with scene.core.store.deciding() as conn:  # he is a member no longer
        await conn.execute(delete(members).where(members.c.person_id == best.id))
        await conn.execute(update(people).where(people.c.id == best.id).values(member=None))
    asked = CupRoundRequest(FINAL, places=3, reason="Ingen semifinale.")
    stopped = await refused(scene, asked)
    assert (stopped.problem, stopped.who, stopped.paragraph) == (
        CupProblem.NON_MEMBER, best.name, "6.1",
    )  # fmt: skip
    made = await draw_round(scene.core, scene.people["kc"], scene.cup, asked)
    assert isinstance(made, DrawnRound), made
    assert best.name in await scene.members(made.groups[0].name)
