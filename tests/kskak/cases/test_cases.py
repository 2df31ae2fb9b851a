"""What holds for every case: nothing raises, what is decided can happen and be kept."""

import json
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.case import CaseReason, CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import (
    AppealEnd,
    Decision,
    FactFound,
    GameOrder,
    Instance,
    SanctionKind,
    SanctionOrder,
    effects,
    game_events,
)
from kskak.cases.decide_case import decide_case
from kskak.cases.evolve_case import (
    CASE_TABLE,
    CaseFault,
    case_may_follow,
    dump_case_event,
    evolve_case,
    load_case_event,
)
from kskak.game import game_events as ev
from kskak.ledger.stored_events import CodecError
from kskak.regulation.editions import LeaveType, Result, Side
from server.usecases.regulation import paragraphs
from tests.fakes.machinery.draws import drawn
from tests.fakes.machinery.each import each

DAY = date(2026, 3, 2)
QUICK = drawn(120, suppress_health_check=[HealthCheck.too_slow])
PEOPLE, GAMES = st.sampled_from([1, 2, 11, 12, 13, 99]), st.sampled_from([501, 502, 777])
REFS = ["7/1", "7/2", "7/3"]
ACTORS = st.builds(
    case_commands.Actor, st.none() | PEOPLE, st.frozensets(st.sampled_from(Instance)), st.booleans()
) | st.sampled_from([case_commands.Actor(9, frozenset({office})) for office in Instance])
EFFECTS = st.sampled_from(
    [
        ev.ResultRuled(Result.DRAW, DAY, "", ""),
        ev.DispatchCorrected(3, DAY, None, "", ""),
        ev.TotalsSet(24, 28),
        ev.GameResumed(DAY),
        ev.DaysCharged(Side.BLACK, DAY, -3, "6.3.5", "ødelagt af posten"),
        ev.LeaveBooked(Side.WHITE, DAY, DAY, None, LeaveType.SPECIAL),
    ]
)
SANCTIONS = st.builds(
    SanctionOrder, PEOPLE, st.sampled_from(SanctionKind), st.none() | st.integers(0, 4)
)


def some(strategy):
    return st.lists(strategy, max_size=2).map(tuple)


@st.composite
def decisions(draw: st.DrawFn, state: CaseState | None, now: date) -> Decision:
    """A decision, mostly of the instance whose turn it is."""
    instance = state.instance if state is not None else Instance.LEADER
    appeal = draw(st.none() | st.none() | st.sampled_from(AppealEnd))
    if state is not None and appeal is not None:
        gone = state.in_question if appeal is AppealEnd.SENT_BACK else ()
        ref = f"7/{len(state.decided) + 1}"
        return Decision(ref, instance, now, ("6.4.3",), "Fordi.", annuls=gone, appeal=appeal)
    return Decision(
        draw(st.sampled_from([f"7/{len(state.decided) + 1 if state else 1}", *REFS])),
        draw(st.sampled_from([instance, instance, Instance.BOARD])),
        now,
        ("6.4.1",),
        "Fordi.",
        draw(some(st.builds(FactFound, st.just("6.3.2"), st.text(max_size=5)))),
        draw(some(st.builds(GameOrder, GAMES, EFFECTS))),
        draw(some(SANCTIONS)),
        draw(some(st.sampled_from(REFS))),
        draw(some(st.sampled_from(REFS))),
        draw(some(PEOPLE)),
        appeal=appeal,
    )


@st.composite
def commands(draw: st.DrawFn, state: CaseState | None, now: date) -> case_commands.CaseCommand:
    """Anything that may be asked, sensible or not."""
    if state is None or draw(st.integers(0, 30)) == 0:
        kind, instance = (
            draw(st.sampled_from(case_events.CaseKind)),
            draw(st.sampled_from(Instance)),
        )
        text = draw(st.sampled_from(["?", " "]))
        return case_commands.OpenCase(kind, (1, 2), text, ("6.4.1",), (13,), (501, 502), instance)
    near = now + timedelta(draw(st.integers(-4, 20)))
    paid = st.builds(case_events.Deposit, st.integers(0, 900), st.just(near), st.just("bilag"))
    games = draw(some(GAMES))
    appeal = case_commands.Appeal("a1", draw(st.none() | paid), 540, games)
    told = st.builds(
        case_commands.RecordDelivery, st.sampled_from(REFS), PEOPLE, st.sampled_from([now, near])
    )
    return draw(
        st.sampled_from(
            [
                case_commands.AskParties(near, draw(some(PEOPLE))),
                case_commands.FilePaper(
                    draw(st.sampled_from(case_events.PaperKind)), "b2", draw(st.none() | PEOPLE)
                ),
                case_commands.CloseHearing(draw(st.sampled_from(["", "Klart."]))),
                case_commands.SuspendGames(games),
                case_commands.LiftSuspension(),
                case_commands.Decide(draw(decisions(state, now))),
                case_commands.Decide(draw(decisions(state, now))),
                draw(told),
                appeal,
                case_commands.WithdrawAppeal(),
                case_commands.LetStand(),
                case_commands.WithdrawCase(),
                case_commands.SettleCase("Enige."),
                case_commands.WidenCase(games, draw(some(PEOPLE))),
                case_commands.CiteDecision(draw(decisions(None, now))),
                case_commands.NoteAnnulled(draw(st.sampled_from(REFS)), "9/1"),
            ]
        )
    )


