"""The writer's own lines: no quoted text, no signature, no "Sent from my ...", no disclaimer.

Our own rules, each linear in the line: the library mail-parser-reply takes a king's move to h1
for a signature ("Kh", "Th" after "Tak") and needs 26 s for 80 KB of "Den ". NOT for what the
foreign parts look like (`mail.incoming.foreign`, `mail.incoming.signing`), nor for commands.
"""

from collections.abc import Iterable
from functools import lru_cache

from mail.incoming.foreign import QUOTE, Foreign
from mail.incoming.signing import is_moves, signs, unsigned

_UNSEEN = "\ufeff\u200b\u200e\u200f\u2060"
_GRAM = 4  # words in a row that tell our letter's text from anybody's
_LONG_RUN = 8  # words of our letter on one line with the writer's own
_SHORT_LINE = 6  # words; so short a line is ours only together with the one beside it
_MARKS = "*_>|\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad"
_MAX_FIELD = 6  # words of a line that holds an address and little else


@lru_cache(maxsize=64)
def own_words(text: str, domain: str = "", writer: tuple[str, str] = ("", "")) -> str:
    """The lines the writer wrote himself, in order; blank lines kept between them, not at the ends.

    Answers below or between quotes stay. `domain`: of our addresses; `writer`: his name and
    address in From. Linear in the text; never raises. Cached: a mail is asked for its words two
    or three times on its way.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    lines = [line.strip(_UNSEEN) for line in plain.split("\n")]
    foreign = Foreign(lines, domain)
    kept: list[str] = []
    played = False
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line or foreign.is_quote[index]:  # most lines of most replies
            kept.extend([] if line else [""])
            index += 1
            continue
        shown = signs(line)
        end = foreign.attributions.get(index)
        if end is not None or foreign.is_ours(line):
            index = index + 1 if end is None else end
            is_field = played and len(line.split()) <= _MAX_FIELD  # a sentence is his own
            if (is_field or end is not None) and not foreign.quote_follows(index):
                break  # the mail being answered follows without a mark
        elif shown.is_delimiter or foreign.begins(index, played=played):
            break
        elif shown.begins_notice:
            index = _paragraph_end(lines, index)
        else:
            kept.extend([] if shown.is_sent_from else [line.rstrip()])
            played = played or shown.could_be_move
            index += 1
    return "\n".join(unsigned(kept, writer)).strip("\n")


def _paragraph_end(lines: list[str], index: int) -> int:
    """Where a notice ends: at a blank line, or at moves, which are his own."""
    while index < len(lines) and lines[index].strip() and not is_moves(lines[index]):
        index += 1
    return index


def without_letter(text: str, letters: Iterable[str]) -> str:
    """A reply without the words of the letters it answers, however they were folded on the way.

    Told by runs of words, so that it does not matter where the lines are broken or joined. A short
    line and a line of moves stay unless the letter goes on in the line beside them: a player may
    write what we wrote. Lines with a quote's mark are left alone.
    """
    known = {gram for letter in letters for gram in _grams(_plain_words(letter))}
    if not known:
        return text
    lines = text.split("\n")
    words = [
        (number, word, plain)
        for number, line in enumerate(lines)
        if not QUOTE.match(line)
        for word in line.split()
        if (plain := word.strip(_MARKS).casefold())
    ]
    ours, joined = [False] * len(words), set[int]()
    for start, gram in enumerate(_grams([plain for _, _, plain in words])):
        if gram in known:
            ours[start : start + _GRAM] = [True] * _GRAM
            numbers = {number for number, _, _ in words[start : start + _GRAM]}
            joined |= numbers if len(numbers) > 1 else set()
    said: dict[int, list[tuple[str, bool]]] = {}
    for (number, word, _), is_ours in zip(words, ours, strict=True):
        said.setdefault(number, []).append((word, is_ours))
    for number, marked in said.items():
        lines[number] = _own_part(lines[number], marked, is_joined=number in joined)
    return "\n".join(lines)


def _own_part(line: str, marked: list[tuple[str, bool]], *, is_joined: bool) -> str:
    own = [word for word, is_ours in marked if not is_ours]
    may_be_own = len(marked) <= _SHORT_LINE or is_moves(line)
    if not own:
        return line if may_be_own and not is_joined else ""
    return " ".join(own) if len(marked) - len(own) >= _LONG_RUN else line


def _plain_words(text: str) -> list[str]:
    found = (word.strip(_MARKS).casefold() for word in text.split())
    return [word for word in found if word]


def _grams(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + _GRAM]) for start in range(len(words) - _GRAM + 1)]
