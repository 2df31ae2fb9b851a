"""The sections of ``/settings``, and the forms for those that offer a choice.

Every section is in ``SECTIONS``, wherever its page is built: the overview lists them. Those with
``fields`` use the common form here; the others have pages of their own. Not for the available
choices (usecases/preferences.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from aiohttp import web

from kskak.regulation.days import local_day
from mail.text.catalogue import FACTS, LANGUAGES, Words
from server.settings import has_extra
from server.store.account import notifications as browser_rows
from server.store.account.notifications import BrowserRow
from server.store.account.retention import RemovalObstacles
from server.store.engine.rows import from_us
from server.store.play import people as person_rows
from server.usecases.account import notifications, own_data, signin
from server.usecases.account.notifications import BadBrowser
from server.usecases.account.own_data import copy_of
from server.usecases.preferences import Preferences, values_of, write_field
from server.web.account.sign_in import (
    THROTTLE,
    TOO_OFTEN,
    AccountWords,
    browser_of,
    is_fresh,
    load_account_words,
)
from server.web.frame.context import (
    PREFERENCES,
    SESSION,
    PageRoutes,
    SignInNeeded,
    client_address,
    core,
    forget_session,
    get_words,
    signed_in,
)
from server.web.frame.forms import PROBLEM_STATUS, form_of, stands_on
from server.web.frame.page_texts import PageWords
from server.web.frame.pages import page

routes = PageRoutes()

# ``/settings/notifications``: turn notifications on in this browser, or off in any.

NOTIFICATIONS_PATH = "/settings/notifications"


@dataclass(frozen=True, slots=True)
class BrowserView:
    """A browser in the list."""

    id: int
    name: str
    since: date
    last: date | None
    is_here: bool


def _build_browser_view(request: web.Request, row: BrowserRow) -> BrowserView:
    def day(at_us: int) -> date:
        return local_day(from_us(at_us), core(request).settings.clock.zone)

    last = None if row.ok_us is None else day(row.ok_us)
    is_here = row.session == request[SESSION].session.digest
    name = AccountWords(get_words(request).words, core(request).settings.clock.zone).browser(
        row.browser
    )
    return BrowserView(row.id, name, day(row.created_us), last, is_here)


@routes.get(NOTIFICATIONS_PATH)
async def show_notifications(request: web.Request, *, is_bad: bool = False) -> web.Response:
    """The page: an explanation, the button, and the browsers where it is on."""
    person = signed_in(request)
    return page(
        request,
        "account/notifications.html",
        status=PROBLEM_STATUS if is_bad else 200,
        is_bad=is_bad,
        is_offered=has_extra("push"),
        browsers=[
            _build_browser_view(request, row)
            for row in await core(request).store.query(browser_rows.list_person_browsers, person.id)
        ],
    )


@routes.get(f"{NOTIFICATIONS_PATH}/key")
async def show_signing_key(request: web.Request) -> web.Response:
    """The server's public key, for the script: what reads it is 8 MB, too much for each reader."""
    signed_in(request)
    key = notifications.public_text(await notifications.signing_key(core(request)))
    return web.Response(text=key)


@routes.post(NOTIFICATIONS_PATH)
@stands_on(show_notifications)
async def turn_on(request: web.Request) -> web.Response:
    """Enrol this browser with the data its script put into the form."""
    visitor, form = request.get(SESSION), await form_of(request)
    if visitor is None:
        raise SignInNeeded(NOTIFICATIONS_PATH)
    keys = form.text("key", 200), form.text("auth", 200)
    name = browser_of(request)
    try:
        await notifications.enrol(core(request), visitor, form.text("endpoint", 2000), keys, name)
    except BadBrowser:
        return await show_notifications(request, is_bad=True)
    raise web.HTTPSeeOther(NOTIFICATIONS_PATH)


@routes.post(NOTIFICATIONS_PATH + r"/{browser:\d{1,18}}/off")
async def turn_off(request: web.Request) -> web.Response:
    """Turn notifications off in one of one's browsers, from anywhere; 404 for somebody else's."""
    person = signed_in(request)
    browser = int(request.match_info["browser"])
    if not await core(request).store.change(browser_rows.remove, browser, person.id):
        raise web.HTTPNotFound
    raise web.HTTPSeeOther(NOTIFICATIONS_PATH)


# One's own data: what is stored, a copy of it, and removing the account.

DATA_PATH = "/settings/data"


@routes.get(DATA_PATH)
async def show_own_data(
    request: web.Request,
    *,
    where: str = "",
    problem: str = "",
    status: int = 200,
    standing: RemovalObstacles | None = None,
    typed: str = "",
) -> web.Response:
    """The available actions, and what they mean."""
    me, a = signed_in(request), load_account_words(request)
    found = standing or await own_data.find_removal_obstacles(core(request), me)
    return page(
        request,
        "account/own_data.html",
        status=status,
        a=a,
        where=where,
        problem=a(f"problem.{problem}") if problem else "",
        is_fresh=is_fresh(request),
        standing=found,
        groups=sorted({row.name.rpartition("/")[0] for row in found.games}),
        word=a("removal.word"),
        typed=typed,
    )


@routes.post(f"{DATA_PATH}/copy")
async def download_own_data(request: web.Request) -> web.Response:
    """The zip, as a download."""
    me = signed_in(request)
    if not is_fresh(request):
        return await show_own_data(request, where="copy", problem="not_fresh", status=403)
    if not request.app[THROTTLE].allows(client_address(request), core(request).clock.now()):
        return await show_own_data(request, where="copy", problem="too_often", status=TOO_OFTEN)
    data = await copy_of(core(request), me)
    headers = {"Content-Disposition": 'attachment; filename="k-skak.zip"'}
    return web.Response(body=data, content_type="application/zip", headers=headers)


