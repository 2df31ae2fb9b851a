"""The connection as queries name it: SQLAlchemy's for asyncio, without what that loads.

Its package brings an ORM that nobody here uses, 6 MB of memory and a fifteenth of a start, and only
PostgreSQL needs it; SQLite's connections have the same interface (lending.py, transaction.py).
Not for opening one (store.py).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection as AsyncConnection  # noqa: TID251
else:

    class AsyncConnection:
        """The name alone, for annotations."""
