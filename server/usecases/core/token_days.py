"""The days on which API tokens were used, gathered here and recorded later, many at once.

A call never waits for that, nor fails by it. What a process has gathered goes with it when it ends:
the token's next use is noted again. Not for who a token belongs to (store/account/ways_in.py).
"""

from collections.abc import Mapping

MOST_NOTED = 50_000


class TokenDays:
    """The last known day (ISO) of each token's use, and which of them are yet to be recorded."""

    def __init__(self) -> None:
        self._noted: dict[bytes, str] = {}
        self._waiting: dict[bytes, str] = {}

    def note(self, token_digest: bytes, day: str) -> None:
        """A token was used; at most one record a day comes of it."""
        if self._noted.get(token_digest) == day:
            return
        if len(self._noted) >= MOST_NOTED:
            self._noted.clear()
        self._noted[token_digest] = self._waiting[token_digest] = day

    def waiting(self) -> dict[bytes, str]:
        """What is yet to be recorded."""
        return dict(self._waiting)

    def recorded(self, days: Mapping[bytes, str]) -> None:
        """These have been recorded; what was noted meanwhile still waits."""
        for token_digest, day in days.items():
            if self._waiting.get(token_digest) == day:
                del self._waiting[token_digest]
