"""What people write by mail is recognised for what it is, or asked with the right guess.

Three thousand mails made of parts (tests/mail/people.py); half of the sayings were written down
before anybody had tried them. NOT for what comes of each (tests/scenarios/mail/test_mail_table.py).
"""

from dataclasses import replace
from datetime import date

import chess
import pytest

from kskak.game.game_events import MoveSent
from kskak.regulation.editions import Side
from mail.game_letters import cast
from mail.grammar.intentions import Intention, IntentionKind, OpenMatters, read_intentions
from mail.grammar.keyword_lines import ParsedText
from mail.grammar.read_text import read_text
from mail.incoming.own_words import extract_own_words
from server.usecases.mail.mail_table import (
    MailFate,
    MailMeaning,
    Who,
    cell_of,
    recognise,
    understand,
)
from server.usecases.play.game_requests import languages_of, parse_player_text
from tests.fakes.machinery.each import rows
from tests.mail.found import FOUND, TALK, FoundMail
from tests.mail.games import DOMAIN, game
from tests.mail.people import PersonMail, people_mails

TODAY = date(2026, 11, 5)
BLIND_DAY = date(2026, 11, 27)
MEANS = "g1f3"
SAME = {
    MailMeaning.MOVE: {MailMeaning.UNCLEAR},
    MailMeaning.UNCLEAR: {MailMeaning.MOVE},
    MailMeaning.LEAVE: {MailMeaning.LEAVE_WORD},
    MailMeaning.DRAW: {MailMeaning.DRAW_WORD},
    MailMeaning.QUESTION: {MailMeaning.HELP},
}
"""Played, or asked with the right guess; by its word, or in prose."""
MAILS = list(people_mails())
LEAST_RIGHT = 0.995
STATE = cast.acc(
    MoveSent(Side.WHITE, (chess.Move.from_uci("e2e4"),), date(2026, 11, 2)),
    MoveSent(Side.BLACK, (chess.Move.from_uci("e7e5"),), date(2026, 11, 3)),
).state


def _read(mail: PersonMail) -> tuple[ParsedText, MailMeaning]:
    """A mail of Anna's, White, after 1. e4 e5."""
    words = extract_own_words(mail.said, DOMAIN, ("Anna Ager", "anna@example.dk"))
    reading = parse_player_text(STATE, Side.WHITE, words, lang=mail.lang, today=TODAY)
    wishes = read_intentions(words, TODAY, OpenMatters(is_white=True))
    return reading, recognise(reading, wishes[0] if wishes else None)


def _is_right(mail: PersonMail, reading: ParsedText, what: MailMeaning) -> bool:
    if what is not mail.what and what not in SAME.get(mail.what, ()):
        return False
    guesses = () if reading.problem is None else reading.problem.candidates
    named = [move.uci() for move in (*reading.moves, *guesses)]
    return MEANS in named if what in (MailMeaning.MOVE, MailMeaning.UNCLEAR) else True


def test_people_are_understood_or_asked_and_never_wronged() -> None:
    read = [(mail, *_read(mail)) for mail in MAILS]
    assert len(read) > 3000
    wrong = [m.said for m, r, _ in read if r.moves and [x.uci() for x in r.moves] != [MEANS]]
    charged = [m.said for m, r, _ in read if r.problem is not None and r.problem.is_invalid]
    assert (wrong, charged) == ([], [])
    failed = [(m.said, m.what, what) for m, r, what in read if not _is_right(m, r, what)]
    assert len(failed) <= (1 - LEAST_RIGHT) * len(read), failed[:20]


def test_nobody_is_met_with_silence() -> None:
    for mail in MAILS[::7]:
        _, what = _read(mail)
        assert cell_of(Who.KEYED, what).fate is not MailFate.KEPT


