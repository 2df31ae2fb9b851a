"""What is removed, when and for whom: long after a tournament, after a date, with an account.

And one's own data.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import (
    Column,
    ColumnElement,
    LargeBinary,
    Table,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    tuple_,
    update,
)

from kskak.entries.entry import EntryState
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import PackedColumn
from server.store.entries import OPEN_STATES
from server.store.mail.outbox import OutboxState, end, may_end
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.tables.base import (
    api_tokens,
    confirmations,
    games,
    groups,
    idempotency,
    inbox,
    login_links,
    metadata,
    outbox,
    people,
    seats,
    sessions,
)
from server.store.tables.cases import (
    addresses,
    calendar_keys,
    cards,
    case_papers,
    cases,
    offices,
    publications,
)
from server.store.tables.people import (
    answered_pages,
    delayed_moves,
    follows,
    join_requests,
    looks,
    member_changes,
    members,
    passkey_challenges,
    passkeys,
    preferences,
    private_notes,
    private_trees,
    quiet_marks,
    sheet_words,
    xfcc_keys,
    xfcc_notes,
)
from server.store.tables.tournaments import (
    entries,
    entry_lists,
    league_reserves,
    league_teams,
    team_entries,
)

# What nothing needs any more after an instant: removed by its date, some rows at a time.

AT_ITS_DATE: tuple[Column[int], ...] = (
    login_links.c.expires_us,
    sessions.c.expires_us,
    passkey_challenges.c.expires_us,
    answered_pages.c.expires_us,
)
"""Removed once this instant is past."""
ANSWERS: tuple[Column[int], ...] = (confirmations.c.expires_us, idempotency.c.created_us)
"""Questions and answers, which a repeated request may ask for long after."""


async def has_expired(conn: AsyncConnection, date: Column[int], before_us: int) -> bool:
    """Whether there is anything of that kind to remove."""
    query = select(date).where(date <= before_us).limit(1)
    return (await conn.execute(query)).first() is not None


async def forget_expired(
    conn: AsyncConnection, date: Column[int], before_us: int, most: int
) -> int:
    """Remove at most so many rows whose date is not after an instant; how many there were."""
    table = date.table
    key = tuple(table.primary_key.columns)
    some = select(*key).where(date <= before_us).limit(most)
    return (await conn.execute(delete(table).where(tuple_(*key).in_(some)))).rowcount


# Tournaments as the rules of retention see them: what still goes on in each, and since when not.


@dataclass(frozen=True, slots=True)
class TournamentRetention:
    """A tournament as the retention rules see it; instants in microseconds."""

    name: str
    running: int
    open_cases: int
    last_us: int
    objections_until: str | None


async def tournaments(conn: AsyncConnection) -> tuple[TournamentRetention, ...]:
    """All tournaments, with what is still going on in them."""
    objections = (
        select(groups.c.tournament, func.max(publications.c.objections_until))
        .join(publications, publications.c.group_id == groups.c.id)
        .group_by(groups.c.tournament)
    )
    disputes = (
        select(
            groups.c.tournament,
            func.count() - func.count(cases.c.closed_us),
            func.coalesce(func.max(cases.c.closed_us), 0),
        )
        .join(cases, cases.c.group_id == groups.c.id)
        .group_by(groups.c.tournament)
    )
    counted = (
        select(
            groups.c.tournament,
            func.count() - func.count(games.c.result),
            func.max(func.coalesce(games.c.ended_us, groups.c.created_us)),
        )
        .join(games, games.c.group_id == groups.c.id)
        .group_by(groups.c.tournament)
        .order_by(groups.c.tournament)
    )
    until = {name: str(day) for name, day in await conn.execute(objections)}
    cases_of = {name: (count, last) for name, count, last in await conn.execute(disputes)}
    found = []
    for name, running, last_us in await conn.execute(counted):
        count, closed_us = cases_of.get(name, (0, 0))
        last = max(last_us, closed_us)
        found.append(TournamentRetention(name, running, count, last, until.get(name)))
    return tuple(found)


async def held_back(conn: AsyncConnection, before_us: int) -> tuple[int, ...]:
    """Open cases of tournaments whose last game ended before an instant, by id."""
    last = func.max(func.coalesce(games.c.ended_us, groups.c.created_us))
    over = (
        select(groups.c.tournament)
        .join(games, games.c.group_id == groups.c.id)
        .group_by(groups.c.tournament)
        .having(func.count() == func.count(games.c.result), last < before_us)
    )
    query = (
        select(cases.c.id)
        .join(groups, groups.c.id == cases.c.group_id)
        .where(cases.c.closed_us.is_(None), groups.c.tournament.in_(over))
        .order_by(cases.c.id)
    )
    return tuple((await conn.execute(query)).scalars())


# What is removed long after a tournament: contact data, raw mails, pictures of cards.

REMOVED_DOMAIN = "removed.invalid"
"""The domain that replaces a removed address: mail to it can never be delivered."""


def is_gone(address: str) -> bool:
    """Whether an address stands in for a removed one."""
    return address.endswith(f"@{REMOVED_DOMAIN}")


_RAW_PAPERS = ("mail", "scan")
_RAW_TYPES = ("image/png", "image/jpeg", "application/pdf")
"""Case papers that are raw mails or pictures; letters as sent contain addresses too."""


@dataclass(frozen=True, slots=True)
class Raw:
    """What may be removed and is still there, by id; ``scans`` has the game of each card."""

    mails: tuple[int, ...] = ()
    letters: tuple[int, ...] = ()
    papers: tuple[int, ...] = ()
    scans: tuple[int, ...] = ()

    def portions(self, size: int) -> "Iterator[Raw]":
        """The same in parts of at most so many of each."""
        longest = max(map(len, (self.mails, self.letters, self.papers, self.scans)))
        for at in range(0, longest, size):
            part = slice(at, at + size)
            yield Raw(self.mails[part], self.letters[part], self.papers[part], self.scans[part])


async def raw_of(conn: AsyncConnection, tournaments: Sequence[str]) -> Raw:
    """Raw mails and pictures of some tournaments; pictures of cards show postal addresses."""
    if not tournaments:  # and so on most days; all games would be looked through for none
        return Raw()
    played = select(games.c.id).join(groups, groups.c.id == games.c.group_id)
    played = played.where(groups.c.tournament.in_(tournaments))
    disputed = select(cases.c.id).join(groups, groups.c.id == cases.c.group_id)
    disputed = disputed.where(groups.c.tournament.in_(tournaments))
    is_raw = or_(
        case_papers.c.kind.in_(_RAW_PAPERS),
        case_papers.c.media_type.in_(_RAW_TYPES),
        case_papers.c.outbox_id.is_not(None),
    )
    return Raw(
        await _ids(conn, inbox.c.id, inbox.c.game_id.in_(played), _IN),
        await _ids(conn, outbox.c.id, outbox.c.game_id.in_(played), _MAY_GO),
        await _ids(conn, case_papers.c.id, case_papers.c.case_id.in_(disputed), is_raw, _PAPER),
        await _ids(conn, cards.c.game_id, cards.c.game_id.in_(played), _SCAN),
    )


async def loose_mails(conn: AsyncConnection, before_us: int) -> Raw:
    """Raw mails about no game, received or written before an instant."""
    query = select(inbox.c.id).where(
        inbox.c.game_id.is_(None), inbox.c.received_us < before_us, inbox.c.state != "new", _IN
    )
    mails = await conn.execute(query)
    query = select(outbox.c.id).where(
        outbox.c.game_id.is_(None),
        outbox.c.created_us < before_us,
        outbox.c.state != "queued",
        _MAY_GO,
    )
    letters = await conn.execute(query)
    return Raw(tuple(mails.scalars()), tuple(letters.scalars()))


_IN, _MAY_GO = inbox.c.raw != b"", or_(outbox.c.raw.is_not(None), may_end())
_PAPER, _SCAN = case_papers.c.body.is_not(None), cards.c.scan.is_not(None)


async def _ids(
    conn: AsyncConnection, column: ColumnElement[int], *wanted: ColumnElement[bool]
) -> tuple[int, ...]:
    return tuple((await conn.execute(select(column).where(*wanted))).scalars())


async def forget_raw(conn: AsyncConnection, raw: Raw, now_us: int) -> None:
    """Remove raw mails with their envelopes, letters' rows, and pictures; all else stays."""
    no_mail = {"raw": b"", "mail_from": "", "rcpt_to": "", "peer": "", "note": None}
    for statement in (
        update(inbox).where(inbox.c.id.in_(raw.mails)).values(no_mail),
        update(outbox).where(outbox.c.id.in_(raw.letters)).values(raw=None, to_addr=""),
        update(case_papers)
        .where(case_papers.c.id.in_(raw.papers))
        .values(body=None, removed_us=now_us),
        update(cards).where(cards.c.game_id.in_(raw.scans)).values(scan=None),
    ):
        await conn.execute(statement)
    await close_expired_mails(conn, raw.mails)
    await end(conn, raw.letters)


