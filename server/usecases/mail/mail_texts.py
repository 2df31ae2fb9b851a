"""What became of a mail and why, in the reader's language; unknown words as they are stored.

Not for the letters that answer a mail (mail_answers.py).
"""

from kskak.game.refusals import Reason
from mail.text.words import Words
from server.store.mail.inbox import InboxState
from server.usecases.mail.deed_notes import read_note
from server.usecases.mail.sort_mail import Doubt, Why


def why_text(note: str, words: Words) -> str:
    """A mail's reason. ``note``: the row's: a ``Why``, a ``Doubt``, or what was found in it."""
    if note in {why.value for why in Why}:
        return words(f"held.why.{Why(note).name.lower()}")
    if note in {doubt.value for doubt in Doubt}:
        return words(f"held.doubt.{note}")
    kind, _, found = note.partition(": ")
    name = found.replace(" ", "_")
    match kind:
        case "limit" if f"held.limit.{name}" in words:
            return words(f"held.limit.{name}")
        case "suspect" if f"held.suspect.{name}" in words:
            return words(f"held.suspect.{name}")
        case "list":
            return words("held.list", found=found)
    return note


def reason_text(state: str, note: str | None, words: Words) -> str:
    """Why a mail is where it is, from its row; "" for one that needs no reason."""
    why = read_note(note).why
    is_failure = bool(why) and state in {InboxState.SHUNTED, InboxState.NEW}
    return words("held.failure", text=why) if is_failure else why_text(why, words)


def outcome_text(state: str, outcome: str | None, words: Words) -> str:
    """What became of a mail: its state until it is done, then its outcome."""
    name = outcome if state == InboxState.DONE and outcome else state
    if f"held.outcome.{name}" in words:
        return words(f"held.outcome.{name}")
    return words("held.outcome.refused") if name in {one.value for one in Reason} else name
