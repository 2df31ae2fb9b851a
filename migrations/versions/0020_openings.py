"""Openings and positions of the archive's games, including this server's finished games.

Frozen history: imports none of our code. Tables only: the server and `kskak index` fill them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNREAD = sa.text("code IS NULL")
ENDED = sa.text("result IS NOT NULL")


def _games() -> None:
    with op.batch_alter_table("past_games") as table:
        table.add_column(sa.Column("code", sa.String(length=3), nullable=True))
        table.add_column(sa.Column("opening", sa.BigInteger(), nullable=True))
        table.add_column(sa.Column("own_id", ID, nullable=True))
        table.add_column(sa.Column("own_seq", sa.Integer(), nullable=True))
        table.create_unique_constraint("uq_past_games_own_id", ["own_id"])
    op.create_index("ix_past_games_code_day_id", "past_games", ["code", "day", "id"])
    op.create_index(
        "ix_past_games_unread",
        "past_games",
        ["id"],
        sqlite_where=UNREAD,
        postgresql_where=UNREAD,
    )
    op.create_index(
        "ix_games_ended", "games", ["id", "seq"], sqlite_where=ENDED, postgresql_where=ENDED
    )


def _found() -> None:
    op.create_table(
        "past_positions",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", "game_id", name="pk_past_positions"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "past_moves",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("move", sa.Integer(), autoincrement=False, nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("games", "white", "draws", "black")
        ),
        sa.PrimaryKeyConstraint("key", "move", name="pk_past_moves"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "past_tallies",
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=8), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name="pk_past_tallies"),
    )


def upgrade() -> None:
    _games()
    _found()


def downgrade() -> None:
    for table in ("past_tallies", "past_moves", "past_positions"):
        op.drop_table(table)
    op.execute("DELETE FROM past_games WHERE own_id IS NOT NULL")
    op.drop_index("ix_games_ended", "games")
    op.drop_index("ix_past_games_unread", "past_games")
    op.drop_index("ix_past_games_code_day_id", "past_games")
    with op.batch_alter_table("past_games") as table:
        table.drop_constraint("uq_past_games_own_id", type_="unique")
        for column in ("own_seq", "own_id", "opening", "code"):
            table.drop_column(column)
