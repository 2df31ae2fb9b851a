"""Which classes a player may enter, in words: the human form of ``kskak access`` (§ 6.5.3.2).

Not for the rules (``kskak.entries.access``) nor for JSON (``kskak.entries.access_file``).
"""

from collections.abc import Iterator, Mapping

from kskak.entries.access_file import AccessFile
from kskak.entries.emt import EmtClass
from kskak.entries.rights import Answer, Right
from mail.text.words import Words

_INDENT = "  "


def access_lines(
    file: AccessFile, answers: Mapping[EmtClass, Answer], words: Words
) -> Iterator[str]:
    """One line per class, below it every rule for and against, then what people may decide."""
    yield words("access.head", name=file.player.name, day=words.day(file.record.on))
    for name, answer in answers.items():
        yield words(f"access.class.{'yes' if answer.is_allowed else 'no'}", name=name.value)
        for right in answer.by:
            yield _INDENT + _right_line(right, words)
        for bar in answer.against:
            text = words(f"access.against.{_key(bar.paragraph)}")
            yield _INDENT + text + _rests_on(bar.results, words) + f" (§ {bar.paragraph})."
        if not answer.by and not answer.against:
            yield _INDENT + words("access.nothing")
    yield words("access.persons")


def _right_line(right: Right, words: Words) -> str:
    text = words(f"access.by.{_key(right.paragraph)}") + _rests_on(right.results, words)
    until = "" if right.until is None else words("access.until", day=words.day(right.until))
    return f"{text} (§ {right.paragraph}){until}."


def _rests_on(results: tuple[int, ...], words: Words) -> str:
    """Which of his results, by their place in the file; nothing for a rating."""
    if not results:
        return ""
    numbers = ", ".join(map(str, results))
    return words("access.results", n=len(results), numbers=numbers)


def _key(paragraph: str) -> str:
    return paragraph.replace(".", "_").replace(" ", "_")
