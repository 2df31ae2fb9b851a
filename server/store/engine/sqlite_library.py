"""The SQLite library that all of this process opens its files with: the wheel's, else Python's own.

One for all of a process: two copies of SQLite at one file would drop each other's locks. The wheel
brings a library without the fault of SQLite before 3.51.3, which the system's Python may link.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        from pysqlite3 import dbapi2 as sqlite3
    except ImportError:  # no wheel for this machine
        import sqlite3

__all__ = ["sqlite3"]
