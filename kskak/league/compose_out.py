"""kskak-compose/1 out: the answer of ``kskak compose --json`` (CONTRACTS).

Not for the human form (the mail room's ``compose_text``).
"""

from collections.abc import Iterable

from kskak.league.composition import Composition, Placed


def compose_json(composition: Composition) -> dict[str, object]:
    """The divisions with the reason for each team, and what the leader must grant (§ 6.7.5.1).

    ``team`` is the number of the team in the file: a club may have several.
    """
    return {
        "divisions": {
            "1": _division(composition.first),
            "2": _division(composition.second),
            "3": [_division(group) for group in composition.third],
        },
        "dispensations": [
            {
                "club": row.team.club,
                "division": row.division,
                "by": row.reason.value,
                "team": row.team.number,
            }
            for row in composition.dispensations
        ],
        "unplaced": _division(composition.unplaced),
    }


def _division(rows: Iterable[Placed]) -> list[dict[str, object]]:
    return [
        {"club": row.team.club, "by": row.reason.value, "team": row.team.number} for row in rows
    ]
