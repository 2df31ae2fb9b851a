"""Octets that are kept packed, and read as they were.

What was kept before is read too. Not for what is looked for in the database itself.
"""

import zlib

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

_MARK = b"\0z"
"""Before what is packed: no mail begins so."""


class Packed(TypeDecorator[bytes]):
    """A column of octets, packed by zlib."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it is kept."""
        return None if value is None else _MARK + zlib.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As it was given."""
        if value is None or not value.startswith(_MARK):
            return value
        return zlib.decompress(value[len(_MARK) :])
