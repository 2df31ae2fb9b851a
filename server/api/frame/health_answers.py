"""Response models of /healthz and /readyz. Not for the checks themselves (health.py)."""

from typing import Literal

from server.api.frame.game_answers import Answer


class Check(Answer):
    """One check."""

    ok: bool
    pending: int | None = None
    oldest_seconds: float | None = None
    dead: int | None = None
    behind_seconds: int | None = None


class Health(Answer):
    """Whether the process is up."""

    status: Literal["ok"]


class Readiness(Answer):
    """Whether the server can do its work: 200 if so, else 503."""

    status: Literal["ready", "not_ready"]
    checks: dict[str, Check]
