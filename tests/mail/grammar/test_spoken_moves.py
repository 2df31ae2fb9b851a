"""Moves as people write them: played where one reading exists, else asked with the right guess."""

from collections.abc import Iterator
from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.board.notation import MoveRead
from kskak.play.game_state import Terms
from kskak.regulation.editions import DEFAULT_LAWS, Regulation
from kskak.statement.account import account
from mail.grammar.guessed_moves import guess_moves
from mail.grammar.keyword_lines import WriterPosition
from mail.grammar.move_lines import read_move_line
from mail.grammar.read_text import read_lone_move, read_text
from server.usecases.play.game_requests import parse_player_text
from tests.fakes.machinery.each import each, rows
from tests.mail.games import TODAY, game

START, BLACK, SECOND = game(""), game("e4"), game("e4 e5 Nf3")
ITALIAN = game("e4 e5 Nf3 Nc6 Bc4 Bc5 d3 d6")
ROOKS = game("Kd8", fen="4k3/8/8/8/8/8/PPPPPPPP/R3K2R b KQ - 0 11")
CENTRE = game("Kd8", fen="4k3/8/8/3p4/2P1P3/8/8/3RK3 b - - 0 11")
QUEEN_OR_PAWN = game("Kd8", fen="4k3/8/8/4p2Q/3P4/8/8/4K3 b - - 0 11")


def at_fen(fen: str) -> WriterPosition:
    """A position, its writer to move."""
    return WriterPosition(chess.Board(fen), my_turn=True)


TAKES, PROMOTES = game("e4 e6 e5 f5"), game("Kd7", fen="4k3/P7/8/8/8/8/8/4K3 b - - 0 40")

