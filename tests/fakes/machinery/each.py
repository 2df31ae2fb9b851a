"""Many small cases in one test, since each test has a price of its own, and a server's most of all.

A case that fails names itself in the failure; those after it are not tried. Not for cases that
take long, or that share what they change: refusals change nothing.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps

Test = Callable[..., None | Awaitable[None]]


def each(name: str | tuple[str, ...], values: Iterable[object]) -> Callable[[Test], Test]:
    """Decorates a test: it is run with every value of the argument, or arguments, in one test."""
    names, cases = (name,) if isinstance(name, str) else name, tuple(values)
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
