"""The writer's own lines: no quoted text, no signature, no "Sent from my ...", no disclaimer.

Layouts of Gmail, Outlook, Apple Mail and Thunderbird in Danish, Swedish, English and German.
Our own rules, each linear in the line: the library mail-parser-reply takes a king's move to h1
for a signature ("Kh", "Th" after "Tak") and needs 26 s for 80 KB of "Den ". NOT for commands.
"""

import re
from functools import lru_cache

_QUOTE = re.compile(r"[ \t]{0,3}>|[ \t]{0,3}\|[ \t]")
_MAX_ATTRIBUTION_LINES = 4
_MAX_LINE = 1000  # characters of a line that the rules look at

# "Den 12. nov. 2026 kl. 18.00 skrev Bo <...>:", "On ... wrote:", "Am ... schrieb Bo:", and the
# forms that begin with a weekday, a date or the name.
_WROTE = re.compile(r"\b(?:skrev|wrote|schrieb|skriver|writes|schreibt)\b", re.IGNORECASE)
_WROTE_BEGIN = re.compile(
    r"[ \t*_]*(?:den|on|am|på|i|le|mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag"
    r"|man|tir|ons|tor|fre|lør|søn|mån|tis|lör|sön|måndag|tisdag|lördag|söndag"
    r"|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
    r"|\d{1,2}[./ -]|\d{4}-\d\d?-\d\d?)(?=\W|\d|$)",
    re.IGNORECASE,
)
_DATE_HINT = re.compile(
    r"\d{4}|\d{1,2}[.:]\d\d|@|\d{1,2}[./]\s?\d{1,2}"
    r"|\d{1,2}\.? ?(?:jan|feb|mar|mär|apr|ma[jyi]|jun|jul|aug|sep|o[kc]t|nov|de[cz])",
    re.IGNORECASE,
)
_WROTE_END = re.compile(r":[ \t*_]*$")

_FIELD = re.compile(
    r"[ \t*_>]*(?P<name>fra|from|från|von|afsender|sendt|sent|skickat|gesendet|dato|date|datum|til"
    r"|to|till|an|emne|subject|ämne|betreff|cc|kopi|kopia)[ \t*_]*:",
    re.IGNORECASE,
)
_FROM = ("fra", "from", "från", "von", "afsender")
_NEEDED = (
    "sendt",
    "sent",
    "skickat",
    "gesendet",
    "dato",
    "date",
    "datum",
    "til",
    "to",
    "till",
    "an",
    "emne",
    "subject",
    "ämne",
    "betreff",
)
_FORWARD = re.compile(
    r"[ \t]*-{2,}[ \t]*(?:oprindelig (?:meddelelse|besked)|original message|original besked"
    r"|ursprungligt meddelande|ursprüngliche nachricht|original-nachricht"
    r"|videresendt (?:meddelelse|besked)|forwarded message|vidarebefordrat meddelande"
    r"|weitergeleitete nachricht|original appointment|svar på besked)[ \t]*-{2,}[ \t]*$",
    re.IGNORECASE,
)
_FORWARD_APPLE = re.compile(
    r"(?:begin forwarded message|start på videresendt besked|vidarebefordrat brev"
    r"|anfang der weitergeleiteten nachricht)[ \t]*:?[ \t]*$",
    re.IGNORECASE,
)
# How our own letters begin, for mail programs that quote them without a mark.
_CUT = re.compile(
    r"[ \t]*-{2,} (?:Skriv dit svar over denne linje|Write your answer above this line) -{2,}"
)
_RULE = re.compile(r"[ \t]*_{5,}[ \t]*$")

