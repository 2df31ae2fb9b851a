"""What follows by a deed: whatever the order, nothing is left that contradicts itself (§ 6.4)."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from kskak.cases.aftermath import GroupGame
from kskak.cases.case import CaseStage, CaseState
from kskak.cases.case_events import (
    CaseDecided,
    CaseKind,
    CaseOpened,
    Decision,
    GameOrder,
    Ground,
    Instance,
    Sanction,
    SanctionKind,
    SanctionOrder,
)
from kskak.cases.consequences import (
    HALF_RULE,
    CaseDeed,
    ConsequenceKind,
    DeedKind,
    NeighbourCase,
    ProposedDeed,
    Surroundings,
    carry_out,
    find_consequences,
    find_contradictions,
    settle,
)
from kskak.cases.holdings import Hindrance, Holding, HoldingKind, TakenHolding
from kskak.game.game_events import ResultRuled
from kskak.groups.crosstables import rows_of
from kskak.groups.placing import RankingRules, ScoredGame, Table
from kskak.regulation.editions import Result
from tests.fakes.machinery.draws import drawn
from tests.fakes.machinery.each import each, rows

TODAY = date(2026, 5, 4)
GROUP = "K-1"
A, B, C, D, E, F, G = range(1, 8)
WON = {True: Result.WHITE_WINS, False: Result.BLACK_WINS}


def a_group(*finished: tuple[int, int, Result], players: int = 7) -> dict[int, GroupGame]:
    """A single round between the players; those games finished that are named."""
    ended = {frozenset((white, black)): (white, result) for white, black, result in finished}
    games = {}
    for number, pair in enumerate(combinations(range(1, players + 1), 2), 1):
        white, result = ended.get(frozenset(pair), (pair[0], None))
        black = next(one for one in pair if one != white)
        games[number] = GroupGame(number, white, black, result, group=GROUP)
    return games


def a_case(
    number: str, kind: CaseKind, about: int | None, *decided: Decision, games: tuple[int, ...] = ()
) -> NeighbourCase:
    """A case as it stands: undecided, or with its decisions."""
    opened = CaseOpened(kind, TODAY, Instance.LEADER, (A, B), "?", ("6.4.1",), games=games)
    stage = CaseStage.DECIDED if decided else CaseStage.OPENED
    rows = tuple(CaseDecided(99, one) for one in decided)
    state = CaseState(opened, stage, Instance.LEADER, decided=rows)
    return NeighbourCase(number, GROUP, about, state)


def a_decision(ref: str, **more: object) -> Decision:
    return Decision(ref, Instance.LEADER, TODAY, ("6.4.1",), "Derfor.", **more)  # type: ignore[arg-type]


def do(deed: CaseDeed, facts: Surroundings) -> tuple[Surroundings, dict[int, Result]]:
    """A deed with all that is proposed; and the results that its letter would tell."""
    after, told = carry_out(deed, facts), {}
    for one in find_consequences(deed, facts):
        after = settle(one, after)
        if one.proposes is ProposedDeed.RULE:
            assert one.game is not None and one.result is not None
            told[one.game] = one.result
    return after, told


def leave(facts: Surroundings, person: int) -> tuple[Surroundings, dict[int, Result]]:
    """A departure is ruled on: the case with its decision, kept with what it rests on."""
    number = f"2026/{person}"
    deed = CaseDeed(
        DeedKind.WITHDRAWAL, TODAY, person=person, group=GROUP, case=number, ref=f"{number}/1"
    )
    after, told = do(deed, facts)
    (left,) = (one for one in after.leaving if one.person == person)
    orders = tuple(
        GameOrder(game, ResultRuled(result, TODAY, "", "")) for game, result in told.items()
    )
    made = a_decision(f"{number}/1", grounds=left.grounds, games=orders)
    case = a_case(number, CaseKind.WITHDRAWAL, person, made)
    others = tuple(one for one in after.leaving if one.person != person)
    return replace(after, cases=(*after.cases, case), leaving=others), told


def results(facts: Surroundings) -> dict[int, Result | None]:
    return {number: game.result for number, game in facts.games.items()}


def table_of(facts: Surroundings) -> dict[str, tuple[object, ...]]:
    played = tuple(
        ScoredGame(str(one.white), str(one.black), one.result)
        for one in facts.games.values()
        if one.result is not None
    )
    rows = rows_of(Table(RankingRules.EMT, tuple("1234567"), played))
    return {row.name: (row.place, row.points, row.sonneborn_berger) for row in rows}


@each("order", list(permutations((A, B, C))))
def test_among_those_who_left_all_is_lost_by_both_whatever_the_order(order):
    """§ 6.2.8: losing is not the other's winning: 0-0 in the table and in Sonneborn-Berger."""
    games = a_group((A, D, WON[True]), (A, B, WON[True]), (C, E, Result.DRAW), (C, F, WON[True]))
    facts = Surroundings(TODAY, games)
    for one in order:
        facts, _ = leave(facts, one)
    found = table_of(facts)
    for number, game in facts.games.items():
        gone = {A, B, C} & {game.white, game.black}
        if len(gone) == 2:
            assert game.result is Result.BOTH_LOSE, number
        elif gone:
            assert game.result is WON[game.black in gone], number
    assert all(found[str(one)][1:] == (0, 0) for one in (A, B, C))
    assert find_contradictions(facts) == ()


