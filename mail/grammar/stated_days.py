"""The days that a player states beside his move: received and sent, as § 6.2.1 and § 6.8.2 ask.

The row of the ICCF table ("03/09 05/09 2/03 03. 6125"), and dates on the move's line in the other
ways people write them ("3. 6125 modt. 3/9 sendt 5/9", "3. Lb5 3/9-5/9 2/3"). They are taken off, so
that the move can be read. Pure. NOT for what the days do (`server.usecases.mail`).
"""

import re
from datetime import date, timedelta
from typing import Final

from mail.grammar.keyword_lines import StatedDays, find_date, join_patterns
from mail.grammar.move_lines import MoveLine, read_move_line

_DAY: Final = (
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}(?:/(?:\d{4}|\d\d))?"
    r"|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d\d)?)(?!\d)"
)
_RATIO: Final = r"\d{1,3}/\d{1,3}(?!\d)"
"""The time for the move and in all, in the table's last column."""
_LEADS: Final = r"(?:[.:]? *(?:den|on|d\.)?) *"
_LABELLED = {
    name: re.compile(
        rf"(?<!\w)(?:(?:og|and|och) +)?(?:{join_patterns(f'stated_{name}')}){_LEADS}({_DAY})",
        re.IGNORECASE,
    )
    for name in ("received", "sent")
}
_RANGE = re.compile(rf"(?<!\S)\(?({_DAY}) ?[-–] ?({_DAY})\)?(?: +{_RATIO})?(?=[\s,.:;)]|$)")
_BEFORE = re.compile(rf"^({_DAY})[ ,]+({_DAY})(?:[ ,]+{_RATIO})?[ ,:]+(?=\d)")
_AFTER = re.compile(rf"[ ,]+\(?({_DAY})[ ,]+({_DAY})(?:[ ,]+{_RATIO})?\)?$")
_ONLY_TIME = re.compile(rf"[ ,]+{_RATIO}(?: {_RATIO})?$|^{_RATIO}[ ,:]+(?=\d)")
_ONLY = re.compile(r"[\s.,:;()]*(?:(?:og|and|och)[\s.,:;()]*)?")
_RESULT = "1/2-1/2"
FARTHEST_STATED = timedelta(days=60)
"""A day further off is none: it is the time used, or a slip."""


def take_days(line: str, today: date, *, is_black: bool) -> tuple[MoveLine | None, StatedDays]:
    """The line's moves without the days beside them, and the days; no moves in a line of days.

    `is_black`: the writer's colour, whose columns of the table are the last.
    """
    if "/" not in line and not re.search(_DAY, line) or _RESULT in line:
        return None, StatedDays()
    text, own = _take_labelled(" ".join(line.split()), today)
    if not own and (found := _RANGE.search(text)) is not None:
        own, text = dict(zip(("received", "sent"), found.groups(), strict=True)), _cut(text, found)
    sides = []
    for column in (_BEFORE, _AFTER):
        found = column.search(text)
        sides.append({} if found is None else {"received": found[1], "sent": found[2]})
        text = text if found is None else _cut(text, found)
    rest = _ONLY_TIME.sub("", text).strip(" ,:;()-–")
    rest = re.sub(r"^0(?=\d{1,2}\.)", "", rest)  # «03.», as the table pads it
    moves = read_move_line(rest) if rest else None
    if moves is None and not (own and _ONLY.fullmatch(rest)):
        return None, StatedDays()
    before, after = sides
    is_whole_row = moves is not None and len(moves.tokens) > 1
    columns = after if is_black and (after or is_whole_row) else before or after
    days = {name: _near(day, today) for name, day in (own or columns).items()}
    if moves is not None:
        moves = MoveLine(moves.tokens, moves.note, line.strip(), moves.offers_draw)
    return moves, StatedDays(**days)


def _take_labelled(text: str, today: date) -> tuple[str, dict[str, str]]:
    """What is named as received or sent, and the text without it."""
    own: dict[str, str] = {}
    for name, pattern in _LABELLED.items():
        if (found := pattern.search(text)) is not None:
            own[name], text = found[1], _cut(text, found)
    return text, own


def _cut(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}".strip()


def _near(written: str, today: date) -> date | None:
    """The day nearest to today that may be meant; None if it is too far from it, or none."""
    parts = [int(part) for part in re.split(r"\D+", written) if part]
    if len(parts) == 3:
        year, month, day = parts if len(written.split("-")[0]) == 4 else reversed(parts)
        years = [year if year > 99 else 2000 + year]
    else:
        day, month = parts
        years = [today.year - 1, today.year, today.year + 1]
    found = [one for year in years if (one := find_date(year, month, day)) is not None]
    near = min(found, key=lambda one: abs(one - today), default=None)
    return near if near is not None and abs(near - today) <= FARTHEST_STATED else None
