"""Postal games on the server: cards, receipts, faulty cards, and e-mail by agreement.

§ 6.2.1, § 6.2.6, § 6.3.2, § 6.3.2.1, § 6.3.5, § 6.3.5.1.
"""

from datetime import date

import chess

from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.play.decide_command import decide
from kskak.play.events_in_force import correct_entry
from kskak.play.evolve_game import open_game, replay
from kskak.play.game_state import Terms
from kskak.regulation.editions import Channel, Ending, MoveFault, OverstepFinding, Regulation, Side
from tests.fakes.machinery.each import each

WHITE, BLACK = Side
START = date(2026, 11, 2)
TODAY = date(2026, 12, 1)


def terms(regulation: Regulation = Regulation.POSTAL) -> Terms:
    return Terms("P-26-01/1", regulation, START, "Hvid", "Sort", None, 2018)


def day(number: int, month: int = 11) -> date:
    return date(2026, month, number)


def card(by, move, sent, received=None, ply=0, **more) -> cmd.RecordCard:
    """A card whose postmark is ``sent``."""
    return cmd.RecordCard(
        by, ply, (chess.Move.from_uci(move),), ev.CardDates(sent), received, **more
    )


def played(*commands, now=TODAY, regulation=Regulation.POSTAL):
    """The state after commands, each of which must be done."""
    state, events = open_game(terms(regulation)), ()
    for command in commands:
        done = decide(state, command, now)
        assert not isinstance(done, Refusal), (command, done)
        events = (*events, *done)
        state = replay(state.terms, events)
    return state


def refusal(state, command, now=TODAY) -> Reason:
    done = decide(state, command, now)
    assert isinstance(done, Refusal), done
    return done.reason


OPENED = card(WHITE, "e2e4", day(3))


def test_a_card_is_counted_from_the_receipt_it_states_to_its_postmark():
    """§ 6.2.1, § 6.3.1, § 6.3.2: the dates on the card count, not the day it is entered."""
    state = played(OPENED, card(BLACK, "e7e5", day(12), day(5), ply=1))
    assert (state.white.total, state.black.total) == (1, 7)


def test_a_card_needs_the_day_its_sender_received_the_move_unless_he_reported_it():
    """§ 6.2.1: date received and date sent stand on the card."""
    state = played(OPENED)
    assert refusal(state, card(BLACK, "e7e5", day(12), ply=1)) is Reason.CARD_UNRECEIVED
    told = played(OPENED, cmd.RecordReceipt(BLACK, day(5)), card(BLACK, "e7e5", day(12), ply=1))
    assert told.black.total == 7


def test_an_illegible_postmark_leaves_the_stated_date_and_nothing_at_all_is_refused():
    """§ 6.3.2."""
    stated = cmd.RecordCard(
        WHITE, 0, (chess.Move.from_uci("e2e4"),), ev.CardDates(None, None, day(4))
    )
    assert played(stated).white.total == 2
    nothing = cmd.RecordCard(WHITE, 0, (chess.Move.from_uci("e2e4"),), ev.CardDates(None))
    assert refusal(open_game(terms()), nothing) is Reason.CARD_UNDATED


@each(
    ("command", "reason"),
    [
        (card(WHITE, "e2e4", day(2, 12)), Reason.CARD_FUTURE),
        (card(WHITE, "e2e4", day(9), arrived=day(8)), Reason.CARD_DATES),
        (card(BLACK, "e7e5", day(3)), Reason.CARD_SENDER),
        (card(WHITE, "e2e4", day(3), ply=2), Reason.STALE),
        (card(WHITE, "e2e5", day(3)), Reason.ILLEGAL),
        (
            cmd.RecordCard(
                WHITE, 0, (chess.Move.from_uci("e2e4"),), ev.CardDates(day(3), receipt=day(4))
            ),
            Reason.CARD_DATES,
        ),
    ],
)
def test_a_card_that_can_not_be_is_refused(command, reason):
    """§ 6.2.1, § 6.3.2."""
    assert refusal(open_game(terms()), command) is reason


