"""§ 6.4.4.1, § 6.5.1.2, § 6.5.3.2, § 6.1, § 6.6.1: entries against what the server knows."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import insert, update

from kskak.entries.emt import EmtClass
from kskak.entries.entry import EntryFault, EntryProblem, EntryRefusal
from server.store.cases import publications as publication_rows
from server.store.engine.rows import to_us
from server.store.entries import EntryRow, PastResult
from server.store.tables.base import games
from server.store.tables.cases import cases
from server.usecases.entries import entry_actions, entry_judging
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import ResultFault, add_result, remove_result
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.entries import IN_K, PAST, START, Federation
from tests.fakes.machinery.each import each

GROUP = """
tournament = "K-skak-EMT 2026"
class = "{kind}"
group = "{name}"
regulation = "email"
start = 2026-11-02
tl = "tove@example.org"
draw = false
"""
PLAYER = '[[players]]\nname = "{0}"\nemail = "{1}@example.org"\n'


async def _group(fed: Federation, name: str, kind: str, players: list[str]) -> None:
    text = GROUP.format(name=name, kind=kind)
    text += "".join(PLAYER.format(one.title(), one) for one in players)
    await start_group(fed.core, read_group_file(text))


def _reasons(done: object) -> list[str]:
    assert isinstance(done, EntryRefusal), done
    return [reason.value for reason in done.reasons]


async def test_which_classes_are_open_and_why_and_until_when(fed: Federation):
    """§ 6.5.3.2 a: 3 points in K a year ago; b: the cup; each with the result it rests on."""
    anna = await fed.player("anna")
    final = PastResult("cup", "final", "Pokal 24", date(2025, 3, 1), 12, 10, "bladet", entries=60)
    await fed.result("anna", final)
    view = await entry_judging.classes_view(fed.core, anna, anna.id)
    found = {
        name.value: [(right.paragraph, right.until, right.results) for right in answer.by]
        for name, answer in view.answers.items()
    }
    by_cup = ("6.6.2.2", date(2027, 3, 1), (1,))
    assert found == {
        "DM": [], "M": [by_cup], "K": [("6.5.3.2 a", date(2028, 11, 2), (2,)), by_cup], "Å": [],
    }  # fmt: skip
    assert [(one.name, one.source) for one in view.record] == [
        ("Pokal 24", "bladet"), ("K-24-01", IN_K.source),
    ]  # fmt: skip


async def test_the_right_lapses_on_the_day_after_its_last(fed: Federation):
    """§ 6.5.3.2 a: 3 years from the finish, that day included."""
    await fed.player("anna")
    fed.clock.go(date(2028, 11, 2))
    row = await fed.enter("anna")
    await entry_actions.withdraw(fed.core, fed.people["anna"], row.id)
    fed.clock.go(date(2028, 11, 3))
    assert _reasons(await fed.ask("anna")) == ["not_open"]
    assert (await fed.enter("anna", "Å", stated=EntryStatement())).state == "waiting", "§ 6.5.3.2 f"


async def test_an_own_unfinished_group_bars_until_no_relegation_is_possible(fed: Federation):
    """§ 6.5.1.2: a running group of K with nothing scored; after 2 points the class is open."""
    await fed.player("anna")
    await _group(fed, "K-26-90", "K", ["anna", *(f"q{n}" for n in range(6))])
    refused = await fed.ask("anna")
    assert _reasons(refused) == ["not_open"]
    assert isinstance(refused, EntryRefusal) and refused.paragraphs == ("6.5.1.2",)
    await _win(fed, "anna", 2)
    assert (await fed.enter("anna")).state == "waiting"


async def _win(fed: Federation, name: str, count: int) -> None:
    """The opponents of a player resign in so many of his games."""
    from kskak.game.game_commands import Resign
    from server.store.play import games as game_rows
    from server.usecases.play.game_requests import GameRequest as Asked
    from server.usecases.play.game_requests import ask

    me = fed.people[name].id
    async with fed.core.store.read() as conn:
        rows = await game_rows.list_person_games(conn, me, running=True)
    for row in rows[:count]:
        side = row.side_of(me)
        assert side is not None
        loser = row.person_of(side.other)
        await ask(fed.core, Asked(row.id, loser, "web", lambda _, by: Resign(by)))


async def test_an_entry_waits_by_itself_for_the_danger_to_pass(fed: Federation):
    """§ 6.5.1.2: paid and asking; the daily look makes it valid when 2 points are in."""
    await fed.player("anna")
    await _group(fed, "K-26-90", "K", ["anna", *(f"q{n}" for n in range(6))])
    row = await fed.enter("anna", asks=True)
    paid = await entry_actions.record_fee(fed.core, fed.people["tove"], row.id, START)
    assert isinstance(paid, EntryRow) and paid.state == "waiting"
    await _win(fed, "anna", 2)
    fed.clock.wait(days=1)
    await entry_actions.daily(fed.core)
    (own,) = await entry_judging.entries_of(fed.core, fed.people["anna"].id)
    assert (own.row.state, own.place) == ("valid", 1)


@pytest.mark.both_engines
async def test_the_second_of_a_double_entry_waits_when_the_first_has_started(fed: Federation):
    """§ 6.5.1.2: two groups of K; the one that begins puts him in danger for the other."""
    tove = fed.people["tove"]
    for number in range(7):
        await fed.player(f"p{number}")
        rows = [await fed.enter(f"p{number}")]
        if number == 0:
            assert _reasons(await fed.ask("p0")) == ["already"]
            rows.append(await fed.enter("p0", is_second=True))
        for row in rows:
            await entry_actions.record_fee(fed.core, tove, row.id, START)
    own = await entry_judging.entries_of(fed.core, fed.people["p0"].id)
    assert [one.row.state for one in own] == ["valid", "placed"]
    for number in range(7, 13):
        await fed.player(f"p{number}")
        row = await fed.enter(f"p{number}")
        await entry_actions.record_fee(fed.core, tove, row.id, START)
    own = await entry_judging.entries_of(fed.core, fed.people["p0"].id)
    assert [one.row.state for one in own] == ["waiting", "placed"], "7 were in, he could not start"
    told = await entry_actions.let_in(fed.core, tove, own[0].row.id, "Han vinder tre partier.")
    assert isinstance(told, EntryRow) and told.group == "K-26-02", "§ 6.5.3.2 e"


async def test_a_non_members_second_entry_is_refused(fed: Federation):
    """§ 6.1: one group of EMT or cup, ever; an entry that waits counts."""
    await fed.admit("gast", member=None, club=None)
    await fed.enter("gast", "Å")
    assert "second_of_non_member" in _reasons(await fed.ask("gast", "cup"))
    assert _reasons(await fed.ask("gast", "theme")) == ["members_only"]


async def test_two_groups_of_the_cup_and_no_third(fed: Federation):
    """§ 6.6.1.2: at most two at once; the semi-final by K-rating counts too."""
    await fed.player("anna", k_rating=2000)
    await fed.enter("anna", "cup")
    assert _reasons(await fed.ask("anna", "cup")) == ["already"]
    await fed.enter("anna", "cup", is_second=True)
    assert _reasons(await fed.ask("anna", "semi")) == ["too_many_cup_groups"]


@pytest.mark.parametrize(("rating", "taken"), [(2000, True), (1999, False), (None, False)])
async def test_the_semifinal_asks_for_a_k_rating_of_two_thousand(fed, rating, taken):
    """§ 6.6.1.6: the boundary."""
    await fed.player("anna", k_rating=rating)
    assert isinstance(await fed.ask("anna", "semi"), EntryRow) is taken


async def test_a_told_rating_opens_a_class_when_the_leader_has_seen_the_proof(fed: Federation):
    """§ 6.5.3.2 d: 2100 by the player's word; valid when fee and proof are there."""
    await fed.admit("anna")
    assert _reasons(await fed.ask("anna", "M", stated=EntryStatement(otb_rating=2099))) == [
        "not_open"
    ]
    row = await fed.enter("anna", "M", stated=EntryStatement(otb_rating=2100, proof="ratinglisten"))
    tove = fed.people["tove"]
    paid = await entry_actions.record_fee(fed.core, tove, row.id, START)
    assert isinstance(paid, EntryRow) and paid.state == "waiting"
    seen = await entry_actions.see_proof(fed.core, tove, row.id)
    assert isinstance(seen, EntryRow) and (seen.state, seen.proof_by) == ("valid", tove.id)
    again = await entry_actions.see_proof(fed.core, fed.people["kaj"], row.id)
    assert again == seen, "a second click is no second proof, nor another's"


