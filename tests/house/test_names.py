"""A class is subject and kind, and one public name is one class (CONTRIBUTING, "Names")."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALONE = re.compile(
    r"(?!(?:Seed|Feed|Speed|Need)$)(?:[A-Z][a-z]*ed|Told|Kept|Made|Found|Known|Sent|Shown|Seen|Said|Held|Begun|"
    r"Drawn|Written|Taken|Given|Meant|Read|Put|Gone|Done|Came|Why|What|Which|How|There|Beside|"
    r"Against|Apart|Away|Now|Next|Still|Others|Own|Way|Where|Also|Later|Again|Earlier|Over|Small|"
    r"Plain|Whole|Waiting|Standing|Running|Following|Leaving|Leading|Saying|Asking|Making|Writing)"
)


@cache
def _classes() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for room in ("kskak", "mail", "server"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def test_one_public_name_is_one_class():
    twice = {name: where for name, where in _classes().items() if len(where) > 1}
    assert twice == {}


def test_no_class_is_a_participle_pronoun_or_adverb_alone():
    assert [name for name in _classes() if ALONE.fullmatch(name)] == []
    assert all(ALONE.fullmatch(name) for name in ("Told", "Booked", "Beside"))
    assert not any(ALONE.fullmatch(name) for name in ("Seed", "LeaveBooked", "ReadAnswer"))
