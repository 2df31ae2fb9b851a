"""The catalogues of user text: the same keys and places in each language, and none unused."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "mail" / "words"


def flat(table: dict, prefix: str) -> dict[str, str]:
    """A TOML table with dotted keys."""
    found: dict[str, str] = {}
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else name
        found |= flat(value, key) if isinstance(value, dict) else {key: str(value)}
    return found


def _catalogue(lang: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted((WORDS / lang).glob("*/*.toml")):
        found |= flat(tomllib.loads(path.read_text(encoding="utf-8")), path.stem)
    return found


def test_danish_and_english_have_the_same_keys_and_no_empty_text():
    danish, english = _catalogue("da"), _catalogue("en")
    assert danish
    assert danish.keys() ^ english.keys() == set()
    assert [key for key, text in (danish | english).items() if not text.strip()] == []
    ones = {key.removesuffix(".one") for key in danish if key.endswith(".one")}
    assert {f"{key}.other" for key in ones} <= danish.keys(), "a plural has both forms"


def test_both_languages_fill_the_same_places():
    danish, english = _catalogue("da"), _catalogue("en")
    places = re.compile(r"\{[a-z_]+\}")
    filled = [{k: set(places.findall(text)) for k, text in c.items()} for c in (danish, english)]
    assert [key for key, found in filled[0].items() if found != filled[1][key]] == []


def _sources() -> list[Path]:
    files = [path for room in ("mail", "server") for path in (ROOT / room).rglob("*")]
    return [path for path in files if path.suffix in {".py", ".j2", ".txt", ".html"}]


SPOKEN = re.compile(r"""\b(?:[tdcerah]|lw|say|words|self)\(\s*"([a-z](?:[\w./-]*\w)?)\"""")
UNSPOKEN = re.compile(r"strftime|%\.\d|\|\s*round|\{[^}]*:\.?\d*f\}")


def test_every_key_that_is_named_exists_and_a_template_writes_no_number_by_itself():
    known = {".".join(key.split(".")[i:]) for key in _catalogue("da") for i in range(3)}
    known |= {key.removesuffix(".other") for key in known}
    for path in _sources():
        text = path.read_text(encoding="utf-8")
        assert set(SPOKEN.findall(text)) <= known, path
        assert path.suffix != ".html" or not UNSPOKEN.search(text), path


def test_every_key_is_used():
    """By its name, or as one of a family that is written `family.{…}`."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in _sources())
    quoted = set(re.findall(r'"([^"\s]+)"', text))
    families = "\n".join(set(re.findall(r"[\w./-]+\.\{", text)))

    def used(key: str) -> bool:
        whole = {key, key.removesuffix(".one").removesuffix(".other")}  # the forms of a plural
        tails = {name.partition(".")[2] for name in whole}  # a page's words name their subject
        names = {*whole, *tails, *(tail.partition(".")[2] for tail in tails)}
        kin = (name.rpartition(".")[0] + ".{" for name in names if "." in name)
        return bool(names & quoted) or any(family in families for family in kin)

    assert [key for key in _catalogue("da") if not used(key)] == []
