"""Asking to join: a stranger gives personal data and proves the address (§ 6.1, § 6.4.4.1).

Nobody learns here whether an address is registered: the answer is the same, and a registered one
gets a sign-in link instead. This is the only mail that goes to an address not yet registered. It
is limited: per address, by the number pending in all, and per client (the page's throttle).
Not for what an official does with a request (below).
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.regulation.days import is_birth
from kskak.regulation.editions import Channel
from kskak.values import is_line
from mail.incoming.parse_mail import normal_address
from mail.office_letters.entry_letters import JoinLetter, JoinNews
from server.store import members as member_rows
from server.store import register as register_rows
from server.store.account import sign_in as access
from server.store.engine.connection import SIGNING_IN, AsyncConnection
from server.store.engine.rows import DAY_US
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox, OutboxRow
from server.store.members import OF_CLUB, MemberKind, MemberRow
from server.store.play import people as person_rows
from server.store.play.people import AddressRow, Office, PersonRow, Role
from server.store.register import JoinRow, JoinState
from server.usecases.account import signin
from server.usecases.context import Core, poster_of
from server.usecases.games.outbox_letters import addressless
from server.usecases.letter_facts import NoLetter, Params, loads, number, official, text
from server.usecases.postal.scans import AddressTooLong, tidy
from server.usecases.register.csv_table import ImportProblem, fold_name
from server.usecases.register.member_import import MemberEditRequest, edit_member
from server.usecases.rights import NoSuch, require_register_rights

# The letters about a request to join: their outbox rows, and their facts when they are sent.


def to_asker(core: Core, request_id: int, news: JoinNews, more: Mapping[str, object]) -> NewOutbox:
    """A letter to the address that a request names, which is stored in the request alone."""
    params: dict[str, object] = {"request": request_id, "news": news.value, **more}
    return addressless(poster_of(core), JoinLetter, f"{request_id}.{news.value}", params)


async def _request(core: Core, params: Params) -> JoinRow:
    row = await core.store.query(register_rows.find, number(params, "request"))
    if row is None:
        raise NoLetter("the request is forgotten")
    return row


async def asker(core: Core, letter: OutboxRow) -> PersonRow:
    """The applicant of a letter's request, as the letter's reader. Raises NoLetter."""
    row = await _request(core, Params(letter))
    facts = (None, None, None, None, None, None)
    # Before the address is proved, no words of whoever asked go to it.
    name = row.email if row.state == JoinState.ASKED else row.name
    return PersonRow(0, name, row.email, row.lang, Role.PLAYER, *facts, row.asked_us)


@loads(JoinLetter)
async def _join_letter(core: Core, reader: PersonRow, params: Params) -> JoinLetter:
    """The letter with the facts of its moment. Raises NoLetter."""
    row, news = await _request(core, params), JoinNews(text(params, "news"))
    link = core.url("/desk/join") if news is JoinNews.WAITS else ""
    if news in (JoinNews.CONFIRM, JoinNews.ADMITTED):
        link = text(params, "link")
    asker = reader.name if news is JoinNews.CONFIRM else row.name
    return JoinLetter(reader.name, official(core), news, asker, link, row.reason or "")


# Asking to join: a stranger gives personal data and proves the address (§ 6.1, § 6.4.4.1).

UNPROVED_US = 5 * DAY_US
"""How long a link works; then the request is forgotten."""
DECIDED_US = 30 * DAY_US
"""How long a decided request is kept, in case somebody asks why."""
MOST_OF_ONE = 3
"""Letters to one address before it is proved, within ``UNPROVED_US``; later words replace those of
the newest request, whose link he has."""
MOST_UNPROVED = 2000
"""Requests from all addresses that await their links; the oldest makes room for a new one."""
LONGEST_NAME, LONGEST_CLUB, LONGEST_NUMBER = 80, 120, 16
_BYTES = 24


class JoinFault(StrEnum):
    """What is wrong with a request: the name of its field."""

    NAME = "name"
    EMAIL = "email"
    BORN = "born"
    KIND = "kind"
    CLUB = "club"
    MEMBER = "member"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Joining:
    """What applicants say of themselves. ``address`` is postal and may be empty."""

    name: str
    email: str
    lang: str
    born: date | None
    kind: str
    club: str = ""
    member: str = ""
    address: str = ""


def _is_text(text: str, longest: int) -> bool:
    return bool(text.strip()) and len(text) <= longest and is_line(text)


def find_request_fault(core: Core, asked: Joining) -> JoinFault | None:
    """The first thing that is wrong with a request, if any."""
    email, today = normal_address(asked.email), core.today(core.settings.clock.zone)
    is_ours = asked.email.lower().endswith(f"@{core.settings.mail.domain.lower()}")
    in_club = asked.kind in OF_CLUB
    has_letters = sum(char.isalpha() for char in asked.name) > 1
    checks = (
        (JoinFault.NAME, _is_text(asked.name, LONGEST_NAME) and has_letters),
        (JoinFault.EMAIL, email is not None and not is_ours),
        (JoinFault.BORN, asked.born is not None and is_birth(asked.born, today)),
        (JoinFault.KIND, asked.kind in set(MemberKind)),
        (JoinFault.CLUB, not in_club or _is_text(asked.club, LONGEST_CLUB)),
        (JoinFault.MEMBER, not asked.member or _is_text(asked.member, LONGEST_NUMBER)),
        (JoinFault.ADDRESS, _fits_a_card(asked.address)),
    )
    return next((fault for fault, is_good in checks if not is_good), None)


def _fits_a_card(address: str) -> bool:
    try:
        tidy(address)
    except AddressTooLong:
        return False
    return True


async def ask_to_join(core: Core, asked: Joining) -> JoinFault | None:
    """Store a request and mail its link; return what was wrong, or None.

    None reveals nothing about the address, nor does the time it takes: a registered one gets a
    link to sign in, and one that was written to often enough gets nothing more.
    """
    fault = find_request_fault(core, asked)
    if fault is not None:
        return fault
    email = normal_address(asked.email) or ""
    async with core.store.deciding(SIGNING_IN) as conn:
        person = await person_rows.by_email(conn, email)
        await register_rows.forget_oldest(conn, MOST_UNPROVED)
        is_full = await register_rows.count_unproved_requests(conn, email) >= MOST_OF_ONE
        if person is not None:
            await signin.mail_link(core, conn, person, "/enter")
        else:
            await _keep(core, conn, _new(core, asked, email), is_full=is_full)
    return None


def _new(core: Core, asked: Joining, email: str) -> dict[str, object]:
    """The request as it is stored; ``email`` as from ``normal_address``."""
    in_club = asked.kind in OF_CLUB
    is_member = asked.kind != MemberKind.NONE
    return {
        "email": email,
        "lang": asked.lang,
        "name": " ".join(asked.name.split()),
        "birth": asked.born.isoformat() if asked.born else "",
        "kind": asked.kind,
        "club": asked.club.strip() if in_club else None,
        "member": (asked.member.strip() or None) if is_member else None,
        "address": tidy(asked.address) or None,
        "asked_us": core.now_us,
    }


async def _keep(
    core: Core, conn: AsyncConnection, new: dict[str, object], *, is_full: bool
) -> None:
    """Keep the newest: of an address that has its letters, its words only."""
    if is_full:
        await register_rows.replace_newest(conn, new)
        await outbox_rows.feign(conn, to_asker(core, 0, JoinNews.CONFIRM, {}))
        return
    secret = secrets.token_urlsafe(_BYTES)
    request_id = await register_rows.add(conn, secret, new)
    params: dict[str, object] = {"link": core.url(f"/join/{secret}")}
    await outbox_rows.enqueue(conn, [to_asker(core, request_id, JoinNews.CONFIRM, params)])


def _is_dead(core: Core, row: JoinRow) -> bool:
    return row.state == JoinState.ASKED and row.asked_us <= core.now_us - UNPROVED_US


async def open_request(core: Core, secret: str) -> JoinRow | None:
    """The request of a mailed link, while the link is valid; looking changes nothing."""
    row = await core.store.query(register_rows.by_secret, secret)
    return None if row is None or _is_dead(core, row) else row


async def confirm(core: Core, secret: str) -> JoinRow | None:
    """Prove the address: the controller, else the administrators, are told once. None: no link."""
    async with core.store.write() as conn:
        row = await register_rows.by_secret(conn, secret)
        if row is None or _is_dead(core, row):
            return None
        if row.state == JoinState.ASKED:
            await register_rows.confirm(conn, row, core.now_us)
            poster, params = poster_of(core), {"request": row.id, "news": JoinNews.WAITS.value}
            for person_id in await _admitters(core, conn):
                letter = poster.to_person(JoinLetter, person_id, f"{row.id}.waits", {**params})
                await outbox_rows.enqueue(conn, [letter])
        return await register_rows.find(conn, row.id)


async def _admitters(core: Core, conn: AsyncConnection) -> list[int]:
    """The controller; where there is none yet, the administrators (§ 6.1.2)."""
    standing = await person_rows.list_offices(conn, core.now_us)
    for office, role in ((Office.KC, Role.KC), (Office.ADMIN, Role.ADMIN)):
        found = {row.person_id for row in standing if row.office == office}
        found |= {person.id for person in await person_rows.everybody(conn, role)}
        if found:
            return sorted(found)
    return []


# Requests to join on the officials' desk: matches in the register, and the decision (§ 6.1).

LINK_US = 3 * DAY_US
"""How long the admission letter's link signs in; later the sign-in page gives another."""
MOST_MATCHES = 6


