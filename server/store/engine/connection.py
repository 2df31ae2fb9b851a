"""The connection as queries name it: SQLAlchemy's for asyncio, without what that loads.

Its package brings an ORM that nobody here uses, 6 MB of memory and a fifteenth of a start, and only
PostgreSQL needs it; SQLite's have the same interface (connection_thread.py).
Not for opening one (store.py).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection as AsyncConnection  # noqa: TID251
else:

    class AsyncConnection:
        """The name alone, for annotations."""
