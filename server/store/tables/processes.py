"""Who works on a database now: the table of its processes (mail/processes.py).

Not for what they have in hand, which names its holder itself.
"""

from sqlalchemy import Column, String, Table, Text

from server.store.tables.base import Micros, metadata

processes = Table(
    "processes",
    metadata,
    Column("holder", String(16), primary_key=True),
    Column("born", Text, nullable=False),
    Column("seen_us", Micros, nullable=False),
)
"""Who works on this database now; ``holder`` names what each has in hand (processes.py)."""
