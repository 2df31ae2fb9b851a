"""One of every letter of a game that is played by mail. Not for post or cases (beside_play.py)."""

from datetime import date

from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.play.account_log import Charge
from kskak.play.evolve import replay
from kskak.regulation.quantities import Fault, LeaveType, Side
from kskak.statement.account import Account
from mail.compose import Letter
from mail.game_letters import facts as lt
from mail.samples.beside_play import of_silence
from mail.samples.cast import EVENTS, GAME, OTHER_KEY, TERMS, acc, dispatch, move, moves
from mail.text.facts import dispatch_of, move_texts


def _overstepped() -> Account:
    """Black does not answer at all: 40 days run out on 10 January at the earliest."""
    return acc(*EVENTS[:3], on=date(2027, 2, 20))


def _finished() -> tuple[ev.MoveSent, ...]:
    mate = [("e2e4", 30, 11, 2026), ("g7g5", 1, 12, 2026), ("d2d4", 2, 12, 2026)]
    mate += [("f7f6", 3, 12, 2026), ("d1h5", 4, 12, 2026)]
    sides = (Side.WHITE, Side.BLACK)
    return tuple(move(sides[i % 2], u, d, m, y) for i, (u, d, m, y) in enumerate(mate))


def _faulty() -> tuple[Account, Charge]:
    faulty = ev.FaultySent(Side.BLACK, date(2026, 12, 5), Fault.ILLEGAL)
    after = acc(*EVENTS[:3], faulty)
    charge = Charge(Side.BLACK, date(2026, 12, 5), 3, "6.8.6", "illegal")
    return after, charge


LINK = "https://skak.example.org/svar/0123456789abcdef"


def of_a_game() -> dict[str, Letter]:
    """One of every letter of a game, by name."""
    now = acc(*EVENTS[:3])
    return {**_of_moves(now), **_of_time_and_end(now), **of_silence(now, LINK)}


def _of_moves(now: Account) -> dict[str, Letter]:
    faulty, charge = _faulty()
    knight = move_texts(now.state.board, moves("b8c6"))
    return {
        "first_move": lt.FirstMove(GAME, acc(), Side.WHITE),
        "position": lt.PositionLetter(GAME, now, Side.BLACK, dispatch(2)),
        "position_anew": lt.PositionLetter(GAME, acc(), Side.WHITE, None),
        "confirmation": lt.Confirmation(GAME, acc(*EVENTS), dispatch(3), ("Jeg ser på serien",)),
        "relay": lt.Relay(GAME, now, dispatch(2), "Glædelig jul\nfra Åge " + OTHER_KEY),
        "repeated": lt.Relay(GAME, now, dispatch(2), is_repeated=True),
        "illegal": lt.NotMade(
            GAME, faulty, Side.BLACK, lt.Trouble.ILLEGAL, "2. 7163 2835", charge=charge,
            unread=("mon det går",),
        ),
        "ambiguous": lt.NotMade(
            GAME, now, Side.BLACK, lt.Trouble.AMBIGUOUS, "Se7",
            candidates=move_texts(now.state.board, moves("g8e7")) + knight,
        ),
        "meant": lt.NotMade(
            GAME, now, Side.BLACK, lt.Trouble.WRONG_NUMBER, "1... Sc6",
            candidates=knight, asks=lt.Meant(LINK, date(2026, 12, 5)),
        ),
        "refused": lt.NotMade(GAME, now, Side.WHITE, Refusal(Reason.NOT_YOUR_TURN)),
        "ask_back": lt.AskBack(GAME, now, Side.BLACK, lt.Question.RESIGN, LINK),
        "held": lt.HeldConfirm(
            GAME, now, Side.BLACK, lt.Held.OTHER_ADDRESS, knight, date(2026, 12, 6), LINK
        ),
    }  # fmt: skip


def _of_time_and_end(now: Account) -> dict[str, Letter]:
    over, late = acc(*_finished()), _overstepped()
    mated = dispatch_of(replay(TERMS, _finished()[:4]).position, _finished()[4])
    knight = move_texts(now.state.board, moves("b8c6"))
    return {
        "late_ask": lt.LateAsk(GAME, late, Side.WHITE, knight, date(2027, 2, 20), LINK, LINK + "x"),
        "over": lt.GameOver(GAME, over, Side.BLACK, mated),
        "over_leader": lt.GameOver(GAME, over, None, mated),
        "declined": lt.DrawNotice(GAME, now, Side.WHITE, lt.DrawWord.DECLINED),
        "offer-noted": lt.DrawNotice(GAME, now, Side.WHITE, lt.DrawWord.NOTED),
        "draw-claimed": lt.DrawNotice(GAME, now, Side.WHITE, lt.DrawWord.CLAIMED),
        "leave_notice": lt.LeaveNotice(
            GAME, now, Side.WHITE, Side.BLACK, date(2027, 1, 8), date(2027, 1, 15),
            LeaveType.PERSONAL,
        ),
        "overstep_late": lt.OverstepWarning(GAME, late, Side.BLACK),
        "overstep_waiting": lt.OverstepWarning(GAME, late, Side.WHITE),
        "overstep_leader": lt.OverstepWarning(GAME, late, None),
        "claim": lt.ClaimFiled(GAME, late, Side.BLACK, Side.WHITE, date(2027, 2, 20)),
        "claim_leader": lt.ClaimFiled(GAME, late, None, Side.WHITE, date(2027, 2, 20)),
        "annulled": lt.AnnulmentNotice(GAME, now, Side.BLACK, (3,)),
        "annulled_leader": lt.AnnulmentNotice(GAME, now, None, (3, 4)),
        "silence": lt.SilenceReport(GAME, now, date(2027, 1, 4)),
    }  # fmt: skip
