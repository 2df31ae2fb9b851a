"""Pages that answered a form, kept sealed for a while so that they can be reloaded.

Frozen history: imports none of our code. There is nothing to carry over: none were kept.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answered_pages",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("session", sa.LargeBinary(length=32), nullable=True),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["sessions.digest"],
            name="fk_answered_pages_session_sessions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_answered_pages"),
    )
    op.create_index("ix_answered_pages_session", "answered_pages", ["session"])
    op.create_index("ix_answered_pages_expires_us", "answered_pages", ["expires_us"])


def downgrade() -> None:
    op.drop_table("answered_pages")
