"""Parsing forms: texts, numbers and ticks; nothing is truncated.

Not for showing a form again with its faults (form_faults.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import unquote_to_bytes

from aiohttp import web

LONGEST = 4000
"""Characters in a message; a line of moves is far shorter."""


class TooLong(Exception):
    """A field is longer than allowed; ``length`` and ``longest`` in characters.

    Not frozen: an exception that passes through a ``with`` gets its traceback reassigned.
    """

    def __init__(self, name: str, length: int, longest: int) -> None:
        super().__init__(name)
        self.name, self.length, self.longest = name, length, longest


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, as text."""

    fields: Mapping[str, str]

    def text(self, name: str, longest: int = LONGEST) -> str:
        """A field, stripped; "" if missing.

        Raises TooLong for more than ``longest`` characters: nothing is truncated silently.
        """
        text = self.typed(name)
        if len(text) > longest:
            raise TooLong(name, len(text), longest)
        return text

    def typed(self, name: str) -> str:
        """The same at any length, for showing again but not for storing."""
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
"""The request's form, once parsed."""


async def is_text(request: web.Request) -> bool:
    """Whether a form can be read as the UTF-8 that ours are sent in; nothing is guessed.

    A percent-encoded octet that is no UTF-8 would otherwise become a replacement character. A NUL
    character is no text: PostgreSQL keeps none.
    """
    if (request.charset or "utf-8").lower() not in ("utf-8", "utf8"):
        return False
    try:
        sent = await request.post()
        if any("\0" in one for pair in sent.items() for one in pair if isinstance(one, str)):
            return False
        if request.content_type != "multipart/form-data":
            unquote_to_bytes(await request.read()).decode()
    except (ValueError, LookupError):  # not text, or no boundaries between the fields
        return False
    return True


async def file_of(request: web.Request, name: str) -> bytes | None:
    """The octets of a file uploaded with a form; None if none was chosen."""
    sent = (await request.post()).get(name)
    if not isinstance(sent, web.FileField):
        return None
    with sent.file as file:
        return file.read() or None


async def files_of(request: web.Request) -> dict[str, list[bytes]]:
    """The octets of all files uploaded with a form, by the field's name."""
    found: dict[str, list[bytes]] = {}
    for name, sent in (await request.post()).items():
        if isinstance(sent, web.FileField):
            with sent.file as file:
                if data := file.read():
                    found.setdefault(name, []).append(data)
    return found


async def form_of(request: web.Request) -> Form:
    """The submitted form, without files."""
    sent = await request.post()
    form = Form({name: value for name, value in sent.items() if isinstance(value, str)})
    request[FORM] = form
    return form


FILES = "/desk/members/files"


MOST_FILE = 4 * 1024 * 1024
"""The most octets in a file; about 30 000 members."""
