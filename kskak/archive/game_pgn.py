"""A game as PGN (§ 6.8.2, § 6.2.9), and its moves as text in the notation a reader prefers.

Tag values are escaped: a name can't close its tag and open another. NOT for reading PGN.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter

from kskak.board import printing
from kskak.board.openings import Opening
from kskak.board.printing import Writing, numeric
from kskak.play.account_log import Row
from kskak.play.recent import RecentPly
from kskak.regulation.quantities import Finding, Result, Side
from kskak.statement.account import Account

GAME_TAG = "KskakGame"
MEDIA_TYPE = "application/vnd.chess-pgn"
"""As registered with IANA; application/x-chess-pgn is its deprecated alias."""
_WIDTH = 78
_RESULTS = {Result.BOTH_LOSE: "*"}
"""PGN has only four results; the comment {0-0} says that both lose (§ 6.3.3.4)."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Who plays a side from a given ply on: a side taken over by a reserve has two (§ 6.7.4.3)."""

    by: Side
    name: str
    ply: int = 0


@dataclass(frozen=True, slots=True)
class PgnFacts:
    """What the account does not hold: the event's name, the place, the round.

    ``game``: its name on the server, which recognises the game by it.
    """

    event: str
    site: str = "K-skak"
    round: str = "-"
    end: date | None = None
    game: str = ""
    hands: tuple[Hand, ...] = ()
    opening: Opening | None = None


def pgn(account: Account, facts: PgnFacts, *, with_dates: bool = False) -> str:
    """The game as PGN, newline included; ``with_dates`` adds the day each move was sent (ccsnt)."""
    words = [*_words(account.rows, with_dates, facts.hands), *_last_words(account)]
    return written(_tags(account, facts), words)


def written(tags: Iterable[tuple[str, str]], words: Iterable[str]) -> str:
    """A PGN game made of its tags and the words of its movetext, wrapped between words."""
    head = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in tags)
    return f"{head}\n\n" + "\n".join(_lines(words, _WIDTH)) + "\n"


def tagged(account: Account, facts: PgnFacts, movetext: str) -> str:
    """Moves, variations and comments without a result, under the game's tags as they stand."""
    return written(_tags(account, facts), ()).rstrip() + f"\n\n{movetext} {_result(account)}\n"


def move_line(
    account: Account, lang: str, width: int = _WIDTH, writing: Writing = Writing.LETTERS
) -> str:
    """The moves with numbers, wrapped: ``1. e4 e5 2. Sf3`` for ``da``, Nf3 otherwise (§ 6.8.2)."""
    if writing in (Writing.LONG, Writing.NUMERIC):

        def said(ply: RecentPly) -> str:
            return printing.written(ply.san, numeric(ply.move), writing, lang)

        return "\n".join(_lines(_words(account.rows, with_dates=False, said=said), width))
    # All others differ from English in single letters.
    text = printing.written(movetext(account), "", writing, lang)
    return "\n".join(_lines(text.split(" "), width))


def movetext(account: Account) -> str:
    """The moves with numbers on one line, as PGN has them."""
    return " ".join(_words(account.rows, with_dates=False))


def _result(account: Account) -> str:
    result = account.state.result
    return "*" if result is None else _RESULTS.get(result, result.value)


def _tags(account: Account, facts: PgnFacts) -> Iterator[tuple[str, str]]:
    terms = account.terms
    yield "Event", facts.event
    yield "Site", facts.site
    yield "Date", f"{terms.start:%Y.%m.%d}"
    yield "Round", facts.round
    yield "White", _names(terms.white, Side.WHITE, facts)
    yield "Black", _names(terms.black, Side.BLACK, facts)
    yield "Result", _result(account)
    if facts.game:
        yield GAME_TAG, facts.game
    if facts.opening is not None:
        yield from (("ECO", facts.opening.code), ("Opening", facts.opening.english))
    if terms.fen is not None:
        yield from (("SetUp", "1"), ("FEN", terms.fen))
    rules = terms.rules
    seconds = rules.control_limit(rules.moves_per_control) * 24 * 60 * 60
    yield "TimeControl", f"{rules.moves_per_control}/{seconds}"
    if facts.end is not None:
        yield "EndDate", f"{facts.end:%Y.%m.%d}"
    if ended := _termination(account):
        yield "Termination", ended


def _names(name: str, side: Side, facts: PgnFacts) -> str:
    """Everyone who played the side, in order (§ 6.7.4.3)."""
    hands = [hand.name for hand in facts.hands if hand.by is side]
    return " / ".join(dict.fromkeys(hands)) or name


def _termination(account: Account) -> str:
    overstep = account.overstep
    if account.state.result is None or overstep is None:
        return ""
    match overstep.finding:
        case Finding.CLAIMED:
            return "time forfeit"
        case Finding.CONTINUED:
            return "rules infraction"
        case Finding.OPEN:
            return ""


def _words(
    rows: Iterable[Row],
    with_dates: bool,
    hands: Sequence[Hand] = (),
    said: Callable[[RecentPly], str] = attrgetter("san"),
) -> Iterator[str]:
    """Numbers, moves and comments, one word each, so that none is broken across lines.

    The name of whoever takes over a side precedes their first move (§ 6.7.4.3).
    """
    is_numbered = False
    to_tell = [hand for hand in hands if hand.ply]
    for row in rows:
        ply = row.played
        for hand in [h for h in to_tell if h.by is ply.by and h.ply <= row.ply] if to_tell else ():
            to_tell.remove(hand)
            yield _comment(f"{ply.by.value.capitalize()} from here: {hand.name}")
            is_numbered = False
        if ply.by is Side.WHITE:
            yield f"{ply.number}."
        elif not is_numbered:
            yield f"{ply.number}..."
        yield said(ply)
        dated = with_dates and row.dates.sent is not None
        if dated:
            yield f"{{[%ccsnt\N{NO-BREAK SPACE}{row.dates.sent:%Y.%m.%d}]}}"
        is_numbered = ply.by is Side.WHITE and not dated


def _comment(text: str) -> str:
    """A comment that can't end early, kept on one line."""
    plain = "".join(char if char.isprintable() and char not in "{}" else " " for char in text)
    return f"{{{plain}}}".replace(" ", "\N{NO-BREAK SPACE}")


def _last_words(account: Account) -> Iterator[str]:
    if account.state.result is Result.BOTH_LOSE:
        yield "{0-0}"
    yield _result(account)


def _lines(words: Iterable[str], width: int) -> list[str]:
    """Words without a space in lines as full as they can be."""
    lines: list[list[str]] = []
    room = 0
    for word in words:
        room -= len(word) + 1
        if room < 0:
            lines.append([])
            room = width - len(word)
        lines[-1].append(word)
    return [" ".join(line).replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _escaped(value: str) -> str:
    """A tag's value: one line, printable, with backslash and quote escaped (PGN 7)."""
    printable = "".join(char if char.isprintable() else " " for char in value)
    return printable.replace("\\", "\\\\").replace('"', '\\"')