PLAYED: dict[tuple[str, str], tuple[WriterPosition, str]] = {
    ("castling", "e1g1"): (ITALIAN, "rokade|kort rokade|jeg rokerer|Jeg rokerer.|Rokade kort|O-O|"
        "rokerer kort|lille rokade|castles|castle kingside|kort rockad|jag rockerar|I castle|"
        "5. rokade|rokade (kort)|kingside castling|Rokade til kongefløjen|0-0|Jeg laver en kort "
        "rokade|konge e1-g1|5171"),
    ("long", "e1c1"): (ROOKS, "lang rokade|stor rokade|castle queenside|jeg rokerer langt|lång "
        "rockad"),
    ("bishop", "c1e3"): (ITALIAN, "Løber e3|løber c1 til e3|løber til e3|Løberen til e3|Le 3|L e3|"
        "løber c1-e3|løber fra c1 til e3|bishop e3|bishop to e3|löpare e3|Löparen till e3|“Le3”|"
        "Løberen på c1 går til e3|Løberen går til e3|5. Løber e3|»Le3«|[Le3]|<Le3>|{Le3}|Ｌｅ３|"
        "L\u00ade3|Le3\u00ad|'Le3'|c1 e3|c1 til e3|3-1 5-3|31 53|4... d6 5. Le3|♗e3|løb. e3|5-Le3|"
        "5/Le3|Jeg flytter løberen til e3|Løber til e3 (3153)|«Le3»|„Le3“|Dronningeløber til e3"),
    ("knight", "g8f6"): (SECOND, "Sf 6|S f6|springer til f6|Springer f6|hest f6|hest til f6|g8 f6|"
        "springer g8 til f6|Springeren på g8 til f6|knight f6|Knight to f6|springare f6|Sg8 f6|"
        "Jeg flytter springeren til f6|Mit træk er Sf6|Jeg spiller Sf6|Så bliver det Sf6|"
        "Mit 2. træk: Sf6|Jeg svarer med Sf6|På Sf3 svarer jeg Sf6|Hej. Jeg spiller Sf6. Hils!|"
        "Ok, så Sf6|I play Nf6|My move is knight to f6|Jag spelar Sf6|Sf6, så er det dig|"
        "häst till f6|Springer fra g8 til f6|hesten til f6|2. Springer f6|2. Sf3 springer f6|"
        "Springer f6 tak|s f 6|Sp f6|horse to f6|Sf6 og god kamp, hilsen Bo|Sf6, god weekend|"
        "Sf6 kh|Sf6 og tak for svaret|Nf6, best regards from Bo|Sf6 - god jul!|"
        "Så begynder jeg med Sf6|Springer g8-f6 og så må vi se, haha|"
        "Det går godt. Sf6. Hils konen!|Springeren fra g8 til f6 så, den er jo god :-)|"
        "Springer f6 skak!|Sf6\nNej til remis altså"),
    ("pawn", "f2f4"): (START, "bonde f4|bonde til f4|Bonden på f2 til f4|f2 f4|f2 til f4|f 4|F4|"
        "pawn f4|pawn to f4|bonde f2-f4|f-bonde til f4|f2->f4|f2 → f4|1. bonde til f4|f2/f4|f2.f4|"
        "fra f2 til f4|from f2 to f4"),
    ("answer", "e7e5"): (BLACK, "e7 e5|1... e7 e5|1. e4 e7 e5|1. e4-e5|“e5”|»e5«|[e5]|‘e5’|`e5`|"
        "ｅ５|e\u00ad5|e 5|E 5|e-5|e7 til e5"),
    ("takes", "e5f6"): (TAKES, "e5 slår f6|e5 x f6|e5 tager f6|bonde e5 slår f6|e slår f6|e5*f6|"
        "e5 takes f6|e5 slår f6 e.p.|e5 slår f6 en passant|e5 tar f6|e5 : f6|e5 slår på f6|"
        "e-bonden slår f6|bonde slår f6|pawn takes f6|bonde tar Felix sex|♙xf6"),
    ("promotes", "a7a8q"): (PROMOTES, "a8 dame|a8 = dame|a8 og bliver dame|bonde til a8, dame|"
        "a8 (dame)|a8=dronning|a8 queen|a8 promoverer til dame|bonde a8 dronning|1718 dame|a8D"),
}  # fmt: skip
ASKED: dict[str, tuple[WriterPosition, str]] = {
    "e1g1": (ITALIAN, "00|5. 00|rokade?|5. 00 (SxS+ DxS)"),
    "e1c1 e1g1": (ROOKS, "rokade|jeg rokerer|castling"),
    "c1e3": (ITALIAN, "Fe3|Ae3|bp e3|løberr e3|Løbere3|Løber tile3"),
    "g8f6": (
        SECOND,
        "Cf6|Knf6|Ktf6|Spf6|Jeg rykker min hest til f6|Jeg spiller nok Sf6|"
        "Jeg spiller ikke Sf6|Jeg spiller Sf6 i morgen|I would play Nf6|Jeg spiller Sf6?|"
        "Sf6, siger min nabo, er bedst|Sf6. Sådan spillede vi i 1987.|Sf6, tror jeg|"
        "Jeg spiller Sf6, tror jeg|2... Sf6, måske|"
        "Mit træk er måske Sf6|Jeg spiller Sf6. Nej, vent lidt",
    ),
    "f7f6 g8f6": (SECOND, "Pf6"),
    "e5f6": (TAKES, "ef|exf|e5 slår f5 en passant|e5xf5 e.p."),
    "c4d5 e4d5": (CENTRE, "bonde slår d5|pawn takes David five|bonde tager d fem"),
    "d4e5 h5e5": (QUEEN_OR_PAWN, "D slår E fem|D takes E five"),
    "a7a8q": (PROMOTES, "1718 1|1718(D)|1718D|Så får jeg en dronning|I get a new queen"),
    "e7e6": (
        BLACK,
        "Jeg spiller fransk.|French, of course|Fransk forsvar denne gang, min gode ven",
    ),
    "c7c5": (BLACK, "Siciliansk!|Jag spelar siciliansk"),
    "f3d4": (game("e4 e5 Nf3 Nc6 d4 Nxd4"), "SxS|SxS, så må vi se|3. SxS!|NxN"),
    "c4f7": (ITALIAN, "Løberen siger skak|løberskak|Bishop gives check"),
    "d8h4": (game("f3 e5 g4"), "MAT!|skakmat|Mate"),
}
STORIES: dict[str, tuple[WriterPosition, str]] = {
    "c1g5 c1e3": (ITALIAN, "Provsten spillede altid Lg5. Min løber bliver hjemme og går til e3."),
    "f3d4": (game("e4 e5 Nf3 Nc6"), "Springeren keder sig, så den går til d4!"),
    "e1g1": (ITALIAN, "Nu bytter kongen og tårnet plads, det er den korte vej, min ven."),
    "f1e1": (game("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O d6"), "Stryg h3. Tårnet til e1 er mit træk."),
    "d1d4": (
        game("e4 e5 d4 exd4"),
        "3. Lc4\nUps, jeg mente selvfølgelig 3. Dxd4 (dronningen). Glem det øverste.",
    ),
    "c4b3": (game("e4 e5 Bc4 b5"), "hasn bonde truer mni lørbe så den går tli b3"),
    "e1e3": (
        at_fen("1r1q1rk1/1p2p3/3ppnp1/p6p/2P1P3/1QNKb3/PP3PPP/R3R3 w - - 0 18"),
        "18 f2xe3\n\nSTOP! ikke sende! Jeg slår med tårnet i stedet. "
        "Bonden skal blive hvor den er.",
    ),
    "g8f6": (SECOND, "Sf6\n\nNej! Lad være med at notere det. Nyt træk følger."),
    "c5d4": (
        at_fen("r1bqk1nr/pppp1ppp/2n5/2b5/3NP3/4B3/PPP2PPP/RN1QKB1R b KQkq - 2 5"),
        "Df6\n\n---\nNB! Ovenstående blev sendt for hurtigt, det var ikke meningen. "
        "Jeg vil hellere tage: Lxd4. Det er det der gælder.",
    ),
    "e8g8": (
        at_fen("r3k2r/p2b1p2/2p4p/2b3p1/P4p2/2P3P1/P1P4P/RNB2R1K b kq - 0 20"),
        "0-0\n\nEDIT: for hurtig på tasterne, der mangler et nul. Altså lang.",
    ),
    "f2d2": (
        at_fen("2k5/5p2/2p3p1/p1p4p/P2b3P/KP6/5r2/6R1 b - - 9 45"),
        "45....\nT F2 - D2\nREMIS?\n\nHILSEN POUL-ERIK. JEG KAN IKKE SLÅ DE STORE BOGSTAVER FRA",
    ),
    "f1e2": (
        at_fen("1n6/4k3/1p3p2/p2P2r1/P2Rp3/7P/5P2/1q3KR1 w - - 2 38"),
        "Kongen flytter sig. Den har jo kun det ene felt, så det behøver jeg vel ikke skrive ;-)",
    ),
    "f7f6": (
        at_fen("rnbq1b1r/ppp1kppp/n7/3pP1B1/1P6/2NP1N2/P1P3PP/R2QKB1R b KQ - 2 8"),
        "sætter bonden imellem",
    ),
    "g8g7": (
        at_fen("1r1qr1k1/1p2p3/3pp1p1/p6p/2P1P3/1QN2P2/PP2KP1P/6R1 b - - 2 22"),
        "22... K-N2 (that's g7 for the youngsters).",
    ),
    "f6e5": (
        at_fen("2rq2nr/1p2k1p1/4pp2/p1bpPn1p/7P/PPP2N2/3N1PP1/R1BQR1K1 b - - 0 15"),
        "f takes e.\nBy the way: many happy returns!",
    ),
    "h8h5": (
        at_fen("7R/6k1/1p4r1/5pPp/P3pP2/1p2P1P1/1P3K2/8 w - - 3 44"),
        "RxP.\nMy rook was hanging anyway, wasn't it.",
    ),
}
"""The first is what is asked about, or one of few."""
BRANCHES: dict[str, tuple[WriterPosition, str, str]] = {
    "d7d6": (
        game("e4 e5 Nf3 Nf6 Nxe5"), "D6. GÅR HAN TIL F3 MED HESTEN TAGER JEG PÅ E4.", "e5f3 f6e4"
    ),
    "d2d4": (game("e4 c5 Nf3 e6"), "d4. Slår han, slår jeg igen med springeren.", "c5d4 f3d4"),
    "f1c4": (
        game("e4 e5 Nf3 Nc6"), "Løberen til c4. På Lc5 svarer jeg c3 og på Sf6 svarer jeg d3.",
        "f8c5 c2c3",
    ),
    "c8f5": (game("d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4"), "5... Lf5. 6. e3 mødes af e6.", "e2e3 e7e6"),
}  # fmt: skip
"""What is asked about, and the series that is asked about with it: of branches the first."""
NEVER_PLAYED = (
    *("Jeg rokerer ikke", "Løber e3 var bedre", "springer f6 duer ikke", "rokade er umulig"),
    *("Hest til f6 næste gang?", "Trykt på A4 papir", "e5, e4 og d4", "f2 er svag", "bonde"),
)
SERIES = (
    *("0e5 2. Sf3", "01. e5 2. Sf3", "01... e5 2. Sf3", "05755 2. 7163", "(0)5755 2. 7163"),
    *("O5755 2. 7163", "O 5755 2. 7163", "0 5755 2. 7163", "01 5755 2. 7163", "(0) 5755 2. 7163"),
    *("o5755 2. 7163", "01. 5755 2. 7163", "0-5755 2. 7163"),
    *("\n01 5755\n02 7163", "01 5755 02 7163", "\n0 5755\n0 7163"),
    *("\nForslag til trækserie: 1... e5 2. Sf3", "\nMit forslag til en serie: 1... e5 2. Sf3"),
)