async def ended_mails(conn: AsyncConnection, before_us: int) -> list[int]:
    """Rows of mails about no game whose text is gone and to which nothing points.

    Those about a game stay with its record, which says how each of its mails was handled; so does
    the newest row, whose number would be given again.
    """
    newest = inbox.alias("newest")
    named = (confirmations.c.inbox_id, case_papers.c.inbox_id)
    found = await conn.execute(
        select(inbox.c.id).where(
            inbox.c.game_id.is_(None),
            inbox.c.received_us < before_us,
            inbox.c.state == "done",
            inbox.c.raw == b"",
            *(~exists().where(column == inbox.c.id) for column in named),
            inbox.c.id != select(func.max(newest.c.id)).scalar_subquery(),
        )
    )
    return list(found.scalars())


async def end_mails(conn: AsyncConnection, ids: Sequence[int]) -> None:
    """Remove such rows."""
    await conn.execute(delete(inbox).where(inbox.c.id.in_(ids)))


async def close_expired_mails(conn: AsyncConnection, mails: Sequence[int]) -> None:
    """Mails that were held, or put aside, till their term was over: they wait for nobody more."""
    waits = inbox.c.state.in_(("held", "shunted"))
    gone = {"state": "done", "outcome": "expired"}
    await conn.execute(update(inbox).where(inbox.c.id.in_(mails), waits).values(gone))


