"""How much one caller may ask: token buckets in memory. NOT shared between processes."""

from dataclasses import dataclass, field

MOST_BUCKETS = 20_000


@dataclass(frozen=True, slots=True)
class Rate:
    """``burst`` calls at once, then ``per_second``."""

    burst: float
    per_second: float


SIGNED_IN = Rate(burst=5_000, per_second=250)
"""A program that moves in a thousand games at once is welcome; one out of control is slowed."""

STRANGER = Rate(burst=120, per_second=2)
"""Failed sign-ins, per address: guessing a 128-bit token stays hopeless, and cheap to refuse."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


@dataclass(slots=True)
class Limiter:
    """Buckets by caller. ``now`` is a monotonic time in seconds."""

    rate: Rate
    _buckets: dict[bytes | str, _Bucket] = field(default_factory=dict)

    def wait(self, who: bytes | str, now: float) -> float:
        """Take one call and return 0, or return the seconds until one may be made."""
        bucket = self._refilled(who, now)
        if bucket.left >= 1:
            bucket.left -= 1
            return 0.0
        return (1 - bucket.left) / self.rate.per_second

    def is_empty(self, who: bytes | str, now: float) -> bool:
        """True if nothing is left; takes nothing."""
        return who in self._buckets and self._refilled(who, now).left < 1

    def _refilled(self, who: bytes | str, now: float) -> _Bucket:
        bucket = self._buckets.get(who)
        if bucket is None:
            if len(self._buckets) >= MOST_BUCKETS:
                self._forget(now)
            bucket = self._buckets[who] = _Bucket(self.rate.burst, now)
            return bucket
        bucket.left = min(self.rate.burst, bucket.left + (now - bucket.at) * self.rate.per_second)
        bucket.at = now
        return bucket

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again; if all are in use, the fullest half."""
        full = self.rate.burst / self.rate.per_second
        kept = {who: b for who, b in self._buckets.items() if now - b.at < full}
        if len(kept) >= MOST_BUCKETS:
            emptiest = sorted(kept.items(), key=lambda item: item[1].left)
            kept = dict(emptiest[: MOST_BUCKETS // 2])
        self._buckets = kept
