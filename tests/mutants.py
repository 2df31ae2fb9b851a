"""What is changed in the rules to see a test turn red, and which changes no test can see.

Not for how the tests are run on them (mutate.py).
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

RULES = {
    "regulation": ("editions", "tournament_numbers", "objections", "days"),
    "reflection": ("silence", "leave"),
    "play": ("due_days", "decide_leave"),
    "cases": ("sanctions", "verdicts", "withdrawal"),
    "office": ("year_reminders", "bulletin_periods", "year"),
    "league": ("division", "composition", "teams", "lineup", "reserves"),
    "entries": (
        *("emt", "admission", "entry", "emt_rights", "dm_rights", "other_rights", "cup_rights"),
        *("iccf", "player_record", "rights", "access", "emt_groups", "consequences"),
    ),
    "cup": ("rounds",),
    "groups": ("dealing", "honours", "ladder_individual", "ladder_teams"),
    "rating": ("numbers", "expected", "calculation", "rated_games", "performance"),
}
SOURCES = tuple(Path("kskak", area, f"{name}.py") for area in RULES for name in RULES[area])
"""Where the regulation's rules, and our readings of them, stand."""
PROPERTIES = {"reflection": "play"}
"""Areas whose property tests are in another's room of tests/kskak."""
KNOWN: dict[tuple[str, str, str], str] = {
    (
        "composition",
        "def _from(teams: Iterable[Team], last: int, lowest: int, below: int = 101) -> list[Team]:",
        "101 -> 102",
    ): "no score is above 100 percent",
    (
        "composition",
        "qualified = [*_from(teams, 1, LEAGUE.stay), *_from(teams, 2, LEAGUE.rise)]",
        "list reversed",
    ): "a club's team is chosen by its division, not by its place here",
    (
        "composition",
        "if len(_one_of_each_club(qualified)) > LEAGUE.teams:",
        "> -> >=",
    ): "with exactly 7 the division is full, and asks nobody",
    ("iccf", "_ANY = 0", "0 -> -1"): "no score is below 0 percent",
    **{
        ("editions", "agreement_plies: int = 0", f"0 -> {other}"): "an offer comes with a move"
        for other in (1, -1)
    },
}
"""Changes that no test can see, by file, line and change, each with the reason."""
_COMPARED = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Change:
    """One change: the bytes from ``first`` to ``last`` of the source become ``new``."""

    source: Path
    kind: str
    first: int
    last: int
    new: str
    said: str
    line: int
    place: str

    @property
    def reason(self) -> str | None:
        """Why it may go unnoticed."""
        return KNOWN.get((self.source.stem, self.place, self.said))


class Finder:
    """Every change of a source."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.bytes = (ROOT / source).read_bytes()
        self.lines = self.bytes.splitlines(keepends=True)

    def _at(self, line: int, column: int) -> int:
        return sum(map(len, self.lines[: line - 1])) + column

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        last = self._at(node.end_lineno, node.end_col_offset)
        return self._at(node.lineno, node.col_offset), last

    def text(self, node: ast.expr) -> str:
        first, last = self._span(node)
        return self.bytes[first:last].decode()

    def change(self, node: ast.expr, kind: str, new: str, said: str) -> Change:
        place = self.lines[node.lineno - 1].decode().strip()
        return Change(self.source, kind, *self._span(node), new, said, node.lineno, place)

    def changes(self) -> Iterator[Change]:
        """All of them, in the order of the code; nothing of type hints, decorators and texts."""
        tree = ast.parse(self.bytes)
        left = {id(one) for hint in _hints(tree) for one in ast.walk(hint)}
        left |= {id(one) for one in _looked_in(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.expr) and id(node) not in left:
                yield from self._of(node)

    def _of(self, node: ast.expr) -> Iterator[Change]:
        match node:
            case ast.Constant(value=bool() as value):
                yield self.change(node, "boolean", str(not value), f"{value} -> {not value}")
            case ast.Constant(value=int() as value):
                for new in (value + 1, value - 1):
                    yield self.change(node, "number", str(new), f"{value} -> {new}")
            case ast.Compare(ops=[op], left=left, comparators=[right]):
                old, new = _COMPARED[type(op)]
                turned = f"({self.text(left)} {new} {self.text(right)})"
                yield self.change(node, "comparison", turned, f"{old} -> {new}")
            case ast.Compare(left=left, ops=ops, comparators=others):
                yield from self._chained(node, [left, *others], ops)
            case _:
                yield from self._signs(node)
                yield from self._order(node)

    def _signs(self, node: ast.expr) -> Iterator[Change]:
        """``and``, ``or``, ``not``, ``any`` and ``all``; the minus of a key."""
        match node:
            case ast.BoolOp(op=op, values=values):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                joined = f" {new} ".join(f"({self.text(value)})" for value in values)
                yield self.change(node, "boolean", f"({joined})", f"{old} -> {new}")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self.change(node, "boolean", f"({self.text(operand)})", "not -> ")
            case ast.UnaryOp(op=ast.USub(), operand=ast.expr() as operand):
                yield self.change(node, "order", f"({self.text(operand)})", "- -> ")
            case ast.Name(id=name) if name in _NAMES:
                kind = "boolean" if name in ("any", "all") else "order"
                yield self.change(node, kind, _NAMES[name], f"{name} -> {_NAMES[name]}")

    def _order(self, node: ast.expr) -> Iterator[Change]:
        """Lists and tuples with the last first."""
        match node:
            case ast.List(elts=[_, _, *_] as elts, ctx=ast.Load()):
                turned = ", ".join(self.text(one) for one in reversed(elts))
                yield self.change(node, "order", f"[{turned}]", "list reversed")
            case ast.Tuple(elts=[_, _, *_] as elts, ctx=ast.Load()) if self.text(node)[0] == "(":
                turned = ", ".join(self.text(one) for one in reversed(elts))
                yield self.change(node, "order", f"({turned})", "tuple reversed")

    def _chained(
        self, node: ast.Compare, parts: list[ast.expr], ops: list[ast.cmpop]
    ) -> Iterator[Change]:
        """Each sign of ``a < b <= c`` by itself."""
        signs = [_COMPARED[type(op)] for op in ops]
        for index, (old, new) in enumerate(signs):
            said = [pair[0] for pair in signs]
            said[index] = new
            pairs = zip(said, parts[1:], strict=True)
            turned = self.text(parts[0]) + "".join(f" {s} {self.text(one)}" for s, one in pairs)
            yield self.change(node, "comparison", f"({turned})", f"{index + 1}. {old} -> {new}")


def _hints(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        yield from getattr(node, "decorator_list", ())
        for name in ("annotation", "returns"):
            hint = getattr(node, name, None)
            if isinstance(hint, ast.expr):
                yield hint


def _looked_in(tree: ast.AST) -> Iterator[ast.expr]:
    """What stands after ``in``: its order means nothing."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            yield node.comparators[0]
