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
        """The library's without the guard of ``frozen``; hashed by its fields if equal by them,
        unless the class does that itself.
        """

        def made(cls: type) -> type:
            is_hashed = frozen and rest.get("eq", True) and "__hash__" not in cls.__dict__
            return dataclasses.dataclass(unsafe_hash=is_hashed, **rest)(cls)

        return made
