"""The catalogues of user text: the same keys and places in each language, and none unused."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "mail" / "words"

if not WORDS.is_dir():  # until the first letter is written
    pytest.skip("no catalogues yet", allow_module_level=True)


def _flat(table: dict, prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else name
        found |= _flat(value, key) if isinstance(value, dict) else {key: str(value)}
    return found


def _catalogue(lang: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted((WORDS / lang).glob("*.toml")):
        found |= _flat(tomllib.loads(path.read_text(encoding="utf-8")), path.stem)
    return found


def test_danish_and_english_have_the_same_keys_and_no_empty_text():
    danish, english = _catalogue("da"), _catalogue("en")
    assert danish
    assert danish.keys() ^ english.keys() == set()
    assert [key for key, text in (danish | english).items() if not text.strip()] == []


def test_both_languages_fill_the_same_places():
    danish, english = _catalogue("da"), _catalogue("en")
    places = re.compile(r"\{[a-z_]+\}")
    differing = [
        key
        for key in danish.keys() & english.keys()
        if set(places.findall(danish[key])) != set(places.findall(english[key]))
    ]
    assert differing == []


def test_every_key_is_used():
    """By its name, or as one of a family that is written `family.{…}`."""
    sources = [p for room in ("mail", "server") for p in (ROOT / room).rglob("*") if p.is_file()]
    text = "\n".join(
        p.read_text(encoding="utf-8")
        for p in sources
        if p.suffix in {".py", ".j2", ".txt", ".html"}
    )

    def used(key: str) -> bool:
        key = key.removesuffix(".one").removesuffix(".other")  # the two forms of a plural
        short = key.partition(".")[2]
        families = [name.rpartition(".")[0] + ".{" for name in (key, short) if "." in name]
        return any(name in text for name in (f'"{key}"', f'"{short}"', *families))

    assert [key for key in _catalogue("da") if not used(key)] == []
