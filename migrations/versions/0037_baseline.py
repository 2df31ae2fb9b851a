"""All tables as they were on 27 November 2026, before the first release.

A picture of them in SQL, drawn from the tables themselves: what follows is changed by steps of
its own. Frozen history: imports none of our code.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = None
branch_labels = None
depends_on = None

WORDS = {
    "sqlite": {
        "ID": "INTEGER",
        "NEW_ID": "INTEGER",
        "BYTES": "BLOB",
        "FALSE": "0",
        "COUNTED": "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT",
        "BY_KEY": "WITHOUT ROWID",
    },
    "postgresql": {
        "ID": "BIGINT",
        "NEW_ID": "BIGSERIAL",
        "BYTES": "BYTEA",
        "FALSE": "false",
        "COUNTED": "SERIAL CONSTRAINT pk_xfcc_numbers PRIMARY KEY",
        "BY_KEY": "",
    },
}
"""The words below that each database has its own of."""

TABLES = """
CREATE TABLE districts (id NEW_ID NOT NULL, name TEXT NOT NULL,
    CONSTRAINT pk_districts PRIMARY KEY (id), CONSTRAINT uq_districts_name UNIQUE (name));
CREATE TABLE duties (name VARCHAR(48) NOT NULL, done_for VARCHAR(32) NOT NULL,
    done_us BIGINT NOT NULL, CONSTRAINT pk_duties PRIMARY KEY (name));
CREATE TABLE idempotency (person_id ID NOT NULL, "key" VARCHAR(128) NOT NULL,
    request BYTES NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, created_us BIGINT NOT NULL,
    CONSTRAINT pk_idempotency PRIMARY KEY (person_id, "key"));
CREATE INDEX ix_idempotency_created_us ON idempotency (created_us);
CREATE TABLE inbox (id NEW_ID NOT NULL, received_us BIGINT NOT NULL, first_us BIGINT NOT NULL,
    peer TEXT NOT NULL, mail_from TEXT NOT NULL, rcpt_to TEXT NOT NULL, raw BYTES NOT NULL,
    digest BYTES NOT NULL, message_key BYTES NOT NULL, state VARCHAR(16) NOT NULL,
    outcome VARCHAR(24), person_id ID, game_id ID, attempts INTEGER DEFAULT '0' NOT NULL,
    due_us BIGINT NOT NULL, note TEXT, holder VARCHAR(16), deaths INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_inbox PRIMARY KEY (id), CONSTRAINT uq_inbox_digest UNIQUE (digest));
CREATE INDEX ix_inbox_game_id ON inbox (game_id);
CREATE INDEX ix_inbox_message_key ON inbox (message_key);
CREATE INDEX ix_inbox_state_due ON inbox (state, due_us);
CREATE TABLE league_plans (id NEW_ID NOT NULL, season INTEGER NOT NULL,
    deadline VARCHAR(10) NOT NULL, entered TEXT NOT NULL, composed TEXT NOT NULL, by_id ID NOT NULL,
    at_us BIGINT NOT NULL, from_plan ID, refused TEXT, team_entries TEXT,
    CONSTRAINT pk_league_plans PRIMARY KEY (id));
CREATE INDEX ix_league_plans_season ON league_plans (season);
CREATE TABLE outbox (id NEW_ID NOT NULL, message_id TEXT NOT NULL, kind VARCHAR(24) NOT NULL,
    person_id ID, to_addr TEXT NOT NULL, game_id ID, seq INTEGER, params TEXT NOT NULL,
    created_us BIGINT NOT NULL, due_us BIGINT NOT NULL, attempts INTEGER DEFAULT '0' NOT NULL,
    state VARCHAR(8) NOT NULL, last_error TEXT, sent_us BIGINT, raw BYTES, holder VARCHAR(16),
    deaths INTEGER DEFAULT '0' NOT NULL, CONSTRAINT pk_outbox PRIMARY KEY (id),
    CONSTRAINT uq_outbox_message_id UNIQUE (message_id));
CREATE INDEX ix_outbox_failed ON outbox (game_id) WHERE last_error IS NOT NULL;
CREATE INDEX ix_outbox_game_id_seq ON outbox (game_id, seq);
CREATE INDEX ix_outbox_state_due ON outbox (state, due_us);
CREATE TABLE passkey_challenges (bound BYTES NOT NULL, purpose VARCHAR(8) NOT NULL,
    challenge BYTES NOT NULL, expires_us BIGINT NOT NULL,
    CONSTRAINT pk_passkey_challenges PRIMARY KEY (bound, purpose));
CREATE TABLE past_events (id NEW_ID NOT NULL, name VARCHAR(120) NOT NULL,
    "key" VARCHAR(240) NOT NULL, CONSTRAINT pk_past_events PRIMARY KEY (id),
    CONSTRAINT uq_past_events_key UNIQUE ("key"));
CREATE TABLE past_imports (id NEW_ID NOT NULL, name TEXT NOT NULL, digest BYTES NOT NULL,
    games INTEGER NOT NULL, lines INTEGER NOT NULL, bytes ID NOT NULL, added INTEGER NOT NULL,
    known INTEGER NOT NULL, refused INTEGER NOT NULL, started_us BIGINT NOT NULL,
    finished_us BIGINT, CONSTRAINT pk_past_imports PRIMARY KEY (id),
    CONSTRAINT uq_past_imports_digest UNIQUE (digest));
CREATE TABLE past_moves ("key" BIGINT NOT NULL, move INTEGER NOT NULL, games INTEGER NOT NULL,
    white INTEGER NOT NULL, draws INTEGER NOT NULL, black INTEGER NOT NULL,
    CONSTRAINT pk_past_moves PRIMARY KEY ("key", move)) BY_KEY;
CREATE TABLE past_positions ("key" BIGINT NOT NULL, game_id INTEGER NOT NULL, ply SMALLINT NOT NULL,
    CONSTRAINT pk_past_positions PRIMARY KEY ("key", game_id)) BY_KEY;
CREATE TABLE past_tallies (kind VARCHAR(8) NOT NULL, name VARCHAR(8) NOT NULL,
    games INTEGER NOT NULL, CONSTRAINT pk_past_tallies PRIMARY KEY (kind, name));
CREATE TABLE people (id NEW_ID NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL,
    lang VARCHAR(2) DEFAULT 'da' NOT NULL, role VARCHAR(16) DEFAULT 'player' NOT NULL, club TEXT,
    member TEXT, rating INTEGER, k_rating INTEGER, birth VARCHAR(10), citizen BOOLEAN,
    created_us BIGINT NOT NULL, email_proved_us BIGINT, CONSTRAINT pk_people PRIMARY KEY (id),
    CONSTRAINT uq_people_email UNIQUE (email));
CREATE INDEX ix_people_k_rating ON people (k_rating);
CREATE INDEX ix_people_member ON people (member);
CREATE INDEX ix_people_name_id ON people (name, id);
CREATE INDEX ix_people_role ON people (role);
CREATE TABLE processes (holder VARCHAR(16) NOT NULL, born TEXT NOT NULL, seen_us BIGINT NOT NULL,
    CONSTRAINT pk_processes PRIMARY KEY (holder));
CREATE TABLE seals (seq INTEGER NOT NULL, at_us BIGINT NOT NULL, of_table VARCHAR(20) NOT NULL,
    row_id ID NOT NULL, digest VARCHAR(64) NOT NULL, hash BYTES NOT NULL,
    CONSTRAINT pk_seals PRIMARY KEY (seq));
