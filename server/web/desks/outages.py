"""Outages on the desks: proposed pauses, granted or declined; one entered by hand (§ 6.8.5).

404 for those who lead nothing. Not for what a pause does (usecases/reflection/outages.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from zoneinfo import ZoneInfo

from aiohttp import web

from server.store.engine.types import from_us
from server.store.mail.outages import DECLINED, GRANTED, MAIL, PauseRow
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, rights
from server.usecases.reflection import outages
from server.usecases.reflection.outages import MOST_DAYS, SERVER, HandOutage, Settling
from server.web.cases.words import case_words
from server.web.frame.context import core, one_look, signed_in, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page

PAGE = "/desk/outages"
MOST_WORD = 500


@dataclass(frozen=True, slots=True)
class OutageLines:
    """An outage with the pauses that wait; ``own``: those on which the viewer may decide."""

    id: int
    reason: str
    first: datetime
    last: datetime
    rows: tuple[PauseRow, ...]
    own: tuple[PauseRow, ...]

    @property
    def began(self) -> str:
        return f"{self.first:%H.%M}"

    @property
    def ended(self) -> str:
        return f"{self.last:%H.%M}"

    @property
    def games(self) -> int:
        """How many games they would reach."""
        return sum(row.games for row in self.rows)


def lines_of(found: Iterable[PauseRow], held: Rights, zone: str) -> tuple[OutageLines, ...]:
    """What waits, by outage, newest first, its instants in ``zone``."""
    here, out = ZoneInfo(zone), []
    waiting = [row for row in found if row.decision is None]
    for number, some in groupby(waiting, attrgetter("outage_id")):
        rows = tuple(some)
        one, own = rows[0], tuple(row for row in rows if held.speaks_for(row.group_id))
        first, last = (from_us(at).astimezone(here) for at in (one.from_us, one.to_us))
        reason = MAIL if one.is_mail else SERVER
        out.append(OutageLines(number, reason, first, last, rows, own))
    return tuple(out)


async def waiting_on(request: web.Request, held: Rights) -> tuple[OutageLines, ...]:
    """The proposals that a desk shows."""
    found = await outages.proposals(core(request), held)
    return lines_of(found, held, core(request).settings.clock.zone)


async def _held(request: web.Request) -> Rights:
    held = await rights(core(request), signed_in(request))
    if not outages.has_part(held):
        raise web.HTTPNotFound
    return held


@one_look
async def show(request: web.Request) -> web.Response:
    """What waits, what was decided lately, and the form for one entered by hand."""
    held, zone = await _held(request), core(request).settings.clock.zone
    found = await outages.proposals(core(request), held, decided=True)
    return page(
        request,
        "desks/outages.html",
        d=case_words(request),
        rights=held,
        lines=lines_of(found, held, zone),
        decided=[row for row in found if row.decision is not None],
        zone=zone,
    )


@stands_on(show)
async def settle(request: web.Request) -> web.Response:
    """Grant or decline, in a group or in all that are the viewer's."""
    await _held(request)
    form = await form_of(request)
    decision, word, group = (form.text(n, MOST_WORD) for n in ("decision", "word", "group"))
    if decision not in (GRANTED, DECLINED):
        raise web.HTTPBadRequest
    if decision == DECLINED and not word:
        raise Fault("word", words(request).words("outages.fault.word"))
    chosen = (group,) if group else None
    asked = Settling(int(request.match_info["outage"]), decision, word, chosen)
    try:
        await outages.settle(core(request), signed_in(request), asked)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    raise web.HTTPSeeOther(PAGE)


@stands_on(show)
async def enter(request: web.Request) -> web.Response:
    """Record an outage that the server did not notice, and propose its pause."""
    await _held(request)
    form, said = await form_of(request), words(request).words
    first, last = _instant(request, form, "first"), _instant(request, form, "last")
    group = form.text("group", 200)
    reason = MAIL if form.text("what", 10) == MAIL else SERVER
    asked = HandOutage(first, last, reason, (group,) if group else None)
    if why := outages.fault_of(asked, core(request).clock.now()):
        at = "first" if why == "too_long" else "last"
        raise Fault(at, said(f"outages.fault.{why}", most=MOST_DAYS))
    try:
        count = await outages.enter_by_hand(core(request), signed_in(request), asked)
    except (NoSuch, NotAllowed):
        raise Fault("group", said("outages.fault.no_group", group=group)) from None
    if not count:
        raise Fault("last", said("outages.fault.no_day"))
    raise web.HTTPSeeOther(PAGE)


def _instant(request: web.Request, form: Form, name: str) -> datetime:
    """A field's instant in the server's zone. Raises Fault."""
    here = ZoneInfo(core(request).settings.clock.zone)
    now = core(request).clock.now().astimezone(here)
    try:
        found = datetime.fromisoformat(form.text(name, 40))
    except ValueError:
        example = (now - timedelta(days=1)).strftime("%Y-%m-%d %H:%M")
        why = words(request).words("outages.fault.instant", example=example)
        raise Fault(name, why) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=here)


ROUTES = (
    web.get(PAGE, show),
    web.post(PAGE, enter),
    web.post(rf"{PAGE}/{{outage:\d{{1,18}}}}", settle),
)
