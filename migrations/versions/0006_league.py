"""The league: divisions, teams, boards, reserves, changes, reports, plans (§ 6.7).

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _league_divisions() -> None:
    op.create_table(
        "league_divisions",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("stronger_by", sa.Integer(), nullable=False),
        sa.Column("letters_on", sa.String(length=10), nullable=False),
        sa.Column("letters_us", sa.BigInteger(), nullable=True),
        sa.Column("lots_seed", sa.Text(), nullable=True),
        sa.Column("lots", sa.Text(), nullable=True),
        sa.Column("lots_us", sa.BigInteger(), nullable=True),
        sa.Column("lots_by", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_league_divisions_group_id_groups"
        ),
        sa.PrimaryKeyConstraint("group_id", name="pk_league_divisions"),
    )
    op.create_index("ix_league_divisions_season", "league_divisions", ["season"])


def _league_teams() -> None:
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
            ["group_id"], ["groups.id"], name="fk_league_teams_group_id_groups"
        ),
        sa.ForeignKeyConstraint(
            ["captain_id"], ["people.id"], name="fk_league_teams_captain_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_teams"),
        sa.UniqueConstraint("group_id", "number", name="uq_league_teams_group_id"),
    )
    op.create_index("ix_league_teams_captain_id", "league_teams", ["captain_id"])


def _league_boards() -> None:
    op.create_table(
        "league_boards",
        sa.Column("id", ID, nullable=False),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("two_clubs", sa.Boolean(), nullable=False),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("to_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["team_id"], ["league_teams.id"], name="fk_league_boards_team_id_league_teams"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_league_boards_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_boards"),
    )
    op.create_index("ix_league_boards_team_id", "league_boards", ["team_id"])
    op.create_index("ix_league_boards_person_id", "league_boards", ["person_id"])


def _league_games() -> None:
    op.create_table(
        "league_games",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("white_team", ID, nullable=False),
        sa.Column("black_team", ID, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_league_games_game_id_games"),
        sa.ForeignKeyConstraint(
            ["white_team"], ["league_teams.id"], name="fk_league_games_white_team_league_teams"
        ),
        sa.ForeignKeyConstraint(
            ["black_team"], ["league_teams.id"], name="fk_league_games_black_team_league_teams"
        ),
        sa.PrimaryKeyConstraint("game_id", name="pk_league_games"),
    )
    op.create_index("ix_league_games_white_team", "league_games", ["white_team"])
    op.create_index("ix_league_games_black_team", "league_games", ["black_team"])


def _league_reserves() -> None:
    op.create_table(
        "league_reserves",
        sa.Column("id", ID, nullable=False),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("replaced_id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("asked_by", ID, nullable=False),
        sa.Column("asked_us", sa.BigInteger(), nullable=False),
        sa.Column("pause_first", sa.String(length=10), nullable=True),
        sa.Column("pause_last", sa.String(length=10), nullable=True),
        sa.Column("decided_by", ID, nullable=True),
        sa.Column("decided_us", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["team_id"], ["league_teams.id"], name="fk_league_reserves_team_id_league_teams"
        ),
        sa.ForeignKeyConstraint(
            ["replaced_id"], ["people.id"], name="fk_league_reserves_replaced_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_league_reserves_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_league_reserves"),
    )
    op.create_index("ix_league_reserves_team_id", "league_reserves", ["team_id"])


def _league_changes() -> None:
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


def _league_reports() -> None:
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


def _league_plans() -> None:
    op.create_table(
        "league_plans",
        sa.Column("id", ID, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.String(length=10), nullable=False),
        sa.Column("entered", sa.Text(), nullable=False),
        sa.Column("composed", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_league_plans"),
    )
    op.create_index("ix_league_plans_season", "league_plans", ["season"])


def _league_grants() -> None:
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


def upgrade() -> None:
    _league_divisions()
    _league_teams()
    _league_boards()
    _league_games()
    _league_reserves()
    _league_changes()
    _league_reports()
    _league_plans()
    _league_grants()


def downgrade() -> None:
    for table in (
        "league_grants",
        "league_plans",
        "league_reports",
        "league_changes",
        "league_reserves",
        "league_games",
        "league_boards",
        "league_teams",
        "league_divisions",
    ):
        op.drop_table(table)
