"""From an outbox row to a letter about a postal game, with its facts from the ledger (§ 6.3.5).

Not for wording (mail.game_letters.card_letters).
"""

from datetime import date

from kskak.game import game_events as ev
from kskak.play.game_state import AccountCharge
from kskak.regulation.days import ONE_DAY, REPORT_DAYS
from kskak.regulation.editions import MoveFault, Side
from kskak.statement.account import account
from mail.game_letters import card_letters as pl
from mail.game_letters.card_letters import (
    CardCorrected,
    CardEntered,
    CardFaulty,
)
from mail.game_letters.letter_parts import Letter
from mail.text.letter_facts import find_last_dispatch
from server.store.mail.outbox import NewOutbox
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.outbox_letters import Poster
from server.usecases.letter_facts import GameFacts, NoLetter, Params, loads_game
from server.usecases.play.game_requests import GameRequestOutcome

DAMAGED_DAYS = 3
"""Days within which a damaged card must go to the leader (§ 6.3.5)."""


def send_by(arrived: date) -> date:
    """The last day to send a damaged card to the leader (§ 6.3.5)."""
    return arrived + DAMAGED_DAYS * ONE_DAY


def _index(found: GameFacts, params: Params) -> int:
    number = params.get("event")
    if not isinstance(number, int) or not 1 <= number <= len(found.events):
        raise NoLetter("event")
    return number - 1


def _who(params: Params) -> str:
    return str(params.get("entered_by", ""))


@loads_game(pl.CardEntered)
def _card(_: Core, found: GameFacts, params: Params) -> pl.CardEntered:
    event, facts = found.events[_index(found, params)], found.to_player
    match event:
        case ev.MoveSent(by=by, sent=sent, received=received):
            dispatch = find_last_dispatch(found.account, event)
            card = sent if isinstance(sent, ev.CardDates) else None
            return pl.CardEntered(*facts, by, _who(params), dispatch, card, received)
        case ev.PlayerResigned(by=by) | ev.DrawMade(by=by):
            return pl.CardEntered(*facts, by, _who(params))
    raise NoLetter("the event is no card")


def _charge(found: GameFacts, event: ev.FaultySent) -> AccountCharge | None:
    """What the faulty card cost, if anything (§ 6.3.5.1)."""
    last = found.account.charges[-1] if found.account.charges else None
    if last is None or (last.by, last.on, last.reason) != (event.by, event.on, event.fault.value):
        return None
    return last


@loads_game(pl.CardFaulty)
def _faulty(_: Core, found: GameFacts, params: Params) -> pl.CardFaulty:
    event = found.events[_index(found, params)]
    if not isinstance(event, ev.FaultySent):
        raise NoLetter("the event is no faulty card")
    return pl.CardFaulty(
        *found.to_reader,
        by=event.by,
        fault=event.fault,
        arrived=event.on,
        entered_by=_who(params),
        charge=_charge(found, event),
        send_by=send_by(event.on),
    )


@loads_game(pl.CardCorrected)
def _corrected(_: Core, found: GameFacts, params: Params) -> pl.CardCorrected:
    """What was void and what took its place; the account before it tells the wrong moves."""
    wrong = _index(found, params)
    back = next(
        place
        for place, event in enumerate(found.events)
        if place > wrong and isinstance(event, ev.GameSetBack)
    )
    was = found.events[wrong]
    old = account(found.account.terms, found.events[:back])
    new = found.events[back + 1 :]
    right = next((one for one in new if isinstance(one, ev.MoveSent)), None)
    card = right.sent if right is not None and isinstance(right.sent, ev.CardDates) else None
    return pl.CardCorrected(
        *found.to_player,
        entered_by=_who(params),
        was=find_last_dispatch(old, was) if isinstance(was, ev.MoveSent) else None,
        dispatch=find_last_dispatch(found.account, right) if right is not None else None,
        card=card,
        received=right.received if right is not None else None,
    )


@loads_game(pl.DamagedDue)
def _damaged_due(_: Core, found: GameFacts, params: Params) -> pl.DamagedDue:
    event = found.events[_index(found, params)]
    if not isinstance(event, ev.FaultySent):
        raise NoLetter("the event is no damaged card")
    return pl.DamagedDue(*found.to_player, event.on, send_by(event.on))


@loads_game(pl.EmailWord)
def _email_word(_: Core, found: GameFacts, __: Params) -> pl.EmailWord:
    event = found.event_as(ev.EmailAnswered)
    return pl.EmailWord(*found.to_player, event.by, event.agrees, found.state.means.is_agreed)


@loads_game(pl.AddressChanged)
def _address(_: Core, found: GameFacts, params: Params) -> pl.AddressChanged:
    by, is_email = Side(str(params.get("by"))), params.get("is_email") is True
    return pl.AddressChanged(*found.to_reader, by, is_email)


@loads_game(pl.ResultAsked)
def _load_result_question(_: Core, found: GameFacts, params: Params) -> pl.ResultAsked:
    since = date.fromisoformat(str(params.get("since")))
    return pl.ResultAsked(*found.to_player, since, REPORT_DAYS)


def letters_of_correction(
    poster: Poster, answer: GameRequestOutcome, wrong: int, person: PersonRow
) -> tuple[NewOutbox, ...]:
    """To both players, whoever entered it: what was void, and what took its place."""
    at = (answer.seq, answer.state.position.ply)
    params: dict[str, object] = {"entered_by": person.name, "event": wrong}
    return tuple(poster.about_game(CardCorrected, answer.game, side, at, params) for side in Side)


def letters_of_card(
    poster: Poster, answer: GameRequestOutcome, author: Side | None, person: PersonRow
) -> tuple[NewOutbox, ...]:
    """The letters of an entered card. ``author`` None: an official entered it."""
    if not answer.events:
        return ()
    first = answer.events[0]
    at = (answer.seq, answer.state.position.ply)
    params: dict[str, object] = {"entered_by": person.name, "event": answer.game.seq + 1}

    def letter(kind: type[Letter], to: Side | None) -> NewOutbox:
        return poster.about_game(kind, answer.game, to, at, params)

    others = [side for side in Side if side is not author]
    match first:
        case ev.FaultySent(by=by, fault=fault):
            readers = list(others)
            if fault is MoveFault.DAMAGED_IN_POST and by.other not in readers:
                readers.append(by.other)  # he has to send it to the leader within 3 days
            letters = [letter(CardFaulty, side) for side in readers]
            tells_leader = fault is MoveFault.DAMAGED_IN_POST and author is not None
            return (*letters, *((letter(CardFaulty, None),) if tells_leader else ()))
        case ev.MoveSent() if answer.state.result is None:
            return tuple(letter(CardEntered, side) for side in others)
        case ev.PlayerResigned(by=by) | ev.DrawMade(by=by) if by is not author:
            return (letter(CardEntered, by),)  # the result goes to all; he may object
    return ()
