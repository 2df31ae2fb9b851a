"""kskak-access/1 out: the answer of ``kskak access --json`` (CONTRACTS).

Not for the human form (the mail room's ``access_text``).
"""

from collections.abc import Mapping

from kskak.entries.emt import EmtClass
from kskak.entries.rights import Answer


def access_json(answers: Mapping[EmtClass, Answer]) -> dict[str, object]:
    """Each class with what opens it, until when, and what closes it (§ 6.5.3.2)."""
    return {"classes": {name.value: _class_json(answer) for name, answer in answers.items()}}


def _class_json(answer: Answer) -> dict[str, object]:
    return {
        "allowed": answer.is_allowed,
        "by": [
            {
                "paragraph": right.paragraph,
                "until": None if right.until is None else right.until.isoformat(),
            }
            for right in answer.by
        ],
        "against": [{"paragraph": bar.paragraph} for bar in answer.against],
    }
