"""The API's error answers: RFC 9457 problem documents, also for texts that became no command."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import assert_never

import chess
from aiohttp import web

from kskak.board.notation import MoveError, MoveUnread
from kskak.board.shapes import numeric
from kskak.cases.case import CaseReason, CaseRefusal
from kskak.game.game_commands import Reason, Refusal
from kskak.ledger.ledger_files import JsonObject
from mail.game_letters.no_move_letters import refusal_text
from mail.grammar.keyword_lines import ProblemKind
from mail.office_letters.case_letters import case_refusal_text
from mail.text.catalogue import Words
from server.usecases.play.game_requests import TextProblem

# The API's error answers: RFC 9457 problem documents.

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "/problems/"


class ApiProblemKind(StrEnum):
    """What is wrong with a call, apart from refusals under the regulation (``Reason``)."""

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
    NOT_ALLOWED = "not_allowed"
    NO_SUCH = "no_such"
    HAS_BEGUN = "has_begun"
    IMPOSSIBLE_FACTS = "impossible_facts"
    ENTRY_REFUSED = "entry_refused"
    NOT_SO = "not_so"
    NOTHING_TO_DO = "nothing_to_do"
    TEAM_BEGUN = "team_begun"
    RESERVE_REFUSED = "reserve_refused"
    CUP_REFUSED = "cup_refused"
    TIE_REFUSED = "tie_refused"
    UNREAD_LEDGER = "unread_ledger"
    UNREAD_CASE = "unread_case"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


AnyKind = ApiProblemKind | Reason | CaseReason
STATUS: dict[AnyKind, int] = {
    ApiProblemKind.BAD_JSON: 400,
    ApiProblemKind.BAD_FIELDS: 422,
    ApiProblemKind.BAD_KEY: 400,
    ApiProblemKind.BAD_MEDIA_TYPE: 415,
    ApiProblemKind.TOO_LARGE: 413,
    ApiProblemKind.KEY_REUSED: 422,
    ApiProblemKind.NOT_SIGNED_IN: 401,
    ApiProblemKind.FOREIGN_PAGE: 403,
    ApiProblemKind.NOT_FOUND: 404,
    ApiProblemKind.BAD_METHOD: 405,
    ApiProblemKind.TOO_MANY: 429,
    ApiProblemKind.NOT_UNDERSTOOD: 422,
    ApiProblemKind.AMBIGUOUS: 422,
    ApiProblemKind.CONTRADICTION: 422,
    ApiProblemKind.WRONG_REPETITION: 422,
    ApiProblemKind.WRONG_NUMBER: 422,
    ApiProblemKind.NO_GAMES: 409,
    ApiProblemKind.NOT_ALLOWED: 403,
    ApiProblemKind.NO_SUCH: 422,
    ApiProblemKind.HAS_BEGUN: 409,
    ApiProblemKind.IMPOSSIBLE_FACTS: 422,
    ApiProblemKind.ENTRY_REFUSED: 409,
    ApiProblemKind.NOT_SO: 422,
    ApiProblemKind.UNREAD_LEDGER: 503,
    ApiProblemKind.UNREAD_CASE: 503,
    ApiProblemKind.INTERNAL: 500,
    ApiProblemKind.UNAVAILABLE: 503,
    Reason.ILLEGAL: 422,
    Reason.SERIES: 422,
    Reason.SERIES_ILLEGAL: 422,
    Reason.DATES: 422,
    Reason.DAY_OUTSIDE: 422,
    Reason.CARD_UNDATED: 422,
    Reason.CARD_UNRECEIVED: 422,
    Reason.CARD_FUTURE: 422,
    Reason.CARD_DATES: 422,
    Reason.CARD_LAWFUL: 422,
    Reason.LEAVE_TOO_SOON: 422,
    Reason.LEAVE_QUOTA: 422,
    Reason.LEAVE_ORDER: 422,
    Reason.LEAVE_TOO_LONG: 422,
    Reason.LEAVE_TOO_FAR: 422,
    CaseReason.NOT_A_PARTY: 403,
    CaseReason.NOT_YOUR_OFFICE: 403,
    CaseReason.OWN_GROUP: 403,
    CaseReason.OWN_DECISION: 403,
    CaseReason.NO_REASONS: 422,
    CaseReason.DATES: 422,
    CaseReason.OTHER_GAME: 422,
    CaseReason.OTHER_PERSON: 422,
    CaseReason.BAD_TERM: 422,
    CaseReason.UNKNOWN_DECISION: 422,
    CaseReason.FULL: 422,
    CaseReason.SET_BACK_UNDATED: 422,
    CaseReason.COLOURS_ALONE: 422,
    CaseReason.RESULT_AND_RESUME: 422,
    CaseReason.TWO_ANSWERS: 422,
    CaseReason.GAME_DATES: 422,
    Reason.LEAVE_UNKNOWN: 422,
    Reason.LEAVE_NOT_SHORTER: 422,
    Reason.SPECIAL_QUOTA: 422,
}
_NUMBERING_PROBLEMS = (ApiProblemKind.WRONG_NUMBER, ApiProblemKind.WRONG_REPETITION)
CONFLICT = 409
"""Every other refusal: the request conflicts with the current state."""


def status_of(kind: AnyKind) -> int:
    """The HTTP status of a problem."""
    return STATUS.get(kind, CONFLICT)


def type_of(kind: AnyKind) -> str:
    """The problem's stable ``type``; those of cases have their own prefix."""
    name = kind.value.replace("_", "-")
    return TYPE_PREFIX + (f"case-{name}" if isinstance(kind, CaseReason) else name)


