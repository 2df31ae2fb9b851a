"""How people and their programs sign: delimiters, greetings, names, "Sent from my ...", notices.

A line that could be a move is never taken for a signature. NOT for quotes and attribution lines
(`mail.incoming.own_words`).
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from kskak.board import notation
from mail.incoming.phrases import compile_phrase

_DELIMITER = re.compile(r"[ \t]*(?:--|—|––|- -|__)[ \t]*$")
RULE = re.compile(r"[ \t]*[_\-=*─]{3,}[ \t]*$")
_SENT_FROM = compile_phrase("sent_from")
# In any language: "sent" as the first or last word of a short line that names what sent it.
_SENDING = compile_phrase("sending")
_PROGRAM = compile_phrase("program")
_MAX_SENT_FROM = 120  # characters
_MAX_NAME = 200  # characters
_MOST_BELOW = 8  # lines of a greeting, a name, an address, and what was added
_PLACEHOLDER = re.compile(
    r"[ \t]*(?:\[(?:cid|image|billede|https?:)[^\]\n]*\]|<#[^>\n]*>|\ufffc)[ \t]*$", re.IGNORECASE
)
_CLOSING = compile_phrase("closing")
_POSTSCRIPT = compile_phrase("postscript")
_NUMBERED = re.compile(r"[ \t]*\d{1,3}[ \t]?\.{1,3}[ \t-]*[a-hA-HKQRBNDTLSO0-8]")
_COULD_BE_MOVE = re.compile(
    r"[a-hA-H][1-8]|(?<!\d)[1-8][ .]?[1-8](?: ?\W ?)?[1-8][ .]?[1-8](?!\d)"
    r"|(?<!\d)[1-8]{4}[1-4](?!\d)|[0Oo] ?[-\u2010-\u2015\u2212] ?[0Oo]|\bOOO?\b"
)
_SPREAD = re.compile(
    r"(?:\d{1,3}[.)]{1,3} ?)?(?:[1-8][ .]?[1-8][ .-]{1,3}[1-8][ .]?[1-8]|OOO?"
    r"|[0Oo](?: ?[-\u2010-\u2015\u2212] ?[0Oo]){1,2})[+#!?.]*"
)
_MOST_EXTRA_WORDS = 4  # words of a line that begins with a move
_MOVE_ADORNMENT = re.compile(r"\d{1,3}[.)]{1,3}|[-.]+|\W+")
_CONTACT = re.compile(
    r"www\.|https?://|\b(?:tlf|tel|telefon|mobil|mob|phone|puh)\b\.?:? ?\+?\d|\+\d\d[ \d]{8}",
    re.IGNORECASE,
)
# What of a line is somebody's address or telephone number.
_REACHED_AT = re.compile(
    r"www\.\S+|https?://\S+|[^\s<>]{1,64}@[^\s<>]+"
    r"|\b(?:tlf|tel|telefon|mobil|mob|phone|puh)\b\.?:? ?(?:\+\d\d ?)?(?:[ -]?\d){1,8}(?!\d)"
    r"|\+\d\d(?: ?\d){8}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\s<>]{1,64}@[^\s<>]+|[^\W\d_]+")
_DISCLAIMER = compile_phrase("disclaimer")


Asks = Callable[[str], bool]
"""Whether a line asks for something: a keyword, a draw."""


def never(_: str) -> bool:
    """Nothing is asked for."""
    return False


class Signs(NamedTuple):
    """What a line shows, wherever it stands: the signature's mark, the beginning of a paragraph
    that no person wrote (confidentiality, "external"), a mail program's own line, a move."""

    is_delimiter: bool
    begins_notice: bool
    is_sent_from: bool
    could_be_move: bool


def signs(line: str) -> Signs:
    """A line's signs."""
    return Signs(
        bool(_DELIMITER.match(line)),
        bool(_DISCLAIMER.match(line)),
        _is_sent_from(line),
        could_be_move(line),
    )


def _is_sent_from(line: str) -> bool:
    """ "Sendt fra min iPhone" in any language, or what stands for a picture."""
    if _SENT_FROM.match(line) or _PLACEHOLDER.match(line):
        return True
    is_short = len(line) <= _MAX_SENT_FROM
    return is_short and bool(_PROGRAM.search(line) and _SENDING.match(line))