def _played() -> Iterator[tuple[WriterPosition, str, str]]:
    for (_, move), (position, texts) in PLAYED.items():
        yield from ((position, text, move) for text in texts.split("|"))


@each(("position", "text", "move"), list(_played()))
def test_a_move_with_one_reading_is_played(position: WriterPosition, text: str, move: str) -> None:
    found = read_text(text, position, today=TODAY)
    assert (found.problem, [one.uci() for one in found.moves]) == (None, [move])


@each(
    ("position", "text", "moves"),
    [(at, text, moves) for moves, (at, texts) in ASKED.items() for text in texts.split("|")],
)
def test_another_is_asked_with_the_right_guess(position, text, moves):
    found = read_text(text, position, today=TODAY)
    assert found.moves == () and found.problem is not None
    assert sorted(one.uci() for one in found.problem.candidates) == moves.split()
    assert not found.problem.is_invalid


@pytest.mark.parametrize(("moves", "told"), STORIES.items())
def test_a_story_is_asked_about_with_all_that_it_may_mean(moves, told):
    found = read_text(told[1], told[0], today=TODAY)
    assert found.moves == () and found.problem is not None
    named = [one.uci() for one in found.problem.candidates]
    assert set(moves.split()) <= set(named) and len(named) <= 5
    assert found.problem.leads is (found.problem.meant is not None and len(named) > 1)


