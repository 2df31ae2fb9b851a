"""How far a player has seen his games, and which he passed over.

Frozen history: imports nothing of ours.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "looks",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("skipped_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_looks_game_id_games"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_looks_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", "game_id", name="pk_looks"),
    )


def downgrade() -> None:
    op.drop_table("looks")
