"""Octets that are kept packed, and read as they were.

What letters have in common is in ``common_letters.txt``, of which zlib then writes only the place.
That file never changes, or no letter that was kept with it could be read: a better one gets a mark
and a file of its own beside it. Not for what is looked for in the database itself.
"""

import zlib
from pathlib import Path

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

_PLAIN, _MARK = b"\0z", b"\0a"
MARKS = (_PLAIN, _MARK)
"""Before what is packed: without the common text, as it once was, and with it.

Something unpacked that begins so is packed, so that none is mistaken."""
_TEXT = Path(__file__).with_name("common_letters.txt").read_text("ascii")
COMMON = _TEXT.replace("\n", "\r\n").encode()


class Packed(TypeDecorator[bytes]):
    """A column of octets, packed by zlib. ``most``: no more octets than these are read; 0: all."""

    impl = LargeBinary
    cache_ok = True

    def __init__(self, most: int = 0) -> None:
        super().__init__()
        self.most = most

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it is kept."""
        if value is None:
            return None
        packer = zlib.compressobj(zdict=COMMON)
        return _MARK + packer.compress(value) + packer.flush()

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it was given, or of the beginning of what is kept as much as that holds."""
        if value is None or not value.startswith(MARKS):
            return value
        is_plain = value.startswith(_PLAIN)
        reader = zlib.decompressobj() if is_plain else zlib.decompressobj(zdict=COMMON)
        return reader.decompress(value[len(_MARK) :], self.most)


class PackedLater(Packed):
    """A column written as it comes, for packing takes time, and packed afterwards (``Packed``)."""

    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it is, unless it would be taken for something packed."""
        is_taken = value is not None and value.startswith(MARKS)
        return super().process_bind_param(value, dialect) if is_taken else value
