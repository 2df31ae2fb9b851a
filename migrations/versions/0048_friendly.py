"""The archive by the day games ended; reported messages, shared analysis; challenges, followers."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

_INDEXES = (
    ("{}_id", "{}", "id"),
    ("event_id_{}", "event_id", "{}"),
    ("code_{}_id", "code", "{}", "id"),
)


_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


_NEW = (
    ("messages", "hidden_us"),
    ("quiet_messages", "hidden_us"),
    ("private_trees", "shared_us"),
)
_DAYS = ("white_days", "black_days")


def _people_tables() -> None:
    """Who challenges whom to a friendly game, and who follows whom."""
    op.create_table(
        "challenges",
        sa.Column("id", _ID, nullable=False),
        sa.Column("by_id", _ID, nullable=False),
        sa.Column("to_id", _ID),
        sa.Column("regulation", sa.String(8), nullable=False),
        sa.Column("colour", sa.String(8), nullable=False),
        sa.Column("fen", sa.Text()),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("group_id", _ID),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_challenges_by_id_people"),
        sa.ForeignKeyConstraint(["to_id"], ["people.id"], name="fk_challenges_to_id_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_challenges_group_id_groups"),
    )
    op.create_index("ix_challenges_by_id", "challenges", ["by_id"])
    op.create_index("ix_challenges_to_id", "challenges", ["to_id"])
    op.create_index("ix_challenges_group_id", "challenges", ["group_id"])
    op.create_index("ix_challenges_state", "challenges", ["state"])
    op.create_table(
        "follows",
        sa.Column("id", _ID, nullable=False),
        sa.Column("person_id", _ID, nullable=False),
        sa.Column("player_id", _ID),
        sa.Column("group_id", _ID),
        sa.Column("since_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_follows"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_follows_person_id_people"),
        sa.ForeignKeyConstraint(["player_id"], ["people.id"], name="fk_follows_player_id_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_follows_group_id_groups"),
    )
    op.create_index("ix_follows_person_id", "follows", ["person_id"])
    op.create_index("ix_follows_player_id", "follows", ["player_id"])
    op.create_index("ix_follows_group_id", "follows", ["group_id"])


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
    # Copied again by the server as it runs: the days used are in the games themselves.
    op.execute("UPDATE past_games SET own_seq = 0 WHERE own_id IS NOT NULL")
    for table, column in _NEW:
        op.add_column(table, sa.Column(column, sa.BigInteger()))
    for column in _DAYS:
        op.add_column("past_games", sa.Column(column, sa.Integer()))
    _people_tables()


def downgrade() -> None:
    """As before."""
    op.drop_table("follows")
    op.drop_table("challenges")
    for column in _DAYS:
        op.drop_column("past_games", column)
    for table, column in _NEW:
        op.drop_column(table, column)
    _count_decades("day")
    _index_by("day", "filed")
    op.drop_column("past_games", "filed")
