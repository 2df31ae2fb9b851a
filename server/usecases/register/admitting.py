"""Requests to join on the officials' desk: matches in the register, and the decision (§ 6.1).

For the controller and the administrators, as the register is. Admitting writes to the register by
its own rules (register/editing.py): a new member, or the address of a known one. A second click
finds the first one's work done. Not for asking (join_requests.py).
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from kskak.regulation.quantities import Channel
from mail.office_letters.join_letters import JoinNews
from server.store.account import ways_in as access
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import DAY_US
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play import postal_addresses as address_rows
from server.store.play.people import PersonRow
from server.store.play.postal_addresses import AddressRow
from server.store.register import join_requests as rows
from server.store.register import members as register_rows
from server.store.register.join_requests import JoinRow, JoinState
from server.store.register.members import MemberRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import NoSuch
from server.usecases.core.outbox_letters import Kind
from server.usecases.register.cells import folded
from server.usecases.register.editing import Edit, edit_member
from server.usecases.register.join_letters import to_asker
from server.usecases.register.report import Slip
from server.usecases.register.views import changing

LINK_US = 3 * DAY_US
"""How long the admission letter's link signs in; later the sign-in page gives another."""
MOST_MATCHES = 6
_BYTES = 24


@dataclass(frozen=True, slots=True)
class Match:
    """Somebody in the register who may be the applicant; ``by`` says what agrees."""

    row: MemberRow
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request with possible matches, the likeliest first."""

    asked: JoinRow
    matches: tuple[Match, ...]


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


async def waiting(core: Core, viewer: PersonRow) -> tuple[Waiting, ...]:
    """The confirmed requests, oldest first. Raises NotAllowed unless one may change the register.

    They contain birth dates, so nobody else may look (REGULATION, "Personal data").
    """
    await changing(core, viewer)
    async with core.store.read() as conn:
        asked = await rows.confirmed(conn)
        return tuple([Waiting(row, await _matches(conn, row)) for row in asked])


async def _matches(conn: AsyncConnection, asked: JoinRow) -> tuple[Match, ...]:
    words = asked.name.split()
    _, named = await register_rows.search(conn, " ".join((words[0], words[-1])), 0, MOST_MATCHES)
    ids = await rows.alike(conn, asked) | {row.id for row in named}
    found = await register_rows.by_ids(conn, ids)
    told = [Match(row, _agreeing(row, asked)) for row in found.values()]
    told.sort(key=lambda match: (-len(match.by), match.row.name))
    return tuple(told[:MOST_MATCHES])


def _agreeing(row: MemberRow, asked: JoinRow) -> tuple[str, ...]:
    """What a member and a request have in common."""
    checks = {
        "email": row.email == asked.email,
        "number": bool(asked.member) and row.number == asked.member,
        "birth": asked.birth is not None and row.birth == asked.birth,
        "name": folded(row.name) == folded(asked.name),
        "club": bool(asked.club) and folded(row.club or "") == folded(asked.club or ""),
    }
    return tuple(name for name, agrees in checks.items() if agrees)


def new_cells(asked: JoinRow) -> dict[str, str]:
    """A request as the cells of the register's form."""
    return {
        "name": asked.name,
        "email": asked.email,
        "birth": asked.birth or "",
        "number": asked.member or "",
        "kind": asked.kind,
        "club": asked.club or "",
        "lang": asked.lang,
    }


async def admit(core: Core, by: PersonRow, given: Admission) -> JoinRow | tuple[Slip, ...]:
    """Make the applicant a member here and mail a link; the register's slips if it can't be.

    Raises NotAllowed, NoSuch. An earlier decision stands.
    """
    await changing(core, by)
    asked, known = await _asked(core, given.request_id)
    if asked.state != JoinState.CONFIRMED:
        return asked
    if known is None:
        cells = dict(given.cells) | {"email": asked.email}
        reason, channel = given.reason, Channel.WEB.value
        takes = given.takes_email
        edit = Edit(given.person_id, cells, reason, channel, takes, ends_access=takes)
        done = await edit_member(core, by, edit)
        if done.person_id is None:
            return done.line.slips
    return await _admitted(core, by, given.request_id)


async def _asked(core: Core, request_id: int) -> tuple[JoinRow, PersonRow | None]:
    async with core.store.read() as conn:
        asked = await rows.find(conn, request_id)
        if asked is None or asked.state == JoinState.ASKED:
            raise NoSuch("request")
        return asked, await person_rows.by_email(conn, asked.email)


async def _admitted(core: Core, by: PersonRow, request_id: int) -> JoinRow:
    """Write the new member's link and address, and close the request; all or nothing."""
    secret = secrets.token_urlsafe(_BYTES)
    async with core.store.write() as conn:
        asked = await rows.find(conn, request_id, lock=True)
        if asked is None:
            raise NoSuch("request")
        person = await person_rows.by_email(conn, asked.email)
        if asked.state == JoinState.CONFIRMED and person is not None:
            await person_rows.prove_email(conn, person.id, core.now_us)
            if asked.address:
                await address_rows.keep(conn, AddressRow(person.id, asked.address, core.now_us))
            await access.add_link(conn, secret, person.id, core.now_us + LINK_US, "/enter")
            await _decide(core, conn, by, asked, JoinState.ADMITTED, person_id=person.id)
            told: dict[str, object] = {"request": asked.id, "news": JoinNews.ADMITTED.value}
            told["link"] = core.url(f"/login/{secret}")
            unique = f"{asked.id}.admitted"
            letter = poster_of(core).to_person(Kind.JOIN, person.id, unique, told)
            await outbox_rows.enqueue(conn, [letter])
        done = await rows.find(conn, request_id)
    assert done is not None
    return done


async def _decide(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: JoinRow, state: JoinState,
    **values: object,
) -> None:  # fmt: skip
    decided = {"state": state.value, "decided_by": by.id, "decided_us": core.now_us}
    await rows.decide(conn, asked.id, **decided, **values)


async def decline(core: Core, by: PersonRow, request_id: int, reason: str) -> JoinRow | None:
    """Decline with a reason, which the applicant is mailed; None if the reason is missing.

    Raises NotAllowed, NoSuch. An earlier decision stands.
    """
    await changing(core, by)
    if not reason.strip():
        return None
    async with core.store.write() as conn:
        asked = await rows.find(conn, request_id, lock=True)
        if asked is None or asked.state == JoinState.ASKED:
            raise NoSuch("request")
        if asked.state == JoinState.CONFIRMED:
            await _decide(core, conn, by, asked, JoinState.DECLINED, reason=reason.strip())
            letter = to_asker(core, asked.id, JoinNews.DECLINED, {})
            await outbox_rows.enqueue(conn, [letter])
        done = await rows.find(conn, request_id)
    assert done is not None
    return done
