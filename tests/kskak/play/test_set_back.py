"""A game set back as after a ply: what was played since is void, in each account (FIDE 7.5)."""

from dataclasses import replace
from datetime import date

import chess
import pytest

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import LedgerError, clock_json, ledger_json, read_ledger
from kskak.ledger.stored_events import dump_event, load_event
from kskak.play.events_in_force import (
    dispatches,
    find_arrival_day,
    find_void_entries,
    in_force,
    is_swapped,
    list_events_in_force,
    list_rulings,
    side_now,
    turned_back,
)
from kskak.play.evolve_game import NeedsHistory, advance, evolve, replay
from kskak.play.game_state import LedgerFault, Terms
from kskak.regulation.editions import (
    Channel,
    Ending,
    LeaveType,
    MoveFault,
    Regulation,
    Result,
    Side,
)
from kskak.statement.account import account
from tests.fakes.machinery.each import rows

W, B = Side
TERMS = Terms("P-1/1", Regulation.POSTAL, date(2026, 11, 2), "Anna", "Bo", None, 2018)


def on(day: int) -> date:
    return date(2026, 11, day)


def card(by: Side, uci: str, received: int, sent: int, **more: object) -> ev.MoveSent:
    moves = tuple(chess.Move.from_uci(one) for one in uci.split())
    day = ev.CardDates(on(sent))
    return ev.MoveSent(by, moves, day, on(received), Channel.POST, **more)  # type: ignore[arg-type]


E4, E5 = card(W, "e2e4", 2, 4), card(B, "e7e5", 6, 9)
WRONG, RIGHT = card(W, "g1f3", 11, 13), card(W, "f1c4", 11, 13)
BACK = ev.GameSetBack(2)
LATER = (card(B, "b8c6", 16, 20), ev.FaultySent(W, on(22), MoveFault.ILLEGAL))


def same(events: tuple[ev.Event, ...], stands: tuple[ev.Event, ...]) -> None:
    """Both give one account, also after they were exported and read again."""
    state = replay(TERMS, events)
    assert state == replace(replay(TERMS, stands), bookings=state.bookings)
    got = read_ledger(ledger_json(TERMS, events))
    assert got.events == read_ledger(ledger_json(TERMS, stands)).events
    shown = [clock_json(account(TERMS, one, on(30))) for one in (events, stands, got.events)]
    for one in shown:
        one.pop("warnings")
    assert shown[0] == shown[1] == shown[2]


@rows("later", (), LATER, (ev.PlayerResigned(B, on(14)),), (ev.DrawMade(W, on(14)),))
def test_what_was_entered_since_is_void_and_the_right_card_takes_its_place(later):
    same((E4, E5, WRONG, *later, BACK, RIGHT), (E4, E5, RIGHT))
    assert find_void_entries((E4, E5, WRONG, *later, BACK, RIGHT)) == {2, *range(3, 3 + len(later))}


def test_an_end_entered_by_mistake_goes_and_the_move_before_it_stays():
    for end in (ev.PlayerResigned(W, on(12)), ev.DrawMade(B, on(12))):
        same((E4, E5, ev.MoveReceived(W, on(11)), end, BACK), (E4, E5, ev.MoveReceived(W, on(11))))
    assert replay(TERMS, (E4, E5, ev.PlayerResigned(W, on(12)), BACK)).result is None


def test_leave_words_about_email_and_the_takeover_stand_though_moves_do_not():
    leave = ev.LeaveBooked(B, on(14), on(18), on(12))
    kept = (leave, ev.EmailAnswered(B, on(15), True), ev.TakenOver(on(1)))
    events = (E4, E5, WRONG, *kept, BACK, RIGHT)
    assert replay(TERMS, events).means.black is True
    same(events, (E4, E5, *kept, RIGHT))


def test_a_game_begun_anew_has_no_move_and_no_days_used():
    state = replay(TERMS, (E4, E5, WRONG, *LATER, ev.GameSetBack(0)))
    assert state.position.ply == 0 and (state.white.total, state.black.total) == (0, 0)
    same((E4, E5, ev.GameSetBack(0), card(W, "d2d4", 2, 3)), (card(W, "d2d4", 2, 3),))


