"""The sections of ``/settings``, and the forms for those that offer a choice.

Every section is in ``SECTIONS``, wherever its page is built: the overview lists them. Those with
``fields`` use the common form here; the others have pages of their own. Not for the available
choices (usecases/core/preferences.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from aiohttp import web

from mail.text.languages import FACTS, LANGUAGES
from mail.text.words import Words
from server.usecases.account import choices
from server.usecases.core.preferences import Preferences, text_of, values_of
from server.web.frame.context import PREFERENCES, core, signed_in, words
from server.web.frame.form_faults import PROBLEM_STATUS, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page
from server.web.frame.words import PageWords

LANG = "lang"


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its name in the catalogue, its path, and the choices in its form."""

    name: str
    path: str
    fields: tuple[str, ...] = ()


SECTIONS = (
    Section("language", "/settings/language", (LANG,)),
    Section("notation", "/settings/notation", ("writing", "reads")),
    Section("letters", "/settings/letters", ("letters", "reminders")),
    Section("board", "/settings/board", ("pieces", "board", "has_coordinates")),
    Section("moves", "/settings/moves", ("undo",)),
    Section("notifications", "/settings/notifications"),
    Section("calendar", "/leave#calendar"),
    Section("access", "/settings/access"),
    Section("data", "/settings/data"),
    Section("address", "/settings#address"),
    Section("own", "/settings#own"),
)
_FORMS = {one.name: one for one in SECTIONS if one.fields}


@dataclass(frozen=True, slots=True)
class Listed:
    """A section in the overview; ``now`` is the current choice, in words."""

    name: str
    path: str
    now: str


@dataclass(frozen=True, slots=True)
class Field:
    """A choice in a form: one of ``values``, or free text if there are none."""

    name: str
    values: tuple[str, ...]
    value: str
    is_faulty: bool


def sections(request: web.Request) -> tuple[Listed, ...]:
    """All sections, with the reader's choices."""
    return _listed(words(request).lang, request[PREFERENCES])


@lru_cache(maxsize=256)
def _listed(lang: str, chosen: Preferences) -> tuple[Listed, ...]:
    """Kept: it depends on these alone, and most have chosen the same."""
    said = PageWords.of(lang, chosen).words
    return tuple(Listed(one.name, one.path, _now(said, chosen, one)) for one in SECTIONS)


def _now(said: Words, chosen: Preferences, section: Section) -> str:
    shown = []
    for name in section.fields:
        values = _values(name)
        value = said.lang if name == LANG else text_of(chosen, name)
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
        return words(request).lang
    return text_of(request[PREFERENCES], name)


def _section(request: web.Request) -> Section:
    return _FORMS[request.match_info["section"]]


async def show(request: web.Request) -> web.Response:
    """A section's form with the current values."""
    signed_in(request)
    now = {name: _value(request, name) for name in _section(request).fields}
    return _form(request, now, ())


def _form(request: web.Request, typed: Mapping[str, str], wrong: tuple[str, ...]) -> web.Response:
    section = _section(request)
    fields = [Field(n, _values(n), typed[n], n in wrong) for n in section.fields]
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
        await choices.speak(core(request), person, sent.pop(LANG))
    if wrong := await choices.keep(core(request), person, sent):
        return _form(request, typed, wrong)
    raise web.HTTPSeeOther(f"{section.path}?done=1")


_PATH = f"/settings/{{section:{'|'.join(_FORMS)}}}"
ROUTES = (web.get(_PATH, show), web.post(_PATH, do))
