"""What a player says about a finished game, for its sheet.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "sheet_words",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_sheet_words_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_sheet_words_person_id_people"
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_sheet_words"),
    )


def downgrade() -> None:
    op.drop_table("sheet_words")