_DELIMITER = re.compile(r"[ \t]*(?:--|—|––|- -|__)[ \t]*$")
_SENT_FROM = re.compile(
    r"[ \t]*(?:sendt fra (?:min|mit|outlook|mail|yahoo|gmail|proton|samsung)|sent from (?:my|mail"
    r"|outlook|yahoo|proton|samsung|the)|sent via|sendt via|skickat från (?:min|mitt|outlook|mail)"
    r"|von meinem .{1,60} gesendet|gesendet (?:von|mit|aus) "
    r"|get outlook for|hent outlook (?:til|for)"
    r"|hämta outlook för|outlook für .{1,30} (?:herunterladen|beziehen)|send(?:t)? med |virus-?fri"
    r"|virus-?free)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"[ \t]*(?:(?:med )?(?:de )?(?:(?:venlig|venlige|kærlig|kærlige|bedste|mange|skak|sportslig"
    r"|sportslige|gode|varme)[ -]?)hils(?:en|ner)|hilsen|hilsner|m\.?v\.?h\.?|v\.?h\.?|d\.?b\.?h\.?"
    r"|(?:med )?(?:vänlig(?:a)?|bästa|hjärtliga) hälsning(?:ar)?|hälsning(?:ar)?"
    r"|(?:(?:with )?(?:best|kind|kindest|warm|amici) )?regards|best wishes|all the best|cheers"
    r"|yours (?:sincerely|faithfully|truly)|sincerely|amici sumus"
    r"|(?:mit )?(?:freundlichen?|besten?|herzlichen?|viele|schöne|liebe) grü(?:ß|ss)en?|mfg|lg)"
    r"(?P<rest>[ \t]*[,.!]?(?:[ \t]+[^\d\n]{0,60})?)$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"[ \t]*\d{1,3}[ \t]?\.{1,3}[ \t-]*[a-hA-HKQRBNDTLSO0-8]")
_DISCLAIMER = re.compile(
    r"[ \t*]*(?:(?:disclaimer|caution|advarsel|warning|confidential(?:ity)?|fortrolighed|fortroligt"
    r"|fortroligt indhold|\[?external\]?|ekstern)\b[^\n]{0,40}[:!\]]"
    r"|(?:denne|this|diese|detta) (?:e-?mail|mail|e-?post|meddelelse|message|nachricht|meddelande)"
    r" (?:\(|er|kan|indeholder|is|and|may|contains|originated|enthält|ist|är|kan|og|inklusive))",
    re.IGNORECASE,
)


@lru_cache(maxsize=8)  # called once when a mail's parts are compared and again when it is read
def own_words(text: str) -> str:
    """The lines the writer wrote himself, in order; blank lines kept between them, not at the ends.

    Answers below or between quotes stay. Linear in the text; never raises.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ").split("\n")
    kept: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index][:_MAX_LINE]
        if not line or _QUOTE.match(line):  # most lines of most replies
            kept.extend([] if line else [""])
            index += 1
            continue
        if _ends_own_text(lines, index):
            break
        attribution = _attribution_length(lines, index)
        if attribution:
            if not _quote_follows(lines, index + attribution):
                break  # the mail being answered follows without a mark
            index += attribution
            continue
        if _DISCLAIMER.match(line):
            index = _paragraph_end(lines, index)
            continue
        if not _SENT_FROM.match(line):
            kept.append(line.rstrip())
        index += 1
    return "\n".join(_without_closing(kept)).strip("\n")


def _ends_own_text(lines: list[str], index: int) -> bool:
    """True at a signature, a forwarded mail, or the header lines of the mail being answered."""
    line = lines[index][:_MAX_LINE]
    ends = (_DELIMITER, _FORWARD, _FORWARD_APPLE, _CUT)
    if any(end.match(line) for end in ends):
        return True
    if _RULE.match(line):
        return any(_is_header_block(lines, later) for later in range(index + 1, index + 4))
    return _is_header_block(lines, index)


def _is_header_block(lines: list[str], index: int) -> bool:
    """Outlook's "Fra: / Sendt: / Til: / Emne:" without any quote mark: at least two fields."""
    if index >= len(lines):
        return False
    first = _FIELD.match(lines[index][:_MAX_LINE])
    if first is None or first.group("name").lower() not in _FROM:
        return False
    for line in lines[index + 1 : index + 6]:
        found = _FIELD.match(line[:_MAX_LINE])
        if found and found.group("name").lower() in _NEEDED:
            return True
    return False


def _attribution_length(lines: list[str], index: int) -> int:
    """How many lines from `index` are an attribution ("Den ... skrev ...:"); 0 if none."""
    first = lines[index][:_MAX_LINE]
    if not _WROTE_BEGIN.match(first) and not _WROTE.search(first):
        return 0
    joined = ""
    for count, line in enumerate(lines[index : index + _MAX_ATTRIBUTION_LINES], start=1):
        if not line.strip() or _QUOTE.match(line):
            return 0
        joined += " " + line[:_MAX_LINE].strip()
        if _WROTE_END.search(joined):
            if _WROTE.search(joined) is None:
                return 0
            # A name alone ("Bo skrev:") is an attribution if a marked quote stands below it.
            is_one = _DATE_HINT.search(joined) or _is_quoted(lines, index + count)
            return count if is_one else 0
    return 0


def _quote_follows(lines: list[str], index: int) -> bool:
    """True if the next non-blank line is marked as a quote, or there is none."""
    return not any(line.strip() for line in lines[index:]) or _is_quoted(lines, index)


def _is_quoted(lines: list[str], index: int) -> bool:
    """True if the next non-blank line is marked as a quote."""
    following = next((line for line in lines[index:] if line.strip()), "")
    return bool(_QUOTE.match(following))


def _paragraph_end(lines: list[str], index: int) -> int:
    while index < len(lines) and lines[index].strip():
        index += 1
    return index


def _without_closing(lines: list[str]) -> list[str]:
    """Cut "Med venlig hilsen" and the name, address and telephone number below it.

    Numbered moves below it stay, as some write the greeting first. Everything stays if there
    is nothing above the greeting.
    """
    for index, line in enumerate(lines):
        if _CLOSING.match(line) and any(before.strip() for before in lines[:index]):
            return lines[:index] + [later for later in lines[index:] if _NUMBERED.match(later)]
    return lines
