"""Templates that were compiled once serve every process of the tests, and those of the next run.

Each worker compiled the same two hundred again: a tenth of what tests of pages took. Kept beside
temporary files, by what decides how a template is compiled. Not for the server, which compiles
each once.
"""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

import jinja2

_SOURCES = (Path(jinja2.__file__).parent, Path(__file__).parents[3] / "server/web/frame")


def _folder() -> Path:
    """One for each version of the library and of what of ours has a part in compiling."""
    found = hashlib.sha256(jinja2.__file__.encode())
    for folder in _SOURCES:
        for path in sorted(folder.glob("*.py")):
            found.update(path.read_bytes())
    made = Path(tempfile.gettempdir()) / f"kskak-templates-{os.getuid()}-{found.hexdigest()[:16]}"
    made.mkdir(mode=0o700, exist_ok=True)
    return made


_usual = jinja2.Environment.__init__
_cache = jinja2.FileSystemBytecodeCache(str(_folder()))


def _made(environment: jinja2.Environment, *given: Any, **named: Any) -> None:
    _usual(environment, *given, **{"bytecode_cache": _cache} | named)


jinja2.Environment.__init__ = _made  # type: ignore[method-assign]
