"""Lines of moves and what they mean in the game.

Repetition, series, own move, proposal, likely slips.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

import chess

from kskak.board.notation import (
    MoveError,
    MoveRead,
    could_be_move,
    looks_like_move,
    read_move,
    same_move,
)
from kskak.board.shapes import NotationLanguage, shapes
from mail.grammar.keyword_lines import (
    ParseProblem,
    PlayedPly,
    ProblemKind,
    Repetition,
    WriterPosition,
    half_of,
    is_draw_offer,
    join_patterns,
    speaks_of_draw,
)
from mail.grammar.spoken_moves import (
    COUNTED,
    castles,
    fold_signs,
    join_spread_move,
    takes_nothing,
    write_in_signs,
)

# Parses a line that holds moves and nothing else (§ 6.2.1, § 6.2.2, § 6.2.5).

MAX_LINE_LENGTH = 400  # characters; a longer line is prose
MAX_TOKENS = 60
_LONGEST_OFFER = 7  # words

# Signs nobody sees: they mean nothing around a word; inside one they are somebody's trick.
_UNSEEN = re.compile(
    r"(?:(?<=\s)|^)[\u200b-\u200d\u2060\ufeff]+|[\u200b-\u200d\u2060\ufeff]+(?=\s|$)"
)
_POLITE = re.compile(
    r"(?:[\s,]*(?:[:;]-?[)DPp(]|\^\^|<3|[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]+"
    rf"|(?<=[\s,.!-])(?:- )?(?:{join_patterns('beside_move')})[.!]?))+$",
    re.IGNORECASE,
)
"""What people put after a move without meaning anything of the game: thanks, and faces."""
_LABEL = re.compile(
    r"(?:(?:mit|my|min) )?(?:(?P<no>\d{1,3})\.? |(?:næste|next) )?"
    r"(?:mod)?(?:træk|trækket|svar|move|answer|reply|drag)(?: (?P<nr>\d{1,3})\.?)? ?: ?",
    re.IGNORECASE,
)
_STATES = re.compile(
    rf"(?:(?:{join_patterns('opens_move')})[ ,.!]+)*(?:{join_patterns('states_move')})[ :]+(?=\S)"
    rf"|(?:(?:{join_patterns('opens_move')})[ ,.!]+)+(?=[\w♔-♟~])",
    re.IGNORECASE,
)
"""«Jeg spiller Sf3», «så bliver det Sf3»: it says that the move is made, and nothing against it."""
_ANSWERS = re.compile(
    rf"(?:{join_patterns('answers_move')}) (?P<theirs>\S+),? "
    rf"(?=(?:{join_patterns('states_move')}) )",
    re.IGNORECASE,
)
_IF = "¿"
_SUPPOSES = re.compile(rf"(?<!\S)(?:{join_patterns('supposes')})(?!\S)", re.IGNORECASE)
_SUPPOSED = re.compile(rf"(?<!\S)(?:{join_patterns('supposed')})(?!\S)", re.IGNORECASE)
"""«og hvis du spiller f6, trækker jeg Le3»: moves that are supposed, and so a series."""
_BULLET = re.compile(r"(?:[-*•]|[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]+)\s+(?=\S)")
# Dashes with blanks around them: e2 - e4, 52 - 54, 0 - 0. Never between two whole moves.
_LOOSE_DASH = re.compile(
    r"(?<![\w-])((?:[KQRBNDTLS]?[a-h][1-8]|[1-8]{2}|[0Oo](?:-[0Oo])?))(?: - ?|- )"
    r"(?=(?:[a-h][1-8]|[1-8]{2}|[0Oo])(?![\w-]| ?- ?[0-9a-h]{2}))"
)
_GLUED_NUMBER = re.compile(r"(0?)([1-9]\d{0,2})(\.{1,3}|\)|:(?=$))(-?)(?=\S|$)")
_SIGN = re.compile(r"[+#!?]{1,3}|e\.p\.?|ep|(?:skak|mat|check|mate|schack|matt)[!.]*|\([1-4]\)")
# Every move names a rank or castles: a quick no for most lines of prose.
_CHESS_SIGN = re.compile(r"[1-8１-８]|[0Oo]\s?[-\u2010-\u2015\u2212]\s?[0Oo]|\bOOO?\b")
_NOTE = re.compile(r"(?<=[^\s(])\s*[({](?![1-4]\)|[QRBNDTLS]\))")
_ASIDE = re.compile(r"\(([^()\s]{2,12})\)(?=[\s.,;]|$)")
_FIRST_WORD = re.compile(r"\W*\w+ ?[.,!;:(–-]")  # which stands apart from what follows
_PAIR = re.compile(r"[1-8]{2}")
_FOUR = re.compile(r"[1-8]{4}")
_CASTLING = re.compile(r"[0Oo]-[0Oo](?:/0-0-0|-[0Oo])?[+#!?.]*")
# The sign of a series, as the zero or the letter, alone or before its move: 0, O, (0).
_ZERO = re.compile(r"0|[Oo](?=$|\d|[a-hKQRBNDTLS])|\([0Oo]\)")
# OO: castling without its dash, if legal; 00 is left out because a 0 opens a series.
_DASHLESS = re.compile(r"OOO?[+#!?.]*")
_ENDINGS = ("*", "1-0", "0-1", "1/2-1/2")  # what a PGN line may end with


@dataclass(frozen=True, slots=True)
class Token:
    """One written move. `number`: the move number before it, if any; `black`: that number was
    given for Black ("12... Sf6", "12.-, Sf6"). `proposed`: a `0` comes before it. `loose`:
    assembled from pieces, so an illegal one may be our misreading. `aside`: in parentheses,
    as letters print the other form of a move: "11... 4837 (Dc7)". `supposed`: behind an «if».
    """

    text: str
    number: int | None = None
    black: bool = False
    proposed: bool = False
    loose: bool = False
    aside: bool = False
    supposed: bool = False

    @property
    def written(self) -> str:
        """As it was written, number and 0 included."""
        number = "" if self.number is None else f"{self.number}{'...' if self.black else '.'} "
        return f"{'0' if self.proposed else ''}{number}{self.text}"


@dataclass(frozen=True, slots=True)
class MoveLine:
    """The moves of one line, what followed them in parentheses, whether a draw offer did, and
    whether a sentence says that they are made."""

    tokens: tuple[Token, ...]
    note: str
    source: str
    offers_draw: bool = False
    is_said: bool = False


@dataclass(slots=True)
class _Pending:
    """What has been read before the next move."""

    number: int | None = None
    black: bool = False
    proposed: bool = False
    supposed: bool = False

    def take(self, text: str, *, loose: bool = False) -> Token:
        own = (self.number, self.black, self.proposed, loose)
        token = Token(text, *own, supposed=self.supposed)
        self.number, self.black, self.proposed, self.supposed = None, False, False, False
        return token


def read_move_line(line: str) -> MoveLine | None:
    """The line as moves; None if anything in it is not a move, a number or a sign."""
    if len(line) > MAX_LINE_LENGTH or not _names_square(fold_signs(line)):
        return None
    text, is_said = _plain(line)
    words, note, offers_draw = _split_note(text)
    if _SUPPOSES.search(said := " ".join(words)):
        words = _SUPPOSED.sub("", _SUPPOSES.sub(_IF, said)).split()
    if not words or len(words) > 2 * MAX_TOKENS:
        return None
    tokens = _tokens(words)
    if not tokens:
        return None
    if is_said:  # a sentence is no plain try: it is never charged
        tokens = [replace(token, loose=True) for token in tokens]
    return MoveLine(tuple(tokens), note, line.strip(), offers_draw, is_said)


def list_move_words(line: str) -> tuple[str, ...]:
    """The words of a line of prose that look like moves, as written."""
    if not _names_square(line):
        return ()
    text = write_in_signs(" ".join(fold_signs(line[:MAX_LINE_LENGTH]).split()))
    found = list[str]()
    for at, written in enumerate(text.replace("~", "-").split()):
        word = written.strip("-.,;:!?()\"'*")
        # letters in the wrong case: «ld6», «A6. Ja», all of a LOUD line
        is_apart = at == 0 and _FIRST_WORD.match(line)
        is_odd = written[0].islower() or line.isupper() or is_apart
        fits = could_be_move if is_odd else looks_like_move
        found += [word] if _CHESS_SIGN.search(word) and fits(word) else []
    return tuple(found)


def _names_square(line: str) -> bool:
    return _CHESS_SIGN.search(line) is not None or castles(line)


def _plain(line: str) -> tuple[str, bool]:
    """A line as moves are read in it, and whether it said them in a sentence."""
    text = fold_signs(_UNSEEN.sub("", line)).strip(" *_\r")
    text = _POLITE.sub("", " ".join(text.split()))
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    text = re.sub(r"^(\d{1,3}[.)]): ", r"\1 ", text)
    text = re.sub(r"(?<=[a-h][1-8]):(?=\s)", "", text)
    answers = _ANSWERS.match(text)
    text = text[answers.end() :] if answers else text
    said = _STATES.match(text)
    text = text[said.end() :] if said else text
    if (label := _LABEL.match(text)) is not None:
        number = label["no"] or label["nr"]
        text = f"{number}. " * bool(number) + text[label.end() :]
    text = f"{answers['theirs']} {text}" if answers and said else text
    text = join_spread_move(_LOOSE_DASH.sub(r"\1~", write_in_signs(text)))
    return text, said is not None


def _split_note(text: str) -> tuple[list[str], str, bool]:
    """Words before a trailing note, "(...)" or "{...}", and before a draw offer, in it or not."""
    note = ""
    opening = next((found for found in _NOTE.finditer(text) if not _opens_move(found, text)), None)
    if opening and text.rstrip(" .").endswith((")", "}")):
        text, note = text[: opening.start()], text[opening.start() :].strip()
    words = text.replace(",", " ").replace(";", " ").split()
    if not speaks_of_draw(text + note):
        return words, note, False
    if note and is_draw_offer(note.rstrip(" .")):
        return words, "", True
    for count in range(min(_LONGEST_OFFER, len(words) - 1), 0, -1):
        if is_draw_offer(" ".join(words[-count:])):
            return words[:-count], note, True
    return words, note, False


def _opens_move(opening: re.Match[str], text: str) -> bool:
    """Whether a parenthesis holds one move and nothing else: "(Dc7)", as letters print them."""
    found = _ASIDE.match(text, opening.end() - 1)
    return found is not None and could_be_move(found[1])


def _tokens(words: list[str]) -> list[Token] | None:
    found: list[Token] = []
    pending = _Pending()
    index = 0
    while index < len(words):
        used = _step(words, index, pending, found)
        if used == 0 or len(found) > MAX_TOKENS:
            return None
        index += used
    # a number, a 0 or an «if» without its move: the line is not what it seems
    is_open = pending.number is not None or pending.proposed or pending.supposed
    return None if is_open else found


def _step(words: list[str], index: int, pending: _Pending, found: list[Token]) -> int:
    """Read what begins at words[index]; returns the words used, 0 if not understood."""
    word = words[index]
    if word in _ENDINGS:
        return 1 if found and index == len(words) - 1 else 0
    if _SIGN.fullmatch(word):
        return _add_sign(word, pending, found)
    if word == _IF:
        pending.supposed = True
        return 1
    if word.strip("-.") == "":
        return _add_dots(word, pending, found)
    glued = _GLUED_NUMBER.match(word)
    if glued:
        pending.proposed = pending.proposed or bool(glued[1])  # 014. 4244
        pending.number = int(glued[2])
        pending.black = len(glued[3]) > 1 or bool(glued[4])
        rest = word[glued.end() :]
        if not rest:
            return 1
        return _step([*words[:index], rest, *words[index + 1 :]], index, pending, found)
    return _add_move(words, index, pending, found)


def _add_sign(word: str, pending: _Pending, found: list[Token]) -> int:
    """ "+", "!?", "e.p.", "(1)" standing apart belong to the move before."""
    if not found or pending.number is not None or pending.proposed:
        return 0
    last = found[-1]
    glue = "" if word.startswith("(") else " "
    found[-1] = replace(last, text=last.text + glue + word, aside=False)
    return 1


def _add_dots(word: str, pending: _Pending, found: list[Token]) -> int:
    """ "-" or "..." after a number: Black's move follows. A dash between moves means nothing."""
    if pending.number is not None:
        pending.black = True
        return 1
    return 1 if word in ("-", "...", "..") and (found or word != "-") else 0


