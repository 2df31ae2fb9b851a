"""Draws the rooms and their areas from the code's own imports, as Mermaid.

``python -m tests.drawing`` draws them anew in docs/architecture.md, between its two marks; a house
test says when that is due. An arrow leads from what imports to what is imported; one that follows
from two others is left out. Not for single modules, nor for what may be imported (pyproject.toml).
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAPER = ROOT / "docs" / "architecture.md"
MARKED = re.compile(r"(<!-- drawn by tests/drawing.py -->\n).*(<!-- to here -->)", re.DOTALL)
TITLES = {
    "": "The rooms",
    "kskak": "The areas of `kskak/`",
    "mail": "The areas of `mail/`",
    "server": "Inside `server/`",
    "server.usecases": "The areas of `server/usecases/`",
    "server.store": "The areas of `server/store/`",
    "server.web": "The areas of `server/web/`",
    "server.api": "The areas of `server/api/`",
}
ROOMS = ("kskak", "mail", "server")
Arrows = dict[str, set[str]]


@cache
def _imported(path: Path) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def _children(room: str) -> set[str]:
    """The areas of a room, and the modules that lie beside them."""
    if not room:
        return set(ROOMS)
    inside = (ROOT / room.replace(".", "/")).iterdir()
    areas = {path.name if path.is_dir() else path.stem for path in inside if _has_code(path)}
    return areas - {"__init__"}


def _has_code(path: Path) -> bool:
    return path.suffix == ".py" or (path / "__init__.py").is_file()


def _arrows(room: str) -> Arrows:
    children = _children(room)
    found: Arrows = {child: set() for child in children}
    prefix = f"{room}." if room else ""
    for top in ROOMS:
        for path in (ROOT / top).rglob("*.py"):
            here = _child(".".join(path.relative_to(ROOT).with_suffix("").parts), prefix)
            if here in children:
                found[here] |= {_child(name, prefix) for name in _imported(path)} & children
    return {child: others - {child} for child, others in found.items()}


def _child(module: str, prefix: str) -> str:
    return module.removeprefix(prefix).split(".")[0] if module.startswith(prefix) else ""


def _reached(child: str, arrows: Arrows) -> set[str]:
    seen: set[str] = set()
    waiting = [child]
    while waiting:
        fresh = arrows[waiting.pop()] - seen
        seen |= fresh
        waiting += fresh
    return seen


def _drawn(room: str) -> str:
    arrows = _arrows(room)
    lines = [f"### {TITLES[room]}", "", "```mermaid", "flowchart TD"]
    for child in sorted(arrows):
        far = {there for near in arrows[child] for there in _reached(near, arrows)}
        lines += [f"    {child} --> {other}" for other in sorted(arrows[child] - far)]
        if not arrows[child] and not any(child in others for others in arrows.values()):
            lines.append(f"    {child}")
    return "\n".join([*lines, "```", ""])


def drawn(text: str) -> str:
    """The paper with the drawings as they are today."""
    body = "\n".join(_drawn(room) for room in TITLES)
    return MARKED.sub(lambda marks: f"{marks[1]}\n{body}\n{marks[2]}", text)


if __name__ == "__main__":
    PAPER.write_text(drawn(PAPER.read_text(encoding="utf-8")), encoding="utf-8")
