"""A player's registered sanctions, a line each, for the deciding official and himself (§ 4.1.19).

Also the state of an appeal's deposit (§ 6.4.3).

Not for what a new sanction results in (deciding.py).
"""

from collections.abc import Iterable

from kskak.cases.decisions import SanctionKind
from kskak.cases.state import HeldDeposit
from kskak.regulation.editions import DISPUTES
from mail.office_letters.cases import money
from mail.text.words import Words
from server.usecases.cases.sanctions import Record


def record_lines(records: Iterable[Record], words: Words) -> list[str]:
    """Each sanction in force, how long it counts, and what another one would lead to."""
    return [_line(one, words) for one in records]


def _line(record: Record, words: Words) -> str:
    named = {
        "first": words.day(record.first),
        "group": record.row.group or "–",
        "case": record.row.case,
        "months": DISPUTES.automatic_months,
        "until": "–" if record.until is None else words.day(record.until),
        "last": "–" if record.last is None else words.day(record.last),
    }
    keys = [f"rulings.record.{key}" for key in _keys(record)]
    return " ".join(words(key, **named) for key in keys)


def _keys(record: Record) -> list[str]:
    match SanctionKind(record.row.kind):
        case SanctionKind.WARNING:
            return ["warning" if record.until else "warning_runs"]
        case SanctionKind.EXPULSION:
            return ["expulsion"]
        case SanctionKind.QUARANTINE:
            said = ["quarantine" if record.last else "endless"]
            said += ["was_warning"] if record.was_warning else []
            return said + (["kept"] if record.until else [])


def deposit_line(held: HeldDeposit, name: str, words: Words) -> str:
    """A deposit's state: stated, received, owed, paid back, kept (§ 6.4.3)."""
    at = held.paid_back or held.received or held.stated
    told = {"name": name, "amount": money(at.amount, words), "day": words.day(at.on)}
    return words(f"desk.deposit.{_stands(held)}", **told)


def _stands(held: HeldDeposit) -> str:
    if held.paid_back is not None:
        return "back"
    if held.received is None:
        return "void" if held.is_returned else "stated"
    if held.is_returned is None:
        return "received"
    return "returned" if held.is_returned else "kept"
