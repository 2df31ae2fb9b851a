"""The desk for held mails, shunted mails and dead letters, for officials and operators.

A foreign mail is shown as text and never answered from here. Not for the mailbox of a server
that sends no mail out (mailbox.py).
"""

from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from aiohttp import web

from kskak.regulation.days import local_day
from mail.incoming import inbound
from mail.text.words import Words
from server.store.engine.types import from_us
from server.store.mail.inbox import InboxRow, InboxState
from server.usecases.core.offices import Rights, rights
from server.usecases.desks.readiness import ClockWatch
from server.usecases.mail.mail_desk import Act, act, mail_desk
from server.usecases.mail.sort_mail import why_text
from server.web.cases.words import case_words
from server.web.frame.context import core, signed_in, words
from server.web.frame.forms import form_of
from server.web.frame.pages import page

HOUR = timedelta(hours=1)
LONGEST_TEXT = 1500
"""Characters of a mail to show."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One mail as shown on the desk."""

    id: int
    sender: str
    subject: str
    text: str
    why: str
    day: date


def _waiting(row: InboxRow, zone: str, spoken: Words) -> Waiting:
    mail, note = inbound.parse(row.raw), row.note or ""
    is_failure = row.state == InboxState.SHUNTED and note
    return Waiting(
        id=row.id,
        sender=mail.from_addr or row.mail_from or "?",
        subject=mail.subject,
        text=mail.text[:LONGEST_TEXT],
        why=spoken("held.failure", text=note) if is_failure else why_text(note, spoken),
        day=local_day(from_us(row.received_us), zone),
    )


async def _official(request: web.Request) -> Rights:
    """Officials and operators (REGULATION, "Authentication": held for an official)."""
    found = await rights(core(request), signed_in(request))
    if not found.sorts_mail:
        raise web.HTTPNotFound
    return found


async def show(request: web.Request) -> web.Response:
    """The waiting mails and letters."""
    held = await _official(request)
    zone = core(request).settings.clock.zone
    found, spoken = await mail_desk(core(request)), words(request).words
    behind = await ClockWatch().behind_by(core(request)) if held.is_admin else None
    return page(
        request,
        "desks/mail_desk.html",
        d=case_words(request),
        rights=held,
        behind=None if behind is None else ceil(behind / HOUR),
        held=[_waiting(row, zone, spoken) for row in found.held],
        shunted=[_waiting(row, zone, spoken) for row in found.shunted],
        dead=found.dead,
        day_of=lambda us: local_day(from_us(us), zone),
    )


async def do(request: web.Request) -> web.Response:
    """Retry, discard or resend one row."""
    await _official(request)
    form = await form_of(request)
    try:
        what = Act(form.text("act", 20))
    except ValueError:
        raise web.HTTPBadRequest from None
    await act(core(request), signed_in(request), int(request.match_info["row"]), what)
    raise web.HTTPSeeOther("/desk/mail")
