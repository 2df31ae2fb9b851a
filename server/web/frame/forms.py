"""Parsing forms: texts, numbers and ticks; nothing is truncated.

Not for showing a form again with its faults (below).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import wraps
from urllib.parse import unquote, unquote_to_bytes

from aiohttp import web

from kskak.values import whole_number
from server.web.frame.context import get_words

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
        return whole_number(self.typed(name))

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


async def read_file(request: web.Request, name: str) -> bytes | None:
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


# Invalid forms: the page is shown again with what was typed and the fault beside it.

PROBLEM_STATUS = 422


class FormFault(Exception):
    """A faulty field, with a message for the person who typed it.

    Not frozen: an exception that passes through a ``with`` gets its traceback reassigned.
    """

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name)
        self.name, self.text = name, text


class FormRefusal(Exception):
    """What a form asks for is refused as a whole: the lines that its page shows above all."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(*lines)
        self.lines = tuple(lines)


PROBLEMS = web.RequestKey("problems", tuple[str, ...])
"""Why what the request's form asks for is refused."""
FAULTS = web.RequestKey("faults", dict[str, str])
"""The faults in the request's form, by field."""

Handler = Callable[[web.Request], Awaitable[web.Response]]


@dataclass(frozen=True, slots=True)
class SubmittedForm:
    """The submitted form, as its page shows it again. ``path``: where it was posted."""

    form: Form | None = None
    path: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def is_at(self, action: str) -> bool:
        """Whether the form shown again is the one with this ``action``."""
        return self.form is not None and unquote(action) == self.path

    def kept(self, name: str, stands: object = "", at: str = "") -> object:
        """What was typed in a field; ``stands`` if the form was not sent."""
        if self.form is None or name not in self.form.fields or (at and not self.is_at(at)):
            return stands
        return self.form.typed(name)

    def fault(self, name: str, at: str = "") -> str:
        """What is wrong with a field; "" if nothing."""
        return "" if at and not self.is_at(at) else self.faults.get(name, "")


_NOTHING = SubmittedForm()


def sent_again(request: web.Request, status: int) -> SubmittedForm:
    """The form that a page answers; empty if it was accepted."""
    if status < 400:
        return _NOTHING
    faults, problems = request.get(FAULTS, {}), request.get(PROBLEMS, ())
    return SubmittedForm(request.get(FORM), request.path, faults, problems)


def add_field_fault(request: web.Request, name: str, text: str) -> None:
    """Show a fault beside a field, on a page that the handler builds itself."""
    request[FAULTS] = request.get(FAULTS, {}) | {name: text}


def too_long(request: web.Request, error: TooLong) -> str:
    """The message that a field is too long: its length and the maximum."""
    return get_words(request).words("forms.too_long", length=error.length, longest=error.longest)


def stands_on(page: Handler) -> Callable[[Handler], Handler]:
    """Decorates the handler of a form on ``page``: a fault or refusal is answered with it."""

    def around(handler: Handler) -> Handler:
        @wraps(handler)
        async def answering(request: web.Request) -> web.Response:
            try:
                return await handler(request)
            except TooLong as error:
                add_field_fault(request, error.name, too_long(request, error))
            except FormFault as fault:
                add_field_fault(request, fault.name, fault.text)
            except FormRefusal as refusal:
                request[PROBLEMS] = refusal.lines
            return await page(request)

        return answering

    return around
