"""What waits for the night exists: a test that was renamed would be in no run by its old line."""

from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_each_line_of_at_night_names_a_test() -> None:
    lines = (TESTS / "at_night.txt").read_text(encoding="utf-8").splitlines()
    named = [line for line in lines if line and not line.startswith("#")]
    assert len(set(named)) == len(named)
    lost = []
    for line in named:
        path, name = line.partition("[")[0].split("::")
        file = TESTS.parent / path
        lost += [] if file.exists() and f"def {name}(" in file.read_text("utf-8") else [line]
    assert lost == []
