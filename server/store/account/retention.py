"""What is removed long after a tournament: contact data, raw mails, pictures of cards.

Events, results and digests stay, so that every hash chain still holds. Not for deciding when
(usecases/desks/retention.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from kskak.entries.admission import EntryState
from server.store.engine.connection import AsyncConnection
from server.store.entries.of_players import OPEN_STATES
from server.store.mail.ended_letters import end, may_end
from server.store.tables.account import passkeys, xfcc_keys, xfcc_notes
from server.store.tables.base import (
    api_tokens,
    confirmations,
    games,
    groups,
    inbox,
    login_links,
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
)
from server.store.tables.entries import entries
from server.store.tables.join_requests import join_requests
from server.store.tables.league import league_reserves, league_teams
from server.store.tables.player import (
    delayed_moves,
    looks,
    preferences,
    private_notes,
    private_trees,
    quiet_marks,
    sheet_words,
)
from server.store.tables.register import member_changes, members
from server.store.tables.team_entries import team_entries

GONE = "removed.invalid"
"""The domain that replaces a removed address: mail to it can never be delivered."""


def is_gone(address: str) -> bool:
    """Whether an address stands in for a removed one."""
    return address.endswith(f"@{GONE}")


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
    await close_expired(conn, raw.mails)
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


async def close_expired(conn: AsyncConnection, mails: Sequence[int]) -> None:
    """Mails that were held, or put aside, till their term was over: they wait for nobody more."""
    waits = inbox.c.state.in_(("held", "shunted"))
    gone = {"state": "done", "outcome": "expired"}
    await conn.execute(update(inbox).where(inbox.c.id.in_(mails), waits).values(gone))


@dataclass(frozen=True, slots=True)
class Idle:
    """Who is idle: ``kept`` are tournaments that last, as are groups begun since ``seen_us``.

    ``left_before``: a day (ISO) before which a member must have left; ``before_us``: an instant
    since which nothing has happened to an entry.
    """

    kept: Sequence[str]
    seen_us: int
    left_before: str
    before_us: int


async def idle_people(
    conn: AsyncConnection, idle: Idle, among: Sequence[int] | None = None
) -> list[int]:
    """Players and captains whose tournaments are all over: no member, no office, no open entry.

    Also former members without a seat who left before a day, and people who only ever entered, if
    nothing has happened to their entries since. ``among``: only these are looked at.
    """
    query = _IDLE if among is None else _IDLE.where(people.c.id.in_(list(among)))
    return list((await conn.execute(query, asdict(idle))).scalars())


def _idle() -> Select[int]:
    """With the fields of ``Idle`` as parameters."""
    kept = bindparam("kept", type_=groups.c.tournament.type, expanding=True)
    left_before = bindparam("left_before", type_=members.c.until.type)
    lasting = or_(
        groups.c.tournament.in_(kept), groups.c.created_us >= bindparam("seen_us", type_=BigInteger)
    )
    entered = select(entries.c.person_id).group_by(entries.c.person_id)
    entered = entered.having(func.max(_last_done) < bindparam("before_us", type_=BigInteger))
    seat = select(seats.c.person_id).join(groups, groups.c.id == seats.c.group_id)
    busy = seat.where(lasting)
    leads = exists().where(groups.c.tl_id == people.c.id, lasting)
    # A captain's office is for one team only and ends with its tournament (§ 6.7.2.2).
    kept_groups = select(groups.c.id).where(lasting)
    lasts = or_(offices.c.office != "captain", offices.c.group_id.in_(kept_groups))
    office = exists().where(
        and_(offices.c.person_id == people.c.id, offices.c.to_us.is_(None), lasts)
    )
    waits = exists().where(entries.c.person_id == people.c.id, entries.c.state.in_(OPEN_STATES))
    enters = exists().where(
        team_entries.c.captain_id == people.c.id, team_entries.c.state.in_(OPEN_STATES)
    )
    captains = select(league_teams.c.captain_id)
    left = select(members.c.person_id).where(members.c.until < left_before)
    stands = or_(members.c.until.is_(None), members.c.until >= left_before)
    member = exists().where(members.c.person_id == people.c.id, members.c.kind != "none", stands)
    return (
        select(people.c.id)
        .where(or_(*(people.c.id.in_(some) for some in (seat, captains, left, entered))))
        .where(people.c.id.not_in(busy), ~leads, ~office, ~member, ~waits, ~enters)
        .where(people.c.role == "player", people.c.email.not_like(f"%@{GONE}"))
        .order_by(people.c.id)
    )


_last_done = func.coalesce(entries.c.decided_us, entries.c.fee_us, entries.c.created_us)
"""When an entry was last touched: decided, else its fee paid, else made."""
_IDLE = _idle()


_VAIN = (EntryState.WITHDRAWN.value, EntryState.REFUSED.value)


async def forget_stated(conn: AsyncConnection, before_us: int) -> None:
    """Remove what withdrawn or refused entries stated before an instant (§ 6.4.4.1).

    Members' entries too: the register keeps their birth date and number while they are members.
    """
    query = (
        update(entries)
        .where(entries.c.state.in_(_VAIN), _last_done < before_us)
        .values(member=None, born=None, proof="")
    )
    await conn.execute(query)


async def forget_asked(conn: AsyncConnection, before_us: int) -> None:
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
        gone = {"email": f"{person_id}@{GONE}", "birth": None, "member": None}
        await conn.execute(update(people).where(people.c.id == person_id).values(gone))
    stated = update(entries).where(entries.c.person_id.in_(ids))
    await conn.execute(stated.values(member=None, born=None, proof=""))
    own = (
        sessions, login_links, api_tokens, calendar_keys, addresses, members, member_changes,
        preferences, looks, passkeys, xfcc_keys, xfcc_notes, join_requests,
    )  # fmt: skip
    beside = (private_trees, private_notes, sheet_words, quiet_marks, delayed_moves)
    for table in (*own, *beside):
        await conn.execute(delete(table).where(table.c.person_id.in_(ids)))
