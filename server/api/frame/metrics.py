"""Metrics for Prometheus: moves, refusals, requests, and how long mail has been waiting.

Uses its own registry so that tests and several servers in one process do not share counts.
Not for deciding whether the server is ready (health.py).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A queue: how many rows wait, the age of the oldest in seconds, and how many are dead."""

    queue: str
    pending: int
    oldest_seconds: float
    dead: int


class Meters:
    """The counters and timers of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._accepted = Counter(
            "kskak_moves_accepted", "Dispatches entered in a ledger", ["channel"],
            registry=self.registry,
        )  # fmt: skip
        self._refused = Counter(
            "kskak_refusals", "Commands refused, by reason", ["channel", "reason"],
            registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "kskak_request_seconds", "Duration of API requests", ["route", "status"],
            buckets=_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._pending = self._gauge("pending", "Rows waiting in a queue")
        self._oldest = self._gauge("oldest_seconds", "Age of a queue's oldest waiting row")
        self._dead = self._gauge("dead", "Rows of a queue that an operator must look at")
        self._of_channel: dict[str, Callable[[float], None]] = {}
        self._of_route: dict[tuple[str, int], Callable[[float], None]] = {}

    def _gauge(self, name: str, what: str) -> Gauge:
        return Gauge(f"kskak_queue_{name}", what, ["queue"], registry=self.registry)

    def accepted(self, channel: str, count: int = 1) -> None:
        """Count dispatches entered in their ledgers through ``mail``, ``web`` or ``api``."""
        entered = self._of_channel.get(channel)
        if entered is None:
            entered = self._of_channel[channel] = self._accepted.labels(channel).inc
        entered(count)

    def refused(self, channel: str, reason: str) -> None:
        """Count a refused command."""
        self._refused.labels(channel, reason).inc()

    def observe(self, route: str, status: int, seconds: float) -> None:
        """Record the duration of an answered request."""
        key = (route, status)
        observe = self._of_route.get(key)
        if observe is None:
            observe = self._of_route[key] = self._seconds.labels(route, str(status)).observe
        observe(seconds)

    def page(self, queues: Iterable[Waiting]) -> bytes:
        """The metrics in Prometheus's text format."""
        for queue in queues:
            self._pending.labels(queue.queue).set(queue.pending)
            self._oldest.labels(queue.queue).set(queue.oldest_seconds)
            self._dead.labels(queue.queue).set(queue.dead)
        return generate_latest(self.registry)
