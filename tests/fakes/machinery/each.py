"""Many small cases in one test, since each test has a price of its own, and a server's most of all.

A case that fails names itself in the failure; those after it are not tried. Not for cases that
take long, or that share what they change: refusals change nothing.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps

import pytest

Test = Callable[..., None | Awaitable[None]]


def rows(name: str, *cases: object, ids: Iterable[str] | None = None) -> pytest.MarkDecorator:
    """A table, a test a row: ``rows("old new", (1, 2), (2, 3))``."""
    return pytest.mark.parametrize(name.split() if " " in name else name, cases, ids=ids)


def each(name: str | tuple[str, ...], *values: object) -> Callable[[Test], Test]:
    """Decorates a test: it is run with every row of the table, or iterable, in one test."""
    name = tuple(name.split()) if isinstance(name, str) and " " in name else name
    names = (name,) if isinstance(name, str) else name
    is_table = len(values) != 1 or isinstance(values[0], str)
    cases = values if is_table else tuple(values[0])  # type: ignore[arg-type]
    assert cases, f"no {name}"

    def around(test: Test) -> Test:
        def named(case: object) -> dict[str, object]:
            return dict(zip(names, (case,) if isinstance(name, str) else case, strict=True))  # type: ignore[call-overload]

        @contextmanager
        def told(case: object) -> Iterator[None]:
            try:
                yield
            except BaseException as failure:
                failure.add_note(f"with {name} = {case!r}")
                raise

        @wraps(test)
        def run(**others: object) -> None:
            for case in cases:
                with told(case):
                    test(**others, **named(case))

        @wraps(test)
        async def run_async(**others: object) -> None:
            for case in cases:
                with told(case):
                    await test(**others, **named(case))  # type: ignore[misc]

        done = run_async if inspect.iscoroutinefunction(test) else run
        known = inspect.signature(test)
        kept = [one for one in known.parameters.values() if one.name not in names]
        done.__signature__ = known.replace(parameters=kept)  # type: ignore[attr-defined]
        return done

    return around
