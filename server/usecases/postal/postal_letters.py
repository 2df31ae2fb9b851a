"""Who is told of an entered card: whoever did not enter it (§ 6.2.1, § 6.3.5).

Rows for the outbox, in the card's own transaction. Not for the letters' facts
(letters.py) nor for words.
"""

from kskak.game import events as ev
from kskak.regulation.quantities import Fault, Side
from server.store.mail.outbox import NewOutbox
from server.store.play.people import PersonRow
from server.usecases.core.outbox_letters import Kind, Poster
from server.usecases.play.ask import Answer


def letters_of_card(
    poster: Poster, answer: Answer, author: Side | None, person: PersonRow
) -> tuple[NewOutbox, ...]:
    """The letters of an entered card. ``author`` None: an official entered it."""
    if not answer.events:
        return ()
    first = answer.events[0]
    at = (answer.seq, answer.state.position.ply)
    params: dict[str, object] = {"entered_by": person.name, "event": answer.game.seq + 1}

    def letter(kind: Kind, to: Side | None) -> NewOutbox:
        return poster.about_game(kind, answer.game, to, at, params)

    others = [side for side in Side if side is not author]
    match first:
        case ev.FaultySent(by=by, fault=fault):
            readers = list(others)
            if fault is Fault.DAMAGED_IN_POST and by.other not in readers:
                readers.append(by.other)  # he has to send it to the leader within 3 days
            letters = [letter(Kind.CARD_FAULTY, side) for side in readers]
            tells_leader = fault is Fault.DAMAGED_IN_POST and author is not None
            return (*letters, *((letter(Kind.CARD_FAULTY, None),) if tells_leader else ()))
        case ev.MoveSent() if answer.state.result is None:
            return tuple(letter(Kind.CARD, side) for side in others)
        case ev.Resigned(by=by) | ev.DrawMade(by=by) if by is not author:
            return (letter(Kind.CARD, by),)  # the result goes to all; he may object
    return ()
