"""API tokens that a test starts with: kept without the letter that tells their owner.

Not for making a token as people do (server.usecases.account.signin).
"""

import secrets

from server.store.account import sign_in as access
from server.usecases.context import Core


async def token_of(core: Core, person_id: int) -> str:
    """A token of a person."""
    token = secrets.token_urlsafe(24)
    async with core.store.write() as conn:
        await access.add_token(conn, token, person_id, "test", core.now_us)
    return token
