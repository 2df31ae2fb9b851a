"""Rulings in a game's ledger: one truth with them and without, and no trace in the account."""

from hypothesis import given
from hypothesis import strategies as st

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import clock_json, ledger_json
from kskak.ledger.stored_events import dump_event, load_event, load_state
from kskak.play.evolve_game import advance, open_game, replay
from kskak.play.game_state import LedgerFault, Terms
from kskak.statement.account import account
from tests.fakes.machinery.draws import QUICK
from tests.fakes.machinery.snapshots import kept
from tests.kskak.plays import RULINGS, by_a_ruling, happening, terms

Game = tuple[Terms, tuple[ev.Event, ...]]


@st.composite
def ruled_games(draw: st.DrawFn) -> Game:
    """A game in which every third event or so is a ruling's."""
    by = draw(terms())
    events: list[ev.Event] = []
    state = open_game(by)
    for _ in range(draw(st.integers(2, 14))):
        ruled = draw(st.integers(0, 2)) == 0
        event = draw(by_a_ruling(state) if ruled else happening(state))
        try:
            state = replay(by, [*events, event])
        except LedgerFault:
            continue
        events.append(event)
    return by, tuple(events)


def told(by: Terms, events: tuple[ev.Event, ...]) -> tuple[object, object, object]:
    """What an account says, without the places of its remarks and the history of rulings."""
    seen = account(by, events)
    remarks = [warning.code for warning in seen.warnings]
    shown = clock_json(seen)
    shown.pop("warnings")
    return shown, remarks, ledger_json(by, events)


@QUICK
@given(ruled_games(), st.sampled_from(RULINGS))
def test_an_annulled_ruling_gives_the_account_as_if_it_had_never_been(game, ruling):
    by, events = game
    if any(isinstance(getattr(e, "effect", e), ev.GameSetBack) for e in events):
        return  # what was played since goes too: test_set_back.py
    never = tuple(e for e in events if not (isinstance(e, ev.RulingApplied) and e.ruling == ruling))
    try:
        expected = told(by, never)
    except LedgerFault:
        return
    assert told(by, (*events, ev.RulingAnnulled(ruling))) == expected


@QUICK
@given(ruled_games())
def test_with_rulings_and_annulments_replay_advance_and_snapshot_are_one(game):
    by, events = game
    state = open_game(by)
    for seq, event in enumerate(events):
        state = advance(state, [event], seq, lambda seq=seq: events[:seq])
        assert state == replay(by, events[: seq + 1])
        assert load_state(by, kept(state)) == state
        assert load_event(dump_event(event)) == event


@QUICK
@given(ruled_games())
def test_a_ruling_that_stands_is_told_as_the_ordinary_entries_it_made(game):
    by, events = game
    if any(isinstance(getattr(e, "effect", e), ev.GameSetBack) for e in events):
        return  # what is void, and what was played on an annulled one: test_set_back.py
    last = {e.ruling: i for i, e in enumerate(events) if isinstance(e, ev.RulingAnnulled)}
    plain = tuple(
        e.effect if isinstance(e, ev.RulingApplied) else e
        for i, e in enumerate(events)
        if not isinstance(e, ev.RulingAnnulled)
        and not (isinstance(e, ev.RulingApplied) and last.get(e.ruling, -1) > i)
    )
    assert told(by, events) == told(by, plain)
    shown = account(by, events).rulings
    assert [s.entry for s in shown] == [
        i for i, e in enumerate(events) if isinstance(e, ev.RulingApplied)
    ]
    assert all(s.is_annulled == (last.get(s.ruling, -1) > s.entry) for s in shown)
