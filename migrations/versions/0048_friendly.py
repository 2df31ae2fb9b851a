"""The archive by the day games ended, where that is known; else they began."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0042"
branch_labels = None
depends_on = None

_INDEXES = (
    ("{}_id", "{}", "id"),
    ("event_id_{}", "event_id", "{}"),
    ("code_{}_id", "code", "{}", "id"),
)


def _index_by(new: str, old: str) -> None:
    for name, *_ in _INDEXES:
        op.drop_index(f"ix_past_games_{name.format(old)}", "past_games")
    for name, *columns in _INDEXES:
        listed = [column.format(new) for column in columns]
        op.create_index(f"ix_past_games_{name.format(new)}", "past_games", listed)


def _count_decades(column: str) -> None:
    """The archive's front counts the games by the days that it lists."""
    op.execute("DELETE FROM past_tallies WHERE kind = 'decade'")
    op.execute(
        "INSERT INTO past_tallies (kind, name, games)"
        f" SELECT 'decade', substr({column}, 1, 3), count(*) FROM past_games"
        f" WHERE code IS NOT NULL GROUP BY substr({column}, 1, 3)"
    )


def upgrade() -> None:
    """``filed``: the day a game ended where that is known, else the day it began."""
    filed = sa.Column("filed", sa.String(10), nullable=False, server_default=sa.text("''"))
    op.add_column("past_games", filed)
    ended = """CASE WHEN "end" = '0000-00-00' THEN day ELSE "end" END"""
    op.execute(f"UPDATE past_games SET filed = {ended}")
    _index_by("filed", "day")
    _count_decades("filed")


def downgrade() -> None:
    """As before."""
    _count_decades("day")
    _index_by("day", "filed")
    op.drop_column("past_games", "filed")