@routes.post(f"{DATA_PATH}/remove")
@stands_on(show_own_data)
async def remove(request: web.Request) -> web.Response:
    """Remove the account, if the word was typed and nobody is waiting for its owner."""
    me, form = signed_in(request), await form_of(request)
    if not is_fresh(request):
        return await show_own_data(request, where="removal", problem="not_fresh", status=403)
    typed = form.text("word", 20)
    if typed.casefold() != load_account_words(request)("removal.word").casefold():
        return await show_own_data(
            request, where="removal", problem="no_word", status=422, typed=typed
        )
    standing = await own_data.remove(core(request), me)
    if standing is not None:
        return await show_own_data(
            request, where="removal", status=409, standing=standing, typed=typed
        )
    response = web.HTTPSeeOther(f"{DATA_PATH}/removed")
    forget_session(request, response)
    raise response


@routes.get(f"{DATA_PATH}/removed")
async def show_removed(request: web.Request) -> web.Response:
    """Confirmation for a person whose account is gone."""
    return page(request, "account/own_data_removed.html", a=load_account_words(request))


# The sections of ``/settings``, and the forms for those that offer a choice.

LANG = "lang"


@dataclass(frozen=True, slots=True)
class PreferenceSection:
    """A section: its name in the catalogue, its path, and the choices in its form."""

    name: str
    path: str
    fields: tuple[str, ...] = ()


SECTIONS = (
    PreferenceSection("language", "/settings/language", (LANG,)),
    PreferenceSection("notation", "/settings/notation", ("writing", "reads")),
    PreferenceSection("letters", "/settings/letters", ("letters", "reminders")),
    PreferenceSection("board", "/settings/board", ("pieces", "board", "has_coordinates")),
    PreferenceSection("moves", "/settings/moves", ("undo", "goes_on")),
    PreferenceSection("notifications", "/settings/notifications"),
    PreferenceSection("calendar", "/leave#calendar"),
    PreferenceSection("access", "/settings/access"),
    PreferenceSection("data", "/settings/data"),
    PreferenceSection("address", "/settings#address"),
    PreferenceSection("own", "/settings#own"),
)
_FORMS = {one.name: one for one in SECTIONS if one.fields}


@dataclass(frozen=True, slots=True)
class PreferenceField:
    """A choice in a form: one of ``values``, or free text if there are none."""

    name: str
    values: tuple[str, ...]
    value: str
    is_faulty: bool


def sections(request: web.Request) -> tuple[tuple[PreferenceSection, str], ...]:
    """All sections, each with the reader's current choice in words."""
    chosen: Preferences = request[PREFERENCES]
    said = PageWords.of(get_words(request).lang, chosen).words
    return tuple((one, _now(said, chosen, one)) for one in SECTIONS)


def _now(said: Words, chosen: Preferences, section: PreferenceSection) -> str:
    shown = []
    for name in section.fields:
        values = _values(name)
        value = said.lang if name == LANG else write_field(chosen, name)
        if len(values) > 1:
            shown.append(value_text(said, name, value))
        elif not values:
            shown.append(said(f"settings.now.{name}", value=value))
    return " · ".join(shown)


def value_text(said: Words, name: str, value: str) -> str:
    """A choice as it is shown; a language by its own name."""
    return FACTS[value].name if name == LANG else said(f"settings.value.{name}-{value}")


def _values(name: str) -> tuple[str, ...]:
    return LANGUAGES if name == LANG else values_of(name)


def _value(request: web.Request, name: str) -> str:
    if name == LANG:
        return get_words(request).lang
    return write_field(request[PREFERENCES], name)


def _section(request: web.Request) -> PreferenceSection:
    return _FORMS[request.match_info["section"]]


_PATH = f"/settings/{{section:{'|'.join(_FORMS)}}}"


@routes.get(_PATH)
async def show(request: web.Request) -> web.Response:
    """A section's form with the current values."""
    signed_in(request)
    now = {name: _value(request, name) for name in _section(request).fields}
    return _form(request, now, ())


def _form(request: web.Request, typed: Mapping[str, str], wrong: tuple[str, ...]) -> web.Response:
    section = _section(request)
    fields = [PreferenceField(n, _values(n), typed[n], n in wrong) for n in section.fields]
    return page(
        request,
        "account/settings_section.html",
        section=section.name,
        # A single option is not a choice.
        fields=[one for one in fields if one.is_faulty or len(one.values) != 1],
        sections=SECTIONS,
        is_done="done" in request.query,
        status=PROBLEM_STATUS if wrong else 200,
    )


@routes.post(_PATH)
@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Store the choices, or show the form again with what was typed and what is wrong."""
    person, section, form = signed_in(request), _section(request), await form_of(request)
    # A field that was not sent, such as one with a single value, is unchanged.
    sent = {name: form.text(name, 100) for name in section.fields if name in form.fields}
    typed = {name: _value(request, name) for name in section.fields} | sent
    if LANG in sent:
        if sent[LANG] not in LANGUAGES:
            return _form(request, typed, (LANG,))
        await core(request).store.change(person_rows.speak, person.id, sent.pop(LANG))
    if wrong := await signin.keep(core(request), person, sent):
        return _form(request, typed, wrong)
    raise web.HTTPSeeOther(f"{section.path}?done=1")
