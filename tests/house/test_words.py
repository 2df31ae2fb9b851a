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


# Of a language, how quotation marks stand in pairs; "»Log ind«", "“Sign in”", "”Logga in”".
QUOTED = {"da": "»[^»«]*«", "en": "“[^“”]*”", "sv": "”[^”]*”"}
MARKS = re.compile("[«»“”„]")
A_TAG = re.compile(r'\[[\w{}]+ "[^"]*"\]|\w+ = "[^"]*"')
"""A field of PGN, or a setting, which have straight marks of their own."""


def test_each_language_has_one_kind_of_quotation_marks():
    for lang, pair in QUOTED.items():
        for key, text in _catalogue(lang).items():
            assert not MARKS.search(re.sub(pair, "", text)), (lang, key)
            assert '"' not in A_TAG.sub("", text), (lang, key)
    for path in _sources():
        if path.suffix in {".html", ".j2"}:
            assert not MARKS.search(re.sub("»[^»«]*«", "", path.read_text("utf-8"))), path


ON_PAPER = {
    *("cup.problem.no_addresses", "entries.remedy.no_address", "entries.regulation.postal"),
    "entries.enter.address_hint",
}
"""What goes by post."""
OF_LETTERS = re.compile(
    r"(letters|digest|silences|postal|cards|takeovers|cases|case_refusals|duties|league|teams"
    r"|entries|cup|join|thread|bulk|readings)\."
)


def test_what_comes_by_mail_is_a_mail_in_danish_and_a_letter_is_on_paper():
    """«Startbrev» is the regulation's word (§ 6.5.2.1), «e-mail» its name of a rule set."""
    texts = {key: text for key, text in _catalogue("da").items() if OF_LETTERS.match(key)}
    found = {key for key, text in texts.items() if re.search(r"(?i)\bbrev(e|et|ene)?\b", text)}
    assert found == ON_PAPER | {"readings.why.receipt"}
    named = {key for key, text in texts.items() if re.search(r"(?i)\be-mail(?!parti)", text)}
    assert named == {"letters.rules.email"}
