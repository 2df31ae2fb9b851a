"""Reading what a form sends: texts, numbers and ticks, never more than a page needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from aiohttp import web

LONGEST = 4000
"""Characters of a message; a line of moves is far shorter."""


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, as texts."""

    fields: Mapping[str, str]

    def text(self, name: str, longest: int = LONGEST) -> str:
        """A field without the blanks around it, cut at ``longest`` characters; "" if missing."""
        return self.fields.get(name, "").replace("\r\n", "\n").strip()[:longest]

    def is_ticked(self, name: str) -> bool:
        """Whether a box was ticked."""
        return bool(self.fields.get(name))

    def number(self, name: str) -> int | None:
        """A whole number, None for anything else."""
        text = self.text(name, 20)
        return int(text) if text.isascii() and text.isdigit() else None

    def day(self, name: str) -> date | None:
        """A date as the browser's own date field sends it, None for anything else."""
        try:
            return date.fromisoformat(self.text(name, 10))
        except ValueError:
            return None


async def file_of(request: web.Request, name: str) -> bytes | None:
    """The octets of a file that came with a form; None when none was chosen."""
    sent = (await request.post()).get(name)
    if not isinstance(sent, web.FileField):
        return None
    with sent.file as file:
        return file.read() or None


async def form_of(request: web.Request) -> Form:
    """The form that was sent; files are left out."""
    sent = await request.post()
    return Form({name: value for name, value in sent.items() if isinstance(value, str)})