@QUICK
@given(st.data())
def test_no_command_raises_and_what_is_decided_can_happen_and_be_kept(data):
    state, now, kept = None, DAY, []
    for _ in range(data.draw(st.integers(1, 25))):
        now += timedelta(data.draw(st.sampled_from([0, 0, 1, 22])))
        command = data.draw(commands(state, now))
        answer = decide_case(state, command, now, data.draw(ACTORS))
        if isinstance(answer, CaseRefusal):
            assert answer.paragraph in paragraphs()
            continue
        for event in answer:
            before = state
            state = evolve_case(state, event)
            assert before is None or state.stage in case_may_follow(before.stage, event)
            assert load_case_event(dump_case_event(event)) == event
            kept.append(event)
    again = None
    for event in kept:
        again = evolve_case(again, event)
    assert again == state


@QUICK
@given(st.data())
def test_an_event_out_of_place_is_refused_by_the_lifecycle(data):
    kind = data.draw(
        st.sampled_from([case_events.BecameFinal(DAY), case_events.CaseWithdrawn(DAY, 1)])
    )
    opened = case_events.CaseOpened(
        case_events.CaseKind.OTHER, DAY, Instance.LEADER, (1, 2), "?", ("6.4.1",)
    )
    with pytest.raises(CaseFault, match="opened"):
        evolve_case(None, kind)
    state = evolve_case(None, opened)
    with pytest.raises(CaseFault, match="already"):
        evolve_case(state, opened)
    if not case_may_follow(state.stage, kind):
        with pytest.raises(CaseFault, match="can't follow"):
            evolve_case(state, kind)


def test_every_stage_has_a_row_and_every_reason_a_paragraph_of_the_register():
    assert CASE_TABLE.keys() == set(CaseStage)
    assert {reason.paragraph for reason in CaseReason} <= paragraphs().keys()


def test_restored_effects_stand_again_under_the_new_name():
    lost = GameOrder(501, ev.ResultRuled(Result.WHITE_WINS, DAY, "", ""))
    first = Decision("7/1", Instance.LEADER, DAY, ("6.4.1",), "Fordi.", games=(lost,))
    second = Decision("7/2", Instance.CONTROLLER, DAY, ("6.4.3",), "Nej.", annuls=("7/1",))
    third = Decision(
        "7/3", Instance.BOARD, DAY, ("6.4.3",), "Jo.", annuls=("7/2",), restores=("7/1",)
    )
    known = {decision.ref: decision for decision in (first, second, third)}
    assert game_events(second, known) == {501: (ev.RulingAnnulled("7/1"),)}
    again = ev.ResultRuled(Result.WHITE_WINS, DAY, "Skaknævnet", "7/3")
    assert effects(third, known) == {501: (again,)}
    assert game_events(third, known) == {501: (ev.RulingApplied("7/3", again),)}


@each(
    "path value",
    (("event",), "unheard"),
    (("event",), 7),
    (("of", "on"), "2026-13-01"),
    (("of", "kind"), "nonsense"),
    (("of", "parties"), "1"),
    (("of", "parties"), ["1"]),
    (("of", "parties"), [True]),
    (("of", "more"), 1),
)
def test_a_text_that_was_not_written_here_is_refused_by_its_place(path, value):
    opened = case_events.CaseOpened(
        case_events.CaseKind.OTHER, DAY, Instance.LEADER, (1, 2), "?", ("6.4.1",)
    )
    document = json.loads(dump_case_event(opened))
    place = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(CodecError):
        load_case_event(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "{}", "nul", '{"event":"final","of":null}'])
def test_what_is_no_case_event_is_refused(text):
    with pytest.raises(CodecError):
        load_case_event(text)


def test_a_ruling_effect_that_is_none_is_refused():
    decided = case_events.CaseDecided(
        9,
        Decision(
            "7/1", Instance.LEADER, DAY, ("6.4.1",), "x", games=(GameOrder(1, ev.TotalsSet(1, 1)),)
        ),
    )
    text = dump_case_event(decided)
    assert load_case_event(text) == decided
    with pytest.raises(CodecError, match="effect"):
        load_case_event(text.replace('"set_time"', '"resign"'))
