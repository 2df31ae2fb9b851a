"""What is void tells nothing of a player's silence, and a program nothing of what was said."""

from datetime import date
from types import SimpleNamespace

import chess

from kskak.game import game_events as ev
from kskak.ledger.stored_events import dump_event
from kskak.regulation.editions import Side
from server.store.play.games import EventRow
from server.store.play.notes_and_messages import MessageRow
from server.usecases.cases.case_letter_facts import _silent_since
from server.xfcc.service import find_last_message, knows_not

W, B = Side
ANNA, BO = 1, 2


def on(day: int) -> date:
    return date(2026, 11, day)


def sent(by: Side, uci: str, day: int) -> ev.MoveSent:
    return ev.MoveSent(by, (chess.Move.from_uci(uci),), on(day))


E4, E5, NF3 = sent(W, "e2e4", 2), sent(B, "e7e5", 3), sent(W, "g1f3", 4)
BACK = ev.RulingApplied("1/2026", ev.GameSetBack(1))


def rows(*events: ev.Event) -> tuple[EventRow, ...]:
    """As they are stored, each 100 µs after the one before."""
    by = {W: ANNA, B: BO, None: None}
    return tuple(
        EventRow(7, n, n * 100, by[getattr(one, "by", None)], "mail", None, dump_event(one), b"")
        for n, one in enumerate(events, 1)
    )


def test_silence_began_with_the_move_that_stands() -> None:
    """1... e5 2. Nf3 was set back; Bo is silent since 1. e4, and was reported then."""
    told = ev.LeaderTold(W, on(20))
    void_told = (E4, E5, NF3, told, BACK)
    case = SimpleNamespace(opened_us=250)
    for events, since in (
        ((E4, E5, NF3, told), 300),
        (void_told, 100),
        ((*void_told, ev.LeaderTold(W, on(30))), 100),
        ((*void_told, E5, NF3, told), 700),
    ):
        view = SimpleNamespace(rows=rows(*events), events=events)
        assert _silent_since(view, case) == since, events  # type: ignore[arg-type]


def test_a_program_is_not_told_what_came_with_a_void_move() -> None:
    """Bo wrote with 1... e5, which is void; then nothing, then a word with 1... e6."""
    before = (E4, E5, BACK)
    said = (MessageRow(7, 2, BO, "dengang"),)
    assert find_last_message(rows(E4, E5), said, (), BO) == "dengang"
    assert find_last_message(rows(*before), said, (), BO) == ""
    after = (*before, sent(B, "e7e6", 5))
    assert find_last_message(rows(*after), said, (), BO) == ""
    assert find_last_message(rows(*after), (*said, MessageRow(7, 4, BO, "nu")), (), BO) == "nu"


def test_a_program_knows_a_set_back_once_told_or_once_its_owner_moved() -> None:
    back = rows(E4, E5, BACK)
    assert not knows_not(back[:2], BO, 0)
    assert knows_not(back, BO, 0) and knows_not(back, BO, 299) and not knows_not(back, BO, 300)
    moved = rows(E4, E5, BACK, sent(B, "e7e6", 5))
    assert not knows_not(moved, BO, 0) and knows_not(moved, ANNA, 0)
    undone = rows(E4, E5, BACK, sent(B, "e7e6", 5), ev.RulingAnnulled("1/2026"))
    assert knows_not(undone, BO, 0), "the old position is back"
