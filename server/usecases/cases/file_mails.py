"""The mails and cards of a case file, and what of them a party may see.

An official gets everything. A party gets their own mails and letters whole, but of the opponent's
mails only the records, with digests, of those that took effect: the text quotes letters with the
opponent's keys, and shows failed attempts. Not for the rest of the file (file.py).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kskak.ledger.ledger_out import JsonObject, JsonValue
from mail.text.languages import DEFAULT_LANGUAGE
from server.store.cases.cards import CardRow
from server.store.cases.file_contents import InMail, OutMail
from server.store.engine.types import from_us
from server.store.play.games import EventRow
from server.usecases.postal.scans import ENDING

Part = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Reader:
    """Who gets the file; ``person_id`` None: the operator at the command line."""

    person_id: int | None
    is_official: bool
    lang: str = DEFAULT_LANGUAGE


@dataclass(frozen=True, slots=True)
class Mails:
    """The mails of a game, and names by id."""

    came: tuple[InMail, ...]
    went: tuple[OutMail, ...]
    names: dict[int, str]


def _at(us: int | None) -> str | None:
    return None if us is None else from_us(us).isoformat()


def dumped(value: JsonValue) -> bytes:
    """JSON as written to a case file: the same octets for the same facts."""
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def mail_parts(mails: Mails, rows: Sequence[EventRow], reader: Reader) -> Iterator[Part]:
    """The raw mails that the reader may see, and the record of all deliveries."""
    counted = {row.inbox_id for row in rows if row.inbox_id is not None}
    came = [mail for mail in mails.came if _may_see_in(mail, counted, reader)]
    for mail in came:
        if mail.raw and (reader.is_official or mail.person_id == reader.person_id):
            yield f"mails/in/{mail.id}.eml", mail.raw
    for letter in mails.went:
        if letter.raw and (reader.is_official or letter.person_id == reader.person_id):
            yield f"mails/out/{letter.id}.eml", letter.raw
    events: dict[int | None, int] = {row.inbox_id: row.seq for row in rows}
    records: JsonObject = {
        "in": [_in_record(mail, events.get(mail.id), mails.names) for mail in came],
        "out": [_out_record(letter, mails.names) for letter in mails.went],
    }
    yield "mails/deliveries.json", dumped(records)


def _may_see_in(mail: InMail, counted: set[int], reader: Reader) -> bool:
    return reader.is_official or mail.person_id == reader.person_id or mail.id in counted


def _in_record(mail: InMail, seq: int | None, names: dict[int, str]) -> JsonValue:
    return {
        "mail": mail.id,
        "received": _at(mail.received_us),
        "from": names.get(mail.person_id or 0),
        "outcome": mail.outcome or mail.state,
        "event": seq,
        "envelope_and_mail_sha256": bytes(mail.digest).hex(),
    }


def _out_record(letter: OutMail, names: dict[int, str]) -> JsonValue:
    return {
        "letter": letter.id,
        "kind": letter.kind,
        "to": names.get(letter.person_id or 0),
        "event": letter.seq,
        "written": _at(letter.created_us),
        "sent": _at(letter.sent_us),
        "state": letter.state,
        "attempts": letter.attempts,
        "error": letter.last_error,
        "sha256": letter.digest,
    }


def card_parts(cards: Sequence[CardRow], names: dict[int, str]) -> Iterator[Part]:
    """The pictures of the cards and who entered them (§ 6.3.2)."""
    records: list[JsonValue] = []
    for card in cards:
        digest = None if card.scan_digest is None else bytes(card.scan_digest).hex()
        file = None
        if card.scan is not None and card.scan_type is not None:
            file = f"cards/{card.seq}.{ENDING[card.scan_type]}"
            yield file, card.scan
        records.append(
            {
                "event": card.seq,
                "entered_by": names.get(card.entered_by),
                "entered": _at(card.at_us),
                "legible": card.is_legible,
                "note": card.note,
                "picture": file,
                "picture_sha256": digest,
            }
        )
    if records:
        yield "cards/cards.json", dumped(records)
