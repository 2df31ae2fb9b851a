"""Drawing lots so that anybody can draw them again: the seed is kept (§ 6.5.2.1, § 6.6.1.2).

The order is that of SHA-256 over seed and name: no library's generator to depend on for years.
Not for making a seed: that is chance, and the caller's.
"""

from collections.abc import Sequence
from hashlib import sha256


def draw_lots(seed: str, names: Sequence[str]) -> tuple[int, ...]:
    """The indices of ``names`` in the order of their numbers: the first gets number 1."""
    drawn = [sha256(f"{seed}\n{name}".encode()).digest() for name in names]
    return tuple(sorted(range(len(names)), key=lambda index: (drawn[index], index)))