def test_a_walkover_is_not_a_game_he_finished() -> None:
    """§ 6.2.8 reads «færdigspillet»: 3 of 6, whether the others left before him or after."""
    played = ((A, E, WON[True]), (A, F, WON[True]), (A, G, Result.DRAW))
    facts = Surroundings(TODAY, a_group(*played))
    for one in (B, C):
        facts, _ = leave(facts, one)
    deed = CaseDeed(DeedKind.WITHDRAWAL, TODAY, person=A, group=GROUP)
    found = find_consequences(deed, facts)
    assert {one.counted for one in found} == {(3, 6)} and {one.person for one in found} == {A}


def test_the_preview_says_what_stood_and_by_which_ruling() -> None:
    """§ 6.4.1: a later ruling never overwrites an earlier one in silence."""
    facts, _ = leave(Surroundings(TODAY, a_group()), A)
    deed = CaseDeed(DeedKind.WITHDRAWAL, TODAY, person=B, group=GROUP)
    (both,) = (one for one in find_consequences(deed, facts) if one.by)
    assert (both.stood, both.by, both.result) == (WON[False], "2026/1/1", Result.BOTH_LOSE)


def test_who_goes_on_counting_is_judged_by_what_stands_now() -> None:
    """§ 6.2.8, § 6.4.3: 4 of 6 were finished, one by a ruling that falls: 3 of 6."""
    games = a_group((A, D, WON[True]), (A, E, WON[True]), (A, F, WON[True]), (A, G, WON[True]))
    ruled = next(n for n, one in games.items() if {one.white, one.black} == {A, G})
    games[ruled] = replace(games[ruled], by="2026/77/1")
    order = GameOrder(ruled, ResultRuled(WON[True], TODAY, "", ""))
    over = a_case("2026/77", CaseKind.OVERSTEP, None, a_decision("2026/77/1", games=(order,)))
    facts, told = leave(Surroundings(TODAY, games, (over,)), A)
    assert told == {}, "more than half: his results stand"
    assert sum(one.kind is CaseKind.ADJUDICATION for one in facts.cases) == 2
    deed = CaseDeed(DeedKind.ANNULMENT, TODAY, refs=("2026/77/1",))
    first, *rest = find_consequences(deed, facts)
    assert (first.kind, first.counted) == (ConsequenceKind.COUNTS_ANEW, (3, 6))
    assert (first.case, first.ref) == ("2026/1", "2026/1/1")
    lost = [one for one in rest if one.kind is ConsequenceKind.LOST]
    closed = [one.case for one in rest if one.kind is ConsequenceKind.ANSWERED]
    assert len(lost) == 6 and len(closed) == 2


def test_an_annulled_departure_gives_the_other_who_left_what_he_lost_to() -> None:
    """§ 6.2.8: A stays after all; B's loss to him is A's win again, by B's ruling."""
    for order in ((A, B), (B, A)):
        facts = Surroundings(TODAY, a_group())
        for one in order:
            facts, _ = leave(facts, one)
        deed = CaseDeed(DeedKind.ANNULMENT, TODAY, refs=("2026/1/1",))
        after, _ = do(deed, facts)
        met = next(one for one in after.games.values() if {one.white, one.black} == {A, B})
        assert met.result is WON[met.white == A], order
        others = [one for one in after.games.values() if A in (one.white, one.black)]
        assert sum(one.result is None for one in others) == 5


