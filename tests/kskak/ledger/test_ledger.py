"""Reading a ledger: every slip is refused with its place; what is read is what was written."""

import copy
import json

import pytest

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import LedgerError, ledger_json, read_ledger
from kskak.ledger.stored_events import dump_event, load_event, load_state
from kskak.play.game_state import TABLE, Phase, Terms
from kskak.regulation.editions import Channel
from tests.fakes.machinery.each import each

GOOD: dict = {
    "format": "kskak-ledger/1",
    "game": "E-2010-01/3",
    "regulation": "postal",
    "start": "2010-08-29",
    "white": "Hvid",
    "black": "Sort",
    "fen": None,
    "entries": [
        {"kind": "move", "by": "white", "move": "5254", "postmark": "2010-08-29"},
        {"kind": "leave", "by": "white", "from": "2010-09-20", "to": "2010-09-21",
         "notified": "2010-09-01"},
        {"kind": "pause", "from": "2010-09-22", "to": None, "reason": "dispute"},
        {"kind": "invalid", "by": "black", "on": "2010-09-01", "reason": "illegal"},
        {"kind": "charge", "by": "black", "on": "2010-09-01", "days": -3, "paragraph": "6.4.1",
         "reason": "annulled"},
        {"kind": "correction", "ply": 1, "sent": "2010-08-30", "authority": "TL", "ref": "1"},
        {"kind": "set_time", "white": 3},
        {"kind": "resume", "on": "2010-09-02"},
        {"kind": "result", "result": "1-0", "on": "2010-09-03", "authority": "TL", "ref": "2"},
    ],
}  # fmt: skip
MOVE, LEAVE, PAUSE, INVALID, CHARGE, CORRECTION, SET_TIME, RESUME, RESULT = range(9)


def spoiled(entry: int | None, field: str, value: object = None) -> dict:
    """The good ledger with one field changed, or taken away when no value is given."""
    ledger = copy.deepcopy(GOOD)
    target = ledger if entry is None else ledger["entries"][entry]
    if value is None:
        del target[field]
    else:
        target[field] = value
    return ledger


def test_the_good_ledger_is_read_and_written_alike():
    read = read_ledger(GOOD)
    assert [type(event) for event in read.events] == [
        ev.MoveSent, ev.LeaveBooked, ev.GamePaused, ev.FaultySent, ev.DaysCharged,
        ev.DispatchCorrected, ev.TotalsSet, ev.GameResumed, ev.ResultRuled,
    ]  # fmt: skip
    assert read_ledger(json.loads(json.dumps(ledger_json(read.terms, read.events)))) == read


@each(
    "entry field value",
    (None, "format", "kskak-ledger/2"),
    (None, "format", None),
    (None, "regulation", "telex"),
    (None, "start", "29.8.2010"),
    (None, "start", "2010-02-30"),
    (None, "start", "1799-12-31"),
    (None, "start", "3000-01-01"),
    (None, "start", 20100829),
    (None, "laws", 2017),
    (None, "laws", "2018"),
    (None, "fen", 5),
    (None, "game", None),
    (None, "entries", {}),
    (None, "entries", None),
    (MOVE, "kind", "mowe"),
    (MOVE, "kind", None),
    (MOVE, "by", "grey"),
    (MOVE, "move", "5259"),
    (MOVE, "move", "5758(1"),
    (MOVE, "move", None),
    (MOVE, "moves", ["5254"]),
    (MOVE, "channel", "pigeon"),
    (MOVE, "postmark", None),
    (MOVE, "proposes", "5755"),
    (MOVE, "received", True),
    (LEAVE, "to", "2010-09-19"),
    (LEAVE, "notified", None),
    (LEAVE, "type", "sabbatical"),
    (PAUSE, "to", "2010-09-21"),
    (PAUSE, "reason", "nap"),
    (INVALID, "reason", "ugly"),
    (CHARGE, "days", "3"),
    (CHARGE, "days", True),
    (CHARGE, "paragraph", None),
    (CORRECTION, "sent", None),
    (CORRECTION, "authority", None),
    (SET_TIME, "white", None),
    (SET_TIME, "white", -1),
    (RESUME, "on", None),
    (RESULT, "result", "2-0"),
    (RESULT, "ref", None),
)
def test_a_slip_is_refused_with_its_place(entry, field, value):
    with pytest.raises(LedgerError) as refused:
        read_ledger(spoiled(entry, field, value))
    place = "ledger" if entry is None else f"entry {entry}"
    assert str(refused.value).startswith(place)
    assert field in str(refused.value)


@pytest.mark.parametrize("document", [None, [], "ledger", 3])
def test_what_is_no_object_is_refused(document):
    with pytest.raises(LedgerError, match="object"):
        read_ledger(document)
    with pytest.raises(LedgerError, match="entry 0"):
        read_ledger({**GOOD, "entries": [document]})


def test_a_pause_must_say_whether_it_ended():
    ledger = copy.deepcopy(GOOD)
    del ledger["entries"][PAUSE]["to"]
    with pytest.raises(LedgerError, match="to is missing"):
        read_ledger(ledger)


def test_email_needs_a_sending_date_and_is_the_default_of_email_games():
    with pytest.raises(LedgerError, match="sent"):
        read_ledger({**GOOD, "regulation": "email"})
    entry = {"kind": "move", "by": "white", "move": "5254", "sent": "2010-08-29"}
    for regulation, channel in (("email", Channel.EMAIL), ("postal", Channel.POST)):
        read = read_ledger({**GOOD, "regulation": regulation, "entries": [entry]})
        assert read.events[0].channel is channel


def test_the_journal_refuses_what_it_did_not_write():
    with pytest.raises(LedgerError):
        load_event('{"kind":"sealed_move"}')
    with pytest.raises(LedgerError):
        load_event("[]")
    offer = ev.DrawOfferPrepared(ev.Side.WHITE, read_ledger(GOOD).terms.start)
    assert dump_event(offer) == '{"by":"white","kind":"draw_offer_prepared","on":"2010-08-29"}'


def test_a_snapshot_of_something_else_is_refused():
    terms: Terms = read_ledger(GOOD).terms
    with pytest.raises((LedgerError, KeyError, ValueError)):
        load_state(terms, {})


def test_the_table_of_phases_leaves_out_only_moves_and_last_words_after_the_end():
    kinds = set(ev.Event.__args__) - {ev.RulingApplied}  # has the row of its effect
    closing = {ev.MoveSent, ev.SeriesAdded, ev.PlayerResigned, ev.DrawMade}
    assert TABLE.keys() == set(Phase)
    for phase, row in TABLE.items():
        refused = closing if phase in (Phase.ENDED, Phase.RULED) else set()
        if phase is Phase.RULED:
            refused = refused | {ev.GameSetBack}  # a ruled result is annulled first
        assert kinds - row.keys() == refused
        assert all(row.values())