async def test_what_an_entry_must_say_is_asked_for(fed: Federation):
    """§ 6.4.4.1: birth date; membership number where a club is named."""
    await fed.admit("anna", birth=None, member=None)
    assert _reasons(await fed.ask("anna", "Å")) == ["no_birth_date"], "the number can come later"
    stated = EntryStatement(member="12", born=date(1960, 1, 1))
    assert (await fed.enter("anna", "Å", stated=stated)).state == "waiting"


async def test_the_dm_needs_leader_and_controller_together(fed: Federation):
    """§ 6.5.2.2 f: each with a reason; one of them alone is not enough."""
    await fed.player("anna")
    row = await fed.enter("anna", "DM", asks=True)
    kaj, tove = fed.people["kaj"], fed.people["tove"]
    await entry_actions.record_fee(fed.core, tove, row.id, START)
    first = await entry_actions.let_in(fed.core, tove, row.id, "Stærk i nærskak.")
    assert isinstance(first, EntryRow) and first.state == "waiting"
    again = await entry_actions.let_in(fed.core, tove, row.id, "Meget stærk.")
    assert isinstance(again, EntryRow) and again.state == "waiting"
    both = await entry_actions.let_in(fed.core, kaj, row.id, "Enig.")
    assert isinstance(both, EntryRow) and both.state == "valid"
    page = await entry_judging.entry_page(fed.core, tove, row.id)
    assert [(one.name, one.office, one.paragraph, one.reason) for one in page.view.rulings] == [
        ("Tove", "tl", "6.5.2.2 f", "Stærk i nærskak."), ("Kaj", "kc", "6.5.2.2 f", "Enig."),
    ]  # fmt: skip


