"""The desk for held mails, shunted mails and letters that did not arrive.

For officials and operators. A foreign mail is shown as text and never answered from here. Not for
the mailbox of a server that sends no mail out (below).
"""

import re
from collections.abc import Callable
from datetime import date, timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from functools import partial
from math import ceil
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from aiohttp import web
from markupsafe import Markup, escape

from kskak.regulation.days import local_day
from server.store.engine.rows import from_us
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow
from server.store.mail.outbox import OutboxRow
from server.usecases.desks.readiness import ClockWatch
from server.usecases.mail.mail_desk import MOST as MOST_SHOWN
from server.usecases.mail.mail_desk import act, mail_desk
from server.usecases.mail.release import MailListRequest, ReleaseRefusal, Show
from server.usecases.mail.sort_mail import Act, outcome_text, read_note, reason_text
from server.usecases.office.year import ActionRefusedError
from server.usecases.rights import Rights, rights
from server.web.cases.case_texts import load_case_words
from server.web.desks.bulk_actions import BulkAction, BulkItem
from server.web.frame.context import PageRoutes, core, get_words, is_here, signed_in, viewer
from server.web.frame.forms import Form, form_of
from server.web.frame.page_texts import PageWords
from server.web.frame.pages import page

routes = PageRoutes()

# The built-in mailbox: every stored mail, on a server that sends none out (CONTRACTS).

MOST = 200
LISTED_HEADERS = ("From", "To", "Reply-To", "Date", "Subject")


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


def link_addresses(text: str, public_url: str) -> Markup:
    """A mail's text, with addresses on this site turned into local links."""
    pattern = re.compile(re.escape(public_url) + r"(/[A-Za-z0-9/_?=&.%-]*)")
    parts = pattern.split(text)
    out = [
        Markup('<a href="{0}">{1}{0}</a>').format(part, public_url) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    ]
    return Markup().join(out)


@routes.get("/mailbox")
async def show_mailbox(request: web.Request) -> web.Response:
    """The newest mails."""
    await _only_here(request)
    rows = await core(request).store.query(outbox_rows.newest, MOST)
    mails = [(row, _read(row)) for row in rows]
    return page(request, "desks/mailbox.html", mails=mails, day_of=_day_of(request))


def _day_of(request: web.Request) -> Callable[[int], date]:
    """The server's day of an instant (µs)."""
    zone = core(request).settings.clock.zone
    return lambda us: local_day(from_us(us), zone)


async def _mail(request: web.Request) -> tuple[OutboxRow, EmailMessage]:
    await _only_here(request)
    row = await core(request).store.query(outbox_rows.find, int(request.match_info["mail"]))
    mail = _read(row) if row is not None else None
    if row is None or mail is None:
        raise web.HTTPNotFound
    return row, mail


@routes.get(r"/mailbox/{mail:\d{1,18}}")
async def read(request: web.Request) -> web.Response:
    """One mail: its headers and text."""
    row, mail = await _mail(request)
    body = mail.get_body(preferencelist=("plain",))
    text = body.get_content() if body is not None else ""
    return page(
        request,
        "desks/mail.html",
        id=row.id,
        subject=str(mail["Subject"]),
        headers=[(name, str(mail[name])) for name in LISTED_HEADERS if mail[name]],
        linked=link_addresses(str(text), core(request).settings.web.site),
    )


@routes.get(r"/mailbox/{mail:\d{1,18}}/raw")
async def raw(request: web.Request) -> web.Response:
    """The raw mail, as a download."""
    row, _ = await _mail(request)
    headers = {"Content-Disposition": f'attachment; filename="mail-{row.id}.eml"'}
    return web.Response(body=row.raw, content_type="message/rfc822", headers=headers)


# The desk for held mails, shunted mails and letters that did not arrive.

HOUR = timedelta(hours=1)
LONGEST_TEXT = 1500
"""Characters of a mail to show."""
LONGEST_SEARCH = 100


def _decided(zone: ZoneInfo, said: PageWords, names: dict[int, str], row: InboxRow) -> str:
    """What somebody decided about a mail, and when; "" if nobody has."""
    noted = read_note(row.note)
    if noted.act is None:
        return ""
    at = from_us(noted.at_us).astimezone(zone)
    name = said.t("maildesk.operator") if noted.by is None else names.get(noted.by, "?")
    when = {"day": said.day(at.date()), "time": said.words.time(at)}
    return said.t(f"maildesk.decided.{noted.act.value}", name=name, **when)


