"""No letter of ours, sent back bare in whatever fold, leaves a word that could be the player's."""

import re
import textwrap
from collections.abc import Callable
from datetime import date
from email.message import EmailMessage
from functools import cache
from quopri import encodestring

import pytest

from mail.grammar.keyword_lines import read_keyword
from mail.grammar.move_lines import read_move_line
from mail.incoming.own_words import extract_own_words, without_letter
from mail.incoming.parse_mail import letter_texts, parse
from mail.text.catalogue import LANGUAGES
from tests.fakes.machinery.draws import turns
from tests.mail.letters.test_every_letter import ALL, written


def _folded(text: str, width: int) -> str:
    return "\n".join("\n".join(textwrap.wrap(line, width)) for line in text.split("\n"))


def _numbered(text: str) -> str:
    return "\n".join(f"{number}: {line}" for number, line in enumerate(text.split("\n"), 1))


def _spelt(text: str) -> str:
    of = {
        "æ": "ae",
        "ø": "oe",
        "å": "aa",
        "ä": "ae",
        "ö": "oe",
        "Å": "Aa",
        "Ä": "Ae",
        "Ø": "Oe",
    } | {"Ö": "Oe", "Æ": "Ae"}
    return text.translate(str.maketrans(of))


def _marked(text: str, mark: str = "?") -> str:
    return "".join(sign if sign.isascii() else mark for sign in text)


def _undecoded(text: str) -> str:
    return encodestring(text.encode()).decode("ascii")


_DESTROYED: tuple[Callable[[str], str], ...] = (
    _marked,
    lambda text: _marked(text, "\ufffd"),
    lambda text: text.encode().decode("cp1252", "replace"),
    _undecoded,
    lambda text: _undecoded(text).replace("=\n", ""),
    _spelt,
    lambda text: "".join(chr(octet & 127) for octet in text.encode("latin-1", "replace")),
    _numbered,
    lambda text: _marked(_numbered(_folded(text, 60)), ""),
)
"""What programs made of our letters' letters and lines; a cut line is not left to tell."""


@cache
def _shown(name: str, lang: str) -> tuple[str, ...]:
    return letter_texts(written(name, lang).as_bytes())


@pytest.mark.thinned
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_of_it_is_left_and_what_he_wrote_above_and_below_is(lang: str) -> None:
    """As it is, in one line, cut at 60 and at 72: in each run two of these by turns.

    And with its letters or lines spoilt: one of those by turns.
    """
    for turn, name in enumerate(ALL, LANGUAGES.index(lang)):
        shown = _shown(name, lang)
        assert len(shown) == 2
        for text in shown:
            folds = (text, " ".join(text.split()), _folded(text, 60), _folded(text, 72))
            bare = re.sub("---[^\n]*---", "", text)
            spoilt = [spoil(bare) for spoil in turns(_DESTROYED, turn)]
            for fold in (*turns(folds, turn, 2), *spoilt):
                assert extract_own_words(without_letter(fold, shown)) == "", name
                both = without_letter(f"12. Sf3 remis?\n\n{fold}\n\nHilsen fra mig", shown)
                assert extract_own_words(both).split("\n\n")[0] == "12. Sf3 remis?", name
                assert "Hilsen fra mig" in both, name


def test_a_players_own_lines_that_stand_in_the_letter_too_are_his() -> None:
    shown = (
        "Skriv dit træk:\n\n12. 2425 1625 13. 1118 2718 14. 4244\n\nremis?\n\nHilsen serveren",
    )
    for own in (
        "12. 2425 1625 13. 1118 2718 14. 4244",
        "remis?",
        "Skriv dit træk:",
        "12. 2425 1625",
    ):
        for text in (own, f"Hej Bo\n\n{own}\n\nGod jul", f"{own}\n\nGod jul og godt nytår til jer"):
            assert without_letter(text, shown) == text


def test_a_players_own_numbers_are_his_and_what_he_writes_below_our_letter_too() -> None:
    """A line above a letter without marks says that all below is the letter: not below its end."""
    shown, wrote = _shown("relay", "da"), "Den man. 2. nov. 2026 kl. 18.04 skrev K-skak:"
    series = "Hej Anna, jeg foreslår\n1. e4 e5\n2. Sf3 Sc6\n3. Lb5 a6\n4. La4 Sf6\n5. 0-0"
    assert without_letter(series, shown) == series
    for text in shown:
        for own in ("Mit svar på c3 er Sc6, på Sf3 også Sc6", "bxc3, for dxc3 går ikke", "Sxd5"):
            assert extract_own_words(without_letter(f"{wrote}\n{text}\n\n{own}", shown)) == own


def _is_read(line: str) -> bool:
    return read_keyword(line, date(2026, 12, 1)) is not None or read_move_line(line) is not None


def _bare(html: str) -> str:
    return html


def _gmail(html: str) -> str:
    """Without our styles, in a division of its own."""
    return f'<div dir="ltr">{re.sub(r" (style|class|role|lang)=.[^>]*?(?=>)", "", html)}</div>'


def _outlook(html: str) -> str:
    """Every part and every cell a paragraph of Word's, and no code."""
    kept = re.sub(r"</?(div|h[1-6]|code|pre|span)\b[^>]*>", "", html)
    kept = re.sub(r"<p\b[^>]*>", '<p class="MsoNormal">', kept)
    kept = re.sub(r"<(t[dh])\b[^>]*>", r'<\1 valign="top"><p class="MsoNormal">', kept)
    return re.sub(r"</(t[dh])>", r"<o:p></o:p></p></\1>", kept)


def _cells_apart(html: str) -> str:
    """No table: each cell is a line, as a telephone's program leaves it."""
    kept = re.sub(r"</?(table|tbody|thead|tr)\b[^>]*>", "", html)
    return re.sub(r"</t[dh]>", "</div>", re.sub(r"<t[dh]\b[^>]*>", "<div>", kept))


@pytest.mark.thinned
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nor_of_its_html_in_an_answer_with_no_mark_of_a_quote(lang: str) -> None:
    """The words that a player may send stand in cells of their own; the cut line is deleted.

    In each run one of the programs by turns: three for each letter, a language each.
    """
    for turn, name in enumerate(ALL, LANGUAGES.index(lang)):
        shown, html = _shown(name, lang), written(name, lang).get_body(("html",)).get_content()
        inner = re.sub(r"(?s)^.*?<body[^>]*>|</body>.*$", "", html)
        own, cut = "12. Sf3 remis?", re.sub(r"---[^<]*---", "", inner)
        for made in turns((_bare, _gmail, _outlook, _cells_apart), turn):
            reply = EmailMessage()
            reply["From"] = "bo@example.net"
            reply["To"] = "parti@skak.example"
            reply["Message-ID"] = "<a@example.net>"
            reply.set_content(f"<div>{own}</div><br>{made(cut)}", subtype="html")
            left = extract_own_words(without_letter(parse(reply.as_bytes()).text, shown)).strip()
            read = [line for line in left.split("\n") if _is_read(line)]
            assert read == [own], (name, made.__name__, left[:300])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_below_its_cut_line_nothing_is_read_without_the_letter_at_hand(lang: str) -> None:
    shown = _shown("first_move", lang)[0]
    assert extract_own_words(f"1. e4\n\n{shown}\nremis?") == "1. e4"
