"""How much is tried in each run, and how much more at night (``make nightly``).

Not for what a user can see: each of those has a test that is the same in every run.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")
AT_NIGHT = os.environ.get("TEST_DRAWS") == "random"
FEWEST = 25
"""Cases of a property in each run, if more of them are slow."""


def drawn(at_night: int, **more: object) -> settings:
    """A property's cases: so many at night, a quarter of them in each run."""
    few = max(min(FEWEST, at_night), at_night // 4)
    return settings(max_examples=at_night if AT_NIGHT else few, **more)  # type: ignore[arg-type]


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
"""Not looked at: games are long."""
QUICK = drawn(60, suppress_health_check=SLOW)


def turns(values: Sequence[T], turn: int, count: int = 1) -> Sequence[T]:
    """All the values at night; in each run ``count`` of them, others at each turn."""
    if AT_NIGHT:
        return values
    return [values[(turn * count + n) % len(values)] for n in range(count)]
