"""Requests to join; how a fee is paid; the objections despite which a reserve was let in.

Frozen history: imports none of our code. Existing lists do not say how their fee is
paid, and reserves already let in have no objections on record: neither was asked for.
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "join_requests",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("birth", sa.String(length=10), nullable=True),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("club", sa.Text(), nullable=True),
        sa.Column("member", sa.String(length=40), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("asked_us", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_us", sa.BigInteger(), nullable=True),
        sa.Column("person_id", ID, nullable=True),
        sa.Column("decided_by", ID, nullable=True),
        sa.Column("decided_us", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_join_requests_person_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["people.id"], name="fk_join_requests_decided_by_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_join_requests"),
        sa.UniqueConstraint("digest", name="uq_join_requests_digest"),
    )
    op.create_index("ix_join_requests_email", "join_requests", ["email"])
    op.create_index("ix_join_requests_person_id", "join_requests", ["person_id"])
    op.create_index("ix_join_requests_state_asked_us", "join_requests", ["state", "asked_us"])
    with op.batch_alter_table("entry_lists") as table:
        table.add_column(
            sa.Column("how_to_pay", sa.Text(), nullable=False, server_default=sa.text("''"))
        )
    with op.batch_alter_table("league_reserves") as table:
        table.add_column(
            sa.Column(
                "against", sa.String(length=120), nullable=False, server_default=sa.text("''")
            )
        )


def downgrade() -> None:
    with op.batch_alter_table("league_reserves") as table:
        table.drop_column("against")
    with op.batch_alter_table("entry_lists") as table:
        table.drop_column("how_to_pay")
    op.drop_table("join_requests")
