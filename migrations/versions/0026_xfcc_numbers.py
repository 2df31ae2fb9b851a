"""A small number for each game a chess program has listed: Xfcc's field holds 31 bits.

Frozen history: imports none of our code. Programs that know a game by its id can keep using it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "xfcc_numbers",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_xfcc_numbers_game_id_games"),
        sa.PrimaryKeyConstraint("number", name="pk_xfcc_numbers"),
        sa.UniqueConstraint("game_id", name="uq_xfcc_numbers_game_id"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("xfcc_numbers")
