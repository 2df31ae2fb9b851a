"""Offices, cases and what follows from rulings: cards, sanctions, publications, calendar keys.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _calendar_keys() -> None:
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


def _offices() -> None:
    op.create_table(
        "offices",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("office", sa.String(length=16), nullable=False),
        sa.Column("group_id", ID, nullable=True),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("to_us", sa.BigInteger(), nullable=True),
        sa.Column("appointed_by", ID, nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_offices_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_offices_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_offices"),
    )
    op.create_index("ix_offices_group_id", "offices", ["group_id"])
    op.create_index("ix_offices_person_id", "offices", ["person_id"])


def _cards() -> None:
    op.create_table(
        "cards",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entered_by", ID, nullable=False),
        sa.Column("is_legible", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("scan", sa.LargeBinary(), nullable=True),
        sa.Column("scan_type", sa.String(length=64), nullable=True),
        sa.Column("scan_digest", sa.LargeBinary(length=32), nullable=True),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["entered_by"], ["people.id"], name="fk_cards_entered_by_people"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_cards_game_id_games"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_cards"),
    )


def _cases() -> None:
    op.create_table(
        "cases",
        sa.Column("id", ID, nullable=False),
        sa.Column("number", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("person_id", ID, nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("instance", sa.String(length=8), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(length=32), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("is_suspended", sa.Boolean(), nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=True),
        sa.Column("opened_us", sa.BigInteger(), nullable=False),
        sa.Column("closed_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_cases_game_id_games"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_cases_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_cases_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_cases"),
        sa.UniqueConstraint("number", name="uq_cases_number"),
    )
    op.create_index("ix_cases_game_id", "cases", ["game_id"])
    op.create_index("ix_cases_group_id", "cases", ["group_id"])
    op.create_index("ix_cases_person_id", "cases", ["person_id"])
    op.create_index("ix_cases_state_due", "cases", ["state", "due_us"])


def _publications() -> None:
    op.create_table(
        "publications",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("objections_until", sa.String(length=10), nullable=False),
        sa.Column("prizes_until", sa.String(length=10), nullable=True),
        sa.Column("done_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_publications_game_id_games"),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_publications_group_id_groups"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_publications"),
    )
    op.create_index("ix_publications_group_id", "publications", ["group_id"])


def _case_events() -> None:
    op.create_table(
        "case_events",
        sa.Column("case_id", ID, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", ID, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_case_events_case_id_cases"),
        sa.PrimaryKeyConstraint("case_id", "seq", name="pk_case_events"),
    )


def _case_papers() -> None:
    op.create_table(
        "case_papers",
        sa.Column("id", ID, nullable=False),
        sa.Column("case_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("person_id", ID, nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("media_type", sa.String(length=64), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("inbox_id", ID, nullable=True),
        sa.Column("outbox_id", ID, nullable=True),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_case_papers_case_id_cases"),
        sa.PrimaryKeyConstraint("id", name="pk_case_papers"),
    )
    op.create_index("ix_case_papers_case_id", "case_papers", ["case_id"])


def _sanctions() -> None:
    op.create_table(
        "sanctions",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("case_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("group_id", ID, nullable=True),
        sa.Column("from_day", sa.String(length=10), nullable=False),
        sa.Column("to_day", sa.String(length=10), nullable=True),
        sa.Column("annulled_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name="fk_sanctions_case_id_cases"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_sanctions_group_id_groups"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_sanctions_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_sanctions"),
    )
    op.create_index("ix_sanctions_person_id", "sanctions", ["person_id"])


def upgrade() -> None:
    _calendar_keys()
    _offices()
    _cards()
    _cases()
    _publications()
    _case_events()
    _case_papers()
    _sanctions()
    # A case shows the mails of its games; without this index that scans every raw mail.
    op.create_index("ix_inbox_game_id", "inbox", ["game_id"])


def downgrade() -> None:
    op.drop_index("ix_inbox_game_id", "inbox")
    for table in (
        "sanctions",
        "case_papers",
        "case_events",
        "publications",
        "cases",
        "cards",
        "offices",
        "calendar_keys",
    ):
        op.drop_table(table)
