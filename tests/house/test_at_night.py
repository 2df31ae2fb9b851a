"""What waits for the night exists: renamed, a test would be in every run by its new name."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_each_line_of_at_night_names_a_test() -> None:
    lines = (ROOT / "tests/at_night.txt").read_text(encoding="utf-8").splitlines()
    for line in (one for one in lines if not one.startswith("#")):
        path, name = line.partition("[")[0].split("::")
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), line