def strip_signature(lines: list[str], writer: tuple[str, str], is_command: Asks) -> list[str]:
    """The lines without the signature at their end. `writer`: his name and address in From.

    What asks for something stays, even if it is his name: a draw offered below the greeting.
    """
    name, address = writer
    names = frozenset(_list_words(name or address.partition("@")[0]) + [address] * bool(address))

    def asks(line: str) -> bool:  # «Remis Jensen» is a name, «Remis» is said
        is_his_name = len(line.split()) > 1 and _is_name(line, names)
        return is_command(line) and not is_his_name

    left = _without_rule(_without_closing(lines, asks), names)
    return _without_name(left, names, asks)


def could_be_move(line: str) -> bool:
    """Whether a line may hold a move, as far as one can tell without a board."""
    return bool(_COULD_BE_MOVE.search(line)) and bool(
        _COULD_BE_MOVE.search(_REACHED_AT.sub(" ", line))
    )


def is_moves(line: str) -> bool:
    """Whether a line is moves with their numbers, or a move in letters and a few words."""
    text = line.strip(" \t*_")
    words = [word for word in text.split() if not _MOVE_ADORNMENT.fullmatch(word)]
    if not words or len(text) > _MAX_NAME or not notation.could_be_move(words[0]):
        return bool(_SPREAD.fullmatch(text))
    is_short = len(words) <= _MOST_EXTRA_WORDS and not words[0].strip(".").isdigit()
    return is_short or all(map(notation.could_be_move, words))


def _without_closing(lines: list[str], is_command: Asks) -> list[str]:
    """Cut "Med venlig hilsen" and the name, address and telephone number below it.

    Moves below it stay, as some write the greeting first; what is digits alone only if no move is
    above, as telephone numbers look so too. So does a postscript, and what asks for something, if
    no letter of ours is below. Everything stays if nothing is above the greeting.
    """
    for index, line in enumerate(lines):
        if not _CLOSING.match(line) or could_be_move(line):
            continue
        if any(before.strip() for before in lines[:index]):
            played = any(map(could_be_move, lines[:index]))
            after = (at for at, one in enumerate(lines) if at > index and _POSTSCRIPT.match(one))
            end = next(after, len(lines))
            is_short = sum(map(bool, map(str.strip, lines[index:end]))) <= _MOST_BELOW
            below = [
                one
                for one in lines[index:end]
                if _stays(one, played=played) or (is_short and is_command(one))
            ]
            return lines[:index] + below + lines[end:]
    return lines


def _stays(line: str, *, played: bool) -> bool:
    """Whether a line below a greeting is a move. `played`: one is above it."""
    is_digits = not any(map(str.isalpha, line))
    return bool(_NUMBERED.match(line)) or (is_moves(line) and not (played and is_digits))


def _without_rule(lines: list[str], names: frozenset[str]) -> list[str]:
    """Cut at a line of dashes with his name below it, if nothing below could be a move."""
    for index, line in enumerate(lines[:-1]):
        if RULE.match(line) and names.intersection(_list_words(lines[index + 1])):
            return lines if any(map(could_be_move, lines[index:])) else lines[:index]
    return lines


def _without_name(lines: list[str], names: frozenset[str], is_command: Asks) -> list[str]:
    """Cut his name at the end, with the address and telephone number below it."""
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    start = last
    while start and _is_contact(lines[start - 1], names) and not is_command(lines[start - 1]):
        start -= 1
    named = (index for index in range(start, last) if _is_name(lines[index], names))
    return lines[: next(named, last)]


def _is_name(line: str, names: frozenset[str]) -> bool:
    words = _list_words(line) if len(line) < _MAX_NAME and "?" not in line else []
    return bool(words) and names.issuperset(words) and not could_be_move(line)


def _is_contact(line: str, names: frozenset[str]) -> bool:
    return _is_name(line, names) or (bool(_CONTACT.search(line)) and not could_be_move(line))


def _list_words(line: str) -> list[str]:
    return _WORD.findall(line[:_MAX_NAME].casefold())