async def _official(request: web.Request) -> Rights:
    """Officials and operators (REGULATION, "Authentication": held for an official)."""
    found = await rights(core(request), signed_in(request))
    if not found.sorts_mail:
        raise web.HTTPNotFound
    return found


def _read_request(request: web.Request) -> MailListRequest:
    """The filter, search and page in the address; what is unknown there is left out."""
    query, spoken = request.query, get_words(request).words
    show = query.get("show", "")
    number = query.get("page", "1")
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 7 else 1
    known = Show(show) if show in {one.value for one in Show} else Show.ALL
    return MailListRequest(spoken, known, query.get("q", "")[:LONGEST_SEARCH].strip(), wanted)


@routes.get("/desk/mail")
async def show(request: web.Request) -> web.Response:
    """The mails asked for, and all that waits."""
    held, asked, said = await _official(request), _read_request(request), get_words(request)
    zone = ZoneInfo(core(request).settings.clock.zone)
    found = await mail_desk(core(request), held, asked)
    behind = await ClockWatch().behind_by(core(request)) if held.is_admin else None
    return page(
        request,
        "desks/mail_desk.html",
        d=load_case_words(request),
        rights=held,
        behind=None if behind is None else ceil(behind / HOUR),
        asked=asked,
        shows=list(Show),
        found=found,
        told=await _read_outcome(request),
        ticks=PUT_AWAY.ticks(await _undecided(request)),
        longest=LONGEST_TEXT,
        local=lambda us: from_us(us).astimezone(zone),
        outcome=lambda row: outcome_text(row.state, row.outcome, said.words),
        why=lambda row: reason_text(row.state, row.note, said.words),
        decided=partial(_decided, zone, said, found.names),
        day_of=_day_of(request),
    )


async def _undecided(request: web.Request) -> list[BulkItem]:
    """The mails that can be put away now."""
    await _official(request)
    found = await core(request).store.query(inbox_rows.list_undecided_mails, MOST_SHOWN)
    return [
        BulkItem(str(number), f"{number}: {sender or '–'}", state)
        for number, sender, state in found
    ]


async def _put_away(request: web.Request, row: BulkItem, _: Form) -> None:
    done = await act(core(request), await _official(request), int(row.key), Act.PUT_AWAY)
    if isinstance(done, ReleaseRefusal):
        raise ActionRefusedError(get_words(request).t(f"maildesk.declined.{done.value}"))


PUT_AWAY = BulkAction(
    "mails", "/desk/mail/away", "/desk/mail", show, _undecided, _put_away, has_all=False
)


async def _read_outcome(request: web.Request) -> str:
    """What the press before this page did: read from the row itself, not from the address."""
    query, said = request.query, get_words(request)
    number, letter = query.get("did", ""), query.get("letter", "")
    if query.get("not") in {one.value for one in ReleaseRefusal}:
        return said.t(f"maildesk.declined.{query['not']}")
    async with core(request).store.read() as conn:
        if _is_id(number):
            row = await inbox_rows.find(conn, int(number))
            if row is not None:
                became = outcome_text(row.state, row.outcome, said.words)
                return said.t("maildesk.became", n=row.id, outcome=became)
        if _is_id(letter):
            sent = await outbox_rows.find(conn, int(letter))
            if sent is not None:
                return said.t(f"maildesk.letter_is.{sent.state}", n=sent.id)
    return ""


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


@routes.post(r"/desk/mail/{row:\d{1,18}}")
async def do(request: web.Request) -> web.Response:
    """Release, retry, put away or resend one row, and tell what came of it."""
    held = await _official(request)
    form = await form_of(request)
    try:
        what = Act(form.text("act", 20))
    except ValueError:
        raise web.HTTPBadRequest from None
    row_id = int(request.match_info["row"])
    done = await act(core(request), held, row_id, what, form.number("owner"))
    if done is ReleaseRefusal.UNKNOWN:
        raise web.HTTPNotFound
    back = {name: form.typed(name)[:LONGEST_SEARCH] for name in ("show", "q", "page")}
    back = {name: value for name, value in back.items() if value}
    back["letter" if what is Act.SEND else "did"] = str(row_id)
    if isinstance(done, ReleaseRefusal) and done is not ReleaseRefusal.FIRST:
        back["not"] = done.value
    raise web.HTTPSeeOther(f"/desk/mail?{urlencode(back)}#told")


PUT_AWAY.add_to(routes)
