"""Hundreds of small cases in one test, since each test has a price of its own.

A case that fails names itself in the failure; those after it are not tried. Not for cases that
take long, or that share what they change.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps

Test = Callable[..., None]


def each(name: str | tuple[str, ...], values: Iterable[object]) -> Callable[[Test], Test]:
    """Decorates a test: it is run with every value of the argument, or arguments, in one test."""
    names, cases = (name,) if isinstance(name, str) else name, tuple(values)
    assert cases, f"no {name}"

    def around(test: Test) -> Test:
        @wraps(test)
        def run(**others: object) -> None:
            for case in cases:
                row = (case,) if isinstance(name, str) else case
                try:
                    test(**others, **dict(zip(names, row, strict=True)))  # type: ignore[call-overload]
                except BaseException as failure:
                    failure.add_note(f"with {name} = {case!r}")
                    raise

        known = inspect.signature(test)
        kept = [one for one in known.parameters.values() if one.name not in names]
        run.__signature__ = known.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return around
