"""Asking to join: a stranger gives personal data and proves the address (§ 6.1, § 6.4.4.1).

Nobody learns here whether an address is registered: the answer is the same, and a registered one
gets a sign-in link instead. This is the only mail that goes to an address not yet registered. It
is limited: per address, by the number pending in all, and per client (the page's throttle).
Not for what an official does with a request (admitting.py).
"""

import secrets
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.regulation.days import is_birth
from kskak.values.names import is_line
from mail.incoming.address import normal_address
from mail.office_letters.join_letters import JoinNews
from server.store.engine.connection import AsyncConnection
from server.store.engine.turns import SIGNING_IN
from server.store.engine.types import DAY_US
from server.store.mail import outbox as outbox_rows
from server.store.play import offices as office_rows
from server.store.play import people as person_rows
from server.store.play.offices import Office
from server.store.play.people import Role
from server.store.register import join_requests as rows
from server.store.register.join_requests import JoinRow, JoinState, NewJoin
from server.store.register.members import MemberKind
from server.usecases.account import signin
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.postal.addresses import AddressTooLong, tidy
from server.usecases.register.join_letters import to_asker

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


def kept_since(now_us: int) -> tuple[int, int]:
    """The instants since which unproved and decided requests are kept."""
    return now_us - UNPROVED_US, now_us - DECIDED_US


def _is_text(text: str, longest: int) -> bool:
    return bool(text.strip()) and len(text) <= longest and is_line(text)


def _has_letters(name: str) -> bool:
    return sum(char.isalpha() for char in name) > 1


def fault_of(core: Core, asked: Joining) -> JoinFault | None:
    """The first thing that is wrong with a request, if any."""
    email, today = normal_address(asked.email), core.today(core.settings.clock.zone)
    is_ours = asked.email.lower().endswith(f"@{core.settings.mail.domain.lower()}")
    in_club = asked.kind == MemberKind.CLUB
    checks = (
        (JoinFault.NAME, _is_text(asked.name, LONGEST_NAME) and _has_letters(asked.name)),
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
    fault = fault_of(core, asked)
    if fault is not None:
        return fault
    email = normal_address(asked.email) or ""
    async with core.store.deciding(SIGNING_IN) as conn:
        person = await person_rows.by_email(conn, email)
        await rows.forget_oldest(conn, MOST_UNPROVED)
        is_full = await rows.unproved(conn, email) >= MOST_OF_ONE
        if person is not None:
            await signin.mail_link(core, conn, person, "/enter")
        else:
            await _keep(core, conn, _new(core, asked, email), is_full=is_full)
    return None


def _new(core: Core, asked: Joining, email: str) -> NewJoin:
    in_club = asked.kind == MemberKind.CLUB
    is_member = asked.kind != MemberKind.NONE
    return NewJoin(
        email=email,
        lang=asked.lang,
        name=" ".join(asked.name.split()),
        birth=asked.born.isoformat() if asked.born else "",
        kind=asked.kind,
        club=asked.club.strip() if in_club else None,
        member=(asked.member.strip() or None) if is_member else None,
        address=tidy(asked.address) or None,
        asked_us=core.now_us,
    )


async def _keep(core: Core, conn: AsyncConnection, new: NewJoin, *, is_full: bool) -> None:
    """Keep the newest: of an address that has its letters, its words only."""
    if is_full:
        await rows.replace_newest(conn, new)
        await outbox_rows.feign(conn, to_asker(core, 0, JoinNews.CONFIRM, {}))
        return
    secret = secrets.token_urlsafe(_BYTES)
    request_id = await rows.add(conn, new, secret)
    params: dict[str, object] = {"link": core.url(f"/join/{secret}")}
    await outbox_rows.enqueue(conn, [to_asker(core, request_id, JoinNews.CONFIRM, params)])


def _is_dead(core: Core, row: JoinRow) -> bool:
    return row.state == JoinState.ASKED and row.asked_us <= core.now_us - UNPROVED_US


async def open_request(core: Core, secret: str) -> JoinRow | None:
    """The request of a mailed link, while the link is valid; looking changes nothing."""
    async with core.store.read() as conn:
        row = await rows.by_secret(conn, secret)
    return None if row is None or _is_dead(core, row) else row


async def confirm(core: Core, secret: str) -> JoinRow | None:
    """Prove the address: the controller, else the administrators, are told once. None: no link."""
    async with core.store.write() as conn:
        row = await rows.by_secret(conn, secret)
        if row is None or _is_dead(core, row):
            return None
        if row.state == JoinState.ASKED:
            await rows.confirm(conn, row, core.now_us)
            poster, told = poster_of(core), {"request": row.id, "news": JoinNews.WAITS.value}
            for person_id in await _admitters(core, conn):
                letter = poster.to_person(Kind.JOIN, person_id, f"{row.id}.waits", {**told})
                await outbox_rows.enqueue(conn, [letter])
        return await rows.find(conn, row.id)


async def _admitters(core: Core, conn: AsyncConnection) -> list[int]:
    """The controller; where there is none yet, the administrators (§ 6.1.2)."""
    standing = await office_rows.everyone(conn, core.now_us)
    for office, role in ((Office.KC, Role.KC), (Office.ADMIN, Role.ADMIN)):
        found = {row.person_id for row in standing if row.office == office}
        found |= {person.id for person in await person_rows.everybody(conn, role)}
        if found:
            return sorted(found)
    return []
