"""Compare what the product says today with what was kept: ``python -m tests.evidence``.

``--keep`` keeps today's digests; ``--text FOLDER`` writes the texts, so that two checkouts
can be compared line by line. Exit 1: something differs, and what is named. Tokens, keys
and ids are masked. For changes of structure: after one that users should notice, keep anew.
"""

import argparse
import asyncio
import hashlib
import json
import sys
from pathlib import Path

from tests.evidence.documents import documents
from tests.evidence.letters import letters
from tests.evidence.site import answers

KEPT = Path(__file__).with_name("kept.json")


def main() -> int:
    """Exit 0: nothing differs, or it was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.evidence", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="keep today's digests")
    parser.add_argument("--text", type=Path, metavar="FOLDER", help="write the texts there")
    asked = parser.parse_args()
    texts = documents() | letters() | asyncio.run(answers())
    if asked.text:
        for name, text in texts.items():
            path = asked.text / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    folders: dict[str, list[str]] = {}
    for name, text in sorted(texts.items()):
        said = hashlib.sha256(text.encode()).hexdigest()
        folders.setdefault("/".join(name.split("/")[:-1][:3]), []).append(f"{name} {said}")
    digests = {
        name: hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
        for name, lines in folders.items()
    }
    if asked.keep:
        KEPT.write_text(json.dumps(digests, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    differing = sorted(n for n in kept | digests if kept.get(n) != digests.get(n))
    for name in differing:
        fate = "gone" if name not in digests else "new" if name not in kept else "differs"
        print(f"{fate}: {name}")
    print(
        f"{len(texts)} texts in {len(digests)} folders, {len(differing)} not as kept",
        file=sys.stderr,
    )
    return 1 if differing else 0


sys.exit(main())
