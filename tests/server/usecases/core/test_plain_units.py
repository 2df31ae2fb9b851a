"""What the units share: none of them is taken for a mail's or a keyed request's repeat."""

from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.games.game_units import PlainUnit
from server.usecases.mail.answer_question import MailUnit
from server.usecases.play.game_requests import AskUnit, ObserveUnit
from server.usecases.postal.cards import CardUnit
from server.usecases.reflection.silence_and_outages import WarnUnit
from tests.fakes.machinery.each import each

OWN = {
    AskUnit: {"game_id", "idempotency"},
    MailUnit: {"game_id", "inbox_id"},
    CardUnit: {"game_id", "idempotency"},
}
"""What a unit says beside its work because it has it."""


@each("unit", [AskUnit, EventsUnit, WarnUnit, ObserveUnit, MailUnit, CardUnit])
def test_a_unit_says_only_what_is_its_own(unit: type[PlainUnit]):
    said = {"inbox_id", "idempotency"} & vars(unit).keys()
    if isinstance(vars(unit).get("game_id"), property):
        said.add("game_id")
    assert said == OWN.get(unit, set())
    assert not hasattr(PlainUnit(), "__dict__"), "units stay small"


def test_a_plain_unit_has_neither_mail_nor_key():
    assert (PlainUnit().inbox_id, PlainUnit().idempotency) == (None, None)
