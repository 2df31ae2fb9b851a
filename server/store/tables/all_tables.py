"""The metadata with all the program's tables: every table module is imported here.

For migrations and for checking that code and database agree; query modules import their own.
"""

from server.store.tables import account as account_tables
from server.store.tables import answered_pages as page_tables
from server.store.tables import archive as archive_tables
from server.store.tables import cases, seals, team_entries
from server.store.tables import cup as cup_tables
from server.store.tables import entries as entry_tables
from server.store.tables import followed as live_tables
from server.store.tables import join_requests as join_tables
from server.store.tables import league as league_tables
from server.store.tables import office as year_tables
from server.store.tables import player as look_tables
from server.store.tables import player as preference_tables
from server.store.tables import player as private_tables
from server.store.tables import player as push_tables
from server.store.tables import processes as process_tables
from server.store.tables import register as register_tables
from server.store.tables.base import metadata

LOADED = (
    account_tables,
    archive_tables,
    cases,
    cup_tables,
    entry_tables,
    join_tables,
    league_tables,
    live_tables,
    look_tables,
    page_tables,
    preference_tables,
    private_tables,
    process_tables,
    push_tables,
    register_tables,
    seals,
    team_entries,
    year_tables,
)

__all__ = ["LOADED", "metadata"]