@pytest.mark.parametrize(("move", "told"), BRANCHES.items())
def test_a_series_in_verbs_is_asked_about_after_its_first_move(move, told):
    position, text, series = told
    found = read_text(text, position, today=TODAY)
    assert found.moves == () and found.problem is not None and found.problem.meant is not None
    assert found.problem.meant.uci() == move
    assert [one.uci() for one in found.unmarked] == series.split()


@rows(
    "text",
    *("Kan jeg få mails på engelsk?", "Jeg svarer på engelsk fremover", "Write in English?"),
    *("Min modstander er hollandsk mester", "Vi har en italiensk gæst på besøg i dag"),
)
@pytest.mark.parametrize("position", [START, BLACK])
def test_a_language_or_a_nation_is_no_opening(position: WriterPosition, text: str) -> None:
    found = read_text(text, position, today=TODAY)
    assert found.moves == () and (found.problem is None or not found.problem.candidates)


@pytest.mark.parametrize("text", NEVER_PLAYED)
@pytest.mark.parametrize("position", [START, SECOND, ITALIAN])
def test_talk_of_moves_plays_none(position: WriterPosition, text: str) -> None:
    assert read_text(text, position, today=TODAY).moves == ()


@pytest.mark.parametrize("text", ["springer f5", "Løber e3", "e2 e5", "1. e2 e5", "kort rokade"])
def test_what_is_put_together_here_is_no_invalid_move(text: str) -> None:
    """§ 6.8.6: it may be our misreading."""
    found = read_text(text, START, today=TODAY)
    assert found.moves == () and found.problem is not None and not found.problem.is_invalid
    assert found.problem.token in text


@each("series", SERIES)
def test_the_sign_of_a_series_in_every_hand(series: str) -> None:
    number = "5254" if "5755" in series else "e4"
    found = read_text(f"1. {number} {series}", START, today=TODAY)
    assert [one.uci() for one in found.moves] == ["e2e4"]
    assert [one.uci() for one in found.proposes or found.unmarked] == ["e7e5", "g1f3"]


