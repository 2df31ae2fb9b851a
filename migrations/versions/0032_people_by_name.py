"""People by name and by rating: the list of players reads no more of them than it shows.

Frozen history: imports none of our code.
"""

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_people_name_id", "people", ["name", "id"])
    op.create_index("ix_people_k_rating", "people", ["k_rating"])


def downgrade() -> None:
    op.drop_index("ix_people_k_rating", "people")
    op.drop_index("ix_people_name_id", "people")
