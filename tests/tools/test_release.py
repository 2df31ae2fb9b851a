"""`make release`: what is committed becomes a wheel with everything in it, and a sdist."""

import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools.release import NoRelease, build, read_notes

ROOT = Path(__file__).parents[2]


def test_a_version_without_a_section_is_no_release():
    changelog = "# Changes\n\n## 0.2.0\n\n- New.\n\n## 0.1.0\n\n- Old.\n"
    assert read_notes(changelog, "0.2.0") == "- New.\n"
    with pytest.raises(NoRelease, match=r"0\.3\.0.*0\.2\.0, 0\.1\.0"):
        read_notes(changelog, "0.3.0")


def test_the_tree_becomes_a_wheel_and_a_sdist_with_words_pages_and_migrations(tmp_path: Path):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    made = {path.name: path for path in build(ROOT, tmp_path / "dist")}
    stem = f"kskak-{version}"
    assert made.keys() == {
        f"{stem}-py3-none-any.whl", f"{stem}.tar.gz",
        f"notes-{version}.md", f"requirements-{version}.txt",
    }  # fmt: skip
    names = set(zipfile.ZipFile(made[f"{stem}-py3-none-any.whl"]).namelist())
    wanted = {"mail/words/da/language.toml", "server/web/templates/frame/base.html",
              "migrations/versions/0037_baseline.py", "server/web/static/board.js"}  # fmt: skip
    assert wanted <= names and not any(name.startswith(("tests/", "tools/")) for name in names)
    with tarfile.open(made[f"{stem}.tar.gz"]) as packed:
        assert f"{stem}/pyproject.toml" in packed.getnames()
