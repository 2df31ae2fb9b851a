"""What a page's form would send if nobody changed it. Not for sending it."""

import re
from html.parser import HTMLParser


class _Fields(HTMLParser):
    """The fields of a page's form as a browser would send them unchanged."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.area = self.choice = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        if tag == "input" and "name" in got:
            is_box = got.get("type") == "checkbox"
            if not is_box or "checked" in got:
                self.found[got["name"]] = got.get("value", "")
        elif tag == "textarea":
            self.area = got["name"]
            self.found[self.area] = ""
        elif tag == "select":
            self.choice = got["name"]
        elif tag == "option" and self.choice and "selected" in got:
            self.found[self.choice] = got["value"]

    def handle_data(self, data: str) -> None:
        if self.area:
            self.found[self.area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.area = ""
        elif tag == "select":
            self.choice = ""


def fields_in(text: str, action: str) -> dict[str, str]:
    """What the form that is sent to an address holds."""
    forms = re.findall(r"<form\b.*?</form>", text, re.DOTALL)
    parser = _Fields()
    parser.feed(next(one for one in forms if f'action="{action}"' in one.partition(">")[0]))
    return {name: value for name, value in parser.found.items() if name != "csrf"}
