"""``dataclass`` for the values of moves and pages: frozen for whoever reads or checks the code.

A frozen class sets each field by a call that first gets past its own guard; a move makes some
fifty such values, and without the guard a batch of moves takes six sevenths of the time; a page
makes up to six hundred. mypy refuses to change one all the same. Not for what is made now and
then: such classes use the library's.
"""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool = False, **rest: Any) -> Callable[[type], type]:
        """The library's, hashed by its fields if equal by them, without the guard of ``frozen``."""
        return dataclasses.dataclass(unsafe_hash=frozen and rest.get("eq", True), **rest)
