"""A player's tree of variations on a game, read from PGN and written as PGN.

An aid to the player's own analysis; no paragraph covers it, and nothing here makes a move in a
game. The text may come from this program or another: comments, signs ($1, !?), arrows and circles
([%cal], [%csl]) are kept as they stand, several games are laid into one tree, and a game that
begins with a FEN is laid where the position occurred. NOT for games of the archive
(pgn_reading.py), which have no variations, nor for moves that are sent (mail.grammar).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import chess

from kskak.board.notation import MoveUnread, read_move
from kskak.board.shapes import ALL_LANGUAGES, NotationLanguage

if TYPE_CHECKING:
    from chess.pgn import Game, GameNode


PLAN = "[%plan]"
"""In a move's comment: the player wants to be reminded of this move when its turn comes."""
LONGEST = 60_000
"""Characters of a tree's text."""
MOST_MOVES = 2000
DEEPEST = 60
"""Variations inside each other."""
SIGNS = {
    "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "□": 7, "=": 10, "∞": 13, "⩲": 14, "+=": 14,
    "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15, "±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18,
    "-+": 19, "→": 40, "↑": 36, "⇆": 132, "Δ": 140, "∆": 140, "⌓": 142, "N": 146,
}  # fmt: skip
"""What annotators write beside a move, as the standard's numbers; beyond 139 ChessBase's."""
SIGN = "|".join(sorted(map(re.escape, SIGNS), key=len, reverse=True))
_TOKENS = re.compile(
    r"(?P<tag>\[\s*\w+\s+\"(?:[^\"\\\n]|\\.)*\"\s*\])|(?P<comment>\{[^}]*\}|;[^\n]*)"
    r"|\$(?P<nag>\d{1,3})|(?P<number>\d{1,3}\s*(?:\.+|…))"
    r"|(?P<skip>(?m:^%.*$)|\d{1,3}(?=\s)|e\.p\.|[.…]+)"
    rf"|(?P<sign>(?:{SIGN})(?![^\s(){{}};$]))"
    r"|(?P<result>(?:1-0|0-1|1/2-1/2|½-½|\*)(?![^\s{(;]))"
    r"|(?P<open>\()|(?P<close>\))|(?P<null>(?:--|Z0|null|@@@@)(?!\S))|(?P<move>[^\s(){};$]+)"
    r"|(?P<unclosed>\S)"
)
_SAN = re.compile(
    r"(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h](?:x[a-h])?[1-8](?:=[QRBN])?|O-O(?:-O)?)"
)
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_SIGN = re.compile(rf"(?<=[1-8QRBNO+#])(?:{SIGN.replace('|N', '')})$")


class TreeFault(StrEnum):
    """Why a text is no tree of this game."""

    TOO_LONG = "too_long"
    TOO_MANY = "too_many"
    TOO_DEEP = "too_deep"
    UNREAD = "unread"
    UNCLOSED = "unclosed"
    OTHER_GAME = "other_game"
    BEYOND = "beyond"


class UnusableTree(ValueError):
    """A text that is not kept. ``what``: the word in question."""

    def __init__(self, fault: TreeFault, what: str = "", after: "GameNode | None" = None) -> None:
        super().__init__(fault.value)
        self.fault, self.what = fault, what
        self.after: tuple[chess.Board, chess.Move] | None = None
        """The move after which it stands, and the position before that; None at the beginning."""
        if after is not None and after.parent is not None and after.move is not None:
            self.after = after.parent.board(), after.move


