"""Each page's values against its template: what is handed over is read."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jinja2 import meta, nodes

import server.web
from server.web.frame.pages import environment

ROOMS = Path(server.web.__file__).parent
TEMPLATES = frozenset(environment().list_templates())
OF_PAGE = {"status"}
"""Keywords that ``page`` keeps for itself."""


@cache
def read_by(template: str) -> frozenset[str]:
    """The values that a template reads, in those too that it extends or includes."""
    env = environment()
    assert env.loader is not None
    tree = env.parse(env.loader.get_source(env, template)[0])
    found = set(meta.find_undeclared_variables(tree))
    for node in tree.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        if isinstance(node, nodes.Extends) or node.with_context:
            for name in nodes.List([node.template]).find_all(nodes.Const):
                found |= read_by(name.value)
    return frozenset(found)


def pages(source: str, area: str = "") -> Iterator[tuple[str, set[str]]]:
    """Each template that a file names in a call of ``page``, or of an area's own such function,
    and the values given by name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("page"):
            given = {word.arg for word in node.keywords if word.arg} - OF_PAGE
            for part in (part for arg in node.args for part in ast.walk(arg)):
                if isinstance(part, ast.Constant):
                    named = {str(part.value), f"{area}/{part.value}.html"} & TEMPLATES
                    yield from ((name, given) for name in named)


FOUND = [
    pytest.param(template, given, id=f"{path.stem}: {template}")
    for path in sorted(ROOMS.rglob("*.py"))
    for template, given in pages(
        path.read_text(encoding="utf-8"), path.stem if path.parent == ROOMS else path.parent.name
    )
]


@pytest.mark.parametrize(("template", "given"), FOUND)
def test_a_template_reads_each_value_that_its_page_hands_over(template, given):
    assert given - read_by(template) == set()


def test_nearly_every_template_is_held():
    held = {param.values[0] for param in FOUND}
    named = {name for name in environment().list_templates() if not name.endswith("parts.html")}
    assert len(held) > 99
    assert len(named - held) < 50, sorted(named - held)


def test_a_value_that_nothing_reads_is_found():
    (found,) = pages('page(request, "cup/desk.html", status=422, problem="", unread=1)')
    assert found[1] - read_by(found[0]) == {"unread"}