def test_of_a_long_record_with_wrong_numbers_nothing_is_offered() -> None:
    found = read_text("3. d4 exd4 4. Nxd4 Nf6 5. Nc3 e5", SECOND, today=TODAY)
    assert found.moves == () and found.problem is not None and found.problem.candidates == ()


@given(st.text(alphabet="abcdefgh12345678SLxO0-.:( )slårtilhestrokade", max_size=40))
def test_whatever_is_written_nothing_is_raised(text: str) -> None:
    read_move_line(text)
    assert set(guess_moves(text, START.board)[1]) <= set(START.board.legal_moves)


@each(
    "position said move",
    (START, "springer f3", "g1f3"),
    (START, "Gustav 1 Frederik 3", "g1f3"),
    (START, "gustav et frederik tre", "g1f3"),
    (START, "1. Springer Gustav 1 til Felix 3", "g1f3"),
    (START, "Eva 2 Eva 4", "e2e4"),
    (START, "Erik 4", "e2e4"),
    (START, "bonde Erik to Erik fire", "e2e4"),
    (START, "Springer Bella eins Cesar drei", "b1c3"),
    (START, "Springer Bodil 1 Cecilie 3", "b1c3"),
    (ITALIAN, "kort rokade", "e1g1"),
    (ITALIAN, "Kurze Rochade", "e1g1"),
    (ROOKS, "Lange Rochade", "e1c1"),
    (ITALIAN, "Läufer Eva 3", "c1e3"),
    (ITALIAN, "løber Cecilie 4 slår Frederik 7", "c4f7"),
    (TAKES, "Eva slår Felix 6", "e5f6"),
    (PROMOTES, "Anna 7 Anna 8 dronning", "a7a8q"),
    (PROMOTES, "Anna otte springer", "a7a8n"),
    (PROMOTES, "bonde Anna 8 tårn", "a7a8r"),
    (START, "Jeg spiller Gustav 1 Frederik 3", "g1f3"),
    (START, "knight Gustav one Felix three", "g1f3"),
    (START, "Bauer Eva zwei Eva vier", "e2e4"),
    (ITALIAN, "Rochade kurz", "e1g1"),
    (ITALIAN, "kleine Rochade", "e1g1"),
    (ROOKS, "große Rochade", "e1c1"),
    (ITALIAN, "Läufer Cesar vier schlägt Felix sieben", "c4f7"),
    (ITALIAN, "Springer Felix 3 schlägt Eva fünf", "f3e5"),
    (ITALIAN, "Turm Hector eins Felix eins", "h1f1"),
    (ITALIAN, "Dame David 1 Eva 2", "d1e2"),
    (ITALIAN, "konge Eva 1 Gustav 1", "e1g1"),
    (PROMOTES, "Anna syv Anna otte dronning", "a7a8q"),
    (PROMOTES, "Anna 8, forvandling til springer", "a7a8n"),
)
def test_a_blind_player_s_moves_are_read(position: WriterPosition, said: str, move: str) -> None:
    """FIDE's appendix for the blind: the names of files, ranks in words, castling, pieces.

    Read by mail, and by the function that the web's form and the API's call read with.
    """
    found = read_text(said, position, today=TODAY)
    assert (found.problem, [one.uci() for one in found.moves]) == (None, [move])
    terms = Terms("-", Regulation.EMAIL, TODAY, "A", "B", position.board.fen(), DEFAULT_LAWS)
    state = account(terms, ()).state
    for lang in ("da", "en"):
        typed = parse_player_text(state, state.mover, said, lang=lang, today=TODAY)
        assert (typed.problem, [one.uci() for one in typed.moves]) == (None, [move]), lang


@pytest.mark.parametrize("said", ["Hilsen Eva", "Anna og David 3 år", "Gustav", "Frederik 9"])
def test_names_of_people_are_no_squares(said: str) -> None:
    """A greeting, an age, a rank that no board has."""
    assert read_text(said, START, today=TODAY).moves == ()


