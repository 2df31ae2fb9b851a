"""Every refusal and problem has words in every channel and each language; none is forgotten."""

import importlib
import pkgutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import product

import chess
import pytest

import kskak
import mail
import server
from kskak.archive import pgn_in
from kskak.board import analysis_tree
from kskak.board.notation import MoveError, MoveUnread
from kskak.cases import refusals as case_refusals
from kskak.cup import refusals as cup_refusals
from kskak.entries import admission
from kskak.entries import emt_groups as groups
from kskak.entries import entry as entries
from kskak.game import refusals
from kskak.game.refusals import PARAGRAPH, Reason, Refusal
from kskak.league import lineup, reserves
from kskak.league import team_entry as team_entries
from kskak.office import books, books_csv, year_faults
from kskak.play import contradictions as misfits
from kskak.play.evolve import open_game
from kskak.play.state import Terms
from kskak.regulation import quantities
from kskak.regulation.quantities import Regulation
from mail.game_letters.facts import NotMade, Trouble
from mail.game_letters.not_made import not_made, refusal_text
from mail.grammar.understood import Problem, ProblemKind, Reading
from mail.office_letters.cases import case_refusal_text
from mail.outgoing.envelope import Envelope
from mail.samples.cast import EVENTS, GAME, acc
from mail.text.facts import move_texts
from mail.text.languages import LANGUAGES
from mail.text.words import Words
from server.api.frame import problems as api
from server.api.frame.texts import unread as by_api
from server.api.frame.texts import unread_move
from server.usecases.archive import search_form
from server.usecases.cup import opening as cup_opening
from server.usecases.entries import lists as entry_lists
from server.usecases.entries import past_results
from server.usecases.play import quiet_thread
from server.usecases.play.reading import TextProblem
from server.usecases.postal import scans
from server.usecases.register import join_requests
from server.usecases.results import titles
from server.web.frame.move_problems import problem_text
from server.web.frame.words import PageWords
from server.xfcc import results as xfcc

STATE = open_game(Terms("G/1", Regulation.EMAIL, date(2026, 9, 1), "W", "B", None, 2018))
MOVES = (chess.Move.from_uci("e2e4"), chess.Move.from_uci("d2d4"))
ENVELOPE = Envelope(
    sender_name="K-skak",
    sender="parti@skak.example.org",
    to_name="Bo Berg",
    to="bo@example.org",
    message_id="<1@skak.example.org>",
    date=datetime(2026, 9, 1, tzinfo=UTC),
    bounce_to="parti+b-abcdefgh@skak.example.org",
    loop="skak.example.org",
)
FAMILIES: dict[type[StrEnum], tuple[str, ...]] = {
    admission.EntryProblem: ("entries.fault.{}", "entries.remedy.{}"),
    entries.EntryFault: ("entries.fault.{}", "entries.remedy.{}"),
    books.EntryFault: ("economy.fault.{}",),
    books_csv.RowFault: ("economy.fault.{}",),
    cup_refusals.CupProblem: ("cup.problem.{}",),
    cup_refusals.TieProblem: ("cup.tie.problem.{}",),
    misfits.Misfit: ("misfits.{}",),
    pgn_in.PgnFault: ("history.slip.{}",),
    reserves.ReserveFault: ("league.fault.{}",),
    team_entries.TeamFault: ("teams.fault.{}",),
    year_faults.Fault: ("year.fault.{}",),
    quantities.Fault: ("statement.reason.{}",),
    search_form.Fault: ("finding.fault.{}",),
    analysis_tree.TreeFault: ("private.fault.{}",),
    quiet_thread.ThreadFault: ("thread.fault.{}",),
    scans.ScanFault: ("cards.scan_fault.{}",),
    entry_lists.ListFault: ("entries.list_fault.{}",),
    past_results.ResultFault: ("entries.result_fault.{}",),
    titles.TitleFault: ("cup.title_fault.{}",),
    join_requests.JoinFault: ("join.fault.{}",),
    cup_opening.CupFault: ("cup.fault.{}",),
    refusals.Reason: ("refusals.{}", "web.refusal.{}", "api.title.{}"),
    case_refusals.CaseReason: ("case_refusals.{}",),
    api.Kind: ("api.title.{}", "api.detail.{}"),
    Trouble: ("letters.trouble.{}", "letters.trouble_untold.{}"),
}
"""The keys of a closed set of reasons, as every channel that shows it builds them."""
NEVER_SAID = (
    quantities.Fault.AMBIGUOUS,  # costs nothing, so it never stands in an account
    quantities.Fault.DAMAGED_IN_POST,  # the same
)
ELSEWHERE = {
    lineup.LineupFault: "the files of the command line, in English (league_file); pages: crooked",
    ProblemKind: "below",
    MoveError: "below",
    groups.StartFault: "the file of the command line, in English (group_judging)",
}