def test_the_quarantine_of_a_second_warning_falls_with_the_first() -> None:
    """§ 4.1.19: what was a warning is a warning again; unless the decider lets it stand."""
    first = replace(
        a_decision("2026/1/1", sanctions=(SanctionOrder(A, SanctionKind.WARNING),)),
        on=TODAY - timedelta(days=40),
    )
    rests = Ground("4.1.19", A, ref="2026/1/1")
    second = a_decision(
        "2026/2/1", sanctions=(SanctionOrder(A, SanctionKind.WARNING),), grounds=(rests,)
    )
    cases = (
        a_case("2026/1", CaseKind.CONDUCT, A, first),
        a_case("2026/2", CaseKind.CONDUCT, A, second),
    )
    before = Sanction(SanctionKind.WARNING, TODAY - timedelta(days=40))
    grown = Sanction(SanctionKind.QUARANTINE, TODAY, TODAY + timedelta(days=90))
    register = {A: (before, grown)}
    facts = Surroundings(TODAY, {}, cases, register)
    assert find_contradictions(facts) == ()
    deed = CaseDeed(DeedKind.ANNULMENT, TODAY, refs=("2026/1/1",))
    (lighter,) = find_consequences(deed, facts)
    assert (lighter.kind, lighter.paragraph) == (ConsequenceKind.LIGHTER, "4.1.19")
    assert (lighter.person, lighter.ref, lighter.by) == (A, "2026/2/1", "2026/1/1")
    after, _ = do(deed, facts)
    stands = [one for one in after.sanctions[A] if not one.is_annulled]
    assert [(one.kind, one.last) for one in stands] == [(SanctionKind.WARNING, None)]
    assert find_consequences(replace(deed, leaves=(lighter.ground,)), facts) == ()
    entry = Holding(HoldingKind.ENTRY, A, "K 2026", "emt")
    took = replace(facts, taken=(TakenHolding("2026/2/1", entry),))
    assert {one.holding for one in find_consequences(deed, took)} == {None, entry}


@rows(
    "kind about deed",
    (CaseKind.SILENCE, A, CaseDeed(DeedKind.WITHDRAWAL, TODAY, A, GROUP)),
    (CaseKind.WITHDRAWAL, A, CaseDeed(DeedKind.EXPULSION, TODAY, A)),
    (CaseKind.OVERSTEP, None, CaseDeed(DeedKind.WITHDRAWAL, TODAY, A, GROUP, ref="2026/9/1")),
    (CaseKind.ADJUDICATION, None, CaseDeed(DeedKind.RULING, TODAY, results={1: Result.DRAW})),
)
def test_a_ruling_answers_the_other_cases_about_it(kind, about, deed):
    """§ 6.4.1: one player, one case; one game, one question."""
    facts = Surroundings(TODAY, a_group(), (a_case("2026/5", kind, about, games=(1,)),))
    closed = [one for one in find_consequences(deed, facts) if one.proposes is ProposedDeed.CLOSE]
    assert [one.case for one in closed] == ["2026/5"]


def test_a_claim_falls_with_the_leave_that_covers_it_and_the_game_goes_on() -> None:
    """§ 6.3.6.4."""
    facts = Surroundings(TODAY, a_group(), (a_case("2026/5", CaseKind.OVERSTEP, None, games=(1,)),))
    (one,) = find_consequences(CaseDeed(DeedKind.LEAVE, TODAY, A, results={1: None}), facts)
    assert (one.kind, one.case, one.game) == (ConsequenceKind.CLAIM_FALLS, "2026/5", 1)


NEXT = TODAY + timedelta(days=30)
HELD = frozenset(
    {
        Holding(HoldingKind.ENTRY, A, "K 2026", "emt", NEXT),
        Holding(HoldingKind.CUP_PLACE, A, "Finale", "cup", NEXT),
        Holding(HoldingKind.BOARD, A, "Nørresundby", "league", NEXT, "Nørresundby"),
        Holding(HoldingKind.CAPTAIN, A, "Nørresundby", "league", NEXT, "Nørresundby"),
        Holding(HoldingKind.OFFICE, A, "tl"),
        Holding(HoldingKind.SEAT, A, "K-1", "emt", TODAY),
        Holding(HoldingKind.ENTRY, B, "K 2026", "emt", NEXT),
    }
)