def test_a_series_is_cut_between_dispatches_never_inside_one():
    """§ 6.2.5: Black's answer is played at once when White's series is met; plies 3 and 4."""
    moves = tuple(map(chess.Move.from_uci, ("e7e5", "g1f3")))
    first = replace(E4, proposes=moves)
    met = card(B, "e7e5", 6, 9)
    after = card(B, "b8c6", 6, 12)
    events = (first, met, after)
    assert dispatches(events) == {1: 0, 2: 1, 4: 2}
    same((*events, ev.GameSetBack(3)), (first, met))
    for inside in (2, 5):
        with pytest.raises(LedgerFault, match="no dispatch ends"):
            replay(TERMS, (*events, ev.GameSetBack(inside)))


def test_set_back_twice_the_second_counts_from_what_stood():
    events = (E4, E5, WRONG, BACK, RIGHT, card(B, "g8f6", 16, 18), ev.GameSetBack(1), E5)
    same(events, (E4, E5))


def test_a_ruling_sets_back_and_says_from_when_time_counts():
    def ruled(effect: ev.RulingEffect) -> ev.RulingApplied:
        return ev.RulingApplied("E-1/1", effect)

    new = (ruled(BACK), ruled(ev.TotalsSet(5, 7)), ruled(ev.GameResumed(on(25))))
    events = (E4, E5, WRONG, *LATER, *new)
    state = replay(TERMS, events)
    assert (state.white.total, state.black.total, state.receipt) == (5, 7, on(25))
    same(events, (E4, E5, ev.TotalsSet(5, 7), ev.GameResumed(on(25))))
    assert not any(one.is_annulled for one in list_rulings(events))
    # Annulled, with the moves that were played meanwhile (§ 6.4.3).
    undone = (*events, RIGHT, ev.LongThinkNotified(B, on(27)), ev.RulingAnnulled("E-1/1"))
    same(undone, (E4, E5, WRONG, *LATER))
    assert {6, 7} & find_void_entries(undone) == set(), (
        "the ruling's own effects are annulled, not void"
    )
    assert {8, 9} <= find_void_entries(undone)
    again = (*undone, card(W, "d2d4", 24, 26))
    assert replay(TERMS, again).position.ply == 5


def test_an_earlier_rulings_effect_on_a_void_card_goes_with_it():
    found = ev.RulingApplied("E-1/1", ev.DispatchCorrected(3, on(12), None, "TL", "E-1/1"))
    events = (E4, E5, WRONG, found, BACK, RIGHT)
    same(events, (E4, E5, RIGHT))
    assert list_rulings(events)[0].is_annulled


def test_a_ruled_result_is_annulled_before_a_game_is_set_back():
    won = ev.RulingApplied("E-1/1", ev.ResultRuled(Result.WHITE_WINS, on(14), "TL", "E-1/1"))
    with pytest.raises(LedgerFault, match="annulled before"):
        replay(TERMS, (E4, E5, WRONG, won, BACK))
    same((E4, E5, WRONG, won, ev.RulingAnnulled("E-1/1"), BACK, RIGHT), (E4, E5, RIGHT))


def test_a_faulty_card_entered_by_mistake_costs_nothing():
    """§ 6.3.5.1: the days, and the fault that the next one would be counted after."""
    faulty = ev.FaultySent(W, on(14), MoveFault.ILLEGAL)
    back = ev.GameSetBack(2, since=4)
    events = (E4, E5, ev.MoveReceived(W, on(11)), faulty, back)
    same((*events, RIGHT), (E4, E5, ev.MoveReceived(W, on(11)), RIGHT))
    assert replay(TERMS, events).white.faults == 0 and find_void_entries(events) == {3}
    assert load_event(dump_event(back)) == back


def test_mate_on_a_card_is_taken_back():
    moves = ("f2f3", "e7e5", "g2g4", "d8h4")
    cards = [card((W, B)[n % 2], uci, 2 + 2 * n, 2 + 2 * n) for n, uci in enumerate(moves)]
    assert replay(TERMS, cards).ended is not Ending.RULING and replay(TERMS, cards).result
    state = replay(TERMS, [*cards, ev.GameSetBack(3)])
    assert state.result is None and state.mover is B


def test_it_needs_the_history_and_comes_back_from_its_text():
    state = replay(TERMS, (E4, E5, WRONG))
    with pytest.raises(NeedsHistory):
        evolve(state, BACK, 3)
    assert advance(state, [BACK, RIGHT], 3, lambda: (E4, E5, WRONG)) == replay(
        TERMS, (E4, E5, WRONG, BACK, RIGHT)
    )
    for event in (BACK, ev.RulingApplied("E-1/1", ev.GameSetBack(0))):
        assert load_event(dump_event(event)) == event


