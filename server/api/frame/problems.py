"""The API's error answers: RFC 9457 problem documents, also for texts that became no command."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
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
from server.usecases.regulation import paragraphs

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "/problems/"


CONFLICT = 409
"""Of most refusals: the request conflicts with the current state."""


class ApiProblemKind(StrEnum):
    """What is wrong with a call, apart from refusals under the regulation (``Reason``)."""

    status: int

    def __new__(cls, name: str, status: int = CONFLICT) -> "ApiProblemKind":
        made = str.__new__(cls, name)
        made._value_, made.status = name, status
        return made

    BAD_JSON = "bad_json", 400
    BAD_FIELDS = "bad_fields", 422
    BAD_KEY = "bad_key", 400
    BAD_MEDIA_TYPE = "bad_media_type", 415
    TOO_LARGE = "too_large", 413
    KEY_REUSED = "key_reused", 422
    UNKNOWN_QUERY = "unknown_query", 422
    NOT_SIGNED_IN = "not_signed_in", 401
    SCOPE = "scope", 403
    FOREIGN_PAGE = "foreign_page", 403
    NO_PROGRAMS = "no_programs", 403
    NOT_FOUND = "not_found", 404
    BAD_METHOD = "bad_method", 405
    TOO_MANY = "too_many", 429
    NOT_UNDERSTOOD = "not_understood", 422
    AMBIGUOUS = "ambiguous", 422
    CONTRADICTION = "contradiction", 422
    WRONG_REPETITION = "wrong_repetition", 422
    WRONG_NUMBER = "wrong_number", 422
    NO_GAMES = "no_games"
    NOT_ALLOWED = "not_allowed", 403
    NO_SUCH = "no_such", 422
    HAS_BEGUN = "has_begun"
    IMPOSSIBLE_FACTS = "impossible_facts", 422
    ENTRY_REFUSED = "entry_refused"
    NOT_SO = "not_so", 422
    NOTHING_TO_DO = "nothing_to_do"
    TEAM_BEGUN = "team_begun"
    RESERVE_REFUSED = "reserve_refused"
    CUP_REFUSED = "cup_refused"
    TIE_REFUSED = "tie_refused"
    CHALLENGE_REFUSED = "challenge_refused"
    UNREAD_LEDGER = "unread_ledger", 503
    UNREAD_CASE = "unread_case", 503
    INTERNAL = "internal", 500
    UNAVAILABLE = "unavailable", 503


AnyKind = ApiProblemKind | Reason | CaseReason
_FORBIDDEN = frozenset({
    CaseReason.NOT_A_PARTY, CaseReason.NOT_YOUR_OFFICE, CaseReason.OWN_GROUP,
    CaseReason.OWN_DECISION,
})  # fmt: skip
_UNPROCESSABLE = frozenset({
    Reason.ILLEGAL, Reason.SERIES, Reason.SERIES_ILLEGAL, Reason.DATES, Reason.DAY_OUTSIDE,
    Reason.CARD_UNDATED, Reason.CARD_UNRECEIVED, Reason.CARD_FUTURE, Reason.CARD_DATES,
    Reason.CARD_LAWFUL, Reason.LEAVE_TOO_SOON, Reason.LEAVE_QUOTA, Reason.LEAVE_ORDER,
    Reason.LEAVE_TOO_LONG, Reason.LEAVE_YEAR, Reason.LEAVE_TOO_FAR, CaseReason.NO_REASONS,
    CaseReason.DATES, CaseReason.OTHER_GAME, CaseReason.OTHER_PERSON, CaseReason.BAD_TERM,
    CaseReason.UNKNOWN_DECISION, CaseReason.FULL, CaseReason.SET_BACK_UNDATED,
    CaseReason.COLOURS_ALONE, CaseReason.RESULT_AND_RESUME, CaseReason.TWO_ANSWERS,
    CaseReason.GAME_DATES, Reason.LEAVE_UNKNOWN, Reason.LEAVE_NOT_SHORTER, Reason.SPECIAL_QUOTA,
})  # fmt: skip
_NUMBERING_PROBLEMS = (ApiProblemKind.WRONG_NUMBER, ApiProblemKind.WRONG_REPETITION)


def status_of(kind: AnyKind) -> int:
    """The HTTP status of a problem."""
    if isinstance(kind, ApiProblemKind):
        return kind.status
    return 403 if kind in _FORBIDDEN else 422 if kind in _UNPROCESSABLE else CONFLICT


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

    @property
    def status(self) -> int:
        """The HTTP status of its answer."""
        return status_of(self.kind)


def build_case_refusal_problem(refusal: CaseRefusal) -> ApiProblem:
    """The problem for a refusal in a case, with its paragraph (§ 6.4.3)."""
    return _of_refusal(refusal, "since", "day", "until", "game", "fee")


def build_refusal_problem(refusal: Refusal) -> ApiProblem:
    """The problem for a refusal by a rule, with its paragraph."""
    return _of_refusal(refusal, "earliest", "latest", "given", "days")


def _of_refusal(refusal: Refusal | CaseRefusal, *members: str) -> ApiProblem:
    """``members``: what else its document says, where the refusal knows it."""
    more: JsonObject = {"paragraph": refusal.paragraph}
    for name in members:
        value: date | int | str | None = getattr(refusal, name)
        if value is not None:
            more[name] = value.isoformat() if isinstance(value, date) else value
    return ApiProblem(refusal.reason, more, refusal=refusal)


def document(problem: ApiProblem, words: Words) -> JsonObject:
    """The problem document in one language."""
    kind = problem.kind
    out: JsonObject = {"type": type_of(kind), "title": _title(kind, words)}
    out |= {"status": status_of(kind), "detail": _detail(problem, words)}
    out |= problem.more
    if (law := paragraphs().get(str(problem.more.get("paragraph")))) is not None:
        out["law"] = f"/regulation/{law.slug}"
    if problem.faults:
        said = problem.values.get("said")
        out["errors"] = [
            {"pointer": place, "code": code, "detail": str(said or words(f"api.field.{code}"))}
            for place, code in problem.faults
        ]
    return out


def _title(kind: AnyKind, words: Words) -> str:
    return words("api.title.case" if isinstance(kind, CaseReason) else f"api.title.{kind}")


def _detail(problem: ApiProblem, words: Words) -> str:
    if isinstance(problem.refusal, CaseRefusal):
        return case_refusal_text(problem.refusal, words)
    if problem.refusal is not None:
        return refusal_text(problem.refusal, words)
    is_none = problem.kind is ApiProblemKind.UNKNOWN_QUERY and not problem.values["lawful"]
    detail = words(f"api.detail.{problem.kind}{'_none' if is_none else ''}", **problem.values)
    meant = problem.values.get("candidates") if problem.kind in _NUMBERING_PROBLEMS else ""
    return f"{detail} {words('api.detail.meant', meant=meant)}" if meant else detail


def explain_problems(words: Words) -> Iterator[tuple[str, int, str, str, str]]:
    """Every problem: the end of its type, status, title, what it means and its paragraph or ""."""
    for kinds in (ApiProblemKind, Reason, CaseReason):
        for kind in kinds:
            texts, law = "api.detail", ""
            if not isinstance(kind, ApiProblemKind):
                texts = "case_refusals" if isinstance(kind, CaseReason) else "refusals"
                law = kind.paragraph
            meaning = re.sub(r"{\w*}", "…", words.texts.get(f"{texts}.{kind.value}", "{}"))
            if meaning.strip() == "…":
                meaning = words("api.page.told")
            name = type_of(kind).removeprefix(TYPE_PREFIX)
            yield name, status_of(kind), _title(kind, words), meaning, law


def answer(problem: ApiProblem, words: Words) -> web.Response:
    """The HTTP answer for a problem."""
    return web.Response(
        status=problem.status,
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
