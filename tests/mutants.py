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
# fmt: off
KNOWN = (
    ("editions", "agreement_plies: int = 0", "0 -> 1", "an offer comes with a move"),
    ("editions", "agreement_plies: int = 0", "0 -> -1", "an offer comes with a move"),
    ("editions", "2009: Laws(2009, fivefold=None", "False -> True", "2009 knows no fivefold"),
    ("days", "moon = (century", "8 -> 9", "a third of either is the same"),
    ("days", "stands_still = bool(self._ends)", "1 -> 0", "the longer way says the same"),
    ("days", "if not any(a <= number < b", "2. < -> <=", "the longer way says the same"),
    ("leave", "booked = (leave.by, leave.leave_type", "tuple reversed", "a member of a set"),
    ("leave", "for booking in sorted(bookings", "tuple reversed", "as many are used in any order"),
    ("due_days", "return day if watched is None", "< -> <=", "both are that day"),
    ("due_days", "return sent if fixed is None", "< -> <=", "both are that day"),
    ("due_days", "if day is None or flag_on is", ">= -> >", "it lies before the overstep"),
    ("year", "before: int = 0", "0 -> 1", "no start lies before itself"),
    ("year", "before: int = 0", "0 -> -1", "no start lies before itself"),
    ("year", "dated = (DeedKind.MOVED", "tuple reversed", "asked only what is in it"),
    ("year", "is_old_cup = item.season < year", "< -> <=", "its own season is answered above"),
    ("year", "for season in range(first, year", "1 -> 2", "no step is two years before its season"),
    ("composition", "def _from(teams", "101 -> 102", "no score is above 100 percent"),
    ("composition", "qualified = [*_from(teams, 1", "list reversed", "places go by strength"),
    ("composition", "if len(_one_of_each_club(qual", "> -> >=", "7 fill it, and nobody is asked"),
    ("composition", "chosen = [*down, *risers", "list reversed", "all of these have places"),
    ("composition", "return [*chosen, *others", "list reversed", "all of these have places"),
    ("composition", "best = strongest_first([*stays", "list reversed", "sorted by strength"),
    ("composition", "return max(-(-len(teams)", "0 -> -1", "no team makes no group"),
    ("composition", "beaten = {team.number for", "> -> >=", "beaten alone, nobody comes back"),
    ("composition", "beaten = {team.number for", "1 -> 0", "beaten alone, nobody comes back"),
    ("teams", "return sorted(teams, key=lambda", "0 -> -1", "nobody has less than nothing"),
    ("lineup", "DIVISION_TEAMS = (1, 2)", "tuple reversed", "asked only what is in it"),
    ("emt", "most = max((score.points", "0 -> 1", "nobody is there to be placed"),
    ("emt", "most = max((score.points", "0 -> -1", "nobody is there to be placed"),
    ("entry", "TO_BE_PROVED = (", "tuple reversed", "asked only what is in it"),
    ("dm_rights", "is_unused = record.on >", "> -> >=", "on its last day it still stands"),
    ("dm_rights", "return all(record.is_after", "all -> any", "each rests on one result yet"),
    ("other_rights", "if record.on > row.ends", "> -> >=", "on its last day it still stands"),
    ("cup_rights", "entries: int = 0", "0 -> 1", "up to 100 are as none"),
    ("cup_rights", "entries: int = 0", "0 -> -1", "up to 100 are as none"),
    ("cup_rights", "above = max(0, entries", "0 -> -1", "one less than 100 begins no 50"),
    ("iccf", "_ANY = 0", "0 -> -1", "no score is below 0 percent"),
    ("access", "below_dm = (EmtClass.M", "tuple reversed", "asked only what is in it"),
    ("emt_groups", "september = planned.start", "1 -> 2", "only its month and year are asked"),
    ("consequences", "opened = classes_of(cup", "0 -> -1", "only points and games are asked"),
    ("consequences", "years = EMT.dm_years if", "is -> is not", "both are 3 years"),
    ("rounds", "LAST_QUARTER = (10, 11, 12)", "tuple reversed", "asked only what is in it"),
    ("rounds", "_check_places([CupPlayer(name, 0)", "0 -> 1", "only names are asked"),
    ("rounds", "_check_places([CupPlayer(name, 0)", "0 -> -1", "only names are asked"),
    ("rounds", "plans += [Plan(each", "tuple reversed", "1 and 2 finalists are never as near"),
    ("dealing", "for one, turn in zip(", "True -> False", "there are as many turns as are dealt"),
    ("dealing", "for row in range(max(", "0 -> 1", "no group has a turn"),
    ("dealing", "for row in range(max(", "0 -> -1", "no group has a turn"),
    ("honours", "best = min((row.place", "1 -> 0", "neither place has a citizen"),
    ("ladder_teams", "return {club: Fraction(-lots", "0 -> 1", "all are alike"),
    ("ladder_teams", "return {club: Fraction(-lots", "0 -> -1", "all are alike"),
    ("numbers", "FEW_GAMES = 5", "5 -> 4", "half of either is 2 whole"),
    ("numbers", "is_upward = after > before", "> -> >=", "who stays passes nothing"),
    ("numbers", "if percent >= 50:", ">= -> >", "50 percent is 0 either way"),
    ("numbers", "if percent >= 50:", "50 -> 51", "50 percent is 0 either way"),
    ("numbers", "return higher if difference", ">= -> >", "the first band is one half"),
    ("numbers", "return higher if difference", "0 -> 1", "the first band is one half"),
    ("numbers", "return higher if difference", "0 -> -1", "the first band is one half"),
    ("numbers", "upper, lower = LIMITS[limit]", "1 -> 2", "no limit is so near another"),
    ("expected", "difference = size if own", ">= -> >", "0 has no sign"),
    ("expected", "return Counter(frozenset(", "tuple reversed", "a set has no order"),
    ("rated_games", "return None if losers[0]", "0 -> -1", "there is one"),
    ("rated_games", "losers = [name for name", "2 -> 3", "a draw has no loser or two, not one"),
    ("rated_games", "losers = [name for name", "2 -> 1", "a draw has no loser or two, not one"),
    ("rated_games", "losers = [name for name", "1 -> 2", "a draw has no loser or two, not one"),
    ("rated_games", "losers = [name for name", "< -> <=", "a draw has no loser or two, not one"),
    ("performance", "MOST_PASSES = 100", "100 -> 101", "it stands still long before"),
    ("performance", "MOST_PASSES = 100", "100 -> 99", "it stands still long before"),
)
# fmt: on
"""Changes that no test can see: file, how the line begins, change, and the reason."""
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
        here = (
            why
            for stem, begins, said, why in KNOWN
            if (stem, said) == (self.source.stem, self.said) and self.place.startswith(begins)
        )
        return next(here, None)


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
