"""The writer's own lines: no quoted text, no signature, no "Sent from my ...", no disclaimer.

Our own rules, each linear in the line: the library mail-parser-reply takes a king's move to h1
for a signature ("Kh", "Th" after "Tak") and needs 26 s for 80 KB of "Den ". NOT for what the
foreign parts look like (`mail.incoming.foreign`, `mail.incoming.signing`), nor for commands.
"""

from functools import lru_cache

from mail.incoming.foreign import Foreign
from mail.incoming.signing import is_all_moves, signs, unsigned

_UNSEEN = "\ufeff\u200b\u200e\u200f\u2060"
_MAX_FIELD = 6  # words of a line that holds an address and little else


@lru_cache(maxsize=64)
def own_words(text: str, domain: str = "", writer: tuple[str, str] = ("", "")) -> str:
    """The lines the writer wrote himself, in order; blank lines kept between them, not at the ends.

    Answers below or between quotes stay. `domain`: of our addresses; `writer`: his name and
    address in From. Linear in the text; never raises. Cached: a mail is asked for its words two
    or three times on its way.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    lines = [line.strip(_UNSEEN) for line in plain.split("\n")]
    foreign = Foreign(lines, domain)
    kept: list[str] = []
    played = False
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line or foreign.is_quote[index]:  # most lines of most replies
            kept.extend([] if line else [""])
            index += 1
            continue
        shown = signs(line)
        end = foreign.attributions.get(index)
        if end is not None or foreign.is_ours(line):
            index = index + 1 if end is None else end
            is_field = played and len(line.split()) <= _MAX_FIELD  # a sentence is his own
            if (is_field or end is not None) and not foreign.quote_follows(index):
                break  # the mail being answered follows without a mark
        elif shown.is_delimiter or foreign.begins(index, played=played):
            break
        elif shown.begins_notice:
            end = _paragraph_end(lines, index)
            kept.extend(one.rstrip() for one in lines[index:end] if is_all_moves(one))
            index = end
        else:
            kept.extend([] if shown.is_sent_from else [line.rstrip()])
            played = played or shown.could_be_move
            index += 1
    return "\n".join(unsigned(kept, writer)).strip("\n")


def _paragraph_end(lines: list[str], index: int) -> int:
    while index < len(lines) and lines[index].strip():
        index += 1
    return index
