"""Octets that are kept packed, and read as they were.

Not for what is looked for in the database itself.
"""

import zlib

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

MARK = b"\0z"
"""Before what is packed. Something unpacked that begins so is packed, so that none is mistaken."""


class Packed(TypeDecorator[bytes]):
    """A column of octets, packed by zlib. ``most``: no more octets than these are read; 0: all."""

    impl = LargeBinary
    cache_ok = True

    def __init__(self, most: int = 0) -> None:
        super().__init__()
        self.most = most

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it is kept."""
        return None if value is None else MARK + zlib.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it was given, or of the beginning of what is kept as much as that holds."""
        if value is None or not value.startswith(MARK):
            return value
        return zlib.decompressobj().decompress(value[len(MARK) :], self.most)


class PackedLater(Packed):
    """A column written as it comes, for packing takes time, and packed afterwards (``Packed``)."""

    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it is, unless it would be taken for something packed."""
        is_taken = value is not None and value.startswith(MARK)
        return super().process_bind_param(value, dialect) if is_taken else value
