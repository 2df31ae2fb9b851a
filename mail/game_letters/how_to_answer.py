"""How to answer, by example: what to write where, in the position at hand (issue: First steps).

NOT for reading what was written.
"""

from collections.abc import Iterator

from kskak.board.printing import Writing, written
from kskak.regulation.quantities import Finding, Side
from kskak.statement.account import Account
from mail.game_letters.common import line_to_write, shown
from mail.outgoing import blocks as b
from mail.text.facts import MoveText, move_texts, row_text
from mail.text.words import Words

_SERIES = {
    Side.WHITE: (("12. ", "2425", "b5"), (" 0", "1625", "axb5"), (" 13. ", "1118", "Rxa8")),
    Side.BLACK: (("12... ", "1625", "axb5"), (" 13. 0", "1118", "Rxa8"), (" ", "4818", "Qxa8")),
}
"""The 0 goes before the first move expected of the opponent (§ 6.2.5)."""
Rows = Iterator[tuple[str, str]]


def answer_blocks(account: Account, reply_to: str | None, words: Words) -> Iterator[b.Block]:
    """How the side to move answers this mail."""
    yield b.Heading(words("letters.answer.heading"))
    yield b.Para(words("letters.answer.intro"))
    yield line_examples(account, words)
    yield from address_blocks(reply_to, words)
    yield b.Small(words("letters.answer.binding"))


def line_examples(account: Account, words: Words) -> b.Example:
    """The lines that the side to move can write, with what each means."""
    return b.Example(tuple(_answer_rows(account, words)))


def address_blocks(reply_to: str | None, words: Words) -> Iterator[b.Block]:
    """The address the answer goes to, spelled out."""
    if reply_to is not None:
        yield b.Mailbox(words("letters.answer.address"), reply_to)
        yield b.Small(words("letters.answer.secret"))


def series_example(side: Side, words: Words) -> str:
    """The regulation's example of a series, numeric or in the notation the reader has chosen."""
    writing = words.writing if words.leads else Writing.NUMERIC
    return "".join(
        before + written(english, digits, writing, words.lang)
        for before, digits, english in _SERIES[side]
    )


def word_row(word: str, words: Words) -> tuple[str, str]:
    """A word a player can write, and what it does."""
    return words(f"letters.word.{word}"), words(f"letters.means.{word}")


def _answer_rows(account: Account, words: Words) -> Rows:
    state = account.state
    yield words("letters.answer.own"), words("letters.answer.own_means")
    if account.rows:
        line = _with_own((row_text(account.rows[-1]),), words)
        yield line, words("letters.answer.repeated_means")
    yield from _series_rows(account, words)
    if state.draw_offer is state.mover.other:
        yield word_row("draw_yes", words)
        yield word_row("draw_no", words)
    else:
        yield word_row("draw", words)
    yield word_row("resign", words)
    overstep = account.overstep
    if overstep is not None and overstep.finding is Finding.OPEN and overstep.by is not state.mover:
        yield word_row("claim", words)
    yield word_row("help", words)


def _with_own(moves: tuple[MoveText, ...], words: Words) -> str:
    """The moves as a line, followed by a placeholder for the reader's own move."""
    last = moves[-1]
    number = "" if last.by is Side.WHITE else f" {last.number + 1}."
    return f"{line_to_write(moves, words)}{number} {words('letters.answer.own')}"


def _series_rows(account: Account, words: Words) -> Rows:
    """How to accept the standing series in part or in full, or else propose one (§ 6.2.5)."""
    state = account.state
    series = move_texts(state.board, state.proposal)
    if not series:
        yield series_example(state.mover, words), words("letters.answer.series_means")
        return
    bound = shown(series[1], words)
    yield line_to_write(series[:1], words), words("letters.answer.part_means", bound=bound)
    yield _with_own(series, words), words("letters.answer.whole_means")
