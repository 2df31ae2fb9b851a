"""Small grey pictures of pages, and whether two of them show the same layout.

A page is set in a font of ours, so that lines break alike on every machine; what a machine draws
in its own way, edges of letters above all, is lost when the picture is made small and compared by
squares. Not for taking pictures (pages/test_pictures.py).
"""

import io
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

SHRINK = 4
"""Pixels of the page in one of the picture."""
GREYS = 16
SQUARE = 6
"""Side of a square that is compared, in pixels of the picture."""
UNLIKE = 22
"""Greys of 255 by which the means of two squares may differ."""
MOST_UNLIKE = 0.02
"""Share of squares that may be unlike."""
MOST_LONGER = 8
"""Pixels of the picture by which one page may be longer than the other."""


def small(shot: bytes) -> Image.Image:
    """A screenshot as it is kept."""
    with Image.open(io.BytesIO(shot)) as picture:
        size = (picture.width // SHRINK, picture.height // SHRINK)
        grey = picture.convert("L").resize(size, Image.Resampling.BOX)
    return grey.quantize(GREYS, dither=Image.Dither.NONE)


def difference(kept: Image.Image, now: Image.Image) -> str:
    """What is different between two pictures; "": nothing that counts."""
    if kept.width != now.width or abs(kept.height - now.height) > MOST_LONGER:
        return f"{now.width}x{now.height} where {kept.width}x{kept.height} was"
    size = (kept.width, min(kept.height, now.height))
    both = [picture.convert("L").crop((0, 0, *size)) for picture in (kept, now)]
    squares = [_squares(picture) for picture in both]
    unlike = ImageChops.difference(*squares).point(lambda value: 255 if value > UNLIKE else 0)
    share = ImageStat.Stat(unlike).mean[0] / 255
    return f"{share:.1%} of it is unlike" if share > MOST_UNLIKE else ""


def _squares(picture: Image.Image) -> Image.Image:
    size = (max(1, picture.width // SQUARE), max(1, picture.height // SQUARE))
    return picture.resize(size, Image.Resampling.BOX)


def compared(path: Path, shot: bytes) -> str:
    """What is different from the kept picture; a picture that is not kept is a difference."""
    if not path.exists():
        return "no picture is kept"
    with Image.open(path) as kept:
        return difference(kept, small(shot))
