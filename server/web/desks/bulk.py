"""One deed for the ticked rows of a list: what it will do and who gets which letter, then done.

The preview is a rehearsal (usecases/office/rehearsal.py), so it can't tell anything else than what
happens. A tick carries a mark of the row as it was shown: one that has changed since, or that
somebody else has dealt with, is skipped and said to be. Not for what a deed does: each list has
its own ``Deed``, beside its page.
"""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

from aiohttp import web

from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.usecases.core.offices import NoSuch, NotAllowed
from server.usecases.office.rehearsal import MOST, Refused, done, rehearsed
from server.web.frame.context import core, words
from server.web.frame.form_faults import Fault, Handler, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.pages import page

TICK = "row-"


@dataclass(frozen=True, slots=True)
class Row:
    """A row that the deed can be done to. ``facts``: what it was when it was shown, as text."""

    key: str
    name: str
    facts: str

    @property
    def mark(self) -> str:
        """A digest of the facts."""
        return sha256(self.facts.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Deed:
    """A deed of a list. ``at`` is its own address below its list's, which is ``home``.

    ``rows``: what it can be done to now, by the viewer, asked for again before each row is dealt
    with, so it costs little; ``do`` raises Refused when it is not done.
    ``check`` raises Fault for a field that is missing; ``says``: what becomes of a row besides
    the letters, where that differs from row to row.
    """

    name: str
    at: str
    home: str
    show: Handler
    rows: Callable[[web.Request], Awaitable[Sequence[Row]]]
    do: Callable[[web.Request, Row, Form], Awaitable[None]]
    check: Callable[[web.Request, Form], None] = lambda _, __: None
    fields: tuple[str, ...] = ()
    says: Callable[[web.Request, Row], Awaitable[str]] | None = None
    most: int = MOST
    """Rows at once; fewer where a row takes long."""
    has_all: bool = True
    """Whether all rows may be chosen by one press; not where each is to be looked at."""

    def ticks(self, rows: Iterable[Row]) -> "Ticks":
        """The list's rows, to be ticked on its page."""
        return Ticks(self, {row.key: row for row in rows})

    @property
    def route(self) -> web.RouteDef:
        """The address of the form."""
        return web.post(self.at, partial(_answer, self))


@dataclass(frozen=True, slots=True)
class Ticks:
    """A deed with the rows that it can be done to, by key."""

    deed: Deed
    rows: Mapping[str, Row]


@dataclass(frozen=True, slots=True)
class Told:
    """A ticked row, and the letters that the deed sends for it: who gets which."""

    row: Row
    says: str = ""
    letters: tuple[tuple[str, str], ...] = ()
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class _Sorted:
    """The ticked rows as they are now: those to do, the stale ones, and how many are left over."""

    fresh: list[Row] = field(default_factory=list)
    stale: list[Told] = field(default_factory=list)
    left: int = 0


async def _answer(deed: Deed, request: web.Request) -> web.Response:
    return await stands_on(deed.show)(partial(_shown, deed))(request)


async def _shown(deed: Deed, request: web.Request) -> web.Response:
    form, said = await form_of(request), words(request).words
    step, rows = form.text("step", 10), await deed.rows(request)
    ticks = _ticks(form)
    if step == "all" and deed.has_all:
        ticks = {row.key: (row.mark, row.name) for row in rows}
    if not ticks:
        raise Fault(deed.name, said("bulk.none"))
    deed.check(request, form)
    found = _sorted(ticks, {row.key: row for row in rows}, said("bulk.stale"), deed.most)
    says = [await deed.says(request, row) if deed.says else "" for row in found.fresh]
    is_done = step == "do"
    steps = [partial(_step, deed, request, row, form, is_done) for row in found.fresh]
    carried = await (done if is_done else rehearsed)(core(request), steps)
    names = await _names(request, [letter for one in carried for letter in one.letters])
    told = [
        Told(row, what, _letters(request, it.letters, names), it.refusal)
        for row, what, it in zip(found.fresh, says, carried, strict=True)
    ]
    return page(
        request,
        "desks/bulk.html",
        deed=deed,
        is_done=is_done,
        told=[one for one in told if not one.refusal],
        skipped=[*found.stale, *(one for one in told if one.refusal)],
        left=found.left,
        letters=sum(len(one.letters) for one in carried),
        fields={name: form.typed(name) for name in deed.fields},
        tick=TICK,
    )


def _ticks(form: Form) -> dict[str, tuple[str, str]]:
    """The ticked keys, each with the mark and the name that its row had."""
    found = {}
    for name, value in form.fields.items():
        if name.startswith(TICK):
            mark, _, shown = value.partition(" ")
            found[name.removeprefix(TICK)] = (mark, shown[:200])
    return found


def _sorted(
    ticks: Mapping[str, tuple[str, str]], rows: Mapping[str, Row], why: str, most: int
) -> _Sorted:
    """Ticks whose row is still as it was, up to as many as go at once, and the others."""
    found = _Sorted()
    for key, (mark, name) in ticks.items():
        row = rows.get(key)
        if row is None or row.mark != mark:
            found.stale.append(Told(row or Row(key, name, ""), refusal=why))
        else:
            found.fresh.append(row)
    return _Sorted(found.fresh[:most], found.stale, max(0, len(found.fresh) - most))


async def _step(deed: Deed, request: web.Request, row: Row, form: Form, is_done: bool) -> None:
    """Do it; in earnest only if the row is as it was shown, within the deed's own transaction."""
    said = words(request).words
    if is_done:
        now = {one.key: one.mark for one in await deed.rows(request)}
        if now.get(row.key) != row.mark:
            raise Refused(said("bulk.stale"))
    try:
        await deed.do(request, row, form)
    except (NotAllowed, NoSuch):
        raise Refused(said("bulk.not_yours")) from None


async def _names(request: web.Request, letters: Sequence[NewOutbox]) -> dict[int, str]:
    ids = {letter.person_id for letter in letters if letter.person_id is not None}
    async with core(request).store.read() as conn:
        return {key: one.name for key, one in (await person_rows.by_ids(conn, ids)).items()}


def _letters(
    request: web.Request, letters: Sequence[NewOutbox], names: Mapping[int, str]
) -> tuple[tuple[str, str], ...]:
    """Each recipient with the letters he gets, those of a kind counted."""
    said, found = words(request), defaultdict[str, Counter[str]](Counter)
    for one in letters:
        found[names.get(one.person_id or 0, one.to_addr)][said.letter_kind(one.kind)] += 1
    return tuple(
        (name, ", ".join(f"{kind} ({n})" if n > 1 else kind for kind, n in kinds.items()))
        for name, kinds in found.items()
    )
