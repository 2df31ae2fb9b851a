"""What ``kskak verify`` does not prove: whoever changes this in the database is not found out.

SECURITY.md says the same (a test holds the two together). Not for what it does prove
(database_care.py).
"""

from collections.abc import Mapping

COLUMNS: Mapping[str, frozenset[str]] = {
    "games": frozenset(
        {
            *("due_kind", "due_us", "told_us", "due_seq", "wake_us"),
            *("attempts", "last_error", "holder", "deaths"),
        }
    ),
    "groups": frozenset(
        {
            *("name", "tournament", "class", "is_double", "is_drawn", "seed", "regulation_url"),
            *("tl_id", "created_us", "override", "override_reason"),
        }
    ),
    "cases": frozenset({"group_id", "game_id", "person_id", "opened_us"}),
    "case_papers": frozenset(
        {"id", "person_id", "title", "media_type", "at_us", "inbox_id", "outbox_id"}
    ),
    "publications": frozenset({"id", "group_id", "kind", "game_id", "done_us", "prizes_until"}),
}
"""Columns of the tables that are proved otherwise. Of every other table nothing is proved here but
that what its rows refer to exists, and of entries the fees received; ratings are proved by
recalculating them."""
ROWS = frozenset({"publications"})
"""Those of these tables from which a row may be missing, or in which one may be too many."""
PROVED = frozenset(
    {"events", "case_events", "messages", "offices", "account_entries", "seals", *COLUMNS}
)
"""The tables that are proved, in whole or but for those columns."""
