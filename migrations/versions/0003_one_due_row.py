"""One row of due work per game, with the instant its leader is to be notified of a silence.

The rows are rebuilt at the next start (server/usecases/reflection/reset_due_work.py): nothing is
carried over. Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _table(*key: str, told: bool) -> None:
    op.drop_table("deadlines")
    op.create_table(
        "deadlines",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.Column("wake_us", sa.BigInteger(), nullable=False),
        *([sa.Column("told_us", sa.BigInteger(), nullable=True)] if told else []),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_deadlines_game_id_games"),
        sa.PrimaryKeyConstraint(*key, name="pk_deadlines"),
    )
    op.create_index("ix_deadlines_wake_us", "deadlines", ["wake_us"])


def upgrade() -> None:
    _table("game_id", told=True)


def downgrade() -> None:
    _table("game_id", "kind", told=False)
