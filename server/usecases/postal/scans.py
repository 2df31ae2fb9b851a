"""Pictures of cards, files for a case: what is accepted, by its first bytes, not by its name.

Not for showing them (web) nor for storing them (store/cases/cards.py).
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

MOST_BYTES = 5 * 1024 * 1024
"""The largest picture accepted."""
_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"%PDF-": "application/pdf",
}
ENDING = {"image/png": "png", "image/jpeg": "jpg", "application/pdf": "pdf"}
"""A file's extension by its type."""
PAPER_ENDING = ENDING | {"text/plain": "txt", "application/json": "json", "message/rfc822": "eml"}
"""The same for any paper of a case."""
PICTURES = frozenset({"image/png", "image/jpeg"})
"""What a page shows as a picture."""


class ScanFault(StrEnum):
    """Why a picture is not accepted."""

    TOO_LARGE = "too_large"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Scan:
    """A picture of a card, or a file for a case."""

    media_type: str
    data: bytes

    @property
    def digest(self) -> bytes:
        """SHA-256 of the picture: kept when the picture is removed."""
        return hashlib.sha256(self.data).digest()


def read_scan(data: bytes) -> Scan | ScanFault:
    """A PNG, a JPEG or a PDF of at most ``MOST_BYTES``, by its first bytes."""
    if len(data) > MOST_BYTES:
        return ScanFault.TOO_LARGE
    for magic, media_type in _MAGIC.items():
        if data.startswith(magic):
            return Scan(media_type, data)
    return ScanFault.UNKNOWN
