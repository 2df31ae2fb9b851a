"""People's preferences: the board's look, notation, letters, delay before a move is sent.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    key = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "preferences",
        sa.Column("person_id", key, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_preferences_person_id_people"
        ),
        sa.PrimaryKeyConstraint("person_id", "name", name="pk_preferences"),
    )


def downgrade() -> None:
    op.drop_table("preferences")
