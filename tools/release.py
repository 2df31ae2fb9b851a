"""`make release`: wheel, sdist, the notes of the version from CHANGELOG.md, and the tag's text.

With them what a machine gets beside the wheel: the pins with and without hashes, a man page,
completion for shells, and the list of parts (SBOM, CycloneDX).

The version is pyproject.toml's; CHANGELOG.md must have a section of it. Nothing is uploaded and no
tag is set: what to run is printed. Not for the product: it lies outside the wheel.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

from server.cli import COMMANDS, parser_with

ROOT = Path(__file__).resolve().parents[1]


class NoRelease(Exception):
    """Something is missing; the message says what."""


def read_notes(changelog: str, version: str) -> str:
    """The section of a version, without its heading. Raises NoRelease when there is none."""
    sections = re.split(r"^## (.+)$", changelog, flags=re.MULTILINE)
    found = dict(zip(sections[1::2], sections[2::2], strict=True))
    if version not in found:
        raise NoRelease(f"CHANGELOG.md has no section «## {version}»: {', '.join(found)}")
    return found[version].strip() + "\n"


def strip_hashes(locked: str) -> str:
    """The pins alone, for `pip install --constraint`, which else wants a hash of our wheel too."""
    found = re.findall(r"^([\w.-]+==[^\\\n]+?) *\\?$", locked, re.MULTILINE)
    return "".join(f"{pin}\n" for pin in found)


def write_parts(pins: Path, target: Path) -> None:
    """What the program is made of, by its pins, as a CycloneDX document."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", str(pins), "-o", str(target)]
    told = subprocess.run([*command, "--output-reproducible"], capture_output=True, text=True)
    if told.returncode:
        raise NoRelease(told.stderr.strip()[-500:])


def describe_commands() -> dict[str, str]:
    """The man page and the completions, by the files' names, from what the commands declare."""
    parser = parser_with(COMMANDS)
    page = Manpage(parser, format="pretty")
    page.date = ""
    shells = {"kskak.bash": "bash", "_kskak": "zsh"}
    return {"kskak.1": str(page)} | {
        name: shtab.complete(parser, shell=shell) for name, shell in shells.items()
    }


def build(root: Path, dist: Path) -> tuple[Path, ...]:
    """Wheel, sdist, notes and the rest, of what is committed; the files made."""
    with tempfile.TemporaryDirectory(prefix="kskak-release-") as folder:
        tree, packed = Path(folder) / "tree", Path(folder) / "tree.tar"
        subprocess.run(["git", "archive", "-o", packed, "HEAD"], cwd=root, check=True)
        shutil.unpack_archive(packed, tree, filter="data")
        project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        version = project["version"]
        notes = read_notes((tree / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        shutil.rmtree(dist, ignore_errors=True)
        dist.mkdir()
        for kind in ("sdist", "wheel"):
            step = f"import sys, setuptools.build_meta as b; b.build_{kind}(sys.argv[1])"
            told = subprocess.run(
                [sys.executable, "-c", step, str(dist)], cwd=tree, capture_output=True, text=True
            )
            if told.returncode:
                raise NoRelease(told.stderr.strip()[-500:])
        shutil.copy(tree / "requirements.txt", dist / f"requirements-{version}.txt")
    pins = dist / f"constraints-{version}.txt"
    locked = (dist / f"requirements-{version}.txt").read_text(encoding="utf-8")
    pins.write_text(strip_hashes(locked), encoding="utf-8")
    write_parts(pins, dist / f"sbom-{version}.cdx.json")
    for name, text in describe_commands().items():
        (dist / name).write_text(text, encoding="utf-8")
    (dist / f"notes-{version}.md").write_text(notes, encoding="utf-8")
    return tuple(sorted(dist.iterdir()))


def main() -> int:
    """Exit 0: made; 2: something is missing."""
    try:
        made = build(ROOT, ROOT / "dist")
    except (NoRelease, subprocess.CalledProcessError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 2
    for path in made:
        print(path.relative_to(ROOT))
    version = next(path.stem for path in made if path.suffix == ".md").removeprefix("notes-")
    print(f"Then: git tag --annotate --file dist/notes-{version}.md {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