async def idle_people(
    conn: AsyncConnection,
    *,
    kept: Sequence[str],
    seen_us: int,
    left_before: str,
    before_us: int,
    among: Sequence[int] | None = None,
) -> list[int]:
    """Players and captains whose tournaments are all over: no member, no office, no open entry.

    Also former members without a seat who left before a day (ISO), and people who only ever
    entered, if nothing has happened to their entries since ``before_us``. ``kept``: tournaments
    that last, as do groups begun since ``seen_us``. ``among``: only these are looked at.
    """
    lasting = or_(groups.c.tournament.in_(kept), groups.c.created_us >= seen_us)
    entered = select(entries.c.person_id).group_by(entries.c.person_id)
    entered = entered.having(func.max(_last_done) < before_us)
    seat = select(seats.c.person_id).join(groups, groups.c.id == seats.c.group_id)
    leads = exists().where(groups.c.tl_id == people.c.id, lasting)
    # A captain's office is for one team only and ends with its tournament (§ 6.7.2.2).
    kept_groups = select(groups.c.id).where(lasting)
    lasts = or_(offices.c.office != "captain", offices.c.group_id.in_(kept_groups))
    in_office = (offices.c.person_id == people.c.id, offices.c.to_us.is_(None))
    waits = exists().where(entries.c.person_id == people.c.id, entries.c.state.in_(OPEN_STATES))
    enters = (team_entries.c.captain_id == people.c.id, team_entries.c.state.in_(OPEN_STATES))
    captains = select(league_teams.c.captain_id)
    left = select(members.c.person_id).where(members.c.until < left_before)
    stands = or_(members.c.until.is_(None), members.c.until >= left_before)
    member = exists().where(members.c.person_id == people.c.id, members.c.kind != "none", stands)
    query = (
        select(people.c.id)
        .where(or_(*(people.c.id.in_(some) for some in (seat, captains, left, entered))))
        .where(people.c.id.not_in(seat.where(lasting)), ~leads, ~member, ~waits)
        .where(~exists().where(*in_office, lasts), ~exists().where(*enters))
        .where(people.c.role == "player", people.c.email.not_like(f"%@{REMOVED_DOMAIN}"))
        .order_by(people.c.id)
    )
    query = query if among is None else query.where(people.c.id.in_(list(among)))
    return list((await conn.execute(query)).scalars())


_last_done = func.coalesce(entries.c.decided_us, entries.c.fee_us, entries.c.created_us)
"""When an entry was last touched: decided, else its fee paid, else made."""

_VAIN = (EntryState.WITHDRAWN.value, EntryState.REFUSED.value)


async def forget_entry_statements(conn: AsyncConnection, before_us: int) -> None:
    """Remove what withdrawn or refused entries stated before an instant (§ 6.4.4.1).

    Members' entries too: the register keeps their birth date and number while they are members.
    """
    query = (
        update(entries)
        .where(entries.c.state.in_(_VAIN), _last_done < before_us)
        .values(member=None, born=None, proof="")
    )
    await conn.execute(query)


async def forget_reserve_requests(conn: AsyncConnection, before_us: int) -> None:
    """Remove addresses of reserves requested before an instant, never decided on (§ 6.7.4.3)."""
    query = (
        update(league_reserves)
        .where(league_reserves.c.asked_us < before_us, league_reserves.c.email != "")
        .values(email="")
    )
    await conn.execute(query)


