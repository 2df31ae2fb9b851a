"""What an API token opens and until when; addresses that are told of games (webhooks); groups in
which no program plays."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0042"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Tokens made before keep all that they opened, without an end."""
    everything = "read play lead decide"
    op.add_column(
        "api_tokens",
        sa.Column("scopes", sa.String(40), nullable=False, server_default=everything),
    )
    op.add_column("api_tokens", sa.Column("ends_us", sa.BigInteger))
    op.add_column("groups", sa.Column("no_programs_us", sa.BigInteger))
    op.create_table(
        "webhooks",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("token", sa.LargeBinary(32), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("created_us", sa.BigInteger, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_webhooks_person_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["token"], ["api_tokens.digest"], name="fk_webhooks_token_api_tokens",
            ondelete="CASCADE",
        ),
    )  # fmt: skip
    op.create_index("ix_webhooks_person_id", "webhooks", ["person_id"])
    op.create_index("ix_webhooks_token", "webhooks", ["token"])
    op.create_table(
        "webhook_told",
        sa.Column("webhook_id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("due_us", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("webhook_id", "game_id", name="pk_webhook_told"),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhooks.id"], name="fk_webhook_told_webhook_id_webhooks",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_webhook_told_game_id_games"),
    )  # fmt: skip


def downgrade() -> None:
    """As before."""
    op.drop_table("webhook_told")
    op.drop_table("webhooks")
    op.drop_column("groups", "no_programs_us")
    op.drop_column("api_tokens", "ends_us")
    op.drop_column("api_tokens", "scopes")