@dataclass(eq=False)
class ApiProblem(Exception):
    """A call that is answered with a problem document.

    ``values`` fill the placeholders of the text, ``more`` are further members of the document,
    ``faults`` the faulty fields: each a JSON pointer or a name, and a code.
    """

    kind: AnyKind
    more: JsonObject = field(default_factory=dict)
    values: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[tuple[str, str]] = ()
    refusal: Refusal | CaseRefusal | None = None


def build_case_refusal_problem(refusal: CaseRefusal) -> ApiProblem:
    """The problem for a refusal in a case, with its paragraph (§ 6.4.3)."""
    return _of_refusal(refusal, "since", "day", "until", "game", "fee")


def build_refusal_problem(refusal: Refusal) -> ApiProblem:
    """The problem for a refusal by a rule, with its paragraph."""
    return _of_refusal(refusal, "earliest", "latest", "given", "days")


def _of_refusal(refusal: Refusal | CaseRefusal, *told: str) -> ApiProblem:
    """``told``: what else its document says, where the refusal knows it."""
    more: JsonObject = {"paragraph": refusal.paragraph}
    for name in told:
        value: date | int | str | None = getattr(refusal, name)
        if value is not None:
            more[name] = value.isoformat() if isinstance(value, date) else value
    return ApiProblem(refusal.reason, more, refusal=refusal)


def document(problem: ApiProblem, words: Words) -> JsonObject:
    """The problem document in one language."""
    kind = problem.kind
    is_case = isinstance(kind, CaseReason)
    out: JsonObject = {
        "type": type_of(kind),
        "title": words("api.title.case" if is_case else f"api.title.{kind}"),
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


def _detail(problem: ApiProblem, words: Words) -> str:
    if isinstance(problem.refusal, CaseRefusal):
        return case_refusal_text(problem.refusal, words)
    if problem.refusal is not None:
        return refusal_text(problem.refusal, words)
    detail = words(f"api.detail.{problem.kind}", **problem.values)
    meant = problem.values.get("candidates") if problem.kind in _NUMBERING_PROBLEMS else ""
    return f"{detail} {words('api.detail.meant', meant=meant)}" if meant else detail


def answer(problem: ApiProblem, words: Words) -> web.Response:
    """The HTTP answer for a problem."""
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


# Problems for texts that did not become a command. Through the API they cost no days.

LONGEST_QUOTE = 60


_UNREAD = {
    ProblemKind.AMBIGUOUS: ApiProblemKind.AMBIGUOUS,
    ProblemKind.NOT_UNDERSTOOD: ApiProblemKind.NOT_UNDERSTOOD,
    ProblemKind.UNSURE: ApiProblemKind.NOT_UNDERSTOOD,
    ProblemKind.DRAW_UNCLEAR: ApiProblemKind.NOT_UNDERSTOOD,
    ProblemKind.CONTRADICTION: ApiProblemKind.CONTRADICTION,
    ProblemKind.WRONG_REPETITION: ApiProblemKind.WRONG_REPETITION,
    ProblemKind.WRONG_NUMBER: ApiProblemKind.WRONG_NUMBER,
}


def unread(problem: TextProblem) -> ApiProblem:
    """The problem for a dispatch's text (§ 6.2.2, § 6.8.4)."""
    fault = problem.problem
    if fault.kind is ProblemKind.ILLEGAL:
        return _refused_text(Reason.ILLEGAL, fault.token)
    if fault.kind is ProblemKind.NOT_YOUR_TURN:
        return build_refusal_problem(Refusal(Reason.NOT_YOUR_TURN))
    has_none = fault.kind in (ProblemKind.NOT_UNDERSTOOD, ProblemKind.CONTRADICTION)
    return _ask_which_move(_UNREAD[fault.kind], fault.token, () if has_none else fault.candidates)


def unread_move(unread: MoveUnread) -> ApiProblem:
    """The problem for a single move's text."""
    match unread.error:
        case MoveError.ILLEGAL:
            return _refused_text(Reason.ILLEGAL, unread.text)
        case MoveError.AMBIGUOUS:
            return _ask_which_move(ApiProblemKind.AMBIGUOUS, unread.text, unread.candidates)
        case MoveError.NOT_UNDERSTOOD:
            return _ask_which_move(ApiProblemKind.NOT_UNDERSTOOD, unread.text)
        case _:
            assert_never(unread.error)


def _refused_text(reason: Reason, text: str) -> ApiProblem:
    problem = build_refusal_problem(Refusal(reason))
    problem.more["text"] = text[:LONGEST_QUOTE]
    return problem


def _ask_which_move(
    kind: ApiProblemKind, text: str, candidates: tuple[chess.Move, ...] = ()
) -> ApiProblem:
    quoted = text[:LONGEST_QUOTE]
    forms = [numeric(move) for move in candidates]
    more: JsonObject = {"text": quoted, "candidates": list(forms)}
    return ApiProblem(kind, more, {"text": quoted, "candidates": ", ".join(forms)})
