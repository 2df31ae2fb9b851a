"""From an outbox row to a letter about a postal game, with its facts from the ledger (§ 6.3.5).

Not for wording (mail.game_letters.card_letters).
"""

from collections.abc import Callable, Mapping
from datetime import date

from kskak.game import game_events as ev
from kskak.play.game_state import AccountCharge
from kskak.regulation.days import ONE_DAY, REPORT_DAYS
from kskak.regulation.editions import MoveFault, Side
from kskak.statement.account import account
from mail.game_letters import card_letters as pl
from mail.text.letter_facts import find_last_dispatch
from server.store.mail.outbox import NewOutbox
from server.store.play.people import PersonRow
from server.usecases.games.outbox_letters import LetterKind, Poster
from server.usecases.letter_facts import GameFacts, NoLetter
from server.usecases.play.game_requests import GameRequestOutcome

Params = Mapping[str, object]
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


def _card(found: GameFacts, params: Params) -> pl.PostalLetter:
    index = _index(found, params)
    event, facts = found.events[index], (found.game, found.account, found.side)
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


def _faulty(found: GameFacts, params: Params) -> pl.PostalLetter:
    event = found.events[_index(found, params)]
    if not isinstance(event, ev.FaultySent):
        raise NoLetter("the event is no faulty card")
    return pl.CardFaulty(
        game=found.game,
        account=found.account,
        to=found.reader,
        by=event.by,
        fault=event.fault,
        arrived=event.on,
        entered_by=_who(params),
        charge=_charge(found, event),
        send_by=send_by(event.on),
    )


def _corrected(found: GameFacts, params: Params) -> pl.PostalLetter:
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
        game=found.game,
        account=found.account,
        to=found.side,
        entered_by=_who(params),
        was=find_last_dispatch(old, was) if isinstance(was, ev.MoveSent) else None,
        dispatch=find_last_dispatch(found.account, right) if right is not None else None,
        card=card,
        received=right.received if right is not None else None,
    )


def _damaged_due(found: GameFacts, params: Params) -> pl.PostalLetter:
    event = found.events[_index(found, params)]
    if not isinstance(event, ev.FaultySent):
        raise NoLetter("the event is no damaged card")
    return pl.DamagedDue(found.game, found.account, found.side, event.on, send_by(event.on))


def _email_word(found: GameFacts, _: Params) -> pl.PostalLetter:
    event = found.event
    if not isinstance(event, ev.EmailAnswered):
        raise NoLetter("the event is no word about e-mail")
    means = found.state.means
    facts = (found.game, found.account, found.side, event.by)
    return pl.EmailWord(*facts, event.agrees, means.is_agreed)


POSTAL: dict[LetterKind, Callable[[GameFacts, Params], pl.PostalLetter]] = {
    LetterKind.CARD: _card,
    LetterKind.CARD_FAULTY: _faulty,
    LetterKind.CARD_CORRECTED: _corrected,
    LetterKind.DAMAGED_DUE: _damaged_due,
    LetterKind.EMAIL_WORD: _email_word,
    LetterKind.ADDRESS: lambda found, params: pl.AddressChanged(
        found.game,
        found.account,
        found.reader,
        Side(str(params.get("by"))),
        params.get("is_email") is True,
    ),
    LetterKind.RESULT_ASKED: lambda found, params: pl.ResultAsked(
        found.game,
        found.account,
        found.side,
        date.fromisoformat(str(params.get("since"))),
        REPORT_DAYS,
    ),
}


def letters_of_correction(
    poster: Poster, answer: GameRequestOutcome, wrong: int, person: PersonRow
) -> tuple[NewOutbox, ...]:
    """To both players, whoever entered it: what was void, and what took its place."""
    at = (answer.seq, answer.state.position.ply)
    params: dict[str, object] = {"entered_by": person.name, "event": wrong}
    return tuple(
        poster.about_game(LetterKind.CARD_CORRECTED, answer.game, side, at, params) for side in Side
    )


def letters_of_card(
    poster: Poster, answer: GameRequestOutcome, author: Side | None, person: PersonRow
) -> tuple[NewOutbox, ...]:
    """The letters of an entered card. ``author`` None: an official entered it."""
    if not answer.events:
        return ()
    first = answer.events[0]
    at = (answer.seq, answer.state.position.ply)
    params: dict[str, object] = {"entered_by": person.name, "event": answer.game.seq + 1}

    def letter(kind: LetterKind, to: Side | None) -> NewOutbox:
        return poster.about_game(kind, answer.game, to, at, params)

    others = [side for side in Side if side is not author]
    match first:
        case ev.FaultySent(by=by, fault=fault):
            readers = list(others)
            if fault is MoveFault.DAMAGED_IN_POST and by.other not in readers:
                readers.append(by.other)  # he has to send it to the leader within 3 days
            letters = [letter(LetterKind.CARD_FAULTY, side) for side in readers]
            tells_leader = fault is MoveFault.DAMAGED_IN_POST and author is not None
            return (*letters, *((letter(LetterKind.CARD_FAULTY, None),) if tells_leader else ()))
        case ev.MoveSent() if answer.state.result is None:
            return tuple(letter(LetterKind.CARD, side) for side in others)
        case ev.PlayerResigned(by=by) | ev.DrawMade(by=by) if by is not author:
            return (letter(LetterKind.CARD, by),)  # the result goes to all; he may object
    return ()
