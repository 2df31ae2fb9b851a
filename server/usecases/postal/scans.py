"""Pictures of cards, files for a case: what is accepted, by its first bytes, not by its name.

Not for showing them (web) nor for storing them (store/cases/cards.py).
"""

import asyncio
import hashlib
import io
import struct
from dataclasses import dataclass
from enum import StrEnum

MOST_BYTES = 5 * 1024 * 1024
"""The largest picture accepted."""
MOST_PIXELS = 50_000_000
"""The most points in a picture: a telephone's finest has 48 million."""
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


async def read_scan(data: bytes) -> Scan | ScanFault:
    """A PNG, a JPEG or a PDF of at most ``MOST_BYTES``, by its first bytes.

    A picture is kept without what the camera wrote in it: place, time and device.
    """
    return await asyncio.to_thread(_read, data)


def _read(data: bytes) -> Scan | ScanFault:
    if len(data) > MOST_BYTES:
        return ScanFault.TOO_LARGE
    for magic, media_type in _MAGIC.items():
        if data.startswith(magic):
            return _bare(media_type, data) if media_type in PICTURES else Scan(media_type, data)
    return ScanFault.UNKNOWN


def _bare(media_type: str, data: bytes) -> Scan | ScanFault:
    """The picture alone, turned upright, as finely as it was; UNKNOWN if it can't be read."""
    from PIL import Image, ImageOps, JpegImagePlugin  # loaded with the first picture

    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as found:
            if found.width * found.height > MOST_PIXELS:
                return ScanFault.TOO_LARGE
            upright = ImageOps.exif_transpose(found)
            see_through = upright.info.get("transparency")
            upright.info = {} if see_through is None else {"transparency": see_through}
            if isinstance(found, JpegImagePlugin.JpegImageFile):
                sampling = JpegImagePlugin.get_sampling(found)
                upright.save(out, "JPEG", qtables=found.quantization, subsampling=sampling)
            else:
                upright.save(out, "PNG")
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, Image.DecompressionBombError):
        return ScanFault.UNKNOWN
    return Scan(media_type, out.getvalue())
