"""All tables as they were on 27 November 2026, before the first release.

A picture of them, drawn from the tables themselves, so it is long and nobody need read it: what
follows is changed by steps of its own. Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SAY = """
CREATE FUNCTION kskak_say_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kskak_games', NEW.id::text);
    RETURN NULL;
END
$$
"""
"""What tells each server of a change, in the move's own transaction."""
ON_CHANGE = """
CREATE TRIGGER kskak_say_game AFTER INSERT OR UPDATE OF seq ON games
FOR EACH ROW EXECUTE FUNCTION kskak_say_game()
"""


def upgrade() -> None:
    op.create_table(
        "districts",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_districts"),
        sa.UniqueConstraint("name", name="uq_districts_name"),
    )
    op.create_table(
        "duties",
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.Column("done_for", sa.String(length=32), nullable=False),
        sa.Column("done_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_duties"),
    )
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
    op.create_index("ix_idempotency_created_us", "idempotency", ["created_us"])
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
        sa.Column("outcome", sa.String(length=24)),
        sa.Column("person_id", ID),
        sa.Column("game_id", ID),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text()),
        sa.Column("holder", sa.String(length=16)),
        sa.Column("deaths", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_inbox"),
        sa.UniqueConstraint("digest", name="uq_inbox_digest"),
    )
    op.create_index("ix_inbox_game_id", "inbox", ["game_id"])
    op.create_index("ix_inbox_message_key", "inbox", ["message_key"])
    op.create_index("ix_inbox_state_due", "inbox", ["state", "due_us"])
    op.create_table(
        "league_plans",
        sa.Column("id", ID, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.String(length=10), nullable=False),
        sa.Column("entered", sa.Text(), nullable=False),
        sa.Column("composed", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("from_plan", ID),
        sa.Column("refused", sa.Text()),
        sa.Column("team_entries", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_league_plans"),
    )
    op.create_index("ix_league_plans_season", "league_plans", ["season"])
    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("person_id", ID),
        sa.Column("to_addr", sa.Text(), nullable=False),
        sa.Column("game_id", ID),
        sa.Column("seq", sa.Integer()),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("last_error", sa.Text()),
        sa.Column("sent_us", sa.BigInteger()),
        sa.Column("raw", sa.LargeBinary()),
        sa.Column("holder", sa.String(length=16)),
        sa.Column("deaths", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("message_id", name="uq_outbox_message_id"),
    )
    op.create_index(
        "ix_outbox_failed",
        "outbox",
        ["game_id"],
        sqlite_where=sa.text("last_error IS NOT NULL"),
        postgresql_where=sa.text("last_error IS NOT NULL"),
    )
    op.create_index("ix_outbox_game_id_seq", "outbox", ["game_id", "seq"])
    op.create_index("ix_outbox_state_due", "outbox", ["state", "due_us"])
    op.create_table(
        "passkey_challenges",
        sa.Column("bound", sa.LargeBinary(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=8), nullable=False),
        sa.Column("challenge", sa.LargeBinary(length=64), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("bound", "purpose", name="pk_passkey_challenges"),
    )
    op.create_table(
        "past_events",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=240), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_past_events"),
        sa.UniqueConstraint("key", name="uq_past_events_key"),
    )
    op.create_table(
        "past_imports",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("bytes", ID, nullable=False),
        sa.Column("added", sa.Integer(), nullable=False),
        sa.Column("known", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=False),
        sa.Column("finished_us", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_past_imports"),
        sa.UniqueConstraint("digest", name="uq_past_imports_digest"),
    )
    op.create_table(
        "past_moves",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("move", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("white", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("black", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", "move", name="pk_past_moves"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "past_positions",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", "game_id", name="pk_past_positions"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "past_tallies",
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=8), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name="pk_past_tallies"),
    )
    op.create_table(
        "people",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=2), server_default="da", nullable=False),
        sa.Column("role", sa.String(length=16), server_default="player", nullable=False),
        sa.Column("club", sa.Text()),
        sa.Column("member", sa.Text()),
        sa.Column("rating", sa.Integer()),
        sa.Column("k_rating", sa.Integer()),
        sa.Column("birth", sa.String(length=10)),
        sa.Column("citizen", sa.Boolean()),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("email_proved_us", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("email", name="uq_people_email"),
    )
    op.create_index("ix_people_k_rating", "people", ["k_rating"])
    op.create_index("ix_people_member", "people", ["member"])
    op.create_index("ix_people_name_id", "people", ["name", "id"])
    op.create_index("ix_people_role", "people", ["role"])
    op.create_table(
        "processes",
        sa.Column("holder", sa.String(length=16), nullable=False),
        sa.Column("born", sa.Text(), nullable=False),
        sa.Column("seen_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("holder", name="pk_processes"),
    )
    op.create_table(
        "seals",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("of_table", sa.String(length=20), nullable=False),
        sa.Column("row_id", ID, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_seals"),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )
    op.create_table(
        "year_told",
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("step", sa.String(length=16), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("stage", sa.String(length=8), nullable=False),
        sa.Column("told_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("form", "season", "step", "day", "stage", name="pk_year_told"),
    )
    op.create_table(
        "addresses",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_addresses_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", name="pk_addresses"),
    )
    op.create_table(
        "api_tokens",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("used_day", sa.String(length=10)),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_api_tokens_person_id_people"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_api_tokens"),
    )
    op.create_index("ix_api_tokens_person_id", "api_tokens", ["person_id"])
    op.create_table(
        "bulletin_readers",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("since_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_bulletin_readers_person_id_people"
        ),
        sa.PrimaryKeyConstraint("person_id", name="pk_bulletin_readers"),
    )
    op.create_table(
        "bulletins",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first", sa.String(length=10), nullable=False),
        sa.Column("last", sa.String(length=10), nullable=False),
        sa.Column("foreword", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.Column("made_by", ID, nullable=False),
        sa.Column("made_us", sa.BigInteger(), nullable=False),
        sa.Column("issued_by", ID),
        sa.Column("issued_us", sa.BigInteger()),
        sa.Column("objections_until", sa.String(length=10)),
        sa.Column("facts", sa.Text()),
        sa.ForeignKeyConstraint(["issued_by"], ["people.id"], name="fk_bulletins_issued_by_people"),
        sa.ForeignKeyConstraint(["made_by"], ["people.id"], name="fk_bulletins_made_by_people"),
        sa.PrimaryKeyConstraint("number", name="pk_bulletins"),
    )
    op.create_table(
        "calendar_keys",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_calendar_keys_person_id_people"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_calendar_keys"),
    )
    op.create_index("ix_calendar_keys_person_id", "calendar_keys", ["person_id"])
    op.create_table(
        "clubs",
        sa.Column("id", ID, nullable=False),
        sa.Column("number", sa.String(length=16)),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("district_id", ID),
        sa.ForeignKeyConstraint(
            ["district_id"], ["districts.id"], name="fk_clubs_district_id_districts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_clubs"),
        sa.UniqueConstraint("name", name="uq_clubs_name"),
        sa.UniqueConstraint("number", name="uq_clubs_number"),
    )
    op.create_index("ix_clubs_district_id", "clubs", ["district_id"])
    op.create_table(
        "confirmations",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("inbox_id", ID),
        sa.Column("sent_us", sa.BigInteger(), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.Column("used_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_confirmations_person_id_people"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_confirmations"),
    )
    op.create_index("ix_confirmations_expires_us", "confirmations", ["expires_us"])
    op.create_index("ix_confirmations_game_id", "confirmations", ["game_id"])
    op.create_table(
        "entry_lists",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("event", sa.String(length=8), nullable=False),
        sa.Column("wish", sa.String(length=12), nullable=False),
        sa.Column("tournament", sa.String(length=120), nullable=False),
        sa.Column("regulation", sa.String(length=8), nullable=False),
        sa.Column("prefix", sa.String(length=40), nullable=False),
        sa.Column("leader_id", ID, nullable=False),
        sa.Column("fee", sa.Integer()),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("opened_by", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("how_to_pay", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["leader_id"], ["people.id"], name="fk_entry_lists_leader_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["opened_by"], ["people.id"], name="fk_entry_lists_opened_by_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_entry_lists"),
        sa.UniqueConstraint("name", name="uq_entry_lists_name"),
    )
    op.create_index("ix_entry_lists_leader_id", "entry_lists", ["leader_id"])
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
        sa.Column("seed", sa.Text()),
        sa.Column("fen", sa.Text()),
        sa.Column("post_days", sa.Integer(), nullable=False),
        sa.Column("regulation_url", sa.Text()),
        sa.Column("tl_id", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("override", sa.Text()),
        sa.Column("override_reason", sa.Text()),
        sa.ForeignKeyConstraint(["tl_id"], ["people.id"], name="fk_groups_tl_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_groups"),
        sa.UniqueConstraint("name", name="uq_groups_name"),
    )
    op.create_index("ix_groups_class", "groups", ["class"])
    op.create_index("ix_groups_created_us", "groups", ["created_us"])
    op.create_index("ix_groups_regulation", "groups", ["regulation"])
    op.create_index("ix_groups_tl_id", "groups", ["tl_id"])
    op.create_table(
        "join_requests",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("birth", sa.String(length=10)),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("club", sa.Text()),
        sa.Column("member", sa.String(length=40)),
        sa.Column("address", sa.Text()),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("asked_us", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_us", sa.BigInteger()),
        sa.Column("person_id", ID),
        sa.Column("decided_by", ID),
        sa.Column("decided_us", sa.BigInteger()),
        sa.Column("reason", sa.Text()),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["people.id"], name="fk_join_requests_decided_by_people"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_join_requests_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_join_requests"),
        sa.UniqueConstraint("digest", name="uq_join_requests_digest"),
    )
    op.create_index("ix_join_requests_email", "join_requests", ["email"])
    op.create_index("ix_join_requests_person_id", "join_requests", ["person_id"])
    op.create_index("ix_join_requests_state_asked_us", "join_requests", ["state", "asked_us"])
    op.create_table(
        "league_grants",
        sa.Column("plan_id", ID, autoincrement=False, nullable=False),
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("division", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("is_granted", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["league_plans.id"], name="fk_league_grants_plan_id_league_plans"
        ),
        sa.PrimaryKeyConstraint("plan_id", "club", "division", name="pk_league_grants"),
    )
    op.create_table(
        "login_links",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("next_path", sa.Text(), server_default="/", nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.Column("used_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_login_links_person_id_people"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_login_links"),
    )
    op.create_index("ix_login_links_expires_us", "login_links", ["expires_us"])
    op.create_table(
        "member_changes",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("by_id", ID),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_member_changes_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_member_changes"),
    )
    op.create_index("ix_member_changes_person_id", "member_changes", ["person_id"])
    op.create_table(
        "outages",
        sa.Column("id", ID, nullable=False),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("to_us", sa.BigInteger()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_outages_by_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_outages"),
        sa.UniqueConstraint("from_us", name="uq_outages_from_us"),
    )
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
        sa.Column("used_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_passkeys_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential", name="uq_passkeys_credential"),
    )
    op.create_index("ix_passkeys_person_id", "passkeys", ["person_id"])
    op.create_table(
        "past_players",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("number", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=240), nullable=False),
        sa.Column("person_id", ID),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_past_players_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_past_players"),
        sa.UniqueConstraint("name", "number", name="uq_past_players_name_number"),
    )
    op.create_index("ix_past_players_key", "past_players", ["key"])
    op.create_index("ix_past_players_person_id", "past_players", ["person_id"])
    op.create_table(
        "past_results",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("event", sa.String(length=8), nullable=False),
        sa.Column("wish", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("finished", sa.String(length=10)),
        sa.Column("halves", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("unfinished", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer()),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("semi_held", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_by", ID),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("removed_by", ID),
        sa.Column("removed_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["entered_by"], ["people.id"], name="fk_past_results_entered_by_people"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_past_results_person_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["removed_by"], ["people.id"], name="fk_past_results_removed_by_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_past_results"),
    )
    op.create_index("ix_past_results_person_id", "past_results", ["person_id"])
    op.create_table(
        "preferences",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_preferences_person_id_people"
        ),
        sa.PrimaryKeyConstraint("person_id", "name", name="pk_preferences"),
    )
    op.create_table(
        "ratings",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=4), nullable=False),
        sa.Column("on_day", sa.String(length=10), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("is_provisional", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_us", sa.BigInteger(), nullable=False),
        sa.Column("entered_by", ID),
        sa.Column("is_computed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_ratings_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_ratings"),
        sa.UniqueConstraint(
            "person_id", "kind", "on_day", "is_computed", name="uq_ratings_person_id"
        ),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("seen_us", sa.BigInteger(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=False),
        sa.Column("browser", sa.String(length=40)),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_sessions_person_id_people"),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )
    op.create_index("ix_sessions_expires_us", "sessions", ["expires_us"])
    op.create_index("ix_sessions_person_id", "sessions", ["person_id"])
    op.create_table(
        "waiting_scans",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("scan", sa.LargeBinary(), nullable=False),
        sa.Column("scan_type", sa.String(length=64), nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_waiting_scans_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_waiting_scans"),
    )
    op.create_index("ix_waiting_scans_at_us", "waiting_scans", ["at_us"])
    op.create_index("ix_waiting_scans_person_id", "waiting_scans", ["person_id"])
    op.create_table(
        "xfcc_keys",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("used_day", sa.String(length=10)),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_xfcc_keys_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", name="pk_xfcc_keys"),
        sa.UniqueConstraint("digest", name="uq_xfcc_keys_digest"),
    )
    op.create_table(
        "year_deeds",
        sa.Column("id", ID, nullable=False),
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("day", sa.String(length=10)),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_year_deeds_by_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_year_deeds"),
    )
    op.create_index("ix_year_deeds_season", "year_deeds", ["season"])
    op.create_table(
        "answered_pages",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("session", sa.LargeBinary(length=32)),
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
    op.create_index("ix_answered_pages_expires_us", "answered_pages", ["expires_us"])
    op.create_index("ix_answered_pages_session", "answered_pages", ["session"])
    op.create_table(
        "club_admins",
        sa.Column("id", ID, nullable=False),
        sa.Column("club_id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("to_us", sa.BigInteger()),
        sa.Column("by_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_club_admins_by_id_people"),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_club_admins_club_id_clubs"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_club_admins_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_club_admins"),
    )
    op.create_index("ix_club_admins_club_id", "club_admins", ["club_id"])
    op.create_index("ix_club_admins_person_id", "club_admins", ["person_id"])
    op.create_table(
        "cups",
        sa.Column("id", ID, nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("list_id", ID, nullable=False),
        sa.Column("semi_list_id", ID),
        sa.Column("opened_by", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["list_id"], ["entry_lists.id"], name="fk_cups_list_id_entry_lists"
        ),
        sa.ForeignKeyConstraint(["opened_by"], ["people.id"], name="fk_cups_opened_by_people"),
        sa.ForeignKeyConstraint(
            ["semi_list_id"], ["entry_lists.id"], name="fk_cups_semi_list_id_entry_lists"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_cups"),
        sa.UniqueConstraint("edition", name="uq_cups_edition"),
        sa.UniqueConstraint("list_id", name="uq_cups_list_id"),
        sa.UniqueConstraint("semi_list_id", name="uq_cups_semi_list_id"),
    )
    op.create_table(
        "entries",
        sa.Column("id", ID, nullable=False),
        sa.Column("list_id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("form_key", sa.String(length=80)),
        sa.Column("entered_day", sa.String(length=10), nullable=False),
        sa.Column("entered_by", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("member", sa.String(length=40)),
        sa.Column("club", sa.String(length=120)),
        sa.Column("born", sa.String(length=10)),
        sa.Column("otb_rating", sa.Integer()),
        sa.Column("k_rating", sa.Integer()),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("asks", sa.Boolean(), nullable=False),
        sa.Column("fee_day", sa.String(length=10)),
        sa.Column("fee_by", ID),
        sa.Column("fee_us", sa.BigInteger()),
        sa.Column("proof_by", ID),
        sa.Column("proof_us", sa.BigInteger()),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("since_day", sa.String(length=10)),
        sa.Column("paragraph", sa.String(length=20)),
        sa.Column("reason", sa.Text()),
        sa.Column("decided_by", ID),
        sa.Column("decided_us", sa.BigInteger()),
        sa.Column("group_id", ID),
        sa.ForeignKeyConstraint(["decided_by"], ["people.id"], name="fk_entries_decided_by_people"),
        sa.ForeignKeyConstraint(["entered_by"], ["people.id"], name="fk_entries_entered_by_people"),
        sa.ForeignKeyConstraint(["fee_by"], ["people.id"], name="fk_entries_fee_by_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_entries_group_id_groups"),
        sa.ForeignKeyConstraint(
            ["list_id"], ["entry_lists.id"], name="fk_entries_list_id_entry_lists"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_entries_person_id_people"),
        sa.ForeignKeyConstraint(["proof_by"], ["people.id"], name="fk_entries_proof_by_people"),
        sa.PrimaryKeyConstraint("id", name="pk_entries"),
        sa.UniqueConstraint("person_id", "form_key", name="uq_entries_person_id_form_key"),
    )
    op.create_index("ix_entries_group_id", "entries", ["group_id"])
    op.create_index("ix_entries_list_id_state", "entries", ["list_id", "state"])
    op.create_index("ix_entries_person_id", "entries", ["person_id"])
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
        sa.Column("to_move_id", ID),
        sa.Column("flag_on", sa.String(length=10)),
        sa.Column("result", sa.String(length=8)),
        sa.Column("ended_us", sa.BigInteger()),
        sa.Column("last_us", sa.BigInteger()),
        sa.Column("due_kind", sa.String(length=24)),
        sa.Column("due_us", sa.BigInteger()),
        sa.Column("told_us", sa.BigInteger()),
        sa.Column("due_seq", sa.Integer()),
        sa.Column("wake_us", sa.BigInteger()),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text()),
        sa.Column("holder", sa.String(length=16)),
        sa.Column("deaths", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["black_id"], ["people.id"], name="fk_games_black_id_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_games_group_id_groups"),
        sa.ForeignKeyConstraint(["white_id"], ["people.id"], name="fk_games_white_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("name", name="uq_games_name"),
    )
    op.create_index("ix_games_black_id", "games", ["black_id"])
    op.create_index("ix_games_black_id_result", "games", ["black_id", "result"])
    op.create_index(
        "ix_games_ended",
        "games",
        ["id", "seq"],
        sqlite_where=sa.text("result IS NOT NULL"),
        postgresql_where=sa.text("result IS NOT NULL"),
    )
    op.create_index("ix_games_ended_us", "games", ["ended_us"])
    op.create_index("ix_games_group_id", "games", ["group_id"])
    op.create_index(
        "ix_games_wake_us",
        "games",
        ["wake_us"],
        sqlite_where=sa.text("wake_us IS NOT NULL"),
        postgresql_where=sa.text("wake_us IS NOT NULL"),
    )
    op.create_index("ix_games_white_id", "games", ["white_id"])
    op.create_index("ix_games_white_id_result", "games", ["white_id", "result"])
    op.create_table(
        "league_divisions",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("stronger_by", sa.Integer(), nullable=False),
        sa.Column("letters_on", sa.String(length=10), nullable=False),
        sa.Column("letters_us", sa.BigInteger()),
        sa.Column("lots_seed", sa.Text()),
        sa.Column("lots", sa.Text()),
        sa.Column("lots_us", sa.BigInteger()),
        sa.Column("lots_by", ID),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_league_divisions_group_id_groups"
        ),
        sa.PrimaryKeyConstraint("group_id", name="pk_league_divisions"),
    )
    op.create_index("ix_league_divisions_season", "league_divisions", ["season"])
    op.create_table(
        "league_teams",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("is_individual", sa.Boolean(), nullable=False),
        sa.Column("captain_id", ID, nullable=False),
        sa.Column("order_by_leader", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["captain_id"], ["people.id"], name="fk_league_teams_captain_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_league_teams_group_id_groups"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_teams"),
        sa.UniqueConstraint("group_id", "number", name="uq_league_teams_group_id"),
    )
    op.create_index("ix_league_teams_captain_id", "league_teams", ["captain_id"])
    op.create_table(
        "live_groups",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("from_by", ID),
        sa.Column("until_us", sa.BigInteger()),
        sa.Column("until_by", ID),
        sa.ForeignKeyConstraint(["from_by"], ["people.id"], name="fk_live_groups_from_by_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_live_groups_group_id_groups"),
        sa.ForeignKeyConstraint(["until_by"], ["people.id"], name="fk_live_groups_until_by_people"),
        sa.PrimaryKeyConstraint("id", name="pk_live_groups"),
    )
    op.create_index("ix_live_groups_group_id", "live_groups", ["group_id"])
    op.create_index(
        "uq_live_groups_standing",
        "live_groups",
        ["group_id"],
        unique=True,
        sqlite_where=sa.text("until_us IS NULL"),
        postgresql_where=sa.text("until_us IS NULL"),
    )
    op.create_table(
        "members",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("club_id", ID),
        sa.Column("district_id", ID),
        sa.Column("since", sa.String(length=10)),
        sa.Column("until", sa.String(length=10)),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_members_club_id_clubs"),
        sa.ForeignKeyConstraint(
            ["district_id"], ["districts.id"], name="fk_members_district_id_districts"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_members_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", name="pk_members"),
    )
    op.create_index("ix_members_club_id", "members", ["club_id"])
    op.create_index("ix_members_district_id", "members", ["district_id"])
    op.create_table(
        "offices",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("office", sa.String(length=16), nullable=False),
        sa.Column("group_id", ID),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("to_us", sa.BigInteger()),
        sa.Column("appointed_by", ID, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_offices_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_offices_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_offices"),
    )
    op.create_index("ix_offices_group_id", "offices", ["group_id"])
    op.create_index("ix_offices_person_id", "offices", ["person_id"])
    op.create_table(
        "outage_pauses",
        sa.Column("id", ID, nullable=False),
        sa.Column("outage_id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("first", sa.String(length=10), nullable=False),
        sa.Column("last", sa.String(length=10), nullable=False),
        sa.Column("decision", sa.String(length=8)),
        sa.Column("by_id", ID),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("decided_us", sa.BigInteger()),
        sa.Column("done_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_outage_pauses_by_id_people"),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_outage_pauses_group_id_groups"
        ),
        sa.ForeignKeyConstraint(
            ["outage_id"], ["outages.id"], name="fk_outage_pauses_outage_id_outages"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_outage_pauses"),
        sa.UniqueConstraint("outage_id", "group_id", name="uq_outage_pauses_outage_id"),
    )
    op.create_index("ix_outage_pauses_group_id", "outage_pauses", ["group_id"])
    op.create_table(
        "past_games",
        sa.Column("id", ID, nullable=False),
        sa.Column("event_id", ID, nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("white_id", ID, nullable=False),
        sa.Column("black_id", ID, nullable=False),
        sa.Column("result", sa.String(length=8), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("fen", sa.Text()),
        sa.Column("eco", sa.String(length=3), nullable=False),
        sa.Column("end", sa.String(length=10), nullable=False),
        sa.Column("white_club", sa.Text(), nullable=False),
        sa.Column("black_club", sa.Text(), nullable=False),
        sa.Column("white_elo", sa.Integer()),
        sa.Column("black_elo", sa.Integer()),
        sa.Column("ledger", sa.Text()),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("code", sa.String(length=3)),
        sa.Column("opening", sa.BigInteger()),
        sa.Column("own_id", ID),
        sa.Column("own_seq", sa.Integer()),
        sa.ForeignKeyConstraint(
            ["black_id"], ["past_players.id"], name="fk_past_games_black_id_past_players"
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["past_events.id"], name="fk_past_games_event_id_past_events"
        ),
        sa.ForeignKeyConstraint(
            ["white_id"], ["past_players.id"], name="fk_past_games_white_id_past_players"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_past_games"),
        sa.UniqueConstraint("own_id", name="uq_past_games_own_id"),
    )
    op.create_index("ix_past_games_black_id", "past_games", ["black_id"])
    op.create_index("ix_past_games_code_day_id", "past_games", ["code", "day", "id"])
    op.create_index("ix_past_games_day_id", "past_games", ["day", "id"])
    op.create_index("ix_past_games_digest", "past_games", ["digest"])
    op.create_index("ix_past_games_event_id_day", "past_games", ["event_id", "day"])
    op.create_index(
        "ix_past_games_unread",
        "past_games",
        ["id"],
        sqlite_where=sa.text("code IS NULL"),
        postgresql_where=sa.text("code IS NULL"),
    )
    op.create_index("ix_past_games_white_id", "past_games", ["white_id"])
    op.create_table(
        "past_standings",
        sa.Column("id", ID, nullable=False),
        sa.Column("event_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("wish", sa.String(length=16), nullable=False),
        sa.Column("finished", sa.String(length=10), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("halves", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer()),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("semi_held", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("result_id", ID),
        sa.ForeignKeyConstraint(
            ["event_id"], ["past_events.id"], name="fk_past_standings_event_id_past_events"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["past_players.id"], name="fk_past_standings_player_id_past_players"
        ),
        sa.ForeignKeyConstraint(
            ["result_id"], ["past_results.id"], name="fk_past_standings_result_id_past_results"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_past_standings"),
    )
    op.create_index("ix_past_standings_event_id", "past_standings", ["event_id"])
    op.create_index("ix_past_standings_player_id", "past_standings", ["player_id"])
    op.create_table(
        "prizes",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_prizes_group_id_groups"),
        sa.PrimaryKeyConstraint("group_id", "place", name="pk_prizes"),
    )
    op.create_table(
        "push_browsers",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("session", sa.LargeBinary(length=32), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(length=65), nullable=False),
        sa.Column("auth", sa.LargeBinary(length=16), nullable=False),
        sa.Column("browser", sa.String(length=40), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("ok_us", sa.BigInteger()),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_push_browsers_person_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["session"],
            ["sessions.digest"],
            name="fk_push_browsers_session_sessions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_push_browsers"),
        sa.UniqueConstraint("endpoint", name="uq_push_browsers_endpoint"),
    )
    op.create_index("ix_push_browsers_person_id", "push_browsers", ["person_id"])
    op.create_index("ix_push_browsers_session", "push_browsers", ["session"])
    op.create_table(
        "rated_players",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("first_us", sa.BigInteger(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("basis", sa.String(length=12), nullable=False),
        sa.Column("registered", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_rated_players_group_id_groups"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_rated_players_person_id_people"
        ),
        sa.PrimaryKeyConstraint("group_id", "person_id", name="pk_rated_players"),
    )
    op.create_index("ix_rated_players_day", "rated_players", ["day"])
    op.create_index("ix_rated_players_person_id", "rated_players", ["person_id", "day"])
    op.create_table(
        "rating_calculations",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("is_last", sa.Boolean(), nullable=False),
        sa.Column("is_void", sa.Boolean(), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("start", sa.String(length=10), nullable=False),
        sa.Column("first_us", sa.BigInteger(), nullable=False),
        sa.Column("seal", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("starts", sa.Text(), nullable=False),
        sa.Column("reason", sa.String(length=12), nullable=False),
        sa.Column("made_us", sa.BigInteger(), nullable=False),
        sa.Column("made_by", ID),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_rating_calculations_group_id_groups"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_rating_calculations"),
        sa.UniqueConstraint("group_id", "number", name="uq_rating_calculations_group_id"),
    )
    op.create_index("ix_rating_calculations_day", "rating_calculations", ["day"])
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
    op.create_table(
        "title_ties",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("playoff_id", ID),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_title_ties_by_id_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_title_ties_group_id_groups"),
        sa.ForeignKeyConstraint(
            ["playoff_id"], ["groups.id"], name="fk_title_ties_playoff_id_groups"
        ),
        sa.PrimaryKeyConstraint("group_id", name="pk_title_ties"),
        sa.UniqueConstraint("playoff_id", name="uq_title_ties_playoff_id"),
    )
    op.create_table(
        "titles",
        sa.Column("id", ID, nullable=False),
        sa.Column("title", sa.String(length=20), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("person_id", ID),
        sa.Column("name", sa.Text()),
        sa.Column("group_id", ID),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("paragraph", sa.String(length=20), nullable=False),
        sa.Column("day", sa.String(length=10)),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_by", ID),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("removed_by", ID),
        sa.Column("removed_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["entered_by"], ["people.id"], name="fk_titles_entered_by_people"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_titles_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_titles_person_id_people"),
        sa.ForeignKeyConstraint(["removed_by"], ["people.id"], name="fk_titles_removed_by_people"),
        sa.PrimaryKeyConstraint("id", name="pk_titles"),
    )
    op.create_index("ix_titles_group_id", "titles", ["group_id"])
    op.create_index("ix_titles_person_id", "titles", ["person_id"])
    op.create_table(
        "cards",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entered_by", ID, nullable=False),
        sa.Column("is_legible", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("scan", sa.LargeBinary()),
        sa.Column("scan_type", sa.String(length=64)),
        sa.Column("scan_digest", sa.LargeBinary(length=32)),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["entered_by"], ["people.id"], name="fk_cards_entered_by_people"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_cards_game_id_games"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_cards"),
    )
    op.create_table(
        "cases",
        sa.Column("id", ID, nullable=False),
        sa.Column("number", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("game_id", ID),
        sa.Column("person_id", ID),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("instance", sa.String(length=8), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(length=32), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("is_suspended", sa.Boolean(), nullable=False),
        sa.Column("due_us", sa.BigInteger()),
        sa.Column("opened_us", sa.BigInteger(), nullable=False),
        sa.Column("closed_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_cases_game_id_games"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_cases_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_cases_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_cases"),
        sa.UniqueConstraint("number", name="uq_cases_number"),
    )
    op.create_index("ix_cases_closed_us", "cases", ["closed_us"])
    op.create_index("ix_cases_game_id", "cases", ["game_id"])
    op.create_index("ix_cases_group_id", "cases", ["group_id"])
    op.create_index("ix_cases_is_suspended", "cases", ["is_suspended"])
    op.create_index("ix_cases_opened_us", "cases", ["opened_us"])
    op.create_index("ix_cases_person_id", "cases", ["person_id"])
    op.create_index("ix_cases_state_due", "cases", ["state", "due_us"])
    op.create_table(
        "cup_draws",
        sa.Column("cup_id", ID, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("start", sa.String(length=10), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_cup_draws_by_id_people"),
        sa.ForeignKeyConstraint(["cup_id"], ["cups.id"], name="fk_cup_draws_cup_id_cups"),
        sa.PrimaryKeyConstraint("cup_id", "stage", name="pk_cup_draws"),
    )
    op.create_table(
        "cup_groups",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("cup_id", ID, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["cup_id"], ["cups.id"], name="fk_cup_groups_cup_id_cups"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_cup_groups_group_id_groups"),
        sa.PrimaryKeyConstraint("group_id", name="pk_cup_groups"),
    )
    op.create_index("ix_cup_groups_cup_id", "cup_groups", ["cup_id"])
    op.create_table(
        "cup_places",
        sa.Column("cup_id", ID, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("way", sa.String(length=12), nullable=False),
        sa.Column("group_id", ID),
        sa.Column("from_group_id", ID),
        sa.Column("from_place", sa.Integer()),
        sa.Column("strength", sa.Integer()),
        sa.Column("entry_id", ID),
        sa.ForeignKeyConstraint(["cup_id"], ["cups.id"], name="fk_cup_places_cup_id_cups"),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name="fk_cup_places_entry_id_entries"
        ),
        sa.ForeignKeyConstraint(
            ["from_group_id"], ["groups.id"], name="fk_cup_places_from_group_id_groups"
        ),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_cup_places_group_id_groups"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_cup_places_person_id_people"
        ),
        sa.PrimaryKeyConstraint("cup_id", "stage", "number", name="pk_cup_places"),
    )
    op.create_index("ix_cup_places_group_id", "cup_places", ["group_id"])
    op.create_index("ix_cup_places_person_id", "cup_places", ["person_id"])
    op.create_table(
        "delayed_moves",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("fen", sa.Text(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("offers_draw", sa.Boolean(), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("entered_us", sa.BigInteger(), nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.Column("wake_us", sa.BigInteger()),
        sa.Column("dropped", sa.String(length=24)),
        sa.Column("last_error", sa.Text()),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_delayed_moves_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_delayed_moves_person_id_people"
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_delayed_moves"),
    )
    op.create_index("ix_delayed_moves_person_id", "delayed_moves", ["person_id"])
    op.create_index("ix_delayed_moves_wake_us", "delayed_moves", ["wake_us"])
    op.create_table(
        "entry_rulings",
        sa.Column("id", ID, nullable=False),
        sa.Column("entry_id", ID, nullable=False),
        sa.Column("paragraph", sa.String(length=20), nullable=False),
        sa.Column("office", sa.String(length=4), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_entry_rulings_by_id_people"),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name="fk_entry_rulings_entry_id_entries"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_entry_rulings"),
    )
    op.create_index("ix_entry_rulings_entry_id", "entry_rulings", ["entry_id"])
    op.create_table(
        "events",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", ID),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("inbox_id", ID),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id_games"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
    )
    op.create_table(
        "league_boards",
        sa.Column("id", ID, nullable=False),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("two_clubs", sa.Boolean(), nullable=False),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("to_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_league_boards_person_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["league_teams.id"], name="fk_league_boards_team_id_league_teams"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_boards"),
    )
    op.create_index("ix_league_boards_person_id", "league_boards", ["person_id"])
    op.create_index("ix_league_boards_team_id", "league_boards", ["team_id"])
    op.create_table(
        "league_changes",
        sa.Column("id", ID, nullable=False),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["league_teams.id"], name="fk_league_changes_team_id_league_teams"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_changes"),
    )
    op.create_index("ix_league_changes_team_id", "league_changes", ["team_id"])
    op.create_table(
        "league_games",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("white_team", ID, nullable=False),
        sa.Column("black_team", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["black_team"], ["league_teams.id"], name="fk_league_games_black_team_league_teams"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_league_games_game_id_games"),
        sa.ForeignKeyConstraint(
            ["white_team"], ["league_teams.id"], name="fk_league_games_white_team_league_teams"
        ),
        sa.PrimaryKeyConstraint("game_id", name="pk_league_games"),
    )
    op.create_index("ix_league_games_black_team", "league_games", ["black_team"])
    op.create_index("ix_league_games_white_team", "league_games", ["white_team"])
    op.create_table(
        "league_reports",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("result", sa.String(length=8), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_league_reports_game_id_games"),
        sa.ForeignKeyConstraint(
            ["team_id"], ["league_teams.id"], name="fk_league_reports_team_id_league_teams"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_reports"),
    )
    op.create_index("ix_league_reports_game_id", "league_reports", ["game_id"])
    op.create_table(
        "league_reserves",
        sa.Column("id", ID, nullable=False),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("replaced_id", ID, nullable=False),
        sa.Column("person_id", ID),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("asked_by", ID, nullable=False),
        sa.Column("asked_us", sa.BigInteger(), nullable=False),
        sa.Column("pause_first", sa.String(length=10)),
        sa.Column("pause_last", sa.String(length=10)),
        sa.Column("decided_by", ID),
        sa.Column("decided_us", sa.BigInteger()),
        sa.Column("note", sa.Text()),
        sa.Column("against", sa.String(length=120), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_league_reserves_person_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["replaced_id"], ["people.id"], name="fk_league_reserves_replaced_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["league_teams.id"], name="fk_league_reserves_team_id_league_teams"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_reserves"),
    )
    op.create_index("ix_league_reserves_team_id", "league_reserves", ["team_id"])
    op.create_table(
        "looks",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("skipped_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_looks_game_id_games"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_looks_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", "game_id", name="pk_looks"),
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
    op.create_table(
        "private_notes",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_private_notes_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_private_notes_person_id_people"
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_private_notes"),
    )
    op.create_table(
        "private_trees",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_private_trees_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_private_trees_person_id_people"
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_private_trees"),
    )
    op.create_table(
        "publications",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", ID),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("objections_until", sa.String(length=10), nullable=False),
        sa.Column("prizes_until", sa.String(length=10)),
        sa.Column("done_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_publications_game_id_games"),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_publications_group_id_groups"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_publications"),
    )
    op.create_index("ix_publications_group_id", "publications", ["group_id"])
    op.create_index("ix_publications_kind_done_us", "publications", ["kind", "done_us"])
    op.create_index(
        "ix_publications_kind_objections_until", "publications", ["kind", "objections_until"]
    )
    op.create_index("ix_publications_prizes_until", "publications", ["prizes_until"])
    op.create_table(
        "push_told",
        sa.Column("browser_id", ID, autoincrement=False, nullable=False),
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["browser_id"],
            ["push_browsers.id"],
            name="fk_push_told_browser_id_push_browsers",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_push_told_game_id_games"),
        sa.PrimaryKeyConstraint("browser_id", "game_id", name="pk_push_told"),
    )
    op.create_table(
        "quiet_marks",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("seen_id", ID, nullable=False),
        sa.Column("is_quiet", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_quiet_marks_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_quiet_marks_person_id_people"
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_quiet_marks"),
    )
    op.create_table(
        "quiet_messages",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("author_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"], ["people.id"], name="fk_quiet_messages_author_id_people"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_quiet_messages_game_id_games"),
        sa.PrimaryKeyConstraint("id", name="pk_quiet_messages"),
        sa.UniqueConstraint("author_id", "key", name="uq_quiet_messages_author_id_key"),
    )
    op.create_index("ix_quiet_messages_game_id", "quiet_messages", ["game_id"])
    op.create_table(
        "sheet_words",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_sheet_words_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_sheet_words_person_id_people"
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_sheet_words"),
    )
    op.create_table(
        "team_entries",
        sa.Column("id", ID, nullable=False),
        sa.Column("list_id", ID, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("club_id", ID),
        sa.Column("district_id", ID),
        sa.Column("captain_id", ID, nullable=False),
        sa.Column("continues", ID),
        sa.Column("form_key", sa.String(length=80)),
        sa.Column("entered_day", sa.String(length=10), nullable=False),
        sa.Column("entered_by", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("lineup_us", sa.BigInteger(), nullable=False),
        sa.Column("asks", sa.Boolean(), nullable=False),
        sa.Column("fee_day", sa.String(length=10)),
        sa.Column("fee_by", ID),
        sa.Column("fee_us", sa.BigInteger()),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("paragraph", sa.String(length=20)),
        sa.Column("reason", sa.Text()),
        sa.Column("decided_by", ID),
        sa.Column("decided_us", sa.BigInteger()),
        sa.Column("group_id", ID),
        sa.ForeignKeyConstraint(
            ["captain_id"], ["people.id"], name="fk_team_entries_captain_id_people"
        ),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_team_entries_club_id_clubs"),
        sa.ForeignKeyConstraint(
            ["continues"], ["league_teams.id"], name="fk_team_entries_continues_league_teams"
        ),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["people.id"], name="fk_team_entries_decided_by_people"
        ),
        sa.ForeignKeyConstraint(
            ["district_id"], ["districts.id"], name="fk_team_entries_district_id_districts"
        ),
        sa.ForeignKeyConstraint(
            ["entered_by"], ["people.id"], name="fk_team_entries_entered_by_people"
        ),
        sa.ForeignKeyConstraint(["fee_by"], ["people.id"], name="fk_team_entries_fee_by_people"),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_team_entries_group_id_groups"
        ),
        sa.ForeignKeyConstraint(
            ["list_id"], ["entry_lists.id"], name="fk_team_entries_list_id_entry_lists"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_team_entries"),
        sa.UniqueConstraint("entered_by", "form_key", name="uq_team_entries_entered_by_form_key"),
    )
    op.create_index("ix_team_entries_captain_id", "team_entries", ["captain_id"])
    op.create_index("ix_team_entries_group_id", "team_entries", ["group_id"])
    op.create_index("ix_team_entries_season_state", "team_entries", ["season", "state"])
    op.create_table(
        "xfcc_notes",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("noted_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_xfcc_notes_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_xfcc_notes_person_id_people"
        ),
        sa.PrimaryKeyConstraint("person_id", "game_id", name="pk_xfcc_notes"),
    )
    op.create_table(
        "xfcc_numbers",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_xfcc_numbers_game_id_games"),
        sa.PrimaryKeyConstraint("number", name="pk_xfcc_numbers"),
        sa.UniqueConstraint("game_id", name="uq_xfcc_numbers_game_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "account_entries",
        sa.Column("id", ID, nullable=False),
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("ore", sa.BigInteger(), nullable=False),
        sa.Column("party", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("reverses", ID),
        sa.Column("publication_id", ID),
        sa.Column("key", sa.String(length=80)),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_account_entries_by_id_people"),
        sa.ForeignKeyConstraint(
            ["publication_id"],
            ["publications.id"],
            name="fk_account_entries_publication_id_publications",
        ),
        sa.ForeignKeyConstraint(
            ["reverses"], ["account_entries.id"], name="fk_account_entries_reverses_account_entries"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_account_entries"),
        sa.UniqueConstraint("key", name="uq_account_entries_key"),
        sa.UniqueConstraint("reverses", name="uq_account_entries_reverses"),
    )
    op.create_index("ix_account_entries_tournament", "account_entries", ["tournament"])
    op.create_table(
        "case_events",
        sa.Column("case_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", ID),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_case_events_case_id_cases"),
        sa.PrimaryKeyConstraint("case_id", "seq", name="pk_case_events"),
    )
    op.create_index("ix_case_events_at_us", "case_events", ["at_us"])
    op.create_table(
        "case_papers",
        sa.Column("id", ID, nullable=False),
        sa.Column("case_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("person_id", ID),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("media_type", sa.String(length=64), nullable=False),
        sa.Column("body", sa.LargeBinary()),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("inbox_id", ID),
        sa.Column("outbox_id", ID),
        sa.Column("removed_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_case_papers_case_id_cases"),
        sa.PrimaryKeyConstraint("id", name="pk_case_papers"),
    )
    op.create_index("ix_case_papers_case_id", "case_papers", ["case_id"])
    op.create_table(
        "sanctions",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("case_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("group_id", ID),
        sa.Column("from_day", sa.String(length=10), nullable=False),
        sa.Column("to_day", sa.String(length=10)),
        sa.Column("annulled_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_sanctions_case_id_cases"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_sanctions_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_sanctions_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_sanctions"),
    )
    op.create_index("ix_sanctions_person_id", "sanctions", ["person_id"])
    op.create_table(
        "team_entry_boards",
        sa.Column("entry_id", ID, autoincrement=False, nullable=False),
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("told_rating", sa.Integer()),
        sa.Column("told_class", sa.String(length=40)),
        sa.Column("own_entry", ID),
        sa.Column("leave_by", ID),
        sa.Column("leave_us", sa.BigInteger()),
        sa.Column("leave_reason", sa.Text()),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["team_entries.id"], name="fk_team_entry_boards_entry_id_team_entries"
        ),
        sa.ForeignKeyConstraint(
            ["leave_by"], ["people.id"], name="fk_team_entry_boards_leave_by_people"
        ),
        sa.ForeignKeyConstraint(
            ["own_entry"], ["entries.id"], name="fk_team_entry_boards_own_entry_entries"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_team_entry_boards_person_id_people"
        ),
        sa.PrimaryKeyConstraint("entry_id", "board", name="pk_team_entry_boards"),
    )
    op.create_index("ix_team_entry_boards_person_id", "team_entry_boards", ["person_id"])
    settings = sa.table("settings", sa.column("name"), sa.column("value"))
    op.execute(settings.insert().values(name="seals", value=f"0 {bytes(32).hex()}"))
    if op.get_bind().dialect.name == "postgresql":
        op.execute(SAY)
        op.execute(ON_CHANGE)


def downgrade() -> None:
    """Leave nothing."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        op.execute("DROP TRIGGER kskak_say_game ON games")
        op.execute("DROP FUNCTION kskak_say_game()")
    found = sa.MetaData()
    found.reflect(connection)
    found.remove(found.tables["alembic_version"])
    found.drop_all(connection)