async def forget_contacts(conn: AsyncConnection, ids: Sequence[int]) -> None:
    """Remove personal data, membership and credentials; name and ratings stay with the games."""
    if not ids:
        return
    for person_id in ids:
        gone = {"email": f"{person_id}@{REMOVED_DOMAIN}", "birth": None, "member": None}
        await conn.execute(update(people).where(people.c.id == person_id).values(gone))
    stated = update(entries).where(entries.c.person_id.in_(ids))
    await conn.execute(stated.values(member=None, born=None, proof=""))
    own = (
        sessions, login_links, api_tokens, calendar_keys, addresses, members, member_changes,
        preferences, looks, passkeys, xfcc_keys, xfcc_notes, join_requests,
    )  # fmt: skip
    beside = (private_trees, private_notes, sheet_words, quiet_marks, delayed_moves, follows)
    for table in (*own, *beside):
        await conn.execute(delete(table).where(table.c.person_id.in_(ids)))


# What the database holds about a person, table by table: the one list the data copy is made from.

OFFICE = "a deed of an office, about somebody else or the Union: its desk has it"
IN_GAMES = "in the folder of the game, from its ledger"
ANOTHERS = "the row is about somebody else"
SECRET = frozenset({"csrf", "params", "holder", "peer", "message_id", "form_key", "snapshot"})
"""Columns never copied: keys of requests and forms, and facts about our machines only."""


@dataclass(frozen=True, slots=True)
class PersonTable:
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
            if column.name not in hidden and not isinstance(column.type, LargeBinary | PackedColumn)
        )


_COPIED = """
people addresses members member_changes preferences ratings rated_players titles past_results
past_players seats offices club_admins join_requests entries team_entries team_entry_boards
league_teams league_boards league_reserves cup_places cases case_events case_papers sanctions cards
deaths bulletin_readers calendar_keys sessions login_links api_tokens passkeys xfcc_keys xfcc_notes
confirmations push_browsers webhooks looks private_trees private_notes sheet_words quiet_marks
delayed_moves challenges follows inbox outbox
"""
_PERSON = {
    "people": "id",
    "team_entries": "captain_id",
    "league_teams": "captain_id",
    "case_events": "actor_id",
    "challenges": "by_id",
    "cards": "entered_by",
}
"""The column that names the person, where it is not ``person_id``."""
_HIDDEN = {"login_links": "next_path", "push_browsers": "endpoint", "delayed_moves": "key"}
OWN = tuple(
    PersonTable(
        name,
        (_PERSON.get(name, "person_id"),),
        frozenset({_HIDDEN[name]} if name in _HIDDEN else ()),
    )
    for name in _COPIED.split()
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
    "deaths.by_id": OFFICE,
    "challenges.to_id": ANOTHERS,
    "follows.player_id": ANOTHERS,
    "league_reserves.replaced_id": ANOTHERS,
    "past_games.white_id": "names a player of the archive, which is public",
    "past_games.black_id": "names a player of the archive, which is public",
    "idempotency.person_id": "answers already given to programs, for their repeats",
}
"""Columns that name a person but are not copied, as ``table.column``, and why."""

Value = str | int | bool | None


async def own_rows(
    conn: AsyncConnection, own: PersonTable, person_id: int
) -> list[dict[str, Value]]:
    """A person's rows in one table, without the hidden columns."""
    table = own.kept
    mine = or_(*(table.c[name] == person_id for name in own.columns))
    query = select(*(table.c[name] for name in own.shown)).where(mine)
    rows = await conn.execute(query.order_by(*table.primary_key.columns))
    return [dict(zip(own.shown, row, strict=True)) for row in rows]


@dataclass(frozen=True, slots=True)
class PersonFile:
    """A file kept as it came: a mail, a letter as sent, a picture, a paper."""

    folder: str
    name: str
    media_type: str
    octets: bytes


async def files_of(conn: AsyncConnection, person_id: int) -> list[PersonFile]:
    """A person's mails, letters received, papers in cases and pictures of cards."""
    mail = "message/rfc822"
    came = select(inbox.c.id, inbox.c.raw).where(inbox.c.person_id == person_id)
    went = select(outbox.c.id, outbox.c.raw).where(outbox.c.person_id == person_id)
    papers = select(case_papers.c.id, case_papers.c.media_type, case_papers.c.body)
    papers = papers.where(case_papers.c.person_id == person_id)
    scans = select(cards.c.game_id, cards.c.seq, cards.c.scan_type, cards.c.scan)
    scans = scans.where(cards.c.entered_by == person_id)
    found = [
        *(PersonFile("mails", str(row[0]), mail, row[1]) for row in await conn.execute(came)),
        *(PersonFile("letters", str(row[0]), mail, row[1]) for row in await conn.execute(went)),
        *(PersonFile("papers", str(row[0]), row[1], row[2]) for row in await conn.execute(papers)),
        *(
            PersonFile("cards", f"{row[0]}-{row[1]}", row[2], row[3])
            for row in await conn.execute(scans)
        ),
    ]
    return [one for one in found if one.octets]