def _reasons_in_code() -> set[type[StrEnum]]:
    """Every closed set whose name says that it says why not."""
    names = ("Problem", "Reason", "Fault", "Trouble", "Misfit", "ProblemKind", "MoveError")
    found: set[type[StrEnum]] = set()
    for room in (kskak, mail, server):
        for one in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if one.name.endswith("__main__"):
                continue
            module = importlib.import_module(one.name)
            for value in vars(module).values():
                is_set = isinstance(value, type) and issubclass(value, StrEnum)
                if is_set and value.__module__ == one.name and value.__name__.endswith(names):
                    found.add(value)
    return found


def test_no_closed_set_of_reasons_is_forgotten_here():
    apart = {
        "kskak.league.composition.Reason",
        "kskak.regulation.quantities.PauseReason",
    }  # reasons for, not against
    unknown = _reasons_in_code() - FAMILIES.keys() - ELSEWHERE.keys()
    assert {f"{one.__module__}.{one.__name__}" for one in unknown} <= apart


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("reasons", FAMILIES, ids=lambda one: f"{one.__module__}.{one.__name__}")
def test_every_member_of_a_set_has_its_words(reasons: type[StrEnum], lang: str):
    words = Words.load(lang)
    for member in (one for one in reasons if one not in NEVER_SAID):
        for family in FAMILIES[reasons]:
            assert family.format(member.value) in words or _is_refusal(reasons, member, family)


def _is_refusal(reasons: type[StrEnum], member: StrEnum, family: str) -> bool:
    """A rule's refusal has its detail from the rule, whichever set names it."""
    return reasons is api.Kind and family == "api.detail.{}" and member.value in set(Reason)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_is_said_by_mail_page_api_and_to_a_chess_program(reason: Reason, lang: str):
    refusal = Refusal(reason, date(2026, 9, 7), 3)
    words = Words.load(lang)
    said = (
        refusal_text(refusal, words),
        PageWords.of(lang).refusal(refusal),
        str(api.document(api.refused(refusal), words)["detail"]),
        _by_mail(NotMade(GAME, acc(*EVENTS[:3]), acc(*EVENTS[:3]).state.mover, refusal), words),
    )
    for text in said:
        assert text.strip() and "{" not in text
    assert f"§ {PARAGRAPH[reason]}" in said[0]
    assert xfcc.refused(reason, STATE) is not xfcc.Made.SUCCESS


def _by_mail(letter: NotMade, words: Words) -> str:
    written = not_made(letter, words, ENVELOPE)
    return "\n".join(str(getattr(block, "text", "")) for block in written.blocks)


def _found(kind: ProblemKind) -> Iterator[TextProblem]:
    """A problem with all that may go with it."""
    for meant, token, is_known in product(range(3), ("10. Te1", "0Te1", ""), (False, True)):
        yield TextProblem(Problem(kind, token, MOVES[:meant], is_known), Reading())
    for rest, series in (("remis", ""), ("0x", ""), ("Sf6", "e4 0Sf6"), ("Sf6", "")):
        yield TextProblem(Problem(kind, "Sf6"), Reading(), "e4", rest, series)
    yield TextProblem(Problem(kind, "0Sf6"), Reading(MOVES[:1]))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ProblemKind)
def test_a_problem_is_said_by_page_api_and_to_a_chess_program(kind: ProblemKind, lang: str):
    words = Words.load(lang)
    for problem in _found(kind):
        _is_said(problem, words)


def _is_said(problem: TextProblem, words: Words) -> None:
    said = problem_text(PageWords.of(words.lang), STATE, problem)
    document = api.document(by_api(problem), words)
    for text in (said, str(document["detail"]), str(document["title"])):
        assert text.strip() and "{" not in text
    made = xfcc.unread(problem.problem.kind)
    assert made is not xfcc.Made.SUCCESS
    for key in ("xfcc.info.ambiguous", "xfcc.info.no_move"):
        assert key in words


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ProblemKind)
@pytest.mark.parametrize("count", range(3))
def test_a_problem_is_said_by_mail(kind: ProblemKind, lang: str, count: int):
    account, words = acc(*EVENTS[:3]), Words.load(lang)
    meant = tuple(
        move_texts(account.state.board, (move,))[0]
        for move in list(account.state.board.legal_moves)[:count]
    )
    for written in ("10. Te1", None):
        letter = NotMade(GAME, account, account.state.mover, Trouble(kind.value), written, meant)
        said = _by_mail(letter, words)
        assert "{" not in said
        assert written is None or kind is ProblemKind.CONTRADICTION or written in said


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("error", MoveError)
def test_one_move_alone_is_said_by_the_api(error: MoveError, lang: str):
    document = api.document(unread_move(MoveUnread(error, MOVES, "Te1")), Words.load(lang))
    assert str(document["detail"]).strip() and str(document["title"]).strip()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("reason", case_refusals.CaseReason)
def test_a_case_refused_is_said_everywhere_alike(reason: case_refusals.CaseReason, lang: str):
    refusal = case_refusals.CaseRefusal(reason, until=date(2026, 9, 7), fee=10_000)
    words = Words.load(lang)
    text = case_refusal_text(refusal, words)
    assert text.strip() and "{" not in text
    assert api.document(api.case_refused(refusal), words)["detail"] == text