@rows(
    "deed taken",
    (
        CaseDeed(
            DeedKind.QUARANTINE,
            TODAY,
            A,
            sanctions={A: (Sanction(SanctionKind.QUARANTINE, TODAY, NEXT),)},
        ),
        {"entry", "cup_place", "board", "captain", "office"},
    ),
    (
        CaseDeed(
            DeedKind.QUARANTINE,
            TODAY,
            A,
            sanctions={A: (Sanction(SanctionKind.QUARANTINE, TODAY, NEXT - timedelta(days=1)),)},
        ),
        {"office"},
    ),
    (
        CaseDeed(
            DeedKind.EXPULSION,
            TODAY,
            A,
            sanctions={A: (Sanction(SanctionKind.EXPULSION, TODAY, event="emt"),)},
        ),
        {"entry"},
    ),
    (CaseDeed(DeedKind.DEATH, TODAY, A), {"entry", "cup_place", "board", "captain", "office"}),
    (CaseDeed(DeedKind.CLUB_END, TODAY, club="Nørresundby"), {"board", "captain"}),
)
def test_what_is_held_falls(deed: CaseDeed, taken: set[str]) -> None:
    """§ 6.4.2: what begins while it lasts; a club's end takes its own; the dead hold nothing."""
    earned = frozenset(one for one in HELD if one.is_earned)
    facts = Surroundings(TODAY, holdings=HELD, earned=earned)
    found = find_consequences(deed, facts)
    assert {one.holding.kind.value for one in found if one.holding} == taken
    assert all(one.person == A for one in found)


BACK = ConsequenceKind.GIVEN_BACK, ProposedDeed.RESTORE
NOT = ConsequenceKind.NOT_BACK


@rows(
    "kind now expected",
    ("entry", {}, (*BACK, None)),
    ("entry", {"is_drawn": True}, (*BACK, Hindrance.BEGUN)),
    ("seat", {"is_taken": True}, (NOT, ProposedDeed.TELL, Hindrance.BEGUN)),
    ("board", {"is_taken": True}, (NOT, ProposedDeed.REPLACE, Hindrance.BEGUN)),
    ("captain", {}, (*BACK, None)),
    ("office", {"is_taken": True}, (NOT, ProposedDeed.END, Hindrance.BEGUN)),
    ("cup_place", {"is_drawn": True}, (NOT, ProposedDeed.TELL, Hindrance.BEGUN)),
)
def test_what_a_sanction_took_is_given_back_or_said_why_not(kind, now, expected) -> None:
    """§ 6.4.3: by an annulment and by a lighter sanction; not to who is still barred, or dead."""
    ruled = a_case("2026/7", CaseKind.CONDUCT, A, a_decision("2026/7/1"))
    held = Holding(HoldingKind(kind), A, "Nord", "league", TODAY, number=3)
    taken = (TakenHolding("2026/7/1", held, **now),)
    facts = Surroundings(TODAY, cases=(ruled,), taken=taken)
    annulled = CaseDeed(DeedKind.ANNULMENT, TODAY, refs=("2026/7/1",))
    (found,) = find_consequences(annulled, facts)
    assert ((found.kind, found.proposes), found.why) == (expected[:2], expected[2])
    assert found.key == "" and find_contradictions(facts) == ()
    assert find_consequences(annulled, replace(facts, dead=frozenset({A}))) == ()
    barred = {A: (Sanction(SanctionKind.QUARANTINE, TODAY, NEXT),)}
    assert find_consequences(annulled, replace(facts, sanctions=barred)) == ()