def test_the_day_a_card_came_is_found_past_a_void_answer_and_not_past_one_that_stands():
    came, wrong = ev.MoveReceived(B, on(6)), card(B, "e7e6", 6, 9)
    assert find_arrival_day((E4, wrong, ev.GameSetBack(1), came, E5), 0) == on(6)
    assert find_arrival_day((E4, came, wrong, ev.GameSetBack(1)), 0) == on(6)
    assert find_arrival_day((E4, came, ev.GameSetBack(0), E4), 0) is None, (
        "it was said of another card"
    )
    assert find_arrival_day((E4, E5, came), 0) is None


def test_what_is_in_force_has_its_place_among_all_and_acts_are_kept():
    events = (E4, E5, WRONG, *LATER, BACK, RIGHT)
    assert in_force(events) == [(0, E4), (1, E5), (5, BACK), (6, RIGHT)]
    assert in_force((E4, E5)) == [(0, E4), (1, E5)]


def test_a_position_may_stand_twice_from_each_set_back_and_from_its_annulment_on():
    ruled, other = (
        ev.RulingApplied("1/2026", BACK),
        ev.RulingApplied("2/2026", ev.GameResumed(on(20))),
    )
    events = (E4, E5, WRONG, ruled, RIGHT, ev.GameSetBack(1), other)
    assert turned_back(enumerate(events, 1)) == ((4, 2), (6, 1))
    undone = (*events, ev.RulingAnnulled("2/2026"), ev.RulingAnnulled("1/2026"))
    assert turned_back(enumerate(undone, 1)) == ((4, 2), (6, 1), (9, 1))
    kept = ((n, one) for n, one in enumerate(undone, 1) if n in (4, 6, 8, 9))
    assert turned_back(kept) == ((4, 2), (6, 1), (9, 1)), "those of other kinds may be left out"
    assert turned_back(enumerate((E4, ev.RulingAnnulled("9/2026")), 1)) == ()


SWAP = ev.RulingApplied("3/2026", ev.GameSetBack(0, swaps_colours=True))


def test_leave_and_words_about_e_mail_stay_with_their_player_when_the_colours_change():
    """FIDE 7.3; Anna, who had White, has her leave as Black, and as White once it is annulled."""
    leave = ev.LeaveBooked(W, on(20), on(24), on(1), LeaveType.PERSONAL)
    agreed = ev.EmailAnswered(W, on(2), True)
    new_leave = ev.LeaveBooked(W, on(25), on(27), on(16), LeaveType.PERSONAL)
    before, after = (leave, E4, agreed, E5), (SWAP, new_leave, card(W, "d2d4", 16, 17))
    undo = ev.RulingAnnulled("3/2026")

    def sides(events: tuple[ev.Event, ...]) -> list[tuple[int, Side]]:
        ours = ev.LeaveBooked | ev.EmailAnswered
        return [
            (one.entry, one.event.by)
            for one in list_events_in_force(events)
            if isinstance(one.event, ours)
        ]

    assert sides(before) == [(0, W), (2, W)]
    assert sides((*before, *after)) == [(0, B), (2, B), (5, W)]
    assert sides((*before, *after, undo)) == [(0, W), (2, W), (5, B)]
    twice = (*before, *after, ev.RulingApplied("4/2026", ev.GameSetBack(0, swaps_colours=True)))
    assert sides(twice) == [(0, W), (2, W), (5, B)]
    assert [is_swapped(one) for one in (before, (*before, SWAP), twice)] == [False, True, False]
    assert replay(TERMS, (*before, SWAP)).position.ply == 0
    assert replay(TERMS, (*before, *after, undo)).position.ply == 2


def test_the_first_position_is_another_once_the_colours_changed():
    """FIDE 7.5."""
    events = (E4, SWAP, ev.RulingAnnulled("3/2026"))
    assert turned_back(enumerate(events, 1)) == ((2, -1), (3, -1))
    assert side_now((E4, SWAP), 0, W) is B and side_now(events, 0, W) is W
    assert load_event(dump_event(SWAP)) == SWAP
    plain = dump_event(ev.GameSetBack(0))
    assert "swaps" not in plain and load_event(plain) == ev.GameSetBack(0)
    with pytest.raises(LedgerError, match="ply 0 alone"):
        load_event(dump_event(ev.GameSetBack(2, swaps_colours=True)))
    shown = list_rulings((E4, ev.RulingApplied("1/2026", ev.TotalsSet(3, None)), SWAP))
    assert shown[0].effect == ev.TotalsSet(None, 3), "said of her who has Black now"
