"""Script modules and style sheets joined, so that a first visit asks for few files.

A joined script is a module with all that it imports, each in a function of its own, so that the
names of one are not seen by another; what is fetched by ``import()`` stays a file of its own. A
joined style sheet has in it what it names by ``@import``. Comments and indentation go. Not for
serving (assets.py), and not for every form of import there is: one that is not known is an error.
"""

import posixpath
import re
from collections.abc import Mapping
from itertools import chain

_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)(?:\n|$)", re.M)
_INDENT = re.compile(r"^[ \t]+|\n(?=\n)", re.M)
_IMPORT = re.compile(r'^import\s*(?:\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*"([^"]+)";?$', re.M)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const)\s+(\w+))", re.M)
_LIST = re.compile(r"^export\s*\{([^}]*)\};?$", re.M)
_LEFT = re.compile(r"^(?:import\s*[\w{*\"']|export\b).*", re.M)
_ROUND = re.compile(r"\s*([{};,])\s*|(?<=[a-z]:) ")
_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_STYLE = re.compile(r'^@import "([^"]+)";$', re.M)


def joined_script(name: str, files: Mapping[str, str]) -> str:
    """The module ``name`` with what it imports, directly or not, as one module.

    Raises ValueError for a circle of imports or a form that is not known, KeyError for a file
    that is not there.
    """
    order = _in_order(name, files, ())
    known = {one: f"m{number}" for number, one in enumerate(order)}
    parts = [_wrapped(one, files[one], known, name) for one in order[:-1]]
    return "\n".join([*parts, _checked(name, _imports_named(name, files[name], known))])


def joined_style(name: str, files: Mapping[str, str]) -> str:
    """A style sheet with those that it imports, in their places.

    No room is left between rules. Raises ValueError where an address in one of them would point
    elsewhere from the whole, and for a text in it that has braces or semicolons.
    """
    folder = posixpath.dirname(name)

    def taken(found: re.Match[str]) -> str:
        path = _path(folder, found[1])
        if posixpath.dirname(path) != folder and "url(" in files[path]:
            raise ValueError(f"{path}: an address in a joined style sheet points elsewhere")
        return files[path]

    whole = _COMMENT.sub("", _STYLE.sub(taken, files[name]))
    if found := [text for text in _TEXT.findall(whole) if re.search("[{};]", text)]:
        raise ValueError(f"{name}: a text with braces or semicolons would be changed: {found[0]}")
    return _ROUND.sub(r"\1", _INDENT.sub("", whole)).replace(";}", "}")


def _path(folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, name))


def _in_order(name: str, files: Mapping[str, str], above: tuple[str, ...]) -> tuple[str, ...]:
    """Each module once, after all that it imports."""
    if name in above:
        raise ValueError(f"{name}: imported in a circle by {above[-1]}")
    folder = posixpath.dirname(name)
    needed = [_path(folder, found[3]) for found in _IMPORT.finditer(files[name])]
    trees = (_in_order(one, files, (*above, name)) for one in needed)
    return (*dict.fromkeys(chain.from_iterable(trees)), name)


def _imports_named(name: str, text: str, known: Mapping[str, str]) -> str:
    folder = posixpath.dirname(name)

    def named(found: re.Match[str]) -> str:
        source = known[_path(folder, found[3])]
        taken = found[1] or "{" + (found[2] or "").replace(" as ", ": ") + "}"
        return f"const {taken} = {source}"

    return _INDENT.sub("", _COMMENT.sub("", _IMPORT.sub(named, text)))


def _wrapped(name: str, text: str, known: Mapping[str, str], entry: str) -> str:
    """A module as a function's answer; addresses beside it are still found from the whole."""
    body = _imports_named(name, text, known)
    names = [found[1] for found in _EXPORT.finditer(body)]
    names += [one.strip() for found in _LIST.finditer(body) for one in found[1].split(",")]
    place = posixpath.relpath(name, posixpath.dirname(entry) or ".")
    body = _LIST.sub("", _EXPORT.sub("", body))
    if re.search(r"\bimport\(", body):
        raise ValueError(f"{name}: import() belongs in the module that is joined, {entry}")
    body = body.replace("import.meta.url", f'new URL("{place}", import.meta.url)')
    given = ", ".join(filter(None, names))
    return f"const {known[name]} = (() => {{\n{_checked(name, body)}\nreturn {{{given}}}\n}})()"


def _checked(name: str, text: str) -> str:
    """The text of a module; ValueError when it has imports or exports that were not understood."""
    for found in _LEFT.finditer(_EXPORT.sub("", _LIST.sub("", text))):
        raise ValueError(f"{name}: not understood: {found[0]}")
    return text
