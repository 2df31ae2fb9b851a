"""Mail taken in: durable before it is acknowledged, many in one flush.

Not for reading a mail nor for answering it.
"""

from collections.abc import Sequence

from server.store.engine.store import Store
from server.store.mail.inbox import Accepted, NewMail, accept_all
from server.usecases.core.batching import Batcher

BATCH = 64
"""How many mails share a transaction at most."""


class Intake:
    """Mails in, durable ids out."""

    def __init__(self, store: Store, *, limit: int = BATCH) -> None:
        async def work(mails: Sequence[NewMail]) -> Sequence[Accepted]:
            return await accept_all(store, mails)

        self._batcher: Batcher[NewMail, Accepted] = Batcher(work, limit)

    async def submit(self, mail: NewMail) -> Accepted:
        """Keep a mail; only when this returns may it be acknowledged. StoreError otherwise."""
        return await self._batcher.submit(mail)

    async def close(self) -> None:
        """Finish what was submitted and take nothing new."""
        await self._batcher.close()
