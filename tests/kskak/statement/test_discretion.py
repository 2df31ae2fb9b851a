"""A stranger's copy of a game: the same account, and leave of either type written alike."""

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import LedgerError, clock_json, ledger_json, read_ledger
from kskak.ledger.stored_events import load_effect
from kskak.regulation.days import Cause
from kskak.regulation.editions import LeaveType, Side
from kskak.statement.account import account, discreet, has_leave, hide_leave_types
from tests.fakes.machinery.draws import SLOW, drawn
from tests.kskak.plays import games

QUICK = drawn(150, suppress_health_check=SLOW)


@st.composite
def _with_leave(draw):
    """A game with leave of both types added: with late notice, beyond the quota, shortened."""
    terms, events = draw(games())
    booked = []
    for _ in range(draw(st.integers(1, 4))):
        first = terms.start + timedelta(days=draw(st.integers(0, 500)))
        last = first + timedelta(days=draw(st.integers(0, 45)))
        kind = draw(st.sampled_from([LeaveType.PERSONAL, LeaveType.SPECIAL]))
        notified = first - timedelta(days=draw(st.integers(0, 8)))
        until = None
        if kind is LeaveType.PERSONAL and draw(st.booleans()):
            until = first + timedelta(days=draw(st.integers(-1, 10)))
            until = until if until < last else None
        side = draw(st.sampled_from(list(Side)))
        booked.append(ev.LeaveBooked(side, first, last, notified, kind, until))
    at = draw(st.integers(0, len(events)))
    return terms, (*events[:at], *booked, *events[at:])


def _told(terms, events):
    """The account as JSON, None where the events can't have happened."""
    try:
        return account(terms, events)
    except ValueError:
        return None


@QUICK
@given(_with_leave())
def test_6_3_6_4_a_strangers_ledger_replays_to_the_account_that_strangers_see(game):
    terms, events = game
    whole = _told(terms, events)
    if whole is None:
        return
    document = json.loads(json.dumps(ledger_json(terms, events, is_for_strangers=True)))
    read = read_ledger(document)
    shown = clock_json(replace(account(read.terms, read.events), warnings=()))
    seen = clock_json(replace(discreet(whole), warnings=()))
    seen.pop("awaits_decision", None)  # a ledger takes a claim at its word (§ 6.4.1)
    assert shown == seen
    plain = clock_json(whole)
    assert {key: shown[key] for key in ("totals", "overstep", "result", "charges")} == {
        key: plain[key] for key in ("totals", "overstep", "result", "charges")
    }
    assert "special" not in json.dumps([document, shown])
    assert "6.3.6.4" not in json.dumps([document, shown])


def _leave(kind, notified):
    first, last = date(2011, 5, 12), date(2011, 5, 14)
    return ev.LeaveBooked(Side.BLACK, first, last, notified, kind)


def test_6_3_6_4_the_same_days_of_either_type_are_written_alike():
    terms = read_ledger(_DOCUMENT).terms
    (special,) = hide_leave_types(terms, [_leave(LeaveType.SPECIAL, date(2011, 5, 13))])
    (personal,) = hide_leave_types(terms, [_leave(LeaveType.PERSONAL, date(2011, 5, 1))])
    assert special == personal == _leave(LeaveType.UNTOLD, None)


def test_6_3_6_1_days_that_a_late_notice_cost_are_not_in_a_strangers_copy():
    terms = read_ledger(_DOCUMENT).terms
    (shown,) = hide_leave_types(terms, [_leave(LeaveType.PERSONAL, date(2011, 5, 7))])
    assert (shown.first, shown.last) == (date(2011, 5, 13), date(2011, 5, 14))
    assert hide_leave_types(terms, [_leave(LeaveType.PERSONAL, date(2011, 5, 14))]) == []


def test_leave_of_both_types_on_end_is_one_span_for_strangers_and_remarks_on_notice_are_gone():
    read = read_ledger(_DOCUMENT)
    leave = _leave(LeaveType.SPECIAL, date(2011, 5, 12))
    late = ev.LeaveBooked(Side.BLACK, date(2011, 5, 14), date(2011, 5, 18), date(2011, 5, 9))
    whole = account(read.terms, (*read.events[:1], leave, late, *read.events[1:]))
    causes = [span.cause for span in whole.rows[1].dates.exempt]
    assert causes == [Cause.SPECIAL_LEAVE, Cause.LEAVE]
    assert whole.warnings
    seen = discreet(whole)
    assert [span.cause for span in seen.rows[1].dates.exempt] == [Cause.LEAVE]
    assert (seen.warnings, seen.rows[1].total) == ((), whole.rows[1].total)
    assert has_leave((leave,)) and not has_leave(read.events)


def test_a_ruling_cannot_book_leave_without_its_type():
    """§ 6.3.6: it would be outside of every quota."""
    effect = {"kind": "leave", "by": "black", "from": "2011-05-12", "to": "2011-05-14"}
    assert load_effect({**effect, "type": "special"})
    with pytest.raises(LedgerError):
        load_effect({**effect, "type": "untold"})


_DOCUMENT = {
    "format": "kskak-ledger/1",
    "game": "K-11-01/1",
    "regulation": "email",
    "start": "2011-05-02",
    "white": "Hvid",
    "black": "Sort",
    "entries": [
        {"kind": "move", "by": "white", "move": "5254", "sent": "2011-05-02"},
        {"kind": "move", "by": "black", "move": "5755", "sent": "2011-05-20"},
    ],
}
