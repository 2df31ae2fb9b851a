"""A letter's blocks on a page, for bulletins and final standings.

The template is blocks.html. Not for wording (mail.writing) or other renderings
(mail.outgoing.rendering).
"""

from collections.abc import Iterable

from mail.outgoing import blocks as b

SHOWN = (b.Lead, b.Due, b.Para, b.Small, b.Heading, b.Bullets, b.Link, b.Grid)
"""The blocks supported by blocks.html; those only for mail programs are not among them."""


def named(blocks: Iterable[b.Block]) -> list[tuple[str, b.Block]]:
    """The blocks with their kinds, for the template. TypeError for an unsupported one."""
    listed = list(blocks)
    for block in listed:
        if not isinstance(block, SHOWN):
            raise TypeError(f"no look for {type(block).__name__}")
    return [(type(block).__name__, block) for block in listed]