SPOKEN = {
    "da": ("konge dronning tårn løber springer bonde", "et to tre fire fem seks syv otte", "til "),
    "en": ("king queen rook bishop knight pawn", "one two three four five six seven eight", "to "),
    "sv": ("kung dam torn löpare springare bonde", "ett två tre fyra fem sex sju åtta", "till "),
}
FILES = ("Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector")


def _say_square(square: chess.Square, ranks: list[str], way: int) -> str:
    """A square as it is spoken or dictated: «b tre», «B tre», «Bella tre», «Bella 3», «b 3»."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    name = (chess.FILE_NAMES[file], chess.FILE_NAMES[file].upper(), FILES[file])[way % 3]
    return f"{name} {ranks[rank] if way % 2 else rank + 1}"


def _say(board: chess.Board, move: chess.Move, lang: str, way: int) -> str:
    names, numbers, to = SPOKEN[lang]
    pieces = dict(zip(reversed(chess.PIECE_TYPES), names.split(), strict=True))
    piece = board.piece_type_at(move.from_square)
    assert piece is not None
    start, end = (
        _say_square(at, numbers.split(), way) for at in (move.from_square, move.to_square)
    )
    link = to if way % 4 < 2 else ""
    said = f"{pieces[piece]} {start} {link}{end}" if way % 5 else f"{start} {link}{end}"
    if way % 5 == 1 and not board.is_en_passant(move):
        said = f"{pieces[piece]} {link}{end}"
    return f"{said}, {pieces[move.promotion]}" if move.promotion else said


@pytest.mark.parametrize("lang", list(SPOKEN))
@pytest.mark.parametrize("piece", chess.PIECE_TYPES)
def test_every_piece_goes_to_every_square_in_words(lang: str, piece: chess.PieceType) -> None:
    """What is said of a move, read again, is that move: all pieces, from and to all squares."""
    way = 0
    for start in chess.SQUARES:
        board = chess.Board(None)
        corners = [at for at in (chess.A1, chess.H8, chess.H1) if at != start]
        if piece != chess.KING:
            board.set_piece_at(corners[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(corners[-1], chess.Piece(chess.KING, chess.BLACK))
        board.set_piece_at(start, chess.Piece(piece, chess.WHITE))
        if not board.is_valid():
            continue  # a pawn on the last rank, a king in check
        for move in board.generate_legal_moves(chess.BB_SQUARES[start]):
            way += 1
            said = _say(board, move, lang, way)
            found = read_text(said, WriterPosition(board, True, (), (), 0), today=TODAY)
            assert (said, found.problem, found.moves) == (said, None, (move,))
    assert way >= 80


@given(st.randoms(use_true_random=False), st.sampled_from(list(SPOKEN)))
def test_what_several_moves_fit_is_never_played(rng: Random, lang: str) -> None:
    """Piece and square alone: one lawful move is played, of several none."""
    board = chess.Board()
    for _ in range(rng.randint(0, 60)):
        if board.is_game_over():
            return
        board.push(rng.choice(list(board.legal_moves)))
    for move in board.legal_moves:
        piece = board.piece_type_at(move.from_square)
        fits = [
            one
            for one in board.legal_moves
            if board.piece_type_at(one.from_square) == piece
            and (one.to_square, one.promotion) == (move.to_square, move.promotion)
        ]
        said = _say(board, move, lang, 1)
        found = read_text(said, WriterPosition(board, True, (), (), 0), today=TODAY)
        assert found.moves in ((), tuple(fits) if len(fits) == 1 else ()), said


SAID_ALONE = {
    "springer f3": "g1f3", "kort rokade": "illegal", "Gustav 1 Frederik 3": "g1f3",
    "bonde e4": "e2e4", "springer til Frederik tre": "g1f3", "1. springer f3": "g1f3",
    "dronning d8": "illegal", "0 springer f3": "not_understood", "hej": "not_understood",
    "springer f3 remis?": "not_understood", "springer c3 eller f3": "not_understood",
}  # fmt: skip


@pytest.mark.parametrize("text", SAID_ALONE)
def test_one_move_is_read_as_it_is_said_wherever_one_is_asked_for(text: str):
    """The command, the regulation's page and the claim by API read as mail and web do (§ 6.2.2)."""
    read = read_lone_move(chess.Board(), text)
    found = read.move.uci() if isinstance(read, MoveRead) else read.error.value
    assert found == SAID_ALONE[text]
