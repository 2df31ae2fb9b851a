"""PGN of past games: what is written is read again, whatever it holds; what is broken is named."""

import unicodedata
from contextlib import suppress

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kskak.archive.past_game import (
    UNKNOWN_DAY,
    PastGame,
    PastPlayer,
    pack_moves,
    past_pgn,
    unpack_moves,
)
from kskak.archive.pgn_reading import PgnFault, UnusablePgn, read_game, split
from kskak.regulation.editions import Result
from tests.fakes.machinery.each import each

TODAY = "2026-11-20"
FEN = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1"


@st.composite
def played(draw, fen=None):
    """Moves that are legal one after the other, of every kind."""
    board = chess.Board() if fen is None else chess.Board(fen)
    moves = []
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=60)):
        legal = sorted(board.legal_moves, key=lambda move: move.uci())
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        board.push(moves[-1])
    return pack_moves(moves)


def _tidy(text):
    """Names as a file can hold them: on one line, not PGN's signs of nothing."""
    return "".join(char if char.isprintable() else " " for char in text)


texts = st.text(max_size=30).map(_tidy).map(lambda text: " ".join(text.split()))
texts = texts.filter(lambda text: text not in {"?", "-"}).map(
    lambda text: unicodedata.normalize("NFC", text)
)
names = texts.map(lambda text: f"Ø {text}".strip())
numbers = st.from_regex(r"[0-9A-Z]{0,8}", fullmatch=True)
days = st.sampled_from([UNKNOWN_DAY, "1998-00-00", "1998-02-00", "2024-02-29", "1960-12-31"])
players = st.builds(PastPlayer, names, numbers, texts, st.one_of(st.none(), st.integers(1, 4000)))


@st.composite
def games(draw):
    fen = draw(st.sampled_from([None, FEN]))
    return PastGame(
        event=draw(texts), day=draw(days), white=draw(players), black=draw(players),
        result=draw(st.sampled_from(Result)), moves=draw(played(fen)), site=draw(texts),
        round=draw(texts), fen=fen, eco=draw(st.sampled_from(["", "B07", "E99"])), end=draw(days),
    )  # fmt: skip


@given(games())
def test_what_is_written_is_read_again_the_same(game):
    (text,) = split(past_pgn(game, with_numbers=True).encode().splitlines(keepends=True))
    assert read_game(text.raw, TODAY) == game


@given(st.lists(games(), max_size=4))
@settings(max_examples=20)
def test_a_file_of_games_is_cut_into_the_same_games(found):
    text = "\n".join(past_pgn(game, with_numbers=True) for game in found)
    parts = list(split(text.encode().splitlines(keepends=True)))
    assert [read_game(part.raw, TODAY) for part in parts] == found
    lines = text.splitlines()
    assert [lines[part.line - 1].startswith("[Event ") for part in parts] == [True] * len(found)
    for part, following in zip(parts, parts[1:], strict=False):
        rest = text.encode()[part.after.bytes :].splitlines(keepends=True)
        again = next(split(rest, part.after))
        assert (again.number, again.line, again.raw) == (
            following.number, following.line, following.raw,
        )  # fmt: skip


@given(played())
def test_moves_are_packed_in_two_bytes_each_and_come_back(moves):
    assert pack_moves(unpack_moves(moves)) == moves
    assert len(moves) == 2 * len(unpack_moves(moves))


def _pgn(moves="1. e4 e5 1-0", **tags):
    named = {"White": "Anna Ager", "Black": "Bo Berg", "Result": "1-0"} | tags
    return "".join(f'[{name} "{value}"]\n' for name, value in named.items()) + f"\n{moves}\n"


def _ucis(text):
    return [move.uci() for move in unpack_moves(read_game(text.encode(), TODAY).moves)]


@each(
    "moves",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0",
    "1.e4 e5 2.Nf3! $1 Nc6?! 3.Bb5 {Ruy Lopez} 1-0",
    "1. e4 ; a note } { to the line's end\ne5 2. Nf3 Nc6 3. Bb5 1-0",
    "1. e4 (1. d4 {Qu(een} d5 (1... Nf6)) e5 2. Nf3 Nc6 3. Bb5 1-0",
    "1. e4 e5 2. Sf3 Sc6 3. Lb5 1-0",
    "1. 5254 5755 2. 7163 2836 3. 6125 1-0",
    "% an escape\n1 e4 e5 2 Nf3 Nc6 3 Bb5",
    "e2-e4 e7-e5 Ng1-f3 Nb8-c6 Bf1-b5 1-0",
    "1. e4 ± e5= 2. Nf3+/- Nc6 ⩲ (=) 3. Bb5 N 1-0",
)
def test_moves_are_read_as_they_are_written(moves):
    assert _ucis(_pgn(moves)) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]


