"""From an outbox row to a letter: which one, with which facts.

Composed when it is sent, from the ledger up to its event. Not for the words (mail.compose),
the headers (write_letter.py) nor for SMTP (the outbox job).
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from kskak.game import events as ev
from kskak.game.refusals import Refusal
from kskak.play.account_log import Charge
from kskak.regulation.quantities import Side
from mail.compose import OfGame
from mail.game_letters import facts as lt
from mail.game_letters.cards import PostalLetter
from server.store.mail.outbox import OutboxRow
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import GameFacts, NoLetter
from server.usecases.core.letter_params import Params, day, params_of, refusal_of, text, texts
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.preferences import Pace
from server.usecases.core.questions import Question
from server.usecases.postal.letters import POSTAL
from server.usecases.reflection.silence_letters import SILENCE_LETTERS
from server.usecases.starts.takeover_letters_out import TAKEOVERS


def _charge(params: Params) -> Charge | None:
    value = params.get("charge")
    if not isinstance(value, dict):
        return None
    return Charge(
        Side(value["by"]),
        date.fromisoformat(value["on"]),
        value["days"],
        value["paragraph"],
        value["reason"],
    )


def _sent(found: GameFacts) -> "ev.MoveSent":
    if not isinstance(found.event, ev.MoveSent):
        raise NoLetter("the event is no move")
    return found.event


def _first_move(_: Core, found: GameFacts, __: Params) -> lt.GameLetter:
    return lt.FirstMove(found.game, found.account, found.side)


def _position(_: Core, found: GameFacts, __: Params) -> lt.GameLetter:
    return lt.PositionLetter(found.game, found.account, found.side, found.last_dispatch())


def _confirmation(_: Core, found: GameFacts, params: Params) -> lt.GameLetter:
    _sent(found)
    dispatch = found.dispatch()
    assert dispatch is not None
    unread = tuple(texts(params, "unread"))
    return lt.Confirmation(found.game, found.account, dispatch, unread, _REACHES[found.pace])


_REACHES = {
    Pace.MOVES: lt.Reaches.MAIL,
    Pace.DAILY: lt.Reaches.DAILY,
    Pace.DEADLINES: lt.Reaches.WEB,
}


def _relay(_: Core, found: GameFacts, __: Params) -> lt.GameLetter:
    _sent(found)
    dispatch = found.dispatch()
    assert dispatch is not None
    return lt.Relay(found.game, found.account, dispatch, found.message)


def _not_made(core: Core, found: GameFacts, params: Params) -> lt.GameLetter:
    why: lt.Trouble | Refusal
    is_refusal = params.get("is_refusal") is True
    why = refusal_of(params) if is_refusal else lt.Trouble(text(params, "why"))
    written, is_claim = params.get("written"), params.get("is_claim") is True
    asks, opens = None, params.get("open")
    if "key" in params:
        asks = lt.Meant(core.url(f"/c/{text(params, 'key')}"), day(params, "arrived"))
    return lt.NotMade(
        game=found.game,
        account=found.account,
        to=found.side,
        why=why,
        written=written if isinstance(written, str) else None,
        candidates=found.choices(texts(params, "candidates")),
        charge=_charge(params),
        unread=tuple(texts(params, "unread")),
        asks=asks,
        open=tuple((str(kind), str(move)) for kind, move in opens)
        if isinstance(opens, list)
        else (),
        raise_case=core.url(f"/games/{found.row.id}/object?kind=overstep") if is_claim else None,
    )


def _ask_back(core: Core, found: GameFacts, params: Params) -> lt.GameLetter:
    asked = Question(text(params, "question"))
    question = lt.Question.RESIGN if asked is Question.RESIGN else lt.Question.ACCEPT_DRAW
    link = core.url(f"/c/{text(params, 'key')}")
    return lt.AskBack(found.game, found.account, found.side, question, link)


def _held(core: Core, found: GameFacts, params: Params) -> lt.GameLetter:
    words = params.get("words")
    return lt.HeldConfirm(
        game=found.game,
        account=found.account,
        to=found.side,
        why=lt.Held(text(params, "why")),
        plies=found.texts(texts(params, "plies")),
        arrived=day(params, "arrived"),
        link=core.url(f"/c/{text(params, 'key')}"),
        words=words if isinstance(words, str) else "",
    )


def _late_ask(core: Core, found: GameFacts, params: Params) -> lt.GameLetter:
    link = core.url(f"/c/{text(params, 'key')}")
    return lt.LateAsk(
        game=found.game,
        account=found.account,
        to=found.side,
        plies=found.texts(texts(params, "plies")),
        arrived=day(params, "arrived"),
        claim_link=f"{link}?reply=claim",
        waive_link=f"{link}?reply=waive",
    )


def _game_over(_: Core, found: GameFacts, __: Params) -> lt.GameLetter:
    return lt.GameOver(found.game, found.account, found.reader, found.dispatch())


def _draw(_: Core, found: GameFacts, params: Params) -> lt.GameLetter:
    word = lt.DrawWord(text(params, "word"))
    return lt.DrawNotice(found.game, found.account, found.side, word)


def _leave_notice(_: Core, found: GameFacts, __: Params) -> lt.GameLetter:
    event = found.event
    if not isinstance(event, ev.LeaveBooked):
        raise NoLetter("the event is no leave")
    game, told = found.game, found.account
    days = (event.first, event.last, event.leave_type)
    return lt.LeaveNotice(game, told, found.reader, event.by, *days)


def _overstep(_: Core, found: GameFacts, __: Params) -> lt.GameLetter:
    return lt.OverstepWarning(found.game, found.account, found.reader)


def _claim(_: Core, found: GameFacts, __: Params) -> lt.GameLetter:
    event = found.event
    if not isinstance(event, ev.OverstepClaimed):
        raise NoLetter("the event is no claim")
    return lt.ClaimFiled(found.game, found.account, found.reader, event.by, event.on)


def _annulled(_: Core, found: GameFacts, params: Params) -> lt.GameLetter:
    seqs = tuple(map(int, texts(params, "seqs")))
    return lt.AnnulmentNotice(found.game, found.account, found.reader, seqs)


_Make = Callable[[Core, GameFacts, Params], OfGame]
_ABOUT_GAMES: dict[Kind, _Make] = {
    Kind.FIRST_MOVE: _first_move,
    Kind.POSITION: _position,
    Kind.ANNULLED: _annulled,
    Kind.CONFIRMATION: _confirmation,
    Kind.RELAY: _relay,
    Kind.NOT_MADE: _not_made,
    Kind.ASK_BACK: _ask_back,
    Kind.HELD: _held,
    Kind.LATE_ASK: _late_ask,
    Kind.GAME_OVER: _game_over,
    Kind.DRAW: _draw,
    Kind.LEAVE_NOTICE: _leave_notice,
    Kind.OVERSTEP: _overstep,
    Kind.CLAIM: _claim,
    **SILENCE_LETTERS,
    **TAKEOVERS,
}


def is_about_game(kind: Kind) -> bool:
    """Whether a letter of this kind is about one game."""
    return kind in _ABOUT_GAMES or kind in POSTAL


def game_letter(
    core: Core, letter: OutboxRow, found: GameFacts, case: str | None
) -> OfGame | PostalLetter:
    """The letter a row stands for; ``case``: the number of the one it opened. Raises NoLetter."""
    kind = Kind(letter.kind)
    if kind in POSTAL:
        return POSTAL[kind](found, params_of(letter))
    told = _ABOUT_GAMES[kind](core, found, params_of(letter))
    return replace(told, case=case) if isinstance(told, lt.ClaimFiled) and case else told
