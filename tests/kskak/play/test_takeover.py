"""A takeover changes no day and no result; what silence does is counted from it."""

import json
from datetime import date, timedelta

import chess
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kskak.board.notation import UnreadMove, read_movetext
from kskak.board.positions import Position
from kskak.board.shapes import numeric
from kskak.game import game_events as ev
from kskak.ledger.ledger_files import clock_json, ledger_json
from kskak.ledger.stored_events import dump_event, dump_state, load_event, load_state
from kskak.play.due_days import (
    control_warning_on,
    last_free_day,
    leader_on,
    offline_on,
    reminder_on,
    warning_on,
)
from kskak.play.evolve_game import evolve, replay
from kskak.play.game_state import GameState, Terms
from kskak.regulation.editions import PauseReason, Regulation, Side
from kskak.statement.account import account
from server.usecases.groups.group_file import GroupFile
from server.usecases.starts.takeover_games import latest_day, sources_of, taken_games
from tests.fakes.machinery.draws import drawn
from tests.fakes.machinery.each import rows
from tests.kskak.plays import games

START, ON = date(2026, 9, 1), date(2026, 11, 2)
MAIL = Terms("g", Regulation.EMAIL, START, "W", "B", None, 2018)
E4 = chess.Move.from_uci("e2e4")


def lying_still(on: date | None, terms: Terms = MAIL, *more: ev.Event) -> GameState:
    """White moved on the start and nothing happened since; taken over if ``on`` is a day."""
    sent = ev.MoveSent(Side.WHITE, (E4,), START, START)
    taken = () if on is None else (ev.TakenOver(on),)
    return replay(terms, [sent, *more, *taken])


def test_reminder_warning_and_report_are_counted_from_the_takeover():
    before, after = lying_still(None), lying_still(ON)
    assert reminder_on(before, 0) == date(2026, 9, 15)
    assert reminder_on(after, 0) == ON + timedelta(14)
    assert warning_on(after) == ON + timedelta(12)
    assert last_free_day(after) == ON + timedelta(14)
    reminded = lying_still(ON, MAIL, ev.OpponentReminded(Side.WHITE, date(2026, 9, 20)))
    assert reminder_on(reminded, 0) is None, "the paper's own reminder stands"
    assert leader_on(reminded) == ON + timedelta(7)


def test_who_was_out_of_reach_has_his_30_days_from_the_takeover():
    away = ev.GamePaused(date(2026, 9, 10), None, PauseReason.BOUNCE)
    assert offline_on(lying_still(None, MAIL, away)) == date(2026, 10, 11)
    assert offline_on(lying_still(ON, MAIL, away)) == ON + timedelta(31)


def test_time_that_was_up_is_not_found_and_time_that_runs_out_later_is():
    flag = lying_still(None).flag_to_find
    assert flag == date(2026, 10, 13)
    assert lying_still(flag).flag_to_find is None
    assert lying_still(flag - timedelta(1)).flag_to_find == flag
    claim = ev.OverstepClaimed(Side.WHITE, ON)
    assert evolve(lying_still(ON), claim, 2).result is not None, "it is the opponent's to claim"


def test_a_control_that_came_near_before_the_takeover_is_told_by_the_statement_alone():
    near = control_warning_on(lying_still(None))
    assert near is not None
    assert control_warning_on(lying_still(near - timedelta(1))) == near
    assert control_warning_on(lying_still(near)) is None


def test_the_next_move_is_watched_as_any_other():
    taken = lying_still(date(2026, 9, 10))
    answer = ev.MoveSent(Side.BLACK, (chess.Move.from_uci("e7e5"),), date(2026, 9, 12))
    assert evolve(taken, answer, 2).turn.watched is None


def test_a_taken_game_comes_back_from_its_snapshot_and_its_event_from_its_text():
    """§ 6.4.5: with it the term for objections."""
    state = lying_still(ON)
    assert load_state(MAIL, dump_state(state)).turn == state.turn
    taken = ev.TakenOver(ON)
    assert load_event(dump_event(taken)) == taken
    assert taken.objections_until == ON + timedelta(14)
    assert taken.may_be_objected_to(ON + timedelta(14))
    assert not taken.may_be_objected_to(ON + timedelta(15))


