"""Entries: waiting lists, entries, what people decided about them, past results.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _column(name: str, kind: object, *, null: bool = False) -> sa.Column:
    return sa.Column(name, kind, nullable=null)


def _to(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name)


def _lists() -> None:
    op.create_table(
        "entry_lists",
        _column("id", ID),
        _column("name", sa.String(length=120)),
        _column("event", sa.String(length=8)),
        _column("wish", sa.String(length=12)),
        _column("tournament", sa.String(length=120)),
        _column("regulation", sa.String(length=8)),
        _column("prefix", sa.String(length=40)),
        _column("leader_id", ID),
        _column("fee", sa.Integer(), null=True),
        _column("is_open", sa.Boolean()),
        _column("opened_by", ID),
        _column("created_us", sa.BigInteger()),
        _to("entry_lists", "leader_id", "people"),
        _to("entry_lists", "opened_by", "people"),
        sa.PrimaryKeyConstraint("id", name="pk_entry_lists"),
        sa.UniqueConstraint("name", name="uq_entry_lists_name"),
    )
    op.create_index("ix_entry_lists_leader_id", "entry_lists", ["leader_id"])


def _entries() -> None:
    op.create_table(
        "entries",
        _column("id", ID),
        _column("list_id", ID),
        _column("person_id", ID),
        _column("form_key", sa.String(length=80), null=True),
        _column("entered_day", sa.String(length=10)),
        _column("entered_by", ID),
        _column("created_us", sa.BigInteger()),
        _column("member", sa.String(length=40), null=True),
        _column("club", sa.String(length=120), null=True),
        _column("born", sa.String(length=10), null=True),
        _column("otb_rating", sa.Integer(), null=True),
        _column("k_rating", sa.Integer(), null=True),
        _column("proof", sa.Text()),
        _column("asks", sa.Boolean()),
        _column("fee_day", sa.String(length=10), null=True),
        _column("fee_by", ID, null=True),
        _column("fee_us", sa.BigInteger(), null=True),
        _column("proof_by", ID, null=True),
        _column("proof_us", sa.BigInteger(), null=True),
        _column("state", sa.String(length=12)),
        _column("since_day", sa.String(length=10), null=True),
        _column("paragraph", sa.String(length=20), null=True),
        _column("reason", sa.Text(), null=True),
        _column("decided_by", ID, null=True),
        _column("decided_us", sa.BigInteger(), null=True),
        _column("group_id", ID, null=True),
        _to("entries", "list_id", "entry_lists"),
        *(_to("entries", name, "people") for name in ("person_id", "entered_by", "fee_by")),
        *(_to("entries", name, "people") for name in ("proof_by", "decided_by")),
        _to("entries", "group_id", "groups"),
        sa.PrimaryKeyConstraint("id", name="pk_entries"),
        sa.UniqueConstraint("person_id", "form_key", name="uq_entries_person_id_form_key"),
    )
    op.create_index("ix_entries_group_id", "entries", ["group_id"])
    op.create_index("ix_entries_list_id_state", "entries", ["list_id", "state"])
    op.create_index("ix_entries_person_id", "entries", ["person_id"])


def _rulings() -> None:
    op.create_table(
        "entry_rulings",
        _column("id", ID),
        _column("entry_id", ID),
        _column("paragraph", sa.String(length=20)),
        _column("office", sa.String(length=4)),
        _column("by_id", ID),
        _column("reason", sa.Text()),
        _column("at_us", sa.BigInteger()),
        _to("entry_rulings", "entry_id", "entries"),
        _to("entry_rulings", "by_id", "people"),
        sa.PrimaryKeyConstraint("id", name="pk_entry_rulings"),
    )
    op.create_index("ix_entry_rulings_entry_id", "entry_rulings", ["entry_id"])


def _results() -> None:
    op.create_table(
        "past_results",
        _column("id", ID),
        _column("person_id", ID),
        _column("event", sa.String(length=8)),
        _column("wish", sa.String(length=16)),
        _column("name", sa.String(length=120)),
        _column("finished", sa.String(length=10), null=True),
        _column("halves", sa.Integer()),
        _column("games", sa.Integer()),
        _column("unfinished", sa.Integer()),
        _column("place", sa.Integer(), null=True),
        _column("entries", sa.Integer()),
        _column("semi_held", sa.Boolean()),
        _column("source", sa.Text()),
        _column("entered_by", ID),
        _column("at_us", sa.BigInteger()),
        _column("removed_by", ID, null=True),
        _column("removed_us", sa.BigInteger(), null=True),
        *(_to("past_results", name, "people") for name in ("person_id", "entered_by")),
        _to("past_results", "removed_by", "people"),
        sa.PrimaryKeyConstraint("id", name="pk_past_results"),
    )
    op.create_index("ix_past_results_person_id", "past_results", ["person_id"])


def upgrade() -> None:
    _lists()
    _entries()
    _rulings()
    _results()


def downgrade() -> None:
    for table in ("past_results", "entry_rulings", "entries", "entry_lists"):
        op.drop_table(table)