async def test_discretion_needs_a_reason_and_a_class(fed: Federation):
    """§ 6.5.3.2 e: no reason, no decision; the cup has no classes."""
    await fed.player("anna")
    tove = fed.people["tove"]
    row = await fed.enter("anna", "M", asks=True)
    blank = await entry_actions.let_in(fed.core, tove, row.id, "  ")
    assert blank == EntryRefusal((EntryProblem.NO_REASON,))
    cup = await fed.enter("anna", "cup")
    assert await entry_actions.let_in(fed.core, tove, cup.id, "Ja") == EntryRefusal(
        (EntryProblem.NO_DISCRETION,)
    )


async def test_nothing_is_changed_when_an_entry_is_over(fed: Federation):
    await fed.player("anna")
    row, tove = await fed.enter("anna"), fed.people["tove"]
    refused = await entry_actions.refuse(fed.core, tove, row.id, "6.4.4.1", "Indskuddet kom ikke.")
    assert isinstance(refused, EntryRow)
    assert (refused.state, refused.paragraph, refused.decided_by) == ("refused", "6.4.4.1", tove.id)
    over = EntryRefusal((EntryProblem.OVER,))
    assert await entry_actions.record_fee(fed.core, tove, row.id, START) == over
    assert await entry_actions.see_proof(fed.core, tove, row.id) == over
    assert await entry_actions.let_in(fed.core, tove, row.id, "Jo") == over
    assert await entry_actions.refuse(fed.core, tove, row.id, "6.1", "Nej") == over
    assert await entry_actions.withdraw(fed.core, fed.people["anna"], row.id) == over
    assert (await fed.enter("anna")).state == "waiting", "he may enter again"


BAD = (
    (replace(IN_K, event="golf"), ResultFault.EVENT),
    (replace(IN_K, wish="X"), ResultFault.EVENT),
    (replace(IN_K, name=" "), ResultFault.NAME),
    (replace(IN_K, name="x" * 121), ResultFault.NAME),
    (replace(IN_K, halves=13), ResultFault.SCORE),
    (replace(IN_K, halves=-1), ResultFault.SCORE),
    (replace(IN_K, games=0), ResultFault.SCORE),
    (replace(IN_K, finished=None, unfinished=4), ResultFault.SCORE),
    (replace(IN_K, unfinished=1), ResultFault.FINISHED),
    (replace(IN_K, finished=START + timedelta(1)), ResultFault.FINISHED),
    (replace(IN_K, place=0), ResultFault.PLACE),
    (replace(IN_K, entries=-1), ResultFault.ENTRIES),
    (replace(IN_K, source=" "), ResultFault.SOURCE),
)


@each(("told", "fault"), BAD)
async def test_a_bad_result_is_refused_by_its_field(fed, told, fault):
    anna = await fed.admit("anna")
    assert await add_result(fed.core, fed.people["tove"], anna.id, told) is fault
    view = await entry_judging.classes_view(fed.core, anna, anna.id)
    assert view.record == ()


async def test_one_result_is_not_entered_twice(fed: Federation):
    """A second click, another source, another score: the first stands till it is removed."""
    anna = await fed.player("anna")
    tove = fed.people["tove"]
    for again in (
        IN_K,
        replace(IN_K, source="Andre steder"),
        replace(IN_K, halves=0, name="k-24-01 "),
    ):
        assert await add_result(fed.core, tove, anna.id, again) is ResultFault.TWICE
    other = await fed.result("anna", replace(IN_K, name="K-24-02"))
    await remove_result(fed.core, tove, anna.id, other)
    assert await fed.result("anna", replace(IN_K, name="K-24-02", halves=3))


