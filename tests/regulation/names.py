"""Which paragraphs a test's name is of, as the tests here are named."""

import re

_KINDS = {"": "", "kendels": "Kendelse ", "fid": "FIDE "}


def numbers_in(name: str) -> set[str]:
    """The paragraphs that a test's name cites: ``test_6_3_3_1_…``, ``test_kendelse_107_…``."""
    found = set()
    for part in re.findall(r"(?<!\d)(?:(?:kendelse|fide)_)?\d+(?:_\d+)*(?!\d)", name):
        kind, _, number = part.rpartition("e_")
        found.add(f"{_KINDS[kind]}{number.replace('_', '.')}")
    return found