@dataclass
class _Reading:
    """Where the reading of one game in the text stands."""

    root: "Game"
    languages: Collection[NotationLanguage]
    node: "GameNode"
    anchor: "GameNode"
    open: "list[tuple[GameNode, bool]]" = field(default_factory=list)
    is_over: bool = False
    has_moves: bool = False
    lost: list[str] | None = None
    """Words of a game that begins nowhere in this one."""
    left: int = MOST_MOVES
    boards: "dict[GameNode, chess.Board]" = field(default_factory=dict)

    def board(self) -> chess.Board:
        """The position where the reading stands; each is worked out once, from the one before."""
        node = self.node
        if node not in self.boards:
            before = self.boards.get(node.parent) if node.parent is not None else None
            if before is None or node.move is None:
                self.boards[node] = node.board()
            else:
                self.boards[node] = before.copy(stack=False)
                self.boards[node].push(node.move)
        return self.boards[node]


def read_tree(
    text: str,
    start: chess.Board,
    played: Sequence[chess.Move],
    languages: Collection[NotationLanguage] = ALL_LANGUAGES,
) -> "Game":
    """The tree in a text, with the game's own moves as its main line. Raises UnusableTree.

    A game in the text that begins in a position that this one never had is kept as words in the
    first comment; if there is no other, the text is refused.
    """
    if len(text) > LONGEST:
        raise UnusableTree(TreeFault.TOO_LONG)
    root = _game(start, played)
    at = _Reading(root, languages, root, root)
    games = 0
    plain = "".join(char if char.isprintable() or char == "\n" else " " for char in text)
    for token in _TOKENS.finditer(plain):
        kind = token.lastgroup or ""
        if kind == "tag" and (at.has_moves or at.lost is not None):
            games += _close_level(at)
        if kind == "tag":
            _tag(at, token[0])
        elif kind == "result" and not at.open:
            games += _close_level(at)
        elif kind == "number":
            _begin_at(at, token[0])
        elif kind != "skip":
            at.has_moves = True
            _take(at, kind, token[kind])
    if at.open:
        raise UnusableTree(TreeFault.UNCLOSED, "(", at.node)
    games += _close_level(at)
    if not games and root.comment:
        raise UnusableTree(TreeFault.OTHER_GAME)
    return root


def _game(start: chess.Board, played: Sequence[chess.Move]) -> "Game":
    from chess.pgn import Game

    root = Game(headers={})
    if start.fen() != chess.STARTING_FEN:
        root.setup(start)
    root.add_line(played)
    return root


def _close_level(at: _Reading) -> int:
    """Begin anew for the text's next game; 1 if the last one belongs to this game, else 0."""
    kept = at.has_moves and at.lost is None
    if at.lost:
        at.root.comment = _join_comments(at.root.comment, " ".join(at.lost))
    at.node = at.anchor = at.root
    at.open, at.is_over, at.has_moves, at.lost = [], False, False, None
    return int(kept)


def _begin_at(at: _Reading, number: str) -> None:
    """A line that begins with a later move's number goes from the game's move before it."""
    if at.has_moves or at.lost is not None or at.anchor is not at.root:
        return
    first, board = int(re.findall(r"\d+", number)[0]), at.root.board()
    is_black = number.count(".") > 1 or "…" in number
    plies = 2 * (first - board.fullmove_number) + is_black - (board.turn == chess.BLACK)
    line = [at.root, *at.root.mainline()]
    if 0 < plies < len(line):
        at.node = at.anchor = line[plies]
    elif plies > 0:
        raise UnusableTree(TreeFault.BEYOND, number.strip(), line[-1])


def _tag(at: _Reading, text: str) -> None:
    name, value = re.findall(r'\[\s*(\w+)\s+"(.*)"', text)[0]
    if name.lower() != "fen":
        return
    anchor = _find_last_position(at.root, value)
    if anchor is None:
        at.lost = [f"FEN {value}:"]
    else:
        at.node = at.anchor = anchor


def _find_last_position(root: "Game", fen: str) -> "GameNode | None":
    """The last place of the game with this position."""
    wanted = fen.split()[:3]
    found = [node for node in (root, *root.mainline()) if node.board().fen().split()[:3] == wanted]
    return found[-1] if found else None


