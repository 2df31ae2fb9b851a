"""What people and their programs write around a mail, in many languages (phrases.toml)."""

import re
import tomllib
from importlib.resources import files
from typing import Final

PHRASES: Final = {
    name: "".join(text.split("\n"))
    for name, text in tomllib.loads(
        (files("mail") / "incoming/phrases.toml").read_text("utf-8")
    ).items()
}
"""Regular expressions by name."""


def compile_phrase(name: str) -> re.Pattern[str]:
    """One of them, in any case of letters."""
    return re.compile(PHRASES[name], re.IGNORECASE)
