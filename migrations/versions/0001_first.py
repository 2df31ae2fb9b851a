"""The first tables.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _settings() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )
    op.create_table(
        "outages",
        sa.Column("id", ID, nullable=False),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("to_us", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outages"),
        sa.UniqueConstraint("from_us", name="uq_outages_from_us"),
    )
    op.create_table(
        "duties",
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.Column("done_for", sa.String(length=32), nullable=False),
        sa.Column("done_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_duties"),
    )


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=2), server_default="da", nullable=False),
        sa.Column("role", sa.String(length=16), server_default="player", nullable=False),
        sa.Column("club", sa.Text(), nullable=True),
        sa.Column("member", sa.Text(), nullable=True),
        sa.Column("rating", sa.Integer(), nullable=True),
        sa.Column("k_rating", sa.Integer(), nullable=True),
        sa.Column("birth", sa.String(length=10), nullable=True),
        sa.Column("citizen", sa.Boolean(), nullable=True),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("email", name="uq_people_email"),
    )
    op.create_table(
        "login_links",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("next_path", sa.Text(), server_default="/", nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.Column("used_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_login_links_person_id_people"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_login_links"),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("seen_us", sa.BigInteger(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_sessions_person_id_people"),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )
    op.create_index("ix_sessions_person_id", "sessions", ["person_id"])
    op.create_table(
        "api_tokens",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_api_tokens_person_id_people"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_api_tokens"),
    )
    op.create_index("ix_api_tokens_person_id", "api_tokens", ["person_id"])


def _groups() -> None:
    op.create_table(
        "groups",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("class", sa.String(length=16), nullable=False),
        sa.Column("regulation", sa.String(length=8), nullable=False),
        sa.Column("edition", sa.String(length=8), nullable=False),
        sa.Column("laws", sa.Integer(), nullable=False),
        sa.Column("start", sa.String(length=10), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("claims", sa.String(length=8), nullable=False),
        sa.Column("is_double", sa.Boolean(), nullable=False),
        sa.Column("is_drawn", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("fen", sa.Text(), nullable=True),
        sa.Column("post_days", sa.Integer(), nullable=False),
        sa.Column("regulation_url", sa.Text(), nullable=True),
        sa.Column("tl_id", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["tl_id"], ["people.id"], name="fk_groups_tl_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_groups"),
        sa.UniqueConstraint("name", name="uq_groups_name"),
    )
    op.create_table(
        "seats",
        sa.Column("group_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_seats_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_seats_person_id_people"),
        sa.PrimaryKeyConstraint("group_id", "number", name="pk_seats"),
    )
    op.create_index("ix_seats_person_id", "seats", ["person_id"])


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("white_id", ID, nullable=False),
        sa.Column("black_id", ID, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(length=32), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("to_move_id", ID, nullable=True),
        sa.Column("flag_on", sa.String(length=10), nullable=True),
        sa.Column("result", sa.String(length=8), nullable=True),
        sa.Column("ended_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["black_id"], ["people.id"], name="fk_games_black_id_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_games_group_id_groups"),
        sa.ForeignKeyConstraint(["white_id"], ["people.id"], name="fk_games_white_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("name", name="uq_games_name"),
    )
    op.create_index("ix_games_black_id", "games", ["black_id"])
    op.create_index("ix_games_group_id", "games", ["group_id"])
    op.create_index("ix_games_to_move_id", "games", ["to_move_id"])
    op.create_index("ix_games_white_id", "games", ["white_id"])
    op.create_table(
        "events",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", ID, nullable=True),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("inbox_id", ID, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id_games"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
    )
    op.create_table(
        "messages",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("author_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["people.id"], name="fk_messages_author_id_people"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_messages_game_id_games"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_messages"),
    )


def _due() -> None:
    op.create_table(
        "deadlines",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.Column("wake_us", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_deadlines_game_id_games"),
        sa.PrimaryKeyConstraint("game_id", "kind", name="pk_deadlines"),
    )
    op.create_index("ix_deadlines_wake_us", "deadlines", ["wake_us"])
    op.create_table(
        "confirmations",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("inbox_id", ID, nullable=True),
        sa.Column("sent_us", sa.BigInteger(), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.Column("used_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_confirmations_person_id_people"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_confirmations"),
    )
    op.create_index("ix_confirmations_game_id", "confirmations", ["game_id"])
    op.create_table(
        "idempotency",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("request", sa.LargeBinary(length=32), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "key", name="pk_idempotency"),
    )


def _inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("received_us", sa.BigInteger(), nullable=False),
        sa.Column("first_us", sa.BigInteger(), nullable=False),
        sa.Column("peer", sa.Text(), nullable=False),
        sa.Column("mail_from", sa.Text(), nullable=False),
        sa.Column("rcpt_to", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("message_key", sa.LargeBinary(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("outcome", sa.String(length=24), nullable=True),
        sa.Column("person_id", ID, nullable=True),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_inbox"),
        sa.UniqueConstraint("digest", name="uq_inbox_digest"),
    )
    op.create_index("ix_inbox_message_key", "inbox", ["message_key"])
    op.create_index("ix_inbox_state_due", "inbox", ["state", "due_us"])


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("person_id", ID, nullable=True),
        sa.Column("to_addr", sa.Text(), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("sent_us", sa.BigInteger(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("message_id", name="uq_outbox_message_id"),
    )
    op.create_index("ix_outbox_game_id_seq", "outbox", ["game_id", "seq"])
    op.create_index("ix_outbox_state_due", "outbox", ["state", "due_us"])


def upgrade() -> None:
    _settings()
    _people()
    _groups()
    _games()
    _due()
    _inbox()
    _outbox()


def downgrade() -> None:
    for table in (
        "outbox",
        "inbox",
        "idempotency",
        "confirmations",
        "deadlines",
        "messages",
        "events",
        "games",
        "seats",
        "groups",
        "api_tokens",
        "sessions",
        "login_links",
        "people",
        "duties",
        "outages",
        "settings",
    ):
        op.drop_table(table)
