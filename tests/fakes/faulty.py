"""Faulty forms, and what their answers show: what was typed, and the fault beside its field."""

import re
from dataclasses import dataclass, field
from html import unescape

from sqlalchemy import select

from server.store.every_table import metadata
from tests.fakes.site import Site

OWN_TIME = frozenset({"sessions", "looks", "idempotency"})
"""What the look of a page changes by itself, and the answers kept for a second press."""


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
    where = f"{asked.action} {asked.at}"
    if not 400 <= status < 500:
        return [f"{where}: status {status}"]
    fields = [found for form in shown(text, asked.action) if (found := field_in(form, asked.at))]
    if not fields:
        return [f"{where}: {status}, no such field on the page"]
    wrong = [] if any(fault_of(tag, text) for tag, _ in fields) else [f"{where}: nothing beside it"]
    for name in (asked.at, *asked.typed):
        held = [f[1] for form in shown(text, asked.action) if (f := field_in(form, name))]
        if asked.fields.get(name, "").strip() not in held:
            wrong.append(f"{where}: {name} holds {[one[:40] for one in held]}")
    return wrong


async def everything(site: Site) -> dict[str, list[str]]:
    """All that is kept, but for what the look of a page changes."""
    async with site.core.store.read() as conn:
        return {
            table.name: sorted(repr(row) for row in await conn.execute(select(table)))
            for table in metadata.sorted_tables
            if table.name not in OWN_TIME
        }