def _hear(mail: FoundMail) -> set[str]:
    """The moves that are made or asked about, a series behind them, and what is wished."""
    board, sent = chess.Board(), list[MoveSent]()
    for san in mail.moves.split():
        by = Side.WHITE if board.turn else Side.BLACK
        sent.append(MoveSent(by, (board.push_san(san),), date(2026, 11, 20)))
    ahead = board.copy()
    series = tuple(ahead.push_san(san) for san in mail.series.split())
    if sent:
        sent[-1] = replace(sent[-1], proposes=series, offers_draw=mail.is_offered)
    state, side = cast.acc(*sent).state, Side.WHITE if board.turn else Side.BLACK
    reading = parse_player_text(state, side, mail.said, lang="da", today=BLIND_DAY)
    _, wishes = understand(state, side, mail.said, reading, BLIND_DAY, mail.subject)
    if not (wishes or reading.moves or reading.problem):
        reading = parse_player_text(state, side, mail.subject, lang="da", today=BLIND_DAY)
    problem = reading.problem
    assert problem is None or not problem.is_invalid, mail.said
    moves = (*reading.moves[:1], *(() if problem is None else problem.candidates))
    heard = [board.san(move) for move in moves]
    for move in (*moves[:1], *reading.unmarked):
        heard.append(board.san(move))
        board.push(move)
    days = [f"{one.start}..{one.end}" for one in wishes if one.start]
    return {*heard, *days, *(one.kind.name for one in wishes)}


@pytest.mark.parametrize("mail", FOUND, ids=lambda mail: mail.said[:40])
def test_what_a_blind_writer_found_is_understood_or_asked(mail: FoundMail) -> None:
    assert set(mail.hears.split()) <= _hear(mail)


@rows(
    "said series",
    ("c6 hvis han spiller Lc4", "Bc4 c6"),
    ("d6, såfremt du trækker Sf3", "Nf3 d6"),
    ("Mit svar på Lc4 er Sf6, på Sc3 også Sf6", "Bc4 Nf6"),
    ("På 2.d4 slår jeg exd4, og på 3.Dxd4 Sc6.\nBetinget, så sparer vi tid.", "d4 exd4 Qxd4 Nc6"),
    ("Efter 2.f4 exf4 3.Sf3 g5, så har du mine næste to træk.", "f4 exf4 Nf3 g5"),
    ("If you play Nf3 then Nc6, and after 3.d4 exd4", "Nf3 Nc6 d4 exd4"),
    ("Må jeg rokere, hvis du spiller Sf3?", ""),
)
def test_a_series_in_any_order_is_one_where_the_opponent_is_to_move(said: str, series: str) -> None:
    position = game("e4 e5", mine=False)
    reading, board = read_text(said, position, languages_of("da"), today=TODAY), position.board
    assert recognise(reading, None) is (MailMeaning.SERIES if series else MailMeaning.TRY)
    assert reading.unmarked == tuple(map(board.push_san, series.split()))


@rows(
    "said",
    "Min kone siger jeg skal give op. Men hun spiller ikke skak. Sf3",
    "Fra brættet i Ølgod: Sf3, for det er slut for mig snart, jeg taber sikkert.",
    "Jeg vil meget nødig opgive så tidligt, men Sf3.",
    "Sf3. PS min rating er nu 1654 efter 5 nederlag på stribe",
    "I will probably resign soon, but Nf3 for now.",
    "Jag ger nog upp snart, men Sf3",
)
def test_who_fears_to_lose_is_asked_about_his_move(said: str) -> None:
    reading = parse_player_text(STATE, Side.WHITE, said, lang="da", today=TODAY)
    what, _ = understand(STATE, Side.WHITE, said, reading, TODAY)
    assert what in (MailMeaning.MOVE, MailMeaning.UNCLEAR)
    assert recognise(ParsedText(), Intention(IntentionKind.RESIGN, said, is_weak=True)) is (
        MailMeaning.RESIGN  # where nothing else is said
    )


@pytest.mark.parametrize("said", ["b8 og så vil jeg bede om en dronning", "b8 og den bliver dame"])
def test_a_promotion_is_asked_for(said: str) -> None:
    position = game("Kd7", fen="4k3/1P6/8/8/8/8/8/4K3 b - - 0 40")
    reading = read_text(said, position, today=TODAY)
    assert [move.uci() for move in reading.moves] == ["b7b8q"]


@pytest.mark.parametrize("said", TALK)
def test_nobody_is_asked_about_talk(said: str) -> None:
    assert _hear(FoundMail(said, "")) <= {"QUESTION", "DRAW_OFFER"}
