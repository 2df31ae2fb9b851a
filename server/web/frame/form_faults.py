"""Invalid forms: the page is shown again with what was typed and the fault beside it.

A handler raises ``Fault`` before it does anything; ``stands_on`` answers with the form's own page,
whose fields consult ``Sent`` (macros ``wrong`` and ``fault`` in parts.html). Not for parsing a form
(forms.py) or refusals that concern no field.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from urllib.parse import unquote

from aiohttp import web

from server.web.frame.context import words
from server.web.frame.forms import FORM, Form, TooLong

PROBLEM_STATUS = 422


class Fault(Exception):
    """A faulty field, with a message for the person who typed it.

    Not frozen: an exception that passes through a ``with`` gets its traceback reassigned.
    """

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name)
        self.name, self.text = name, text


FAULTS = web.RequestKey("faults", dict[str, str])
"""The faults in the request's form, by field."""

Handler = Callable[[web.Request], Awaitable[web.Response]]


@dataclass(frozen=True, slots=True)
class Sent:
    """The submitted form, as its page shows it again. ``path``: where it was posted."""

    form: Form | None = None
    path: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)

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


_NOTHING = Sent()


def sent_again(request: web.Request, status: int) -> Sent:
    """The form that a page answers; empty if it was accepted."""
    if status < 400:
        return _NOTHING
    return Sent(request.get(FORM), request.path, request.get(FAULTS, {}))


def beside(request: web.Request, name: str, text: str) -> None:
    """Show a fault beside a field, on a page that the handler builds itself."""
    request[FAULTS] = request.get(FAULTS, {}) | {name: text}


def too_long(request: web.Request, error: TooLong) -> str:
    """The message that a field is too long: its length and the maximum."""
    return words(request).words("forms.too_long", length=error.length, longest=error.longest)


def stands_on(page: Handler) -> Callable[[Handler], Handler]:
    """Decorates the handler of a form on ``page``: a fault is answered with that page."""

    def around(handler: Handler) -> Handler:
        @wraps(handler)
        async def answering(request: web.Request) -> web.Response:
            try:
                return await handler(request)
            except TooLong as error:
                beside(request, error.name, too_long(request, error))
            except Fault as fault:
                beside(request, fault.name, fault.text)
            return await page(request)

        return answering

    return around
