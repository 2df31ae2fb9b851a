"""What a letter is made of: paragraphs, facts, a board, tables, lines to copy.

A letter is written once as blocks and rendered twice (``mail.outgoing.rendering``), so that the
text part and the HTML part say the same. NOT for wording or for layout.
"""

from dataclasses import dataclass

import chess

from kskak.regulation.quantities import Side


@dataclass(frozen=True, slots=True)
class Lead:
    """The one sentence that matters most."""

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``level`` 2 for a section, 3 for a part of one."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Due:
    """Whose turn it is, and the last day."""

    text: str


@dataclass(frozen=True, slots=True)
class Small:
    """A paragraph in small print."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """Short points, one below the other."""

    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Labels with their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """What to write, with what it means: lines to copy into an answer."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """Lines whose columns must stay aligned."""

    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """The running record: a header and rows; ``text`` is the same as plain text (§ 6.8.2)."""

    cells: tuple[tuple[str, ...], ...]
    text: str


@dataclass(frozen=True, slots=True)
class Moves:
    """All moves of a game, on lines of their own in the text, as wide as the page elsewhere."""

    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with its caption; ``heads`` is the column that names the row.

    ``figures`` are the columns of numbers, which are right-aligned.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    heads: int = 0
    figures: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Quote:
    """Someone's own words, marked as such."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """An address on the web, on a line of its own in the text.

    ``is_second``: not what most readers should choose.
    """

    label: str
    url: str
    is_second: bool = False


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address to write to, on a line of its own in the text."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """A diagram seen from ``side``; ``described`` says it in words, for readers who see no
    picture; ``legend`` explains the letters of the text diagram."""

    board: chess.Board
    last: chess.Move | None
    side: Side
    caption: str
    described: tuple[str, str]
    legend: str


Block = (
    Lead
    | Heading
    | Para
    | Due
    | Small
    | Bullets
    | Facts
    | Example
    | Fixed
    | Record
    | Moves
    | Grid
    | Quote
    | Link
    | Mailbox
    | BoardView
)


@dataclass(frozen=True, slots=True)
class Attached:
    """A small text file that goes with a letter; all ASCII."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Written:
    """A letter in words: its subject, the blocks, the foot, and the line to answer above.

    ``preview`` is the line that a mail program shows beside the subject.
    """

    subject: str
    preview: str
    blocks: tuple[Block, ...]
    foot: tuple[str, ...]
    cut_line: str | None = None
    attached: Attached | None = None
