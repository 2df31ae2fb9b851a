"""How far players have seen their games, which they skipped; indexes to find running games.

Frozen history: imports none of our code.
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
    for colour in ("white_id", "black_id"):
        op.create_index(f"ix_games_{colour}_result", "games", [colour, "result"])


def downgrade() -> None:
    for colour in ("white_id", "black_id"):
        op.drop_index(f"ix_games_{colour}_result", table_name="games")
    op.drop_table("looks")
