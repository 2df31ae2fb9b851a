"""Where the rules are changed to see a test turn red, and which changes no test can see.

Not for how it is done (mutate.py).
"""

from pathlib import Path

RULES = {
    "regulation": ("editions", "tournament_numbers", "objections", "days"),
    "reflection": ("silence", "leave"),
    "play": ("due_days", "decide_leave"),
    "cases": ("sanctions", "verdicts", "withdrawal"),
    "office": ("year_reminders", "bulletin_periods", "year"),
    "league": ("division", "composition", "teams", "lineup", "reserves"),
    "entries": (
        *("emt", "admission", "entry", "emt_rights", "dm_rights", "other_rights", "cup_rights"),
        *("iccf", "player_record", "rights", "access", "emt_groups", "consequences"),
    ),
    "cup": ("rounds",),
    "groups": ("dealing", "honours", "ladder_individual", "ladder_teams"),
    "rating": ("numbers", "expected", "calculation", "rated_games", "performance"),
}
SOURCES = tuple(Path("kskak", area, f"{name}.py") for area in RULES for name in RULES[area])
"""Where the regulation's rules, and our readings of them, stand."""
PROPERTIES = {"reflection": "play"}
"""Areas whose property tests are in another's room of tests/kskak."""
KNOWN: dict[tuple[str, str, str], str] = {
    (
        "composition",
        "def _from(teams: Iterable[Team], last: int, lowest: int, below: int = 101) -> list[Team]:",
        "101 -> 102",
    ): "no score is above 100 percent",
    (
        "composition",
        "qualified = [*_from(teams, 1, LEAGUE.stay), *_from(teams, 2, LEAGUE.rise)]",
        "list reversed",
    ): "a club's team is chosen by its division, not by its place here",
    (
        "composition",
        "if len(_one_of_each_club(qualified)) > LEAGUE.teams:",
        "> -> >=",
    ): "with exactly 7 the division is full, and asks nobody",
    ("iccf", "_ANY = 0", "0 -> -1"): "no score is below 0 percent",
    **{
        ("editions", "agreement_plies: int = 0", f"0 -> {other}"): "an offer comes with a move"
        for other in (1, -1)
    },
}
"""Changes that no test can see, by file, line and change, each with the reason."""
