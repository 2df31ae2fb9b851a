"""A use case in turn: all its reads and writes are one transaction, exclusive among processes.

For decisions based on more than one row (store/engine/turns.py) that read along the way. Not for
one game's commands (writer.py), nor for what reads in its own transaction anyway
(``Store.deciding``).
"""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from server.store.engine.turns import FEDERATION
from server.usecases.core.context import Core

P = ParamSpec("P")
T = TypeVar("T")
_UseCase = Callable[Concatenate[Core, P], Coroutine[Any, Any, T]]


def in_turn(use_case: _UseCase[P, T]) -> _UseCase[P, T]:
    """The same use case, in turn; an exception undoes all of it."""

    @wraps(use_case)
    async def alone(core: Core, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async with core.writer.together(FEDERATION):
            return await use_case(core, *args, **kwargs)

    return alone