def test_a_place_in_a_round_that_results_no_longer_give() -> None:
    """§ 6.6.1.3: swapped while the round has not begun, told once it has."""
    third, fourth = (
        Holding(HoldingKind.CUP_PLACE, who, "Finale", "cup", NEXT, place=3) for who in (C, D)
    )
    facts = Surroundings(TODAY, holdings=frozenset({fourth}), earned=frozenset({fourth}))
    deed = CaseDeed(DeedKind.RULING, TODAY, earned=frozenset({third}))
    into, out = find_consequences(deed, facts)
    assert (out.person, out.proposes) == (D, ProposedDeed.SWAP)
    assert (into.person, into.proposes) == (C, ProposedDeed.SWAP)
    late = replace(facts, on=NEXT + timedelta(days=1))
    assert {one.proposes for one in find_consequences(deed, late)} == {ProposedDeed.TELL}


RESULTS = st.sampled_from([None, *Result])


@drawn(150)
@given(st.data())
def test_after_any_deeds_nothing_is_left_that_contradicts_itself(data: st.DataObject) -> None:
    """No open case asks what is answered; no ruling rests on an annulled one; told equals is."""
    games = a_group(players=5)
    for number in games:
        games[number] = replace(games[number], result=data.draw(RESULTS))
    kinds = (CaseKind.SILENCE, CaseKind.OVERSTEP, CaseKind.ADJUDICATION, CaseKind.OFFLINE)
    cases = tuple(
        a_case(f"2026/{number}", data.draw(st.sampled_from(kinds)), data.draw(st.integers(1, 5)),
               games=(data.draw(st.sampled_from(sorted(games))),))
        for number in range(50, 50 + data.draw(st.integers(0, 4)))
    )  # fmt: skip
    facts = Surroundings(TODAY, games, cases)
    facts, _ = do(CaseDeed(DeedKind.CORRECTION, TODAY), facts)
    for one in find_contradictions(facts):
        facts = settle(one, facts)
    order = data.draw(st.permutations(range(1, 6)))
    for person in order[: data.draw(st.integers(1, 4))]:
        before = results(facts)
        facts, told = leave(facts, person)
        now = results(facts)
        assert {n: now[n] for n in now if now[n] is not before[n]} == told
        assert find_contradictions(facts) == ()
    refs = [made.ref for _, made in facts.in_force]
    for ref in data.draw(st.permutations(refs))[:2]:
        before = results(facts)
        facts, told = do(CaseDeed(DeedKind.ANNULMENT, TODAY, refs=(ref,)), facts)
        assert find_contradictions(facts) == ()
        assert all(results(facts)[game] is result for game, result in told.items())
        for _, made in facts.in_force:
            assert not {one.ref for one in made.grounds} & facts.gone - {""}


def test_a_case_closes_once_only() -> None:
    """§ 6.4.1: nothing follows a second time from what was carried out."""
    facts, _ = leave(Surroundings(TODAY, a_group()), A)
    deed = CaseDeed(DeedKind.RULING, TODAY)
    assert find_consequences(deed, facts) == () == find_contradictions(facts)
    assert {one.paragraph for _, made in facts.in_force for one in made.grounds} == {HALF_RULE}


def test_a_second_warning_stays_a_quarantine_while_a_third_ruling_counts() -> None:
    """§ 4.1.19: one of two earlier warnings is annulled; the other one is enough."""
    days = [TODAY - timedelta(days=40), TODAY - timedelta(days=20), TODAY]
    warned = (SanctionOrder(A, SanctionKind.WARNING),)
    rests = tuple(Ground("4.1.19", A, ref=f"2026/{n}/1") for n in (1, 2))
    made = [
        replace(
            a_decision(f"2026/{n}/1", sanctions=warned, grounds=rests if n == 3 else ()), on=day
        )
        for n, day in enumerate(days, 1)
    ]
    cases = tuple(a_case(f"2026/{n}", CaseKind.CONDUCT, A, one) for n, one in enumerate(made, 1))
    warnings = tuple(Sanction(SanctionKind.WARNING, day) for day in days[:2])
    grown = Sanction(SanctionKind.QUARANTINE, TODAY, date(2026, 8, 3))
    facts = Surroundings(TODAY, {}, cases, {A: (*warnings, grown)})
    for gone, follows in ((("2026/1/1",), 0), (("2026/1/1", "2026/2/1"), 1)):
        deed = CaseDeed(DeedKind.ANNULMENT, TODAY, refs=gone)
        found = find_consequences(deed, facts)
        assert len({one.ref for one in found}) == follows
