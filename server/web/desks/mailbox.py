"""The built-in mailbox: every stored mail, on a server that sends none out (CONTRACTS).

On a server that sends mail this page does not exist: mails are private to their readers. A mail's
HTML is never shown as our page; the text part is, with its links to this site clickable.
"""

import re
from dataclasses import dataclass
from datetime import date
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from aiohttp import web
from markupsafe import Markup, escape

from kskak.regulation.days import local_day
from server.store.engine.types import from_us
from server.store.mail import outbox
from server.store.mail.outbox import OutboxRow
from server.usecases.core.offices import rights
from server.web.frame.context import core, viewer
from server.web.frame.origin import is_here
from server.web.frame.pages import page

MOST = 200
SHOWN = ("From", "To", "Reply-To", "Date", "Subject")


@dataclass(frozen=True, slots=True)
class Kept:
    """A mail in the list; one not yet composed has its kind as the subject."""

    id: int
    to: str
    subject: str
    day: date
    is_written: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """An opened mail."""

    id: int
    subject: str
    headers: tuple[tuple[str, str], ...]
    linked: Markup


async def _only_here(request: web.Request) -> None:
    """404 unless no mail leaves the machine and the viewer sits at it or administers it.

    The letters contain keys and sign-in links, which a proxy in front must not expose.
    """
    if core(request).settings.mail.out.host:
        raise web.HTTPNotFound
    person = viewer(request)
    if person is not None and (await rights(core(request), person)).is_admin:
        return
    if not is_here(request):
        raise web.HTTPNotFound


def _read(row: OutboxRow) -> EmailMessage | None:
    if row.raw is None:
        return None
    return BytesParser(EmailMessage, policy=policy.default).parsebytes(row.raw)


def linked(text: str, public_url: str) -> Markup:
    """A mail's text, with addresses on this site turned into local links."""
    pattern = re.compile(re.escape(public_url) + r"(/[A-Za-z0-9/_?=&.%-]*)")
    parts = pattern.split(text)
    out = [
        Markup('<a href="{0}">{1}{0}</a>').format(part, public_url) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    ]
    return Markup().join(out)


async def show(request: web.Request) -> web.Response:
    """The newest mails."""
    await _only_here(request)
    async with core(request).store.read() as conn:
        rows = await outbox.newest(conn, MOST)
    zone = core(request).settings.clock.zone
    mails = []
    for row in rows:
        mail = _read(row)
        subject = str(mail["Subject"]) if mail is not None else row.kind
        to = str(mail["To"]) if mail is not None else row.to_addr
        day = local_day(from_us(row.created_us), zone)
        mails.append(Kept(row.id, to, subject, day, mail is not None))
    return page(request, "desks/mailbox.html", mails=mails)


async def _mail(request: web.Request) -> tuple[OutboxRow, EmailMessage]:
    await _only_here(request)
    async with core(request).store.read() as conn:
        row = await outbox.find(conn, int(request.match_info["mail"]))
    mail = _read(row) if row is not None else None
    if row is None or mail is None:
        raise web.HTTPNotFound
    return row, mail


async def read(request: web.Request) -> web.Response:
    """One mail: its headers and text."""
    row, mail = await _mail(request)
    body = mail.get_body(preferencelist=("plain",))
    text = body.get_content() if body is not None else ""
    opened = Opened(
        id=row.id,
        subject=str(mail["Subject"]),
        headers=tuple((name, str(mail[name])) for name in SHOWN if mail[name]),
        linked=linked(str(text), core(request).settings.web.site),
    )
    return page(request, "desks/mail.html", mail=opened)


async def raw(request: web.Request) -> web.Response:
    """The raw mail, as a download."""
    row, _ = await _mail(request)
    headers = {"Content-Disposition": f'attachment; filename="mail-{row.id}.eml"'}
    return web.Response(body=row.raw, content_type="message/rfc822", headers=headers)