def test_castling_and_promotion_are_read_in_any_writing():
    moves = (
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 f5 5. Bxc6 fxe4 6. a3 exf3 7. h3 fxg2 8. h4 gxf1=N"
    )
    assert _ucis(_pgn(moves))[-1] == "g2f1n"
    assert "e1g1" in _ucis(_pgn(moves))


def test_letters_are_utf_8_or_latin_1():
    name = "Åse Østergård"
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        assert read_game(_pgn(White=name).encode(encoding), TODAY).white.name == name


def test_a_quotation_mark_in_a_name_is_kept_escaped_or_not():
    assert read_game(_pgn(White='Bo \\"B\\" Berg').encode(), TODAY).white.name == 'Bo "B" Berg'
    assert read_game(_pgn(White='Bo "B" Berg').encode(), TODAY).white.name == 'Bo "B" Berg'


def test_the_result_stands_in_the_tag_or_at_the_end():
    assert read_game(_pgn("1. e4 *").encode(), TODAY).result is Result.WHITE_WINS
    assert read_game(_pgn("1. e4 0-1", Result="*").encode(), TODAY).result is Result.BLACK_WINS
    for said in ("0-0", "1/2-0", "0-1/2"):
        found = read_game(_pgn(f"1. e4 {{{said}}} *", Result="*").encode(), TODAY)
        assert found.result == said


@each(
    "text fault value",
    (_pgn("1. e4 e5 2. Ke3 1-0"), PgnFault.MOVE, "2. Ke3"),
    (_pgn("1. e4 -- 2. d4 1-0"), PgnFault.MOVE, "1… --"),
    (_pgn("1. e4 e5 1-0 2. d4"), PgnFault.AFTER_END, "d4"),
    (_pgn("1. e4 {never closed 1-0"), PgnFault.UNCLOSED, "{"),
    (_pgn("1. e4 (1. d4 1-0"), PgnFault.UNCLOSED, "("),
    (_pgn("1. e4 *", Result="*"), PgnFault.RUNNING, ""),
    (_pgn("1. e4", Result="2-0"), PgnFault.RESULT, "2-0"),
    (_pgn("1. e4 0-1"), PgnFault.RESULTS, "1-0"),
    (_pgn(White="?"), PgnFault.PLAYER, "White"),
    ('[White "Anna Ager"]\n[Black Bo Berg]\n\n1. e4 1-0', PgnFault.TAG, "[Black Bo Berg]"),
    ('[White "Anna Ager"]\n[WhiteE', PgnFault.TAG, "[WhiteE"),
    (_pgn(Event="E" * 121), PgnFault.LONG, f"Event {'E' * 20}…"),
    (_pgn(Date="2001.02.29"), PgnFault.DAY, "2001.02.29"),
    (_pgn(Date="2026.11.21"), PgnFault.DAY, "2026.11.21"),
    (_pgn(Date="May"), PgnFault.DAY, "May"),
    (_pgn(FEN="8/8/8/8/8/8/8/8 w - - 0 1"), PgnFault.FEN, "8/8/8/8/8/8/8/8 w - - 0 1"),
    (_pgn(Variant="Chess960"), PgnFault.VARIANT, "Chess960"),
)
def test_what_is_wrong_is_named(text, fault, value):
    with pytest.raises(UnusablePgn) as caught:
        read_game(text.encode(), TODAY)
    assert (caught.value.fault, caught.value.value) == (fault, value)


@given(st.binary(max_size=400))
def test_no_text_raises_anything_else(raw):
    for part in split(raw.splitlines(keepends=True)):
        with suppress(UnusablePgn):
            read_game(part.raw, TODAY)


def test_a_comment_that_is_never_closed_costs_one_game():
    good = _pgn(Event="Two")
    text = _pgn("1. e4 {never 1-0", Event="One") + "\n" + f'[Event "Two"]\n{good}'
    parts = list(split(text.encode().splitlines(keepends=True)))
    assert len(parts) == 2
    assert read_game(parts[1].raw, TODAY).event == "Two"