def test_an_answer_sent_before_the_opponents_card_is_refused():
    """§ 6.3.2: a move is received, then answered."""
    state = played(OPENED)
    assert refusal(state, card(BLACK, "e7e5", day(2), day(2), ply=1)) is Reason.CARD_DATES
    assert refusal(state, card(BLACK, "e7e5", day(4), day(5), ply=1)) is Reason.CARD_DATES


def test_the_receiver_who_enters_a_card_says_when_it_came_and_his_time_runs_from_then():
    """§ 6.2.1, § 6.3.1."""
    state = played(card(WHITE, "e2e4", day(3), arrived=day(6)))
    running = state.running()
    assert running is not None
    assert (running.by, running.since) == (BLACK, day(6))


def test_a_receipt_is_reported_once_and_never_before_the_card_was_sent():
    """§ 6.2.1: a later correction is the leader's."""
    sent = played(OPENED)
    assert refusal(sent, cmd.RecordReceipt(BLACK, day(2))) is Reason.CARD_DATES
    assert refusal(sent, cmd.RecordReceipt(WHITE, day(5))) is Reason.NOT_YOUR_TURN
    assert refusal(sent, cmd.RecordReceipt(BLACK, day(2, 12))) is Reason.CARD_FUTURE
    told = played(OPENED, cmd.RecordReceipt(BLACK, day(5)))
    assert refusal(told, cmd.RecordReceipt(BLACK, day(6))) is Reason.RECEIPT_KNOWN


def test_an_e_mail_game_takes_no_cards():
    """§ 6.8.1: its games are played by e-mail."""
    state = open_game(terms(Regulation.EMAIL))
    assert refusal(state, OPENED) is Reason.NOT_POSTAL
    assert refusal(state, cmd.AnswerEmail(WHITE, agrees=True)) is Reason.NOT_POSTAL


def test_an_illegible_or_impossible_card_costs_3_days_then_6_and_a_damaged_one_none():
    """§ 6.3.5, § 6.3.5.1; Kendelse 59."""
    faulty = [cmd.RecordFaultyCard(WHITE, 0, fault, day(6)) for fault in MoveFault]
    costs = {c.fault: played(c).white.total for c in faulty if c.fault in _CARD}
    assert costs == {MoveFault.ILLEGAL: 3, MoveFault.ILLEGIBLE: 3, MoveFault.DAMAGED_IN_POST: 0}
    again = played(
        cmd.RecordFaultyCard(WHITE, 0, MoveFault.ILLEGIBLE, day(6)),
        cmd.RecordFaultyCard(WHITE, 0, MoveFault.DAMAGED_IN_POST, day(8)),
        cmd.RecordFaultyCard(WHITE, 0, MoveFault.ILLEGAL, day(12)),
    )
    assert (again.white.total, again.white.faults) == (9, 2)


_CARD = (MoveFault.ILLEGAL, MoveFault.ILLEGIBLE, MoveFault.DAMAGED_IN_POST)


def test_a_faulty_card_of_the_side_that_is_not_to_move_is_refused():
    """§ 6.3.5.1."""
    state = open_game(terms())
    wrong = cmd.RecordFaultyCard(BLACK, 0, MoveFault.ILLEGIBLE, day(6))
    assert refusal(state, wrong) is Reason.CARD_SENDER
    ambiguous = cmd.RecordFaultyCard(WHITE, 0, MoveFault.AMBIGUOUS, day(6))
    assert refusal(state, ambiguous) is Reason.CARD_DATES


def test_a_card_gives_the_game_up_or_accepts_the_draw_that_is_offered():
    """§ 6.2.6: counted from the card's own day."""
    given_up = played(OPENED, cmd.RecordEnd(BLACK, resigns=True, on=day(9)))
    assert given_up.ended is Ending.RESIGNATION
    state = played(OPENED, card(BLACK, "e7e5", day(12), day(5), ply=1, offers_draw=True))
    assert (
        played(
            OPENED,
            card(BLACK, "e7e5", day(12), day(5), ply=1, offers_draw=True),
            cmd.RecordEnd(WHITE, resigns=False, on=day(20)),
        ).ended
        is Ending.DRAW
    )
    assert refusal(state, cmd.RecordEnd(BLACK, resigns=False, on=day(20))) is Reason.NO_OFFER


def send(by, move, ply) -> cmd.SendMoves:
    return cmd.SendMoves(by, ply, (chess.Move.from_uci(move),))