CREATE TABLE settings (name VARCHAR(64) NOT NULL, value TEXT NOT NULL,
    CONSTRAINT pk_settings PRIMARY KEY (name));
CREATE TABLE year_told (form VARCHAR(16) NOT NULL, season INTEGER NOT NULL,
    step VARCHAR(16) NOT NULL, day VARCHAR(10) NOT NULL, stage VARCHAR(8) NOT NULL,
    told_us BIGINT NOT NULL, CONSTRAINT pk_year_told PRIMARY KEY (form, season, step, day, stage));

CREATE TABLE addresses (person_id ID NOT NULL, text TEXT NOT NULL, changed_us BIGINT NOT NULL,
    CONSTRAINT pk_addresses PRIMARY KEY (person_id),
    CONSTRAINT fk_addresses_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE api_tokens (digest BYTES NOT NULL, person_id ID NOT NULL, name TEXT NOT NULL,
    created_us BIGINT NOT NULL, used_day VARCHAR(10), CONSTRAINT pk_api_tokens PRIMARY KEY (digest),
    CONSTRAINT fk_api_tokens_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_api_tokens_person_id ON api_tokens (person_id);
CREATE TABLE bulletin_readers (person_id ID NOT NULL, since_us BIGINT NOT NULL,
    CONSTRAINT pk_bulletin_readers PRIMARY KEY (person_id),
    CONSTRAINT fk_bulletin_readers_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE bulletins (number INTEGER NOT NULL, first VARCHAR(10) NOT NULL,
    last VARCHAR(10) NOT NULL, foreword TEXT NOT NULL, chosen TEXT NOT NULL, made_by ID NOT NULL,
    made_us BIGINT NOT NULL, issued_by ID, issued_us BIGINT, objections_until VARCHAR(10),
    facts TEXT, CONSTRAINT pk_bulletins PRIMARY KEY (number),
    CONSTRAINT fk_bulletins_issued_by_people FOREIGN KEY(issued_by) REFERENCES people (id),
    CONSTRAINT fk_bulletins_made_by_people FOREIGN KEY(made_by) REFERENCES people (id));
CREATE TABLE calendar_keys (digest BYTES NOT NULL, person_id ID NOT NULL,
    created_us BIGINT NOT NULL, CONSTRAINT pk_calendar_keys PRIMARY KEY (digest),
    CONSTRAINT fk_calendar_keys_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_calendar_keys_person_id ON calendar_keys (person_id);
CREATE TABLE clubs (id NEW_ID NOT NULL, number VARCHAR(16), name TEXT NOT NULL, district_id ID,
    CONSTRAINT pk_clubs PRIMARY KEY (id), CONSTRAINT uq_clubs_name UNIQUE (name),
    CONSTRAINT uq_clubs_number UNIQUE (number),
    CONSTRAINT fk_clubs_district_id_districts FOREIGN KEY(district_id) REFERENCES districts (id));
CREATE INDEX ix_clubs_district_id ON clubs (district_id);
CREATE TABLE confirmations (digest BYTES NOT NULL, person_id ID NOT NULL, game_id ID NOT NULL,
    ply INTEGER NOT NULL, kind VARCHAR(16) NOT NULL, inbox_id ID, sent_us BIGINT NOT NULL,
    params TEXT NOT NULL, expires_us BIGINT NOT NULL, used_us BIGINT,
    CONSTRAINT pk_confirmations PRIMARY KEY (digest),
    CONSTRAINT fk_confirmations_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_confirmations_expires_us ON confirmations (expires_us);
CREATE INDEX ix_confirmations_game_id ON confirmations (game_id);
CREATE TABLE entry_lists (id NEW_ID NOT NULL, name VARCHAR(120) NOT NULL, event VARCHAR(8) NOT NULL,
    wish VARCHAR(12) NOT NULL, tournament VARCHAR(120) NOT NULL, regulation VARCHAR(8) NOT NULL,
    prefix VARCHAR(40) NOT NULL, leader_id ID NOT NULL, fee INTEGER, is_open BOOLEAN NOT NULL,
    opened_by ID NOT NULL, created_us BIGINT NOT NULL, how_to_pay TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_entry_lists PRIMARY KEY (id), CONSTRAINT uq_entry_lists_name UNIQUE (name),
    CONSTRAINT fk_entry_lists_leader_id_people FOREIGN KEY(leader_id) REFERENCES people (id),
    CONSTRAINT fk_entry_lists_opened_by_people FOREIGN KEY(opened_by) REFERENCES people (id));
CREATE INDEX ix_entry_lists_leader_id ON entry_lists (leader_id);
CREATE TABLE groups (id NEW_ID NOT NULL, name TEXT NOT NULL, tournament TEXT NOT NULL,
    class VARCHAR(16) NOT NULL, regulation VARCHAR(8) NOT NULL, edition VARCHAR(8) NOT NULL,
    laws INTEGER NOT NULL, start VARCHAR(10) NOT NULL, zone VARCHAR(64) NOT NULL,
    claims VARCHAR(8) NOT NULL, is_double BOOLEAN NOT NULL, is_drawn BOOLEAN NOT NULL, seed TEXT,
    fen TEXT, post_days INTEGER NOT NULL, regulation_url TEXT, tl_id ID NOT NULL,
    created_us BIGINT NOT NULL, override TEXT, override_reason TEXT,
    CONSTRAINT pk_groups PRIMARY KEY (id), CONSTRAINT uq_groups_name UNIQUE (name),
    CONSTRAINT fk_groups_tl_id_people FOREIGN KEY(tl_id) REFERENCES people (id));
CREATE INDEX ix_groups_class ON groups (class);
CREATE INDEX ix_groups_created_us ON groups (created_us);
CREATE INDEX ix_groups_regulation ON groups (regulation);
CREATE INDEX ix_groups_tl_id ON groups (tl_id);
CREATE TABLE join_requests (id NEW_ID NOT NULL, digest BYTES NOT NULL, email TEXT NOT NULL,
    lang VARCHAR(2) NOT NULL, name TEXT NOT NULL, birth VARCHAR(10), kind VARCHAR(12) NOT NULL,
    club TEXT, member VARCHAR(40), address TEXT, state VARCHAR(12) NOT NULL,
    asked_us BIGINT NOT NULL, confirmed_us BIGINT, person_id ID, decided_by ID, decided_us BIGINT,
    reason TEXT, CONSTRAINT pk_join_requests PRIMARY KEY (id),
    CONSTRAINT uq_join_requests_digest UNIQUE (digest),
    CONSTRAINT fk_join_requests_decided_by_people FOREIGN KEY(decided_by) REFERENCES people (id),
    CONSTRAINT fk_join_requests_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_join_requests_email ON join_requests (email);
CREATE INDEX ix_join_requests_person_id ON join_requests (person_id);
CREATE INDEX ix_join_requests_state_asked_us ON join_requests (state, asked_us);
CREATE TABLE league_grants (plan_id ID NOT NULL, club TEXT NOT NULL, division INTEGER NOT NULL,
    is_granted BOOLEAN NOT NULL, reason TEXT NOT NULL, by_id ID NOT NULL, at_us BIGINT NOT NULL,
    CONSTRAINT pk_league_grants PRIMARY KEY (plan_id, club, division),
    CONSTRAINT fk_league_grants_plan_id_league_plans FOREIGN KEY(plan_id)
    REFERENCES league_plans (id));
CREATE TABLE login_links (digest BYTES NOT NULL, person_id ID NOT NULL,
    next_path TEXT DEFAULT '/' NOT NULL, expires_us BIGINT NOT NULL, used_us BIGINT,
    CONSTRAINT pk_login_links PRIMARY KEY (digest),
    CONSTRAINT fk_login_links_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_login_links_expires_us ON login_links (expires_us);
CREATE TABLE member_changes (id NEW_ID NOT NULL, person_id ID NOT NULL, at_us BIGINT NOT NULL,
    by_id ID, channel VARCHAR(8) NOT NULL, reason TEXT NOT NULL, fields TEXT NOT NULL,
    CONSTRAINT pk_member_changes PRIMARY KEY (id),
    CONSTRAINT fk_member_changes_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_member_changes_person_id ON member_changes (person_id);
CREATE TABLE outages (id NEW_ID NOT NULL, from_us BIGINT NOT NULL, to_us BIGINT,
    reason TEXT NOT NULL, by_id ID, CONSTRAINT pk_outages PRIMARY KEY (id),
    CONSTRAINT uq_outages_from_us UNIQUE (from_us),
    CONSTRAINT fk_outages_by_id_people FOREIGN KEY(by_id) REFERENCES people (id));
CREATE TABLE passkeys (id NEW_ID NOT NULL, person_id ID NOT NULL, credential BYTES NOT NULL,
    public_key BYTES NOT NULL, sign_count BIGINT NOT NULL, transports TEXT NOT NULL,
    name TEXT NOT NULL, created_us BIGINT NOT NULL, used_us BIGINT,
    CONSTRAINT pk_passkeys PRIMARY KEY (id), CONSTRAINT uq_passkeys_credential UNIQUE (credential),
    CONSTRAINT fk_passkeys_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_passkeys_person_id ON passkeys (person_id);
CREATE TABLE past_players (id NEW_ID NOT NULL, name VARCHAR(120) NOT NULL,
    number VARCHAR(120) NOT NULL, "key" VARCHAR(240) NOT NULL, person_id ID,
    CONSTRAINT pk_past_players PRIMARY KEY (id),
    CONSTRAINT uq_past_players_name_number UNIQUE (name, number),
    CONSTRAINT fk_past_players_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_past_players_key ON past_players ("key");
CREATE INDEX ix_past_players_person_id ON past_players (person_id);
CREATE TABLE past_results (id NEW_ID NOT NULL, person_id ID NOT NULL, event VARCHAR(8) NOT NULL,
    wish VARCHAR(16) NOT NULL, name VARCHAR(120) NOT NULL, finished VARCHAR(10),
    halves INTEGER NOT NULL, games INTEGER NOT NULL, unfinished INTEGER NOT NULL, place INTEGER,
    entries INTEGER NOT NULL, semi_held BOOLEAN NOT NULL, source TEXT NOT NULL, entered_by ID,
    at_us BIGINT NOT NULL, removed_by ID, removed_us BIGINT,
    CONSTRAINT pk_past_results PRIMARY KEY (id),
    CONSTRAINT fk_past_results_entered_by_people FOREIGN KEY(entered_by) REFERENCES people (id),
    CONSTRAINT fk_past_results_person_id_people FOREIGN KEY(person_id) REFERENCES people (id),
    CONSTRAINT fk_past_results_removed_by_people FOREIGN KEY(removed_by) REFERENCES people (id));
CREATE INDEX ix_past_results_person_id ON past_results (person_id);
CREATE TABLE preferences (person_id ID NOT NULL, name VARCHAR(32) NOT NULL, value TEXT NOT NULL,
    CONSTRAINT pk_preferences PRIMARY KEY (person_id, name),
    CONSTRAINT fk_preferences_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE ratings (id NEW_ID NOT NULL, person_id ID NOT NULL, kind VARCHAR(4) NOT NULL,
    on_day VARCHAR(10) NOT NULL, value INTEGER NOT NULL, is_provisional BOOLEAN NOT NULL,
    source TEXT NOT NULL, entered_us BIGINT NOT NULL, entered_by ID,
    is_computed BOOLEAN DEFAULT FALSE NOT NULL, CONSTRAINT pk_ratings PRIMARY KEY (id),
    CONSTRAINT uq_ratings_person_id UNIQUE (person_id, kind, on_day, is_computed),
    CONSTRAINT fk_ratings_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE sessions (digest BYTES NOT NULL, person_id ID NOT NULL, csrf VARCHAR(64) NOT NULL,
    created_us BIGINT NOT NULL, seen_us BIGINT NOT NULL, expires_us BIGINT NOT NULL,
    browser VARCHAR(40), CONSTRAINT pk_sessions PRIMARY KEY (digest),
    CONSTRAINT fk_sessions_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_sessions_expires_us ON sessions (expires_us);
CREATE INDEX ix_sessions_person_id ON sessions (person_id);
CREATE TABLE waiting_scans (id NEW_ID NOT NULL, person_id ID NOT NULL, scan BYTES NOT NULL,
    scan_type VARCHAR(64) NOT NULL, at_us BIGINT NOT NULL,
    CONSTRAINT pk_waiting_scans PRIMARY KEY (id),
    CONSTRAINT fk_waiting_scans_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_waiting_scans_at_us ON waiting_scans (at_us);
CREATE INDEX ix_waiting_scans_person_id ON waiting_scans (person_id);
CREATE TABLE xfcc_keys (person_id ID NOT NULL, digest BYTES NOT NULL, created_us BIGINT NOT NULL,
    used_day VARCHAR(10), CONSTRAINT pk_xfcc_keys PRIMARY KEY (person_id),
    CONSTRAINT uq_xfcc_keys_digest UNIQUE (digest),
    CONSTRAINT fk_xfcc_keys_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE year_deeds (id NEW_ID NOT NULL, form VARCHAR(16) NOT NULL, season INTEGER NOT NULL,
    step VARCHAR(16) NOT NULL, kind VARCHAR(16) NOT NULL, day VARCHAR(10), reason TEXT NOT NULL,
    by_id ID NOT NULL, at_us BIGINT NOT NULL, CONSTRAINT pk_year_deeds PRIMARY KEY (id),
    CONSTRAINT fk_year_deeds_by_id_people FOREIGN KEY(by_id) REFERENCES people (id));
CREATE INDEX ix_year_deeds_season ON year_deeds (season);

CREATE TABLE answered_pages (digest BYTES NOT NULL, session BYTES, status INTEGER NOT NULL,
    body BYTES NOT NULL, expires_us BIGINT NOT NULL,
    CONSTRAINT pk_answered_pages PRIMARY KEY (digest),
    CONSTRAINT fk_answered_pages_session_sessions FOREIGN KEY(session)
    REFERENCES sessions (digest) ON DELETE CASCADE);
CREATE INDEX ix_answered_pages_expires_us ON answered_pages (expires_us);
CREATE INDEX ix_answered_pages_session ON answered_pages (session);
CREATE TABLE club_admins (id NEW_ID NOT NULL, club_id ID NOT NULL, person_id ID NOT NULL,
    from_us BIGINT NOT NULL, to_us BIGINT, by_id ID NOT NULL,
    CONSTRAINT pk_club_admins PRIMARY KEY (id),
    CONSTRAINT fk_club_admins_by_id_people FOREIGN KEY(by_id) REFERENCES people (id),
    CONSTRAINT fk_club_admins_club_id_clubs FOREIGN KEY(club_id) REFERENCES clubs (id),
    CONSTRAINT fk_club_admins_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_club_admins_club_id ON club_admins (club_id);
CREATE INDEX ix_club_admins_person_id ON club_admins (person_id);
CREATE TABLE cups (id NEW_ID NOT NULL, edition INTEGER NOT NULL, list_id ID NOT NULL,
    semi_list_id ID, opened_by ID NOT NULL, created_us BIGINT NOT NULL,
    CONSTRAINT pk_cups PRIMARY KEY (id), CONSTRAINT uq_cups_edition UNIQUE (edition),
    CONSTRAINT uq_cups_list_id UNIQUE (list_id),
    CONSTRAINT uq_cups_semi_list_id UNIQUE (semi_list_id),
    CONSTRAINT fk_cups_list_id_entry_lists FOREIGN KEY(list_id) REFERENCES entry_lists (id),
    CONSTRAINT fk_cups_opened_by_people FOREIGN KEY(opened_by) REFERENCES people (id),
    CONSTRAINT fk_cups_semi_list_id_entry_lists FOREIGN KEY(semi_list_id)
    REFERENCES entry_lists (id));
CREATE TABLE entries (id NEW_ID NOT NULL, list_id ID NOT NULL, person_id ID NOT NULL,
    form_key VARCHAR(80), entered_day VARCHAR(10) NOT NULL, entered_by ID NOT NULL,
    created_us BIGINT NOT NULL, member VARCHAR(40), club VARCHAR(120), born VARCHAR(10),
    otb_rating INTEGER, k_rating INTEGER, proof TEXT NOT NULL, asks BOOLEAN NOT NULL,
    fee_day VARCHAR(10), fee_by ID, fee_us BIGINT, proof_by ID, proof_us BIGINT,
    state VARCHAR(12) NOT NULL, since_day VARCHAR(10), paragraph VARCHAR(20), reason TEXT,
    decided_by ID, decided_us BIGINT, group_id ID, CONSTRAINT pk_entries PRIMARY KEY (id),
    CONSTRAINT uq_entries_person_id_form_key UNIQUE (person_id, form_key),
    CONSTRAINT fk_entries_decided_by_people FOREIGN KEY(decided_by) REFERENCES people (id),
    CONSTRAINT fk_entries_entered_by_people FOREIGN KEY(entered_by) REFERENCES people (id),
    CONSTRAINT fk_entries_fee_by_people FOREIGN KEY(fee_by) REFERENCES people (id),
    CONSTRAINT fk_entries_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_entries_list_id_entry_lists FOREIGN KEY(list_id) REFERENCES entry_lists (id),
    CONSTRAINT fk_entries_person_id_people FOREIGN KEY(person_id) REFERENCES people (id),
    CONSTRAINT fk_entries_proof_by_people FOREIGN KEY(proof_by) REFERENCES people (id));
CREATE INDEX ix_entries_group_id ON entries (group_id);
CREATE INDEX ix_entries_list_id_state ON entries (list_id, state);
CREATE INDEX ix_entries_person_id ON entries (person_id);
CREATE TABLE games (id NEW_ID NOT NULL, group_id ID NOT NULL, name TEXT NOT NULL,
    round INTEGER NOT NULL, white_id ID NOT NULL, black_id ID NOT NULL, seq INTEGER NOT NULL,
    head BYTES NOT NULL, snapshot TEXT NOT NULL, ply INTEGER NOT NULL, to_move_id ID,
    flag_on VARCHAR(10), result VARCHAR(8), ended_us BIGINT, last_us BIGINT, due_kind VARCHAR(24),
    due_us BIGINT, told_us BIGINT, due_seq INTEGER, wake_us BIGINT,
    attempts INTEGER DEFAULT '0' NOT NULL, last_error TEXT, holder VARCHAR(16),
    deaths INTEGER DEFAULT '0' NOT NULL, CONSTRAINT pk_games PRIMARY KEY (id),
    CONSTRAINT uq_games_name UNIQUE (name),
    CONSTRAINT fk_games_black_id_people FOREIGN KEY(black_id) REFERENCES people (id),
    CONSTRAINT fk_games_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_games_white_id_people FOREIGN KEY(white_id) REFERENCES people (id));
CREATE INDEX ix_games_black_id ON games (black_id);
CREATE INDEX ix_games_black_id_result ON games (black_id, result);
CREATE INDEX ix_games_ended ON games (id, seq) WHERE result IS NOT NULL;
CREATE INDEX ix_games_ended_us ON games (ended_us);
CREATE INDEX ix_games_group_id ON games (group_id);
CREATE INDEX ix_games_wake_us ON games (wake_us) WHERE wake_us IS NOT NULL;
CREATE INDEX ix_games_white_id ON games (white_id);
CREATE INDEX ix_games_white_id_result ON games (white_id, result);
CREATE TABLE league_divisions (group_id ID NOT NULL, division INTEGER NOT NULL,
    season INTEGER NOT NULL, stronger_by INTEGER NOT NULL, letters_on VARCHAR(10) NOT NULL,
    letters_us BIGINT, lots_seed TEXT, lots TEXT, lots_us BIGINT, lots_by ID,
    CONSTRAINT pk_league_divisions PRIMARY KEY (group_id),
    CONSTRAINT fk_league_divisions_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id));
CREATE INDEX ix_league_divisions_season ON league_divisions (season);
CREATE TABLE league_teams (id NEW_ID NOT NULL, group_id ID NOT NULL, number INTEGER NOT NULL,
    club TEXT NOT NULL, is_individual BOOLEAN NOT NULL, captain_id ID NOT NULL,
    order_by_leader BOOLEAN NOT NULL, CONSTRAINT pk_league_teams PRIMARY KEY (id),
    CONSTRAINT uq_league_teams_group_id UNIQUE (group_id, number),
    CONSTRAINT fk_league_teams_captain_id_people FOREIGN KEY(captain_id) REFERENCES people (id),
    CONSTRAINT fk_league_teams_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id));
CREATE INDEX ix_league_teams_captain_id ON league_teams (captain_id);
CREATE TABLE live_groups (id NEW_ID NOT NULL, group_id ID NOT NULL, from_us BIGINT NOT NULL,
    from_by ID, until_us BIGINT, until_by ID, CONSTRAINT pk_live_groups PRIMARY KEY (id),
    CONSTRAINT fk_live_groups_from_by_people FOREIGN KEY(from_by) REFERENCES people (id),
    CONSTRAINT fk_live_groups_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_live_groups_until_by_people FOREIGN KEY(until_by) REFERENCES people (id));
CREATE INDEX ix_live_groups_group_id ON live_groups (group_id);
CREATE UNIQUE INDEX uq_live_groups_standing ON live_groups (group_id) WHERE until_us IS NULL;
CREATE TABLE members (person_id ID NOT NULL, kind VARCHAR(12) NOT NULL, club_id ID, district_id ID,
    since VARCHAR(10), until VARCHAR(10), CONSTRAINT pk_members PRIMARY KEY (person_id),
    CONSTRAINT fk_members_club_id_clubs FOREIGN KEY(club_id) REFERENCES clubs (id),
    CONSTRAINT fk_members_district_id_districts FOREIGN KEY(district_id) REFERENCES districts (id),
    CONSTRAINT fk_members_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_members_club_id ON members (club_id);
CREATE INDEX ix_members_district_id ON members (district_id);
CREATE TABLE offices (id NEW_ID NOT NULL, person_id ID NOT NULL, office VARCHAR(16) NOT NULL,
    group_id ID, from_us BIGINT NOT NULL, to_us BIGINT, appointed_by ID NOT NULL,
    CONSTRAINT pk_offices PRIMARY KEY (id),
    CONSTRAINT fk_offices_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_offices_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_offices_group_id ON offices (group_id);
CREATE INDEX ix_offices_person_id ON offices (person_id);
CREATE TABLE outage_pauses (id NEW_ID NOT NULL, outage_id ID NOT NULL, group_id ID NOT NULL,
    first VARCHAR(10) NOT NULL, last VARCHAR(10) NOT NULL, decision VARCHAR(8), by_id ID,
    word TEXT NOT NULL, decided_us BIGINT, done_us BIGINT,
    CONSTRAINT pk_outage_pauses PRIMARY KEY (id),
    CONSTRAINT uq_outage_pauses_outage_id UNIQUE (outage_id, group_id),
    CONSTRAINT fk_outage_pauses_by_id_people FOREIGN KEY(by_id) REFERENCES people (id),
    CONSTRAINT fk_outage_pauses_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_outage_pauses_outage_id_outages FOREIGN KEY(outage_id) REFERENCES outages (id));
CREATE INDEX ix_outage_pauses_group_id ON outage_pauses (group_id);
CREATE TABLE past_games (id NEW_ID NOT NULL, event_id ID NOT NULL, day VARCHAR(10) NOT NULL,
    white_id ID NOT NULL, black_id ID NOT NULL, result VARCHAR(8) NOT NULL, plies INTEGER NOT NULL,
    moves BYTES NOT NULL, digest BYTES NOT NULL, site TEXT NOT NULL, round TEXT NOT NULL, fen TEXT,
    eco VARCHAR(3) NOT NULL, "end" VARCHAR(10) NOT NULL, white_club TEXT NOT NULL,
    black_club TEXT NOT NULL, white_elo INTEGER, black_elo INTEGER, ledger TEXT,
    source TEXT NOT NULL, code VARCHAR(3), opening BIGINT, own_id ID, own_seq INTEGER,
    CONSTRAINT pk_past_games PRIMARY KEY (id), CONSTRAINT uq_past_games_own_id UNIQUE (own_id),
    CONSTRAINT fk_past_games_black_id_past_players FOREIGN KEY(black_id)
    REFERENCES past_players (id),
    CONSTRAINT fk_past_games_event_id_past_events FOREIGN KEY(event_id) REFERENCES past_events (id),
    CONSTRAINT fk_past_games_white_id_past_players FOREIGN KEY(white_id)
    REFERENCES past_players (id));
CREATE INDEX ix_past_games_black_id ON past_games (black_id);
CREATE INDEX ix_past_games_code_day_id ON past_games (code, day, id);
CREATE INDEX ix_past_games_day_id ON past_games (day, id);
CREATE INDEX ix_past_games_digest ON past_games (digest);
CREATE INDEX ix_past_games_event_id_day ON past_games (event_id, day);
CREATE INDEX ix_past_games_unread ON past_games (id) WHERE code IS NULL;
CREATE INDEX ix_past_games_white_id ON past_games (white_id);
CREATE TABLE past_standings (id NEW_ID NOT NULL, event_id ID NOT NULL, kind VARCHAR(8) NOT NULL,
    wish VARCHAR(16) NOT NULL, finished VARCHAR(10) NOT NULL, player_id ID NOT NULL,
    halves INTEGER NOT NULL, games INTEGER NOT NULL, place INTEGER, entries INTEGER NOT NULL,
    semi_held BOOLEAN NOT NULL, source TEXT NOT NULL, result_id ID,
    CONSTRAINT pk_past_standings PRIMARY KEY (id),
    CONSTRAINT fk_past_standings_event_id_past_events FOREIGN KEY(event_id)
    REFERENCES past_events (id),
    CONSTRAINT fk_past_standings_player_id_past_players FOREIGN KEY(player_id)
    REFERENCES past_players (id),
    CONSTRAINT fk_past_standings_result_id_past_results FOREIGN KEY(result_id)
    REFERENCES past_results (id));
CREATE INDEX ix_past_standings_event_id ON past_standings (event_id);
CREATE INDEX ix_past_standings_player_id ON past_standings (player_id);
CREATE TABLE prizes (group_id ID NOT NULL, place INTEGER NOT NULL, amount INTEGER NOT NULL,
    CONSTRAINT pk_prizes PRIMARY KEY (group_id, place),
    CONSTRAINT fk_prizes_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id));
CREATE TABLE push_browsers (id NEW_ID NOT NULL, person_id ID NOT NULL, session BYTES NOT NULL,
    endpoint TEXT NOT NULL, "key" BYTES NOT NULL, auth BYTES NOT NULL, browser VARCHAR(40) NOT NULL,
    created_us BIGINT NOT NULL, ok_us BIGINT, failures INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_push_browsers PRIMARY KEY (id),
    CONSTRAINT uq_push_browsers_endpoint UNIQUE (endpoint),
    CONSTRAINT fk_push_browsers_person_id_people FOREIGN KEY(person_id) REFERENCES people (id),
    CONSTRAINT fk_push_browsers_session_sessions FOREIGN KEY(session)
    REFERENCES sessions (digest) ON DELETE CASCADE);
CREATE INDEX ix_push_browsers_person_id ON push_browsers (person_id);
CREATE INDEX ix_push_browsers_session ON push_browsers (session);
CREATE TABLE rated_players (group_id ID NOT NULL, person_id ID NOT NULL, day VARCHAR(10) NOT NULL,
    first_us BIGINT NOT NULL, games INTEGER NOT NULL, "before" INTEGER NOT NULL,
    basis VARCHAR(12) NOT NULL, registered INTEGER NOT NULL, rating INTEGER NOT NULL,
    CONSTRAINT pk_rated_players PRIMARY KEY (group_id, person_id),
    CONSTRAINT fk_rated_players_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_rated_players_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_rated_players_day ON rated_players (day);
CREATE INDEX ix_rated_players_person_id ON rated_players (person_id, day);
CREATE TABLE rating_calculations (id NEW_ID NOT NULL, group_id ID NOT NULL, number INTEGER NOT NULL,
    is_last BOOLEAN NOT NULL, is_void BOOLEAN NOT NULL, day VARCHAR(10) NOT NULL,
    start VARCHAR(10) NOT NULL, first_us BIGINT NOT NULL, seal TEXT NOT NULL, facts TEXT NOT NULL,
    starts TEXT NOT NULL, reason VARCHAR(12) NOT NULL, made_us BIGINT NOT NULL, made_by ID,
    CONSTRAINT pk_rating_calculations PRIMARY KEY (id),
    CONSTRAINT uq_rating_calculations_group_id UNIQUE (group_id, number),
    CONSTRAINT fk_rating_calculations_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id));
CREATE INDEX ix_rating_calculations_day ON rating_calculations (day);
CREATE TABLE seats (group_id ID NOT NULL, number INTEGER NOT NULL, person_id ID NOT NULL,
    CONSTRAINT pk_seats PRIMARY KEY (group_id, number),
    CONSTRAINT fk_seats_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_seats_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_seats_person_id ON seats (person_id);
CREATE TABLE title_ties (group_id ID NOT NULL, playoff_id ID, reason TEXT NOT NULL,
    by_id ID NOT NULL, at_us BIGINT NOT NULL, CONSTRAINT pk_title_ties PRIMARY KEY (group_id),
    CONSTRAINT uq_title_ties_playoff_id UNIQUE (playoff_id),
    CONSTRAINT fk_title_ties_by_id_people FOREIGN KEY(by_id) REFERENCES people (id),
    CONSTRAINT fk_title_ties_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_title_ties_playoff_id_groups FOREIGN KEY(playoff_id) REFERENCES groups (id));
CREATE TABLE titles (id NEW_ID NOT NULL, title VARCHAR(20) NOT NULL, edition INTEGER NOT NULL,
    person_id ID, name TEXT, group_id ID, is_shared BOOLEAN NOT NULL,
    paragraph VARCHAR(20) NOT NULL, day VARCHAR(10), source TEXT NOT NULL, entered_by ID,
    at_us BIGINT NOT NULL, removed_by ID, removed_us BIGINT, CONSTRAINT pk_titles PRIMARY KEY (id),
    CONSTRAINT fk_titles_entered_by_people FOREIGN KEY(entered_by) REFERENCES people (id),
    CONSTRAINT fk_titles_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_titles_person_id_people FOREIGN KEY(person_id) REFERENCES people (id),
    CONSTRAINT fk_titles_removed_by_people FOREIGN KEY(removed_by) REFERENCES people (id));
CREATE INDEX ix_titles_group_id ON titles (group_id);
CREATE INDEX ix_titles_person_id ON titles (person_id);

CREATE TABLE cards (game_id ID NOT NULL, seq INTEGER NOT NULL, entered_by ID NOT NULL,
    is_legible BOOLEAN NOT NULL, note TEXT NOT NULL, scan BYTES, scan_type VARCHAR(64),
    scan_digest BYTES, at_us BIGINT NOT NULL, CONSTRAINT pk_cards PRIMARY KEY (game_id, seq),
    CONSTRAINT fk_cards_entered_by_people FOREIGN KEY(entered_by) REFERENCES people (id),
    CONSTRAINT fk_cards_game_id_games FOREIGN KEY(game_id) REFERENCES games (id));
CREATE TABLE cases (id NEW_ID NOT NULL, number VARCHAR(24) NOT NULL, kind VARCHAR(16) NOT NULL,
    group_id ID NOT NULL, game_id ID, person_id ID, state VARCHAR(16) NOT NULL,
    instance VARCHAR(8) NOT NULL, seq INTEGER NOT NULL, head BYTES NOT NULL, snapshot TEXT NOT NULL,
    is_suspended BOOLEAN NOT NULL, due_us BIGINT, opened_us BIGINT NOT NULL, closed_us BIGINT,
    CONSTRAINT pk_cases PRIMARY KEY (id), CONSTRAINT uq_cases_number UNIQUE (number),
    CONSTRAINT fk_cases_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_cases_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_cases_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_cases_closed_us ON cases (closed_us);
CREATE INDEX ix_cases_game_id ON cases (game_id);
CREATE INDEX ix_cases_group_id ON cases (group_id);
CREATE INDEX ix_cases_is_suspended ON cases (is_suspended);
CREATE INDEX ix_cases_opened_us ON cases (opened_us);
CREATE INDEX ix_cases_person_id ON cases (person_id);
CREATE INDEX ix_cases_state_due ON cases (state, due_us);
CREATE TABLE cup_draws (cup_id ID NOT NULL, stage VARCHAR(12) NOT NULL, seed TEXT NOT NULL,
    start VARCHAR(10) NOT NULL, places INTEGER NOT NULL, reason TEXT NOT NULL, by_id ID NOT NULL,
    at_us BIGINT NOT NULL, CONSTRAINT pk_cup_draws PRIMARY KEY (cup_id, stage),
    CONSTRAINT fk_cup_draws_by_id_people FOREIGN KEY(by_id) REFERENCES people (id),
    CONSTRAINT fk_cup_draws_cup_id_cups FOREIGN KEY(cup_id) REFERENCES cups (id));
CREATE TABLE cup_groups (group_id ID NOT NULL, cup_id ID NOT NULL, stage VARCHAR(12) NOT NULL,
    number INTEGER NOT NULL, CONSTRAINT pk_cup_groups PRIMARY KEY (group_id),
    CONSTRAINT fk_cup_groups_cup_id_cups FOREIGN KEY(cup_id) REFERENCES cups (id),
    CONSTRAINT fk_cup_groups_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id));
CREATE INDEX ix_cup_groups_cup_id ON cup_groups (cup_id);
CREATE TABLE cup_places (cup_id ID NOT NULL, stage VARCHAR(12) NOT NULL, number INTEGER NOT NULL,
    person_id ID NOT NULL, way VARCHAR(12) NOT NULL, group_id ID, from_group_id ID,
    from_place INTEGER, strength INTEGER, entry_id ID,
    CONSTRAINT pk_cup_places PRIMARY KEY (cup_id, stage, number),
    CONSTRAINT fk_cup_places_cup_id_cups FOREIGN KEY(cup_id) REFERENCES cups (id),
    CONSTRAINT fk_cup_places_entry_id_entries FOREIGN KEY(entry_id) REFERENCES entries (id),
    CONSTRAINT fk_cup_places_from_group_id_groups FOREIGN KEY(from_group_id) REFERENCES groups (id),
    CONSTRAINT fk_cup_places_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_cup_places_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_cup_places_group_id ON cup_places (group_id);
CREATE INDEX ix_cup_places_person_id ON cup_places (person_id);
CREATE TABLE delayed_moves (game_id ID NOT NULL, person_id ID NOT NULL, ply INTEGER NOT NULL,
    fen TEXT NOT NULL, moves TEXT NOT NULL, text TEXT NOT NULL, message TEXT NOT NULL,
    offers_draw BOOLEAN NOT NULL, lang VARCHAR(2) NOT NULL, "key" VARCHAR(64) NOT NULL,
    entered_us BIGINT NOT NULL, due_us BIGINT NOT NULL, wake_us BIGINT, dropped VARCHAR(24),
    last_error TEXT, CONSTRAINT pk_delayed_moves PRIMARY KEY (game_id, person_id),
    CONSTRAINT fk_delayed_moves_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_delayed_moves_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_delayed_moves_person_id ON delayed_moves (person_id);
CREATE INDEX ix_delayed_moves_wake_us ON delayed_moves (wake_us);
CREATE TABLE entry_rulings (id NEW_ID NOT NULL, entry_id ID NOT NULL,
    paragraph VARCHAR(20) NOT NULL, office VARCHAR(4) NOT NULL, by_id ID NOT NULL,
    reason TEXT NOT NULL, at_us BIGINT NOT NULL, CONSTRAINT pk_entry_rulings PRIMARY KEY (id),
    CONSTRAINT fk_entry_rulings_by_id_people FOREIGN KEY(by_id) REFERENCES people (id),
    CONSTRAINT fk_entry_rulings_entry_id_entries FOREIGN KEY(entry_id) REFERENCES entries (id));
CREATE INDEX ix_entry_rulings_entry_id ON entry_rulings (entry_id);
CREATE TABLE events (game_id ID NOT NULL, seq INTEGER NOT NULL, at_us BIGINT NOT NULL, actor_id ID,
    channel VARCHAR(8) NOT NULL, inbox_id ID, body TEXT NOT NULL, hash BYTES NOT NULL,
    CONSTRAINT pk_events PRIMARY KEY (game_id, seq),
    CONSTRAINT fk_events_game_id_games FOREIGN KEY(game_id) REFERENCES games (id));
CREATE TABLE league_boards (id NEW_ID NOT NULL, team_id ID NOT NULL, board INTEGER NOT NULL,
    person_id ID NOT NULL, rating INTEGER NOT NULL, two_clubs BOOLEAN NOT NULL,
    from_us BIGINT NOT NULL, to_us BIGINT, CONSTRAINT pk_league_boards PRIMARY KEY (id),
    CONSTRAINT fk_league_boards_person_id_people FOREIGN KEY(person_id) REFERENCES people (id),
    CONSTRAINT fk_league_boards_team_id_league_teams FOREIGN KEY(team_id)
    REFERENCES league_teams (id));
CREATE INDEX ix_league_boards_person_id ON league_boards (person_id);
CREATE INDEX ix_league_boards_team_id ON league_boards (team_id);
CREATE TABLE league_changes (id NEW_ID NOT NULL, team_id ID NOT NULL, kind VARCHAR(8) NOT NULL,
    "before" TEXT NOT NULL, "after" TEXT NOT NULL, reason TEXT NOT NULL, by_id ID NOT NULL,
    at_us BIGINT NOT NULL, CONSTRAINT pk_league_changes PRIMARY KEY (id),
    CONSTRAINT fk_league_changes_team_id_league_teams FOREIGN KEY(team_id)
    REFERENCES league_teams (id));
CREATE INDEX ix_league_changes_team_id ON league_changes (team_id);
CREATE TABLE league_games (game_id ID NOT NULL, board INTEGER NOT NULL, white_team ID NOT NULL,
    black_team ID NOT NULL, CONSTRAINT pk_league_games PRIMARY KEY (game_id),
    CONSTRAINT fk_league_games_black_team_league_teams FOREIGN KEY(black_team)
    REFERENCES league_teams (id),
    CONSTRAINT fk_league_games_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_league_games_white_team_league_teams FOREIGN KEY(white_team)
    REFERENCES league_teams (id));
CREATE INDEX ix_league_games_black_team ON league_games (black_team);
CREATE INDEX ix_league_games_white_team ON league_games (white_team);
CREATE TABLE league_reports (id NEW_ID NOT NULL, game_id ID NOT NULL, team_id ID NOT NULL,
    result VARCHAR(8) NOT NULL, note TEXT NOT NULL, by_id ID NOT NULL, at_us BIGINT NOT NULL,
    CONSTRAINT pk_league_reports PRIMARY KEY (id),
    CONSTRAINT fk_league_reports_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_league_reports_team_id_league_teams FOREIGN KEY(team_id)
    REFERENCES league_teams (id));
CREATE INDEX ix_league_reports_game_id ON league_reports (game_id);
CREATE TABLE league_reserves (id NEW_ID NOT NULL, team_id ID NOT NULL, board INTEGER NOT NULL,
    replaced_id ID NOT NULL, person_id ID, name TEXT NOT NULL, email TEXT NOT NULL,
    club TEXT NOT NULL, rating INTEGER NOT NULL, reason TEXT NOT NULL, state VARCHAR(8) NOT NULL,
    asked_by ID NOT NULL, asked_us BIGINT NOT NULL, pause_first VARCHAR(10), pause_last VARCHAR(10),
    decided_by ID, decided_us BIGINT, note TEXT, against VARCHAR(120) DEFAULT '' NOT NULL,
    CONSTRAINT pk_league_reserves PRIMARY KEY (id),
    CONSTRAINT fk_league_reserves_person_id_people FOREIGN KEY(person_id) REFERENCES people (id),
    CONSTRAINT fk_league_reserves_replaced_id_people FOREIGN KEY(replaced_id)
    REFERENCES people (id), CONSTRAINT fk_league_reserves_team_id_league_teams FOREIGN KEY(team_id)
    REFERENCES league_teams (id));
CREATE INDEX ix_league_reserves_team_id ON league_reserves (team_id);
CREATE TABLE looks (person_id ID NOT NULL, game_id ID NOT NULL, seq INTEGER NOT NULL,
    skipped_us BIGINT, CONSTRAINT pk_looks PRIMARY KEY (person_id, game_id),
    CONSTRAINT fk_looks_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_looks_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE messages (game_id ID NOT NULL, seq INTEGER NOT NULL, author_id ID NOT NULL,
    text TEXT NOT NULL, CONSTRAINT pk_messages PRIMARY KEY (game_id, seq),
    CONSTRAINT fk_messages_author_id_people FOREIGN KEY(author_id) REFERENCES people (id),
    CONSTRAINT fk_messages_game_id_games FOREIGN KEY(game_id) REFERENCES games (id));
CREATE TABLE private_notes (game_id ID NOT NULL, person_id ID NOT NULL, text TEXT NOT NULL,
    stamp INTEGER NOT NULL, changed_us BIGINT NOT NULL,
    CONSTRAINT pk_private_notes PRIMARY KEY (game_id, person_id),
    CONSTRAINT fk_private_notes_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_private_notes_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE private_trees (game_id ID NOT NULL, person_id ID NOT NULL, text TEXT NOT NULL,
    stamp INTEGER NOT NULL, changed_us BIGINT NOT NULL,
    CONSTRAINT pk_private_trees PRIMARY KEY (game_id, person_id),
    CONSTRAINT fk_private_trees_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_private_trees_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE publications (id NEW_ID NOT NULL, group_id ID NOT NULL, kind VARCHAR(16) NOT NULL,
    game_id ID, day VARCHAR(10) NOT NULL, objections_until VARCHAR(10) NOT NULL,
    prizes_until VARCHAR(10), done_us BIGINT, CONSTRAINT pk_publications PRIMARY KEY (id),
    CONSTRAINT fk_publications_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_publications_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id));
CREATE INDEX ix_publications_group_id ON publications (group_id);
CREATE INDEX ix_publications_kind_done_us ON publications (kind, done_us);
CREATE INDEX ix_publications_kind_objections_until ON publications (kind, objections_until);
CREATE INDEX ix_publications_prizes_until ON publications (prizes_until);
CREATE TABLE push_told (browser_id ID NOT NULL, game_id ID NOT NULL, ply INTEGER NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL, due_us BIGINT NOT NULL,
    CONSTRAINT pk_push_told PRIMARY KEY (browser_id, game_id),
    CONSTRAINT fk_push_told_browser_id_push_browsers FOREIGN KEY(browser_id)
    REFERENCES push_browsers (id) ON DELETE CASCADE,
    CONSTRAINT fk_push_told_game_id_games FOREIGN KEY(game_id) REFERENCES games (id));
CREATE TABLE quiet_marks (game_id ID NOT NULL, person_id ID NOT NULL, seen_id ID NOT NULL,
    is_quiet BOOLEAN NOT NULL, CONSTRAINT pk_quiet_marks PRIMARY KEY (game_id, person_id),
    CONSTRAINT fk_quiet_marks_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_quiet_marks_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE quiet_messages (id NEW_ID NOT NULL, game_id ID NOT NULL, author_id ID NOT NULL,
    text TEXT NOT NULL, at_us BIGINT NOT NULL, "key" VARCHAR(64) NOT NULL,
    CONSTRAINT pk_quiet_messages PRIMARY KEY (id),
    CONSTRAINT uq_quiet_messages_author_id_key UNIQUE (author_id, "key"),
    CONSTRAINT fk_quiet_messages_author_id_people FOREIGN KEY(author_id) REFERENCES people (id),
    CONSTRAINT fk_quiet_messages_game_id_games FOREIGN KEY(game_id) REFERENCES games (id));
CREATE INDEX ix_quiet_messages_game_id ON quiet_messages (game_id);
CREATE TABLE sheet_words (game_id ID NOT NULL, person_id ID NOT NULL, text TEXT NOT NULL,
    changed_us BIGINT NOT NULL, CONSTRAINT pk_sheet_words PRIMARY KEY (game_id, person_id),
    CONSTRAINT fk_sheet_words_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_sheet_words_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE team_entries (id NEW_ID NOT NULL, list_id ID NOT NULL, season INTEGER NOT NULL,
    club_id ID, district_id ID, captain_id ID NOT NULL, continues ID, form_key VARCHAR(80),
    entered_day VARCHAR(10) NOT NULL, entered_by ID NOT NULL, created_us BIGINT NOT NULL,
    lineup_us BIGINT NOT NULL, asks BOOLEAN NOT NULL, fee_day VARCHAR(10), fee_by ID, fee_us BIGINT,
    state VARCHAR(12) NOT NULL, paragraph VARCHAR(20), reason TEXT, decided_by ID,
    decided_us BIGINT, group_id ID, CONSTRAINT pk_team_entries PRIMARY KEY (id),
    CONSTRAINT uq_team_entries_entered_by_form_key UNIQUE (entered_by, form_key),
    CONSTRAINT fk_team_entries_captain_id_people FOREIGN KEY(captain_id) REFERENCES people (id),
    CONSTRAINT fk_team_entries_club_id_clubs FOREIGN KEY(club_id) REFERENCES clubs (id),
    CONSTRAINT fk_team_entries_continues_league_teams FOREIGN KEY(continues)
    REFERENCES league_teams (id),
    CONSTRAINT fk_team_entries_decided_by_people FOREIGN KEY(decided_by) REFERENCES people (id),
    CONSTRAINT fk_team_entries_district_id_districts FOREIGN KEY(district_id)
    REFERENCES districts (id),
    CONSTRAINT fk_team_entries_entered_by_people FOREIGN KEY(entered_by) REFERENCES people (id),
    CONSTRAINT fk_team_entries_fee_by_people FOREIGN KEY(fee_by) REFERENCES people (id),
    CONSTRAINT fk_team_entries_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_team_entries_list_id_entry_lists FOREIGN KEY(list_id)
    REFERENCES entry_lists (id));
CREATE INDEX ix_team_entries_captain_id ON team_entries (captain_id);
CREATE INDEX ix_team_entries_group_id ON team_entries (group_id);
CREATE INDEX ix_team_entries_season_state ON team_entries (season, state);
CREATE TABLE xfcc_notes (person_id ID NOT NULL, game_id ID NOT NULL, said TEXT NOT NULL,
    noted_us BIGINT NOT NULL, CONSTRAINT pk_xfcc_notes PRIMARY KEY (person_id, game_id),
    CONSTRAINT fk_xfcc_notes_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_xfcc_notes_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE TABLE xfcc_numbers (number COUNTED, game_id ID NOT NULL,
    CONSTRAINT uq_xfcc_numbers_game_id UNIQUE (game_id),
    CONSTRAINT fk_xfcc_numbers_game_id_games FOREIGN KEY(game_id) REFERENCES games (id));

CREATE TABLE account_entries (id NEW_ID NOT NULL, tournament TEXT NOT NULL,
    kind VARCHAR(16) NOT NULL, day VARCHAR(10) NOT NULL, ore BIGINT NOT NULL, party TEXT NOT NULL,
    text TEXT NOT NULL, by_id ID NOT NULL, at_us BIGINT NOT NULL, reverses ID, publication_id ID,
    "key" VARCHAR(80), CONSTRAINT pk_account_entries PRIMARY KEY (id),
    CONSTRAINT uq_account_entries_key UNIQUE ("key"),
    CONSTRAINT uq_account_entries_reverses UNIQUE (reverses),
    CONSTRAINT fk_account_entries_by_id_people FOREIGN KEY(by_id) REFERENCES people (id),
    CONSTRAINT fk_account_entries_publication_id_publications FOREIGN KEY(publication_id)
    REFERENCES publications (id),
    CONSTRAINT fk_account_entries_reverses_account_entries FOREIGN KEY(reverses)
    REFERENCES account_entries (id));
CREATE INDEX ix_account_entries_tournament ON account_entries (tournament);
CREATE TABLE case_events (case_id ID NOT NULL, seq INTEGER NOT NULL, at_us BIGINT NOT NULL,
    actor_id ID, body TEXT NOT NULL, hash BYTES NOT NULL,
    CONSTRAINT pk_case_events PRIMARY KEY (case_id, seq),
    CONSTRAINT fk_case_events_case_id_cases FOREIGN KEY(case_id) REFERENCES cases (id));
CREATE INDEX ix_case_events_at_us ON case_events (at_us);
CREATE TABLE case_papers (id NEW_ID NOT NULL, case_id ID NOT NULL, kind VARCHAR(16) NOT NULL,
    person_id ID, title TEXT NOT NULL, media_type VARCHAR(64) NOT NULL, body BYTES,
    digest BYTES NOT NULL, at_us BIGINT NOT NULL, inbox_id ID, outbox_id ID, removed_us BIGINT,
    CONSTRAINT pk_case_papers PRIMARY KEY (id),
    CONSTRAINT fk_case_papers_case_id_cases FOREIGN KEY(case_id) REFERENCES cases (id));
CREATE INDEX ix_case_papers_case_id ON case_papers (case_id);
CREATE TABLE sanctions (id NEW_ID NOT NULL, person_id ID NOT NULL, case_id ID NOT NULL,
    kind VARCHAR(16) NOT NULL, group_id ID, from_day VARCHAR(10) NOT NULL, to_day VARCHAR(10),
    annulled_us BIGINT, CONSTRAINT pk_sanctions PRIMARY KEY (id),
    CONSTRAINT fk_sanctions_case_id_cases FOREIGN KEY(case_id) REFERENCES cases (id),
    CONSTRAINT fk_sanctions_group_id_groups FOREIGN KEY(group_id) REFERENCES groups (id),
    CONSTRAINT fk_sanctions_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_sanctions_person_id ON sanctions (person_id);
CREATE TABLE team_entry_boards (entry_id ID NOT NULL, board INTEGER NOT NULL, person_id ID NOT NULL,
    told_rating INTEGER, told_class VARCHAR(40), own_entry ID, leave_by ID, leave_us BIGINT,
    leave_reason TEXT, CONSTRAINT pk_team_entry_boards PRIMARY KEY (entry_id, board),
    CONSTRAINT fk_team_entry_boards_entry_id_team_entries FOREIGN KEY(entry_id)
    REFERENCES team_entries (id),
    CONSTRAINT fk_team_entry_boards_leave_by_people FOREIGN KEY(leave_by) REFERENCES people (id),
    CONSTRAINT fk_team_entry_boards_own_entry_entries FOREIGN KEY(own_entry)
    REFERENCES entries (id),
    CONSTRAINT fk_team_entry_boards_person_id_people FOREIGN KEY(person_id) REFERENCES people (id));
CREATE INDEX ix_team_entry_boards_person_id ON team_entry_boards (person_id);
"""
"""In five parts by what refers to what, each by name."""

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
    dialect = op.get_bind().dialect.name
    words = WORDS[dialect]
    ours = re.compile(rf"\b({'|'.join(words)})\b")
    for statement in TABLES.strip().removesuffix(";").split(";"):
        one_line = " ".join(statement.split())
        op.execute(ours.sub(lambda found: words[found[0]], one_line))
    settings = sa.table("settings", sa.column("name"), sa.column("value"))
    op.execute(settings.insert().values(name="seals", value=f"0 {bytes(32).hex()}"))
    if dialect == "postgresql":
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
