"""The table of the processes now working on a database (mail/processes.py).

Not for what they have claimed: those rows name their holder themselves.
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
"""The processes at work; each row a process has claimed carries its ``holder`` (processes.py)."""