GROUP = {
    "tournament": "T",
    "class": "K",
    "group": "K",
    "tl": "tl@example.org",
    "draw": False,
    "players": [
        {"name": "Hvid", "email": "h@example.org"},
        {"name": "Sort", "email": "s@example.org"},
    ],
}


@drawn(150, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_an_exported_ledger_is_taken_over_with_the_same_account(game):
    terms, events = game
    days = [day for event in events if (day := latest_day(event)) is not None]
    on = max([terms.start, *days]) + timedelta(70)
    group = GroupFile.model_validate(
        GROUP
        | {
            "regulation": terms.regulation,
            "start": terms.start,
            "laws": terms.laws_year,
            "fen": terms.fen or "",
        }
    )
    raw = json.dumps(ledger_json(terms, events)).encode()
    sources, _ = sources_of({"1.json": raw}, group, on)
    (taken,) = taken_games(group, ["Hvid", "Sort"], sources, on, lambda _, __: None)
    told = clock_json(account(taken.new.terms, taken.events, on))
    own = clock_json(account(terms, events, on))
    own.pop("awaits_decision", None)  # a ledger takes a claim at its word (§ 6.4.1)
    assert {k: v for k, v in told.items() if k != "warnings"} == {
        k: v for k, v in own.items() if k != "warnings"
    }
    assert [w["code"] for w in told["warnings"]] == [w["code"] for w in own["warnings"]]
    assert taken.state == replay(taken.new.terms, taken.events)


@drawn(60, suppress_health_check=[HealthCheck.too_slow])
@given(games(), st.sampled_from(["numbers", "letters"]), st.booleans())
def test_moves_written_as_pgn_are_read_back(game, how, numbered):
    terms, events = game
    rows = account(terms, events).rows
    board, words = Position.start(terms.fen).board.copy(), []
    for row in rows:
        if numbered and (row.by is Side.WHITE or not words):
            words.append(f"{board.fullmove_number}{'.' if row.by is Side.WHITE else '...'}")
        words.append(row.san if how == "letters" else numeric(row.move))
        board.push(row.move)
    moves = read_movetext(" ".join([*words, "{slut}", "*"]), terms.fen)
    assert moves == tuple(row.move for row in rows)


@rows(
    "text plies",
    ("1. e4 e5 2. Sf3 {x; y} Nc6 3.Lb5 a6 1-0", 6),
    ("1.5254 5755 2. 7163! 2836 $3 *", 4),
    ('[White "A"]\n\n1. e4 ; a remark\n1... e5', 2),
    ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 O-O", 8),
    ("", 0),
)
def test_movetext_as_people_write_it(text, plies):
    assert len(read_movetext(text, None)) == plies


@rows(
    "text said",
    ("1. e4 e5 2. 0-0", "2. '0-0': illegal"),
    ("1. e4 hurra", "1... 'hurra': not understood"),
    ("1. d4 d5 2. Nf3 Nf6 3. Nd2", "3. 'Nd2': ambiguous; it could be"),
    ("1. e4 (1. d4) e5", "1... '(1.': not understood"),
)
def test_what_is_no_move_is_refused_with_its_place(text, said):
    with pytest.raises(UnreadMove) as error:
        read_movetext(text, None)
    assert said in str(error.value)


def test_a_game_taken_over_twice_in_words_counts_from_the_later_day():
    state = evolve(lying_still(ON), ev.TakenOver(ON + timedelta(5)), 2)
    assert reminder_on(state, 0) == ON + timedelta(19)


def test_6_3_3_1_the_first_overstep_after_a_takeover_is_told_as_any_other():
    """A takeover warns nobody, also in a snapshot of before it was told from a warning."""
    state = lying_still(ON)
    assert (state.turn.warned, state.turn.watched) == (None, ON)
    stored = dump_state(state)
    old = stored | {"turn": stored["turn"] | {"warned": ON.isoformat()}}
    assert old != stored and load_state(MAIL, old).turn == state.turn
    found = evolve(state, ev.OverstepFound(Side.BLACK, ON + timedelta(1)), 2)
    assert found.turn.warned == ON + timedelta(1)
