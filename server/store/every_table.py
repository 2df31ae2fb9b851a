"""The metadata with every table of the program in it: each module of tables is loaded here.

For the migrations, and for whoever asks whether code and database agree; queries import their own.
"""

from server.store import (
    account_tables,
    archive_tables,
    case_tables,
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
    team_entry_tables,
    year_tables,
)
from server.store.tables import metadata

LOADED = (
    account_tables,
    archive_tables,
    case_tables,
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
    team_entry_tables,
    year_tables,
)

__all__ = ["LOADED", "metadata"]
