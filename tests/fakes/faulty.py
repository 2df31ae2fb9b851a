"""Faulty forms, and what their answers show: what was typed, and the fault beside its field."""

import re
from contextlib import closing
from dataclasses import dataclass, field, replace
from html import unescape

from server.store.engine.sqlite_library import sqlite3
from server.store.tables.base import metadata
from tests.fakes.site import Site

UNPROCESSABLE = 422
OWN_TIME = frozenset({"sessions", "looks", "idempotency", "answered_pages"})
"""What the look of a page changes by itself, and the answers kept for a second press or look."""


@dataclass(frozen=True, slots=True)
class Faulty:
    """Who sends what from which page; ``at`` is the field that is wrong, ``action`` is sent to."""

    who: str
    page: str
    action: str
    at: str
    fields: dict[str, str]
    typed: tuple[str, ...] = ()
    """Fields besides the wrong one whose text has to stand there again."""
    is_above: bool = False
    """No field to be seen is wrong (a stale page, a choice that is none): said above the form."""
    is_foreign: bool = False
    """Somebody else's: forbidden or not found, and nothing is said of it."""


@dataclass(frozen=True, slots=True)
class On:
    """A form: who has it on which page, where it is sent to, and what it is sent with."""

    who: str
    page: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)

    def __call__(self, at: str, text: str, *typed: str, **more: str) -> Faulty:
        """The form with one field that is wrong."""
        fields = self.fields | more | {at: text}
        return Faulty(self.who, self.page, self.action, at, fields, typed)

    def above(self, at: str, text: str, *typed: str, **more: str) -> Faulty:
        """The same with something wrong that no field can be blamed for."""
        return replace(self(at, text, *typed, **more), is_above=True)

    def foreign(self, action: str) -> Faulty:
        """The form sent to where it is not his to send it."""
        return Faulty(self.who, self.page, action, "", self.fields, is_foreign=True)


def shown(text: str, action: str) -> list[str]:
    """The forms of a page that are sent to an address, or all of a page that sends to itself."""
    forms = re.findall(r"<form\b.*?</form>", text, re.DOTALL)
    own = [one for one in forms if f'action="{action}"' in one.partition(">")[0]]
    return own or [one for one in forms if "action=" not in one.partition(">")[0]]


def field_in(form: str, name: str) -> tuple[str, str] | None:
    """A field's start tag and what stands in it; a choice says what is chosen."""
    found = re.search(rf'<(input|textarea|select)\b[^>]*\bname="{name}"[^>]*>', form)
    if found is None:
        return None
    rest = form[found.end() :]
    match found[1]:
        case "textarea":
            held = rest.partition("</textarea>")[0]
        case "select":
            chosen = re.search(r'<option value="([^"]*)" selected', rest.partition("</select>")[0])
            held = chosen[1] if chosen else ""
        case _:
            value = re.search(r'\bvalue="([^"]*)"', found[0])
            held = value[1] if value else ""
    return found[0], unescape(held)


def fault_of(tag: str, text: str) -> str:
    """The text that a field marked as wrong is described by; "" when there is none."""
    if 'aria-invalid="true"' not in tag:
        return ""
    ids = re.search(r'aria-describedby="([^"]*)"', tag)
    for name in ids[1].split() if ids else ():
        found = re.search(rf'<p class="error" id="{re.escape(name)}"[^>]*>([^<]+)</p>', text)
        if found is not None:
            return unescape(found[1]).strip()
    return ""


def complaints(asked: Faulty, status: int, text: str) -> list[str]:
    """What the answer lacks; nothing for a polite one."""
    where = f"{asked.action} {asked.at}={asked.fields.get(asked.at, '')[:20]}"
    if asked.is_foreign:
        return [] if status in (403, 404) else [f"{where}: status {status}"]
    if status != UNPROCESSABLE:
        return [f"{where}: status {status}"]
    if asked.is_above:
        return _not_above(asked, where, text)
    fields = [found for form in shown(text, asked.action) if (found := field_in(form, asked.at))]
    if not fields:
        return [f"{where}: {status}, no such field on the page"]
    wrong = [] if any(fault_of(tag, text) for tag, _ in fields) else [f"{where}: nothing beside it"]
    for name in (asked.at, *asked.typed):
        found = [f for form in shown(text, asked.action) if (f := field_in(form, name))]
        held, value = [one for _, one in found], asked.fields.get(name, "").strip()
        is_no_choice = all(tag.startswith("<select") for tag, _ in found)
        if is_no_choice and f'<option value="{value}"' not in text:
            continue  # a list can't show what it does not have
        if value not in held:
            wrong.append(f"{where}: {name} holds {[one[:40] for one in held]}")
    return wrong


def _not_above(asked: Faulty, where: str, text: str) -> list[str]:
    """What a page lacks that says above its forms what is wrong, with what was typed."""
    alerts = re.findall(r'class="notice wrong"[^>]*>\s*(?:<h2>[^<]*</h2>)?\s*<p>([^<]+)', text)
    alerts += re.findall(r'<p class="error"[^>]*role="alert"[^>]*>([^<]+)', text)
    wrong = [] if any(one.strip() for one in alerts) else [f"{where}: nothing said above"]
    seen = unescape(text)
    lost = (name for name in asked.typed if asked.fields[name].strip() not in seen)
    return wrong + [f"{where}: {name} is lost" for name in lost]


def everything(site: Site) -> dict[str, list[tuple[object, ...]]]:
    """All that is kept, but for what the look of a page changes. SQLite only."""
    path = site.core.store.path
    assert path is not None
    with closing(sqlite3.connect(path)) as conn:
        return {
            name: conn.execute(f"SELECT * FROM {name}").fetchall()
            for name in metadata.tables
            if name not in OWN_TIME
        }
