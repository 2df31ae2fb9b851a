"""Which language a caller reads: Accept-Language, else the person's own. NOT for chess letters."""

from mail.text.words import DEFAULT_LANGUAGE, LANGUAGES

_MOST_RANGES = 10


def preferred(header: str, own: str = DEFAULT_LANGUAGE) -> str:
    """The best of our languages for an Accept-Language header; ``own`` where none is named."""
    best, weight = own if own in LANGUAGES else DEFAULT_LANGUAGE, 0.0
    for part in header.split(",", _MOST_RANGES)[:_MOST_RANGES]:
        tag, _, quality = part.strip().partition(";")
        lang = tag.strip().lower().partition("-")[0]
        if lang in LANGUAGES and (q := _quality(quality)) > weight:
            best, weight = lang, q
    return best


def _quality(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0
