"""Why a mail is held for an official: what its row says of it, and the same in words.

Not for who decides it (sort_mail.py) nor for the desk that shows it (mail_desk.py).
"""

from enum import StrEnum

from mail.text.words import Words


class Why(StrEnum):
    """The reasons that are the server's own. As rows have had them from the first day on."""

    UNREGISTERED = "the sender is not registered"
    OTHER_KEY = "another player's key"
    ASKED_OFTEN = "its owner was asked often enough"
    FORGED = "a trusted check says forged"


def why_text(note: str, words: Words) -> str:
    """A held mail's reason in the reader's language; one of unknown making as it is written.

    ``note``: of the row: a ``Why``, or «limit», «suspect» or «list» with what was found.
    """
    if note in {why.value for why in Why}:
        return words(f"held.why.{Why(note).name.lower()}")
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