def _add_move(words: list[str], index: int, pending: _Pending, found: list[Token]) -> int:
    word = words[index]
    if (aside := _ASIDE.fullmatch(word)) and could_be_move(aside[1]):
        found.append(replace(pending.take(aside[1].replace("~", "-")), aside=True))
        return 1
    loose = "~" in word
    text = word.lstrip("~").replace("~", "-")
    if _ZERO.fullmatch(text):
        pending.proposed = True
        return 1
    if (zero := _ZERO.match(text)) and not (_CASTLING.fullmatch(text) or _DASHLESS.fullmatch(text)):
        pending.proposed = True
        text = text[zero.end() :].lstrip("-")
    following = words[index + 1] if index + 1 < len(words) else ""
    if _PAIR.fullmatch(text) and _PAIR.fullmatch(following):
        found.append(pending.take(text + following, loose=True))  # 52 54
        return 2
    is_after_zero = pending.proposed and _FOUR.match(following)  # 01 3827, 02 5756
    if is_after_zero and COUNTED.fullmatch(word):
        return 1  # of a series, which its 0 marks
    if re.fullmatch(r"\d{1,3}", text) and (re.match(r"[A-Za-z♔-♟]", following) or is_after_zero):
        pending.number = int(text)  # PGN without its dot: 12 Nf3
        return 1
    if not could_be_move(text) and not _DASHLESS.fullmatch(text):
        return 0
    found.append(pending.take(text, loose=loose))
    return 1


