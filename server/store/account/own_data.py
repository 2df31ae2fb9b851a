"""What the database holds about a person, table by table: the one list the data copy is made from.

Every column that names a person is in ``OWN``, whose rows are theirs, or in ``ELSEWHERE`` with the
reason it is left out; a test checks both against the tables. Digests, keys and other people's data
are never copied. Not for games, whose ledgers are copied whole (usecases/account/own_data.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import LargeBinary, Table, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.packed import Packed
from server.store.tables.all_tables import metadata
from server.store.tables.base import inbox, outbox
from server.store.tables.cases import cards, case_papers

OFFICE = "a deed of an office, about somebody else or the Union: its desk has it"
IN_GAMES = "in the folder of the game, from its ledger"
ANOTHERS = "the row is about somebody else"
SECRET = frozenset({"csrf", "params", "holder", "peer", "message_id", "form_key", "snapshot"})
"""Columns never copied: keys of requests and forms, and facts about our machines only."""


@dataclass(frozen=True, slots=True)
class Own:
    """A person's rows in a table: those that name them in one of ``columns``."""

    table: str
    columns: tuple[str, ...] = ("person_id",)
    hidden: frozenset[str] = frozenset()

    @property
    def kept(self) -> Table:
        """The table."""
        return metadata.tables[self.table]

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns that are copied: nothing hidden, nothing binary."""
        hidden = self.hidden | SECRET
        return tuple(
            column.name
            for column in self.kept.columns
            if column.name not in hidden and not isinstance(column.type, LargeBinary | Packed)
        )


OWN = (
    Own("people", ("id",)),
    Own("addresses"),
    Own("members"),
    Own("member_changes"),
    Own("preferences"),
    Own("ratings"),
    Own("rated_players"),
    Own("titles"),
    Own("past_results"),
    Own("past_players"),
    Own("seats"),
    Own("offices"),
    Own("club_admins"),
    Own("join_requests"),
    Own("entries"),
    Own("team_entries", ("captain_id",)),
    Own("team_entry_boards"),
    Own("league_teams", ("captain_id",)),
    Own("league_boards"),
    Own("league_reserves"),
    Own("cup_places"),
    Own("cases"),
    Own("case_events", ("actor_id",)),
    Own("case_papers"),
    Own("sanctions"),
    Own("cards", ("entered_by",)),
    Own("bulletin_readers"),
    Own("calendar_keys"),
    Own("sessions"),
    Own("login_links", hidden=frozenset({"next_path"})),
    Own("api_tokens"),
    Own("passkeys"),
    Own("xfcc_keys"),
    Own("xfcc_notes"),
    Own("confirmations"),
    Own("push_browsers", hidden=frozenset({"endpoint"})),
    Own("looks"),
    Own("private_trees"),
    Own("private_notes"),
    Own("sheet_words"),
    Own("quiet_marks"),
    Own("delayed_moves", hidden=frozenset({"key"})),
    Own("inbox"),
    Own("outbox"),
)

_OFFICIAL = (
    "account_entries.by_id", "bulletins.made_by", "bulletins.issued_by", "club_admins.by_id",
    "cup_draws.by_id", "cups.opened_by", "entries.entered_by", "entries.fee_by",
    "entries.proof_by", "entries.decided_by", "entry_lists.leader_id", "entry_lists.opened_by",
    "entry_rulings.by_id", "groups.tl_id", "join_requests.decided_by",
    "league_changes.by_id", "league_divisions.stronger_by",
    "league_divisions.lots_by", "league_grants.by_id", "league_plans.by_id",
    "league_reports.by_id", "league_reserves.asked_by", "league_reserves.decided_by",
    "live_groups.from_by", "live_groups.until_by",
    "member_changes.by_id", "offices.appointed_by", "outage_pauses.by_id",
    "outages.by_id", "past_results.entered_by",
    "past_results.removed_by", "rating_calculations.made_by", "ratings.entered_by",
    "team_entries.entered_by", "team_entries.fee_by", "team_entries.decided_by",
    "team_entry_boards.leave_by", "title_ties.by_id", "titles.entered_by", "titles.removed_by",
    "year_deeds.by_id",
)  # fmt: skip
ELSEWHERE: Mapping[str, str] = {
    "waiting_scans.person_id": OFFICE,
    **dict.fromkeys(_OFFICIAL, OFFICE),
    "games.white_id": IN_GAMES,
    "games.black_id": IN_GAMES,
    "games.to_move_id": IN_GAMES,
    "events.actor_id": IN_GAMES,
    "messages.author_id": IN_GAMES,
    "quiet_messages.author_id": IN_GAMES,
    "league_reserves.replaced_id": ANOTHERS,
    "past_games.white_id": "names a player of the archive, which is public",
    "past_games.black_id": "names a player of the archive, which is public",
    "idempotency.person_id": "answers already given to programs, for their repeats",
}
"""Columns that name a person but are not copied, as ``table.column``, and why."""

Value = str | int | bool | None


async def rows_of(conn: AsyncConnection, own: Own, person_id: int) -> list[dict[str, Value]]:
    """A person's rows in one table, without the hidden columns."""
    table = own.kept
    mine = or_(*(table.c[name] == person_id for name in own.columns))
    query = select(*(table.c[name] for name in own.shown)).where(mine)
    rows = await conn.execute(query.order_by(*table.primary_key.columns))
    return [dict(zip(own.shown, row, strict=True)) for row in rows]


@dataclass(frozen=True, slots=True)
class Kept:
    """A file kept as it came: a mail, a letter as sent, a picture, a paper."""

    folder: str
    name: str
    media_type: str
    octets: bytes


async def files_of(conn: AsyncConnection, person_id: int) -> list[Kept]:
    """A person's mails, letters received, papers in cases and pictures of cards."""
    mail = "message/rfc822"
    came = select(inbox.c.id, inbox.c.raw).where(inbox.c.person_id == person_id)
    went = select(outbox.c.id, outbox.c.raw).where(outbox.c.person_id == person_id)
    papers = select(case_papers.c.id, case_papers.c.media_type, case_papers.c.body)
    papers = papers.where(case_papers.c.person_id == person_id)
    scans = select(cards.c.game_id, cards.c.seq, cards.c.scan_type, cards.c.scan)
    scans = scans.where(cards.c.entered_by == person_id)
    found = [
        *(Kept("mails", str(row[0]), mail, row[1]) for row in await conn.execute(came)),
        *(Kept("letters", str(row[0]), mail, row[1]) for row in await conn.execute(went)),
        *(Kept("papers", str(row[0]), row[1], row[2]) for row in await conn.execute(papers)),
        *(Kept("cards", f"{row[0]}-{row[1]}", row[2], row[3]) for row in await conn.execute(scans)),
    ]
    return [one for one in found if one.octets]