def test_two_players_go_on_by_e_mail_when_both_have_said_so_or_played_so():
    """§ 6.2.1: without the leader; § 6.3.2.1: received the day after."""
    state = played(cmd.AnswerEmail(BLACK, agrees=True), send(WHITE, "e2e4", 0), now=day(6))
    assert state.means.is_agreed
    running = state.running()
    assert running is not None
    assert (running.by, running.since) == (BLACK, day(7))


def test_a_move_by_e_mail_in_a_postal_game_has_the_channel_and_no_weekend_rule():
    """§ 6.3.2.1: sent on Sunday 8 November it is Sunday's; a card would be Saturday's."""
    sunday = day(8)
    by_mail = decide(open_game(terms()), send(WHITE, "e2e4", 0), sunday)
    assert not isinstance(by_mail, Refusal)
    (event,) = by_mail
    assert isinstance(event, ev.MoveSent)
    assert event.channel is Channel.EMAIL
    assert replay(terms(), by_mail).white.total == 6
    assert played(card(WHITE, "e2e4", sunday), now=TODAY).white.total == 5


def test_who_wishes_cards_is_sent_no_moves_by_e_mail():
    """§ 6.2.1: both must agree."""
    state = played(cmd.AnswerEmail(BLACK, agrees=False))
    assert refusal(state, send(WHITE, "e2e4", 0)) is Reason.NO_EMAIL
    willing = played(cmd.AnswerEmail(BLACK, agrees=False), cmd.AnswerEmail(BLACK, agrees=True))
    assert not isinstance(decide(willing, send(WHITE, "e2e4", 0), TODAY), Refusal)


def test_the_sender_of_a_card_is_asked_about_an_overstep_and_the_receiver_records_a_fact():
    """§ 6.3.3.4: whoever sent a card after it played on."""
    now = date(2027, 3, 1)
    state = played(OPENED, card(BLACK, "e7e5", date(2027, 1, 20), day(5), ply=1), now=now)
    assert state.overstep is not None
    own = card(WHITE, "g1f3", date(2027, 1, 30), date(2027, 1, 23), ply=2, is_own=True)
    assert refusal(state, own, now) is Reason.OVERSTEP_ASKS
    told = card(WHITE, "g1f3", date(2027, 1, 30), date(2027, 1, 23), ply=2)
    events = decide(state, told, now)
    assert not isinstance(events, Refusal)
    both = played(OPENED, card(BLACK, "e7e5", date(2027, 1, 20), day(5), ply=1), told, now=now)
    assert both.overstep is not None
    assert both.overstep.finding is OverstepFinding.CONTINUED


def test_6_2_4_a_player_is_bound_by_what_he_sent_not_by_what_another_typed():
    """§ 6.4.5.

    Reading of § 6.2.4: replaceable until answered, by another than its sender; then a ruling.
    """
    state, events = open_game(terms()), ()
    for command in (card(WHITE, "e2e4", day(3)), card(BLACK, "e7e5", day(6), day(5), 1)):
        events = (*events, *decide(state, command, TODAY))
        state = replay(state.terms, events)
    assert correct_entry(state, events, 2, WHITE) == ev.GameSetBack(1)
    assert correct_entry(state, events, 2, None) == ev.GameSetBack(1), "an official"
    for seq, author, why in (
        (2, BLACK, Reason.CARD_BINDS),
        (1, BLACK, Reason.CARD_ANSWERED),
        (1, None, Reason.CARD_ANSWERED),
        (3, None, Reason.CARD_UNKNOWN),
        (0, None, Reason.CARD_UNKNOWN),
    ):
        assert correct_entry(state, events, seq, author) == Refusal(why)
    ended = (*events, ev.PlayerResigned(WHITE, day(9)))
    over = replay(state.terms, ended)
    assert correct_entry(over, ended, 3, BLACK) == ev.GameSetBack(2, since=3)
    assert correct_entry(over, ended, 3, WHITE) == Refusal(Reason.CARD_BINDS)
    claimed = (*events, ev.OverstepClaimed(BLACK, day(30)))
    late = replay(state.terms, claimed)
    assert correct_entry(late, claimed, 2, None) == Refusal(Reason.CARD_ANSWERED)