async def test_a_result_taken_away_gives_nothing_any_more(fed: Federation):
    anna = await fed.player("anna")
    later = replace(IN_K, halves=10, name="K-24-02", finished=PAST + timedelta(1))
    number = await fed.result("anna", later)
    assert (
        (await entry_judging.classes_view(fed.core, anna, anna.id)).answers[EmtClass.M].is_allowed
    )
    await remove_result(fed.core, fed.people["tove"], anna.id, number)
    view = await entry_judging.classes_view(fed.core, anna, anna.id)
    assert not view.answers[EmtClass.M].is_allowed
    assert EntryFault.NOT_OPEN.value in _reasons(await fed.ask("anna", "M"))
    assert PAST < START


# § 6.4.2: quarantine and expulsion keep a player out when he enters.


async def test_quarantine_is_checked_at_entry(fed: Federation):
    """§ 6.4.2: on its last day, not the day after."""
    anna = await fed.player("anna")
    until = (START + timedelta(10)).isoformat()
    await _quarantine(fed, anna.id, until)
    fed.clock.go(START + timedelta(10))
    assert _reasons(await fed.ask("anna")) == ["quarantined"]
    fed.clock.go(START + timedelta(11))
    assert (await fed.enter("anna")).state == "waiting"


@pytest.mark.both_engines
async def test_expulsion_is_checked_at_entry_until_the_group_is_over(fed: Federation):
    """§ 6.4.2: from the tournament he was expelled from, not from another; then not at all."""
    anna = await fed.player("anna")
    await _quarantine(fed, anna.id, None, "expulsion")
    done = await fed.ask("anna")
    assert _reasons(done) == ["expelled"]
    assert isinstance(done, EntryRefusal) and done.paragraphs == ("6.4.2",)
    assert "expelled" not in _reasons_or_none(await fed.ask("anna", "cup"))
    async with fed.core.store.write() as conn:
        ended = to_us(fed.core.clock.now())
        await conn.execute(update(games).values(result="1-0", ended_us=ended))
    assert _reasons(await fed.ask("anna")) == ["expelled"], "its last day is one of its days"
    fed.clock.go(START + timedelta(1))
    assert (await fed.enter("anna")).state == "waiting"


def _reasons_or_none(done: object) -> list[str]:
    return _reasons(done) if isinstance(done, EntryRefusal) else []


async def _quarantine(
    fed: Federation, person: int, until: str | None, kind: str = "quarantine"
) -> None:
    await _group(fed, "K-26-91", "K", ["x1", "x2"])
    case = {
        "id": 1, "number": "2026/1", "kind": "days", "group_id": 1, "state": "decided",
        "instance": "tl", "seq": 1, "head": b"", "snapshot": "{}", "is_suspended": False,
        "opened_us": 0,
    }  # fmt: skip
    new = publication_rows.NewSanction(person, 1, kind, 1, START.isoformat(), until)
    async with fed.core.store.write() as conn:
        await conn.execute(insert(cases).values(case))
        await conn.run_sync(lambda sync: publication_rows.add_sanction(sync, [new]))


async def test_a_non_members_word_opens_no_class(fed: Federation):
    """§ 6.1, § 6.5.3.2 e: let in again he is judged as anybody; the class is its own decision."""
    await fed.admit("gast", member=None, club=None)
    await _group(fed, "Å-24-01", "Å", ["gast", *(f"q{n}" for n in range(6))])
    asked = await fed.enter("gast", "K", asks=True, fee=None)
    kc = fed.people["kaj"]
    (view,) = await entry_judging.entries_of(fed.core, fed.people["gast"].id)
    assert [wait.value for wait in view.waits] == ["fee", "decision"]
    await entry_actions.let_in(fed.core, kc, asked.id, "Igen.")
    (view,) = await entry_judging.entries_of(fed.core, fed.people["gast"].id)
    assert EntryFault.NOT_OPEN in view.faults, "K is not his"
    assert EntryFault.SECOND_OF_NON_MEMBER not in view.faults
    await entry_actions.let_in(fed.core, kc, asked.id, "Stærk nok.")
    (view,) = await entry_judging.entries_of(fed.core, fed.people["gast"].id)
    assert view.faults == (EntryFault.NO_FEE,)
    assert [one.paragraph for one in view.rulings] == ["6.1", "6.5.3.2 e"]