MemberMatch = tuple[MemberRow, tuple[str, ...]]
"""Somebody in the register who may be the applicant, and what agrees."""


@dataclass(frozen=True, slots=True)
class Admission:
    """How a request is granted: as a known member, or as a new one with these facts.

    ``takes_email``: even if the member uses another address; ``reason``: for the register.
    """

    request_id: int
    person_id: int | None
    cells: Mapping[str, str]
    reason: str
    takes_email: bool = False


async def list_waiting_requests(
    core: Core, viewer: PersonRow
) -> list[tuple[JoinRow, list[MemberMatch]]]:
    """The confirmed requests with their possible matches, oldest first.

    Raises NotAllowed unless one may change the register. They contain birth dates, so nobody else
    may look (REGULATION, "Personal data").
    """
    await require_register_rights(core, viewer)
    async with core.store.read() as conn:
        asked = await register_rows.list_confirmed_requests(conn)
        return [(row, await _matches(conn, row)) for row in asked]


async def _matches(conn: AsyncConnection, asked: JoinRow) -> list[MemberMatch]:
    """The likeliest first."""
    words = asked.name.split()
    _, named = await member_rows.search(conn, " ".join((words[0], words[-1])), 0, MOST_MATCHES)
    ids = await register_rows.find_similar_people(conn, asked) | {row.id for row in named}
    found = await member_rows.by_ids(conn, ids)
    matches = [(row, _agreeing(row, asked)) for row in found.values()]
    return sorted(matches, key=lambda match: (-len(match[1]), match[0].name))[:MOST_MATCHES]


