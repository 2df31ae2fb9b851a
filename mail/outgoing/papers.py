"""Papers on A4, each drawn by a process of its own that ends with it.

What draws is 8 MB that a server would never give back, and a long paper takes seconds, in which
moves would wait for the interpreter again and again; a paper that never ends is ended. NOT for the
layout (``pdf``, ``game_sheet``).
"""

import pickle
import subprocess
import sys
from collections.abc import Callable
from threading import Lock

from mail.looks.design import looks_folder, use

_LONGEST_S = 60.0
_alone = Lock()
"""One at a time: each takes 40 MB while it draws."""


def draw_paper(kind: str, *what: object) -> bytes:
    """The PDF of a ``letter`` or a game's ``sheet``, given what its function takes.

    Takes a third of a second: call it off the loop. Raises ``subprocess.SubprocessError`` where it
    can't be drawn, or not in a minute; why is told on stderr.
    """
    asked = pickle.dumps((looks_folder(), kind, what))
    command = [sys.executable, "-m", __name__]
    with _alone:
        done = subprocess.run(
            command, input=asked, stdout=subprocess.PIPE, timeout=_LONGEST_S, check=True
        )
    return done.stdout


def _draw_asked() -> None:
    from mail.outgoing.game_sheet import sheet_pdf
    from mail.outgoing.pdf import as_pdf

    folder, kind, what = pickle.load(sys.stdin.buffer)
    use(folder)
    drawing: dict[str, Callable[..., bytes]] = {"letter": as_pdf, "sheet": sheet_pdf}
    sys.stdout.buffer.write(drawing[kind](*what))


if __name__ == "__main__":
    _draw_asked()
