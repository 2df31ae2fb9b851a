"""What the API says when it does not do what was asked: RFC 9457 problem documents.

A problem's ``type`` is a stable path, ``title`` and ``detail`` are in the caller's language,
``paragraph`` stands where a rule refuses. Not for deciding anything: refusals come from
``kskak``, texts from the catalogues.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from aiohttp import web

from kskak.ledger_out import JsonObject
from kskak.refusals import Reason, Refusal
from mail.words import Words
from mail.writing.answers import refusal_text

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "/problems/"


class Kind(StrEnum):
    """What is wrong with a call, besides what the regulation refuses (``Reason``)."""

    BAD_JSON = "bad_json"
    BAD_FIELDS = "bad_fields"
    BAD_KEY = "bad_key"
    BAD_MEDIA_TYPE = "bad_media_type"
    TOO_LARGE = "too_large"
    KEY_REUSED = "key_reused"
    NOT_SIGNED_IN = "not_signed_in"
    FOREIGN_PAGE = "foreign_page"
    NOT_FOUND = "not_found"
    BAD_METHOD = "bad_method"
    TOO_MANY = "too_many"
    NOT_UNDERSTOOD = "not_understood"
    AMBIGUOUS = "ambiguous"
    CONTRADICTION = "contradiction"
    WRONG_REPETITION = "wrong_repetition"
    WRONG_NUMBER = "wrong_number"
    NO_GAMES = "no_games"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


STATUS: dict[Kind | Reason, int] = {
    Kind.BAD_JSON: 400,
    Kind.BAD_FIELDS: 422,
    Kind.BAD_KEY: 400,
    Kind.BAD_MEDIA_TYPE: 415,
    Kind.TOO_LARGE: 413,
    Kind.KEY_REUSED: 422,
    Kind.NOT_SIGNED_IN: 401,
    Kind.FOREIGN_PAGE: 403,
    Kind.NOT_FOUND: 404,
    Kind.BAD_METHOD: 405,
    Kind.TOO_MANY: 429,
    Kind.NOT_UNDERSTOOD: 422,
    Kind.AMBIGUOUS: 422,
    Kind.CONTRADICTION: 422,
    Kind.WRONG_REPETITION: 422,
    Kind.WRONG_NUMBER: 422,
    Kind.NO_GAMES: 409,
    Kind.INTERNAL: 500,
    Kind.UNAVAILABLE: 503,
    Reason.ILLEGAL: 422,
    Reason.SERIES: 422,
    Reason.SERIES_ILLEGAL: 422,
    Reason.DATES: 422,
    Reason.LEAVE_TOO_SOON: 422,
    Reason.LEAVE_QUOTA: 422,
    Reason.LEAVE_ORDER: 422,
    Reason.LEAVE_TOO_LONG: 422,
    Reason.LEAVE_TOO_FAR: 422,
    Reason.LEAVE_UNKNOWN: 422,
    Reason.LEAVE_NOT_SHORTER: 422,
    Reason.SPECIAL_QUOTA: 422,
}
CONFLICT = 409
"""Every other refusal: what was asked does not fit the game as it stands now."""


def status_of(kind: Kind | Reason) -> int:
    """The HTTP status of a problem."""
    return STATUS.get(kind, CONFLICT)


def type_of(kind: Kind | Reason) -> str:
    """The problem's stable ``type``."""
    return TYPE_PREFIX + kind.value.replace("_", "-")


@dataclass(eq=False)
class Problem(Exception):
    """A call that is answered by a problem document.

    ``values`` fill the places of the text, ``more`` are further members of the document,
    ``faults`` the fields at fault: each a JSON pointer or a name, and a code.
    """

    kind: Kind | Reason
    more: JsonObject = field(default_factory=dict)
    values: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[tuple[str, str]] = ()
    refusal: Refusal | None = None


def refused(refusal: Refusal) -> Problem:
    """The problem of a rule's refusal, with its paragraph."""
    more: JsonObject = {"paragraph": refusal.paragraph}
    if refusal.earliest is not None:
        more["earliest"] = refusal.earliest.isoformat()
    if refusal.days is not None:
        more["days"] = refusal.days
    return Problem(refusal.reason, more, refusal=refusal)


def document(problem: Problem, words: Words) -> JsonObject:
    """The problem document in one language."""
    kind = problem.kind
    out: JsonObject = {
        "type": type_of(kind),
        "title": words(f"api.title.{kind}"),
        "status": status_of(kind),
        "detail": _detail(problem, words),
    }
    out |= problem.more
    if problem.faults:
        out["errors"] = [
            {"pointer": place, "code": code, "detail": words(f"api.field.{code}")}
            for place, code in problem.faults
        ]
    return out


def _detail(problem: Problem, words: Words) -> str:
    if problem.refusal is not None:
        return refusal_text(problem.refusal, words)
    return words(f"api.detail.{problem.kind}", **problem.values)


def answer(problem: Problem, words: Words) -> web.Response:
    """The HTTP answer of a problem."""
    return web.Response(
        status=status_of(problem.kind),
        body=json.dumps(document(problem, words), ensure_ascii=False).encode(),
        content_type=MEDIA_TYPE,
        headers={
            "Cache-Control": "no-store",
            "Content-Language": words.lang,
            "X-Content-Type-Options": "nosniff",
            **problem.headers,
        },
    )
