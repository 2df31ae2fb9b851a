"""Passkeys, the key for chess programs, and details for the lists of sessions and tokens.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("credential", sa.LargeBinary(length=1023), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("transports", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("used_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_passkeys_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential", name="uq_passkeys_credential"),
    )
    op.create_index("ix_passkeys_person_id", "passkeys", ["person_id"])
    op.create_table(
        "passkey_challenges",
        sa.Column("bound", sa.LargeBinary(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=8), nullable=False),
        sa.Column("challenge", sa.LargeBinary(length=64), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("bound", "purpose", name="pk_passkey_challenges"),
    )
    op.create_table(
        "xfcc_keys",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("used_day", sa.String(length=10), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_xfcc_keys_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", name="pk_xfcc_keys"),
        sa.UniqueConstraint("digest", name="uq_xfcc_keys_digest"),
    )
    op.create_table(
        "xfcc_notes",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("noted_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_xfcc_notes_person_id_people"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_xfcc_notes_game_id_games"),
        sa.PrimaryKeyConstraint("person_id", "game_id", name="pk_xfcc_notes"),
    )
    op.add_column("sessions", sa.Column("browser", sa.String(length=40), nullable=True))
    op.add_column("api_tokens", sa.Column("used_day", sa.String(length=10), nullable=True))


def downgrade() -> None:
    op.drop_column("api_tokens", "used_day")
    op.drop_column("sessions", "browser")
    op.drop_table("xfcc_notes")
    op.drop_table("xfcc_keys")
    op.drop_table("passkey_challenges")
    op.drop_index("ix_passkeys_person_id", "passkeys")
    op.drop_table("passkeys")
