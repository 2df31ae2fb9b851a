"""Why somebody may not: what is true of the page that was asked for, not of any other.

The address says what it is about; who may is the use case's. Not for pages that are not found.
"""

_ABOUT = (
    ("/games/", "game"),
    ("/groups/", "start_letter"),
    ("/results/", "results"),
    ("/captain/", "captain"),
    ("/team-entry", "team_entry"),
    ("/titles", "controller"),
    ("/desk/cases/", "case"),
    ("/desk/kc", "controller"),
    ("/desk/bulletin", "controller"),
    ("/desk/cups", "official"),
    ("/desk/members", "members"),
    ("/desk/", "official"),
)
"""The start of an address, and the word of whose it is; the first that fits."""
_SEEN = frozenset({"start_letter"})
"""What is looked at: nothing was to be done."""


def about(method: str, path: str) -> str:
    """The word of the page's texts: ``error_text``, ``error_title``."""
    word = next((name for start, name in _ABOUT if path.startswith(start)), "other")
    if word == "game" and method == "POST":
        return "403_move"
    return "403" if word == "game" else f"403_{word}"


def is_deed(kind: str) -> bool:
    """Whether something was to be done that is not his to do."""
    return kind.startswith("403_") and kind.removeprefix("403_") not in _SEEN
