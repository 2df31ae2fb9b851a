"""Reading what a form sends: texts, numbers and ticks; nothing of it is cut.

Not for showing it again with what is wrong (form_faults.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from aiohttp import web

LONGEST = 4000
"""Characters of a message; a line of moves is far shorter."""


class TooLong(Exception):
    """A field holds more than is taken; ``length`` and ``longest`` in characters.

    No frozen value: what passes through a ``with`` is given its traceback anew.
    """

    def __init__(self, name: str, length: int, longest: int) -> None:
        super().__init__(name)
        self.name, self.length, self.longest = name, length, longest


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, as texts."""

    fields: Mapping[str, str]

    def text(self, name: str, longest: int = LONGEST) -> str:
        """A field without the blanks around it; "" if missing.

        Raises TooLong for more than ``longest`` characters: nobody's words are cut unseen.
        """
        text = self.typed(name)
        if len(text) > longest:
            raise TooLong(name, len(text), longest)
        return text

    def typed(self, name: str) -> str:
        """The same however long it is, to be shown again and not to be kept."""
        return self.fields.get(name, "").replace("\r\n", "\n").strip()

    def is_ticked(self, name: str) -> bool:
        """Whether a box was ticked."""
        return bool(self.fields.get(name))

    def number(self, name: str) -> int | None:
        """A whole number, None for anything else."""
        text = self.typed(name)
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None

    def day(self, name: str) -> date | None:
        """A date as the browser's own date field sends it, None for anything else."""
        try:
            return date.fromisoformat(self.typed(name))
        except ValueError:
            return None


FORM = web.RequestKey("form", Form)
"""The form that a request brought, once it was read."""


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
    form = Form({name: value for name, value in sent.items() if isinstance(value, str)})
    request[FORM] = form
    return form


FILES = "/desk/members/files"


MOST_FILE = 4 * 1024 * 1024
"""Octets of a file; some 30 000 members."""
