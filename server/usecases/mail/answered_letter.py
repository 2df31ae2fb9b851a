"""Which one of our letters a mail answers, and what that letter asks.

By an address of the letter's own, by In-Reply-To, or else by the last of our letters in References.
Not for what an answer does (mail_unit.py).
"""

from collections.abc import Iterable

from kskak.regulation.quantities import Side
from mail.incoming.address import letter_of, question_token_of
from server.store.account.ways_in import digest
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play.questions import ConfirmationRow
from server.usecases.core.context import Core
from server.usecases.core.letter_params import params_of
from server.usecases.core.questions import ASKED_OF, ELSEWHERE, Question
from server.usecases.core.reply_keys import read_bounce_token
from server.usecases.mail.opened_mail import Opened
from server.usecases.mail.sort_mail import addressed_to


def letters_of_own_address(core: Core, opened: Opened) -> set[int]:
    """The letters whose own reply addresses a mail is to, by number."""
    own, numbers = core.settings.mail, set[int]()
    for address in addressed_to(opened.mail, opened.recipients):
        token = question_token_of(address, own.local, own.domain)
        number = None if token is None else read_bounce_token(core.secret, token)
        number = letter_of(address, own.local, own.domain) if number is None else number
        numbers |= set() if number is None else {number}
    return numbers


async def answered_letter(core: Core, opened: Opened, person_id: int) -> OutboxRow | None:
    """The letter to this person that a mail answers; None if it names none, or more than one."""
    mail, numbers = opened.mail, letters_of_own_address(core, opened)
    async with core.store.read() as conn:
        found = [await outbox_rows.find(conn, number) for number in numbers]
        found += [await outbox_rows.by_message_id(conn, one) for one in mail.in_reply_to]
        for message_id in () if any(found) else reversed(mail.references):
            if (letter := await outbox_rows.by_message_id(conn, message_id)) is not None:
                found.append(letter)
                break
    letters = {one.id: one for one in found if one is not None and one.person_id == person_id}
    return next(iter(letters.values())) if len(letters) == 1 else None


def asked_in(
    letter: OutboxRow | None, questions: Iterable[ConfirmationRow]
) -> tuple[ConfirmationRow | None, tuple[ConfirmationRow, ...]]:
    """The question that a letter is, if it is one; and all that it names, as a list may be."""
    facts = {} if letter is None else params_of(letter)
    key, listed = facts.get("key"), facts.get(ASKED_OF)
    own = digest(key) if isinstance(key, str) else None
    named = {str(one) for one in listed} if isinstance(listed, list) else set()
    is_one = next((one for one in questions if one.digest == own), None)
    return is_one, tuple(q for q in questions if q is is_one or q.digest.hex() in named)


def may_mean_other(
    question: ConfirmationRow,
    questions: Iterable[ConfirmationRow],
    offered_by: Side | None,
    me: Side,
) -> bool:
    """Whether a bare «ja» may be meant for something else that is open: it is asked back then."""
    if question.kind == Question.DRAW_YES:
        offered_by = None  # the same offer
    others = [one for one in questions if one.digest != question.digest]
    return offered_by is me.other or any(one.kind not in ELSEWHERE for one in others)
