"""Issue 33: what a refusal names on a page (a field, a tick, a place) is on that page, or a link
away. Not for whether the faulty field itself is marked (faulty.py)."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache
from html import unescape

from mail.text.catalogue import LANGUAGES, Words

_NOTICE = re.compile(r'<div class="notice wrong"[^>]*>(.*?)</div>', re.DOTALL)
_PARAGRAPH = re.compile(r"<(p|h2|li)\b[^>]*>.*?</\1>", re.DOTALL)
_BESIDE = re.compile(r'<p class="error"[^>]*>.*?</p>', re.DOTALL)
_NAMES = re.compile(r"<(label|legend|summary|h[1-4]|button|a|th|dt)\b[^>]*>(.*?)</\1>", re.DOTALL)
_QUOTED = re.compile(r"»([^«»]+)«|[“”]([^“”]+)”")
THE_FIELD = re.compile(r"(?:\b[Ff]eltet|\b[Tt]he field|\b[Ff]ältet)\b(?! [»“”])")
A_TICK = re.compile(r"\bkryds\b|\b[Tt]ick\b|\b[Kk]ryssa för\b")


def plain(html: str) -> str:
    """A piece of a page as it is read."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@cache
def _our_words() -> frozenset[str]:
    return frozenset(text for lang in LANGUAGES for text in Words.load(lang).texts.values())


def names_in(text: str) -> Iterator[str]:
    """What a text names between quotation marks that is a name of ours."""
    for found in _QUOTED.finditer(text):
        name = next(one for one in found.groups() if one)
        if name in _our_words():
            yield name


def shows(page: str, name: str) -> bool:
    """Whether a page has a label, a title, a button or a link with this name."""
    return any(name in plain(found[2]) for found in _NAMES.finditer(_BESIDE.sub("", page)))


def _seen_fields(page: str) -> list[str]:
    tags = re.findall(r"<(?:input|textarea|select)\b[^>]*>", page)
    return [tag for tag in tags if 'type="hidden"' not in tag and " hidden" not in tag]


def _is_beside_a_field(refusal: str, page: str) -> bool:
    at = re.search(r' id="([^"]+)"', refusal)
    described = (re.search(r'aria-describedby="([^"]*)"', tag) for tag in _seen_fields(page))
    return at is not None and any(one and at[1] in one[1].split() for one in described)


def _kept_text(text: str, page: str) -> bool:
    """That what was typed still stands in the field, where it does."""
    kept = {Words.load(lang)("web.game.stale_kept") for lang in LANGUAGES}
    return text in kept and 'type="text" id="text"' in page


def refusals(page: str) -> list[str]:
    """What a page says is wrong: beside its fields, and above its forms what is not said there."""
    beside = [found[0] for found in _BESIDE.finditer(page)]
    told = {plain(one) for one in beside}
    above = [one[0] for found in _NOTICE.finditer(page) for one in _PARAGRAPH.finditer(found[1])]
    return beside + [one for one in above if plain(one) not in told]


def points_at_nothing(page: str) -> list[str]:
    """Refusals that speak of "the field" beside none, or of a tick where there is none."""
    ticks = any('type="checkbox"' in tag for tag in _seen_fields(page))
    return [
        plain(one)
        for one in refusals(page)
        if (A_TICK.search(plain(one)) and not ticks)
        or (
            THE_FIELD.search(plain(one))
            and not _is_beside_a_field(one, page)
            and not _kept_text(plain(one), page)
        )
    ]


def missing_names(page: str, typed: Mapping[str, str]) -> set[str]:
    """The names of ours in a page's refusals that it does not show; what was typed is no name."""
    named = {name for one in refusals(page) for name in names_in(plain(one))}
    own = {name for name in named if any(name in text for text in typed.values())}
    return {name for name in named - own if not shows(page, name)}


def _links(page: str) -> list[str]:
    return sorted({unescape(one) for one in re.findall(r'<a\b[^>]*href="(/[^"#]*)', page)})


async def check_names(
    page: str, typed: Mapping[str, str], get: Callable[[str], Awaitable[str]]
) -> None:
    """Whatever a page refuses: it names nothing that is not there or on a page it links to."""
    assert points_at_nothing(page) == []
    missing = missing_names(page, typed)
    for link in _links(page) if missing else ():
        beyond = await get(link)
        missing = {name for name in missing if not shows(beyond, name)}
    assert missing == set()