# Whether a written move repeats one already played, or one written before it.


def drop_repeated_moves(
    tokens: tuple[Token, ...], languages: Collection[NotationLanguage]
) -> tuple[Token, ...]:
    """Each move once: what follows it in parentheses may be the same move in another form."""
    return tuple(
        token
        for index, token in enumerate(tokens)
        if not (token.aside and index and same_move(tokens[index - 1].text, token.text, languages))
    )


# What the moves of a mail mean in the game: repetition, accepted series, own move, proposal.


@dataclass(frozen=True, slots=True)
class ParsedSeries:
    """What one run of moves says. `tail`: moves at its end that were not used; `unmarked`: as what
    series they would do, had they its 0 (§ 6.2.5); `empty_take`: a move of his own that is written
    as a capture and captures nothing."""

    moves: tuple[chess.Move, ...] = ()
    proposes: tuple[chess.Move, ...] = ()
    repetition: Repetition = Repetition.ABSENT
    problem: ParseProblem | None = None
    tail: str = ""
    unmarked: tuple[chess.Move, ...] = ()
    empty_take: str = ""


def read_unmarked(
    tokens: Iterable[Token], board: chess.Board, languages: Collection[NotationLanguage]
) -> tuple[chess.Move, ...]:
    """The series that moves without a 0 would be, to the last of the proposer's; () if they can
    be none. `board`: after his move."""
    ahead, found = board.copy(stack=False), list[chess.Move]()
    for token in tokens:
        half = half_of(ahead.fullmove_number, ahead.turn)
        read = read_move(ahead, token.text, languages)
        fits = _number_fits(token, half) and not token.aside
        if not fits or not isinstance(read, MoveRead):
            return ()
        found.append(read.move)
        ahead.push(read.move)
    return tuple(found[: len(found) // 2 * 2])


def read_statement(
    tokens: tuple[Token, ...], position: WriterPosition, languages: Collection[NotationLanguage]
) -> ParsedSeries:
    """Match a run of written moves to the game, with a guess if a number is off. Never raises."""
    tokens = drop_repeated_moves(tokens, languages)
    if tokens[0].proposed and tokens[0].number is not None:  # «03.» in a table: no series begins it
        tokens = (replace(tokens[0], proposed=False), *tokens[1:])
    statement = _laid(tokens, position, languages)
    if statement.problem is not None and statement.problem.kind in _RESPELLED:
        statement = _respelled(statement, tokens, position, languages)
    problem = statement.problem
    if problem is None or problem.kind is not ProblemKind.WRONG_NUMBER:
        return statement
    meant = _find_meant_moves(tokens, position, languages)
    return replace(statement, problem=replace(problem, candidates=meant))


_RESPELLED = (ProblemKind.ILLEGAL, ProblemKind.NOT_UNDERSTOOD)
_FROM, _TO = re.compile("[KQRBNDTLS]?[a-h][1-8]"), re.compile("[a-h][1-8]")
_TWO = re.compile("([a-h][1-8])-([a-h][1-8])")


def _respelled(
    statement: ParsedSeries,
    tokens: tuple[Token, ...],
    position: WriterPosition,
    languages: Collection[NotationLanguage],
) -> ParsedSeries:
    """A faulty statement read in another way: "e7 e5" as one move, "1. e4-e5" as two.

    If neither fits, it is asked about: nobody is charged for where he put a blank.
    """
    ways = list(_spell_otherwise(tokens))
    for way in ways:
        read = _laid(way, position, languages)
        if read.moves and not (read.tail or read.problem):
            return read
    if ways and statement.problem is not None:
        return replace(statement, problem=replace(statement.problem, is_asked=True))
    return statement


def _spell_otherwise(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    for at, one in enumerate(tokens):
        following = tokens[at + 1 : at + 2]
        if following and following[0].number is None and _FROM.fullmatch(one.text):
            if _TO.fullmatch(following[0].text):
                joined = replace(one, text=f"{one.text}-{following[0].text}", loose=True)
                yield (*tokens[:at], joined, *tokens[at + 2 :])
        elif two := _TWO.fullmatch(one.text):
            parts = replace(one, text=two[1]), Token(two[2], loose=True)
            yield (*tokens[:at], *parts, *tokens[at + 1 :])


_MOST_MEANT = 3


def _find_meant_moves(
    tokens: tuple[Token, ...], position: WriterPosition, languages: Collection[NotationLanguage]
) -> tuple[chess.Move, ...]:
    """The writer's move when the numbers are ignored; empty if there is none.

    Moves before it that repeat nothing are skipped: he is asked, and sees what will be played.
    """
    if len(tokens) > _MOST_MEANT or any(token.proposed for token in tokens):
        return ()  # of a long record the last move is no guess
    bare = tuple(replace(token, number=None, black=False) for token in tokens)
    now = half_of(position.board.fullmove_number, position.board.turn)
    for part in (*(bare[start:] for start in range(len(bare))), bare[:1]):
        read = _guess_start(part, position, languages, now)
        if len(read.moves) == 1 and not read.tail:
            return read.moves
    return ()


def _laid(
    tokens: tuple[Token, ...], position: WriterPosition, languages: Collection[NotationLanguage]
) -> ParsedSeries:
    now = half_of(position.board.fullmove_number, position.board.turn)
    first = tokens[0]
    if first.number is not None:
        colour = chess.BLACK if first.black else chess.WHITE
        start = half_of(first.number, colour)
        if start == now - 1 and not first.black and _is_own_after_all(tokens, position, languages):
            return _clash(tokens, position, languages) or _Walk(tokens, position, languages).go(now)
        return _Walk(tokens, position, languages).go(start)
    return _guess_start(tokens, position, languages, now)


def _is_own_after_all(
    tokens: tuple[Token, ...], position: WriterPosition, languages: Collection[NotationLanguage]
) -> bool:
    """Black's "12. Sf6": his own move under the number he shares with White."""
    alone = len(tokens) == 1 or tokens[1].proposed or tokens[1].number is not None
    if not alone:
        return False
    last = position.previous[-1] if position.previous else None
    if last is None or not last.matches(tokens[0].text, languages):
        return True
    return isinstance(read_move(position.board, tokens[0].text, languages), MoveRead)


def _clash(
    tokens: tuple[Token, ...], position: WriterPosition, languages: Collection[NotationLanguage]
) -> ParsedSeries | None:
    """The rare move that repeats White's and is legal for Black too: we ask."""
    last = position.previous[-1] if position.previous else None
    if last is None or not last.matches(tokens[0].text, languages):
        return None
    read = read_move(position.board, tokens[0].text, languages)
    candidates = (read.move,) if isinstance(read, MoveRead) else read.candidates
    return ParsedSeries(problem=ParseProblem(ProblemKind.AMBIGUOUS, tokens[0].text, candidates))


def _guess_start(
    tokens: tuple[Token, ...],
    position: WriterPosition,
    languages: Collection[NotationLanguage],
    now: int,
) -> ParsedSeries:
    """Without a number: the writer's own moves must come last, so their count gives the start."""
    marked = (i for i, token in enumerate(tokens) if token.proposed or (i and token.aside))
    unmarked = next(marked, len(tokens))
    if unmarked <= 1:
        return _Walk(tokens, position, languages).go(now)
    starts = (now, now - 2) if unmarked % 2 else (now - 1, now)
    for start in starts:
        if start < now - position.ply:
            continue  # before the game began nothing is repeated
        statement = _Walk(tokens, position, languages).go(start)
        if statement.moves and not statement.tail:
            return statement
    statement = _Walk(tokens, position, languages).go(now)
    is_whole = len(statement.unmarked) == len(tokens) - len(statement.moves)
    if statement.moves and is_whole:
        return statement
    # No reading fits: nobody is charged for what may be our misreading.
    return ParsedSeries(problem=ParseProblem(ProblemKind.NOT_UNDERSTOOD, tokens[0].text))


@dataclass(slots=True)
class _Walk:
    """One pass along the tokens, ply by ply."""

    tokens: tuple[Token, ...]
    position: WriterPosition
    languages: Collection[NotationLanguage]
    moves: list[chess.Move] = field(default_factory=list)
    proposes: list[chess.Move] = field(default_factory=list)
    repetition: Repetition = Repetition.ABSENT
    problem: ParseProblem | None = None
    tail_at: int | None = None
    proposal_at: int | None = None
    unmarked: tuple[chess.Move, ...] = ()
    empty_take: str = ""

    def go(self, start: int) -> ParsedSeries:
        """Read the tokens as the half-moves `start`, `start` + 1, …"""
        position = self.position
        now = half_of(position.board.fullmove_number, position.board.turn)
        played = {ply.half: ply for ply in position.previous}
        board = position.board if len(self.tokens) == 1 else position.board.copy(stack=False)
        for index, token in enumerate(self.tokens):
            half = start + index
            if token.proposed and self.proposal_at is None:
                self.proposal_at = index
            if index and not _number_fits(token, half):
                self._stop(index, ProblemKind.WRONG_NUMBER)
            elif self.proposal_at is not None:
                self._propose(index, board, half - now)
            elif half < now:
                self._repeat(index, played.get(half), is_last=half == now - 1)
            else:
                self._play(index, board, half - now)
            if self.problem or self.tail_at is not None:
                break
        return self._result()

    def _repeat(self, index: int, played: PlayedPly | None, *, is_last: bool) -> None:
        token, is_followed = self.tokens[index], index + 1 < len(self.tokens)
        if played is None:
            if not is_followed:  # otherwise a record of the game, longer than ours
                self._stop(index, ProblemKind.WRONG_NUMBER)
        elif played.matches(token.text, self.languages):
            self.repetition = Repetition.OK
        elif not shapes(token.text, self.languages):
            self._stop(index, ProblemKind.NOT_UNDERSTOOD)
        elif is_last and self._wrong(index, self.position.board):
            return
        else:  # an own move under another number, or a slip in the running record
            self.repetition = Repetition.WRONG if is_last else self.repetition
            self._stop(index, ProblemKind.WRONG_NUMBER)

    def _wrong(self, index: int, board: chess.Board) -> bool:
        """Whether this repeats the opponent wrongly: a playable move of his own follows."""
        if index + 1 == len(self.tokens):
            return False
        own = read_move(board, self.tokens[index + 1].text, self.languages)
        if not isinstance(own, MoveRead):
            return False
        self.repetition, token = Repetition.WRONG, self.tokens[index].written
        # what follows moves of the series is not his next move
        meant = (own.move,) if board is self.position.board else ()
        self.problem = ParseProblem(ProblemKind.WRONG_REPETITION, token, meant)
        return True

    def _play(self, index: int, board: chess.Board, ahead: int) -> None:
        """The writer's own ply, or a bound answer of the series he accepts."""
        if ahead != len(self.moves):
            self._stop(index, ProblemKind.WRONG_NUMBER)
            return
        if self.moves and not self._in_series():
            self.tail_at = index  # his move is made; what follows has no 0
            self.unmarked = read_unmarked(self.tokens[index:], board, self.languages)
            before, token = board.copy(), self.tokens[index]
            before.pop()
            read = read_move(before, token.text, self.languages) if token.aside else None
            if isinstance(read, MoveRead):  # in parentheses: another for the one just made
                self.moves.clear()
                self._stop(index, ProblemKind.CONTRADICTION)
            return
        move = self._read(index, board)
        bound = self.position.proposal[ahead] if ahead % 2 else move
        is_illegal = self.problem is not None and self.problem.kind is ProblemKind.ILLEGAL
        if move != bound and (move or is_illegal):
            self.problem = None
            self._off_series(index, board, self.position.proposal[ahead])
        if move is None or move != bound:
            return
        if ahead % 2 == 0:
            self._note_take(index, board, move)
        self.moves.append(move)
        if index + 1 < len(self.tokens):
            board.push(move)

    def _off_series(self, index: int, board: chess.Board, bound: chess.Move) -> None:
        """A move of the opponent's series written differently or left out, or an own series without
        its 0. Only what can be neither of the two last costs anything; all are named as this."""
        after = board.copy(stack=False)
        after.push(bound)
        token = self.tokens[index]
        is_left_out = isinstance(read_move(after, token.text, self.languages), MoveRead)
        rest = self.tokens[index:]  # a series of his own, but for its 0 (§ 6.2.5)?
        if is_left_out or len(read_unmarked(rest, board, self.languages)) == len(rest):
            kind = ProblemKind.WRONG_REPETITION
            self.problem = ParseProblem(kind, token.written, is_asked=True)
        elif not self._wrong(index, after):
            self._stop(index, ProblemKind.CONTRADICTION)

    def _in_series(self) -> bool:
        """True while everything so far is the standing series and more of it is to come."""
        count = len(self.moves)
        series = self.position.proposal
        if tuple(self.moves) != series[:count]:
            return False
        return count < len(series) or count % 2 == 0

    def _propose(self, index: int, board: chess.Board, ahead: int) -> None:
        made, offered = len(self.moves), len(self.proposes)
        bound = self._in_series() and made < len(self.position.proposal)
        if made % 2 == 0 or ahead != made + offered or bound:
            self.tail_at = self.proposal_at
            return
        read = read_move(board, self.tokens[index].text, self.languages)
        if isinstance(read, MoveRead):
            self._note_take(index, board, read.move)
            self.proposes.append(read.move)
            if index + 1 < len(self.tokens):
                board.push(read.move)
        else:
            self.tail_at = self.proposal_at

    def _note_take(self, index: int, board: chess.Board, move: chess.Move) -> None:
        if takes_nothing(board, move, self.tokens[index].text):
            self.empty_take = self.empty_take or self.tokens[index].written

    def _read(self, index: int, board: chess.Board) -> chess.Move | None:
        token = self.tokens[index]
        read = read_move(board, token.text, self.languages)
        if isinstance(read, MoveRead):
            return read.move
        is_illegal = read.error is MoveError.ILLEGAL
        last = self.position.previous[-2:]  # of one of the players, sent or copied again
        known = is_illegal and any(ply.matches(token.text, self.languages) for ply in last)
        if known and index + 1 < len(self.tokens):
            self._stop(index, ProblemKind.WRONG_NUMBER)  # "11... Kb1 Dc7": White's move repeated
            return None
        is_unclear = token.loose and is_illegal
        kind = ProblemKind.NOT_UNDERSTOOD if is_unclear else ProblemKind(read.error.value)
        self.problem = ParseProblem(kind, token.text, read.candidates, is_asked=known)
        return None

    def _stop(self, index: int, kind: ProblemKind) -> None:
        """A problem if the writer's move is not yet made; after that just an unused tail."""
        if self.moves and len(self.moves) % 2 and not self._in_series():
            self.tail_at = index if self.proposal_at is None else self.proposal_at
        elif self.proposal_at is not None and self.moves:
            self.tail_at = self.proposal_at
        else:
            self.problem = ParseProblem(kind, self.tokens[index].written)

    def _result(self) -> ParsedSeries:
        if self.problem:
            return ParsedSeries(repetition=self.repetition, problem=self.problem)
        if len(self.proposes) % 2 and self.tail_at is None:
            self.tail_at = self.proposal_at
        if self.tail_at is not None and self.tail_at == self.proposal_at:
            self.proposes.clear()  # a series stands as a whole or not at all
        tail = self.tokens[self.tail_at :] if self.tail_at is not None else ()
        own = self.moves[: len(self.moves) - 1 + len(self.moves) % 2]
        left = " ".join(token.written for token in tail)
        said = (tuple(own), tuple(self.proposes), self.repetition, None, left, self.unmarked)
        return ParsedSeries(*said, self.empty_take)


def _number_fits(token: Token, half: int) -> bool:
    """True if the number before a later move of the run, if any, fits its place."""
    is_next = token.number == half // 2 + 1 and (not token.black or half % 2 == 1)
    return token.number is None or is_next