# What prevents the removal of an account, and the removal itself.

SUBSCRIPTIONS = ("bulletin_readers", "club_admins")
"""Tables whose rows are removed with the account, besides those of ``forget_contacts``."""


@dataclass(frozen=True, slots=True)
class RemovalObstacles:
    """What a person is still needed for. ``objections_until``: an ISO day not yet past."""

    games: tuple[GameRow, ...]
    cases: int
    objections_until: str | None
    offices: int
    entries: int

    @property
    def is_free(self) -> bool:
        """Whether nothing prevents removal."""
        counted = len(self.games) + self.cases + self.offices + self.entries
        return counted == 0 and self.objections_until is None


async def find_removal_obstacles(
    conn: AsyncConnection, person_id: int, today: str, now_us: int
) -> RemovalObstacles:
    """What prevents removal on a day (ISO)."""
    seated = select(seats.c.group_id).where(seats.c.person_id == person_id)
    own = select(games.c.id).where(
        or_(games.c.white_id == person_id, games.c.black_id == person_id)
    )
    about = or_(cases.c.person_id == person_id, cases.c.game_id.in_(own), cases.c.game_id.is_(None))
    disputes = select(func.count()).select_from(cases)
    disputes = disputes.where(cases.c.closed_us.is_(None), cases.c.group_id.in_(seated), about)
    until = select(func.max(publications.c.objections_until)).where(
        publications.c.group_id.in_(seated), publications.c.objections_until >= today
    )
    waits = select(func.count()).select_from(entries)
    waits = waits.where(entries.c.person_id == person_id, entries.c.state.in_(OPEN_STATES))
    teams = select(func.count()).select_from(team_entries)
    teams = teams.where(
        team_entries.c.captain_id == person_id, team_entries.c.state.in_(OPEN_STATES)
    )
    return RemovalObstacles(
        games=await game_rows.list_person_games(conn, person_id, running=True),
        cases=int((await conn.execute(disputes)).scalar_one()),
        objections_until=(await conn.execute(until)).scalar_one(),
        offices=await _offices(conn, person_id, now_us),
        entries=sum([int((await conn.execute(query)).scalar_one()) for query in (waits, teams)]),
    )


async def _offices(conn: AsyncConnection, person_id: int, now_us: int) -> int:
    """Offices held, running games in groups led, open lists led, and a role beyond player."""
    lasts = or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    held = select(func.count()).select_from(offices)
    held = held.where(offices.c.person_id == person_id, lasts)
    led = select(func.count()).select_from(groups.join(games, games.c.group_id == groups.c.id))
    led = led.where(groups.c.tl_id == person_id, games.c.result.is_(None))
    lists = select(func.count()).select_from(entry_lists)
    lists = lists.where(entry_lists.c.leader_id == person_id, entry_lists.c.is_open)
    role = select(func.count()).select_from(people)
    role = role.where(people.c.id == person_id, people.c.role != "player")
    queries = (held, led, lists, role)
    return sum([int((await conn.execute(query)).scalar_one()) for query in queries])


async def remove_account(conn: AsyncConnection, person_id: int) -> None:
    """Remove contact data, mails, credentials and subscriptions; needs one transaction."""
    await forget_contacts(conn, [person_id])
    mine = update(people).where(people.c.id == person_id)
    await conn.execute(mine.values(email_proved_us=None, citizen=None))
    came = update(inbox).where(inbox.c.person_id == person_id)
    await conn.execute(came.values(raw=b"", mail_from="", rcpt_to="", peer="", note=None))
    went = update(outbox).where(outbox.c.person_id == person_id)
    await conn.execute(went.values(raw=None, to_addr="", params="{}"))
    unsent = and_(outbox.c.person_id == person_id, outbox.c.state == OutboxState.QUEUED.value)
    await conn.execute(update(outbox).where(unsent).values(state=OutboxState.DEAD.value))
    reserve = update(league_reserves).where(league_reserves.c.person_id == person_id)
    await conn.execute(reserve.values(email=""))
    kept = [metadata.tables[name] for name in SUBSCRIPTIONS]
    for table in (confirmations, idempotency, *kept):
        await conn.execute(delete(table).where(table.c.person_id == person_id))
