"""Scripts and style sheets joined into one file each; and what is not understood is refused."""

import re

import pytest

from server.web.frame import assets
from server.web.frame.assets import joined_script, joined_style
from tests.fakes.machinery.each import each

FILES = {
    "all.js": """// What it is.
import {
    Board,
    SIDE as SIDES,
} from "./lib/board.js"
import * as tools from "./lib/tools.js"

export function start() {
    return [Board.name, SIDES, tools.twice(2)]
}
""",
    "lib/board.js": """import {twice} from "./tools.js"
/* Two lines
   of comment. */
const PLACE = new URL("../marks.svg", import.meta.url)
export const SIDE = twice(4)
export class Board {}
""",
    "lib/tools.js": """const PLACE = "another"
export {twice}
function twice(n) { return 2 * n }
""",
}


def test_a_module_is_joined_with_what_it_imports_each_once():
    text = joined_script("all.js", FILES)
    assert text.count("function twice") == 1
    assert text.index("function twice") < text.index("class Board") < text.index("function start")
    assert (
        re.search(r"const \{\s*Board,\s*SIDE: SIDES,\s*\} = m1\n", text)
        and "const tools = m0" in text
    )
    assert "return {SIDE, Board}" in text and "export function start" in text
    assert 'new URL("../marks.svg", new URL("lib/board.js", import.meta.url))' in text
    assert "What it is" not in text and "of comment" not in text and "import {" not in text


@each(
    "line why",
    ('import Board from "./lib/board.js"', "not understood"),
    ('import "./lib/board.js"', "not understood"),
    ("export default 3", "not understood"),
    ("export let count = 3", "not understood"),
    ('export * from "./lib/tools.js"', "not understood"),
    ('import {start} from "../all.js"', "in a circle"),
    ('const later = () => import("./tools.js")', r"import\(\) belongs"),
)
def test_what_is_not_understood_is_an_error_at_the_start(line: str, why: str):
    files = FILES | {"lib/board.js": f"{line}\n{FILES['lib/board.js']}"}
    with pytest.raises(ValueError, match=why):
        joined_script("all.js", files)


def test_style_sheets_and_comments_are_joined():
    # A comment ends where it ends.
    files = {"one.js": "/* a */ keep()\n/* b */\nalso(/* c */)\n  // d\nurl('//e')\n"}
    assert joined_script("one.js", files) == "/* a */ keep()\nalso(/* c */)\nurl('//e')\n"
    # A style sheet has in it what it names.
    files = {"a.css": '@import "b/c.css";\n\n/* What. */\np { margin: 0; }\n', "b/c.css": "b {}\n"}
    assert joined_style("a.css", files) == "b{}p{margin:0}"
    with pytest.raises(ValueError, match="points elsewhere"):
        joined_style("a.css", files | {"b/c.css": "b { background: url(d.svg); }"})
    with pytest.raises(ValueError, match="would be changed"):
        joined_style("a.css", files | {"b/c.css": 'b::before { content: "{ ; }"; }'})
    # What pages ask for is joined.
    for name in assets.SCRIPTS:
        text = assets.assets()[name].body.decode()
        assert not re.search(r"^import\b", text, re.M), name
    assert "@import" not in assets.assets()["board.css"].body.decode()
