"""A game's due work is in its row; no index has a column that every move changes.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WOKEN = sa.text("wake_us IS NOT NULL")
NONE = sa.text("0")


def _columns(*, kind: str, seq: str, needed: bool) -> list[sa.Column]:
    """As they were in ``deadlines``, where what falls due is always known, and as they are now."""
    return [
        sa.Column(kind, sa.String(length=24), nullable=not needed),
        sa.Column("due_us", sa.BigInteger(), nullable=not needed),
        sa.Column("told_us", sa.BigInteger(), nullable=True),
        sa.Column(seq, sa.Integer(), nullable=not needed),
        sa.Column("wake_us", sa.BigInteger(), nullable=not needed),
        sa.Column("attempts", sa.Integer(), server_default=NONE, nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("holder", sa.String(length=16), nullable=True),
        sa.Column("deaths", sa.Integer(), server_default=NONE, nullable=False),
    ]


def upgrade() -> None:
    for column in _columns(kind="due_kind", seq="due_seq", needed=False):
        op.add_column("games", column)
    op.execute(
        "UPDATE games SET due_kind = d.kind, due_us = d.due_us, told_us = d.told_us,"
        " due_seq = d.seq, wake_us = d.wake_us, attempts = d.attempts, last_error = d.last_error,"
        " holder = d.holder, deaths = d.deaths FROM deadlines AS d WHERE d.game_id = games.id"
    )
    op.drop_table("deadlines")
    op.drop_index("ix_games_to_move_id", "games")
    op.create_index(
        "ix_games_wake_us", "games", ["wake_us"], sqlite_where=WOKEN, postgresql_where=WOKEN
    )


def downgrade() -> None:
    op.create_table(
        "deadlines",
        sa.Column("game_id", ID, nullable=False),
        *_columns(kind="kind", seq="seq", needed=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_deadlines_game_id_games"),
        sa.PrimaryKeyConstraint("game_id", name="pk_deadlines"),
    )
    op.execute(
        "INSERT INTO deadlines(game_id, kind, due_us, told_us, seq, wake_us, attempts, last_error,"
        " holder, deaths) SELECT id, due_kind, due_us, told_us, due_seq, wake_us, attempts,"
        " last_error, holder, deaths FROM games WHERE due_kind IS NOT NULL"
    )
    op.create_index("ix_deadlines_wake_us", "deadlines", ["wake_us"])
    op.create_index("ix_games_to_move_id", "games", ["to_move_id"])
    op.drop_index("ix_games_wake_us", "games")
    for column in _columns(kind="due_kind", seq="due_seq", needed=False):
        op.drop_column("games", column.name)