def _agreeing(row: MemberRow, asked: JoinRow) -> tuple[str, ...]:
    """What a member and a request have in common."""
    checks = {
        "email": row.email == asked.email,
        "number": bool(asked.member) and row.number == asked.member,
        "birth": asked.birth is not None and row.birth == asked.birth,
        "name": fold_name(row.name) == fold_name(asked.name),
        "club": bool(asked.club) and fold_name(row.club or "") == fold_name(asked.club or ""),
    }
    return tuple(name for name, agrees in checks.items() if agrees)


def new_cells(asked: JoinRow) -> dict[str, str]:
    """A request as the cells of the register's form."""
    names = ("name", "email", "birth", "kind", "club", "lang")
    return {name: getattr(asked, name) or "" for name in names} | {"number": asked.member or ""}


async def admit(core: Core, by: PersonRow, given: Admission) -> JoinRow | tuple[ImportProblem, ...]:
    """Make the applicant a member here and mail a link; the register's problems if it can't be.

    Raises NotAllowed, NoSuch. An earlier decision stands.
    """
    await require_register_rights(core, by)
    async with core.store.read() as conn:
        asked = await register_rows.find(conn, given.request_id)
        if asked is None or asked.state == JoinState.ASKED:
            raise NoSuch("request")
        known = await person_rows.by_email(conn, asked.email)
    if asked.state != JoinState.CONFIRMED:
        return asked
    if known is None:
        cells = dict(given.cells) | {"email": asked.email}
        reason, channel = given.reason, Channel.WEB.value
        takes = given.takes_email
        edit = MemberEditRequest(given.person_id, cells, reason, channel, takes, ends_access=takes)
        done = await edit_member(core, by, edit)
        if done.person_id is None:
            return done.line.problems
    return await _admitted(core, by, given.request_id)


async def _admitted(core: Core, by: PersonRow, request_id: int) -> JoinRow:
    """Write the new member's link and address, and close the request; all or nothing."""
    secret = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        asked = await register_rows.find(conn, request_id, lock=True)
        if asked is None:
            raise NoSuch("request")
        person = await person_rows.by_email(conn, asked.email)
        if asked.state == JoinState.CONFIRMED and person is not None:
            await person_rows.prove_email(conn, person.id, core.now_us)
            if asked.address:
                await person_rows.keep_postal_address(
                    conn, AddressRow(person.id, asked.address, core.now_us)
                )
            await access.add_link(conn, secret, person.id, core.now_us + LINK_US, "/enter")
            await _decide(core, conn, by, asked, JoinState.ADMITTED, person_id=person.id)
            params: dict[str, object] = {"request": asked.id, "news": JoinNews.ADMITTED.value}
            params["link"] = core.url(f"/login/{secret}")
            unique = f"{asked.id}.admitted"
            letter = poster_of(core).to_person(JoinLetter, person.id, unique, params)
            await outbox_rows.enqueue(conn, [letter])
        done = await register_rows.find(conn, request_id)
    assert done is not None
    return done


async def _decide(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: JoinRow, state: JoinState,
    **values: object,
) -> None:  # fmt: skip
    decided = {"state": state.value, "decided_by": by.id, "decided_us": core.now_us}
    await register_rows.decide(conn, asked.id, **decided, **values)


async def decline(core: Core, by: PersonRow, request_id: int, reason: str) -> JoinRow | None:
    """Decline with a reason, which the applicant is mailed; None if the reason is missing.

    Raises NotAllowed, NoSuch. An earlier decision stands.
    """
    await require_register_rights(core, by)
    if not reason.strip():
        return None
    async with core.store.write() as conn:
        asked = await register_rows.find(conn, request_id, lock=True)
        if asked is None or asked.state == JoinState.ASKED:
            raise NoSuch("request")
        if asked.state == JoinState.CONFIRMED:
            await _decide(core, conn, by, asked, JoinState.DECLINED, reason=reason.strip())
            letter = to_asker(core, asked.id, JoinNews.DECLINED, {})
            await outbox_rows.enqueue(conn, [letter])
        done = await register_rows.find(conn, request_id)
    assert done is not None
    return done