def _take(at: _Reading, kind: str, word: str) -> None:
    if kind == "unclosed":
        raise UnusableTree(TreeFault.UNCLOSED, word, at.node)
    if at.lost is not None:
        at.lost.append(word)
    elif kind == "open":
        _open_variation(at)
    elif kind == "close":
        if not at.open:
            raise UnusableTree(TreeFault.UNCLOSED, ")", at.node)
        at.node, at.is_over = at.open.pop()
    elif kind == "null" or at.is_over:
        # No move can follow one that was passed over: the rest of the line is kept as words.
        at.is_over = True
        at.node.comment = f"{at.node.comment} {word.strip('{}')}".strip()
    else:
        _add_to_tree(at, kind, word)


def _open_variation(at: _Reading) -> None:
    if len(at.open) >= DEEPEST:
        raise UnusableTree(TreeFault.TOO_DEEP)
    if at.node is at.anchor or at.node.parent is None:
        raise UnusableTree(TreeFault.UNCLOSED, "(")
    at.open.append((at.node, at.is_over))
    at.node = at.node.parent if not at.is_over else at.node


def _add_to_tree(at: _Reading, kind: str, word: str) -> None:
    """A move, or what is said about the last one."""
    if kind == "comment":
        said = word[1:-1] if word.startswith("{") else word[1:]
        at.node.comment = _join_comments(at.node.comment, " ".join(said.split()))
    elif kind == "nag" and at.node.parent is not None:
        at.node.nags.add(int(word))
    elif kind == "sign" and at.node.parent is not None:
        at.node.nags.add(SIGNS[word])
    elif kind == "move":
        _move(at, word)


def _join_comments(before: str, after: str) -> str:
    return before if after in before else f"{before} {after}".strip()


def _move(at: _Reading, word: str) -> None:
    sign = _SIGN.search(word)
    move = _read(at.board(), _SIGN.sub("", word), at.languages)
    if move is None:
        raise UnusableTree(TreeFault.UNREAD, word, at.node)
    if not at.node.has_variation(move):
        at.left -= 1
        if at.left < 0:
            raise UnusableTree(TreeFault.TOO_MANY)
        at.node.add_variation(move)
    at.node = at.node.variation(move)
    if sign:
        at.node.nags.add(SIGNS[sign[0]])


def _read(
    board: chess.Board, word: str, languages: Collection[NotationLanguage]
) -> chess.Move | None:
    """A move as the standard writes it, else as its reader does, else as anybody."""
    if _UCI.fullmatch(word):
        move = chess.Move.from_uci(word)
        return move if board.is_legal(move) else None
    if _SAN.fullmatch(word.rstrip("+#")):
        try:
            return board.parse_san(word)
        except ValueError:
            return None
    for letters in (languages, ALL_LANGUAGES):
        read = read_move(board, word, letters)
        if not isinstance(read, MoveUnread):
            return read.move
    return None


def tree_text(root: "Game", played: int) -> str:
    """The tree as PGN movetext, with a FEN tag where the game began from another position.

    "": there is nothing in it beyond the ``played`` plies of the game.
    """
    nodes = [root, *root.mainline()]
    has_own = any(len(node.variations) > 1 or node.comment or node.nags for node in nodes)
    is_begun = "FEN" in root.headers
    return movetext(root, headers=is_begun) if has_own or len(nodes) - 1 > played else ""


def movetext(root: "Game", *, headers: bool = False) -> str:
    """All of the tree's moves, comments and signs, wrapped between words."""
    from chess.pgn import StringExporter

    return root.accept(StringExporter(columns=78, headers=headers))


def find_planned_move(root: "Game", played: int) -> chess.Move | None:
    """The move that its player has marked as his answer in the position after ``played`` plies."""
    nodes = [root, *root.mainline()]
    here = nodes[played] if played < len(nodes) else nodes[-1]
    return next((node.move for node in here.variations if PLAN in node.comment), None)
