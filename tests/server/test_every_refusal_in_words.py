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
from kskak import cup as cup_rules
from kskak.archive import pgn_reading as pgn_in
from kskak.board import analysis_tree
from kskak.board.notation import MoveError, MoveUnread
from kskak.cases import case as case_commands
from kskak.entries import emt
from kskak.entries import entry as entry_rules
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.league import lineups
from kskak.office import books
from kskak.office import year as year_rules
from kskak.play import game_state
from kskak.play.evolve_game import open_game
from kskak.play.game_state import Terms
from kskak.regulation import editions
from kskak.regulation.editions import Regulation
from mail.game_letters.cast import EVENTS, GAME, acc
from mail.game_letters.no_move_letters import MailTrouble, NotMade, refusal_text
from mail.grammar.keyword_lines import ParsedText, ParseProblem, ProblemKind
from mail.office_letters.case_letters import case_refusal_text
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import LANGUAGES, Words
from mail.text.letter_facts import move_texts
from server.api.frame import problems
from server.api.frame.problems import unread, unread_move
from server.usecases.archive import archive_views
from server.usecases.cup import cup_rounds
from server.usecases.entries import player_entering as entering
from server.usecases.play import private_side
from server.usecases.play.game_requests import TextProblem
from server.usecases.postal import scans
from server.usecases.register import join_requests as joining
from server.usecases.results import bulletins, titles
from server.usecases.starts import friends
from server.web.frame.page_texts import PageWords, problem_text
from server.xfcc import service

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
    entry_rules.EntryProblem: ("entries.fault.{}", "entries.remedy.{}"),
    entry_rules.EntryFault: ("entries.fault.{}", "entries.remedy.{}"),
    books.BookEntryFault: ("economy.fault.{}",),
    books.BookLineFault: ("economy.fault.{}",),
    cup_rules.CupProblem: ("cup.problem.{}",),
    cup_rules.TieProblem: ("cup.tie.problem.{}",),
    game_state.Misfit: ("misfits.{}",),
    pgn_in.PgnFault: ("history.slip.{}",),
    lineups.ReserveFault: ("league.fault.{}",),
    lineups.TeamEntryFault: ("teams.fault.{}",),
    year_rules.YearFault: ("year.fault.{}",),
    editions.MoveFault: ("statement.reason.{}",),
    archive_views.ArchiveSearchFault: ("finding.fault.{}",),
    analysis_tree.TreeFault: ("private.fault.{}",),
    private_side.ThreadFault: ("thread.fault.{}",),
    scans.ScanFault: ("cards.scan_fault.{}",),
    entering.ListFault: ("entries.list_fault.{}",),
    entering.ResultFault: ("entries.result_fault.{}",),
    titles.TitleFault: ("cup.title_fault.{}",),
    joining.JoinFault: ("join.fault.{}",),
    cup_rounds.CupFault: ("cup.fault.{}",),
    friends.ChallengeProblem: ("friends.fault.{}",),
    cmd.Reason: ("refusals.{}", "web.refusal.{}", "api.title.{}"),
    case_commands.CaseReason: ("case_refusals.{}",),
    problems.ApiProblemKind: ("api.title.{}", "api.detail.{}"),
    MailTrouble: ("letters.trouble.{}", "letters.trouble_subject.{}"),
}
"""The keys of a closed set of reasons, as every channel that shows it builds them."""
NEVER_SAID = (
    editions.MoveFault.AMBIGUOUS,  # costs nothing, so it never stands in an account
    editions.MoveFault.DAMAGED_IN_POST,  # the same
)
ELSEWHERE = {
    lineups.LineupFault: "the files of the command line, in English (league_file); pages: crooked",
    bulletins.BulletinFault: "said on one page, beside its field (bulletin)",
    ProblemKind: "below",
    MoveError: "below",
    emt.StartFault: "the file of the command line, in English (group_judging)",
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
        "kskak.league.composition.PlacementReason",
        "kskak.regulation.editions.PauseReason",
        "server.usecases.mail.sort_mail.MailHoldReason",
        "server.usecases.rating.computing.CalculationReason",
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
    return (
        reasons is problems.ApiProblemKind
        and family == "api.detail.{}"
        and member.value in set(Reason)
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_is_said_by_mail_page_api_and_to_a_chess_program(reason: Reason, lang: str):
    refusal = Refusal(reason, date(2026, 9, 7), 3)
    words = Words.load(lang)
    said = (
        refusal_text(refusal, words),
        PageWords.of(lang).refusal(refusal),
        str(problems.document(problems.build_refusal_problem(refusal), words)["detail"]),
        _by_mail(NotMade(GAME, acc(*EVENTS[:3]), acc(*EVENTS[:3]).state.mover, refusal), words),
    )
    for text in said:
        assert text.strip() and "{" not in text
    assert f"§ {reason.paragraph}" in said[0]
    assert service.build_refusal(reason, STATE) is not service.XfccMoveResult.SUCCESS


def _by_mail(letter: NotMade, words: Words) -> str:
    written = letter.write(words, ENVELOPE)
    return "\n".join(
        block if isinstance(block, str) else str(getattr(block, "text", ""))
        for block in written.blocks
    )


def _found(kind: ProblemKind) -> Iterator[TextProblem]:
    """A problem with all that may go with it."""
    for meant, token, is_known in product(range(3), ("10. Te1", "0Te1", ""), (False, True)):
        yield TextProblem(ParseProblem(kind, token, MOVES[:meant], is_known), ParsedText())
    for rest, series in (("remis", ""), ("0x", ""), ("Sf6", "e4 0Sf6"), ("Sf6", "")):
        yield TextProblem(ParseProblem(kind, "Sf6"), ParsedText(), "e4", rest, series)
    yield TextProblem(ParseProblem(kind, "0Sf6"), ParsedText(MOVES[:1]))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ProblemKind)
def test_a_problem_is_said_by_page_api_and_to_a_chess_program(kind: ProblemKind, lang: str):
    words = Words.load(lang)
    for problem in _found(kind):
        _is_said(problem, words)


def _is_said(problem: TextProblem, words: Words) -> None:
    said = problem_text(PageWords.of(words.lang), STATE, problem)
    document = problems.document(unread(problem), words)
    for text in (said, str(document["detail"]), str(document["title"])):
        assert text.strip() and "{" not in text
    made = service.unread(problem.problem.kind)
    assert made is not service.XfccMoveResult.SUCCESS
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
        letter = NotMade(
            GAME, account, account.state.mover, MailTrouble(kind.value), written, meant
        )
        said = _by_mail(letter, words)
        assert "{" not in said
        assert written is None or written in said


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("error", MoveError)
def test_one_move_alone_is_said_by_the_api(error: MoveError, lang: str):
    document = problems.document(unread_move(MoveUnread(error, MOVES, "Te1")), Words.load(lang))
    assert str(document["detail"]).strip() and str(document["title"]).strip()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("reason", case_commands.CaseReason)
def test_a_case_refused_is_said_everywhere_alike(reason: case_commands.CaseReason, lang: str):
    refusal = case_commands.CaseRefusal(reason, until=date(2026, 9, 7), fee=10_000)
    words = Words.load(lang)
    text = case_refusal_text(refusal, words)
    assert text.strip() and "{" not in text
    assert problems.document(problems.build_case_refusal_problem(refusal), words)["detail"] == text
