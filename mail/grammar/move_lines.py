"""Parses a line that holds moves and nothing else (§ 6.2.1, § 6.2.2, § 6.2.5).

Move numbers, moves in any notation, and the `0` before the first proposed move. A line with other
words around a move is not a move line: "Jeg spiller ikke 2. Nf3" plays nothing. NOT for what
the moves mean in a game: `mail.grammar.series`.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from kskak.board.notation import could_be_move, looks_like_move
from mail.grammar.keywords import is_draw_offer, speaks_of_draw

MAX_LINE = 400  # characters; a longer line is prose
MAX_TOKENS = 60
_SHORT = 16  # characters
_LONGEST_OFFER = 7  # words

_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\t\u00a0\u202f", " ")
    | {"\u2026": "...", "\u00d7": "x"}
)
# Signs nobody sees: they mean nothing around a word; inside one they are somebody's trick.
_UNSEEN = re.compile(
    r"(?:(?<=\s)|^)[\u200b-\u200d\u2060\ufeff]+|[\u200b-\u200d\u2060\ufeff]+(?=\s|$)"
)
_POLITE = re.compile(
    r"(?:[\s,]*(?:[:;]-?[)DPp(]|\^\^|<3|[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]+"
    r"|(?<=[\s,])(?:tak|takker|thanks|thank you|tack)[.!]?))+$",
    re.IGNORECASE,
)
"""What people put after a move without meaning anything of the game: thanks, and faces."""
_LABEL = re.compile(
    r"(?:mit |my |min )?(?:næste |next )?(?:træk|trækket|svar|move|answer|drag) ?: ?",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[-*•]\s+(?=\S)")
# Dashes with blanks around them: e2 - e4, 52 - 54, 0 - 0. Never between two whole moves.
_LOOSE_DASH = re.compile(
    r"(?<![\w-])((?:[KQRBNDTLS]?[a-h][1-8]|[1-8]{2}|[0Oo](?:-[0Oo])?))(?: - ?|- )"
    r"(?=(?:[a-h][1-8]|[1-8]{2}|[0Oo])(?![\w-]| ?- ?[0-9a-h]{2}))"
)
# A move in numbers with blanks or dots inside, or after a bare number: 5 2 5 4, 52.54, 12 5254.
_SPREAD = re.compile(
    r"(?:(?P<no>\d{1,3})(?P<dots>\.{1,3} ?|\) ?| \.{1,3} ?| ))?(?P<from>[1-8][ .]?[1-8])"
    r"(?P<gap>[ .]| ?- ?|)(?P<to>[1-8][ .]?[1-8])"
)
_GLUED_NUMBER = re.compile(r"(0?)([1-9]\d{0,2})(\.{1,3}|\)|:(?=$))(-?)(?=\S|$)")
_SIGN = re.compile(r"[+#!?]{1,3}|e\.p\.?|ep|skak|mat|check|mate|\([1-4]\)")
# Every move names a rank or castles: a quick no for most lines of prose.
_CHESS_SIGN = re.compile(r"[1-8]|[0Oo]\s?[-\u2010-\u2015\u2212]\s?[0Oo]|\bOOO?\b")
_NOTE = re.compile(r"(?<=[^\s(])\s*[({](?![1-4]\)|[QRBNDTLS]\))")
_ASIDE = re.compile(r"\(([^()\s]{2,12})\)(?=[\s.,;]|$)")
_PAIR = re.compile(r"[1-8]{2}")
_CASTLING = re.compile(r"[0Oo]-[0Oo](-[0Oo])?[+#!?.]*")
# OO: castling without its dash, if legal; 00 is left out because a 0 opens a series.
_DASHLESS = re.compile(r"OOO?[+#!?.]*")
_ENDINGS = ("*", "1-0", "0-1", "1/2-1/2")  # what a PGN line may end with


@dataclass(frozen=True, slots=True)
class Token:
    """One written move. `number`: the move number before it, if any; `black`: that number was
    given for Black ("12... Sf6", "12.-, Sf6"). `proposed`: a `0` comes before it. `loose`:
    assembled from pieces, so an illegal one may be our misreading. `aside`: in parentheses,
    as letters print the other form of a move: "11... 4837 (Dc7)".
    """

    text: str
    number: int | None = None
    black: bool = False
    proposed: bool = False
    loose: bool = False
    aside: bool = False

    @property
    def written(self) -> str:
        """As it was written, number and 0 included."""
        number = "" if self.number is None else f"{self.number}{'...' if self.black else '.'} "
        return f"{'0' if self.proposed else ''}{number}{self.text}"


@dataclass(frozen=True, slots=True)
class MoveLine:
    """The moves of one line, what followed them in parentheses, and whether a draw offer did."""

    tokens: tuple[Token, ...]
    note: str
    source: str
    offers_draw: bool = False


@dataclass(slots=True)
class _Pending:
    """What has been read before the next move."""

    number: int | None = None
    black: bool = False
    proposed: bool = False

    def take(self, text: str, *, loose: bool = False) -> Token:
        token = Token(text, self.number, self.black, self.proposed, loose)
        self.number, self.black, self.proposed = None, False, False
        return token


def read_move_line(line: str) -> MoveLine | None:
    """The line as moves; None if anything in it is not a move, a number or a sign."""
    if len(line) > MAX_LINE or not _CHESS_SIGN.search(line):
        return None
    return _read_short(line) if len(line) <= _SHORT else _read(line)


@lru_cache(maxsize=8192)
def _read_short(line: str) -> MoveLine | None:
    """Cached: most short lines have been seen before, in some game."""
    return _read(line)


def _read(line: str) -> MoveLine | None:
    text = _plain(line)
    words, note, offers_draw = _split_note(text)
    if not words or len(words) > 2 * MAX_TOKENS:
        return None
    tokens = _tokens(words)
    return MoveLine(tuple(tokens), note, line.strip(), offers_draw) if tokens else None


def move_words(line: str) -> tuple[str, ...]:
    """The words of a line of prose that look like moves, as written."""
    if not _CHESS_SIGN.search(line):
        return ()
    words = (word.strip(".,;:!?()\"'*") for word in line[:MAX_LINE].translate(_TYPOGRAPHY).split())
    return tuple(word for word in words if _CHESS_SIGN.search(word) and looks_like_move(word))


def _plain(line: str) -> str:
    text = _UNSEEN.sub("", line.translate(_TYPOGRAPHY)).strip(" *_\r")
    text = _POLITE.sub("", " ".join(text.split()))
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    label = _LABEL.match(text)
    text = text[label.end() :] if label else text
    return _joined(_LOOSE_DASH.sub(r"\1~", text))


def _joined(text: str) -> str:
    """A line that is one move in numbers, spread out; marked, as it may be our misreading."""
    found = _SPREAD.fullmatch(text)
    if found is None:
        return text
    squares = [re.sub("[ .]", "", found[end]) for end in ("from", "to")]
    dots = (found["dots"] or "").strip()
    is_plain = found["gap"] != "." and squares == [found["from"], found["to"]]
    if is_plain and (not found["no"] or found["dots"][0] != " "):
        return text
    number = f"{found['no']}{dots or '.'} " if found["no"] else ""
    return number + "~".join(squares)


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
    # a number or a 0 without its move: the line is not what it seems
    return None if pending.number is not None or pending.proposed else found


def _step(words: list[str], index: int, pending: _Pending, found: list[Token]) -> int:
    """Read what begins at words[index]; returns the words used, 0 if not understood."""
    word = words[index]
    if word in _ENDINGS:
        return 1 if found and index == len(words) - 1 else 0
    if _SIGN.fullmatch(word):
        return _add_sign(word, pending, found)
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
    found[-1] = Token(last.text + glue + word, last.number, last.black, last.proposed, last.loose)
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
    text = word.replace("~", "-")
    if text == "0":
        pending.proposed = True
        return 1
    if text.startswith("0") and not _CASTLING.fullmatch(text):
        pending.proposed = True
        text = text[1:].lstrip("-")
    following = words[index + 1] if index + 1 < len(words) else ""
    if _PAIR.fullmatch(text) and _PAIR.fullmatch(following):
        found.append(pending.take(text + following, loose=True))  # 52 54
        return 2
    if re.fullmatch(r"\d{1,3}", text) and re.match(r"[A-Za-z]", following):
        pending.number = int(text)  # PGN without its dot: 12 Nf3
        return 1
    if not could_be_move(text) and not _DASHLESS.fullmatch(text):
        return 0
    found.append(pending.take(text, loose=loose))
    return 1
