"""Our own script: its types, its style and its pure modules' own tests, by Deno (a wheel).

All is checked with `pages.json`, null and all; what needs no page has every type too, with
`strict.json`. NOT for what script does on a page (tests/browser), nor for vendored script.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE, DENO = Path(__file__).parent, Path(sys.executable).with_name("deno")
STATIC = HERE.parents[1] / "server" / "web" / "static"
NOT_OWN = {"vendor", "engine"}
OWN = sorted(
    path for path in STATIC.rglob("*.js") if path.relative_to(STATIC).parts[0] not in NOT_OWN
)
STRICT = ["keeping", "page", "pgn", "position", "rules", "tree", "uci"]


def deno(*said: str | Path) -> str:
    """What it prints, when it is content; otherwise the test has failed with its words."""
    if not DENO.exists():
        # No wheel for this kind of machine: the script is not looked at there.
        (pytest.fail if os.environ.get("CI") else pytest.skip)("OWN SCRIPT NOT CHECKED: no deno")
    kept = DENO.parents[1] / ".deno"
    quiet = {"NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1", "DENO_DIR": str(kept)}
    done = subprocess.run(
        [DENO, *map(str, said)], cwd=HERE, capture_output=True, text=True, env=os.environ | quiet
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_types_and_style_of_all_our_script():
    deno("check", "--quiet", "--config", HERE / "pages.json", *OWN)
    strict = [STATIC / "board" / f"{name}.js" for name in STRICT]
    deno("check", "--quiet", "--config", HERE / "strict.json", *strict)
    deno("lint", "--quiet", "--config", HERE / "pages.json", *OWN, *HERE.glob("*.js"))


def test_the_modules_that_need_no_page_by_their_own_tests():
    assert "0 failed" in deno("test", "--no-config", "--no-remote", "--no-check", HERE)


def test_what_is_wrong_is_found(tmp_path: Path):
    module = tmp_path / "wrong.js"
    module.write_text(
        "const element = (id) => document.getElementById(id)\n"
        "element('board')?.replaceChilden()\nelement('board').remove()\nlet never = 1\n"
    )
    for look, found in (("check", r"(?s)replaceChilden.*possibly 'null'"), ("lint", "never")):
        with pytest.raises(AssertionError, match=found):
            deno(look, "--quiet", "--config", HERE / "pages.json", module)
